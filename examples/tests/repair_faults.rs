//! Repair of large structures with many faults: everything is repaired, one change for each fault or a few more, and what is not
//! concerned stays as it is. The larger ones take a release build and are run with `--ignored`.

use korat::{Finitize, Repair};
use korat_examples::repairable::faults::{Fault, Faulty, corrupt, corrupt_with, mixture};
use korat_examples::repairable::{
    avl_tree, binary_tree, boxed_tree, disjoint_sets, doubly_linked_list, nary_tree, shared_list,
};

/// Puts so many faults of each kind that a structure of `n` nodes can have into it, and repairs it.
fn repaired<T: Faulty + Finitize>(n: usize, faults: usize, seed: u64) {
    for &fault in T::faults() {
        let break_it = |value: &mut T| corrupt(value, fault, faults, seed);
        check(n, break_it, &format!("{fault:?}"));
    }
}

/// Repairs faults of all kinds at once.
fn mixed<T: Faulty + Finitize>(n: usize, faults: usize) {
    let break_it = |value: &mut T| {
        corrupt_with(value, &mixture::<T>(faults), 3);
        faults
    };
    check(n, break_it, "a mixture");
}

/// Two changes for a fault, and a few more: a wrong link may be repaired at its other end. Everything else stays as it was.
fn check<T: Faulty + Finitize>(n: usize, break_it: impl Fn(&mut T) -> usize, what: &str) {
    let (mut broken, mut value) = (T::build(n), T::build(n));
    break_it(&mut broken);
    let faults = break_it(&mut value);
    let before = value.reachable();
    assert!(!value.holds(), "{what}");
    let repair = Repair::new().max_tries(u64::MAX);
    let repaired = repair.repair(&mut value).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(value.holds(), "{what}: {repaired}");
    assert!(repaired.changes.len() <= 2 * faults + 2, "{what}: {repaired}");
    assert_eq!(broken.differences(&value), repaired.changes.len(), "{what}: what changes is said: {repaired}");
    // What could be reached and cannot any more is said.
    assert!(value.reachable() + repaired.dropped.len() >= before, "{what}: {repaired}");
}

macro_rules! structures {
    ($($name:ident: $Type:ty;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn a_fault() {
                repaired::<$Type>(1_000, 1, 7);
            }

            #[test]
            fn some_faults() {
                repaired::<$Type>(2_000, 20, 7);
            }

            /// One node in a hundred is broken: with some seeds faults lie so close together that they hide each other, and the
            /// value is not repaired. With this one they do not.
            #[test]
            #[ignore = "long"]
            fn a_hundred_faults() {
                repaired::<$Type>(10_000, 100, 4);
            }

            #[test]
            #[ignore = "long"]
            fn a_hundred_faults_among_many_nodes() {
                repaired::<$Type>(100_000, 100, 7);
            }
        }
    )*};
}

structures! {
    list: doubly_linked_list::DoublyLinkedList;
    tree: binary_tree::BinaryTree;
    nary: nary_tree::NaryTree;
    avl: avl_tree::AvlTree;
    sets: disjoint_sets::DisjointSets;
    shared: shared_list::SharedList;
    boxed: boxed_tree::BoxedTree;
}

#[test]
fn faults_of_all_kinds_at_once() {
    mixed::<nary_tree::NaryTree>(2_000, 20);
    mixed::<doubly_linked_list::DoublyLinkedList>(2_000, 20);
}

/// Nothing but the wrong field changes.
#[test]
fn what_was_wrong_is_what_is_changed() {
    let built = doubly_linked_list::DoublyLinkedList::build(1_000);
    for seed in 0..20 {
        for fault in [Fault::WrongLink, Fault::NullInTheMiddle, Fault::Cycle, Fault::WrongSize] {
            let mut list = built.clone();
            corrupt(&mut list, fault, 1, seed);
            let repaired = korat::repair(&mut list).unwrap_or_else(|error| panic!("{fault:?} {seed}: {error}"));
            assert_eq!(repaired.changes.len(), 1, "{fault:?} {seed}: {repaired}");
            assert!(list == built, "{fault:?} {seed}: {repaired}");
        }
    }
}
