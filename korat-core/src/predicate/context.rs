//! Thread-local context of the running predicate: its engine, its workspace, its remaining steps and its stack limit.
//! `run` fills the cells while a predicate runs and restores them when it returns.
//!
//! # Safety argument
//! The pointers are valid while they are set. `run` makes them from references that it holds until its closure has
//! returned or unwound, and then restores the previous ones; `enter_workspace` owns the workspace it points to. `run` borrows
//! the engine mutably, so nothing else can use it meanwhile, and every use of it goes through the pointer made there:
//! in this module for one operation at a time, and in `machine::Control` between two blocks. A `&mut Engine` made from
//! the pointer is never used after a call that may make another one, and is never an argument of such a call. The
//! workspace is used only through shared references, by any code at any time: all its state is in cells.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr;
use std::rc::Rc;

use super::undo::Workspace;
use crate::engine::choice_stack::{Engine, Refusal};
use crate::engine::stop::Stop;
use crate::model::error::MUST_NOT_KEEP;
use crate::model::settings::Limits;
use crate::slots::chooser::{self, Chooser};
use crate::slots::slot_handle::SlotHandle;

/// The state of the predicate that runs on this thread.
struct RunContext {
    engine: Cell<*mut Engine>,
    work: Cell<*mut Workspace>,
    /// Steps left in the budget of the current candidate.
    steps: Cell<u64>,
    /// Lowest address that the stack may reach.
    deepest: Cell<usize>,
}

thread_local! {
    static RUNNING: RunContext = const {
        RunContext {
            engine: Cell::new(ptr::null_mut()),
            work: Cell::new(ptr::null_mut()),
            steps: Cell::new(0),
            deepest: Cell::new(0),
        }
    };
}

/// The previous context, restored on drop.
struct PreviousContext {
    chooser: Chooser,
    engine: *mut Engine,
    work: *mut Workspace,
    steps: u64,
    deepest: usize,
}

impl Drop for PreviousContext {
    #[inline]
    fn drop(&mut self) {
        chooser::replace_chooser(self.chooser);
        RUNNING.with(|running| {
            running.engine.set(self.engine);
            running.work.set(self.work);
            running.steps.set(self.steps);
            running.deepest.set(self.deepest);
        });
    }
}

/// Runs a predicate, or a part of one. `chooser` answers its first reads from `engine`, its containers lie in `work`,
/// and its step budget starts anew.
#[inline(always)]
pub(crate) fn run<R>(
    chooser: Chooser,
    engine: &mut Engine,
    work: &Workspace,
    limits: Limits,
    predicate: impl FnOnce() -> R,
) -> R {
    let here = 0u8;
    let chooser = chooser::replace_chooser(chooser);
    let _before = RUNNING.with(|running| PreviousContext {
        chooser,
        engine: running.engine.replace(engine),
        work: running.work.replace(ptr::from_ref(work).cast_mut()),
        steps: running.steps.replace(limits.steps),
        deepest: running.deepest.replace(ptr::from_ref(&here).addr().saturating_sub(limits.stack)),
    });
    predicate()
}

/// Directs the containers of predicates on this thread to one workspace while it lives.
pub(crate) struct WorkspaceGuard {
    before: *mut Workspace,
    _work: Rc<Workspace>,
}

pub(crate) fn enter_workspace(work: Rc<Workspace>) -> WorkspaceGuard {
    let before = RUNNING.with(|running| running.work.replace(Rc::as_ptr(&work).cast_mut()));
    WorkspaceGuard { before, _work: work }
}

impl Drop for WorkspaceGuard {
    fn drop(&mut self) {
        RUNNING.with(|running| running.work.set(self.before));
    }
}

/// Returns the engine and the workspace of the running predicate, or null pointers if none runs.
#[inline(always)]
pub(crate) fn running() -> (*mut Engine, *mut Workspace) {
    RUNNING.with(|running| (running.engine.get(), running.work.get()))
}

/// Returns the workspace of the running predicate. It is valid until the predicate returns; callers must use it only
/// within a call made by the predicate.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn workspace() -> &'static Workspace {
    let (_, work) = running();
    if work.is_null() {
        no_workspace();
    }
    // SAFETY: the pointer is valid while it is set, which is until the running predicate, which calls this, has
    // returned.
    unsafe { &*work }
}

/// Returns the label of the statement that runs on this thread and the number of statements begun before it, or `None`
/// if no predicate runs.
pub(crate) fn statement() -> Option<(u32, u64)> {
    let (_, work) = running();
    // SAFETY: the pointer is null, or valid while it is set.
    let work = unsafe { work.as_ref() }?;
    Some((work.label(), work.epoch()))
}

/// Returns how many candidates the machine that runs on this thread has skipped and not counted yet; 0 if none runs.
pub(crate) fn passed() -> u64 {
    let (_, work) = running();
    // SAFETY: the pointer is null, or valid while it is set.
    unsafe { work.as_ref() }.map_or(0, Workspace::passed)
}

#[cold]
#[inline(never)]
fn no_workspace() -> ! {
    panic!("a container of rep_ok was kept after it had returned, and is used outside a search; {MUST_NOT_KEEP}")
}

/// Resets the step budget, for the next candidate of the same run or after the first read of another field.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn begin_candidate(steps: u64) {
    RUNNING.with(|running| running.steps.set(steps));
}

/// Returns the engine and the workspace of the running predicate, which reads `slot`.
///
/// # Safety
/// The caller must use the engine for one operation that leads to no other read, or make the call that leads to one its
/// last use of the engine.
#[inline(always)]
pub(crate) unsafe fn running_for(slot: SlotHandle) -> (&'static mut Engine, &'static Workspace) {
    let (engine, work) = running();
    // SAFETY: a chooser is set together with both pointers, which are valid while they are set. No read of a slot
    // happens during another use of the engine, and the caller limits how long it uses this one.
    let (engine, work) = unsafe { (&mut *engine, &*work) };
    assert!(
        engine.heap() == slot.heap(),
        "a part of the structure was kept after rep_ok had returned, and is read in another search; {MUST_NOT_KEEP}"
    );
    (engine, work)
}

/// Answers the first read of a slot in a search.
pub(crate) fn choose_in_search(slot: SlotHandle) {
    // SAFETY: the calls below that lead to further reads are the last use of the engine.
    let (engine, work) = unsafe { running_for(slot) };
    if !work.reenters_here() {
        work.begin_earlier(engine.last().map(|last| &last.resume));
        return choose_for_earlier(slot);
    }
    // SAFETY: the engine does not know the workspace, so no statement begins before it has answered.
    match engine.choose(slot, unsafe { work.resume_point() }) {
        Ok((index, plain_until)) => {
            begin_candidate(engine.limits.steps);
            work.chosen(slot, index, plain_until);
        }
        Err(refusal) => refused(slot, refusal),
    }
}

/// Answers the first read of a slot in a re-execution that repeats a candidate.
pub(crate) fn choose_again(slot: SlotHandle) {
    // SAFETY: the call that leads to further reads is the last use of the engine.
    let (engine, _) = unsafe { running_for(slot) };
    match engine.read_again(slot, RUNNING.with(|running| running.steps.get())) {
        Ok(()) => begin_candidate(engine.limits.steps),
        Err(refusal) => refused(slot, refusal),
    }
}

/// Chooses another slot first and then this one, or stops the run.
#[cold]
#[inline(never)]
pub(crate) fn refused(slot: SlotHandle, refusal: Refusal) {
    match refusal {
        Refusal::NotYet { first } => {
            if !first.take_offer() {
                chooser::choose(first);
            }
            chooser::choose(slot);
        }
        Refusal::Stop(stop) => raise(stop),
    }
}

/// Makes a choice whose resume point is an earlier statement than the one that makes it.
#[cold]
#[inline(never)]
pub(crate) fn choose_for_earlier(slot: SlotHandle) {
    chooser::choose(slot);
    workspace().end_earlier();
}

/// Counts a step. Lifted code calls this once per loop iteration.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn step() {
    RUNNING.with(|running| {
        let left = running.steps.get();
        if left == 0 {
            return ask_for_steps();
        }
        running.steps.set(left - 1);
    });
}

/// Asks the engine for more steps when the budget is used up; stops the run if there are none.
#[cold]
#[inline(never)]
fn ask_for_steps() {
    let (engine, work) = running();
    // SAFETY: both are null, or valid while they are set. Lifted code calls this, not the engine, and `more_steps`
    // calls nothing that may use the engine.
    let (more_steps, work) = unsafe { (engine.as_ref().and_then(|engine| engine.more_steps), work.as_ref()) };
    let takes_memory = work.is_some_and(Workspace::logs_each_statement);
    match more_steps.and_then(|more_steps| more_steps(takes_memory)) {
        Some(steps) => begin_candidate(steps),
        None => raise(Stop::OutOfSteps),
    }
}

/// Checks the stack depth and counts a step. Lifted code calls this once per function call.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn call() {
    let here = 0u8;
    if ptr::from_ref(&here).addr() < RUNNING.with(|running| running.deepest.get()) {
        raise(Stop::TooDeep);
    }
    step();
}

/// Stops the run from inside the predicate.
#[cold]
#[inline(never)]
pub(crate) fn raise(stop: Stop) -> ! {
    let (engine, work) = running();
    // SAFETY: both are null, or valid while they are set. No caller uses the engine after raising.
    let (engine, work) = unsafe { (engine.as_mut(), work.as_ref()) };
    if let Some(engine) = engine {
        engine.note_stop(stop);
    }
    if let Some(work) = work {
        work.set_quick(false);
    }
    resume_unwind(Box::new(stop))
}
