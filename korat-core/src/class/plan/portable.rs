//! Which plain values any thread may use that was handed them: values that mean the same on every thread, and share nothing.

use std::any::TypeId;
use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32,
    NonZeroU64, NonZeroU128, NonZeroUsize,
};
use std::time::Duration;

use super::planner::{Planner, VariantName};

impl Planner<'_> {
    /// Records values of a type that the heap holds.
    pub(crate) fn note_values_of<T: 'static>(&mut self) {
        self.layout.stays_on_thread |= !is_portable::<T>();
    }
}

/// Returns whether any thread may use values of a type. A missing type costs memory, never more. Whether a type is `Send` can be told
/// only where it is known, not where it is a parameter; and a `Send` type is not enough, since its values are used one by one.
fn is_portable<T: 'static>() -> bool {
    macro_rules! one_of {
        ($($type:ty)*) => { [$(TypeId::of::<$type>(), TypeId::of::<Option<$type>>()),*] };
    }
    one_of! {
        () bool char f32 f64 String &'static str Box<str> Ordering Duration RandomState VariantName
        u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
        NonZeroU8 NonZeroU16 NonZeroU32 NonZeroU64 NonZeroU128 NonZeroUsize
        NonZeroI8 NonZeroI16 NonZeroI32 NonZeroI64 NonZeroI128 NonZeroIsize
    }
    .contains(&TypeId::of::<T>())
}
