//! Brings a run to a node. What was decided on the path there is applied before anything runs: the predicate finds the slots
//! assigned, and makes the calls on the path again, which get the same answers as before.

use std::rc::Rc;

use smallvec::SmallVec;

use super::nodes::{Decision, InnerCall, LastDecision, Node, NodeId, Objects, Outcome, OutcomeId, SetsLeft, TableId};
use super::run::{CallOnPath, End, Group, State};
use super::shape::Holds;
use super::solver::Solver;
use super::tangled::{self, Other};
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::Call;

impl Solver {
    /// Applies the decisions on the path from the root of the run's table to a node.
    pub(super) fn follow(&mut self, to: NodeId) -> Result<(), End> {
        let table = self.run.table;
        let mut path = std::mem::take(&mut self.run.path);
        self.tables[table as usize].path(to, &mut path);
        self.run.node = to;
        let applied = path.iter().try_for_each(|&(parent, alternative)| {
            let Node { decision, asked, .. } = self.tables[table as usize].nodes[parent as usize];
            self.run.asked_before = asked;
            if let Decision::Call(number) = decision {
                let outcome = self.make_call(number, alternative);
                self.run.calls.push(CallOnPath { asked, table, number, outcome });
                return Ok(());
            }
            self.apply_decision(decision, alternative)
        });
        self.run.path = path;
        applied
    }

    /// Applies what was decided.
    pub(super) fn apply_decision(&mut self, decision: Decision, alternative: u32) -> Result<(), End> {
        match decision {
            Decision::Slot { slot, has_fresh, others } => self.choose(slot, has_fresh, others, alternative),
            Decision::Call(number) => {
                self.make_call(number, alternative);
                Ok(())
            }
            Decision::Open { group, table, outcome } => {
                let leaf = self.tables[table as usize].leaves[outcome as usize][alternative as usize];
                self.open_as(self.run.groups_before + group, table, leaf.last)
            }
            Decision::Unknown | Decision::Rest(_) | Decision::Leaf(_) => {
                unreachable!("[korat internal bug] there is nothing to decide")
            }
        }
    }

    /// Assigns a slot.
    fn choose(&mut self, slot: SlotId, has_fresh: bool, others: u32, alternative: u32) -> Result<(), End> {
        let handle = self.places.handle(&self.shape, slot);
        let mut index = alternative;
        if let Holds::Link { nulls, class } = self.shape.slots[slot.index()].holds
            && alternative >= nulls
        {
            let other = (alternative - nulls).checked_sub(u32::from(has_fresh));
            let other = other.map(|number| tangled::other(&self.run, others, number));
            index = nulls + self.run.reached[class.index()];
            if let Some(other) = &other {
                self.note_other(slot, other);
            }
            if let Some(Other::Known(object)) = other {
                index = nulls + object.0 - self.shape.classes[class.index()].first_object;
            } else {
                let state = if other.is_some() { State::Stranger } else { State::Own };
                let taken = self.run.take(&self.shape, class, state);
                taken.ok_or_else(|| End::Abandoned("an object is missing".to_string()))?;
            }
        }
        self.run.assign(handle, index);
        Ok(())
    }

    /// Returns the outcome that is an alternative of a call.
    pub(super) fn outcome_of(&self, call: &InnerCall, alternative: u32) -> OutcomeId {
        let outcome = self.tables[call.table as usize].alternative(call.continuation, alternative);
        outcome.expect("[korat internal bug] an outcome is chosen that is not known")
    }

    /// Gives the parts of a call an outcome, and returns it.
    fn make_call(&mut self, number: u32, alternative: u32) -> OutcomeId {
        let call = &self.tables[self.run.table as usize].calls[number as usize];
        let InnerCall { table, group, ref objects, ref parts, .. } = *call;
        let outcome = self.outcome_of(call, alternative);
        let Outcome { sets, is_tangled, .. } = self.tables[table as usize].outcomes[outcome as usize];
        let has_ghosts = sets == SetsLeft::Ghosts;
        self.run.is_tangled |= is_tangled;
        self.run.is_open |= is_tangled;
        let new = Group { table, outcome, objects: Rc::clone(objects), has_ghosts };
        match self.run.groups.get_mut((self.run.groups_before + group) as usize) {
            Some(known) => *known = new,
            None => self.run.add_group(new, parts),
        }
        outcome
    }

    /// Applies a production of a group of parts.
    fn open_as(&mut self, group: u32, table: TableId, leaf: LastDecision) -> Result<(), End> {
        let mut all = Objects::from_slice(&self.run.groups[group as usize].objects);
        let production = self.production(table, leaf);
        self.run.has_opened = true;
        for part in self.tables[table as usize].list.parts(&all) {
            self.run.states[part.index()] = State::Own;
        }
        for &class in &production.fresh {
            all.push(self.run.take(&self.shape, class, State::Own).ok_or(End::Deferred)?);
        }
        for &(object, offset, index) in &production.slots {
            let slot = self.shape.slot(all[object as usize], offset);
            let index = index.resolve(&self.shape, slot, &all);
            let handle = self.places.handle(&self.shape, slot);
            self.run.assign(handle, index);
        }
        for group in &production.groups {
            let objects: Rc<[ObjectId]> = group.objects.iter().map(|&object| all[object as usize]).collect();
            // Sets that have objects in it are gone: they are not among the results of the part's calls.
            let parts: Objects = self.tables[group.table as usize].list.parts(&objects).collect();
            let new = Group { table: group.table, outcome: group.outcome, objects, has_ghosts: false };
            self.run.add_group(new, &parts);
        }
        Ok(())
    }

    /// Answers a call that runs before have made, too. Those that were run then are run again: the slots that are assigned now
    /// may not have been then.
    pub(super) fn answer_again(&mut self, call: &mut Call) -> bool {
        let Some(&CallOnPath { asked, table, number, outcome }) = self.run.calls.get(self.run.answered) else {
            return false;
        };
        if asked != self.run.asked {
            return false;
        }
        if !call.arguments.sets.is_empty() {
            let objects = call.arguments.objects.iter().filter_map(|&object| self.places.object(object));
            let mut found: SmallVec<_> = objects.collect();
            self.write_sets(call, &mut found);
        }
        let known = self.tables[table as usize].calls[number as usize].fingerprint;
        if InnerCall::fingerprint(call) != known {
            self.end(End::differs());
        }
        self.run.answered += 1;
        self.write_answer(call, table, number, outcome);
        true
    }

    /// Writes the result of a call that a table has in the place of its arguments.
    pub(super) fn write_answer(&self, call: &mut Call, of: TableId, number: u32, outcome: OutcomeId) {
        let InnerCall { table, ref objects, .. } = self.tables[of as usize].calls[number as usize];
        let Outcome { answer, sets, .. } = self.tables[table as usize].outcomes[outcome as usize];
        call.arguments.replace(self.words.get(answer));
        if sets != SetsLeft::None {
            self.complete_sets(&mut call.arguments, objects);
        }
    }
}
