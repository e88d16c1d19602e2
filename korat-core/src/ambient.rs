//! Which engine and which workspace the running predicate belongs to, how many steps it may still take and how deep it may
//! recurse. One set of cells per thread, filled while a predicate runs (`run`) and put back when it returns.
//!
//! # Why it is sound
//! The pointers here are good while they are set: `run` makes them of references that it holds until what it runs has returned or
//! unwound, and puts those before them back then; `work_in` owns what it points to. The engine is borrowed mutably by `run`, so that
//! nobody else can use it meanwhile, and all uses of it are by way of the pointer made there: here, for one operation at a time, and in
//! `machine::Control`, between two blocks. No `&mut Engine` made of it is used after something else was called that may make another, and
//! none is an argument of such a call. The workspace is used through shared references only, by anybody at any time: all its state is in
//! cells.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr;
use std::rc::Rc;

use crate::engine::{Engine, Refusal};
use crate::error::MUST_NOT_KEEP;
use crate::ids::SlotId;
use crate::slot::Eraser;
use crate::undo::Workspace;

/// Why a predicate cannot go on at its last choice, and is run from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfit {
    /// The type of a local.
    pub(crate) type_name: &'static str,
    /// What is the matter with it, in a clause about the type.
    pub(crate) why: &'static str,
}

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
    /// A run from the top has read another slot than the candidate that it was to repeat.
    ReadOther,
    /// The predicate cannot run as a machine, because a local of its holds what must be dropped.
    Unfit(Unfit),
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

/// What was running before; put back when this is dropped.
struct Before {
    engine: *mut Engine,
    work: *mut Workspace,
    steps: u64,
    deepest: usize,
}

impl Drop for Before {
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

/// Runs a predicate, or a part of one: slots that it reads on this thread ask `engine`, containers that it makes lie in `work`, and its
/// steps are counted anew.
#[inline(always)]
pub(crate) fn run<R>(engine: &mut Engine, work: &Workspace, limits: Limits, predicate: impl FnOnce() -> R) -> R {
    let here = 0u8;
    let _before = RUNNING.with(|running| Before {
        engine: running.engine.replace(engine),
        work: running.work.replace(ptr::from_ref(work).cast_mut()),
        steps: running.steps.replace(limits.steps),
        deepest: running.deepest.replace(ptr::from_ref(&here).addr().saturating_sub(limits.stack)),
    });
    predicate()
}

/// While this lives, containers of a predicate on this thread lie in one workspace.
pub(crate) struct Working {
    before: *mut Workspace,
    _work: Rc<Workspace>,
}

pub(crate) fn work_in(work: Rc<Workspace>) -> Working {
    let before = RUNNING.with(|running| running.work.replace(Rc::as_ptr(&work).cast_mut()));
    Working { before, _work: work }
}

impl Drop for Working {
    fn drop(&mut self) {
        RUNNING.with(|running| running.work.set(self.before));
    }
}

/// The engine and the workspace of the running predicate; null where there is none.
#[inline(always)]
pub(crate) fn running() -> (*mut Engine, *mut Workspace) {
    RUNNING.with(|running| (running.engine.get(), running.work.get()))
}

/// The workspace of the running predicate. Callers use it within one call from that: it is there until the predicate has returned.
#[inline(always)]
pub(crate) fn workspace() -> &'static Workspace {
    let (_, work) = running();
    if work.is_null() {
        no_workspace();
    }
    // SAFETY: the pointer is good while it is set, which it is until the predicate that runs, and calls this, has returned.
    unsafe { &*work }
}

/// The label of the statement that runs on this thread, and how many have begun before it; none if no predicate does.
pub(crate) fn statement() -> Option<(u32, u64)> {
    let (_, work) = running();
    // SAFETY: the pointer is null, or good while it is set.
    let work = unsafe { work.as_ref() }?;
    Some((work.label(), work.epoch()))
}

#[cold]
#[inline(never)]
fn no_workspace() -> ! {
    panic!("a container of rep_ok was kept after it had returned, and is used outside a search; {MUST_NOT_KEEP}")
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

/// The same where nearly nothing has to be looked at, as in most of a repair, and in a run from the top beside a machine.
#[inline(always)]
fn choose_plainly(slot: Eraser) -> bool {
    let (engine, work) = running();
    if engine.is_null() {
        return false;
    }
    // SAFETY: the pointers are good while they are set, and there is a workspace whenever there is an engine. A read of a slot is no
    // part of another use of the engine, and `choose_plainly` calls nobody who may make one.
    let (engine, work) = unsafe { (&mut *engine, &*work) };
    if !engine.is_slow() {
        return false;
    }
    let is_chosen =
        engine.choose_plainly(slot, work) || engine.read_again(slot, RUNNING.with(|running| running.steps.get()));
    if is_chosen {
        begin_candidate(engine.limits.steps);
    }
    is_chosen
}

/// The same in general.
#[inline(never)]
fn choose_slowly(slot: Eraser) {
    let (engine, work) = running();
    assert!(
        !engine.is_null(),
        "a part of the structure was kept after rep_ok had returned, and is read outside a search; {MUST_NOT_KEEP}"
    );
    // SAFETY: the pointers are good while they are set, and there is a workspace whenever there is an engine. A read of a slot is no
    // part of another use of the engine; the calls below that lead to further reads are the last use of this one.
    let (engine, work) = unsafe { (&mut *engine, &*work) };
    assert!(
        engine.heap() == slot.heap(),
        "a part of the structure was kept after rep_ok had returned, and is read in another search; {MUST_NOT_KEEP}"
    );
    if engine.is_repairing() && engine.choose_as_it_was(slot, work) {
        return begin_candidate(engine.limits.steps);
    }
    if !work.reenters_here() {
        work.begin_earlier(engine.last_resume());
        return choose_for_earlier(slot);
    }
    // SAFETY: the engine does not know the workspace, so that no statement begins before it has answered.
    match engine.choose(slot, unsafe { work.now() }) {
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
fn choose_for_earlier(slot: Eraser) {
    choose(slot);
    workspace().end_earlier();
}

/// The same where another slot has to be decided first.
#[cold]
#[inline(never)]
fn choose_after(first: Eraser, slot: Eraser) {
    if !first.take_offer() {
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
    let (engine, work) = running();
    // SAFETY: both are null, or good while they are set; lifted code calls this, not the engine, and `more_steps` calls nobody who
    // may use the engine.
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
    let (engine, work) = running();
    // SAFETY: both are null, or good while they are set. Whoever raises has no use for the engine any more.
    let (engine, work) = unsafe { (engine.as_mut(), work.as_ref()) };
    if let Some(engine) = engine {
        engine.note_stop(stop);
    }
    if let Some(work) = work {
        work.set_quick(false);
    }
    resume_unwind(Box::new(stop))
}
