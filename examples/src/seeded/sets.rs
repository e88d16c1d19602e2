//! Sets of keys, beside the set of the standard library.

use std::collections::BTreeSet;

use super::machine::{Machine, Operation, Version, operation};
use crate::b_tree::BTree;
use crate::b_tree::tests::remove_borrowing_the_first;
use crate::red_black_arena::RedBlackTree;
use crate::red_black_arena::tests::remove_forgetting_children;
use crate::set_model::KeySet;
use crate::skip_list::SkipList;
use crate::skip_list::tests::remove_mending_the_wrong_height;

type Beside<S> = (S, BTreeSet<u32>);

fn insert<S: KeySet<Key = u32>>(keys: u32) -> Operation<Beside<S>> {
    operation("insert", 1..=keys, |(set, model): &mut Beside<S>, key| assert_eq!(set.insert(key), model.insert(key)))
}

fn remove<S: KeySet<Key = u32> + 'static>(keys: u32, remove: fn(&mut S, u32) -> bool) -> Operation<Beside<S>> {
    let both = move |(set, model): &mut Beside<S>, key| assert_eq!(remove(set, key), model.remove(&key));
    operation("remove", 1..=keys, both)
}

fn assert_same<S: KeySet<Key = u32>>((set, model): &Beside<S>) {
    assert!(set.rep_ok());
    assert!(set.keys().into_iter().eq(model.iter().copied()));
}

pub(super) struct BTrees;

impl Machine for BTrees {
    type State = Beside<BTree>;
    const BUG: &str = "`b_tree`: `remove` borrows the wrong key";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        vec![insert(5), remove(5, version.of(BTree::remove, remove_borrowing_the_first))]
    }

    fn check(state: &Self::State) {
        assert_same(state);
    }
}

pub(super) struct RedBlackTrees;

impl Machine for RedBlackTrees {
    type State = Beside<RedBlackTree>;
    const BUG: &str = "`red_black_arena`: `remove` forgets parent links";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        vec![insert(5), remove(5, version.of(RedBlackTree::remove, remove_forgetting_children))]
    }

    fn check(state: &Self::State) {
        assert_same(state);
    }
}

pub(super) struct SkipLists;

impl Machine for SkipLists {
    type State = Beside<SkipList>;
    const BUG: &str = "`skip_list`: `remove` mends too few levels";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        let towers = (1..=3).flat_map(|key| [(key, 1), (key, 2)]);
        let insert = |(list, model): &mut Self::State, (key, height)| {
            assert_eq!(list.insert_with_height(key, height), model.insert(key));
        };
        vec![
            operation("insert_with_height", towers, insert),
            remove(3, version.of(SkipList::remove, remove_mending_the_wrong_height)),
        ]
    }

    fn check(state: &Self::State) {
        assert_same(state);
    }
}
