//! Settings of a search.

/// Which candidates to try although the user's types exclude them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pruning {
    /// None: a `Box` never takes an object that has an owner, and an `Rc` without interior mutability never closes a cycle.
    #[default]
    Ownership,
    /// Everything that the classes allow, as in the literature: any reference may hold any object of its class. For comparison.
    Classic,
}

/// How the search gets from one candidate to the next. Both modes visit the same candidates in the same order.
///
/// ```
/// use korat::{Backtracking, Finitize, Search, rep_ok};
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
/// let run = |backtracking| Search::new(List::scope(9)).backtracking(backtracking).report();
/// let (checkpoint, reexecute) = (run(Backtracking::Checkpoint), run(Backtracking::Reexecute));
/// assert_eq!((checkpoint.valid, checkpoint.explored), (reexecute.valid, reexecute.explored));
/// // Checkpoints do not repeat what was decided before the last choice.
/// assert!(checkpoint.field_inits < reexecute.field_inits);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backtracking {
    /// Undoes everything since the last choice and re-enters the predicate at the statement that made it. Where that is
    /// impossible, the predicate runs again from an earlier statement or from the top; `Search::explain` reports this.
    #[default]
    Checkpoint,
    /// Runs the predicate from the top for every candidate, as classic Korat does. For comparison.
    Reexecute,
}

/// How to treat fields that the predicate never read on an accepted candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unread {
    /// Generates every combination of their values.
    #[default]
    All,
    /// Gives each field the first value of its domain.
    First,
}

/// How much of a search to check against simpler ways of running the predicate.
///
/// The checks are: the machine, which resumes at the last choice, agrees with the predicate run from the top, in its
/// verdict and in the fields that it reads; the unmodified predicate accepts the generated values; and it rejects the
/// values that rejected candidates complete to. A disagreement is a bug in korat and ends the search with an error. So
/// does a predicate that depends on an order that was declared to have no meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfCheck {
    /// Checks the first few thousand candidates, accepted or rejected, and then as many as take a few per cent of the
    /// time; likewise for values. With debug assertions, checks every value that is built. Does not build rejected
    /// values if a class or a skipped field has a destructor of the user's, or if there are raw pointers or locks,
    /// since these may rely on the invariant.
    #[default]
    Sample,
    /// Checks every candidate and every value.
    All,
    /// Checks nothing.
    Off,
}

/// Settings of a search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which candidates to try although the types exclude them.
    pub pruning: Pruning,
    /// How to get from one candidate to the next.
    pub backtracking: Backtracking,
    /// How to treat fields that the predicate never read.
    pub unread: Unread,
    /// Whether to count re-entries, for [`Explanation`](crate::Explanation).
    pub explain: bool,
    /// Whether to record where candidates are rejected, for [`Profile`](crate::Profile).
    pub profile: bool,
    /// How much to check.
    pub self_check: SelfCheck,
    /// The most bytes that the tables of summaries take.
    pub table_bytes: usize,
    /// The most bytes that the canonical forms take by which a search recognises values that it reaches in several orders.
    pub form_bytes: usize,
    /// Limits on one run of the predicate.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            pruning: Pruning::default(),
            backtracking: Backtracking::default(),
            unread: Unread::default(),
            explain: false,
            profile: false,
            self_check: SelfCheck::default(),
            table_bytes: 1 << 30,
            form_bytes: 2 << 30,
            limits: Limits::default(),
        }
    }
}

/// Limits on one run of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Loop iterations and calls without reading a new field.
    pub steps: u64,
    /// Bytes of native stack below the searcher's own frame.
    pub stack: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 10_000_000, stack: 1 << 20 }
    }
}
