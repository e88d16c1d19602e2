//! Expands or-patterns that destructure classes, such as `Add(l, r) | Mul(l, r)`, into one pattern per alternative,
//! because each alternative binds cells of its own.

use std::slice::from_ref;

use proc_macro2::Span;
use quote::{format_ident, quote};
use syn::{Arm, Expr, ExprLet, Ident, Pat, PatGuard, Path, Token, parse_quote};

use super::pattern_lifter::is_slice_pattern;
use super::views::variant_owner;
use super::{BoundNames, Lifter};
use crate::rep_ok::names::{Fate, fate};
use crate::walk::visit::{self, Visit};

impl Lifter {
    /// Rewrites `let A(x) | B(x) = expr` in a condition, if the alternatives destructure classes.
    pub(super) fn alternatives_of_condition(&self, condition: &ExprLet) -> Option<ExprLet> {
        let (pat, expr) = self.without_alternatives(&condition.pat, &condition.expr)?;
        let mut lifted = condition.clone();
        (*lifted.pat, *lifted.expr) = (pat, expr);
        Some(lifted)
    }

    /// Replaces a refutable pattern whose alternatives destructure classes by a tuple of its bindings, and the
    /// expression by a `match` that produces the tuple.
    pub(super) fn without_alternatives(&self, pat: &Pat, expr: &Expr) -> Option<(Pat, Expr)> {
        if !self.has_class_in_alternative(pat) {
            return None;
        }
        let mut names = BoundNames(Vec::new());
        alternatives(pat).first().into_iter().for_each(|first| names.visit_pat(first));
        let names = names.0.iter().filter(|name| !name.starts_with(char::is_uppercase));
        let names: Vec<Ident> = names.map(|name| format_ident!("{name}")).collect();
        let names = quote!((#(#names,)*));
        Some((parse_quote!(Some(#names)), parse_quote!(match #expr { #pat => Some(#names), _ => None })))
    }

    /// Returns whether an alternative binds parts of a class or a sequence.
    fn has_class_in_alternative(&self, pat: &Pat) -> bool {
        struct Search<'l> {
            lifter: &'l Lifter,
            in_alternative: bool,
            /// Whether the pattern is itself a slice pattern, whose alternatives may have different lengths.
            is_slice: bool,
            found: bool,
        }
        impl Search<'_> {
            fn note(&mut self, path: &Path, binds: bool) {
                let Some(last) = path.segments.last() else { return };
                let name = variant_owner(path).and_then(|owner| Some(owner.segments.last()?.ident.to_string()));
                let name = name.unwrap_or_else(|| last.ident.to_string());
                let is_class = self.lifter.class_name == name || fate(&name) == Fate::Lifted || name == "Self";
                let is_class = is_class && !matches!(name.as_str(), "Some" | "Ok" | "Err");
                self.found |= self.in_alternative && binds && is_class && !self.lifter.own_names.contains(&name);
            }
        }
        impl Visit for Search<'_> {
            fn visit_pat(&mut self, pat: &Pat) {
                let outside = self.in_alternative;
                match pat {
                    Pat::Or(_) => self.in_alternative = true,
                    Pat::TupleStruct(pat) => {
                        let binds = pat.elems.iter().any(|elem| !matches!(elem, Pat::Wild(_) | Pat::Rest(_)));
                        self.note(&pat.path, binds);
                    }
                    Pat::Struct(pat) => {
                        let binds = pat.fields.iter().any(|field| !matches!(*field.pat, Pat::Wild(_)));
                        self.note(&pat.path, binds);
                    }
                    Pat::Slice(pat) => {
                        let binds = pat.elems.iter().any(|elem| !matches!(elem, Pat::Wild(_) | Pat::Rest(_)));
                        self.found |= self.in_alternative && (binds || !self.is_slice);
                    }
                    _ => {}
                }
                visit::visit_pat(self, pat);
                self.in_alternative = outside;
            }
        }
        let mut search = Search { lifter: self, in_alternative: false, is_slice: is_slice_pattern(pat), found: false };
        search.visit_pat(pat);
        search.found
    }

    /// Splits every arm whose alternatives destructure a class into one arm per alternative.
    pub(super) fn expand_alternatives(&self, arms: &mut Vec<Arm>) {
        for arm in std::mem::take(arms) {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(PatGuard { pat, guard, .. }) => (&**pat, Some(guard)),
                pat => (pat, None),
            };
            if !self.has_class_in_alternative(pat) {
                arms.push(arm);
                continue;
            }
            for pat in alternatives(pat) {
                let mut arm = arm.clone();
                arm.pat = match guard {
                    Some(guard) => Pat::Guard(PatGuard {
                        attrs: Vec::new(),
                        pat: Box::new(pat),
                        if_token: Token![if](Span::mixed_site()),
                        guard: guard.clone(),
                    }),
                    None => pat,
                };
                arms.push(arm);
            }
        }
    }
}

/// Returns the patterns without alternatives that together are equivalent to `pat`, in order.
fn alternatives(pat: &Pat) -> Vec<Pat> {
    /// Returns one pattern for each combination of the alternatives of `parts`.
    fn products(parts: Vec<Pat>, build: &dyn Fn(Vec<Pat>) -> Pat) -> Vec<Pat> {
        let mut all: Vec<Vec<Pat>> = vec![Vec::new()];
        for part in parts {
            let choices = alternatives(&part);
            let mut longer = Vec::new();
            for start in &all {
                longer.extend(choices.iter().map(|choice| [&start[..], from_ref(choice)].concat()));
            }
            all = longer;
        }
        all.into_iter().map(build).collect()
    }
    match pat {
        Pat::Or(or) => or.cases.iter().flat_map(alternatives).collect(),
        Pat::Paren(paren) => alternatives(&paren.pat),
        Pat::Reference(reference) => products(vec![(*reference.pat).clone()], &|mut parts| {
            let mut whole = reference.clone();
            *whole.pat = parts.remove(0);
            Pat::Reference(whole)
        }),
        Pat::Ident(ident) => match &ident.subpat {
            Some((at, inside)) => products(vec![(**inside).clone()], &|mut parts| {
                let mut whole = ident.clone();
                whole.subpat = Some((*at, Box::new(parts.remove(0))));
                Pat::Ident(whole)
            }),
            None => vec![pat.clone()],
        },
        Pat::Tuple(tuple) => products(tuple.elems.iter().cloned().collect(), &|parts| {
            let mut whole = tuple.clone();
            whole.elems = parts.into_iter().collect();
            if whole.elems.len() == 1 {
                whole.elems.push_punct(Default::default());
            }
            Pat::Tuple(whole)
        }),
        Pat::TupleStruct(tuple) => products(tuple.elems.iter().cloned().collect(), &|parts| {
            let mut whole = tuple.clone();
            whole.elems = parts.into_iter().collect();
            Pat::TupleStruct(whole)
        }),
        Pat::Slice(slice) => products(slice.elems.iter().cloned().collect(), &|parts| {
            let mut whole = slice.clone();
            whole.elems = parts.into_iter().collect();
            Pat::Slice(whole)
        }),
        Pat::Struct(parts) => products(parts.fields.iter().map(|field| (*field.pat).clone()).collect(), &|pats| {
            let mut whole = parts.clone();
            for (field, pat) in whole.fields.iter_mut().zip(pats) {
                *field.pat = pat;
            }
            Pat::Struct(whole)
        }),
        _ => vec![pat.clone()],
    }
}
