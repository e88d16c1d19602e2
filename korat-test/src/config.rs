//! What to search and how: the builder behind [`for_each_valid`](crate::for_each_valid) and [`valid`](crate::valid). Takes
//! the user's words, gives settings; runs nothing itself.

use korat_core::__private::{Class, Codec, Field};
use korat_core::{Backtracking, Bounds, FieldOf, Finitize, IntoValue, Pruning, RepOk, Settings, Unread};

/// A search over all valid values of `T` within bounds.
///
/// ```
/// use korat::{Finitize, Pruning, Search, rep_ok};
///
/// #[derive(Debug, Finitize)]
/// struct Node {
///     next: Option<Box<Node>>,
/// }
///
/// #[derive(Debug, Finitize)]
/// struct List {
///     head: Option<Box<Node>>,
///     len: usize,
/// }
///
/// #[rep_ok]
/// impl List {
///     fn rep_ok(&self) -> bool {
///         let (mut at, mut len) = (&self.head, 0);
///         while let Some(node) = at {
///             (at, len) = (&node.next, len + 1);
///         }
///         self.len == len
///     }
/// }
///
/// let report = Search::new(List::scope(3)).for_each(|list| assert!(list.len <= 3));
/// assert_eq!(report.valid, 4);
/// ```
#[must_use = "a search does nothing before it is run: call `for_each`, `count` or `iter`"]
pub struct Search<T: Finitize + RepOk> {
    pub(crate) bounds: Bounds<T>,
    pub(crate) settings: Settings,
    /// Stop after this many values.
    pub(crate) limit: Option<u64>,
    /// Whether it is fine to find no value at all.
    pub(crate) allow_empty: bool,
    /// Whether the untouched `rep_ok` is run on every value too.
    pub(crate) verify: bool,
}

impl<T: Finitize + RepOk> Search<T> {
    /// A search with the default settings.
    pub fn new(bounds: Bounds<T>) -> Self {
        let verify = cfg!(debug_assertions);
        let explain = std::env::var_os("KORAT_EXPLAIN").is_some_and(|value| !value.is_empty() && value != "0");
        let settings = Settings { explain, ..Settings::default() };
        Search { bounds, settings, limit: None, allow_empty: false, verify }
    }

    /// At most `count` objects of class `C`. The root counts as an object of its own class.
    pub fn objects<C: Class>(mut self, count: usize) -> Self {
        self.bounds = self.bounds.objects::<C>(count);
        self
    }

    /// The domain of one field, in place of its `#[finitize(..)]` or default: any iterator of the field's type. For a
    /// vector or an array it is the domain of each element.
    pub fn domain<C: Class, F: Field, I: IntoIterator>(mut self, field: FieldOf<C, F>, domain: I) -> Self
    where
        I::Item: IntoValue<<F::Codec as Codec>::Leaf>,
    {
        self.bounds = self.bounds.domain(field, domain);
        self
    }

    /// The values of a field of any type, in place of its `#[finitize(values = [..])]`.
    pub fn values<C: Class, F: Clone + 'static>(mut self, field: FieldOf<C, F>, values: Vec<F>) -> Self {
        self.bounds = self.bounds.values(field, values);
        self
    }

    /// How the search gets from one candidate to the next. Both ways see the same candidates in the same order.
    pub fn backtracking(mut self, backtracking: Backtracking) -> Self {
        self.settings.backtracking = backtracking;
        self
    }

    /// Whether candidates that the types exclude are tried. Both ways generate the same values.
    pub fn pruning(mut self, pruning: Pruning) -> Self {
        self.settings.pruning = pruning;
        self
    }

    /// What to do with fields that `rep_ok` never read on an accepted candidate.
    pub fn unread(mut self, unread: Unread) -> Self {
        self.settings.unread = unread;
        self
    }

    /// Stops after `values` values. The report says that the search was not exhaustive.
    pub fn limit(mut self, values: u64) -> Self {
        self.limit = Some(values);
        self
    }

    /// Finding no valid value at all is fine. Otherwise it fails the test, because a property that ran on nothing holds
    /// of nothing.
    pub fn allow_empty(mut self) -> Self {
        self.allow_empty = true;
        self
    }

    /// How many loop rounds and calls `rep_ok` may take without reading a new field, before korat says that it loops.
    /// Default: ten million.
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.settings.limits.steps = steps;
        self
    }

    /// How many bytes of stack `rep_ok` may recurse through, before korat says that it recurses without end. Default: one
    /// mebibyte, half of a test thread's stack. With [`Backtracking::Checkpoint`] only what is run as a whole uses the stack:
    /// calls of methods of the `#[rep_ok]` block do not, and have a limit of two million under way.
    pub fn stack_limit(mut self, bytes: usize) -> Self {
        self.settings.limits.stack = bytes;
        self
    }

    /// Says how `rep_ok` was run: which statements the search came back to and how often, which of them are replayed as a
    /// whole and why. [`for_each`](Search::for_each) and [`count`](Search::count) print it at their end on standard error,
    /// which `cargo test` shows with `-- --nocapture`, and put it into [`Report::explanation`](crate::Report::explanation);
    /// so does [`Valid::report`](crate::Valid::report). The environment variable `KORAT_EXPLAIN=1` does the same for every
    /// search of a process. Counting makes the search slower. With [`Backtracking::Reexecute`] there is nothing to say.
    ///
    /// ```
    /// use korat::{Finitize, Search, rep_ok};
    ///
    /// #[derive(Debug, Finitize)]
    /// struct Interval {
    ///     low: u8,
    ///     high: u8,
    ///     open: bool,
    /// }
    ///
    /// #[rep_ok]
    /// impl Interval {
    ///     fn rep_ok(&self) -> bool {
    ///         if self.low > self.high {
    ///             return false;
    ///         }
    ///         !self.open || self.is_wide()
    ///     }
    ///
    ///     fn is_wide(&self) -> bool {
    ///         self.low < self.high
    ///     }
    /// }
    ///
    /// let report = Search::new(Interval::scope(3)).explain().count();
    /// let explanation = report.explanation.expect("it was asked for");
    /// // The first candidate begins at the top; every other one begins at one of the statements.
    /// let reentries: u64 = explanation.statements.iter().map(|statement| statement.reentries).sum();
    /// assert_eq!(reentries, report.explored - 1);
    /// // Nothing stands in the way.
    /// assert!(explanation.notes.is_empty());
    /// ```
    pub fn explain(mut self) -> Self {
        self.settings.explain = true;
        self
    }

    /// Whether every generated value is also shown to the untouched `rep_ok`, which must accept it. Default: in builds
    /// with debug assertions, as `cargo test` makes them.
    pub fn verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }
}
