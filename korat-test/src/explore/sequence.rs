//! The shortest sequence of calls to a state, as text and drawn.

use korat_core::Forms;

use super::State;
use super::call_sequence::CallSequence;
use super::drawing::drawn;
use super::failure::{FailedSequence, Fault};
use super::run::Run;
use super::states::StateId;
use super::steps::{ActionId, StepId};
use crate::choose;
use crate::panics::caught;

impl<S: State> Run<S> {
    /// Returns the shortest sequence of calls that ends with an action on a state, with the answers that it was last given.
    pub(super) fn sequence(&mut self, state: StateId, action: ActionId, fault: &Fault) -> FailedSequence {
        let answers = choose::answers();
        let (first, path) = self.states.path_to(state);
        let step = |(from, step): (StateId, StepId)| {
            let (action, answers) = self.steps.get(step);
            (from, action, answers.to_vec())
        };
        let steps: Vec<_> = path.into_iter().map(step).chain([(state, action, answers)]).collect();
        let calls = steps.iter().map(|(_, action, answers)| (*action, answers.clone())).collect();
        let replay = CallSequence { first, steps: calls }.text(&self.executor.explore.operations);
        let (mut calls, mut states, mut after) = (Vec::new(), Vec::new(), None);
        for (from, action, answers) in steps {
            states.push(self.state_text(from));
            let form = self.states.form(from).to_vec();
            let (call, state) = self.run_again(&form, (action, &answers), drawn);
            calls.push(call);
            after = state;
        }
        // The state that is wrong was not stored.
        if fault.has_state() {
            states.extend(after);
        }
        let (message, location) = fault.message();
        FailedSequence { calls, states, message, location, replay, again: None }
    }

    /// Returns the failure of a first state.
    pub(super) fn failed_first(&mut self, number: usize, first: Option<&S>, fault: &Fault) -> FailedSequence {
        let (mut message, location) = fault.message();
        let states = first.map(|first| drawn(&mut self.executor.forms, first)).into_iter().collect();
        if let (Some(first), Fault::Check(..)) = (first, fault) {
            let checks = &self.executor.explore.checks;
            let check = || caught(|| checks.iter().all(|check| check(first).is_ok()));
            let (_, told) = choose::with_answers(&choose::answers(), check);
            if !told.is_empty() {
                message = format!("{message} (choosing {})", told.join(", "));
            }
        }
        let replay = CallSequence::start(number);
        FailedSequence { calls: Vec::new(), states, message, location, replay, again: None }
    }

    fn state_text(&mut self, state: StateId) -> String {
        let Ok((state, shared)) = caught(|| self.executor.forms.read::<S>(self.states.form(state), 0)) else {
            return "(it cannot be built)".to_string();
        };
        let text = drawn(&mut self.executor.forms, &state);
        let _ = caught(|| drop((state, shared)));
        text
    }

    /// Runs an action once more on the state with a form. Returns the call with its answers, and what `look` sees in the state after
    /// it unless it panics.
    pub(super) fn run_again<R>(
        &mut self,
        form: &[u8],
        (action, answers): (ActionId, &[u32]),
        look: impl FnOnce(&mut Forms, &S) -> R,
    ) -> (String, Option<R>) {
        let operations = &self.executor.explore.operations;
        let call = operations.text(action).to_string();
        let Ok((mut after, shared)) = caught(|| self.executor.forms.read::<S>(form, 0)) else {
            return (call, None);
        };
        let (forms, checks) = (&mut self.executor.forms, &self.executor.explore.checks);
        let (seen, told) = choose::with_answers(answers, || {
            // Guards and checks may choose, too.
            let run = caught(|| {
                operations.is_enabled(action, &after);
                let _ = operations.run(action, &mut after);
            });
            let seen = run.is_ok().then(|| look(forms, &after));
            if seen.is_some() {
                let _ = caught(|| checks.iter().all(|check| check(&after).is_ok()));
            }
            seen
        });
        let _ = caught(|| drop((after, shared)));
        if told.is_empty() { (call, seen) } else { (format!("{call} choosing {}", told.join(", ")), seen) }
    }
}
