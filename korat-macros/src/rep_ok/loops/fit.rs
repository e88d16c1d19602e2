//! Decides whether a loop keeps its meaning as a function of its locals.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Expr, ExprClosure, Item, Lifetime, Macro, Stmt, Type};

use super::super::lower::arguments;
use crate::walk::visit::{self, Visit};

/// How a loop is left, beside its end.
#[derive(Default)]
pub(super) struct Exits {
    /// Whether it returns from the function.
    pub(super) returns: bool,
    /// Whether a `break` without a label, or with the label of the loop, leaves it.
    pub(super) breaks: bool,
}

/// Returns how a loop is left, or `None` if it cannot be a function.
pub(super) fn exits(repeat: &Expr) -> Option<Exits> {
    let mut finder = Finder { fits: true, ..Finder::default() };
    finder.visit_expr(repeat);
    let leaves = finder.used.iter().any(|label| !finder.labels.contains(label));
    let own = match repeat {
        Expr::While(repeat) => &repeat.label,
        Expr::Loop(repeat) => &repeat.label,
        _ => return None,
    };
    let by_label = own.as_ref().is_some_and(|own| finder.broken.contains(&own.name));
    (finder.fits && !leaves).then_some(Exits { returns: finder.returns, breaks: finder.breaks || by_label })
}

#[derive(Default)]
struct Finder {
    fits: bool,
    returns: bool,
    breaks: bool,
    /// The number of loops around, and whether a closure is.
    depth: usize,
    in_closure: bool,
    /// The labels that are declared, that are used, and that a `break` uses.
    labels: HashSet<Lifetime>,
    used: HashSet<Lifetime>,
    broken: HashSet<Lifetime>,
}

impl Visit for Finder {
    fn visit_expr(&mut self, expr: &Expr) {
        let label = match expr {
            Expr::While(repeat) => Some(&repeat.label),
            Expr::Loop(repeat) => Some(&repeat.label),
            Expr::ForLoop(repeat) => Some(&repeat.label),
            Expr::Block(block) => {
                self.labels.extend(block.label.as_ref().map(|label| label.name.clone()));
                None
            }
            Expr::Break(leave) => {
                self.fits &= leave.expr.is_none();
                self.breaks |= leave.label.is_none() && self.depth == 1 && !self.in_closure;
                self.used.extend(leave.label.clone());
                self.broken.extend(leave.label.clone());
                None
            }
            Expr::Continue(next) => {
                self.used.extend(next.label.clone());
                None
            }
            Expr::Return(_) | Expr::Try(_) => {
                self.returns |= !self.in_closure;
                None
            }
            Expr::Async(_) | Expr::Await(_) | Expr::Yield(_) | Expr::Const(_) | Expr::TryBlock(_) => {
                self.fits = false;
                None
            }
            Expr::Verbatim(_) => {
                self.fits = false;
                None
            }
            _ => None,
        };
        match label {
            Some(label) => {
                self.labels.extend(label.as_ref().map(|label| label.name.clone()));
                self.depth += 1;
                visit::visit_expr(self, expr);
                self.depth -= 1;
            }
            None => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_closure(&mut self, closure: &ExprClosure) {
        let outside = std::mem::replace(&mut self.in_closure, true);
        visit::visit_expr_closure(self, closure);
        self.in_closure = outside;
    }

    fn visit_macro(&mut self, mac: &Macro) {
        self.fits &= arguments::is_known(mac);
        self.fits &= !leaves(mac.tokens.clone());
    }

    fn visit_stmt(&mut self, stmt: &Stmt) {
        self.fits &= !matches!(stmt, Stmt::Item(_));
        visit::visit_stmt(self, stmt);
    }

    fn visit_item(&mut self, _: &Item) {}
    // Lifted types have blocks of their own, with items.
    fn visit_type(&mut self, _: &Type) {}
}

/// Returns whether the arguments of a macro may leave it, or name `self` in a string.
fn leaves(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => leaves(group.stream()),
        TokenTree::Ident(ident) => ["return", "break", "continue"].iter().any(|word| ident == word),
        TokenTree::Punct(punct) => punct.as_char() == '?',
        TokenTree::Literal(literal) => literal.to_string().contains("{self"),
    })
}
