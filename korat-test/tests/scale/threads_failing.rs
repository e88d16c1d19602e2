//! Failures on several threads: those that one thread reports, whoever finds them first.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use korat::{Error, Finitize, Order, RepOk, Report, Search, Summaries, rep_ok};

use crate::search_trees::SearchTree;
use crate::structures::{Arena, Plant, Tree};
use crate::threads::{Marks, counts, nodes, quiet, searched};

/// The numbers of threads for each of many searches.
const FEWER: [usize; 3] = [2, 3, 8];

/// Returns what is reported of a search that fails, without what differs from run to run.
fn failure(result: Result<Report, Error>) -> String {
    match result {
        Ok(report) => format!("{:?}", counts(&report)),
        Err(error) => {
            // The test to paste names another call.
            let text = error.to_string();
            let lines = text.lines().filter(|line| !line.contains("threads.rs"));
            let before = |line: &&str| !line.starts_with("as a test of its own") && !line.starts_with("backtrace of");
            let report: Vec<&str> = lines.clone().take_while(before).collect();
            format!("{}\n{}", report.join("\n"), text.lines().rfind(|line| line.contains("so far")).unwrap_or_default())
        }
    }
}

/// Asserts that any number of threads reports what one does, for a property that fails on these values.
fn fail_alike<T: Finitize + RepOk + Debug>(
    search: impl Fn() -> Search<T>,
    property: impl Fn(&T) -> Result<(), String> + Sync,
) -> String {
    let one = failure(quiet(search()).try_for_each(|value| property(&value)));
    for threads in FEWER {
        let several = failure(quiet(search()).threads(threads).try_par_for_each(|value| property(&value)));
        assert_eq!(several, one, "{} on {threads} threads", T::NAME);
    }
    one
}

/// Every value is the only failing one.
fn each_fails<T: Finitize + RepOk + Debug>(search: impl Fn() -> Search<T>) {
    let mut values = Vec::new();
    let report = quiet(search()).for_each(|value: T| values.push(format!("{value:?}")));
    assert_eq!(report.valid, values.len() as u64);
    for failing in &values {
        let text =
            fail_alike(&search, |value| if format!("{value:?}") == *failing { Err("it".to_string()) } else { Ok(()) });
        assert!(text.contains("property failed"), "{text}");
    }
}

#[test]
fn the_only_failing_value_of_a_search() {
    each_fails(|| searched(Search::new(SearchTree::scope(3))));
    each_fails(|| Search::new(SearchTree::scope(2)).summaries(Summaries::Always));
    each_fails(|| searched(Search::new(SearchTree::scope(2))).order(Order::AsFound));
    each_fails(|| searched(Search::new(Tree::scope(4))));
}

#[test]
fn the_only_failing_value_without_an_order() {
    each_fails(|| Search::new(Arena::scope(2)));
    each_fails(|| searched(Search::new(Marks::scope(1))));
    each_fails(|| searched(Search::new(Plant::scope(2))));
}

#[test]
fn many_failing_values() {
    for modulus in [2, 7, 31] {
        let fails = |value: &dyn Debug| {
            let len = format!("{value:?}").len() % modulus;
            if len == 0 { Err(format!("{}", format!("{value:?}").len() % 5)) } else { Ok(()) }
        };
        for failures in [1, 3] {
            fail_alike(|| searched(Search::new(SearchTree::scope(4))).failures(failures), |value| fails(value));
            fail_alike(|| Search::new(SearchTree::scope(4)).failures(failures), |value| fails(value));
            fail_alike(|| Search::new(Arena::scope(3)).failures(failures), |value| fails(value));
        }
        fail_alike(|| searched(Search::new(SearchTree::scope(4))).limit(100), |value| fails(value));
        fail_alike(|| Search::new(SearchTree::scope(6)).sample(300).shrink(50), |value| fails(value));
    }
}

/// The largest values wait for the end of a pass, and are found by whoever comes first.
#[test]
fn random_sleeps_change_nothing() {
    let clock = AtomicU64::new(1);
    let nap = || {
        let mut word = clock.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        std::thread::sleep(Duration::from_micros(word >> 56));
    };
    for rest in 0..6 {
        fail_alike(
            || searched(Search::new(Tree::scope(6))).failures(2),
            |value| {
                nap();
                let len = format!("{value:?}").len();
                if len > 150 && len % 7 == rest { Err(format!("{}", len % 2)) } else { Ok(()) }
            },
        );
    }
}

#[test]
fn panics_are_failures() {
    let panics = |tree: &SearchTree| {
        assert!(nodes(tree) < 3 || format!("{tree:?}").len() % 2 == 0, "it is odd");
        Ok(())
    };
    let text = fail_alike(|| searched(Search::new(SearchTree::scope(4))), panics);
    assert!(text.contains("it is odd"), "{text}");
}

#[test]
fn answers_are_tried_on_the_thread_of_the_value() {
    let asks = |tree: &SearchTree| {
        let key = korat::choose(0..=nodes(tree));
        if nodes(tree) == 3 && key == 2 { Err("two of three".to_string()) } else { Ok(()) }
    };
    let text = fail_alike(|| searched(Search::new(SearchTree::scope(4))), asks);
    assert!(text.contains("choosing 2"), "{text}");
}

/// A predicate that panics on a large value: what is before it runs, and nothing is reported but the panic.
#[derive(Debug, Finitize)]
struct Trap {
    marks: [bool; 8],
    #[finitize(0..=7)]
    key: u8,
}

#[rep_ok]
impl Trap {
    fn rep_ok(&self) -> bool {
        let marks = self.marks.iter().filter(|mark| **mark).count();
        assert!(marks != 5 || self.key != 6, "it is a trap");
        marks > 2
    }
}

#[test]
fn errors_of_the_predicate_come_in_order() {
    let text = fail_alike(|| searched(Search::new(Trap::scope(1))), |_| Ok(()));
    assert!(text.contains("it is a trap"), "{text}");
    let early = fail_alike(
        || searched(Search::new(Trap::scope(1))),
        |trap| if trap.key == 3 { Err("early".to_string()) } else { Ok(()) },
    );
    assert!(early.contains("early"), "{early}");
}
