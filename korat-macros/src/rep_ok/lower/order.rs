//! In which order the parts of an expression are evaluated, and which of them must outlive its statement.

use syn::{BinOp, Expr, UnOp};

use super::rename::is_deref;
use crate::rep_ok::lift::is_compound_assignment;

/// Methods that borrow from their receiver.
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

/// Whether an expression borrows from something that lives no longer than its statement.
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

/// Whether a reference to the expression is one to something that lives no longer than its statement.
pub(super) fn borrows_made(expr: &Expr, is_mut: bool) -> bool {
    !is_place(expr) && (is_mut || !matches!(expr, Expr::Lit(_)))
}

/// Whether a function is a variant or a tuple struct.
pub(super) fn is_constructor(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

pub(super) fn has_unsteady_let(expr: &Expr) -> bool {
    matches!(expr, Expr::Let(test) if is_unsteady(&test.expr))
}

/// Whether an expression makes something that lives no longer than its statement.
pub(super) fn is_made(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Tuple(_)
    ) && !matches!(expr, Expr::MethodCall(call) if call.method == "__korat_read")
}

/// Whether the value of an expression does not depend on when it is evaluated.
pub(super) fn is_steady(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Closure(_) | Expr::Path(_) => true,
        Expr::Reference(reference) => is_steady(&reference.expr),
        Expr::Paren(paren) => is_steady(&paren.expr),
        Expr::Unary(unary) => is_steady(&unary.expr),
        _ => false,
    }
}

pub(super) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Paren(paren) => is_place(&paren.expr),
        expr => is_deref(expr),
    }
}

/// Whether an expression is a place that is found without reading a field.
pub(super) fn is_pure_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_pure_place(&field.base),
        Expr::Index(index) => is_pure_place(&index.expr) && is_steady(&index.index),
        Expr::Paren(paren) => is_pure_place(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_pure_place(&unary.expr),
        _ => false,
    }
}

/// How a part of an expression is used by the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Value,
    Place,
    Receiver,
}

/// The parts of an expression in the order of their evaluation.
pub(super) fn parts_of<'e>(expr: &'e mut Expr) -> Vec<(&'e mut Expr, Use)> {
    let value = |expr: &'e mut Expr| (expr, Use::Value);
    let place = |expr: &'e mut Expr| (expr, Use::Place);
    match expr {
        Expr::Array(array) => array.elems.iter_mut().map(value).collect(),
        Expr::Assign(assign) => vec![value(&mut assign.right)],
        Expr::Binary(binary) => match &binary.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                vec![value(&mut binary.left), value(&mut binary.right)]
            }
            op if is_compound_assignment(op) => vec![value(&mut binary.right)],
            _ => vec![place(&mut binary.left), place(&mut binary.right)],
        },
        Expr::Call(call) => {
            let func = place(&mut call.func);
            std::iter::once(func).chain(call.args.iter_mut().map(value)).collect()
        }
        Expr::Cast(cast) => vec![value(&mut cast.expr)],
        Expr::Field(field) => vec![place(&mut field.base)],
        Expr::Group(group) => vec![place(&mut group.expr)],
        // What is indexed may be changed, like the receiver of a method.
        Expr::Index(index) => vec![(&mut *index.expr, Use::Receiver), value(&mut index.index)],
        Expr::Let(test) => vec![place(&mut test.expr)],
        Expr::MethodCall(call) => {
            let use_ = if consumes(call) { Use::Value } else { Use::Receiver };
            let receiver = (&mut *call.receiver, use_);
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
        Expr::Unary(unary) => vec![place(&mut unary.expr)],
        _ => Vec::new(),
    }
}

/// Whether a method takes its receiver by value, as far as its name says.
pub(super) fn consumes(call: &syn::ExprMethodCall) -> bool {
    const CONSUMING: &[&str] = &[
        "and",
        "and_modify",
        "and_then",
        "chain",
        "cloned",
        "collect",
        "copied",
        "count",
        "cycle",
        "enumerate",
        "err",
        "expect",
        "expect_err",
        "filter",
        "filter_map",
        "find_map",
        "flat_map",
        "flatten",
        "fold",
        "for_each",
        "inspect",
        "is_err_and",
        "is_none_or",
        "is_ok_and",
        "is_some_and",
        "map",
        "map_err",
        "map_or",
        "map_or_else",
        "map_while",
        "max",
        "max_by",
        "max_by_key",
        "min",
        "min_by",
        "min_by_key",
        "ok",
        "ok_or",
        "ok_or_else",
        "or",
        "or_default",
        "or_else",
        "or_insert",
        "or_insert_with",
        "or_insert_with_key",
        "partition",
        "peekable",
        "product",
        "reduce",
        "rev",
        "scan",
        "skip",
        "skip_while",
        "step_by",
        "sum",
        "take_while",
        "transpose",
        "unwrap",
        "unwrap_err",
        "unwrap_or",
        "unwrap_or_default",
        "unwrap_or_else",
        "unzip",
        "xor",
        "zip",
    ];
    let name = call.method.to_string();
    name.starts_with("into_") || name == "take" && call.args.len() == 1 || CONSUMING.contains(&name.as_str())
}
