//! Drops that a predicate notices: a guard writes to a cell when it goes, at the end of its block, when it is replaced, moved
//! or forgotten, and in the reverse order of the declarations.

use std::cell::Cell;

use super::harness::{on_lists, on_rows};

/// Writes its number to the log when it goes.
pub struct Guard<'a> {
    pub log: &'a Cell<u16>,
    pub number: u8,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.log.set(self.log.get().wrapping_mul(7).wrapping_add(u16::from(self.number) + 1));
    }
}

pub fn guard(log: &Cell<u16>, number: u8) -> Guard<'_> {
    Guard { log, number }
}

on_rows! {
    at_the_end_of_a_block [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        for key in &self.keys {
            let _first = guard(&log, 1);
            let _second = guard(&log, *key);
        }
        log.get() % 5 == u16::from(self.mark)
    }
}

on_rows! {
    an_underscore_keeps_nothing [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        for key in &self.keys {
            let _ = guard(&log, *key);
            let _kept = guard(&log, 3);
            log.set(log.get().wrapping_add(1));
        }
        log.get() % 5 == u16::from(self.mark)
    }
}

on_rows! {
    replaced [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        let mut held = guard(&log, 1);
        for key in &self.keys {
            held = guard(&log, *key);
        }
        let before = log.get();
        drop(held);
        (before ^ log.get()) % 5 == u16::from(self.mark)
    }
}

on_rows! {
    hidden_and_still_held [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        for key in &self.keys {
            let held = guard(&log, *key);
            let held = guard(&log, held.number + 1);
            log.set(log.get().wrapping_add(u16::from(held.number)));
        }
        log.get() % 5 == u16::from(self.mark)
    }
}

on_rows! {
    by_a_way_out [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        for key in &self.keys {
            let _held = guard(&log, 4);
            if *key == 1 {
                continue;
            }
            let _other = guard(&log, *key);
            if *key == 2 {
                break;
            }
        }
        log.get() % 5 == u16::from(self.mark)
    }
}

on_rows! {
    moved_into_a_function [plain(Guard)]

    fn rep_ok(&self) -> bool {
        fn number(guard: Guard<'_>) -> u8 {
            guard.number
        }
        let log = Cell::new(0u16);
        let mut sum = 0u8;
        for key in &self.keys {
            let held = guard(&log, *key);
            let _other = guard(&log, 5);
            sum = sum.wrapping_add(number(held));
            log.set(log.get().wrapping_add(1));
        }
        log.get().wrapping_add(u16::from(sum)) % 5 == u16::from(self.mark)
    }
}

on_rows! {
    moved_in_one_branch [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        for key in &self.keys {
            let held = guard(&log, *key);
            if *key == 1 {
                drop(held);
                log.set(log.get().wrapping_add(1));
            }
            log.set(log.get().wrapping_mul(2));
        }
        log.get() % 5 == u16::from(self.mark)
    }
}

on_rows! {
    temporaries [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        let mut sum = 0u16;
        for key in &self.keys {
            // Both go at the end of the statement, the second first.
            sum = sum.wrapping_add(u16::from(guard(&log, *key).number + guard(&log, 3).number) + log.get());
            match guard(&log, *key).number {
                0 => sum = sum.wrapping_add(log.get()),
                _ => log.set(log.get().wrapping_add(2)),
            }
        }
        (sum ^ log.get()) % 5 == u16::from(self.mark)
    }
}

on_lists! {
    held_across_reads [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        let mut sum = 0u16;
        let mut at = &self.head;
        while let Some(node) = at {
            let held = guard(&log, 2);
            sum = sum.wrapping_mul(3).wrapping_add(log.get() ^ u16::from(node.key));
            at = &node.next;
        }
        (sum ^ log.get()) % 5 == u16::from(self.mark)
    }
}

on_lists! {
    in_an_option [plain(Guard)]

    fn rep_ok(&self) -> bool {
        let log = Cell::new(0u16);
        let mut sum = 0u16;
        {
            let mut last = None;
            let mut at = &self.head;
            while let Some(node) = at {
                if node.key != 1 {
                    last = Some(guard(&log, node.key));
                } else if let Some(held) = last.take() {
                    sum = sum.wrapping_add(u16::from(held.number));
                }
                sum = sum.wrapping_mul(3).wrapping_add(log.get());
                at = &node.next;
            }
        }
        (sum ^ log.get()) % 5 == u16::from(self.mark)
    }
}
