//! Calls between marked functions and the blocks of classes, and what is passed to helpers that name its type.

use korat::{Finitize, rep_ok};

use crate::filters::{assert_exact, every_list};

#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    #[finitize(0..=2)]
    key: u8,
    next: Option<Box<Node>>,
}

fn linked(keys: &[u8]) -> Option<Box<Node>> {
    keys.iter().rev().fold(None, |next, key| Some(Box::new(Node { key: *key, next })))
}

/// Marked functions that call methods of blocks: of one of helpers, of the block that calls them, of another class with a
/// `rep_ok` of its own. They call each other, too.
mod methods_from_functions {
    use super::*;

    /// `rep_ok` calls none of the named methods.
    #[rep_ok(uses(Self::size, Self::starts_with))]
    impl Node {
        fn rep_ok(&self) -> bool {
            self.key > 0
        }

        /// Stops after four nodes, because a classic search meets rings.
        fn size(&self, most: usize) -> usize {
            1 + self.next.as_ref().filter(|_| most > 1).map_or(0, |next| Self::size(next, most - 1))
        }

        fn starts_with(link: &Option<Box<Node>>, key: u8) -> bool {
            link.as_ref().is_some_and(|node| node.has(key))
        }

        fn has(&self, key: u8) -> bool {
            self.key == key
        }

        /// Not lifted, so that it need not be a form that can be.
        #[allow(dead_code)]
        fn printed(&self) -> usize {
            fn len(node: &impl std::fmt::Debug) -> usize {
                format!("{node:?}").len()
            }
            len(self) + unmarked(self)
        }
    }

    #[rep_ok(helpers)]
    fn size(link: &Option<Box<Node>>) -> usize {
        link.as_ref().map_or(0, |node| node.size(4))
    }

    #[rep_ok(helpers, uses(size))]
    fn is_even(list: &List) -> bool {
        size(&list.head).is_multiple_of(2) && list.fits() && !List::starts_low(&list.head)
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct List {
        head: Option<Box<Node>>,
        #[finitize(0..=2)]
        len: usize,
    }

    #[rep_ok(uses(is_even, size, Self::fits, Self::starts_low))]
    impl List {
        fn rep_ok(&self) -> bool {
            is_even(self)
        }

        fn fits(&self) -> bool {
            self.len == size(&self.head)
        }

        fn starts_low(link: &Option<Box<Node>>) -> bool {
            Node::starts_with(link, 0)
        }
    }

    #[test]
    fn are_lifted() {
        let lists = every_list(3).into_iter().flat_map(|keys| (0..=2).map(move |len| (keys.clone(), len)));
        let lists = lists.map(|(keys, len)| List { head: linked(&keys), len });
        let expected: Vec<String> = lists.filter(List::rep_ok).map(|list| format!("{list:?}")).collect();
        assert_eq!(expected.len(), 1 + 2 * 3);
        assert_exact::<List>(3, &expected);
    }
}

/// Not marked.
fn unmarked(node: &Node) -> usize {
    usize::from(node.key)
}
