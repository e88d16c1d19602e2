//! Generates and drops 100,000 values and more of every example whose parts are shared or raw pointers: nothing is leaked, and
//! what is freed twice would abort.

#[path = "../../korat-test/tests/common/counting.rs"]
#[allow(dead_code, missing_docs, reason = "the peak is another test's")]
mod counting;

use counting::left_by;
use korat::{Finitize, RepOk, Search};
use korat_examples::deque::Deque;
use korat_examples::linked_list::LinkedList;
use korat_examples::red_black_tree::RedBlackTree;

/// Searches again and again until there were enough values; every value is looked at, and then dropped.
fn drops_all<T: Finitize + RepOk + std::fmt::Debug>(scope: usize, enough: u64) {
    let mut values = 0;
    let left = left_by(|| {
        while values < enough {
            values += Search::new(T::scope(scope)).for_each(|value: T| assert!(value.holds())).valid;
        }
        values = 0;
    });
    assert_eq!(left, 0, "bytes are left");
}

#[test]
fn lists_of_rc_and_weak() {
    drops_all::<LinkedList>(8, 100_000);
}

#[test]
fn deques_of_raw_pointers() {
    drops_all::<Deque>(12, 100_000);
}

#[test]
fn trees_with_weak_parents() {
    drops_all::<RedBlackTree>(5, 500);
}

#[test]
#[ignore = "trees are rare among the candidates: minutes in a debug build"]
fn many_trees_with_weak_parents() {
    drops_all::<RedBlackTree>(7, 100_000);
}
