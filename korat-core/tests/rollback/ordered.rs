//! One trial per container that keeps its elements in order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::{Trial, both, common, pair};

pair!(Tree: twin::BTreeSet<u16>, BTreeSet<u16>);

impl Trial for Tree {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let key: u16 = rng.random_range(0..40);
        match rng.random_range(0..26) {
            0..=8 => both!(self, |it| it.insert(key)),
            9 => both!(self, |it| it.insert(it.last().map_or(0, |last| last + 1))),
            10..=12 => both!(self, |it| it.remove(&key)),
            13 => both!(self, |it| it.take(&key)),
            14 => both!(self, |it| it.replace(key)),
            15 => both!(self, |it| it.retain(|known| known % 5 != key % 5)),
            16 if rng.random_bool(0.2) => both!(self, |it| it.clear()),
            17 => both!(self, |it| it.extend(key..key + 9)),
            18 => both!(self, |it| it.extend(&[key, 3])),
            19 => both!(self, |it| it.pop_first()),
            20 => both!(self, |it| it.pop_last()),
            21 => {
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
            22 => {
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
            23 => both!(self, |it| {
                let all = std::mem::take(it);
                *it = all.into_iter().rev().filter(|known| *known != key).collect();
            }),
            24 => {
                let (mut ours, mut theirs) = (self.ours, std::mem::take(&mut self.theirs));
                assert_eq!(ours.insert(key), theirs.insert(key));
                (self.ours, self.theirs) = (ours, theirs);
            }
            _ => both!(self, |it| it.range(key..).next_back().copied()),
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
        match rng.random_range(0..32) {
            0..=6 => both!(self, |it| it.insert(key, value)),
            7..=9 => both!(self, |it| it.remove(&key)),
            10 => both!(self, |it| it.remove_entry(&key)),
            11 => both!(self, |it| *it.entry(key).or_insert(value) += 1),
            12 => both!(self, |it| *it.entry(key).or_default() += value),
            13 => both!(self, |it| *it.entry(key).and_modify(|known| *known *= 2).or_insert_with(|| value)),
            14 => both!(self, |it| *it.entry(key).or_insert_with_key(|key| u64::from(*key))),
            15 => both!(self, |it| it.get_mut(&key).map(|known| std::mem::replace(known, value))),
            16 => both!(self, |it| it.iter_mut().for_each(|(key, known)| *known += u64::from(*key))),
            17 => both!(self, |it| it.values_mut().rev().take(2).for_each(|known| *known /= 2)),
            18 => both!(self, |it| it.retain(|known, count| {
                *count += 1;
                known % 5 != key % 5
            })),
            19 if rng.random_bool(0.2) => both!(self, |it| it.clear()),
            20 => both!(self, |it| it.extend((key..key + 9).map(|key| (key, value)))),
            21 => both!(self, |it| it.pop_first()),
            22 => both!(self, |it| it.pop_last()),
            23 => both!(self, |it| it.first_entry().map(|mut entry| entry.insert(value))),
            24 => both!(self, |it| it.last_entry().map(|entry| entry.remove_entry())),
            25 => both!(self, |it| it.range_mut(key..).for_each(|(_, known)| *known += 1)),
            26 => {
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
            27 => {
                let (mut ours, mut theirs) = (self.ours.clone(), self.theirs.clone());
                assert_eq!(ours.insert(key, value), theirs.insert(key, value));
                ours.values_mut().for_each(|value| *value += 1);
                theirs.values_mut().for_each(|value| *value += 1);
                assert_eq!(self.ours.cmp(&ours), self.theirs.cmp(&theirs));
                if rng.random_bool(0.5) {
                    (self.ours, self.theirs) = (ours, theirs);
                }
            }
            28 => both!(self, |it| {
                let all = std::mem::take(it);
                *it = all.into_iter().rev().filter(|(known, _)| *known != key).collect();
            }),
            29 => {
                let (mut ours, mut theirs) = (self.ours, std::mem::take(&mut self.theirs));
                assert_eq!(ours.insert(key, value), theirs.insert(key, value));
                (self.ours, self.theirs) = (ours, theirs);
            }
            30 => both!(self, |it| it.insert(it.last_key_value().map_or(0, |(last, _)| last.saturating_add(1)), 5)),
            _ => both!(self, |it| it.clone().into_values().rev().collect::<Vec<_>>()),
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

pair!(NestedIndex: twin::BTreeMap<u32, twin::Vec<u64>>, BTreeMap<u32, Vec<u64>>);

impl Trial for NestedIndex {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let (key, value): (u32, u64) = (rng.random_range(0..8), rng.random_range(0..9));
        match rng.random_range(0..11) {
            0..=4 => both!(self, |it| it.entry(key).or_default().push(value)),
            5 => both!(self, |it| it.get_mut(&key).and_then(|inner| inner.pop())),
            6 => both!(self, |it| it.values_mut().for_each(|inner| inner.extend([value, value]))),
            7 => both!(self, |it| it.remove(&key).map(|inner| inner.len())),
            8 => both!(self, |it| it.retain(|_, inner| {
                inner.push(value);
                inner.len() < 9
            })),
            9 => {
                (self.ours, self.theirs) = (self.ours.clone(), self.theirs.clone());
                both!(self, |it| it.entry(key).or_default().clear());
            }
            _ => both!(self, |it| it.pop_last().map(|(_, inner)| inner.into_iter().sum::<u64>())),
        }
    }

    fn check(&self) {
        assert!(self.ours.keys().eq(self.theirs.keys()));
        assert!(self.ours.iter().all(|(key, ours)| ours.iter().eq(&self.theirs[key])));
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
            14 => {
                let (mut ours, mut theirs) = (self.ours, std::mem::take(&mut self.theirs));
                assert_eq!((ours.push(value), ours.pop()), (theirs.push(value), theirs.pop()));
                (self.ours, self.theirs) = (ours, theirs);
            }
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
