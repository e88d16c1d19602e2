//! `Rc`, `Cell` and `RefCell` of the predicate's own: compared, cloned, counted, shared between locals.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::harness::{on_lists, on_rows};

on_rows! {
    compared []

    fn rep_ok(&self) -> bool {
        let (mut one, mut other) = (Rc::new(1u8), Rc::new(2u8));
        let mut sum = 0u8;
        for key in &self.keys {
            other = Rc::new(other.wrapping_add(*key));
            sum = sum.wrapping_mul(2).wrapping_add(u8::from(one == other));
            if *key == 1 {
                one = other.clone();
            }
        }
        sum.wrapping_add(*other) % 5 == self.mark
    }
}

on_rows! {
    borrowed []

    fn rep_ok(&self) -> bool {
        let log = Rc::new(RefCell::new(vec![1u8]));
        let same = log.clone();
        for key in &self.keys {
            same.borrow_mut().push(*key);
            let last = log.borrow().last().copied();
            if last == Some(2) {
                log.borrow_mut().push(7);
            }
        }
        let all = log.borrow();
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}

on_rows! {
    cells_swapped []

    fn rep_ok(&self) -> bool {
        let (one, other) = (Cell::new(1u8), Cell::new(2u8));
        for key in &self.keys {
            one.swap(&other);
            one.set(one.get().wrapping_add(*key));
        }
        one.get().wrapping_mul(3).wrapping_add(other.get()) % 5 == self.mark
    }
}

on_rows! {
    a_guard_is_held []

    fn rep_ok(&self) -> bool {
        let cell = RefCell::new(1u8);
        let mut sum = 0u8;
        for key in &self.keys {
            {
                let mut guard = cell.borrow_mut();
                *guard = guard.wrapping_mul(2).wrapping_add(*key);
                sum = sum.wrapping_add(u8::from(cell.try_borrow().is_err()));
            }
            sum = sum.wrapping_mul(2).wrapping_add(u8::from(cell.try_borrow().is_ok()));
        }
        sum.wrapping_add(cell.into_inner()) % 5 == self.mark
    }
}

on_lists! {
    made_unique []

    fn rep_ok(&self) -> bool {
        let mut text = Rc::new(vec![1u8]);
        let first = text.clone();
        let mut at = &self.head;
        while let Some(node) = at {
            Rc::make_mut(&mut text).push(node.key);
            at = &node.next;
        }
        (text.len() + 2 * first.len() + usize::from(text == first)) % 5 == usize::from(self.mark)
    }
}

mod once_refused;
