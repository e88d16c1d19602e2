//! Several threads on the literature's subjects: exactly what one does.

use std::fmt::Debug;

use korat::{Finitize, Pruning, RepOk, Report, Search, Summaries};
use korat_examples::avl_tree::AvlTree;
use korat_examples::b_tree::BTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::heap_array::HeapArray;
use korat_examples::nary_tree::NaryTree;
use korat_examples::natural;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;
use korat_examples::sorted_list::SortedList;
use korat_examples::union_find::UnionFind;

/// Returns what a search of several threads has in common with that of one.
fn counts(report: &Report) -> (u64, u64, &[(usize, u64)], &[String]) {
    (report.explored, report.valid, &report.by_size, &report.unread_fields)
}

/// Returns what is reported of a search that fails on one value, from its message to its replay, and the counts.
fn failure<T: Finitize + RepOk + Debug>(search: Search<T>, fails: impl Fn(&T) -> bool + Sync) -> (String, String) {
    let error = search.try_par_for_each(|value| !fails(&value)).expect_err("it fails");
    let text = error.to_string();
    let report = text.lines().take_while(|line| !line.contains("as a test of its own")).collect::<Vec<_>>().join("\n");
    (report, text.lines().last().unwrap_or_default().to_string())
}

fn agree<T: Finitize + RepOk + Debug>(scope: usize, setting: fn(Search<T>) -> Search<T>) {
    let search = |threads| setting(Search::new(T::scope(scope))).regressions(false).crash_notes(false).threads(threads);
    let one = search(1).par_for_each(|_| {});
    // Late, and many of them.
    let len = |value: &T| format!("{value:?}").len();
    let most = std::sync::atomic::AtomicUsize::new(0);
    search(1).par_for_each(|value| _ = most.fetch_max(len(&value), std::sync::atomic::Ordering::Relaxed));
    let late = most.into_inner() * 3 / 4;
    let failed = failure(search(1), |value| len(value) >= late);
    for threads in [2, 3, 8] {
        let several = search(threads).par_for_each(|_| {});
        assert_eq!(counts(&several), counts(&one), "{} {scope} on {threads} threads", T::NAME);
        assert_eq!(
            failure(search(threads), |value| len(value) >= late),
            failed,
            "{} {scope} on {threads} threads",
            T::NAME
        );
    }
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn literature() {
    agree::<BinaryTree>(8, |search| search.pruning(Pruning::Classic));
    agree::<SearchTree>(5, |search| search.pruning(Pruning::Classic));
    agree::<AvlTree>(7, |search| search);
    agree::<RedBlackTree>(6, |search| search);
    agree::<NaryTree>(5, |search| search);
    agree::<SortedList>(8, |search| search);
    agree::<HeapArray>(6, |search| search);
    agree::<BTree>(6, |search| search);
    agree::<UnionFind>(4, |search| search);
}

/// The search comes before the summaries, which begin at a size that depends on how many candidates were tried.
#[test]
#[ignore = "takes minutes in a debug build"]
fn searches_that_are_summarised_on_their_way() {
    agree::<natural::search_tree::SearchTree>(7, |search| search);
    agree::<natural::red_black_tree::RedBlackTree>(8, |search| search);
    agree::<natural::search_tree::SearchTree>(6, |search| search.summaries(Summaries::Always));
}
