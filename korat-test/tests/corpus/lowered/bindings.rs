//! References, patterns and iterators: what a name is bound to, and what changes through it.

use std::cell::Cell;

use korat::{Finitize, rep_ok};

use super::classes::numbers;
use crate::harness::corpus;

numbers! { CellgetRef RefRef ArrAssign RefmutPat RefmutTuple }

#[rep_ok]
impl CellgetRef {
    pub fn rep_ok(&self) -> bool {
        let c = Cell::new(self.a);
        let n = c.get();
        let r = &n;
        if self.b > *r {
            return false;
        }
        c.set(5);
        *r == self.c
    }
}

#[rep_ok]
impl RefRef {
    pub fn rep_ok(&self) -> bool {
        let l = &self.a;
        let r = &self.b;
        let mut t = 0;
        for x in [&l, &r] {
            if **x > 1 {
                return false;
            }
            t += **x;
        }
        t == 1 && self.c < 2
    }
}

#[rep_ok]
impl ArrAssign {
    pub fn rep_ok(&self) -> bool {
        let (mut a, mut b) = (self.a, self.b);
        if self.c > 0 {
            [a, b] = [b, a];
        }
        (a, _) = (a + 1, 0);
        a == b
    }
}

#[rep_ok]
impl RefmutPat {
    pub fn rep_ok(&self) -> bool {
        let mut o = Some(self.a);
        if let Some(ref mut x) = o {
            *x += self.b;
        }
        match o {
            Some(ref mut x) if *x > 1 => *x += self.c,
            Some(ref x) if *x == 0 => return false,
            _ => {}
        }
        o == Some(3)
    }
}

#[rep_ok]
impl RefmutTuple {
    pub fn rep_ok(&self) -> bool {
        let mut p = (self.a, 0u8);
        let (ref mut x, ref mut y) = p;
        *x += self.b;
        *y += *x;
        if self.c > *y {
            return false;
        }
        *x = 0;
        p.0 + p.1 == 2
    }
}

#[derive(Debug, Clone, Finitize)]
pub struct WhileSomeMutRefIter {
    v: Vec<u8>,
}

#[rep_ok]
impl WhileSomeMutRefIter {
    pub fn rep_ok(&self) -> bool {
        let mut it = self.v.iter();
        let Some(mut prev) = it.next() else { return true };
        for x in it.by_ref() {
            if x <= prev {
                return false;
            }
            prev = x;
        }
        it.next().is_none() && it.len() == 0 && it.as_slice().is_empty()
    }
}

corpus! {
    cellget_ref: CellgetRef, 3 => 6;
    ref_ref: RefRef, 3 => 4;
    arr_assign: ArrAssign, 3 => 6;
    refmut_pat: RefmutPat, 3 => 5;
    refmut_tuple: RefmutTuple, 3 => 9;
    while_some_mut_ref_iter: WhileSomeMutRefIter, 3 => 15;
}
