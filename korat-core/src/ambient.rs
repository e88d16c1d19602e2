//! Which engine and which workspace the running predicate belongs to, how many steps it may still take and how deep it may
//! recurse. One set of cells per thread, filled by the searcher before it calls the predicate and put back when it returns.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr;

use crate::engine::Engine;
use crate::ids::{HeapId, SlotId};
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

thread_local! {
    static ENGINE: Cell<*mut Engine> = const { Cell::new(ptr::null_mut()) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static DEEPEST: Cell<usize> = const { Cell::new(0) };
    static WORK: Cell<*mut Workspace> = const { Cell::new(ptr::null_mut()) };
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

/// While this lives, slots on this thread ask `engine`.
pub(crate) struct Entered {
    engine: *mut Engine,
    steps: u64,
    deepest: usize,
}

pub(crate) fn enter(engine: *mut Engine, limits: Limits) -> Entered {
    let here = 0u8;
    let before = Entered { engine: ENGINE.get(), steps: STEPS.get(), deepest: DEEPEST.get() };
    ENGINE.set(engine);
    STEPS.set(limits.steps);
    DEEPEST.set(ptr::from_ref(&here).addr().saturating_sub(limits.stack));
    before
}

impl Drop for Entered {
    fn drop(&mut self) {
        ENGINE.set(self.engine);
        STEPS.set(self.steps);
        DEEPEST.set(self.deepest);
    }
}

/// While this lives, containers of a predicate on this thread lie in one workspace.
pub(crate) struct Working(*mut Workspace);

pub(crate) fn work_in(work: *mut Workspace) -> Working {
    Working(WORK.replace(work))
}

impl Drop for Working {
    fn drop(&mut self) {
        WORK.set(self.0);
    }
}

/// The workspace of the running predicate. It is valid, and used by nobody else than the running predicate.
#[inline(always)]
pub(crate) fn work() -> *mut Workspace {
    let work = WORK.get();
    if work.is_null() {
        no_workspace();
    }
    work
}

#[cold]
#[inline(never)]
fn no_workspace() -> ! {
    panic!(
        "a container of rep_ok was kept after it had returned, and is used outside a search; rep_ok must not keep any"
    )
}

/// Begins one run of the predicate: slots ask `engine`, containers lie in `work`, and the steps are counted anew. The pointers
/// must be as for `enter`; they are given again for every run, because the searcher uses both between them.
#[inline]
pub(crate) fn begin_run(engine: *mut Engine, work: *mut Workspace, limits: Limits) {
    ENGINE.set(engine);
    WORK.set(work);
    STEPS.set(limits.steps);
}

/// Another candidate of the same run: the steps are counted anew.
#[inline(always)]
pub(crate) fn begin_candidate(steps: u64) {
    STEPS.set(steps);
}

/// The slot that has to be decided before an unassigned one, if there is any.
#[inline]
pub(crate) fn first_to_decide(heap: HeapId, slot: SlotId) -> Option<(SlotId, Eraser)> {
    engine_of(heap).first_to_decide(slot)
}

/// The running engine, which is that of the heap.
#[inline]
fn engine_of<'e>(heap: HeapId) -> &'e mut Engine {
    let engine = ENGINE.get();
    assert!(
        !engine.is_null(),
        "a part of the structure was kept after rep_ok had returned, and is read outside a search; rep_ok must not keep any"
    );
    // SAFETY: `enter` was given a pointer that is valid, and used by nobody else, until its guard is dropped; the searcher
    // does not touch the engine while the predicate runs, and a machine only between two of its blocks.
    let engine = unsafe { &mut *engine };
    assert!(
        engine.heap() == heap,
        "a part of the structure was kept after rep_ok had returned, and is read in another search; rep_ok must not keep any"
    );
    engine
}

/// Asks the running engine for the index of an unassigned slot.
#[inline]
pub(crate) fn choose(heap: HeapId, slot: SlotId, eraser: Eraser) -> u32 {
    let engine = engine_of(heap);
    match engine.choose(slot, eraser) {
        Ok(index) => {
            STEPS.set(engine.limits().steps);
            // SAFETY: as for the engine.
            unsafe { (*work()).chosen(engine.depth()) };
            index
        }
        Err(stop) => raise(stop),
    }
}

/// Lifted code calls this once per loop round.
#[inline(always)]
pub fn step() {
    let left = STEPS.get();
    if left == 0 {
        raise(Stop::OutOfSteps);
    }
    STEPS.set(left - 1);
}

/// Lifted code calls this once per function call.
#[inline(always)]
pub fn call() {
    let here = 0u8;
    if ptr::from_ref(&here).addr() < DEEPEST.get() {
        raise(Stop::TooDeep);
    }
    step();
}

/// Ends the run of the predicate from inside.
#[cold]
#[inline(never)]
pub(crate) fn raise(stop: Stop) -> ! {
    let engine = ENGINE.get();
    if !engine.is_null() {
        // SAFETY: as in `choose`.
        unsafe { (*engine).note_stop(stop) };
    }
    resume_unwind(Box::new(stop))
}
