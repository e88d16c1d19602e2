//! The stack of choices. Takes reads of unassigned slots, gives each an index; after a run, moves the last choice to its
//! next index. `write` is the one door through which a slot gets a value, and it logs the choice first.

use super::isomorphism::{Links, Misfit, targets};
use super::layout::{Layout, Reference, SlotKind};
use super::rules::{Rules, Span};
use crate::Pruning;
use crate::ambient::{Limits, Stop};
use crate::ids::{AllocId, HeapId, ObjectId, SlotId};
use crate::slot::Eraser;

/// The index of a slot that nothing has read.
pub(crate) const UNASSIGNED: u32 = u32::MAX;

/// What a search did; part of korat's contract with its users.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Candidates: executions of the predicate.
    pub explored: u64,
    /// Values generated: candidates that the predicate accepted, times the combinations of the fields it never read.
    pub valid: u64,
    /// Slot initialisations. Re-executing, every candidate initialises all the slots it has assigned.
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
    /// Choices in the order they were made.
    stack: Vec<Choice>,
    /// Whether the top of the stack holds a new index that the predicate has not read yet.
    pending: bool,
    /// Whether the values of unread fields are being chosen, after the predicate has accepted.
    completing: bool,
    pub(crate) counters: Counters,
    limits: Limits,
    /// The heap whose slots it chooses for.
    heap: HeapId,
    /// Why the current run was to end, if it was; still here afterwards if the predicate has caught it.
    stop: Option<Stop>,
}

impl Engine {
    pub(crate) fn new(heap: HeapId, layout: Layout, root: ObjectId, pruning: Pruning, limits: Limits) -> Self {
        let values = vec![UNASSIGNED; layout.slots.len()];
        let links = Links::new(&layout, root);
        let rules = Rules::new(&layout, root, pruning);
        Engine {
            layout,
            rules,
            values,
            links,
            stack: Vec::new(),
            pending: false,
            completing: false,
            counters: Counters::default(),
            limits,
            heap,
            stop: None,
        }
    }

    #[inline]
    pub(crate) fn heap(&self) -> HeapId {
        self.heap
    }

    /// Notes why a run is ended from inside.
    pub(crate) fn note_stop(&mut self, stop: Stop) {
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
        self.pending = false;
        self.stop = None;
        self.counters = Counters::default();
        self.cut(0);
        self.unload();
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Answers the first read of a slot in this run.
    #[inline]
    pub(crate) fn choose(&mut self, slot: SlotId, eraser: Eraser) -> Result<u32, Stop> {
        if self.pending {
            return self.replay(slot);
        }
        let rule = self.rules.of(slot, self.completing);
        let span = self.links.span(rule);
        let index = if span.filtered {
            self.filtered_index(slot, 0).ok_or(Stop::DeadEnd)?
        } else {
            span.first().ok_or(Stop::DeadEnd)?
        };
        self.stack.push(Choice { eraser, slot, index, span });
        self.write(slot, index, span);
        Ok(index)
    }

    /// Answers the read of the slot that was moved to its next index.
    #[inline]
    fn replay(&mut self, slot: SlotId) -> Result<u32, Stop> {
        let top = self.stack.last().expect("[korat internal bug] a pending choice is on the stack");
        if top.slot != slot {
            return Err(Stop::NotDeterministic { expected: top.slot, found: slot });
        }
        self.pending = false;
        Ok(top.index)
    }

    /// Moves the last choice to its next index, dropping choices that have none left. False when the search is over.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        self.advance_above(0)
    }

    /// The same, leaving the first `depth` choices alone.
    #[inline]
    pub(crate) fn advance_above(&mut self, depth: usize) -> bool {
        while self.stack.len() > depth
            && let Some(top) = self.stack.last()
        {
            let (slot, index, span) = (top.slot, top.index, top.span);
            // SAFETY: the heap that owns the slot also owns this engine and outlives its stack.
            unsafe { top.eraser.erase() };
            self.unwrite(slot, index, span);
            let next = if span.filtered { self.filtered_index(slot, index + 1) } else { span.after(index) };
            if let Some(next) = next {
                self.stack.last_mut().expect("[korat internal bug] the stack was just read").index = next;
                self.write(slot, next, span);
                self.pending = true;
                return true;
            }
            self.stack.pop();
        }
        self.pending = false;
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
    }

    /// The slot whose new index the finished run never asked for; a deterministic predicate leaves none.
    pub(crate) fn unread_pending(&self) -> Option<SlotId> {
        if self.pending { self.stack.last().map(|top| top.slot) } else { None }
    }

    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether the choices made so far decide every slot that the value has. May say no where a walk finds nothing to do.
    pub(crate) fn reads_everything(&self) -> bool {
        !self.layout.has_vectors && !self.pending && self.stack.len() == self.links.reached_slots(&self.layout)
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

    /// The first index from `from` on that a slot may hold whose rule looks at every object.
    #[inline(never)]
    fn filtered_index(&self, slot: SlotId, from: u32) -> Option<u32> {
        let SlotKind::Reference(reference) = self.layout.kind(slot) else {
            unreachable!("[korat internal bug] only references are filtered")
        };
        let by_type = self.completing || self.rules.by_type();
        let holder = self.layout.slots[slot.index()].object;
        self.links.next(&self.layout, &self.values, reference, holder, from, by_type)
    }

    /// The one door: a slot gets an index here and nowhere else.
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
        if let SlotKind::Reference(reference) = self.layout.kind(slot)
            && let Some(ordinal) = reference.object(index)
        {
            self.links.link(&self.layout, reference, slot, ordinal);
        }
    }

    #[inline(never)]
    fn unlink(&mut self, slot: SlotId, index: u32) {
        if let SlotKind::Reference(reference) = self.layout.kind(slot)
            && let Some(ordinal) = reference.object(index)
        {
            self.links.unlink(&self.layout, reference, slot, ordinal);
        }
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
