//! A list of words, of which a few take no memory of their own. It is written and read several times for each call.

use std::ops::{Deref, DerefMut};

/// Most calls have fewer words.
const FEW: usize = 10;

/// The words of a few values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    len: usize,
    few: [u64; FEW],
    /// All words, where they are more than a few.
    more: Vec<u64>,
}

impl Words {
    #[inline]
    pub(crate) fn push(&mut self, word: u64) {
        match self.few.get_mut(self.len) {
            Some(place) => *place = word,
            None => self.push_beyond(word),
        }
        self.len += 1;
    }

    #[cold]
    fn push_beyond(&mut self, word: u64) {
        if self.len == FEW {
            self.more.clear();
            self.more.extend_from_slice(&self.few);
        }
        self.more.push(word);
    }

    /// Writes other words in place of these.
    #[inline]
    pub(crate) fn set(&mut self, words: &[u64]) {
        match self.few.get_mut(..words.len()) {
            Some(few) => few.copy_from_slice(words),
            None => {
                self.more.clear();
                self.more.extend_from_slice(words);
            }
        }
        self.len = words.len();
    }

    /// Inserts words at a position.
    pub(crate) fn insert(&mut self, at: usize, words: impl Iterator<Item = u64>) {
        let mut all = self.to_vec();
        all.splice(at..at, words);
        self.set(&all);
    }
}

impl Deref for Words {
    type Target = [u64];
    #[inline]
    fn deref(&self) -> &[u64] {
        self.few.get(..self.len).unwrap_or(&self.more)
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        self.few.get_mut(..self.len).unwrap_or(&mut self.more)
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Words};

    #[test]
    fn few_and_many_words_are_kept_in_order() {
        let mut words = Words::default();
        let mut expected = Vec::new();
        for round in 0..2 * FEW as u64 {
            assert_eq!(*words, *expected);
            words.push(round);
            expected.push(round);
        }
        words.set(&[7, 8]);
        words.insert(1, (0..FEW as u64).map(|word| word + 100));
        assert_eq!((words.len(), words[0], words[1], words[FEW + 1]), (FEW + 2, 7, 100, 8));
        words.set(&[]);
        words.push(5);
        words[0] += 1;
        assert_eq!(*words, [6]);
    }
}
