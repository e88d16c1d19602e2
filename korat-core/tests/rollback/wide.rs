//! A trial of elements that are larger than an entry of the log, and of elements without a size.

use std::collections::{HashMap, VecDeque};

use korat_core::__private::twin;
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::harness::Trial;

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
