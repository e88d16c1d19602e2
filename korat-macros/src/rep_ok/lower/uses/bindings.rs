//! Emits names that patterns bind: first as plain variables, which are then moved into the activation record.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Arm, Block as Braces, Expr, ExprIf, Ident, Local as LetStmt, Pat, Stmt, parse_quote};

use super::{Context, Writer};
use crate::rep_ok::block_of;
use crate::rep_ok::lift::allow_chains;
use crate::rep_ok::lower::hygiene::own;
use crate::rep_ok::lower::ir::{Choice, Code};
use crate::rep_ok::lower::patterns::{BoundIdents, bound_in_condition, has_ref, has_ref_mut, unmut, unmut_condition};
use crate::walk::visit::Visit;
use crate::walk::visit_mut::VisitMut;

impl Writer<'_> {
    pub(super) fn keep_stmts(&self, names: &[Ident]) -> Vec<Stmt> {
        let moves = self.keep(names);
        let block: Braces = parse_quote!({ #moves });
        block.stmts
    }

    /// Returns the kept names that a pattern binds.
    pub(super) fn bound(&self, pat: &Pat) -> Vec<Ident> {
        let mut finder = BoundIdents(Vec::new());
        finder.visit_pat(pat);
        finder.0.retain(|name| self.program.hoisted.contains(self.method, name));
        finder.0
    }

    /// Returns a `let` and the moves of the names that it binds.
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

    /// Rewrites the scrutinee of a pattern with `ref mut` if it is a part of a kept local; otherwise returns false.
    pub(super) fn matched_mut(&mut self, expr: &mut Expr) -> bool {
        let rooted = self.is_rooted(expr);
        if rooted {
            self.place(expr);
            let k = &self.program.private;
            *expr = parse_quote!((*#k::touch(&mut #expr)));
        }
        rooted
    }

    /// Rewrites the scrutinee of a pattern.
    pub(super) fn matched(&mut self, expr: &mut Expr, by_ref: bool) {
        match self.kept_path(expr).cloned() {
            Some(name) => *expr = self.access(&name, if by_ref { Context::Place } else { Context::Value }),
            None if by_ref => self.looked_at(expr),
            None => self.visit_expr_mut(expr),
        }
    }

    /// Rewrites a condition and its body. The names that the condition binds are plain variables in it, and are moved
    /// at the start of `body`.
    pub(super) fn condition(&mut self, cond: &mut Expr, body: &mut Braces) {
        let bound = self.bound_by(cond);
        self.visit_block_mut(body);
        body.stmts.splice(0..0, self.keep_stmts(&bound));
    }

    /// Emits a condition that ends a block, and the jumps to both of its targets.
    pub(in crate::rep_ok::lower) fn test(
        &mut self,
        mut cond: Expr,
        then: &TokenStream,
        other: &TokenStream,
    ) -> TokenStream {
        let bound = self.bound_by(&mut cond);
        let keeps = self.keep(&bound);
        let mut test: ExprIf = parse_quote!(if #cond {});
        allow_chains(&mut test.if_token.span, &test.cond);
        let (if_token, cond) = (&test.if_token, &test.cond);
        quote!(#if_token #cond { #keeps #then } else { #other })
    }

    /// Rewrites a condition, and returns the kept names that it binds.
    fn bound_by(&mut self, cond: &mut Expr) -> Vec<Ident> {
        let bound = bound_in_condition(cond, |pat| self.bound(pat));
        let known = self.plain.len();
        self.plain.extend(bound.iter().map(ToString::to_string));
        self.visit_expr_mut(cond);
        unmut_condition(cond, &bound);
        self.plain.truncate(known);
        bound
    }

    /// Rewrites the scrutinee of a `match`: borrowed in place if a pattern binds by `ref`, otherwise moved or copied.
    pub(super) fn scrutinee<'a>(&mut self, expr: &mut Expr, pats: impl Iterator<Item = &'a Pat> + Clone) {
        let by_ref = pats.clone().any(has_ref);
        let by_ref_mut = pats.clone().any(has_ref_mut);
        if !by_ref_mut || !self.matched_mut(expr) {
            self.matched(expr, by_ref);
        }
    }

    /// Emits a `match` that ends a block, and the jumps of its arms.
    pub(in crate::rep_ok::lower) fn select(
        &mut self,
        scrutinee: &Code<Expr>,
        arms: &[Choice],
        jumps: &[TokenStream],
    ) -> TokenStream {
        let mut matched = scrutinee.syntax.clone();
        self.exits = scrutinee.exits.clone();
        self.scrutinee(&mut matched, arms.iter().map(|choice| &choice.pat));
        let arms = arms.iter().zip(jumps).map(|(choice, jump)| {
            self.exits = choice.exits.clone();
            let mut pat = choice.pat.clone();
            let (bound, attrs) = (self.pattern(&mut pat), &choice.attrs);
            let keeps = self.keep(&bound);
            quote!(#(#attrs)* #pat => { #keeps #jump })
        });
        let arms: Vec<TokenStream> = arms.collect();
        quote!(match #matched { #(#arms)* })
    }

    /// Rewrites the pattern of an arm and its guard, in which the bound names are plain variables. Returns the kept ones.
    fn pattern(&mut self, pat: &mut Pat) -> Vec<Ident> {
        let bound = self.bound(pat);
        let known = self.plain.len();
        self.plain.extend(bound.iter().map(ToString::to_string));
        if let Pat::Guard(guarded) = pat {
            self.visit_expr_mut(&mut guarded.guard);
        }
        self.plain.truncate(known);
        unmut(pat, &bound);
        bound
    }

    pub(super) fn arm(&mut self, arm: &mut Arm) {
        let bound = self.pattern(&mut arm.pat);
        self.visit_expr_mut(&mut arm.body);
        let moves = self.keep(&bound);
        if !moves.is_empty() {
            let moves: Braces = parse_quote!({ #moves });
            let block = block_of(moves.stmts, &arm.body);
            *arm.body = parse_quote!(#block);
        }
    }
}
