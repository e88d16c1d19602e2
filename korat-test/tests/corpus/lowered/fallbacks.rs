//! What a machine has only in part, or not at all: `#[cfg]`, `unsafe` blocks, cells that cannot be undone.

use std::cell::OnceCell;

use korat::{Finitize, rep_ok};

use super::classes::{Node, lists, numbers};
use crate::harness::corpus;

lists! { Oncecell Unsafe }
numbers! { CfgLet CfgStmt }

#[rep_ok]
impl Oncecell {
    pub fn rep_ok(&self) -> bool {
        let n = OnceCell::new();
        let mut at = &self.head;
        while let Some(x) = at {
            if *n.get_or_init(|| x.key) != x.key {
                return false;
            }
            at = &x.next;
        }
        n.get() == Some(&1)
    }
}

#[rep_ok]
impl Unsafe {
    pub fn rep_ok(&self) -> bool {
        let mut p: *const Node = self.head.as_deref().map_or(std::ptr::null(), |n| n as *const Node);
        let mut n = 0;
        while !p.is_null() {
            unsafe {
                if (*p).key > 1 {
                    return false;
                }
                n += 1;
                p = (*p).next.as_deref().map_or(std::ptr::null(), |n| n as *const Node);
            }
        }
        n > 1
    }
}

#[rep_ok]
impl CfgLet {
    pub fn rep_ok(&self) -> bool {
        #[cfg(debug_assertions)]
        let lim = 1;
        #[cfg(not(debug_assertions))]
        let lim = 2;
        self.a < lim && self.b < lim && self.c > lim
    }
}

#[rep_ok]
impl CfgStmt {
    pub fn rep_ok(&self) -> bool {
        #[cfg(any())]
        if self.bad() {
            return false;
        }
        #[cfg(any())]
        {
            if self.a > 1 {
                return false;
            }
            if self.b > 1 {
                return false;
            }
        }
        self.c < 1 && self.a + self.b > 1
    }

    fn bad(&self) -> bool {
        self.a > 0
    }
}

corpus! {
    oncecell: Oncecell, 3 => 3;
    unsafe_block: Unsafe, 3 => 12;
    cfg_let: CfgLet, 3 => 1;
    cfg_stmt: CfgStmt, 3 => 6;
}
