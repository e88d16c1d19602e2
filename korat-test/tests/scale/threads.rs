//! Several threads find, count and report what one does, however they take turns.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::process::{Command, Output};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use korat::{Backtracking, Ending, Finitize, Order, Pruning, RepOk, Report, Search, Shard, Summaries, Unread, rep_ok};
use parking_lot::Mutex;

use crate::search_trees::SearchTree;
use crate::structures::{Arena, Chain, Containers, Diamond, Formula, Graph, Grove, Plant, Siblings, Tree, Watched};

const THREADS: [usize; 5] = [2, 3, 5, 8, 16];

/// Two marks that nobody reads, and a switch that decides whether others are.
#[derive(Debug, Finitize)]
pub(crate) struct Marks {
    kind: bool,
    marks: [bool; 6],
}

#[rep_ok]
impl Marks {
    fn rep_ok(&self) -> bool {
        self.kind || !self.marks[0]
    }
}

/// A list whose length is fixed: small sizes are given up, and the rest comes as it is found.
#[derive(Debug, Finitize)]
pub(crate) struct Fixed {
    head: Option<Box<Cell>>,
}

#[derive(Debug, Finitize)]
struct Cell {
    #[finitize(0..=9)]
    key: u8,
    next: Option<Box<Cell>>,
}

#[rep_ok]
impl Fixed {
    fn rep_ok(&self) -> bool {
        let (mut at, mut len, mut last) = (&self.head, 0, None);
        while let Some(cell) = at {
            if last.is_some_and(|last| cell.key < last) {
                return false;
            }
            (at, len, last) = (&cell.next, len + 1, Some(cell.key));
        }
        len >= 6
    }
}

/// Each candidate is a value.
#[derive(Debug, Finitize)]
struct Switches {
    all: [bool; 40],
}

#[rep_ok]
impl Switches {
    fn rep_ok(&self) -> bool {
        self.all.iter().fold(true, |_, _| true)
    }
}

pub(crate) fn quiet<T: Finitize + RepOk>(search: Search<T>) -> Search<T> {
    search.regressions(false).crash_notes(false)
}

pub(crate) fn counts(report: &Report) -> (u64, u64, Vec<(usize, u64)>, Ending, Vec<String>) {
    let Report { explored, valid, by_size, ending, unread_fields, .. } = report.clone();
    (explored, valid, by_size, ending, unread_fields)
}

pub(crate) fn nodes(tree: &SearchTree) -> usize {
    format!("{tree:?}").matches("Node {").count()
}

/// Returns a value as text, without the addresses in raw pointers.
fn text(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let mut parts = text.split("0x");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + "0x" + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

/// Asserts that any number of threads finds the values and counts of one.
pub(crate) fn agree<T: Finitize + RepOk + Debug>(scope: usize, setting: fn(Search<T>) -> Search<T>) -> Report {
    let search = || quiet(setting(Search::new(T::scope(scope))));
    let mut expected = Vec::new();
    let one = search().for_each(|value: T| expected.push(text(&value)));
    expected.sort();
    for threads in THREADS {
        let found = Mutex::new(Vec::new());
        let report = search().threads(threads).par_for_each(|value: T| {
            let text = text(&value);
            found.lock().push(text);
        });
        let mut found = found.into_inner();
        found.sort();
        let name = format!("{} at scope {scope} on {threads} threads", T::NAME);
        let differing = found.iter().zip(&expected).find(|(one, other)| one != other);
        assert!(found == expected, "{name}: {} values, not {}: {differing:?}", found.len(), expected.len());
        assert_eq!(counts(&report), counts(&one), "{name}");
        assert_eq!(report.threads, threads, "{name}");
    }
    one
}

pub(crate) fn searched<T: Finitize + RepOk + Debug>(search: Search<T>) -> Search<T> {
    search.summaries(Summaries::Never)
}

#[test]
fn trees_and_lists() {
    agree::<Tree>(6, searched);
    agree::<SearchTree>(4, searched);
    agree::<SearchTree>(4, |search| searched(search).exact());
    agree::<SearchTree>(4, |search| searched(search).order(Order::AsFound));
    agree::<SearchTree>(4, |search| searched(search).backtracking(Backtracking::Reexecute));
    agree::<SearchTree>(2, |search| searched(search).pruning(Pruning::Classic));
    agree::<SearchTree>(4, |search| searched(search).sizes(2..=3));
    agree::<Chain>(3, searched);
    agree::<Formula>(4, searched);
}

#[test]
fn shared_and_raw_objects() {
    agree::<Diamond>(4, searched);
    agree::<Watched>(2, searched);
    agree::<Siblings>(2, searched);
}

#[test]
fn unread_fields() {
    agree::<Plant>(3, searched);
    agree::<Marks>(1, searched);
    agree::<Marks>(1, |search| searched(search).unread(Unread::First));
    agree::<Containers>(3, |search| searched(search).unread(Unread::First));
}

#[test]
fn values_that_are_remembered() {
    agree::<Arena>(3, searched);
    agree::<Grove>(2, searched);
    agree::<Graph>(2, searched);
}

#[test]
fn sizes_that_are_given_up() {
    let one = agree::<Fixed>(7, |search| searched(search).sizes(6..=7));
    assert!(one.valid > 10_000, "{one}");
}

#[test]
fn summaries() {
    agree::<Tree>(7, |search| search.summaries(Summaries::Always));
    agree::<SearchTree>(5, |search| search);
    agree::<SearchTree>(5, |search| search.summaries(Summaries::Always).sizes(2..=4));
}

#[test]
fn some_of_the_values() {
    agree::<SearchTree>(5, |search| search.limit(137));
    agree::<SearchTree>(5, |search| searched(search).limit(137));
    // In the middle of what a thread takes at a time.
    agree::<SearchTree>(5, |search| search.summaries(Summaries::Always).limit(10));
    agree::<SearchTree>(5, |search| search.summaries(Summaries::Always).limit(40));
    agree::<SearchTree>(5, |search| search.ranks(10..300));
    agree::<SearchTree>(7, |search| search.sample(200).seed(3));
    // Drawn by descents.
    agree::<Arena>(3, |search| search.sample(20));
}

#[test]
fn shards_on_threads() {
    for setting in [searched, |search: Search<SearchTree>| search] {
        let mut valid = 0;
        for index in 1..=3 {
            let shard = || quiet(setting(Search::new(SearchTree::scope(4)))).shard(Shard::new(index, 3).unwrap());
            let (one, several) = (shard().for_each(|_| {}), shard().threads(4).par_for_each(|_| {}));
            assert_eq!(counts(&one), counts(&several));
            valid += several.valid;
        }
        assert_eq!(valid, Search::new(SearchTree::scope(4)).report().valid);
    }
}

#[test]
fn labels_are_added_up() {
    let run = |threads| {
        let search = quiet(searched(Search::new(SearchTree::scope(4)))).stats(true).threads(threads);
        let report = search.par_for_each(|tree| korat::label!("{} nodes", nodes(&tree)));
        report.stats.expect("they are counted")
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn a_time_limit_ends_all_threads() {
    for threads in [1, 2, 8] {
        let ran = AtomicU64::new(0);
        let search = quiet(searched(Search::new(SearchTree::scope(9)))).time_limit(Duration::from_millis(150));
        let report = search.threads(threads).par_for_each(|_| ran.fetch_add(1, Ordering::Relaxed) < u64::MAX);
        assert!(matches!(report.ending, Ending::TimeLimit { .. }), "{report}");
        assert!(report.elapsed < Duration::from_secs(30), "{report}");
        assert_eq!(report.valid, ran.into_inner());
        assert_eq!(report.by_size.iter().map(|(_, values)| values).sum::<u64>(), report.valid);
    }
}

/// The candidates of each thread count, whichever of them looks at the clock first.
#[test]
fn candidates_up_to_a_time_limit() {
    for threads in [2, 3, 8] {
        let run = |millis| {
            let search = quiet(searched(Search::new(Switches::scope(1)))).unread(Unread::All);
            search.time_limit(Duration::from_millis(millis)).threads(threads).par_for_each(|_| {})
        };
        let report = (6..).map(|doubled| run(1 << doubled)).find(|report| report.valid > 10_000);
        let report = report.expect("there are many values");
        assert!(report.explored >= report.valid, "{threads} threads: {report}");
    }
}

/// Values of fields that cannot go to other threads keep the search on one.
#[test]
fn bounds_of_the_call_go_along() {
    let bounds = || SearchTree::scope(3).objects::<crate::search_trees::Node>(2);
    let one = quiet(Search::new(bounds()).summaries(Summaries::Never)).for_each(|_| {});
    let several = quiet(Search::new(bounds()).summaries(Summaries::Never)).threads(3).par_for_each(|_| {});
    assert_eq!((counts(&one), several.threads), (counts(&several), 3));
    let bounds = || Fixed::scope(6).domain(korat::field!(Cell.key), [1, 2]);
    let one = quiet(Search::new(bounds())).for_each(|_| {});
    let several = quiet(Search::new(bounds())).threads(3).par_for_each(|_| {});
    assert_eq!((counts(&one), several.threads), (counts(&several), 3));
}

#[test]
fn one_thread_where_results_are_of_one() {
    let search = || quiet(searched(Search::new(SearchTree::scope(3)))).threads(4);
    assert_eq!(search().explain(true).par_for_each(|_| {}).threads, 1);
    assert_eq!(search().profile(true).par_for_each(|_| {}).threads, 1);
    let zero = search().threads(0).try_par_for_each(|_| {});
    assert!(zero.is_err_and(|error| error.to_string().contains("0 threads run nothing")));
}

/// Each worker has a value, and there are fewer values than workers.
#[test]
fn more_threads_than_values() {
    let by_thread = Mutex::new(HashMap::<std::thread::ThreadId, u64>::new());
    let report = quiet(searched(Search::new(Tree::scope(2)))).threads(64).par_for_each(|_| {
        *by_thread.lock().entry(std::thread::current().id()).or_default() += 1;
    });
    assert_eq!((report.valid, by_thread.into_inner().values().sum::<u64>()), (4, 4));
}

/// Runs in a process of its own.
#[test]
#[ignore = "it is run by the other tests, which set its environment"]
fn child() {
    let inner = AtomicU64::new(0);
    let report = korat::par_for_each_valid(SearchTree::scope(3), |_| {
        inner.fetch_max(korat::par_for_each_valid(SearchTree::scope(1), |_| {}).threads as u64, Ordering::Relaxed);
    });
    println!("{} values, {} threads, {} inside", report.valid, report.threads, inner.into_inner());
}

/// Aborts while three threads run the property.
fn die(search: Search<SearchTree>) {
    let all_run = Barrier::new(3);
    search.regressions(false).threads(3).par_for_each(|tree| {
        if nodes(&tree) == 6 {
            all_run.wait();
            std::process::abort();
        }
    });
}

#[test]
#[ignore = "it is run by another test, which lets it die"]
fn dies_in_search() {
    die(searched(Search::new(SearchTree::scope(6))));
}

#[test]
#[ignore = "it is run by another test, which lets it die"]
fn dies_with_summaries() {
    die(Search::new(SearchTree::scope(6)).summaries(Summaries::Always));
}

fn run(name: &str, variables: &[(&str, &str)]) -> String {
    let mut child = Command::new(std::env::current_exe().expect("this test runs"));
    child.args(["--exact", &format!("threads::{name}"), "--ignored", "--nocapture"]).env_remove("KORAT_THREADS");
    let Output { stdout, stderr, .. } = child.envs(variables.iter().copied()).output().expect("it runs");
    String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr)
}

#[test]
fn the_environment_asks_for_threads() {
    let valid = Search::new(SearchTree::scope(3)).report().valid;
    let says = |variables: &[(&str, &str)], threads: &str| {
        let text = run("child", variables);
        assert!(text.contains(&format!("{valid} values, {threads} threads, 1 inside")), "{text}");
        text
    };
    let all = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    says(&[], &all);
    says(&[("KORAT_THREADS", "3")], "3");
    says(&[("KORAT_THREADS", "auto")], &all);
    for wrong in ["0", "-1", "many", "1.5"] {
        let text = says(&[("KORAT_THREADS", wrong)], &all);
        assert!(text.contains(&format!("KORAT_THREADS={wrong} is ignored: it is a number of threads")), "{text}");
    }
    let folder = std::env::temp_dir().join(format!("korat-threads-{}", std::process::id()));
    let text = says(&[("KORAT_THREADS", "3"), ("KORAT_CHECKPOINT", folder.to_str().expect("the path is text"))], "3");
    assert!(!text.contains("one thread instead of several"), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

/// Each thread leaves a note of its value, and the next run reads them.
#[test]
fn a_crash_names_the_values_that_were_under_way() {
    for name in ["dies_in_search", "dies_with_summaries"] {
        run(name, &[]);
        let text = run(name, &[]);
        let replays: BTreeSet<&str> =
            text.lines().filter(|line| line.contains("KORAT_REPLAY='SearchTree:6:")).collect();
        assert_eq!(replays.len(), 3, "{text}");
        let died = format!("korat: the last run of threads::{name} died (2 other threads ran properties beside it");
        assert_eq!(text.matches(&died).count(), 3, "{text}");
        assert!(!text.contains("test result"), "{text}");
    }
}

/// The memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("there is a file");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("it has a number") * 4_096
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "it is run by another test, in a process of its own"]
fn many() {
    let searches =
        || (0..100).for_each(|_| _ = quiet(Search::new(SearchTree::scope(6))).limit(9).threads(3).par_for_each(|_| {}));
    searches();
    let before = resident();
    (0..3).for_each(|_| searches());
    println!("grown by {} KiB", resident().saturating_sub(before) >> 10);
}

#[cfg(target_os = "linux")]
#[test]
fn threads_leave_no_memory_behind() {
    let text = run("many", &[]);
    let (_, grown) = text.split_once("grown by ").expect("it says so");
    let grown: u64 = grown.split(' ').next().and_then(|number| number.parse().ok()).expect("it is a number");
    // Each search has three heaps, which would be lost.
    assert!(grown < 1_000, "300 searches leave {grown} KiB");
}
