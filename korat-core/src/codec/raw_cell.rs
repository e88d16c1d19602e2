//! Cells of raw pointers. A pointer to a struct is the address of its place. An enum is found only where its variant
//! is stored: reading a pointer to one decides the variant as well, and gives the address of the variant's cells, which
//! is the address that a predicate gets from a `Box` or a reference, too.
//!
//! # Safety argument
//! Places of objects are made before any predicate runs and are never freed, so a pointer in a domain can be followed
//! while one runs.

use std::ops::Deref;

use super::raw::Raw;
use super::tuple_option::CachedValue;
use crate::class::alloc::pointee::{Place, Pointee};
use crate::class::plan::slot_maker::SlotMaker;
use crate::predicate::twin;
use crate::predicate::twin::{Elem, Part};
use crate::slots::object_view::{Located, ObjectView};
use crate::slots::slot::{ReadCell, Slot};

/// What a predicate sees of an object that a raw pointer may lead to.
pub trait RawTarget: ObjectView<Place: RawPlace<Self>> {}

#[diagnostic::do_not_recommend]
impl<V: ObjectView<Place: RawPlace<V>>> RawTarget for V {}

/// The place of a struct or an enum, which says how pointers to it are stored.
pub trait RawPlace<V>: Sized {
    /// The cell of a pointer.
    type Cell<R: Raw<Pointee: Pointee<Lifted = V>>>: RawCell<R>;
}

/// The place of a struct.
impl<V: ObjectView<Place = V> + ReadCell<Out = V>> RawPlace<V> for V {
    type Cell<R: Raw<Pointee: Pointee<Lifted = V>>> = Slot<R::Lifted>;
}

/// The place of an enum.
impl<V: ObjectView<Place = Slot<V>>> RawPlace<V> for Slot<V> {
    type Cell<R: Raw<Pointee: Pointee<Lifted = V>>> = ToVariant<R>;
}

/// What a predicate sees of the object that `R` points to.
type Target<R> = <<R as Raw>::Pointee as Pointee>::Lifted;

/// The cell of a raw pointer `R`.
pub(super) type CellOf<R> = <Place<<R as Raw>::Pointee> as RawPlace<Target<R>>>::Cell<R>;

/// The cell of a raw pointer `R`: its slot, and how the pointer is read.
pub trait RawCell<R: Raw>: ReadCell<Out = R::Lifted> + 'static {
    /// What the domain of the slot lists.
    type Listed: Copy + 'static;
    /// Returns the entry of the null pointer.
    #[doc(hidden)]
    fn null(null: R::Lifted) -> Self::Listed;
    /// Returns the entry of an object.
    #[doc(hidden)]
    fn object(object: twin::Box<Target<R>>) -> Self::Listed;
    /// Makes the cell.
    #[doc(hidden)]
    fn around(slot: Slot<Self::Listed>) -> Self;
    /// Returns the slot.
    #[doc(hidden)]
    fn slot(&self) -> &Slot<Self::Listed>;
    /// Returns the cell as an element of a sequence.
    #[doc(hidden)]
    fn elem(&'static self, slots: &mut SlotMaker<'_>) -> Elem<R::Lifted>;
    /// Passes the indices that the pointer depends on to `tell`. The cell must be decided.
    #[doc(hidden)]
    fn stamp(&self, tell: &mut dyn FnMut(u32));
}

impl<R: Raw<Pointee: Pointee<Lifted: Located<Place = Target<R>>>>> RawCell<R> for Slot<R::Lifted> {
    type Listed = R::Lifted;
    fn null(null: R::Lifted) -> R::Lifted {
        null
    }
    fn object(object: twin::Box<Target<R>>) -> R::Lifted {
        R::lifted(object.place())
    }
    fn around(slot: Slot<R::Lifted>) -> Self {
        slot
    }
    fn slot(&self) -> &Slot<R::Lifted> {
        self
    }
    fn elem(&'static self, _: &mut SlotMaker<'_>) -> Elem<R::Lifted> {
        Elem::field(self)
    }
    fn stamp(&self, tell: &mut dyn FnMut(u32)) {
        tell(self.index());
    }
}

/// The cell of a raw pointer `R` to an enum.
pub struct ToVariant<R: Raw> {
    slot: Slot<Option<twin::Box<Target<R>>>>,
    cached: CachedValue<R::Lifted>,
}

impl<V: ObjectView<Place = Slot<V>>, R: Raw<Pointee: Pointee<Lifted = V>>> ToVariant<R> {
    /// Returns the pointer that a predicate sees; decides the variant that it leads to.
    pub fn __korat_read(&self) -> &R::Lifted {
        let object = self.slot.__korat_read().as_ref().map(|object| std::ptr::NonNull::from(&**object));
        self.cached.value(
            |tell| self.stamp(tell),
            || match object {
                Some(object) => R::lifted(object),
                None => R::lifted_null().expect("[korat internal bug] only a null pointer leads nowhere"),
            },
        )
    }

    /// Returns the value that a field pattern is matched against.
    pub fn __korat_cell(&self) -> &R::Lifted {
        self.__korat_read()
    }
}

impl<V: ObjectView<Place = Slot<V>>, R: Raw<Pointee: Pointee<Lifted = V>>> Deref for ToVariant<R> {
    type Target = R::Lifted;
    fn deref(&self) -> &R::Lifted {
        self.__korat_read()
    }
}

impl<V: ObjectView<Place = Slot<V>>, R: Raw<Pointee: Pointee<Lifted = V>>> ReadCell for ToVariant<R> {
    type Out = R::Lifted;
    fn read_cell(&self) -> &R::Lifted {
        self.__korat_read()
    }
    fn is_decided(&self) -> bool {
        false
    }
}

impl<V: ObjectView<Place = Slot<V>>, R: Raw<Pointee: Pointee<Lifted = V>>> RawCell<R> for ToVariant<R> {
    type Listed = Option<twin::Box<V>>;
    fn null(_: R::Lifted) -> Self::Listed {
        None
    }
    fn object(object: twin::Box<V>) -> Self::Listed {
        Some(object)
    }
    fn around(slot: Slot<Self::Listed>) -> Self {
        ToVariant { slot, cached: CachedValue::new() }
    }
    fn slot(&self) -> &Slot<Self::Listed> {
        &self.slot
    }
    fn elem(&'static self, slots: &mut SlotMaker<'_>) -> Elem<R::Lifted> {
        Elem::part(slots.keep(Part::new(self)))
    }
    fn stamp(&self, tell: &mut dyn FnMut(u32)) {
        tell(self.slot.index());
        if let Some(object) = *self.slot.__korat_read() {
            // SAFETY: the domain lists pointers to objects of the heap, whose places are never freed.
            tell(unsafe { object.place().as_ref() }.index());
        }
    }
}
