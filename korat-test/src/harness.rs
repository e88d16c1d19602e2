//! Runs a property on values: first on those that failed before, then on all values of a search, or on a single
//! replayed value. Returns a `Report`, or an error with a complete failure report.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::panic::Location;
use std::rc::Rc;

use korat_core::{Finitize, RepOk, SlotVector, UntypedSearcher};

use crate::beside::{Beside, Companions};
use crate::crash_note::{self, CrashNote, Owner};
use crate::error::Error;
use crate::explore;
use crate::failure::{Drawn, Failure, Origin, debug_text};
use crate::output::print_line;
use crate::property::Violation;
use crate::regressions::{self, Kept, Regressions};
use crate::replay::Replay;
use crate::report::Ending;
use crate::run::Run;
use crate::search::Search;
use crate::shrink::Shrinking;
use crate::test_source;

mod answers;
mod calls;
mod crashed;
mod end;
mod shrinking;
mod threads;

pub(crate) use threads::Team;

/// Parses a value to replay, which comes from the code or from an environment variable.
pub(crate) fn parsed(text: &str, variable: Option<&str>) -> Result<Replay, Error> {
    let from = variable.map_or(String::new(), |variable| format!("{variable}: "));
    text.parse().map_err(|error| Error::Expectation(format!("{from}{error}")))
}

/// A running property.
pub(crate) struct Harness {
    run: Run,
    /// The values that the property gets beside those of the search.
    companions: Companions,
    /// Builds the current value of a searcher, for its text.
    debug_text: fn(&mut UntypedSearcher) -> String,
    location: &'static Location<'static>,
    regressions: Option<Regressions>,
    /// Name of the test in `cargo test`.
    test_name: String,
    /// Name of the function that contains the property.
    function: String,
    /// Values to run before the search.
    first: VecDeque<(Origin, Replay, String)>,
    /// Where the current value comes from.
    origin: Origin,
    /// The answers to what the property lets korat choose, if only these are given.
    answers: Vec<u32>,
    /// A searcher positioned at the current value, if the value does not come from the search.
    restored: Option<UntypedSearcher>,
    failures: Vec<Failure>,
    /// The search for a simpler value, while a failing one that was drawn is shrunk.
    shrinking: Option<(Shrinking, Drawn)>,
    /// Records the current value, in case the property ends the process.
    note: CrashNote,
    /// Kept values that are no longer valid, with their line numbers.
    stale: Vec<(usize, String)>,
    /// Whether the values of the search are left to several threads.
    stops_before_search: bool,
}

impl Harness {
    /// Begins a run of a property of type `P`.
    pub(crate) fn start<T: Finitize + RepOk + Debug, P>(
        search: Search<T>,
        beside: Option<Rc<dyn Beside>>,
        location: &'static Location<'static>,
    ) -> Result<Self, Error> {
        let debug_text = |searcher: &mut UntypedSearcher| debug_text(&searcher.value::<T>());
        let companions = Companions::new(beside)?;
        let run = Run::start(search, &companions)?;
        Harness::of(run, companions, debug_text, Regressions::of::<P>(), location)
    }

    fn of(
        run: Run,
        companions: Companions,
        debug_text: fn(&mut UntypedSearcher) -> String,
        regressions: Option<Regressions>,
        location: &'static Location<'static>,
    ) -> Result<Self, Error> {
        let type_name = run.subject().replay_name.clone();
        let function = regressions.as_ref().map_or("property", |regressions| regressions.function()).to_string();
        let test_name = regressions::test_name(&function);
        let owner = regressions.as_ref().filter(|_| run.config.crash_notes);
        let owner = owner.map(|regressions| Owner::new(regressions, &test_name, &type_name));
        let regressions = regressions.filter(|_| run.config.regressions);
        let mut harness = Harness {
            run,
            companions,
            debug_text,
            location,
            regressions,
            test_name,
            function,
            first: VecDeque::new(),
            origin: Origin::Replayed,
            answers: Vec::new(),
            restored: None,
            failures: Vec::new(),
            shrinking: None,
            note: CrashNote::none(),
            stale: Vec::new(),
            stops_before_search: false,
        };
        if let Some(owner) = owner {
            crash_note::take_crashed_values(&owner).iter().for_each(|crashed| harness.report_crash(crashed));
            harness.note = CrashNote::new(owner);
        }
        let is_sequence = |text: &&String| explore::is_sequence(text);
        if let Some(sequence) = harness.run.config.replay.as_ref().filter(is_sequence) {
            print_line(&format!(
                "warning: korat: KORAT_REPLAY is `{sequence}`; the search of {type_name} at {location} is run as usual"
            ));
        }
        let replay = harness.run.config.replay.as_ref().filter(|text| !is_sequence(text));
        let replay = replay.map(|text| parsed(text, harness.run.replay_variable())).transpose()?;
        match replay {
            Some(replay) if replay.type_name == type_name => {
                harness.first.push_back((Origin::Replayed, replay, String::new()));
                harness.run.end(Ending::Replayed);
            }
            Some(replay) => {
                print_line(&format!(
                    "warning: korat: KORAT_REPLAY is a value of {}; the search of {type_name} at {location} is run as usual",
                    replay.type_name
                ));
                harness.read_kept();
            }
            None => harness.read_kept(),
        }
        Ok(harness)
    }

    /// Returns the text to replay a value.
    fn replay_of(&self, scope: usize, slots: SlotVector) -> Replay {
        let type_name = self.run.subject().replay_name.clone();
        Replay { type_name, scope, slots, beside: self.companions.slots(), answers: Vec::new() }
    }

    /// Queues the values that failed before.
    fn read_kept(&mut self) {
        // One shard is enough: the others would report the same failures again.
        let is_first = self.run.config.shard.is_none_or(|shard| shard.index() == 1);
        let Some(regressions) = self.regressions.as_ref().filter(|_| is_first) else { return };
        let file = regressions.file();
        let lines = match regressions.read(&self.run.subject().replay_name) {
            Ok(lines) => lines,
            Err(error) => return self.stale.push((0, format!("{file} cannot be read: {error}"))),
        };
        for Kept { line, what, looks } in lines {
            match what {
                Ok(replay) => self.first.push_back((Origin::Kept { file: file.clone(), line }, replay, looks)),
                Err(error) => self.stale.push((line, format!("{file}, line {line}: {error}"))),
            }
        }
    }

    #[cfg(feature = "async")]
    pub(crate) fn wants_labels(&self) -> bool {
        self.run.stats.is_some() && self.shrinking.is_none()
    }

    #[cfg(feature = "async")]
    pub(crate) fn count_labels(&mut self, labels: Vec<String>) {
        if let (Some(stats), None) = (&mut self.run.stats, &self.shrinking) {
            stats.count_labels(labels);
        }
    }

    /// Advances to the next value on which to run the property.
    fn advance(&mut self) -> Result<bool, Error> {
        // Drop the remains of the last value before the note is cleared, because destructors may end the process too.
        self.restored = None;
        self.run.searcher().free_cycles();
        self.note.between_values();
        if self.shrinking.is_some() && (self.advance_shrinking() || self.has_enough()) {
            return Ok(self.shrinking.is_some());
        }
        while let Some((origin, replay, looks)) = self.first.pop_front() {
            let has_companions = self.companions.restore(&replay.beside);
            match (self.restore(&replay, &looks, has_companions), &origin) {
                (Ok(()), _) => {
                    self.run.regressions += usize::from(origin != Origin::Replayed);
                    (self.origin, self.answers) = (origin, replay.answers);
                    return Ok(true);
                }
                // Another search of this test has other values beside its own.
                (Err(_), Origin::Kept { .. }) if !(has_companions && self.companions.look_like(&looks)) => {}
                (Err(why), Origin::Kept { file, line }) => {
                    self.stale.push((*line, format!("{file}, line {line}: {why}")));
                }
                (Err(why), Origin::Replayed | Origin::Search { .. } | Origin::Shrunk(_)) => {
                    return Err(Error::Expectation(format!("{replay} cannot be replayed: {why}")));
                }
            }
        }
        if self.stops_before_search || (!self.next_beside() && !self.run.next()?) {
            return Ok(false);
        }
        let smallest_first = self.run.is_smallest_first();
        let (number, others) = (self.run.given(), self.companions.len() as u64);
        let at = (number - 1) * others + self.companions.at() as u64 + 1;
        self.origin = Origin::Search { number, combination: (others > 1).then_some(at), smallest_first };
        if self.run.is_summarised() {
            self.note.at_summarised(self.run.searcher(), at);
        } else {
            self.note.at_value(self.run.searcher(), at);
        }
        Ok(true)
    }

    /// Moves on to the next values beside the current one of the search, or to the first ones; returns false if the search
    /// must move on.
    fn next_beside(&self) -> bool {
        let is_of_search = matches!(self.origin, Origin::Search { .. });
        let next = if is_of_search { (self.companions.at() + 1) % self.companions.len() } else { 0 };
        self.companions.go_to(next);
        next > 0
    }

    /// Restores a value from its slots. Fails unless `rep_ok` accepts it and it looks as it did when it was stored.
    fn restore(&mut self, replay: &Replay, looks: &str, has_companions: bool) -> Result<(), String> {
        if !has_companions {
            return Err("there are no such values beside it".to_string());
        }
        let subject = self.run.subject();
        let searcher = subject.searcher_at(replay.scope, self.run.config.settings());
        let mut searcher = searcher.map_err(|error| error.to_string())?;
        searcher
            .restore(&replay.slots)
            .map_err(|error| format!("the slots do not encode a value of {}: {error}", subject.type_name))?;
        let now = self.companions.line(&searcher.outline());
        if !looks.is_empty() && looks != now {
            return Err(format!("the value was {looks}, but these slots are {now} now"));
        }
        // Never build an invalid value, whose destructor might misbehave.
        if !searcher.accepts().map_err(|error| error.to_string())? {
            return Err(format!("rep_ok rejects {now}"));
        }
        self.note.at_restored(replay);
        self.restored = Some(searcher);
        Ok(())
    }

    /// Records the verdict on the current value; breaks when enough failures have been collected.
    pub(crate) fn judge(&mut self, verdict: Result<(), Violation>) -> ControlFlow<()> {
        if let Some((shrinking, _)) = &mut self.shrinking {
            shrinking.judge(verdict);
            return ControlFlow::Continue(());
        }
        let Err(violation) = verdict else { return ControlFlow::Continue(()) };
        self.run.note_failure();
        if !self.failures.iter().any(|failure| failure.violation.is_like(&violation)) {
            let violation = if self.shrinks() { self.begin_shrinking(violation).err() } else { Some(violation) };
            if let Some(violation) = violation {
                let failure = self.failure(violation);
                self.failures.push(failure);
            }
        }
        if self.has_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns whether enough failures have been collected.
    fn has_enough(&self) -> bool {
        self.failures.len() >= self.run.config.failures
    }

    /// Collects everything that a report says about the current value.
    fn failure(&mut self, violation: Violation) -> Failure {
        let scope = match &self.restored {
            Some(searcher) => searcher.scope(),
            None => self.run.subject().scope,
        };
        let searcher = match &mut self.restored {
            Some(searcher) => searcher,
            None => self.run.searcher(),
        };
        let size = searcher.size();
        let outline = searcher.outline();
        let slots = searcher.slot_vector();
        // The property consumed the value, so build it again.
        let debug = self.companions.debug((self.debug_text)(searcher));
        let answers = violation.answers.indices.clone();
        let replay = Replay { answers, ..self.replay_of(scope, slots) };
        let keep = |regressions: &Regressions| {
            let kept = regressions.keep(&replay.to_string(), &self.companions.line(&outline));
            let file = regressions.file();
            kept.map(|()| file.clone()).map_err(|error| format!("{file} cannot be written: {error}"))
        };
        let is_new = !matches!(self.origin, Origin::Kept { .. });
        let kept = match &self.regressions {
            Some(regressions) => is_new.then(|| keep(regressions)),
            None if self.run.config.regressions && !Regressions::knows_package() => {
                Some(Err("only cargo says where the package is; run the test with `cargo test`".to_string()))
            }
            None => None,
        };
        let name = match self.failures.len() {
            0 => format!("{}_on_one_value", self.function),
            others => format!("{}_on_value_{}", self.function, others + 1),
        };
        let test = test_source::generate(self.location, &self.test_name, &name, &replay);
        Failure {
            violation,
            origin: self.origin.clone(),
            size,
            drawing: self.companions.drawing(&outline),
            debug,
            replay,
            kept,
            test,
        }
    }
}
