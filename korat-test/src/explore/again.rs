//! How the failures of an exploration are run again: by a line, by a regression file, or as a test of their own.

use std::panic::Location;

use super::call_sequence::SequenceReplay;
use crate::config::Config;
use crate::crash_note::Owner;
use crate::regressions::{self, Regressions};
use crate::test_source;

/// Where an exploration stands in the source, and where its failures are kept.
#[derive(Clone)]
pub(super) struct Again {
    pub(super) location: &'static Location<'static>,
    /// The name of the state's type.
    pub(super) type_name: String,
    /// Name of the test in `cargo test`.
    test_name: String,
    /// The regression file, unless regressions are off.
    pub(super) regressions: Option<Regressions>,
    /// Whom notes of crashes belong to, unless they are off.
    pub(super) owner: Option<Owner>,
}

/// What becomes of a failing sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Saved {
    /// It is in this file now, or why it is not.
    Now(Result<String, String>),
    /// It was in a file before, or regressions are off.
    No,
}

impl Again {
    /// `inside` is the type name of a closure of the exploration, which contains that of the enclosing function.
    pub(super) fn new(location: &'static Location<'static>, type_name: String, inside: &str, config: &Config) -> Self {
        let regressions = Regressions::named(inside);
        let test_name = regressions::test_name(regressions.as_ref().map_or("exploration", Regressions::function));
        let owner = regressions.as_ref().filter(|_| config.crash_notes);
        let owner = owner
            // Not the note of a search for values of the type.
            .map(|regressions| Owner::new(regressions, &test_name, &format!("exploration of {type_name}")));
        let regressions = regressions.filter(|_| config.regressions);
        Again { location, type_name, test_name, regressions, owner }
    }

    /// Returns the name of the test in `cargo test`.
    pub(super) fn test_name(&self) -> &str {
        &self.test_name
    }

    /// Returns the line that replays calls.
    pub(super) fn line(&self, calls: &str) -> String {
        SequenceReplay { type_name: self.type_name.clone(), calls: calls.to_string() }.to_string()
    }

    /// Returns the command that replays a line.
    pub(super) fn command(&self, line: &str) -> String {
        format!("KORAT_REPLAY='{}' cargo test {}", line.replace('\'', r"'\''"), self.test_name)
    }

    /// Keeps the line for the next run.
    pub(super) fn save(&self, line: &str, message: &str) -> Saved {
        let Some(regressions) = &self.regressions else { return Saved::No };
        let file = regressions.file();
        let kept = regressions.keep(line, message.lines().next().unwrap_or_default());
        Saved::Now(kept.map(|()| file.clone()).map_err(|error| format!("{file} cannot be written: {error}")))
    }

    /// Returns the source of a test for the failure with a number.
    pub(super) fn test(&self, number: usize, calls: &str) -> String {
        let function = self.test_name.rsplit("::").next().unwrap_or_default();
        let name = match number {
            0 => format!("{function}_on_one_sequence"),
            others => format!("{function}_on_sequence_{}", others + 1),
        };
        test_source::generate_replay(self.location, &self.test_name, &name, calls)
    }
}
