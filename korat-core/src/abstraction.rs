//! The way back: the user's value becomes an assignment. Objects are numbered in the order in which a walk over the fields
//! first meets them, so two values are isomorphic exactly when their assignments are equal.

use std::any::Any;
use std::collections::hash_map::Entry;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::census::Foreign;
use crate::class::{Class, ClassTable};
use crate::clock;
use crate::codec::lookup::{self, ByText};
use crate::codec::skipped::{Lent, SkippedCell};
use crate::engine::UNASSIGNED;
use crate::engine::layout::{Layout, SlotKind};
use crate::extent::{Extent, Fresh, Lens};
use crate::ids::{AllocId, ClassId, SlotId};
use crate::pages;
use crate::plan::PlannedAlloc;
use crate::settled::Settled;
use crate::slot::{AnySlot, Slot};
use crate::twin::Settleable;

/// The value is not one of the values within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    what: String,
    /// Whether nothing is known of the value, but that there was no time to go on.
    is_time_over: bool,
}

impl OutOfBounds {
    fn new(what: impl Into<String>) -> Self {
        OutOfBounds { what: what.into(), is_time_over: false }
    }

    pub(crate) fn value(what: impl fmt::Debug) -> Self {
        Self::new(format!("{what:?} is not in the domain of its field"))
    }

    pub(crate) fn not_as_long(vector: &str, beside: &str) -> Self {
        OutOfBounds { what: format!("{vector} is not as long as {beside}, which it lies beside"), is_time_over: false }
    }

    pub(crate) fn too_many_objects(class: &str) -> Self {
        Self::new(format!("there are more objects of {class} than the bound allows"))
    }

    pub(crate) fn borrowed() -> Self {
        Self::new("a cell is borrowed mutably")
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

/// What leads to an object a second time.
#[derive(Clone, Copy)]
pub(crate) enum MetAgain {
    /// It is shared.
    ByAnyPointer,
    /// It has one owner.
    ByRawPointers,
    /// It has no address of its own: boxes of empty structs have one address, and are different objects.
    Never,
}

/// An assignment in the making.
pub struct Abstraction<'h> {
    values: Vec<u32>,
    allocs: &'h [PlannedAlloc],
    /// Per class, how many objects were met.
    met: Vec<u32>,
    /// Per class, whether its objects lead to others.
    leads: Vec<bool>,
    /// Objects by address and way of allocation, but for those that nothing leads to a second time.
    numbers: FxHashMap<(AllocId, usize), u32>,
    /// Whether raw pointers lead to boxed objects, too.
    has_raw: bool,
    /// Keeps counted objects alive until they are walked, whatever user code that compares values does meanwhile.
    held: Vec<Box<dyn Any>>,
    /// Objects met whose fields are still to be walked.
    waiting: std::collections::VecDeque<(AllocId, u32, *const ())>,
    /// Where objects lie, if somebody wants to know.
    contents: Option<Contents>,
    /// Elements that lie in their vectors, if somebody wants them to have their values already.
    settled: Option<Settled>,
    /// Skipped fields that a predicate sees as they are.
    lent: Lent,
    /// The lengths of vectors, so far.
    pub(crate) lens: Lens,
    /// Plain values, if they are gathered, and nothing is taken apart.
    foreign: Option<Foreign>,
    /// Where values stand in long lists, by the address of the list.
    texts: FxHashMap<(usize, usize), ByText>,
}

/// Where the objects of a value lie, how many there are, and how long its vectors.
#[derive(Default)]
pub(crate) struct Contents {
    /// Per way of allocation, and per number among the objects of its class; null where an object is allocated otherwise. Of those that
    /// lie in their holders nothing is noted.
    at: Vec<Vec<*mut ()>>,
    /// Per class.
    pub(crate) counts: Vec<u32>,
    lens: Lens,
}

/// A value that was taken apart, to be repaired.
pub(crate) struct TakenApart {
    /// The assignment.
    pub(crate) values: Vec<u32>,
    pub(crate) contents: Contents,
    /// Until this is dropped, a predicate sees skipped fields as they are in the value.
    pub(crate) lent: Lent,
}

impl Contents {
    /// How large bounds made of the value are, with room for `fresh` objects of each class.
    pub(crate) fn extent(&self, fresh: Fresh) -> Extent {
        Extent::of(&self.counts, &self.lens, fresh)
    }

    /// Where an object lies that is allocated one way, and not in its holder.
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
    /// Starts with the root met, which is the first object of its class.
    pub(crate) fn new(layout: &Layout, root_class: ClassId, allocs: &'h [PlannedAlloc]) -> Self {
        Self::in_table(Vec::new(), layout, root_class, allocs)
    }

    /// The same; if a table has the right size, the indices are written into that.
    pub(crate) fn in_table(table: Vec<u32>, layout: &Layout, root_class: ClassId, allocs: &'h [PlannedAlloc]) -> Self {
        let (slots, classes, has_raw) = (layout.slots.len(), layout.classes.len(), layout.has_raw);
        let mut met = vec![0; classes];
        met[root_class.index()] = 1;
        let mut leads = vec![false; classes];
        for field in &layout.fields {
            leads[field.class.index()] |= matches!(field.kind, SlotKind::Reference(_));
        }
        Abstraction {
            values: pages::filled_again(table, UNASSIGNED, slots),
            allocs,
            met,
            leads,
            numbers: FxHashMap::default(),
            has_raw,
            held: Vec::new(),
            waiting: Default::default(),
            contents: None,
            settled: None,
            lent: Lent::default(),
            lens: Lens::default(),
            foreign: None,
            texts: FxHashMap::default(),
        }
    }

    /// The position of a value in the list of its field.
    pub(crate) fn position<T: fmt::Debug + PartialEq + 'static>(
        &mut self,
        values: &'static [T],
        value: &T,
    ) -> Option<usize> {
        if let Some(guessed) = lookup::guessed(values, value) {
            return Some(guessed);
        }
        if values.len() <= ByText::SHORT {
            return lookup::position(values, value);
        }
        let texts =
            self.texts.entry((values.as_ptr().addr(), values.len())).or_insert_with(|| ByText::of(values, || {}));
        texts.position(values, value).or_else(|| lookup::position(values, value))
    }

    /// Takes one step, an element or an entry; an error if there is no time for the next.
    #[inline]
    pub(crate) fn step(&self) -> Result<(), OutOfBounds> {
        if clock::is_over_after(1) {
            return Err(OutOfBounds { what: "the time was over".to_string(), is_time_over: true });
        }
        Ok(())
    }

    /// Notes where the objects lie, and gives elements that lie in their vectors their values, if they are not `settled` already.
    pub(crate) fn note_objects(&mut self, mut settled: Settled) {
        settled.begin();
        (self.contents, self.settled) = (Some(Contents::default()), Some(settled));
    }

    /// Only gathers what there is: the first object of each class stands for all.
    pub(crate) fn gather(&mut self) {
        self.foreign = Some(Foreign::default());
    }

    /// Whether nothing is taken apart.
    #[inline]
    pub(crate) fn gathers(&self) -> bool {
        self.foreign.is_some()
    }

    /// What is gathered, if nothing is taken apart.
    pub(crate) fn gathered(&mut self) -> Option<&mut Foreign> {
        self.foreign.as_mut()
    }

    /// A slot of the value has this index. It is prepared for it, if the value is taken apart for a repair: every slot that the value has is
    /// prepared or settled.
    #[inline]
    pub(crate) fn set_slot<T>(&mut self, slot: &Slot<T>, index: u32) {
        self.set(slot.id(), index);
        if self.settled.is_some() {
            // Only then: what is merely gathered has indices that its domain has not.
            self.prepare(slot, index, &slot.__korat_domain()[index as usize]);
        }
    }

    /// The same where it is known that the value at the index is this one, as a number.
    #[inline]
    pub(crate) fn set_slot_to<T>(&mut self, slot: &Slot<T>, index: u32, value: &T) {
        self.set(slot.id(), index);
        if self.settled.is_some() {
            self.prepare(slot, index, value);
        }
    }

    /// The index of a slot that was walked.
    pub(crate) fn index(&self, slot: SlotId) -> u32 {
        self.values[slot.index()]
    }

    #[inline(always)]
    fn set(&mut self, slot: SlotId, index: u32) {
        self.values[slot.index()] = index;
    }

    #[inline(always)]
    fn prepare<T>(&self, slot: &Slot<T>, index: u32, value: &T) {
        // SAFETY: the value is that of the index. Nothing is taken apart while a predicate runs, and no slot has a choice then.
        unsafe { slot.prepare(index, value) };
    }

    /// A predicate sees a skipped field as it is from now on, if the value is taken apart for a repair.
    pub(crate) fn lend<T>(&mut self, field: &T, cell: &SkippedCell<T>) {
        if self.settled.is_some() {
            // SAFETY: cells are made for a heap. The value is borrowed until its repair is over, which runs the predicate only before
            // anything is written, and then drops what was lent, before it leaves the heap to others.
            unsafe { self.lent.lend(field, cell) };
        }
    }

    /// A slot of the value has this index, and gets no other one in what is made of the value. `elem` gives the element that lies beside the
    /// object of that index, if it is the one of the slot.
    pub(crate) fn settle(&mut self, slot: &dyn AnySlot, index: u32, elem: impl FnOnce() -> Option<Settleable>) {
        self.set(slot.id(), index);
        let Some(settled) = &mut self.settled else { return };
        // SAFETY: the objects of the heap are there before a value is taken apart on it, and nothing is while a predicate runs, nor does
        // `Settled` end or go then.
        unsafe { settled.settle(slot.eraser(), index, elem) };
    }

    /// The number of the object at `content` among the objects of its class `C`; its fields are walked later, if they may lead to other
    /// objects. `hold` gives something that keeps a counted object alive until then; it is asked once for each.
    pub(crate) fn meet<C: Class>(
        &mut self,
        alloc: AllocId,
        class: &ClassTable<C>,
        content: *const (),
        met_again: MetAgain,
        hold: impl FnOnce() -> Option<Box<dyn Any>>,
    ) -> Result<u32, OutOfBounds> {
        let next = &mut self.met[class.id.index()];
        let number = *next;
        let has_room = (number as usize) < class.count() || (self.foreign.is_some() && class.count() > 0);
        let is_remembered = match met_again {
            MetAgain::ByAnyPointer => true,
            // An object in a box is met by the box and by raw pointers to it.
            MetAgain::ByRawPointers => self.has_raw,
            MetAgain::Never => false,
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
        // One that leads to no others need not wait for its turn: nothing is numbered by it.
        if self.leads[class.id.index()] {
            self.waiting.push_back((alloc, number, content));
        } else {
            self.walk_object(alloc, number, content)?;
        }
        Ok(number)
    }

    /// Walks the fields of every object met, and gives what `note_objects` has asked for, too.
    pub(crate) fn finish_with_objects(mut self) -> Result<(TakenApart, Settled), OutOfBounds> {
        self.walk()?;
        let mut settled = self.settled.unwrap_or_default();
        settled.end();
        let contents = self.contents.unwrap_or_default();
        let contents = Contents { counts: self.met, lens: self.lens, ..contents };
        Ok((TakenApart { values: self.values, contents, lent: self.lent }, settled))
    }

    /// Walks the fields of every object met, and gives what was gathered, how long vectors are, and how many objects of each class there are.
    pub(crate) fn finish_gathering(mut self) -> Result<(Foreign, Lens, Vec<u32>), OutOfBounds> {
        self.walk()?;
        Ok((self.foreign.unwrap_or_default(), self.lens, self.met))
    }

    /// Walks the fields of every object met.
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

    /// Walks the fields of an object that was met.
    #[inline]
    fn walk_object(&mut self, alloc: AllocId, number: u32, content: *const ()) -> Result<(), OutOfBounds> {
        self.step()?;
        let table = self.allocs[alloc.index()].table;
        let ordinal = if self.foreign.is_some() { 0 } else { number as usize };
        // SAFETY: `content` was met through a pointer of this way of allocation: a counted object, which `held` keeps
        // alive; or a boxed one inside the value that the caller holds by reference until this is done; or the target of
        // a raw pointer of that value, which is null or points to an object.
        unsafe { table.abstract_at(ordinal, content, self)? };
        if let Some(contents) = &mut self.contents
            && !table.is_part()
        {
            contents.add(alloc, number, content.cast_mut());
        }
        Ok(())
    }
}
