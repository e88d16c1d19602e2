use super::*;
use crate::seeded::found_at;
use crate::set_model;

/// An operation that removes a key.
type Remove = fn(&mut RedBlackTree, u32) -> bool;

/// A buggy [`RedBlackTree::remove`]: it does not update the parent links of the moved node's children.
pub(crate) fn remove_forgetting_children(tree: &mut RedBlackTree, key: u32) -> bool {
    let Some(id) = tree.find(key) else {
        return false;
    };
    let hole = tree.detach(id);
    let last = NodeId(tree.nodes.len() as u32 - 1);
    if hole != last {
        tree.replace(last, Some(hole));
    }
    tree.nodes.swap_remove(hole.0 as usize);
    true
}

fn insert_does_what_a_set_does(tree: &RedBlackTree, max: u32) {
    set_model::finds_exactly_its_keys(tree, 0..=max);
    set_model::insert_agrees(tree, 0..=max);
}

/// Checks that removing any two keys, one after the other, leaves the remaining ones.
fn remove_does_what_a_set_does(tree: &RedBlackTree, max: u32, remove: Remove) {
    for first in 0..=max {
        set_model::remove_agrees(tree, [first], remove);
        let mut tree = tree.clone();
        remove(&mut tree, first);
        set_model::remove_agrees(&tree, 0..=max, remove);
    }
}

fn tree(keys: impl IntoIterator<Item = u32>) -> RedBlackTree {
    let mut tree = RedBlackTree::new();
    for key in keys {
        assert!(tree.insert(key));
        assert!(tree.rep_ok());
    }
    tree
}

#[test]
fn rep_ok_rejects_broken_trees() {
    let good = tree([2, 1, 3, 4]);
    let broken: [fn(&mut RedBlackTree); 9] = [
        |tree| tree.nodes[0].key = 1,
        |tree| tree.nodes[0].color = Color::Red,
        |tree| tree.nodes[2].color = Color::Red,
        |tree| tree.nodes[3].color = Color::Black,
        |tree| tree.nodes[3].parent = None,
        |tree| tree.nodes[0].parent = Some(NodeId(3)),
        |tree| tree.nodes[3].right = Some(NodeId(0)),
        |tree| tree.nodes[2].right = None,
        |tree| tree.root = None,
    ];
    assert!(good.rep_ok() && RedBlackTree::new().rep_ok());
    for change in broken {
        let mut tree = good.clone();
        change(&mut tree);
        assert!(!tree.rep_ok(), "{tree:?}");
    }
}

#[test]
fn a_tree_made_by_hand_is_a_set() {
    for tree in [tree([]), tree([3, 1, 5, 0, 2, 4, 6])] {
        insert_does_what_a_set_does(&tree, 7);
        remove_does_what_a_set_does(&tree, 7, RedBlackTree::remove);
    }
}

#[test]
fn a_large_tree_grows_and_shrinks() {
    let mut tree = tree((0..1000).map(|step| step * 389 % 1000));
    assert!(tree.iter().eq(0..1000));
    for step in 0..1000 {
        assert!(tree.remove(step * 617 % 1000));
        assert!(tree.rep_ok());
    }
    assert_eq!(tree, RedBlackTree::new());
}

#[test]
fn a_test_by_hand_does_not_tell_the_mistake() {
    for remove in [RedBlackTree::remove, remove_forgetting_children] {
        // The node added last is a leaf, and moves into the hole as one.
        for keys in [vec![], vec![1, 0, 2], vec![0, 1, 2, 3, 4], vec![4, 3, 2, 1, 0]] {
            for &key in &keys {
                let mut tree = tree(keys.iter().copied());
                assert!(remove(&mut tree, key));
                assert!(tree.rep_ok());
                assert_eq!(tree.len(), keys.len() - 1);
            }
        }
    }
}

#[test]
fn insert_does_what_a_set_does_and_keeps_the_balance() {
    korat::for_each_valid(RedBlackTree::scope(6), |tree| insert_does_what_a_set_does(&tree, 7));
}

#[test]
fn remove_does_what_a_set_does_and_keeps_the_balance() {
    korat::for_each_valid(RedBlackTree::scope(5), |tree| {
        remove_does_what_a_set_does(&tree, 5, RedBlackTree::remove);
    });
}

#[test]
fn forgotten_children_are_found() {
    let found = found_at(0, |scope| {
        korat::for_each_valid(RedBlackTree::scope(scope), |tree| {
            remove_does_what_a_set_does(&tree, scope as u32, remove_forgetting_children);
        });
    });
    assert_eq!(found, Some(4));
}
