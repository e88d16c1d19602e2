//! Measures korat in one run, checking every count: both backtracking modes on the rows of the literature's tables 1
//! and 2 (Elkarablieh, Marinov and Khurshid, ISSTA 2008), with the speed-up against the reported one; korat against
//! hand-written programs for the same search; the gain of ownership pruning; and the memory of a search.
//!
//! `cargo bench -p korat-examples` takes a few minutes; `cargo bench -p korat-examples -- --quick` skips rows of more
//! than four million candidates. Without `--bench`, as under `cargo test --benches`, each subject's smallest row runs
//! once.

mod by_hand;
mod turns;

use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use by_hand::{enumerator, machine};
use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search};
use korat_examples::binary_tree::BinaryTree;
use korat_examples::binary_tree::recursive::RecursiveTree;
use korat_examples::literature::{self, Row};
use turns::{Turns, in_turns};

/// Rows with more candidates are skipped with `--quick`.
const LONG: u64 = 4_000_000;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [flag, scope] = &args[..]
        && flag == "--peak-of"
    {
        return print_peak_memory(scope.parse().expect("the bench calls itself with a number"));
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let (bench, quick) = (has("--bench"), has("--quick"));
    let wanted = |row: &Row| if bench { !quick || row.explored <= LONG } else { row.smallest };
    let rows = |table: Vec<Row>| table.into_iter().filter(wanted).collect::<Vec<_>>();
    let (table_1, table_2) = (rows(literature::table_1()), rows(literature::table_2()));
    let turns = if bench { Turns::FOR_A_ROW } else { Turns::ONE };

    println!("Checkpoints against re-execution, classic; times in ms, the best of alternating turns");
    let mut misses = Vec::new();
    misses.extend(print_speedups("Table 1: all values of one size", &table_1, turns, required_in_table_1));
    misses.extend(print_speedups(
        "Table 2: the first 100 values of a large size",
        &table_2,
        turns,
        required_in_table_2,
    ));
    println!();
    print_ownership(&table_1);
    println!();
    if !bench {
        print_machine(9, Turns::ONE);
        return;
    }
    print_enumerator(12, Turns::FOR_A_CONTEST);
    println!();
    misses.extend(print_machine(12, Turns::FOR_A_CONTEST));
    println!();
    print_memory();
    println!();
    println!("Requirements not met: {}", misses.len());
    for miss in misses {
        println!("    {miss}");
    }
}

/// A requirement on a ratio.
#[derive(Clone, Copy)]
enum Required {
    AtLeast(f64),
    MoreThan(f64),
    AtMost(f64),
}

impl Required {
    fn is_met(self, ratio: f64) -> bool {
        match self {
            Required::AtLeast(least) => ratio >= least,
            Required::MoreThan(bound) => ratio > bound,
            Required::AtMost(most) => ratio <= most,
        }
    }

    fn verdict(self, ratio: f64) -> String {
        let (sign, bound) = match self {
            Required::AtLeast(least) => (">=", least),
            Required::MoreThan(bound) => (">", bound),
            Required::AtMost(most) => ("<=", most),
        };
        format!("{} {sign} {bound:.1}", if self.is_met(ratio) { "ok" } else { "NOT" })
    }
}

/// Returns the requirement of a row of table 1: never slower, and three times as fast at the largest size of each
/// subject. The heap array is exempt from the latter, because its candidates are short and checkpoints save little.
fn required_in_table_1(row: &Row) -> Required {
    let least = if row.largest && row.subject != "heap array" { 3.0 } else { 1.0 };
    Required::AtLeast(least)
}

/// Returns the requirement of a row of table 2: a larger speed-up than the reported one.
fn required_in_table_2(row: &Row) -> Required {
    Required::MoreThan(row.reported.expect("table 2 reports every row"))
}

/// Prints a table. Returns the rows that miss their requirement.
fn print_speedups(title: &str, rows: &[Row], turns: Turns, required: fn(&Row) -> Required) -> Vec<String> {
    println!();
    println!("{title}");
    println!(
        "{:14} {:>3} {:>10} {:>11} {:>11} {:>8} {:>9}  required",
        "subject", "n", "explored", "re-execute", "checkpoint", "ratio", "reported"
    );
    let mut misses = Vec::new();
    for row in rows {
        let run = |backtracking| {
            let report = row.run(Pruning::Classic, backtracking);
            row.assert_met(&report, backtracking);
            report.elapsed
        };
        let times = in_turns(turns, &mut [&mut || run(Backtracking::Reexecute), &mut || run(Backtracking::Checkpoint)]);
        let [reexecute, checkpoint] = [times[0].best, times[1].best];
        let ratio = reexecute.as_secs_f64() / checkpoint.as_secs_f64();
        let (reported, required) = (row.reported, required(row));
        println!(
            "{:14} {:>3} {:>10} {:>11.2} {:>11.2} {:>8.2} {:>9}  {}",
            row.subject,
            row.scope,
            row.explored,
            milliseconds(reexecute),
            milliseconds(checkpoint),
            ratio,
            reported.map_or("-".to_string(), |reported| format!("{reported:.1}")),
            required.verdict(ratio)
        );
        if !required.is_met(ratio) {
            misses.push(format!("{} {}: {ratio:.2}", row.subject, row.scope));
        }
    }
    misses
}

/// Prints the cost of table 1 when ownership excludes aliases.
fn print_ownership(rows: &[Row]) {
    println!("Table 1 with ownership pruning, one run in each mode; times in ms");
    println!(
        "{:14} {:>3} {:>9} {:>10} {:>10} {:>11} {:>11}",
        "subject", "n", "valid", "classic", "explored", "re-execute", "checkpoint"
    );
    for row in rows {
        let [reexecute, checkpoint] = [Backtracking::Reexecute, Backtracking::Checkpoint].map(|backtracking| {
            let report = row.run(Pruning::Ownership, backtracking);
            assert_eq!(report.valid, row.valid, "{} {} with pruning", row.subject, row.scope);
            report
        });
        assert_eq!(reexecute.explored, checkpoint.explored, "{} {} with pruning", row.subject, row.scope);
        println!(
            "{:14} {:>3} {:>9} {:>10} {:>10} {:>11.2} {:>11.2}",
            row.subject,
            row.scope,
            row.valid,
            row.explored,
            reexecute.explored,
            milliseconds(reexecute.elapsed),
            milliseconds(checkpoint.elapsed)
        );
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn millions_per_second(candidates: u64, time: Duration) -> f64 {
    candidates as f64 / time.as_secs_f64() / 1e6
}

fn classic<T: Finitize + RepOk>(scope: usize, backtracking: Backtracking) -> Report {
    Search::new(T::scope(scope)).pruning(Pruning::Classic).backtracking(backtracking).report()
}

/// Returns a binary tree row of table 1.
fn binary_tree(scope: usize) -> Row {
    let row = literature::table_1().into_iter().find(|row| row.subject == "binary tree" && row.scope == scope);
    row.expect("table 1 has this binary tree")
}

/// Compares re-execution by korat and by hand.
fn print_enumerator(scope: usize, turns: Turns) {
    let row = binary_tree(scope);
    let mut korat = || {
        let report = row.run(Pruning::Classic, Backtracking::Reexecute);
        row.assert_met(&report, Backtracking::Reexecute);
        report.elapsed
    };
    let mut by_hand = || {
        let started = Instant::now();
        let counts = enumerator::binary_trees(scope);
        let elapsed = started.elapsed();
        assert_eq!((counts.explored, counts.valid), (row.explored, row.valid));
        elapsed
    };
    let times = in_turns(turns, &mut [&mut korat, &mut by_hand]);
    println!(
        "Binary tree {scope}, classic: re-execution by korat and by hand over exhaustigen, in turns ({}); M/s",
        times[0].turns
    );
    for (what, korat, by_hand) in [("median", times[0].median, times[1].median), ("best", times[0].best, times[1].best)]
    {
        let [korat, by_hand] = [korat, by_hand].map(|time| millions_per_second(row.explored, time));
        println!("{what:6}: korat {korat:6.2}, by hand {by_hand:6.2}, ratio {:.2}", korat / by_hand);
    }
}

/// Compares korat's machines with a hand-written one. Returns those that miss their requirement.
fn print_machine(scope: usize, turns: Turns) -> Vec<String> {
    let row = binary_tree(scope);
    let mut by_hand = || {
        let started = Instant::now();
        let counts = machine::binary_trees(scope);
        let elapsed = started.elapsed();
        assert_eq!(
            (counts.explored, counts.valid, counts.field_inits),
            (row.explored, row.valid, row.inits_checkpointed)
        );
        elapsed
    };
    let korat = |run: fn(usize, Backtracking) -> Report, backtracking| {
        let report = run(scope, backtracking);
        row.assert_met(&report, backtracking);
        report.elapsed
    };
    let times = in_turns(
        turns,
        &mut [
            &mut by_hand,
            &mut || korat(classic::<BinaryTree>, Backtracking::Checkpoint),
            &mut || korat(classic::<RecursiveTree>, Backtracking::Checkpoint),
            &mut || korat(classic::<BinaryTree>, Backtracking::Reexecute),
            &mut || korat(classic::<RecursiveTree>, Backtracking::Reexecute),
        ],
    );
    println!(
        "Binary tree {scope}, classic: korat against a machine lowered by hand, in turns ({}); times in ms",
        times[0].turns
    );
    println!("{:26} {:>9} {:>9} {:>10} {:>7}  required", "", "best", "median", "ns/cand.", "ratio");
    let lines = [
        ("machine by hand", None),
        ("korat, checkpoint", Some(Required::AtMost(1.5))),
        ("korat recursive, checkpoint", Some(Required::AtMost(4.0))),
        ("korat, re-execute", None),
        ("korat recursive, re-execute", None),
    ];
    let mut misses = Vec::new();
    for ((what, required), time) in lines.into_iter().zip(&times) {
        let ratio = time.best.as_secs_f64() / times[0].best.as_secs_f64();
        println!(
            "{what:27} {:>8.1} {:>9.1} {:>10.1} {ratio:>7.2}  {}",
            milliseconds(time.best),
            milliseconds(time.median),
            milliseconds(time.best) * 1e6 / row.explored as f64,
            required.map_or("-".to_string(), |required| required.verdict(ratio))
        );
        if required.is_some_and(|required| !required.is_met(ratio)) {
            misses.push(format!("{what} against the machine by hand: {ratio:.2}"));
        }
    }
    misses
}

/// Prints the peak memory of each size, measured in a separate process so that no peak hides another.
fn print_memory() {
    println!("Peak resident memory of a whole process, binary tree, classic, in both modes");
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

/// Prints the peak memory of both modes. Re-execution runs first: the peak after it is its own, the peak after both is
/// the larger one.
fn print_peak_memory(scope: usize) {
    let peak = || peak_memory().map_or("not known on this system".to_string(), |kib| format!("{kib} KiB"));
    let report = classic::<BinaryTree>(scope, Backtracking::Reexecute);
    print!("binary tree {scope}: {} candidates, peak {} after re-execution, ", report.explored, peak());
    classic::<BinaryTree>(scope, Backtracking::Checkpoint);
    println!("{} after checkpoints", peak());
}

/// Returns the peak resident set size so far, in KiB.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
