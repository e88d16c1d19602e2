//! Which reads a run decides itself, and which calls it has answered: those on parts, whose other arguments are plain.

use smallvec::SmallVec;

use super::explain::{self, Why};
use super::places::Places;
use super::run::{End, Group, State};
use super::shape::Holds;
use super::solver::Solver;
use super::table::{CallList, CallObject, Decision, InnerCall, Objects, RecordedCall, Seen, SetsLeft};
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::packed::Words;
use crate::predicate::calls::{self, Call, SetLook, Watcher};
use crate::slots::slot::UNASSIGNED;
use crate::slots::slot_handle::SlotHandle;

impl Solver {
    /// Returns whether an object is a part: the run has reached it, and knows at most plain fields of it.
    fn is_part(&self, object: ObjectId) -> bool {
        let is_plain = |slot: SlotId| match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
            (UNASSIGNED, _) | (_, Holds::Values { .. }) => true,
            (index, Holds::Link { nulls, .. }) => index < nulls,
        };
        self.run.states[object.index()] == State::Own && self.shape.slots_of(object).all(is_plain)
    }

    /// Returns the objects of a call with the group that they belong to; `None` if the call is not one on parts.
    fn parts_of(&self, found: &[(ObjectId, Seen)]) -> Option<Option<u32>> {
        let mut group = None;
        for &(object, _) in found {
            if let State::Group(number) = self.run.states[object.index()] {
                if group.is_some_and(|known| known != number) {
                    return None;
                }
                group = Some(number);
            }
        }
        (group.is_some() || found.iter().any(|&(object, _)| self.is_part(object))).then_some(group)
    }

    /// Returns whether a method could find the place of a reference again, in a field of an object: the references that it is
    /// given lead to copies.
    fn leads_into(&self, call: &Call, found: &[(ObjectId, Seen)]) -> bool {
        let is_in = |address, object| self.places.is_in(address, self.shape.slots_of(object));
        call.arguments.references.iter().any(|to| found.iter().any(|&(object, _)| is_in(to.address, object)))
    }

    /// Returns whether the decision at the current node, to which the path leads, is that of this call.
    fn repeated(&self, call: &Call, found: &[(ObjectId, Seen)]) -> Option<u32> {
        self.run.path.get(self.run.at)?;
        let Decision::Call(number) = self.decision(self.run.table, self.run.node) else { return None };
        let InnerCall { table, objects, .. } = &self.tables[self.run.table as usize].calls[number as usize];
        let last = self.tables[*table as usize].list.calls.last()?;
        let same_objects = || {
            let known = last.objects.iter().map(|&(object, seen)| (objects[object as usize], seen));
            known.eq(found.iter().copied())
        };
        let is_same = std::ptr::eq(last.site, call.site) && last.words == call.arguments.words && same_objects();
        is_same.then_some(number)
    }

    /// Returns the objects of the calls on a group of parts, or on new parts, with one more call; `None` if something that the
    /// calls read beside the parts is not decided yet.
    fn list_of(&mut self, call: &Call, found: &[(ObjectId, Seen)], group: Option<u32>) -> Option<(CallList, Objects)> {
        let (mut calls, mut objects, mut infos) = match group {
            None => (Vec::new(), Objects::new(), Vec::new()),
            Some(number) => {
                let Group { table, objects, .. } = &self.run.groups[number as usize];
                let list = &self.tables[*table as usize].list;
                let calls = list.calls.iter().map(RecordedCall::again).collect();
                (calls, Objects::from_slice(objects), list.objects.clone())
            }
        };
        let mut positions = Vec::with_capacity(found.len());
        for &(object, seen) in found {
            let known = objects.iter().position(|known| *known == object);
            let position = known.unwrap_or_else(|| {
                let is_part = group.is_none() && self.is_part(object);
                let given = if is_part { self.given(object) } else { Vec::new() };
                let class = self.shape.objects[object.index()].class;
                infos.push(CallObject { class, is_part, given });
                objects.push(object);
                objects.len() - 1
            });
            positions.push((position as u32, seen));
        }
        calls.push(RecordedCall {
            site: call.site,
            run: call.run,
            words: Words::from_slice(&call.arguments.words),
            objects: positions,
            has_sets: !call.arguments.sets.is_empty(),
        });
        let mut list = CallList { calls, objects: infos };
        let context = self.contexts.get(&list.pattern()).cloned().unwrap_or_default();
        for (number, offset) in context {
            let object = objects[number as usize];
            let slot = self.shape.slot(object, offset);
            match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
                (UNASSIGNED, _) => match self.run.states[object.index()] {
                    State::Elsewhere(object) => self.end(End::ReadElsewhere { object, offset }),
                    _ => return None,
                },
                (index, Holds::Link { nulls, .. }) if index >= nulls => return None,
                (index, _) => {
                    let given = &mut list.objects[number as usize].given;
                    if !given.contains(&(offset, index)) {
                        given.push((offset, index));
                    }
                }
            }
        }
        Some((list, objects))
    }

    /// Returns the decided slots of an object.
    fn given(&self, object: ObjectId) -> Vec<(u32, u32)> {
        let decided = |slot: SlotId| {
            let index = self.run.values[slot.index()];
            (index != UNASSIGNED).then(|| (self.shape.offset(slot), index))
        };
        self.shape.slots_of(object).filter_map(decided).collect()
    }

    /// Makes the decision about a call that no run has made yet.
    fn new_call(&mut self, call: &Call, found: &[(ObjectId, Seen)], group: Option<u32>) -> Option<u32> {
        let Some((list, objects)) = self.list_of(call, found, group) else {
            self.refuse(call.site, Why::Told(explain::UNDECIDED));
            return None;
        };
        let (table, was_there) = self.table(list);
        self.treatment(call.site).hits += u64::from(was_there);
        self.effort.hits += u64::from(was_there);
        let before = group.map(|number| {
            let Group { table, outcome, .. } = self.run.groups[number as usize];
            (table, outcome)
        });
        let beginning: Box<[u64]> = before.map_or_else(Box::default, |(table, outcome)| {
            self.tables[table as usize].outcomes[outcome as usize].words.clone()
        });
        let continuation = self.tables[table as usize].continuation(&beginning);
        let group = group.unwrap_or(self.run.groups.len() as u32);
        let calls = &mut self.tables[self.run.table as usize].calls;
        calls.push(InnerCall { table, continuation, group, before, objects });
        Some(calls.len() as u32 - 1)
    }
}

impl Watcher for Solver {
    fn answer(&mut self, call: &mut Call) -> bool {
        let site = std::ptr::from_ref(call.site).addr();
        if let Some(opaque) = call.opaque {
            self.refuse(call.site, Why::Opaque(opaque));
            return false;
        }
        let refused = self.refused.get(&site).copied();
        let has_address = self.places.may_have_address(&call.arguments.words);
        let opaque = || call.arguments.is_opaque.then_some(explain::OPAQUE);
        if let Some(why) = refused.or_else(opaque).or(has_address.then_some(explain::ADDRESS)) {
            self.refuse(call.site, Why::Told(why));
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
        if !call.arguments.sets.is_empty() {
            self.check_ghosts_of(call, group);
            if !self.write_sets(call, &mut found) {
                self.refuse(call.site, Why::Told(explain::NO_OBJECT));
                return false;
            }
        }
        let number = match self.repeated(call, &found) {
            Some(number) => number,
            None if self.run.path.len() > self.run.at => return false,
            None => match self.new_call(call, &found, group) {
                Some(number) => number,
                None => return false,
            },
        };
        let alternative = self.decide(Decision::Call(number));
        let InnerCall { table, continuation, group, ref objects, .. } =
            self.tables[self.run.table as usize].calls[number as usize];
        let objects = Objects::from_slice(objects);
        let outcome = self.tables[table as usize].continued[continuation as usize][alternative as usize];
        let known = &self.tables[table as usize].outcomes[outcome as usize];
        call.arguments.replace(&known.words[known.last..]);
        let (has_sets, has_ghosts) = (known.sets != SetsLeft::None, known.sets == SetsLeft::Ghosts);
        if has_sets {
            self.complete_sets(&mut call.arguments, &objects);
        }
        if (group as usize) < self.run.groups.len() {
            self.run.groups[group as usize] = Group { table, outcome, objects, has_ghosts };
        } else {
            self.add_group(table, outcome, objects, has_ghosts);
        }
        true
    }

    fn read(&mut self, slot: SlotHandle) {
        let object = self.shape.slots[slot.id().index()].object;
        match self.run.states[object.index()] {
            State::Own | State::Root => self.decide_slot(slot),
            State::Elsewhere(object) => {
                let offset = self.shape.offset(slot.id());
                self.end(End::ReadElsewhere { object, offset });
            }
            State::Group(number) => {
                self.open(number);
                if self.run.values[slot.id().index()] == UNASSIGNED {
                    self.decide_slot(slot);
                }
            }
            State::Free => self.end(End::Abandoned("`rep_ok` reads an object that was not reached".to_string())),
        }
    }

    fn look_at_set(&mut self, what: SetLook) -> ! {
        self.look_at_set_of_run(what)
    }

    fn is_run(&mut self, site: &'static calls::CallSite, why: &'static str) {
        self.refuse(site, Why::Told(why));
    }
}
