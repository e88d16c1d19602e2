//! Levels on several threads. Each thread runs the operations on some of the states; what they lead to is put together in the order in
//! which one thread finds it. A state on which anything fails is left to the thread that puts together, which runs it as one thread
//! does: so that it fails, and ends, as with one.

use std::any::Any;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use super::again::Again;
use super::execution::Executor;
use super::report::ExploreReport;
use super::run::Run;
use super::states::{Origin, StateId, States};
use super::steps::Steps;
use super::{Explore, ExploreFailed, State};
use crate::choose::{self, Choosing};
use crate::env;
use crate::error::{Error, raised};

/// The number of states that a thread takes at a time: few enough to end at about the same time, and enough to meet seldom.
const CHUNK: usize = 32;

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

/// The threads.
pub(super) struct Team {
    levels: Vec<Sender<Arc<Level>>>,
    found: Receiver<Result<Found, Box<dyn Any + Send>>>,
}

impl Team {
    /// Begins threads, each of which makes the exploration for itself.
    pub(super) fn begin<'s, S: State>(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        make: &'s (impl Fn() -> Explore<S> + Sync),
        again: &Again,
        operations: u32,
    ) -> Self {
        let (to_team, found) = mpsc::channel();
        let begin = |_| {
            let (level, levels) = mpsc::channel::<Arc<Level>>();
            let (again, found) = (again.clone(), to_team.clone());
            scope.spawn(move || {
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
                // Nobody listens if the exploration is over.
                let _ = ended.map_err(|payload| found.send(Err(payload)));
            });
            level
        };
        Team { levels: (0..threads).map(begin).collect(), found }
    }
}

impl<S: State> Explore<S> {
    /// Runs the exploration that `make` returns on several [`threads`](Explore::threads); `KORAT_THREADS` takes precedence. Each thread
    /// makes it for itself, so that operations and states need not be `Send`; they must be the same each time. What is found, reported
    /// and kept is the same as with [`run`](Explore::run), the order included. With another [`Matching`](crate::Matching) than the exact
    /// one, a single thread runs it.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// let report = Explore::par_run(|| {
    ///     Explore::from(Vec::new())
    ///         .operation("push", 1..=3, |stack: &mut Vec<u8>, item| stack.push(item))
    ///         .operation_if("pop", |stack| !stack.is_empty(), |stack| stack.pop())
    ///         .depth(5)
    ///         .threads(2)
    /// });
    /// report.expect_states(1 + 3 + 9 + 27 + 81 + 243);
    /// ```
    #[track_caller]
    pub fn par_run(make: impl Fn() -> Explore<S> + Sync) -> ExploreReport {
        raised(Explore::par_try_run(make).map_err(|failed| Error::Expectation(failed.to_string())))
    }

    /// Runs it as [`par_run`](Explore::par_run) does, and returns what is wrong as data.
    #[track_caller]
    pub fn par_try_run(make: impl Fn() -> Explore<S> + Sync) -> Result<ExploreReport, ExploreFailed> {
        let location = Location::caller();
        let mut explore = make();
        env::apply(&mut explore.config);
        let all = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if explore.matched_by.is_exact() { explore.config.threads.unwrap_or_else(all) } else { 1 };
        let recording = explore.recorded(location);
        let mut run = Run::new(explore, location);
        let operations = run.executor.explore.operations.fingerprint();
        recording.explored(thread::scope(|scope| {
            run.team = (threads > 1).then(|| Team::begin(scope, threads, &make, &run.again, operations));
            let explored = run.explore();
            run.team = None;
            explored
        }))
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

impl<S: State> Run<S> {
    /// Has the threads expand the states of a level, if there are any threads and enough states.
    pub(super) fn expand_ahead(&mut self, first: StateId, len: usize) -> Ahead {
        let Some(team) = self.team.take_if(|_| len > CHUNK) else { return Ahead::default() };
        let operations = self.executor.explore.operations.len();
        let states = std::mem::take(&mut self.states);
        let mut chunks = Vec::with_capacity(len.div_ceil(CHUNK));
        let mut state = first;
        for at in 0..len {
            if at % CHUNK == 0 {
                chunks.push(state);
            }
            state = states.after(state);
        }
        let level = Arc::new(Level {
            states,
            steps: std::mem::replace(&mut self.steps, Steps::new(operations)),
            chunks,
            len,
            depth: self.levels.len() - 1,
            next: AtomicUsize::new(0),
            ends_at_failure: self.executor.explore.config.failures <= 1,
            last: AtomicU32::new(StateId::MAX),
            is_over: AtomicBool::new(false),
            executions: AtomicU64::new(0),
        });
        for thread in &team.levels {
            // A thread that has ended has said why.
            let _ = thread.send(Arc::clone(&level));
        }
        let (mut ahead, known) = (Ahead::default(), self.executor.executions);
        while ahead.rests.len() < team.levels.len() {
            match team.found.recv_timeout(LOOK_EVERY) {
                Ok(Ok(found)) => ahead.rests.push(Rest { at: 0, state: 0, left: found.states.len(), found }),
                Ok(Err(payload)) => {
                    level.is_over.store(true, Ordering::Relaxed);
                    resume_unwind(payload);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.executor.executions = known + level.executions.load(Ordering::Relaxed);
                    if self.is_time_over(level.states.len()) {
                        ahead.is_over = true;
                        level.is_over.store(true, Ordering::Relaxed);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => unreachable!("[korat internal bug] threads end without a word"),
            }
        }
        self.executor.executions = known;
        let level = Arc::into_inner(level).expect("[korat internal bug] a thread keeps a level");
        (self.states, self.steps) = (level.states, level.steps);
        self.team = Some(team);
        ahead
    }

    /// Takes over what was found on a state. Returns false if it is to be expanded on this thread: nothing was found on it, or something
    /// failed, or there may be more states than the limit.
    pub(super) fn take_ahead(&mut self, ahead: &mut Ahead, state: StateId) -> bool {
        let of_state = |rest: &&mut Rest| rest.found.expanded.get(rest.at).is_some_and(|it| it.state == state);
        let Some(rest) = ahead.rests.iter_mut().find(of_state) else { return false };
        let Expanded { executions, is_whole, .. } = rest.found.expanded[rest.at];
        rest.at += 1;
        let new = rest.take_from(state);
        let most = self.executor.explore.config.limit.unwrap_or(u64::MAX);
        if !is_whole || (self.states.len() + new.len()) as u64 > most {
            return false;
        }
        for found in new {
            let Origin { step, .. } = rest.found.states.origin(found);
            let (action, answers) = rest.found.steps.get(step);
            let (form, step) = (rest.found.states.form(found), self.steps.with_answers(action, answers.to_vec()));
            self.states.insert(form, form, Origin { from: state, step });
        }
        self.executor.executions += executions;
        true
    }
}
