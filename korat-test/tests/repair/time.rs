//! A repair ends when its time is over, also while the value is decomposed and its bounds are planned, and leaves the value as it was.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use korat::{Finitize, Reason, Repair, rep_ok};

use crate::rerun;

/// Decomposed element by element, entry by entry and object by object; values, lists and keys are planned one by one.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Store {
    keys: Vec<u32>,
    rows: Vec<Vec<u32>>,
    map: BTreeMap<u32, u32>,
    nodes: Vec<Node>,
    first: Option<Box<Link>>,
    len: usize,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    next: Option<usize>,
    key: u32,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Link {
    next: Option<Box<Link>>,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        self.keys.len() == self.len
    }
}

fn empty() -> Store {
    Store { keys: Vec::new(), rows: Vec::new(), map: BTreeMap::new(), nodes: Vec::new(), first: None, len: 1 }
}

fn links(count: usize) -> Option<Box<Link>> {
    (0..count).fold(None, |next, _| Some(Box::new(Link { next })))
}

/// Numbers that no domain lists.
fn numbers(count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(|number| number.wrapping_mul(0x9E37_79B1))
}

/// Whatever the part of the whole is that there is time for: it ends soon after, and a first run takes little here.
#[test]
fn it_ends_wherever_it_is() {
    let node = |key| Node { next: None, key };
    let values = [
        Store { keys: numbers(8_000).collect(), ..empty() },
        Store { rows: vec![vec![7; 40]; 80], ..empty() },
        Store { map: numbers(500).map(|key| (key, key)).collect(), ..empty() },
        Store { nodes: numbers(10_000).map(node).collect(), ..empty() },
        Store { first: links(1_500), ..empty() },
    ];
    for (number, value) in values.into_iter().enumerate() {
        // A thread of its own has to lay out a heap.
        let run = |limit: Option<Duration>| {
            let mut value = value.clone();
            let before = value.clone();
            let work = move || {
                let begun = Instant::now();
                let repair = limit.into_iter().fold(Repair::new(), Repair::time_limit);
                let repaired = repair.max_tries(3).repair(&mut value);
                let reason = repaired.err().map(|error| error.reason);
                (begun.elapsed(), reason, value == before)
            };
            std::thread::spawn(work).join().expect("it does not panic")
        };
        let (whole, ..) = run(None);
        for part in [0, 2, 6] {
            let limit = whole * part / 16;
            let (took, reason, is_as_it_was) = run(Some(limit));
            // It may have found something, or have used up its tries, where it was faster than before.
            assert!(reason.is_none() || is_as_it_was, "{number}: {reason:?}");
            assert!(part > 0 || reason == Some(Reason::TimeLimit), "{number}: {reason:?} after {took:?} of {whole:?}");
            // Without a look at the clock it takes the whole time, less what the runs take.
            assert!(part > 0 || took < whole / 2, "{number}: {took:?} of {whole:?}");
            let most = limit + whole / 2 + Duration::from_millis(200);
            assert!(took < most, "{number}: {took:?} for {limit:?} of {whole:?}");
        }
    }
}

/// The next repair takes up what one has left that was given up.
#[test]
fn what_is_given_up_leaves_nothing_behind() {
    let node = |key| Node { next: (key > 0).then(|| key as usize - 1), key };
    for turn in 0..4 {
        let whole = Store { nodes: (0..5_000 + turn).map(node).collect(), ..empty() };
        let mut value = whole.clone();
        let error = Repair::new().time_limit(Duration::ZERO).repair(&mut value).expect_err("there is no time");
        assert_eq!((error.reason, error.tries), (Reason::TimeLimit, 0));
        assert_eq!(value, whole);
        let repaired = korat::repair(&mut value).expect("the length is wrong");
        assert_eq!(value, Store { len: 0, ..whole }, "{repaired}");
    }
}

/// A lock is held while what it guards is decomposed.
#[derive(Debug, Finitize)]
struct Locked {
    keys: Mutex<Vec<u32>>,
    is_sound: bool,
}

#[rep_ok]
impl Locked {
    fn rep_ok(&self) -> bool {
        self.is_sound
    }
}

#[test]
fn a_lock_is_not_poisoned() {
    let mut locked = Locked { keys: Mutex::new(numbers(20_000).collect()), is_sound: false };
    let error = Repair::new().time_limit(Duration::ZERO).repair(&mut locked).expect_err("there is no time");
    assert_eq!(error.reason, Reason::TimeLimit);
    assert!(!locked.keys.is_poisoned());
}

/// Runs in a process of its own, where the environment sets a time limit.
#[test]
#[ignore = "run by `the_environment_takes_precedence`"]
fn under_the_environment() {
    let mut value = Store { keys: numbers(200_000).collect(), ..empty() };
    let error = Repair::new().time_limit(Duration::from_secs(600)).repair(&mut value).unwrap_err();
    assert_eq!(error.reason, Reason::TimeLimit);
}

#[test]
fn the_environment_takes_precedence() {
    let mut command = rerun::command(module_path!(), "under_the_environment");
    rerun::printed(command.arg("--ignored").env("KORAT_TIME_LIMIT", "1ms"));
}
