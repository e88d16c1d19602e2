//! Estimates which parts of lifted statements may make choices, that is, read a field for the first time; and resolves
//! calls of the machine's own methods. A part wrongly estimated to make no choices costs only time: its choices
//! re-enter the last block that can be re-entered.

use syn::{BinOp, Block, Expr, ExprCall, ExprClosure, ExprMethodCall, ExprPath, Ident, Item, Macro, Stmt};

use super::ir::MethodId;
use super::source::one_line;
use crate::rep_ok::std_methods::STD_METHODS;
use crate::walk::visit::{self, Visit};

/// The methods of a machine, as calls name them.
pub(super) struct Callees {
    /// Lifted path of the class, the owner of the block's methods.
    pub(super) class_path: String,
    pub(super) methods: Vec<(String, CalleeKind)>,
}

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CalleeKind {
    /// `self.m(..)` or `Self::m(&x, ..)`.
    WithSelf,
    /// `Self::m(..)`.
    Associated,
    /// `m(..)`, a function declared in a body.
    Nested,
}

impl Callees {
    /// Returns the method of the machine that the expression calls, if any.
    pub(super) fn of(&self, expr: &Expr) -> Option<MethodId> {
        match expr {
            Expr::Call(ExprCall { func, .. }) => {
                let Expr::Path(ExprPath { qself, path, .. }) = &**func else { return None };
                let last = path.segments.last()?;
                if !last.arguments.is_none() {
                    return None;
                }
                if let Some(qself) = qself {
                    let ty = one_line(&qself.ty);
                    return if ty == self.class_path { self.named(&last.ident, false) } else { None };
                }
                match path.segments.len() {
                    1 => self.named(&last.ident, true),
                    2 if path.segments[0].ident == "Self" => self.named(&last.ident, false),
                    _ => None,
                }
            }
            Expr::MethodCall(ExprMethodCall { receiver, method, turbofish: None, .. }) => {
                let is_self = matches!(&**receiver, Expr::Path(path) if path.path.is_ident("this"));
                let callee = self.named(method, false)?;
                (is_self && self.methods[callee.0].1 == CalleeKind::WithSelf).then_some(callee)
            }
            _ => None,
        }
    }

    fn named(&self, name: &Ident, is_nested: bool) -> Option<MethodId> {
        let is_it = |(known, kind): &(String, CalleeKind)| name == known && (*kind == CalleeKind::Nested) == is_nested;
        self.methods.iter().position(is_it).map(MethodId)
    }
}

/// Returns how many parts of an expression may make choices.
pub(super) fn weight(expr: &Expr) -> usize {
    match expr {
        Expr::If(branch) => {
            let otherwise = branch.else_branch.as_ref().map_or(0, |(_, otherwise)| weight(otherwise));
            weight(&branch.cond) + weight_of_block(&branch.then_branch) + otherwise
        }
        Expr::Match(choice) => {
            let arms = choice.arms.iter().map(|arm| usize::from(may_choose_in_pat(&arm.pat)) + weight(&arm.body));
            // The guards of all arms are evaluated together with the scrutinee.
            let bodies: usize = choice.arms.iter().map(|arm| weight(&arm.body)).sum();
            let test = weight(&choice.expr).max(usize::from(arms.sum::<usize>() > bodies));
            test + bodies
        }
        Expr::Block(block) => weight_of_block(&block.block),
        Expr::Unsafe(block) => weight_of_block(&block.block),
        Expr::Paren(paren) => weight(&paren.expr),
        Expr::Group(group) => weight(&group.expr),
        Expr::Loop(repeat) => weight_of_block(&repeat.body),
        Expr::While(repeat) => weight(&repeat.cond) + weight_of_block(&repeat.body),
        Expr::ForLoop(repeat) => weight(&repeat.expr) + weight_of_block(&repeat.body),
        Expr::Binary(binary) if is_logical(&binary.op) => {
            // Repeating a few reads is cheap, but repeating a walk over a collection is not.
            let parts = [weight(&binary.left), weight(&binary.right)];
            if is_expensive(&binary.left) { parts.iter().sum() } else { parts.into_iter().max().unwrap_or(0) }
        }
        _ => usize::from(may_choose(expr)),
    }
}

pub(super) fn weight_of_block(block: &Block) -> usize {
    block.stmts.iter().map(weight_of_stmt).sum()
}

pub(super) fn weight_of_stmt(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Local(local) => local.init.as_ref().map_or(0, |init| {
            let otherwise = init.diverge.as_ref().map_or(0, |(_, otherwise)| weight(otherwise));
            weight(&init.expr) + otherwise
        }),
        Stmt::Expr(expr, _) => weight(expr),
        Stmt::Macro(mac) => usize::from(macro_may_choose(&mac.mac)),
        Stmt::Item(_) => 0,
    }
}

pub(super) fn is_logical(op: &BinOp) -> bool {
    matches!(op, BinOp::And(_) | BinOp::Or(_))
}

/// Returns whether repeating the expression is expensive: it contains a loop, or a call that may make choices.
fn is_expensive(expr: &Expr) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_expr(&mut self, expr: &Expr) {
            match expr {
                Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => self.0 = true,
                _ => visit::visit_expr(self, expr),
            }
        }
        fn visit_expr_closure(&mut self, closure: &ExprClosure) {
            self.0 |= may_choose(&closure.body);
        }
        fn visit_expr_call(&mut self, call: &ExprCall) {
            self.0 |= call_may_choose(call);
            visit::visit_expr_call(self, call);
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(expr);
    finder.0
}

/// Returns whether some part of an expression may read a field.
pub(super) fn may_choose(expr: &Expr) -> bool {
    let mut finder = Reads(false);
    finder.visit_expr(expr);
    finder.0
}

fn may_choose_in_pat(pat: &syn::Pat) -> bool {
    let mut finder = Reads(false);
    finder.visit_pat(pat);
    finder.0
}

fn macro_may_choose(mac: &Macro) -> bool {
    mac.tokens.to_string().contains("__korat")
        || !mac.path.segments.last().is_some_and(|last| {
            ["assert", "assert_eq", "assert_ne", "debug_assert", "panic", "unreachable", "vec", "println", "eprintln"]
                .iter()
                .any(|name| last.ident == name)
        })
}

/// Returns whether the function itself may read a field, regardless of its arguments.
pub(super) fn call_may_choose(call: &ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else { return true };
    let Some(last) = path.path.segments.last() else { return true };
    let name = last.ident.to_string();
    // Constructors, and functions of korat and std that read no fields.
    let quiet = [
        "new",
        "from",
        "default",
        "with_capacity",
        "step",
        "call",
        "replace",
        "swap",
        "take",
        "ptr_eq",
        "as_ptr",
        "early",
    ];
    !name.starts_with(char::is_uppercase) && !quiet.contains(&name.as_str())
}

struct Reads(bool);

impl Visit for Reads {
    fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        self.0 |= name.starts_with("__korat") && name != "__korat_elems" && name != "__korat_whole";
        // A receiver that is a field may be a slot; std methods on locals read only what was read before.
        self.0 |= matches!(&*call.receiver, Expr::Field(_)) || !is_quiet_method(&name);
        visit::visit_expr_method_call(self, call);
    }
    fn visit_expr_call(&mut self, call: &ExprCall) {
        self.0 |= call_may_choose(call);
        visit::visit_expr_call(self, call);
    }
    fn visit_macro(&mut self, mac: &Macro) {
        self.0 |= macro_may_choose(mac);
    }
    fn visit_item(&mut self, _: &Item) {}
}

fn is_quiet_method(name: &str) -> bool {
    const ALSO: &[&str] = &[
        "abs",
        "abs_diff",
        "and_modify",
        "as_deref",
        "as_slice",
        "as_str",
        "back",
        "borrow",
        "checked_add",
        "checked_sub",
        "copied",
        "cloned",
        "dedup",
        "enumerate",
        "front",
        "is_ok",
        "is_err",
        "is_positive",
        "is_negative",
        "last_mut",
        "ok_or",
        "or_default",
        "or_insert",
        "pop_first",
        "pop_last",
        "pow",
        "replace",
        "reverse",
        "saturating_add",
        "saturating_sub",
        "set",
        "sort_unstable",
        "unwrap_or_default",
        "wrapping_add",
        "wrapping_sub",
    ];
    name.starts_with("__korat") || STD_METHODS.contains(&name) || ALSO.contains(&name)
}
