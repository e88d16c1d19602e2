//! `HashSet` of the predicate's own: elements in insertion order, beside them an open-addressing table of positions. A set
//! of up to 16 elements allocates nothing, and the element inserted last can be taken back in one step.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use rustc_hash::FxHasher;

/// Elements that stay in place.
const SMALL: usize = 16;
/// Table cells that stay in place: few of them are taken, so that a search for a new element seldom meets another.
const SMALL_TABLE: usize = 4 * SMALL;

/// `std::collections::HashSet`, with a fixed order.
#[derive(Clone)]
pub struct HashSet<K>(Repr<K>);

/// A table cell holds a position in `elements` plus one; zero is empty.
#[derive(Clone)]
enum Repr<K> {
    Small {
        elements: ArrayVec<K, SMALL>,
        table: [u8; SMALL_TABLE],
    },
    /// The table's length is a power of two, at least twice the number of elements.
    Large {
        elements: Vec<K>,
        table: Vec<u32>,
    },
}

/// The same in every process: the order of a search must not depend on chance.
#[inline]
fn hash_of<Q: Hash + ?Sized>(key: &Q) -> usize {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish() as usize
}

impl<K> HashSet<K> {
    /// No elements.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        HashSet(Repr::Small { elements: ArrayVec::new(), table: [0; SMALL_TABLE] })
    }

    #[inline]
    fn elements(&self) -> &[K] {
        match &self.0 {
            Repr::Small { elements, .. } => elements,
            Repr::Large { elements, .. } => elements,
        }
    }

    fn into_elements(self) -> Vec<K> {
        match self.0 {
            Repr::Small { elements, .. } => elements.into_iter().collect(),
            Repr::Large { elements, .. } => elements,
        }
    }

    /// How many elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.elements().len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements in the order of their insertion.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.elements().iter()
    }

    /// How many elements fit before more room is made.
    pub fn capacity(&self) -> usize {
        self.len().max(SMALL)
    }

    /// Room is made when it is needed.
    pub fn reserve(&mut self, _additional: usize) {}

    /// Removes all.
    pub fn clear(&mut self) {
        *self = HashSet::new();
    }

    /// Takes all, in the order of their insertion.
    pub fn drain(&mut self) -> impl Iterator<Item = K> {
        std::mem::take(self).into_iter()
    }
}

/// Where a key is, or where it would go.
enum Place {
    At(usize),
    Free(usize),
}

impl<K: Hash + Eq> HashSet<K> {
    /// No elements, and room for some.
    pub fn with_capacity(capacity: usize) -> Self {
        if capacity > SMALL { HashSet::large(Vec::with_capacity(capacity), capacity) } else { HashSet::new() }
    }

    #[inline]
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Place
    where
        K: Borrow<Q>,
    {
        let hash = hash_of(key);
        match &self.0 {
            Repr::Small { elements, table } => {
                probe(hash, SMALL_TABLE - 1, |cell| usize::from(table[cell]), elements, key)
            }
            Repr::Large { elements, table } => probe(hash, table.len() - 1, |cell| table[cell] as usize, elements, key),
        }
    }

    /// Adds an element; false if it was there.
    #[inline(always)]
    pub fn insert(&mut self, key: K) -> bool {
        if let Repr::Small { elements, table } = &mut self.0 {
            let place = probe(hash_of(&key), SMALL_TABLE - 1, |cell| usize::from(table[cell]), elements, &key);
            let Place::Free(cell) = place else { return false };
            match elements.try_push(key) {
                Ok(()) => {
                    table[cell] = elements.len() as u8;
                    true
                }
                Err(full) => self.outgrow(full.element()),
            }
        } else {
            self.insert_large(key)
        }
    }

    #[inline(never)]
    fn insert_large(&mut self, key: K) -> bool {
        let Place::Free(cell) = self.find(&key) else { return false };
        let Repr::Large { elements, table } = &mut self.0 else { return self.insert(key) };
        elements.push(key);
        if elements.len() * 2 <= table.len() {
            table[cell] = elements.len() as u32;
        } else {
            let elements = std::mem::take(elements);
            let room = elements.len() * 2;
            *self = HashSet::large(elements, room);
        }
        true
    }

    /// Adds one element more than stay in place.
    #[cold]
    #[inline(never)]
    fn outgrow(&mut self, key: K) -> bool {
        let mut elements = std::mem::take(self).into_elements();
        elements.push(key);
        *self = HashSet::large(elements, 2 * SMALL);
        true
    }

    /// A set of different `elements` with a table that has room for `room` of them.
    #[cold]
    fn large(elements: Vec<K>, room: usize) -> Self {
        let cells = (room.max(elements.len()) * 2).next_power_of_two();
        let mut table = vec![0u32; cells];
        for (position, key) in elements.iter().enumerate() {
            let mut cell = hash_of(key) & (cells - 1);
            while table[cell] != 0 {
                cell = (cell + 1) & (cells - 1);
            }
            table[cell] = u32::try_from(position + 1).expect("a set has at most u32::MAX elements");
        }
        HashSet(Repr::Large { elements, table })
    }

    /// Whether the element is there.
    #[inline]
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        matches!(self.find(key), Place::At(_))
    }

    /// The element that equals `key`.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Place::At(position) => Some(&self.elements()[position]),
            Place::Free(_) => None,
        }
    }

    /// Removes an element; false if it was not there.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.take(key).is_some()
    }

    /// Removes an element and gives it.
    pub fn take<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<K>
    where
        K: Borrow<Q>,
    {
        let Place::At(position) = self.find(key) else { return None };
        let mut elements = std::mem::take(self).into_elements();
        let taken = elements.remove(position);
        *self = elements.into_iter().collect();
        Some(taken)
    }

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        *self = std::mem::take(self).into_iter().filter(|key| keep(key)).collect();
    }

    /// Adds an element in place of an equal one, which it gives.
    pub fn replace(&mut self, key: K) -> Option<K> {
        match self.find(&key) {
            Place::At(position) => {
                let element = match &mut self.0 {
                    Repr::Small { elements, .. } => &mut elements[position],
                    Repr::Large { elements, .. } => &mut elements[position],
                };
                Some(std::mem::replace(element, key))
            }
            Place::Free(_) => {
                self.insert(key);
                None
            }
        }
    }

    /// The elements that are in both.
    pub fn intersection<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| other.contains(*key))
    }

    /// The elements that are here and not in `other`.
    pub fn difference<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| !other.contains(*key))
    }

    /// The elements of either.
    pub fn union<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.iter().chain(other.difference(self))
    }

    /// The elements that are in one of the two only.
    pub fn symmetric_difference<'s>(&'s self, other: &'s HashSet<K>) -> impl Iterator<Item = &'s K> {
        self.difference(other).chain(other.difference(self))
    }

    /// Whether every element is in `other`.
    pub fn is_subset(&self, other: &HashSet<K>) -> bool {
        self.iter().all(|key| other.contains(key))
    }

    /// Whether every element of `other` is here.
    pub fn is_superset(&self, other: &HashSet<K>) -> bool {
        other.is_subset(self)
    }

    /// Whether no element is in both.
    pub fn is_disjoint(&self, other: &HashSet<K>) -> bool {
        self.iter().all(|key| !other.contains(key))
    }
}

#[inline(always)]
fn probe<K: Borrow<Q>, Q: Eq + ?Sized>(
    hash: usize,
    mask: usize,
    position_at: impl Fn(usize) -> usize,
    elements: &[K],
    key: &Q,
) -> Place {
    let mut cell = hash & mask;
    loop {
        match position_at(cell) {
            0 => return Place::Free(cell),
            position if elements[position - 1].borrow() == key => return Place::At(position - 1),
            _ => cell = (cell + 1) & mask,
        }
    }
}

impl<K: Hash + Eq, const N: usize> From<super::Array<K, N>> for HashSet<K> {
    fn from(keys: super::Array<K, N>) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Hash + Eq + Clone> std::ops::BitAnd for &HashSet<K> {
    type Output = HashSet<K>;
    fn bitand(self, other: Self) -> HashSet<K> {
        self.intersection(other).cloned().collect()
    }
}

impl<K: Hash + Eq + Clone> std::ops::BitOr for &HashSet<K> {
    type Output = HashSet<K>;
    fn bitor(self, other: Self) -> HashSet<K> {
        self.union(other).cloned().collect()
    }
}

impl<K: Hash + Eq + Clone> std::ops::Sub for &HashSet<K> {
    type Output = HashSet<K>;
    fn sub(self, other: Self) -> HashSet<K> {
        self.difference(other).cloned().collect()
    }
}

impl<K> Default for HashSet<K> {
    fn default() -> Self {
        HashSet::new()
    }
}

impl<K: Hash + Eq> Extend<K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<'k, K: Hash + Eq + Copy + 'k> Extend<&'k K> for HashSet<K> {
    fn extend<I: IntoIterator<Item = &'k K>>(&mut self, keys: I) {
        self.extend(keys.into_iter().copied());
    }
}

impl<K: Hash + Eq> FromIterator<K> for HashSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = HashSet::new();
        set.extend(keys);
        set
    }
}

impl<K: Hash + Eq, const N: usize> From<[K; N]> for HashSet<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<'s, K> IntoIterator for &'s HashSet<K> {
    type Item = &'s K;
    type IntoIter = std::slice::Iter<'s, K>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K> IntoIterator for HashSet<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_elements().into_iter()
    }
}

impl<K: Hash + Eq> PartialEq for HashSet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.is_subset(other)
    }
}

impl<K: Hash + Eq> Eq for HashSet<K> {}

impl<K: fmt::Debug> fmt::Debug for HashSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}
