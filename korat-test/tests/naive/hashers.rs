//! Hashers, which are no part of the structure: as type parameters, as fields, and in maps.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk};
use crate::harness::{Subject, lists, maps, sets};

/// A hasher that adds what it is given.
#[derive(Default)]
pub struct Sum(u64);

impl Hasher for Sum {
    fn write(&mut self, bytes: &[u8]) {
        self.0 += bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

pub type Sums = BuildHasherDefault<Sum>;

/// A hash table by hand.
#[derive(Debug, Finitize)]
pub struct Table<K, S = RandomState> {
    #[finitize(len = 2..=2)]
    buckets: Vec<Option<K>>,
    hasher: S,
}

#[rep_ok]
impl<K: Hash + Eq, S: BuildHasher> Table<K, S> {
    /// Every key is in the bucket that its hash selects.
    pub fn rep_ok(&self) -> bool {
        self.buckets.iter().enumerate().all(|(at, key)| key.as_ref().is_none_or(|key| self.place(key) == at))
    }

    fn place(&self, key: &K) -> usize {
        usize::from(self.hasher.hash_one(key) % 2 == 1)
    }
}

impl Canonical for Table<u8, Sums> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.buckets);
    }
}

impl Subject for Table<u8, Sums> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let keys: Vec<Option<u8>> = std::iter::once(None).chain((0..=scope as u8).map(Some)).collect();
        let pairs = lists(&keys, 2).into_iter().filter(|buckets| buckets.len() == 2);
        pairs.for_each(|buckets| visit(Table { buckets, hasher: Sums::default() }));
    }
}

/// Maps and sets with a hasher of their own, which the struct does not bound, and hashers as fields.
#[derive(Debug, Finitize)]
pub struct Maps<K, S> {
    scores: HashMap<K, bool, S>,
    seen: HashSet<K, S>,
    fixed: BuildHasherDefault<DefaultHasher>,
    random: RandomState,
}

#[rep_ok]
impl<K, S> Maps<K, S>
where
    K: Hash + Eq + Copy,
    S: BuildHasher,
{
    /// What has a score was seen.
    pub fn rep_ok(&self) -> bool {
        let mut again: HashSet<K, RandomState> = HashSet::with_hasher(RandomState::new());
        again.extend(self.seen.iter().copied());
        let is_fixed = self.fixed.hash_one(1_u8) == BuildHasherDefault::<DefaultHasher>::default().hash_one(1_u8);
        is_fixed && Self::all_seen(&self.scores, &self.seen) && again.len() == self.seen.len()
    }

    fn all_seen(scores: &HashMap<K, bool, S>, seen: &HashSet<K, S>) -> bool {
        scores.keys().all(|key| seen.contains(key))
    }
}

impl Canonical for Maps<u8, Sums> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.scores.iter().collect::<BTreeMap<_, _>>());
        to.plain(&self.seen.iter().collect::<BTreeSet<_>>());
    }
}

impl Subject for Maps<u8, Sums> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let keys: Vec<u8> = (0..=scope as u8).collect();
        for scores in maps(&keys, &[false, true]) {
            for seen in sets(&keys) {
                let (scores, seen) = (scores.clone().into_iter().collect(), seen.into_iter().collect());
                visit(Maps { scores, seen, fixed: BuildHasherDefault::default(), random: RandomState::new() });
            }
        }
    }
}
