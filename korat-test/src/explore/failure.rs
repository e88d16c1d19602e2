//! Failing sequences of operations.

use std::fmt;

use super::again::Saved;
use super::report::ExploreReport;
use crate::property::Violation;
use crate::report::counted;

/// A sequence of operations after which something is wrong. No shorter one fails like this.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedSequence {
    /// The calls, in order.
    pub calls: Vec<String>,
    /// The first state, and the states after the calls, as far as there are any: drawn, or as their `Debug` prints them if there
    /// are no objects in them.
    pub states: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// Where it panicked, if it did.
    pub location: Option<String>,
    /// The calls as [`Explore::replay`](crate::Explore::replay) takes them.
    pub replay: String,
    /// What the report says about running it again, if that is possible.
    pub(super) again: Option<RunAgain>,
}

/// What a report says about running a sequence again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunAgain {
    /// Where the sequence comes from, unless it was explored.
    pub(super) origin: Option<String>,
    pub(super) command: String,
    pub(super) saved: Saved,
    /// The source of a test.
    pub(super) test: String,
}

/// What went wrong where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The operation panicked.
    Operation(Violation),
    /// The check with this position failed on the state after it.
    Check(usize, Box<Violation>),
    /// The invariant panicked on the state after it.
    Invariant(Violation),
    /// Building the state before it panicked.
    Build(Violation),
    /// Dropping the state panicked.
    Drop(Violation),
    /// The guard panicked on the state before it.
    Guard(Violation),
    /// The key that the state is matched by panicked.
    Key(Violation),
    /// Run twice on one state, the operation led to different states.
    NotDeterministic,
    /// The state has no canonical form.
    NoForm(String),
    /// The invariant rejects the state after it.
    Rejected,
    /// It failed like this, and did not when it was run again on the same state.
    NotAgain(Box<Fault>),
    /// The guard changes the state that it looks at.
    GuardChanges,
}

impl Fault {
    /// Returns the message, and where it panicked.
    pub(super) fn message(&self) -> (String, Option<String>) {
        let told = |what: &str, Violation { message, location, .. }: &Violation| {
            (format!("{what}: {message}"), location.clone())
        };
        match self {
            Fault::Operation(violation) => told("the operation fails", violation),
            Fault::Check(_, violation) => told("the check fails", violation),
            Fault::Invariant(violation) => told("rep_ok fails", violation),
            Fault::Build(violation) => told("building the state anew fails", violation),
            Fault::Drop(violation) => told("dropping the state fails", violation),
            Fault::Guard(violation) => told("the guard fails", violation),
            Fault::Key(violation) => told("the key of the state fails", violation),
            Fault::NotDeterministic => {
                let text = "the operation is not deterministic: run again on the same state, it leads to another";
                (text.to_string(), None)
            }
            Fault::Rejected => ("rep_ok rejects the state".to_string(), None),
            Fault::NotAgain(fault) => {
                let (message, location) = fault.message();
                let again = "but not if it is run again on the same state: it is not deterministic";
                (format!("{message}; {again}"), location)
            }
            Fault::GuardChanges => ("the guard changes the state, which it should only look at".to_string(), None),
            Fault::NoForm(why) => (format!("the state has no canonical form: {why}"), None),
        }
    }

    /// Returns whether there is a state after the call, if the call does not panic when it is run again.
    pub(super) fn has_state(&self) -> bool {
        matches!(self, Fault::Check(..) | Fault::Invariant(_) | Fault::Rejected | Fault::Operation(_))
    }

    /// Returns whether both have the same origin.
    pub(super) fn is_like(&self, other: &Fault) -> bool {
        match (self, other) {
            // Checks may share the function that panics; what they return says nothing about its origin.
            (Fault::Check(at, one), Fault::Check(other, two)) => {
                one.is_like(two) && (at == other || one.location.is_some())
            }
            (Fault::Operation(one), Fault::Operation(two))
            | (Fault::Invariant(one), Fault::Invariant(two))
            | (Fault::Build(one), Fault::Build(two))
            | (Fault::Drop(one), Fault::Drop(two))
            | (Fault::Guard(one), Fault::Guard(two))
            | (Fault::Key(one), Fault::Key(two)) => one.is_like(two),
            (one, two) => one == two,
        }
    }
}

impl fmt::Display for FailedSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = match self.calls.len() {
            0 => "in the first state".to_string(),
            len => format!("after {}", counted(len as u64, "operation")),
        };
        let origin = self.again.as_ref().and_then(|again| again.origin.as_ref());
        let origin = origin.map(|origin| format!(" ({origin})")).unwrap_or_default();
        writeln!(f, "exploration failed {after}{origin}: {}", self.message)?;
        if let Some(location) = &self.location {
            writeln!(f, "  at {location}")?;
        }
        self.show_states(f)?;
        let Some(RunAgain { command, saved, test, .. }) = &self.again else { return Ok(()) };
        writeln!(f, "\nreplay: {command}")?;
        match saved {
            Saved::Now(Ok(file)) => writeln!(f, "saved: in {file}, and run first the next time; commit it")?,
            Saved::Now(Err(why)) => writeln!(f, "not saved: {why}")?,
            Saved::No => {}
        }
        writeln!(f, "as a test of its own:")?;
        test.lines().try_for_each(|line| writeln!(f, "    {line}"))
    }
}

impl FailedSequence {
    /// Returns each call with the state after it, as text.
    pub(super) fn steps_text(&self) -> String {
        let mut text = String::new();
        self.show_states(&mut text).expect("writing to a string cannot fail");
        text
    }

    /// Returns the command that runs it again, if that is possible.
    pub(super) fn command(&self) -> Option<&str> {
        self.again.as_ref().map(|again| again.command.as_str())
    }

    /// Writes each call with the state after it: beside it, if all of them fit on a line.
    fn show_states(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        let first = ["start".to_string()];
        let calls = || first.iter().chain(&self.calls);
        let width = calls().map(|call| call.chars().count()).max().unwrap_or(0);
        let are_lines = self.states.iter().all(|state| !state.contains('\n'));
        for (at, call) in calls().enumerate() {
            match self.states.get(at) {
                Some(state) if are_lines => writeln!(f, "  {call:width$}  {state}")?,
                Some(state) => {
                    writeln!(f, "  {call}")?;
                    state.lines().try_for_each(|line| writeln!(f, "      {line}"))?;
                }
                None => writeln!(f, "  {call:width$}  fails here")?,
            }
        }
        Ok(())
    }
}

/// The error of an exploration that failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExploreFailed {
    /// The failing sequences, shortest first; at least one.
    pub failures: Vec<FailedSequence>,
    /// What was done until then.
    pub report: Box<ExploreReport>,
}

impl fmt::Display for ExploreFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        write!(f, "so far: {}", self.report.counts())
    }
}

impl std::error::Error for ExploreFailed {}
