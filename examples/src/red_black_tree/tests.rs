//! Tests of the red-black tree: its methods against those of a set, and a missing repair that is found.

use super::*;
use crate::set_model::{self, up_to};

#[test]
fn contains_finds_exactly_the_keys() {
    up_to!(RedBlackTree, 5).for_each(|tree| set_model::finds_exactly_its_keys(&tree, 0..=6));
}

#[test]
fn insert_does_what_a_set_does_and_keeps_the_balance() {
    up_to!(RedBlackTree, 5).for_each(|tree| set_model::insert_agrees(&tree, 0..=6));
}

#[test]
fn remove_does_what_a_set_does_and_keeps_the_balance() {
    up_to!(RedBlackTree, 5).for_each(|tree| set_model::remove_agrees(&tree, 0..=6, RedBlackTree::remove));
}

#[test]
fn remove_undoes_insert() {
    korat::for_each_valid(RedBlackTree::scope(5), |tree| set_model::remove_undoes_insert(&tree, 0..=6));
}

#[test]
fn removing_every_key_empties_the_tree() {
    korat::for_each_valid(RedBlackTree::scope(5), |tree| {
        let tree = set_model::without(tree, 0..=5);
        assert!(tree.is_empty() && tree.root.is_none());
    });
}

#[test]
fn a_clone_shares_no_node() {
    up_to!(RedBlackTree, 5).for_each(|tree| {
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
