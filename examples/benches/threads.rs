//! Measures how much faster several threads are than one, in one run, in turns, checking every count: with a property that does nothing, and with one that takes
//! much longer than the search.
//!
//! `cargo bench -p korat-examples --bench threads` takes a few minutes; the load of the machine, which it prints, should be below one before it begins. Without
//! `--bench`, as under `cargo test --benches`, small scopes run once.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use korat::{Finitize, RepOk, Report, Search, Summaries};
use korat_examples::natural::red_black_tree::RedBlackTree;
use korat_examples::natural::search_tree::SearchTree;

/// The number of threads beside one.
const THREADS: usize = 2;

fn main() {
    let bench = env::args().any(|arg| arg == "--bench");
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("{cores} cores; load before: {}", load.split(' ').next().unwrap_or("unknown"));
    println!(
        "{:44} {:>9} {:>10} {:>10} {:>6} {:>9}  required",
        "subject", "values", "1 thread", "2 threads", "ratio", "CPU time"
    );
    let n = |large: usize, small: usize| if bench { large } else { small };
    let rounds = n(3, 1);
    machine(rounds, n(400_000_000, 1_000));
    // Summaries make far more values in a second.
    let [searched, summarised] = [Summaries::Never, Summaries::Always];
    for (property, turns, tree, red_black) in [("empty", 0, 11, 14), ("heavy", n(2_000, 10), 10, 12)] {
        row::<SearchTree>(&format!("search tree, searched, {property}"), n(10, 3), rounds, turns, searched);
        row::<RedBlackTree>(&format!("red-black tree, searched, {property}"), n(9, 3), rounds, turns, searched);
        row::<SearchTree>(&format!("search tree, summarised, {property}"), n(tree, 3), rounds, turns, summarised);
        let subject = format!("red-black tree, summarised, {property}");
        row::<RedBlackTree>(&subject, n(red_black, 3), rounds, turns, summarised);
    }
}

/// Prints what the machine itself gains from two threads that share nothing.
fn machine(rounds: usize, turns: usize) {
    let (mut one, mut two) = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        let began = Instant::now();
        (0..THREADS).for_each(|_| work(&turns, turns));
        one = one.min(began.elapsed());
        let began = Instant::now();
        thread::scope(|scope| (0..THREADS).for_each(|_| _ = scope.spawn(|| work(&turns, turns))));
        two = two.min(began.elapsed());
    }
    let ratio = one.as_secs_f64() / two.as_secs_f64();
    println!("{:44} {:>9} {one:>10.2?} {two:>10.2?} {ratio:>6.2}", "the machine itself", "");
}

/// Prints the best times of one thread and of two, and their ratio.
fn row<T: Finitize + RepOk + Debug>(subject: &str, scope: usize, rounds: usize, turns: usize, summaries: Summaries) {
    let run = |threads| {
        let (began, used) = (Instant::now(), used());
        let search = Search::new(T::scope(scope)).summaries(summaries).regressions(false).crash_notes(false);
        let report = search.threads(threads).par_for_each(|value| work(&value, turns));
        (began.elapsed(), self::used() - used, report)
    };
    let (mut one, mut two) = (Duration::MAX, Duration::MAX);
    let (mut used_by_one, mut used_by_two) = (0, 0);
    let mut values = 0;
    for _ in 0..rounds {
        let (took, used, expected) = run(1);
        (one, used_by_one) = (one.min(took), used_by_one + used);
        let (took, used, report) = run(THREADS);
        (two, used_by_two) = (two.min(took), used_by_two + used);
        assert_eq!(counts(&report), counts(&expected), "{subject}");
        values = report.valid;
    }
    let ratio = one.as_secs_f64() / two.as_secs_f64();
    // What all threads used together, for each second of one.
    let work = used_by_two as f64 / used_by_one.max(1) as f64;
    let verdict = match one > Duration::from_secs(1) {
        true if ratio >= 1.8 => "ok >= 1.8",
        true => "NOT >= 1.8",
        false => "",
    };
    let subject = format!("{subject}, {scope}");
    println!("{subject:44} {values:>9} {one:>10.2?} {two:>10.2?} {ratio:>6.2} {work:>9.2}  {verdict}");
}

fn counts(report: &Report) -> (u64, u64, &[(usize, u64)]) {
    (report.explored, report.valid, &report.by_size)
}

/// Returns the processor time that the process has used, in ticks of ten milliseconds; 0 where the system does not say.
fn used() -> u64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// Takes some time for a value.
fn work<T>(value: &T, turns: usize) {
    let mut word = black_box(std::ptr::from_ref(value).addr() as u64);
    for _ in 0..turns {
        word = black_box((word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9));
    }
}
