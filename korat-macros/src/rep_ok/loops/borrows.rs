//! Decides whether a local can be borrowed at the head of a loop, and assigned there. rustc accepts both unless something that
//! lives on holds a borrow of the local, or the local was moved; what cannot be excluded counts as such.

use syn::{
    Arm, Expr, ExprAssign, ExprBinary, ExprClosure, ExprForLoop, ExprLet, ExprMatch, ExprMethodCall, Local, Pat, UnOp,
};

use super::super::lift::is_compound_assignment;
use super::super::lower::arguments;
use super::super::mentions::{bound_by, names};
use crate::walk::visit::{self, Visit};

/// Where values go in a function.
#[derive(Default)]
pub(super) struct Flow {
    /// The names that something is bound or assigned to, and what it is.
    into: Vec<(Vec<String>, Expr)>,
    /// The locals that are assigned to as a whole after their declaration, and what it is.
    assigned: Vec<(String, Expr)>,
    /// The expressions of which references are taken explicitly, and whether by `&mut`.
    referenced: Vec<(Expr, bool)>,
    /// Closures that are kept, and sources of patterns with `ref`.
    kept: Vec<Expr>,
    /// Whether the function declares macros, which see its locals.
    pub(super) has_macros: bool,
    /// Whether the current closure is an argument of a method.
    is_argument: bool,
}

impl Flow {
    /// Returns the values that are assigned to a local after its declaration.
    pub(super) fn assigned<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f Expr> {
        self.assigned.iter().filter(move |(local, _)| local == name).map(|(_, value)| value)
    }

    /// Returns what is bound or assigned to a name, wherever it is declared.
    pub(super) fn sources<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f Expr> {
        self.into.iter().filter(move |(names, _)| names.iter().any(|known| known == name)).map(|(_, value)| value)
    }

    /// Returns whether one of the names may hold a borrow of a local. If the local is not `mut`, this is one of what it
    /// refers to by `&mut`.
    pub(super) fn may_be_borrowed(&self, local: &str, is_mut: bool, is_copy: bool, holders: &[String]) -> bool {
        let refers = |(expr, by_mut): &(Expr, bool)| {
            let (root, is_direct) = place(expr);
            (is_mut || *by_mut) && (is_direct || !is_copy) && is_local(root, local)
        };
        let holds = |(targets, source): &(Vec<String>, Expr)| {
            targets.iter().any(|target| target != local && holders.contains(target)) && lends(source, local)
        };
        self.referenced.iter().any(refers)
            || self.kept.iter().any(|kept| names(kept, local))
            || self.into.iter().any(holds)
    }
}

fn is_local(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// Returns what a place is a part of, and whether it is all of it.
fn place(expr: &Expr) -> (&Expr, bool) {
    match expr {
        Expr::Paren(paren) => place(&paren.expr),
        Expr::Group(group) => place(&group.expr),
        Expr::Field(field) => (place(&field.base).0, false),
        Expr::Index(index) => (place(&index.expr).0, false),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => (place(&unary.expr).0, false),
        _ => (expr, true),
    }
}

/// Returns whether the value of an expression may hold a borrow of a local by a method or a closure.
fn lends(expr: &Expr, local: &str) -> bool {
    struct Finder<'l> {
        local: &'l str,
        found: bool,
    }
    impl Visit for Finder<'_> {
        fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
            self.found |= call.method != "__korat_read" && is_local(place(&call.receiver).0, self.local);
            visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_closure(&mut self, closure: &ExprClosure) {
            self.found |= names(&closure.body, self.local);
        }
    }
    let mut finder = Finder { local, found: false };
    finder.visit_expr(expr);
    finder.found
}

fn has_ref(pat: &Pat) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
            self.0 |= pat.by_ref.is_some();
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut finder = Finder(false);
    finder.visit_pat(pat);
    finder.0
}

impl Flow {
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        if has_ref(pat) {
            self.kept.push(value.clone());
        }
        match (pat, value) {
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                pats.elems.iter().zip(&values.elems).for_each(|(pat, value)| self.bind(pat, value));
            }
            (Pat::Type(typed), value) => self.bind(&typed.pat, value),
            (pat, value) => self.into.push((bound_by(pat), value.clone())),
        }
    }

    fn assign(&mut self, to: &Expr, value: &Expr) {
        match (place(to), value) {
            ((Expr::Path(path), is_direct), value) => {
                let targets: Vec<String> = path.path.get_ident().map(ToString::to_string).into_iter().collect();
                if is_direct {
                    self.assigned.extend(targets.iter().map(|target| (target.clone(), value.clone())));
                }
                self.into.push((targets, value.clone()));
            }
            ((Expr::Tuple(to), _), Expr::Tuple(values)) if to.elems.len() == values.elems.len() => {
                to.elems.iter().zip(&values.elems).for_each(|(to, value)| self.assign(to, value));
            }
            ((Expr::Infer(_), _), _) => {}
            (_, value) => self.kept.push(value.clone()),
        }
    }
}

impl Visit for Flow {
    fn visit_local(&mut self, local: &Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Assign(ExprAssign { left, right, .. }) => self.assign(left, right),
            Expr::Binary(ExprBinary { left, op, .. }) if is_compound_assignment(op) => {
                if let (Expr::Path(path), true) = place(left) {
                    let target = path.path.get_ident().map(ToString::to_string);
                    self.assigned.extend(target.map(|target| (target, (**left).clone())));
                }
            }
            Expr::Let(ExprLet { pat, expr, .. }) => self.bind(pat, expr),
            Expr::ForLoop(ExprForLoop { pat, expr, .. }) => self.bind(pat, expr),
            Expr::Match(ExprMatch { expr, arms, .. }) => {
                arms.iter().for_each(|Arm { pat, .. }| self.bind(pat, expr));
            }
            Expr::Reference(reference) => {
                self.referenced.push(((*reference.expr).clone(), reference.mutability.is_some()));
            }
            Expr::RawAddr(raw) => self.kept.push((*raw.expr).clone()),
            Expr::MethodCall(call) => {
                if let (Expr::Path(path), _) = place(&call.receiver) {
                    // A method may keep its arguments in the receiver.
                    let target = path.path.get_ident().map(ToString::to_string);
                    for argument in &call.args {
                        self.into.push((target.iter().cloned().collect(), argument.clone()));
                    }
                }
                self.visit_expr(&call.receiver);
                let outside = std::mem::replace(&mut self.is_argument, true);
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                self.is_argument = outside;
                return;
            }
            Expr::Closure(closure) => {
                if !self.is_argument {
                    self.kept.push(expr.clone());
                }
                let outside = std::mem::replace(&mut self.is_argument, false);
                self.visit_expr(&closure.body);
                self.is_argument = outside;
                return;
            }
            _ => {}
        }
        let outside = std::mem::replace(&mut self.is_argument, false);
        visit::visit_expr(self, expr);
        self.is_argument = outside;
    }

    fn visit_macro(&mut self, mac: &syn::Macro) {
        arguments::look(mac, &mut |argument| self.visit_expr(argument));
    }

    fn visit_item_macro(&mut self, _: &syn::ItemMacro) {
        self.has_macros = true;
    }
}
