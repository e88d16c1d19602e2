//! A value that was drawn at random and fails is shrunk: to a simpler one that fails in the same way, with a report that says what is known.

use std::time::Duration;

use korat::{Error, FailedValue, Finitize, Search, SearchWith, Summaries};

use crate::search_trees::{CountedTree, Node};

/// Returns whether some node is such a one.
fn any(tree: &CountedTree, is_it: impl Fn(&Node) -> bool) -> bool {
    fn below(node: &Option<Box<Node>>, is_it: &impl Fn(&Node) -> bool) -> bool {
        node.as_ref().is_some_and(|node| is_it(node) || below(&node.left, is_it) || below(&node.right, is_it))
    }
    below(&tree.root, &is_it)
}

fn has_fork(tree: &CountedTree) -> bool {
    any(tree, |node| node.left.is_some() && node.right.is_some())
}

/// A sample of large trees.
fn sample() -> Search<CountedTree> {
    Search::new(CountedTree::scope(12)).sample(100).regressions(false)
}

/// Returns the failures of a property, and the report.
fn failures(search: Search<CountedTree>, property: impl FnMut(CountedTree) -> bool) -> (Vec<FailedValue>, String) {
    let Err(Error::Property(failed)) = search.try_for_each(property) else { panic!("it fails") };
    (failed.failures.clone(), failed.to_string())
}

/// Returns the only failure, which was shrunk.
fn shrunk(search: Search<CountedTree>, property: impl FnMut(CountedTree) -> bool) -> (FailedValue, String) {
    let (failures, text) = failures(search, property);
    let [failure] = &failures[..] else { panic!("one failure") };
    assert!(failure.shrunk_from.is_some());
    (failure.clone(), text)
}

#[test]
fn the_smallest_failing_value_is_found_and_known_to_be_it() {
    let (failure, text) = shrunk(sample(), |tree| !has_fork(&tree));
    let from = failure.shrunk_from.clone().unwrap();
    assert_eq!((failure.size, from.is_smallest), (3, true));
    assert!(from.size > 5, "the trees of a sample are large");
    let beginning = "property failed on a structure of size 3, smallest failing, shrunk from structure #1, size ";
    assert!(text.starts_with(beginning), "{text}");
    assert!(text.contains(" values tried; none of a smaller size fails like this\n"), "{text}");
    // Both lead back to the failure.
    assert!(text.contains(&format!("replay: KORAT_REPLAY='{}'", failure.replay)), "{text}");
    assert!(text.contains(&format!("as drawn: KORAT_REPLAY='{}'", from.replay)), "{text}");
    for (replay, size) in [(failure.replay, 3), (from.replay, from.size)] {
        Search::new(CountedTree::scope(12)).replay(&replay, |tree| assert!(has_fork(&tree) && tree.size == size));
    }
}

#[test]
fn the_same_sample_shrinks_to_the_same_value() {
    let [one, other] = [0, 1].map(|_| shrunk(sample().seed(5), |tree| !has_fork(&tree)).0);
    assert_eq!((&one.replay, &one.shrunk_from), (&other.replay, &other.shrunk_from));
}

/// There are 170 values of smaller sizes: most of the way is made near the value.
#[test]
fn a_small_budget_leads_far_and_says_that_it_was_used_up() {
    let (failure, text) = shrunk(sample().shrink(100), |tree| !has_fork(&tree));
    let from = failure.shrunk_from.unwrap();
    assert_eq!((failure.size, from.is_smallest, from.tried), (3, false, 100));
    assert!(text.starts_with("property failed on a structure of size 3, shrunk from structure #1, size "), "{text}");
    let known = "shrunk: 100 values tried; smaller ones may fail, too: the budget of 100 values is used up\n";
    assert!(text.contains(known), "{text}");
}

/// More values have seven nodes than the budget allows.
#[test]
fn a_value_that_is_only_smaller_is_not_called_the_smallest() {
    let (failure, text) = shrunk(sample(), |tree| tree.size < 8);
    assert_eq!((failure.size, failure.shrunk_from.unwrap().is_smallest), (8, false));
    assert!(!text.contains("smallest failing") && text.contains("the budget of 10,000 values is used up"), "{text}");
}

#[test]
fn numbers_become_lower() {
    let (failure, _) = shrunk(sample(), |tree| !any(&tree, |node| node.key >= 5));
    assert_eq!(failure.size, 1);
    assert!(failure.debug.contains("key: 5,"), "{}", failure.debug);
}

#[test]
fn a_value_that_fails_in_another_way_is_another_failure() {
    let (failure, _) = shrunk(sample(), |tree| {
        assert_ne!(tree.size, 1, "one");
        assert!(tree.size < 5, "many");
        true
    });
    assert_eq!((failure.size, failure.message.as_str()), (5, "many"));
}

#[test]
fn each_kind_of_failure_is_shrunk() {
    let (failures, _) = failures(sample().failures(2), |tree| {
        assert!(tree.size % 2 == 0, "odd");
        assert!(tree.size == 0, "even");
        true
    });
    let mut found: Vec<(usize, &str)> = failures.iter().map(|failure| (failure.size, &*failure.message)).collect();
    found.sort_unstable();
    assert_eq!(found, [(1, "odd"), (2, "even")]);
}

/// A property that is meant for some sizes is not run on others, unless there is only one.
#[test]
fn the_sizes_that_are_asked_for_are_kept() {
    let (failure, _) = shrunk(sample().sizes(4..=12), |_| false);
    assert_eq!((failure.size, failure.shrunk_from.unwrap().is_smallest), (4, true));
    let (failure, _) = shrunk(sample().exact(), |_| false);
    assert_eq!((failure.size, failure.shrunk_from.unwrap().size), (0, 12));
}

#[test]
fn nothing_is_shrunk_without_a_budget() {
    let (failures, text) = failures(sample().shrink(0), |_| false);
    assert!(failures[0].shrunk_from.is_none() && failures[0].size > 5);
    assert!(text.starts_with("property failed on structure #1, size "), "{text}");
}

#[test]
fn the_values_beside_it_stay() {
    let search: SearchWith<CountedTree, _> = sample().with([1, 2, 3]);
    let Err(Error::Property(failed)) = search.try_for_each(|(tree, number)| number != 2 || !has_fork(&tree)) else {
        panic!("it fails")
    };
    let failure = &failed.failures[0];
    assert_eq!(failure.size, 3);
    assert!(failure.replay.ends_with("+1") && failure.debug.ends_with(", 2)"), "{failure:?}");
}

/// What descents draw is shrunk as well.
#[test]
fn values_of_descents_are_shrunk() {
    let search = Search::new(CountedTree::scope(8)).summaries(Summaries::Never).sample(100).regressions(false);
    let (failure, _) = shrunk(search, |tree| !has_fork(&tree));
    assert_eq!((failure.size, failure.shrunk_from.unwrap().is_smallest), (3, true));
}

#[test]
fn a_time_limit_ends_shrinking() {
    let search = Search::new(CountedTree::scope(5)).exact().sample(100).regressions(false);
    let (failure, text) = shrunk(search.time_limit(Duration::from_secs(1)), |_| {
        std::thread::sleep(Duration::from_millis(1_100));
        false
    });
    assert!(!failure.shrunk_from.unwrap().is_smallest);
    assert!(text.contains("smaller ones may fail, too: the time limit was reached"), "{text}");
}

/// The labels are those of the sample.
#[test]
fn values_on_the_way_are_not_counted() {
    let mut ran = 0;
    let search = sample().failures(2).stats(true);
    let (_, text) = failures(search, |tree| {
        ran += 1;
        tree.size < 3
    });
    assert!(ran > 100, "{ran}");
    assert!(text.ends_with("100 valid"), "{text}");
}
