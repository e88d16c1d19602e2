//! Trials of vectors and deques: every method that changes them, with the same answers as std.

use std::collections::VecDeque;

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::{Trial, both, common, moved, pair};

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
            15 => moved!($self, |it| it.push_at_end($value)),
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
