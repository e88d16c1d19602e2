//! `#[rep_ok(filter = ..)]` and `#[rep_ok(panics = invalid)]`: the set is that of the plain functions.

use std::collections::BTreeSet;

use korat::{Backtracking, Finitize, Order, Pruning, Search, Unread, rep_ok};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Node {
    #[finitize(0..=2)]
    key: u8,
    next: Option<Box<Node>>,
}

/// Every list of at most `most` keys.
pub fn every_list(most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    let mut longest: Vec<Vec<u8>> = all.clone();
    for _ in 0..most {
        longest = longest.iter().flat_map(|list| (0..3).map(move |key| [&list[..], &[key]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

fn linked(keys: &[u8]) -> Option<Box<Node>> {
    keys.iter().rev().fold(None, |next, key| Some(Box::new(Node { key: *key, next })))
}

/// All ways to search, by name.
fn all_ways<T: Finitize + korat::RepOk>(scope: usize) -> Vec<(String, Search<T>)> {
    let mut ways = Vec::new();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            for order in [Order::SmallestFirst, Order::AsFound] {
                let search = Search::new(T::scope(scope)).pruning(pruning).backtracking(backtracking).order(order);
                ways.push((format!("{pruning:?}, {backtracking:?}, {order:?}"), search));
            }
        }
    }
    ways
}

/// Compares every way to search with brute force.
pub fn assert_exact<T: Finitize + korat::RepOk + std::fmt::Debug>(scope: usize, expected: &[String]) {
    let set: BTreeSet<&String> = expected.iter().collect();
    assert_eq!(set.len(), expected.len());
    for (name, search) in all_ways::<T>(scope) {
        let mut found = Vec::new();
        let report = search.for_each(|value| found.push(format!("{value:?}")));
        assert_eq!(report.valid, found.len() as u64, "{name}");
        assert_eq!(found.len(), expected.len(), "{name}");
        assert_eq!(found.iter().collect::<BTreeSet<_>>(), set, "{name}");
    }
    for (name, search) in all_ways::<T>(scope) {
        assert_eq!(search.count(), expected.len() as u64, "{name}, counted");
    }
}

mod a_filter {
    use super::*;

    /// Compares, hashes, prints and clones classes, and calls functions elsewhere, which `rep_ok` may not.
    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct List {
        head: Option<Box<Node>>,
        len: u8,
    }

    #[rep_ok(filter = is_palindrome)]
    impl List {
        fn rep_ok(&self) -> bool {
            let (mut at, mut len) = (&self.head, 0);
            while let Some(node) = at {
                // A classic search meets rings.
                if len == 9 {
                    return false;
                }
                len += 1;
                at = &node.next;
            }
            len == self.len
        }
    }

    fn keys(list: &List) -> Vec<u8> {
        std::iter::successors(list.head.as_deref(), |node| node.next.as_deref()).map(|node| node.key).collect()
    }

    fn is_palindrome(list: &List) -> bool {
        let mut reversed = keys(list);
        reversed.reverse();
        *list == List { head: linked(&reversed), len: list.len }
    }

    #[test]
    fn sees_only_what_rep_ok_accepts_and_decides_the_rest() {
        let expected: Vec<String> = every_list(4)
            .into_iter()
            .map(|keys| List { head: linked(&keys), len: keys.len() as u8 })
            .filter(|list| list.rep_ok() && is_palindrome(list))
            .map(|list| format!("{list:?}"))
            .collect();
        assert_eq!(expected.len(), 1 + 3 + 3 + 9 + 9);
        assert_exact::<List>(4, &expected);
    }

    #[test]
    fn is_asked_before_a_value_is_replayed() {
        let accepted = Search::new(List::scope(2)).try_for_each(|list| list.len < 2);
        let korat::Error::Property(failed) = accepted.expect_err("a list of two fails") else {
            panic!("not a property")
        };
        let replay = failed.failures[0].replay.clone();
        Search::new(List::scope(2)).replay(&replay, |list| assert!(is_palindrome(&list)));
        // The first key of the list is another one.
        let other = replay.replacen(".0.", ".1.", 1);
        assert_ne!(other, replay);
        let refused = std::panic::catch_unwind(|| Search::new(List::scope(2)).replay(&other, |_| ()));
        assert!(refused.is_err(), "{other}");
    }
}

mod a_filter_alone {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pair {
        #[finitize(0..=3)]
        low: u8,
        #[finitize(0..=3)]
        high: u8,
    }

    #[rep_ok(filter = |pair| pair.low < pair.high)]
    impl Pair {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[test]
    fn decides_about_fields_that_rep_ok_never_reads() {
        let report = Search::new(Pair::scope(3)).for_each(|pair| pair.low < pair.high);
        assert_eq!((report.valid, report.unread_fields.len()), (6, 0));
        assert_eq!(Search::new(Pair::scope(3)).count(), 6);
    }

    /// No field is unread, since the filter may read all of them.
    #[test]
    fn sees_every_combination() {
        let mut found = Vec::new();
        Search::new(Pair::scope(3)).unread(Unread::First).for_each(|pair| found.push(pair));
        assert_eq!(found.len(), 6);
    }

    #[test]
    fn that_rejects_everything_leaves_no_value() {
        #[derive(Debug, Finitize)]
        struct Never {
            a: bool,
        }

        #[rep_ok(filter = |_| false)]
        impl Never {
            fn rep_ok(&self) -> bool {
                true
            }
        }

        assert_eq!(Search::new(Never::scope(1)).allow_empty(true).count(), 0);
        let message = Search::new(Never::scope(1)).try_for_each(|_| true).expect_err("no value").to_string();
        assert!(message.contains("the filter rejected everything that rep_ok accepted (1 candidates)"), "{message}");
    }
}

/// Summaries say what `rep_ok` accepts, so they must not be asked where a filter has the last word.
mod a_filter_on_parts_that_could_be_summarised {
    use korat::{Ending, Error, SearchError, Summaries};

    use super::*;
    use crate::search_trees::{Node as TreeNode, SearchTree};

    #[derive(Debug, Finitize)]
    struct Balanced {
        tree: SearchTree,
    }

    #[rep_ok(filter = Self::is_balanced)]
    impl Balanced {
        fn rep_ok(&self) -> bool {
            self.tree.rep_ok()
        }
    }

    impl Balanced {
        fn is_balanced(&self) -> bool {
            fn height(node: &Option<Box<TreeNode>>) -> Option<usize> {
                let Some(node) = node else { return Some(0) };
                let (left, right) = (height(&node.left)?, height(&node.right)?);
                (left.abs_diff(right) < 2).then_some(left.max(right) + 1)
            }
            height(&self.tree.root).is_some()
        }
    }

    fn search() -> Search<Balanced> {
        Search::new(Balanced::scope(5)).summaries(Summaries::Always)
    }

    /// AVL trees of 0 to 5 nodes, with any of six keys each.
    const AVL_TREES: u64 = 1 + 6 + 2 * 15 + 20 + 4 * 15 + 6 * 6;

    #[test]
    fn decides_about_every_value() {
        let report = search().for_each(|tree| tree.is_balanced() && tree.rep_ok());
        assert_eq!((report.valid, report.ending), (AVL_TREES, Ending::Complete));
        assert_eq!(search().count(), AVL_TREES);
        assert_eq!(search().report().valid, AVL_TREES);
    }

    #[test]
    fn decides_about_what_is_drawn() {
        for summaries in [Summaries::Auto, Summaries::Always] {
            let search = || search().summaries(summaries).sample(300);
            let report = search().for_each(|tree| tree.is_balanced() && tree.rep_ok());
            assert_eq!((report.valid, report.ending, &report.sampled_of), (300, Ending::Sampled, &None));
            let beginning = "drew 300 values of Balanced at scope 5 by random descents, not uniformly: a filter decides about whole values; NOT exhaustive";
            assert!(report.to_string().starts_with(beginning), "{report}");
            assert_eq!(search().report().valid, 300);
        }
    }

    #[test]
    fn leaves_values_without_ranks() {
        for summaries in [Summaries::Auto, Summaries::Always] {
            let search = || search().summaries(summaries);
            let mut ran = 0;
            let failed = [
                search().try_nth(3).map(|_| ()),
                search().ranks(0..9).try_for_each(|_| ran += 1).map(|_| ()),
                search().ranks(0..9).try_report().map(|_| ()),
            ];
            for failed in failed {
                let Err(Error::Search(failed)) = failed else { panic!("it fails, and not: {failed:?}") };
                assert!(matches!(failed.error, SearchError::NotSummarised { .. }));
                let why = "values have numbers only where parts of the structure are summarised, and here they are not: a filter decides about whole values";
                assert!(failed.to_string().starts_with(why), "{failed}");
            }
            assert_eq!(ran, 0);
        }
    }
}

mod asserts {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Rising {
        head: Option<Box<Node>>,
        len: u8,
    }

    #[rep_ok(panics = invalid)]
    impl Rising {
        fn rep_ok(&self) -> bool {
            self.check_consistency();
            true
        }

        fn check_consistency(&self) {
            let mut counted = 0;
            let mut at = self.head.as_deref();
            while let Some(node) = at {
                counted += 1;
                if let Some(next) = &node.next {
                    assert!(node.key <= next.key, "{} before {}", node.key, next.key);
                }
                at = node.next.as_deref();
            }
            assert_eq!(counted, self.len);
        }
    }

    #[test]
    fn reject_what_they_fail_on() {
        let is_rising = |list: &Rising| std::panic::catch_unwind(|| list.rep_ok()).is_ok();
        let expected: Vec<String> = every_list(4)
            .into_iter()
            .map(|keys| Rising { head: linked(&keys), len: keys.len() as u8 })
            .filter(is_rising)
            .map(|list| format!("{list:?}"))
            .collect();
        assert_eq!(expected.len(), 1 + 3 + 6 + 10 + 15);
        assert_exact::<Rising>(4, &expected);
    }

    /// Checks that everything is undone after a panic: containers of the predicate's own, counters, nested calls.
    #[test]
    fn leave_nothing_behind() {
        #[derive(Clone, Debug, PartialEq, Finitize)]
        struct Distinct {
            #[finitize(0..=3, len = 0..=4)]
            keys: Vec<u8>,
        }

        #[rep_ok(panics = invalid)]
        impl Distinct {
            fn rep_ok(&self) -> bool {
                let mut seen = std::collections::HashSet::new();
                let mut order = Vec::new();
                for key in &self.keys {
                    order.push(*key);
                    Self::add(&mut seen, *key);
                    assert_eq!(seen.len(), order.len());
                }
                order.len() == self.keys.len()
            }

            fn add(seen: &mut std::collections::HashSet<u8>, key: u8) {
                assert!(seen.insert(key), "{key} is there already");
            }
        }

        for (name, search) in all_ways::<Distinct>(4) {
            let mut found = BTreeSet::new();
            let report = search.for_each(|value| assert!(found.insert(value.keys.clone())));
            assert_eq!((report.valid, found.len()), (1 + 4 + 12 + 24 + 24, 65), "{name}");
        }
    }

    #[test]
    fn and_a_filter_that_asserts() {
        #[derive(Clone, Debug, PartialEq, Finitize)]
        struct Even {
            #[finitize(0..=5)]
            number: u8,
        }

        impl Even {
            fn check(&self) {
                assert!(self.number.is_multiple_of(2));
            }
        }

        #[rep_ok(filter = Self::check, panics = invalid)]
        impl Even {
            fn rep_ok(&self) -> bool {
                self.number > 0
            }
        }

        let mut found = Vec::new();
        Search::new(Even::scope(5)).for_each(|even| found.push(even.number));
        assert_eq!(found, [2, 4]);
    }
}

/// A filter that panics without `panics = invalid` is an error, as a predicate that panics is.
#[test]
fn a_filter_that_panics_is_told() {
    #[derive(Debug, Finitize)]
    struct Bad {
        a: bool,
    }

    #[rep_ok(filter = |bad| if bad.a { panic!("it is set") } else { true })]
    impl Bad {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    let error = Search::new(Bad::scope(1)).try_for_each(|_| true).expect_err("it panics");
    assert!(error.to_string().contains("it is set"), "{error}");
}
