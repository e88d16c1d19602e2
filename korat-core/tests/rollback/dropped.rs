//! Elements that must be dropped are dropped once, wherever they are when the containers go back.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

use korat_core::__private::{LateDrop, TestWorkspace, twin};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::harness::SEEDS;

/// The elements that were made and not dropped.
type Alive = Rc<RefCell<HashSet<u64>>>;

/// An element that is dropped once.
struct Counted {
    alive: Alive,
    id: u64,
    number: u32,
}

impl Counted {
    fn new(alive: &Alive, number: u32) -> Self {
        thread_local!(static NEXT: Cell<u64> = const { Cell::new(0) });
        let id = NEXT.replace(NEXT.get() + 1);
        alive.borrow_mut().insert(id);
        Counted { alive: alive.clone(), id, number }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        assert!(self.alive.borrow_mut().remove(&self.id), "dropped twice");
    }
}

// SAFETY: it counts, borrows nothing, and uses no container of a predicate.
unsafe impl LateDrop for Counted {}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Counted::new(&self.alive, self.number)
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Counted {}

impl std::hash::Hash for Counted {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

#[test]
fn elements_that_must_be_dropped_are_dropped_once() {
    for seed in 0..SEEDS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let alive = Alive::default();
        let mut bench = TestWorkspace::new();
        for _ in 0..3 {
            let mark = bench.mark();
            let before = alive.borrow().clone();
            let mut vec: twin::Vec<Counted> = twin::Vec::new();
            let mut deque: twin::VecDeque<Counted> = twin::VecDeque::new();
            let mut set: twin::HashSet<Counted> = twin::HashSet::new();
            let mut map: twin::HashMap<Counted, Counted> = twin::HashMap::new();
            let mut tree: twin::BTreeMap<u32, Counted> = twin::BTreeMap::new();
            let cell = twin::Cell::new(None);
            let ref_cell = twin::OwnRefCell::new(twin::Cell::new(Counted::new(&alive, 0)).into_inner());
            let mut nested: twin::Vec<twin::Vec<Counted>> = twin::Vec::new();
            for _ in 0..60 {
                let at = rng.random_range(0..20);
                let mut one = || Counted::new(&alive, rng.random_range(0..20));
                let (first, second) = (one(), one());
                match rng.random_range(0..45) {
                    0..=4 => vec.push(first),
                    5..=7 => deque.push_back(first),
                    8..=10 => deque.push_front(first),
                    11..=13 => drop(set.insert(first)),
                    14..=16 => drop(map.insert(first, second)),
                    17 => drop((vec.pop(), deque.pop_front(), set.take(&first), map.remove(&first))),
                    18 => drop((deque.pop_back(), map.remove_entry(&first))),
                    19 => vec.truncate(at as usize),
                    20 => deque.truncate(at as usize),
                    21 => vec.retain(|element| element.number < at),
                    22 => deque.retain(|element| element.number < at),
                    23 => set.retain(|element| element.number < at),
                    24 => map.retain(|key, _| key.number < at),
                    25 => vec.extend(deque.drain(deque.len() / 2..)),
                    26 => deque.extend(vec.drain(..vec.len() / 2).rev().take(3)),
                    27 => drop(map.entry(first).or_insert(second).clone()),
                    28 => nested.push(vec.clone()),
                    29 => drop(nested.pop().map(|inner| inner.into_iter().next_back())),
                    30 => vec.extend(set.drain().take(4)),
                    31 => deque.extend(map.drain().skip(1).map(|(key, _)| key)),
                    32 => drop((vec.split_off(vec.len() / 3), deque.split_off(deque.len() / 3))),
                    33 => vec.dedup(),
                    34 => {
                        deque.make_contiguous().reverse();
                        vec.reverse();
                        deque.insert(0, first);
                        vec.insert(vec.len() / 2, second);
                        drop((deque.remove(deque.len() / 2), vec.remove(0), vec.clone().into_iter().nth(1)));
                    }
                    35 | 36 => drop(tree.insert(at, first)),
                    37 => drop((tree.remove(&at), tree.entry(at).or_insert(first).clone(), tree.pop_first())),
                    38 => tree.retain(|key, _| key % 2 == at % 2),
                    39 => drop(tree.split_off(&at).into_iter().next_back()),
                    40 => deque.extend(std::mem::take(&mut tree).into_values().skip(1)),
                    41 => cell.set(Some(first)),
                    42 => drop((cell.replace(Some(first)), cell.take(), ref_cell.replace(second))),
                    43 => drop((ref_cell.borrow().clone(), twin::OwnRefCell::new(first).into_inner())),
                    _ => match at % 5 {
                        0 => vec.clear(),
                        1 => deque.clear(),
                        2 => set.clear(),
                        3 => map.clear(),
                        _ => drop(set.replace(first)),
                    },
                }
                let held = vec.iter().chain(&deque).chain(&set).chain(tree.values()).count() + 2 * map.len();
                assert!(alive.borrow().len() >= held);
            }
            // What was made since is gone.
            if rng.random_bool(0.5) {
                bench.back(mark);
                assert_eq!(*alive.borrow(), before, "seed {seed}");
            }
        }
        drop(bench);
        assert!(alive.borrow().is_empty(), "seed {seed}");
    }
}
