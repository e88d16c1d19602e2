//! Which engine and which workspace the running predicate belongs to, how many steps it may still take and how deep it may
//! recurse. One set of cells per thread, filled by the searcher before it calls the predicate and put back when it returns.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr;

use crate::engine::{Engine, Refusal};
use crate::error::MUST_NOT_KEEP;
use crate::ids::SlotId;
use crate::slot::Eraser;
use crate::undo::Workspace;

/// Why a run of the predicate was ended from inside; travels as an unwinding payload to the searcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// No value is left for a reference that may not be null.
    DeadEnd,
    /// The step limit was used up since the last new field.
    OutOfSteps,
    /// The stack limit was reached.
    TooDeep,
    /// Too many calls of a machine are under way.
    TooManyCalls { calls: u32 },
    /// Another slot was read first than the last time the same values were given.
    NotDeterministic { expected: SlotId, found: SlotId },
    /// A choice of the prefix has an index that no candidate has there.
    NoSuchPrefix { choice: usize, index: u32 },
    /// The predicate cannot run as a machine, because a local of its holds what must be dropped.
    Unfit { type_name: &'static str },
}

/// What the running predicate belongs to, and what it may still do.
struct Running {
    engine: Cell<*mut Engine>,
    work: Cell<*mut Workspace>,
    /// The steps that are left.
    steps: Cell<u64>,
    /// The lowest address that the stack may reach.
    deepest: Cell<usize>,
}

thread_local! {
    static RUNNING: Running = const {
        Running {
            engine: Cell::new(ptr::null_mut()),
            work: Cell::new(ptr::null_mut()),
            steps: Cell::new(0),
            deepest: Cell::new(0),
        }
    };
}

/// Limits on one run of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Loop rounds and calls without reading a new field.
    pub steps: u64,
    /// Bytes of native stack below the searcher's own frame.
    pub stack: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 10_000_000, stack: 1 << 20 }
    }
}

/// While this lives, slots on this thread ask one engine, and containers lie in one workspace.
pub(crate) struct Entered {
    engine: *mut Engine,
    work: *mut Workspace,
    steps: u64,
    deepest: usize,
}

#[inline]
pub(crate) fn enter(engine: *mut Engine, work: *mut Workspace, limits: Limits) -> Entered {
    let here = 0u8;
    RUNNING.with(|running| Entered {
        engine: running.engine.replace(engine),
        work: running.work.replace(work),
        steps: running.steps.replace(limits.steps),
        deepest: running.deepest.replace(ptr::from_ref(&here).addr().saturating_sub(limits.stack)),
    })
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        RUNNING.with(|running| {
            running.engine.set(self.engine);
            running.work.set(self.work);
            running.steps.set(self.steps);
            running.deepest.set(self.deepest);
        });
    }
}

/// While this lives, containers of a predicate on this thread lie in one workspace.
pub(crate) struct Working(*mut Workspace);

pub(crate) fn work_in(work: *mut Workspace) -> Working {
    Working(RUNNING.with(|running| running.work.replace(work)))
}

impl Drop for Working {
    fn drop(&mut self) {
        RUNNING.with(|running| running.work.set(self.0));
    }
}

/// The workspace of the running predicate. It is valid, and used by nobody else than the running predicate.
#[inline(always)]
pub(crate) fn work() -> *mut Workspace {
    let work = RUNNING.with(|running| running.work.get());
    if work.is_null() {
        no_workspace();
    }
    work
}

/// The label of the statement that runs on this thread, and how many have begun before it; none if no predicate does.
pub(crate) fn statement() -> Option<(u32, u64)> {
    let work = RUNNING.with(|running| running.work.get());
    // SAFETY: a workspace is valid as long as it is entered, and what is read of it are numbers that only this thread writes.
    let work = unsafe { work.as_ref() }?;
    Some((work.label(), work.epoch()))
}

#[cold]
#[inline(never)]
fn no_workspace() -> ! {
    panic!("a container of rep_ok was kept after it had returned, and is used outside a search; {MUST_NOT_KEEP}")
}

/// Begins one run of the predicate: slots ask `engine`, containers lie in `work`, and the steps are counted anew. The pointers
/// must be as for `enter`; they are given again for every run, because the searcher uses both between them.
#[inline]
pub(crate) fn begin_run(engine: *mut Engine, work: *mut Workspace, limits: Limits) {
    RUNNING.with(|running| {
        running.engine.set(engine);
        running.work.set(work);
        running.steps.set(limits.steps);
    });
}

/// Another candidate of the same run, or another field: the steps are counted anew.
#[inline(always)]
pub(crate) fn begin_candidate(steps: u64) {
    RUNNING.with(|running| running.steps.set(steps));
}

/// Asks the running engine for the value of an unassigned slot.
#[inline(never)]
pub(crate) fn choose(slot: Eraser) {
    if !choose_plainly(slot) {
        choose_slowly(slot);
    }
}

/// The same where nearly nothing has to be looked at, as in most of a repair.
#[inline(always)]
fn choose_plainly(slot: Eraser) -> bool {
    let (engine, work) = RUNNING.with(|running| (running.engine.get(), running.work.get()));
    if engine.is_null() {
        return false;
    }
    // SAFETY: as in `choose_slowly`.
    let (engine, work) = unsafe { (&mut *engine, &mut *work) };
    let is_chosen = engine.choose_plainly(slot, work);
    if is_chosen {
        begin_candidate(engine.limits.steps);
    }
    is_chosen
}

/// The same in general.
#[inline(never)]
fn choose_slowly(slot: Eraser) {
    let (engine, work) = RUNNING.with(|running| (running.engine.get(), running.work.get()));
    assert!(
        !engine.is_null(),
        "a part of the structure was kept after rep_ok had returned, and is read outside a search; {MUST_NOT_KEEP}"
    );
    // SAFETY: `enter` was given pointers that are valid, and used by nobody else, until its guard is dropped; the searcher
    // does not touch the engine while the predicate runs, and a machine only between two of its blocks. So it is with the
    // workspace, and there is one whenever there is an engine. The slot asks, so it is alive.
    let (engine, work, heap) = unsafe { (&mut *engine, &mut *work, slot.heap()) };
    assert!(
        engine.heap() == heap,
        "a part of the structure was kept after rep_ok had returned, and is read in another search; {MUST_NOT_KEEP}"
    );
    if engine.is_repairing() && engine.choose_as_it_was(slot, work) {
        return begin_candidate(engine.limits.steps);
    }
    if !work.reenters_here() {
        return choose_for_earlier(engine, work, slot);
    }
    match engine.choose(slot, work.now()) {
        Ok((index, plain_until)) => {
            begin_candidate(engine.limits.steps);
            work.chosen(slot, index, plain_until);
        }
        Err(Refusal::NotYet { first }) => choose_after(first, slot),
        Err(Refusal::Stop(stop)) => raise(stop),
    }
}

/// The same where the choice does not re-enter the statement that makes it.
#[cold]
#[inline(never)]
fn choose_for_earlier(engine: &mut Engine, work: &mut Workspace, slot: Eraser) {
    work.begin_earlier(engine.last_resume());
    choose(slot);
    // SAFETY: as in `choose`; what it was given there is not used any more.
    unsafe { (*self::work()).end_earlier() };
}

/// The same where another slot has to be decided first.
#[cold]
#[inline(never)]
fn choose_after(first: Eraser, slot: Eraser) {
    // SAFETY: the engine names slots of its own heap, which are alive.
    if !unsafe { first.take_offer() } {
        choose(first);
    }
    choose(slot);
}

/// Lifted code calls this once per loop round.
#[inline(always)]
pub fn step() {
    RUNNING.with(|running| {
        let left = running.steps.get();
        if left == 0 {
            return ask_for_steps();
        }
        running.steps.set(left - 1);
    });
}

/// The steps are used up: goes on if there are more.
#[cold]
#[inline(never)]
fn ask_for_steps() {
    let (engine, work) = RUNNING.with(|running| (running.engine.get(), running.work.get()));
    // SAFETY: as in `choose_slowly`.
    let (engine, work) = unsafe { (engine.as_mut(), work.as_ref()) };
    let takes_memory = work.is_some_and(Workspace::logs_each_statement);
    match engine.and_then(|engine| engine.more_steps(takes_memory)) {
        Some(steps) => begin_candidate(steps),
        None => raise(Stop::OutOfSteps),
    }
}

/// Lifted code calls this once per function call.
#[inline(always)]
pub fn call() {
    let here = 0u8;
    if ptr::from_ref(&here).addr() < RUNNING.with(|running| running.deepest.get()) {
        raise(Stop::TooDeep);
    }
    step();
}

/// Ends the run of the predicate from inside.
#[cold]
#[inline(never)]
pub(crate) fn raise(stop: Stop) -> ! {
    let (engine, work) = RUNNING.with(|running| (running.engine.get(), running.work.get()));
    if !engine.is_null() {
        // SAFETY: as in `choose`.
        unsafe { (*engine).note_stop(stop) };
    }
    if !work.is_null() {
        // SAFETY: as in `choose`.
        unsafe { (*work).set_quick(false) };
    }
    resume_unwind(Box::new(stop))
}
