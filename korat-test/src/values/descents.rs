//! Draws values at random where there are no summaries, by descents through the search: each picks a size, then an index at each choice, and goes
//! on from rejected candidates as the search does. Values are not equally likely, and nobody knows how many there are.

use std::ops::RangeInclusive;

use korat_core::{Descended, SearchError, UntypedSearcher};

use crate::report::DescentReport;
use crate::summarised::random_word;

/// The number of candidates after which the first descent to a size is given up: its first choices may exclude every value. Each descent after it that
/// fails, too, may take twice as many, this many times.
const FIRST_CANDIDATES: u64 = 100;
const DOUBLINGS: u32 = 5;

/// The number of failed descents in a row after which a size is left out that none has reached, and after which drawing ends if some have.
const MOST_UNREACHED: u32 = 10;
const MOST_FAILED: u32 = 200;

/// A size, and what descents to it did.
struct Size {
    size: usize,
    has_values: bool,
    /// How many descents failed since the last one that reached it.
    failed: u32,
}

/// Draws values.
pub(super) struct Descents {
    /// Why there are no summaries.
    why: String,
    /// The sizes that may have values.
    sizes: Vec<Size>,
    entropy: u64,
    /// The number of the size that a descent has failed to reach, and that the next one tries again: sizes are equally likely.
    again: Option<usize>,
    attempts: u64,
    /// Whether some size was left out that may have values.
    gave_up: bool,
    drawn: u64,
}

/// What a descent led to.
pub(super) enum DescentStep {
    Value {
        size: usize,
    },
    Paused,
    /// There is nothing to draw from, or nothing that descents reach any more.
    Done,
}

impl Descents {
    pub(super) fn new(why: String, seed: u64, sizes: RangeInclusive<usize>) -> Self {
        Descents {
            why,
            sizes: sizes.map(|size| Size { size, has_values: false, failed: 0 }).collect(),
            entropy: seed,
            attempts: 0,
            again: None,
            gave_up: false,
            drawn: 0,
        }
    }

    /// Makes one descent. Fails if no descent leads to a value.
    pub(super) fn draw(&mut self, searcher: &mut UntypedSearcher) -> Result<DescentStep, SearchError> {
        if self.sizes.is_empty() {
            // Without any value, the search says best why there is none.
            if self.drawn == 0 && self.gave_up {
                let (attempts, candidates) = (self.attempts, searcher.counters().explored);
                return Err(SearchError::NothingDrawn { attempts, candidates, why: self.why.clone() });
            }
            return Ok(DescentStep::Done);
        }
        self.attempts += 1;
        let at = self.again.take().unwrap_or_else(|| {
            let number = (u128::from(random_word(&mut self.entropy)) * self.sizes.len() as u128) >> 64;
            number as usize
        });
        let mut state = random_word(&mut self.entropy);
        let Size { size, has_values, failed } = &mut self.sizes[at];
        let (size, candidates) = (*size, FIRST_CANDIDATES << (*failed).min(DOUBLINGS));
        match searcher.descend_at_random(size..=size, candidates, move || random_word(&mut state))? {
            Descended::Value => {
                (*has_values, *failed) = (true, 0);
                self.drawn += 1;
                return Ok(DescentStep::Value { size });
            }
            Descended::Nowhere => {
                self.sizes.remove(at);
            }
            Descended::GaveUp => {
                *failed += 1;
                self.gave_up = true;
                if *has_values && *failed >= MOST_FAILED {
                    return Ok(DescentStep::Done);
                }
                if !*has_values && *failed >= MOST_UNREACHED {
                    self.sizes.remove(at);
                } else {
                    self.again = Some(at);
                }
            }
        }
        Ok(DescentStep::Paused)
    }

    pub(super) fn report(&self) -> DescentReport {
        DescentReport { why: self.why.clone(), attempts: self.attempts }
    }
}
