//! The stack of choices. Takes reads of unassigned slots, gives each an index; after a run, moves the last choice to its
//! next index. The index lies in the slot itself; `values` is told of it when the next choice is made, or when somebody is
//! going to look.

use super::choice::Choice;
use super::descent::Given;
use super::frontier::Frontier;
use super::isomorphism::OwnershipGraph;
use super::rerun::Rerun;
use super::rules::{IndexRange, Rules};
use super::symmetry::Symmetry;
use crate::engine::resume_point::ResumePoint;
use crate::engine::stop::Stop;
use crate::memory::pages;
use crate::memory::stack::Stack;
use crate::model::counters::Counters;
use crate::model::ids::{HeapId, ObjectId, SlotId};
use crate::model::settings::{Limits, Pruning};
use crate::slots::layout::Layout;
use crate::slots::slot::{OFFERED, UNASSIGNED};
use crate::slots::slot_handle::SlotHandle;

/// Why the first read of a slot makes no choice.
pub(crate) enum Refusal {
    /// Another slot has to be decided first.
    NotYet {
        first: SlotHandle,
    },
    Stop(Stop),
}

/// The state of one search.
pub(crate) struct Engine {
    pub(crate) layout: Layout,
    /// Per slot, what it may hold.
    pub(super) rules: Rules,
    /// Per slot, the index it holds.
    pub(crate) values: Vec<u32>,
    /// Reachability and ownership under the current assignment.
    pub(crate) links: OwnershipGraph,
    /// Which elements without an order are touched, and which values were given.
    pub(super) symmetry: Symmetry,
    /// Filtered slots that hold a name that none had before them.
    pub(super) fresh_names: Vec<SlotId>,
    /// Choices in the order they were made.
    pub(crate) stack: Stack<Choice>,
    /// Whether the values of unread fields are being chosen, after the predicate has accepted.
    pub(super) completing: bool,
    pub(crate) counters: Counters,
    /// Those of the search that is under way.
    pub(crate) limits: Limits,
    /// The heap whose slots it chooses for.
    heap: HeapId,
    /// The indices that choices are given.
    pub(super) given: Given,
    /// Where the pieces of the search begin, if only a part of them is searched.
    pub(super) frontier: Option<Frontier>,
    /// The candidate that is run once more from the top, if one is.
    pub(super) rerun: Rerun,
    /// How many choices were made, however often each moved on.
    pub(crate) made: u64,
    /// The value of `made` when the predicate accepted, while unread fields are completed.
    made_by_predicate: u64,
    /// Whether the machine has gone over the last candidate.
    pub(crate) exhausted: bool,
    /// Number of explored candidates at which the machine returns to the search, which checks its limits.
    pub(crate) return_at: u64,
    /// Why the current run was to end, if it was; still here afterwards if the predicate has caught it.
    pub(crate) stop: Option<Stop>,
    /// Grants more steps to a run that has used up its own; `None` where the limit is final. Its argument says whether each step takes
    /// memory.
    pub(crate) more_steps: Option<fn(bool) -> Option<u64>>,
}

impl Engine {
    pub(crate) fn new(heap: HeapId, layout: Layout, root: ObjectId, pruning: Pruning, limits: Limits) -> Self {
        let values = pages::filled(UNASSIGNED, layout.slots.len());
        let links = OwnershipGraph::new(&layout, root);
        let rules = Rules::new(&layout, root, pruning);
        let symmetry = Symmetry::new(&layout);
        // No slot is chosen twice.
        let stack = Stack::with_capacity(layout.slots.len());
        Engine {
            layout,
            rules,
            values,
            links,
            symmetry,
            fresh_names: Vec::new(),
            stack,
            completing: false,
            counters: Counters::default(),
            limits,
            heap,
            given: Given::Nothing,
            frontier: None,
            rerun: Rerun::default(),
            made: 0,
            made_by_predicate: 0,
            exhausted: false,
            return_at: u64::MAX,
            stop: None,
            more_steps: None,
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

    /// Whether the run was ended from inside.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// Forgets a whole search, so that another one can begin.
    pub(crate) fn reset(&mut self) {
        self.set_completing(false);
        self.stop = None;
        self.counters = Counters::default();
        self.made = 0;
        (self.given, self.frontier) = (Given::Nothing, None);
        self.more_steps = None;
        self.exhausted = false;
        self.return_at = u64::MAX;
        self.links.set_max_size(usize::MAX);
        self.truncate_choices(0);
        self.unload();
    }

    /// Begins a search over other values of the same fields.
    pub(crate) fn take_values_of(&mut self, layout: &Layout) {
        self.layout.take_values_of(layout);
        self.rules = self.rules.with_values_of(&self.layout, self.links.root());
    }

    /// Forgets which values were given, when a search is over.
    pub(crate) fn forget_given(&mut self) {
        self.symmetry.forget();
    }

    /// Answers the first read of a slot, by the statement `resume`. Gives its index, and the one up to which it moves on plainly.
    #[inline(always)]
    pub(crate) fn choose(&mut self, slot: SlotHandle, resume: &ResumePoint) -> Result<(u32, u32), Refusal> {
        if !matches!(self.given, Given::Nothing) {
            return self.choose_given(slot, resume);
        }
        let objects_before = self.begin_choice(slot)?;
        let (id, field) = (slot.id(), slot.field());
        let rule = self.rules.of(field);
        if rule.is_filtered() {
            return self.choose_among_given(slot, objects_before, resume);
        }
        let IndexRange { first, plain_until, fresh } = rule.span(self.links.reached(rule.class));
        if !rule.has(first, fresh) {
            return Err(Refusal::Stop(Stop::DeadEnd));
        }
        if first == fresh {
            if !self.links.has_room(rule.class) {
                return Err(Refusal::Stop(Stop::DeadEnd));
            }
            self.links.reach(rule.class);
        }
        slot.assign(first);
        self.stack.push_with(|| Choice {
            slot,
            rule,
            plain_until,
            fresh,
            objects_before,
            id,
            fixed: false,
            resume: resume.copied(),
        });
        Ok((first, plain_until))
    }

    /// Notes the index of the last choice, and says how many choices hold an object.
    #[inline(always)]
    pub(crate) fn begin_choice(&mut self, slot: SlotHandle) -> Result<u32, Refusal> {
        let mut objects_before = 0;
        if let Some(top) = self.stack.last() {
            let index = top.index_and_offer();
            if index >= OFFERED {
                return Err(self.refusal_of_offer(top.id(), slot));
            }
            objects_before = top.objects_before + u32::from(top.rule().is_object(index));
            let slot = top.id();
            self.record_index(slot, index);
        }
        self.made += 1;
        Ok(objects_before)
    }

    /// The last choice, of a search.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<&Choice> {
        self.stack.last()
    }

    /// Whether the statement of the last choice had made a choice before it.
    pub(crate) fn last_replays(&self) -> bool {
        matches!(self.stack.as_slice(), [.., before, last] if before.resume.is(&last.resume))
    }

    /// Moves the last choice to its next index, dropping choices that have none left. False when the search is over.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        self.advance_above(0)
    }

    /// Moves the last choice above `depth` to its next index, dropping choices above `depth` that have none left. Returns whether one moved.
    pub(crate) fn advance_above(&mut self, depth: usize) -> bool {
        self.advance_and_find(depth).is_some()
    }

    /// Moves the last choice above `depth` to its next index, dropping choices above `depth` that have none left. Returns the choice that moved.
    #[inline(always)]
    pub(crate) fn advance_and_find(&mut self, depth: usize) -> Option<&Choice> {
        while let Some(place) = self.stack.last_above(depth) {
            // SAFETY: nothing is pushed here, so that the choice stays as it is.
            let top = unsafe { &*place };
            let slot = top.slot;
            if top.advance_plainly() {
                return Some(top);
            }
            let (index, rule, fresh) = (top.index(), top.rule(), top.fresh);
            if index == fresh {
                self.links.unreach(rule.class);
            }
            let next =
                if top.fixed || rule.is_filtered() { self.next_index_slow(top) } else { rule.after(index, fresh) };
            // A fresh object comes last.
            if let Some(next) = next
                && (next != fresh || self.links.has_room(rule.class))
            {
                if next == fresh {
                    self.links.reach(rule.class);
                }
                top.offer(next);
                return Some(top);
            }
            self.record_index(slot.id(), UNASSIGNED);
            slot.erase();
            // SAFETY: `place` is that of the last choice.
            unsafe { self.stack.drop_last(place) };
        }
        None
    }

    /// Notes the index of a slot.
    #[inline(always)]
    fn record_index(&mut self, slot: SlotId, index: u32) {
        debug_assert!(slot.index() < self.values.len(), "[korat internal bug] no such slot");
        // SAFETY: `values` has an entry for every slot of the layout, and only those have an id.
        unsafe { *self.values.get_unchecked_mut(slot.index()) = index };
    }

    /// Notes the index of the last choice.
    #[inline(always)]
    pub(crate) fn record_last_choice(&mut self) {
        if let Some(top) = self.stack.last() {
            let (slot, index) = (top.id(), top.index());
            self.record_index(slot, index);
        }
    }

    /// The next index of a choice, where that is given, filtered or made at the frontier; the one it has is taken back.
    #[inline(never)]
    fn next_index_slow(&mut self, choice: &Choice) -> Option<u32> {
        let (index, id, fixed, filtered) = (choice.index(), choice.id(), choice.fixed, choice.rule().is_filtered());
        self.values[id.index()] = UNASSIGNED;
        if filtered {
            self.unlink(id, index);
        }
        let next = match fixed {
            true => self.next_own_index(choice.slot, *choice.rule(), choice.fresh, index)?,
            false => self.filtered_index(id, index + 1)?,
        };
        if filtered {
            self.link(id, next);
        }
        Some(next)
    }

    /// Drops every choice from `depth` on, tried or not.
    pub(crate) fn truncate_choices(&mut self, depth: usize) {
        while self.stack.len() > depth {
            let Some(place) = self.stack.last_above(depth) else { return };
            // SAFETY: the choice is the last one, and stays as it is until another is pushed.
            let top = unsafe {
                self.stack.drop_last(place);
                &*place
            };
            let (index, id) = (top.index(), top.id());
            if index == top.fresh {
                self.links.unreach(top.rule().class);
            }
            if top.rule().is_filtered() {
                self.unlink(id, index);
            }
            self.values[id.index()] = UNASSIGNED;
            top.slot.erase();
        }
    }

    /// The slot whose new index the run has not asked for; a deterministic predicate asks before it makes another choice.
    #[inline]
    pub(crate) fn unread_offer(&self) -> Option<SlotId> {
        self.stack.last().filter(|top| top.index_and_offer() >= OFFERED).map(Choice::id)
    }

    /// The slots initialised so far, if each choice initialises its slot when it is made and when it moves on: every candidate
    /// but the first begins with a choice that has moved on.
    pub(crate) fn initialised(&self) -> u64 {
        let made = if self.completing { self.made_by_predicate } else { self.made };
        made + self.counters.explored.saturating_sub(1)
    }

    /// How many choices were made, and how many of them when the predicate accepted.
    pub(crate) fn made_choices(&self) -> (u64, u64) {
        (self.made, self.made_by_predicate)
    }

    /// Sets what `made_choices` returns.
    pub(crate) fn set_made_choices(&mut self, made: u64, by_predicate: u64) {
        (self.made, self.made_by_predicate) = (made, by_predicate);
    }

    /// How many choices there are.
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether the choices made so far decide every slot that the value has. May say no where a walk finds nothing to do.
    #[inline]
    pub(crate) fn reads_everything(&self) -> bool {
        !self.layout.has_optional_slots
            && self.unread_offer().is_none()
            && self.stack.len() == self.links.reached_slots()
    }

    /// The choices in the order they were made.
    pub(super) fn choices(&self) -> &[Choice] {
        self.stack.as_slice()
    }

    pub(crate) fn value(&self, slot: SlotId) -> u32 {
        self.values[slot.index()]
    }

    pub(crate) fn set_completing(&mut self, completing: bool) {
        if completing && !self.completing {
            self.made_by_predicate = self.made;
        } else if !completing && self.completing {
            self.made = self.made_by_predicate;
        }
        self.completing = completing;
        self.rules.set_completing(completing);
    }
}
