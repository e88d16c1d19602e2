//! Levels on several threads. Each thread runs the operations on some of the states; what they lead to is put together in the order in
//! which one thread finds it. A state on which anything fails is left to the thread that puts together, which runs it as one thread
//! does: so that it fails, and ends, as with one.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use super::again::Again;
use super::execution::Executor;
use super::states::{Origin, StateId, States};
use super::steps::{ActionId, Steps};
use super::{Explore, State};
use crate::choose::{self, Choosing};

/// The number of states that a thread takes at a time: few enough to end at about the same time, and enough to meet seldom.
pub(super) const CHUNK: usize = 32;

/// How often the clock is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A level to expand.
pub(super) struct Level {
    /// Everything that was found before.
    states: States,
    steps: Steps,
    /// The first state of each chunk, and the number of all states.
    chunks: Vec<StateId>,
    len: usize,
    depth: usize,
    /// The chunk that is taken next.
    next: AtomicUsize,
    /// Whether a failure ends the exploration, and the last state to expand.
    ends_at_failure: bool,
    last: AtomicU32,
    is_over: AtomicBool,
    executions: AtomicU64,
}

/// What a thread has found on its states.
pub(super) struct Found {
    /// New states, each with the state that it comes from and a step of the thread.
    states: States,
    steps: Steps,
    expanded: Vec<Expanded>,
}

/// What came of a state.
struct Expanded {
    state: StateId,
    executions: u64,
    /// Whether nothing failed, so that all that it leads to is there.
    is_whole: bool,
}

/// What a thread has found, as far as it is not taken over.
struct Rest {
    found: Found,
    /// The position in `Found::expanded`.
    at: usize,
    /// The next of its states, and how many are left.
    state: StateId,
    left: usize,
}

impl Rest {
    /// Takes the states that come from a state, which are the next.
    fn take_from(&mut self, from: StateId) -> Vec<StateId> {
        let mut taken = Vec::new();
        while self.left > 0 && self.found.states.origin(self.state).from == from {
            taken.push(self.state);
            self.state = self.found.states.after(self.state);
            self.left -= 1;
        }
        taken
    }
}

/// What threads have found of a level.
#[derive(Default)]
pub(super) struct Ahead {
    rests: Vec<Rest>,
    /// Whether the time was over before all was done.
    pub(super) is_over: bool,
}

/// What was found on one state.
pub(super) struct Taken<'f> {
    found: &'f Found,
    states: Vec<StateId>,
    pub(super) executions: u64,
}

/// The threads.
pub(super) struct Team {
    levels: Vec<Sender<Arc<Level>>>,
    found: Receiver<Result<Found, Box<dyn Any + Send>>>,
}

impl Team {
    /// Begins threads, each of which makes the exploration for itself. They end when the team is dropped.
    pub(super) fn begin<'s, S: State>(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        make: &'s (impl Fn() -> Explore<S> + Sync),
        again: &Again,
        operations: u32,
    ) -> (Self, Vec<ScopedJoinHandle<'s, ()>>) {
        let (to_team, found) = mpsc::channel();
        let begin = |_| {
            let (level, levels) = mpsc::channel::<Arc<Level>>();
            let (again, found) = (again.clone(), to_team.clone());
            let thread = scope.spawn(move || {
                let ended = catch_unwind(AssertUnwindSafe(|| {
                    let _choosing = Choosing::begin();
                    let mut executor = Executor::new(make(), &again);
                    let is_same = executor.explore.operations.fingerprint() == operations;
                    assert!(is_same, "[korat] what `par_run` is given makes other operations each time");
                    for level in levels {
                        let all = work(&mut executor, &level);
                        drop(level);
                        if found.send(Ok(all)).is_err() {
                            break;
                        }
                    }
                }));
                if let Err(payload) = ended {
                    // Nobody listens if the exploration is over.
                    let _ = found.send(Err(payload));
                }
            });
            (level, thread)
        };
        let (levels, workers) = (0..threads).map(begin).unzip();
        (Team { levels, found }, workers)
    }

    /// Expands the states of a level. Calls `look` from time to time with the numbers of
    /// executions and of known states; ends when it returns true.
    pub(super) fn expand(&self, level: Level, mut look: impl FnMut(u64, usize) -> bool) -> (States, Steps, Ahead) {
        let level = Arc::new(level);
        for thread in &self.levels {
            // A thread that has ended has said why.
            let _ = thread.send(Arc::clone(&level));
        }
        let mut ahead = Ahead::default();
        while ahead.rests.len() < self.levels.len() {
            match self.found.recv_timeout(LOOK_EVERY) {
                Ok(Ok(found)) => ahead.rests.push(Rest { at: 0, state: 0, left: found.states.len(), found }),
                Ok(Err(payload)) => {
                    level.is_over.store(true, Ordering::Relaxed);
                    resume_unwind(payload);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if look(level.executions.load(Ordering::Relaxed), level.states.len()) {
                        ahead.is_over = true;
                        level.is_over.store(true, Ordering::Relaxed);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => unreachable!("[korat internal bug] threads end without a word"),
            }
        }
        let level = Arc::into_inner(level).expect("[korat internal bug] a thread keeps a level");
        (level.states, level.steps, ahead)
    }
}

impl Level {
    /// Returns a level of `len` states from `first` on, to which `depth` calls lead.
    pub(super) fn new(
        states: States,
        steps: Steps,
        first: StateId,
        len: usize,
        depth: usize,
        ends_at_failure: bool,
    ) -> Self {
        let mut chunks = Vec::with_capacity(len.div_ceil(CHUNK));
        let mut state = first;
        for at in 0..len {
            if at % CHUNK == 0 {
                chunks.push(state);
            }
            state = states.after(state);
        }
        Level {
            states,
            steps,
            chunks,
            len,
            depth,
            next: AtomicUsize::new(0),
            ends_at_failure,
            last: AtomicU32::new(StateId::MAX),
            is_over: AtomicBool::new(false),
            executions: AtomicU64::new(0),
        }
    }
}

/// Expands chunks of a level until none is left.
fn work<S: State>(executor: &mut Executor<S>, level: &Level) -> Found {
    let steps = Steps::new(executor.explore.operations.len());
    let mut found = Found { states: States::default(), steps, expanded: Vec::new() };
    loop {
        let chunk = level.next.fetch_add(1, Ordering::Relaxed);
        let Some(&(mut state)) = level.chunks.get(chunk) else { return found };
        for _ in 0..CHUNK.min(level.len - chunk * CHUNK) {
            if level.is_over.load(Ordering::Relaxed) || state > level.last.load(Ordering::Relaxed) {
                return found;
            }
            let before = executor.executions;
            let is_whole = expand(executor, level, state, &mut found);
            if !is_whole && level.ends_at_failure {
                level.last.fetch_min(state, Ordering::Relaxed);
            }
            let executions = executor.executions - before;
            level.executions.fetch_add(executions, Ordering::Relaxed);
            found.expanded.push(Expanded { state, executions, is_whole });
            state = level.states.after(state);
        }
    }
}

/// Runs every operation on a state. Returns false when one fails.
fn expand<S: State>(executor: &mut Executor<S>, level: &Level, from: StateId, found: &mut Found) -> bool {
    executor.note_state(&level.states, &level.steps, from, level.depth);
    for action in 0..executor.explore.operations.len() {
        choose::first();
        loop {
            match executor.execute(level.states.form(from), action) {
                Ok(true) if !level.states.contains(&executor.form) => {
                    let step = found.steps.current(action);
                    found.states.insert(&executor.form, &executor.form, Origin { from, step });
                }
                Ok(_) => {}
                Err(_) => return false,
            }
            if !choose::next() {
                break;
            }
        }
    }
    true
}

impl Ahead {
    /// Takes what was found on the next state. Returns `None` if nothing was found on it, or something failed.
    pub(super) fn take(&mut self, state: StateId) -> Option<Taken<'_>> {
        let is_next = |rest: &&mut Rest| rest.found.expanded.get(rest.at).is_some_and(|it| it.state == state);
        let rest = self.rests.iter_mut().find(is_next)?;
        let Expanded { executions, is_whole, .. } = rest.found.expanded[rest.at];
        rest.at += 1;
        let states = rest.take_from(state);
        is_whole.then_some(Taken { found: &rest.found, states, executions })
    }
}

impl Taken<'_> {
    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the form of each state, with the action that led to it and its answers.
    pub(super) fn states(&self) -> impl Iterator<Item = (&[u8], ActionId, &[u32])> {
        self.states.iter().map(|&state| {
            let (action, answers) = self.found.steps.get(self.found.states.origin(state).step);
            (self.found.states.form(state), action, answers)
        })
    }
}
