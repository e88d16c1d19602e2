//! A predicate that searches.

use std::cell::Cell;
use std::collections::HashSet;

use korat::{Finitize, rep_ok};

use crate::checkpoint::agree;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

fn search() -> usize {
    if DEPTH.get() > 1 {
        return 0;
    }
    DEPTH.set(DEPTH.get() + 1);
    let count = korat::valid(Pair::scope(1)).count();
    DEPTH.set(DEPTH.get() - 1);
    count
}

#[derive(Debug, Finitize)]
struct Pair {
    one: u8,
    two: u8,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        let mut numbers = vec![self.one];
        let first = search();
        numbers.push(self.two);
        let mut set: HashSet<u8> = numbers.iter().copied().collect();
        let second = search();
        set.insert(9);
        first == second && numbers.len() == 2 && set.len() == 3
    }
}

#[test]
fn both_ways_agree() {
    assert_eq!(agree(|| Pair::scope(2)), 6);
}
