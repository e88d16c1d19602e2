//! Searches that are killed again and again, and go on, end with the report of one that is not.

use std::fmt::{Debug, Write as _};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};
use std::{env, hint};

use korat::{Finitize, RepOk, Report, Search, SelfCheck, Shard, Summaries, rep_ok};
use rustc_hash::FxHashSet;

use crate::scratch::{FOLDER, SUBJECT, Scratch, limited, random};
use crate::search_trees::SearchTree;
use crate::structures::{Plant, Tree};

/// How many values there are beside each one.
const MOST: &str = "TESTED_MOST";

/// The searches that are killed.
const SUBJECTS: [&str; 12] = [
    "cut",
    "trees",
    "keys",
    "exact",
    "summarised",
    "sampled",
    "ranked",
    "unread",
    "maps",
    "shard",
    "counted",
    "nested",
];

/// A place that may lead to another one.
#[derive(Debug, Finitize)]
struct Vertex {
    #[finitize(index_of = vertices)]
    next: Option<usize>,
}

/// Any partial map of places; each is found in several orders.
#[derive(Debug, Finitize)]
pub(crate) struct Map {
    vertices: Vec<Vertex>,
}

#[rep_ok]
impl Map {
    fn rep_ok(&self) -> bool {
        self.vertices.iter().all(|vertex| vertex.next.is_none_or(|next| next < self.vertices.len()))
    }
}

/// Is run in a process of its own: writes each value to a file, and the report at the end.
#[test]
#[ignore = "is run by the other tests"]
fn searches_in_a_child() {
    let Ok(subject) = env::var(SUBJECT) else { return };
    let folder = PathBuf::from(env::var_os(FOLDER).expect("there is a folder"));
    let report = match &*subject {
        "trees" => run(&folder, Search::new(Tree::scope(8)).summaries(Summaries::Never)),
        "keys" => run(&folder, Search::new(SearchTree::scope(5)).summaries(Summaries::Never)),
        // However often it is interrupted, its passes are the same, and so is the number of candidates up to the last value. That of
        // compared ones is not, once they are a sample.
        "cut" => {
            let search = Search::new(SearchTree::scope(6)).summaries(Summaries::Never).limit(1_200);
            run(&folder, search.self_check(SelfCheck::Off))
        }
        "exact" => run(&folder, Search::new(SearchTree::scope(5)).exact()),
        "summarised" => run(&folder, Search::new(SearchTree::scope(6)).summaries(Summaries::Always)),
        "sampled" => run(&folder, Search::new(SearchTree::scope(9)).sample(3_000).seed(5)),
        "ranked" => run(&folder, Search::new(SearchTree::scope(9)).ranks(1_000_u64..4_000_u64)),
        "unread" => run(&folder, Search::new(Plant::scope(5)).limit(2_000)),
        "maps" => run(&folder, Search::new(Map::scope(5)).stats(true)),
        "shard" => {
            let shard = Shard::new(2, 3).expect("it is one of them");
            run(&folder, Search::new(Tree::scope(8)).summaries(Summaries::Never).shard(shard))
        }
        "counted" => Search::new(Plant::scope(5)).report(),
        "beside" => {
            let most: usize = env::var(MOST).expect("there is a number").parse().unwrap();
            let mut runs = 0_u64;
            Search::new(Tree::scope(7)).summaries(Summaries::Never).with(0..most).for_each(|(tree, number)| {
                runs += 1;
                assert!(format!("{tree:?}").len() + number > 0 && runs < u64::MAX);
            })
        }
        // On threads of their own, until the process is asked to end.
        "several" => {
            let start = |scope: usize| {
                let (builder, folder) = (Builder::new().name(format!("search {scope}")), folder.clone());
                let search = move || run(&folder, Search::new(Tree::scope(scope)).summaries(Summaries::Never));
                builder.spawn(search).expect("there is a thread")
            };
            let threads: Vec<_> = (9..13).map(start).collect();
            threads.into_iter().map(|it| it.join().unwrap()).last().expect("there are some")
        }
        // What a property does for a value belongs to no other: the inner searches keep nothing.
        "nested" => run_with(&folder, Search::new(Tree::scope(6)).summaries(Summaries::Never), |outer| {
            let most = outer.len() % 5;
            let mut inner = Vec::new();
            let search = Search::new(Tree::scope(3)).regressions(false);
            search.for_each(|tree| inner.push(format!("{tree:?}").len() + most));
            format!("{outer} {inner:?}")
        }),
        other => panic!("there is no subject {other}"),
    };
    let Report { explored, valid, field_inits, undo_ops, candidates_checked, values_checked, .. } = report;
    let mut text = format!("{explored} {valid} {field_inits} {undo_ops} {candidates_checked} {values_checked}");
    write!(text, " {:?} {:?} {:?}", report.ending, report.by_size, report.unread_fields).unwrap();
    write!(text, " {:?} {:?}", report.stats, report.sampled_of).unwrap();
    fs::write(folder.join("report"), text).unwrap();
}

/// Runs a search that takes some time for each value.
fn run<T: Finitize + RepOk + Debug>(folder: &Path, search: Search<T>) -> Report {
    run_with(folder, search, str::to_string)
}

fn run_with<T: Finitize + RepOk + Debug>(folder: &Path, search: Search<T>, line: impl Fn(&str) -> String) -> Report {
    let mut values = OpenOptions::new().append(true).create(true).open(folder.join("values")).unwrap();
    search.regressions(false).crash_notes(false).for_each(|value: T| {
        let text = line(&format!("{value:?}")) + "\n";
        korat::label!("{}", text.len() % 3);
        // At once: no line is cut.
        values.write_all(text.as_bytes()).unwrap();
        let began = Instant::now();
        while began.elapsed() < Duration::from_micros(200) {
            hint::spin_loop();
        }
    })
}

impl Scratch {
    /// Begins several searches that take long, and waits until all of them are under way.
    fn several(&self) -> Child {
        let mut child = self.child("several", true).env("KORAT_CHECKPOINT_EVERY", "1h").spawn().unwrap();
        let locks = || fs::read_dir(self.0.join("kept")).map_or(0, Iterator::count);
        while locks() < 4 || self.values().len() < 100 {
            sleep(Duration::from_millis(5));
            assert_eq!(child.try_wait().unwrap(), None, "it ended early");
        }
        child
    }

    fn child(&self, subject: &str, checkpoints: bool) -> Command {
        self.child_of("resumed::searches_in_a_child", subject, checkpoints)
    }
}

/// Runs a search undisturbed. Returns its values and its report.
fn undisturbed(subject: &str) -> (Vec<String>, String) {
    let scratch = Scratch::new(&format!("{subject}-undisturbed"));
    let output = scratch.child(subject, false).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    (scratch.values(), scratch.report().unwrap_or_else(|| panic!("{subject}: {text}")))
}

/// Kills a search at random moments, up to so many times, and runs it to its end. Returns how often it was killed.
fn killed(subject: &str, most: u32, entropy: &mut u64) -> u32 {
    let (expected, report) = undisturbed(subject);
    let scratch = Scratch::new(subject);
    let (mut kills, mut repeated) = (0, 0);
    while scratch.report().is_none() {
        let before = scratch.values().len();
        let mut child = scratch.child(subject, true).spawn().unwrap();
        let is_killed = kills < most;
        if is_killed {
            // At least one of four comes further than to make its tables.
            let delay = Duration::from_millis(20 + random(entropy, 200 << (2 * (kills % 4))));
            let began = Instant::now();
            while began.elapsed() < delay && child.try_wait().unwrap().is_none() {
                sleep(Duration::from_millis(1));
            }
            child.kill().unwrap();
            kills += u32::from(scratch.report().is_none());
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(is_killed || scratch.report().is_some(), "{subject}: {text}");
        repeated += before;
    }
    assert_eq!(scratch.report().as_deref(), Some(&*report), "{subject} after {kills} kills");
    let found = scratch.values();
    let (all, wanted): (FxHashSet<&String>, FxHashSet<&String>) = (found.iter().collect(), expected.iter().collect());
    assert!(all == wanted, "{subject} after {kills} kills: {} values, not {}", all.len(), wanted.len());
    // Only what was done since the file was written is done again.
    println!("{subject}: {kills} kills, {} values run for {}", found.len(), expected.len());
    assert!(kills == 0 || repeated == 0 || found.len() < 2 * expected.len().max(1_000), "{subject}: {}", found.len());
    assert!(scratch.checkpoints().is_empty(), "{subject}: what is complete is not kept");
    kills
}

#[test]
fn killed_searches_go_on() {
    let mut entropy = 1;
    let kills: u32 = SUBJECTS.iter().map(|subject| killed(subject, 4, &mut entropy)).sum();
    assert!(kills > 9, "{kills} kills");
}

#[test]
#[ignore = "takes minutes"]
fn searches_go_on_after_a_hundred_kills() {
    let (mut entropy, mut kills) = (2, 0);
    while kills < 100 {
        kills += SUBJECTS.iter().map(|subject| killed(subject, 1_000, &mut entropy)).sum::<u32>();
        println!("{kills} kills");
    }
}

#[cfg(unix)]
pub(crate) fn ended_by(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(unix)]
#[test]
fn a_search_that_is_asked_to_end_keeps_where_it_stands() {
    let (expected, report) = undisturbed("trees");
    let scratch = Scratch::new("asked");
    let mut child = scratch.child("trees", true).env("KORAT_CHECKPOINT_EVERY", "1h").spawn().unwrap();
    while scratch.values().len() < 100 {
        sleep(Duration::from_millis(5));
        assert_eq!(child.try_wait().unwrap(), None, "it ended early");
    }
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(ended_by(output.status), Some(15), "{text}");
    assert!(text.contains("ended by a signal; the next run goes on from"), "{text}");
    let before = scratch.values().len();
    let output = scratch.child("trees", true).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains(&format!("goes on after {before} values")), "{text}");
    assert_eq!(scratch.report(), Some(report));
    assert_eq!(scratch.values(), expected, "each value once, in the same order");
}

/// Each search that is under way keeps where it stands, however often the process is asked.
#[cfg(unix)]
#[test]
fn all_searches_that_are_asked_to_end_keep_where_they_stand() {
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        let scratch = Scratch::new(&format!("several{signal}"));
        let child = scratch.several();
        // As `timeout` does: to the process, and to its group.
        for _ in 0..3 {
            Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(ended_by(output.status), Some(number), "{text}");
        assert_eq!((scratch.checkpoints().len(), text.matches("ended by a signal").count()), (4, 4), "{text}");
    }
}

#[test]
fn two_processes_are_not_at_one_search() {
    let scratch = Scratch::new("two");
    let mut first = scratch.several();
    let second = scratch.child("several", true).output().unwrap();
    let text = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && text.contains("another process is at this search"), "{text}");
    assert_eq!(first.try_wait().unwrap(), None, "the first one goes on");
    first.kill().unwrap();
    first.wait().unwrap();
    // What a killed process has locked is free, and nothing is left of a search that is complete.
    fs::remove_dir_all(scratch.0.join("kept")).unwrap();
    assert!(scratch.child("keys", true).output().unwrap().status.success());
    assert_eq!(fs::read_dir(scratch.0.join("kept")).unwrap().count(), 0);
}

#[test]
fn other_values_beside_are_refused() {
    let scratch = Scratch::new("beside");
    let run = |most: &str, limit: &str| {
        let output = scratch.child("beside", true).env(MOST, most).env("KORAT_TIME_LIMIT", limit).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (passed, text) = run("3000", "20ms");
    assert!(passed && scratch.checkpoints().len() == 1, "{text}");
    for other in ["2999", "3001"] {
        let (passed, text) = run(other, "1h");
        assert!(!passed && text.contains("the property gets other values beside those of the search"), "{text}");
    }
    let (passed, text) = run("3000", "20ms");
    assert!(passed && text.contains("goes on after"), "{text}");
}

/// The line of a search is part of the name of its file.
#[test]
fn a_file_that_nobody_uses_is_named() {
    let scratch = Scratch::new("moved");
    let output = scratch.child("exact", true).env("KORAT_TIME_LIMIT", "10ms").output().unwrap();
    let [path] = &scratch.checkpoints()[..] else { panic!("{}", String::from_utf8_lossy(&output.stderr)) };
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let (begin, rest) = name.split_at(name.find("SearchTree-").unwrap() + "SearchTree-".len());
    let moved = path.with_file_name(format!("{begin}1{rest}"));
    let text = fs::read_to_string(path).unwrap();
    fs::rename(path, &moved).unwrap();
    let told = "is of another program, and nothing goes on from it; remove it";
    // The same program may have such a search, too.
    let output = scratch.child("exact", true).env("KORAT_TIME_LIMIT", "10ms").output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains(told));
    fs::remove_file(path).unwrap();
    fs::write(&moved, text.replace("\nprogram ", "\nprogram 1")).unwrap();
    let output = scratch.child("exact", true).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains(&format!("{} {told}", moved.display())), "{text}");
}

#[test]
fn a_time_limit_ends_a_part_of_the_work() {
    for subject in ["exact", "counted", "maps", "cut"] {
        let (expected, report) = undisturbed(subject);
        let scratch = Scratch::new(&format!("{subject}-limited"));
        let runs = limited(&scratch, subject, 50, &report, || scratch.child(subject, true));
        assert_eq!(scratch.values(), expected, "{subject} in {runs} runs: each value once, in the same order");
    }
}

/// What a run does before it goes on takes no time of its limit: otherwise a short one would never be enough.
#[test]
fn a_short_limit_leaves_time_for_values() {
    let scratch = Scratch::new("short");
    for _ in 0..3 {
        assert!(scratch.child("exact", true).env("KORAT_TIME_LIMIT", "20ms").output().unwrap().status.success());
    }
    assert!(!scratch.values().is_empty());
}

#[test]
fn what_is_of_something_else_is_refused() {
    let scratch = Scratch::new("refused");
    let kept = |child: &mut Command| {
        let output = child.output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (passed, text) = kept(scratch.child("exact", true).env("KORAT_TIME_LIMIT", "10ms"));
    assert!(passed, "{text}");
    let [path] = &scratch.checkpoints()[..] else { panic!("{text}") };
    let whole = fs::read_to_string(path).unwrap();
    assert!(whole.len() < 2_000, "{whole}");
    let (passed, text) = kept(scratch.child("exact", true).env("KORAT_SELF_CHECK", "off"));
    assert!(!passed && text.contains("is not used: the search has another `self_check`: Sample, now Off"), "{text}");
    let (passed, text) = kept(scratch.child("exact", true).env("KORAT_SCOPE", "4"));
    assert!(!passed && text.contains("is not used: the search has other bounds"), "{text}");
    // A smaller limit would end it at once, and nobody would go on from it.
    let (passed, text) = kept(scratch.child("exact", true).env("KORAT_LIMIT", "10"));
    assert!(!passed && text.contains("is not used: the search has another `limit`: none, now 10"), "{text}");
    for (changed, why) in [
        (whole.replace("korat checkpoint 1", "korat checkpoint 2"), "it has version 2, and this korat reads version 1"),
        (whole.replace("given ", "given 1"), "it is damaged"),
        (whole[..whole.len() / 2].to_string(), "it is damaged"),
        (String::new(), "it is damaged"),
    ] {
        fs::write(path, changed).unwrap();
        let (passed, text) = kept(&mut scratch.child("exact", true));
        assert!(!passed && text.contains(why) && text.contains("; remove it to begin anew"), "{text}");
    }
    fs::write(path, whole).unwrap();
    let (passed, text) = kept(&mut scratch.child("exact", true));
    assert!(passed && scratch.checkpoints().is_empty(), "{text}");
}
