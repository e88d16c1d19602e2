//! Adjusts the tokens around `let` chains in conditions to what rustc requires.

use proc_macro2::Span;
use syn::{BinOp, Expr, ExprBinary, parse_quote};

/// Gives the keyword of a `let` chain the edition of this crate. rustc accepts a chain depending on the edition of the
/// keyword, and lifting introduces chains in crates of older editions too. Other conditions keep the user's edition,
/// which also determines when the scrutinee is dropped.
pub(crate) fn allow_chains(keyword: &mut Span, condition: &Expr) {
    if matches!(condition, Expr::Binary(binary) if matches!(binary.op, BinOp::And(_))) {
        in_own_edition(keyword);
    }
}

/// Gives a keyword the edition of this crate.
pub(super) fn in_own_edition(keyword: &mut Span) {
    *keyword = Span::mixed_site().located_at(*keyword);
}

/// Turns `a && (b && c)` into `a && b && c`, because a `let` chain must not contain parentheses.
pub(super) fn left_associated(binary: &mut ExprBinary) {
    while let Expr::Binary(right) = &mut *binary.right
        && matches!(right.op, BinOp::And(_))
    {
        let ExprBinary { left: first, right: rest, .. } = right.clone();
        let left = &binary.left;
        *binary.left = parse_quote!(#left && #first);
        binary.right = rest;
    }
}
