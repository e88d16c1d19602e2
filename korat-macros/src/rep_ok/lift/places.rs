//! Lifts places: expressions that may be written, and the bases of field accesses and method calls.

use syn::{BinOp, Expr, ExprMethodCall, UnOp};

use super::Lifter;
use crate::rep_ok::std_methods::BLANKET_METHODS;
use crate::walk::visit_mut::VisitMut;

impl Lifter {
    /// Lifts an expression that may be written to, leaving its own field accesses as places.
    pub(super) fn visit_place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Field(field) => self.visit_place(&mut field.base),
            Expr::Index(index) => {
                self.visit_place(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            Expr::Paren(paren) => self.visit_place(&mut paren.expr),
            Expr::Group(group) => self.visit_place(&mut group.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.visit_place(&mut unary.expr),
            _ => self.visit_expr_mut(expr),
        }
    }

    /// Lifts the base of a field access or a method call.
    pub(super) fn visit_base(&mut self, expr: &mut Expr) {
        if self.in_unsafe && dereferences_field(expr) {
            self.visit_expr_mut(expr);
        } else {
            self.visit_place(expr);
        }
    }

    pub(super) fn visit_method_call(&mut self, call: &mut ExprMethodCall) {
        // A blanket method would resolve to the slot, and nothing below the structure's `self` can be written, so both cases
        // read the field.
        let blanket = BLANKET_METHODS.iter().any(|name| call.method == name);
        let is_fixed = is_below_self(&call.receiver) && !self.self_changes;
        if is_field(&call.receiver) && (blanket || is_fixed) {
            self.visit_expr_mut(&mut call.receiver);
        } else {
            self.visit_base(&mut call.receiver);
        }
        if let Some(turbofish) = &mut call.turbofish {
            self.visit_angle_bracketed_generic_arguments_mut(turbofish);
        }
        for arg in &mut call.args {
            self.visit_expr_mut(arg);
        }
    }
}

fn is_field(expr: &Expr) -> bool {
    match expr {
        Expr::Field(_) => true,
        Expr::Paren(paren) => is_field(&paren.expr),
        Expr::Group(group) => is_field(&group.expr),
        _ => false,
    }
}

/// Returns whether the place goes through `*x.f`.
fn dereferences_field(place: &Expr) -> bool {
    match place {
        Expr::Field(field) => dereferences_field(&field.base),
        Expr::Index(index) => dereferences_field(&index.expr),
        Expr::Paren(paren) => dereferences_field(&paren.expr),
        Expr::Group(group) => dereferences_field(&group.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            is_field(&unary.expr) || dereferences_field(&unary.expr)
        }
        _ => false,
    }
}

/// Returns whether the expression is `self.f`, `self.f.g`, and so on.
fn is_below_self(expr: &Expr) -> bool {
    match expr {
        Expr::Field(field) => is_below_self(&field.base),
        Expr::Paren(paren) => is_below_self(&paren.expr),
        Expr::Path(path) => path.path.is_ident("self"),
        _ => false,
    }
}

pub(crate) fn is_compound_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
