//! `HashSet` of the predicate's own: elements in insertion order, beside them a small open-addressing table of positions.
//! A set of up to 16 elements allocates nothing, and the element inserted last can be taken back in one step.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;

use smallvec::SmallVec;

/// Elements that stay in place.
const SMALL: usize = 16;
/// Table cells that stay in place; at most half of a table is full.
const SMALL_TABLE: usize = 2 * SMALL;

/// `std::collections::HashSet`, with a fixed order.
#[derive(Clone)]
pub struct HashSet<K> {
    elements: SmallVec<[K; SMALL]>,
    table: Table,
}

#[derive(Clone)]
enum Table {
    /// Position in `elements` plus one; zero is empty.
    Small([u8; SMALL_TABLE]),
    /// The same for more elements; the length is a power of two.
    Large(Vec<u32>),
}

fn hash_of<Q: Hash + ?Sized>(key: &Q) -> u64 {
    // Fixed keys: the order of a search must not depend on the process.
    const STATE: ahash::RandomState = ahash::RandomState::with_seeds(1, 2, 3, 4);
    STATE.hash_one(key)
}

impl<K> HashSet<K> {
    /// No elements.
    #[inline]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        HashSet { elements: SmallVec::new(), table: Table::Small([0; SMALL_TABLE]) }
    }

    /// How many elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements in the order of their insertion.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.elements.iter()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.elements.clear();
        self.table = Table::Small([0; SMALL_TABLE]);
    }

    /// Takes all, in the order of their insertion.
    pub fn drain(&mut self) -> impl Iterator<Item = K> {
        std::mem::replace(self, HashSet::new()).into_iter()
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
        let mut set = HashSet::new();
        if capacity > SMALL {
            set.elements.reserve(capacity);
            set.rebuild(capacity);
        }
        set
    }

    #[inline]
    fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Place
    where
        K: Borrow<Q>,
    {
        let hash = hash_of(key) as usize;
        match &self.table {
            Table::Small(table) => probe(hash, SMALL_TABLE - 1, |cell| usize::from(table[cell]), &self.elements, key),
            Table::Large(table) => probe(hash, table.len() - 1, |cell| table[cell] as usize, &self.elements, key),
        }
    }

    /// Adds an element; false if it was there.
    #[inline]
    pub fn insert(&mut self, key: K) -> bool {
        let Place::Free(cell) = self.find(&key) else { return false };
        self.elements.push(key);
        let position = self.elements.len();
        match &mut self.table {
            Table::Small(table) if position <= SMALL => table[cell] = position as u8,
            Table::Large(table) if position * 2 <= table.len() => table[cell] = position as u32,
            Table::Small(_) | Table::Large(_) => self.rebuild(position),
        }
        true
    }

    /// Makes a table with room for twice `elements`.
    #[cold]
    fn rebuild(&mut self, elements: usize) {
        let cells = (elements * 4).next_power_of_two();
        let mut table = vec![0u32; cells];
        for (position, key) in self.elements.iter().enumerate() {
            let mut cell = hash_of(key) as usize & (cells - 1);
            while table[cell] != 0 {
                cell = (cell + 1) & (cells - 1);
            }
            table[cell] = u32::try_from(position + 1).expect("a set has at most u32::MAX elements");
        }
        self.table = Table::Large(table);
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
            Place::At(position) => Some(&self.elements[position]),
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
        let taken = self.elements.remove(position);
        self.reindex();
        Some(taken)
    }

    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&K) -> bool) {
        self.elements.retain(|key| keep(key));
        self.reindex();
    }

    /// Puts every element into an emptied table, after positions have moved.
    fn reindex(&mut self) {
        let elements = std::mem::take(&mut self.elements);
        *self = elements.into_iter().collect();
    }

    /// Adds an element in place of an equal one, which it gives.
    pub fn replace(&mut self, key: K) -> Option<K> {
        match self.find(&key) {
            Place::At(position) => Some(std::mem::replace(&mut self.elements[position], key)),
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
    type IntoIter = smallvec::IntoIter<[K; SMALL]>;
    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
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
