//! The states that were found, each stored once, with the execution that led to it first.
//!
//! A state is a record in chunks of memory: the bytes that it is matched by, as a rule its canonical form, and where it came from.
//! Records are never moved, so their positions identify states, and nothing is copied as their number grows. An index of one position
//! and one byte for each state finds them by a hash.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::steps::StepId;
use super::waiting::Waiting;

/// The position of a state's record, in units of four bytes. States that are found later have higher ones.
pub(super) type StateId = u32;

/// The bytes of a unit: by their positions, records of 16 GiB can be told apart.
const UNIT: usize = 4;

/// The units of a chunk are 256 KiB, which even small explorations can do with.
const CHUNK_BITS: u32 = 16;

/// In place of an origin: a first state.
const FIRST: StateId = StateId::MAX;

/// The execution by which a state was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The state that it began in; for a first state, that state itself.
    pub(super) from: StateId,
    /// For a first state, its number.
    pub(super) step: StepId,
}

impl Origin {
    /// Returns the origin of the first state with a number.
    pub(super) fn first(number: StepId) -> Self {
        Origin { from: FIRST, step: number }
    }
}

/// All states that were found.
#[derive(Default)]
pub(super) struct States {
    /// Records of the length of the key, the key, `from` and `step`. A record that fits in no chunk has a longer one for itself.
    chunks: Vec<Vec<u8>>,
    len: usize,
    index: Index,
    /// The forms of the states to expand, if states are matched by something else.
    pub(super) waiting: Option<Waiting>,
}

/// States by hash: an open table, at most three quarters of it in use.
#[derive(Default)]
struct Index {
    /// For each place, seven bits of the hash and a set bit, or 0 if nothing is there.
    tags: Vec<u8>,
    states: Vec<StateId>,
}

fn hash_of(key: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish()
}

impl Index {
    fn with_places(places: usize) -> Self {
        Index { tags: vec![0; places], states: vec![0; places] }
    }

    fn is_full(&self, states: usize) -> bool {
        states * 4 >= self.tags.len() * 3
    }

    /// Returns the place for a state with this hash; `Err` with the state for which `is_same` holds.
    #[inline]
    fn place(&self, hash: u64, is_same: impl Fn(StateId) -> bool) -> Result<usize, StateId> {
        let (mask, tag) = (self.tags.len() - 1, tag(hash));
        let mut place = hash as usize & mask;
        while self.tags[place] != 0 {
            if self.tags[place] == tag && is_same(self.states[place]) {
                return Err(self.states[place]);
            }
            place = (place + 1) & mask;
        }
        Ok(place)
    }

    fn set(&mut self, place: usize, hash: u64, state: StateId) {
        self.tags[place] = tag(hash);
        self.states[place] = state;
    }
}

/// Returns a byte of a hash that is not 0, of other bits than those that give its place.
fn tag(hash: u64) -> u8 {
    (hash >> 57) as u8 | 0x80
}

fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number from the front of the bytes. Returns what is behind it, too.
#[inline]
fn number(bytes: &[u8]) -> (usize, &[u8]) {
    let (mut number, mut shift) = (0, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return (number, &bytes[at + 1..]);
        }
        shift += 7;
    }
    unreachable!("[korat internal bug] a record ends in a number");
}

/// Returns the key of the record at the front of the bytes, and what is behind it.
#[inline]
fn key(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (len, rest) = number(bytes);
    rest.split_at(len)
}

/// Returns the origin that follows a key, and what is behind it.
fn origin(bytes: &[u8]) -> (Origin, &[u8]) {
    let (from, rest) = bytes.split_at(size_of::<StateId>());
    let (step, rest) = number(rest);
    let from = StateId::from_le_bytes(from.try_into().expect("it has four bytes"));
    (Origin { from, step: step as StepId }, rest)
}

impl States {
    /// Begins without any. If states are matched by their forms, none wait elsewhere.
    pub(super) fn new(waiting: Option<Waiting>) -> Self {
        States { waiting, ..States::default() }
    }

    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns what begins with the record of a state.
    fn at(&self, state: StateId) -> &[u8] {
        let unit = state & ((1 << CHUNK_BITS) - 1);
        &self.chunks[(state >> CHUNK_BITS) as usize][unit as usize * UNIT..]
    }

    /// Returns the state that was found after a state, if there is one.
    pub(super) fn after(&self, state: StateId) -> StateId {
        let chunk = state >> CHUNK_BITS;
        let rest = origin(key(self.at(state)).1).1.len() / UNIT * UNIT;
        if rest == 0 {
            return (chunk + 1) << CHUNK_BITS;
        }
        let units = (self.chunks[chunk as usize].len() - rest) / UNIT;
        (chunk << CHUNK_BITS) | units as u32
    }

    /// Returns the states, in the order in which they were found.
    pub(super) fn ids(&self) -> impl Iterator<Item = StateId> {
        std::iter::successors(Some(0), |state| Some(self.after(*state))).take(self.len)
    }

    /// Returns the form of a state. It is empty if the state is neither the next to expand nor a first one nor restored, and
    /// forms are not what states are matched by.
    pub(super) fn form(&self, state: StateId) -> &[u8] {
        match &self.waiting {
            None => self.key(state),
            Some(waiting) => waiting.form(state),
        }
    }

    fn key(&self, state: StateId) -> &[u8] {
        key(self.at(state)).0
    }

    /// Returns the execution by which a state was found.
    pub(super) fn origin(&self, state: StateId) -> Origin {
        let (Origin { from, step }, _) = origin(key(self.at(state)).1);
        Origin { from: if from == FIRST { state } else { from }, step }
    }

    /// Returns the number of the first state from which the shortest sequence leads to a state, and the sequence: each state with the
    /// step on it.
    pub(super) fn path_to(&self, mut at: StateId) -> (usize, Vec<(StateId, StepId)>) {
        let mut path = Vec::new();
        loop {
            let Origin { from, step } = self.origin(at);
            if from == at {
                path.reverse();
                return (step as usize, path);
            }
            path.push((from, step));
            at = from;
        }
    }

    /// Returns the bytes that the states take.
    pub(super) fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Vec::capacity).sum();
        let list = self.chunks.capacity() * size_of::<Vec<u8>>();
        let index = self.index.tags.capacity() + self.index.states.capacity() * size_of::<StateId>();
        chunks + list + index + self.waiting.as_ref().map_or(0, Waiting::bytes)
    }

    /// Returns whether a state with this key is known.
    pub(super) fn contains(&self, key: &[u8]) -> bool {
        self.len > 0 && self.index.place(hash_of(key), |known| self.key(known) == key).is_err()
    }

    /// Stores a state, unless one with its key is known, and returns it or the known one.
    pub(super) fn insert(&mut self, key: &[u8], form: &[u8], origin: Origin) -> StateId {
        if self.index.is_full(self.len) {
            self.grow();
        }
        let hash = hash_of(key);
        let place = match self.index.place(hash, |known| self.key(known) == key) {
            Ok(place) => place,
            Err(known) => return known,
        };
        let state = self.push(key, origin);
        self.index.set(place, hash, state);
        self.len += 1;
        if let Some(waiting) = &mut self.waiting {
            waiting.push(state, form, origin.from == FIRST);
        }
        state
    }

    /// Adds a record, and returns where it is.
    fn push(&mut self, key: &[u8], origin: Origin) -> StateId {
        // A number has up to 10 bytes.
        let most = size_of::<StateId>() + 2 * 10 + key.len() + UNIT;
        let fits = |chunk: &Vec<u8>| chunk.len() + most <= UNIT << CHUNK_BITS;
        if !self.chunks.last().is_some_and(fits) {
            // The first chunk grows as needed: most explorations are small.
            let capacity = if self.chunks.is_empty() { 0 } else { UNIT << CHUNK_BITS };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let at = self.chunks.len() - 1;
        assert!(at >> (StateId::BITS - CHUNK_BITS) == 0, "[korat] the states take more than 16 GiB");
        let chunk = &mut self.chunks[at];
        let state = ((at << CHUNK_BITS) | (chunk.len() / UNIT)) as StateId;
        push_number(chunk, key.len());
        chunk.extend_from_slice(key);
        chunk.extend_from_slice(&origin.from.to_le_bytes());
        push_number(chunk, origin.step as usize);
        chunk.resize(chunk.len().next_multiple_of(UNIT), 0);
        state
    }

    fn grow(&mut self) {
        let places = (self.index.tags.len() * 2).max(64);
        // The old index goes first: the records say everything.
        self.index = Index::default();
        let mut index = Index::with_places(places);
        for state in self.ids() {
            let hash = hash_of(self.key(state));
            if let Ok(place) = index.place(hash, |_| false) {
                index.set(place, hash, state);
            }
        }
        self.index = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_stored_once() {
        let mut states = States::default();
        let insert = |states: &mut States, number: u32| {
            // Some fill more than a chunk.
            let longer = if number.is_multiple_of(1_000) { 300_000 } else { number as usize % 40 };
            let mut key = number.to_le_bytes()[..1 + number as usize % 4].to_vec();
            key.resize(key.len() + longer, 7);
            (states.insert(&key, &[], Origin { from: number, step: number / 3 }), key)
        };
        let (mut keys, mut inserted) = (Vec::new(), Vec::new());
        for number in 0..5_000 {
            let known = states.len();
            let (state, key) = insert(&mut states, number);
            inserted.push(state);
            if states.len() > known {
                keys.push((key, Origin { from: number, step: number / 3 }));
            }
        }
        assert!(keys.len() > 2_500 && states.len() == keys.len());
        assert!((0..5_000).all(|number| insert(&mut states, number).0 == inserted[number as usize]));
        assert_eq!(states.len(), keys.len());
        let stored: Vec<_> = states.ids().map(|state| (states.form(state).to_vec(), states.origin(state))).collect();
        assert!(stored == keys);
        assert!(states.ids().is_sorted() && !states.contains(&[]));
        let last = states.insert(&[], &[], Origin::first(7));
        assert!(states.contains(&[]) && states.ids().last() == Some(last));
        assert_eq!(states.origin(last), Origin { from: last, step: 7 });
    }
}
