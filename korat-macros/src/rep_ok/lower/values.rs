//! Takes values out of expressions: calls of the machine and what else has to be taken apart, and what must outlive its
//! statement. Everything is still evaluated in the user's order.

use proc_macro2::Span;
use quote::quote;
use syn::{Expr, UnOp, parse_quote};

use super::Op;
use super::blocks::{Dest, Splitter, is_control_flow};
use super::choices::may_choose;
use super::order::{
    BORROWING, Use, borrows_made, is_constructor, is_made, is_place, is_pure_place, is_steady, is_unsteady, parts_of,
};

impl Splitter<'_> {
    /// Gives names to what an expression borrows from and is no place, because it must live for longer than a statement.
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
                self.all_steady(tuple.elems.iter_mut());
                Expr::Tuple(tuple)
            }
            Expr::Array(mut array) => {
                self.all_steady(array.elems.iter_mut());
                Expr::Array(array)
            }
            Expr::Call(mut call) if is_constructor(&call.func) => {
                self.all_steady(call.args.iter_mut());
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

    /// The same of several expressions.
    fn all_steady<'e>(&mut self, exprs: impl Iterator<Item = &'e mut Expr>) {
        let parts = exprs.map(|expr| (expr, Use::Value)).collect();
        self.in_order(parts, |_, expr| is_unsteady(expr), Self::steady);
    }

    /// Takes something out of each of several expressions that has it, in the order of their evaluation: what is evaluated
    /// before it gets a name, unless its value does not depend on when it is evaluated.
    fn in_order(
        &mut self,
        parts: Vec<(&mut Expr, Use)>,
        has: impl Fn(&Self, &Expr) -> bool,
        take_out: fn(&mut Self, Expr) -> Expr,
    ) {
        let Some(last) = parts.iter().rposition(|(part, _)| has(self, part)) else { return };
        for (at, (part, use_)) in parts.into_iter().enumerate().take(last + 1) {
            let rest = take_out(self, std::mem::replace(part, parse_quote!(())));
            *part = if at < last && !self.stays(&rest) { self.early(rest, use_) } else { rest };
        }
    }

    /// Takes calls of the machine, and whatever else has to be taken apart, out of an expression, in the order of evaluation.
    /// What is left stays whole.
    pub(super) fn flat(&mut self, expr: Expr) -> Expr {
        if !self.is_split(&expr) {
            return expr;
        }
        if let Some(callee) = self.callees.of(&expr) {
            return self.call(callee, expr);
        }
        if is_control_flow(&expr) {
            let name = self.fresh(Span::call_site());
            self.push(Op::Declare(name.clone(), None));
            self.expr(expr, &Dest::Into(name.clone()));
            return parse_quote!(#name);
        }
        let mut expr = expr;
        self.in_order(parts_of(&mut expr), Self::is_split, Self::flat);
        expr
    }

    /// Whether a call of the machine after the expression cannot change its value.
    fn stays(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => {
                let local =
                    path.path.get_ident().and_then(|name| self.renamer.locals.iter().find(|local| local.name == *name));
                local.is_none_or(|local| !local.is_mut)
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => false,
            Expr::Unary(unary) => self.stays(&unary.expr),
            Expr::Paren(paren) => self.stays(&paren.expr),
            expr => is_steady(expr),
        }
    }

    /// Evaluates a part of an expression before what comes after it.
    fn early(&mut self, part: Expr, use_: Use) -> Expr {
        if use_ == Use::Receiver && is_pure_place(&part) {
            // The method may change it; nothing is read to find it.
            return part;
        }
        let part = self.steady(part);
        let name = self.fresh(Span::call_site());
        let private = self.private;
        match use_ {
            Use::Place | Use::Receiver if is_place(&part) => {
                self.whole(parse_quote!(let #name = &#part;));
                if let Some(local) = self.renamer.locals.iter_mut().find(|local| local.name == name) {
                    local.is_reference = true;
                }
                parse_quote!((*#name))
            }
            Use::Value if is_place(&part) => {
                self.whole(parse_quote!(let #name = #private::moved(&#part);));
                parse_quote!(#name)
            }
            Use::Place | Use::Receiver | Use::Value => {
                self.whole(parse_quote!(let #name = #part;));
                parse_quote!(#name)
            }
        }
    }

    /// Whether an expression is a call whose result is that of the method.
    pub(super) fn is_last_call(&self, expr: &Expr, dest: &Dest) -> bool {
        let same =
            |callee: usize| super::one_line(&self.outputs[callee]) == super::one_line(&self.outputs[self.method]);
        matches!(dest, Dest::Return) && self.callees.of(expr).is_some_and(same)
    }

    /// A call whose result is that of the method.
    pub(super) fn last_call(&mut self, expr: Expr) {
        if let Some(callee) = self.callees.of(&expr) {
            let args = self.arguments(expr);
            self.push(Op::Call { callee, args, then: None });
        }
    }

    /// A call of the machine's own: its value is a local of the block after it.
    fn call(&mut self, callee: usize, expr: Expr) -> Expr {
        let args = self.arguments(expr);
        let then = self.new_block();
        self.push(Op::Call { callee, args, then: Some(then) });
        self.begin(then);
        let name = self.fresh(Span::call_site());
        self.push(Op::Result { callee, name: name.clone() });
        parse_quote!(#name)
    }

    /// The arguments of a call, in a block that ends with it.
    fn arguments(&mut self, expr: Expr) -> Vec<Expr> {
        let mut args: Vec<Expr> = match expr {
            Expr::Call(call) => call.args.into_iter().collect(),
            Expr::MethodCall(call) => std::iter::once(*call.receiver).chain(call.args).collect(),
            _ => Vec::new(),
        };
        self.in_order(args.iter_mut().map(|arg| (arg, Use::Value)).collect(), Self::is_split, Self::flat);
        self.all_steady(args.iter_mut());
        let args: Vec<Expr> = args.into_iter().map(|arg| self.with_jumps(arg)).collect();
        if args.iter().any(may_choose) {
            // The call itself is taken apart; only its arguments are replayed.
            self.begin_choosing(&quote!(#(#args),*), "");
        }
        args
    }
}
