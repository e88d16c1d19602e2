//! Explorations on several threads find, report and keep what one thread does.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use korat::{Explore, ExploreReport, FailedSequence, State};

use crate::counts::search_tree::SearchTree;

const THREADS: [usize; 5] = [2, 3, 5, 8, 16];

/// What must not depend on threads.
fn told(report: &ExploreReport) -> String {
    let ExploreReport { found, expanded, executions, levels, ending, matching, .. } = report;
    format!("{found} {expanded} {executions} {levels:?} {ending:?} {matching:?}")
}

/// Compares what threads find with what one thread finds.
fn compare<S: State>(make: impl Fn() -> Explore<S> + Sync) -> String {
    compare_with(&THREADS, make)
}

fn compare_with<S: State>(threads: &[usize], make: impl Fn() -> Explore<S> + Sync) -> String {
    let end = |result: Result<ExploreReport, korat::ExploreFailed>| match result {
        Ok(report) => told(&report),
        Err(failed) => {
            // The test to paste shows how it is called.
            let told_of = |it: &FailedSequence| {
                format!("{:?} {:?} {} {:?} {}\n", it.calls, it.states, it.message, it.location, it.replay)
            };
            failed.failures.iter().map(told_of).collect::<String>() + &told(&failed.report)
        }
    };
    let expected = end(make().regressions(false).try_run());
    for &threads in threads {
        let ended = end(Explore::par_try_run(|| make().regressions(false).threads(threads)));
        assert_eq!(ended, expected, "with {threads} threads");
    }
    expected
}

fn trees(keys: u8) -> Explore<SearchTree> {
    Explore::from(SearchTree::default()).operation("insert", 1..=keys, SearchTree::insert).operation_if(
        "clear",
        |tree| len(tree) > 3,
        |tree| *tree = SearchTree::default(),
    )
}

fn len(tree: &SearchTree) -> usize {
    tree.preorder().len()
}

/// Returns the keys in ascending order.
fn keys(tree: &SearchTree) -> Vec<u8> {
    let mut keys = tree.preorder();
    keys.sort_unstable();
    keys
}

#[test]
fn every_state_is_found() {
    compare(|| trees(6));
    compare(|| trees(7).depth(4));
    compare(|| Explore::from(0_u32).operation("add", [1, 5, 25], |sum, more| *sum = (*sum + more) % 40_000));
    compare(|| {
        Explore::from((VecDeque::new(), BTreeMap::new()))
            .operation("push", 0..=2_u8, |(queue, counts): &mut (VecDeque<u8>, BTreeMap<u8, u8>), item| {
                queue.push_back(item);
                *counts.entry(item).or_default() += 1;
            })
            .operation("pop", [()], |(queue, _), ()| queue.pop_front())
            .depth(6)
    });
}

#[test]
fn choices_are_made() {
    compare(|| {
        Explore::from(Vec::new())
            .operation_if(
                "throw",
                |thrown: &Vec<u8>| thrown.len() < 4,
                |thrown| thrown.push(korat::choose(1..=6) * korat::choose(1..=2)),
            )
            .operation_when("drop", 1..=2_usize, |thrown, at| at < thrown.len(), |thrown, at| thrown.remove(at))
    });
}

/// Every state of an exploration is the only wrong one once, and the failure is the one of one thread.
#[test]
fn each_failure_is_that_of_one_thread() {
    let seen: Rc<RefCell<BTreeSet<Vec<u8>>>> = Rc::default();
    let all = Rc::clone(&seen);
    trees(4).check(move |tree| _ = seen.borrow_mut().insert(tree.preorder())).run();
    let all = all.take();
    assert!(all.len() > 40);
    for (number, wrong) in all.iter().enumerate() {
        compare_with(&[2 + number % 3], || {
            let wrong = wrong.clone();
            trees(4).check(move |tree| tree.preorder() != wrong)
        });
    }
}

#[test]
fn failures_of_many_kinds_come_in_their_order() {
    let wrong = || {
        trees(6)
            .operation_when(
                "panic",
                [3_u8, 4],
                |tree, key| keys(tree).get(2) == Some(&key),
                |tree, key| {
                    assert!(len(tree) < 4, "there are too many for {key}");
                },
            )
            .operation("check", [()], |tree, ()| -> Result<(), String> {
                if keys(tree) == [1, 3, 6] { Err("1, 3 and 6".to_string()) } else { Ok(()) }
            })
            .check(|tree| tree.preorder() != [5, 2, 1, 3])
            .check(|tree| tree.preorder().first() != Some(&6) || len(tree) < 5)
    };
    for failures in [1, 2, 3, 10] {
        let told = compare(|| wrong().failures(failures));
        assert!(failures < 10 || told.contains("too many"), "{told}");
    }
}

#[test]
fn limits_end_it_at_the_same_state() {
    for limit in [1, 2, 33, 100, 101, 102, 500, 1_000] {
        compare(|| trees(6).limit(limit));
    }
}

/// States and operations need not be `Send`.
#[test]
fn everything_may_belong_to_a_thread() {
    let told = compare(|| {
        let log: Rc<RefCell<Vec<u8>>> = Rc::default();
        let again = Rc::clone(&log);
        Explore::from(Rc::new(0_u8))
            .operation("add", [1, 2, 3], move |sum, more| {
                log.borrow_mut().push(more);
                *sum = Rc::new(sum.wrapping_add(more) % 200);
            })
            .check(move |_| again.borrow().last().is_none_or(|more| *more <= 3))
    });
    assert!(told.starts_with("200 200 600 "), "{told}");
}

#[test]
fn slow_threads_change_nothing() {
    let waits = AtomicU64::new(1);
    compare(|| {
        let seed = waits.fetch_add(1, Ordering::Relaxed).wrapping_mul(2_862_933_555_777_941_757);
        trees(5).check(move |tree| {
            let mixed =
                tree.preorder().iter().fold(seed, |mixed, key| (mixed ^ u64::from(*key)).wrapping_mul(0x9e37_79b9));
            if mixed % 13 == 0 {
                thread::sleep(Duration::from_micros(mixed % 300));
            }
            tree.preorder() != [4, 2, 5, 3]
        })
    });
}

#[test]
fn the_time_limit_ends_all_threads() {
    let report = Explore::par_run(|| {
        let count = |numbers: &mut Vec<u8>, number| numbers.push(number);
        Explore::from(Vec::new()).operation("push", 0..=9_u8, count).time_limit(Duration::from_millis(300)).threads(3)
    });
    assert_eq!(report.ending, korat::ExploreEnding::TimeLimit);
    assert!(report.found > 11 && report.expanded > 0 && report.elapsed < Duration::from_secs(60));
}

#[test]
fn other_operations_on_each_thread_are_refused() {
    let made = AtomicU64::new(0);
    let explored = catch_unwind(AssertUnwindSafe(|| {
        Explore::par_run(|| {
            let most = made.fetch_add(1, Ordering::Relaxed) as u32 + 40;
            Explore::from(0_u32).operation("add", 0..=most, |sum, more| *sum = (*sum + more) % 9_999).threads(2)
        })
    }));
    let payload = explored.unwrap_err();
    assert!(payload.downcast_ref::<&str>().is_some_and(|text| text.contains("other operations")));
}

#[test]
fn a_failure_can_be_pasted_and_replayed() {
    let failed = Explore::par_try_run(|| {
        let largest = 6;
        Explore::from(SearchTree::default())
            .operation("insert", 1..=largest, SearchTree::insert)
            .check(|tree| len(tree) < 4)
            .regressions(false)
            .threads(2)
    });
    let text = failed.unwrap_err().to_string();
    assert!(
        text.contains("replay: KORAT_REPLAY='explore SearchTree: insert(1); insert(2); insert(3); insert(4)'"),
        "{text}"
    );
    let failed = Explore::par_try_run(|| trees(5).check(|tree| len(tree) < 4).regressions(false)).unwrap_err();
    let text = failed.to_string();
    let pasted = "
        trees(5).check(|tree| len(tree) < 4).regressions(false)
            .replay(\"insert(1); insert(2); insert(3); insert(4)\");";
    assert!(text.contains(pasted), "{text}");
}

/// A panic that another one follows.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("it goes off");
    }
}

#[test]
fn a_panic_outside_of_the_operations_ends_all_threads() {
    let (ended, end) = mpsc::channel();
    thread::spawn(move || {
        let explored = catch_unwind(|| {
            Explore::par_run(|| {
                let explode = |_: &mut u8, ()| -> () { panic_any(Bomb) };
                Explore::from(0_u8).operation("explode", [()], explode).regressions(false).threads(2)
            })
        });
        ended.send(explored.is_err())
    });
    assert_eq!(end.recv_timeout(Duration::from_secs(60)), Ok(true));
}
