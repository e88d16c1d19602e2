//! The overhead of the harness: `for_each` with an empty property against the bare engine that builds every value, in
//! alternating turns. `for_each` includes ordering by size, kept values, limits, labels and catching panics; it may
//! take at most 1.3 times as long.
//!
//! Run it with `cargo bench -p korat-examples --bench harness`. Without `--bench`, as under `cargo test --benches`,
//! each subject runs once at a small scope.

#[allow(dead_code, reason = "the other benchmark tells more of a turn")]
mod turns;

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

use korat::{Finitize, RepOk, Search};
use korat_core::{Searcher, Settings};
use korat_examples::avl_tree::AvlTree;
use korat_examples::b_tree::BTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::deque::Deque;
use korat_examples::expression::Program;
use korat_examples::heap_array::HeapArray;
use korat_examples::linked_list::LinkedList;
use korat_examples::lru_cache::LruCache;
use korat_examples::nary_tree::NaryTree;
use korat_examples::piece_table::PieceTable;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;
use korat_examples::skip_list::SkipList;
use korat_examples::sorted_list::SortedList;
use korat_examples::trie::Trie;
use korat_examples::union_find::UnionFind;
use turns::{Turns, in_turns};

/// The maximum ratio.
const MOST: f64 = 1.3;

fn main() {
    let bench = std::env::args().any(|arg| arg == "--bench");
    println!(
        "for_each with an empty property against the engine and what builds the values; times in ms, the best of turns"
    );
    println!("{:<18} {:>5} {:>9} {:>9} {:>9} {:>6}", "structure", "scope", "values", "engine", "for_each", "ratio");
    let scope = |small: usize, large: usize| if bench { large } else { small };
    let misses: Vec<String> = [
        compare::<BinaryTree>("binary tree", scope(3, 10), bench),
        compare::<SearchTree>("search tree", scope(3, 7), bench),
        compare::<AvlTree>("AVL tree", scope(3, 9), bench),
        compare::<RedBlackTree>("red-black tree", scope(3, 7), bench),
        compare::<NaryTree>("n-ary tree", scope(3, 7), bench),
        compare::<SortedList>("sorted list", scope(3, 12), bench),
        compare::<HeapArray>("heap array", scope(3, 7), bench),
        compare::<LinkedList>("linked list", scope(2, 7), bench),
        compare::<Deque>("deque", scope(2, 10), bench),
        compare::<BTree>("B-tree", scope(2, 5), bench),
        compare::<Program>("expression", scope(2, 5), bench),
        compare::<LruCache>("LRU cache", scope(2, 4), bench),
        compare::<PieceTable>("piece table", scope(2, 3), bench),
        compare::<SkipList>("skip list", scope(2, 5), bench),
        compare::<Trie>("trie", scope(2, 3), bench),
        compare::<UnionFind>("union-find", scope(2, 6), bench),
    ]
    .into_iter()
    .flatten()
    .collect();
    if bench {
        println!("More than {MOST} times the engine: {}", misses.len());
        for miss in misses {
            println!("    {miss}");
        }
    }
}

/// Prints a row. Returns a message if the ratio is too large.
fn compare<T: Finitize + RepOk + Debug>(name: &str, scope: usize, bench: bool) -> Option<String> {
    let mut values = 0;
    let mut engine = || {
        let started = Instant::now();
        let bounds = T::scope(scope);
        let mut searcher = Searcher::new(&bounds, Settings::default()).expect("the bounds of an example are right");
        while searcher.advance().expect("the invariant of an example is right") {
            searcher.free_cycles();
            black_box(searcher.value());
        }
        values = searcher.counters().valid;
        drop(searcher);
        started.elapsed()
    };
    let mut for_each = || {
        let started = Instant::now();
        Search::new(T::scope(scope)).for_each(|value| drop(black_box(value)));
        started.elapsed()
    };
    let turns = if bench { Turns::FOR_A_ROW } else { Turns::ONE };
    let times = in_turns(turns, &mut [&mut engine, &mut for_each]);
    let (bare, harness) = (times[0].best, times[1].best);
    let ratio = harness.as_secs_f64() / bare.as_secs_f64();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{name:<18} {scope:>5} {values:>9} {:>9.2} {:>9.2} {ratio:>6.2}", ms(bare), ms(harness));
    (ratio > MOST).then(|| format!("{name} {scope}: {ratio:.2}"))
}
