//! stub
mod config;
mod draw;
mod report;
mod run;

pub use config::Search;
pub use korat_core::{
    Backtracking, Bounds, BoundsError, Counters, Finitize, OutOfBounds, Pruning, RepOk, SearchError, Unread,
};
pub use korat_macros::{Finitize, rep_ok};
pub use report::Report;
pub use run::{Valid, for_each_valid, valid};

#[doc(hidden)]
pub use korat_core::__private;

/// Names one field of one class, for [`Search::domain`] and [`Search::values`]. The field must be visible where the macro
/// is used.
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// #[derive(Debug, Finitize)]
/// struct Dice {
///     eyes: u8,
/// }
///
/// #[rep_ok]
/// impl Dice {
///     fn rep_ok(&self) -> bool {
///         self.eyes > 0
///     }
/// }
///
/// let report = korat::Search::new(Dice::scope(0)).domain(korat::field!(Dice.eyes), 0..=6).count();
/// assert_eq!(report.valid, 6);
/// ```
#[macro_export]
macro_rules! field {
    ($class:ident $(:: $rest:ident)* . $field:tt) => {
        $crate::__FieldOf::new(
            ::core::stringify!($field),
            |object: &$class $(:: $rest)*| &object.$field,
        )
    };
}

#[doc(hidden)]
pub use korat_core::FieldOf as __FieldOf;
