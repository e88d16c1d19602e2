//! The order of evaluation: what is read before a call that changes it, and jumps out of the middle of an argument.

use korat::{Finitize, rep_ok};

use super::classes::{Node, lists, numbers, vectors};
use crate::harness::corpus;

lists! { DerefThenMut TryArg }
numbers! { LeftThenMut TupleThenMut RecvThenMut ArgThenMut }
vectors! { ContinueArg ReturnArg }

#[rep_ok]
impl LeftThenMut {
    pub fn rep_ok(&self) -> bool {
        let mut n = self.a;
        let r = n + self.bump(&mut n);
        r == 3 && n < 4
    }

    fn bump(&self, n: &mut u8) -> u8 {
        *n += self.b;
        *n
    }
}

#[rep_ok]
impl TupleThenMut {
    pub fn rep_ok(&self) -> bool {
        let mut n = self.a;
        let (x, y) = (n, self.bump(&mut n));
        x + 1 == y && self.c == x
    }

    fn bump(&self, n: &mut u8) -> u8 {
        *n += self.b;
        *n
    }
}

#[rep_ok]
impl RecvThenMut {
    pub fn rep_ok(&self) -> bool {
        let mut n = self.a;
        n.max(self.bump(&mut n)) == 2 && self.c == 0
    }

    fn bump(&self, n: &mut u8) -> u8 {
        let x = *n;
        *n = 9;
        x.min(self.b)
    }
}

#[rep_ok]
impl ArgThenMut {
    pub fn rep_ok(&self) -> bool {
        let mut n = self.a;
        Self::lt(n, self.bump(&mut n)) && self.c == 0
    }

    fn lt(x: u8, y: u8) -> bool {
        x < y
    }

    fn bump(&self, n: &mut u8) -> u8 {
        *n += self.b;
        *n
    }
}

#[rep_ok]
impl DerefThenMut {
    pub fn rep_ok(&self) -> bool {
        let mut n = 0;
        Self::go(&self.head, &mut n) == 3
    }

    fn go(l: &Option<Box<Node>>, n: &mut u8) -> u8 {
        match l {
            None => 0,
            Some(x) => {
                *n += x.key;
                *n + Self::go(&x.next, n)
            }
        }
    }
}

#[rep_ok]
impl TryArg {
    pub fn rep_ok(&self) -> bool {
        Self::third(&self.head) == Some(2)
    }

    fn third(l: &Option<Box<Node>>) -> Option<u8> {
        let n = l.as_ref()?;
        if n.key == 0 {
            return Some(7);
        }
        let r = Self::add(Self::key(n.next.as_ref()?), n.key)?;
        Some(r)
    }

    fn key(n: &Node) -> u8 {
        n.key
    }

    fn add(a: u8, b: u8) -> Option<u8> {
        if a > 1 { None } else { Some(a + b) }
    }
}

#[rep_ok]
impl ContinueArg {
    pub fn rep_ok(&self) -> bool {
        let mut t = 0;
        for i in 0..4usize {
            t += Self::dbl(
                match self.v.get(i) {
                    Some(x) => *x,
                    None => continue,
                },
                i,
            );
        }
        t == 4
    }

    fn dbl(x: u8, i: usize) -> usize {
        x as usize * 2 + i - i
    }
}

#[rep_ok]
impl ReturnArg {
    pub fn rep_ok(&self) -> bool {
        let mut t = 0;
        Self::sum(self, &mut t) == 4 && t > 0
    }

    fn sum(&self, t: &mut usize) -> usize {
        for i in 0..4usize {
            *t += Self::dbl(
                match self.v.get(i) {
                    Some(x) => *x,
                    None => return *t,
                },
                i,
            );
        }
        0
    }

    fn dbl(x: u8, i: usize) -> usize {
        x as usize * 2 + i - i
    }
}

corpus! {
    left_then_mut: LeftThenMut, 3 => 3;
    tuple_then_mut: TupleThenMut, 3 => 3;
    recv_then_mut: RecvThenMut, 3 => 3;
    arg_then_mut: ArgThenMut, 3 => 6;
    deref_then_mut: DerefThenMut, 3 => 3;
    try_arg: TryArg, 3 => 8;
    continue_arg: ContinueArg, 3 => 10;
    return_arg: ReturnArg, 3 => 10;
}
