//! The loop: level by level, each operation on each state that was found.

use std::collections::HashSet;
use std::fmt::Debug;

use korat_core::__private::Field;
use korat_core::Forms;
use rustc_hash::FxBuildHasher;

use super::Explore;
use super::failure::{ExploreFailed, FailedSequence, Fault};
use super::report::{ExploreEnding, ExploreReport};
use super::sequence::text;
use super::states::{Origin, StateId, States};
use super::steps::{ActionId, StepId, Steps};
use crate::choose::{self, Choosing};
use crate::output::print_line;
use crate::panics::caught;
use crate::progress::Clock;
use crate::property;
use crate::report::{counted, grouped};

/// One in this many executions is run twice, and the results are compared.
const CHECKED: u64 = 64;

/// An exploration under way.
pub(super) struct Run<S> {
    pub(super) explore: Explore<S>,
    pub(super) steps: Steps,
    pub(super) forms: Forms,
    pub(super) states: States,
    /// Accepts the states that are explored further, if there is an invariant.
    pub(super) accepts: Option<fn(&S) -> bool>,
    /// The shortest sequences to states that are not accepted.
    pub(super) rejected: Vec<FailedSequence>,
    rejected_forms: HashSet<Vec<u8>, FxBuildHasher>,
    /// The form that was written last.
    form: Vec<u8>,
    levels: Vec<u64>,
    expanded: u64,
    executions: u64,
    faults: Vec<(Fault, FailedSequence)>,
    clock: Clock,
}

/// Why the loop ends before it is done.
enum Stop {
    Limit,
    TimeLimit,
    Failed,
}

impl<S: Field + Debug> Run<S> {
    pub(super) fn new(explore: Explore<S>) -> Self {
        let clock = Clock::start(&explore.config);
        Run {
            steps: Steps::new(explore.operations.len()),
            explore,
            forms: Forms::default(),
            states: States::default(),
            accepts: None,
            rejected: Vec::new(),
            rejected_forms: HashSet::default(),
            form: Vec::new(),
            levels: Vec::new(),
            expanded: 0,
            executions: 0,
            faults: Vec::new(),
            clock,
        }
    }

    /// Explores, and returns what was done.
    pub(super) fn explore(&mut self) -> Result<ExploreReport, ExploreFailed> {
        let _choosing = Choosing::begin();
        let ending = match self.levels() {
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
            executions: self.executions,
            levels: std::mem::take(&mut self.levels),
            ending: if failed { ExploreEnding::Failed } else { ending },
            bytes: self.states.bytes(),
            elapsed: self.clock.elapsed(),
        };
        if failed {
            let failures = self.faults.drain(..).map(|(_, failure)| failure).collect();
            return Err(ExploreFailed { failures, report });
        }
        if self.explore.config.verbose {
            print_line(&format!("korat: {report}"));
        }
        Ok(report)
    }

    fn levels(&mut self) -> Result<ExploreEnding, Stop> {
        self.first_level()?;
        let (mut depth, mut next) = (0, 0);
        loop {
            let end = self.states.len() as StateId;
            self.levels.push(u64::from(end - next));
            if next == end {
                self.levels.pop();
                return Ok(ExploreEnding::Fixpoint);
            }
            if self.explore.depth.is_some_and(|most| depth >= most) {
                return Ok(ExploreEnding::Depth(depth));
            }
            for state in next..end {
                self.expand(state)?;
            }
            (next, depth) = (end, depth + 1);
        }
    }

    fn first_level(&mut self) -> Result<(), Stop> {
        for (number, first) in std::mem::take(&mut self.explore.firsts).into_iter().enumerate() {
            let step = number as StepId;
            let from = self.states.len() as StateId;
            let judged = self.judge_first(&first);
            match judged.err() {
                Some(fault) => {
                    let (message, location) = fault.message();
                    let states = vec![text(&first)];
                    let sequence = FailedSequence { calls: Vec::new(), states, message, location };
                    match fault {
                        Fault::Rejected => self.rejected.push(sequence),
                        fault => self.add_fault(fault, sequence)?,
                    }
                }
                None => self.store(Origin { from, step })?,
            }
            if let Err(panic) = caught(|| drop(first)) {
                let fault = Fault::Drop(panic.into());
                let (message, location) = fault.message();
                let sequence = FailedSequence { calls: Vec::new(), states: Vec::new(), message, location };
                self.add_fault(fault, sequence)?;
            }
        }
        Ok(())
    }

    /// Checks a first state, with every answer to what the checks let korat choose.
    fn judge_first(&mut self, first: &S) -> Result<(), Fault> {
        choose::first();
        loop {
            self.checked(first)?;
            if !choose::next() {
                break;
            }
        }
        self.write(first)?;
        self.accepted(first)
    }

    /// Runs every operation on a state.
    fn expand(&mut self, state: StateId) -> Result<(), Stop> {
        for action in 0..self.explore.operations.len() {
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

    /// Runs an action on a state with the current answers, and stores where it leads.
    fn take_step(&mut self, from: StateId, action: ActionId) -> Result<(), Stop> {
        match self.execute(from, action) {
            Ok(true) => {
                let step = self.steps.current(action);
                self.store(Origin { from, step })?;
            }
            Ok(false) => {}
            Err(Fault::Rejected) => {
                if self.rejected_forms.insert(self.form.clone()) {
                    let sequence = self.sequence(from, action, &Fault::Rejected);
                    self.rejected.push(sequence);
                }
            }
            Err(fault) => {
                let sequence = self.sequence(from, action, &fault);
                self.add_fault(fault, sequence)?;
            }
        }
        Ok(())
    }

    /// Stores the state whose form was written last, unless it is known or there are enough.
    fn store(&mut self, origin: Origin) -> Result<(), Stop> {
        let is_full = self.explore.config.limit.is_some_and(|most| self.states.len() as u64 >= most);
        if is_full && !self.states.contains(&self.form) {
            return Err(Stop::Limit);
        }
        self.states.insert(&self.form, origin);
        Ok(())
    }

    fn look(&mut self) -> Result<(), Stop> {
        let Run { clock, states, levels, executions, .. } = self;
        let is_over = clock.look_with(|elapsed| {
            let rate = *executions as f64 / elapsed.as_secs_f64().max(0.001);
            format!(
                "exploring level {}: {} found, {}, {} a second",
                levels.len(),
                counted(states.len() as u64, "state"),
                counted(*executions, "execution"),
                grouped(rate as u64)
            )
        });
        if is_over { Err(Stop::TimeLimit) } else { Ok(()) }
    }

    /// Runs an action on a state, and writes the form of the state after it. Returns whether it was run.
    fn execute(&mut self, state: StateId, action: ActionId) -> Result<bool, Fault> {
        let ran = self.execute_once(state, action);
        if !matches!(ran, Ok(false) | Err(Fault::Guard(_))) {
            self.executions += 1;
        }
        if !ran? {
            return Ok(false);
        }
        if self.executions.is_multiple_of(CHECKED) {
            let form = std::mem::take(&mut self.form);
            choose::again();
            if !self.execute_once(state, action)? || self.form != form {
                return Err(Fault::NotDeterministic);
            }
        }
        Ok(true)
    }

    fn execute_once(&mut self, from: StateId, action: ActionId) -> Result<bool, Fault> {
        let operations = &self.explore.operations;
        let (mut state, shared) =
            caught(|| self.forms.read::<S>(self.states.form(from), 0)).map_err(|panic| Fault::Build(panic.into()))?;
        let enabled = caught(|| operations.is_enabled(action, &state)).map_err(|panic| Fault::Guard(panic.into()));
        let result = match enabled {
            Ok(true) => self.after(action, &mut state).map(|()| true),
            other => other,
        };
        let dropped = caught(|| {
            drop(state);
            drop(shared);
        });
        let ran = result?;
        dropped.map_err(|panic| Fault::Drop(panic.into()))?;
        Ok(ran)
    }

    fn after(&mut self, action: ActionId, state: &mut S) -> Result<(), Fault> {
        let operations = &self.explore.operations;
        caught(|| operations.run(action, state)).map_err(|panic| Fault::Operation(panic.into()))?;
        self.checked(state)?;
        self.write(state)?;
        self.accepted(state)
    }

    fn accepted(&self, state: &S) -> Result<(), Fault> {
        match self.accepts {
            Some(accepts) if caught(|| accepts(state)) != Ok(true) => Err(Fault::Rejected),
            _ => Ok(()),
        }
    }

    fn checked(&self, state: &S) -> Result<(), Fault> {
        let checks = &self.explore.checks;
        checks.iter().try_for_each(|check| property::judged(|| check(state)).map_err(Fault::Check))
    }

    fn write(&mut self, state: &S) -> Result<(), Fault> {
        let written = caught(|| self.forms.write(state, &mut self.form).map_err(|why| why.to_string()));
        written.unwrap_or_else(|panic| Err(panic.message)).map_err(Fault::NoForm)
    }

    fn add_fault(&mut self, fault: Fault, sequence: FailedSequence) -> Result<(), Stop> {
        if !self.faults.iter().any(|(known, _)| known.is_like(&fault)) {
            self.faults.push((fault, sequence));
        }
        if self.faults.len() >= self.explore.config.failures.max(1) { Err(Stop::Failed) } else { Ok(()) }
    }
}
