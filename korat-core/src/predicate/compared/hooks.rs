//! The hooks that lifted code calls for each comparison. A hook takes a side of the comparison and returns it
//! unchanged, a place as a reference and anything else as a value, so that type inference, coercions and borrows work
//! as without it.
//!
//! A search pays one load and a branch that is never taken. `a < b` becomes one of
//!
//! ```text
//! *left(Less, &(a), &b) < b                      // b is a local or a literal, which can be evaluated twice
//! a < right_value(Less, b, &a)                   // a is a local or a literal
//! *first(&(a)) < second_value(Less, b)           // neither is
//! ```

use std::sync::atomic::Ordering;

use super::operand::read;
use super::{Comparison, LAST, Operand, Operator, RECORDERS, is_recording};

/// Returns whether comparisons are recorded on some thread.
#[inline(always)]
pub(crate) fn has_recorder() -> bool {
    RECORDERS.load(Ordering::Relaxed) != 0
}

/// Records a comparison and returns its left side, a place.
#[inline(always)]
pub fn left<'l, L: ?Sized, R: ?Sized>(operator: Operator, left: &'l L, right: &R) -> &'l L {
    if has_recorder() {
        note(operator, left, right);
    }
    left
}

/// Records a comparison and returns its left side, a value.
#[inline(always)]
pub fn left_value<L, R: ?Sized>(operator: Operator, left: L, right: &R) -> L {
    if has_recorder() {
        note(operator, &left, right);
    }
    left
}

/// Records a comparison and returns its right side, a place.
#[inline(always)]
pub fn right<'r, R: ?Sized, L: ?Sized>(operator: Operator, right: &'r R, left: &L) -> &'r R {
    if has_recorder() {
        note(operator, left, right);
    }
    right
}

/// Records a comparison and returns its right side, a value.
#[inline(always)]
pub fn right_value<R, L: ?Sized>(operator: Operator, right: R, left: &L) -> R {
    if has_recorder() {
        note(operator, left, &right);
    }
    right
}

/// Records and returns the left side, a place, before the right side is evaluated.
#[inline(always)]
pub fn first<L: ?Sized>(left: &L) -> &L {
    if has_recorder() {
        note_first(left);
    }
    left
}

/// Records and returns the left side, a value, before the right side is evaluated.
#[inline(always)]
pub fn first_value<L>(left: L) -> L {
    if has_recorder() {
        note_first(&left);
    }
    left
}

/// Completes the comparison begun by `first` and returns its right side, a place.
#[inline(always)]
pub fn second<R: ?Sized>(operator: Operator, right: &R) -> &R {
    if has_recorder() {
        note_second(operator, right);
    }
    right
}

/// Completes the comparison begun by `first` and returns its right side, a value.
#[inline(always)]
pub fn second_value<R>(operator: Operator, right: R) -> R {
    if has_recorder() {
        note_second(operator, &right);
    }
    right
}

/// Records a comparison of two pointers for identity.
#[cold]
#[inline(never)]
pub(crate) fn pointers(left: *const (), right: *const ()) {
    if is_recording() {
        let side = |at: *const ()| if at.is_null() { Operand::Nothing } else { Operand::Address(at.addr()) };
        note_sides(Operator::Equal, side(left), side(right));
    }
}

#[cold]
#[inline(never)]
fn note<L: ?Sized, R: ?Sized>(operator: Operator, left: &L, right: &R) {
    if is_recording() {
        note_sides(operator, read(left), read(right));
    }
}

#[cold]
#[inline(never)]
fn note_first<L: ?Sized>(left: &L) {
    if is_recording() {
        let left = read(left);
        LAST.with_borrow_mut(|last| last.half.push(left));
    }
}

#[cold]
#[inline(never)]
fn note_second<R: ?Sized>(operator: Operator, right: &R) {
    // There is no left side if only another thread records.
    if LAST.with_borrow(|last| last.half.is_empty()) {
        return;
    }
    let right = read(right);
    LAST.with_borrow_mut(|last| {
        if let Some(left) = last.half.pop() {
            last.note(Comparison { operator, left, right });
        }
    });
}

fn note_sides(operator: Operator, left: Operand, right: Operand) {
    LAST.with_borrow_mut(|last| last.note(Comparison { operator, left, right }));
}
