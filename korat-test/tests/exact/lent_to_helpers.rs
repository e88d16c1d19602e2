//! `&mut` inside other values, lent to helpers of the block, which are lowered themselves. Each helper reads the structure
//! while the references are held.

use super::harness::on_lists;

on_lists! {
    in_a_tuple []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        {
            let pair = (&mut x, &mut y);
            let mut at = &self.head;
            while let Some(node) = at {
                Self::note(pair.0, node);
                *pair.1 = pair.1.wrapping_add(*pair.0);
                at = &node.next;
            }
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }

    fn note(x: &mut u8, node: &Node) {
        *x = x.wrapping_mul(2).wrapping_add(node.key);
    }
}

on_lists! {
    in_an_option []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        {
            let mut held = Some(&mut x);
            let mut at = &self.head;
            while let Some(node) = at {
                if let Some(held) = held.as_deref_mut() {
                    Self::note(held, node);
                }
                at = &node.next;
            }
        }
        x % 5 == self.mark
    }

    fn note(x: &mut u8, node: &Node) {
        *x = x.wrapping_mul(2).wrapping_add(node.key);
    }
}

on_lists! {
    handed_on_as_a_pair []

    fn rep_ok(&self) -> bool {
        let (mut x, mut y) = (1u8, 2u8);
        let mut at = &self.head;
        while let Some(node) = at {
            Self::note((&mut x, &mut y), node);
            at = &node.next;
        }
        x.wrapping_mul(3).wrapping_add(y) % 5 == self.mark
    }

    fn note(pair: (&mut u8, &mut u8), node: &Node) {
        *pair.0 = pair.0.wrapping_mul(2).wrapping_add(node.key);
        *pair.1 = pair.1.wrapping_add(*pair.0);
    }
}

on_lists! {
    handed_on_as_an_option []

    fn rep_ok(&self) -> bool {
        let mut x = 1u8;
        let mut at = &self.head;
        while let Some(node) = at {
            Self::note(if node.key == 1 { None } else { Some(&mut x) }, node);
            at = &node.next;
        }
        x % 5 == self.mark
    }

    fn note(x: Option<&mut u8>, node: &Node) {
        if let Some(x) = x {
            *x = x.wrapping_mul(2).wrapping_add(node.key);
        }
    }
}

on_lists! {
    elements_of_an_array []

    fn rep_ok(&self) -> bool {
        let mut all = [1u8, 2, 3];
        let mut at = &self.head;
        while let Some(node) = at {
            Self::note(&mut all[usize::from(node.key)], node);
            let [one, other, _] = &mut all;
            Self::note(one, node);
            std::mem::swap(one, other);
            at = &node.next;
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }

    fn note(x: &mut u8, node: &Node) {
        *x = x.wrapping_mul(2).wrapping_add(node.key);
    }
}

on_lists! {
    the_top_of_a_stack []

    fn rep_ok(&self) -> bool {
        let mut stack = vec![1u8, 2];
        let mut at = &self.head;
        while let Some(node) = at {
            if let Some(top) = stack.last_mut() {
                Self::note(top, node);
                *top = top.wrapping_add(1);
            }
            at = &node.next;
        }
        stack.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }

    fn note(x: &mut u8, node: &Node) {
        *x = x.wrapping_mul(2).wrapping_add(node.key);
    }
}
