//! Shards of the literature's subjects: about the same work each, and together exactly that of one run.

use korat::{Finitize, Pruning, RepOk, Search, Shard, Summaries};
use korat_examples::avl_tree::AvlTree;
use korat_examples::b_tree::BTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::heap_array::HeapArray;
use korat_examples::literature;
use korat_examples::nary_tree::NaryTree;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;
use korat_examples::sorted_list::SortedList;

/// The number of shards.
const SHARDS: u32 = 8;

/// The most that one shard may explore for each candidate of another.
const MOST_UNEVEN: f64 = 1.3;

fn shards() -> impl Iterator<Item = Shard> {
    (1..=SHARDS).map(|index| Shard::new(index, SHARDS).expect("it is one of them"))
}

/// Runs every shard. Returns candidates and values of all, and the ratio between the most and the fewest candidates.
fn run<T: Finitize + RepOk>(scope: usize, pruning: Pruning) -> (u64, u64, f64) {
    let search =
        |shard| Search::new(T::scope(scope)).pruning(pruning).summaries(Summaries::Never).shard(shard).report();
    let reports: Vec<_> = shards().map(search).collect();
    let explored: Vec<u64> = reports.iter().map(|report| report.explored).collect();
    let (most, fewest) = (explored.iter().max().copied().unwrap_or(0), explored.iter().min().copied().unwrap_or(0));
    let uneven = most as f64 / fewest.max(1) as f64;
    println!("{:>16} {scope:>3} {pruning:?}: {uneven:.3}, {explored:?}", T::NAME);
    (explored.iter().sum(), reports.iter().map(|report| report.valid).sum(), uneven)
}

/// The sizes are those of the tables, or smaller ones whose counts a whole run gives.
fn is_even<T: Finitize + RepOk>(subject: &str, scope: usize) {
    for pruning in [Pruning::Classic, Pruning::Ownership] {
        let row = literature::table_1().into_iter().find(|row| (row.subject, row.scope) == (subject, scope));
        let (explored, valid) = match row.filter(|_| pruning == Pruning::Classic) {
            Some(row) => (row.explored, row.valid),
            None => {
                let whole = Search::new(T::scope(scope)).pruning(pruning).report();
                (whole.explored, whole.valid)
            }
        };
        let (all_explored, all_valid, uneven) = run::<T>(scope, pruning);
        assert_eq!((all_explored, all_valid), (explored, valid), "{subject} {scope}, {pruning:?}");
        assert!(uneven < MOST_UNEVEN, "{subject} {scope}, {pruning:?}: {uneven}");
    }
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn binary_trees() {
    is_even::<BinaryTree>("binary tree", 9);
}

#[test]
fn avl_trees() {
    is_even::<AvlTree>("AVL tree", 8);
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn red_black_trees() {
    is_even::<RedBlackTree>("red-black tree", 7);
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn search_trees() {
    is_even::<SearchTree>("search tree", 6);
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn nary_trees() {
    is_even::<NaryTree>("n-ary tree", 6);
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn sorted_lists() {
    is_even::<SortedList>("sorted list", 12);
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn heap_arrays() {
    is_even::<HeapArray>("heap array", 7);
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn b_trees_add_up() {
    // Half of the work lies in a thousandth of the pieces: the shards differ by 1.26, and with `Pruning::Classic` by 1.43.
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        let whole = Search::new(BTree::scope(7)).pruning(pruning).report();
        let (explored, valid, _) = run::<BTree>(7, pruning);
        assert_eq!((explored, valid), (whole.explored, whole.valid));
    }
}
