//! The shortest sequence of calls to a state, as text.

use std::fmt::{self, Debug, Write};

use korat_core::__private::Field;

use super::failure::{FailedSequence, Fault};
use super::run::Run;
use super::states::{Origin, StateId};
use super::steps::ActionId;
use crate::choose;
use crate::panics::caught;

impl<S: Field + Debug> Run<S> {
    /// Returns the shortest sequence of calls that ends with an action on a state, with the answers that it was last given.
    pub(super) fn sequence(&self, state: StateId, action: ActionId, fault: &Fault) -> FailedSequence {
        let answers = choose::answers();
        let mut path = Vec::new();
        let mut at = state;
        while self.states.origin(at).from != at {
            let Origin { from, step } = self.states.origin(at);
            path.push((from, step));
            at = from;
        }
        let (mut calls, mut states) = (Vec::new(), Vec::new());
        for &(from, step) in path.iter().rev() {
            let (action, answers) = self.steps.get(step);
            states.push(self.state_text(from));
            calls.push(self.run_again(from, action, answers).0);
        }
        let (call, after) = self.run_again(state, action, &answers);
        states.push(self.state_text(state));
        calls.push(call);
        // The state that is wrong was not stored.
        if let Fault::Check(_) | Fault::Rejected = fault {
            states.extend(after);
        }
        let (message, location) = fault.message();
        FailedSequence { calls, states, message, location }
    }

    fn state_text(&self, state: StateId) -> String {
        let Ok((state, shared)) = caught(|| self.forms.read::<S>(self.states.form(state), 0)) else {
            return "(it cannot be built)".to_string();
        };
        let text = text(&state);
        let _ = caught(|| drop((state, shared)));
        text
    }

    /// Runs an action once more. Returns the call with its answers, and the state after it unless it panics.
    fn run_again(&self, state: StateId, action: ActionId, answers: &[u32]) -> (String, Option<String>) {
        let operations = &self.explore.operations;
        let call = operations.text(action).to_string();
        let Ok((mut after, shared)) = caught(|| self.forms.read::<S>(self.states.form(state), 0)) else {
            return (call, None);
        };
        let (ran, told) = choose::with_answers(answers, || {
            caught(|| {
                // A guard may choose, too.
                operations.is_enabled(action, &after);
                operations.run(action, &mut after);
            })
        });
        let text = ran.is_ok().then(|| text(&after));
        let _ = caught(|| drop((after, shared)));
        if told.is_empty() { (call, text) } else { (format!("{call} choosing {}", told.join(", ")), text) }
    }
}

/// The longest text of a state. One that prints itself without end, as a cycle may, ends here.
const LONGEST: usize = 4_000;

/// Returns the `Debug` text of a state.
pub(super) fn text(state: &impl Debug) -> String {
    struct Text(String);
    impl Write for Text {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0.push_str(part);
            if self.0.len() > LONGEST { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut text = Text(String::new());
    match caught(|| write!(text, "{state:?}").is_ok()) {
        Ok(true) => {}
        Ok(false) => text.0.push_str(" .. (its `Debug` does not end here)"),
        Err(_) => text.0.push_str(" .. (its `Debug` panics)"),
    }
    text.0
}
