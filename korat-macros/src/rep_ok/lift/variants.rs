//! Rejects variants of the class that are matched by an imported name, which cannot be lifted.

use syn::{Expr, Ident, Pat, UnOp};

use super::Lifter;

impl Lifter {
    /// Rejects a pattern for `self` that names a variant of the class without the class: lifting would take the name
    /// for another class. Reports only the first one.
    pub(super) fn check_variants<'p>(&mut self, matched: &Expr, mut pats: impl Iterator<Item = &'p Pat>) {
        if !is_self(matched) || self.imports_variants {
            return;
        }
        if let Some(variant) = pats.find_map(|pat| bare_variant(pat, &self.class_name)) {
            let class = &self.class_name;
            let message = format!("a variant cannot be lifted by its imported name; write `{class}::{variant}`");
            self.refuse(variant, &message);
            self.imports_variants = true;
        }
    }
}

/// Returns whether the expression is `self`, `*self` or `&*self`.
fn is_self(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident("self"),
        Expr::Paren(paren) => is_self(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_self(&unary.expr),
        Expr::Reference(reference) => is_self(&reference.expr),
        _ => false,
    }
}

/// Returns `Circle` in `Circle(radius)`, or alone. A name with braces is skipped, since it may be an alias of a struct.
fn bare_variant<'p>(pat: &'p Pat, class: &Ident) -> Option<&'p Ident> {
    let name = match pat {
        Pat::Or(or) => return or.cases.iter().find_map(|case| bare_variant(case, class)),
        Pat::Paren(paren) => return bare_variant(&paren.pat, class),
        Pat::Reference(reference) => return bare_variant(&reference.pat, class),
        Pat::TupleStruct(tuple) => tuple.path.get_ident()?,
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => &ident.ident,
        _ => return None,
    };
    let text = name.to_string();
    let is_variant = text.starts_with(char::is_uppercase) && (text.len() == 1 || text.contains(char::is_lowercase));
    (is_variant && name != class && text != "Self").then_some(name)
}
