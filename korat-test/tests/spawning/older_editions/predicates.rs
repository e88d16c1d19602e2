//! Predicates in a crate of an older edition: temporaries of an `if let` and of a block's last expression live longer there. The
//! oracle is brute force over the plain `rep_ok`.

// Predicates are written as people might write them, not as clippy would.
#![allow(clippy::all, dead_code, unused)]

#[path = "../../exact/harness.rs"]
mod harness;

use std::cell::Cell;

use harness::{on_lists, on_rows};

/// Notes when it is dropped.
struct Guard<'a> {
    log: &'a Cell<u8>,
    key: u8,
}

impl Guard<'_> {
    fn odd(&self) -> Option<u8> {
        (self.key % 2 == 1).then_some(self.key)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.log.set(self.log.get().wrapping_mul(3).wrapping_add(self.key + 1));
    }
}

fn guard(log: &Cell<u8>, key: u8) -> Guard<'_> {
    Guard { log, key }
}

on_lists! {
    a_scrutinee_is_dropped_after_else [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(1u8);
        let mut sum: u8 = 0;
        let mut at = &self.head;
        while let Some(node) = at {
            if let Some(odd) = guard(&log, node.key).odd() {
                sum = sum.wrapping_add(odd);
            } else {
                sum = sum.wrapping_mul(2).wrapping_add(log.get());
            }
            at = &node.next;
        }
        sum.wrapping_add(log.get()) % 5 == self.mark
    }
}

on_rows! {
    a_scrutinee_that_reads [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u8);
        let mut sum: u8 = 0;
        for at in 0..self.keys.len() {
            if let Some(odd) = guard(&log, self.keys[at]).odd() {
                sum = sum.wrapping_add(odd).wrapping_add(log.get());
            } else if self.mark > log.get() % 4 {
                sum = sum.wrapping_mul(2).wrapping_add(log.get());
            }
        }
        sum.wrapping_add(log.get()) % 5 == self.mark
    }
}

on_rows! {
    a_last_expression_is_dropped_after_the_locals [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u8);
        let mut sum: u8 = 0;
        for &key in &self.keys {
            sum = sum.wrapping_mul(2).wrapping_add({
                let _inner = guard(&log, 1);
                guard(&log, key).odd().unwrap_or(self.mark)
            });
        }
        sum.wrapping_add(log.get()) % 5 == self.mark
    }
}

on_rows! {
    a_lock_is_held_by_else [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let cell = std::cell::RefCell::new(0u8);
        let mut sum: u8 = 0;
        for &key in &self.keys {
            *cell.borrow_mut() = key;
            sum = sum.wrapping_mul(2).wrapping_add(if let 1 = *cell.borrow() { 3 } else { u8::from(cell.try_borrow_mut().is_ok()) });
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    ordinary [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let mut sum: u8 = 0;
        let mut at = self.head.as_deref();
        while let Some(node) = at {
            sum = sum.wrapping_mul(2).wrapping_add(node.key);
            at = node.next.as_deref();
        }
        sum % 5 == self.mark
    }
}
