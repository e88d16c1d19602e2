//! Containers that korat does not know, made from those that it knows.

use std::collections::{BTreeMap, BTreeSet};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk};
use crate::harness::{Subject, lists, maps, sets};

/// A list with its newest element first.
#[derive(Clone, Debug, PartialEq)]
pub struct Log<T>(Vec<T>);

impl<T> FromIterator<T> for Log<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut elements: Vec<T> = elements.into_iter().collect();
        elements.reverse();
        Log(elements)
    }
}

impl<T> Log<T> {
    fn newest(&self) -> Option<&T> {
        self.0.first()
    }
}

/// A map as a list of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Assoc<K, V>(Vec<(K, V)>);

impl<K, V> FromIterator<(K, V)> for Assoc<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Assoc(entries.into_iter().collect())
    }
}

impl<K: PartialEq, V> Assoc<K, V> {
    fn get(&self, key: &K) -> Option<&V> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }
}

/// A log of keys, with the names and marks of some.
#[derive(Clone, Debug, Finitize)]
pub struct Journal<K: Ord> {
    #[finitize(via = Vec<(K, bool)>, len = 0..=2)]
    log: Log<(K, bool)>,
    #[finitize(via = BTreeMap<K, String>)]
    names: Assoc<K, String>,
    #[finitize(via = BTreeSet<char>, len = 1..=1)]
    mark: Log<char>,
}

#[rep_ok]
impl<K: Ord> Journal<K> {
    /// What is in the log has a name if it is set, and the newest one is set.
    pub fn rep_ok(&self) -> bool {
        let named = self.log.0.iter().all(|(key, set)| self.names.get(key).is_some() == *set);
        named && self.log.newest().is_none_or(|(_, set)| *set) && self.mark.newest() < Some(&'b')
    }
}

impl Canonical for Journal<u8> {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl Subject for Journal<u8> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let keys: Vec<u8> = (0..=scope as u8).collect();
        let pairs: Vec<(u8, bool)> = keys.iter().flat_map(|&key| [(key, false), (key, true)]).collect();
        let texts: Vec<String> = lists(&['a', 'b'], scope).into_iter().map(String::from_iter).collect();
        let letters: Vec<char> = ('a'..='z').take(scope + 1).collect();
        for log in lists(&pairs, 2) {
            for names in maps(&keys, &texts) {
                for mark in sets(&letters).into_iter().filter(|mark| mark.len() == 1) {
                    let names = names.clone().into_iter().collect();
                    visit(Journal { log: log.iter().copied().collect(), names, mark: mark.into_iter().collect() });
                }
            }
        }
    }
}

/// A multiset: lists that differ in the order of their elements give equal values.
#[derive(Clone, Debug, PartialEq)]
struct Bag(Vec<u8>);

impl FromIterator<u8> for Bag {
    fn from_iter<I: IntoIterator<Item = u8>>(elements: I) -> Self {
        let mut elements: Vec<u8> = elements.into_iter().collect();
        elements.sort();
        Bag(elements)
    }
}

#[derive(Debug, Finitize)]
struct Bags {
    #[finitize(via = Vec<u8>)]
    bag: Bag,
}

#[rep_ok]
impl Bags {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn equal_values_of_different_sources_are_reported() {
    let error = korat::Search::new(Bags::scope(2)).try_count().expect_err("two lists give one bag");
    let text = error.to_string();
    assert!(text.contains("two values of `alloc::vec::Vec<u8>` give the same value, Bag([0, 1])"), "{text}");
}

#[derive(Debug, Finitize)]
struct Logged {
    #[finitize(via = Vec<u8>)]
    log: Log<u8>,
}

#[rep_ok]
impl Logged {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn too_many_values_of_a_source_are_reported() {
    // All lists of up to four of five numbers; those of up to six of seven are too many, and so are some of a single length.
    assert_eq!(korat::Search::new(Logged::scope(4)).count(), 1 + 5 + 25 + 125 + 625);
    for scope in [6, 250] {
        let error = korat::Search::new(Logged::scope(scope)).try_count().expect_err("there are too many lists");
        let text = error.to_string();
        assert!(text.contains("the type in `via` has more than 10000 values; bound them with `len`"), "{text}");
    }
}
