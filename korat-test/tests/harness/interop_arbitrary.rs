//! Valid values from the bytes of a fuzzer: all of them are reachable, with as many bytes as are said to be needed.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use korat::interop::arbitrary::Valid;
use korat::{Finitize, rep_ok};

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Node {
    #[finitize(1..=scope)]
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct SearchTree {
    root: Option<Box<Node>>,
}

#[rep_ok]
impl SearchTree {
    fn rep_ok(&self) -> bool {
        Self::ordered(&self.root, 0, 100)
    }

    fn ordered(node: &Option<Box<Node>>, low: u8, high: u8) -> bool {
        let Some(node) = node else { return true };
        node.key > low
            && node.key < high
            && Self::ordered(&node.left, low, node.key)
            && Self::ordered(&node.right, node.key, high)
    }
}

#[derive(Debug, Finitize)]
struct Single;

#[rep_ok]
impl Single {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[derive(Debug, Finitize)]
struct Never {
    number: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.number > 100
    }
}

fn of_bytes<const SCOPE: usize>(bytes: &[u8]) -> SearchTree {
    Valid::<SearchTree, SCOPE>::arbitrary(&mut Unstructured::new(bytes)).unwrap().into_inner()
}

#[test]
fn every_value_is_reachable_and_every_byte_is_used() {
    // 188 search trees with keys of 1..=5: one byte.
    assert_eq!(<Valid<SearchTree, 5>>::size_hint(0), (1, Some(1)));
    let reached: BTreeSet<SearchTree> = (0..=255).map(|byte| of_bytes::<5>(&[byte])).collect();
    let all: BTreeSet<SearchTree> = korat::valid(SearchTree::scope(5)).collect();
    assert_eq!(all.len(), 188);
    assert_eq!(reached, all);
    // 731 with keys of 1..=6: two.
    assert_eq!(<Valid<SearchTree, 6>>::size_hint(0), (2, Some(2)));
    let reached: BTreeSet<SearchTree> = (0..731_u16).map(|bytes| of_bytes::<6>(&bytes.to_be_bytes())).collect();
    assert_eq!(reached, korat::valid(SearchTree::scope(6)).collect());
}

#[test]
fn as_many_bytes_are_taken_as_said() {
    let mut bytes = Unstructured::new(&[1, 2, 3, 4]);
    Valid::<SearchTree, 6>::arbitrary(&mut bytes).unwrap();
    assert_eq!(bytes.len(), 2);
    // One value: nothing to choose.
    assert_eq!(<Valid<Single, 1>>::size_hint(0), (0, Some(0)));
    for _ in 0..3 {
        Valid::<Single, 1>::arbitrary(&mut bytes).unwrap();
    }
    assert_eq!(bytes.len(), 2);
}

#[test]
fn small_numbers_are_small_values_and_no_bytes_the_smallest() {
    assert_eq!(of_bytes::<5>(&[]), SearchTree { root: None });
    assert_eq!(of_bytes::<5>(&[0]), SearchTree { root: None });
    let size = |tree: &SearchTree| format!("{tree:?}").matches("key").count();
    let sizes: Vec<usize> = (0..188).map(|byte| size(&of_bytes::<5>(&[byte]))).collect();
    assert!(sizes.is_sorted());
    assert_eq!(sizes.last(), Some(&5));
}

/// There are more trees than could be listed.
#[test]
fn values_that_cannot_be_listed_are_built_by_their_ranks() {
    let size = |tree: &SearchTree| format!("{tree:?}").matches("key").count();
    let all = korat::Search::new(SearchTree::scope(18)).count();
    assert!(all > 1 << 32 && all < 1 << 40, "{all}");
    assert_eq!(<Valid<SearchTree, 18>>::size_hint(0), (5, Some(5)));
    let mut bytes = Unstructured::new(&[0, 0, 0, 0, 1, 7]);
    let tree = Valid::<SearchTree, 18>::arbitrary(&mut bytes).unwrap();
    assert_eq!((size(&tree), bytes.len()), (1, 1));
    // Short inputs are small values, and large numbers wrap around.
    assert_eq!((size(&of_bytes::<18>(&[])), size(&of_bytes::<18>(&[18]))), (0, 1));
    let last = all.clone() - &korat::Natural::ONE;
    let largest = last.to_u64().unwrap();
    assert_eq!(
        of_bytes::<18>(&largest.to_be_bytes()[3..]),
        korat::Search::new(SearchTree::scope(18)).nth(last).unwrap()
    );
    assert_eq!(of_bytes::<18>(&(largest + 1).to_be_bytes()[3..]), SearchTree { root: None });
}

#[test]
fn it_is_an_input_among_others() {
    #[derive(Debug, Arbitrary)]
    struct Input {
        tree: Valid<SearchTree, 3>,
        keys: Vec<u8>,
    }
    let bytes: Vec<u8> = (0..40).collect();
    let input = Input::arbitrary_take_rest(Unstructured::new(&bytes)).unwrap();
    assert!(input.tree.rep_ok());
    assert!(!input.keys.is_empty());
    let mut tree = input.tree;
    tree.root = None;
    assert_eq!(*tree, SearchTree { root: None });
}

#[test]
#[should_panic(expected = "no valid value of Never at scope 2: there is nothing to pick from")]
fn no_value_at_all_is_said() {
    let _ = Valid::<Never, 2>::arbitrary(&mut Unstructured::new(&[1]));
}
