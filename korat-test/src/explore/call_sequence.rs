//! Sequences of calls as text, which replays and regression files use: `push(1); pop()`.

use std::fmt;

use super::operations::{Operations, SEPARATOR, START};
use super::steps::ActionId;

/// Calls in order, from one of the first states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallSequence {
    /// The number of the first state.
    pub(super) first: usize,
    /// The actions, each with the indices of its answers to what it lets korat choose.
    pub(super) steps: Vec<(ActionId, Vec<u32>)>,
}

impl CallSequence {
    /// Returns the text of the sequence without calls from the first state with a number.
    pub(super) fn start(number: usize) -> String {
        if number == 0 { String::new() } else { format!("{START}{number}") }
    }

    /// Returns the text of a sequence: `start 1; push(1); throw()/2.0`.
    pub(super) fn text<S: 'static>(&self, operations: &Operations<S>) -> String {
        let mut text = CallSequence::start(self.first);
        self.steps.iter().for_each(|(action, answers)| push_call(&mut text, operations.key(*action), answers));
        text
    }

    /// Reads a sequence. Fails with what is wrong.
    pub(super) fn parse<S: 'static>(text: &str, operations: &Operations<S>) -> Result<Self, String> {
        let mut sequence = CallSequence { first: 0, steps: Vec::new() };
        let mut calls = text.split(SEPARATOR).map(str::trim).filter(|call| !call.is_empty()).peekable();
        if let Some(number) = calls.peek().and_then(|call| call.strip_prefix(START)) {
            sequence.first = number.parse().map_err(|_| format!("`{number}` is no number of a first state"))?;
            calls.next();
        }
        for call in calls {
            // What stands behind the name of an action: nothing, or answers.
            let rest = |action| {
                call.strip_prefix(operations.key(action)).filter(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let action = (0..operations.len()).filter_map(|action| Some((rest(action)?, action)));
            let (rest, action) = action
                .min_by_key(|(rest, _)| rest.len())
                .ok_or_else(|| format!("no operation is called like `{call}`"))?;
            let answers = rest.strip_prefix('/').into_iter().flat_map(|answers| answers.split('.').map(str::parse));
            let answers = answers.collect::<Result<Vec<u32>, _>>();
            let answers =
                answers.map_err(|_| format!("the answers of `{}` are no numbers", operations.text(action)))?;
            sequence.steps.push((action, answers));
        }
        Ok(sequence)
    }
}

/// Appends a call to the text of a sequence.
pub(super) fn push_call(text: &mut String, call: &str, answers: &[u32]) {
    if !text.is_empty() {
        text.push(SEPARATOR);
        text.push(' ');
    }
    text.push_str(call);
    for (at, answer) in answers.iter().enumerate() {
        text.push(if at == 0 { '/' } else { '.' });
        text.push_str(&answer.to_string());
    }
}

/// The line that replays a sequence: the type of the state, and the calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SequenceReplay {
    pub(super) type_name: String,
    pub(super) calls: String,
}

/// How the line begins. That of a value begins with the name of a type.
const EXPLORE: &str = "explore ";

/// Returns whether a line replays a sequence, not a value.
pub(crate) fn is_sequence(line: &str) -> bool {
    line.trim_start().starts_with(EXPLORE)
}

impl SequenceReplay {
    /// Reads a line; `None` if it does not replay a sequence.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (type_name, calls) = line.trim_start().strip_prefix(EXPLORE)?.split_once(':')?;
        Some(SequenceReplay { type_name: type_name.to_string(), calls: calls.trim().to_string() })
    }
}

impl fmt::Display for SequenceReplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{EXPLORE}{}: {}", self.type_name, self.calls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations() -> Operations<String> {
        let mut operations = Operations::default();
        operations.add("push", None, ["a", "a; pop()", "#\n"], |_, _| Ok(()));
        operations.add("pop", None, [()], |_, ()| Ok(()));
        operations.add("pop", None, [()], |_, ()| Ok(()));
        operations
    }

    #[test]
    fn sequences_come_back_from_their_text() {
        let operations = operations();
        let steps = vec![(1, vec![]), (0, vec![2, 0]), (4, vec![]), (2, vec![]), (3, vec![7])];
        for first in [0, 3] {
            let sequence = CallSequence { first, steps: steps.clone() };
            let text = sequence.text(&operations);
            assert!(!text.contains(['#', '\n']), "{text}");
            assert_eq!(CallSequence::parse(&text, &operations), Ok(sequence));
        }
        assert_eq!(CallSequence::parse("pop();push(\"a\") ; ", &operations).map(|it| it.steps.len()), Ok(2));
        let none = CallSequence { first: 0, steps: Vec::new() };
        assert_eq!((none.text(&operations), CallSequence::parse("", &operations)), (String::new(), Ok(none)));
    }

    /// An argument whose `Debug` prints a text without quotes.
    #[derive(Clone)]
    struct Bare(&'static str);

    impl fmt::Debug for Bare {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    #[test]
    fn odd_names_and_arguments_come_back_from_their_text() {
        let mut operations = Operations::default();
        let arguments = ["1); f(2", "1", "2", "\\u{a}", "\n", "1)/0", "1)~2"].map(Bare);
        for name in ["f", " f", "start 1", "f(1); f", "a/0", "f ", ""] {
            operations.add(name, None, arguments.clone(), |_: &mut String, _| Ok(()));
        }
        let keys: std::collections::BTreeSet<String> = operations.keys().into_iter().collect();
        assert_eq!(keys.len(), operations.len() as usize);
        for one in 0..operations.len() {
            for other in 0..operations.len() {
                let sequence =
                    CallSequence { first: 0, steps: vec![(one, vec![]), (other, vec![0, 3]), (one, vec![])] };
                let text = sequence.text(&operations);
                assert_eq!(CallSequence::parse(&text, &operations), Ok(sequence), "{text}");
            }
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_is_wrong() {
        let operations = operations();
        let errors = ["push(\"b\"); pop()", "pop()/x", "start y; pop()", "pop()pop()", "pop() pop()"]
            .map(|text| CallSequence::parse(text, &operations).unwrap_err());
        insta::assert_snapshot!(errors.join("\n"), @r#"
        no operation is called like `push("b")`
        the answers of `pop()` are no numbers
        `y` is no number of a first state
        no operation is called like `pop()pop()`
        no operation is called like `pop() pop()`
        "#);
    }
}
