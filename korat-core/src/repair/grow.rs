//! New objects in place of missing ones: a null link gets a new object, whose fields are searched until the predicate continues. Takes a fault,
//! gives whether the value is accepted then.

use std::collections::{BTreeMap, BTreeSet};

use super::choices::alternatives::{Alternatives, Target};
use super::mended::Mended;
use super::near::Fault;
use super::stages::{ABOVE, FEW, NEAR};
use super::{NotRepaired, Repairer};
use crate::model::ids::{FieldId, SlotId, to_u32};
use crate::predicate::compared::Comparison;

/// Maximum number of links to try: the null links of the last few objects.
const MOST_LINKS: usize = 16;
/// Maximum number of new objects for one fault: a subtree of three levels. The content of larger parts would be made up anyway.
const MOST_OBJECTS: u32 = 8;
/// Tries for each new object, some dozens per field, and in all: 2 % of the default.
const MOST_TRIES_AN_OBJECT: u64 = 300;
const MOST_TRIES: u64 = 20_000;
/// Maximum number of suggested values per new slot: those beside and between four numbers.
const MOST_SUGGESTED: usize = 12;

/// The values tried for a slot of a new object.
struct Trials {
    all: Alternatives,
    /// The comparisons that rejected them; if none is left, another slot in these comparisons has to change.
    compared: Vec<Comparison>,
    /// The numbers that it was compared with.
    others: BTreeSet<i128>,
    /// Values that make a later comparison equal.
    equal: Alternatives,
}

impl Trials {
    fn new(slot: SlotId, index: u32) -> Self {
        let kinds = vec![Target::Fresh, Target::Null];
        Trials {
            all: Alternatives::new(slot, Some(index), Vec::new(), kinds, FEW),
            compared: Vec::new(),
            others: BTreeSet::new(),
            equal: Alternatives::new(slot, Some(index), Vec::new(), Vec::new(), 0),
        }
    }
}

/// A part of new objects under construction.
struct Growth {
    /// Number of choices before it.
    depth: usize,
    /// Per choice, the values tried.
    tried: Vec<Option<Trials>>,
    /// The largest number of each field's domain, computed once.
    largest: BTreeMap<FieldId, Option<i128>>,
}

impl Repairer<'_> {
    /// Adds new objects at a null link: one, then two, and so on. Returns whether the value is accepted then; `None` if that does not help.
    pub(super) fn grow(&mut self, fault: &Fault, mended: &mut Mended) -> Result<Option<bool>, NotRepaired> {
        let links = self.empty_links();
        let end = self.tries() + MOST_TRIES;
        let added = to_u32(self.choices().added_objects().len());
        for objects in 1..=MOST_OBJECTS {
            for &link in &links {
                self.state.make_anew(Some(added + objects));
                let found = self.grow_at(link, u64::from(objects) * MOST_TRIES_AN_OBJECT, fault, mended)?;
                self.state.make_anew(None);
                if found.is_some() {
                    return Ok(found);
                }
                self.state.forget_trial();
                if !self.is_at(fault)? || self.tries() >= end {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    /// Returns the null links that the last rejection may be about, the last one first.
    fn empty_links(&mut self) -> Vec<SlotId> {
        let mut links = Vec::new();
        for depth in self.choices().decisions_near_and_above(NEAR, ABOVE) {
            let (slot, index) = self.choices().at(depth);
            if links.len() < MOST_LINKS && self.choices_mut().is_empty_link(slot, index) {
                links.push(slot);
            }
        }
        links
    }

    /// Adds new objects at one null link. `None` if that does not help; then the choices from it on are dropped.
    fn grow_at(
        &mut self,
        link: SlotId,
        tries: u64,
        fault: &Fault,
        mended: &mut Mended,
    ) -> Result<Option<bool>, NotRepaired> {
        let Some(depth) = self.choices().depth_of(link) else { return Ok(None) };
        let before = self.state.wish(link);
        let had = self.index(link);
        self.choices_mut().cut(depth + 1);
        if !self.choices_mut().move_on(&mut Alternatives::new(link, Some(had), Vec::new(), vec![Target::Fresh], 1)) {
            return Ok(None);
        }
        let index = self.index(link);
        let end = self.tries() + tries;
        let mut growth = Growth { depth: depth + 1, tried: Vec::new(), largest: BTreeMap::new() };
        loop {
            let accepted = self.run()?;
            if accepted || self.has_gone_on(fault) {
                self.keep_new(depth, fault, (link, index, before), mended);
                return Ok(Some(accepted));
            }
            if self.tries() >= end || !self.move_on_in_new(&mut growth)? {
                self.choices_mut().cut(depth);
                return Ok(None);
            }
        }
    }

    /// Whether the predicate rejects for another reason than before and than the new objects.
    fn has_gone_on(&mut self, fault: &Fault) -> bool {
        let Some(last) = self.last_decision().map(|last| last.slot) else { return false };
        let is_again = self.label() == fault.label && Some(last) == fault.last.last().copied();
        !is_again && !self.choices().is_open(last) && self.choices().has_read_on()
    }

    /// Moves on the last choice in new objects that the predicate may have rejected: a link, the number read last, a number that it was compared
    /// with once its own values are used up, and a number that has to be equal to another one. Returns whether there is one.
    fn move_on_in_new(&mut self, growth: &mut Growth) -> Result<bool, NotRepaired> {
        let mut compared = self.compared()?;
        let end = self.choices().depth();
        let is_number = |slot: SlotId| self.choices().is_open(slot) && !self.refers(slot);
        // If no number was read last, only the rejecting comparison is about one.
        let mut last = None;
        if !self.last_decision().is_some_and(|last| is_number(last.slot)) {
            last = compared.drain(..).next();
        }
        for at in (growth.depth..end).rev() {
            let (slot, index) = self.choices().at(at);
            let is_link = self.refers(slot);
            let is_rejected = is_link || at + 1 == end || self.was_compared(slot, index, &compared);
            let unequal = last.filter(|&last| !is_rejected && self.was_compared(slot, index, &[last]));
            if !self.choices().is_open(slot) || !(is_rejected || unequal.is_some()) {
                continue;
            }
            self.choices_mut().cut(at + 1);
            growth.tried.resize_with(at + 1, || None);
            let mut trials = growth.tried[at].take().unwrap_or_else(|| Trials::new(slot, index));
            let others = if let Some(last) = unequal {
                trials.equal.suggest(self.equal_to(slot, index, last), MOST_SUGGESTED);
                &mut trials.equal
            } else {
                let suggested = self.suggested_for_new(slot, index, &compared, &mut trials, growth);
                trials.all.suggest(suggested, MOST_SUGGESTED);
                if !is_link {
                    trials.all.keep_to_suggested();
                }
                trials.compared.append(&mut compared);
                &mut trials.all
            };
            if self.choices_mut().move_on(others) {
                growth.tried[at] = Some(trials);
                return Ok(true);
            }
            compared.append(&mut trials.compared);
        }
        Ok(false)
    }

    /// Returns the index with which a number equals the one that it was compared with.
    fn equal_to(&mut self, slot: SlotId, index: u32, comparison: Comparison) -> Vec<u32> {
        self.admit(slot, index, &[comparison]);
        let others = self.compared_with(slot, index, &[comparison]);
        others.into_iter().filter_map(|other| self.layout().index_of_number(slot, other)).collect()
    }

    /// Returns what comparisons suggest for a slot of a new object; for a link, also the way back. A number may have to leave room on both sides: the
    /// largest comes first, then numbers between two that it was compared with, then numbers beside them.
    fn suggested_for_new(
        &mut self,
        slot: SlotId,
        index: u32,
        compared: &[Comparison],
        trials: &mut Trials,
        growth: &mut Growth,
    ) -> Vec<u32> {
        if self.refers(slot) {
            let mut suggested = self.suggested(slot, index, compared);
            suggested.extend(self.choices().way_back(slot));
            return suggested;
        }
        let is_first = trials.others.is_empty();
        trials.others.extend(self.compared_with(slot, index, compared));
        let field = self.layout().slots[slot.index()].field;
        let largest = *growth.largest.entry(field).or_insert_with(|| Some(self.extremes(slot)?.0));
        let is_larger = |largest: &i128| is_first && trials.others.last().is_some_and(|other| other < largest);
        if let Some(largest) = largest.filter(is_larger) {
            return self.layout().index_of_number(slot, largest).into_iter().collect();
        }
        let pairs = trials.others.iter().zip(trials.others.iter().skip(1));
        let between = pairs.map(|(one, &other)| one.saturating_add_unsigned(one.abs_diff(other) / 2));
        let beside = trials.others.iter().flat_map(|other| [other.checked_add(1), other.checked_sub(1), Some(*other)]);
        let mut suggested = Vec::new();
        for number in between.chain(beside.flatten()) {
            self.choices_mut().admit(slot, number);
            suggested.extend(self.layout().index_of_number(slot, number));
        }
        suggested
    }

    /// Keeps the new objects: the link to them, and every later choice in them.
    fn keep_new(
        &mut self,
        depth: usize,
        fault: &Fault,
        (link, index, before): (SlotId, u32, Option<u32>),
        mended: &mut Mended,
    ) {
        self.choices_mut().want(link, Some(index));
        let choices = (depth + 1..self.choices().depth()).map(|at| self.choices().at(at));
        let new: Vec<(SlotId, u32)> = choices.filter(|&(slot, _)| self.choices().is_open(slot)).collect();
        self.keep(fault, link, index, before, mended);
        for (slot, index) in new {
            self.choices_mut().want(slot, Some(index));
            mended.note(slot, index, None);
        }
    }
}
