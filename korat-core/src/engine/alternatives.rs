//! In which order a repair tries other values of a slot. Takes a slot, gives one index after the other.

use super::choice::Engine;
use super::layout::{Edge, SlotKind};
use crate::ids::SlotId;

/// A kind of values that a reference may be changed to. Repair tries them in an order, see `Repair::prefer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// What nothing leads to any more in the way that the reference does, such as the rest of a list behind a broken link. Where two
    /// references lead to each other, it may have been reached by the other one.
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
    /// The order if nobody wants another: what is lost is linked again rather than cut off.
    pub const ORDER: [Target; 5] = [Target::Lost, Target::Null, Target::Unreached, Target::Reached, Target::Fresh];
}

/// Where the values of one slot have been tried up to.
#[derive(Clone, Debug)]
pub(crate) struct Alternatives {
    slot: SlotId,
    /// What it had, which is no alternative.
    had: Option<u32>,
    /// What comparisons suggest, which is tried first: all of it, and how much of it was.
    suggested: Vec<u32>,
    suggested_tried: usize,
    /// Numbers that are tried then, the next one last. Each is in the slot's list only while it is tried; how many others that has.
    numbers: Vec<i128>,
    listed: Option<u32>,
    /// The kinds that are tried, which of them is now, and what of that comes next.
    order: Vec<Target>,
    kind: usize,
    at: u32,
    /// How many of one kind are tried, and were.
    most: u32,
    tried: u32,
}

impl Alternatives {
    /// At most `most` of each kind.
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

    /// Numbers and nothing else, in this order, whether or not the slot's list has them.
    pub(crate) fn numbers(slot: SlotId, had: u32, mut numbers: Vec<i128>) -> Self {
        numbers.reverse();
        Alternatives { numbers, ..Alternatives::new(slot, Some(had), Vec::new(), Vec::new(), 0) }
    }

    /// What nothing leads to any more, and nothing else.
    pub(crate) fn lost(slot: SlotId, had: u32, most: u32) -> Self {
        Alternatives::new(slot, Some(had), Vec::new(), vec![Target::Lost], most)
    }

    /// Nothing else is tried, if anything is suggested.
    pub(crate) fn keep_to_suggested(&mut self) {
        if !self.suggested.is_empty() {
            self.most = 0;
        }
    }

    /// Suggests more, at most so much in all.
    pub(crate) fn suggest(&mut self, more: Vec<u32>, most: usize) {
        for index in more {
            if self.suggested.len() < most && !self.suggested.contains(&index) {
                self.suggested.push(index);
            }
        }
    }
}

impl Engine {
    /// The next index that fits; the slot itself must not be assigned.
    pub(crate) fn next_alternative(&mut self, tried: &mut Alternatives) -> Option<u32> {
        if self.is_kept(tried.slot) {
            return None;
        }
        loop {
            let index = self.next_of_any_kind(tried)?;
            if Some(index) != tried.had && self.fits(tried.slot, index) && !self.leaves_out_kept(tried.slot, index) {
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
        let kinds = if self.refers(tried.slot) { tried.order.len() } else { 1 };
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

    /// The index of the next number, which the slot's list has from now on, and not the one before it.
    fn next_number(&mut self, tried: &mut Alternatives) -> Option<u32> {
        if let Some(listed) = tried.listed.take() {
            self.layout.withdraw(tried.slot, listed);
        }
        while let Some(number) = tried.numbers.pop() {
            let listed = self.layout.indices(tried.slot);
            self.admit(tried.slot, number);
            if let Some(index) = self.layout.index_of_number(tried.slot, number) {
                tried.listed = Some(listed);
                return Some(index);
            }
        }
        None
    }

    /// Whether a slot leads to something.
    pub(crate) fn refers(&self, slot: SlotId) -> bool {
        matches!(self.layout.kind(slot), SlotKind::Reference(_) | SlotKind::Index(_))
    }

    /// The first index from `tried.at` on that is of the kind to be tried now.
    fn next_of_kind(&mut self, tried: &Alternatives) -> Option<u32> {
        let (slot, from) = (tried.slot, tried.at);
        let (nulls, present, end, is_part) = match self.layout.kind(slot) {
            SlotKind::Value { len } => return (from < len).then_some(from),
            SlotKind::Name(name) => return (from < name.len).then_some(from),
            SlotKind::Reference(reference) => {
                let class = reference.target.index();
                let Engine { layout, repairing, .. } = self;
                let room = &repairing.as_ref()?.room;
                let (present, count) = (room.present[class], room.objects(layout, class));
                (reference.nulls, reference.nulls + present, reference.nulls + count, reference.edge == Edge::Part)
            }
            SlotKind::Index(of) => {
                let arena = self.layout.place(slot).index_of?;
                let end = of.nulls + self.arena_len(arena);
                (of.nulls, end, end, false)
            }
        };
        let kind = tried.order[tried.kind];
        if matches!(kind, Target::Lost | Target::Unreached) {
            self.know_incoming();
        }
        let Engine { layout, repairing, .. } = self;
        let repairing = repairing.as_mut()?;
        // What lies in its holder lies nowhere else.
        if is_part && kind != Target::Fresh {
            return None;
        }
        let reached = |repairing: &super::Repairing, index: u32| repairing.is_reached(layout, slot, index);
        match kind {
            Target::Null => (from < nulls).then_some(from),
            Target::Fresh => (from.max(present)..end).find(|&index| !reached(repairing, index)).filter(|_| from == 0),
            Target::Reached => (from.max(nulls)..end).find(|&index| reached(repairing, index)),
            Target::Lost => {
                // A link back leads to what is reached already.
                repairing.incoming.lost(layout, &repairing.targets, slot, from).filter(|&index| index < present)
            }
            Target::Unreached => (from.max(nulls)..present).find(|&index| {
                !reached(repairing, index) && !repairing.incoming.is_lost(layout, &repairing.targets, slot, index)
            }),
        }
    }

    /// The first index that a slot may have which has none, or whose own does not fit.
    pub(super) fn first_alternative(&mut self, slot: SlotId) -> Option<u32> {
        let had = self.repairing().wanted(slot);
        let mut order = match had {
            Some(_) => self.repairing().order.to_vec(),
            // What is new leads nowhere, if it can.
            None => vec![Target::Null, Target::Fresh, Target::Unreached, Target::Lost, Target::Reached],
        };
        // Where something is made anew, it is as large as it may be.
        if had.is_none() && self.repairing().room.made_anew.is_some() {
            order.swap(0, 1);
        }
        self.next_alternative(&mut Alternatives::new(slot, had, Vec::new(), order, u32::MAX))
    }
}
