//! Guards, checks and observers that change what they look at, and operations that are not deterministic.

use std::cell::Cell;
use std::collections::HashSet;

use korat::{Explore, Finitize};

/// Sets in which finding a root shortens the way to it.
#[derive(Debug, Finitize)]
struct Sets {
    parents: Vec<Cell<usize>>,
}

impl Sets {
    fn new(len: usize) -> Self {
        Sets { parents: (0..len).map(Cell::new).collect() }
    }

    fn find(&self, mut at: usize) -> usize {
        while self.parents[at].get() != at {
            let parent = self.parents[at].get();
            self.parents[at].set(self.parents[parent].get());
            at = self.parents[at].get();
        }
        at
    }

    /// Puts one root below another, without looking for them.
    fn link(&mut self, one: usize, other: usize) {
        if self.parents[one].get() == one && self.parents[other].get() == other {
            self.parents[one].set(other);
        }
    }
}

fn sets() -> Explore<Sets> {
    let pairs = (0..5).flat_map(|one| (0..5).map(move |other| (one, other)));
    Explore::from(Sets::new(5)).operation("link", pairs, |sets, (one, other)| sets.link(one, other)).regressions(false)
}

/// The number of forests of labelled, rooted trees: (n + 1)^(n - 1).
const FORESTS: u64 = 6_u64.pow(4);

#[test]
fn checks_that_change_a_state_lose_none() {
    sets().run().expect_states(FORESTS);
    sets().check(|sets| (0..5).all(|at| sets.find(at) < 5)).run().expect_states(FORESTS);
    let beside = sets().beside(5_usize).same("whether the root exists", |sets| sets.find(0) < 5, |len| 0 < *len);
    beside.run().expect_states(FORESTS);
}

#[test]
fn guards_that_change_a_state_are_named() {
    let failed = Explore::from(Cell::new(0_u8))
        .operation_if("add", |cell| cell.replace(cell.get() | 1) < 9, |cell| cell.set(cell.get() + 1))
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert_eq!(failed.failures[0].message, "the guard changes the state, which it should only look at");
}

thread_local!(static RUNS: Cell<u32> = const { Cell::new(0) });

#[test]
fn operations_that_are_not_deterministic_are_named_wherever_they_stand() {
    for calls in [1, 2, 4, 6, 8, 16, 64] {
        for wrong in [0, calls / 2, calls - 1] {
            let run = move |number: &mut u32, call: u32| {
                let runs = if call == wrong { RUNS.replace(RUNS.get() + 1) } else { 0 };
                *number = (*number * 3 + call + runs) % 1_000;
            };
            let explore = Explore::from(0).operation("run", 0..calls, run).regressions(false);
            let failed = explore.try_run().unwrap_err();
            assert!(failed.failures[0].message.contains("the operation is not deterministic"), "{failed}");
            assert_eq!(failed.failures[0].calls, [format!("run({wrong})")]);
        }
    }
}

#[test]
fn what_depends_on_the_order_of_hashing_is_named() {
    let failed = Explore::from((HashSet::<u8>::new(), 0_u8))
        .operation("insert", 0..15, |(set, _), item| _ = set.insert(item))
        .operation("pick", [()], |(set, picked), ()| *picked = set.iter().next().copied().unwrap_or(99))
        .depth(4)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.contains("not deterministic"), "{failed}");
}

#[test]
fn a_failure_that_does_not_come_again_is_named() {
    let failed = Explore::from(0_u32)
        .operation("add", [1], |number, add| {
            assert!(RUNS.replace(RUNS.get() + 1) != 7, "only once");
            *number += add;
        })
        .depth(9)
        .regressions(false)
        .try_run()
        .unwrap_err();
    let message =
        "the operation fails: only once; but not if it is run again on the same state: it is not deterministic";
    assert_eq!(failed.failures[0].message, message);
}
