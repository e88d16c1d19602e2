//! Defines the evaluation order of expressions, and which of their parts can be evaluated separately without changing
//! the meaning. `values` splits expressions according to it, and `verify` checks the result against it.

use syn::{BinOp, Block, Expr, ExprClosure, Item, Macro, Pat, Stmt, UnOp};

use super::rename::is_deref;
use crate::rep_ok::lift::is_compound_assignment;
use crate::rep_ok::std_methods::by_value;
use crate::walk::visit::{self, Visit};

/// How an expression uses one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Moved or copied.
    Value,
    /// Compared: copied if it is a number, otherwise borrowed for the comparison.
    Compared,
    /// The receiver of a method, which may consume, read or modify it.
    Receiver,
    /// A place that is read, borrowed or assigned to.
    Place,
}

/// Returns the parts of an expression in evaluation order.
pub(super) fn parts_of<'e>(expr: &'e mut Expr) -> Vec<(&'e mut Expr, Use)> {
    let value = |expr: &'e mut Expr| (expr, Use::Value);
    let place = |expr: &'e mut Expr| (expr, Use::Place);
    match expr {
        Expr::Array(array) => array.elems.iter_mut().map(value).collect(),
        // The place is evaluated after the value.
        Expr::Assign(assign) => vec![value(&mut assign.right), place(&mut assign.left)],
        Expr::Binary(binary) => match &binary.op {
            op if is_compound_assignment(op) => vec![value(&mut binary.right), place(&mut binary.left)],
            op if is_comparison(op) => {
                vec![(&mut *binary.left, Use::Compared), (&mut *binary.right, Use::Compared)]
            }
            _ => vec![value(&mut binary.left), value(&mut binary.right)],
        },
        Expr::Call(call) => {
            let func = place(&mut call.func);
            std::iter::once(func).chain(call.args.iter_mut().map(value)).collect()
        }
        Expr::Cast(cast) => vec![value(&mut cast.expr)],
        Expr::Field(field) => vec![place(&mut field.base)],
        Expr::Group(group) => vec![place(&mut group.expr)],
        Expr::Index(index) => vec![(&mut *index.expr, Use::Receiver), value(&mut index.index)],
        Expr::Let(test) => vec![place(&mut test.expr)],
        Expr::MethodCall(call) => {
            let receiver = (&mut *call.receiver, Use::Receiver);
            std::iter::once(receiver).chain(call.args.iter_mut().map(value)).collect()
        }
        Expr::Paren(paren) => vec![place(&mut paren.expr)],
        Expr::Range(range) => {
            let ends = range.start.iter_mut().chain(range.end.iter_mut());
            ends.map(|end| value(end)).collect()
        }
        Expr::Reference(reference) => vec![place(&mut reference.expr)],
        Expr::Repeat(repeat) => vec![value(&mut repeat.expr)],
        Expr::Struct(literal) => {
            let rest = literal.rest.iter_mut().map(|rest| value(rest));
            literal.fields.iter_mut().map(|field| value(&mut field.expr)).chain(rest).collect()
        }
        Expr::Try(tried) => vec![value(&mut tried.expr)],
        Expr::Tuple(tuple) => tuple.elems.iter_mut().map(value).collect(),
        Expr::Unary(unary) => {
            let use_ = if matches!(unary.op, UnOp::Deref(_)) { Use::Place } else { Use::Value };
            vec![(&mut *unary.expr, use_)]
        }
        _ => Vec::new(),
    }
}

pub(super) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// Returns whether the value of an expression can be stored in a local right after its evaluation: the value does not
/// borrow from a temporary of the statement, and the expression contains no closure and no macro.
pub(super) fn is_anchored(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Array(array) => array.elems.iter().all(is_anchored),
        Expr::Binary(binary) => {
            !is_compound_assignment(&binary.op) && is_anchored(&binary.left) && is_anchored(&binary.right)
        }
        Expr::Call(call) => is_anchored(&call.func) && call.args.iter().all(is_anchored),
        Expr::Cast(cast) => is_anchored(&cast.expr),
        Expr::Field(field) => is_place(&field.base) && is_anchored(&field.base),
        Expr::Group(group) => is_anchored(&group.expr),
        Expr::Index(index) => is_place(&index.expr) && is_anchored(&index.expr) && is_anchored(&index.index),
        Expr::MethodCall(call) => {
            let is_taken = by_value(&call.method.to_string(), call.args.len()).is_some();
            (is_taken || is_place(&call.receiver) || is_read(expr))
                && is_anchored(&call.receiver)
                && call.args.iter().all(is_anchored)
        }
        Expr::Paren(paren) => is_anchored(&paren.expr),
        Expr::Reference(reference) => {
            (is_place(&reference.expr) || matches!(&*reference.expr, Expr::Lit(_))) && is_anchored(&reference.expr)
        }
        Expr::Struct(literal) => literal.rest.is_none() && literal.fields.iter().all(|field| is_anchored(&field.expr)),
        Expr::Try(tried) => is_anchored(&tried.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_anchored),
        Expr::Unary(unary) => is_anchored(&unary.expr),
        _ => false,
    }
}

/// Returns whether an expression is `(&x.f).__korat_read()`, as inserted by lifting.
fn is_read(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if call.method == "__korat_read")
}

pub(super) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        expr => is_deref(expr),
    }
}

/// Returns whether an expression is a place that is evaluated without reading a field or calling anything, except for
/// dereferencing.
pub(super) fn is_pure_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_pure_place(&field.base),
        Expr::Paren(paren) => is_pure_place(&paren.expr),
        Expr::Group(group) => is_pure_place(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_pure_place(&unary.expr),
        _ => false,
    }
}

/// Methods that borrow from their receiver. A missing name causes an error in rustc, and never a wrong result.
pub(super) const BORROWING: &[&str] = &[
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "bytes",
    "chars",
    "chunks",
    "drain",
    "first",
    "get",
    "iter",
    "iter_mut",
    "keys",
    "lines",
    "range",
    "split",
    "values",
    "values_mut",
    "windows",
    "__korat_read",
];

/// Returns whether an expression borrows from a temporary, which lives only as long as its statement.
pub(super) fn is_unsteady(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            let borrows = BORROWING.iter().any(|name| call.method == name);
            borrows && is_made(&call.receiver) || is_unsteady(&call.receiver)
        }
        Expr::Reference(reference) => {
            borrows_made(&reference.expr, reference.mutability.is_some()) || is_unsteady(&reference.expr)
        }
        Expr::Field(field) => is_made(&field.base) || is_unsteady(&field.base),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => is_made(&unary.expr) || is_unsteady(&unary.expr),
        Expr::Paren(paren) => is_unsteady(&paren.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(is_unsteady),
        Expr::Array(array) => array.elems.iter().any(is_unsteady),
        Expr::Call(call) => is_constructor(&call.func) && call.args.iter().any(is_unsteady),
        _ => false,
    }
}

/// Returns whether a reference to the expression refers to a temporary, which lives only as long as its statement.
pub(super) fn borrows_made(expr: &Expr, is_mut: bool) -> bool {
    !is_place(expr) && (is_mut || !matches!(expr, Expr::Lit(_)))
}

/// Returns whether a function looks like a variant or a tuple struct, judging by its name. A wrong answer causes an
/// error in rustc, and never a wrong result.
pub(super) fn is_constructor(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

pub(super) fn has_unsteady_let(expr: &Expr) -> bool {
    matches!(expr, Expr::Let(test) if is_unsteady(&test.expr))
}

/// Returns whether an expression creates a temporary, which lives only as long as its statement.
pub(super) fn is_made(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Tuple(_)
    ) && !is_read(expr)
}

/// Collects the reads and calls of the user's code in evaluation order, without the calls of generated code.
#[derive(Default)]
pub(super) struct Atoms(pub(super) Vec<String>);

impl Atoms {
    pub(super) fn called(&mut self, name: &str) {
        self.0.push(name.to_string());
    }

    fn parts(&mut self, expr: &Expr) {
        let mut parts = expr.clone();
        for (part, _) in parts_of(&mut parts) {
            self.visit_expr(part);
        }
    }
}

impl Visit for Atoms {
    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Call(call) => {
                self.parts(expr);
                if let Expr::Path(path) = &*call.func
                    && let Some(last) = path.path.segments.last()
                    && !path.path.segments.iter().any(|segment| segment.ident == "__private")
                {
                    self.called(&last.ident.to_string());
                }
            }
            Expr::MethodCall(call) => {
                self.parts(expr);
                self.called(&call.method.to_string());
            }
            Expr::Match(choice) => {
                self.visit_expr(&choice.expr);
                choice.arms.iter().for_each(|arm| self.visit_pat(&arm.pat));
                choice.arms.iter().for_each(|arm| self.visit_expr(&arm.body));
            }
            Expr::Binary(binary) if !matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => self.parts(expr),
            Expr::Assign(_) | Expr::Index(_) | Expr::Field(_) | Expr::Struct(_) | Expr::Range(_) => self.parts(expr),
            Expr::Let(test) => {
                self.visit_expr(&test.expr);
                self.visit_pat(&test.pat);
            }
            Expr::ForLoop(repeat) => {
                self.visit_expr(&repeat.expr);
                self.visit_pat(&repeat.pat);
                self.visit_block(&repeat.body);
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_local(&mut self, local: &syn::Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            self.visit_pat(&local.pat);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
    }

    fn visit_macro(&mut self, mac: &Macro) {
        self.called(&super::source::one_line(mac));
    }
    fn visit_item(&mut self, _: &Item) {}
    fn visit_type(&mut self, _: &syn::Type) {}
}

/// Returns whether some block in an expression declares an item, which shadows other names only in that block.
pub(super) fn declares_items(expr: &Expr) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_block(&mut self, block: &Block) {
            self.0 |= block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Item(_)));
            visit::visit_block(self, block);
        }
        fn visit_expr_closure(&mut self, _: &ExprClosure) {}
        fn visit_item(&mut self, _: &Item) {}
        fn visit_pat(&mut self, _: &Pat) {}
    }
    let mut finder = Finder(false);
    finder.visit_expr(expr);
    finder.0
}

#[cfg(test)]
mod tests;
