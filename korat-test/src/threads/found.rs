//! What threads find that ends a search: failures of the property, and errors. The first in the order of one thread count, whenever they are found.

use std::collections::BTreeMap;

use korat_core::{SearchError, SlotVector};

use super::place::Place;
use crate::property::Violation;

/// What one thread has done up to a place, as far as the place itself does not say so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// Candidates so far. In a piece, those of the piece.
    pub(crate) explored: u64,
    /// Candidates of the most thorough pass before this one.
    pub(crate) most: u64,
    /// The values so far by size. In a piece, those of the passes before and of the piece.
    pub(crate) by_size: BTreeMap<usize, u64>,
}

/// A value on which the property failed.
pub(crate) struct Failed {
    pub(crate) place: Place,
    pub(crate) before: Before,
    pub(crate) violation: Violation,
    pub(crate) slots: SlotVector,
}

/// An error of the search.
pub(crate) struct Trouble {
    pub(crate) place: Place,
    pub(crate) before: Before,
    pub(crate) error: SearchError,
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Findings {
    /// One failure of each kind, in their order; at most as many as are wanted.
    pub(super) failed: Vec<Failed>,
    /// Failures of these kinds are known already.
    pub(super) known: Vec<Violation>,
    pub(super) wanted: usize,
    pub(super) trouble: Option<Trouble>,
}

impl Findings {
    /// Returns the place after which nothing counts.
    pub(super) fn bound(&self) -> Option<Place> {
        let last = self.failed.get(self.wanted.wrapping_sub(1)).map(|failed| failed.place);
        let trouble = self.trouble.as_ref().map(|trouble| trouble.place);
        [last, trouble].into_iter().flatten().min()
    }

    /// Adds a failure: the first of its kind counts.
    pub(super) fn add(&mut self, new: Failed) {
        if self.known.iter().any(|known| known.is_like(&new.violation)) {
            return;
        }
        match self.failed.iter_mut().find(|failed| failed.violation.is_like(&new.violation)) {
            Some(failed) if failed.place <= new.place => {}
            Some(failed) => *failed = new,
            None => self.failed.push(new),
        }
        self.failed.sort_by_key(|failed| failed.place);
        self.failed.truncate(self.wanted);
    }

    /// Adds an error: the first one counts.
    pub(super) fn add_trouble(&mut self, new: Trouble) {
        if self.trouble.as_ref().is_none_or(|trouble| new.place < trouble.place) {
            self.trouble = Some(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::Answers;

    fn failed(number: u64, message: &str) -> Failed {
        let violation =
            Violation { message: message.to_string(), location: None, backtrace: None, answers: Answers::default() };
        let place = Place { number, ..Place::default() };
        Failed { place, before: Before::default(), violation, slots: SlotVector(Vec::new()) }
    }

    /// In whichever order they are found, the first of each kind are kept.
    #[test]
    fn the_first_failures_of_their_kinds_count() {
        let all = [(5, "a"), (3, "b"), (4, "a"), (1, "c"), (2, "known"), (6, "d"), (2, "d")];
        for first in 0..all.len() {
            let mut findings = Findings { wanted: 2, ..Findings::default() };
            findings.known.push(failed(0, "known").violation);
            assert_eq!(findings.bound(), None);
            for at in 0..all.len() {
                let (number, message) = all[(first + at) % all.len()];
                findings.add(failed(number, message));
            }
            let found: Vec<_> = findings.failed.iter().map(|it| (it.place.number, &*it.violation.message)).collect();
            assert_eq!(found, [(1, "c"), (2, "d")]);
            assert_eq!(findings.bound().map(|place| place.number), Some(2));
        }
    }
}
