//! How to search, in the words of users.

use crate::ambient::Limits;

/// Which of the candidates the types exclude are tried all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pruning {
    /// None: a `Box` never takes an object that is owned, an `Rc` without interior mutability never closes a cycle.
    #[default]
    Ownership,
    /// All that the classes allow, as in the literature: any reference may hold any object of its class. For comparison.
    Classic,
}

/// How the search gets from one candidate to the next. Both ways see the same candidates in the same order.
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
/// let run = |backtracking| Search::new(List::scope(9)).backtracking(backtracking).count();
/// let (checkpoint, reexecute) = (run(Backtracking::Checkpoint), run(Backtracking::Reexecute));
/// assert_eq!((checkpoint.valid, checkpoint.explored), (reexecute.valid, reexecute.explored));
/// // What was decided before the last choice is not run again.
/// assert!(checkpoint.field_inits < reexecute.field_inits);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backtracking {
    /// The predicate is re-entered at the statement of the last choice, with everything undone that it did since. Where it
    /// cannot be, it is run again from further up, or from the top; `Search::explain` says so.
    #[default]
    Checkpoint,
    /// The predicate runs from the top for every candidate: the classic way, for comparison.
    Reexecute,
}

/// What to do with fields that the predicate never read on an accepted candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unread {
    /// Generate every combination of their values.
    #[default]
    All,
    /// Give each the first value of its domain.
    First,
}

/// How much of a search is checked against plainer ways to run the predicate. That the machine, which goes on at the last choice,
/// agrees with the predicate run from the top, in its verdict and in the fields that it reads, that the plain predicate accepts
/// the values, and that it rejects what rejected candidates can be completed to. What does not agree is a bug in korat, and ends the
/// search with an error. So does a predicate that depends on an order which was declared to have no meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfCheck {
    /// The first few thousand candidates, accepted or rejected, and then as many as take a few per cent of the time; of the values
    /// as many. In builds with debug assertions, all values that are built. Rejected values are not built where a class or a skipped
    /// field has a destructor of the user's, or where there are raw pointers or locks: all of these may rely on the invariant.
    #[default]
    Sample,
    /// Every candidate and every value.
    All,
    /// Nothing.
    Off,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// What the types exclude.
    pub pruning: Pruning,
    /// From one candidate to the next.
    pub backtracking: Backtracking,
    /// Fields that the predicate never read.
    pub unread: Unread,
    /// Whether re-entries are counted, for [`Explanation`](crate::Explanation).
    pub explain: bool,
    /// Whether it is noted where candidates are rejected, for [`Profile`](crate::Profile).
    pub profile: bool,
    /// What is checked.
    pub self_check: SelfCheck,
    /// Limits on one run of the predicate.
    pub limits: Limits,
}
