//! Runs asynchronous properties; the counterpart of `harness`.

use std::fmt::Debug;
use std::panic::Location;

use korat_core::{Bounds, Finitize, RepOk};

use crate::harness::Harness;
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
        // Start outside the future, so that panics about bounds and settings point at the caller.
        run(Harness::start::<P>(self.with_environment(), Location::caller()), property)
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
        self.replay_only(value);
        run(Harness::start::<P>(self, Location::caller()), property)
    }
}

async fn run<T: Finitize + RepOk + Debug, O: Outcome>(
    mut harness: Harness<T>,
    mut property: impl AsyncFnMut(T) -> O,
) -> Report {
    while let Some(value) = harness.next() {
        let (wanted, mut labels) = (harness.wants_labels(), Vec::new());
        let around = |step: &mut dyn FnMut()| stats::labelled_step(wanted, &mut labels, step);
        let verdict = property::run_async(async { property(value).await }, around).await;
        harness.count_labels(labels);
        if harness.judge(verdict).is_break() {
            break;
        }
    }
    harness.finish(true)
}
