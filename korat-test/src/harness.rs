//! Runs a property on values: those that failed once, then all of a search, or one that was asked for. Takes verdicts, gives a
//! `Report`, or a panic that tells people all they need.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::panic::Location;

use korat_core::{Bounds, Finitize, RepOk, Searcher};

use crate::crash_note::{self, CrashNote, Died, Noted, Owner};
use crate::failure::{Failure, FailureReport, Origin, Paint, debug_text};
use crate::panics::{self, users_code};
use crate::pasted;
use crate::picture;
use crate::property::{self, Outcome, Violation};
use crate::regressions::{Kept, Regressions};
use crate::replay::Replay;
use crate::report::{Ending, Report, counted};
use crate::run::Run;
use crate::say::{has_colours, say};
use crate::search::Search;
use crate::stats;

/// Runs `property` on every valid value of `T` within `bounds`, smallest first. The front door of korat.
///
/// The property panics, returns `false` or returns an `Err` where it does not hold, see [`Outcome`]. Then this panics, with the
/// property's own words, the value drawn and in `Debug`, and how to run it again; the value is kept in `korat-regressions/` and
/// run first the next time. It also panics where the bounds or the invariant are at fault, and where there is no valid value
/// at all.
///
/// ```
/// use korat::{Finitize, rep_ok};
///
/// #[derive(Debug, Finitize)]
/// struct Interval {
///     low: u8,
///     high: u8,
/// }
///
/// #[rep_ok]
/// impl Interval {
///     fn rep_ok(&self) -> bool {
///         self.low <= self.high
///     }
/// }
///
/// let report = korat::for_each_valid(Interval::scope(3), |interval| {
///     assert!(interval.high - interval.low <= 3);
/// });
/// assert_eq!(report.valid, 10);
/// ```
#[track_caller]
pub fn for_each_valid<T: Finitize + RepOk + Debug, O: Outcome>(
    bounds: Bounds<T>,
    property: impl FnMut(T) -> O,
) -> Report {
    Search::new(bounds).for_each(property)
}

impl<T: Finitize + RepOk + Debug> Search<T> {
    /// Runs `property` on every valid value. Panics like [`for_each_valid`].
    #[track_caller]
    pub fn for_each<O: Outcome, P: FnMut(T) -> O>(self, property: P) -> Report {
        Harness::start::<P>(self.with_environment(), Location::caller()).run(property)
    }

    /// Runs `property` on one value, as a failure prints it. Panics like [`for_each_valid`], and where the text is no valid value
    /// of this type.
    ///
    /// ```
    /// # use korat::{Finitize, Search, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Interval { low: u8, high: u8 }
    /// # #[rep_ok]
    /// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
    /// Search::new(Interval::scope(3)).replay("Interval:3:1.2", |interval| assert_eq!((interval.low, interval.high), (1, 2)));
    /// ```
    #[track_caller]
    pub fn replay<O: Outcome, P: FnMut(T) -> O>(mut self, value: &str, property: P) -> Report {
        self.replay_only(value);
        Harness::start::<P>(self, Location::caller()).run(property)
    }

    /// Sets the one value to run.
    #[track_caller]
    pub(crate) fn replay_only(&mut self, value: &str) {
        self.config.replay = Some(value.to_string());
        self.config.regressions = false;
        let replay = parsed(value, None);
        assert!(replay.type_name == T::NAME, "{value:?} is a value of {}, not of {}", replay.type_name, T::NAME);
    }
}

/// The value of a text that the code gives, or a variable.
#[track_caller]
fn parsed(text: &str, variable: Option<&str>) -> Replay {
    match text.parse() {
        Ok(replay) => replay,
        Err(error) => panic!("{}{error}", variable.map_or(String::new(), |variable| format!("{variable}: "))),
    }
}

/// A property under way.
pub(crate) struct Harness<T: Finitize + RepOk> {
    run: Run<T>,
    location: &'static Location<'static>,
    regressions: Option<Regressions>,
    /// The name of the test, for `cargo test`.
    test_name: String,
    /// The function that the property stands in.
    function: String,
    /// What comes before the search.
    first: VecDeque<(Origin, Replay, String)>,
    /// Where the current value came from.
    origin: Origin,
    /// A searcher that stands at it, if it was not searched for.
    restored: Option<Searcher<T>>,
    failures: Vec<Failure>,
    /// Where the current value is noted, for the case that the property ends the process.
    note: CrashNote,
    /// Kept values that are none any more, by line.
    stale: Vec<(usize, String)>,
}

impl<T: Finitize + RepOk + Debug> Harness<T> {
    /// Begins a run of a property of type `P`.
    #[track_caller]
    pub(crate) fn start<P>(search: Search<T>, location: &'static Location<'static>) -> Self {
        let run = Run::start(search);
        let regressions = Regressions::of::<P>();
        let function = regressions.as_ref().map_or("property", |regressions| regressions.function()).to_string();
        let thread = std::thread::current();
        let test_name = thread.name().filter(|name| *name != "main").unwrap_or(&function).to_string();
        let owner = regressions.as_ref().filter(|_| run.config.crash_notes);
        let owner = owner.map(|regressions| Owner::new(regressions, &test_name, T::NAME));
        let regressions = regressions.filter(|_| run.config.regressions);
        let mut harness = Harness {
            run,
            location,
            regressions,
            test_name,
            function,
            first: VecDeque::new(),
            origin: Origin::Replayed,
            restored: None,
            failures: Vec::new(),
            note: CrashNote::none(),
            stale: Vec::new(),
        };
        if let Some(owner) = owner {
            crash_note::left_behind(&owner).iter().for_each(|died| harness.tell_death(died));
            harness.note = CrashNote::new(owner);
        }
        // No `map`: the place that a panic names would be one inside of it.
        let replay = match &harness.run.config.replay {
            Some(text) => Some(parsed(text, harness.run.replay_variable())),
            None => None,
        };
        match replay {
            Some(replay) if replay.type_name == T::NAME => {
                harness.first.push_back((Origin::Replayed, replay, String::new()));
                harness.run.end(Ending::Replayed);
            }
            Some(replay) => {
                say(&format!(
                    "warning: korat: KORAT_REPLAY is a value of {}; the search of {} at {location} is run as usual",
                    replay.type_name,
                    T::NAME
                ));
                harness.read_kept();
            }
            None => harness.read_kept(),
        }
        harness
    }

    /// Says on which value an earlier run died.
    fn tell_death(&self, died: &Died) {
        let test = &self.test_name;
        let beside = match died.others {
            0 => String::new(),
            others => format!(" ({} ran beside it, and may be the cause)", counted(others as u64, "other test")),
        };
        let value = match self.show(died) {
            Some((drawing, replay)) => {
                format!("this value:\n\n{drawing}\nreplay: KORAT_REPLAY='{replay}' cargo test {test}")
            }
            // Types, bounds or the invariant are others by now.
            None => "a value that is none any more".to_string(),
        };
        say(&format!("korat: the last run of {test} died{beside} while the property ran on {value}"));
    }

    /// The value that a run died on, drawn, and as it can be replayed.
    fn show(&self, Died { scope, value, .. }: &Died) -> Option<(String, Replay)> {
        let searcher = Searcher::at_scope(self.run.bounds(), *scope, self.run.config.settings());
        let mut searcher = searcher.ok()?;
        match value {
            Noted::Searched { choices, .. } => {
                searcher.start_at(choices);
                searcher.advance().ok().filter(|found| *found)?;
            }
            Noted::Restored(slots) => searcher.restore(slots).ok()?,
        }
        let replay = Replay { type_name: T::NAME.to_string(), scope: *scope, slots: searcher.slot_vector() };
        Some((picture::text(&searcher.outline()), replay))
    }

    /// The values that failed once come first.
    fn read_kept(&mut self) {
        let Some(regressions) = &self.regressions else { return };
        let file = regressions.file();
        let lines = match regressions.read(T::NAME) {
            Ok(lines) => lines,
            Err(error) => return self.stale.push((0, format!("{file} cannot be read: {error}"))),
        };
        for Kept { line, replay, looks } in lines {
            match replay {
                Ok(replay) => self.first.push_back((Origin::Kept { file: file.clone(), line }, replay, looks)),
                Err(error) => self.stale.push((line, format!("{file}, line {line}: {error}"))),
            }
        }
    }

    #[track_caller]
    fn run<O: Outcome>(mut self, mut property: impl FnMut(T) -> O) -> Report {
        while let Some(value) = self.next() {
            let verdict = property::run(|| stats::labelled(&mut self.run.stats, || users_code(&mut property, value)));
            if self.judge(verdict).is_break() {
                break;
            }
        }
        self.finish(false)
    }

    #[cfg(feature = "async")]
    pub(crate) fn wants_labels(&self) -> bool {
        self.run.stats.is_some()
    }

    #[cfg(feature = "async")]
    pub(crate) fn count_labels(&mut self, labels: Vec<String>) {
        if let Some(stats) = &mut self.run.stats {
            stats.count_labels(labels);
        }
    }

    /// The next value to run the property on.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Option<T> {
        // What is left of the last value is dropped before it is forgotten: its destructors may end the process, too.
        self.restored = None;
        self.run.searcher().free_cycles();
        self.note.between_values();
        while let Some((origin, replay, looks)) = self.first.pop_front() {
            match (self.restore(&replay, &looks), &origin) {
                (Ok(value), _) => {
                    self.run.regressions += usize::from(origin != Origin::Replayed);
                    self.origin = origin;
                    return Some(value);
                }
                (Err(why), Origin::Kept { file, line }) => {
                    self.stale.push((*line, format!("{file}, line {line}: {why}")));
                }
                (Err(why), Origin::Replayed | Origin::Search { .. }) => panic!("{replay} cannot be replayed: {why}"),
            }
        }
        if !self.run.next() {
            return None;
        }
        let smallest_first = self.run.is_smallest_first();
        self.origin = Origin::Search { number: self.run.given(), smallest_first };
        let number = self.run.given();
        self.note.at_value(self.run.searcher(), number);
        Some(self.run.value())
    }

    /// Builds a value from its slots; `rep_ok` must accept it, and it must look as it did.
    fn restore(&mut self, replay: &Replay, looks: &str) -> Result<T, String> {
        let searcher = Searcher::at_scope(self.run.bounds(), replay.scope, self.run.config.settings());
        let mut searcher = searcher.map_err(|error| error.to_string())?;
        searcher.restore(&replay.slots).map_err(|error| format!("the slots are no value of {}: {error}", T::NAME))?;
        let now = picture::line(&searcher.outline());
        if !looks.is_empty() && looks != now {
            return Err(format!("the value was {looks}, but these slots are {now} now"));
        }
        // An invalid value is not even built: nobody knows what it does when it is dropped.
        if !searcher.accepts().map_err(|error| error.to_string())? {
            return Err(format!("rep_ok rejects {now}"));
        }
        self.note.at_restored(replay);
        let value = searcher.checked_value().unwrap_or_else(|error| panic!("{}", error.to_string().trim_end()));
        self.restored = Some(searcher);
        Ok(value)
    }

    /// Takes the verdict on the current value; a break when there are enough failures.
    #[track_caller]
    pub(crate) fn judge(&mut self, verdict: Result<(), Violation>) -> ControlFlow<()> {
        let Err(violation) = verdict else { return ControlFlow::Continue(()) };
        if !self.failures.iter().any(|failure| failure.violation.is_like(&violation)) {
            let failure = self.failure(violation);
            self.failures.push(failure);
        }
        if self.failures.len() < self.run.config.failures { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// All that is known of the current value.
    #[track_caller]
    fn failure(&mut self, violation: Violation) -> Failure {
        let scope = match &self.restored {
            Some(searcher) => searcher.scope(),
            None => self.run.bounds().scope(),
        };
        let searcher = match &mut self.restored {
            Some(searcher) => searcher,
            None => self.run.searcher(),
        };
        let size = searcher.size();
        let outline = searcher.outline();
        let replay = Replay { type_name: T::NAME.to_string(), scope, slots: searcher.slot_vector() };
        // The property had the value; the search builds it again as it was.
        let debug = debug_text(&searcher.value());
        let keep = |regressions: &Regressions| {
            let kept = regressions.keep(&replay, &picture::line(&outline));
            let file = regressions.file();
            kept.map(|()| file.clone()).map_err(|error| format!("{file} cannot be written: {error}"))
        };
        let is_new = !matches!(self.origin, Origin::Kept { .. });
        let kept = self.regressions.as_ref().filter(|_| is_new).map(keep);
        let name = match self.failures.len() {
            0 => format!("{}_on_one_value", self.function),
            others => format!("{}_on_value_{}", self.function, others + 1),
        };
        let test = pasted::test(self.location, &self.test_name, &name, &replay);
        Failure {
            violation,
            origin: self.origin.clone(),
            size,
            drawing: picture::text(&outline),
            debug,
            replay,
            kept,
            test,
        }
    }

    /// Ends the run. Where it `is_awaited`, the caller is none of the user's.
    #[track_caller]
    pub(crate) fn finish(mut self, is_awaited: bool) -> Report {
        if !self.failures.is_empty() {
            let report = FailureReport {
                failures: &self.failures,
                counts: (self.run.given() > 0).then(|| self.run.counts()),
                test_name: &self.test_name,
                paint: Paint { on: has_colours() },
            };
            let text = report.to_string();
            // The property's own backtrace is in the text; another one, of korat, has nothing to add.
            let has_backtrace = self.failures.iter().any(|failure| failure.violation.backtrace.is_some());
            if has_backtrace || is_awaited {
                panics::raise(self.location, text);
            }
            panic!("{text}");
        }
        let report = self.run.finish();
        self.stale.sort();
        let stale: Vec<String> = self.stale.into_iter().map(|(_, what)| what).collect();
        assert!(
            stale.is_empty(),
            "kept values that are none any more; mend or remove their lines:\n{}",
            stale.join("\n")
        );
        report
    }
}
