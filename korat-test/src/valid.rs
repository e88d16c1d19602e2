//! Values without a property: the iterator over them, and their count.

use std::marker::PhantomData;
use std::panic::Location;

use korat_core::{Bounds, Finitize, Natural, RepOk};

use crate::beside::Companions;
use crate::checkpoint;
use crate::config::{Order, Summaries};
use crate::error::{Error, raised};
use crate::harness::Team;
use crate::record::Recording;
use crate::report::{Ending, Report};
use crate::run::Run;
use crate::search::Search;

/// Returns an iterator over every valid value of `T` within `bounds`, smallest first.
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
    Search::new(bounds).into_iter()
}

impl<T: Finitize + RepOk> Search<T> {
    /// Counts the valid values without building them, in one pass. The report has the count, and what else the search found. Counts on several threads if
    /// [`threads`](Search::threads) or `KORAT_THREADS` says how many.
    #[track_caller]
    pub fn report(self) -> Report {
        raised(self.try_report())
    }

    /// Counts the valid values without building them, like [`report`](Search::report), and returns an error instead of
    /// panicking.
    ///
    /// ```
    /// use korat::{Error, Finitize, Search, SearchError, rep_ok};
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
    ///         assert!(self.low < 3, "too high");
    ///         self.low <= self.high
    ///     }
    /// }
    ///
    /// assert_eq!(Search::new(Interval::scope(2)).try_report()?.valid, 6);
    /// let Err(Error::Search(failed)) = Search::new(Interval::scope(3)).try_report() else { panic!("it fails") };
    /// assert!(matches!(failed.error, SearchError::Panicked { .. }) && failed.valid == 9);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn try_report(self) -> Result<Report, Error> {
        let mut search = self.order(Order::AsFound).with_environment();
        if search.config.shard.is_some() && search.config.ranks.is_none() && search.config.sample.is_none() {
            // The candidates of all shards are to add up to those of the search.
            search.config.summaries = Summaries::Never;
        }
        let recording = search.recorded(None, Location::caller());
        let team = Team::of_count(&search);
        recording.ended(Run::start(search, &Companions::none()).and_then(|mut run| {
            match &team {
                Some(team) => run.count_on(team)?,
                None => run.count()?,
            }
            run.finish()
        }))
    }

    /// Returns the exact number of valid values, however large: parts of the structure are [summarised](Search::summaries) where that
    /// is possible, so that no value is searched for. [`report`](Search::report) returns what a search finds. Fails if a time or memory limit ends it.
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Node {
    ///     #[finitize(0..=scope)]
    ///     key: usize,
    ///     left: Option<Box<Node>>,
    ///     right: Option<Box<Node>>,
    /// }
    ///
    /// #[derive(Debug, Finitize)]
    /// struct SearchTree {
    ///     root: Option<Box<Node>>,
    /// }
    ///
    /// #[rep_ok]
    /// impl SearchTree {
    ///     fn rep_ok(&self) -> bool {
    ///         Self::is_ordered(&self.root, None, None)
    ///     }
    ///
    ///     fn is_ordered(node: &Option<Box<Node>>, low: Option<usize>, high: Option<usize>) -> bool {
    ///         let Some(node) = node else { return true };
    ///         low.is_none_or(|low| low < node.key)
    ///             && high.is_none_or(|high| node.key < high)
    ///             && Self::is_ordered(&node.left, low, Some(node.key))
    ///             && Self::is_ordered(&node.right, Some(node.key), high)
    ///     }
    /// }
    ///
    /// assert_eq!(Search::new(SearchTree::scope(8)).count(), 46_960);
    /// assert_eq!(Search::new(SearchTree::scope(20)).count(), 3_717_464_256_720);
    /// ```
    #[track_caller]
    pub fn count(self) -> Natural {
        raised(self.try_count())
    }

    /// Returns the exact number of valid values, or an error instead of panicking.
    pub fn try_count(self) -> Result<Natural, Error> {
        Ok(self.try_count_by_size()?.into_iter().map(|(_, values)| values).sum())
    }

    /// Returns the valid value with a number, or `None` if there are fewer. Parts of the structure must be
    /// [summarised](Search::summaries); no other value is searched for. The first value has number 0, smaller values come first, and
    /// numbers stay the same as long as the structure, the bounds and `rep_ok` do.
    ///
    /// ```
    /// use korat::{Finitize, Natural, Search, rep_ok};
    ///
    /// #[derive(Debug, PartialEq, Finitize)]
    /// struct Node {
    ///     #[finitize(0..=scope)]
    ///     key: usize,
    ///     next: Option<Box<Node>>,
    /// }
    ///
    /// #[derive(Debug, PartialEq, Finitize)]
    /// struct Sorted {
    ///     head: Option<Box<Node>>,
    /// }
    ///
    /// #[rep_ok]
    /// impl Sorted {
    ///     fn rep_ok(&self) -> bool {
    ///         Self::is_sorted(&self.head, 0)
    ///     }
    ///
    ///     fn is_sorted(node: &Option<Box<Node>>, least: usize) -> bool {
    ///         node.as_ref().is_none_or(|node| node.key >= least && Self::is_sorted(&node.next, node.key + 1))
    ///     }
    /// }
    ///
    /// let search = || Search::new(Sorted::scope(100));
    /// assert_eq!(search().nth(0), Some(Sorted { head: None }));
    /// // Every set of at most 100 of the numbers 0..=100.
    /// let count = search().count();
    /// assert_eq!(count.to_string(), ((1_u128 << 101) - 1).to_string());
    /// let last = search().nth(count.clone() - &Natural::ONE).unwrap();
    /// assert!(last.rep_ok() && search().nth(count).is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// If parts cannot be summarised; the message says why.
    #[track_caller]
    pub fn nth(self, number: impl Into<Natural>) -> Option<T> {
        raised(self.try_nth(number))
    }

    /// Returns the valid value with a number, like [`nth`](Search::nth), and an error instead of panicking.
    pub fn try_nth(self, number: impl Into<Natural>) -> Result<Option<T>, Error> {
        let first = number.into();
        let mut end = first.clone();
        end += &Natural::ONE;
        let mut search = self.whole().with_environment().ranks(first..end);
        search.config.sample = None;
        let mut run = Run::start(search, &Companions::none())?;
        if run.next()? { run.value().map(Some) } else { Ok(None) }
    }

    /// Returns the exact number of valid values of each size, smallest first, however large; see [`count`](Search::count). Sizes without
    /// values are absent.
    #[track_caller]
    pub fn count_by_size(self) -> Vec<(usize, Natural)> {
        raised(self.try_count_by_size())
    }

    /// Returns the exact number of valid values of each size, or an error instead of panicking.
    pub fn try_count_by_size(self) -> Result<Vec<(usize, Natural)>, Error> {
        let mut search = self.undivided().order(Order::AsFound).with_environment();
        (search.config.sample, search.config.ranks) = (None, None);
        let tells = search.config.tells() || search.expected.is_any();
        let team = Team::of_count(&search);
        let mut run = Run::start(search, &Companions::none())?;
        let summarised = match &team {
            _ if !tells => run.count_summarised(team.as_ref())?,
            Some(team) => {
                run.count_on(team)?;
                None
            }
            None => {
                run.count()?;
                None
            }
        };
        if let Some(by_size) = summarised {
            return Ok(by_size);
        }
        let report = run.finish()?;
        let limit = match report.ending {
            Ending::TimeLimit { .. } => Some("time"),
            Ending::MemoryLimit { .. } => Some("memory"),
            _ => None,
        };
        if let Some(limit) = limit {
            return Err(Error::Expectation(format!("the {limit} limit has ended the count: {report}")));
        }
        Ok(report.by_size.into_iter().map(|(size, values)| (size, Natural::from(values))).collect())
    }
}

impl<T: Finitize + RepOk> IntoIterator for Search<T> {
    type Item = T;
    type IntoIter = Valid<T>;

    /// Returns an iterator over every valid value. Panics if the bounds are invalid.
    #[track_caller]
    fn into_iter(self) -> Valid<T> {
        let mut search = self.undivided().with_environment();
        if search.config.checkpoints.take().is_some() {
            checkpoint::tell_none_of("iterators: what was made of earlier values is not known");
        }
        let recording = search.recorded(None, Location::caller());
        match Run::start(search, &Companions::none()) {
            Ok(run) => Valid { run, recording: Some(recording), is_over: false, of: PhantomData },
            Err(error) => raised(recording.ended(Err(error)).map(|_| unreachable!("it has not begun"))),
        }
    }
}

/// An iterator over valid values; see [`valid`]. Panics if the bounds or the invariant are invalid and, after the last value, if an expectation of the
/// [`Search`] does not hold, but not if there is no value at all.
pub struct Valid<T: Finitize + RepOk> {
    /// Dropped before its file is closed.
    run: Run,
    /// The file of the report, until the last value was returned.
    recording: Option<Recording>,
    /// Whether the last value was returned, and what the settings request was printed and checked.
    is_over: bool,
    of: PhantomData<fn() -> T>,
}

impl<T: Finitize + RepOk> Valid<T> {
    /// Returns what the search did so far.
    pub fn report(&self) -> Report {
        self.run.report()
    }
}

impl<T: Finitize + RepOk> Iterator for Valid<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        if raised(self.run.next()) {
            return Some(raised(self.run.value()));
        }
        if !std::mem::replace(&mut self.is_over, true) {
            let checked = self.run.check(&self.run.tell());
            self.run.note_found();
            if let Some(recording) = self.recording.take() {
                recording.used_up(&checked);
            }
            raised(checked);
        }
        None
    }
}
