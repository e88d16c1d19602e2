//! Lists whose elements strictly increase.

use korat::{Finitize, rep_ok};

/// An element and the rest of the list.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    /// The element.
    #[finitize(0..=scope)]
    pub elem: usize,
    /// The nodes with larger elements.
    pub next: Option<Box<Node>>,
}

/// A set of elements.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct SortedList {
    /// The node with the smallest element; `None` for an empty list.
    pub head: Option<Box<Node>>,
}

#[rep_ok]
impl SortedList {
    /// Returns whether the elements strictly increase.
    pub fn rep_ok(&self) -> bool {
        let (mut rest, mut last) = (&self.head, None);
        while let Some(node) = rest {
            if last.is_some_and(|last| node.elem <= last) {
                return false;
            }
            last = Some(node.elem);
            rest = &node.next;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use korat::Search;

    use super::*;

    #[test]
    fn are_counted_exactly() {
        for scope in [0_u32, 1, 7, 15, 40] {
            // Every set of at most `scope` of the `scope + 1` elements.
            let expected = (1_u64 << (scope + 1)) - 1;
            assert_eq!(Search::new(SortedList::scope(scope as usize)).count(), expected, "scope {scope}");
        }
    }
}
