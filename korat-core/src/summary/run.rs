//! One run of a table's calls on fresh parts: answers the reads of slots and the calls that the bodies make.
//!
//! # Safety argument
//! While lifted code runs, the solver is used only through the pointer that `calls::watch` was given, by `Watcher::answer`
//! and `Watcher::read`, which run no lifted code and return before the next of them begins.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use smallvec::SmallVec;

use super::explain;
use super::shape::{Holds, Shape};
use super::solver::{Solver, Subject};
use super::table::{CallList, Decision, NodeId, Objects, OutcomeId, Pending, RecordedCall, SetsLeft, TableId};
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::model::ids::{ClassId, ObjectId};
use crate::predicate::calls::packed::Words;
use crate::predicate::calls::{self, Packed};
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
    /// Calls of these methods cannot be answered, for this reason.
    Refused(Vec<usize>, &'static str),
    /// Calls of these methods ask for the size of a set of addresses.
    AsksLen(Vec<usize>),
    Abandoned(String),
}

/// What an object is in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
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
pub(super) struct Group {
    pub(super) table: TableId,
    pub(super) outcome: OutcomeId,
    pub(super) objects: Objects,
    /// Whether sets of the run have objects in it.
    pub(super) has_ghosts: bool,
}

/// The state of the run under way.
pub(super) struct Run {
    pub(super) table: TableId,
    /// The number of objects that the run may have.
    pub(super) most: u32,
    /// The nodes to follow, and how many were followed.
    pub(super) path: Vec<NodeId>,
    pub(super) at: usize,
    pub(super) node: NodeId,
    /// Per slot, its index.
    pub(super) values: Vec<u32>,
    pub(super) assigned: Vec<SlotHandle>,
    pub(super) states: Vec<State>,
    pub(super) touched: Vec<ObjectId>,
    /// Per class, how many objects are in use.
    pub(super) reached: Vec<u32>,
    pub(super) groups: Vec<Group>,
    pub(super) end: Option<End>,
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
    fn take(&mut self, shape: &Shape, class: ClassId, state: State) -> Option<ObjectId> {
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
    /// where the last begins, and what sets among them have.
    pub(super) fn make_run(
        &mut self,
        subject: &mut Subject<'_>,
        table: TableId,
        node: NodeId,
        most: u32,
    ) -> Result<(Words, usize, SetsLeft), End> {
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
        let site = |call: &RecordedCall| std::ptr::from_ref(call.site).addr();
        let result = match (outcome, end) {
            (_, Some(end)) => Err(end),
            (Ok((results, _)), None) if self.places.may_have_address(&results.words) => {
                Err(End::Refused(list.calls.iter().map(site).collect(), explain::ADDRESS))
            }
            (Ok((mut results, last)), None) => {
                let is_plain = results.objects.is_empty() && !results.is_opaque;
                let left = is_plain.then(|| self.write_left_sets(&mut results, last, &objects)).flatten();
                match left {
                    Some((last, left)) => Ok((results.words, last, left)),
                    None => {
                        let last = list.calls.last().map_or(0, site);
                        Err(End::Refused(vec![last], explain::RETURNS_PART))
                    }
                }
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
        let mut addresses = SmallVec::new();
        for &(number, seen) in &call.objects {
            addresses.push(self.places.address(objects[number as usize], seen));
        }
        Packed::new(Words::from_slice(&call.words), addresses)
    }

    /// Ends the run.
    pub(super) fn end(&mut self, end: End) -> ! {
        self.run.end = Some(end);
        context::raise(Stop::DeadEnd)
    }

    /// Follows the path, or makes a decision where it ends. Returns the alternative.
    pub(super) fn decide(&mut self, decision: Decision) -> u32 {
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

    pub(super) fn decide_slot(&mut self, handle: SlotHandle) {
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
    pub(super) fn open(&mut self, number: u32) {
        self.check_opened(number);
        let Group { table, outcome, ref objects, .. } = self.run.groups[number as usize];
        let objects = Objects::from_slice(objects);
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
            // Sets that have objects in it are gone: they are not among the results of the part's calls.
            self.add_group(group.table, group.outcome, objects, false);
        }
    }

    pub(super) fn add_group(&mut self, table: TableId, outcome: OutcomeId, objects: Objects, has_ghosts: bool) {
        let number = self.run.groups.len() as u32;
        for (object, info) in objects.iter().zip(&self.tables[table as usize].list.objects) {
            if info.is_part {
                self.run.states[object.index()] = State::Group(number);
            }
        }
        self.run.groups.push(Group { table, outcome, objects, has_ghosts });
    }
}
