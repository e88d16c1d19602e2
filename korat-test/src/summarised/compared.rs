//! Compares the numbers of small values that summaries say there are with those that a search finds, before anybody relies on them.

use korat_core::{Natural, StepResult, UntypedSearcher};

use super::{CANDIDATES_PER_RUN, SHARE};

/// Why summaries with other numbers are not used.
pub(crate) const DISAGREE: &str =
    "they have other values than the search has found, which is a bug of korat; please report it";

/// The number of candidates that are tried in any case: less than a millisecond.
const AT_LEAST: u64 = 2_000;

/// The most candidates that are tried: less than a tenth of a second. What makes a large value wrong makes a small one wrong.
const AT_MOST: u64 = 100_000;

/// A search that finds the values of one size after the other, as far as it gets in a fixed part of the time that is taken to summarise.
pub(super) struct Comparison {
    searcher: Box<UntypedSearcher>,
    /// The size that comes next.
    size: usize,
    explored: u64,
}

/// What became of a comparison.
pub(super) enum Compared {
    Same,
    Different,
    /// The search gets no further: larger sizes are not compared.
    Over,
}

impl Comparison {
    pub(super) fn new(searcher: UntypedSearcher) -> Self {
        Comparison { searcher: Box::new(searcher), size: 0, explored: 0 }
    }

    /// Compares the numbers of values of all sizes up to this one that were not compared before.
    pub(super) fn compare(&mut self, summarised: &mut UntypedSearcher, upto: usize) -> Compared {
        let fitting = summarised.summary_effort().runs * CANDIDATES_PER_RUN / u64::from(SHARE);
        let most = fitting.clamp(AT_LEAST, AT_MOST);
        let numbers = summarised.summarised_numbers();
        let upto = upto.min(self.searcher.max_size());
        // With more sizes, there is time for more candidates.
        while self.size <= upto && self.explored < most {
            self.searcher.restart();
            self.searcher.set_sizes(self.size..=self.size);
            self.searcher.pause_every(most - self.explored);
            // What is wrong with a candidate, the search says if it comes to it.
            if !self.searcher.count_on(u64::MAX).is_ok_and(|step| step == StepResult::Done) {
                return Compared::Over;
            }
            let of_size = numbers.iter().find(|(of, _)| *of == self.size).map_or(&Natural::ZERO, |(_, number)| number);
            if *of_size != self.searcher.counters().valid {
                return Compared::Different;
            }
            if !self.searcher.hit_size_bound() {
                return Compared::Over;
            }
            self.explored += self.searcher.counters().explored;
            self.size += 1;
        }
        Compared::Same
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use korat_core::{Settings, Solving};

    use super::*;
    use crate::config::Summaries;
    use crate::subject::Subject;
    use crate::summarised::{SummarisedStep, SummarisedValues, Summariser};
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

    /// Summarises trees up to a size, and searches for something else.
    fn summarised(other: Subject, upto: usize) -> (Option<SummarisedValues>, Option<String>) {
        let (trees, calls) = (Subject::new(Tree::scope(8)), Cell::new(0));
        let make = move || {
            let subject = if calls.replace(calls.get() + 1) == 0 { &trees } else { &other };
            subject.searcher(Settings::default())
        };
        let mut summariser = Summariser::new(Summaries::Always, Rc::new(make));
        let values = summariser.attempt(0, upto, u64::MAX, Solving::BySize).unwrap();
        (values, summariser.why_not().map(str::to_string))
    }

    #[test]
    fn summaries_with_other_numbers_are_not_used() {
        assert!(matches!(summarised(Subject::new(Tree::scope(8)), 8), (Some(_), None)));
        assert!(matches!(summarised(Subject::new(LeftTree::scope(8)), 8), (None, Some(why)) if why == DISAGREE));
    }

    #[test]
    fn larger_sizes_are_compared_when_they_come() {
        let steps = |other| {
            let mut values = summarised(other, 1).0.expect("small ones agree");
            let mut given = 0;
            loop {
                match values.step(5).unwrap() {
                    SummarisedStep::Value { .. } => given += 1,
                    SummarisedStep::Paused => {}
                    SummarisedStep::GivenUp { size, why } => return (given, Some((size, why))),
                    SummarisedStep::Done => return (given, None),
                }
            }
        };
        assert_eq!(steps(Subject::new(Tree::scope(8))), (1 + 1 + 2 + 5 + 14 + 42, None));
        assert_eq!(steps(Subject::new(LeftTree::scope(8))), (1 + 1 + 2, Some((3, DISAGREE.to_string()))));
    }
}
