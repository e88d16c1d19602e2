//! Finds statements that store what their inner scopes bind in a local of an outer one. Such a local is often a reference, and
//! keeps what it refers to. A wrong answer causes an error in rustc, and never a wrong result.

use quote::ToTokens;
use syn::{Expr, ExprReference, Macro, PatIdent, Stmt};

use super::super::arguments;
use super::super::words::words;
use crate::rep_ok::lift::BoundNames;
use crate::walk::visit::{self, Visit};

/// Returns the names that a statement binds in its inner scopes, which end with it.
pub(super) fn bound_inside(stmt: &Stmt) -> Vec<String> {
    let mut bound = Bound(BoundNames(Vec::new()));
    match stmt {
        Stmt::Local(local) => {
            if let Some(init) = &local.init {
                bound.visit_expr(&init.expr);
                init.diverge.iter().for_each(|(_, otherwise)| bound.visit_expr(otherwise));
            }
        }
        Stmt::Expr(..) | Stmt::Item(_) | Stmt::Macro(_) => bound.visit_stmt(stmt),
    }
    bound.0.0
}

/// Collects the names that code binds, also in the arguments of macros.
struct Bound(BoundNames);

impl Visit for Bound {
    fn visit_pat_ident(&mut self, pat: &PatIdent) {
        self.0.visit_pat_ident(pat);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        arguments::look(mac, &mut |arg| self.visit_expr(arg));
    }
}

/// Returns whether a statement stores something that mentions one of the `inner` names where it outlives their scopes.
pub(super) fn escape(stmt: &Stmt, inner: &[String]) -> bool {
    let mut escapes = Escapes { inner, keeps_closures: matches!(stmt, Stmt::Local(_)), found: false };
    escapes.visit_stmt(stmt);
    escapes.found
}

struct Escapes<'n> {
    inner: &'n [String],
    /// Whether the statement declares a local, which may hold a closure: closures in it own what they capture.
    keeps_closures: bool,
    found: bool,
}

impl Escapes<'_> {
    /// Returns whether an expression mentions an inner name other than those it binds itself, whose scopes end in it.
    fn mentions_inner(&self, expr: &Expr) -> bool {
        let mut own = Bound(BoundNames(Vec::new()));
        own.visit_expr(expr);
        let is_outside = |name: &String| self.inner.contains(name) && !own.0.0.contains(name);
        words(expr.to_token_stream()).iter().any(is_outside)
    }

    /// Returns whether a place is part of a local of an inner scope, and not behind a reference.
    fn is_inner(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.inner.contains(&name.to_string())),
            Expr::Field(field) => self.is_inner(&field.base),
            Expr::Index(index) => self.is_inner(&index.expr),
            Expr::Paren(paren) => self.is_inner(&paren.expr),
            _ => false,
        }
    }

    /// Returns whether a receiver is a local of an outer scope, or a part of one.
    fn is_outer(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| *name != "this") && !self.is_inner(expr),
            Expr::Field(field) => self.is_outer(&field.base),
            Expr::Index(index) => self.is_outer(&index.expr),
            Expr::Paren(paren) => self.is_outer(&paren.expr),
            Expr::Unary(unary) => self.is_outer(&unary.expr),
            _ => false,
        }
    }

    fn lends_outer(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) if !self.is_inner(expr))
    }
}

impl Visit for Escapes<'_> {
    fn visit_expr(&mut self, expr: &Expr) {
        self.found |= match expr {
            Expr::Closure(_) => self.keeps_closures && self.mentions_inner(expr),
            Expr::Assign(assign) => !self.is_inner(&assign.left) && self.mentions_inner(&assign.right),
            Expr::MethodCall(call) => {
                let stores = self.is_outer(&call.receiver) || call.args.iter().any(|arg| self.lends_outer(arg));
                stores && call.args.iter().any(|arg| self.mentions_inner(arg))
            }
            Expr::Call(call) => {
                let stores = call.args.iter().any(|arg| self.lends_outer(arg));
                stores && call.args.iter().any(|arg| self.mentions_inner(arg))
            }
            _ => false,
        };
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        arguments::look(mac, &mut |arg| self.visit_expr(arg));
    }
}
