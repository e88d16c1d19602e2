//! The forms of the states that wait to be expanded, where states are matched by something else. A form is dropped when its state is
//! expanded; those of a failing sequence are restored by running it again.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::states::StateId;

/// The bytes of a chunk: what is expanded is freed in such portions.
const CHUNK: usize = 256 << 10;

/// The forms of the states that wait, in the order in which they were found.
#[derive(Default)]
pub(super) struct Waiting {
    /// Each form after its length, of four bytes.
    chunks: VecDeque<Vec<u8>>,
    /// Where the next form begins in the first chunk.
    at: usize,
    /// The next state to expand.
    pub(super) next: StateId,
    /// Whether the states that are found will not be expanded.
    pub(super) is_last_level: bool,
    firsts: FxHashMap<StateId, Vec<u8>>,
    restored: FxHashMap<StateId, Vec<u8>>,
}

impl Waiting {
    /// Adds a state.
    pub(super) fn push(&mut self, state: StateId, form: &[u8], is_first: bool) {
        if is_first {
            self.firsts.insert(state, form.to_vec());
        }
        if self.is_last_level {
            return;
        }
        let size = form.len() + size_of::<u32>();
        if self.chunks.back().is_none_or(|chunk| chunk.len() + size > CHUNK) {
            let capacity = if self.chunks.is_empty() { 0 } else { CHUNK };
            self.chunks.push_back(Vec::with_capacity(capacity));
        }
        let chunk = self.chunks.back_mut().expect("a chunk was added");
        chunk.extend_from_slice(&(form.len() as u32).to_le_bytes());
        chunk.extend_from_slice(form);
    }

    fn front(&self) -> &[u8] {
        let Some(chunk) = self.chunks.front() else { return &[] };
        let (len, rest) = chunk[self.at..].split_at(size_of::<u32>());
        &rest[..u32::from_le_bytes(len.try_into().expect("it has four bytes")) as usize]
    }

    /// Goes on to the state after the one that was expanded.
    pub(super) fn advance(&mut self, next: StateId) {
        self.next = next;
        self.at += size_of::<u32>() + self.front().len();
        if self.chunks.front().is_some_and(|chunk| chunk.len() == self.at) {
            self.chunks.pop_front();
            self.at = 0;
        }
    }

    /// Returns the form of a state; it is empty if it was dropped.
    pub(super) fn form(&self, state: StateId) -> &[u8] {
        if state == self.next {
            return self.front();
        }
        self.firsts.get(&state).or_else(|| self.restored.get(&state)).map_or(&[], Vec::as_slice)
    }

    /// Restores the form of a state.
    pub(super) fn restore(&mut self, state: StateId, form: Vec<u8>) {
        self.restored.insert(state, form);
    }

    /// Drops what was restored.
    pub(super) fn forget(&mut self) {
        self.restored = FxHashMap::default();
    }

    /// Returns the bytes that the forms take.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum()
    }
}
