//! Operations, and the actions that they consist of: one for each argument.

use std::fmt::Debug;

use super::steps::ActionId;

/// What decides whether an operation is run on a state.
type Guard<S> = Box<dyn Fn(&S) -> bool>;

/// Runs an operation with the argument at a position.
type RunOperation<S> = Box<dyn Fn(&mut S, usize)>;

struct Operation<S> {
    guard: Option<Guard<S>>,
    run: RunOperation<S>,
}

/// An operation with one of its arguments.
struct Action {
    /// How it is called: `insert(3)`.
    text: String,
    operation: usize,
    argument: usize,
}

/// All operations.
pub(super) struct Operations<S> {
    operations: Vec<Operation<S>>,
    actions: Vec<Action>,
}

impl<S> Default for Operations<S> {
    fn default() -> Self {
        Operations { operations: Vec::new(), actions: Vec::new() }
    }
}

impl<S> Operations<S> {
    /// Adds an operation with its arguments.
    pub(super) fn add<A: Clone + Debug + 'static, R>(
        &mut self,
        name: &str,
        guard: Option<Guard<S>>,
        arguments: impl IntoIterator<Item = A>,
        run: impl Fn(&mut S, A) -> R + 'static,
    ) {
        let arguments: Vec<A> = arguments.into_iter().collect();
        let operation = self.operations.len();
        for (argument, value) in arguments.iter().enumerate() {
            self.actions.push(Action { text: call_text(name, value), operation, argument });
        }
        let run = move |state: &mut S, argument: usize| drop(run(state, arguments[argument].clone()));
        self.operations.push(Operation { guard, run: Box::new(run) });
    }

    /// Returns the number of actions.
    pub(super) fn len(&self) -> u32 {
        self.actions.len() as u32
    }

    /// Returns how an action is called.
    pub(super) fn text(&self, action: ActionId) -> &str {
        &self.actions[action as usize].text
    }

    /// Returns whether an action is run on a state.
    pub(super) fn is_enabled(&self, action: ActionId, state: &S) -> bool {
        let guard = &self.operations[self.actions[action as usize].operation].guard;
        guard.as_ref().is_none_or(|guard| guard(state))
    }

    /// Runs an action.
    pub(super) fn run(&self, action: ActionId, state: &mut S) {
        let Action { operation, argument, .. } = self.actions[action as usize];
        (self.operations[operation].run)(state, argument);
    }
}

/// Returns a call as text. A tuple stands for several arguments, and `()` for none.
fn call_text(name: &str, argument: &impl Debug) -> String {
    let text = format!("{argument:?}");
    match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(arguments) => format!("{name}({})", arguments.trim_end_matches(',')),
        None => format!("{name}({text})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_look_as_in_a_program() {
        let calls =
            [call_text("pop", &()), call_text("insert", &3), call_text("put", &(3, "x")), call_text("at", &(1,))];
        assert_eq!(calls, ["pop()", "insert(3)", "put(3, \"x\")", "at(1)"]);
    }
}
