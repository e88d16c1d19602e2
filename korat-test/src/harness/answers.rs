//! Answers to what a property lets korat choose: all of them, or those that a replay gives.

use super::Harness;
use crate::choose;

impl Harness {
    /// Goes to the next answers to what the property lets korat choose. Returns false if there are none for the current value.
    pub(super) fn next_answers(&mut self) -> bool {
        if std::mem::take(&mut self.answers).is_empty() {
            return choose::next();
        }
        // A property that asks for something else than it did when the value was kept is given all answers.
        let is_other = !choose::is_as_given();
        choose::first();
        is_other
    }
}
