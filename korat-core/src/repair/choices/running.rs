//! The repair whose predicate runs on this thread, and the chooser that answers its first reads.
//!
//! # Safety argument
//! `answer_from` makes the pointer here of a mutable reference that it holds until what it runs has returned or unwound, and puts the one
//! before it back then; meanwhile nobody else can use that state. It is set around every run whose chooser is `choose`, together with the
//! engine and the workspace of `predicate::context`, and a search or a repair that the predicate itself runs brings a chooser, an engine and
//! a state of its own. A first read is no part of another use of the engine or the state: each use here ends before anything is called that
//! may read a slot, and `more_steps` is called by lifted code between two reads.

use std::cell::Cell;
use std::ptr;

use super::ChoicesMut;
use super::state::State;
use crate::predicate::context;
use crate::predicate::undo::Workspace;
use crate::slots::slot_handle::SlotHandle;

thread_local! {
    static STATE: Cell<*mut State> = const { Cell::new(ptr::null_mut()) };
}

/// The state before the one that is set; put back when this is dropped.
struct Before(*mut State);

impl Drop for Before {
    fn drop(&mut self) {
        STATE.set(self.0);
    }
}

/// Runs a predicate whose first reads `choose` answers from a state.
pub(crate) fn answer_from<R>(state: &mut State, run: impl FnOnce() -> R) -> R {
    let _before = Before(STATE.replace(state));
    run()
}

/// The choices of the repair that runs, of which a slot is read, and its workspace.
///
/// # Safety
/// This is called by `choose`, and the caller uses the choices for one operation that leads to no other read, or calls what leads to one last.
#[inline(always)]
unsafe fn choices_for(slot: SlotHandle) -> (ChoicesMut<'static>, &'static Workspace) {
    // SAFETY: the caller says how long the engine is used.
    let (engine, work) = unsafe { context::running_for(slot) };
    // SAFETY: the pointer is null, or good while it is set, as the header says, and the caller says how long the state is used.
    let state = unsafe { STATE.get().as_mut() }.expect("[korat internal bug] a repair answers a read outside its runs");
    (ChoicesMut { engine, state }, work)
}

/// Answers the first read of a slot in a repair.
pub(crate) fn choose(slot: SlotHandle) {
    // SAFETY: the calls below that lead to further reads are the last use of the choices.
    let (mut choices, work) = unsafe { choices_for(slot) };
    if choices.choose_in_interval(slot, work) || choices.choose_unchanged(slot, work) {
        return context::begin_candidate(choices.engine.limits.steps);
    }
    if !work.reenters_here() {
        work.begin_earlier(choices.state.decisions.last_resume());
        return context::choose_for_earlier(slot);
    }
    // SAFETY: neither the engine nor the state knows the workspace, so that no statement begins before they have answered.
    match choices.choose(slot, unsafe { work.resume_point() }) {
        Ok(index) => {
            context::begin_candidate(choices.engine.limits.steps);
            work.chosen(slot, index, 0);
        }
        Err(refusal) => context::refused(slot, refusal),
    }
}

/// Returns the steps that the predicate may take when those that it was given are used up; none if there are no more.
pub(crate) fn more_steps(takes_memory: bool) -> Option<u64> {
    let state = STATE.get();
    // SAFETY: the pointer is null, or good while it is set, and nobody uses the state between two reads.
    unsafe { state.as_mut() }?.more_steps(takes_memory)
}
