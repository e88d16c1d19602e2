//! Extracts values from expressions: calls of the machine, other parts that are split, and temporaries that must outlive
//! their statement. The evaluation order is preserved; an expression for which this is impossible is kept whole (`is_split`).

use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::{Block as Braces, Expr, Stmt, UnOp, parse_quote};

use super::blocks::{Dest, Splitter, is_control_flow};
use super::choices::{is_logical, may_choose, weight};
use super::exits;
use super::ir::{Code, MethodId, Op, Terminator};
use super::order::{
    BORROWING, Use, borrows_made, declares_items, is_anchored, is_constructor, is_made, is_place, is_pure_place,
    is_unsteady, parts_of,
};
use super::source::one_line;
use super::words::words;
use crate::rep_ok::lift::is_compound_assignment;
use crate::rep_ok::std_methods::by_value;
use crate::walk::visit_mut::{self, VisitMut};

/// How a part is evaluated before a later part that is split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Early {
    /// It stays in place, since evaluating it later makes no difference.
    Stays,
    /// It is moved or copied into a local.
    Named,
    /// A reference to it is stored in a local.
    Borrowed,
}

impl Splitter<'_> {
    /// Returns whether an expression is split: because it calls methods of the machine or makes choices in several
    /// parts, and if splitting preserves its meaning.
    pub(super) fn is_split(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_split(&paren.expr),
            Expr::Group(group) => self.is_split(&group.expr),
            Expr::If(branch) => {
                let otherwise = branch.else_branch.as_ref().is_some_and(|(_, otherwise)| self.is_split(otherwise));
                let inside = self.is_split(&branch.cond) || self.splits_block(&branch.then_branch) || otherwise;
                (weight(expr) > 1 || inside) && !declares_items(expr)
            }
            Expr::Match(choice) => {
                let inside = self.is_split(&choice.expr) || choice.arms.iter().any(|arm| self.is_split(&arm.body));
                (weight(expr) > 1 || inside) && !declares_items(expr)
            }
            Expr::Block(inside) => (weight(expr) > 1 || self.splits_block(&inside.block)) && !declares_items(expr),
            Expr::Unsafe(inside) => (weight(expr) > 1 || self.splits_block(&inside.block)) && !declares_items(expr),
            Expr::Loop(repeat) => (weight(expr) > 0 || self.splits_block(&repeat.body)) && !declares_items(expr),
            Expr::While(repeat) => {
                let inside = self.is_split(&repeat.cond) || self.splits_block(&repeat.body);
                (weight(expr) > 0 || inside) && !declares_items(expr)
            }
            Expr::ForLoop(repeat) => {
                let inside = self.is_split(&repeat.expr) || self.splits_block(&repeat.body);
                (weight(expr) > 0 || inside) && !declares_items(expr)
            }
            Expr::Binary(binary) if is_logical(&binary.op) => {
                weight(expr) > 1 || self.is_split(&binary.left) || self.is_split(&binary.right)
            }
            Expr::Let(test) => self.is_split(&test.expr),
            Expr::Return(give) => give.expr.as_ref().is_some_and(|value| self.is_split(value)),
            Expr::Break(leave) => leave.expr.as_ref().is_some_and(|value| self.is_split(value)),
            Expr::Closure(_) | Expr::Macro(_) | Expr::Const(_) => false,
            expr if self.callees.of(expr).is_some() => true,
            expr => self.splits_parts(expr),
        }
    }

    fn splits_block(&self, block: &Braces) -> bool {
        block.stmts.iter().any(|stmt| self.splits(stmt))
    }

    /// Returns whether a statement is split.
    pub(super) fn splits(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Local(local) => local.init.as_ref().is_some_and(|init| {
                self.is_split(&init.expr)
                    || init.diverge.as_ref().is_some_and(|(_, otherwise)| self.is_split(otherwise))
            }),
            Stmt::Expr(expr, _) => self.is_split(expr),
            Stmt::Item(_) | Stmt::Macro(_) => false,
        }
    }

    /// Returns whether a part of an expression is split, and everything that comes before it can be evaluated before it.
    fn splits_parts(&self, expr: &Expr) -> bool {
        let mut parts = expr.clone();
        let parts = parts_of(&mut parts);
        let Some(last) = parts.iter().rposition(|(part, _)| self.is_split(part)) else { return false };
        let is_taken = takes_receiver(expr);
        let can_wait = |at: usize| {
            let (part, use_) = &parts[at];
            let later: Vec<&Expr> = parts[at + 1..].iter().map(|(part, _)| &**part).collect();
            self.early_of(part, *use_, &later, is_taken).is_some()
        };
        let is_place_split = is_assignment(expr) && last > 0;
        (0..last).all(can_wait) && is_assigned_last(expr) && !is_place_split
    }

    /// Returns how a part can be evaluated before the later ones, or `None` if that might change the meaning.
    fn early_of(&self, part: &Expr, use_: Use, later: &[&Expr], is_taken: bool) -> Option<Early> {
        if self.is_constant(part) {
            return Some(Early::Stays);
        }
        let is_split = self.is_split(part);
        match use_ {
            Use::Value | Use::Compared => (is_split || is_anchored(part)).then_some(Early::Named),
            // A call of the machine returns a value, which only a method with a receiver by value can take.
            Use::Receiver if is_split => is_taken.then_some(Early::Named),
            Use::Place if is_split => None,
            Use::Receiver | Use::Place => {
                let root = root_of(part)?;
                let is_named_later = later.iter().any(|part| words(part.to_token_stream()).contains(&root));
                match is_pure_place(part) {
                    true => (!is_named_later).then_some(Early::Stays),
                    false if use_ == Use::Place || !is_anchored(part) => None,
                    // Fields of the structure never change while the predicate runs.
                    false => (root == "this" || !is_named_later).then_some(Early::Borrowed),
                }
            }
        }
    }

    /// Returns whether the value of an expression is independent of when it is evaluated: a literal, or a name that is
    /// not a local.
    fn is_constant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Path(path) => {
                path.path.get_ident().is_none_or(|name| !self.renamer.locals.iter().any(|local| local.name == *name))
            }
            Expr::Paren(paren) => self.is_constant(&paren.expr),
            Expr::Reference(reference) if reference.mutability.is_none() => {
                matches!(&*reference.expr, Expr::Lit(_))
            }
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
                matches!(&*unary.expr, Expr::Lit(_))
            }
            _ => false,
        }
    }

    /// Extracts calls of the machine and other parts that are split from an expression, in evaluation order. Returns
    /// the rest, which is kept whole.
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
        let is_taken = takes_receiver(&expr);
        self.in_order(parts_of(&mut expr), is_taken);
        expr
    }

    /// Splits a list of expressions that are evaluated one after the other.
    fn in_order(&mut self, mut parts: Vec<(&mut Expr, Use)>, is_taken: bool) {
        let Some(last) = parts.iter().rposition(|(part, _)| self.is_split(part)) else { return };
        for at in 0..=last {
            let later: Vec<Expr> = parts[at + 1..].iter().map(|(part, _)| (**part).clone()).collect();
            let later: Vec<&Expr> = later.iter().collect();
            let (part, use_) = &mut parts[at];
            let use_ = *use_;
            let early = if at < last { self.early_of(part, use_, &later, is_taken) } else { Some(Early::Stays) };
            let rest = self.flat(std::mem::replace(*part, parse_quote!(())));
            **part = match early {
                Some(Early::Named) => self.early_value(rest, use_),
                Some(Early::Borrowed) => self.early_reference(rest),
                Some(Early::Stays) | None => rest,
            };
        }
    }

    /// Evaluates a part of an expression before the parts after it, and returns the local that holds the value.
    fn early_value(&mut self, part: Expr, use_: Use) -> Expr {
        let name = self.fresh(Span::call_site());
        let private = self.private;
        if is_place(&part) {
            self.whole(parse_quote!(let #name = #private::moved(&#part);));
        } else {
            self.whole(parse_quote!(let #name = #part;));
        }
        if use_ == Use::Receiver
            && let Some(local) = self.renamer.locals.iter_mut().find(|local| local.name == name)
        {
            local.is_mut = true;
        }
        parse_quote!(#name)
    }

    /// Evaluates a place before the parts after it, and returns a dereference of the local that refers to it.
    fn early_reference(&mut self, part: Expr) -> Expr {
        let name = self.fresh(Span::call_site());
        self.whole(parse_quote!(let #name = &#part;));
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

    /// Names the temporaries from which several expressions borrow, and the values of the expressions evaluated before.
    fn all_steady<'e>(&mut self, exprs: impl Iterator<Item = &'e mut Expr>) {
        let exprs: Vec<&mut Expr> = exprs.collect();
        let Some(last) = exprs.iter().rposition(|expr| is_unsteady(expr)) else { return };
        for (at, expr) in exprs.into_iter().enumerate().take(last + 1) {
            let steady = self.steady(std::mem::replace(expr, parse_quote!(())));
            *expr = if at < last && !self.is_constant(&steady) { self.early_value(steady, Use::Value) } else { steady };
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

    /// Returns whether an expression is a call whose result is the result of the method.
    pub(super) fn is_last_call(&self, expr: &Expr, dest: &Dest) -> bool {
        let output = |method: MethodId| one_line(&self.outputs[method.0]);
        matches!(dest, Dest::Return)
            && self.callees.of(expr).is_some_and(|callee| output(callee) == output(self.method))
    }

    /// Ends the block with a call whose result is the result of the method.
    pub(super) fn last_call(&mut self, expr: Expr) {
        if let Some(callee) = self.callees.of(&expr) {
            let args = self.arguments(expr);
            self.end(Terminator::Call { callee, args, then: None });
        }
    }

    /// Ends the block with a call of the machine, and returns the local that holds its value in the next block.
    fn call(&mut self, callee: MethodId, expr: Expr) -> Expr {
        let args = self.arguments(expr);
        let then = self.new_block();
        self.end(Terminator::Call { callee, args, then: Some(then) });
        self.begin(then);
        let name = self.fresh(Span::call_site());
        self.push(Op::Result { callee, name: name.clone() });
        parse_quote!(#name)
    }

    /// Returns the arguments of a call, evaluated in the block that ends with it.
    fn arguments(&mut self, expr: Expr) -> Vec<Code<Expr>> {
        let mut args: Vec<Expr> = match expr {
            Expr::Call(call) => call.args.into_iter().collect(),
            Expr::MethodCall(call) => std::iter::once(*call.receiver).chain(call.args).collect(),
            _ => Vec::new(),
        };
        let last = args.iter().rposition(|arg| self.is_split(arg)).unwrap_or(0);
        let can_wait = |at: usize| {
            let later: Vec<&Expr> = args[at + 1..].iter().collect();
            self.early_of(&args[at], Use::Value, &later, false).is_some()
        };
        if (0..last).all(can_wait) {
            self.in_order(args.iter_mut().map(|arg| (arg, Use::Value)).collect(), false);
        }
        self.all_steady(args.iter_mut());
        if args.iter().any(may_choose) {
            // The call itself is split; only its arguments are replayed.
            self.begin_choosing(&quote!(#(#args),*), "");
        }
        args.into_iter().map(|arg| exits::expr(arg, &self.loops)).collect()
    }
}

/// Returns whether an expression calls a method that takes its receiver by value, if it is a method of std.
fn takes_receiver(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if by_value(&call.method.to_string(), call.args.len()).is_some())
}

fn is_assignment(expr: &Expr) -> bool {
    match expr {
        Expr::Assign(_) => true,
        Expr::Binary(binary) => is_compound_assignment(&binary.op),
        _ => false,
    }
}

/// Returns whether the right side of an assignment can be evaluated before the place on the left. That is the order in
/// Rust, except for overloaded operators, which evaluate the place first.
fn is_assigned_last(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) if is_compound_assignment(&binary.op) => is_pure_place(&binary.left),
        _ => true,
    }
}

/// Returns the local that contains a place, or through which it is reached.
fn root_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => root_of(&field.base),
        Expr::Index(index) => root_of(&index.expr),
        Expr::Paren(paren) => root_of(&paren.expr),
        Expr::Group(group) => root_of(&group.expr),
        Expr::Reference(reference) => root_of(&reference.expr),
        Expr::Unary(unary) => root_of(&unary.expr),
        Expr::MethodCall(call) if call.method == "__korat_read" => root_of(&call.receiver),
        _ => None,
    }
}
