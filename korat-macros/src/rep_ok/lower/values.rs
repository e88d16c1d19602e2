//! Extracts values from expressions: calls of the machine, and other parts that are split. The evaluation order is preserved;
//! an expression for which this is impossible is kept whole (`is_split`).

use proc_macro2::Span;
use quote::{ToTokens, quote};
use syn::{Block as Braces, Expr, Stmt, UnOp, parse_quote};

use super::blocks::{Dest, Splitter, is_control_flow};
use super::choices::{is_logical, may_choose, weight};
use super::early::Conversion;
use super::exits;
use super::ir::{Code, MethodId, Op, Terminator};
use super::order::{Use, declares_items, is_anchored, is_pure_place, parts_of};
use super::source::one_line;
use super::words::words;
use crate::rep_ok::lift::is_compound_assignment;
use crate::rep_ok::std_methods::by_value;

/// How a part is evaluated before a later part that is split.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Early {
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
    pub(super) fn early_of(&self, part: &Expr, use_: Use, later: &[&Expr], is_taken: bool) -> Option<Early> {
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
    pub(super) fn is_constant(&self, expr: &Expr) -> bool {
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
        self.flat_as(expr, Conversion::None)
    }

    /// Like `flat`, for an expression that is converted.
    pub(super) fn flat_as(&mut self, expr: Expr, conversion: Conversion<'_>) -> Expr {
        if !self.is_split(&expr) {
            return expr;
        }
        if let Some(callee) = self.callees.of(&expr) {
            return self.call(callee, expr);
        }
        if is_control_flow(&expr) {
            let name = self.fresh(Span::call_site());
            let ty = if let Conversion::To(ty) = conversion { Some(ty.clone()) } else { None };
            self.push(Op::Declare(name.clone(), ty));
            self.expr(expr, &Dest::Into(name.clone()));
            return parse_quote!(#name);
        }
        let mut expr = expr;
        let is_taken = takes_receiver(&expr);
        let is_converted = !matches!(&expr, Expr::Binary(_) | Expr::Index(_) | Expr::Range(_));
        let parts = parts_of(&mut expr).into_iter();
        let conversion = if is_converted { Conversion::Unknown } else { Conversion::None };
        self.in_order(parts.map(|(part, use_)| (part, use_, conversion)).collect(), is_taken);
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
            let args = self.arguments(callee, expr);
            self.end(Terminator::Call { callee, args, then: None });
        }
    }

    /// Ends the block with a call of the machine, and returns the local that holds its value in the next block.
    fn call(&mut self, callee: MethodId, expr: Expr) -> Expr {
        let args = self.arguments(callee, expr);
        let then = self.new_block();
        self.end(Terminator::Call { callee, args, then: Some(then) });
        self.begin(then);
        let name = self.fresh(Span::call_site());
        self.push(Op::Result { callee, name: name.clone() });
        parse_quote!(#name)
    }

    /// Returns the arguments of a call, evaluated in the block that ends with it.
    fn arguments(&mut self, callee: MethodId, expr: Expr) -> Vec<Code<Expr>> {
        let types = self.inputs[callee.0].clone();
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
            let parts = args.iter_mut().zip(&types).map(|(arg, ty)| (arg, Use::Value, Conversion::To(ty)));
            self.in_order(parts.collect(), false);
        }
        self.all_steady(args.iter_mut(), &types);
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
