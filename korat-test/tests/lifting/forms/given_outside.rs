//! Collections of plain values, given to functions that are neither in the block nor marked.

use std::collections::{BTreeMap, HashMap, HashSet};

use korat::{Finitize, rep_ok};

use crate::forms::valid;

fn is_increasing(keys: &[u8]) -> bool {
    keys.windows(2).all(|pair| pair[0] < pair[1])
}

// Clippy would rather have a slice.
#[allow(clippy::ptr_arg)]
fn sum(keys: &Vec<u8>) -> u8 {
    keys.iter().sum()
}

fn largest<'k>(keys: &'k [u8], spare: &'k u8) -> &'k u8 {
    keys.iter().max().unwrap_or(spare)
}

fn hits(set: &HashSet<u8>, map: &HashMap<u8, bool>) -> usize {
    set.iter().filter(|key| map.get(*key) == Some(&true)).count()
}

fn letters(words: &[String]) -> usize {
    words.iter().map(String::len).sum()
}

#[derive(Clone, Debug, Finitize)]
struct Keys {
    #[finitize(0..=2, len = 0..=3)]
    keys: Vec<u8>,
    #[finitize(0..=1)]
    set: HashSet<u8>,
    #[finitize(0..=1)]
    map: HashMap<u8, bool>,
    #[finitize(0..=2)]
    pair: [u8; 2],
}

#[rep_ok]
impl Keys {
    fn rep_ok(&self) -> bool {
        // After the first, the rest increases.
        if self.keys.len() > 1 && !is_increasing(&self.keys[1..]) {
            return false;
        }
        let mut own: Vec<u8> = self.keys.iter().map(|key| key + 1).collect();
        own.push(self.pair[0]);
        let all: HashSet<u8> = own.iter().copied().collect();
        let words: Vec<String> = own.iter().map(|key| "x".repeat(usize::from(*key))).collect();
        sum(&own) == sum(&self.keys) + self.keys.len() as u8 + self.pair[0]
            && letters(&words) == usize::from(sum(&own))
            && words.join("-").len() + 1 == words.concat().len() + words.len()
            && vec![vec![own.clone(), self.keys.clone()].concat(), vec![7]].join(&9).len() == 2 * own.len() + 1
            && vec![&own[..], &self.keys].join(&[1, 2][..]).len() == 2 * own.len() + 1
            && hits(&self.set, &self.map) == usize::from(*largest(&self.keys, &0))
            && (all.len() == own.len() || is_increasing(&self.pair))
    }
}

#[test]
fn as_they_are() {
    let mut count = 0u64;
    let mut lists: Vec<Vec<u8>> = vec![vec![]];
    for from in 0..3 {
        let longer: Vec<Vec<u8>> = lists.iter().filter(|list| list.len() == from).cloned().collect();
        lists.extend(longer.iter().flat_map(|list| (0..=2).map(move |key| [&list[..], &[key]].concat())));
    }
    assert_eq!(lists.len(), 1 + 3 + 9 + 27);
    let sets: Vec<HashSet<u8>> = (0..4u8).map(|bits| (0..2).filter(|key| bits >> key & 1 == 1).collect()).collect();
    let values = [None, Some(false), Some(true)];
    let maps: Vec<HashMap<u8, bool>> = values
        .iter()
        .flat_map(|one| values.map(|two| [(0, *one), (1, two)]))
        .map(|entries| entries.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
        .collect();
    for keys in &lists {
        for set in &sets {
            for map in &maps {
                for pair in (0..9).map(|pair| [pair / 3, pair % 3]) {
                    let value = Keys { keys: keys.clone(), set: set.clone(), map: map.clone(), pair };
                    count += u64::from(value.rep_ok());
                }
            }
        }
    }
    assert!(count > 0);
    assert_eq!(valid::<Keys>(2), count);
}

/// Changes between two calls are seen, and undone when the search backtracks.
#[derive(Debug, Finitize)]
struct Steps {
    #[finitize(0..=2, len = 0..=3)]
    keys: Vec<u8>,
    #[finitize(0..=6)]
    total: u8,
}

#[rep_ok]
impl Steps {
    fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        let mut counts: HashMap<u8, usize> = HashMap::new();
        for key in &self.keys {
            seen.push(*key);
            *counts.entry(*key).or_default() += 1;
            if sum(&seen) > self.total || most(&counts) > 2 {
                return false;
            }
        }
        sum(&seen) == self.total
    }
}

fn most(counts: &HashMap<u8, usize>) -> usize {
    let sorted: BTreeMap<_, _> = counts.iter().collect();
    sorted.values().map(|count| **count).max().unwrap_or(0)
}

#[test]
fn while_they_change() {
    let mut count = 0u64;
    for len in 0..=3u32 {
        for code in 0..3u32.pow(len) {
            let keys: Vec<u8> = (0..len).map(|at| (code / 3u32.pow(at) % 3) as u8).collect();
            for total in 0..=6 {
                count += u64::from(Steps { keys: keys.clone(), total }.rep_ok());
            }
        }
    }
    assert!(count > 0);
    assert_eq!(valid::<Steps>(3), count);
}
