//! Runs asynchronous properties; the counterpart of `harness`.

use std::any::type_name;
use std::fmt::Debug;
use std::panic::Location;

use korat_core::{Bounds, Finitize, RepOk};

use crate::error::Error;
use crate::harness::Harness;
use crate::panics;
use crate::property::{self, Outcome};
use crate::report::Report;
use crate::search::Search;
use crate::stats;

/// Runs an `async` property on every valid value, like [`for_each_valid`](crate::for_each_valid). Requires the feature `async`.
///
/// The property runs on one value after the other, smallest first, within the task that awaits the returned future;
/// `#[tokio::test]` works. The search is bound to its thread, so the future is not `Send`.
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
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let report = korat::for_each_valid_async(Interval::scope(3), async |interval| {
///     tokio::task::yield_now().await;
///     assert!(interval.high - interval.low <= 3);
/// })
/// .await;
/// assert_eq!(report.valid, 10);
/// # }
/// ```
#[track_caller]
pub fn for_each_valid_async<T: Finitize + RepOk + Debug, O: Outcome, P: AsyncFnMut(T) -> O>(
    bounds: Bounds<T>,
    property: P,
) -> impl Future<Output = Report> {
    Search::new(bounds).for_each_async(property)
}

impl<T: Finitize + RepOk + Debug> Search<T> {
    /// Runs an `async` property on every valid value, like [`for_each`](Search::for_each); see
    /// [`for_each_valid_async`].
    #[track_caller]
    pub fn for_each_async<O: Outcome, P: AsyncFnMut(T) -> O>(self, property: P) -> impl Future<Output = Report> {
        let location = Location::caller();
        let run = self.run_async(location, property);
        async move { raised_at(location, run.await) }
    }

    /// Runs an `async` property on every valid value, and returns an error instead of panicking, like
    /// [`try_for_each`](Search::try_for_each).
    #[track_caller]
    pub fn try_for_each_async<O: Outcome, P: AsyncFnMut(T) -> O>(
        self,
        property: P,
    ) -> impl Future<Output = Result<Report, Error>> {
        self.run_async(Location::caller(), property)
    }

    async fn run_async<O: Outcome, P: AsyncFnMut(T) -> O>(
        self,
        location: &'static Location<'static>,
        property: P,
    ) -> Result<Report, Error> {
        let mut search = self.with_environment();
        let recording = search.recorded(Some(type_name::<P>()), location);
        let ended = match Harness::start::<T, P>(search, None, location) {
            Ok(harness) => run(harness, property).await,
            Err(error) => Err(error),
        };
        recording.ended(ended)
    }

    /// Runs an `async` property on one value, given as printed by a failure, like [`replay`](Search::replay).
    ///
    /// ```
    /// # use korat::{Finitize, Search, rep_ok};
    /// # #[derive(Debug, Finitize)]
    /// # struct Interval { low: u8, high: u8 }
    /// # #[rep_ok]
    /// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// Search::new(Interval::scope(3)).replay_async("Interval:3:1.2", async |interval| interval.low == 1).await;
    /// # }
    /// ```
    #[track_caller]
    pub fn replay_async<O: Outcome, P: AsyncFnMut(T) -> O>(
        mut self,
        value: &str,
        property: P,
    ) -> impl Future<Output = Report> + use<T, O, P> {
        let location = Location::caller();
        let harness = self.replay_only(value).and_then(|()| Harness::start::<T, P>(self, None, location));
        async move {
            let report = match harness {
                Ok(harness) => run(harness, property).await,
                Err(error) => Err(error),
            };
            raised_at(location, report)
        }
    }
}

async fn run<T: RepOk, O: Outcome>(
    mut harness: Harness,
    mut property: impl AsyncFnMut(T) -> O,
) -> Result<Report, Error> {
    while let Some(value) = harness.next()? {
        let (wanted, mut labels) = (harness.wants_labels(), Vec::new());
        let around = |step: &mut dyn FnMut()| stats::labelled_step(wanted, &mut labels, step);
        let verdict = property::run_async(async { property(value).await }, around).await;
        harness.count_labels(labels);
        if harness.judge(verdict).is_break() {
            break;
        }
    }
    harness.finish()
}

/// Returns the result of a run, or panics at a line of the user's: the caller of the future is an executor.
fn raised_at(location: &Location<'_>, result: Result<Report, Error>) -> Report {
    result.unwrap_or_else(|error| panics::raise(location, error.to_string()))
}
