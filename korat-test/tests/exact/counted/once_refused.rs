//! More predicates of `counted.rs`, of forms that generated code did not compile once.

use super::*;

on_rows! {
    cloned []

    fn rep_ok(&self) -> bool {
        let first = Rc::new(Cell::new(1u8));
        let second = Rc::clone(&first);
        for key in &self.keys {
            second.set(second.get().wrapping_mul(2).wrapping_add(*key));
        }
        first.get() % 5 == self.mark
    }
}

on_rows! {
    one_or_two []

    fn rep_ok(&self) -> bool {
        let first = Rc::new(1u8);
        let mut second = Rc::new(1u8);
        let mut sum = 0u8;
        for key in &self.keys {
            if *key == 1 {
                second = first.clone();
            }
            sum = sum.wrapping_mul(2).wrapping_add(u8::from(Rc::ptr_eq(&first, &second)));
            sum = sum.wrapping_add(u8::from(first == second));
        }
        sum % 5 == self.mark
    }
}

on_lists! {
    shared_by_a_walk []

    fn rep_ok(&self) -> bool {
        let total = Rc::new(Cell::new(0u8));
        let mut parts: Vec<Rc<Cell<u8>>> = Vec::new();
        let mut at = &self.head;
        while let Some(node) = at {
            parts.push(total.clone());
            parts[0].set(parts[0].get().wrapping_mul(2).wrapping_add(node.key));
            at = &node.next;
        }
        parts.iter().all(|part| Rc::ptr_eq(part, &total)) && total.get() % 5 == self.mark
    }
}
