//! Helpers with type parameters.

use korat::{Finitize, rep_ok};

use crate::forms::{Color, Node, lists_where, valid};

#[derive(Debug, Finitize)]
struct Heap<K> {
    root: Option<Box<Entry<K>>>,
    len: usize,
}

#[derive(Debug, Finitize)]
struct Entry<K> {
    key: K,
    children: Vec<Entry<K>>,
}

#[rep_ok]
impl<K: Ord> Heap<K> {
    fn rep_ok(&self) -> bool {
        // A function in a body cannot use the parameters of the block: it has its own.
        fn size<K: Ord>(entry: &Entry<K>) -> Option<usize> {
            let mut total = 1;
            for child in &entry.children {
                if child.key < entry.key {
                    return None;
                }
                total += size(child)?;
            }
            Some(total)
        }
        Self::sized(&self.root, size) == Some(self.len)
    }

    fn sized<E, F: Fn(&Entry<E>) -> Option<usize>>(entry: &Option<Box<Entry<E>>>, size: F) -> Option<usize> {
        entry.as_ref().map_or(Some(0), |entry| size(entry))
    }
}

#[test]
fn have_parameters_that_stand_for_plain_values() {
    // None; one of three keys; a root and a child that is not smaller.
    assert_eq!(valid::<Heap<u8>>(2), 1 + 3 + 6);
}

/// A trait whose methods are called by its path.
trait Weight {
    fn weight(&self) -> u8;
    fn unit() -> u8;
}

#[rep_ok(helpers)]
impl Weight for Node {
    fn weight(&self) -> u8 {
        self.key + self.next.as_deref().map_or(0, |next| <Node as Weight>::weight(next))
    }
    fn unit() -> u8 {
        1
    }
}

/// A trait that is not marked, and is not given any part of the structure.
trait Limit {
    fn limit() -> u8;
}

impl Limit for Node {
    fn limit() -> u8 {
        3
    }
}

#[derive(Debug, Finitize)]
struct Heavy<const N: usize> {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl<const N: usize> Heavy<N> {
    fn rep_ok(&self) -> bool {
        let mut at = self.head.as_deref();
        let mut seen = std::collections::HashSet::new();
        while let Some(node) = at {
            if !seen.insert(std::ptr::from_ref(node)) || seen.len() > Self::twice::<N>() {
                return false;
            }
            at = node.next.as_deref();
        }
        let weight = self.head.as_deref().map_or(0, |node| <Node as Weight>::weight(node) / <Node as Weight>::unit());
        weight < <Node as Limit>::limit() && <u8 as From<bool>>::from(true) == <Node as Weight>::unit()
    }

    fn twice<const M: usize>() -> usize {
        2 * M
    }
}

#[test]
fn methods_of_traits_by_their_path_and_const_arguments() {
    let weight = |list: &[(Color, u8)]| list.iter().map(|(_, key)| key).sum::<u8>();
    assert_eq!(valid::<Heavy<1>>(3), lists_where(3, |list| list.len() <= 2 && weight(list) < 3));
}
