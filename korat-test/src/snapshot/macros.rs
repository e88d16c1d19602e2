//! The snapshot macros: they sort their arguments into names, bounds, values and redactions, and call insta's assertion.

/// Asserts that the valid values of a type match a snapshot.
///
/// The snapshot has a header with the type, the scope and the number of values in total and of each size. Then follows
/// every value as a drawing, smallest first. If a change to the invariant changes what it accepts, the snapshot shows
/// the difference for review. With more than 200 values or 64 KiB of drawings, the snapshot is a digest: the counts, a
/// hash of the drawings of each size, and the first five drawings.
///
/// The argument is `T::scope(3)` or a [`Search`](crate::Search). A [`limit`](crate::Search::limit) is respected, and
/// the snapshot then states that it is not exhaustive. `KORAT_*` variables do not affect snapshots.
///
/// The default name of the snapshot contains the type and the bounds: `SearchTree_scope_3`. Bounds that differ only in the
/// values of a [`domain`](crate::Bounds::domain), and snapshots that differ only in redactions, have the same name. If two
/// of them in one module differ, the macro panics; pass a name as the first argument then, as with insta's own macros.
///
/// ```no_run
/// use korat::{Finitize, Search, field, rep_ok};
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
/// korat::assert_valid_snapshot!(Interval::scope(2));
/// korat::assert_valid_snapshot!("wide", Search::new(Interval::scope(2).domain(field!(Interval.high), [5, 9])));
/// ```
///
/// The snapshots are managed by insta: they are stored next to the test, `cargo insta review` shows new ones, and
/// insta's settings and filters apply. An inline snapshot follows an `@`. Redactions replace plain fields, which are
/// named with their class:
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// korat::assert_valid_snapshot!(Interval::scope(1), { "Interval.high" => "[high]" }, @r"
/// Interval at scope 1: 3 values
/// size 0: 3
///
/// #1, size 0
/// Interval { low: 0, high: [high] }
///
/// #2, size 0
/// Interval { low: 0, high: [high] }
///
/// #3, size 0
/// Interval { low: 1, high: [high] }
/// ");
/// ```
///
/// insta's filters apply to the finished text, including the digest; redact what differs from run to run instead.
#[macro_export]
macro_rules! assert_valid_snapshot {
    ($bounds:expr $(, {$($field:expr => $shown:expr),* $(,)?})? $(, @$inline:literal)? $(,)?) => {{
        let listing = $crate::snapshot::list($bounds, $crate::__redactions!($({$($field => $shown),*})?));
        $crate::__assert_text!(
            listing.name_in(::core::module_path!()), listing.text, ::core::stringify!($bounds) $(, @$inline)?
        )
    }};
    ($name:expr, $bounds:expr $(, {$($field:expr => $shown:expr),* $(,)?})? $(,)?) => {{
        let listing = $crate::snapshot::list($bounds, $crate::__redactions!($({$($field => $shown),*})?));
        $crate::__assert_text!($name, listing.text, ::core::stringify!($bounds))
    }};
}

/// Asserts that the drawing of one value matches a snapshot.
///
/// Every object of the value must be within bounds, as for generated values, but `rep_ok` need not accept it. The
/// default bounds are the smallest scope, up to 32, that contains the value; pass other bounds before the value. If the
/// value is out of bounds, the macro panics and names the offending field or class.
///
/// The snapshot is named after the test, as with insta's own macros, or by a name passed as the first argument. Unlike
/// `Debug`, a drawing shows objects and sharing, and is finite for cycles; for `Debug` output use
/// `insta::assert_debug_snapshot!`.
///
/// ```
/// use korat::{Finitize, rep_ok};
///
/// #[derive(Debug, Finitize)]
/// struct Node {
///     value: u8,
///     next: Option<Box<Node>>,
/// }
///
/// #[derive(Debug, Finitize)]
/// struct List {
///     head: Option<Box<Node>>,
/// }
///
/// #[rep_ok]
/// impl List {
///     fn rep_ok(&self) -> bool {
///         let mut at = &self.head;
///         while let Some(node) = at {
///             at = &node.next;
///         }
///         true
///     }
/// }
///
/// let last = Node { value: 2, next: None };
/// let list = List { head: Some(Box::new(Node { value: 7, next: Some(Box::new(last)) })) };
/// korat::snapshot_value!(&list, @r"
/// List
/// `- head: Node { value: 7 }
///    `- next: Node { value: 2 }
/// ");
/// // Within bounds, with a field redacted.
/// korat::snapshot_value!(List::scope(8), &list, { "Node.value" => "_" }, @r"
/// List
/// `- head: Node { value: _ }
///    `- next: Node { value: _ }
/// ");
/// ```
///
/// As files, the first one named after the test:
///
/// ```no_run
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// let interval = Interval { low: 3, high: 4 };
/// korat::snapshot_value!(&interval);
/// korat::snapshot_value!("narrow", &interval);
/// korat::snapshot_value!("narrow_within", Interval::scope(5), &interval);
/// ```
#[macro_export]
macro_rules! snapshot_value {
    ($value:expr $(, {$($field:expr => $shown:expr),* $(,)?})? $(, @$inline:literal)? $(,)?) => {{
        let drawn = $crate::snapshot::value($value, $crate::__redactions!($({$($field => $shown),*})?));
        $crate::__assert_text!(drawn.name, drawn.text, ::core::stringify!($value) $(, @$inline)?)
    }};
    ($first:expr, $value:expr $(, {$($field:expr => $shown:expr),* $(,)?})? $(, @$inline:literal)? $(,)?) => {{
        let drawn =
            $crate::snapshot::value_within($first, $value, $crate::__redactions!($({$($field => $shown),*})?));
        $crate::__assert_text!(drawn.name, drawn.text, ::core::stringify!($value) $(, @$inline)?)
    }};
    ($name:expr, $bounds:expr, $value:expr $(, {$($field:expr => $shown:expr),* $(,)?})? $(,)?) => {{
        let drawn =
            $crate::snapshot::value_within($bounds, $value, $crate::__redactions!($({$($field => $shown),*})?));
        $crate::__assert_text!($name, drawn.text, ::core::stringify!($value))
    }};
}

/// Asserts one snapshot for each valid value: the `Debug` output of what a closure returns for it.
///
/// The closure runs on all values, smallest first. The test then fails if any snapshot differs or is new, or if the
/// closure panicked, and lists these values. The name of each snapshot consists of the test's name (or a name passed as
/// the first argument), the type, the bounds, and the size and number of the value:
/// `inserting@List_scope_2_size_2_number_3`. The header of the file contains the drawing of the value. At most 1,000
/// values are allowed; use [`Search::limit`](crate::Search::limit) to take only the first ones.
///
/// The test also fails if there are snapshots of values that no longer exist, and names their files; with
/// `INSTA_UPDATE=always` it removes them.
///
/// ```no_run
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
/// korat::snapshot_each!(Interval::scope(2), |interval| interval.high - interval.low);
/// korat::snapshot_each!("halved", Interval::scope(2), |interval| (interval.low / 2, interval.high / 2));
/// ```
#[macro_export]
macro_rules! snapshot_each {
    ($bounds:expr, $each:expr $(,)?) => {
        $crate::snapshot::each(
            $crate::__place!(::core::option::Option::None),
            $bounds,
            $each,
            |text: &::core::primitive::str| {
                $crate::__assert_text!($crate::snapshot::insta::internals::AutoName, text, ::core::stringify!($each))
            },
        )
    };
    ($name:expr, $bounds:expr, $each:expr $(,)?) => {{
        let name = $name;
        let name: &::core::primitive::str = ::core::convert::AsRef::as_ref(&name);
        $crate::snapshot::each(
            $crate::__place!(::core::option::Option::Some(name)),
            $bounds,
            $each,
            |text: &::core::primitive::str| $crate::__assert_text!(name, text, ::core::stringify!($each)),
        )
    }};
}

/// The location of a macro call, and the name passed to it.
#[doc(hidden)]
#[macro_export]
macro_rules! __place {
    ($name:expr) => {
        $crate::snapshot::Place { file: ::core::file!(), module: ::core::module_path!(), name: $name }
    };
}

/// Calls insta's assertion on a text, in a file or inline.
#[doc(hidden)]
#[macro_export]
macro_rules! __assert_text {
    ($name:expr, $text:expr, $expression:expr) => {
        $crate::snapshot::insta::assert_snapshot!($name, $text, $expression)
    };
    ($name:expr, $text:expr, $expression:expr, @$inline:literal) => {
        $crate::snapshot::insta::assert_snapshot!($text, $expression, @$inline)
    };
}

/// Creates the redactions.
#[doc(hidden)]
#[macro_export]
macro_rules! __redactions {
    () => {
        $crate::snapshot::Redactions::default()
    };
    ({$($field:expr => $shown:expr),*}) => {
        $crate::snapshot::Redactions::new(
            ::std::vec![$(($field, ::std::string::ToString::to_string(&$shown))),*],
        )
    };
}
