//! What a lowered predicate runs on. `#[rep_ok]` writes one closure, `loop { match pc { .. } }`, whose blocks are statements of
//! the user's; this is its activation records, its locals, and its conversation with the search.

mod explain;
mod frame;
mod local;
mod owned;
mod probe;
mod tried;

pub(crate) use explain::Profile;
pub use explain::{Explanation, MachineInfo, NO_BLOCK, Statement, block};
pub use frame::Frames;
pub use local::{Lend, Local, Look, Pledge, Receive, moved};
pub use probe::{ChangesSeen, ChangesUnseen, Clonable, NotClonable, Probe, ends_early};
pub use tried::{FromResidual, Tried};

use crate::ambient::{self, Stop};
use crate::engine::Engine;
use crate::undo::Workspace;

/// A lowered predicate on one object.
pub struct Machine {
    run: Box<dyn FnMut(&mut Control) -> bool>,
    pub(crate) info: MachineInfo,
    /// The type of a local that may change where nobody sees it, if there is one.
    pub(crate) unseen: Option<&'static str>,
}

impl Machine {
    /// A machine of generated code.
    pub fn new(info: MachineInfo, run: impl FnMut(&mut Control) -> bool + 'static) -> Self {
        Machine { run: Box::new(run), info, unseen: None }
    }

    /// Notes a type whose changes cannot be seen, so that the predicate is run as it was lifted.
    pub fn note_unseen(&mut self, type_name: Option<&'static str>) {
        self.unseen = self.unseen.or(type_name);
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
        // SAFETY: engine and workspace are those of the running search, and nobody else uses them while this runs.
        let (engine, work) = unsafe { (&mut *self.engine, &mut *self.work) };
        if accepted {
            return None;
        }
        if !engine.advance_quickly() {
            return self.finish_slowly();
        }
        ambient::begin_candidate(self.steps);
        engine.counters.explored += 1;
        Some(work.resume_last())
    }

    #[inline(never)]
    fn finish_slowly(&mut self) -> Option<u32> {
        // SAFETY: as in `finish`.
        let (engine, work) = unsafe { (&mut *self.engine, &mut *self.work) };
        if !engine.is_quick() || engine.unread_offer().is_some() {
            return None;
        }
        ambient::begin_candidate(self.steps);
        engine.counters.explored += 1;
        if !engine.advance_slowly(0) {
            engine.exhausted = true;
            return None;
        }
        Some(work.resume(engine.depth()))
    }

    /// A statement begins that may make choices: they re-enter this block.
    #[inline(always)]
    pub fn at(&mut self, label: u32) {
        // SAFETY: the workspace is that of the running search, and nobody else uses it while this runs.
        unsafe { (*self.work).at(label) };
    }
}

/// A local holds something that must be dropped: the predicate cannot be a machine, and is run as it was lifted.
#[cold]
#[inline(never)]
pub(crate) fn unfit(type_name: &'static str) -> ! {
    ambient::raise(Stop::Unfit { type_name })
}
