//! Chains of `let` in conditions: what rustc asks of the tokens around them.

use proc_macro2::Span;
use syn::{BinOp, Expr, ExprBinary, parse_quote};

/// Lifted conditions may be chains, which rustc allows by the edition of the keyword in front of them: that of this crate,
/// not of the user's. A condition that is no chain keeps its edition, which also says when what is matched is dropped.
pub(crate) fn allow_chains(keyword: &mut Span, condition: &Expr) {
    if matches!(condition, Expr::Binary(binary) if matches!(binary.op, BinOp::And(_))) {
        in_own_edition(keyword);
    }
}

/// Gives a keyword the edition of this crate.
pub(super) fn in_own_edition(keyword: &mut Span) {
    *keyword = Span::mixed_site().located_at(*keyword);
}

/// Turns `a && (b && c)` into `a && b && c`: a chain of `let` cannot stand in parentheses.
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
