//! The locals in scope at a place in a function, and what the syntax shows of their types.

use syn::{Expr, FnArg, Ident, Local, Pat, ReceiverKind};

use super::known::{self, Known, Names};
use crate::walk::visit::{self, Visit};

/// A local in scope.
pub(super) struct Binding {
    pub(super) name: Ident,
    pub(super) is_mut: bool,
    /// Whether it is bound by value, and initialised.
    pub(super) is_plain: bool,
    pub(super) known: Known,
}

/// The locals in scope.
pub(super) struct Scope<'k> {
    /// The methods of the block that have no type parameters.
    pub(super) own_methods: &'k [String],
    /// The locals, innermost last.
    pub(super) locals: Vec<Binding>,
}

impl Names for Scope<'_> {
    fn local(&self, name: &str) -> Known {
        self.find(name).map_or_else(Known::default, |binding| binding.known)
    }
    fn is_own_method(&self, name: &str) -> bool {
        self.own_methods.iter().any(|known| known == name)
    }
}

impl Scope<'_> {
    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        self.locals.iter().rev().find(|binding| binding.name == name)
    }

    pub(super) fn bind_param(&mut self, input: &FnArg) {
        match input {
            FnArg::Receiver(receiver) => {
                let is_shared = matches!(receiver.kind, ReceiverKind::Reference(_, _, None));
                let known = Known { is_known: true, is_copy: is_shared };
                let name = Ident::new("self", receiver.self_token.span);
                self.locals.push(Binding { name, is_mut: false, is_plain: is_shared, known });
            }
            FnArg::Typed(typed) => self.bind(&typed.pat, known::of_type(&typed.ty), true),
        }
    }

    /// Brings the names of a pattern into scope.
    pub(super) fn bind(&mut self, pat: &Pat, known: Known, is_initialised: bool) {
        match pat {
            Pat::Ident(pat) => {
                let is_plain = is_initialised
                    && pat.by_ref.is_none()
                    && pat.subpat.is_none()
                    && !pat.ident.to_string().starts_with(char::is_uppercase);
                let (name, is_mut) = (pat.ident.clone(), pat.mutability.is_some());
                self.locals.push(Binding { name, is_mut, is_plain, known });
                if let Some((_, pat)) = &pat.subpat {
                    self.bind(pat, known.inside(), false);
                }
            }
            Pat::Type(typed) => self.bind(&typed.pat, known.or(known::of_type(&typed.ty)), is_initialised),
            Pat::Paren(paren) => self.bind(&paren.pat, known, is_initialised),
            pat => {
                struct Found(Vec<(Ident, bool, bool)>);
                impl Visit for Found {
                    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
                        let is_plain = pat.by_ref.is_none() && pat.subpat.is_none();
                        self.0.push((pat.ident.clone(), pat.mutability.is_some(), is_plain));
                        visit::visit_pat_ident(self, pat);
                    }
                }
                let mut found = Found(Vec::new());
                found.visit_pat(pat);
                for (name, is_mut, is_plain) in found.0 {
                    let is_plain = is_plain && is_initialised && !name.to_string().starts_with(char::is_uppercase);
                    self.locals.push(Binding { name, is_mut, is_plain, known: known.inside() });
                }
            }
        }
    }

    /// Brings the names of a pattern into scope that is matched with a value.
    pub(super) fn bind_to(&mut self, pat: &Pat, value: &Expr) {
        match (pat, value) {
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                pats.elems.iter().zip(&values.elems).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (pat, value) => {
                let known = known::of_expr(value, self);
                self.bind(pat, known, true);
            }
        }
    }

    pub(super) fn bind_local(&mut self, local: &Local) {
        match &local.init {
            Some(init) => self.bind_to(&local.pat, &init.expr),
            None => self.bind(&local.pat, Known::default(), false),
        }
    }

    /// Brings the names of a condition into scope.
    pub(super) fn bind_condition(&mut self, cond: &Expr) {
        match cond {
            Expr::Let(test) => self.bind_to(&test.pat, &test.expr),
            Expr::Binary(binary) => {
                self.bind_condition(&binary.left);
                self.bind_condition(&binary.right);
            }
            _ => {}
        }
    }
}
