//! The runtime of a lowered predicate: its activation records, its locals, and its interface to the search. `#[rep_ok]`
//! generates one closure, `loop { match pc { .. } }`, whose blocks are the user's statements.

pub(crate) mod early;
pub(crate) mod explain;
pub(crate) mod frame;
pub(crate) mod local;
pub(crate) mod plain;
pub(crate) mod probe;
pub(crate) mod profile;
pub(crate) mod profile_text;
pub(crate) mod receiver;
pub(crate) mod saved_by_clone;
pub(crate) mod try_operator;

use explain::MachineInfo;

use crate::engine::choice_stack::Engine;
use crate::engine::stop::{NotResumable, Stop};
use crate::model::settings::Limits;
use crate::predicate::caught_panics::panics_reject;
use crate::predicate::context;
use crate::predicate::undo::Workspace;
use crate::slots::chooser::Chooser;

/// A lowered predicate applied to one object.
pub struct Machine {
    run: Box<dyn FnMut(&mut Control<'_>) -> bool>,
    pub(crate) info: MachineInfo,
    /// The type of a local whose changes backtracking might miss, if there is one.
    pub(crate) unrestorable: Option<&'static str>,
}

impl Machine {
    /// Creates a machine from generated code.
    pub fn new(info: MachineInfo, run: impl FnMut(&mut Control<'_>) -> bool + 'static) -> Self {
        Machine { run: Box::new(run), info, unrestorable: None }
    }

    /// Makes a panic of the predicate reject the candidate.
    pub fn rejecting_panics(mut self) -> Self {
        let mut run = self.run;
        self.run = Box::new(move |control| panics_reject(|| run(control)));
        self
    }

    /// Records a type whose changes backtracking might miss; the lifted predicate then runs instead of the machine.
    pub fn note_unrestorable(&mut self, type_name: Option<&'static str>) {
        self.unrestorable = self.unrestorable.or(type_name);
    }

    /// Runs from the block `label` until the predicate accepts, or rejects a candidate that the machine may not skip by
    /// itself. Returns whether it accepted.
    #[inline]
    pub(crate) fn run(
        &mut self,
        chooser: Chooser,
        engine: &mut Engine,
        work: &Workspace,
        label: u32,
        limits: Limits,
    ) -> bool {
        context::run(chooser, engine, work, limits, || {
            let (engine, _) = context::running();
            (self.run)(&mut Control { engine, work, label, steps: limits.steps })
        })
    }
}

/// The interface of a machine's blocks to the search.
pub struct Control<'w> {
    engine: *mut Engine,
    work: &'w Workspace,
    label: u32,
    /// The step budget of one candidate.
    steps: u64,
}

impl Control<'_> {
    /// Returns the block to start at.
    #[inline(always)]
    pub fn start(&self) -> u32 {
        self.label
    }

    /// Ends the run on the current candidate. Returns the block at which the machine continues with the next candidate,
    /// or `None` if the search decides what comes next: the predicate accepted, or the search has to see the rejected
    /// candidate.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn finish(&mut self, accepted: bool) -> Option<u32> {
        if accepted {
            return None;
        }
        let work = self.work();
        if work.retry() {
            context::begin_candidate(self.steps);
            return Some(work.label());
        }
        finish_slow(self.engine, self.work, self.steps)
    }

    /// Handles a rejection in a block of the outermost activation. Returns whether the machine continues with the next
    /// candidate at this same block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn again(&mut self, label: u32) -> bool {
        let work = self.work();
        let again = work.retry_in_frame();
        if again {
            debug_assert!(work.label() == label, "[korat internal bug] another block is running");
            context::begin_candidate(self.steps);
        }
        again
    }

    /// Begins a statement that may make choices; they resume at this block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(&mut self, label: u32) {
        self.work().at(label);
    }

    /// Returns the workspace of the running search.
    #[inline(always)]
    fn work(&self) -> &Workspace {
        self.work
    }
}

/// Moves on to the next candidate when that takes more than another value of the last choice. Takes the parts of
/// `Control` instead of a reference to it: the machine keeps `Control` in registers as long as no other code can change
/// it.
#[inline(never)]
fn finish_slow(engine: *mut Engine, work: &Workspace, steps: u64) -> Option<u32> {
    // SAFETY: `Machine::run` made the `Control` from a pointer that is valid while the machine runs. No block runs now,
    // so no read of a slot uses the engine; backtracking runs undo functions, which do not know the engine.
    let engine = unsafe { &mut *engine };
    if !work.is_quick() || engine.unread_offer().is_some() || engine.counters.explored >= engine.return_at {
        return None;
    }
    context::begin_candidate(steps);
    engine.counters.explored += 1;
    let Some(choice) = engine.advance_and_find(0) else {
        engine.exhausted = true;
        return None;
    };
    Some(work.resume(choice))
}

pub(crate) const NOT_RESTORED: &str = "which backtracking cannot restore";
const MAY_BE_CHANGED: &str =
    "of which korat cannot tell whether a method with the name of a std method takes or changes it";
const CAPTURED_BEFORE: &str = "which a closure may have captured before it was changed";
const DROPPED_EARLY: &str = "which would be dropped at another moment";
const READ_BEFORE: &str = "which leads to a field that would be read at another moment";

/// Stops the machine because of a local of this type; the lifted predicate then runs instead.
#[cold]
#[inline(never)]
pub(crate) fn not_resumable(type_name: &'static str, why: &'static str) -> ! {
    context::raise(Stop::NotResumable(NotResumable { type_name, why }))
}
