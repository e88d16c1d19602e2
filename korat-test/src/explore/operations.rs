//! Operations, and the actions that they consist of: one for each argument.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;

use super::steps::ActionId;

/// Stands between two calls in the text of a sequence. No key of an action has it.
pub(super) const SEPARATOR: char = ';';

/// Stands before the number of a first state in the text of a sequence. No key of an action begins like this.
pub(super) const START: &str = "start ";

/// What decides whether an operation is run on a state, with the argument of this type.
type Guard<S, A> = Box<dyn Fn(&S, A) -> bool>;

/// Runs an operation with the argument at a position. Tells what is wrong with what it returned.
type RunOperation<S> = Box<dyn Fn(&mut S, usize) -> Result<(), String>>;

struct Operation<S> {
    /// Takes the position of the argument.
    guard: Option<Guard<S, usize>>,
    run: RunOperation<S>,
}

/// An operation with one of its arguments.
struct Action {
    /// How it is called: `insert(3)`. The second that is called so is `insert(3)~2`.
    text: String,
    /// The text as it stands in a sequence of calls; no other action has it.
    key: String,
    operation: usize,
    argument: usize,
}

/// All operations.
pub(super) struct Operations<S> {
    operations: Vec<Operation<S>>,
    actions: Vec<Action>,
    /// How many actions have this key, but for what is added to tell them apart.
    times: HashMap<String, usize>,
}

impl<S> Default for Operations<S> {
    fn default() -> Self {
        Operations { operations: Vec::new(), actions: Vec::new(), times: HashMap::new() }
    }
}

impl<S: 'static> Operations<S> {
    /// Adds an operation with its arguments.
    pub(super) fn add<A: Clone + Debug + 'static>(
        &mut self,
        name: &str,
        guard: Option<Guard<S, A>>,
        arguments: impl IntoIterator<Item = A>,
        run: impl Fn(&mut S, A) -> Result<(), String> + 'static,
    ) {
        let arguments: Rc<[A]> = arguments.into_iter().collect();
        let operation = self.operations.len();
        for (argument, value) in arguments.iter().enumerate() {
            let mut text = call_text(name, value);
            let mut key = escaped(&text);
            let same = self.times.entry(key.clone()).or_default();
            *same += 1;
            if *same > 1 {
                let number = format!("~{same}");
                text.push_str(&number);
                key.push_str(&number);
            }
            self.actions.push(Action { key, text, operation, argument });
        }
        let of_guard = Rc::clone(&arguments);
        let guard = guard.map(|guard| -> Guard<S, usize> {
            Box::new(move |state, argument| guard(state, of_guard[argument].clone()))
        });
        let run = move |state: &mut S, argument: usize| run(state, arguments[argument].clone());
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

    /// Returns how an action is called in a line of text.
    pub(super) fn key(&self, action: ActionId) -> &str {
        &self.actions[action as usize].key
    }

    /// Returns how all actions are called in a line of text.
    pub(super) fn keys(&self) -> Vec<String> {
        self.actions.iter().map(|action| action.key.clone()).collect()
    }

    /// Returns a number that tells these actions from others.
    pub(super) fn fingerprint(&self) -> u32 {
        let mut hasher = FxHasher::default();
        self.actions.iter().for_each(|action| action.key.hash(&mut hasher));
        hasher.finish() as u32
    }

    /// Returns whether an action is not run on all states.
    pub(super) fn has_guard(&self, action: ActionId) -> bool {
        self.operations[self.actions[action as usize].operation].guard.is_some()
    }

    /// Returns whether an action is run on a state.
    pub(super) fn is_enabled(&self, action: ActionId, state: &S) -> bool {
        let Action { operation, argument, .. } = self.actions[action as usize];
        self.operations[operation].guard.as_ref().is_none_or(|guard| guard(state, argument))
    }

    /// Runs an action. Tells what is wrong with what it returned.
    pub(super) fn run(&self, action: ActionId, state: &mut S) -> Result<(), String> {
        let Action { operation, argument, .. } = self.actions[action as usize];
        (self.operations[operation].run)(state, argument)
    }

    /// Returns the operations for states that have one of these as a part.
    pub(super) fn within<T>(self, part: fn(&T) -> &S, part_mut: fn(&mut T) -> &mut S) -> Operations<T>
    where
        T: 'static,
    {
        let operations = self.operations.into_iter().map(|Operation { guard, run }| Operation {
            guard: guard.map(|guard| -> Guard<T, usize> { Box::new(move |whole, at| guard(part(whole), at)) }),
            run: Box::new(move |whole, argument| run(part_mut(whole), argument)),
        });
        Operations { operations: operations.collect(), actions: self.actions, times: self.times }
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

/// Returns the text of a call as it stands in a sequence of calls: on one line, without `#`, which begins a comment in a regression
/// file, without what stands between calls, and without blanks at its ends. It does not begin as the number of a first state does.
fn escaped(call: &str) -> String {
    let last = call.chars().count().saturating_sub(1);
    let is_start = call.starts_with(START);
    let mut text = String::new();
    for (at, c) in call.chars().enumerate() {
        let is_edge = at == 0 && is_start || (at == 0 || at == last) && c.is_whitespace();
        if is_edge || c == '#' || c == SEPARATOR || c.is_control() {
            text.extend(c.escape_unicode());
        } else {
            text.push(c);
        }
    }
    text
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
