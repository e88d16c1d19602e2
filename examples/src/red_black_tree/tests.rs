//! Tests of the red-black tree: its methods against those of a set, and a forgotten repair that is found.

use super::*;
use korat::{Search, field};
use std::collections::BTreeSet;

/// All trees of up to `most` keys from `0..=most`, smallest first. By itself a scope means those of exactly that size, as in the
/// literature.
fn up_to(most: usize) -> Search<RedBlackTree> {
    Search::new(RedBlackTree::scope(most)).domain(field!(RedBlackTree.size), 0..=most)
}

#[test]
fn contains_finds_exactly_the_keys() {
    up_to(5).for_each(|tree| {
        let keys: Vec<usize> = tree.iter().collect();
        assert_eq!(keys.len(), tree.len());
        assert!(keys.is_sorted_by(|a, b| a < b));
        for key in 0..=6 {
            assert_eq!(tree.contains(key), keys.contains(&key));
        }
    });
}

#[test]
fn insert_does_what_a_set_does_and_keeps_the_balance() {
    up_to(5).for_each(|tree| {
        for key in 0..=6 {
            let mut tree = tree.clone();
            let mut model: BTreeSet<usize> = tree.iter().collect();
            assert_eq!(tree.insert(key), model.insert(key));
            assert!(tree.rep_ok());
            assert!(tree.iter().eq(model));
        }
    });
}

#[test]
fn remove_does_what_a_set_does_and_keeps_the_balance() {
    up_to(5).for_each(|tree| {
        for key in 0..=6 {
            let mut tree = tree.clone();
            let mut model: BTreeSet<usize> = tree.iter().collect();
            assert_eq!(tree.remove(key), model.remove(&key));
            assert!(tree.rep_ok());
            assert!(tree.iter().eq(model));
        }
    });
}

#[test]
fn remove_undoes_insert() {
    korat::for_each_valid(RedBlackTree::scope(5), |tree| {
        for key in (0..=6).filter(|&key| !tree.contains(key)) {
            let mut changed = tree.clone();
            assert!(changed.insert(key));
            assert!(changed.remove(key));
            // Rotations may have moved nodes, so the set is restored but not always the shape.
            assert!(changed.rep_ok());
            assert!(changed.iter().eq(tree.iter()));
        }
    });
}

#[test]
fn removing_every_key_empties_the_tree() {
    korat::for_each_valid(RedBlackTree::scope(5), |mut tree| {
        for key in 0..=5 {
            tree.remove(key);
            assert!(tree.rep_ok());
        }
        assert!(tree.is_empty() && tree.root.is_none());
    });
}

#[test]
fn a_clone_shares_no_node() {
    up_to(5).for_each(|tree| {
        let n = tree.len();
        let mut copy = tree.clone();
        assert!(copy.rep_ok());
        for key in tree.iter() {
            assert!(copy.remove(key));
        }
        assert!(tree.rep_ok());
        assert_eq!(tree.iter().count(), n);
    });
}

#[test]
#[should_panic]
fn a_forgotten_repair_is_found() {
    korat::for_each_valid(RedBlackTree::scope(3), |tree| {
        paint(&child(tree.root.as_ref().unwrap(), Side::Left), Color::Red);
        assert!(tree.rep_ok());
    });
}
