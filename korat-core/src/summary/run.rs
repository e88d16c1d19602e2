//! One run of a table's calls on fresh parts: answers the reads of slots and the calls that the bodies make.
//!
//! # Safety argument
//! While lifted code runs, the solver is used only through the pointer that `calls::watch` was given, by `Watcher::answer`
//! and `Watcher::read`, which run no lifted code and return before the next of them begins.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::call_list::{CallList, RecordedCall};
use super::explain;
use super::nodes::{Decision, NodeId, Objects, OutcomeId, Pending, SetsLeft, TableId};
use super::rests::Live;
use super::shape::{Holds, Others, Shape};
use super::solver::{Solver, Subject};
use super::ways::Product;
use super::words::WordsId;
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::model::ids::{ClassId, ObjectId};
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
    /// The rest of a body depends on more than its locals show.
    KnowsMore,
    /// It opens parts of a table whose leaves are known together: what `CallList::pattern` returns for it.
    Opens(Vec<usize>),
    Abandoned(String),
}

impl End {
    /// The end of a run that does something else than the runs before it on the same path.
    pub(super) fn differs() -> Self {
        End::Abandoned("`rep_ok` reads other fields when it runs again".to_string())
    }
}

/// What a run has found out.
pub(super) struct Ended {
    /// Where the last of its results begins.
    pub(super) last: usize,
    /// What sets among the results have.
    pub(super) sets: SetsLeft,
    /// What the values of the leaf are made of, and whether nothing is left of its objects that no run has read.
    pub(super) product: Product,
    pub(super) is_read: bool,
    /// Whether they are no trees.
    pub(super) is_tangled: bool,
}

/// What an object is in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not reached.
    Free,
    /// A part of the table itself.
    Root,
    /// Any object that the run does not know; see `tangled`.
    Stranger,
    /// Reached by the run; its slots are decided by the run itself.
    Own,
    /// An object that the calls were given beside the parts: its number in the list.
    Elsewhere(u32),
    /// In a group of parts that calls were made on.
    Group(u32),
    /// Unknown to the rest of the body that the run is about.
    Hidden,
}

/// A call that runs before have made on the path, and that the run makes again.
#[derive(Clone, Copy)]
pub(super) struct CallOnPath {
    /// The number of calls that are asked about, this one included.
    pub(super) asked: u32,
    /// The position in `Table::calls` of a table.
    pub(super) table: TableId,
    pub(super) number: u32,
    pub(super) outcome: OutcomeId,
}

/// Parts that calls were made on.
pub(super) struct Group {
    pub(super) table: TableId,
    pub(super) outcome: OutcomeId,
    pub(super) objects: Rc<[ObjectId]>,
    /// Whether sets of the run have objects in it.
    pub(super) has_ghosts: bool,
}

/// The state of the run under way.
pub(super) struct Run {
    /// The table whose calls are made.
    pub(super) executed: TableId,
    /// The table that the run finds something out for: the same, or that of the rest of a body.
    pub(super) table: TableId,
    /// The number of objects that the run may have, beside those that it begins with.
    pub(super) most: u32,
    /// The nodes from the root to before the one that the run begins at, and what was decided there.
    pub(super) path: Vec<(NodeId, u32)>,
    pub(super) node: NodeId,
    /// How many calls the run has asked about, and about how many runs before it have asked up to where the path ends.
    pub(super) asked: u32,
    pub(super) asked_before: u32,
    /// The calls on the path, and how many of them were answered again.
    pub(super) calls: Vec<CallOnPath>,
    pub(super) answered: usize,
    /// The results, and the arguments of each call of a table.
    pub(super) packed: Vec<Packed>,
    pub(super) packed_for: Option<TableId>,
    /// Per slot, its index.
    pub(super) values: Vec<u32>,
    pub(super) assigned: Vec<SlotHandle>,
    pub(super) states: Vec<State>,
    pub(super) touched: Vec<ObjectId>,
    /// Per class, how many objects are in use.
    pub(super) reached: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// How many objects were touched, and how many groups there were, where what the run finds out begins.
    pub(super) touched_before: u32,
    pub(super) groups_before: u32,
    /// Whether parts were opened.
    pub(super) has_opened: bool,
    /// Whether the value is no tree, and whether an object may exist of which a `Weak` is undecided; see `tangled`.
    pub(super) is_tangled: bool,
    pub(super) is_open: bool,
    /// Whether the last call of the table is under way.
    pub(super) is_last_call: bool,
    /// What the body uses after its next call.
    pub(super) live: Option<Live>,
    /// The results that the run is known to have.
    pub(super) expected: Option<WordsId>,
    pub(super) end: Option<End>,
}

impl Run {
    pub(super) fn new(shape: &Shape) -> Self {
        Run {
            executed: 0,
            table: 0,
            most: 0,
            path: Vec::new(),
            node: 0,
            asked: 0,
            asked_before: 0,
            calls: Vec::new(),
            answered: 0,
            packed: Vec::new(),
            packed_for: None,
            values: vec![UNASSIGNED; shape.slots.len()],
            assigned: Vec::new(),
            states: vec![State::Free; shape.objects.len()],
            touched: Vec::new(),
            reached: vec![0; shape.classes.len()],
            groups: Vec::new(),
            touched_before: 0,
            groups_before: 0,
            has_opened: false,
            is_tangled: false,
            is_open: false,
            is_last_call: false,
            live: None,
            expected: None,
            end: None,
        }
    }

    /// Returns whether the run is past everything that runs before it have found out.
    pub(super) fn is_past_path(&self) -> bool {
        self.answered == self.calls.len() && self.asked >= self.asked_before
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
        self.calls.clear();
        (self.live, self.expected) = (None, None);
        (self.has_opened, self.is_tangled, self.is_open, self.is_last_call) = (false, false, false, false);
        self.end = None;
    }

    /// Takes the next object of a class, if there is one.
    pub(super) fn take(&mut self, shape: &Shape, class: ClassId, state: State) -> Option<ObjectId> {
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

    /// Adds a group of parts.
    pub(super) fn add_group(&mut self, group: Group, parts: &[ObjectId]) {
        let number = self.groups.len() as u32;
        parts.iter().for_each(|part| self.states[part.index()] = State::Group(number));
        self.groups.push(group);
    }

    pub(super) fn assign(&mut self, slot: SlotHandle, index: u32) {
        slot.assign(index);
        self.values[slot.id().index()] = index;
        self.assigned.push(slot);
    }
}

impl Solver {
    /// Runs the calls of a table down to a node, and from there on with the first alternatives. Leaves the results in
    /// `Run::packed`.
    pub(super) fn make_run(
        &mut self,
        subject: &mut Subject<'_>,
        table: TableId,
        node: NodeId,
        most: u32,
    ) -> Result<Ended, End> {
        let ended =
            self.begin_run(table, node, most).and_then(|(list, objects)| self.run_calls(subject, &list, &objects));
        let result = ended.map(|(last, sets)| {
            let is_tangled = self.ends_tangled();
            let (product, is_read) = if is_tangled { (Product::OPEN, true) } else { self.product_of_run() };
            Ended { last, sets, product, is_read, is_tangled }
        });
        self.run.clear();
        result
    }

    fn run_calls(
        &mut self,
        subject: &mut Subject<'_>,
        list: &CallList,
        objects: &Objects,
    ) -> Result<(usize, SetsLeft), End> {
        let mut packed = self.pack(list, objects);
        let Heap { engine, work, .. } = &mut *subject.heap;
        let (predicate, limits) = (subject.predicate, self.limits(subject.limits));
        let this: *mut Solver = self;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: the solver outlives the guard, and is used only through the pointer meanwhile.
            let _watching = unsafe { calls::watch(this) };
            context::run(calls::read_watched, engine, work, limits, || {
                work.restart(false);
                let [results, arguments @ ..] = &mut *packed else {
                    unreachable!("[korat internal bug] a run has no place for its results")
                };
                let mut last = 0;
                if list.calls.is_empty() {
                    calls::enter_body();
                    results.push(u64::from(predicate()));
                }
                for (number, (call, arguments)) in list.calls.iter().zip(arguments).enumerate() {
                    last = results.words.len();
                    // SAFETY: the pointer is that of the solver, which nothing else uses between two calls.
                    unsafe { (*this).begin_call(number, list.calls.len()) };
                    call.run.run(arguments, results);
                }
                last
            })
        }));
        subject.heap.engine.take_stop();
        self.run.packed = packed;
        let site = |call: &RecordedCall| call.site.key();
        match (outcome, self.run.end.take()) {
            (_, Some(end)) => Err(end),
            (Ok(_), None) if !self.run.is_past_path() => Err(End::differs()),
            (Ok(_), None) if self.has_other_result() => Err(End::differs()),
            (Ok(_), None) if self.places.may_have_address(&self.run.packed[0].words) => {
                Err(End::Refused(list.calls.iter().map(site).collect(), explain::ADDRESS))
            }
            // What a run does not know may be in the set, and be one of the caller's objects.
            (Ok(_), None) if self.shape.has_shared && !self.run.packed[0].sets.is_empty() => {
                Err(End::Refused(list.calls.iter().map(site).collect(), explain::SET_SHARED))
            }
            // The words of a set say which of the objects of the calls it has.
            (Ok(_), None) if self.run.table != self.run.executed && !self.run.packed[0].sets.is_empty() => {
                Err(End::KnowsMore)
            }
            (Ok(last), None) => {
                let is_plain = self.run.packed[0].objects.is_empty() && !self.run.packed[0].is_opaque;
                let left = is_plain.then(|| self.write_left_sets(last, objects)).flatten();
                left.ok_or_else(|| {
                    let last = list.calls.last().map_or(0, site);
                    End::Refused(vec![last], explain::RETURNS_PART)
                })
            }
            (Err(payload), None) => Err(End::Abandoned(match payload.downcast_ref::<Stop>() {
                Some(_) => "a run of `rep_ok` cannot be completed".to_string(),
                None => "`rep_ok` panics".to_string(),
            })),
        }
    }

    /// Ends the run.
    pub(super) fn end(&mut self, end: End) -> ! {
        self.run.end = Some(end);
        context::raise(Stop::DeadEnd)
    }

    /// Returns whether the run has another result than it is known to have.
    fn has_other_result(&self) -> bool {
        self.run.expected.is_some_and(|expected| *self.words.get(expected) != *self.run.packed[0].words)
    }

    /// Makes a decision that no run has made. Returns the alternative.
    pub(super) fn decide(&mut self, decision: Decision) -> u32 {
        let Run { table, node, most, asked, expected, .. } = self.run;
        if !self.run.is_past_path() || expected.is_some() {
            self.end(End::differs());
        }
        let this = &mut self.tables[table as usize].nodes[node as usize];
        (this.decision, this.asked) = (decision, asked);
        if !self.is_open(table, node, 0, most) {
            self.put_off(decision);
        }
        self.tables[table as usize].wait(most, Pending { node, alternative: 1, alone: false });
        self.run.node = self.child(table, node, 0);
        0
    }

    /// Leaves all alternatives of a decision that no run has made to later, and ends the run.
    pub(super) fn put_off(&mut self, decision: Decision) -> ! {
        let Run { table, node, most, asked, .. } = self.run;
        let this = &mut self.tables[table as usize];
        (this.nodes[node as usize].decision, this.nodes[node as usize].asked) = (decision, asked);
        this.wait(most, Pending { node, alternative: 0, alone: false });
        self.end(End::Deferred)
    }

    /// Makes a decision that no run has made, and applies it.
    pub(super) fn decide_and_apply(&mut self, decision: Decision) {
        let alternative = self.decide(decision);
        if let Err(end) = self.apply_decision(decision, alternative) {
            self.end(end);
        }
    }

    pub(super) fn decide_slot(&mut self, handle: SlotHandle) {
        let slot = handle.id();
        self.places.note(handle);
        let has_fresh = match self.shape.slots[slot.index()].holds {
            Holds::Values { .. } => false,
            Holds::Link { class, .. } => self.run.reached[class.index()] < self.shape.classes[class.index()].count,
        };
        let has_fresh = has_fresh && self.shape.slots[slot.index()].others != Others::Weak;
        let others = if self.shape.has_shared { self.others(slot) } else { 0 };
        self.decide_and_apply(Decision::Slot { slot, has_fresh, others });
    }

    /// Decides the production of a group of parts, so that its slots can be read.
    pub(super) fn open(&mut self, number: u32) {
        self.check_known(number);
        self.check_opened(number);
        let Group { table, outcome, .. } = self.run.groups[number as usize];
        self.check_opened_part(table, outcome);
        self.check_leaves(table);
        let group = number - self.run.groups_before;
        self.decide_and_apply(Decision::Open { group, table, outcome });
    }

    /// Ends the run if it uses a group of parts that it does not know.
    pub(super) fn check_known(&mut self, group: u32) {
        if group < self.run.groups_before {
            self.end(End::KnowsMore);
        }
    }
}
