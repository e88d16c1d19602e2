//! Names of std, of fields and of patterns that mean the user's own.

use korat::{Finitize, Search, rep_ok};

use crate::forms::{Node, valid};

/// A class with the name of a std type, and a helper with the name of a std method.
#[derive(Debug, Finitize)]
struct LinkedList {
    key: u8,
    rest: Option<Box<LinkedList>>,
}

#[rep_ok]
impl LinkedList {
    fn rep_ok(&self) -> bool {
        let n = (self.key, 1);
        let n = (n.0, n.1);
        // The pattern hides the tuple.
        let first_is_small = if let Some(n) = &self.rest { n.key < 2 } else { n.0 < 2 };
        let count = match &self.rest {
            // The guard means the pattern's name too.
            Some(n) if n.key > 9 => 9,
            Some(n) => n.count(),
            None => 0,
        };
        let LinkedList { key, .. } = self;
        first_is_small && *key == self.key && count < 2 && LinkedList::small(&self.rest)
    }

    fn count(&self) -> usize {
        1 + self.rest.as_ref().map_or(0, |rest| rest.count())
    }

    fn small(list: &Option<Box<LinkedList>>) -> bool {
        list.as_deref().is_none_or(|list: &LinkedList| list.key < 3)
    }
}

#[test]
fn of_std_are_the_users_own() {
    // One node with key 0 or 1, or any key before one with key 0 or 1.
    assert_eq!(Search::new(LinkedList::scope(3)).for_each(drop).valid, 2 + 4 * 2);
}

#[derive(Debug, Finitize)]
struct Chains {
    head: Option<Box<Node>>,
    len: u8,
}

#[rep_ok]
impl Chains {
    fn rep_ok(&self) -> bool {
        if self.len == 0
            && let Some(Node { key: 2, next: None, .. }) = self.head.as_deref()
            && self.len == 0
        {
            return false;
        }
        match self.head.as_deref() {
            Some(Node { next: None, key, .. }) => *key == self.len,
            Some(_) => false,
            None => self.len == 1,
        }
    }
}

#[test]
fn of_fields_in_chains_of_conditions() {
    // No node and length 1, or one node of either colour whose key is the length.
    assert_eq!(valid::<Chains>(2), 1 + 2 * 3);
}
