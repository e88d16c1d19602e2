//! Packed words that several tables know: each sequence once, so that a number stands for it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// The position of packed words.
pub(super) type WordsId = u32;

/// The position of no words at all.
pub(super) const NO_WORDS: WordsId = 0;

/// Packed words, each sequence once.
pub(super) struct AllWords {
    all: Vec<Rc<[u64]>>,
    index: FxHashMap<Rc<[u64]>, WordsId>,
}

impl AllWords {
    pub(super) fn new() -> Self {
        let mut words = AllWords { all: Vec::new(), index: FxHashMap::default() };
        words.id(&[]);
        words
    }

    /// Returns the position of words.
    pub(super) fn id(&mut self, words: &[u64]) -> WordsId {
        if let Some(&known) = self.index.get(words) {
            return known;
        }
        let (id, words): (_, Rc<[u64]>) = (self.all.len() as WordsId, words.into());
        self.all.push(Rc::clone(&words));
        self.index.insert(words, id);
        id
    }

    /// Returns the position of words, if they have one.
    pub(super) fn known(&self, words: &[u64]) -> Option<WordsId> {
        self.index.get(words).copied()
    }

    /// Returns the words at a position.
    pub(super) fn get(&self, id: WordsId) -> &[u64] {
        &self.all[id as usize]
    }

    /// Returns the number of bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        self.all.iter().map(|words| size_of_val(&**words) + 4 * size_of::<Rc<[u64]>>()).sum()
    }
}
