//! Searches of several threads that are killed again and again, and go on with any number of threads, end with the report of one that is not.

use std::fmt::Debug;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, hint};

use korat::{Error, Finitize, Order, RepOk, Report, Search, Shard, Summaries};
use rustc_hash::FxHashSet;

use crate::resumed::Map;
use crate::scratch::{FOLDER, SUBJECT, Scratch, limited, random};
use crate::search_trees::SearchTree;
use crate::structures::{Plant, Tree};
use crate::threads::{Fixed, counts};

/// Ends a line that a kill has cut.
const CUT: &str = " (cut)";
const CHILD: &str = "resumed_threads::searches_in_a_child";

/// The searches that are killed. Of the first ones, every value is run.
const SUBJECTS: [&str; 15] = [
    "trees",
    "keys",
    "found",
    "late",
    "summarised",
    "found_summarised",
    "sampled",
    "ranked",
    "unread",
    "maps",
    "shard",
    "auto",
    "limit",
    "fails",
    "fails_often",
];
const COMPLETE: usize = 13;

/// Is run in a process of its own: writes each value to a file, and the report at the end.
#[test]
#[ignore = "is run by the other tests"]
fn searches_in_a_child() {
    let Ok(subject) = env::var(SUBJECT) else { return };
    let folder = PathBuf::from(env::var_os(FOLDER).expect("there is a folder"));
    let trees = |scope| Search::new(Tree::scope(scope)).summaries(Summaries::Never);
    let keys = |scope| Search::new(SearchTree::scope(scope)).summaries(Summaries::Never);
    let passes = |_: &str| true;
    let result = match &*subject {
        "trees" => run(&folder, trees(8).stats(true), 300, passes),
        "keys" => run(&folder, keys(5), 300, passes),
        "found" => run(&folder, keys(5).order(Order::AsFound).stats(true), 300, passes),
        "late" => run(&folder, Search::new(Fixed::scope(8)).summaries(Summaries::Never), 10, passes),
        "summarised" => {
            run(&folder, Search::new(SearchTree::scope(6)).summaries(Summaries::Always).stats(true), 300, passes)
        }
        "found_summarised" => {
            let search = Search::new(SearchTree::scope(6)).summaries(Summaries::Always);
            run(&folder, search.order(Order::AsFound), 300, passes)
        }
        "sampled" => run(&folder, Search::new(SearchTree::scope(9)).sample(3_000).seed(5).stats(true), 300, passes),
        "ranked" => run(&folder, Search::new(SearchTree::scope(9)).ranks(1_000_u64..4_000_u64), 300, passes),
        "unread" => run(&folder, Search::new(Plant::scope(4)).summaries(Summaries::Never), 300, passes),
        "maps" => run(&folder, Search::new(Map::scope(5)).stats(true), 300, passes),
        "shard" => run(&folder, trees(8).shard(Shard::new(2, 3).expect("it is one of them")), 300, passes),
        "auto" => run(&folder, Search::new(SearchTree::scope(6)), 300, passes),
        "limit" => run(&folder, keys(6).limit(1_200), 300, passes),
        // Late, so that a checkpoint is written before.
        "fails" => run(&folder, trees(8), 300, |text| text.matches("Node {").count() < 8),
        "fails_often" => run(&folder, keys(5).failures(3), 300, |text| match text.matches("Node {").count() {
            5 if text.contains("key: 4, left: None, right: None") => panic!("of four"),
            5 if text.contains("key: 2, left: None") => panic!("of two"),
            nodes => nodes < 6,
        }),
        other => panic!("there is no subject {other}"),
    };
    let text = match result {
        Ok(report) => format!("{:?} {:?} {:?}", counts(&report), report.stats, report.sampled_of),
        Err(Error::Property(failed)) => {
            let failures: Vec<_> = failed.failures.iter().map(|failure| (&failure.replay, &failure.message)).collect();
            let text = failed.to_string();
            format!("{failures:?} {:?}", text.lines().rfind(|line| line.contains("so far")).expect("it has counts"))
        }
        Err(error) => panic!("{error}"),
    };
    fs::write(folder.join("report"), text).unwrap();
}

/// Runs a property that takes some time for each value.
fn run<T: Finitize + RepOk + Debug>(
    folder: &Path,
    search: Search<T>,
    spin: u64,
    property: impl Fn(&str) -> bool + Sync,
) -> Result<Report, Error> {
    let path = folder.join("values");
    let file = OpenOptions::new().append(true).create(true).open(&path).unwrap();
    // A write that goes from one page to the next may be cut by a kill.
    if fs::read(&path).unwrap().last().is_some_and(|byte| *byte != b'\n') {
        (&file).write_all(format!("{CUT}\n").as_bytes()).unwrap();
    }
    search.regressions(false).crash_notes(false).try_par_for_each(|value: T| {
        let text = format!("{value:?}\n");
        korat::label!("{}", text.len() % 3);
        // At once: lines are not mixed.
        (&file).write_all(text.as_bytes()).unwrap();
        let began = Instant::now();
        while began.elapsed() < Duration::from_micros(spin) {
            hint::spin_loop();
        }
        property(&text)
    })
}

fn child(scratch: &Scratch, subject: &str, threads: Option<u64>) -> Command {
    let mut command = scratch.child_of(CHILD, subject, threads.is_some());
    command.env("KORAT_THREADS", threads.unwrap_or(1).to_string());
    command
}

/// Runs a search undisturbed, on one thread and without a checkpoint. Returns its values and its report.
fn undisturbed(subject: &str) -> (Vec<String>, String) {
    let scratch = Scratch::new(&format!("{subject}-one-thread"));
    let output = child(&scratch, subject, None).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    (scratch.values(), scratch.report().unwrap_or_else(|| panic!("{subject}: {text}")))
}

/// Kills a search at random moments, up to so many times, and runs it to its end. Returns how often it was killed and then went on.
fn killed(at: usize, most: u32, entropy: &mut u64) -> u32 {
    let subject = SUBJECTS[at];
    let (expected, report) = undisturbed(subject);
    let scratch = Scratch::new(&format!("{subject}-threads"));
    let (mut kills, mut resumed, mut threads) = (0, 0, 2);
    while scratch.report().is_none() {
        let mut child = child(&scratch, subject, Some(threads)).spawn().unwrap();
        let is_killed = kills < most;
        if is_killed {
            let size = || fs::metadata(scratch.0.join("values")).map_or(0, |values| values.len());
            let before = size();
            let mut wait = |is_over: &dyn Fn() -> bool| {
                while !is_over() && child.try_wait().unwrap().is_none() {
                    sleep(Duration::from_millis(1));
                }
            };
            // Three of four run the property before.
            wait(&|| kills % 4 == 3 || size() > before);
            let (began, delay) = (Instant::now(), Duration::from_millis(random(entropy, 150)));
            wait(&|| began.elapsed() >= delay);
            child.kill().unwrap();
            kills += u32::from(scratch.report().is_none());
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        resumed += u32::from(text.contains("goes on after"));
        assert!(!text.contains("one thread instead of several"), "{subject}: {text}");
        assert!(is_killed || scratch.report().is_some(), "{subject}: {text}");
        threads = 1 + random(entropy, 3);
    }
    assert_eq!(scratch.report().as_deref(), Some(&*report), "{subject} after {kills} kills");
    let mut found = scratch.values();
    found.retain(|line| !line.trim_end().ends_with(CUT));
    let (all, wanted): (FxHashSet<&String>, FxHashSet<&String>) = (found.iter().collect(), expected.iter().collect());
    // Threads run values that come after a failing one, or after the last one that is wanted.
    assert!(all.is_superset(&wanted), "{subject} after {kills} kills: {} values for {}", all.len(), wanted.len());
    assert!(at >= COMPLETE || all.len() == wanted.len(), "{subject}: {:?}", all.difference(&wanted).next());
    println!("{subject}: {kills} kills, gone on {resumed} times, {} values run for {}", found.len(), expected.len());
    assert!(scratch.checkpoints().is_empty(), "{subject}: what is complete is not kept");
    resumed
}

#[test]
fn killed_threads_go_on() {
    let mut entropy = 3;
    let kills: u32 = (0..SUBJECTS.len()).map(|subject| killed(subject, 3, &mut entropy)).sum();
    assert!(kills > 9, "gone on {kills} times");
}

#[test]
#[ignore = "takes minutes"]
fn threads_go_on_after_a_hundred_kills() {
    let (mut entropy, mut kills) = (4, 0);
    while kills < 100 {
        kills += (0..SUBJECTS.len()).map(|subject| killed(subject, 1_000, &mut entropy)).sum::<u32>();
        println!("gone on {kills} times");
    }
}

/// What is done when a signal or a time limit ends threads is not done again, but for what was under way.
#[test]
fn threads_that_end_early_keep_where_they_stand() {
    for subject in ["trees", "maps", "summarised"] {
        let (expected, report) = undisturbed(subject);
        let scratch = Scratch::new(&format!("{subject}-limited"));
        let mut threads = [2, 3, 1].into_iter().cycle();
        let runs = limited(&scratch, subject, 100, &report, || child(&scratch, subject, threads.next()));
        // A piece of each thread, and sixteen values.
        let most = expected.len() + expected.len() / 2;
        let run = scratch.values().len();
        println!("{subject}: {run} values run for {} in {runs} runs", expected.len());
        assert!(runs > 1 && run <= most, "{subject}: {run} values run for {} in {runs} runs", expected.len());
    }
}

/// The first limit is over before any table is made. Searching instead would find the values in another order.
#[test]
fn threads_that_end_before_they_summarise_do_so_later() {
    let (_, report) = undisturbed("found_summarised");
    for threads in [1, 2] {
        let scratch = Scratch::new("before-tables");
        let runs =
            limited(&scratch, "found_summarised", 1, &report, || child(&scratch, "found_summarised", Some(threads)));
        assert!(runs > 1);
    }
}

#[cfg(unix)]
#[test]
fn threads_that_are_asked_to_end_keep_where_they_stand() {
    let (expected, report) = undisturbed("trees");
    let scratch = Scratch::new("threads-asked");
    let mut asked = child(&scratch, "trees", Some(2)).env("KORAT_CHECKPOINT_EVERY", "1h").spawn().unwrap();
    while scratch.values().len() < 500 {
        sleep(Duration::from_millis(5));
        assert_eq!(asked.try_wait().unwrap(), None, "it ended early");
    }
    Command::new("kill").args(["-TERM", &asked.id().to_string()]).status().unwrap();
    let output = asked.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(crate::resumed::ended_by(output.status), Some(15), "{text}");
    assert!(text.contains("ended by a signal; the next run goes on from"), "{text}");
    let output = child(&scratch, "trees", Some(3)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("goes on after"), "{text}");
    assert_eq!(scratch.report(), Some(report));
    let run = scratch.values().len();
    assert!(run < expected.len() + expected.len() / 4, "{run} values run for {}", expected.len());
}
