//! Holds the operations of a set of keys to those of [`BTreeSet`]. Takes one value, usually out of a search, and panics where the two
//! differ or the invariant is broken.

use std::collections::BTreeSet;
use std::fmt::Debug;

/// A set of keys with an invariant.
pub(crate) trait KeySet: Clone {
    /// What it is a set of.
    type Key: Copy + Ord + Debug;

    fn rep_ok(&self) -> bool;
    fn len(&self) -> usize;
    /// In the order of the set's own iterator.
    fn keys(&self) -> Vec<Self::Key>;
    fn contains(&self, key: Self::Key) -> bool;
    fn insert(&mut self, key: Self::Key) -> bool;
    fn remove(&mut self, key: Self::Key) -> bool;
}

macro_rules! key_sets {
    ($($Set:ty: $Key:ty;)*) => {$(
        impl KeySet for $Set {
            type Key = $Key;

            fn rep_ok(&self) -> bool {
                self.rep_ok()
            }

            fn len(&self) -> usize {
                self.len()
            }

            fn keys(&self) -> Vec<$Key> {
                self.iter().collect()
            }

            fn contains(&self, key: $Key) -> bool {
                self.contains(key)
            }

            fn insert(&mut self, key: $Key) -> bool {
                self.insert(key)
            }

            fn remove(&mut self, key: $Key) -> bool {
                self.remove(key)
            }
        }
    )*};
}

// Each by its own methods, which come before those of the trait.
key_sets! {
    crate::avl_tree::AvlTree: usize;
    crate::b_tree::BTree: u32;
    crate::red_black_arena::RedBlackTree: u32;
    crate::red_black_tree::RedBlackTree: usize;
    crate::search_tree::SearchTree: usize;
    crate::skip_list::SkipList: u32;
    crate::sorted_list::SortedList: usize;
}

/// A search for all sets of up to `most` keys from `0..=most`, smallest first. By itself, the scope of these structures means the sets of
/// exactly that size, as in the literature.
macro_rules! up_to {
    ($Set:ident, $most:expr) => {
        korat::Search::new($Set::scope($most).domain(korat::field!($Set.size), 0..=$most))
    };
}
pub(crate) use up_to;

/// `contains` finds the keys of the set and no others of `keys`; `len` counts them, and they come in order.
pub(crate) fn finds_exactly_its_keys<S: KeySet>(set: &S, keys: impl IntoIterator<Item = S::Key>) {
    let own = set.keys();
    assert_eq!(own.len(), set.len());
    assert!(own.is_sorted_by(|a, b| a < b), "{own:?}");
    for key in keys {
        assert_eq!(set.contains(key), own.contains(&key), "{key:?}");
    }
}

/// `operation` does to a copy of the set, with each of the keys, what `model` does to a [`BTreeSet`].
pub(crate) fn agrees<S: KeySet>(
    set: &S,
    keys: impl IntoIterator<Item = S::Key>,
    operation: fn(&mut S, S::Key) -> bool,
    model: fn(&mut BTreeSet<S::Key>, S::Key) -> bool,
) {
    for key in keys {
        let (mut set, mut expected) = (set.clone(), BTreeSet::from_iter(set.keys()));
        assert_eq!(operation(&mut set, key), model(&mut expected, key), "{key:?}");
        assert!(set.rep_ok(), "{key:?}");
        assert!(set.keys().into_iter().eq(expected), "{key:?}");
    }
}

/// `insert` adds each of the keys as [`BTreeSet::insert`] does.
pub(crate) fn insert_agrees<S: KeySet>(set: &S, keys: impl IntoIterator<Item = S::Key>) {
    agrees(set, keys, S::insert, |model, key| model.insert(key));
}

/// `remove`, which may be one with a mistake, takes out each of the keys as [`BTreeSet::remove`] does.
pub(crate) fn remove_agrees<S: KeySet>(
    set: &S,
    keys: impl IntoIterator<Item = S::Key>,
    remove: fn(&mut S, S::Key) -> bool,
) {
    agrees(set, keys, remove, |model, key| model.remove(&key));
}

/// The set after each of the keys that it lacks was inserted and removed again.
fn changed_back<S: KeySet>(set: &S, keys: impl IntoIterator<Item = S::Key>) -> impl Iterator<Item = S> {
    keys.into_iter().filter(|&key| !set.contains(key)).map(|key| {
        let mut changed = set.clone();
        assert!(changed.insert(key), "{key:?}");
        assert!(changed.remove(key), "{key:?}");
        changed
    })
}

/// Removing a new key restores the set, though not always its shape: rotations may have moved nodes.
pub(crate) fn remove_undoes_insert<S: KeySet>(set: &S, keys: impl IntoIterator<Item = S::Key>) {
    for changed in changed_back(set, keys) {
        assert!(changed.rep_ok());
        assert_eq!(changed.keys(), set.keys());
    }
}

/// Removing a new key restores the set in the shape that it had.
pub(crate) fn remove_restores_the_shape<S: KeySet + PartialEq + Debug>(
    set: &S,
    keys: impl IntoIterator<Item = S::Key>,
) {
    for changed in changed_back(set, keys) {
        assert_eq!(changed, *set);
    }
}

/// Removes the keys one by one, and returns what is left; the invariant holds after each.
pub(crate) fn without<S: KeySet>(mut set: S, keys: impl IntoIterator<Item = S::Key>) -> S {
    for key in keys {
        set.remove(key);
        assert!(set.rep_ok(), "{key:?}");
    }
    set
}
