//! Trials of containers that hash their keys.

use std::collections::{HashMap, HashSet};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::{Trial, both, common, moved, pair};
use crate::keyed::{map_step, set_step};

pair!(Set: twin::HashSet<u16>, HashSet<u16>);

impl Trial for Set {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let key: u16 = rng.random_range(0..60);
        match rng.random_range(0..24) {
            0 => both!(self, |it| {
                let mut all: Vec<u16> = it.drain().collect();
                all.sort_unstable();
                it.extend(all.iter().skip(1));
                all
            }),
            1 => both!(self, |it| {
                let mut other = it.clone();
                other.insert(key);
                other.remove(&(key + 1));
                *it = &*it & &other;
            }),
            2 => both!(self, |it| {
                let mut all: Vec<u16> = std::mem::take(it).into_iter().filter(|known| *known != key).collect();
                all.sort_unstable();
                *it = all.into_iter().collect();
            }),
            3 => both!(self, |it| {
                // The newest goes first: what a search on a stack does.
                let new = it.insert(key + 100);
                (new, it.remove(&(key + 100)))
            }),
            op => set_step!(self, rng, key, op - 4),
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
        assert!(self.ours.iter().all(|key| self.theirs.contains(key)));
        assert!(self.theirs.iter().all(|key| self.ours.contains(key)));
    }
}

pair!(Map: twin::HashMap<u8, u64>, HashMap<u8, u64>);

impl Trial for Map {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let key: u8 = rng.random_range(0..40);
        let value: u64 = rng.random_range(0..10);
        match rng.random_range(0..24) {
            0 => both!(self, |it| it.values_mut().for_each(|known| *known /= 2)),
            1 => both!(self, |it| {
                let mut all: Vec<(u8, u64)> = it.drain().collect();
                all.sort_unstable();
                it.extend(all.iter().skip(1).copied());
                all
            }),
            2 => {
                use std::collections::hash_map::Entry;
                let theirs = match self.theirs.entry(key) {
                    Entry::Occupied(entry) => Some(entry.remove()),
                    Entry::Vacant(_) => None,
                };
                // The twin's `Entry` has no name of its own outside.
                assert_eq!(self.ours.remove(&key), theirs);
            }
            op => map_step!(self, rng, key, value, op - 3),
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
        assert!(self.ours.iter().all(|(key, value)| self.theirs.get(key) == Some(value)));
        assert!(self.theirs.iter().all(|(key, value)| self.ours.get(key) == Some(value)));
    }
}
