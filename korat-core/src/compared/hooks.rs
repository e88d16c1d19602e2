//! What comparisons of a predicate call. Each takes a side of the comparison and gives it back as it was, a place as a reference
//! and anything else as a value, so that types are inferred, values coerced and places borrowed as if it were not there.
//!
//! All that a search pays is one load and a branch that is never taken. `a < b` becomes one of
//!
//! ```text
//! *left(Less, &(a), &b) < b                      // b is a local or a literal: nothing happens when it is looked at twice
//! a < right_value(Less, b, &a)                   // a is
//! *first(&(a)) < second_value(Less, b)           // neither is
//! ```

use std::sync::atomic::Ordering;

use super::reading::read;
use super::{Compared, Comparison, LAST, NOTINGS, Operator};

/// Whether comparisons are noted.
#[inline(always)]
pub(crate) fn noting() -> bool {
    NOTINGS.load(Ordering::Relaxed) != 0
}

/// The left side, a place; the right one is known.
#[inline(always)]
pub fn left<'l, L: ?Sized, R: ?Sized>(operator: Operator, left: &'l L, right: &R) -> &'l L {
    if noting() {
        note(operator, left, right);
    }
    left
}

/// The left side, a value; the right one is known.
#[inline(always)]
pub fn left_value<L, R: ?Sized>(operator: Operator, left: L, right: &R) -> L {
    if noting() {
        note(operator, &left, right);
    }
    left
}

/// The right side, a place; the left one is known.
#[inline(always)]
pub fn right<'r, R: ?Sized, L: ?Sized>(operator: Operator, right: &'r R, left: &L) -> &'r R {
    if noting() {
        note(operator, left, right);
    }
    right
}

/// The right side, a value; the left one is known.
#[inline(always)]
pub fn right_value<R, L: ?Sized>(operator: Operator, right: R, left: &L) -> R {
    if noting() {
        note(operator, left, &right);
    }
    right
}

/// The left side, a place; the right one is evaluated next.
#[inline(always)]
pub fn first<L: ?Sized>(left: &L) -> &L {
    if noting() {
        note_first(left);
    }
    left
}

/// The left side, a value; the right one is evaluated next.
#[inline(always)]
pub fn first_value<L>(left: L) -> L {
    if noting() {
        note_first(&left);
    }
    left
}

/// The right side, a place, after `first`.
#[inline(always)]
pub fn second<R: ?Sized>(operator: Operator, right: &R) -> &R {
    if noting() {
        note_second(operator, right);
    }
    right
}

/// The right side, a value, after `first`.
#[inline(always)]
pub fn second_value<R>(operator: Operator, right: R) -> R {
    if noting() {
        note_second(operator, &right);
    }
    right
}

/// Two pointers that are asked whether they are the same.
#[cold]
#[inline(never)]
pub(crate) fn pointers(left: *const (), right: *const ()) {
    let side = |at: *const ()| if at.is_null() { Compared::Nothing } else { Compared::Address(at.addr()) };
    note_sides(Operator::Equal, side(left), side(right));
}

#[cold]
#[inline(never)]
fn note<L: ?Sized, R: ?Sized>(operator: Operator, left: &L, right: &R) {
    note_sides(operator, read(left), read(right));
}

#[cold]
#[inline(never)]
fn note_first<L: ?Sized>(left: &L) {
    let left = read(left);
    LAST.with_borrow_mut(|last| last.half.push(left));
}

#[cold]
#[inline(never)]
fn note_second<R: ?Sized>(operator: Operator, right: &R) {
    let right = read(right);
    LAST.with_borrow_mut(|last| {
        // None where noting began between the two, on another thread.
        if let Some(left) = last.half.pop() {
            last.note(Comparison { operator, left, right });
        }
    });
}

fn note_sides(operator: Operator, left: Compared, right: Compared) {
    LAST.with_borrow_mut(|last| last.note(Comparison { operator, left, right }));
}
