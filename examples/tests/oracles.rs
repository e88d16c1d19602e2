//! The exact counts of the literature ([`literature`]): explored candidates, valid values, field initialisations of
//! both modes of backtracking; and that both modes run the predicate on the same candidates. The large sizes run with
//! `cargo test --release -- --ignored`.

use std::ops::{ControlFlow, RangeInclusive};

use korat::{Backtracking, Finitize, Pruning, RepOk, Search};
use korat_core::{Searcher, Settings};
use korat_examples::avl_tree::AvlTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::binary_tree::recursive::RecursiveTree;
use korat_examples::heap_array::HeapArray;
use korat_examples::literature::{self, Row};
use korat_examples::nary_tree::NaryTree;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;
use korat_examples::sorted_list::SortedList;

const MODES: [Backtracking; 2] = [Backtracking::Reexecute, Backtracking::Checkpoint];

fn find(table: Vec<Row>, subject: &str, scope: usize) -> Row {
    let row = table.into_iter().find(|row| row.subject == subject && row.scope == scope);
    row.unwrap_or_else(|| panic!("the table has no {subject} {scope}"))
}

/// All values of one size.
fn all_meet(subject: &str, scope: usize) {
    let row = find(literature::table_1(), subject, scope);
    for backtracking in MODES {
        let classic = row.run(Pruning::Classic, backtracking);
        row.assert_met(&classic, backtracking);
        let pruned = row.run(Pruning::Ownership, backtracking);
        assert_eq!(pruned.valid, row.valid, "ownership pruning loses or invents values, {backtracking:?}");
        assert!(pruned.explored <= classic.explored);
    }
}

/// The first 100 values of a large size.
fn first_hundred_meet(subject: &str, scope: usize) {
    let row = find(literature::table_2(), subject, scope);
    for backtracking in MODES {
        row.assert_met(&row.run(Pruning::Classic, backtracking), backtracking);
    }
}

/// The recursive form of the binary tree has the counts of the loop.
fn recursive_meets(subject: &str, scope: usize) {
    let row = find(literature::table_1(), subject, scope);
    for backtracking in MODES {
        let search = Search::new(RecursiveTree::scope(scope));
        row.assert_met(&search.pruning(Pruning::Classic).backtracking(backtracking).report(), backtracking);
    }
}

/// A module for each subject, with a test for each of its sizes: `"subject" as module: test size, ..; long test size, ..;`.
macro_rules! rows {
    ($meet:ident {$(
        $subject:literal as $module:ident: $($name:ident $scope:literal),*; long $($long_name:ident $long_scope:literal),*;
    )*}) => {$(
        mod $module {
            $(
                #[test]
                fn $name() {
                    super::$meet($subject, $scope);
                }
            )*
            $(
                #[test]
                #[ignore = "long"]
                fn $long_name() {
                    super::$meet($subject, $long_scope);
                }
            )*
        }
    )*};
}

rows!(all_meet {
    "binary tree" as binary_tree: nine 9; long ten 10, eleven 11, twelve 12;
    "AVL tree" as avl_tree: seven 7; long eight 8, nine 9, ten 10;
    "red-black tree" as red_black_tree: six 6, seven 7; long eight 8, nine 9;
    "search tree" as search_tree: six 6; long seven 7, eight 8, nine 9;
    "n-ary tree" as nary_tree: six 6; long seven 7, eight 8;
    "sorted list" as sorted_list: twelve 12, thirteen 13; long fourteen 14, fifteen 15;
    "heap array" as heap_array: seven 7; long eight 8;
});

rows!(first_hundred_meet {
    "binary tree" as first_hundred_binary_trees:
        of_one_hundred 100; long of_two_hundred 200, of_three_hundred 300, of_four_hundred 400;
    "n-ary tree" as first_hundred_nary_trees:
        of_one_hundred 100; long of_two_hundred 200, of_three_hundred 300, of_four_hundred 400;
});

rows!(recursive_meets {
    "binary tree" as recursive_binary_tree: nine 9; long twelve 12;
});

/// Every row of both tables is tested above, under its own name.
#[test]
fn the_tables_have_no_other_rows() {
    assert_eq!((literature::table_1().len(), literature::table_2().len()), (25, 8));
}

/// One execution of the predicate: its choices in order, as slot and index, and its verdict.
type Run = (Vec<(u32, u32)>, bool);

/// Every execution of the predicate, in order, and the search's own count of field initialisations.
fn runs<T: Finitize + RepOk>(scope: usize, pruning: Pruning, backtracking: Backtracking) -> (Vec<Run>, u64) {
    let settings = Settings { pruning, backtracking, ..Settings::default() };
    let mut searcher = Searcher::new(&T::scope(scope), settings).expect("the bounds are right");
    let mut runs = Vec::new();
    let mut keep = |candidate: korat_core::Candidate<'_>| {
        runs.push((candidate.choices(), candidate.accepted()));
        ControlFlow::Continue(())
    };
    while searcher.advance_observed(&mut keep).expect("the predicate is right") {}
    (runs, searcher.counters().field_inits)
}

/// Edges of the search tree: the choices of each execution that it does not share with the one before.
fn edges(runs: &[Run]) -> u64 {
    let mut before: &[(u32, u32)] = &[];
    let mut edges = 0;
    for (choices, _) in runs {
        let shared = choices.iter().zip(before).take_while(|(now, then)| now == then).count();
        edges += choices.len() - shared;
        before = choices;
    }
    edges as u64
}

/// Both modes run the predicate on the same candidates, in the same order, to the same verdict, and initialise what
/// they say.
fn modes_agree<T: Finitize + RepOk>(scopes: RangeInclusive<usize>) {
    for scope in scopes {
        for pruning in [Pruning::Classic, Pruning::Ownership] {
            let (reexecuted, inits) = runs::<T>(scope, pruning, Backtracking::Reexecute);
            assert_eq!(inits, reexecuted.iter().map(|(choices, _)| choices.len() as u64).sum::<u64>());
            let (checkpointed, inits) = runs::<T>(scope, pruning, Backtracking::Checkpoint);
            for (place, (reexecuted, checkpointed)) in reexecuted.iter().zip(&checkpointed).enumerate() {
                assert_eq!(reexecuted, checkpointed, "candidate {place} at scope {scope}, {pruning:?}");
            }
            assert_eq!(reexecuted.len(), checkpointed.len(), "candidates at scope {scope}, {pruning:?}");
            assert_eq!(inits, edges(&checkpointed), "field inits at scope {scope}, {pruning:?}");
        }
    }
}

macro_rules! modes_agree_on {
    ($($name:ident: $Type:ty, $scopes:expr;)*) => {
        mod modes_agree_on {
            use super::*;
            $(
                #[test]
                fn $name() {
                    modes_agree::<$Type>($scopes);
                }
            )*
        }
    };
}

modes_agree_on! {
    binary_trees: BinaryTree, 0..=7;
    recursive_binary_trees: RecursiveTree, 0..=7;
    avl_trees: AvlTree, 0..=6;
    red_black_trees: RedBlackTree, 0..=5;
    search_trees: SearchTree, 0..=5;
    nary_trees: NaryTree, 0..=5;
    sorted_lists: SortedList, 0..=9;
    heap_arrays: HeapArray, 0..=5;
}

/// What a checkpointing search must count, from the candidates of a re-executing one.
#[test]
fn field_inits_of_checkpoints_are_the_edges_of_the_search_tree() {
    fn meets<T: Finitize + RepOk>(subject: &str, scope: usize) {
        let row = find(literature::table_1(), subject, scope);
        let (runs, _) = runs::<T>(scope, Pruning::Classic, Backtracking::Reexecute);
        assert_eq!(edges(&runs), row.inits_checkpointed, "{subject} {scope}");
    }
    meets::<AvlTree>("AVL tree", 7);
    meets::<RedBlackTree>("red-black tree", 6);
    meets::<SearchTree>("search tree", 6);
    meets::<SortedList>("sorted list", 12);
}

/// Where an alias is possible, ownership excludes it before the predicate has to.
#[test]
fn ownership_explores_less() {
    fn explored<T: Finitize + RepOk>(scope: usize, pruning: Pruning) -> u64 {
        Search::new(T::scope(scope)).pruning(pruning).report().explored
    }
    fn less<T: Finitize + RepOk>(scope: usize) {
        let (pruned, classic) = (explored::<T>(scope, Pruning::Ownership), explored::<T>(scope, Pruning::Classic));
        assert!(pruned < classic, "{pruned} of {classic}");
    }
    less::<BinaryTree>(6);
    less::<SearchTree>(4);
    less::<AvlTree>(5);
    less::<NaryTree>(4);
    less::<SortedList>(6);
}

/// Sequences that need no search to know.
#[test]
fn valid_counts_are_the_known_sequences() {
    fn valid<T: Finitize + RepOk>(scopes: RangeInclusive<usize>) -> Vec<u64> {
        scopes.map(|scope| Search::new(T::scope(scope)).report().valid).collect()
    }
    assert_eq!(valid::<BinaryTree>(0..=9), [1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862]);
    assert_eq!(valid::<NaryTree>(0..=6), [1, 3, 12, 55, 273, 1428, 7752], "ternary trees, the root not counted");
    // Shapes, times the ways to choose n of n + 1 keys.
    assert_eq!(valid::<AvlTree>(0..=7), [1, 2, 2 * 3, 4, 4 * 5, 6 * 6, 4 * 7, 17 * 8]);
    assert_eq!(valid::<RedBlackTree>(1..=6), [2 * 2, 2 * 3, 3 * 4, 8 * 5, 14 * 6, 20 * 7]);
}
