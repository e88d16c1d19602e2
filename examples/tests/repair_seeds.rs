//! How often a large structure is repaired when one node in a hundred is broken: with some seeds faults hide each other. Takes a
//! release build and some minutes, and is run with `--ignored`.

use korat::{Finitize, Repair};
use korat_examples::repairable::faults::{Faulty, corrupt, corrupt_with, mixture};
use korat_examples::repairable::{
    avl_tree, binary_tree, boxed_tree, disjoint_sets, doubly_linked_list, nary_tree, shared_list,
};

const NODES: usize = 10_000;
const FAULTS: usize = 100;
/// Of a hundred runs, so many may end without a valid value.
const MOST_FAILED: usize = 1;

/// How many values were broken, and which of them were not repaired.
#[derive(Default)]
struct Runs {
    all: usize,
    failed: Vec<String>,
}

impl Runs {
    fn repair<T: Faulty + Finitize>(&mut self, mut value: T, what: String) {
        self.all += 1;
        match Repair::new().max_tries(1_000_000).repair(&mut value) {
            Ok(repaired) => {
                assert!(value.holds(), "{what}: {repaired}");
                assert!(repaired.changes.len() <= 2 * FAULTS + 2, "{what}: {repaired}");
            }
            Err(_) => self.failed.push(what),
        }
    }

    /// Every kind of fault by itself, and all of them together.
    fn repair_all<T: Faulty + Finitize>(&mut self, name: &str, seed: u64) {
        for &fault in T::faults() {
            let mut value = T::build(NODES);
            corrupt(&mut value, fault, FAULTS, seed);
            self.repair(value, format!("{name} {fault:?} {seed}"));
        }
        let mut value = T::build(NODES);
        corrupt_with(&mut value, &mixture::<T>(FAULTS), seed);
        self.repair(value, format!("{name} mixture {seed}"));
    }
}

#[test]
#[ignore = "takes minutes"]
fn most_seeds_are_repaired() {
    let mut runs = Runs::default();
    for seed in 1..=16 {
        runs.repair_all::<doubly_linked_list::DoublyLinkedList>("list", seed);
        runs.repair_all::<binary_tree::BinaryTree>("binary tree", seed);
        runs.repair_all::<nary_tree::NaryTree>("n-ary tree", seed);
        runs.repair_all::<avl_tree::AvlTree>("AVL tree", seed);
        runs.repair_all::<disjoint_sets::DisjointSets>("sets", seed);
        runs.repair_all::<shared_list::SharedList>("shared list", seed);
        runs.repair_all::<boxed_tree::BoxedTree>("boxed tree", seed);
    }
    println!("{} of {} not repaired: {:?}", runs.failed.len(), runs.all, runs.failed);
    assert!(runs.failed.len() * 100 <= MOST_FAILED * runs.all, "{} of {}", runs.failed.len(), runs.all);
}
