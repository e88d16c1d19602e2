//! The macro that names a field.

/// Names a field of a class, for [`Bounds::domain`](crate::Bounds::domain) and
/// [`Bounds::field_values`](crate::Bounds::field_values). The field must be visible where the macro is used.
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
/// let report = korat::Search::new(Dice::scope(0).domain(korat::field!(Dice.eyes), 0..=6)).report();
/// assert_eq!(report.valid, 6);
/// ```
///
/// The class may be generic: `field!(Pair<u8, bool>.first)`.
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Pair<A, B> { first: A, second: B }
/// # #[rep_ok]
/// # impl Pair<u8, bool> { fn rep_ok(&self) -> bool { self.second || self.first > 0 } }
/// let bounds = Pair::<u8, bool>::scope(1).domain(korat::field!(Pair<u8, bool>.first), [3, 5]);
/// assert_eq!(korat::Search::new(bounds).count(), 4);
/// ```
#[macro_export]
macro_rules! field {
    ($class:ident $(:: $rest:ident)* $(< $($argument:ty),+ $(,)? >)? . $field:tt) => {
        $crate::FieldOf::new(
            ::core::stringify!($field),
            |object: &$class $(:: $rest)* $(< $($argument),+ >)?| &object.$field,
        )
    };
}
