//! Converts one side of a comparison, of any type, to what a repair can use. A table of readers, keyed by type
//! identity, has one for each type that represents an integer and, once a class is planned, one for each type of
//! pointer to its objects.
//!
//! Types are not known where comparisons are rewritten, and a trait bound could influence a type that is inferred
//! later. So the type is identified at run time.
//!
//! # Safety argument
//! A reader is registered under the identity of the type that it reads. It is called with the address of a value of
//! that type, up to lifetimes, while the value is borrowed, and keeps nothing. References and options of references to
//! sized types, `NonNull` and what is transparent over it are laid out as raw pointers, and `None` as null.

use std::any::TypeId;
use std::cell::RefCell;
use std::num::NonZero;
use std::ptr;
use std::ptr::NonNull;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Operand;
use crate::predicate::twin;

/// Reads what a repair can use of a value.
pub(super) fn read<T: ?Sized>(value: &T) -> Operand {
    if size_of::<&T>() != size_of::<*const ()>() {
        // A slice, a string or a trait object.
        return Operand::Other;
    }
    // SAFETY: there is a value of this type at the address while it is borrowed.
    unsafe { read_at(ptr::from_ref(value).cast(), typeid::of::<T>()) }
}

/// Reads the value at an address.
///
/// # Safety
/// There must be a value of the type with this identity, up to its lifetimes.
unsafe fn read_at(mut at: *const (), id: TypeId) -> Operand {
    let reader = READERS.get(&id).copied().or_else(|| POINTERS.with_borrow(|pointers| pointers.get(&id).copied()));
    let Some(reader) = reader else { return Operand::Other };
    for _ in 0..reader.references {
        // SAFETY: the type is a reference or an optional one, which is null where there is none.
        at = unsafe { at.cast::<*const ()>().read() };
        if at.is_null() {
            return Operand::Nothing;
        }
    }
    // SAFETY: the function is for the type behind that many references.
    unsafe { (reader.read)(at) }
}

/// Reads a value of one type.
#[derive(Clone, Copy)]
struct Reader {
    /// How many references, the outermost perhaps optional, lead to what `read` reads.
    references: u8,
    read: unsafe fn(*const ()) -> Operand,
}

/// The readers of all types that represent an integer.
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

/// A value that represents an integer, or none.
trait Integral: 'static {
    fn compared(&self) -> Operand;

    /// Registers readers for the type itself, and for the references and options of it that comparisons use.
    fn add_all(readers: &mut FxHashMap<TypeId, Reader>)
    where
        Self: Sized,
    {
        /// Reads a `T`.
        unsafe fn read<T: Integral>(at: *const ()) -> Operand {
            // SAFETY: the caller has a value of this type there.
            unsafe { &*at.cast::<T>() }.compared()
        }
        readers.extend([
            (TypeId::of::<Self>(), Reader { references: 0, read: read::<Self> }),
            (TypeId::of::<&'static Self>(), Reader { references: 1, read: read::<Self> }),
            (TypeId::of::<&'static &'static Self>(), Reader { references: 2, read: read::<Self> }),
            (TypeId::of::<Option<Self>>(), Reader { references: 0, read: read::<Option<Self>> }),
            (TypeId::of::<Option<&'static Self>>(), Reader { references: 1, read: read::<Self> }),
            (TypeId::of::<&'static Option<Self>>(), Reader { references: 1, read: read::<Option<Self>> }),
        ]);
    }
}

macro_rules! integral {
    ($($ty:ty)*) => {$(
        impl Integral for $ty {
            fn compared(&self) -> Operand {
                // Values of `u128` that exceed `i128` are useless as suggestions.
                i128::try_from(*self).map_or(Operand::Other, Operand::Integer)
            }
        }

        impl Integral for NonZero<$ty> {
            fn compared(&self) -> Operand {
                self.get().compared()
            }
        }
    )*};
}

integral!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Integral for bool {
    fn compared(&self) -> Operand {
        Operand::Integer(i128::from(*self))
    }
}

impl Integral for char {
    fn compared(&self) -> Operand {
        Operand::Integer(i128::from(u32::from(*self)))
    }
}

impl<T: Integral> Integral for Option<T> {
    fn compared(&self) -> Operand {
        self.as_ref().map_or(Operand::Nothing, T::compared)
    }
}

thread_local! {
    /// The readers of pointers to objects of the classes that were planned on this thread.
    static POINTERS: RefCell<FxHashMap<TypeId, Reader>> = RefCell::new(FxHashMap::default());
}

/// Registers the pointers to objects that a predicate sees as `V`, and the references to and options of them.
pub(crate) fn note_pointers<V: 'static>() {
    enter(
        [
            TypeId::of::<&'static V>(),
            TypeId::of::<&'static mut V>(),
            TypeId::of::<*const V>(),
            TypeId::of::<*mut V>(),
            TypeId::of::<NonNull<V>>(),
            TypeId::of::<Option<&'static V>>(),
            TypeId::of::<Option<NonNull<V>>>(),
            TypeId::of::<twin::Box<V>>(),
            TypeId::of::<Option<twin::Box<V>>>(),
            TypeId::of::<twin::Rc<V>>(),
            TypeId::of::<Option<twin::Rc<V>>>(),
        ],
        [
            TypeId::of::<&'static &'static V>(),
            TypeId::of::<&'static Option<&'static V>>(),
            TypeId::of::<&'static twin::Box<V>>(),
            TypeId::of::<&'static Option<twin::Box<V>>>(),
            TypeId::of::<&'static twin::Rc<V>>(),
            TypeId::of::<&'static Option<twin::Rc<V>>>(),
        ],
    );
}

/// Registers types that are a pointer, null or `None` included, and types that are a reference to one. All of them are
/// laid out as a `*const ()`; the twins are `repr(transparent)` for that.
fn enter(pointers: [TypeId; 11], references: [TypeId; 6]) {
    /// Reads a pointer.
    unsafe fn read(at: *const ()) -> Operand {
        // SAFETY: the caller has a pointer there.
        let to = unsafe { at.cast::<*const ()>().read() };
        if to.is_null() { Operand::Nothing } else { Operand::Address(to.addr()) }
    }
    POINTERS.with_borrow_mut(|entered| {
        entered.extend(pointers.map(|id| (id, Reader { references: 0, read })));
        entered.extend(references.map(|id| (id, Reader { references: 1, read })));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A type that counts as a class once `note_pointers` registers it.
    struct Own(#[allow(dead_code)] usize);

    fn address<T>(value: &T) -> Operand {
        Operand::Address(ptr::from_ref(value).addr())
    }

    #[test]
    fn integers_of_all_kinds_and_what_leads_to_them() {
        assert_eq!(read(&255_u8), Operand::Integer(255));
        assert_eq!(read(&-1_i64), Operand::Integer(-1));
        assert_eq!(read(&i128::MIN), Operand::Integer(i128::MIN));
        assert_eq!(read(&u128::MAX), Operand::Other);
        assert_eq!(read(&true), Operand::Integer(1));
        assert_eq!(read(&'a'), Operand::Integer(97));
        assert_eq!(read(&NonZero::new(7_u32)), Operand::Integer(7));
        let local = 5_usize;
        assert_eq!(read(&&local), Operand::Integer(5));
        assert_eq!(read(&Some(&local)), Operand::Integer(5));
        assert_eq!(read(&&Some(local)), Operand::Integer(5));
        assert_eq!(read(&None::<usize>), Operand::Nothing);
        assert_eq!(read(&None::<&i8>), Operand::Nothing);
    }

    #[test]
    fn pointers_are_where_they_lead() {
        let own = Own(1);
        assert_eq!(read(&&own), Operand::Other, "no class");
        note_pointers::<Own>();
        assert_eq!(read(&&own), address(&own));
        assert_eq!(read(&&raw const own), address(&own));
        assert_eq!(read(&NonNull::from_ref(&own)), address(&own));
        assert_eq!(read(&Some(NonNull::from_ref(&own))), address(&own));
        assert_eq!(read(&Some(&own)), address(&own));
        assert_eq!(read(&None::<&Own>), Operand::Nothing);
        assert_eq!(read(&ptr::null::<Own>()), Operand::Nothing);
        assert_eq!(read(&ptr::null_mut::<Own>()), Operand::Nothing);
    }

    #[test]
    fn twins_lead_to_their_place() {
        note_pointers::<Own>();
        assert_eq!(read(&None::<twin::Box<Own>>), Operand::Nothing);
        assert_eq!(read(&&None::<twin::Rc<Own>>), Operand::Nothing);
    }

    #[test]
    fn anything_else_is_other() {
        let own = Own(1);
        assert_eq!(read(&own), Operand::Other);
        assert_eq!(read(&[1_usize]), Operand::Other);
        assert_eq!(read(&[1_usize][..]), Operand::Other);
        assert_eq!(read("text"), Operand::Other);
        assert_eq!(read(&"text"), Operand::Other);
        assert_eq!(read(&1.5_f64), Operand::Other);
        assert_eq!(read(&(1, 2)), Operand::Other);
        assert_eq!(read(&Some(&raw const own)), Operand::Other);
        assert_eq!(read(&Some(Some(1_u8))), Operand::Other);
        assert_eq!(read(&Some(Box::new(1))), Operand::Other);
    }
}
