//! The stack of choices. Takes reads of unassigned slots, gives each an index; after a run, moves the last choice to its
//! next index. Slots get values through two doors: `write`, and `advance_in_run`, the short way for what happens most.

use super::isomorphism::{Links, Misfit, targets};
use super::layout::{Layout, Reference, SlotKind};
use super::rules::{Rules, Span, group_class};
use super::symmetry::Symmetry;
use std::ptr;

use crate::Pruning;
use crate::ambient::{Limits, Stop};
use crate::ids::{AllocId, HeapId, ObjectId, SlotId};
use crate::slot::Eraser;

/// The index of a slot that nothing has read.
pub(crate) const UNASSIGNED: u32 = u32::MAX;

/// What a search did; part of korat's contract with its users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Candidates: verdicts of the predicate, whether it was run from the top or from a statement on.
    pub explored: u64,
    /// Values generated: candidates that the predicate accepted, times the combinations of the fields it never read.
    pub valid: u64,
    /// Slot initialisations. Re-executing, every candidate initialises all the slots it has assigned; with checkpoints, only
    /// those that it decides anew.
    pub field_inits: u64,
    /// Entries of the undo log taken back; none when re-executing.
    pub undo_ops: u64,
}

/// One decision: which slot, which index, and which come after it.
struct Choice {
    /// Makes the slot unassigned again.
    eraser: Eraser,
    slot: SlotId,
    index: u32,
    /// Where the value of the index is in the domain.
    value: *const u8,
    /// The indices that this choice goes through.
    span: Span,
}

/// The state of one search.
pub(crate) struct Engine {
    pub(crate) layout: Layout,
    /// Per slot, what it may hold.
    rules: Rules,
    /// Per slot, the index it holds.
    values: Vec<u32>,
    /// Reachability and ownership under the current assignment.
    pub(crate) links: Links,
    /// Which elements without an order are touched, and which values were given.
    symmetry: Symmetry,
    /// Filtered slots that hold a name that none had before them.
    fresh_names: Vec<SlotId>,
    /// Choices in the order they were made.
    stack: Vec<Choice>,
    /// The last of them; null if there is none.
    top: *mut Choice,
    /// Whether the values of unread fields are being chosen, after the predicate has accepted.
    completing: bool,
    pub(crate) counters: Counters,
    limits: Limits,
    /// The heap whose slots it chooses for.
    heap: HeapId,
    /// The indices of the first choices, which do not move on.
    prefix: Vec<u32>,
    /// How many choices the predicate has made, however often each moved on.
    made: u64,
    /// Whether the machine may go from one candidate to the next by itself: nobody looks, and nothing has gone wrong.
    quick: bool,
    /// The last choice if it may; null otherwise.
    quick_top: *mut Choice,
    /// Whether the machine has gone over the last candidate.
    pub(crate) exhausted: bool,
    /// Why the current run was to end, if it was; still here afterwards if the predicate has caught it.
    stop: Option<Stop>,
}

impl Engine {
    pub(crate) fn new(heap: HeapId, layout: Layout, root: ObjectId, pruning: Pruning, limits: Limits) -> Self {
        let values = vec![UNASSIGNED; layout.slots.len()];
        let links = Links::new(&layout, root);
        let rules = Rules::new(&layout, root, pruning);
        let symmetry = Symmetry::new(&layout);
        Engine {
            layout,
            rules,
            values,
            links,
            symmetry,
            fresh_names: Vec::new(),
            stack: Vec::new(),
            top: ptr::null_mut(),
            completing: false,
            counters: Counters::default(),
            limits,
            heap,
            prefix: Vec::new(),
            made: 0,
            quick: false,
            quick_top: ptr::null_mut(),
            exhausted: false,
            stop: None,
        }
    }

    #[inline]
    pub(crate) fn heap(&self) -> HeapId {
        self.heap
    }

    /// Notes why a run is ended from inside.
    pub(crate) fn note_stop(&mut self, stop: Stop) {
        self.set_quick(false);
        self.stop = Some(stop);
    }

    /// Why the run was to end, if it was. Asked after every candidate, so that nothing is written where there is nothing.
    #[inline]
    pub(crate) fn take_stop(&mut self) -> Option<Stop> {
        if self.stop.is_none() { None } else { self.stop.take() }
    }

    /// Forgets a whole search, so that another one can begin.
    pub(crate) fn reset(&mut self) {
        self.completing = false;
        self.stop = None;
        self.counters = Counters::default();
        self.made = 0;
        self.prefix.clear();
        self.exhausted = false;
        self.cut(0);
        self.unload();
        self.symmetry.forget();
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Answers the first read of a slot.
    #[inline]
    pub(crate) fn choose(&mut self, slot: SlotId, eraser: Eraser) -> Result<u32, Stop> {
        // SAFETY: `top` is the last choice on the stack, or null.
        if let Some(top) = unsafe { self.top.as_ref() } {
            // SAFETY: slots live as long as the heap, which owns this engine.
            if unsafe { top.eraser.is_offered() } {
                return Err(Stop::NotDeterministic { expected: top.slot, found: slot });
            }
            self.values[top.slot.index()] = top.index;
        }
        self.made += u64::from(!self.completing);
        if let Some(&index) = self.prefix.get(self.stack.len()) {
            return self.choose_given(slot, eraser, index);
        }
        let rule = self.rules.of(slot, self.completing);
        let span = self.links.span(rule);
        let index = if span.filtered {
            self.filtered_index(slot, 0).ok_or(Stop::DeadEnd)?
        } else {
            span.first().ok_or(Stop::DeadEnd)?
        };
        self.push(slot, eraser, index, span);
        self.write(slot, index, span);
        Ok(index)
    }

    #[inline]
    fn push(&mut self, slot: SlotId, eraser: Eraser, index: u32, span: Span) {
        // SAFETY: the slot that asks is alive.
        let value = unsafe { eraser.value_at(index) };
        self.stack.push(Choice { eraser, slot, index, value, span });
        self.find_top();
    }

    /// Says whether the machine may go on by itself.
    #[inline]
    pub(crate) fn set_quick(&mut self, quick: bool) {
        self.quick = quick;
        self.find_top();
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    /// Notes where the last choice is.
    #[inline]
    fn find_top(&mut self) {
        self.top = self.stack.last_mut().map_or(ptr::null_mut(), ptr::from_mut);
        self.quick_top = if self.quick { self.top } else { ptr::null_mut() };
    }

    /// The same where the index is given by the prefix.
    #[cold]
    fn choose_given(&mut self, slot: SlotId, eraser: Eraser, index: u32) -> Result<u32, Stop> {
        let span = self.links.span(self.rules.of(slot, self.completing));
        let is_allowed =
            if span.filtered { self.filtered_index(slot, index) == Some(index) } else { span.contains(index) };
        if !is_allowed {
            return Err(Stop::NoSuchPrefix { choice: self.stack.len(), index });
        }
        let span = span.fixed();
        self.push(slot, eraser, index, span);
        self.write(slot, index, span);
        Ok(index)
    }

    /// Gives the first choices of every candidate their indices.
    pub(crate) fn set_prefix(&mut self, prefix: Vec<u32>) {
        assert!(self.stack.is_empty(), "a prefix is given before the search begins");
        self.prefix = prefix;
    }

    /// Moves the last choice to its next index, dropping choices that have none left. False when the search is over.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        self.advance_above(0)
    }

    /// The same, leaving the first `depth` choices alone.
    #[inline(always)]
    pub(crate) fn advance_above(&mut self, depth: usize) -> bool {
        if self.stack.len() > depth && self.advance_in_run() {
            self.tell_top();
            return true;
        }
        self.advance_slowly(depth)
    }

    /// Notes the index of the last choice.
    #[inline(always)]
    pub(crate) fn tell_top(&mut self) {
        if let Some(top) = self.stack.last() {
            self.values[top.slot.index()] = top.index;
        }
    }

    /// Moves the last choice to the index that follows, as nearly always; false if another way has to be found. `values` is
    /// not told: `tell_top` does it before anybody looks.
    #[inline(always)]
    pub(crate) fn advance_in_run(&mut self) -> bool {
        self.advance_at(self.top)
    }

    /// The same inside a machine; false also if the machine may not go on by itself.
    #[inline(always)]
    pub(crate) fn advance_quickly(&mut self) -> bool {
        self.advance_at(self.quick_top)
    }

    #[inline(always)]
    fn advance_at(&mut self, top: *mut Choice) -> bool {
        // SAFETY: it is the last choice on the stack, or null.
        let Some(top) = (unsafe { top.as_mut() }) else { return false };
        let next = top.index + 1;
        // SAFETY: the heap that owns the slot also owns this engine and outlives its stack.
        if next >= top.span.run_end || unsafe { top.eraser.is_offered() } {
            return false;
        }
        top.index = next;
        // SAFETY: as above; every index of a run is one of the domain, and `value` is where the one before is.
        top.value = unsafe { top.eraser.offer_next(top.value, next) };
        // The fresh object comes last, so that the index before was not it.
        self.links.reach(next, top.span);
        true
    }

    /// The same where the last choice has no index that follows.
    #[inline(never)]
    pub(crate) fn advance_slowly(&mut self, depth: usize) -> bool {
        self.tell_top();
        while self.stack.len() > depth
            && let Some(top) = self.stack.last()
        {
            let (slot, index, span, eraser) = (top.slot, top.index, top.span, top.eraser);
            self.unwrite(slot, index, span);
            let next = match span {
                Span { fixed: true, .. } => None,
                Span { filtered: true, .. } => self.filtered_index(slot, index + 1),
                span => span.after(index),
            };
            if let Some(next) = next {
                self.write(slot, next, span);
                // SAFETY: as in `advance_in_run`.
                let value = unsafe {
                    eraser.offer(next);
                    eraser.value_at(next)
                };
                let top = self.stack.last_mut().expect("[korat internal bug] the stack was just read");
                (top.index, top.value) = (next, value);
                return true;
            }
            // SAFETY: as in `advance_in_run`.
            unsafe { eraser.erase() };
            self.stack.pop();
            self.find_top();
            if self.stack.len() > depth && self.advance_in_run() {
                self.tell_top();
                return true;
            }
        }
        false
    }

    /// Drops every choice from `depth` on, tried or not.
    pub(crate) fn cut(&mut self, depth: usize) {
        while self.stack.len() > depth {
            let top = self.stack.pop().expect("[korat internal bug] the stack is longer than the depth");
            // SAFETY: as in `advance`.
            unsafe { top.eraser.erase() };
            self.unwrite(top.slot, top.index, top.span);
        }
        self.find_top();
    }

    /// The slot whose new index the run has not asked for; a deterministic predicate asks before it makes another choice.
    #[inline]
    pub(crate) fn unread_offer(&self) -> Option<SlotId> {
        let top = self.stack.last()?;
        // SAFETY: as in `advance_in_run`.
        if unsafe { top.eraser.is_offered() } { Some(top.slot) } else { None }
    }

    /// The slots initialised so far, if each choice initialises its slot when it is made and when it moves on: every candidate
    /// but the first begins with a choice that has moved on.
    pub(crate) fn initialised(&self) -> u64 {
        self.made + self.counters.explored.saturating_sub(1)
    }

    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether the choices made so far decide every slot that the value has. May say no where a walk finds nothing to do.
    pub(crate) fn reads_everything(&self) -> bool {
        !self.layout.has_optional_slots
            && self.unread_offer().is_none()
            && self.stack.len() == self.links.reached_slots(&self.layout)
    }

    /// The slots in the order they were first read, with their indices.
    pub(crate) fn trail(&self) -> impl Iterator<Item = (SlotId, u32)> + '_ {
        self.stack.iter().map(|choice| (choice.slot, choice.index))
    }

    pub(crate) fn value(&self, slot: SlotId) -> u32 {
        self.values[slot.index()]
    }

    pub(crate) fn set_completing(&mut self, completing: bool) {
        self.completing = completing;
    }

    /// The first index from `from` on that a slot may hold whose rule looks at every object, or at the elements of a vector.
    #[inline(never)]
    fn filtered_index(&self, slot: SlotId, from: u32) -> Option<u32> {
        let place = self.layout.place(slot);
        let from = place.member.map_or(from, |set| from.max(self.symmetry.least_member(set)));
        match self.layout.kind(slot) {
            SlotKind::Value { len } => (from < len).then_some(from),
            SlotKind::Name(name) => {
                let used = self.links.reached(group_class(&self.layout, name));
                (from < name.len && from <= name.nulls + used).then_some(from)
            }
            SlotKind::Index(index) => {
                let arena = place.index_of.expect("[korat internal bug] an index belongs to an arena");
                let len = self.arena_len(arena);
                self.symmetry.next_position(index, arena, len, from)
            }
            SlotKind::Reference(reference) => {
                let by_type = self.completing || self.rules.by_type();
                let holder = self.layout.slots[slot.index()].object;
                self.links.next(&self.layout, &self.values, reference, holder, from, by_type)
            }
        }
    }

    /// How many elements an arena has; its length is decided.
    fn arena_len(&self, arena: u32) -> u32 {
        let sequence = &self.layout.sequences[arena as usize];
        sequence.lens[self.values[sequence.len_slot.index()] as usize]
    }

    /// The slot that has to be decided before another one, if it is not: the length of the arena that an index leads into.
    pub(crate) fn first_to_decide(&self, slot: SlotId) -> Option<(SlotId, Eraser)> {
        let arena = self.layout.place(slot).index_of?;
        let sequence = &self.layout.sequences[arena as usize];
        // SAFETY: slots live as long as the heap, which owns this engine.
        let is_decided = unsafe { sequence.len.is_taken() };
        (!is_decided).then_some((sequence.len_slot, sequence.len))
    }

    /// Whether no value was given before that differs from this one only in the order of elements that have none. `slots` are
    /// those of the value.
    pub(crate) fn is_new(&mut self, slots: &[SlotId]) -> bool {
        self.symmetry.is_new(&self.layout, &self.values, self.links.root(), slots)
    }

    /// Whether values may differ in nothing but the order of elements that have none.
    pub(crate) fn has_doubles(&self) -> bool {
        self.symmetry.has_doubles()
    }

    /// The door: a slot gets an index here, or by the short way of `advance_in_run`.
    #[inline]
    fn write(&mut self, slot: SlotId, index: u32, span: Span) {
        self.values[slot.index()] = index;
        self.links.reach(index, span);
        if span.filtered {
            self.link(slot, index);
        }
    }

    #[inline]
    fn unwrite(&mut self, slot: SlotId, index: u32, span: Span) {
        self.values[slot.index()] = UNASSIGNED;
        if span.filtered {
            self.unlink(slot, index);
        }
        self.links.unreach(index, span);
    }

    #[inline(never)]
    fn link(&mut self, slot: SlotId, index: u32) {
        self.symmetry.link(self.layout.place(slot), self.layout.kind(slot), index);
        match self.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                if let Some(ordinal) = reference.object(index) {
                    self.links.link(&self.layout, reference, slot, ordinal);
                }
            }
            SlotKind::Name(name) => {
                let class = group_class(&self.layout, name);
                if index == name.nulls + self.links.reached(class) {
                    self.links.set_reached(class, index - name.nulls + 1);
                    self.fresh_names.push(slot);
                }
            }
            SlotKind::Index(_) | SlotKind::Value { .. } => {}
        }
    }

    #[inline(never)]
    fn unlink(&mut self, slot: SlotId, index: u32) {
        match self.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                if let Some(ordinal) = reference.object(index) {
                    self.links.unlink(&self.layout, reference, slot, ordinal);
                }
            }
            SlotKind::Name(name) => {
                if self.fresh_names.last() == Some(&slot) {
                    self.fresh_names.pop();
                    self.links.set_reached(group_class(&self.layout, name), index - name.nulls);
                }
            }
            SlotKind::Index(_) | SlotKind::Value { .. } => {}
        }
        self.symmetry.unlink(self.layout.place(slot), self.layout.kind(slot), index);
    }

    /// The reached objects other than the root, with their way of allocation.
    pub(crate) fn allocated(&self) -> Vec<(ObjectId, AllocId)> {
        self.links.allocated(&self.layout, &self.values)
    }

    /// Whether all references own, and there are as many as objects to own: then no object is owned twice.
    fn is_forest(&self) -> bool {
        let mut references = 0;
        for Choice { index, span, .. } in &self.stack {
            if span.filtered {
                return false;
            }
            references += usize::from(span.is_object(*index));
        }
        !self.layout.has_shared && references + 1 == self.links.reached_count()
    }

    /// Why the current assignment is not a value of the user's types, if it is not. `by_type`: every choice was made under
    /// the rules of ownership.
    pub(crate) fn misfit(&self, by_type: bool) -> Option<Misfit> {
        if !self.layout.has_weak && (by_type || self.is_forest()) {
            return None;
        }
        self.links.misfit(&self.layout, &self.values, by_type)
    }

    /// The objects an object points to.
    pub(crate) fn targets(&self, holder: ObjectId) -> impl Iterator<Item = (Reference, ObjectId)> + '_ {
        targets(&self.layout, &self.values, holder)
    }

    /// Puts a whole assignment in place of the (empty) current one, without choices.
    pub(crate) fn load(&mut self, values: &[u32]) {
        assert!(self.stack.is_empty(), "[korat internal bug] an assignment is loaded only between searches");
        self.values.copy_from_slice(values);
        self.links.count_reached(&self.layout, values);
    }

    /// Takes a loaded assignment out again.
    pub(crate) fn unload(&mut self) {
        self.values.fill(UNASSIGNED);
        self.links.reset(&self.layout);
    }
}
