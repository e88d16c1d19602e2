//! The table of all objects of one class.
//!
//! # Safety argument
//! The views of a class lie in raw storage that its table owns (`RawArray`), at addresses that are known before the views
//! exist. A view is written once, before `made` counts it, and referenced only afterwards. It changes only through
//! cells and is dropped once, with the table. A vector may use the same places as its elements: the tag and the pointer
//! written for that lie beside the view.

use std::any::TypeId;
use std::cell::{Cell, OnceCell};
use std::ptr;

use super::plan::planner::Planner;
use super::plan::slot_maker::SlotMaker;
use super::rewrite::Rewrite;
use crate::__private::{Class, View};
use crate::class::class_plan::{ClassPlan, ObjectPlace as _};
use crate::memory::pages::RawArray;
use crate::memory::prefetch::PrefetchRow;
use crate::model::ids::{ClassId, ObjectId};
use crate::predicate::twin::{Elem, ErasedElem, Part};
use crate::slots::slot::{AnySlot, ReadCell};

/// Storage for one view. It holds no view until `make_views` writes it, and is an element only if a vector uses it.
type ViewPlace<C> = Elem<View<C>>;

/// The table of all objects of one class.
pub struct ClassTable<C: Class> {
    pub(crate) id: ClassId,
    /// The class's first object, valid once the objects are numbered.
    first: Cell<ObjectId>,
    plan: OnceCell<ClassPlan<C>>,
    /// Filled by `make_views`. The addresses are known earlier, because references between objects need them. Each view
    /// is stored where it can double as an element of a vector.
    views: RawArray<ViewPlace<C>>,
    /// The number of initialized `views`.
    made: Cell<usize>,
    /// The address of the first cell of the vector whose elements are stored beside the objects, and its number of
    /// cells; null and zero if there is no such vector.
    vector_cells: Cell<(*const (), usize)>,
}

impl<C: Class> ClassTable<C> {
    pub(crate) fn new(id: ClassId, count: usize) -> Self {
        let (first, made, vector_cells) = (Cell::new(ObjectId(0)), Cell::new(0), Cell::new((ptr::null(), 0)));
        ClassTable { id, first, plan: OnceCell::new(), views: RawArray::new(count), made, vector_cells }
    }

    pub(crate) fn count(&self) -> usize {
        self.views.len()
    }

    pub(crate) fn plan(&self) -> &ClassPlan<C> {
        self.plan.get().expect("[korat internal bug] a class is used before it was planned")
    }

    /// Returns the address of the view of the `ordinal`-th object, whether or not it exists yet.
    pub(crate) fn address(&self, ordinal: usize) -> *const View<C> {
        Elem::object(self.place(ordinal))
    }

    /// Returns the storage of a view.
    fn place(&self, ordinal: usize) -> *mut ViewPlace<C> {
        self.views.at(ordinal)
    }

    /// Makes the elements of a vector with these cells, stored beside the objects. Returns `None` if another vector
    /// uses them, if there are no cells or more than objects, or if the types differ.
    pub(crate) fn elems_with_objects<E: ReadCell<Out: Sized>>(
        &self,
        cells: &'static [E],
        slots: &mut SlotMaker<'_>,
    ) -> Option<*const [Elem<E::Out>]> {
        let is_place = TypeId::of::<E::Out>() == TypeId::of::<View<C>>();
        if !is_place || cells.is_empty() || cells.len() > self.count() || self.vector_cells.get().1 > 0 {
            return None;
        }
        self.vector_cells.set((cells.as_ptr().cast(), cells.len()));
        let places = self.views.first().cast::<Elem<E::Out>>();
        for (number, cell) in cells.iter().enumerate() {
            // SAFETY: the types are equal, which was checked above, and there are at least as many places as cells.
            unsafe { Elem::become_element(places.add(number), slots.keep(Part::new(cell))) };
        }
        Some(ptr::slice_from_raw_parts(places, cells.len()))
    }

    /// Returns the element of a cell if it is stored beside the object with this number.
    pub(crate) fn element_with_object<E>(&self, cell: &E, ordinal: u32) -> Option<ErasedElem> {
        let (first, count) = self.vector_cells.get();
        let number = ordinal as usize;
        let has_object = number < count && ptr::eq(first.cast::<E>().wrapping_add(number), cell);
        // SAFETY: the place is one of those that became elements.
        has_object.then(|| unsafe { ErasedElem::new(self.place(number)) })
    }

    /// Writes changed slots back into an object that is stored by value in its holder.
    pub(crate) fn rewrite_part(&self, value: &mut C, ordinal: u32, to: &mut Rewrite<'_>) {
        if to.touches(ObjectId(self.first.get().0 + ordinal)) {
            self.plan().rewrite(value, self.view(ordinal as usize), to);
        }
    }

    pub(crate) fn view(&self, ordinal: usize) -> &View<C> {
        assert!(ordinal < self.made.get(), "[korat internal bug] a view is used before it was made");
        // SAFETY: views below `made` are initialized, and never written again.
        unsafe { &*self.address(ordinal) }
    }
}

impl<C: Class> Drop for ClassTable<C> {
    fn drop(&mut self) {
        for ordinal in 0..self.made.get() {
            // SAFETY: views below `made` are initialized, and each is dropped once, here.
            unsafe { self.address(ordinal).cast_mut().drop_in_place() };
        }
    }
}

/// A type-erased class table.
pub(crate) trait AnyClass {
    fn make_plan(&self, planner: &mut Planner<'_>);
    /// Makes the views. Returns the row of the views and the row of the data that the heap keeps for each.
    fn make_views(&self, slots: &mut SlotMaker<'_>) -> [PrefetchRow; 2];
    fn visit(&self, ordinal: usize, visit: &mut dyn FnMut(&dyn AnySlot));
    /// Returns the number of the object whose view lies at an address.
    fn ordinal_at(&self, address: usize) -> Option<usize>;
    /// Returns the place of the first object, and the number of bytes from one place to the next.
    fn places(&self) -> (*const (), usize);
    /// Returns the first alternative of an object, the size of one, and their number.
    fn alternatives(&self, ordinal: usize) -> (*const (), usize, usize);
}

impl<C: Class> AnyClass for ClassTable<C> {
    fn make_plan(&self, planner: &mut Planner<'_>) {
        let plan = ClassPlan::new(planner);
        assert!(self.plan.set(plan).is_ok(), "[korat internal bug] a class was planned twice");
    }

    fn make_views(&self, slots: &mut SlotMaker<'_>) -> [PrefetchRow; 2] {
        let plan = self.plan();
        let (first, count) = slots.objects_of(self.id);
        self.first.set(first);
        let (mut before, mut kept) = (0, PrefetchRow::NONE);
        for ordinal in 0..count {
            match ordinal {
                1 => before = slots.bytes_kept(),
                // Every object of a class has equally many slots and needs equally much memory, except that the first
                // also allocates what all of them share. So the second one is measured.
                2 => {
                    let bytes = slots.bytes_kept() - before;
                    kept = slots.expect_like_the_last(count - 2, bytes).numbered_from(2);
                }
                _ => {}
            }
            slots.begin_object(self.id);
            let view = plan.view(slots);
            // SAFETY: the place is within the table, and nothing reads a view before `made` counts it.
            unsafe { self.address(ordinal).cast_mut().write(view) };
            self.made.set(ordinal + 1);
        }
        [PrefetchRow::of(self.views.all()), kept]
    }

    fn visit(&self, ordinal: usize, visit: &mut dyn FnMut(&dyn AnySlot)) {
        ClassPlan::<C>::visit(self.view(ordinal), visit);
    }

    fn places(&self) -> (*const (), usize) {
        let first = if self.count() == 0 { ptr::null() } else { self.address(0) };
        (first.cast(), size_of::<ViewPlace<C>>())
    }

    fn alternatives(&self, ordinal: usize) -> (*const (), usize, usize) {
        let alternatives = self.view(ordinal).alternatives();
        (alternatives.as_ptr().cast(), size_of::<C::Lifted>(), alternatives.len())
    }

    fn ordinal_at(&self, address: usize) -> Option<usize> {
        let ordinal = address.checked_sub(self.views.first().addr())? / size_of::<ViewPlace<C>>();
        (ordinal < self.count() && self.address(ordinal).addr() == address).then_some(ordinal)
    }
}
