//! The loop: level by level, each operation on each state that was found.

use std::collections::HashSet;
use std::panic::Location;

use rustc_hash::FxBuildHasher;

use super::again::Again;
use super::call_sequence::CallSequence;
use super::execution::Executor;
use super::failure::{ExploreFailed, FailedSequence, Fault};
use super::recorded::Recorded;
use super::report::{ExploreEnding, ExploreReport};
use super::states::{Origin, StateId, States};
use super::steps::{ActionId, StepId, Steps};
use super::threads::{Ahead, CHUNK, Level, Team};
use super::waiting::Waiting;
use super::{Explore, State};
use crate::choose::{self, Choosing};
use crate::output::print_line;
use crate::panics::caught;
use crate::progress::Clock;
use crate::record::Record;
use crate::report::{counted, grouped};
use crate::type_text::any_type_text;

/// An exploration under way.
pub(super) struct Run<S> {
    pub(super) executor: Executor<S>,
    pub(super) steps: Steps,
    pub(super) states: States,
    /// The first states; `None` for those that fail.
    pub(super) firsts: Vec<Option<StateId>>,
    /// The shortest sequences to states that are not accepted.
    pub(super) rejected: Vec<FailedSequence>,
    rejected_forms: HashSet<Vec<u8>, FxBuildHasher>,
    levels: Vec<u64>,
    expanded: u64,
    pub(super) faults: Vec<(Fault, FailedSequence)>,
    pub(super) again: Again,
    /// Where the sequence under way comes from, unless it is explored.
    pub(super) origin: Option<String>,
    /// What was met, if a graph is made of it.
    pub(super) recorded: Option<Recorded>,
    clock: Clock,
    /// The other threads, if there are any.
    pub(super) team: Option<Team>,
}

/// Why the loop ends before it is done.
pub(super) enum Stop {
    Limit,
    TimeLimit,
    Failed,
}

impl<S: State> Run<S> {
    pub(super) fn new(explore: Explore<S>, location: &'static Location<'static>) -> Self {
        let clock = Clock::start(&explore.config);
        let inside = explore.inside.unwrap_or_default();
        let again = Again::new(location, any_type_text::<S>(), inside, &explore.config);
        let waiting = (!explore.matched_by.is_exact()).then(Waiting::default);
        Run {
            origin: None,
            firsts: Vec::new(),
            steps: Steps::new(explore.operations.len()),
            executor: Executor::new(explore, &again),
            again,
            states: States::new(waiting),
            rejected: Vec::new(),
            rejected_forms: HashSet::default(),
            levels: Vec::new(),
            expanded: 0,
            faults: Vec::new(),
            recorded: None,
            clock,
            team: None,
        }
    }

    /// Explores, and returns what was done.
    pub(super) fn explore(&mut self) -> Result<ExploreReport, ExploreFailed> {
        self.ended(|run| {
            run.first_level()?;
            if run.run_replayed()? {
                return Ok(ExploreEnding::Replayed);
            }
            run.run_kept()?;
            run.levels()
        })
    }

    /// Runs these calls, and returns what was done; `Err` if they are none of this exploration.
    pub(super) fn replay(&mut self, calls: &str) -> Result<Result<ExploreReport, ExploreFailed>, String> {
        let mut wrong = Ok(());
        let ended = self.ended(|run| {
            run.first_level()?;
            match run.follow_replayed(calls) {
                Ok(done) => done?,
                Err(why) => wrong = Err(format!("`{calls}` cannot be replayed: {why}")),
            }
            Ok(ExploreEnding::Replayed)
        });
        wrong.map(|()| ended)
    }

    fn ended(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<ExploreEnding, Stop>,
    ) -> Result<ExploreReport, ExploreFailed> {
        let _choosing = Choosing::begin();
        let ending = match run(self) {
            Ok(ending) => ending,
            Err(Stop::Limit) => ExploreEnding::Limit,
            Err(Stop::TimeLimit) => ExploreEnding::TimeLimit,
            Err(Stop::Failed) => ExploreEnding::Failed,
        };
        let in_levels: u64 = self.levels.iter().sum();
        let found = self.states.len() as u64;
        if found > in_levels {
            // The level at which it was interrupted.
            self.levels.push(found - in_levels);
        }
        let failed = !self.faults.is_empty();
        let report = ExploreReport {
            found,
            expanded: self.expanded,
            executions: self.executor.executions,
            levels: std::mem::take(&mut self.levels),
            ending: if failed { ExploreEnding::Failed } else { ending },
            matching: self.executor.explore.matched_by.matching(),
            bytes: self.states.bytes(),
            elapsed: self.clock.elapsed(),
            record: Record::default(),
        };
        if failed {
            let failures = self.faults.drain(..).map(|(_, failure)| failure).collect();
            return Err(ExploreFailed { failures, report: Box::new(report) });
        }
        if self.executor.explore.config.verbose {
            print_line(&format!("korat: {report}"));
        }
        Ok(report)
    }

    fn levels(&mut self) -> Result<ExploreEnding, Stop> {
        let (mut depth, mut next) = (0, 0);
        loop {
            let waiting = self.states.len() as u64 - self.expanded;
            if waiting == 0 {
                return Ok(ExploreEnding::Fixpoint);
            }
            self.levels.push(waiting);
            if self.executor.explore.config.depth.is_some_and(|most| depth >= most) {
                return Ok(ExploreEnding::Depth(depth));
            }
            depth += 1;
            if let Some(waiting) = &mut self.states.waiting {
                waiting.is_last_level = self.executor.explore.config.depth.is_some_and(|most| depth >= most);
            }
            let mut ahead = self.expand_ahead(next, waiting as usize);
            for _ in 0..waiting {
                if self.take_over(&mut ahead, next) {
                    self.expanded += 1;
                } else if ahead.is_over {
                    return Err(Stop::TimeLimit);
                } else {
                    self.expand(next)?;
                }
                next = self.states.after(next);
                if let Some(waiting) = &mut self.states.waiting {
                    waiting.advance(next);
                }
            }
        }
    }

    fn first_level(&mut self) -> Result<(), Stop> {
        for (number, first) in std::mem::take(&mut self.executor.explore.firsts).into_iter().enumerate() {
            let step = number as StepId;
            self.executor.underway.begin_first(&CallSequence::start(number));
            let state = match self.judge_first(&first) {
                Ok(()) => Some(self.store(Origin::first(step))?),
                Err(fault) => {
                    let sequence = self.failed_first(number, Some(&first), &fault);
                    match fault {
                        Fault::Rejected => self.rejected.push(sequence),
                        fault => self.add_fault(fault, sequence)?,
                    }
                    None
                }
            };
            self.firsts.push(state);
            if let Err(panic) = caught(|| drop(first)) {
                let fault = Fault::Drop(panic.into());
                let sequence = self.failed_first(number, None, &fault);
                self.add_fault(fault, sequence)?;
            }
            self.executor.underway.end_action();
        }
        Ok(())
    }

    /// Checks a first state, with every answer to what the checks let korat choose.
    fn judge_first(&mut self, first: &S) -> Result<(), Fault> {
        self.executor.write(first)?;
        choose::first();
        loop {
            self.executor.checked(first)?;
            if !choose::next() {
                break;
            }
        }
        self.executor.accepted(first)
    }

    /// Runs every operation on a state.
    fn expand(&mut self, state: StateId) -> Result<(), Stop> {
        self.executor.note_state(&self.states, &self.steps, state, self.levels.len() - 1);
        for action in 0..self.executor.explore.operations.len() {
            choose::first();
            loop {
                self.take_step(state, action)?;
                if self.clock.is_due() {
                    self.look()?;
                }
                if !choose::next() {
                    break;
                }
            }
        }
        self.expanded += 1;
        Ok(())
    }

    /// Has other threads expand the states of a level, if there are any threads and more states than one of them takes.
    fn expand_ahead(&mut self, first: StateId, len: usize) -> Ahead {
        let Some(team) = self.team.take_if(|_| len > CHUNK) else { return Ahead::default() };
        let ends_at_failure = self.executor.explore.config.failures <= 1;
        let states = std::mem::take(&mut self.states);
        let steps = std::mem::replace(&mut self.steps, Steps::new(self.executor.explore.operations.len()));
        let level = Level::new(states, steps, first, len, self.levels.len() - 1, ends_at_failure);
        let known = self.executor.executions;
        let look = |executions, states| {
            self.executor.executions = known + executions;
            self.is_time_over(states)
        };
        let (states, steps, ahead) = team.expand(level, look);
        self.executor.executions = known;
        (self.states, self.steps, self.team) = (states, steps, Some(team));
        ahead
    }

    /// Takes over what another thread has found on a state. Returns false if this thread is to expand it: nothing was found on it, or
    /// something failed, or there may be more states than the limit.
    fn take_over(&mut self, ahead: &mut Ahead, from: StateId) -> bool {
        let most = self.executor.explore.config.limit.unwrap_or(u64::MAX);
        let Some(taken) = ahead.take(from).filter(|taken| (self.states.len() + taken.len()) as u64 <= most) else {
            return false;
        };
        for (form, action, answers) in taken.states() {
            let step = self.steps.with_answers(action, answers.to_vec());
            self.states.insert(form, form, Origin { from, step });
        }
        self.executor.executions += taken.executions;
        true
    }

    /// Runs an action on a state with the current answers, and stores where it leads.
    fn take_step(&mut self, from: StateId, action: ActionId) -> Result<(), Stop> {
        match self.executor.execute(self.states.form(from), action) {
            Ok(true) => {
                let step = self.steps.current(action);
                self.store(Origin { from, step })?;
            }
            Ok(false) => {}
            Err(Fault::Rejected) => {
                if self.rejected_forms.insert(self.executor.form.clone()) {
                    self.restore(from);
                    let sequence = self.sequence(from, action, &Fault::Rejected);
                    self.rejected.push(sequence);
                }
            }
            Err(fault) => {
                self.restore(from);
                self.record_failed(from, action, &fault);
                let sequence = self.sequence(from, action, &fault);
                self.add_fault(fault, sequence)?;
            }
        }
        Ok(())
    }

    /// Stores the state whose form was written last, unless it is known or there are enough.
    fn store(&mut self, origin: Origin) -> Result<StateId, Stop> {
        let is_full = self.executor.explore.config.limit.is_some_and(|most| self.states.len() as u64 >= most);
        let key = if self.states.waiting.is_some() { &self.executor.key } else { &self.executor.form };
        if is_full && !self.states.contains(key) {
            return Err(Stop::Limit);
        }
        let state = self.states.insert(key, &self.executor.form, origin);
        if let Some(recorded) = &mut self.recorded {
            recorded.note(origin, state, &self.executor.form);
        }
        Ok(state)
    }

    fn look(&mut self) -> Result<(), Stop> {
        if self.is_time_over(self.states.len()) { Err(Stop::TimeLimit) } else { Ok(()) }
    }

    /// Looks at the clock, when this many states are found. Returns whether the time is over.
    fn is_time_over(&mut self, states: usize) -> bool {
        let Run { clock, levels, executor: Executor { executions, .. }, .. } = self;
        clock.look_with(|elapsed| {
            let rate = *executions as f64 / elapsed.as_secs_f64().max(0.001);
            format!(
                "exploring level {}: {} found, {}, {} a second",
                levels.len(),
                counted(states as u64, "state"),
                counted(*executions, "execution"),
                grouped(rate as u64)
            )
        })
    }

    pub(super) fn add_fault(&mut self, fault: Fault, sequence: FailedSequence) -> Result<(), Stop> {
        if !self.faults.iter().any(|(known, _)| known.is_like(&fault)) {
            let sequence = self.complete(sequence);
            self.faults.push((fault, sequence));
        }
        if self.faults.len() >= self.executor.explore.config.failures.max(1) { Err(Stop::Failed) } else { Ok(()) }
    }
}
