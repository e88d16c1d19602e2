//! Which sizes of values are generated.

use std::ops::RangeInclusive;

/// The sizes of generated values. The size of a value is the number of its objects. The root counts only if other
/// objects can be of its class, so a `List { head: Option<Box<Node>> }` with two nodes has size 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sizes {
    /// All sizes within the bounds.
    #[default]
    All,
    /// Only the size that equals the scope.
    Scope,
    /// Only the sizes in a range.
    Range(RangeInclusive<usize>),
}

impl From<RangeInclusive<usize>> for Sizes {
    fn from(range: RangeInclusive<usize>) -> Self {
        Sizes::Range(range)
    }
}

impl Sizes {
    /// Returns the sizes at the given scope.
    pub(crate) fn range(&self, scope: usize) -> RangeInclusive<usize> {
        match self {
            Sizes::All => 0..=usize::MAX,
            Sizes::Scope => scope..=scope,
            Sizes::Range(range) => range.clone(),
        }
    }
}
