//! Runs a search: feeds values to a property, counts, and turns whatever goes wrong into a message that says who is at
//! fault. Takes a `Search`, gives a `Report`, an iterator, or a panic for `cargo test` to show.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use korat_core::{Bounds, Counters, Finitize, RepOk, SearchError, Searcher, Unread, panic_message};

use crate::config::Search;
use crate::draw;
use crate::report::{Report, grouped};

/// Runs `property` on every valid value of `T` within `bounds`. The front door of korat.
///
/// Panics where the property does, with the value, its number and the counts so far; where the bounds or the invariant are
/// at fault; and where there is no valid value at all.
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
pub fn for_each_valid<T: Finitize + RepOk + Debug>(bounds: Bounds<T>, property: impl FnMut(T)) -> Report {
    Search::new(bounds).for_each(property)
}

/// Every valid value of `T` within `bounds`, one after the other.
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// let widest = korat::valid(Interval::scope(3)).max_by_key(|interval| interval.high - interval.low);
/// assert_eq!(widest.map(|interval| interval.high), Some(3));
/// ```
#[track_caller]
pub fn valid<T: Finitize + RepOk>(bounds: Bounds<T>) -> Valid<T> {
    Search::new(bounds).iter()
}

impl<T: Finitize + RepOk> Search<T> {
    /// Runs `property` on every valid value. Panics like [`for_each_valid`].
    #[track_caller]
    pub fn for_each(self, mut property: impl FnMut(T)) -> Report
    where
        T: Debug,
    {
        let mut run = Run::start(self);
        while run.next() {
            let value = run.value();
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| property(value))) {
                run.fail(&panic_message(&*panic));
            }
        }
        run.finish()
    }

    /// Counts the valid values without building them.
    #[track_caller]
    pub fn count(self) -> Report {
        let mut run = Run::start(self);
        while run.next() {}
        run.finish()
    }

    /// Every valid value, one after the other.
    #[track_caller]
    pub fn iter(self) -> Valid<T> {
        Valid { run: Run::start(self) }
    }

    /// The first `count` valid values, drawn as text.
    #[track_caller]
    pub fn draw(self, count: usize) -> Vec<String> {
        let mut run = Run::start(self.limit(count as u64).allow_empty());
        let mut drawn = Vec::new();
        while run.next() {
            drawn.push(draw::draw(&run.searcher.outline()));
        }
        drawn
    }
}

/// The iterator of [`valid`]. Panics like [`for_each_valid`] where the bounds or the invariant are at fault; that there is
/// no value at all is no fault here.
pub struct Valid<T: Finitize + RepOk> {
    run: Run<T>,
}

impl<T: Finitize + RepOk> Valid<T> {
    /// What the search did so far.
    pub fn report(&self) -> Report {
        self.run.report()
    }
}

impl<T: Finitize + RepOk> Iterator for Valid<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.run.next().then(|| self.run.value())
    }
}

/// A search under way.
struct Run<T: Finitize + RepOk> {
    search: Search<T>,
    searcher: Searcher<T>,
    started: Instant,
    complete: bool,
    /// Whether the search has ended with an error.
    failed: bool,
}

impl<T: Finitize + RepOk> Run<T> {
    #[track_caller]
    fn start(search: Search<T>) -> Self {
        match Searcher::new(&search.bounds, search.settings) {
            Ok(searcher) => Run { search, searcher, started: Instant::now(), complete: false, failed: false },
            Err(error) => panic!("{error}"),
        }
    }

    /// Goes on to the next value within the limit.
    #[track_caller]
    fn next(&mut self) -> bool {
        if self.complete
            || self.failed
            || self.search.limit.is_some_and(|limit| self.searcher.counters().valid >= limit)
        {
            return false;
        }
        match self.searcher.advance() {
            Ok(true) => true,
            Ok(false) => {
                self.complete = true;
                false
            }
            Err(error) => {
                self.failed = true;
                panic!("{}\n{}", error.to_string().trim_end(), self.counts())
            }
        }
    }

    /// The current value; the untouched `rep_ok` must accept it.
    #[track_caller]
    fn value(&mut self) -> T {
        // The value before this one is gone, unless the user kept it.
        self.searcher.free_cycles();
        let value = self.searcher.value();
        if self.search.verify && !value.holds() {
            panic!(
                "[korat internal bug] the search accepts a value that rep_ok rejects, or rep_ok depends on something \
                 other than the value's fields:\n{}",
                self.searcher.describe()
            );
        }
        value
    }

    #[track_caller]
    fn fail(&mut self, message: &str) -> !
    where
        T: Debug,
    {
        // The property had the value; the search builds it again as it was.
        let value = self.searcher.value();
        let number = grouped(self.searcher.counters().valid);
        panic!("property failed on structure #{number}: {message}\n{}\n{}", debug_text(&value), self.counts());
    }

    fn counts(&self) -> String {
        let counters = self.searcher.counters();
        format!("so far {} explored, {} valid", grouped(counters.explored), grouped(counters.valid))
    }

    fn report(&self) -> Report {
        let Counters { explored, valid, field_inits, undo_ops } = self.searcher.counters();
        Report {
            type_name: T::NAME,
            scope: self.search.bounds.scope(),
            explored,
            valid,
            field_inits,
            undo_ops,
            elapsed: self.started.elapsed(),
            complete: self.complete,
            unread_first: self.search.settings.unread == Unread::First,
            explanation: if self.search.settings.explain { self.searcher.explanation() } else { None },
        }
    }

    #[track_caller]
    fn finish(self) -> Report {
        let report = self.report();
        if let Some(explanation) = &report.explanation {
            eprint!("{report}\n{explanation}");
        }
        if report.valid == 0 && self.complete && !self.search.allow_empty {
            panic!(
                "no valid value of {} at scope {}: rep_ok rejected every candidate ({} of them){}\nnote: if that is right, say so \
                 with `.allow_empty()`",
                report.type_name,
                report.scope,
                grouped(report.explored),
                last_reads(&self.search)
            );
        }
        report
    }
}

/// The value in `Debug`, cut where it is very long: a derived `Debug` of a ring never ends.
fn debug_text(value: &impl Debug) -> String {
    const MOST: usize = 10_000;
    struct Cut(String);
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > MOST { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut text = Cut(String::new());
    match write!(text, "{value:#?}") {
        Ok(()) => text.0,
        Err(_) => format!("{}\n.. (cut: the text of this value is very long, or never ends)", text.0),
    }
}

/// What rejected candidates had read last, most frequent first. Searches again, up to a limit: the first search keeps no
/// such record.
fn last_reads<T: Finitize + RepOk>(search: &Search<T>) -> String {
    const CANDIDATES: u64 = 100_000;
    let Ok(mut searcher) = Searcher::new(&search.bounds, search.settings) else { return String::new() };
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut seen = 0;
    let ended: Result<bool, SearchError> = searcher.advance_observed(&mut |candidate| {
        seen += 1;
        *counts.entry(candidate.last_read().unwrap_or_else(|| "no field at all".to_string())).or_default() += 1;
        if seen < CANDIDATES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if ended.is_err() {
        return String::new();
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|(name, count), (other_name, other)| other.cmp(count).then(name.cmp(other_name)));
    let shares = counts.iter().take(3).map(|(name, count)| format!("{name} ({} %)", count * 100 / seen));
    format!("; read last before the rejection: {}", shares.collect::<Vec<_>>().join(", "))
}
