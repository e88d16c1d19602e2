//! The predicate's own containers against std: the same random operations give the same answers.

use std::collections::{BTreeSet, HashMap, HashSet};

use korat_core::__private::{TestWorkspace, twin, vec};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const SEEDS: u64 = 200;
const OPERATIONS: usize = 200;

#[test]
fn a_set_does_what_a_std_set_does_and_keeps_insertion_order() {
    let _bench = TestWorkspace::new();
    for seed in 0..SEEDS {
        let mut rng = SmallRng::seed_from_u64(seed);
        // Small ranges give many repetitions, large ones outgrow the place kept for small sets.
        let range = [5, 40, 400][seed as usize % 3];
        let (mut ours, mut theirs) = (twin::HashSet::new(), HashSet::new());
        let mut order: Vec<u32> = Vec::new();
        for _ in 0..OPERATIONS {
            let key: u32 = rng.random_range(0..range);
            match rng.random_range(0..12) {
                0..=6 => {
                    let new = theirs.insert(key);
                    assert_eq!(ours.insert(key), new);
                    if new {
                        order.push(key);
                    }
                }
                7 | 8 => {
                    assert_eq!(ours.remove(&key), theirs.remove(&key));
                    order.retain(|known| *known != key);
                }
                9 => assert_eq!(ours.contains(&key), theirs.contains(&key)),
                10 => assert_eq!(ours.get(&key), theirs.get(&key)),
                _ if rng.random_bool(0.1) => {
                    ours.retain(|known| known % 2 == key % 2);
                    theirs.retain(|known| known % 2 == key % 2);
                    order.retain(|known| known % 2 == key % 2);
                }
                _ => assert_eq!(ours.replace(key).is_some(), !{
                    let new = theirs.insert(key);
                    if new {
                        order.push(key);
                    }
                    new
                }),
            }
            assert_eq!(ours.len(), theirs.len());
            assert!(ours.iter().eq(&order), "seed {seed}");
        }
        let collected: BTreeSet<u32> = ours.into_iter().collect();
        assert_eq!(collected, theirs.into_iter().collect());
    }
}

#[test]
fn set_algebra_is_that_of_std() {
    let _bench = TestWorkspace::new();
    for seed in 0..SEEDS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut draw = || -> Vec<u32> { (0..rng.random_range(0..30)).map(|_| rng.random_range(0..20)).collect() };
        let (one, other) = (draw(), draw());
        let ours: (twin::HashSet<u32>, twin::HashSet<u32>) =
            (one.iter().copied().collect(), other.iter().copied().collect());
        let theirs: (BTreeSet<u32>, BTreeSet<u32>) = (one.into_iter().collect(), other.into_iter().collect());
        let sorted = |keys: &mut dyn Iterator<Item = &u32>| -> Vec<u32> {
            let mut keys: Vec<u32> = keys.copied().collect();
            keys.sort_unstable();
            keys
        };
        assert_eq!(sorted(&mut ours.0.union(&ours.1)), sorted(&mut theirs.0.union(&theirs.1)));
        assert_eq!(sorted(&mut ours.0.intersection(&ours.1)), sorted(&mut theirs.0.intersection(&theirs.1)));
        assert_eq!(sorted(&mut ours.0.difference(&ours.1)), sorted(&mut theirs.0.difference(&theirs.1)));
        assert_eq!(ours.0.is_subset(&ours.1), theirs.0.is_subset(&theirs.1));
        assert_eq!(ours.0.is_superset(&ours.1), theirs.0.is_superset(&theirs.1));
        assert_eq!(ours.0.is_disjoint(&ours.1), theirs.0.is_disjoint(&theirs.1));
        assert_eq!(ours.0 == ours.1, theirs.0 == theirs.1);
    }
}

#[test]
fn a_vector_does_what_a_std_vector_does() {
    let _bench = TestWorkspace::new();
    for seed in 0..SEEDS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut ours, mut theirs): (twin::Vec<u32>, Vec<u32>) = (vec![1, 2, 3], Vec::from([1, 2, 3]));
        for _ in 0..OPERATIONS {
            let value: u32 = rng.random_range(0..10);
            let at = rng.random_range(0..=theirs.len());
            match rng.random_range(0..16) {
                0..=4 => {
                    ours.push(value);
                    theirs.push(value);
                }
                5 | 6 => assert_eq!(ours.pop(), theirs.pop()),
                7 => {
                    ours.insert(at, value);
                    theirs.insert(at, value);
                }
                8 if at < theirs.len() => assert_eq!(ours.remove(at), theirs.remove(at)),
                9 if at < theirs.len() => assert_eq!(ours.swap_remove(at), theirs.swap_remove(at)),
                10 if at < theirs.len() => {
                    ours[at] = value;
                    theirs[at] = value;
                }
                11 => {
                    ours.truncate(at);
                    theirs.truncate(at);
                }
                12 => {
                    ours.retain(|element| *element != value);
                    theirs.retain(|element| *element != value);
                }
                13 => {
                    ours.sort_unstable();
                    theirs.sort_unstable();
                    assert_eq!(ours.binary_search(&value), theirs.binary_search(&value));
                    ours.dedup();
                    theirs.dedup();
                }
                14 => {
                    let (tail, std_tail) = (ours.split_off(at), theirs.split_off(at));
                    assert!(tail.iter().eq(&std_tail));
                    ours.extend(tail);
                    theirs.extend(std_tail);
                }
                _ => {
                    ours.extend([value, value]);
                    theirs.extend([value, value]);
                    ours.reverse();
                    theirs.reverse();
                }
            }
            assert!(ours.iter().eq(&theirs), "seed {seed}");
            assert_eq!((ours.len(), ours.first(), ours.last()), (theirs.len(), theirs.first(), theirs.last()));
            assert_eq!(ours.contains(&value), theirs.contains(&value));
            assert_eq!(ours.is_sorted(), theirs.is_sorted());
            let ours_windows = ours.windows(2).map(|pair| (pair[0], pair[1]));
            assert!(ours_windows.eq(theirs.windows(2).map(|pair| (pair[0], pair[1]))));
            let (from, to) = (at.min(theirs.len()), theirs.len());
            assert!(ours[from..to].iter().eq(&theirs[from..to]));
            assert_eq!(ours.get(at), theirs.get(at));
        }
        assert_eq!(ours.clone(), ours);
        assert!(ours.into_iter().eq(theirs));
    }
}

#[test]
fn a_map_does_what_a_std_map_does() {
    let _bench = TestWorkspace::new();
    for seed in 0..SEEDS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut ours, mut theirs) = (twin::HashMap::new(), HashMap::new());
        for _ in 0..OPERATIONS {
            let (key, value): (u32, u32) = (rng.random_range(0..30), rng.random_range(0..9));
            match rng.random_range(0..6) {
                0 | 1 => assert_eq!(ours.insert(key, value), theirs.insert(key, value)),
                2 => assert_eq!(ours.remove(&key), theirs.remove(&key)),
                3 => {
                    *ours.entry(key).or_insert(0) += value;
                    *theirs.entry(key).or_insert(0) += value;
                }
                4 => assert_eq!(ours.get(&key), theirs.get(&key)),
                _ => assert_eq!(ours.contains_key(&key), theirs.contains_key(&key)),
            }
            assert_eq!(ours.len(), theirs.len());
        }
        assert!(ours.iter().all(|(key, value)| theirs.get(key) == Some(value)));
    }
}
