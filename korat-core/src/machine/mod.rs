//! What a lowered predicate runs on. `#[rep_ok]` writes one closure, `loop { match pc { .. } }`, whose blocks are statements of
//! the user's; this is its activation records, its locals, and its conversation with the search.

mod explain;
mod frame;
mod local;
mod owned;
mod plain;
mod probe;
mod profile;
mod profile_text;
mod taken;
mod tried;

pub(crate) use explain::Reentries;
pub use explain::{BlockInfo, Explanation, MachineInfo, NO_BLOCK, Statement, block};
pub use frame::Frames;
pub use local::{Lend, Local, Look, Receive, moved};
pub use probe::{
    AnyType, Clonable, Itself, Locked, NotClonable, NotRestorable, Opaque, Probe, Restorable, Target, Translucent,
    Unlocked, ends_early, passing,
};
pub(crate) use profile::Profiler;
pub use profile::{Profile, ProfiledField, ProfiledLine, ReadLast};
pub use taken::{
    Captured, CapturedAny, CapturedCopy, CapturedMut, Taken, TakenAny, TakenInto, TakenIterator, TakenOption, TakenOrd,
    TakenPlain,
};
pub use tried::{FromResidual, Tried};

use crate::ambient::{self, Stop};
use crate::engine::Engine;
use crate::undo::Workspace;

/// A lowered predicate on one object.
pub struct Machine {
    run: Box<dyn FnMut(&mut Control) -> bool>,
    pub(crate) info: MachineInfo,
    /// The type of a local whose changes going back might miss, if there is one.
    pub(crate) unrestorable: Option<&'static str>,
}

impl Machine {
    /// A machine of generated code.
    pub fn new(info: MachineInfo, run: impl FnMut(&mut Control) -> bool + 'static) -> Self {
        Machine { run: Box::new(run), info, unrestorable: None }
    }

    /// Notes a type whose changes going back might miss, so that the predicate is run as it was lifted.
    pub fn note_unrestorable(&mut self, type_name: Option<&'static str>) {
        self.unrestorable = self.unrestorable.or(type_name);
    }

    /// Runs from a label on to the end, or over rejected candidates to one that is not simply rejected.
    #[inline]
    pub(crate) fn run(&mut self, mut control: Control) -> bool {
        (self.run)(&mut control)
    }
}

/// What the blocks of a machine say to the search.
pub struct Control {
    engine: *mut Engine,
    work: *mut Workspace,
    label: u32,
    /// The steps that a candidate may take.
    steps: u64,
}

impl Control {
    /// A run from `label` on.
    #[inline]
    pub(crate) fn new(engine: *mut Engine, work: *mut Workspace, label: u32, steps: u64) -> Self {
        Control { engine, work, label, steps }
    }

    /// The block to begin with.
    #[inline(always)]
    pub fn start(&self) -> u32 {
        self.label
    }

    /// The predicate has ended. Where it has rejected, the machine goes on with the next candidate at the block that this
    /// gives, as long as nobody wants to look; otherwise the search decides what comes next.
    #[inline(always)]
    pub fn finish(&mut self, accepted: bool) -> Option<u32> {
        if accepted {
            return None;
        }
        // SAFETY: the workspace is that of the running search, and nobody else uses it while this runs; the search has a heap.
        unsafe {
            let work = &mut *self.work;
            if work.retry() {
                ambient::begin_candidate(self.steps);
                return Some(work.label());
            }
        }
        finish_slowly(self.engine, self.work, self.steps)
    }

    /// The same for a block of the outermost activation that has rejected: whether the machine goes on with the next candidate
    /// at this very block.
    #[inline(always)]
    pub fn again(&mut self, label: u32) -> bool {
        // SAFETY: as in `finish`.
        unsafe {
            let work = &mut *self.work;
            let again = work.retry_in_frame();
            if again {
                debug_assert!(work.label() == label, "[korat internal bug] another block is running");
                ambient::begin_candidate(self.steps);
            }
            again
        }
    }

    /// A statement begins that may make choices: they re-enter this block.
    #[inline(always)]
    pub fn at(&mut self, label: u32) {
        // SAFETY: the workspace is that of the running search, and nobody else uses it while this runs.
        unsafe { (*self.work).at(label) };
    }
}

/// Goes on with the next candidate where that takes more than another value of the last choice.
#[inline(never)]
fn finish_slowly(engine: *mut Engine, work: *mut Workspace, steps: u64) -> Option<u32> {
    // SAFETY: engine and workspace are those of the running search, and nobody else uses them while this runs.
    let (engine, work) = unsafe { (&mut *engine, &mut *work) };
    if !work.is_quick() || engine.unread_offer().is_some() || engine.counters.explored >= engine.look_at {
        return None;
    }
    ambient::begin_candidate(steps);
    engine.counters.explored += 1;
    let Some(choice) = engine.advance_and_find(0) else {
        engine.exhausted = true;
        return None;
    };
    Some(work.resume(choice))
}

/// A local holds something that must be dropped: the predicate cannot be a machine, and is run as it was lifted.
#[cold]
#[inline(never)]
pub(crate) fn unfit(type_name: &'static str) -> ! {
    ambient::raise(Stop::Unfit { type_name })
}
