//! One run of a table's calls on fresh parts: answers the reads of slots and the calls that the bodies make.
//!
//! # Safety argument
//! While lifted code runs, the solver is used only through the pointer that `calls::watch` was given, by `Watcher::answer`
//! and `Watcher::read`, which run no lifted code and return before the next of them begins.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use smallvec::SmallVec;

use super::places::Places;
use super::shape::{Holds, Shape};
use super::solver::{MethodNote, Solver, Subject};
use super::table::{
    CallList, CallObject, Decision, InnerCall, NodeId, Objects, OutcomeId, Pending, RecordedCall, Seen, TableId,
};
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::packed::Words;
use crate::predicate::calls::{self, Call, Packed, Watcher};
use crate::predicate::context;
use crate::slots::slot::UNASSIGNED;
use crate::slots::slot_handle::SlotHandle;

/// Why a run ended before its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It waits for a table, or for its number of objects.
    Deferred,
    /// It read a slot of an object that is not a part: its number in the list, and the offset of the slot.
    ReadElsewhere {
        object: u32,
        offset: u32,
    },
    /// The result of a method holds an object.
    ReturnsObject(usize),
    Abandoned(String),
}

/// What an object is in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Not reached.
    Free,
    /// A part of the table itself.
    Root,
    /// Reached by the run; its slots are decided by the run itself.
    Own,
    /// An object that the calls were given beside the parts: its number in the list.
    Elsewhere(u32),
    /// In a group of parts that calls were made on.
    Group(u32),
}

/// Parts that calls were made on.
struct Group {
    table: TableId,
    outcome: OutcomeId,
    objects: Objects,
}

/// The state of the run under way.
pub(super) struct Run {
    table: TableId,
    /// The number of objects that the run may have.
    most: u32,
    /// The nodes to follow, and how many were followed.
    path: Vec<NodeId>,
    at: usize,
    pub(super) node: NodeId,
    /// Per slot, its index.
    values: Vec<u32>,
    assigned: Vec<SlotHandle>,
    states: Vec<State>,
    touched: Vec<ObjectId>,
    /// Per class, how many objects are in use.
    reached: Vec<u32>,
    groups: Vec<Group>,
    end: Option<End>,
}

impl Run {
    pub(super) fn new(shape: &Shape) -> Self {
        Run {
            table: 0,
            most: 0,
            path: Vec::new(),
            at: 0,
            node: 0,
            values: vec![UNASSIGNED; shape.slots.len()],
            assigned: Vec::new(),
            states: vec![State::Free; shape.objects.len()],
            touched: Vec::new(),
            reached: vec![0; shape.classes.len()],
            groups: Vec::new(),
            end: None,
        }
    }

    fn clear(&mut self) {
        for slot in self.assigned.drain(..) {
            self.values[slot.id().index()] = UNASSIGNED;
            slot.erase();
        }
        for object in self.touched.drain(..) {
            self.states[object.index()] = State::Free;
        }
        self.reached.fill(0);
        self.groups.clear();
        self.end = None;
    }

    /// Takes the next object of a class, if there is one.
    fn take(&mut self, shape: &Shape, class: crate::model::ids::ClassId, state: State) -> Option<ObjectId> {
        let reached = &mut self.reached[class.index()];
        if *reached >= shape.classes[class.index()].count {
            return None;
        }
        let object = shape.object(class, *reached);
        *reached += 1;
        self.states[object.index()] = state;
        self.touched.push(object);
        Some(object)
    }

    fn assign(&mut self, slot: SlotHandle, index: u32) {
        slot.assign(index);
        self.values[slot.id().index()] = index;
        self.assigned.push(slot);
    }
}

impl Solver {
    /// Runs the calls of a table down to a node, and from there on with the first alternatives. Returns the results, and
    /// where the last begins.
    pub(super) fn make_run(
        &mut self,
        subject: &mut Subject<'_>,
        table: TableId,
        node: NodeId,
        most: u32,
    ) -> Result<(Words, usize), End> {
        let list = Rc::clone(&self.tables[table as usize].list);
        let objects = self.begin_run(table, node, most, &list)?;
        let arguments: SmallVec<[Packed; 1]> = list.calls.iter().map(|call| self.arguments(call, &objects)).collect();
        let Heap { engine, work, .. } = &mut *subject.heap;
        let (predicate, limits) = (subject.predicate, subject.limits);
        let this: *mut Solver = self;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: the solver outlives the guard, and is used only through the pointer meanwhile.
            let _watching = unsafe { calls::watch(this) };
            context::run(calls::read_watched, engine, work, limits, || {
                work.restart(false);
                let (mut results, mut last) = (Packed::of_results(), 0);
                if list.calls.is_empty() {
                    calls::enter_body();
                    results.push(u64::from(predicate()));
                }
                for (call, mut arguments) in list.calls.iter().zip(arguments) {
                    last = results.words.len();
                    call.run.run(&mut arguments, &mut results);
                }
                (results, last)
            })
        }));
        subject.heap.engine.take_stop();
        let end = self.run.end.take();
        let result = match (outcome, end) {
            (_, Some(end)) => Err(end),
            (Ok((results, last)), None) if results.objects.is_empty() && !results.is_opaque => {
                Ok((results.words, last))
            }
            (Ok(_), None) => {
                let last = list.calls.last().map_or(0, |call| std::ptr::from_ref(call.site).addr());
                Err(End::ReturnsObject(last))
            }
            (Err(payload), None) => Err(End::Abandoned(match payload.downcast_ref::<Stop>() {
                Some(_) => "a run of `rep_ok` cannot be completed".to_string(),
                None => "`rep_ok` panics".to_string(),
            })),
        };
        self.run.clear();
        result
    }

    /// Takes the objects of the calls, and assigns what is given.
    fn begin_run(&mut self, table: TableId, node: NodeId, most: u32, list: &CallList) -> Result<Objects, End> {
        let run = &mut self.run;
        (run.table, run.most, run.at, run.node) = (table, most, 0, 0);
        self.tables[table as usize].path(node, &mut run.path);
        let mut objects = Objects::new();
        for (number, object) in list.objects.iter().enumerate() {
            let state = if object.is_part { State::Root } else { State::Elsewhere(number as u32) };
            let Some(taken) = run.take(&self.shape, object.class, state) else {
                run.clear();
                return Err(End::Deferred);
            };
            objects.push(taken);
            for &(offset, index) in &object.given {
                let slot = self.places.handle(&self.shape, self.shape.slot(taken, offset));
                run.assign(slot, index);
            }
        }
        Ok(objects)
    }

    fn arguments(&self, call: &RecordedCall, objects: &Objects) -> Packed {
        let objects = call.objects.iter().map(|&(number, seen)| self.places.address(objects[number as usize], seen));
        Packed::new(call.words.clone(), objects.collect())
    }

    /// Ends the run.
    fn end(&mut self, end: End) -> ! {
        self.run.end = Some(end);
        context::raise(Stop::DeadEnd)
    }

    /// Follows the path, or makes a decision where it ends. Returns the alternative.
    fn decide(&mut self, decision: Decision) -> u32 {
        let (table, node) = (self.run.table, self.run.node);
        if let Some(&child) = self.run.path.get(self.run.at) {
            if self.decision(table, node) != decision {
                self.end(End::Abandoned("`rep_ok` reads other fields when it runs again".to_string()));
            }
            self.run.at += 1;
            self.run.node = child;
            return self.tables[table as usize].nodes[child as usize].alternative;
        }
        self.tables[table as usize].nodes[node as usize].decision = decision;
        let most = self.run.most;
        if !self.is_open(table, node, 0, most) {
            self.tables[table as usize].wait(most, Pending { node, alternative: 0, alone: false });
            self.end(End::Deferred);
        }
        self.tables[table as usize].wait(most, Pending { node, alternative: 1, alone: false });
        let child = self.child(table, node, 0);
        self.run.node = child;
        0
    }

    fn decide_slot(&mut self, handle: SlotHandle) {
        let slot = handle.id();
        self.places.note(handle);
        let holds = self.shape.slots[slot.index()].holds;
        let has_fresh = match holds {
            Holds::Values { .. } => false,
            Holds::Link { class, .. } => self.run.reached[class.index()] < self.shape.classes[class.index()].count,
        };
        let alternative = self.decide(Decision::Slot { slot, has_fresh });
        if let Holds::Link { nulls, class } = holds
            && alternative >= nulls
        {
            let ordinal = self.run.reached[class.index()];
            if self.run.take(&self.shape, class, State::Own).is_none() {
                self.end(End::Abandoned("an object is missing".to_string()));
            }
            return self.run.assign(handle, nulls + ordinal);
        }
        self.run.assign(handle, alternative);
    }

    /// Decides the production of a group of parts, so that its slots can be read.
    fn open(&mut self, number: u32) {
        let Group { table, outcome, ref objects } = self.run.groups[number as usize];
        let objects = objects.clone();
        let alternative = self.decide(Decision::Open { group: number, table, outcome });
        let leaf = self.tables[table as usize].outcomes[outcome as usize].leaves[alternative as usize];
        let production = self.production(table, leaf);
        let mut all = objects;
        for (object, info) in all.iter().zip(&self.tables[table as usize].list.objects) {
            if info.is_part {
                self.run.states[object.index()] = State::Own;
            }
        }
        for &class in &production.fresh {
            match self.run.take(&self.shape, class, State::Own) {
                Some(object) => all.push(object),
                None => self.end(End::Deferred),
            }
        }
        for &(object, offset, index) in &production.slots {
            let slot = self.shape.slot(all[object as usize], offset);
            let index = index.resolve(&self.shape, slot, &all);
            let handle = self.places.handle(&self.shape, slot);
            self.run.assign(handle, index);
        }
        for group in &production.groups {
            let objects: Objects = group.objects.iter().map(|&object| all[object as usize]).collect();
            self.add_group(group.table, group.outcome, objects);
        }
    }

    fn add_group(&mut self, table: TableId, outcome: OutcomeId, objects: Objects) {
        let number = self.run.groups.len() as u32;
        for (object, info) in objects.iter().zip(&self.tables[table as usize].list.objects) {
            if info.is_part {
                self.run.states[object.index()] = State::Group(number);
            }
        }
        self.run.groups.push(Group { table, outcome, objects });
    }

    /// Returns whether an object is a part: the run has reached it, and knows at most plain fields of it.
    fn is_part(&self, object: ObjectId) -> bool {
        let is_plain = |slot: SlotId| match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
            (UNASSIGNED, _) | (_, Holds::Values { .. }) => true,
            (index, Holds::Link { nulls, .. }) => index < nulls,
        };
        self.run.states[object.index()] == State::Own && self.shape.slots_of(object).all(is_plain)
    }

    fn note(&mut self, site: &'static calls::CallSite) -> &mut MethodNote {
        let note = self.notes.entry(std::ptr::from_ref(site).addr()).or_default();
        (note.name, note.line) = (site.name, site.line);
        note
    }

    fn refuse(&mut self, site: &'static calls::CallSite, why: String) {
        let note = self.note(site);
        match note.refused.iter_mut().find(|(known, _)| *known == why) {
            Some((_, times)) => *times += 1,
            None => note.refused.push((why, 1)),
        }
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
                (calls, objects.clone(), list.objects.clone())
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
            words: call.arguments.words.clone(),
            objects: positions,
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
            self.refuse(call.site, "it reads a field outside its part that is not decided before".to_string());
            return None;
        };
        let (table, was_there) = self.table(list);
        let note = self.note(call.site);
        note.tables += u64::from(!was_there);
        note.hits += u64::from(was_there);
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
    fn answer(&mut self, call: Call) -> Option<Packed> {
        let site = std::ptr::from_ref(call.site).addr();
        if let Some(opaque) = call.opaque {
            self.refuse(call.site, format!("it takes or returns `{opaque}`"));
            return None;
        }
        if call.arguments.is_opaque || self.refused.contains(&site) {
            let why = match call.arguments.is_opaque {
                true => "it takes a vector of the structure, or a value and a part of it",
                false => "it returns a part, or a reference",
            };
            self.refuse(call.site, why.to_string());
            return None;
        }
        let places: &Places = &self.places;
        let found: Option<SmallVec<[(ObjectId, Seen); 2]>> =
            call.arguments.objects.iter().map(|&object| places.object(object)).collect();
        let Some(found) = found else {
            self.refuse(call.site, "it takes a class that lies in another one by value".to_string());
            return None;
        };
        let group = self.parts_of(&found)?;
        if self.leads_into(&call, &found) {
            self.refuse(call.site, "it takes a reference to a field beside the object that has it".to_string());
            return None;
        }
        let number = match self.repeated(&call, &found) {
            Some(number) => number,
            None if self.run.path.len() > self.run.at => return None,
            None => self.new_call(&call, &found, group)?,
        };
        let alternative = self.decide(Decision::Call(number));
        let InnerCall { table, continuation, group, ref objects, .. } =
            self.tables[self.run.table as usize].calls[number as usize];
        let objects = objects.clone();
        let outcome = self.tables[table as usize].continued[continuation as usize][alternative as usize];
        if (group as usize) < self.run.groups.len() {
            self.run.groups[group as usize] = Group { table, outcome, objects };
        } else {
            self.add_group(table, outcome, objects);
        }
        let known = &self.tables[table as usize].outcomes[outcome as usize];
        Some(Packed::new(Words::from_slice(&known.words[known.last..]), SmallVec::new()))
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
}
