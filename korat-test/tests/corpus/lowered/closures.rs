//! Closures: what they take with them, call and are called with, as locals and as trait objects.

use korat::{Finitize, rep_ok};

use super::classes::{Node, lists, numbers};
use crate::harness::corpus;

lists! { DynfnNode LiftedInClosure }
numbers! { MoveCopy MoveCounter MatchBox FHandle }

#[rep_ok]
impl MoveCopy {
    pub fn rep_ok(&self) -> bool {
        let mut n = self.a;
        let add = move |x: u8| x + n;
        n = self.b;
        n += 1;
        let r = add(self.c);
        r == 2 && n > 1
    }
}

#[rep_ok]
impl MoveCounter {
    pub fn rep_ok(&self) -> bool {
        let mut n = 0u8;
        let mut next = move || {
            n += 1;
            n
        };
        let x = next() + self.a;
        n += self.b;
        let y = next() + self.c;
        x == y && n < 2
    }
}

#[rep_ok]
impl MatchBox {
    pub fn rep_ok(&self) -> bool {
        let f: Box<dyn Fn(u8) -> bool> = match self.a {
            0 => Box::new(|x| x > 0),
            1 if self.ok() => Box::new(|x| x == 0),
            _ => {
                if self.b == 1 {
                    return false;
                }
                Box::new(|_| true)
            }
        };
        f(self.c)
    }

    fn ok(&self) -> bool {
        self.b == 0
    }
}

#[rep_ok]
impl FHandle {
    pub fn rep_ok(&self) -> bool {
        let k = self.a;
        let f = |x: u8| x + 1;
        let g = |x: u8| f(x) + k;
        g(self.b) == 3 && g(self.c) > 2
    }
}

#[rep_ok]
impl DynfnNode {
    pub fn rep_ok(&self) -> bool {
        let small = |n: &Node| n.key < 2;
        let f: &dyn Fn(&Node) -> bool = &|n| small(n);
        let mut at = self.head.as_deref();
        let mut c = 0;
        while let Some(n) = at {
            if !f(n) {
                return false;
            }
            c += 1;
            at = n.next.as_deref();
        }
        c == 2
    }
}

#[rep_ok]
impl LiftedInClosure {
    pub fn rep_ok(&self) -> bool {
        let mut n = 0u8;
        Self::go(&self.head, &mut n) && n == 2
    }

    fn add(n: &mut u8, k: u8) -> bool {
        *n += k;
        *n < 3
    }

    fn go(l: &Option<Box<Node>>, n: &mut u8) -> bool {
        l.as_ref().is_none_or(|x| Self::add(n, x.key) && Self::go(&x.next, n))
    }
}

corpus! {
    move_copy: MoveCopy, 3 => 6;
    move_counter: MoveCounter, 3 => 4;
    match_box: MatchBox, 3 => 16;
    f_handle: FHandle, 3 => 6;
    dynfn_node: DynfnNode, 3 => 4;
    lifted_in_closure: LiftedInClosure, 3 => 10;
}
