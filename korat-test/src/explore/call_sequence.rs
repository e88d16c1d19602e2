//! Sequences of calls as text, which replays and regression files use: `push(1); pop()`.

use std::fmt;

use super::operations::Operations;
use super::steps::ActionId;

/// Calls in order, from one of the first states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallSequence {
    /// The number of the first state.
    pub(super) first: usize,
    /// The actions, each with the indices of its answers to what it lets korat choose.
    pub(super) steps: Vec<(ActionId, Vec<u32>)>,
}

/// What stands between two calls.
const BETWEEN: &str = "; ";

impl CallSequence {
    /// Returns the text of a sequence: `start 1; push(1); throw()/2.0`.
    pub(super) fn text<S: 'static>(&self, operations: &Operations<S>) -> String {
        let first = (self.first > 0).then(|| format!("start {}", self.first));
        let mut text = first.unwrap_or_default();
        self.steps.iter().for_each(|(action, answers)| push_call(&mut text, operations.key(*action), answers));
        text
    }

    /// Reads a sequence. Fails with what is wrong.
    pub(super) fn parse<S: 'static>(text: &str, operations: &Operations<S>) -> Result<Self, String> {
        let mut rest = text.trim();
        let mut sequence = CallSequence { first: 0, steps: Vec::new() };
        if let Some(start) = rest.strip_prefix("start ") {
            let (number, calls) = start.split_once(';').unwrap_or((start, ""));
            sequence.first = number.parse().map_err(|_| format!("`{number}` is no number of a first state"))?;
            rest = calls.trim_start();
        }
        while !rest.is_empty() {
            // A text may hold the signs that stand between calls.
            let calls = (0..operations.len()).filter_map(|action| {
                let after = rest.strip_prefix(operations.key(action))?;
                (after.trim_start().is_empty() || after.trim_start().starts_with(['/', ';'])).then_some((action, after))
            });
            let (action, after) = calls.min_by_key(|(_, after)| after.len()).ok_or_else(|| {
                format!("no operation is called like `{}`", rest.split(BETWEEN).next().unwrap_or(rest))
            })?;
            let (answers, after) = after.split_once(';').unwrap_or((after, ""));
            let answers = answers.strip_prefix('/').into_iter().flat_map(|answers| answers.trim_end().split('.'));
            let answers = answers.map(str::parse).collect::<Result<Vec<u32>, _>>();
            let answers =
                answers.map_err(|_| format!("the answers of `{}` are no numbers", operations.text(action)))?;
            sequence.steps.push((action, answers));
            rest = after.trim_start();
        }
        Ok(sequence)
    }
}

/// Appends a call to the text of a sequence.
pub(super) fn push_call(text: &mut String, call: &str, answers: &[u32]) {
    if !text.is_empty() {
        text.push_str(BETWEEN);
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
