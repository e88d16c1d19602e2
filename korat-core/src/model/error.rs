//! Errors that end a search, as data and as messages that say who is at fault.

use std::any::Any;
use std::fmt;

use super::bounds_error::BoundsError;

/// An error that ends a search.
#[non_exhaustive]
pub enum SearchError {
    /// The bounds are invalid.
    Bounds(Vec<BoundsError>),
    /// The predicate panicked on a candidate.
    Panicked {
        /// The message of the panic.
        message: String,
        /// The candidate.
        candidate: String,
    },
    /// The predicate took too many steps without reading a new field.
    Endless {
        /// The candidate.
        candidate: String,
        /// The limit that was exceeded.
        steps: u64,
    },
    /// The predicate exceeded the stack limit.
    TooDeep {
        /// The candidate.
        candidate: String,
        /// The limit that was exceeded, in bytes of native stack.
        bytes: usize,
    },
    /// The predicate exceeded the limit on nested calls.
    TooManyCalls {
        /// The candidate.
        candidate: String,
        /// The limit that was exceeded.
        calls: u32,
    },
    /// The predicate read different fields when it ran again on the same values.
    NotDeterministic {
        /// The candidate.
        candidate: String,
        /// The field that it read before.
        expected: String,
        /// The field that it reads now.
        found: String,
        /// The source location, if known.
        place: String,
    },
    /// The predicate gave a different verdict when it ran again on the same values.
    VerdictsDiffer {
        /// The candidate.
        candidate: String,
        /// The verdict before.
        before: String,
        /// The verdict now.
        now: String,
    },
    /// The search and the predicate disagree, see [`SelfCheck`](crate::SelfCheck): a bug in korat.
    Disagreement(Box<Disagreement>),
    /// Summaries and the predicate disagree: a bug in korat, or a predicate that depends on something other than the value.
    Summarised {
        /// Whether summaries accept the value.
        accepted: bool,
        /// The value.
        candidate: String,
    },
    /// Values are asked for by their numbers, but parts of the structure cannot be summarised.
    NotSummarised {
        /// The reason.
        why: String,
    },
    /// Values are to be drawn at random, but parts of the structure cannot be summarised, and no descent led to a value.
    NothingDrawn {
        /// The number of descents.
        attempts: u64,
        /// The number of candidates of all descents.
        candidates: u64,
        /// Why parts cannot be summarised.
        why: String,
    },
    /// The canonical forms take too much memory by which the search recognises values that it reaches in several orders. Where there is a report, it says so
    /// instead.
    TooManyForms {
        /// The limit that was exceeded.
        bytes: usize,
    },
    /// No candidate begins with the given prefix of choices.
    NoSuchPrefix {
        /// The position in the prefix.
        choice: usize,
        /// The index that the prefix has there.
        index: u32,
    },
    /// The predicate depends on an order that was declared to have no meaning.
    NotSymmetric {
        /// The field whose elements or names have that order: `List.nodes`.
        field: String,
        /// The attribute that declares the order meaningless: `index_of`, `set` or `identity`.
        declared: &'static str,
        /// A candidate that the predicate accepts.
        candidate: String,
        /// What the predicate does with the reordered candidate: `rejects`.
        verdict: String,
        /// The reordered candidate.
        reordered: String,
    },
    /// The predicate accepts a shape that is not a value of the type.
    Misfit {
        /// The candidate.
        candidate: String,
        /// The reason why it is not a value.
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
            SearchError::Panicked { message, candidate } => {
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
            SearchError::Summarised { accepted, candidate } => {
                let (says, does) = if *accepted { ("accepts", "rejects") } else { ("rejects", "accepts") };
                write!(
                    f,
                    "[korat internal bug] summaries and rep_ok disagree: rep_ok {does} a value that it {says} part by part\n\
                     {candidate}note: please report this as a bug of korat, with the code of rep_ok and this text; or does rep_ok \
                     depend on something other than the value's fields, such as a static, or a number made from an address? meanwhile, search without: `.summaries(Summaries::Never)`"
                )
            }
            SearchError::NotSummarised { why } => write!(
                f,
                "values have numbers only where parts of the structure are summarised, and here they are not: {why}"
            ),
            SearchError::NothingDrawn { attempts, candidates, why } => write!(
                f,
                "nothing was drawn: {attempts} random descents with {candidates} candidates led to no valid value, so the property \
                 never ran\nnote: values are drawn by descents because parts of the structure cannot be summarised: {why}\nnote: a smaller scope, \
                 or a rep_ok that rejects earlier, helps"
            ),
            SearchError::TooManyForms { bytes } => write!(
                f,
                "the canonical forms of values take more than {bytes} bytes\nnote: elements without an order are decided in several orders, and \
                 their values are recognised by these forms; raise the limit with `.form_memory(bytes)`"
            ),
            SearchError::NoSuchPrefix { choice, index } => {
                write!(f, "no candidate begins with the given choices: choice {choice} cannot have the index {index}")
            }
            SearchError::NotSymmetric { field, declared, candidate, verdict, reordered } => {
                let vector = field.rsplit_once('.').map_or(field.as_str(), |(_, vector)| vector);
                let (depends, same, remedy) = match *declared {
                    "index_of" => (
                        format!("depends on the positions of {field}, which `index_of` declares to have no meaning"),
                        format!("with the elements of {field} in another order"),
                        format!(
                            "declare a vector that belongs to {field} element by element: `#[finitize(beside = {vector})]`; if \
                             an index is used as a number, make it one: `#[finitize(0..scope)]` in place of `index_of`"
                        ),
                    ),
                    "set" => (
                        format!("depends on the order of {field}, which `set` declares to have no meaning"),
                        format!("with {field} in another order"),
                        "remove `set`, or let rep_ok accept every order".to_string(),
                    ),
                    _ => (
                        format!("depends on more of {field} than equality, which is all that `identity` allows"),
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

/// A candidate on which the search and the predicate disagree.
#[non_exhaustive]
pub struct Disagreement {
    /// The candidate.
    pub candidate: String,
    /// The statement at which the machine stood, if known.
    pub place: String,
    /// What the lowered predicate (the machine) does, if it ran.
    pub machine: Option<String>,
    /// What the lifted predicate does when it runs from the top.
    pub from_top: String,
    /// What the unmodified predicate does on the built value, if it ran.
    pub plain: Option<String>,
    /// Whether the machine does the same when it starts over; if so, the predicate cannot be at fault.
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
        // Re-execution is a workaround only if the lifted predicate agrees with the unmodified one.
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

/// Returns the message of a panic.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_string()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_string()
    }
}

/// The end of a panic message that reports a part of the structure, or a container, used after the predicate has returned.
pub(crate) const MUST_NOT_KEEP: &str = "rep_ok must not keep any";

/// Returns whether a panic reports a bug or a misuse of korat, rather than a property of a value.
pub(crate) fn is_of_korat(payload: &(dyn Any + Send)) -> bool {
    let message = panic_message(payload);
    message.starts_with("[korat internal bug]") || message.ends_with(MUST_NOT_KEEP)
}
