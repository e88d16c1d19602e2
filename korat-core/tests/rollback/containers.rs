//! One trial per container: every method that changes it, with the same answers as std.

use std::collections::{HashMap, HashSet, VecDeque};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::{Trial, both, common, pair};

fn small_range(rng: &mut SmallRng, len: usize) -> std::ops::Range<usize> {
    let start = rng.random_range(0..=len);
    start..rng.random_range(start..=len)
}

/// What vectors and deques do alike.
macro_rules! sequence_step {
    ($self:ident, $rng:ident, $value:ident, $at:ident, $op:expr) => {
        match $op {
            0 => both!($self, |it| it.extend([$value, $value])),
            1 if $at < $self.theirs.len() => both!($self, |it| it[$at] = $value),
            2 if $at < $self.theirs.len() => both!($self, |it| *it.get_mut($at).unwrap() += 1),
            3 => both!($self, |it| it.truncate($at)),
            4 if $rng.random_bool(0.1) => both!($self, |it| it.clear()),
            5 => both!($self, |it| it.retain(|element| *element != $value)),
            6 => both!($self, |it| it.retain_mut(|element| {
                *element += 1;
                *element % 3 != $value % 3
            })),
            7 => both!($self, |it| it.iter_mut().filter(|e| **e % 2 == 0).for_each(|e| *e += 1)),
            8 => both!($self, |it| it.iter_mut().rev().take(2).for_each(|e| *e = $value)),
            9 => both!($self, |it| for element in &mut *it {
                *element ^= 1;
            }),
            10 => both!($self, |it| it.resize($at + 2, $value)),
            11 => both!($self, |it| it.resize_with($at + 1, || $value)),
            12 => {
                let range = small_range($rng, $self.theirs.len());
                both!($self, |it| it.drain(range.clone()).collect::<Vec<u32>>());
            }
            13 => both!($self, |it| it.drain(..$at).rev().map(|e| e + 1).take(2).collect::<Vec<u32>>()),
            14 => {
                // The part that is split off goes on as the container.
                let mut tail = ($self.ours.split_off($at), $self.theirs.split_off($at));
                tail.0.push_at_end($value);
                tail.1.push_at_end($value);
                assert!(tail.0.iter().eq(&tail.1));
                if $rng.random_bool(0.5) {
                    $self.ours.append(&mut tail.0);
                    $self.theirs.append(&mut tail.1);
                    assert!(tail.0.is_empty());
                } else {
                    ($self.ours, $self.theirs) = tail;
                }
            }
            15 => {
                // Moves: the copy of the handle is the container from now on.
                let (mut ours, mut theirs) = ($self.ours, std::mem::take(&mut $self.theirs));
                ours.push_at_end($value);
                theirs.push_at_end($value);
                ($self.ours, $self.theirs) = (ours, theirs);
            }
            16 => {
                let (mut ours, mut theirs) = ($self.ours.clone(), $self.theirs.clone());
                ours.iter_mut().for_each(|element| *element += 1);
                theirs.iter_mut().for_each(|element| *element += 1);
                ours.push_at_end($value);
                theirs.push_at_end($value);
                assert_eq!($self.ours.len() + 1, ours.len());
                if $rng.random_bool(0.5) {
                    ($self.ours, $self.theirs) = (ours, theirs);
                }
            }
            17 => both!($self, |it| {
                let all = std::mem::take(it);
                *it = all.into_iter().rev().filter(|element| *element != $value).collect();
            }),
            18 => both!($self, |it| it.rotate_left($at)),
            19 => both!($self, |it| it.rotate_right($at)),
            20 if $at < $self.theirs.len() => {
                let other = $rng.random_range(0..$self.theirs.len());
                both!($self, |it| it.swap($at, other));
            }
            21 => both!($self, |it| it.insert($at, $value)),
            22 => both!($self, |it| it.extend(&[$value])),
            23 => {
                both!($self, |it| {
                    let mut other = it.clone();
                    it.append(&mut other);
                    other.len()
                });
            }
            _ => both!($self, |it| it.push_at_end($value)),
        }
    };
}

/// One name for `push` and `push_back`.
trait PushAtEnd<T> {
    fn push_at_end(&mut self, value: T);
}

impl<T> PushAtEnd<T> for Vec<T> {
    fn push_at_end(&mut self, value: T) {
        self.push(value);
    }
}

impl<T> PushAtEnd<T> for twin::Vec<T> {
    fn push_at_end(&mut self, value: T) {
        self.push(value);
    }
}

impl<T> PushAtEnd<T> for VecDeque<T> {
    fn push_at_end(&mut self, value: T) {
        self.push_back(value);
    }
}

impl<T> PushAtEnd<T> for twin::VecDeque<T> {
    fn push_at_end(&mut self, value: T) {
        self.push_back(value);
    }
}

pair!(Vector: twin::Vec<u32>, Vec<u32>);

impl Trial for Vector {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let value: u32 = rng.random_range(0..8);
        let at = rng.random_range(0..=self.theirs.len());
        match rng.random_range(0..60) {
            0..=5 => both!(self, |it| it.pop()),
            6 if at < self.theirs.len() => both!(self, |it| it.remove(at)),
            7 if at < self.theirs.len() => both!(self, |it| it.swap_remove(at)),
            8 => both!(self, |it| it.sort()),
            9 => both!(self, |it| it.sort_unstable_by(|one, other| other.cmp(one))),
            10 => both!(self, |it| it.sort_by_key(|element| element % 3)),
            11 => both!(self, |it| it.dedup()),
            12 => both!(self, |it| it.dedup_by_key(|element| *element / 2)),
            13 => both!(self, |it| it.reverse()),
            14 => both!(self, |it| it.fill(value)),
            15 => both!(self, |it| it[at..].iter_mut().for_each(|element| *element += 1)),
            16 => both!(self, |it| it[..at].sort()),
            17 => both!(self, |it| it.first_mut().map(|element| std::mem::replace(element, value))),
            18 => both!(self, |it| it.last_mut().map(|element| std::mem::replace(element, value))),
            19 => both!(self, |it| {
                let (left, right) = it.split_at_mut(at);
                left.reverse();
                right.fill(value);
            }),
            20 => {
                self.ours.extend_from_slice(&twin::Array::from([value, 1]));
                self.theirs.extend_from_slice(&[value, 1]);
            }
            op => sequence_step!(self, rng, value, at, op - 21),
        }
    }

    fn check(&self) {
        assert!(self.ours.iter().eq(&self.theirs));
        assert_eq!(self.ours.len(), self.theirs.len());
    }
}

pair!(Deque: twin::VecDeque<u32>, VecDeque<u32>);

impl Trial for Deque {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let value: u32 = rng.random_range(0..8);
        let at = rng.random_range(0..=self.theirs.len());
        match rng.random_range(0..60) {
            0..=3 => both!(self, |it| it.pop_front()),
            4 | 5 => both!(self, |it| it.pop_back()),
            6..=10 => both!(self, |it| it.push_front(value)),
            11 => both!(self, |it| it.remove(at)),
            12 => both!(self, |it| it.swap_remove_back(at)),
            13 => both!(self, |it| it.swap_remove_front(at)),
            14 => both!(self, |it| it.make_contiguous().sort_unstable()),
            15 => both!(self, |it| it.front_mut().map(|element| std::mem::replace(element, value))),
            16 => both!(self, |it| it.back_mut().map(|element| std::mem::replace(element, value))),
            17 => both!(self, |it| it.range_mut(at..).for_each(|element| *element += 1)),
            18 => both!(self, |it| {
                it.make_contiguous().sort_unstable();
                (it.binary_search(&value).is_ok(), it.partition_point(|element| *element < value))
            }),
            19 => {
                // Round and round, as a work list goes.
                for _ in 0..30 {
                    both!(self, |it| it.push_back(value));
                    both!(self, |it| it.pop_front());
                }
            }
            20 => {
                let (ours, theirs) = (twin::Vec::from(self.ours), Vec::from(std::mem::take(&mut self.theirs)));
                (self.ours, self.theirs) = (twin::VecDeque::from(ours), VecDeque::from(theirs));
            }
            op => sequence_step!(self, rng, value, at, op - 21),
        }
        assert_eq!(self.ours.contains(&value), self.theirs.contains(&value));
        assert!(self.ours.range(..at.min(self.ours.len())).eq(self.theirs.range(..at.min(self.theirs.len()))));
    }

    fn check(&self) {
        assert!(self.ours.iter().eq(&self.theirs));
        assert!(self.ours.iter().rev().eq(self.theirs.iter().rev()));
        assert_eq!((self.ours.len(), self.ours.front()), (self.theirs.len(), self.theirs.front()));
        assert_eq!((self.ours.is_empty(), self.ours.back()), (self.theirs.is_empty(), self.theirs.back()));
        let (one, other) = self.ours.as_slices();
        assert!(one.iter().chain(other).eq(&self.theirs));
    }
}

pair!(Set: twin::HashSet<u16>, HashSet<u16>);

impl Trial for Set {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let key: u16 = rng.random_range(0..60);
        match rng.random_range(0..24) {
            0..=9 => both!(self, |it| it.insert(key)),
            10..=12 => both!(self, |it| it.remove(&key)),
            13 => both!(self, |it| it.take(&key)),
            14 => both!(self, |it| it.replace(key)),
            15 => both!(self, |it| it.retain(|known| known % 5 != key % 5)),
            16 if rng.random_bool(0.2) => both!(self, |it| it.clear()),
            17 => both!(self, |it| it.extend(key..key + 9)),
            18 => both!(self, |it| it.extend(&[key, 3])),
            19 => both!(self, |it| {
                let mut all: Vec<u16> = it.drain().collect();
                all.sort_unstable();
                it.extend(all.iter().skip(1));
                all
            }),
            20 => both!(self, |it| {
                let mut other = it.clone();
                other.insert(key);
                other.remove(&(key + 1));
                *it = &*it & &other;
            }),
            21 => both!(self, |it| {
                let mut all: Vec<u16> = std::mem::take(it).into_iter().filter(|known| *known != key).collect();
                all.sort_unstable();
                *it = all.into_iter().collect();
            }),
            22 => {
                let (mut ours, mut theirs) = (self.ours, std::mem::take(&mut self.theirs));
                assert_eq!(ours.insert(key), theirs.insert(key));
                (self.ours, self.theirs) = (ours, theirs);
            }
            _ => both!(self, |it| {
                // The newest goes first: what a search on a stack does.
                let new = it.insert(key + 100);
                (new, it.remove(&(key + 100)))
            }),
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
            0..=6 => both!(self, |it| it.insert(key, value)),
            7..=9 => both!(self, |it| it.remove(&key)),
            10 => both!(self, |it| it.remove_entry(&key)),
            11 => both!(self, |it| *it.entry(key).or_insert(value) += 1),
            12 => both!(self, |it| *it.entry(key).or_default() += value),
            13 => both!(self, |it| *it.entry(key).and_modify(|known| *known *= 2).or_insert_with(|| value)),
            14 => both!(self, |it| it.get_mut(&key).map(|known| std::mem::replace(known, value))),
            15 => both!(self, |it| it.iter_mut().for_each(|(key, known)| *known += u64::from(*key))),
            16 => both!(self, |it| it.values_mut().for_each(|known| *known /= 2)),
            17 => both!(self, |it| it.retain(|known, count| {
                *count += 1;
                known % 5 != key % 5
            })),
            18 if rng.random_bool(0.2) => both!(self, |it| it.clear()),
            19 => both!(self, |it| it.extend((key..key + 9).map(|key| (key, value)))),
            20 => both!(self, |it| {
                let mut all: Vec<(u8, u64)> = it.drain().collect();
                all.sort_unstable();
                it.extend(all.iter().skip(1).copied());
                all
            }),
            21 => {
                use std::collections::hash_map::Entry;
                let theirs = match self.theirs.entry(key) {
                    Entry::Occupied(entry) => Some(entry.remove()),
                    Entry::Vacant(_) => None,
                };
                // The twin's `Entry` has no name of its own outside.
                assert_eq!(self.ours.remove(&key), theirs);
            }
            22 => {
                let (mut ours, mut theirs) = (self.ours.clone(), self.theirs.clone());
                assert_eq!(ours.insert(key, value), theirs.insert(key, value));
                ours.values_mut().for_each(|value| *value = 0);
                theirs.values_mut().for_each(|value| *value = 0);
                if rng.random_bool(0.5) {
                    (self.ours, self.theirs) = (ours, theirs);
                }
            }
            _ => {
                let (mut ours, mut theirs) = (self.ours, std::mem::take(&mut self.theirs));
                assert_eq!(ours.insert(key, value), theirs.insert(key, value));
                (self.ours, self.theirs) = (ours, theirs);
            }
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
        assert!(self.ours.iter().all(|(key, value)| self.theirs.get(key) == Some(value)));
        assert!(self.theirs.iter().all(|(key, value)| self.ours.get(key) == Some(value)));
    }
}

/// Elements whose bits do not fit into an entry of the log, some of them larger than their alignment's multiple of words.
type Large = (u8, [u64; 3], u16);

pub struct Wide {
    vec: (twin::Vec<Large>, Vec<Large>),
    deque: (twin::VecDeque<Large>, VecDeque<Large>),
    map: (twin::HashMap<u16, Large>, HashMap<u16, Large>),
    units: (twin::VecDeque<()>, VecDeque<()>),
}

impl Trial for Wide {
    fn new() -> Self {
        Wide { vec: Default::default(), deque: Default::default(), map: Default::default(), units: Default::default() }
    }
    fn step(&mut self, rng: &mut SmallRng) {
        let value = (rng.random(), [rng.random(), 1, 2], rng.random_range(0..30));
        match rng.random_range(0..16) {
            0..=2 => {
                self.vec.0.push(value);
                self.vec.1.push(value);
            }
            3 => assert_eq!(self.vec.0.pop(), self.vec.1.pop()),
            4..=6 => {
                self.deque.0.push_back(value);
                self.deque.1.push_back(value);
            }
            7 => {
                self.deque.0.push_front(value);
                self.deque.1.push_front(value);
            }
            8 => assert_eq!(self.deque.0.pop_back(), self.deque.1.pop_back()),
            9 | 10 => assert_eq!(self.deque.0.pop_front(), self.deque.1.pop_front()),
            11 | 12 => assert_eq!(self.map.0.insert(value.2, value), self.map.1.insert(value.2, value)),
            13 => assert_eq!(self.map.0.remove(&value.2), self.map.1.remove(&value.2)),
            14 => {
                self.vec.0.iter_mut().chain(self.deque.0.back_mut()).for_each(|element| element.1[1] += 1);
                self.vec.1.iter_mut().chain(self.deque.1.back_mut()).for_each(|element| element.1[1] += 1);
            }
            _ => {
                self.units.0.push_front(());
                self.units.1.push_front(());
                if value.2 % 3 == 0 {
                    assert_eq!(self.units.0.pop_back(), self.units.1.pop_back());
                }
            }
        }
    }
    fn check(&self) {
        assert!(self.vec.0.iter().eq(&self.vec.1));
        assert!(self.deque.0.iter().eq(&self.deque.1));
        assert_eq!(self.map.0.len(), self.map.1.len());
        assert!(self.map.1.iter().all(|(key, value)| self.map.0.get(key) == Some(value)));
        assert_eq!(self.units.0.len(), self.units.1.len());
    }
    fn snapshot(&self) -> Self {
        Wide {
            vec: (self.vec.0, self.vec.1.clone()),
            deque: (self.deque.0, self.deque.1.clone()),
            map: (self.map.0, self.map.1.clone()),
            units: (self.units.0, self.units.1.clone()),
        }
    }
}

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

pair!(NestedMap: twin::HashMap<u8, twin::Vec<u8>>, HashMap<u8, Vec<u8>>);

impl Trial for NestedMap {
    common!();

    fn step(&mut self, rng: &mut SmallRng) {
        let (key, value): (u8, u8) = (rng.random_range(0..6), rng.random_range(0..9));
        match rng.random_range(0..12) {
            0..=4 => both!(self, |it| it.entry(key).or_default().push(value)),
            5 => both!(self, |it| it.get_mut(&key).and_then(|inner| inner.pop())),
            6 => both!(self, |it| it.values_mut().for_each(|inner| inner.extend([value, value]))),
            7 => both!(self, |it| it.remove(&key).map(|inner| inner.len())),
            8 => both!(self, |it| it.retain(|_, inner| {
                inner.push(value);
                inner.len() < 9
            })),
            9 => both!(self, |it| it.iter_mut().for_each(|(_, inner)| inner.sort())),
            10 => {
                (self.ours, self.theirs) = (self.ours.clone(), self.theirs.clone());
                both!(self, |it| it.entry(key).or_default().clear());
            }
            _ => both!(self, |it| it.insert(key, [value].into()).map(|inner| inner.len())),
        }
    }

    fn check(&self) {
        assert_eq!(self.ours.len(), self.theirs.len());
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
