//! Changes that must be undone: of parts of locals, through `&mut` parameters, by functions outside of the machine.

use korat::{Finitize, rep_ok};

use super::classes::{Node, lists, numbers, vectors};
use crate::harness::corpus;

lists! { MutstructField TupleMut ReplaceParam GenericMut MutMacroArg MutRefLocal ChangedThenRead ChangedThenReadFirst PinnedThenRejected }
vectors! { SwapLocals }
numbers! { ChosenElement ChosenElementOfVec }

#[rep_ok]
impl MutstructField {
    pub fn rep_ok(&self) -> bool {
        #[derive(Default)]
        struct Acc {
            keys: Vec<u8>,
            n: usize,
        }

        fn go(l: &Option<Box<Node>>, acc: &mut Acc) {
            if let Some(x) = l {
                acc.keys.push(x.key);
                acc.n += 1;
                go(&x.next, acc);
            }
        }
        let mut acc = Acc::default();
        go(&self.head, &mut acc);
        acc.keys.is_sorted() && acc.n > 0
    }
}

#[rep_ok]
impl TupleMut {
    pub fn rep_ok(&self) -> bool {
        let mut acc = (0usize, Vec::new());
        Self::go(&self.head, &mut acc);
        acc.1.is_sorted() && acc.0 > 0
    }

    fn go(l: &Option<Box<Node>>, acc: &mut (usize, Vec<u8>)) {
        if let Some(x) = l {
            acc.1.push(x.key);
            acc.0 += 1;
            Self::go(&x.next, acc);
        }
    }
}

#[rep_ok]
impl ReplaceParam {
    pub fn rep_ok(&self) -> bool {
        let mut last = 0;
        Self::go(&self.head, &mut last) && last == 2
    }

    fn go(l: &Option<Box<Node>>, last: &mut u8) -> bool {
        match l {
            None => true,
            Some(x) => {
                let old = std::mem::replace(last, x.key);
                old <= x.key && Self::go(&x.next, last)
            }
        }
    }
}

#[rep_ok]
impl GenericMut {
    pub fn rep_ok(&self) -> bool {
        let mut n = 0;
        Self::go(&self.head, &mut n) && n == 2
    }

    fn bump<T: std::ops::AddAssign<T>>(n: &mut T, by: T) {
        *n += by;
    }

    fn go(l: &Option<Box<Node>>, n: &mut u8) -> bool {
        match l {
            None => true,
            Some(x) => {
                Self::bump(n, x.key);
                Self::go(&x.next, n)
            }
        }
    }
}

#[rep_ok]
impl MutMacroArg {
    pub fn rep_ok(&self) -> bool {
        let mut n = 0u8;
        Self::go(&self.head, &mut n) && n == 2
    }

    fn add(n: &mut u8, k: u8) -> bool {
        *n += k;
        *n < 3
    }

    fn go(l: &Option<Box<Node>>, n: &mut u8) -> bool {
        match l {
            Some(x) if Self::add(n, x.key) => {
                let k = x.key;
                if k == 0 {
                    return true;
                }
                Self::go(&x.next, n)
            }
            Some(_) => false,
            None => true,
        }
    }
}

#[rep_ok]
impl MutRefLocal {
    pub fn rep_ok(&self) -> bool {
        let mut a = 0u8;
        let r = &mut a;
        let mut at = &self.head;
        while let Some(x) = at {
            Self::add(r, x.key);
            if *r > 2 {
                return false;
            }
            at = &x.next;
        }
        *r == 2
    }

    fn add<T: Copy + std::ops::Add<Output = T>>(n: &mut T, k: T) {
        *n = *n + k;
    }
}

#[rep_ok]
impl SwapLocals {
    pub fn rep_ok(&self) -> bool {
        let (mut a, mut b) = (0u8, 0u8);
        let (x, y) = (&mut a, &mut b);
        for k in &self.v {
            *x += k;
            std::mem::swap(x, y);
            if *x > 2 {
                return false;
            }
        }
        *x + *y == 3
    }
}

#[rep_ok]
impl ChangedThenRead {
    /// The vector and the number are newer than the last choice when a statement changes them before it makes the next one.
    pub fn rep_ok(&self) -> bool {
        let mut rest = &self.head;
        while let Some(node) = rest {
            let (mut steps, mut count) = (vec![1, 2, 3], 0);
            let (step, key) = (steps.pop(), node.key);
            let larger = steps.pop().is_some_and(|step| {
                count += 1;
                step > node.key
            });
            if !larger || steps.len() != 1 || count != 1 || step <= Some(key) {
                return false;
            }
            rest = &node.next;
        }
        true
    }
}

#[rep_ok]
impl ChangedThenReadFirst {
    /// Changes a container before any choice was made.
    pub fn rep_ok(&self) -> bool {
        let mut steps = vec![1, 2, 3];
        let (step, empty) = (steps.pop(), self.head.is_none());
        let (last, head) = (steps.pop(), &self.head);
        step == Some(3)
            && last == Some(2)
            && steps.len() == 1
            && !empty
            && head.as_ref().is_some_and(|node| node.key > 0)
    }
}

#[rep_ok]
impl PinnedThenRejected {
    /// What the vector holds cannot be restored, so that all choices re-enter what comes before it, and not the blocks that
    /// reject.
    pub fn rep_ok(&self) -> bool {
        let names = vec![String::from("low"), String::from("high")];
        let mut rest = &self.head;
        while let Some(node) = rest {
            if usize::from(node.key) >= names.len() {
                return false;
            }
            rest = &node.next;
        }
        names.iter().all(|name| name.len() > 2)
    }
}

#[rep_ok]
impl ChosenElement {
    pub fn rep_ok(&self) -> bool {
        let mut list = [0; 3];
        let held = &mut list[(if self.a % 2 != 0 { self.b } else { 1 }) as usize];
        *held += 1;
        list[1] > 0 && self.c < 2
    }
}

#[rep_ok]
impl ChosenElementOfVec {
    pub fn rep_ok(&self) -> bool {
        let mut list = vec![0, 0, 0];
        let held = &mut list[match self.a {
            0 => 1,
            _ => self.b as usize,
        }];
        *held += self.c;
        list[1] == 2
    }
}

corpus! {
    mutstruct_field: MutstructField, 3 => 19;
    tuple_mut: TupleMut, 3 => 19;
    replace_param: ReplaceParam, 3 => 10;
    generic_mut: GenericMut, 3 => 10;
    mut_macro_arg: MutMacroArg, 3 => 7;
    mut_ref_local: MutRefLocal, 3 => 10;
    swap_locals: SwapLocals, 3 => 9;
    changed_then_read: ChangedThenRead, 3 => 15;
    changed_then_read_first: ChangedThenReadFirst, 3 => 26;
    pinned_then_rejected: PinnedThenRejected, 3 => 15;
    chosen_element: ChosenElement, 3 => 14;
    chosen_element_of_vec: ChosenElementOfVec, 3 => 5;
}
