//! The macros: what they are given, sorted into names, bounds, values and redactions, and insta's assertion around the text.

/// Asserts that the valid values of a type are those of a snapshot: a head with the type, the scope, how many values there
/// are and how many of each size, then every value drawn, smallest first. An invariant that changes what it accepts shows
/// up as a difference to be reviewed.
///
/// With more than 200 values or 64 KiB of drawings the snapshot is a digest: the counts, a hash over the drawings of each
/// size, and the first five drawings.
///
/// Takes bounds, `T::scope(3)`, or a [`Search`](crate::Search). Its [`limit`](crate::Search::limit) is kept, and the
/// snapshot says that it is not exhaustive. What `KORAT_*` variables say about bounds does not change a snapshot.
///
/// The name of the snapshot has the type and the bounds in it: `SearchTree_scope_3`. Bounds that differ only in the values
/// of a [`domain`](crate::Search::domain) have the same name, and so do snapshots that differ in what is redacted; two such
/// in one module are told so. Give a name in front then, as with insta's own macros.
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
/// korat::assert_valid_snapshot!("wide", Search::new(Interval::scope(2)).domain(field!(Interval.high), [5, 9]));
/// ```
///
/// The snapshots are insta's: they lie beside the test, `cargo insta review` shows the new ones, and insta's settings and
/// filters apply. Text in place of a file stands after an `@`, and plain fields that are not to be in the snapshot are named
/// with their class:
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
/// insta's filters see the finished text, the digest included; redact what differs from run to run.
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

/// Asserts that one value, drawn, is that of a snapshot.
///
/// Every object of the value must be within bounds, as generated ones are; whether `rep_ok` accepts it does not matter. By
/// default the smallest scope that has the value is taken, up to 32; other bounds stand in front. A value that is in none of
/// them panics, and says which field or class is in the way.
///
/// The snapshot is named for the test, as with insta's own macros, or by a name in front. A drawing shows objects and
/// sharing, which `Debug` does not, and ends for rings, which `Debug` does not; for `Debug` there is
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
/// As files, the first named for the test:
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

/// Asserts one snapshot for each valid value: what a closure makes of it, in `Debug`.
///
/// All values are run, smallest first; then the test fails if any snapshot differs, is new, or if the closure panicked, and
/// lists them with their values. Each snapshot is named for the test (or by a name in front), the type, the bounds, the
/// value's size and its number, `inserting@List_scope_2_size_2_number_3`; the drawn value stands in the head of the file. At
/// most 1,000 values; [`Search::limit`](crate::Search::limit) takes the first few.
///
/// It also fails if snapshots are left of values that there are none of any more, and names their files; with
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

/// Where a macro is called, and the name that it was given.
#[doc(hidden)]
#[macro_export]
macro_rules! __place {
    ($name:expr) => {
        $crate::snapshot::Place { file: ::core::file!(), module: ::core::module_path!(), name: $name }
    };
}

/// insta's assertion on a text, in a file or in place.
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

/// The fields to redact.
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
