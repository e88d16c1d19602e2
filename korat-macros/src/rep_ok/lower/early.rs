//! Evaluates parts of an expression before later parts that are split, and names the temporaries that must outlive their
//! statement. Takes parts in evaluation order, and gives the locals that hold their values.

use proc_macro2::Span;
use quote::quote;
use syn::{Block as Braces, Expr, Type, UnOp, parse_quote};

use super::blocks::Splitter;
use super::order::{BORROWING, Use, borrows_made, is_constructor, is_made, is_place, is_unsteady};
use super::values::Early;
use crate::walk::visit_mut::{self, VisitMut};

/// How rustc converts a part where it is used. That may read a field: a box becomes what is in it, a vector a slice.
#[derive(Clone, Copy)]
pub(super) enum Conversion<'t> {
    /// As it is.
    None,
    /// To a type that only rustc knows.
    Unknown,
    /// To this type.
    To(&'t Type),
}

impl Splitter<'_> {
    /// Splits a list of expressions that are evaluated one after the other.
    pub(super) fn in_order(&mut self, mut parts: Vec<(&mut Expr, Use, Conversion<'_>)>, is_taken: bool) {
        let Some(last) = parts.iter().rposition(|(part, ..)| self.is_split(part)) else { return };
        for at in 0..=last {
            let later: Vec<Expr> = parts[at + 1..].iter().map(|(part, ..)| (**part).clone()).collect();
            let later: Vec<&Expr> = later.iter().collect();
            let (part, use_, conversion) = &mut parts[at];
            let (use_, conversion) = (*use_, *conversion);
            let early = if at < last { self.early_of(part, use_, &later, is_taken) } else { Some(Early::Stays) };
            let rest = self.flat_as(std::mem::replace(*part, parse_quote!(())), conversion);
            **part = match early {
                Some(Early::Named) => {
                    let rest = if is_unsteady(&rest) { self.steady(rest) } else { rest };
                    self.early_value(rest, use_, conversion)
                }
                Some(Early::Borrowed) => self.early_reference(rest, conversion),
                Some(Early::Stays) if at < last && use_ == Use::Receiver => self.staying(rest, conversion),
                Some(Early::Stays) | None => rest,
            };
        }
    }

    /// Evaluates a part of an expression before the parts after it, and returns the local that holds the value. The value is
    /// converted right away, or `early` checks that the conversion reads no undecided field.
    fn early_value(&mut self, part: Expr, use_: Use, conversion: Conversion<'_>) -> Expr {
        let name = self.fresh(Span::call_site());
        let private = self.private;
        let is_moved = is_place(&part);
        let part: Expr = if is_moved { parse_quote!(#private::moved(&#part)) } else { part };
        match conversion {
            Conversion::None => self.whole(parse_quote!(let #name = #part;)),
            Conversion::Unknown => self.whole(parse_quote!(let #name = #private::early(#part);)),
            Conversion::To(ty) if is_moved => {
                let moved = self.fresh(Span::call_site());
                self.whole(parse_quote!(let #moved = #part;));
                self.whole(parse_quote!(let #name: #ty = #moved;));
            }
            Conversion::To(ty) => self.whole(parse_quote!(let #name: #ty = #part;)),
        }
        if use_ == Use::Receiver
            && let Some(local) = self.renamer.locals.iter_mut().find(|local| local.name == name)
        {
            local.is_mut = true;
        }
        parse_quote!(#name)
    }

    /// Checks a receiver that stays in place while the parts after it are evaluated.
    fn staying(&mut self, part: Expr, conversion: Conversion<'_>) -> Expr {
        let private = self.private;
        let is_this = matches!(&part, Expr::Path(path) if path.path.is_ident("this"));
        if !is_this && !self.is_constant(&part) && !matches!(conversion, Conversion::None) {
            self.whole(parse_quote!(#private::early(&#part);));
        }
        part
    }

    /// Evaluates a place before the parts after it, and returns a dereference of the local that refers to it.
    fn early_reference(&mut self, part: Expr, conversion: Conversion<'_>) -> Expr {
        let name = self.fresh(Span::call_site());
        let private = self.private;
        match conversion {
            Conversion::None => self.whole(parse_quote!(let #name = &#part;)),
            Conversion::Unknown | Conversion::To(_) => self.whole(parse_quote!(let #name = #private::early(&#part);)),
        }
        if let Some(local) = self.renamer.locals.iter_mut().find(|local| local.name == name) {
            local.is_reference = true;
        }
        parse_quote!((*#name))
    }

    /// Names the temporaries from which an expression borrows, because they have to outlive the statement.
    pub(super) fn steady(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::MethodCall(mut call) => {
                let receiver = self.steady((*call.receiver).clone());
                let borrows = BORROWING.iter().any(|name| call.method == name);
                *call.receiver = if borrows && is_made(&receiver) { self.named(receiver, false) } else { receiver };
                Expr::MethodCall(call)
            }
            Expr::Reference(mut reference) => {
                let inner = self.steady((*reference.expr).clone());
                let is_mut = reference.mutability.is_some();
                *reference.expr = if borrows_made(&inner, is_mut) { self.named(inner, is_mut) } else { inner };
                Expr::Reference(reference)
            }
            Expr::Field(mut field) => {
                let base = self.steady((*field.base).clone());
                *field.base = if is_made(&base) { self.named(base, false) } else { base };
                Expr::Field(field)
            }
            Expr::Unary(mut unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let inner = self.steady((*unary.expr).clone());
                *unary.expr = if is_made(&inner) { self.named(inner, false) } else { inner };
                Expr::Unary(unary)
            }
            Expr::Paren(mut paren) => {
                *paren.expr = self.steady((*paren.expr).clone());
                Expr::Paren(paren)
            }
            Expr::Tuple(mut tuple) => {
                self.all_steady(tuple.elems.iter_mut(), &[]);
                Expr::Tuple(tuple)
            }
            Expr::Array(mut array) => {
                self.all_steady(array.elems.iter_mut(), &[]);
                Expr::Array(array)
            }
            Expr::Call(mut call) if is_constructor(&call.func) => {
                self.all_steady(call.args.iter_mut(), &[]);
                Expr::Call(call)
            }
            other => other,
        }
    }

    fn named(&mut self, expr: Expr, is_mut: bool) -> Expr {
        let name = self.fresh(Span::call_site());
        if let Some(local) = self.renamer.locals.last_mut() {
            local.is_mut = is_mut;
        }
        let mutability = is_mut.then(|| quote!(mut));
        self.whole(parse_quote!(let #mutability #name = #expr;));
        parse_quote!(#name)
    }

    /// Names the temporaries from which several expressions borrow, and the values of the expressions evaluated before.
    pub(super) fn all_steady<'e>(&mut self, exprs: impl Iterator<Item = &'e mut Expr>, types: &[Type]) {
        let exprs: Vec<&mut Expr> = exprs.collect();
        let Some(last) = exprs.iter().rposition(|expr| is_unsteady(expr)) else { return };
        for (at, expr) in exprs.into_iter().enumerate().take(last + 1) {
            let steady = self.steady(std::mem::replace(expr, parse_quote!(())));
            *expr = match at < last && !self.is_constant(&steady) {
                true => self.early_value(steady, Use::Value, types.get(at).map_or(Conversion::Unknown, Conversion::To)),
                false => steady,
            };
        }
    }

    /// Wraps the temporaries in an expression that decides a split branch. They are dropped before the branch instead
    /// of after it, and the wrapper checks that this is not observable.
    pub(super) fn passing(&self, mut expr: Expr) -> Expr {
        struct Passing<'p>(&'p syn::Path);
        impl VisitMut for Passing<'_> {
            fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
                visit_mut::visit_expr_method_call_mut(self, call);
                if is_made(&call.receiver) {
                    let (private, receiver) = (self.0, &call.receiver);
                    *call.receiver = parse_quote!(#private::check_temporary_drop(#receiver));
                }
            }
            fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
            fn visit_block_mut(&mut self, _: &mut Braces) {}
            fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}
        }
        Passing(self.private).visit_expr_mut(&mut expr);
        expr
    }
}
