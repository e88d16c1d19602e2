//! Calls a property on one value after the other: with a value of its own each time, or with a reference to a value that is patched
//! into the next.

use korat_core::{PatchedValue, RepOk};

use super::Harness;
use crate::choose::{self, Choosing};
use crate::error::Error;
use crate::panics::users_code;
use crate::property::{self, Outcome, Violation};
use crate::report::Report;
use crate::stats;

/// Whether the property runs on a value for the first time, or again with other answers to what it lets korat choose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Again,
}

/// What the property says about a value.
type Verdict = Result<(), Box<Violation>>;

impl Harness {
    /// Runs a property that takes each value.
    pub(crate) fn run<T: RepOk, O: Outcome>(mut self, mut property: impl FnMut(T) -> O) -> Result<Report, Error> {
        self.run_values(&mut property)?;
        self.finish()
    }

    pub(super) fn run_values<T: RepOk, O: Outcome>(&mut self, property: &mut impl FnMut(T) -> O) -> Result<(), Error> {
        self.run_each(|harness, turn| {
            let value = harness.build()?;
            Ok(harness.call(turn, || users_code(property, value)))
        })
    }

    /// Runs a property that sees each value, which is patched into the next where nobody can tell.
    pub(crate) fn run_by_ref<T: RepOk, O: Outcome>(
        mut self,
        mut property: impl FnMut(&T) -> O,
    ) -> Result<Report, Error> {
        let mut patched = PatchedValue::default();
        self.run_each(|harness, turn| {
            if let Some(value) = harness.patch(&mut patched)? {
                let verdict = harness.call(turn, || users_code(&mut property, value));
                if verdict.is_err() {
                    patched = PatchedValue::default();
                }
                return Ok(verdict);
            }
            // It is dropped as a part of the property, like a value that the property takes.
            let value = harness.build()?;
            Ok(harness.call(turn, || users_code(&mut |value: T| property(&value), value)))
        })?;
        self.finish()
    }

    /// Calls `run` on each value, and judges what it returns.
    fn run_each(&mut self, mut run: impl FnMut(&mut Self, Turn) -> Result<Verdict, Error>) -> Result<(), Error> {
        let _choosing = Choosing::begin_told();
        'values: while self.advance()? {
            let mut turn = Turn::First;
            loop {
                let verdict = run(self, turn)?;
                // A value on the way to a simpler one is judged once.
                let waits = self.shrinking.is_some() && verdict.is_ok() && choose::has_next();
                let is_judged = self.shrinking.is_some() || verdict.is_err();
                if is_judged && !waits && self.judge(verdict.map_err(|violation| *violation)).is_break() {
                    break 'values;
                }
                let is_done = self.shrinking.is_some() && !waits;
                if is_done || !self.next_answers() {
                    break;
                }
                turn = Turn::Again;
            }
        }
        Ok(())
    }

    /// Calls the property on a value that was just made.
    fn call<O: Outcome>(&mut self, turn: Turn, property: impl FnOnce() -> O) -> Verdict {
        match turn {
            Turn::First if self.answers.is_empty() => choose::first(),
            Turn::First => choose::give(&self.answers),
            Turn::Again => {}
        }
        // Only values of the search are counted.
        let stats = if self.shrinking.is_none() { &mut self.run.stats } else { &mut None };
        property::run(|| stats::labelled(stats, property)).map_err(Box::new)
    }

    /// Returns the next value on which to run the property.
    #[cfg(feature = "async")]
    pub(crate) fn next<T: RepOk>(&mut self) -> Result<Option<T>, Error> {
        if self.advance()? { self.build().map(Some) } else { Ok(None) }
    }

    /// Builds the current value.
    fn build<T: RepOk>(&mut self) -> Result<T, Error> {
        let shrinking = self.shrinking.as_mut().and_then(|(shrinking, _)| shrinking.searcher());
        match shrinking.or(self.restored.as_mut()) {
            Some(searcher) => {
                let value = searcher.checked_value();
                Ok(value.unwrap_or_else(|error| panic!("{}", error.to_string().trim_end())))
            }
            None => self.run.value(),
        }
    }

    /// Returns the current value, for which `patched` is changed; `None` if it must be built. Values that fail, that failed before or
    /// on the way to a simpler one are few, and built.
    fn patch<'v, T: RepOk>(&mut self, patched: &'v mut PatchedValue<T>) -> Result<Option<&'v T>, Error> {
        if self.shrinking.is_some() || self.restored.is_some() {
            return Ok(None);
        }
        self.run.patch(patched)
    }
}
