//! Tracks the locals of a predicate that hold structs and tuples created by it, whose fields are not fields of the
//! structure. Also extends the lifetime of temporaries as the user's code does.

use syn::{Expr, ExprCall, Local, Member, Pat, PatIdent, Stmt, Type, UnOp, parse_quote};

use super::Lifter;
use crate::rep_ok::names::is_pointer_function;
use crate::walk::visit::{self, Visit};

impl Lifter {
    /// Returns whether the expression is a variable that holds a struct or tuple created by the predicate.
    pub(super) fn is_own_value(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let Some(name) = path.path.get_ident() else { return false };
        self.own_values.iter().rev().find(|(known, _)| name == known).is_some_and(|(_, own)| *own)
    }

    /// Runs `visit` while the names that patterns bind shadow those of `own_values`.
    pub(super) fn hiding(&mut self, find: impl FnOnce(&mut BoundNames), visit: impl FnOnce(&mut Self)) {
        let mut names = BoundNames(Vec::new());
        find(&mut names);
        let known = self.own_values.len();
        self.own_values.extend(names.0.into_iter().map(|name| (name, false)));
        visit(self);
        self.own_values.truncate(known);
    }

    /// Returns whether a call of a pointer's function, such as `Rc::clone(&x)`, has a pointer created by the predicate
    /// as an argument.
    pub(super) fn is_about_own_pointer(&self, call: &ExprCall) -> bool {
        let Expr::Path(path) = &*call.func else { return false };
        let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (Some(function), Some(owner)) = (names.next(), names.next()) else { return false };
        is_pointer_function(&owner, &function) && call.args.iter().any(|arg| self.makes_own_pointer(arg))
    }

    /// Returns whether the syntax shows that the predicate created this counted pointer. A wrong answer causes an error
    /// in rustc, and never a wrong result.
    fn makes_own_pointer(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reference(reference) => self.makes_own_pointer(&reference.expr),
            Expr::Paren(paren) => self.makes_own_pointer(&paren.expr),
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.own_pointers.contains(&name.to_string())),
            Expr::MethodCall(call) => call.method == "clone" && self.makes_own_pointer(&call.receiver),
            Expr::Call(call) => {
                let is_new = matches!(&*call.func, Expr::Path(path) if {
                    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                    matches!(names.as_slice(), [.., owner, new] if new == "new" && (owner == "Rc" || owner == "Arc"))
                });
                is_new || self.is_about_own_pointer(call)
            }
            _ => false,
        }
    }

    /// Records the variables that a `let` brings into scope.
    pub(super) fn note_local(&mut self, local: &Local) {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let init = local.init.as_ref().map(|init| &*init.expr);
        if let (Pat::Ident(ident), true) = (pat, init.is_some_and(|init| self.makes_own_pointer(init))) {
            self.own_pointers.push(ident.ident.to_string());
        }
        let literal = matches!(init, Some(Expr::Struct(_) | Expr::Tuple(_)));
        let declared = match ty {
            Some(Type::Tuple(_)) => true,
            Some(Type::Path(path)) => {
                path.path.get_ident().is_some_and(|name| self.own_names.contains(&name.to_string()))
            }
            Some(_) | None => false,
        };
        match pat {
            Pat::Ident(ident) => self.own_values.push((ident.ident.to_string(), literal || declared)),
            pat => {
                let mut names = BoundNames(Vec::new());
                names.visit_pat(pat);
                self.own_values.extend(names.0.into_iter().map(|name| (name, false)));
            }
        }
    }

    /// Returns whether the expression may be a member of a tuple of the structure: `pair.1`, or a variable that the
    /// pattern of a tuple binds. If it is not, korat's methods leave it as it is.
    pub(super) fn may_be_member(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.in_tuples.contains(&name.to_string())),
            Expr::Field(field) => matches!(field.member, Member::Unnamed(_)),
            Expr::Paren(paren) => self.may_be_member(&paren.expr),
            Expr::Reference(reference) => self.may_be_member(&reference.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && self.may_be_member(&unary.expr),
            Expr::MethodCall(call) => call.method == "__korat_read" && self.may_be_member(&call.receiver),
            _ => false,
        }
    }

    /// Names the guard in `let next = &node.borrow().next;`. Rust extends the lifetime of a temporary to the end of the
    /// block when one of its fields is borrowed, but not through the method call that reads a lifted field.
    pub(super) fn keep_temporary(&mut self, local: &mut Local) -> Option<Stmt> {
        let Expr::Reference(reference) = &mut *local.init.as_mut()?.expr else { return None };
        if !matches!(&*reference.expr, Expr::Field(_)) {
            return None;
        }
        let mut base = &mut *reference.expr;
        while let Expr::Field(field) = base {
            base = &mut field.base;
        }
        if !matches!(base, Expr::MethodCall(_) | Expr::Call(_)) {
            return None;
        }
        let name = self.fresh("__korat_held_");
        let held = std::mem::replace(base, parse_quote!(#name));
        Some(parse_quote!(let #name = &#held;))
    }
}

/// Collects the names that a pattern binds.
pub(crate) struct BoundNames(pub(crate) Vec<String>);

impl Visit for BoundNames {
    fn visit_pat_ident(&mut self, pat: &PatIdent) {
        self.0.push(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

/// Collects the names that are bound to members of tuples.
pub(super) struct InTuples(pub(super) Vec<String>);

impl Visit for InTuples {
    fn visit_pat(&mut self, pat: &Pat) {
        if let Pat::Tuple(tuple) = pat {
            for elem in &tuple.elems {
                if let Pat::Ident(ident) = elem {
                    self.0.push(ident.ident.to_string());
                }
            }
        }
        visit::visit_pat(self, pat);
    }
}
