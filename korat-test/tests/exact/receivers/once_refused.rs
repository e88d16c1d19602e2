//! More predicates of `receivers.rs`, of forms that generated code did not compile once.

use super::*;

used_up! {
    as_mut as_ref borrow borrow_mut by_ref deref drop entry get get_mut insert iter iter_mut last last_mut len next pop push remove replace set swap
}

on_lists! {
    in_parts_of_locals [plain(Changed, ChangedCopy)]

    fn rep_ok(&self) -> bool {
        let mut pair = (Changed { n: 0 }, ChangedCopy { n: 0 });
        let mut array = [ChangedCopy { n: 1 }, ChangedCopy { n: 2 }];
        let mut boxed = Box::new(Changed { n: 0 });
        let mut maybe = Some(ChangedCopy { n: 4 });
        let mut at = &self.head;
        while let Some(node) = at {
            pair.0.max(node.key);
            pair.1.min(node.key);
            array[usize::from(node.key % 2)].count(node.key);
            boxed.skip(node.key);
            maybe.as_mut().unwrap().filter(node.key);
            if let Some(copy) = &mut maybe {
                copy.last(1);
            }
            at = &node.next;
        }
        let all = [pair.0.n, pair.1.n, array[0].n, array[1].n, boxed.n, maybe.map_or(0, |copy| copy.n)];
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}
