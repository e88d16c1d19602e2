//! What one side of a comparison is, of whatever type. The types are not known where comparisons are rewritten, and no trait can be
//! asked of them: that might decide a type which is inferred later. So their identity says it at run time.

use std::any::{TypeId, type_name};
use std::num::NonZero;
use std::ptr;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Compared;

/// What a repair can use of a value.
pub(super) fn read<T: ?Sized>(value: &T) -> Compared {
    if size_of::<&T>() != size_of::<*const ()>() {
        // A slice, a text, a trait object.
        return Compared::Other;
    }
    let at = ptr::from_ref(value).cast::<()>();
    if let Some(reader) = READERS.get(&typeid::of::<T>()) {
        // SAFETY: the reader is for values of this type, but for lifetimes in it, and looks at nothing after it returns.
        return unsafe { reader(at) };
    }
    // SAFETY: the value is of this type and size.
    unsafe { pointer(type_name::<T>(), size_of_val(value), at) }
}

/// Reads a value of one type.
type Reader = unsafe fn(*const ()) -> Compared;

/// The readers of all types that stand for an integer.
static READERS: LazyLock<FxHashMap<TypeId, Reader>> = LazyLock::new(|| {
    let mut readers = FxHashMap::default();
    bool::add_all(&mut readers);
    char::add_all(&mut readers);
    macro_rules! integers {
        ($($ty:ty)*) => {$(
            <$ty>::add_all(&mut readers);
            NonZero::<$ty>::add_all(&mut readers);
        )*};
    }
    integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    readers
});

/// A value that stands for an integer, or for none.
trait Integral: 'static {
    fn compared(&self) -> Compared;

    fn add(readers: &mut FxHashMap<TypeId, Reader>)
    where
        Self: Sized,
    {
        unsafe fn reader<T: Integral>(at: *const ()) -> Compared {
            // SAFETY: the caller has a value of this type there. Where that is a reference which lives shorter than the type
            // says, it is not kept.
            unsafe { &*at.cast::<T>() }.compared()
        }
        readers.insert(TypeId::of::<Self>(), reader::<Self>);
    }

    /// The readers of the type itself, and of what comparisons make of it.
    fn add_all(readers: &mut FxHashMap<TypeId, Reader>)
    where
        Self: Sized,
    {
        Self::add(readers);
        <&'static Self>::add(readers);
        <&'static &'static Self>::add(readers);
        Option::<Self>::add(readers);
        Option::<&'static Self>::add(readers);
        <&'static Option<Self>>::add(readers);
    }
}

macro_rules! integral {
    ($($ty:ty)*) => {$(
        impl Integral for $ty {
            fn compared(&self) -> Compared {
                // The largest of `u128` are no suggestion for anything.
                i128::try_from(*self).map_or(Compared::Other, Compared::Integer)
            }
        }

        impl Integral for NonZero<$ty> {
            fn compared(&self) -> Compared {
                self.get().compared()
            }
        }
    )*};
}

integral!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Integral for bool {
    fn compared(&self) -> Compared {
        Compared::Integer(i128::from(*self))
    }
}

impl Integral for char {
    fn compared(&self) -> Compared {
        Compared::Integer(i128::from(u32::from(*self)))
    }
}

impl<T: Integral> Integral for &'static T {
    fn compared(&self) -> Compared {
        (**self).compared()
    }
}

impl<T: Integral> Integral for Option<T> {
    fn compared(&self) -> Compared {
        self.as_ref().map_or(Compared::Nothing, T::compared)
    }
}

/// Pointers of a predicate to objects, as their types are called.
const TWINS: [&str; 2] = ["korat_core::twin::pointer::Box<", "korat_core::twin::pointer::Rc<"];

/// A pointer, a reference, or an option of one. There are as many types of them as classes, so that only the name tells.
///
/// # Safety
///
/// At `at` there is a value of the type with this name, which has this size.
unsafe fn pointer(name: &str, size: usize, at: *const ()) -> Compared {
    let is_twin = |name: &str| TWINS.iter().any(|twin| without_option(name).starts_with(twin));
    let is_pointer = is_twin(name)
        || ["&", "*const ", "*mut ", "core::ptr::non_null::NonNull<"]
            .iter()
            .any(|kind| without_option(name).starts_with(kind));
    if !is_pointer || size != size_of::<*const ()>() {
        return Compared::Other;
    }
    // SAFETY: no type is called so but pointers, and options of them. One that is as large as an address is an address, null for
    // `None`; an option of a raw pointer is larger.
    let mut to = unsafe { *at.cast::<*const ()>() };
    let behind = name.strip_prefix('&').map(|name| name.strip_prefix("mut ").unwrap_or(name));
    if behind.is_some_and(is_twin) {
        // SAFETY: a reference to such a pointer, which is alive, because it is being compared.
        to = unsafe { *to.cast::<*const ()>() };
    }
    if to.is_null() { Compared::Nothing } else { Compared::Address(to.addr()) }
}

/// `T` of `Option<T>`.
fn without_option(name: &str) -> &str {
    name.strip_prefix("core::option::Option<").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;

    use super::*;
    use crate::twin;

    /// A type with `PartialEq` of its own.
    struct Own(#[allow(dead_code)] usize);

    fn address<T>(value: &T) -> Compared {
        Compared::Address(ptr::from_ref(value).addr())
    }

    #[test]
    fn integers_of_all_kinds_and_what_leads_to_them() {
        assert_eq!(read(&255_u8), Compared::Integer(255));
        assert_eq!(read(&-1_i64), Compared::Integer(-1));
        assert_eq!(read(&i128::MIN), Compared::Integer(i128::MIN));
        assert_eq!(read(&u128::MAX), Compared::Other);
        assert_eq!(read(&true), Compared::Integer(1));
        assert_eq!(read(&'a'), Compared::Integer(97));
        assert_eq!(read(&NonZero::new(7_u32)), Compared::Integer(7));
        let local = 5_usize;
        assert_eq!(read(&&local), Compared::Integer(5));
        assert_eq!(read(&Some(&local)), Compared::Integer(5));
        assert_eq!(read(&&Some(local)), Compared::Integer(5));
        assert_eq!(read(&None::<usize>), Compared::Nothing);
        assert_eq!(read(&None::<&i8>), Compared::Nothing);
    }

    #[test]
    fn pointers_are_where_they_lead() {
        let own = Own(1);
        assert_eq!(read(&&own), address(&own));
        assert_eq!(read(&&raw const own), address(&own));
        assert_eq!(read(&NonNull::from_ref(&own)), address(&own));
        assert_eq!(read(&Some(NonNull::from_ref(&own))), address(&own));
        assert_eq!(read(&Some(&own)), address(&own));
        assert_eq!(read(&None::<&Own>), Compared::Nothing);
        assert_eq!(read(&ptr::null::<Own>()), Compared::Nothing);
        assert_eq!(read(&ptr::null_mut::<Own>()), Compared::Nothing);
    }

    #[test]
    fn twins_are_called_as_is_believed() {
        assert!(type_name::<twin::Box<Own>>().starts_with(TWINS[0]));
        assert!(type_name::<twin::Rc<Own>>().starts_with(TWINS[1]));
        assert_eq!(size_of::<Option<twin::Box<Own>>>(), size_of::<usize>());
        assert_eq!(size_of::<Option<twin::Rc<Own>>>(), size_of::<usize>());
        assert_eq!(read(&None::<twin::Box<Own>>), Compared::Nothing);
        assert_eq!(read(&&None::<twin::Rc<Own>>), Compared::Nothing);
    }

    #[test]
    fn anything_else_is_other() {
        let own = Own(1);
        assert_eq!(read(&own), Compared::Other);
        assert_eq!(read(&[1_usize]), Compared::Other);
        assert_eq!(read(&[1_usize][..]), Compared::Other);
        assert_eq!(read("text"), Compared::Other);
        assert_eq!(read(&"text"), Compared::Other);
        assert_eq!(read(&1.5_f64), Compared::Other);
        assert_eq!(read(&(1, 2)), Compared::Other);
        assert_eq!(read(&Some(&raw const own)), Compared::Other);
        assert_eq!(read(&Some(Some(1_u8))), Compared::Other);
        assert_eq!(read(&Some(Box::new(1))), Compared::Other);
    }
}
