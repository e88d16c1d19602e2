//! Compares the numbers of small values that summaries say there are with those that a search finds, before anybody relies on them.

use korat_core::{Natural, SearchError, StepResult};

use super::{CANDIDATES_PER_RUN, SHARE, SummarisedValues, Summariser};

/// Why summaries with other numbers are not used.
pub(crate) const DISAGREE: &str =
    "they have other values than the search has found, which is a bug of korat; please report it";

/// The number of candidates that are tried in any case: less than a millisecond.
const AT_LEAST: u64 = 2_000;

/// The most candidates that are tried: less than a tenth of a second. What makes a large value wrong makes a small one wrong.
const AT_MOST: u64 = 100_000;

impl Summariser {
    /// Returns whether a search finds as many values as summaries say, of each size from the smallest on, as far as it gets in a fixed part of the time that
    /// was taken to summarise. Assumes it if the search does not check itself.
    pub(super) fn agrees(&self, values: &mut SummarisedValues, upto: usize) -> Result<bool, SearchError> {
        if !values.searcher.checks_itself() {
            return Ok(true);
        }
        let mut searcher = (self.make)()?;
        let fitting = values.searcher.summary_effort().runs * CANDIDATES_PER_RUN / u64::from(SHARE);
        let mut left = fitting.clamp(AT_LEAST, AT_MOST);
        let numbers = values.searcher.summarised_numbers();
        for size in 0..=upto.min(searcher.max_size()) {
            searcher.restart();
            searcher.set_sizes(size..=size);
            searcher.pause_every(left);
            // What is wrong with a candidate, the search says if it comes to it.
            if !searcher.count_on(u64::MAX).is_ok_and(|step| step == StepResult::Done) {
                return Ok(true);
            }
            let number = numbers.iter().find(|(of, _)| *of == size).map_or(Natural::ZERO, |(_, number)| number.clone());
            if number != searcher.counters().valid {
                return Ok(false);
            }
            left = left.saturating_sub(searcher.counters().explored);
            if left == 0 || !searcher.hit_size_bound() {
                return Ok(true);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use korat_core::Settings;

    use super::*;
    use crate::config::Summaries;
    use crate::subject::Subject;
    use crate::summarised::Sizes;
    use crate::{Finitize, rep_ok};

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct Node {
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct Tree {
        root: Option<Box<Node>>,
    }

    #[rep_ok(crate = crate)]
    impl Tree {
        fn rep_ok(&self) -> bool {
            Self::is_tree(&self.root)
        }

        fn is_tree(node: &Option<Box<Node>>) -> bool {
            node.as_ref().is_none_or(|node| Self::is_tree(&node.left) && Self::is_tree(&node.right))
        }
    }

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct LeftTree {
        root: Option<Box<Node>>,
    }

    #[rep_ok(crate = crate)]
    impl LeftTree {
        /// No node has two children: what differs from a tree has three nodes.
        fn rep_ok(&self) -> bool {
            Self::is_line(&self.root)
        }

        fn is_line(node: &Option<Box<Node>>) -> bool {
            let Some(node) = node else { return true };
            (node.left.is_none() || node.right.is_none()) && Self::is_line(&node.left) && Self::is_line(&node.right)
        }
    }

    /// Summarises trees, and searches for something else.
    fn summarised(other: Subject) -> (bool, Option<String>) {
        let (trees, calls) = (Subject::new(Tree::scope(8)), Cell::new(0));
        let make = move || {
            let subject = if calls.replace(calls.get() + 1) == 0 { &trees } else { &other };
            subject.searcher(Settings::default())
        };
        let mut summariser = Summariser::new(Summaries::Always, Rc::new(make));
        let values = summariser.attempt(0, 8, u64::MAX, Sizes::AtOnce).unwrap();
        (values.is_some(), summariser.why_not().map(str::to_string))
    }

    #[test]
    fn summaries_with_other_numbers_are_not_used() {
        assert_eq!(summarised(Subject::new(Tree::scope(8))), (true, None));
        assert_eq!(summarised(Subject::new(LeftTree::scope(8))), (false, Some(DISAGREE.to_string())));
    }
}
