//! Trials of containers that keep their elements in order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::{Trial, both, common, moved, pair};
use crate::keyed::{map_step, set_step};

pair!(Tree: twin::BTreeSet<u16>, BTreeSet<u16>);

impl Trial for Tree {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let key: u16 = rng.random_range(0..40);
        match rng.random_range(0..26) {
            0 => both!(self, |it| it.insert(it.last().map_or(0, |last| last + 1))),
            1 => both!(self, |it| it.pop_first()),
            2 => both!(self, |it| it.pop_last()),
            3 => {
                let mut rest = (self.ours.split_off(&key), self.theirs.split_off(&key));
                self.check();
                assert!(rest.0.iter().eq(&rest.1));
                if rng.random_bool(0.5) {
                    rest.0.insert(key);
                    rest.1.insert(key);
                    self.ours.append(&mut rest.0);
                    self.theirs.append(&mut rest.1);
                    assert!(rest.0.is_empty());
                } else {
                    (self.ours, self.theirs) = rest;
                }
            }
            4 => {
                let mut other = (self.ours.clone(), self.theirs.clone());
                for key in [key, key + 1, 2 * key] {
                    assert_eq!(other.0.insert(key), other.1.insert(key));
                }
                assert_eq!(other.0.remove(&(key + 3)), other.1.remove(&(key + 3)));
                assert!(self.ours.union(&other.0).eq(self.theirs.union(&other.1)));
                assert!(self.ours.intersection(&other.0).eq(self.theirs.intersection(&other.1)));
                assert!(self.ours.difference(&other.0).eq(self.theirs.difference(&other.1)));
                assert!(other.0.difference(&self.ours).eq(other.1.difference(&self.theirs)));
                let theirs = self.theirs.symmetric_difference(&other.1);
                assert!(self.ours.symmetric_difference(&other.0).eq(theirs));
                assert_eq!(self.ours.is_subset(&other.0), self.theirs.is_subset(&other.1));
                assert_eq!(self.ours.is_superset(&other.0), self.theirs.is_superset(&other.1));
                assert_eq!(self.ours.is_disjoint(&other.0), self.theirs.is_disjoint(&other.1));
                assert_eq!(self.ours.cmp(&other.0), self.theirs.cmp(&other.1));
                (self.ours, self.theirs) = match key % 4 {
                    0 => (&self.ours & &other.0, &self.theirs & &other.1),
                    1 => (&self.ours | &other.0, &self.theirs | &other.1),
                    2 => (&self.ours ^ &other.0, &self.theirs ^ &other.1),
                    _ => (&self.ours - &other.0, &self.theirs - &other.1),
                };
            }
            5 => both!(self, |it| {
                let all = std::mem::take(it);
                *it = all.into_iter().rev().filter(|known| *known != key).collect();
            }),
            6 => both!(self, |it| it.range(key..).next_back().copied()),
            op => set_step!(self, rng, key, op - 7),
        }
        let high = key + 5;
        assert!(self.ours.range(key..high).eq(self.theirs.range(key..high)));
        assert!(self.ours.range(key..=high).rev().eq(self.theirs.range(key..=high).rev()));
        assert!(self.ours.range(..=key).eq(self.theirs.range(..=key)));
        assert_eq!(self.ours.get(&key), self.theirs.get(&key));
    }

    fn check(&self) {
        assert!(self.ours.iter().eq(&self.theirs));
        assert_eq!((self.ours.len(), self.ours.first()), (self.theirs.len(), self.theirs.first()));
        assert_eq!((self.ours.is_empty(), self.ours.last()), (self.theirs.is_empty(), self.theirs.last()));
        assert_eq!(format!("{:?}", self.ours), format!("{:?}", self.theirs));
    }
}

pair!(Index: twin::BTreeMap<u8, u64>, BTreeMap<u8, u64>);

impl Trial for Index {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let key: u8 = rng.random_range(0..30);
        let value: u64 = rng.random_range(0..10);
        match rng.random_range(0..33) {
            0 => both!(self, |it| *it.entry(key).or_insert_with_key(|key| u64::from(*key))),
            1 => both!(self, |it| it.values_mut().rev().take(2).for_each(|known| *known /= 2)),
            2 => both!(self, |it| it.pop_first()),
            3 => both!(self, |it| it.pop_last()),
            4 => both!(self, |it| it.first_entry().map(|mut entry| entry.insert(value))),
            5 => both!(self, |it| it.last_entry().map(|entry| entry.remove_entry())),
            6 => both!(self, |it| it.range_mut(key..).for_each(|(_, known)| *known += 1)),
            7 => {
                let mut rest = (self.ours.split_off(&key), self.theirs.split_off(&key));
                self.check();
                rest.0.insert(value as u8, 77);
                rest.1.insert(value as u8, 77);
                assert!(rest.0.iter().eq(&rest.1));
                if rng.random_bool(0.5) {
                    self.ours.append(&mut rest.0);
                    self.theirs.append(&mut rest.1);
                    assert!(rest.0.is_empty());
                } else {
                    (self.ours, self.theirs) = rest;
                }
            }
            8 => {
                let (mut ours, mut theirs) = (self.ours.clone(), self.theirs.clone());
                assert_eq!(ours.insert(key, value), theirs.insert(key, value));
                assert_eq!(self.ours.cmp(&ours), self.theirs.cmp(&theirs));
            }
            9 => both!(self, |it| {
                let all = std::mem::take(it);
                *it = all.into_iter().rev().filter(|(known, _)| *known != key).collect();
            }),
            10 => both!(self, |it| it.insert(it.last_key_value().map_or(0, |(last, _)| last.saturating_add(1)), 5)),
            11 => both!(self, |it| it.clone().into_values().rev().collect::<Vec<_>>()),
            op => map_step!(self, rng, key, value, op - 12),
        }
        assert!(self.ours.range(key..key + 5).eq(self.theirs.range(key..key + 5)));
        assert_eq!(self.ours.contains_key(&key), self.theirs.contains_key(&key));
        assert_eq!(self.ours.get(&key), self.theirs.get(&key));
    }

    fn check(&self) {
        assert!(self.ours.iter().eq(&self.theirs));
        assert!(self.ours.keys().rev().eq(self.theirs.keys().rev()));
        assert!(self.ours.values().eq(self.theirs.values()));
        assert_eq!(self.ours.first_key_value(), self.theirs.first_key_value());
        assert_eq!(self.ours.last_key_value(), self.theirs.last_key_value());
        assert_eq!(format!("{:?}", self.ours), format!("{:?}", self.theirs));
    }
}

// The order of a heap is its own; what is taken out of it is not.
pair!(Heap: twin::BinaryHeap<Reverse<u16>>, BinaryHeap<Reverse<u16>>);

impl Trial for Heap {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let value = Reverse(rng.random_range(0..20));
        match rng.random_range(0..16) {
            0..=5 => both!(self, |it| it.push(value)),
            6..=8 => both!(self, |it| it.pop()),
            9 => both!(self, |it| it.extend([value, value])),
            10 => both!(self, |it| it.retain(|known| known.0 % 3 != value.0 % 3)),
            11 if rng.random_bool(0.2) => both!(self, |it| it.clear()),
            12 => both!(self, |it| {
                let mut other = it.clone();
                other.push(value);
                it.append(&mut other);
                other.len()
            }),
            13 => both!(self, |it| {
                let mut all: Vec<_> = it.drain().collect();
                all.sort();
                it.extend(all.iter().step_by(2));
            }),
            14 => moved!(self, |it| {
                it.push(value);
                it.pop()
            }),
            _ => {
                let (ours, theirs) = (self.ours.into_vec(), std::mem::take(&mut self.theirs).into_vec());
                assert_eq!(ours.first(), theirs.first());
                (self.ours, self.theirs) = (ours.into(), theirs.into());
            }
        }
    }

    fn check(&self) {
        assert_eq!((self.ours.len(), self.ours.peek()), (self.theirs.len(), self.theirs.peek()));
        assert!(self.ours.clone().into_sorted_vec().into_iter().eq(self.theirs.clone().into_sorted_vec()));
        assert_eq!(self.ours.iter().map(|value| value.0).max(), self.theirs.iter().map(|value| value.0).max());
    }
}
