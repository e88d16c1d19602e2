//! The plain types whose values any thread may use: they mean the same on every thread, and share nothing.

use std::any::TypeId;

/// Passes these types to a macro. A missing type costs threads or memory, never more. Whether a type is `Send` can be told only where
/// it is known, not where it is a parameter.
macro_rules! portable_types {
    ($then:ident) => {
        $then! {
            () bool char f32 f64 String &'static str Box<str>
            std::cmp::Ordering std::time::Duration std::hash::RandomState
            u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
            std::num::NonZero<u8> std::num::NonZero<u16> std::num::NonZero<u32>
            std::num::NonZero<u64> std::num::NonZero<u128> std::num::NonZero<usize>
            std::num::NonZero<i8> std::num::NonZero<i16> std::num::NonZero<i32>
            std::num::NonZero<i64> std::num::NonZero<i128> std::num::NonZero<isize>
        }
    };
}

pub(crate) use portable_types;

/// Returns whether a type is one of these, or an option of one.
pub(crate) fn is_portable<T: 'static>() -> bool {
    macro_rules! ids {
        ($($type:ty)*) => { [$(TypeId::of::<$type>(), TypeId::of::<Option<$type>>()),*] };
    }
    portable_types!(ids).contains(&TypeId::of::<T>())
}
