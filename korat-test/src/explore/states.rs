//! The states that were found, each stored once as its canonical form, with the execution that led to it first.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

use super::steps::StepId;

/// The position of a state, in the order in which states are found.
pub(super) type StateId = u32;

/// No entry in the index.
const NONE: u32 = u32::MAX;

/// The execution by which a state was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The state that it began in; for a first state, that state itself.
    pub(super) from: StateId,
    /// For a first state, its number.
    pub(super) step: StepId,
}

/// All states that were found.
#[derive(Default)]
pub(super) struct States {
    forms: Vec<u8>,
    /// Where each form ends.
    ends: Vec<usize>,
    origins: Vec<Origin>,
    hashes: Vec<u32>,
    /// The states by hash: an open table, at most half of it in use.
    index: Vec<u32>,
}

fn hash_of(form: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(form);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

impl States {
    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the form of a state.
    pub(super) fn form(&self, state: StateId) -> &[u8] {
        &self.forms[self.range(state)]
    }

    fn range(&self, state: StateId) -> Range<usize> {
        let at = state as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        start..self.ends[at]
    }

    /// Returns the execution by which a state was found.
    pub(super) fn origin(&self, state: StateId) -> Origin {
        self.origins[state as usize]
    }

    /// Returns the bytes that the states take.
    pub(super) fn bytes(&self) -> usize {
        self.forms.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.origins.capacity() * size_of::<Origin>()
            + self.hashes.capacity() * size_of::<u32>()
            + self.index.capacity() * size_of::<u32>()
    }

    /// Returns whether a state is known.
    pub(super) fn contains(&self, form: &[u8]) -> bool {
        !self.index.is_empty() && self.place(form, hash_of(form)).is_none()
    }

    /// Returns the place in the index for a form that is not known.
    fn place(&self, form: &[u8], hash: u32) -> Option<usize> {
        let mask = self.index.len() - 1;
        let mut place = hash as usize & mask;
        while self.index[place] != NONE {
            let known = self.index[place];
            if self.hashes[known as usize] == hash && self.form(known) == form {
                return None;
            }
            place = (place + 1) & mask;
        }
        Some(place)
    }

    /// Stores a state, unless it is known. Returns whether it is new.
    pub(super) fn insert(&mut self, form: &[u8], origin: Origin) -> bool {
        if self.index.len() < 2 * (self.len() + 1) {
            self.grow();
        }
        let hash = hash_of(form);
        let Some(place) = self.place(form, hash) else { return false };
        self.index[place] = self.len() as u32;
        self.forms.extend_from_slice(form);
        self.ends.push(self.forms.len());
        self.origins.push(origin);
        self.hashes.push(hash);
        true
    }

    fn grow(&mut self) {
        let len = (self.index.len() * 2).max(64);
        self.index = vec![NONE; len];
        for (state, &hash) in self.hashes.iter().enumerate() {
            let mut place = hash as usize & (len - 1);
            while self.index[place] != NONE {
                place = (place + 1) & (len - 1);
            }
            self.index[place] = state as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_stored_once() {
        let mut states = States::default();
        let origin = |from| Origin { from, step: 0 };
        for number in 0..5_000_u32 {
            assert!(states.insert(&number.to_le_bytes()[..1 + number as usize % 4], origin(number)) || number % 4 < 3);
        }
        let found = states.len();
        for number in 0..5_000_u32 {
            assert!(!states.insert(&number.to_le_bytes()[..1 + number as usize % 4], origin(0)));
        }
        assert_eq!(states.len(), found);
        assert!(states.insert(&[], origin(7)) && !states.insert(&[], origin(8)));
        assert_eq!(states.origin(found as u32), origin(7));
    }
}
