//! Abstraction: turns the user's value into an assignment. Objects are numbered in the order in which a walk over the
//! fields first reaches them, so two values are isomorphic exactly when their assignments are equal.

use std::any::Any;
use std::collections::hash_map::Entry;
use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds_size::{BoundsSize, FreshObjects, VectorLengths};
use super::census::PlainValues;
use super::fixed_slots::FixedSlots;
use super::plan::planner::PlannedAlloc;
use super::table::ClassTable;
use super::traits::Class;
use crate::class::skipped_cell::{BorrowedFields, SkippedCell};
use crate::memory::pages;
use crate::model::deadline;
use crate::model::ids::{AllocId, ClassId, SlotId};
use crate::predicate::twin::ErasedElem;
use crate::slots::kinds::SlotKind;
use crate::slots::layout::Layout;
use crate::slots::lookup;
use crate::slots::lookup::DebugTextIndex;
use crate::slots::slot::{AnySlot, Slot, UNASSIGNED};

/// The error for a value that does not lie within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    what: String,
    /// Whether the walk ran out of time, so that nothing is known about the value.
    is_time_over: bool,
}

impl OutOfBounds {
    fn new(what: impl Into<String>) -> Self {
        OutOfBounds { what: what.into(), is_time_over: false }
    }

    pub(crate) fn value(what: impl fmt::Debug) -> Self {
        Self::new(format!("{what:?} is not in the domain of its field"))
    }

    pub(crate) fn not_as_long(vector: &str, parallel: &str) -> Self {
        Self::new(format!("{vector} and {parallel} differ in length, but `beside` makes them parallel"))
    }

    pub(crate) fn too_many_objects(class: &str) -> Self {
        Self::new(format!("there are more objects of {class} than the bound allows"))
    }

    pub(crate) fn borrowed() -> Self {
        Self::new("a cell is borrowed mutably")
    }

    pub(crate) fn uninit() -> Self {
        Self::new("a `MaybeUninit` does not say whether it holds a value")
    }

    fn shared() -> Self {
        Self::new("two pointers share a value that is not an object of a class")
    }

    pub(crate) fn is_time_over(&self) -> bool {
        self.is_time_over
    }
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for OutOfBounds {}

/// Which pointers can lead to an object a second time.
#[derive(Clone, Copy)]
pub(crate) enum Aliasing {
    /// Any pointer: the object is shared.
    ByAnyPointer,
    /// Raw pointers: the object has one owner.
    ByRawPointers,
    /// None: the object has no address of its own. Boxes of zero-sized structs are different objects at one address.
    Never,
}

/// An assignment under construction.
pub struct Abstraction<'h> {
    values: Vec<u32>,
    allocs: &'h [PlannedAlloc],
    /// Per class, the number of objects reached.
    met: Vec<u32>,
    /// Per class, whether its objects refer to others.
    leads: Vec<bool>,
    /// Object numbers by allocation kind and address, without objects that no pointer can lead to twice.
    numbers: FxHashMap<(AllocId, usize), u32>,
    /// Addresses of reference-counted values that only one pointer of the value may lead to.
    unshared: FxHashSet<*const ()>,
    /// Whether raw pointers may lead to boxed objects.
    has_raw: bool,
    /// Keeps reference-counted objects alive until they are walked, even if the user's `PartialEq` drops pointers
    /// meanwhile.
    held: Vec<Box<dyn Any>>,
    /// Objects that were reached and whose fields are still to be walked.
    waiting: std::collections::VecDeque<(AllocId, u32, *const ())>,
    /// The addresses of the objects, if requested.
    contents: Option<Contents>,
    /// Slots of elements stored by value, if they are to be assigned right away. `Some` exactly in a repair.
    fixed_slots: Option<FixedSlots>,
    /// Skipped fields that a predicate sees with the user's own values.
    borrowed_fields: BorrowedFields,
    /// The lengths of the vectors walked so far.
    pub(crate) lens: VectorLengths,
    /// The gathered plain values, if this walk only gathers and computes no assignment.
    plain_values: Option<PlainValues>,
    /// Positions of values in long domains, by address and length of the domain.
    texts: FxHashMap<(usize, usize), DebugTextIndex>,
}

/// The addresses and the number of a value's objects, and the lengths of its vectors.
#[derive(Default)]
pub(crate) struct Contents {
    /// Addresses by allocation kind and object number within the class; null for an object of another allocation kind.
    /// Objects stored by value in their holders have no entry.
    at: Vec<Vec<*mut ()>>,
    /// The number of objects per class.
    pub(crate) counts: Vec<u32>,
    lens: VectorLengths,
}

/// A value abstracted for a repair.
pub(crate) struct AbstractedValue {
    /// The assignment.
    pub(crate) values: Vec<u32>,
    pub(crate) contents: Contents,
    /// Shows the value's own skipped fields to the predicate until it is dropped.
    pub(crate) borrowed_fields: BorrowedFields,
}

impl Contents {
    /// Returns the size of bounds derived from the value, with room for `fresh` objects of each class.
    pub(crate) fn bounds_size(&self, fresh: FreshObjects) -> BoundsSize {
        BoundsSize::of(&self.counts, &self.lens, fresh)
    }

    /// Returns the address of an object with the given allocation kind, unless it is stored by value in its holder.
    pub(crate) fn at(&self, alloc: AllocId, number: u32) -> Option<*mut ()> {
        self.at.get(alloc.index())?.get(number as usize).copied().filter(|content| !content.is_null())
    }

    fn add(&mut self, alloc: AllocId, number: u32, content: *mut ()) {
        if self.at.len() <= alloc.index() {
            self.at.resize_with(alloc.index() + 1, Vec::new);
        }
        let at = &mut self.at[alloc.index()];
        at.resize(number as usize, std::ptr::null_mut());
        at.push(content);
    }
}

impl<'h> Abstraction<'h> {
    /// Starts a walk at the root, which is the first object of its class.
    pub(crate) fn new(layout: &Layout, root_class: ClassId, allocs: &'h [PlannedAlloc]) -> Self {
        Self::in_table(Vec::new(), layout, root_class, allocs)
    }

    /// Starts a walk at the root, which is the first object of its class. Reuses `table` for the indices if it has the
    /// right size.
    pub(crate) fn in_table(table: Vec<u32>, layout: &Layout, root_class: ClassId, allocs: &'h [PlannedAlloc]) -> Self {
        let (slots, classes, has_raw) = (layout.slots.len(), layout.classes.len(), layout.has_raw);
        let mut met = vec![0; classes];
        met[root_class.index()] = 1;
        let mut leads = vec![false; classes];
        for field in &layout.fields {
            leads[field.class.index()] |= matches!(field.kind, SlotKind::Reference(_));
        }
        Abstraction {
            values: pages::refilled(table, UNASSIGNED, slots),
            allocs,
            met,
            leads,
            numbers: FxHashMap::default(),
            unshared: FxHashSet::default(),
            has_raw,
            held: Vec::new(),
            waiting: Default::default(),
            contents: None,
            fixed_slots: None,
            borrowed_fields: BorrowedFields::default(),
            lens: VectorLengths::default(),
            plain_values: None,
            texts: FxHashMap::default(),
        }
    }

    /// Returns the position of a value in the domain of its field.
    pub(crate) fn position<T: fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: &'static [T],
        value: &T,
    ) -> Option<usize> {
        if let Some(guessed) = lookup::guessed(values, value) {
            return Some(guessed);
        }
        if values.len() <= DebugTextIndex::SHORT {
            return lookup::position(values, value);
        }
        let texts = self
            .texts
            .entry((values.as_ptr().addr(), values.len()))
            .or_insert_with(|| DebugTextIndex::of(values, || {}));
        texts.position(values, value).or_else(|| lookup::position(values, value))
    }

    /// Counts one step of the walk, an element or an entry. Fails if the time is over.
    #[inline]
    pub(crate) fn step(&self) -> Result<(), OutOfBounds> {
        if deadline::has_passed_after(1) {
            return Err(OutOfBounds { what: "the time was over".to_string(), is_time_over: true });
        }
        Ok(())
    }

    /// Records the addresses of objects, and assigns the slots of elements stored by value unless `fixed_slots` already has
    /// them.
    pub(crate) fn note_objects(&mut self, mut fixed_slots: FixedSlots) {
        fixed_slots.begin();
        (self.contents, self.fixed_slots) = (Some(Contents::default()), Some(fixed_slots));
    }

    /// Makes this walk only gather values. The first object of each class stands for all of them.
    pub(crate) fn gather(&mut self) {
        self.plain_values = Some(PlainValues::default());
    }

    /// Returns whether this walk only gathers values.
    #[inline]
    pub(crate) fn gathers(&self) -> bool {
        self.plain_values.is_some()
    }

    /// Returns the gathered values if this walk only gathers.
    pub(crate) fn gathered(&mut self) -> Option<&mut PlainValues> {
        self.plain_values.as_mut()
    }

    /// Sets the index of a slot. In a repair it also prepares the slot for that index; every slot that the value has is
    /// either prepared or fixed.
    #[inline]
    pub(crate) fn set_slot<T>(&mut self, slot: &Slot<T>, index: u32) {
        self.set(slot.id(), index);
        if self.fixed_slots.is_some() {
            // Only in a repair: while values are gathered, an index may lie outside its domain.
            self.prepare(slot, index, &slot.__korat_domain()[index as usize]);
        }
    }

    /// Sets the index of a slot, where the caller knows that the domain has the integer `value` at that index. In a
    /// repair it also prepares the slot.
    #[inline]
    pub(crate) fn set_slot_to<T>(&mut self, slot: &Slot<T>, index: u32, value: &T) {
        self.set(slot.id(), index);
        if self.fixed_slots.is_some() {
            self.prepare(slot, index, value);
        }
    }

    /// Returns the index of a slot that was walked.
    pub(crate) fn index(&self, slot: SlotId) -> u32 {
        self.values[slot.index()]
    }

    #[inline(always)]
    fn set(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = index;
    }

    #[inline(always)]
    fn prepare<T>(&self, slot: &Slot<T>, index: u32, value: &T) {
        // SAFETY: the value is the one at the index. No value is abstracted while a predicate runs, and no slot has a
        // choice then.
        unsafe { slot.prepare(index, value) };
    }

    /// Shows a skipped field with the user's own value from now on, in a repair.
    pub(crate) fn borrow_field<T>(&mut self, field: &T, cell: &SkippedCell<T>) {
        if self.fixed_slots.is_some() {
            // SAFETY: cells belong to a heap. The value stays borrowed until its repair is over. The repair runs the
            // predicate only before it writes anything, and then drops `borrowed_fields`, before it releases the heap to others.
            unsafe { self.borrowed_fields.borrow_field(field, cell) };
        }
    }

    /// Sets the index of a slot that no repair changes. `elem` returns the slot's element if it is stored beside the
    /// object of that index.
    pub(crate) fn fix_slot(&mut self, slot: &dyn AnySlot, index: u32, elem: impl FnOnce() -> Option<ErasedElem>) {
        self.set(slot.id(), index);
        let Some(fixed_slots) = &mut self.fixed_slots else { return };
        // SAFETY: the objects of the heap exist before a value is abstracted on it. No value is abstracted while a
        // predicate runs, and `FixedSlots` is neither ended nor dropped then.
        unsafe { fixed_slots.fix(slot.slot_handle(), index, elem) };
    }

    /// Returns the number of the object at `content` among the objects of its class `C`. If the object may refer to
    /// others, its fields are walked later. `hold` returns a handle that keeps a reference-counted object alive until
    /// then; it is called once per object.
    pub(crate) fn object_number<C: Class>(
        &mut self,
        alloc: AllocId,
        class: &ClassTable<C>,
        content: *const (),
        aliasing: Aliasing,
        hold: impl FnOnce() -> Option<Box<dyn Any>>,
    ) -> Result<u32, OutOfBounds> {
        let next = &mut self.met[class.id.index()];
        let number = *next;
        let has_room = (number as usize) < class.count() || (self.plain_values.is_some() && class.count() > 0);
        let is_remembered = match aliasing {
            Aliasing::ByAnyPointer => true,
            // A boxed object is reached through its box and through raw pointers to it.
            Aliasing::ByRawPointers => self.has_raw,
            Aliasing::Never => false,
        };
        if is_remembered {
            match self.numbers.entry((alloc, content.addr())) {
                Entry::Occupied(known) => return Ok(*known.get()),
                Entry::Vacant(place) if has_room => {
                    place.insert(number);
                }
                Entry::Vacant(_) => {}
            }
        }
        if !has_room {
            return Err(OutOfBounds::too_many_objects(C::NAME));
        }
        *next += 1;
        self.held.extend(hold());
        // An object that refers to no others cannot affect the numbering, so it is walked at once.
        if self.leads[class.id.index()] {
            self.waiting.push_back((alloc, number, content));
        } else {
            self.walk_object(alloc, number, content)?;
        }
        Ok(number)
    }

    /// Records that a pointer leads to a value that is not an object. Fails if another one did: such values are never shared.
    pub(crate) fn note_unshared(&mut self, value: *const ()) -> Result<(), OutOfBounds> {
        if self.unshared.insert(value) { Ok(()) } else { Err(OutOfBounds::shared()) }
    }

    /// Walks the fields of every object reached. Returns the assignment and what `note_objects` requested.
    pub(crate) fn finish_with_objects(mut self) -> Result<(AbstractedValue, FixedSlots), OutOfBounds> {
        self.walk()?;
        let mut fixed_slots = self.fixed_slots.unwrap_or_default();
        fixed_slots.end();
        let contents = self.contents.unwrap_or_default();
        let contents = Contents { counts: self.met, lens: self.lens, ..contents };
        Ok((AbstractedValue { values: self.values, contents, borrowed_fields: self.borrowed_fields }, fixed_slots))
    }

    /// Walks the fields of every object reached. Returns the gathered values, the lengths of vectors, and the number of
    /// objects per class.
    pub(crate) fn finish_gathering(mut self) -> Result<(PlainValues, VectorLengths, Vec<u32>), OutOfBounds> {
        self.walk()?;
        Ok((self.plain_values.unwrap_or_default(), self.lens, self.met))
    }

    /// Walks the fields of every object reached. Returns the assignment.
    pub(crate) fn finish(mut self) -> Result<Vec<u32>, OutOfBounds> {
        self.walk()?;
        Ok(self.values)
    }

    fn walk(&mut self) -> Result<(), OutOfBounds> {
        while let Some((alloc, number, content)) = self.waiting.pop_front() {
            self.walk_object(alloc, number, content)?;
        }
        Ok(())
    }

    /// Walks the fields of an object that was reached.
    #[inline]
    fn walk_object(&mut self, alloc: AllocId, number: u32, content: *const ()) -> Result<(), OutOfBounds> {
        self.step()?;
        let table = self.allocs[alloc.index()].table;
        let ordinal = if self.plain_values.is_some() { 0 } else { number as usize };
        // SAFETY: `content` was reached through a pointer of this allocation kind. It is a reference-counted object,
        // which `held` keeps alive; or a boxed one inside the value that the caller borrows until the walk is done; or
        // the target of a raw pointer of that value, which is null or points to an object.
        unsafe { table.abstract_at(ordinal, content, self)? };
        if let Some(contents) = &mut self.contents
            && !table.is_part()
        {
            contents.add(alloc, number, content.cast_mut());
        }
        Ok(())
    }
}
