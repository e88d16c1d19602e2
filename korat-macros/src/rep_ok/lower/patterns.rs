//! Inspects the user's patterns: the names they bind, whether they bind by `ref`, and how kept names are bound.

use syn::{BinOp, Block as Braces, Expr, ExprClosure, Ident, Pat, PatIdent};

use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};

/// Collects the names that a pattern binds.
pub(super) struct BoundIdents(pub(super) Vec<Ident>);

impl Visit for BoundIdents {
    fn visit_pat(&mut self, pat: &Pat) {
        if let Pat::Ident(ident) = pat
            && !self.0.contains(&ident.ident)
        {
            self.0.push(ident.ident.clone());
        }
        visit::visit_pat(self, pat);
    }
    fn visit_expr_closure(&mut self, _: &ExprClosure) {}
    fn visit_block(&mut self, _: &Braces) {}
    fn visit_expr_match(&mut self, _: &syn::ExprMatch) {}
}

pub(super) fn bound_in_condition(cond: &Expr, mut bound: impl FnMut(&Pat) -> Vec<Ident>) -> Vec<Ident> {
    fn collect(cond: &Expr, bound: &mut dyn FnMut(&Pat) -> Vec<Ident>, all: &mut Vec<Ident>) {
        match cond {
            Expr::Let(test) => all.extend(bound(&test.pat)),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                collect(&binary.left, bound, all);
                collect(&binary.right, bound, all);
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    collect(cond, &mut bound, &mut all);
    all
}

/// Removes `mut` from kept names, which are moved into the activation record right after they are bound.
pub(super) fn unmut(pat: &mut Pat, kept: &[Ident]) {
    struct Unmut<'k>(&'k [Ident]);
    impl VisitMut for Unmut<'_> {
        fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
            if self.0.contains(&pat.ident) && pat.by_ref.is_none() {
                pat.mutability = None;
            }
            visit_mut::visit_pat_ident_mut(self, pat);
        }
    }
    Unmut(kept).visit_pat_mut(pat);
}

pub(super) fn unmut_condition(cond: &mut Expr, kept: &[Ident]) {
    match cond {
        Expr::Let(test) => unmut(&mut test.pat, kept),
        Expr::Binary(binary) => {
            unmut_condition(&mut binary.left, kept);
            unmut_condition(&mut binary.right, kept);
        }
        _ => {}
    }
}

/// Returns whether a pattern binds something by `ref`.
pub(super) fn has_ref(pat: &Pat) -> bool {
    binds(pat, |name| name.by_ref.is_some())
}

/// Returns whether a pattern binds something by `ref mut`.
pub(super) fn has_ref_mut(pat: &Pat) -> bool {
    binds(pat, |name| name.by_ref.is_some() && name.mutability.is_some())
}

fn binds(pat: &Pat, how: fn(&PatIdent) -> bool) -> bool {
    struct Finder(fn(&PatIdent) -> bool, bool);
    impl Visit for Finder {
        fn visit_pat_ident(&mut self, pat: &PatIdent) {
            self.1 |= (self.0)(pat);
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut finder = Finder(how, false);
    finder.visit_pat(pat);
    finder.1
}
