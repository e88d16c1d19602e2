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

/// How the search gets from one candidate to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backtracking {
    /// The predicate is re-entered at the statement of the last choice, with everything undone that it did since.
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
    /// Limits on one run of the predicate.
    pub limits: Limits,
}
