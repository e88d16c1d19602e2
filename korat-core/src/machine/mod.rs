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
pub(crate) use probe::drops_unnoticed;
pub use probe::{
    AnyType, Clonable, Itself, Locked, NotClonable, NotRestorable, Opaque, Probe, Restorable, Target, Translucent,
    Unlocked, ends_early, passing,
};
pub(crate) use profile::Profiler;
pub use profile::{Profile, ProfiledField, ProfiledLine, ReadLast};
pub use taken::{
    Captured, CapturedAny, CapturedCopy, CapturedMut, Taken, TakenAny, TakenInto, TakenIterator, TakenObject,
    TakenOption, TakenOrd, TakenPlain,
};
pub use tried::{FromResidual, Tried};

use crate::ambient::{self, Limits, Stop, Unfit};
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
    pub(crate) fn run(&mut self, engine: &mut Engine, work: &Workspace, label: u32, limits: Limits) -> bool {
        ambient::run(engine, work, limits, || {
            let (engine, work) = ambient::running();
            (self.run)(&mut Control { engine, work, label, steps: limits.steps })
        })
    }
}

/// What the blocks of a machine say to the search.
pub struct Control {
    engine: *mut Engine,
    work: *const Workspace,
    label: u32,
    /// The steps that a candidate may take.
    steps: u64,
}

impl Control {
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
        let work = self.work();
        if work.retry() {
            ambient::begin_candidate(self.steps);
            return Some(work.label());
        }
        finish_slowly(self.engine, self.work, self.steps)
    }

    /// The same for a block of the outermost activation that has rejected: whether the machine goes on with the next candidate
    /// at this very block.
    #[inline(always)]
    pub fn again(&mut self, label: u32) -> bool {
        let work = self.work();
        let again = work.retry_in_frame();
        if again {
            debug_assert!(work.label() == label, "[korat internal bug] another block is running");
            ambient::begin_candidate(self.steps);
        }
        again
    }

    /// A statement begins that may make choices: they re-enter this block.
    #[inline(always)]
    pub fn at(&mut self, label: u32) {
        self.work().at(label);
    }

    /// The workspace of the running search.
    #[inline(always)]
    fn work(&self) -> &Workspace {
        // SAFETY: `Machine::run` made this of pointers that are good while the machine runs; the workspace is shared.
        unsafe { &*self.work }
    }
}

/// Goes on with the next candidate where that takes more than another value of the last choice. Not by way of `Control`, which the machine
/// keeps in registers as long as nobody else can change it.
#[inline(never)]
fn finish_slowly(engine: *mut Engine, work: *const Workspace, steps: u64) -> Option<u32> {
    // SAFETY: `Machine::run` made a `Control` of pointers that are good while the machine runs. No block runs now, and so no read of a slot
    // that uses the engine; going back runs undo functions, which do not know it.
    let (engine, work) = unsafe { (&mut *engine, &*work) };
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

pub(crate) const NOT_RESTORED: &str = "which going back cannot restore";
const MAY_BE_CHANGED: &str =
    "of which korat cannot tell whether it is taken or changed by a method that has a name of std's";
const CAPTURED_BEFORE: &str = "which a closure may have captured before it was changed";
const DROPPED_EARLY: &str = "which would be dropped at another moment";

/// The predicate cannot be a machine, because of a local of this type, and is run as it was lifted.
#[cold]
#[inline(never)]
pub(crate) fn unfit(type_name: &'static str, why: &'static str) -> ! {
    ambient::raise(Stop::Unfit(Unfit { type_name, why }))
}
