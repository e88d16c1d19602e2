//! The functions that run a property: on every valid value, or on one.

use std::any::type_name;
use std::fmt::Debug;
use std::panic::Location;

use korat_core::{Bounds, Finitize, RepOk};

use crate::error::{Error, raised};
use crate::harness::{Harness, Team, parsed};
use crate::property::Outcome;
use crate::report::Report;
use crate::search::Search;
use crate::type_text::type_text;
use crate::with::Inputs;

/// Runs `property` on every valid value within bounds such as `Tree::scope(4)`, smallest first. This is the main entry point of korat.
///
/// A property fails by panicking, by returning `false` or by returning an `Err`; see [`Outcome`].
///
/// # Panics
///
/// Panics if the property fails, with the property's message, the value as a drawing and in `Debug`, and instructions
/// to run it again. The value is stored in `korat-regressions/` and runs first the next time. Also panics if the bounds
/// or the invariant are invalid, and if there is no valid value at all.
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
///
/// A pair or a triple of bounds and other [sources](crate::Source) gives every combination, for operations with arguments and for two structures at
/// once; see [`Search::with`]:
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// korat::for_each_valid((Interval::scope(3), Interval::scope(3), 0..=3), |(one, other, point)| {
///     let contains = |interval: &Interval| interval.low <= point && point <= interval.high;
///     let apart = one.high < other.low || other.high < one.low;
///     assert!(!(apart && contains(&one) && contains(&other)));
/// });
/// ```
#[track_caller]
pub fn for_each_valid<I: Inputs, O: Outcome>(inputs: I, property: impl FnMut(I::Value) -> O) -> Report {
    raised(inputs.run(Location::caller(), property))
}

/// Runs `property` on every valid value within bounds, on several threads; see [`Search::par_for_each`].
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// let report = korat::par_for_each_valid(Interval::scope(3), |interval| assert!(interval.high - interval.low <= 3));
/// assert_eq!(report.valid, 10);
/// ```
#[track_caller]
pub fn par_for_each_valid<T: Finitize + RepOk + Debug, O: Outcome, P: Fn(T) -> O + Sync>(
    bounds: Bounds<T>,
    property: P,
) -> Report {
    raised(Search::new(bounds).run_on_threads(Location::caller(), property))
}

impl<T: Finitize + RepOk> Search<T> {
    /// Runs `property` on every valid value, on as many threads as [`threads`](Search::threads) or `KORAT_THREADS` says, or as the machine has cores for. Panics like [`for_each_valid`].
    ///
    /// What is reported is what one thread reports: the same values, the same counts, the same failures. Values are made on the thread that runs the
    /// property on them, so that they may be of any type; only the property is shared, and must be [`Sync`]. When it is called, other values may be under way.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use korat::{Finitize, Search, rep_ok};
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
    /// let points = AtomicU64::new(0);
    /// let report = Search::new(Interval::scope(9)).threads(2).par_for_each(|interval| {
    ///     points.fetch_add(u64::from(interval.low == interval.high), Ordering::Relaxed);
    ///     assert!(interval.high <= 9);
    /// });
    /// assert_eq!((report.valid, points.into_inner()), (55, 10));
    /// ```
    #[track_caller]
    pub fn par_for_each<O: Outcome, P: Fn(T) -> O + Sync>(self, property: P) -> Report
    where
        T: Debug,
    {
        raised(self.run_on_threads(Location::caller(), property))
    }

    /// Runs `property` on every valid value, like [`par_for_each`](Search::par_for_each), and returns an error instead of panicking, like
    /// [`try_for_each`](Search::try_for_each).
    #[track_caller]
    pub fn try_par_for_each<O: Outcome, P: Fn(T) -> O + Sync>(self, property: P) -> Result<Report, Error>
    where
        T: Debug,
    {
        self.run_on_threads(Location::caller(), property)
    }

    fn run_on_threads<O: Outcome, P: Fn(T) -> O + Sync>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error>
    where
        T: Debug,
    {
        let mut search = self.with_environment();
        let recording = search.recorded(Some(type_name::<P>()), location);
        let team = Team::of(&search);
        search.shares = team.is_some();
        let harness = Harness::start::<T, P>(search, None, location);
        recording.ended(harness.and_then(|harness| harness.run_on(team, property)))
    }

    /// Runs `property` on every valid value. Panics like [`for_each_valid`].
    #[track_caller]
    pub fn for_each<O: Outcome, P: FnMut(T) -> O>(self, property: P) -> Report
    where
        T: Debug,
    {
        raised(self.run_property(Location::caller(), property))
    }

    /// Runs `property` on every valid value, like [`for_each`](Search::for_each), and returns an error instead of panicking. The error
    /// has the failing values; they are kept in `korat-regressions/` all the same.
    ///
    /// ```
    /// use korat::{Error, Finitize, Search, rep_ok};
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
    /// let search = Search::new(Interval::scope(3)).regressions(false);
    /// let Err(Error::Property(failed)) = search.try_for_each(|interval| interval.high < 2) else { panic!("it fails") };
    /// assert_eq!((&*failed.failures[0].message, &*failed.failures[0].replay), ("it returned false", "Interval:3:0.2"));
    /// ```
    #[track_caller]
    pub fn try_for_each<O: Outcome, P: FnMut(T) -> O>(self, property: P) -> Result<Report, Error>
    where
        T: Debug,
    {
        self.run_property(Location::caller(), property)
    }

    pub(crate) fn run_property<O: Outcome, P: FnMut(T) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error>
    where
        T: Debug,
    {
        let mut search = self.with_environment();
        let recording = search.recorded(Some(type_name::<P>()), location);
        recording.ended(Harness::start::<T, P>(search, None, location).and_then(|harness| harness.run(property)))
    }

    /// Runs `property` on a reference to every valid value. The report is that of [`for_each`](Search::for_each), and so are failures; panics
    /// like [`for_each_valid`].
    ///
    /// A property that only looks at values need not own them. One value then serves all calls: it is patched into the next, so that most calls
    /// allocate nothing. Where that could be noticed, each value is built for its call and dropped after it: if it has cells, shared pointers, raw
    /// pointers or destructors of your own, or more than about a hundred objects.
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
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
    /// let mut widest = 0;
    /// let report = Search::new(Interval::scope(3)).for_each_ref(|interval| {
    ///     widest = widest.max(interval.high - interval.low);
    ///     assert!(interval.high <= 3);
    /// });
    /// assert_eq!((report.valid, widest), (10, 3));
    /// ```
    #[track_caller]
    pub fn for_each_ref<O: Outcome, P: FnMut(&T) -> O>(self, property: P) -> Report
    where
        T: Debug,
    {
        raised(self.run_by_ref(Location::caller(), property))
    }

    /// Runs `property` on a reference to every valid value, like [`for_each_ref`](Search::for_each_ref), and returns an error instead of panicking,
    /// like [`try_for_each`](Search::try_for_each).
    ///
    /// ```
    /// # use korat::{Error, Finitize, Search, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Interval { low: u8, high: u8 }
    /// # #[rep_ok]
    /// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
    /// let search = Search::new(Interval::scope(3)).regressions(false);
    /// let Err(Error::Property(failed)) = search.try_for_each_ref(|interval| interval.high < 2) else { panic!("it fails") };
    /// assert_eq!(failed.failures[0].replay, "Interval:3:0.2");
    /// ```
    #[track_caller]
    pub fn try_for_each_ref<O: Outcome, P: FnMut(&T) -> O>(self, property: P) -> Result<Report, Error>
    where
        T: Debug,
    {
        self.run_by_ref(Location::caller(), property)
    }

    fn run_by_ref<O: Outcome, P: FnMut(&T) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error>
    where
        T: Debug,
    {
        let mut search = self.with_environment();
        let recording = search.recorded(Some(type_name::<P>()), location);
        recording.ended(Harness::start::<T, P>(search, None, location).and_then(|harness| harness.run_by_ref(property)))
    }

    /// Runs `property` on one value, given as printed by a failure. Panics like [`for_each_valid`], and if the text is
    /// not a valid value of this type.
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
    pub fn replay<O: Outcome, P: FnMut(T) -> O>(mut self, value: &str, property: P) -> Report
    where
        T: Debug,
    {
        let harness = self.replay_only(value).and_then(|()| Harness::start::<T, P>(self, None, Location::caller()));
        raised(harness.and_then(|harness| harness.run(property)))
    }

    /// Restricts the search to one value.
    pub(crate) fn replay_only(&mut self, value: &str) -> Result<(), Error> {
        self.config.replay = Some(value.to_string());
        self.config.regressions = false;
        check_type(value, &type_text::<T>())
    }
}

/// Fails unless a value to replay is of a type.
pub(crate) fn check_type(value: &str, own: &str) -> Result<(), Error> {
    let replay = parsed(value, None)?;
    if replay.type_name == own {
        return Ok(());
    }
    Err(Error::Expectation(format!("{value:?} is a value of {}, not of {own}", replay.type_name)))
}
