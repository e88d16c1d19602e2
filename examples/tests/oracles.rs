//! The exact counts of the literature (Elkarablieh, Marinov and Khurshid, ISSTA 2008, tables 1 and 2): explored candidates,
//! valid values, field initialisations. The large sizes run with `cargo test --release -- --ignored`.

use korat::{Backtracking, Finitize, Pruning, RepOk, Search};
use korat_examples::avl_tree::AvlTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::heap_array::HeapArray;
use korat_examples::nary_tree::NaryTree;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;
use korat_examples::sorted_list::SortedList;

/// `(explored, valid, field initialisations when re-executing)` of one row.
type Row = (u64, u64, u64);

fn meets<T: Finitize + RepOk>(scope: usize, (explored, valid, field_inits): Row) {
    let classic = Search::new(T::scope(scope)).pruning(Pruning::Classic).backtracking(Backtracking::Reexecute).count();
    assert_eq!((classic.explored, classic.valid, classic.field_inits), (explored, valid, field_inits));
    assert!(classic.complete);

    let pruned = Search::new(T::scope(scope)).backtracking(Backtracking::Reexecute).count();
    assert_eq!(pruned.valid, valid, "ownership pruning loses or invents values");
    assert!(pruned.explored <= classic.explored);
}

/// The first 100 values of a large size.
fn first_hundred_meet<T: Finitize + RepOk>(scope: usize, explored: u64, field_inits: u64) {
    let report =
        Search::new(T::scope(scope)).pruning(Pruning::Classic).backtracking(Backtracking::Reexecute).limit(100).count();
    assert_eq!((report.valid, report.explored, report.field_inits), (100, explored, field_inits));
}

macro_rules! rows {
    ($($subject:ident as $module:ident { $($(#[$attr:meta])* $name:ident: $scope:literal => $row:expr;)* })*) => {$(
        mod $module {
            use super::{$subject, meets};
            $(
                #[test]
                $(#[$attr])*
                fn $name() {
                    meets::<$subject>($scope, $row);
                }
            )*
        }
    )*};
}

rows! {
    BinaryTree as binary_tree {
        nine: 9 => (210_444, 4_862, 3_556_640);
        #[ignore = "long"]
        ten: 10 => (815_100, 16_796, 15_366_812);
        #[ignore = "long"]
        eleven: 11 => (3_162_018, 58_786, 65_809_076);
        #[ignore = "long"]
        twelve: 12 => (12_284_830, 208_012, 279_823_708);
    }
    AvlTree as avl_tree {
        seven: 7 => (43_485, 136, 801_754);
        #[ignore = "long"]
        eight: 8 => (182_930, 288, 3_840_910);
        #[ignore = "long"]
        nine: 9 => (611_592, 440, 14_013_240);
        #[ignore = "long"]
        ten: 10 => (2_036_700, 660, 50_271_572);
    }
    RedBlackTree as red_black_tree {
        six: 6 => (23_327, 140, 623_331);
        seven: 7 => (101_104, 280, 3_130_680);
        #[ignore = "long"]
        eight: 8 => (449_270, 576, 15_812_723);
        #[ignore = "long"]
        nine: 9 => (2_061_202, 1_220, 81_246_102);
    }
    SearchTree as search_tree {
        six: 6 => (98_693, 924, 1_798_082);
        #[ignore = "long"]
        seven: 7 => (755_833, 3_432, 15_782_074);
        #[ignore = "long"]
        eight: 8 => (5_797_298, 12_870, 136_077_730);
        #[ignore = "long"]
        nine: 9 => (44_537_298, 48_620, 1_159_010_940);
    }
    NaryTree as nary_tree {
        six: 6 => (314_515, 7_752, 5_631_007);
        #[ignore = "long"]
        seven: 7 => (2_084_503, 43_263, 43_319_152);
        #[ignore = "long"]
        eight: 8 => (13_776_898, 246_675, 326_280_532);
    }
    SortedList as sorted_list {
        twelve: 12 => (98_227, 13, 2_117_998);
        thirteen: 13 => (212_902, 14, 4_910_546);
        #[ignore = "long"]
        fourteen: 14 => (458_648, 15, 11_266_473);
        #[ignore = "long"]
        fifteen: 15 => (982_921, 16, 25_617_641);
    }
    HeapArray as heap_array {
        seven: 7 => (519_968, 117_562, 4_356_172);
        #[ignore = "long"]
        eight: 8 => (5_231_385, 1_005_075, 49_684_968);
    }
}

/// Where an alias is possible, ownership excludes it before the predicate has to.
#[test]
fn ownership_explores_less() {
    fn explored<T: Finitize + RepOk>(scope: usize, pruning: Pruning) -> u64 {
        Search::new(T::scope(scope)).pruning(pruning).count().explored
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

#[test]
#[ignore = "long"]
fn first_hundred_binary_trees() {
    first_hundred_meet::<BinaryTree>(100, 50_678, 9_745_867);
    first_hundred_meet::<BinaryTree>(200, 111_428, 41_780_717);
    first_hundred_meet::<BinaryTree>(300, 182_178, 100_105_567);
    first_hundred_meet::<BinaryTree>(400, 262_928, 188_720_417);
}

#[test]
#[ignore = "long"]
fn first_hundred_nary_trees() {
    first_hundred_meet::<NaryTree>(100, 65_516, 19_163_888);
    first_hundred_meet::<NaryTree>(200, 141_066, 80_656_838);
    first_hundred_meet::<NaryTree>(300, 226_616, 190_479_788);
    first_hundred_meet::<NaryTree>(400, 322_166, 354_632_738);
}

/// Sequences that need no search to know.
#[test]
fn valid_counts_are_the_known_sequences() {
    fn valid<T: Finitize + RepOk>(scopes: std::ops::RangeInclusive<usize>) -> Vec<u64> {
        scopes.map(|scope| Search::new(T::scope(scope)).count().valid).collect()
    }
    assert_eq!(valid::<BinaryTree>(0..=9), [1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862]);
    assert_eq!(valid::<NaryTree>(0..=6), [1, 3, 12, 55, 273, 1428, 7752], "ternary trees, the root not counted");
    // Shapes, times the ways to choose n of n + 1 keys.
    assert_eq!(valid::<AvlTree>(0..=7), [1, 2, 2 * 3, 4, 4 * 5, 6 * 6, 4 * 7, 17 * 8]);
    assert_eq!(valid::<RedBlackTree>(1..=6), [2 * 2, 2 * 3, 3 * 4, 8 * 5, 14 * 6, 20 * 7]);
}
