//! Why a search cannot go on, as data and as text that says who is at fault.

use std::any::Any;
use std::fmt;

use crate::plan::BoundsError;

/// Why a search cannot go on.
#[non_exhaustive]
pub enum SearchError {
    /// The bounds are wrong.
    Bounds(Vec<BoundsError>),
    /// The predicate panicked on a candidate.
    Panicked {
        /// What it said.
        message: String,
        /// The candidate.
        candidate: String,
        /// The panic itself.
        payload: Box<dyn Any + Send>,
    },
    /// The predicate took too many steps without reading a new field.
    Endless {
        /// The candidate.
        candidate: String,
        /// The limit.
        steps: u64,
    },
    /// The predicate recursed too deep.
    TooDeep {
        /// The candidate.
        candidate: String,
        /// The limit.
        bytes: usize,
    },
    /// The predicate called itself too often before it returned.
    TooManyCalls {
        /// The candidate.
        candidate: String,
        /// The limit.
        calls: u32,
    },
    /// The predicate read other fields when it was given the same values again.
    NotDeterministic {
        /// The candidate.
        candidate: String,
        /// What it read before.
        expected: String,
        /// What it reads now.
        found: String,
        /// Where, as far as it is known.
        place: String,
    },
    /// The predicate gave another verdict when it was given the same values again.
    VerdictsDiffer {
        /// The candidate.
        candidate: String,
        /// What it did before.
        before: String,
        /// What it does now.
        now: String,
    },
    /// The search and the predicate do not agree, see [`SelfCheck`](crate::SelfCheck): a bug in korat.
    Disagreement(Box<Disagreement>),
    /// No candidate has the choices that the search was to begin with.
    NoSuchPrefix {
        /// Which of the choices.
        choice: usize,
        /// The index it was to have.
        index: u32,
    },
    /// The predicate depends on an order that the structure was declared not to have.
    NotSymmetric {
        /// The field whose elements, or whose names, have that order: `List.nodes`.
        field: String,
        /// What says that they have none: `index_of`, `set` or `identity`.
        declared: &'static str,
        /// A candidate that it accepts.
        candidate: String,
        /// What it does with the same one in another order: `rejects`.
        verdict: String,
        /// That one.
        reordered: String,
    },
    /// The predicate accepts something that is not a value of the type.
    Misfit {
        /// The candidate.
        candidate: String,
        /// What is wrong with it.
        what: String,
    },
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Bounds(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&errors.join("\n"))
            }
            SearchError::Panicked { message, candidate, .. } => {
                write!(f, "rep_ok panicked: {message}\non the candidate\n{candidate}")
            }
            SearchError::Endless { candidate, steps } => write!(
                f,
                "rep_ok took {steps} steps without reading a new field; it seems to loop on the candidate\n{candidate}\
                 note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the \
                 limit with `.step_limit(n)`"
            ),
            SearchError::TooDeep { candidate, bytes } => write!(
                f,
                "rep_ok recursed through {bytes} bytes of stack; it seems to recurse without end on the candidate\n\
                 {candidate}note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or \
                 raise the limit with `.stack_limit(bytes)`"
            ),
            SearchError::TooManyCalls { candidate, calls } => write!(
                f,
                "rep_ok recursed through {calls} calls; it seems to recurse without end on the candidate\n{candidate}\
                 note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes"
            ),
            SearchError::NotDeterministic { candidate, expected, found, place } => write!(
                f,
                "rep_ok read different fields on replay{place}; is it deterministic? it read {expected} before and {found} \
                 now, on the candidate\n{candidate}"
            ),
            SearchError::VerdictsDiffer { candidate, before, now } => write!(
                f,
                "rep_ok gave different verdicts on replay; is it deterministic? it {before} before and {now} now, \
                 on the candidate\n{candidate}"
            ),
            SearchError::Disagreement(disagreement) => disagreement.fmt(f),
            SearchError::NoSuchPrefix { choice, index } => {
                write!(f, "no candidate begins with the given choices: choice {choice} cannot have the index {index}")
            }
            SearchError::NotSymmetric { field, declared, candidate, verdict, reordered } => {
                let vector = field.rsplit_once('.').map_or(field.as_str(), |(_, vector)| vector);
                let (depends, same, remedy) = match *declared {
                    "index_of" => (
                        format!("depends on the places of {field}, which have no meaning where `index_of` stands"),
                        format!("with the elements of {field} in another order"),
                        format!(
                            "declare a vector that belongs to {field} element by element: `#[finitize(beside = {vector})]`; if \
                             an index is used as a number, make it one: `#[finitize(0..scope)]` in place of `index_of`"
                        ),
                    ),
                    "set" => (
                        format!("depends on the order of {field}, which has none by `set`"),
                        format!("with {field} in another order"),
                        "remove `set`, or let rep_ok accept every order".to_string(),
                    ),
                    _ => (
                        format!("depends on more of {field} than `identity` allows, which is equality"),
                        format!("with the values of {field} renamed"),
                        "remove `identity`; fields that are compared with each other belong to one group".to_string(),
                    ),
                };
                write!(
                    f,
                    "rep_ok {depends}: it accepts\n{candidate}and {verdict} the same value {same}\n{reordered}note: {remedy}"
                )
            }
            SearchError::Misfit { candidate, what } => write!(
                f,
                "rep_ok accepts a shape that the type cannot hold: {what}\n{candidate}note: reject it in rep_ok, or \
                 search with `Pruning::Ownership`, which never tries it"
            ),
        }
    }
}

/// Where the search and the predicate do not agree.
#[non_exhaustive]
pub struct Disagreement {
    /// The candidate.
    pub candidate: String,
    /// Where the machine stood, as far as it is known.
    pub place: String,
    /// What the machine does that was made of the predicate, if it was run.
    pub machine: Option<String>,
    /// What the predicate does when it is run from the top.
    pub from_top: String,
    /// What the plain predicate does on the value, if it was run.
    pub plain: Option<String>,
    /// Whether the machine does the same when it begins anew, so that no predicate can be at fault.
    pub is_repeated: bool,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { candidate, place, machine, from_top, plain, is_repeated } = self;
        write!(f, "[korat internal bug] the search and rep_ok disagree{place} on the candidate\n{candidate}")?;
        if let Some(machine) = machine {
            writeln!(f, "korat's machine for rep_ok {machine}")?;
        }
        writeln!(f, "rep_ok run from the top {from_top}")?;
        if let Some(plain) = plain {
            writeln!(f, "the untouched rep_ok {plain}")?;
        }
        f.write_str("note: please report this as a bug of korat, with the code of rep_ok and this text; ")?;
        if !is_repeated {
            f.write_str("or does rep_ok depend on something other than the value's fields? ")?;
        }
        // Running it from the top is right where the plain one says the same.
        if plain.as_ref().is_none_or(|plain| plain == from_top) {
            f.write_str("until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate")
        } else {
            f.write_str("until it is fixed, write that part of rep_ok in another way")
        }
    }
}

impl fmt::Debug for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SearchError {}

/// The text of a panic.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_string()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_string()
    }
}

/// How a panic ends that says that a part of the structure, or a container, is used after the predicate has ended.
pub(crate) const MUST_NOT_KEEP: &str = "rep_ok must not keep any";

/// Whether a panic says that korat, or the way it is used, is wrong, and nothing about a value.
pub(crate) fn is_of_korat(payload: &(dyn Any + Send)) -> bool {
    let message = panic_message(payload);
    message.starts_with("[korat internal bug]") || message.ends_with(MUST_NOT_KEEP)
}
