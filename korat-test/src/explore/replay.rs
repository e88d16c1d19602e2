//! Runs single sequences of calls: those that failed before, and the one that is replayed.

use super::State;
use super::again::Saved;
use super::call_sequence::{CallSequence, SequenceReplay};
use super::failure::{FailedSequence, RunAgain};
use super::run::{Run, Stop};
use super::states::{Origin, StateId, States};
use super::steps::{ActionId, StepId};
use crate::choose;
use crate::output::print_line;
use crate::regressions::Kept;

impl<S: State> Run<S> {
    /// Runs the calls of `KORAT_REPLAY`. Returns false, with a warning, if they are none of this exploration.
    pub(super) fn run_replayed(&mut self) -> Result<bool, Stop> {
        let Some(line) = self.executor.explore.config.replay.clone() else { return Ok(false) };
        let calls = SequenceReplay::parse(&line).filter(|replay| replay.type_name == self.again.type_name);
        let why = match calls.map(|replay| self.follow_replayed(&replay.calls)) {
            Some(Ok(done)) => return done.map(|()| true),
            Some(Err(why)) => format!(" ({why})"),
            None => String::new(),
        };
        let (type_name, location) = (&self.again.type_name, self.again.location);
        print_line(&format!(
            "warning: korat: KORAT_REPLAY is `{line}`; the exploration of {type_name} at {location} is run as usual{why}"
        ));
        Ok(false)
    }

    /// Runs calls that are replayed. Fails if they are none of this exploration.
    pub(super) fn follow_replayed(&mut self, calls: &str) -> Result<Result<(), Stop>, String> {
        self.origin = Some("the replayed sequence".to_string());
        let followed = self.follow(calls);
        self.origin = None;
        followed
    }

    /// Runs the sequences of the regression file. Warns about those that are none of this exploration: the code may have changed, or
    /// another exploration in this function has other operations.
    pub(super) fn run_kept(&mut self) -> Result<(), Stop> {
        let Some(regressions) = &self.again.regressions else { return Ok(()) };
        let file = regressions.file();
        let warn = |what: String| print_line(&format!("warning: korat: {file}{what}"));
        let lines = regressions.lines().inspect_err(|error| warn(format!(" cannot be read: {error}")));
        for Kept { line, what, .. } in lines.unwrap_or_default() {
            let Some(replay) = SequenceReplay::parse(&what).filter(|it| it.type_name == self.again.type_name) else {
                continue;
            };
            self.origin = Some(format!("a saved sequence: {file}, line {line}"));
            match self.follow(&replay.calls) {
                Ok(done) => done?,
                Err(why) => warn(format!(
                    ", line {line}: {} is none of the exploration at {}: {why}; the code has changed, or it is another's",
                    replay.calls, self.again.location
                )),
            }
            self.executor.executions = 0;
        }
        self.origin = None;
        Ok(())
    }

    /// Runs calls one after the other. Fails if they are none of this exploration.
    fn follow(&mut self, calls: &str) -> Result<Result<(), Stop>, String> {
        let CallSequence { first, steps } = CallSequence::parse(calls, &self.executor.explore.operations)?;
        let state = self.firsts.get(first).ok_or_else(|| format!("there is no first state {first}"))?;
        let form = self.states.form(state.ok_or("its first state fails itself")?).to_vec();
        // Only the states of this sequence, matched by their forms whatever others are matched by.
        let mut states = States::new(None);
        let state = states.insert(&form, &form, Origin::first(first as StepId));
        std::mem::swap(&mut self.states, &mut states);
        let followed = self.follow_from(state, steps);
        self.states = states;
        followed
    }

    fn follow_from(
        &mut self,
        mut state: StateId,
        steps: Vec<(ActionId, Vec<u32>)>,
    ) -> Result<Result<(), Stop>, String> {
        for (action, answers) in steps {
            choose::give(&answers);
            // The calls are noted, however many there are.
            self.executor.note_state(&self.states, &self.steps, state, 0);
            let ran = self.executor.execute(self.states.form(state), action);
            let call = self.executor.explore.operations.text(action);
            if !choose::is_as_given() {
                return Err(format!("`{call}` makes other choices now than were replayed"));
            }
            match ran {
                Ok(true) => {
                    let step = self.steps.current(action);
                    state = self.states.insert(&self.executor.form, &self.executor.form, Origin { from: state, step });
                }
                Ok(false) => return Err(format!("the guard of `{call}` does not hold there")),
                Err(fault) => {
                    let sequence = self.sequence(state, action, &fault);
                    return Ok(self.add_fault(fault, sequence));
                }
            }
        }
        Ok(Ok(()))
    }

    /// Adds to a failing sequence how it is run again, and saves it.
    pub(super) fn complete(&self, mut sequence: FailedSequence) -> FailedSequence {
        let line = self.again.line(&sequence.replay);
        let origin = self.origin.clone();
        let is_new = origin.is_none() && !sequence.calls.is_empty();
        let saved = if is_new { self.again.save(&line, &sequence.message) } else { Saved::No };
        let test = self.again.test(self.faults.len(), &sequence.replay);
        sequence.again = Some(RunAgain { origin, command: self.again.command(&line), saved, test });
        sequence
    }
}
