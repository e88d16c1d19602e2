//! What the syntax shows of the type of a local: whether rustc knows it when it reaches a loop, and whether it is `Copy`.
//! An unknown type could turn out to be one that cannot be packed after it was taken for one that can.

use syn::{BinOp, Expr, GenericArgument, Lit, PathArguments, Type, UnOp};

use super::watched::is_concrete;

/// What is known of the type of a local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) is_known: bool,
    pub(super) is_copy: bool,
}

const NOTHING: Known = Known { is_known: false, is_copy: false };
const COPY: Known = Known { is_known: true, is_copy: true };

impl Known {
    pub(super) fn and(self, other: Known) -> Known {
        Known { is_known: self.is_known && other.is_known, is_copy: self.is_copy && other.is_copy }
    }

    /// Combines what two values of the same type show.
    pub(super) fn or(self, other: Known) -> Known {
        Known { is_known: self.is_known || other.is_known, is_copy: self.is_copy || other.is_copy }
    }

    /// Returns what is known of something inside a value of this type.
    pub(super) fn inside(self) -> Known {
        Known { is_copy: false, ..self }
    }
}

const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32", "u64", "u8",
    "usize",
];

/// Methods of std whose result has a type that follows from the receiver's.
const OF_RECEIVER: &[&str] = &[
    "abs",
    "as_deref",
    "as_ref",
    "borrow",
    "checked_add",
    "checked_sub",
    "clone",
    "cloned",
    "copied",
    "count",
    "expect",
    "first",
    "get",
    "is_empty",
    "is_none",
    "is_some",
    "last",
    "len",
    "max",
    "min",
    "pow",
    "saturating_add",
    "saturating_sub",
    "unwrap",
    "unwrap_or",
    "wrapping_add",
    "wrapping_sub",
];

/// Methods of std whose result is `Copy`, whatever the receiver is.
const COPIES: &[&str] = &["as_deref", "as_ref", "count", "is_empty", "is_none", "is_some", "len"];

/// What is known of the names in scope.
pub(super) trait Names {
    /// Returns what is known of a local.
    fn local(&self, name: &str) -> Known;
    /// Returns whether a method or function of the block has one result type.
    fn is_own_method(&self, name: &str) -> bool;
}

/// Returns what a declared type shows.
pub(super) fn of_type(ty: &Type) -> Known {
    let is_known = is_concrete(ty);
    Known { is_known, is_copy: is_known && is_copy(ty) }
}

fn is_copy(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return false };
            match &last.arguments {
                PathArguments::None => {
                    path.path.get_ident().is_some_and(|name| PRIMITIVES.iter().any(|known| name == known))
                }
                PathArguments::AngleBracketed(args) if last.ident == "Option" => {
                    args.args.iter().all(|arg| matches!(arg, GenericArgument::Type(ty) if is_copy(ty)))
                }
                _ => false,
            }
        }
        Type::Paren(paren) => is_copy(&paren.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_copy),
        _ => false,
    }
}

/// Returns what an expression shows of its type.
pub(super) fn of_expr(expr: &Expr, names: &dyn Names) -> Known {
    match expr {
        Expr::Lit(lit) => match lit.lit {
            Lit::Verbatim(_) => NOTHING,
            _ => COPY,
        },
        Expr::Paren(paren) => of_expr(&paren.expr, names),
        Expr::Group(group) => of_expr(&group.expr, names),
        Expr::Reference(reference) => {
            Known { is_copy: reference.mutability.is_none(), ..of_expr(&reference.expr, names) }
        }
        // A value behind the reference that a read of a field returns cannot be moved.
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            Known { is_copy: is_read(&unary.expr), ..of_expr(&unary.expr, names) }
        }
        Expr::Unary(unary) => of_expr(&unary.expr, names),
        Expr::Field(field) => of_expr(&field.base, names).inside(),
        Expr::Index(index) => of_expr(&index.expr, names).inside(),
        Expr::Try(tried) => of_expr(&tried.expr, names).inside(),
        Expr::Cast(cast) => Known { is_copy: true, ..of_type(&cast.ty) },
        Expr::Tuple(tuple) => tuple.elems.iter().map(|elem| of_expr(elem, names)).fold(COPY, Known::and),
        Expr::Binary(binary) => match binary.op {
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => COPY,
            BinOp::And(_) | BinOp::Or(_) => COPY,
            _ => of_expr(&binary.left, names).and(of_expr(&binary.right, names)),
        },
        Expr::MethodCall(call) => {
            let receiver = of_expr(&call.receiver, names);
            if is_read(expr) {
                return receiver.inside();
            }
            let name = call.method.to_string();
            if call.turbofish.is_some() || !OF_RECEIVER.contains(&name.as_str()) {
                let of_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
                return Known { is_known: of_self && names.is_own_method(&name), is_copy: false };
            }
            Known { is_known: receiver.is_known, is_copy: COPIES.contains(&name.as_str()) }
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return NOTHING };
            let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
            match (segments.as_slice(), call.args.first()) {
                (["Some"], Some(value)) => of_expr(value, names),
                (["Self", name] | [name], _) if names.is_own_method(name) => Known { is_known: true, is_copy: false },
                ([owner, "from"], _) if PRIMITIVES.contains(owner) => COPY,
                _ => NOTHING,
            }
        }
        Expr::Path(path) if path.qself.is_none() => {
            let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            match segments.as_slice() {
                [name] => names.local(name),
                [owner, _] if PRIMITIVES.contains(&owner.as_str()) => COPY,
                _ => NOTHING,
            }
        }
        _ => NOTHING,
    }
}

/// Returns whether the expression reads a field of a lifted class.
pub(super) fn is_read(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_read(&paren.expr),
        Expr::MethodCall(call) => call.method == "__korat_read",
        _ => false,
    }
}
