//! Labels that a property gives to the value it runs on. Takes the texts of `korat::label!`, gives those of one value; what is
//! counted of them is the business of `stats`.

use std::cell::{Cell, RefCell};
use std::fmt;

thread_local! {
    /// Whether somebody wants the labels of the property that runs on this thread.
    static WANTED: Cell<bool> = const { Cell::new(false) };
    /// The labels of the value it runs on, each once.
    static LABELS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Labels the value that the running property was given, for the histogram of [`Search::stats`](crate::Search::stats).
///
/// The arguments are those of [`format!`]. A label counts once per value, however often it is given; a value may have several. It works
/// while a property runs under [`Search::for_each`](crate::Search::for_each) or [`for_each_valid`](crate::for_each_valid), on the thread
/// of the search: where a property runs another search, labels belong to the innermost. Anywhere else, on another thread, or if nobody
/// asked for statistics, it does nothing, and nothing is formatted.
///
/// ```
/// use korat::{Finitize, Search, label, rep_ok};
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
/// let report = Search::new(Interval::scope(2)).stats().for_each(|interval| {
///     if interval.low == interval.high {
///         label!("a single number");
///     }
///     label!("width {}", interval.high - interval.low);
/// });
/// let stats = report.stats.expect("they were asked for");
/// let labels: Vec<(&str, u64)> = stats.labels().collect();
/// assert_eq!(labels, [("a single number", 3), ("width 0", 3), ("width 1", 2), ("width 2", 1)]);
/// ```
#[macro_export]
macro_rules! label {
    ($($text:tt)+) => {
        $crate::__label(::core::format_args!($($text)+))
    };
}

/// What `label!` calls.
#[doc(hidden)]
pub fn __label(text: fmt::Arguments<'_>) {
    if !WANTED.get() {
        return;
    }
    // Formatted first: the user's own code may give labels, too.
    let text = text.to_string();
    LABELS.with_borrow_mut(|labels| {
        if !labels.contains(&text) {
            labels.push(text);
        }
    });
}

/// Runs a property on one value; gives its labels, if they are wanted, to `count`.
pub(crate) fn gather<R>(wanted: bool, property: impl FnOnce() -> R, count: impl FnOnce(Vec<String>)) -> R {
    /// Puts back what belongs to the property around this one, unwinding included.
    struct Outer {
        wanted: bool,
        labels: Vec<String>,
    }
    impl Drop for Outer {
        fn drop(&mut self) {
            WANTED.set(self.wanted);
            LABELS.replace(std::mem::take(&mut self.labels));
        }
    }
    if !wanted && !WANTED.get() {
        return property();
    }
    let outer = Outer { wanted: WANTED.replace(wanted), labels: LABELS.take() };
    let result = property();
    let labels = LABELS.take();
    drop(outer);
    if wanted {
        count(labels);
    }
    result
}
