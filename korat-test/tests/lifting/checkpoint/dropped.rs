//! What a predicate leaves behind is dropped once, whenever its search ends.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Finitize, Search, SelfCheck, rep_ok};

use crate::checkpoint::MODES;

thread_local! {
    static ALIVE: Cell<i64> = const { Cell::new(0) };
    static CLONES_LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Counted(u8);

fn counted(value: u8) -> Counted {
    ALIVE.set(ALIVE.get() + 1);
    Counted(value)
}

// SAFETY: it counts, borrows nothing, and uses no container of a predicate.
unsafe impl korat::__private::LateDrop for Counted {}

impl Clone for Counted {
    fn clone(&self) -> Self {
        let left = CLONES_LEFT.get();
        assert!(left > 0, "no more clones");
        CLONES_LEFT.set(left - 1);
        counted(self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

#[derive(Debug, Finitize)]
struct Triple {
    one: u8,
    two: u8,
    three: u8,
}

#[rep_ok(plain(Counted))]
impl Triple {
    fn rep_ok(&self) -> bool {
        let mut all: Vec<Counted> = vec![counted(self.one), counted(self.two), counted(self.three)];
        let mut groups: BTreeMap<Counted, Vec<Counted>> = BTreeMap::new();
        let mut map: HashMap<Counted, Counted> = HashMap::new();
        let mut deque: VecDeque<Counted> = VecDeque::new();
        for value in all.iter() {
            groups.entry(value.clone()).or_default().push(value.clone());
            map.insert(value.clone(), value.clone());
            deque.push_front(value.clone());
        }
        let copy = all.clone();
        all.sort();
        all.dedup();
        deque.retain(|value| *value != counted(1));
        map.retain(|key, _| *key != counted(2));
        let first: Vec<Counted> = all.drain(..1).collect();
        let mut rest = deque.clone().into_iter();
        let _next = rest.next();
        let cell = RefCell::new(copy.clone());
        let _last = cell.borrow_mut().pop();
        let _all = cell.replace(Vec::new());
        let slot = Cell::new(Some(counted(1)));
        let _taken = slot.take();
        slot.set(Some(counted(4)));
        let heap: BinaryHeap<Counted> = copy.iter().cloned().collect();
        self.one <= self.two && all.len() + first.len() == groups.len() && heap.into_sorted_vec().len() == 3
    }
}

#[test]
fn when_the_search_is() {
    for mode in MODES {
        for values in [0, 1, 2, 5, 1000] {
            let found = Search::new(Triple::scope(2))
                .backtracking(mode)
                .self_check(SelfCheck::Off)
                .into_iter()
                .take(values)
                .count();
            assert_eq!(found, values.min(18));
            assert_eq!(ALIVE.get(), 0, "{mode:?}, after {values} values");
        }
    }
}

#[test]
fn when_a_clone_panics() {
    for mode in MODES {
        for clones in 0..200 {
            CLONES_LEFT.set(clones);
            let search = Search::new(Triple::scope(2)).backtracking(mode).self_check(SelfCheck::Off);
            assert!(catch_unwind(AssertUnwindSafe(|| search.report())).is_err());
            CLONES_LEFT.set(u32::MAX);
            assert_eq!(ALIVE.get(), 0, "{mode:?}, after {clones} clones");
        }
    }
}

#[test]
fn when_searches_take_turns() {
    let alone: Vec<String> = korat::valid(Triple::scope(2)).map(|value| format!("{value:?}")).collect();
    let mut searches = MODES.map(|mode| Search::new(Triple::scope(2)).backtracking(mode).into_iter());
    for expected in &alone {
        for search in &mut searches {
            assert_eq!(search.next().map(|value| format!("{value:?}")).as_ref(), Some(expected));
        }
    }
    drop(searches);
    let mut pairs = 0;
    korat::for_each_valid(Triple::scope(2), |_| pairs += korat::valid(Triple::scope(2)).count());
    assert_eq!(pairs, alone.len() * alone.len());
    assert_eq!(ALIVE.get(), 0);
}

#[test]
fn on_every_thread() {
    let threads = [(); 4].map(|()| std::thread::spawn(when_searches_take_turns));
    assert!(threads.into_iter().all(|thread| thread.join().is_ok()));
}
