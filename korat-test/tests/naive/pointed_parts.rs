//! Pointers to arrays, tuples and cells: boxed arrays of children, and parts in allocations of their own.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_plain;
use crate::harness::{Space, Subject};

/// A node whose children lie in an array elsewhere.
#[derive(Clone, Debug, Finitize)]
pub struct Branch {
    kids: Box<[Option<Box<Branch>>; 2]>,
    is_word: bool,
}

/// A set of words of two letters; every leaf ends one.
#[derive(Clone, Debug, Finitize)]
pub struct Words {
    root: Option<Box<Branch>>,
}

#[rep_ok]
impl Words {
    pub fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| Self::ends_in_words(root))
    }

    fn ends_in_words(branch: &Branch) -> bool {
        let mut is_leaf = true;
        for kid in branch.kids.iter().flatten() {
            is_leaf = false;
            if !Self::ends_in_words(kid) {
                return false;
            }
        }
        branch.is_word || !is_leaf && branch.kids[0].is_some()
    }
}

/// All tries of at most `objects` branches, with how many they have.
fn branches(objects: usize) -> Vec<(Branch, usize)> {
    let Some(rest) = objects.checked_sub(1) else { return Vec::new() };
    let links = |rest: usize| {
        let some = branches(rest).into_iter().map(|(branch, used)| (Some(Box::new(branch)), used));
        std::iter::once((None, 0)).chain(some).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for (left, used) in links(rest) {
        for (right, more) in links(rest - used) {
            for is_word in [false, true] {
                all.push((Branch { kids: Box::new([left.clone(), right.clone()]), is_word }, 1 + used + more));
            }
        }
    }
    all
}

canonical_plain! { Words }

impl Subject for Words {
    // The invariant does not look for cycles.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        visit(Words { root: None });
        branches(scope).into_iter().for_each(|(root, _)| visit(Words { root: Some(Box::new(root)) }));
    }
}

/// Parts in allocations of their own.
#[derive(Debug, Finitize)]
pub struct Meter {
    range: Box<(u8, bool)>,
    row: Option<Arc<[bool; 2]>>,
    count: Rc<Cell<u8>>,
    unread: Option<Box<(bool, [bool; 1])>>,
}

#[rep_ok]
impl Meter {
    pub fn rep_ok(&self) -> bool {
        let (low, open) = *self.range;
        let count = self.count.get();
        if count < low || (count == low && !open) {
            return false;
        }
        match &self.row {
            Some(row) => row[0] != row[1] || self.range.1,
            None => low == 0,
        }
    }
}

canonical_plain! { Meter }

impl Subject for Meter {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (low, open, count) = (space.slot(scope + 1), space.slot(2), space.slot(scope + 1));
        let (row, unread) = (space.slot(5), space.slot(5));
        space.each(|raw| {
            visit(Meter {
                range: Box::new((raw[low] as u8, raw[open] == 1)),
                row: raw[row].checked_sub(1).map(|row| Arc::new([row % 2 == 1, row > 1])),
                count: Rc::new(Cell::new(raw[count] as u8)),
                unread: raw[unread].checked_sub(1).map(|both| Box::new((both % 2 == 1, [both > 1]))),
            });
        });
    }
}
