//! Text form of a value: its type, scope and slots, as in `SearchTree:3:1.0.2`; with `+` before each value beside it, and `scope/` if that is a structure; and
//! with the indices of what the property chose, after `?`.

use std::fmt;
use std::str::FromStr;

use korat_core::SlotVector;

/// A value of some search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    pub(crate) type_name: String,
    pub(crate) scope: usize,
    pub(crate) slots: SlotVector,
    /// The values beside it, if the property takes several.
    pub(crate) beside: Vec<BesideReplay>,
    /// The indices of the answers to what the property lets korat choose. Without any, all answers are tried.
    pub(crate) answers: Vec<u32>,
}

/// A value beside one of a search: an element of a list, or a structure with the scope of its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct BesideReplay {
    pub(crate) scope: Option<usize>,
    pub(crate) slots: SlotVector,
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        write!(f, "{}:{}:{}", self.type_name, self.scope, text(&self.slots.0))?;
        self.beside.iter().try_for_each(|BesideReplay { scope, slots }| match scope {
            Some(scope) => write!(f, "+{scope}/{}", text(&slots.0)),
            None => write!(f, "+{}", text(&slots.0)),
        })?;
        if self.answers.is_empty() { Ok(()) } else { write!(f, "?{}", text(&self.answers)) }
    }
}

impl FromStr for Replay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("{text:?} cannot be replayed: {what}; a value looks like SearchTree:3:1.0.2");
        let mut parts = text.trim().rsplitn(3, ':');
        let (Some(slots), Some(scope), Some(type_name)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong("it has a type, a scope and slots, with colons between them"));
        };
        let is_name = |name: &str| name.starts_with(|first: char| first.is_alphabetic() || first == '_');
        if !is_name(type_name) {
            return Err(wrong("it begins with the name of a type"));
        }
        let scope = scope.parse().map_err(|_| wrong("the scope is a number"))?;
        let numbers = |slots: &str| {
            let numbers = slots.split('.').filter(|_| !slots.is_empty()).map(str::parse);
            numbers.collect::<Result<Vec<u32>, _>>().map_err(|_| wrong("slots are numbers, with dots between them"))
        };
        let (slots, answers) = slots.split_once('?').unwrap_or((slots, ""));
        let answers = numbers(answers)?;
        let (slots, beside) = slots.split_once('+').map_or((slots, None), |(slots, beside)| (slots, Some(beside)));
        let slots = SlotVector(numbers(slots)?);
        let one = |text: &str| {
            let (scope, slots) = text.split_once('/').map_or((None, text), |(scope, slots)| (Some(scope), slots));
            let scope = scope.map(str::parse).transpose().map_err(|_| wrong("the scope is a number"))?;
            Ok(BesideReplay { scope, slots: SlotVector(numbers(slots)?) })
        };
        let beside = beside.into_iter().flat_map(|beside| beside.split('+')).map(one).collect::<Result<_, String>>()?;
        Ok(Replay { type_name: type_name.to_string(), scope, slots, beside, answers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_from_its_text() {
        for text in [
            "SearchTree:3:1.0.2",
            "Empty:0:",
            "_x:12:4294967295",
            "Tree,Tree,u8:3:1.0+2/0.1+7",
            "Tree,T:3:+0/",
            "Tree:3:1.0+7?0.2",
        ] {
            assert_eq!(text.parse::<Replay>().map(|replay| replay.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_is_wrong() {
        let texts = ["", "1.0.2", "3:1.0.2", ":3:1", "List:x:1", "List:3:1.a", "List:3:1..2", "List:3:-1"];
        let errors = texts.map(|text| text.parse::<Replay>().expect_err(text));
        insta::assert_snapshot!(errors.join("\n"), @r#"
        "" cannot be replayed: it has a type, a scope and slots, with colons between them; a value looks like SearchTree:3:1.0.2
        "1.0.2" cannot be replayed: it has a type, a scope and slots, with colons between them; a value looks like SearchTree:3:1.0.2
        "3:1.0.2" cannot be replayed: it has a type, a scope and slots, with colons between them; a value looks like SearchTree:3:1.0.2
        ":3:1" cannot be replayed: it begins with the name of a type; a value looks like SearchTree:3:1.0.2
        "List:x:1" cannot be replayed: the scope is a number; a value looks like SearchTree:3:1.0.2
        "List:3:1.a" cannot be replayed: slots are numbers, with dots between them; a value looks like SearchTree:3:1.0.2
        "List:3:1..2" cannot be replayed: slots are numbers, with dots between them; a value looks like SearchTree:3:1.0.2
        "List:3:-1" cannot be replayed: slots are numbers, with dots between them; a value looks like SearchTree:3:1.0.2
        "#);
    }
}
