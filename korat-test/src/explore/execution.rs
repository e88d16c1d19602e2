//! Executions: one action on one state, which is built anew, and the checks of the state after it. Those that fail, and a sample of
//! the others, run twice.

use std::mem::discriminant;

use korat_core::Forms;

use super::again::Again;
use super::call_sequence::{CallSequence, push_call};
use super::failure::Fault;
use super::states::{StateId, States};
use super::steps::{ActionId, Steps};
use super::underway::Underway;
use super::{Explore, State};
use crate::choose;
use crate::panics::caught;
use crate::property;

/// Fewer calls lead to the states that are noted. With more, a note would take longer than the operations on the state.
const MOST_NOTED: usize = 100;

/// Runs the actions of an exploration.
pub(super) struct Executor<S> {
    pub(super) explore: Explore<S>,
    pub(super) forms: Forms,
    /// Accepts the states that are explored further, if there is an invariant.
    pub(super) accepts: Option<fn(&S) -> bool>,
    /// The form of the state that an action led to last.
    pub(super) form: Vec<u8>,
    /// What that state is matched by, if it is not its form.
    pub(super) key: Vec<u8>,
    /// How often an action was run, those that were run twice counted once.
    pub(super) executions: u64,
    pub(super) underway: Underway,
    sample: Sample,
    /// The calls that lead to the state that actions are run on.
    calls: String,
}

/// Which executions are run twice, to compare the results.
struct Sample {
    /// For each action, whether it was run.
    are_run: Vec<bool>,
    /// A linear congruential generator, the same in each run of a test. A fixed interval might always meet the same action.
    random: u64,
}

impl Sample {
    fn of(actions: ActionId) -> Self {
        Sample { are_run: vec![false; actions as usize], random: 0 }
    }

    /// Returns whether an action that was run is to be run again: if it is the first time, and one in 64 times.
    fn takes(&mut self, action: ActionId) -> bool {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        !std::mem::replace(&mut self.are_run[action as usize], true) || self.random >> 58 == 0
    }
}

impl<S: State> Executor<S> {
    /// Begins an exploration, or a part of it on another thread.
    pub(super) fn new(explore: Explore<S>, again: &Again) -> Self {
        Executor {
            underway: Underway::begin(again, &explore.operations, explore.config.execution_limit),
            sample: Sample::of(explore.operations.len()),
            explore,
            forms: Forms::default(),
            accepts: None,
            form: Vec::new(),
            key: Vec::new(),
            executions: 0,
            calls: String::new(),
        }
    }

    /// Notes the state on which actions are run next, which this many calls lead to.
    pub(super) fn note_state(&mut self, states: &States, steps: &Steps, state: StateId, depth: usize) {
        if !self.underway.takes_notes() {
            return;
        }
        if depth >= MOST_NOTED {
            return self.underway.at_deep_state(depth);
        }
        let (first, path) = states.path_to(state);
        self.calls.clear();
        self.calls.push_str(&CallSequence::start(first));
        for (_, step) in path {
            let (action, answers) = steps.get(step);
            push_call(&mut self.calls, self.explore.operations.key(action), answers);
        }
        self.underway.at_state(&self.calls);
    }

    /// Runs an action on the state with a form, and writes the form of the state after it. Returns whether it was run.
    pub(super) fn execute(&mut self, state: &[u8], action: ActionId) -> Result<bool, Fault> {
        self.underway.begin_action(action);
        let ran = self.execute_checked(state, action);
        self.underway.end_action();
        ran
    }

    /// Runs an action on a state: twice if it fails, if it is run for the first time, or if it is one of a sample.
    fn execute_checked(&mut self, state: &[u8], action: ActionId) -> Result<bool, Fault> {
        let ran = self.execute_once(state, action);
        if !matches!(ran, Ok(false) | Err(Fault::Guard(_))) {
            self.executions += 1;
        }
        match ran {
            Ok(false) => return Ok(false),
            Ok(true) if !self.sample.takes(action) => return Ok(true),
            Err(Fault::Rejected) => return ran,
            _ => {}
        }
        let form = std::mem::take(&mut self.form);
        choose::again();
        let again = self.execute_once(state, action);
        match (ran, again) {
            (Ok(_), Err(cannot_build @ Fault::Build(_))) => Err(cannot_build),
            (Ok(_), Ok(true)) if self.form == form => {
                if self.guard_changes(state, action) {
                    Err(Fault::GuardChanges)
                } else {
                    Ok(true)
                }
            }
            (Ok(_), _) => Err(Fault::NotDeterministic),
            (Err(fault), Err(same)) if discriminant(&fault) == discriminant(&same) => Err(fault),
            (Err(fault), _) => Err(Fault::NotAgain(Box::new(fault))),
        }
    }

    /// Returns whether the guard of an action changes the state, through a cell in it.
    fn guard_changes(&mut self, state: &[u8], action: ActionId) -> bool {
        if !self.explore.operations.has_guard(action) {
            return false;
        }
        let mut form = Vec::new();
        let written = caught(|| {
            let (value, shared) = self.forms.read::<S>(state, 0);
            choose::again();
            self.explore.operations.is_enabled(action, &value);
            let written = self.forms.write(&value, &mut form);
            drop(value);
            drop(shared);
            written.is_ok()
        });
        // The answers of a guard are those of the action, too.
        choose::resume();
        written == Ok(true) && form != state
    }

    fn execute_once(&mut self, from: &[u8], action: ActionId) -> Result<bool, Fault> {
        let operations = &self.explore.operations;
        let (mut state, shared) =
            caught(|| self.forms.read::<S>(from, 0)).map_err(|panic| Fault::Build(panic.into()))?;
        let enabled = if operations.has_guard(action) {
            caught(|| operations.is_enabled(action, &state)).map_err(|panic| Fault::Guard(panic.into()))
        } else {
            Ok(true)
        };
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
        property::judged(|| operations.run(action, state)).map_err(Fault::Operation)?;
        // Before the checks: they may change what is in a cell.
        self.write(state)?;
        self.checked(state)?;
        self.accepted(state)
    }

    pub(super) fn accepted(&self, state: &S) -> Result<(), Fault> {
        match self.accepts.map(|accepts| caught(|| accepts(state))) {
            None | Some(Ok(true)) => Ok(()),
            Some(Ok(false)) => Err(Fault::Rejected),
            Some(Err(panic)) => Err(Fault::Invariant(panic.into())),
        }
    }

    pub(super) fn checked(&self, state: &S) -> Result<(), Fault> {
        let mut checks = self.explore.checks.iter().enumerate();
        checks.try_for_each(|(at, check)| {
            property::judged(|| check(state)).map_err(|violation| Fault::Check(at, Box::new(violation)))
        })
    }

    pub(super) fn write(&mut self, state: &S) -> Result<(), Fault> {
        let written = caught(|| self.forms.write(state, &mut self.form).map_err(|why| why.to_string()));
        written.unwrap_or_else(|panic| Err(panic.message)).map_err(Fault::NoForm)?;
        self.explore.matched_by.write(state, &mut self.forms, &self.form, &mut self.key)
    }
}
