//! Values without a property: the iterator over them, and their count.

use std::marker::PhantomData;

use korat_core::{Bounds, Finitize, RepOk};

use crate::config::Order;
use crate::error::{Error, raised};
use crate::report::Report;
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
    /// Counts the valid values without building them, in one pass. The report has the count, and what else the search found.
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
    pub fn try_report(self) -> Result<Report, Error> {
        let mut run = Run::start(self.order(Order::AsFound).with_environment())?;
        run.count()?;
        run.finish()
    }

    /// Returns the number of valid values; [`report`](Search::report) returns all counts.
    #[track_caller]
    pub fn count(self) -> u64 {
        self.report().valid
    }

    /// Returns the number of valid values, or an error instead of panicking.
    pub fn try_count(self) -> Result<u64, Error> {
        Ok(self.try_report()?.valid)
    }
}

impl<T: Finitize + RepOk> IntoIterator for Search<T> {
    type Item = T;
    type IntoIter = Valid<T>;

    /// Returns an iterator over every valid value. Panics if the bounds are invalid.
    #[track_caller]
    fn into_iter(self) -> Valid<T> {
        Valid { run: raised(Run::start(self.with_environment())), is_over: false, of: PhantomData }
    }
}

/// An iterator over valid values; see [`valid`]. Panics if the bounds or the invariant are invalid and, after the last value, if an expectation of the
/// [`Search`] does not hold, but not if there is no value at all.
pub struct Valid<T: Finitize + RepOk> {
    run: Run,
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
            raised(self.run.check(&self.run.tell()));
        }
        None
    }
}
