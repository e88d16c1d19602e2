//! Times the rows of the literature's table 1 (Elkarablieh, Marinov and Khurshid, ISSTA 2008), korat against a hand-written
//! enumerator on the same search, and the memory a search needs. All in one run; every count is checked on the way.
//!
//! `cargo bench -p korat-examples` leaves out rows of more than four million candidates; `cargo bench -p korat-examples --
//! --all` has them all. Without `--bench`, as under `cargo test --benches`, only the smallest row of each subject runs.

mod by_hand;

use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search};
use korat_examples::avl_tree::AvlTree;
use korat_examples::binary_tree::BinaryTree;
use korat_examples::heap_array::HeapArray;
use korat_examples::nary_tree::NaryTree;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;
use korat_examples::sorted_list::SortedList;

/// One row: the subject, its scope, and what a classic search must find.
struct Row {
    subject: &'static str,
    scope: usize,
    explored: u64,
    valid: u64,
    run: fn(usize, Pruning) -> Report,
}

fn run<T: Finitize + RepOk>(scope: usize, pruning: Pruning) -> Report {
    Search::new(T::scope(scope)).pruning(pruning).backtracking(Backtracking::Reexecute).count()
}

/// `(scope, explored, valid)` of each row of a subject.
fn rows<T: Finitize + RepOk>(subject: &'static str, counts: &[(usize, u64, u64)]) -> Vec<Row> {
    let row = |&(scope, explored, valid)| Row { subject, scope, explored, valid, run: run::<T> };
    counts.iter().map(row).collect()
}

fn table1() -> Vec<Vec<Row>> {
    vec![
        rows::<BinaryTree>(
            "binary tree",
            &[(9, 210_444, 4_862), (10, 815_100, 16_796), (11, 3_162_018, 58_786), (12, 12_284_830, 208_012)],
        ),
        rows::<AvlTree>("AVL tree", &[(7, 43_485, 136), (8, 182_930, 288), (9, 611_592, 440), (10, 2_036_700, 660)]),
        rows::<RedBlackTree>(
            "red-black tree",
            &[(6, 23_327, 140), (7, 101_104, 280), (8, 449_270, 576), (9, 2_061_202, 1_220)],
        ),
        rows::<SearchTree>(
            "search tree",
            &[(6, 98_693, 924), (7, 755_833, 3_432), (8, 5_797_298, 12_870), (9, 44_537_298, 48_620)],
        ),
        rows::<NaryTree>("n-ary tree", &[(6, 314_515, 7_752), (7, 2_084_503, 43_263), (8, 13_776_898, 246_675)]),
        rows::<SortedList>("sorted list", &[(12, 98_227, 13), (13, 212_902, 14), (14, 458_648, 15), (15, 982_921, 16)]),
        rows::<HeapArray>("heap array", &[(7, 519_968, 117_562), (8, 5_231_385, 1_005_075)]),
    ]
}

/// Rows with more candidates run with `--all` only.
const LONG: u64 = 4_000_000;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [flag, scope] = &args[..]
        && flag == "--peak-of"
    {
        return print_peak_memory(scope.parse().expect("the bench calls itself with a number"));
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let (bench, all) = (has("--bench"), has("--all"));
    print_table(|place, row| if bench { all || row.explored <= LONG } else { place == 0 });
    if bench {
        print_comparison(12, 7);
        print_memory();
    }
}

fn print_table(wanted: impl Fn(usize, &Row) -> bool) {
    println!("Table 1, by re-execution; M/s is million candidates per second");
    println!("{:37}|{:^33}|{:^33}", "", "classic", "ownership");
    println!(
        "{:14} {:>2} {:>9}{:9} | {:>11} {:>9} {:>9} | {:>11} {:>9} {:>9}",
        "subject", "n", "valid", "", "explored", "ms", "M/s", "explored", "ms", "M/s"
    );
    for subject in table1() {
        for (_, row) in subject.iter().enumerate().filter(|(place, row)| wanted(*place, row)) {
            let classic = (row.run)(row.scope, Pruning::Classic);
            assert_eq!((classic.explored, classic.valid), (row.explored, row.valid), "{} {}", row.subject, row.scope);
            let pruned = (row.run)(row.scope, Pruning::Ownership);
            assert_eq!(pruned.valid, row.valid, "{} {} with pruning", row.subject, row.scope);
            println!(
                "{:14} {:>2} {:>9}{:9} | {} | {}",
                row.subject,
                row.scope,
                row.valid,
                "",
                columns(&classic),
                columns(&pruned)
            );
        }
    }
}

fn columns(report: &Report) -> String {
    let ms = report.elapsed.as_secs_f64() * 1e3;
    format!("{:>11} {:>9.1} {:>9.2}", report.explored, ms, millions_per_second(report.explored, report.elapsed))
}

fn millions_per_second(candidates: u64, elapsed: Duration) -> f64 {
    candidates as f64 / elapsed.as_secs_f64() / 1e6
}

/// The same search by korat and by hand, in turns.
fn print_comparison(scope: usize, turns: usize) {
    println!();
    println!("Binary tree {scope}, classic: korat against a hand-written enumerator over exhaustigen, in turns; M/s");
    let (mut korat, mut by_hand) = (Vec::new(), Vec::new());
    for turn in 1..=turns {
        let report = run::<BinaryTree>(scope, Pruning::Classic);
        korat.push(millions_per_second(report.explored, report.elapsed));

        let started = Instant::now();
        let counts = by_hand::binary_trees(scope);
        by_hand.push(millions_per_second(counts.explored, started.elapsed()));

        assert_eq!((counts.explored, counts.valid), (report.explored, report.valid));
        assert_eq!((counts.explored, counts.valid), (12_284_830, 208_012));
        println!("turn {turn}: korat {:6.2}, by hand {:6.2}", korat[turn - 1], by_hand[turn - 1]);
    }
    korat.sort_by(f64::total_cmp);
    by_hand.sort_by(f64::total_cmp);
    for (what, place) in [("median", turns / 2), ("best", turns - 1)] {
        let (korat, by_hand) = (korat[place], by_hand[place]);
        println!("{what:6}: korat {korat:6.2}, by hand {by_hand:6.2}, ratio {:.2}", korat / by_hand);
    }
}

/// Each size in a process of its own, so that no peak hides another.
fn print_memory() {
    println!();
    println!("Peak resident memory of a whole process, binary tree, classic");
    for scope in [10, 12] {
        let this = env::current_exe().expect("a running program has a path");
        let output = Command::new(this).args(["--peak-of", &scope.to_string()]).output();
        match output {
            Ok(output) if output.status.success() => print!("{}", String::from_utf8_lossy(&output.stdout)),
            Ok(output) => panic!("the measuring process failed: {}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => panic!("the measuring process did not start: {error}"),
        }
    }
}

fn print_peak_memory(scope: usize) {
    let report = run::<BinaryTree>(scope, Pruning::Classic);
    let peak = peak_memory().map_or("not known on this system".to_string(), |kib| format!("{kib} KiB"));
    println!("binary tree {scope}: {} candidates, peak {peak}", report.explored);
}

/// The largest resident set so far, in KiB.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
