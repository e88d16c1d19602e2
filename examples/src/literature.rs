//! Published measurements (Elkarablieh, Marinov and Khurshid, ISSTA 2008, tables 1 and 2), row by row: the counts that
//! a search with `Pruning::Classic` must reproduce exactly, and the reported speed-up of checkpointed backtracking.
//! Tests and benchmarks run the rows.

use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search};

use crate::avl_tree::AvlTree;
use crate::binary_tree::BinaryTree;
use crate::heap_array::HeapArray;
use crate::nary_tree::NaryTree;
use crate::red_black_tree::RedBlackTree;
use crate::search_tree::SearchTree;
use crate::sorted_list::SortedList;

/// One subject at one size.
pub struct Row {
    /// The structure.
    pub subject: &'static str,
    /// The size.
    pub scope: usize,
    /// Whether this is the subject's smallest size in its table.
    pub smallest: bool,
    /// Whether this is the subject's largest size in its table.
    pub largest: bool,
    /// Executions of the predicate.
    pub explored: u64,
    /// Valid values.
    pub valid: u64,
    /// Field initialisations with re-execution: every candidate initialises all of its fields anew.
    pub inits_reexecuted: u64,
    /// Field initialisations with checkpoints: one per choice, however many candidates share it.
    pub inits_checkpointed: u64,
    /// The reported speed-up of checkpoints, where known.
    pub reported: Option<f64>,
    limit: Option<u64>,
    run: fn(&Row, Pruning, Backtracking) -> Report,
}

impl Row {
    /// Runs the search.
    pub fn run(&self, pruning: Pruning, backtracking: Backtracking) -> Report {
        (self.run)(self, pruning, backtracking)
    }

    /// Panics unless the report of a classic search has these counts.
    pub fn assert_met(&self, report: &Report, backtracking: Backtracking) {
        let field_inits =
            if backtracking == Backtracking::Checkpoint { self.inits_checkpointed } else { self.inits_reexecuted };
        assert_eq!(
            (report.explored, report.valid, report.field_inits),
            (self.explored, self.valid, field_inits),
            "explored, valid and field inits of {} {}, {backtracking:?}",
            self.subject,
            self.scope
        );
        assert_eq!(report.is_complete(), self.limit.is_none());
    }
}

/// Returns the rows of table 1: all values of one size. Speed-ups are reported as a range per subject; the smallest and
/// the largest size carry its ends.
pub fn table_1() -> Vec<Row> {
    [
        rows::<BinaryTree>(
            "binary tree",
            &[
                (9, 210_444, 4_862, 3_556_640, 241_074, Some(2.7)),
                (10, 815_100, 16_796, 15_366_812, 921_312, None),
                (11, 3_162_018, 58_786, 65_809_076, 3_535_028, None),
                (12, 12_284_830, 208_012, 279_823_708, 13_608_752, Some(5.7)),
            ],
        ),
        rows::<AvlTree>(
            "AVL tree",
            &[
                (7, 43_485, 136, 801_754, 50_364, Some(3.2)),
                (8, 182_930, 288, 3_840_910, 207_966, None),
                (9, 611_592, 440, 14_013_240, 686_794, None),
                (10, 2_036_700, 660, 50_271_572, 2_265_072, Some(6.4)),
            ],
        ),
        rows::<RedBlackTree>(
            "red-black tree",
            &[
                (6, 23_327, 140, 623_331, 30_876, Some(3.2)),
                (7, 101_104, 280, 3_130_680, 135_274, None),
                (8, 449_270, 576, 15_812_723, 614_107, None),
                (9, 2_061_202, 1_220, 81_246_102, 2_899_485, Some(6.6)),
            ],
        ),
        rows::<SearchTree>(
            "search tree",
            &[
                (6, 98_693, 924, 1_798_082, 115_354, Some(4.1)),
                (7, 755_833, 3_432, 15_782_074, 864_476, None),
                (8, 5_797_298, 12_870, 136_077_730, 6_524_130, None),
                (9, 44_537_298, 48_620, 1_159_010_940, 49_493_134, Some(8.3)),
            ],
        ),
        rows::<NaryTree>(
            "n-ary tree",
            &[
                (6, 314_515, 7_752, 5_631_007, 376_824, Some(3.1)),
                (7, 2_084_503, 43_263, 43_319_152, 2_436_750, None),
                (8, 13_776_898, 246_675, 326_280_532, 15_806_535, Some(6.7)),
            ],
        ),
        rows::<SortedList>(
            "sorted list",
            &[
                (12, 98_227, 13, 2_117_998, 106_430, Some(3.5)),
                (13, 212_902, 14, 4_910_546, 229_298, None),
                (14, 458_648, 15, 11_266_473, 491_429, None),
                (15, 982_921, 16, 25_617_641, 1_048_471, Some(6.3)),
            ],
        ),
        // These bounds are those of Java Korat; the paper does not give its own.
        rows::<HeapArray>(
            "heap array",
            &[(7, 519_968, 117_562, 4_356_172, 584_964, None), (8, 5_231_385, 1_005_075, 49_684_968, 5_812_650, None)],
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the rows of table 2: the first 100 values of a large size.
pub fn table_2() -> Vec<Row> {
    let mut rows: Vec<Row> = [
        rows::<BinaryTree>(
            "binary tree",
            &[
                (100, 50_678, 100, 9_745_867, 51_585, Some(22.6)),
                (200, 111_428, 100, 41_780_717, 112_635, Some(43.0)),
                (300, 182_178, 100, 100_105_567, 183_685, Some(55.8)),
                (400, 262_928, 100, 188_720_417, 264_735, Some(69.2)),
            ],
        ),
        rows::<NaryTree>(
            "n-ary tree",
            &[
                (100, 65_516, 100, 19_163_888, 66_651, Some(32.3)),
                (200, 141_066, 100, 80_656_838, 142_601, Some(60.7)),
                (300, 226_616, 100, 190_479_788, 228_551, Some(92.7)),
                (400, 322_166, 100, 354_632_738, 324_501, Some(117.0)),
            ],
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    for row in &mut rows {
        row.limit = Some(row.valid);
    }
    rows
}

/// Scope, explored, valid, field initialisations with re-execution and with checkpoints, reported speed-up.
type Figures = (usize, u64, u64, u64, u64, Option<f64>);

fn rows<T: Finitize + RepOk>(subject: &'static str, figures: &[Figures]) -> Vec<Row> {
    let row = |(place, &(scope, explored, valid, inits_reexecuted, inits_checkpointed, reported))| Row {
        subject,
        scope,
        smallest: place == 0,
        largest: place + 1 == figures.len(),
        explored,
        valid,
        inits_reexecuted,
        inits_checkpointed,
        reported,
        limit: None,
        run: run::<T>,
    };
    figures.iter().enumerate().map(row).collect()
}

fn run<T: Finitize + RepOk>(row: &Row, pruning: Pruning, backtracking: Backtracking) -> Report {
    let search = Search::new(T::scope(row.scope)).pruning(pruning).backtracking(backtracking);
    match row.limit {
        Some(limit) => search.limit(limit).report(),
        None => search.report(),
    }
}
