//! Valid values as a strategy of proptest: all of them, equally likely, shrunk to the smallest that fails.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use korat::interop::proptest::valid;
use korat::{Finitize, Search, rep_ok};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// Not `Clone`: values are built anew.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct Node {
    #[finitize(0..=scope)]
    value: usize,
    next: Option<Box<Node>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Finitize)]
struct SortedList {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl SortedList {
    fn rep_ok(&self) -> bool {
        let mut last = None;
        let mut rest = &self.head;
        while let Some(node) = rest {
            if last.is_some_and(|last| node.value <= last) {
                return false;
            }
            last = Some(node.value);
            rest = &node.next;
        }
        true
    }
}

impl SortedList {
    fn values(&self) -> Vec<usize> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).map(|node| node.value).collect()
    }
}

/// A ring of counted pointers, of which a copy of the value would share the objects.
#[derive(Debug, Finitize)]
struct Link {
    next: std::cell::RefCell<Option<Rc<Link>>>,
}

#[derive(Debug, Finitize)]
struct Ring {
    first: Rc<Link>,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        let mut seen = std::collections::HashSet::new();
        let mut at = Rc::clone(&self.first);
        while seen.insert(Rc::as_ptr(&at)) {
            let Some(next) = at.next.borrow().clone() else { return false };
            at = next;
        }
        Rc::ptr_eq(&at, &self.first)
    }
}

#[derive(Debug, Finitize)]
struct Never {
    number: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.number > 100
    }
}

/// A runner that writes no files and picks the same values in every run.
fn runner(cases: u32) -> TestRunner {
    seeded_runner(cases, 0)
}

fn seeded_runner(cases: u32, seed: u8) -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::with_cases(cases) };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]))
}

#[test]
fn every_value_is_picked_about_as_often_as_the_others() {
    let strategy = valid(SortedList::scope(3));
    let mut runner = runner(1);
    let mut counts: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    for _ in 0..15_000 {
        let list = strategy.new_tree(&mut runner).unwrap().current();
        assert!(list.rep_ok());
        *counts.entry(list.values()).or_default() += 1;
    }
    // All subsets of four values but the whole.
    assert_eq!(counts.len(), 15);
    // 1,000 each; seven standard deviations either way.
    assert!(counts.values().all(|&count| (780..1220).contains(&count)), "{counts:?}");
}

#[test]
fn the_search_runs_once_for_a_strategy_and_its_clones() {
    thread_local! {
        static RUNS: Cell<u32> = const { Cell::new(0) };
    }
    #[derive(Debug, Finitize)]
    struct Counted {
        number: u8,
    }
    fn count() -> bool {
        RUNS.set(RUNS.get() + 1);
        true
    }
    #[rep_ok]
    impl Counted {
        fn rep_ok(&self) -> bool {
            count() && self.number < 100
        }
    }
    let strategy = valid(Counted::scope(1));
    assert_eq!(RUNS.get(), 0, "nothing is searched before it is needed");
    let mut runner = runner(1);
    strategy.new_tree(&mut runner).unwrap().current();
    let runs = RUNS.get();
    assert!(runs > 0);
    let clone = strategy.clone();
    for _ in 0..10 {
        strategy.new_tree(&mut runner).unwrap().current();
        clone.new_tree(&mut runner).unwrap().current();
    }
    assert_eq!(RUNS.get(), runs + 20, "each value is shown to rep_ok, and nothing is searched again");
}

#[test]
fn a_failing_property_is_shrunk_to_the_smallest_value() {
    // Fails where 2 follows 1, and not for all larger lists.
    let fails = |list: &SortedList| list.values().windows(2).any(|pair| pair == [1, 2]);
    for seed in 0..20 {
        let error = seeded_runner(1000, seed).run(&valid(SortedList::scope(4)), |list| {
            prop_assert!(!fails(&list), "found");
            Ok(())
        });
        let Err(TestError::Fail(reason, list)) = error else { panic!("it is to fail: {error:?}") };
        assert!(reason.message().starts_with("found"), "{reason}");
        assert_eq!(list.values(), [1, 2]);
    }
}

#[test]
fn it_is_shrunk_beside_other_inputs() {
    let inputs = (any::<u32>(), valid(SortedList::scope(4)), valid(SortedList::scope(3)), 0..1000_i32);
    let error = runner(1000).run(&inputs, |(_, one, other, number)| {
        prop_assert!(one.values().len() < 2 || other.values().is_empty() || number < 17);
        Ok(())
    });
    let Err(TestError::Fail(_, (any, one, other, number))) = error else { panic!("it is to fail: {error:?}") };
    assert_eq!((any, one.values(), other.values(), number), (0, vec![0, 1], vec![0], 17));
}

/// There are more lists than could be listed: 2^41.
#[test]
fn values_that_cannot_be_listed_are_picked_and_shrunk_by_their_ranks() {
    let strategy = valid(SortedList::scope(40));
    let mut runner = seeded_runner(200, 1);
    let mut lengths = Vec::new();
    for _ in 0..200 {
        let list = strategy.new_tree(&mut runner).unwrap().current();
        assert!(list.rep_ok());
        lengths.push(list.values().len());
    }
    // The mean is 20.5, with a standard deviation of 0.23; six of them either way.
    let mean = lengths.iter().sum::<usize>() as f64 / 200.0;
    assert!((19.1..21.9).contains(&mean), "{mean}");
    let error = runner.run(&strategy, |list| {
        prop_assert!(list.values().len() < 2);
        Ok(())
    });
    let Err(TestError::Fail(_, list)) = error else { panic!("it is to fail: {error:?}") };
    assert_eq!(list.values().len(), 2);
}

#[test]
fn it_composes() {
    let lengths = valid(SortedList::scope(2)).prop_map(|list| list.values().len()).prop_filter("some", |&len| len > 0);
    let mixed = prop_oneof![lengths, Just(7_usize)];
    runner(200)
        .run(&mixed, |len| {
            prop_assert!([1, 2, 7].contains(&len));
            Ok(())
        })
        .unwrap();
    runner(50)
        .run(&proptest::collection::vec(valid(SortedList::scope(2)), 0..4), |lists| {
            prop_assert!(lists.iter().all(SortedList::rep_ok));
            Ok(())
        })
        .unwrap();
}

#[test]
fn values_with_sharing_are_built_anew() {
    let mut runner = runner(1);
    let tree = valid(Ring::scope(3)).new_tree(&mut runner).unwrap();
    let (one, other) = (tree.current(), tree.current());
    assert!(one.rep_ok() && other.rep_ok());
    assert!(!Rc::ptr_eq(&one.first, &other.first));
}

#[test]
fn a_search_with_more_to_say_is_taken_too() {
    let search = Search::new(SortedList::scope(3).objects::<Node>(1));
    runner(100)
        .run(&valid(search), |list| {
            prop_assert!(list.values().len() <= 1);
            Ok(())
        })
        .unwrap();
}

#[test]
#[should_panic(expected = "no valid value of Never at scope 2: there is nothing to pick from")]
fn no_value_at_all_is_said() {
    let _ = valid(Never::scope(2)).new_tree(&mut runner(1));
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::with_cases(50) })]

    #[test]
    fn it_works_in_the_macro(list in valid(SortedList::scope(3)), more in 0..10_usize) {
        let mut values = list.values();
        values.push(values.last().copied().unwrap_or(0) + 1 + more);
        prop_assert!(values.is_sorted_by(|one, other| one < other));
    }
}
