//! Splits statements: decides which are kept whole, and where the value of the last one goes.

use syn::{Expr, Local as LetStmt, LocalInit, Pat, Stmt, Type, parse_quote};

use super::{Dest, Op, Splitter, Terminator, is_control_flow, reason};
use crate::rep_ok::lower::choices::weight;
use crate::rep_ok::lower::exits;

impl Splitter<'_> {
    pub(super) fn stmts(&mut self, mut stmts: Vec<Stmt>, dest: &Dest) {
        let last = stmts.pop();
        stmts.into_iter().for_each(|stmt| self.statement(stmt));
        match last {
            Some(Stmt::Expr(expr, None)) => self.expr(expr, dest),
            Some(Stmt::Macro(mac)) if mac.semi_token.is_none() => {
                let mac = mac.mac;
                self.expr(parse_quote!(#mac), dest);
            }
            Some(Stmt::Expr(expr @ (Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)), _)) => {
                self.expr(expr, &Dest::Ignore);
            }
            // Only rustc knows whether the statement diverges, and so whether there is a value.
            Some(stmt) if matches!(dest, Dest::Into(_) | Dest::Return) && !self.splits(&stmt) => {
                self.finish(parse_quote!({ #stmt }), dest);
            }
            Some(stmt) => {
                self.statement(stmt);
                self.finish(parse_quote!(()), dest);
            }
            None => self.finish(parse_quote!(()), dest),
        }
    }

    /// Stores a value that is not split any further in its destination.
    pub(super) fn finish(&mut self, value: Expr, dest: &Dest) {
        let value = match value {
            Expr::Return(give) => {
                let value = give.expr.map_or_else(|| parse_quote!(()), |value| *value);
                return self.finish(value, &Dest::Return);
            }
            value @ (Expr::Break(_) | Expr::Continue(_)) => return self.whole(parse_quote!(#value;)),
            value => value,
        };
        match dest {
            Dest::Ignore if matches!(&value, Expr::Tuple(tuple) if tuple.elems.is_empty()) => {}
            Dest::Ignore => self.whole(Stmt::Expr(value, Some(Default::default()))),
            Dest::Into(name) => self.whole(parse_quote!(#name = #value;)),
            Dest::Return => {
                if weight(&value) > 0 {
                    let whole: Stmt = parse_quote!(return #value;);
                    self.begin_choosing(&whole, reason(&whole));
                }
                let value = exits::expr(value, &self.loops);
                self.end(Terminator::Return(value));
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
            // A test, whose `else` side leaves the block.
            let init = self.flat(init);
            let (then, other) = (self.new_block(), self.new_block());
            let (pat, otherwise) = (pat_of(&local.pat), (**otherwise).clone());
            self.test(parse_quote!(let #pat = #init), then, other);
            self.begin(other);
            self.expr(otherwise, &Dest::Ignore);
            // Unreachable, because the `else` block diverges; the jump only keeps the block well formed.
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

fn pat_of(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        pat => pat,
    }
}

/// Annotates the parameters of `&|x| ..` with the types in `&dyn Fn(&Node) -> bool`. Without the annotation, rustc
/// could not infer them in the statement that creates the closure.
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
