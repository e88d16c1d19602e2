//! Checks that the tests of every structure in this module run.

use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search};

use super::faults::{Faulty, corrupt};

/// Checks the number of valid values at each scope from 0 on. Searches with checkpoints and with re-execution must
/// agree on all counts, classic pruning must find the same values, and the whole predicate must have been lowered.
pub(super) fn counts<T: Finitize + RepOk>(expected: &[u64]) {
    fn counters(report: &Report) -> (u64, u64) {
        (report.valid, report.explored)
    }
    for (scope, &valid) in expected.iter().enumerate() {
        let search = || Search::new(T::scope(scope));
        let checkpoint = search().backtracking(Backtracking::Checkpoint).explain(true).report();
        assert_eq!(checkpoint.valid, valid, "scope {scope}");
        let explanation = checkpoint.explanation.as_ref().expect("it was asked for");
        assert!(explanation.notes.is_empty(), "{explanation}");
        let again = search().backtracking(Backtracking::Reexecute).report();
        assert_eq!(counters(&again), counters(&checkpoint), "scope {scope}");
        let classic = search().pruning(Pruning::Classic).report();
        assert_eq!(classic.valid, valid, "scope {scope}");
    }
}

/// Checks that a single fault of any kind, anywhere, breaks the invariant, and that a hundred do not cancel out.
pub(super) fn faults_are_noticed<T: Faulty>() {
    for &fault in T::faults() {
        for (n, seeds) in [(50, 300), (1000, 100)] {
            for seed in 0..seeds {
                let mut value = T::build(n);
                assert!(value.holds());
                assert_eq!(corrupt(&mut value, fault, 1, seed), 1);
                assert!(!value.holds(), "{fault:?} in {n} nodes with seed {seed}");
            }
        }
        for seed in 0..2 {
            let mut value = T::build(10_000);
            assert_eq!(corrupt(&mut value, fault, 100, seed), T::most(fault).min(100));
            assert!(!value.holds(), "100 times {fault:?} with seed {seed}");
        }
    }
}

/// Checks that each fault changes one field, and no two change the same.
pub(super) fn one_field_is_changed<T: Faulty>() {
    let before = T::build(1000);
    assert_eq!(before.differences(&before), 0);
    for &fault in T::faults() {
        for count in [1, 7, 100] {
            for seed in 0..5 {
                let mut value = T::build(1000);
                let count = corrupt(&mut value, fault, count, seed);
                assert_eq!(before.differences(&value), count, "{fault:?} with seed {seed}");
            }
        }
    }
}

/// Checks that a structure of a million nodes can be built, checked, counted and dropped.
pub(super) fn large<T: Faulty>() {
    let value = T::build(1_000_000);
    assert!(value.holds());
    assert_eq!(value.reachable(), 1_000_000);
}
