//! References that may lead to objects which something else owns: `Rc` and `Weak`.
//!
//! A value is a *tree* if each `Rc` owns its object alone, and each `Weak` leads to an object that the run which decides it knows.
//! Only trees have productions. Everything else is *tangled*, and runs show that the predicate rejects it: a tangled outcome has
//! no production, and summaries are given up if the root accepts one.
//!
//! Tangled runs must cover all values that are no trees, and may cover more. A run may hold a *stranger*, any object that it does
//! not know. What keeps it from covering too few values:
//!
//! - The objects of a run are different ones. A stranger may lie in a part that calls were made on, so none of these is opened
//!   after it (`check_opened_part`). Sets of addresses are neither passed nor returned, since they may have strangers.
//! - A stranger's plain fields may have any value, and what it owns is not read (`read_stranger`).
//! - Its `Weak`s may lead to any object but those that the run has reached itself. A stranger was reached before the run began, or
//!   below a part that calls were made on. In the first case, its `Weak`s were read then: whenever a call is answered, those of all
//!   objects that its caller has reached were read, the parts of the call aside (`check_decided`), and nothing but their owner
//!   leads to these (`has_other_reference`). In the second, they lead to objects below the part: of the objects that a call is
//!   given beside its parts, only a part's own `Weak` knows any in a tree (`is_in_tree`), and calls inside it are not given them
//!   again (`check_decided`).
//! - A `Weak` may be the first to lead to an object. After that, and after a call with a tangled outcome, a run is *open*: of some
//!   object that exists, nothing is known. Then no `Rc` is read, no call is answered, and a stranger's `Weak` may lead anywhere.
//! - An object has no more owned fields that nothing has read where its value counts as a tree (`ends_tangled`).

use super::call_list::Seen;
use super::nodes::{OutcomeId, TableId};
use super::run::{End, Run, State};
use super::shape::{Holds, Others, Shape};
use super::solver::{ROOT, Solver};
use crate::model::ids::{ClassId, ObjectId, SlotId};
use crate::model::settings::Limits;
use crate::slots::slot::UNASSIGNED;
use crate::slots::slot_handle::SlotHandle;

/// The bit of a new stranger among the objects that a slot may refer to; the others are positions in `Run::touched`.
const STRANGER: u32 = 31;

/// The most calls and loop rounds of a run, which take less than a millisecond. A run of a part has some dozens.
const MOST_STEPS: u64 = 1 << 16;

/// What a slot refers to as one of the alternatives after its nulls and its fresh object.
pub(super) enum Other {
    Known(ObjectId),
    Stranger,
}

/// Returns the position of the alternative with a number among those in a set.
pub(super) fn position(others: u32, number: u32) -> u32 {
    (0..number).fold(others, |rest, _| rest & rest.wrapping_sub(1)).trailing_zeros()
}

/// Returns the alternative with a number among those in a set.
pub(super) fn other(run: &Run, others: u32, number: u32) -> Other {
    match position(others, number) {
        STRANGER => Other::Stranger,
        at => Other::Known(run.touched[at as usize]),
    }
}

impl Solver {
    /// Begins one of the calls of the table. Ends the run if a caller never makes it, since what was before is no tree.
    pub(super) fn begin_call(&mut self, number: usize, calls: usize) {
        self.run.is_last_call = number + 1 == calls;
        if number > 0 && self.ends_tangled() {
            self.end(End::Deferred);
        }
    }

    /// Returns the limits of a run. It may go round in objects that no value has; the search, which is then done, tells whether
    /// `rep_ok` ends.
    pub(super) fn limits(&self, limits: Limits) -> Limits {
        if self.shape.has_shared { Limits { steps: limits.steps.min(MOST_STEPS), ..limits } } else { limits }
    }

    /// Returns which objects a slot may refer to, beside a fresh one. Ends the run if it may not be read.
    pub(super) fn others(&mut self, slot: SlotId) -> u32 {
        let shape = self.shape.slots[slot.index()];
        let Holds::Link { class, .. } = shape.holds else { return 0 };
        let holder = self.run.states[shape.object.index()];
        let is_own = matches!(holder, State::Own | State::Root);
        match shape.others {
            Others::None => return 0,
            Others::Shared if !is_own => self.end(End::tangled("looks into an object that something else may own")),
            Others::Shared if self.run.is_open => self.end(End::tangled("goes on after it has found a shared object")),
            Others::Shared | Others::Weak => {}
        }
        // Only an outcome that is a tree is followed by a call.
        let may_tangle = self.run.is_last_call || self.run.table == ROOT;
        let mut others = 0;
        for (at, &object) in self.run.touched.iter().enumerate() {
            let is_older = !matches!(self.run.states[object.index()], State::Own | State::Root);
            let is_reached = is_own || is_older || self.run.is_open;
            let is_candidate = is_reached && (may_tangle || self.is_in_tree(slot, object));
            if is_candidate && self.shape.objects[object.index()].class == class {
                if at as u32 >= STRANGER {
                    self.end(End::tangled("looks at too many objects at once"));
                }
                others |= 1 << at;
            }
        }
        // The run of the whole predicate knows all objects until calls have reached others; a `Weak` may be the first to mention one.
        let has_unknown = self.run.table != ROOT || !self.run.groups.is_empty() || shape.others == Others::Weak;
        let has_stranger =
            may_tangle && has_unknown && self.run.reached[class.index()] < self.shape.classes[class.index()].count;
        others | u32::from(has_stranger) << STRANGER
    }

    /// Notes that a slot refers to something that it does not own.
    pub(super) fn note_other(&mut self, slot: SlotId, to: &Other) {
        let is_in_tree = matches!(to, Other::Known(object) if self.is_in_tree(slot, *object));
        self.run.is_tangled |= !is_in_tree;
        // The object may be one that nothing has reached before, or one that no stranger's `Weak` may lead to.
        let is_of_run = self.is_of_run(self.shape.slots[slot.index()].object);
        self.run.is_open |= !is_in_tree && is_of_run && self.is_weak(slot);
    }

    /// Returns whether a slot of a tree may refer to an object that it does not own.
    fn is_in_tree(&self, slot: SlotId, to: ObjectId) -> bool {
        let holder = self.run.states[self.shape.slots[slot.index()].object.index()];
        self.is_weak(slot)
            && match self.run.states[to.index()] {
                State::Own | State::Root => matches!(holder, State::Own | State::Root),
                State::Elsewhere(_) => holder == State::Root,
                State::Group(_) | State::Stranger | State::Hidden | State::Free => false,
            }
    }

    /// Ends the run if the answer to a call could not be relied on.
    pub(super) fn check_decided(&mut self, found: &[(ObjectId, Seen)], group: Option<u32>) {
        if !self.shape.has_shared {
            return;
        }
        if self.run.is_open {
            self.end(End::tangled("goes on after it has found a shared object"));
        }
        let passes_on = |&(object, _): &(ObjectId, Seen)| match self.run.states[object.index()] {
            State::Stranger => true,
            State::Elsewhere(_) => self.shape.classes[self.shape.objects[object.index()].class.index()].has_weak,
            State::Free | State::Root | State::Own | State::Group(_) | State::Hidden => false,
        };
        if found.iter().any(passes_on) {
            self.end(End::tangled("passes on an object that it was given beside a part"));
        }
        let Run { touched, values, .. } = &self.run;
        let is_open =
            |slot: SlotId| values[slot.index()] == UNASSIGNED && self.shape.slots[slot.index()].others == Others::Weak;
        let is_part = |object: ObjectId| group.is_none() && self.is_part_of(found, object);
        let mut before = touched.iter().filter(|&&object| !is_part(object) && self.is_of_run(object));
        if before.any(|object| self.shape.slots_of(*object).any(is_open)) {
            self.end(End::tangled("reads a weak reference of an object only after a call on a part of it"));
        }
    }

    /// Reads a slot of any object that the run does not know: it may have any value.
    pub(super) fn read_stranger(&mut self, slot: SlotHandle) {
        let is_plain = matches!(self.shape.slots[slot.id().index()].holds, Holds::Values { .. });
        if !is_plain && !self.is_weak(slot.id()) {
            self.end(End::tangled("looks into an object that something else may own"));
        }
        self.decide_slot(slot);
    }

    /// Ends the run if a part may not be opened: of a tangled outcome nothing is known, and a stranger may be one of the objects in
    /// the part.
    pub(super) fn check_opened_part(&mut self, table: TableId, outcome: OutcomeId) {
        let has_stranger = || self.run.touched.iter().any(|object| self.run.states[object.index()] == State::Stranger);
        let is_tangled = self.tables[table as usize].outcomes[outcome as usize].is_tangled;
        if is_tangled || (self.shape.has_shared && has_stranger()) {
            self.end(End::tangled("looks into a part again after it has found a shared object"));
        }
    }

    pub(super) fn is_weak(&self, slot: SlotId) -> bool {
        self.shape.slots[slot.index()].others == Others::Weak
    }

    /// Returns whether an object is a part of a call.
    fn is_part_of(&self, found: &[(ObjectId, Seen)], object: ObjectId) -> bool {
        found.iter().any(|&(of_call, _)| of_call == object) && self.is_part(object)
    }

    fn is_of_run(&self, object: ObjectId) -> bool {
        matches!(self.run.states[object.index()], State::Own | State::Root)
    }

    /// Returns whether something beside its owner may refer to an object of the run.
    pub(super) fn has_other_reference(&self, object: ObjectId) -> bool {
        if !self.shape.has_shared {
            return false;
        }
        let refers = |slot: SlotId| refers(&self.shape, slot, self.run.values[slot.index()], object);
        self.run.assigned.iter().filter(|slot| refers(slot.id())).count() > 1
            || self.run.groups.iter().any(|group| group.objects.contains(&object))
    }

    /// Returns whether the value of the run's leaf may be something else than a tree.
    pub(super) fn ends_tangled(&self) -> bool {
        let Run { touched, values, .. } = &self.run;
        // What a box owns that nothing has read may refer to anything.
        let is_open = |slot: SlotId| {
            values[slot.index()] == UNASSIGNED && matches!(self.shape.slots[slot.index()].holds, Holds::Link { .. })
        };
        let is_unread = |object: &ObjectId| self.is_of_run(*object) && self.shape.slots_of(*object).any(is_open);
        self.run.is_tangled || (self.shape.has_shared && touched.iter().any(is_unread))
    }
}

/// Returns whether a slot that holds an index refers to an object.
fn refers(shape: &Shape, slot: SlotId, index: u32, object: ObjectId) -> bool {
    let Holds::Link { nulls, class } = shape.slots[slot.index()].holds else { return false };
    let to = |ordinal: u32| shape.object(class, ordinal);
    class_of(shape, object) == class && index.checked_sub(nulls).is_some_and(|ordinal| to(ordinal) == object)
}

fn class_of(shape: &Shape, object: ObjectId) -> ClassId {
    shape.objects[object.index()].class
}

impl End {
    pub(super) fn tangled(why: &str) -> Self {
        End::Abandoned(format!("something else may refer to its objects, and `rep_ok` {why}"))
    }
}
