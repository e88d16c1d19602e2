//! Trials of containers within containers, and of containers that exchange elements.

use std::collections::{BTreeMap, HashMap, VecDeque};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::{Trial, both, common, pair};

pair!(NestedVec: twin::Vec<twin::Vec<u32>>, Vec<Vec<u32>>);

impl Trial for NestedVec {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let value: u32 = rng.random_range(0..5);
        let at = rng.random_range(0..=self.theirs.len());
        match rng.random_range(0..16) {
            0..=2 => both!(self, |it| it.push(Default::default())),
            3..=6 if at < self.theirs.len() => both!(self, |it| it[at].push(value)),
            7 if at < self.theirs.len() => both!(self, |it| it[at].pop()),
            8 => both!(self, |it| it.iter_mut().for_each(|inner| inner.push(value))),
            9 => both!(self, |it| it.retain(|inner| inner.len() != value as usize)),
            10 => {
                let last = (self.ours.last().cloned(), self.theirs.last().cloned());
                if let (Some(ours), Some(theirs)) = last {
                    self.ours.push(ours);
                    self.theirs.push(theirs);
                    both!(self, |it| it[at.saturating_sub(1)].push(value));
                }
            }
            11 => both!(self, |it| it.resize(at + 1, [value, value].into())),
            12 => both!(self, |it| it.sort()),
            13 => {
                (self.ours, self.theirs) = (self.ours.clone(), self.theirs.clone());
                both!(self, |it| it.iter_mut().rev().for_each(|inner| inner.clear()));
            }
            14 => both!(self, |it| it.pop().is_some_and(|inner| inner.into_iter().sum::<u32>() > 3)),
            _ if at < self.theirs.len() => both!(self, |it| {
                let inner = std::mem::take(&mut it[at]);
                it.push(inner);
            }),
            _ => {}
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
        assert!(self.ours.iter().zip(&self.theirs).all(|(ours, theirs)| ours.iter().eq(theirs)));
    }
}

/// What maps of vectors do alike: what `$op` says, if it is below 5, and otherwise a push.
macro_rules! map_of_vectors_step {
    ($self:ident, $key:ident, $value:ident, $op:expr) => {
        match $op {
            0 => both!($self, |it| it.get_mut(&$key).and_then(|inner| inner.pop())),
            1 => both!($self, |it| it.values_mut().for_each(|inner| inner.extend([$value, $value]))),
            2 => both!($self, |it| it.remove(&$key).map(|inner| inner.len())),
            3 => both!($self, |it| it.retain(|_, inner| {
                inner.push($value);
                inner.len() < 9
            })),
            4 => {
                ($self.ours, $self.theirs) = ($self.ours.clone(), $self.theirs.clone());
                both!($self, |it| it.entry($key).or_default().clear());
            }
            _ => both!($self, |it| it.entry($key).or_default().push($value)),
        }
    };
}

pair!(NestedMap: twin::HashMap<u8, twin::Vec<u8>>, HashMap<u8, Vec<u8>>);

impl Trial for NestedMap {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let (key, value): (u8, u8) = (rng.random_range(0..6), rng.random_range(0..9));
        match rng.random_range(0..12) {
            0 => both!(self, |it| it.iter_mut().for_each(|(_, inner)| inner.sort())),
            1 => both!(self, |it| it.insert(key, [value].into()).map(|inner| inner.len())),
            op => map_of_vectors_step!(self, key, value, op - 2),
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
        assert!(self.ours.iter().all(|(key, ours)| ours.iter().eq(&self.theirs[key])));
    }
}

pair!(NestedIndex: twin::BTreeMap<u32, twin::Vec<u64>>, BTreeMap<u32, Vec<u64>>);

impl Trial for NestedIndex {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let (key, value): (u32, u64) = (rng.random_range(0..8), rng.random_range(0..9));
        match rng.random_range(0..11) {
            0 => both!(self, |it| it.pop_last().map(|(_, inner)| inner.into_iter().sum::<u64>())),
            op => map_of_vectors_step!(self, key, value, op - 1),
        }
    }

    fn check(&self) {
        assert!(self.ours.keys().eq(self.theirs.keys()));
        assert!(self.ours.iter().all(|(key, ours)| ours.iter().eq(&self.theirs[key])));
    }
}

pair!(NestedDeque: twin::VecDeque<twin::VecDeque<u8>>, VecDeque<VecDeque<u8>>);

impl Trial for NestedDeque {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let value: u8 = rng.random_range(0..9);
        match rng.random_range(0..10) {
            0 | 1 => both!(self, |it| it.push_back([value].into())),
            2 => both!(self, |it| it.push_front([value, value].into())),
            3 => both!(self, |it| it.pop_front().map(|inner| inner.len())),
            4 => both!(self, |it| it.front_mut().map(|inner| inner.push_back(value))),
            5 => both!(self, |it| it.back_mut().and_then(|inner| inner.pop_front())),
            6 => both!(self, |it| it.iter_mut().for_each(|inner| inner.push_front(value))),
            7 => both!(self, |it| {
                let inner = it.pop_front().unwrap_or_default();
                it.push_back(inner);
            }),
            8 => both!(self, |it| it.clone().into_iter().flatten().map(u32::from).sum::<u32>()),
            _ => {
                (self.ours, self.theirs) = (self.ours.clone(), self.theirs.clone());
                both!(self, |it| it.iter_mut().for_each(|inner| inner.truncate(1)));
            }
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
        assert!(self.ours.iter().zip(&self.theirs).all(|(ours, theirs)| ours.iter().eq(theirs)));
    }
}

/// Two vectors that exchange elements.
pub struct Lists {
    ours: (twin::Vec<u32>, twin::Vec<u32>),
    theirs: (Vec<u32>, Vec<u32>),
}

impl Trial for Lists {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let value: u32 = rng.random_range(0..9);
        match rng.random_range(0..8) {
            0 | 1 => {
                self.ours.0.push(value);
                self.theirs.0.push(value);
            }
            2 => {
                self.ours.1.append(&mut self.ours.0);
                self.theirs.1.append(&mut self.theirs.0);
            }
            3 => {
                std::mem::swap(&mut self.ours.0, &mut self.ours.1);
                std::mem::swap(&mut self.theirs.0, &mut self.theirs.1);
            }
            4 => {
                self.ours.0.extend(self.ours.1.drain(self.ours.1.len() / 2..));
                self.theirs.0.extend(self.theirs.1.drain(self.theirs.1.len() / 2..));
            }
            5 => {
                self.ours.1 = self.ours.0.split_off(self.ours.0.len() / 3);
                self.theirs.1 = self.theirs.0.split_off(self.theirs.0.len() / 3);
            }
            6 => {
                self.ours.0 = self.ours.1.clone();
                self.theirs.0 = self.theirs.1.clone();
            }
            _ => assert_eq!(self.ours.1.pop(), self.theirs.1.pop()),
        }
    }

    fn check(&self) {
        assert!(self.ours.0.iter().eq(&self.theirs.0));
        assert!(self.ours.1.iter().eq(&self.theirs.1));
    }
}
