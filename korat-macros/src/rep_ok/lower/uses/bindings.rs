//! Names that patterns bind: plain where they are bound, and moved into the activation record right after.

use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Arm, Block as Braces, Expr, Ident, Local as LetStmt, Pat, Stmt, parse_quote};

use super::{Context, Writer};
use crate::rep_ok::lower::hygiene::own;
use crate::rep_ok::lower::patterns::{BoundNames, bound_in_condition, has_ref, has_ref_mut, unmut, unmut_condition};

impl Writer<'_> {
    pub(super) fn keep_stmts(&self, names: &[Ident]) -> Vec<Stmt> {
        let moves = self.keep(names);
        let block: Braces = parse_quote!({ #moves });
        block.stmts
    }

    /// The kept names that a pattern binds.
    pub(super) fn bound(&self, pat: &Pat) -> Vec<Ident> {
        let mut finder = BoundNames(Vec::new());
        finder.visit_pat(pat);
        finder.0.retain(|name| self.program.hoisted.contains(self.method, name));
        finder.0
    }

    /// A `let`, and the moves of what it binds.
    pub(super) fn let_statement(&mut self, mut local: LetStmt) -> Vec<Stmt> {
        let bound = self.bound(&local.pat);
        let Some(init) = &mut local.init else {
            let f = own("f");
            let Some(name) = bound.first() else { return vec![Stmt::Local(local)] };
            let declare = if self.in_loop { own("declare_again") } else { own("declare") };
            return vec![parse_quote!(#f.#name.#declare();)];
        };
        let by_ref = has_ref(&local.pat);
        let mut before = Vec::new();
        let outside = std::mem::replace(&mut self.detached, !bound.is_empty());
        if !has_ref_mut(&local.pat) || !self.matched_mut(&mut init.expr) {
            self.matched(&mut init.expr, by_ref);
        }
        self.detached = outside;
        if let Some((_, otherwise)) = &mut init.diverge {
            self.visit_expr_mut(otherwise);
        }
        unmut(&mut local.pat, &bound);
        before.push(Stmt::Local(local));
        before.extend(self.keep_stmts(&bound));
        before
    }

    /// What a pattern with `ref mut` is matched against, if it is a part of a kept local.
    pub(super) fn matched_mut(&mut self, expr: &mut Expr) -> bool {
        let rooted = self.is_rooted(expr);
        if rooted {
            self.place(expr);
            let k = &self.program.private;
            *expr = parse_quote!((*#k::touch(&mut #expr)));
        }
        rooted
    }

    /// What a pattern is matched against.
    pub(super) fn matched(&mut self, expr: &mut Expr, by_ref: bool) {
        match self.kept_path(expr).cloned() {
            Some(name) => *expr = self.access(&name, if by_ref { Context::Place } else { Context::Value }),
            None if by_ref => self.looked_at(expr),
            None => self.visit_expr_mut(expr),
        }
    }

    /// A condition: names that it binds are plain in it, and are moved at the start of `body`.
    pub(super) fn condition(&mut self, cond: &mut Expr, body: &mut Braces) {
        let bound = bound_in_condition(cond, |pat| self.bound(pat));
        let known = self.plain.len();
        self.plain.extend(bound.iter().map(ToString::to_string));
        self.visit_expr_mut(cond);
        unmut_condition(cond, &bound);
        self.plain.truncate(known);
        self.visit_block_mut(body);
        body.stmts.splice(0..0, self.keep_stmts(&bound));
    }

    pub(super) fn arm(&mut self, arm: &mut Arm) {
        let bound = self.bound(&arm.pat);
        let known = self.plain.len();
        self.plain.extend(bound.iter().map(ToString::to_string));
        if let Pat::Guard(guarded) = &mut arm.pat {
            self.visit_expr_mut(&mut guarded.guard);
        }
        self.plain.truncate(known);
        unmut(&mut arm.pat, &bound);
        self.visit_expr_mut(&mut arm.body);
        let moves = self.keep(&bound);
        if !moves.is_empty() {
            let body = &arm.body;
            *arm.body = parse_quote!({ #moves #body });
        }
    }
}
