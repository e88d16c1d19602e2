//! Names the lifted counterpart of a type that may be a class, or any other type of the user's. Trait lookup decides which,
//! at compile time:
//!
//! ```ignore
//! <Lifting<{ use NoLift as _; HasLift::<Stats>::IS }> as LiftOr<Stats, Stats>>::Lifted   // `Stats`, unless it is a class
//! ```
//!
//! Constants cannot depend on generic parameters, so a type that names one must have a counterpart.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Path, Type, TypePath, parse_quote_spanned};

use super::Lifter;
use super::paths::is_function;
use crate::rep_ok::same_tokens;

impl Lifter {
    /// Returns the lifted counterpart of `path`: that of the class, or `other`, by default `path` itself, if it is none.
    pub(super) fn lifted_class(&self, path: &TypePath, other: Option<&Type>) -> Type {
        let private = &self.private;
        match self.probe(path) {
            Some(probe) => {
                let other = other.map_or_else(|| path.to_token_stream(), ToTokens::to_token_stream);
                parse_quote_spanned!(path.span()=> <#probe as #private::LiftOr<#path, #other>>::Lifted)
            }
            None => parse_quote_spanned!(path.span()=> <#path as #private::Lift>::Lifted),
        }
    }

    /// Returns `twin` if `inside` is part of the structure, else `other`.
    pub(super) fn around(&self, inside: &TypePath, twin: Type, other: &Type) -> Type {
        let private = &self.private;
        match self.probe(inside) {
            Some(probe) => {
                parse_quote_spanned!(other.span()=> <#probe as #private::TwinOr<#twin, #other>>::Chosen)
            }
            None => twin,
        }
    }

    /// Returns the type that tells whether `path` has a lifted counterpart, or `None` if it certainly has one or cannot
    /// be asked.
    fn probe(&self, path: &TypePath) -> Option<Type> {
        if path.path.is_ident(&self.class_name) {
            return None;
        }
        let asked = self.without_lifetimes(path.to_token_stream())?;
        let private = &self.private;
        Some(parse_quote_spanned!(path.span()=>
            #private::Lifting<{ use #private::NoLift as _; #private::HasLift::<#asked>::IS }>
        ))
    }

    /// Returns the type that replaces `of` in `<of as Trait>::function`, whose first `position` segments name the trait:
    /// the view of a class if it implements the trait, that is, if the user's `impl` is one of helpers.
    pub(super) fn implementing_type(&mut self, of: &Type, position: usize, path: &Path) -> Option<Type> {
        let Type::Path(class @ TypePath { qself: None, .. }) = of else { return None };
        self.without_lifetimes(class.to_token_stream())?;
        if position == 0 || !is_function(&path.segments.last()?.ident) {
            return None;
        }
        let mut lifted = of.clone();
        self.lift_type(&mut lifted);
        if same_tokens(&lifted, of) {
            return None;
        }
        let (private, segments) = (&self.private, path.segments.iter().take(position));
        let colon = path.leading_colon;
        Some(parse_quote_spanned!(of.span()=>
            <#private::Lifting<{
                struct __KoratAsked<T: ?#private::std::marker::Sized>(#private::std::marker::PhantomData<T>);
                impl<T: #colon #(#segments)::* + ?#private::std::marker::Sized> __KoratAsked<T> {
                    const IS: #private::std::primitive::bool = true;
                }
                trait __KoratNotImplemented { const IS: #private::std::primitive::bool = false; }
                impl<T: ?#private::std::marker::Sized> __KoratNotImplemented for __KoratAsked<T> {}
                __KoratAsked::<#lifted>::IS
            }> as #private::TwinOr<#lifted, #of>>::Chosen
        ))
    }

    /// Replaces lifetimes by `'static`, which makes no difference to whether a type is a class. Returns `None` if the
    /// type depends on its context in another way.
    fn without_lifetimes(&self, tokens: TokenStream) -> Option<TokenStream> {
        let mut is_lifetime = false;
        let replaced = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(name) if std::mem::take(&mut is_lifetime) => {
                Some(TokenTree::Ident(Ident::new("static", name.span())))
            }
            TokenTree::Ident(name) => {
                let text = name.to_string();
                let depends = matches!(text.as_str(), "Self" | "_" | "impl" | "for") || self.params.contains(&text);
                (!depends).then_some(TokenTree::Ident(name))
            }
            TokenTree::Punct(punct) => {
                is_lifetime = punct.as_char() == '\'';
                Some(TokenTree::Punct(punct))
            }
            TokenTree::Group(group) => {
                let inside = self.without_lifetimes(group.stream())?;
                let mut replaced = proc_macro2::Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                Some(TokenTree::Group(replaced))
            }
            TokenTree::Literal(literal) => Some(TokenTree::Literal(literal)),
        });
        let replaced: Option<TokenStream> = replaced.collect();
        replaced.map(|tokens| quote!(#tokens))
    }
}
