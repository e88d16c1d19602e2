//! The profile of every example: what it counts per line and per field adds up to what the search counts, in both ways of
//! backtracking.

use korat::{Backtracking, Finitize, Profile, RepOk, Report, Search};
use korat_examples::avl_tree::AvlTree;
use korat_examples::b_tree::BTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::dag::Dag;
use korat_examples::deque::Deque;
use korat_examples::expression::Program;
use korat_examples::heap_array::HeapArray;
use korat_examples::linked_list::LinkedList;
use korat_examples::lru_cache::LruCache;
use korat_examples::nary_tree::NaryTree;
use korat_examples::piece_table::PieceTable;
use korat_examples::red_black_arena;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::ring_buffer::Ring;
use korat_examples::search_tree::SearchTree;
use korat_examples::skip_list::SkipList;
use korat_examples::slab::Slab;
use korat_examples::sorted_list::SortedList;
use korat_examples::trie::Trie;
use korat_examples::union_find::UnionFind;

fn profiled<T: Finitize + RepOk>(scope: usize, backtracking: Backtracking) -> (Report, Profile) {
    let mut report = Search::new(T::scope(scope)).backtracking(backtracking).profile(true).allow_empty(true).report();
    let profile = report.profile.take().expect("it was asked for");
    (report, profile)
}

fn adds_up<T: Finitize + RepOk>(scope: usize) {
    let (report, profile) = profiled::<T>(scope, Backtracking::Checkpoint);
    assert_eq!(profile.explored, report.explored);
    assert!(profile.rejected > 0, "nothing to look at");
    let sum = |count: fn(&korat::ProfiledLine) -> u64| profile.lines.iter().map(count).sum::<u64>();
    assert_eq!(profile.lines_unknown, None);
    assert_eq!(sum(|line| line.rejected), profile.rejected);
    // A read that finds no object counts as an initialisation, and decides nothing.
    let reads = report.field_inits - profile.dead_ends;
    assert_eq!(sum(|line| line.reads), reads);
    assert_eq!(sum(|line| line.reentries), report.explored - 1);
    assert_eq!(profile.fields.iter().map(|field| field.reads).sum::<u64>(), reads);
    for line in &profile.lines {
        assert!(line.read_last.iter().map(|last| last.candidates).sum::<u64>() <= line.rejected);
    }
    // A search that is not looked at does the same.
    let quick = Search::new(T::scope(scope)).allow_empty(true).report();
    assert_eq!((quick.explored, quick.valid, quick.field_inits), (report.explored, report.valid, report.field_inits));
    assert_eq!(quick.unread_fields, report.unread_fields);

    let (again, from_the_top) = profiled::<T>(scope, Backtracking::Reexecute);
    assert_eq!((from_the_top.rejected, from_the_top.dead_ends), (profile.rejected, profile.dead_ends));
    assert_eq!(from_the_top.fields, profile.fields);
    assert_eq!(again.unread_fields, report.unread_fields);
}

macro_rules! examples {
    ($($name:ident: $type:ty, $scope:literal;)*) => {
        $(#[test]
        fn $name() {
            adds_up::<$type>($scope);
        })*
    };
}

examples! {
    avl_tree: AvlTree, 4;
    b_tree: BTree, 3;
    binary_tree: BinaryTree, 4;
    dag: Dag, 3;
    deque: Deque, 3;
    expression: Program, 3;
    heap_array: HeapArray, 4;
    linked_list: LinkedList, 3;
    lru_cache: LruCache, 3;
    nary_tree: NaryTree, 4;
    piece_table: PieceTable, 3;
    red_black_in_an_arena: red_black_arena::RedBlackTree, 4;
    red_black_tree: RedBlackTree, 4;
    ring_buffer: Ring<u8, 4>, 3;
    search_tree: SearchTree, 4;
    skip_list: SkipList, 3;
    slab: Slab<u8>, 3;
    sorted_list: SortedList, 5;
    trie: Trie, 3;
    union_find: UnionFind, 3;
}
