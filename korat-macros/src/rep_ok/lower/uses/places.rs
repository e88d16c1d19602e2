//! Rewrites places: parts of kept locals or of their referents that are read, modified or used as receivers.

use syn::{Expr, Ident, UnOp, parse_quote};

use super::{Context, Writer};
use crate::walk::visit_mut::VisitMut;

impl Writer<'_> {
    /// Rewrites an expression that is read in place.
    pub(super) fn looked_at(&mut self, expr: &mut Expr) {
        if let Some(name) = self.kept_path(expr).cloned() {
            *expr = self.access(&name, Context::Place);
            return;
        }
        match expr {
            Expr::Field(field) => self.looked_at(&mut field.base),
            Expr::Paren(paren) => self.looked_at(&mut paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.looked_at(&mut unary.expr),
            _ => self.visit_expr_mut(expr),
        }
    }

    /// Rewrites the receiver of a method that may modify it, such as `x.items` in `x.items.push(1)`.
    pub(super) fn receiver(&mut self, expr: &mut Expr) {
        let mut root = &*expr;
        let mut is_path = true;
        loop {
            root = match root {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => &index.expr,
                Expr::Paren(paren) => &paren.expr,
                Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => &unary.expr,
                _ => break,
            };
            is_path = false;
        }
        let name = self.kept_path(root).cloned();
        match name {
            Some(name) if !is_path => self.part_of(expr, &name),
            _ => self.looked_at(expr),
        }
    }

    /// Rewrites a part of a local or of its referent, which is saved as a whole if it may be modified.
    fn part_of(&mut self, expr: &mut Expr, name: &Ident) {
        match expr {
            Expr::Field(field) => self.part_of(&mut field.base, name),
            Expr::Index(index) => {
                self.part_of(&mut index.expr, name);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Paren(paren) if !matches!(*paren.expr, Expr::Path(_)) => self.part_of(&mut paren.expr, name),
            Expr::Unary(unary) => self.part_of(&mut unary.expr, name),
            _ => *expr = self.access(name, Context::Part),
        }
    }

    /// Rewrites a place that is modified by code that saves it first.
    pub(super) fn place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(name) = self.kept_path(expr).cloned() {
                    *expr = self.access(&name, Context::Bare);
                }
            }
            Expr::Field(field) => self.place(&mut field.base),
            Expr::Index(index) => {
                self.place(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Paren(paren) => self.place(&mut paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.place(&mut unary.expr),
            _ => self.visit_expr_mut(expr),
        }
    }

    /// Returns whether a place is a kept local, or is reached through one.
    pub(super) fn is_rooted(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) => self.kept_path(expr).is_some(),
            Expr::Field(field) => self.is_rooted(&field.base),
            Expr::Index(index) => self.is_rooted(&index.expr),
            Expr::Paren(paren) => self.is_rooted(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.is_rooted(&unary.expr),
            _ => false,
        }
    }

    /// Rewrites the left side of an assignment.
    pub(super) fn assigned(&mut self, expr: &mut Expr) {
        if let Some(name) = self.kept_path(expr).cloned() {
            *expr = self.access(&name, Context::Changed);
        } else if let Expr::Tuple(tuple) = expr {
            tuple.elems.iter_mut().for_each(|elem| self.assigned(elem));
        } else if let Expr::Array(array) = expr {
            array.elems.iter_mut().for_each(|elem| self.assigned(elem));
        } else if matches!(expr, Expr::Infer(_)) {
        } else if self.is_rooted(expr) || is_indirect(expr) {
            self.place(expr);
            let k = &self.program.private;
            *expr = parse_quote!(*#k::touch(&mut #expr));
        } else {
            self.visit_expr_mut(expr);
        }
    }
}

/// Returns whether an assignment to the place may modify a value that something else refers to.
fn is_indirect(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Field(field) => is_indirect(&field.base),
        Expr::Paren(paren) => is_indirect(&paren.expr),
        Expr::MethodCall(_) | Expr::Call(_) => true,
        Expr::Index(index) => is_indirect(&index.expr),
        _ => false,
    }
}
