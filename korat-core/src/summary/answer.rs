//! Which reads a run decides itself, and which calls it has answered: those on parts, whose other arguments are plain.

use std::rc::Rc;

use smallvec::SmallVec;

use super::call_list::{CallObject, LongerList, Seen};
use super::explain::{self, Why};
use super::nodes::{Decision, InnerCall, Objects, TableId};
use super::places::Places;
use super::run::{End, Group, State};
use super::shape::{Held, Holds};
use super::solver::Solver;
use super::words::NO_WORDS;
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::{self, Call, Packed, RestSite, SetLook, Watcher};
use crate::slots::slot::UNASSIGNED;
use crate::slots::slot_handle::SlotHandle;

impl Solver {
    /// Returns whether an object is a part: the run has reached it, and knows at most plain fields of it.
    pub(super) fn is_part(&self, object: ObjectId) -> bool {
        let is_plain = |slot: SlotId| match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
            (UNASSIGNED, _) | (_, Holds::Values { .. }) => true,
            (index, Holds::Link { nulls, .. }) => index < nulls,
        };
        self.run.states[object.index()] == State::Own
            && self.shape.slots_of(object).all(is_plain)
            && !self.has_other_reference(object)
    }

    /// Returns the objects of a call with the group that they belong to; `None` if the call is not one on parts.
    fn parts_of(&mut self, found: &[(ObjectId, Seen)]) -> Option<Option<u32>> {
        let mut group = None;
        for &(object, _) in found {
            match self.run.states[object.index()] {
                State::Group(number) => {
                    self.check_known(number);
                    // What a rest is about are no parts: something of them is decided.
                    let table = self.run.groups[number as usize].table;
                    if group.is_some_and(|known| known != number) || self.tables[table as usize].is_rest() {
                        return None;
                    }
                    group = Some(number);
                }
                State::Hidden => self.end(End::KnowsMore),
                State::Free | State::Root | State::Stranger | State::Own | State::Elsewhere(_) => {}
            }
        }
        (group.is_some() || found.iter().any(|&(object, _)| self.is_part(object))).then_some(group)
    }

    /// Returns whether a method could find the place of a reference again, in a field of an object: the references that it is
    /// given lead to copies.
    fn leads_into(&self, call: &Call, found: &[(ObjectId, Seen)]) -> bool {
        // A link to an object does not lie in a part, and a call that reads it is run. Nodes with parents are given with their parents.
        let is_read = |slot: &SlotId| match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
            (UNASSIGNED, _) | (_, Holds::Values { .. }) => true,
            (index, Holds::Link { nulls, .. }) => index < nulls || !self.shape.has_shared,
        };
        let is_in = |address, object| self.places.is_in(address, self.shape.slots_of(object).filter(is_read));
        call.arguments.references.iter().any(|to| found.iter().any(|&(object, _)| is_in(to.address, object)))
    }

    /// Returns the table of the calls on a group of parts, or on new parts, with one more call, whether it was there, and the objects
    /// of the calls; `None` if something that the calls read beside the parts is not decided yet.
    fn table_of(
        &mut self,
        call: &Call,
        found: &[(ObjectId, Seen)],
        group: Option<u32>,
    ) -> Option<(TableId, bool, Objects)> {
        let group = group.map(|number| &self.run.groups[number as usize]);
        let before = group.map(|group| Rc::clone(&self.tables[group.table as usize].list));
        let before = group.zip(before.as_deref()).map(|(group, list)| (group.table, list));
        let mut objects = group.map_or_else(Objects::new, |group| Objects::from_slice(&group.objects));
        let mut list =
            LongerList { before, call, positions: SmallVec::new(), objects: SmallVec::new(), read: Vec::new() };
        for &(object, seen) in found {
            let known = objects.iter().position(|known| *known == object);
            let position = known.unwrap_or_else(|| {
                let is_part = group.is_none() && self.is_part(object);
                let given = if is_part { self.given(object) } else { Vec::new() };
                list.objects.push(CallObject { class: self.shape.objects[object.index()].class, is_part, given });
                objects.push(object);
                objects.len() - 1
            });
            list.positions.push((position as u32, seen));
        }
        let context = if self.contexts.is_empty() { None } else { self.contexts.get(&list.pattern()) };
        for &(number, offset) in context.into_iter().flatten() {
            let object = objects[number as usize];
            let slot = self.shape.slot(object, offset);
            match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
                (UNASSIGNED, _) => match self.run.states[object.index()] {
                    State::Elsewhere(object) => self.end(End::ReadElsewhere { object, offset }),
                    _ => return None,
                },
                (index, Holds::Link { nulls, .. }) if index >= nulls => return None,
                (index, _) => {
                    // A field of a variant exists only there.
                    if offset != 0 && self.places.alternatives(object) > 1 {
                        list.read.push((number, 0, self.run.values[self.shape.slot(object, 0).index()]));
                    }
                    list.read.push((number, offset, index));
                }
            }
        }
        let mut key = std::mem::take(&mut self.key);
        list.key(&mut key);
        let known = self.index.get(&*key).copied();
        let table = known.unwrap_or_else(|| self.add_table(&key, list.to_list()));
        self.key = key;
        Some((table, known.is_some(), objects))
    }

    /// Returns the decided slots of an object.
    fn given(&self, object: ObjectId) -> Vec<(u32, Held)> {
        let decided = |slot: SlotId| {
            let index = self.run.values[slot.index()];
            (index != UNASSIGNED).then(|| (self.shape.offset(slot), Held::Index(index)))
        };
        self.shape.slots_of(object).filter_map(decided).collect()
    }

    /// Makes the decision about a call that no run has made yet.
    fn new_call(&mut self, call: &Call, found: &[(ObjectId, Seen)], group: Option<u32>) -> Option<u32> {
        let Some((table, was_there, objects)) = self.table_of(call, found, group) else {
            self.refuse(call.site, Why::Told(explain::UNDECIDED));
            return None;
        };
        self.treatment(call.site).hits += u64::from(was_there);
        self.effort.hits += u64::from(was_there);
        let before = group.map(|number| {
            let Group { table, outcome, .. } = self.run.groups[number as usize];
            (table, outcome)
        });
        let beginning =
            before.map_or(NO_WORDS, |(table, outcome)| self.tables[table as usize].outcomes[outcome as usize].results);
        let continuation = self.tables[table as usize].continuation(beginning);
        let group = group.unwrap_or(self.run.groups.len() as u32) - self.run.groups_before;
        let parts = self.tables[table as usize].list.parts(&objects).collect();
        let fingerprint = InnerCall::fingerprint(call);
        let call =
            InnerCall { table, continuation, group, before, objects: objects.as_slice().into(), parts, fingerprint };
        Some(self.tables[self.run.table as usize].call(call))
    }
}

impl Watcher for Solver {
    fn answer(&mut self, call: &mut Call) -> bool {
        self.run.asked += 1;
        let live = self.run.live.take();
        if let Some(opaque) = call.opaque {
            self.refuse(call.site, Why::Opaque(opaque));
            return false;
        }
        let refused = if self.refused.is_empty() { None } else { self.refused.get(&call.site.key()).copied() };
        let opaque = || call.arguments.is_opaque.then_some(explain::OPAQUE);
        if let Some(why) = refused.or_else(opaque) {
            self.refuse(call.site, Why::Told(why));
            return false;
        }
        if self.run.asked <= self.run.asked_before {
            return self.answer_again(call);
        }
        if self.places.may_have_address(&call.arguments.words) {
            self.refuse(call.site, Why::Told(explain::ADDRESS));
            return false;
        }
        let places: &Places = &self.places;
        let mut found: SmallVec<[(ObjectId, Seen); 2]> = SmallVec::new();
        for &object in &call.arguments.objects {
            let Some(object) = places.object(object) else {
                self.refuse(call.site, Why::Told(explain::BY_VALUE));
                return false;
            };
            found.push(object);
        }
        let Some(group) = self.parts_of(&found) else { return false };
        if self.leads_into(call, &found) {
            self.refuse(call.site, Why::Told(explain::FIELD_BESIDE));
            return false;
        }
        if self.shape.has_shared && !call.arguments.sets.is_empty() {
            self.refuse(call.site, Why::Told(explain::SET_SHARED));
            return false;
        }
        self.check_decided(&found, group);
        if !call.arguments.sets.is_empty() {
            self.check_ghosts_of(call, group);
            if !self.write_sets(call, &mut found) {
                self.refuse(call.site, Why::Told(explain::NO_OBJECT));
                return false;
            }
        }
        let Some(number) = self.new_call(call, &found, group) else { return false };
        let table = self.run.table;
        let outcome = match live.and_then(|live| self.rest_after(call, number, live)) {
            Some(rest) => self.decide_before_rest(number, rest),
            None => {
                self.decide_and_apply(Decision::Call(number));
                self.outcome_of(&self.tables[table as usize].calls[number as usize], 0)
            }
        };
        self.write_answer(call, table, number, outcome);
        true
    }

    fn read(&mut self, slot: SlotHandle) {
        let object = self.shape.slots[slot.id().index()].object;
        match self.run.states[object.index()] {
            State::Own | State::Root => self.decide_slot(slot),
            State::Stranger => self.read_stranger(slot),
            State::Elsewhere(_) if self.run.is_tangled && self.is_weak(slot.id()) => self.decide_slot(slot),
            State::Elsewhere(object) => {
                let offset = self.shape.offset(slot.id());
                self.end(End::ReadElsewhere { object, offset });
            }
            State::Hidden => self.end(End::KnowsMore),
            State::Group(number) => {
                self.open(number);
                // It may have been read by what followed a call: that is a group again.
                if self.run.values[slot.id().index()] == UNASSIGNED {
                    self.read(slot);
                }
            }
            State::Free => self.end(End::Abandoned("`rep_ok` reads an object that was not reached".to_string())),
        }
    }

    fn look_at_set(&mut self, what: SetLook) -> ! {
        self.look_at_set_of_run(what)
    }

    fn lives_on(&mut self, site: &'static RestSite, live: &Packed) {
        self.note_live(site, live);
    }

    fn is_run(&mut self, site: &'static calls::CallSite, why: &'static str) {
        self.run.live = None;
        self.refuse(site, Why::Told(why));
    }
}
