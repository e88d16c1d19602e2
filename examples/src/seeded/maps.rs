//! Maps, beside naive ones.

use std::collections::BTreeMap;

use super::machine::{Machine, Operation, Version, operation};
use crate::explored::cache::Model;
use crate::lru_cache::LruCache;
use crate::lru_cache::tests::put_counting_slots;
use crate::slab::Slab;
use crate::slab::tests::insert_at_without_relinking;
use crate::trie::Trie;
use crate::trie::tests::remove_if_a_prefix;

pub(super) struct LruCaches;

impl Machine for LruCaches {
    type State = (LruCache, Model);
    const BUG: &str = "`lru_cache`: `put` counts slots, not entries";

    fn first() -> Self::State {
        (LruCache::new(2), Model::new(2))
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (LruCache, Model);
        let put: fn(&mut LruCache, u32, u32) -> Option<(u32, u32)> = version.of(LruCache::put, put_counting_slots);
        let entries = (1..=3).flat_map(|key| [(key, 0), (key, 1)]);
        vec![
            operation("put", entries, move |(cache, model): &mut Both, (key, value)| {
                assert_eq!(put(cache, key, value), model.put(key, value));
            }),
            operation("get", 1..=3, |(cache, model): &mut Both, key| assert_eq!(cache.get(key), model.get(key))),
            operation("remove", 1..=3, |(cache, model): &mut Both, key| {
                assert_eq!(cache.remove(key), model.remove(key));
            }),
        ]
    }

    fn check((cache, model): &Self::State) {
        assert!(cache.rep_ok());
        assert!(cache.iter().eq(model.entries().iter().copied()));
    }
}

pub(super) struct Slabs;

impl Machine for Slabs {
    type State = (Slab<u8>, BTreeMap<usize, u8>);
    const BUG: &str = "`slab`: `insert_at` leaves a slot in the free list";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (Slab<u8>, BTreeMap<usize, u8>);
        let insert_at: fn(&mut Slab<u8>, usize, u8) -> Result<(), u8> =
            version.of(Slab::insert_at, insert_at_without_relinking);
        vec![
            operation("insert", 0..=1, |(slab, model): &mut Both, value| {
                assert_eq!(model.insert(slab.insert(value), value), None);
            }),
            operation("insert_at", 0..=2, move |(slab, model): &mut Both, key| {
                let is_vacant = key < slab.slots.len() && !model.contains_key(&key);
                assert_eq!(insert_at(slab, key, 2), if is_vacant { Ok(()) } else { Err(2) });
                if is_vacant {
                    model.insert(key, 2);
                }
            }),
            operation("remove", 0..=2, |(slab, model): &mut Both, key| {
                assert_eq!(slab.remove(key), model.remove(&key));
            }),
        ]
    }

    fn check((slab, model): &Self::State) {
        assert!(slab.rep_ok());
        assert!(slab.iter().eq(model.iter().map(|(&key, value)| (key, value))));
    }
}

pub(super) struct Tries;

impl Machine for Tries {
    type State = (Trie, BTreeMap<String, usize>);
    const BUG: &str = "`trie`: `remove` takes a prefix for a word";

    fn first() -> Self::State {
        Default::default()
    }

    fn operations(version: Version) -> Vec<Operation<Self::State>> {
        type Both = (Trie, BTreeMap<String, usize>);
        let remove: fn(&mut Trie, &str) -> bool = version.of(Trie::remove, remove_if_a_prefix);
        let words = ["a", "b", "ab", "ba", "abb"];
        vec![
            operation("insert", words, |(trie, model): &mut Both, word| {
                trie.insert(word);
                *model.entry(word.to_string()).or_default() += 1;
            }),
            operation("remove", words, move |(trie, model): &mut Both, word| {
                let count = model.remove(word).unwrap_or(0);
                if count > 1 {
                    model.insert(word.to_string(), count - 1);
                }
                assert_eq!(remove(trie, word), count > 0);
            }),
        ]
    }

    fn check((trie, model): &Self::State) {
        assert!(trie.rep_ok());
        assert!(trie.iter().eq(model.clone()));
    }
}
