//! Statements: which of them stay whole, and where the value of the last one goes.

use syn::{Expr, Local as LetStmt, LocalInit, Pat, Stmt, Type, parse_quote};

use super::{Dest, Op, Splitter, is_control_flow, reason};
use crate::rep_ok::lower::choices::weight;
use crate::rep_ok::lower::jumps::jump_target;

impl Splitter<'_> {
    pub(super) fn stmts(&mut self, stmts: Vec<Stmt>, dest: &Dest) {
        let count = stmts.len();
        for (at, stmt) in stmts.into_iter().enumerate() {
            let is_last = at + 1 == count;
            match stmt {
                Stmt::Expr(expr, None) if is_last => return self.expr(expr, dest),
                // A loop or a branch as the last statement has no semicolon, and may have no value.
                Stmt::Expr(expr, semi) => {
                    let diverges = diverges(&expr);
                    self.statement(Stmt::Expr(expr, semi));
                    if diverges && is_last {
                        return;
                    }
                }
                Stmt::Macro(mac) if is_last && mac.semi_token.is_none() => {
                    let mac = mac.mac;
                    return self.expr(parse_quote!(#mac), dest);
                }
                stmt => {
                    let ends = matches!(&stmt, Stmt::Macro(mac) if is_last && is_panic(&mac.mac));
                    self.statement(stmt);
                    if ends {
                        return;
                    }
                }
            }
        }
        self.finish(parse_quote!(()), dest);
    }

    /// Puts a value, which is not taken apart, where it belongs.
    pub(super) fn finish(&mut self, value: Expr, dest: &Dest) {
        let never_comes = |expr: &Expr| {
            matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
                || matches!(expr, Expr::Macro(mac) if jump_target(&mac.mac).is_some())
        };
        match dest {
            Dest::Ignore if matches!(&value, Expr::Tuple(tuple) if tuple.elems.is_empty()) => {}
            _ if never_comes(&value) => self.whole(parse_quote!(#value;)),
            Dest::Ignore => self.whole(Stmt::Expr(value, Some(Default::default()))),
            Dest::Into(name) => self.whole(parse_quote!(#name = #value;)),
            Dest::Return => {
                if weight(&value) > 0 {
                    let whole: Stmt = parse_quote!(return #value;);
                    self.begin_choosing(&whole, reason(&whole));
                }
                let value = self.with_jumps(value);
                self.push(Op::Return(value));
            }
        }
    }

    fn statement(&mut self, stmt: Stmt) {
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, _) if self.is_split(&expr) => self.expr(expr, &Dest::Ignore),
            Stmt::Item(item) => self.items.push(item),
            stmt => self.whole(stmt),
        }
    }

    fn local(&mut self, mut local: LetStmt) {
        if let (Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init) {
            type_closure(&mut init.expr, &typed.ty);
        }
        let Some(LocalInit { expr, diverge, .. }) = &local.init else { return self.whole(Stmt::Local(local)) };
        let split_else = diverge.as_ref().is_some_and(|(_, otherwise)| self.is_split(otherwise));
        if !self.is_split(expr) && !split_else {
            let init = self.steady((**expr).clone());
            if let Some(place) = &mut local.init {
                *place.expr = init;
            }
            return self.whole(Stmt::Local(local));
        }
        let init = (**expr).clone();
        if let Some((_, otherwise)) = diverge
            && split_else
        {
            // A test, whose other side jumps away.
            let init = self.flat(init);
            let (then, other) = (self.new_block(), self.new_block());
            let (pat, otherwise) = (pat_of(&local.pat), (**otherwise).clone());
            self.test(parse_quote!(let #pat = #init), then, other);
            self.begin(other);
            self.expr(otherwise, &Dest::Ignore);
            // It never comes here; a jump keeps the block well formed.
            self.goto(then);
            self.begin(then);
            return;
        }
        if let (Pat::Ident(ident), None, None) = (pat_of(&local.pat), diverge, self.callees.of(&init))
            && ident.subpat.is_none()
            && ident.by_ref.is_none()
            && is_control_flow(&init)
        {
            let ty = match &local.pat {
                Pat::Type(typed) => Some((*typed.ty).clone()),
                _ => None,
            };
            self.push(Op::Declare(ident.ident.clone(), ty));
            return self.expr(init, &Dest::Into(ident.ident.clone()));
        }
        let init = self.flat(init);
        if let Some(place) = &mut local.init {
            *place.expr = init;
        }
        self.whole(Stmt::Local(local));
    }
}

/// Whether nothing comes after the expression.
fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(mac) => is_panic(&mac.mac),
        _ => false,
    }
}

fn is_panic(mac: &syn::Macro) -> bool {
    let names = ["panic", "todo", "unimplemented", "unreachable"];
    mac.path.segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}

fn pat_of(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        pat => pat,
    }
}

/// `&|x| ..` of type `&dyn Fn(&Node) -> bool` gets the types of its parameters, which its own statement would not give it.
fn type_closure(expr: &mut Expr, ty: &Type) {
    let (Expr::Reference(reference), Type::Reference(ty)) = (expr, ty) else { return };
    let (Expr::Closure(closure), Type::TraitObject(object)) = (&mut *reference.expr, &*ty.elem) else { return };
    let inputs = object.bounds.iter().find_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => match &bound.path.segments.last()?.arguments {
            syn::PathArguments::Parenthesized(arguments) => Some(&arguments.inputs),
            _ => None,
        },
        _ => None,
    });
    for (input, ty) in closure.inputs.iter_mut().zip(inputs.into_iter().flatten()) {
        if !matches!(input, Pat::Type(_)) {
            let pat = &*input;
            *input = Pat::Type(parse_quote!(#pat: #ty));
        }
    }
}
