//! The predicate's own containers against std, with marks and ways back: whatever was done since a mark, going back to it gives
//! what a copy of the std container had kept. Elements that must be dropped are dropped once.

// Clones of containers are containers of their own, though their handles are `Copy`.
#![allow(clippy::clone_on_copy)]

#[path = "rollback/cells.rs"]
mod cells;
#[path = "rollback/dropped.rs"]
mod dropped;
#[path = "rollback/harness.rs"]
mod harness;
#[path = "rollback/hashed.rs"]
mod hashed;
#[path = "rollback/keyed.rs"]
mod keyed;
#[path = "rollback/nested.rs"]
mod nested;
#[path = "rollback/ordered.rs"]
mod ordered;
#[path = "rollback/sequences.rs"]
mod sequences;
#[path = "rollback/wide.rs"]
mod wide;

use std::cell::Cell;
use std::collections::HashSet;

use korat_core::__private::{TestWorkspace, twin};
use rand::RngExt;
use rand::rngs::SmallRng;

use cells::Cells;
use harness::{Trial, run};
use hashed::{Map, Set};
use nested::{Lists, NestedDeque, NestedIndex, NestedMap, NestedVec};
use ordered::{Heap, Index, Tree};
use sequences::{Deque, Vector};
use wide::Wide;

#[test]
fn vectors_go_back() {
    run::<Vector>();
}

#[test]
fn sets_go_back() {
    run::<Set>();
}

#[test]
fn maps_go_back() {
    run::<Map>();
}

#[test]
fn deques_go_back() {
    run::<Deque>();
}

#[test]
fn ordered_sets_go_back() {
    run::<Tree>();
}

#[test]
fn ordered_maps_go_back() {
    run::<Index>();
}

#[test]
fn ordered_maps_of_vectors_go_back() {
    run::<NestedIndex>();
}

#[test]
fn heaps_go_back() {
    run::<Heap>();
}

#[test]
fn cells_go_back() {
    run::<Cells>();
}

#[test]
fn large_elements_go_back() {
    run::<Wide>();
}

#[test]
fn vectors_of_vectors_go_back() {
    run::<NestedVec>();
}

#[test]
fn maps_of_vectors_go_back() {
    run::<NestedMap>();
}

#[test]
fn deques_of_deques_go_back() {
    run::<NestedDeque>();
}

#[test]
fn pairs_of_vectors_go_back() {
    run::<Lists>();
}

/// One container of each kind, in one workspace.
struct Many(Vector, Set, Map, Deque, NestedVec, NestedMap, Tree, Index);

impl Trial for Many {
    fn new() -> Self {
        Many(
            Trial::new(),
            Trial::new(),
            Trial::new(),
            Trial::new(),
            Trial::new(),
            Trial::new(),
            Trial::new(),
            Trial::new(),
        )
    }
    fn step(&mut self, rng: &mut SmallRng) {
        match rng.random_range(0..8) {
            0 => self.0.step(rng),
            1 => self.1.step(rng),
            2 => self.2.step(rng),
            3 => self.3.step(rng),
            4 => self.4.step(rng),
            5 => self.5.step(rng),
            6 => self.6.step(rng),
            _ => self.7.step(rng),
        }
    }
    fn check(&self) {
        self.0.check();
        self.1.check();
        self.2.check();
        self.3.check();
        self.4.check();
        self.5.check();
        self.6.check();
        self.7.check();
    }
    fn snapshot(&self) -> Self {
        Many(
            self.0.snapshot(),
            self.1.snapshot(),
            self.2.snapshot(),
            self.3.snapshot(),
            self.4.snapshot(),
            self.5.snapshot(),
            self.6.snapshot(),
            self.7.snapshot(),
        )
    }
}

#[test]
fn containers_of_all_kinds_go_back_together() {
    run::<Many>();
}

#[test]
fn references_made_before_a_mark_are_valid_after_going_back_to_it() {
    let mut bench = TestWorkspace::new();
    let vec: twin::Vec<u64> = (0..5).collect();
    let deque: twin::VecDeque<u64> = (0..5).collect();
    let set: twin::HashSet<u64> = (0..5).collect();
    let map: twin::HashMap<u64, u64> = (0..5).map(|key| (key, key * key)).collect();
    let tree: twin::BTreeSet<u64> = (0..5).collect();
    let (of_vec, of_deque, of_set, of_map) = (&vec[3], &deque[3], set.get(&3).unwrap(), &map[&3]);
    let all: Vec<&u64> = vec.iter().chain(&deque).chain(&set).chain(&tree).chain(map.values()).collect();
    let mark = bench.mark();
    for round in 0..3 {
        // The same containers through copies of the handles, as after a move.
        let (mut vec, mut deque, mut set, mut map, mut tree) = (vec, deque, set, map, tree);
        for number in 0..1000 {
            vec.push(number);
            deque.pop_front();
            deque.push_back(number);
            deque.push_front(number);
            set.insert(number);
            map.insert(number, number);
            tree.remove(&(number / 2));
            tree.insert(1000 - number);
        }
        match round {
            0 => {
                vec.fill(7);
                deque.iter_mut().for_each(|element| *element = 7);
                map.values_mut().for_each(|value| *value = 7);
                set.clear();
            }
            1 => {
                vec.clear();
                deque.clear();
                set.retain(|key| key % 2 == 0);
                map.remove(&3);
            }
            _ => {
                vec.reverse();
                deque.rotate_left(400);
                set.remove(&3);
                map.clear();
            }
        }
        bench.back(mark);
        assert_eq!((*of_vec, *of_deque, *of_set, *of_map), (3, 3, 3, 9));
        let numbers = || 0..5;
        let expected = numbers().chain(numbers()).chain(numbers()).chain(numbers()).chain([0, 1, 4, 9, 16]);
        assert!(all.iter().copied().copied().eq(expected));
    }
}

/// Large tables have fewer cells for each entry.
#[test]
fn large_sets_go_back() {
    const SMALL: u64 = 4000;
    const LARGE: u64 = 10_000;
    let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let mut bench = TestWorkspace::new();
    let mut set: twin::HashSet<u64> = (0..SMALL).map(key).collect();
    let (before, small) = (set.len(), bench.mark());
    for _ in 0..2 {
        (SMALL..LARGE).for_each(|number| _ = set.insert(key(number)));
        let expected: HashSet<u64> = (0..LARGE).map(key).collect();
        assert_eq!(set.len(), expected.len());
        assert!((0..3 * LARGE).all(|number| set.contains(&key(number)) == expected.contains(&key(number))));
        let large = bench.mark();
        (0..LARGE).step_by(50).for_each(|number| _ = set.remove(&key(number)));
        assert!(!set.contains(&key(50)) && set.contains(&key(51)));
        bench.back(large);
        assert!(expected.iter().all(|key| set.contains(key)));
        bench.back(small);
        assert_eq!(set.len(), before);
        assert!((0..SMALL).all(|number| set.contains(&key(number))));
    }
}

#[test]
fn a_clone_of_an_array_of_vectors_has_vectors_of_its_own() {
    let _bench = TestWorkspace::new();
    // The handles are `Copy`; a clone that copied bits would share the vectors.
    let mut array = [twin::Vec::from([1]), twin::Vec::from([2])];
    let mut lifted = twin::Array::from(array.clone());
    let copies = (array.clone(), lifted.clone());
    array[0].push(3);
    lifted[0].push(3);
    assert_eq!((array[0].len(), copies.0[0].len()), (2, 1));
    assert_eq!((lifted[0].len(), copies.1[0].len()), (2, 1));
}

#[test]
fn what_a_function_outside_gets_is_what_std_has() {
    fn total(deque: &std::collections::VecDeque<u32>, tree: &std::collections::BTreeSet<u32>) -> u32 {
        deque.iter().sum::<u32>() + tree.iter().sum::<u32>()
    }
    fn count(cell: &Cell<u32>) {
        cell.set(cell.get() + 1);
    }
    let mut bench = TestWorkspace::new();
    let (deque, tree) = (twin::VecDeque::from([1, 2, 3]), twin::BTreeSet::from([3, 4, 3]));
    let cell = twin::Cell::new(5);
    let mark = bench.mark();
    assert_eq!(total(&deque, &tree), 13);
    count(&cell);
    assert_eq!(cell.get(), 6);
    bench.back(mark);
    assert_eq!((total(&deque, &tree), cell.get()), (13, 5));
}

#[test]
fn a_reference_into_a_container_that_grew_sees_the_old_place() {
    let mut bench = TestWorkspace::new();
    let mut vec: twin::Vec<u32> = (0..8).collect();
    bench.mark();
    vec.push(8);
    let grown = bench.mark();
    let copy = vec;
    let last = copy.last().unwrap();
    vec.pop();
    vec.push(100);
    vec.extend(0..100);
    bench.back(grown);
    assert_eq!((*last, copy.len()), (8, 9));
}
