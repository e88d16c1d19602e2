//! Collects the labels that `korat::label!` attaches to the current value; `stats` counts them.

use std::cell::{Cell, RefCell};
use std::fmt;

thread_local! {
    /// Whether the labels of the property running on this thread are collected.
    static WANTED: Cell<bool> = const { Cell::new(false) };
    /// The labels of the current value, without duplicates.
    static LABELS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Attaches a label to the current value of the running property, for the histogram of
/// [`Search::stats`](crate::Search::stats).
///
/// The arguments are those of [`format!`]. A value may have several labels, and each label counts once per value.
/// Labels are collected while a property runs under [`Search::for_each`](crate::Search::for_each) or
/// [`for_each_valid`](crate::for_each_valid), on the thread of the search; if a property runs another search, labels
/// belong to the innermost one. Anywhere else, on other threads, or without statistics, this macro does nothing and
/// does not even format the label.
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
/// let report = Search::new(Interval::scope(2)).stats(true).for_each(|interval| {
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

/// The function behind `label!`.
#[doc(hidden)]
pub fn __label(text: fmt::Arguments<'_>) {
    if !WANTED.get() {
        return;
    }
    // Format first, because the user's formatting code may attach labels too.
    let text = text.to_string();
    LABELS.with_borrow_mut(|labels| {
        if !labels.contains(&text) {
            labels.push(text);
        }
    });
}

/// Runs a property on one value, and passes its labels to `count` if they are wanted.
pub(crate) fn gather<R>(wanted: bool, property: impl FnOnce() -> R, count: impl FnOnce(Vec<String>)) -> R {
    /// Restores the state of the enclosing property, even on unwinding.
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
