//! The order in which a repair tries other values of a slot. Takes a slot, gives one index after the other.

use super::state::State;
use super::{ChoicesMut, refers};
use crate::model::ids::SlotId;
use crate::slots::kinds::{Edge, SlotKind};

/// A kind of values that a reference may be changed to. Repair tries them in an order, see `Repair::prefer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// An object without an incoming link of the reference's direction, such as the rest of a list behind a broken link. Where two
    /// objects refer to each other, it may have been reached by the other link.
    Lost,
    /// No object.
    Null,
    /// An object that was not reached before, and is not lost.
    Unreached,
    /// An object that was reached before.
    Reached,
    /// An object that the value did not have.
    Fresh,
}

impl Target {
    /// The default order: lost objects are linked again rather than cut off.
    pub const ORDER: [Target; 5] = [Target::Lost, Target::Null, Target::Unreached, Target::Reached, Target::Fresh];
}

/// The values to try for one slot, and those tried so far.
#[derive(Clone, Debug)]
pub(crate) struct Alternatives {
    slot: SlotId,
    /// The index that it had, which is no alternative.
    had: Option<u32>,
    /// Indices that comparisons suggest, tried first, and how many were tried.
    suggested: Vec<u32>,
    suggested_tried: usize,
    /// Numbers tried next, in reverse order. Each is in the slot's domain only while it is tried; `listed` is the length of the domain without it.
    numbers: Vec<i128>,
    listed: Option<u32>,
    /// The kinds of targets, the current one, and its next index.
    order: Vec<Target>,
    kind: usize,
    at: u32,
    /// Maximum number of values of one kind, and those tried.
    most: u32,
    tried: u32,
}

impl Alternatives {
    /// Tries what is suggested, then at most `most` values of each kind.
    pub(crate) fn new(slot: SlotId, had: Option<u32>, suggested: Vec<u32>, order: Vec<Target>, most: u32) -> Self {
        let numbers = Vec::new();
        Alternatives {
            slot,
            had,
            suggested,
            suggested_tried: 0,
            numbers,
            listed: None,
            order,
            kind: 0,
            at: 0,
            most,
            tried: 0,
        }
    }

    /// Tries numbers and nothing else, in this order, whether or not the slot's list has them.
    pub(crate) fn numbers(slot: SlotId, had: u32, mut numbers: Vec<i128>) -> Self {
        numbers.reverse();
        Alternatives { numbers, ..Alternatives::new(slot, Some(had), Vec::new(), Vec::new(), 0) }
    }

    /// Tries nothing else, if anything is suggested.
    pub(crate) fn keep_to_suggested(&mut self) {
        if !self.suggested.is_empty() {
            self.most = 0;
        }
    }

    /// Suggests more values, up to `most` in all.
    pub(crate) fn suggest(&mut self, more: Vec<u32>, most: usize) {
        for index in more {
            if self.suggested.len() < most && !self.suggested.contains(&index) {
                self.suggested.push(index);
            }
        }
    }
}

impl ChoicesMut<'_> {
    /// Returns the next index that fits; the slot itself must not be assigned.
    pub(crate) fn next_alternative(&mut self, tried: &mut Alternatives) -> Option<u32> {
        if self.view().is_kept(tried.slot) {
            return None;
        }
        loop {
            let index = self.next_of_any_kind(tried)?;
            if Some(index) != tried.had
                && self.view().fits(tried.slot, index)
                && !self.leaves_out_kept(tried.slot, index)
            {
                tried.tried += 1;
                return Some(index);
            }
        }
    }

    fn next_of_any_kind(&mut self, tried: &mut Alternatives) -> Option<u32> {
        if let Some(&suggested) = tried.suggested.get(tried.suggested_tried) {
            (tried.suggested_tried, tried.tried) = (tried.suggested_tried + 1, 0);
            return Some(suggested);
        }
        if let Some(index) = self.next_number(tried) {
            return Some(index);
        }
        let kinds = if refers(&self.engine.layout, tried.slot) { tried.order.len() } else { 1 };
        while tried.kind < kinds {
            let next = if tried.tried < tried.most { self.next_of_kind(tried) } else { None };
            if let Some(index) = next {
                tried.at = index + 1;
                if !tried.suggested.contains(&index) {
                    return Some(index);
                }
            } else {
                (tried.kind, tried.at, tried.tried) = (tried.kind + 1, 0, 0);
            }
        }
        None
    }

    /// Returns the index of the next number, which replaces the one before it in the slot's list.
    fn next_number(&mut self, tried: &mut Alternatives) -> Option<u32> {
        if let Some(listed) = tried.listed.take() {
            self.engine.layout.withdraw(tried.slot, listed);
        }
        while let Some(number) = tried.numbers.pop() {
            let listed = self.engine.layout.indices(tried.slot);
            self.admit(tried.slot, number);
            if let Some(index) = self.engine.layout.index_of_number(tried.slot, number) {
                tried.listed = Some(listed);
                return Some(index);
            }
        }
        None
    }

    /// Returns the first index from `tried.at` on that is of the kind to be tried now.
    fn next_of_kind(&mut self, tried: &Alternatives) -> Option<u32> {
        let (slot, from) = (tried.slot, tried.at);
        let (nulls, present, end, is_part) = match self.engine.layout.kind(slot) {
            SlotKind::Value { len } => return (from < len).then_some(from),
            SlotKind::Name(name) => return (from < name.len).then_some(from),
            SlotKind::Reference(reference) => {
                let class = reference.target.index();
                let room = &self.state.room;
                let (present, count) = (room.present[class], room.objects(&self.engine.layout, class));
                (reference.nulls, reference.nulls + present, reference.nulls + count, reference.edge == Edge::Part)
            }
            SlotKind::Index(of) => {
                let arena = self.engine.layout.membership(slot).index_of?;
                let end = of.nulls + self.engine.arena_len(arena);
                (of.nulls, end, end, false)
            }
        };
        let kind = tried.order[tried.kind];
        if matches!(kind, Target::Lost | Target::Unreached) {
            self.know_incoming();
        }
        let (layout, state) = (&self.engine.layout, &mut *self.state);
        // An object held by value cannot move.
        if is_part && kind != Target::Fresh {
            return None;
        }
        let reached = |state: &State, index: u32| state.is_reached(layout, slot, index);
        match kind {
            Target::Null => (from < nulls).then_some(from),
            Target::Fresh => (from.max(present)..end).find(|&index| !reached(state, index)).filter(|_| from == 0),
            Target::Reached => (from.max(nulls)..end).find(|&index| reached(state, index)),
            Target::Lost => {
                // The target of a link back may have been reached already.
                state.incoming.lost(layout, &state.targets, slot, from).filter(|&index| index < present)
            }
            Target::Unreached => (from.max(nulls)..present)
                .find(|&index| !reached(state, index) && !state.incoming.is_lost(layout, &state.targets, slot, index)),
        }
    }

    /// Returns the first index that fits, for a slot that has none or whose own does not fit.
    pub(super) fn first_alternative(&mut self, slot: SlotId) -> Option<u32> {
        let had = self.state.wanted(slot);
        let mut order = match had {
            Some(_) => self.state.order.to_vec(),
            // A new object's links are null, if they can be.
            None => vec![Target::Null, Target::Fresh, Target::Unreached, Target::Lost, Target::Reached],
        };
        // A part that is made anew is as large as it may be.
        if had.is_none() && self.state.room.made_anew.is_some() {
            order.swap(0, 1);
        }
        self.next_alternative(&mut Alternatives::new(slot, had, Vec::new(), order, u32::MAX))
    }
}
