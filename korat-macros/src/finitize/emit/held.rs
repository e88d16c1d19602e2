//! Emits the impls by which a class is searched, named in predicates and held by other classes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Generics, Ident, WhereClause, parse_quote};

use super::super::model::view_name;
use super::bounds::without_defaults;

/// The head of an impl: `impl #params Trait for Name #args #clause`.
pub(super) struct Head {
    pub(super) params: TokenStream,
    pub(super) args: TokenStream,
    pub(super) clause: TokenStream,
}

impl Head {
    /// Returns the head of impls for all arguments.
    pub(super) fn generic(generics: &Generics) -> Head {
        let (params, args, clause) = generics.split_for_impl();
        Head { params: params.to_token_stream(), args: args.to_token_stream(), clause: clause.to_token_stream() }
    }

    /// Returns the head of impls for one instance, where the names of the parameters are items in scope.
    pub(super) fn instance(generics: &Generics) -> Head {
        let (_, args, _) = generics.split_for_impl();
        Head { params: TokenStream::new(), args: args.to_token_stream(), clause: TokenStream::new() }
    }
}

impl Head {
    /// Returns the clause of an impl that there is if the class implements a trait.
    pub(super) fn clause_if(&self, class: &Ident, implements: &TokenStream) -> WhereClause {
        let args = &self.args;
        let mut clause: WhereClause = syn::parse2(self.clause.clone()).unwrap_or_else(|_| parse_quote!(where));
        // With a lifetime, rustc does not report a bound that does not hold, but leaves the impl out.
        clause.predicates.push(parse_quote!(for<'__korat> #class #args: #implements));
        clause
    }
}

/// Emits the impls that every class has: the ones for searching it, naming it in predicates, and holding it by value or
/// through pointers. `declared` are the generics as the user wrote them.
pub(super) fn held(name: &Ident, declared: &Generics, head: &Head, k: &TokenStream) -> TokenStream {
    let view = view_name(name);
    let Head { params: impl_generics, args: ty_generics, clause: where_clause } = head;
    let finitize = if !impl_generics.is_empty() && declared.type_params().next().is_some() {
        // If a type argument is not plain, blame the class: the error message for that case is attached to `ClassOfPlain`.
        let mut open = without_defaults(declared);
        open.make_where_clause().predicates.push(parse_quote!(#name #ty_generics: #k::ClassOfPlain));
        let (open_generics, _, open_clause) = open.split_for_impl();
        quote! {
            #[diagnostic::do_not_recommend]
            #[automatically_derived]
            impl #impl_generics #k::ClassOfPlain for #name #ty_generics #where_clause {}

            #[automatically_derived]
            impl #open_generics #k::Finitize for #name #ty_generics #open_clause {}
        }
    } else {
        quote! {
            #[automatically_derived]
            impl #impl_generics #k::Finitize for #name #ty_generics #where_clause {}
        }
    };
    quote! {
        #finitize

        #[automatically_derived]
        impl #impl_generics #k::Lift for #name #ty_generics #where_clause {
            type Lifted = #view #ty_generics;
        }

        #[automatically_derived]
        impl #impl_generics #k::Field for #name #ty_generics #where_clause {
            type Codec = #k::Inline<Self>;
            type Element = #k::ObjectOf<Self>;
            fn default_values(_scope: #k::std::primitive::usize)
                -> #k::std::result::Result<#k::std::vec::Vec<#k::NoDomain>, #k::std::string::String>
            {
                #k::std::result::Result::Ok(#k::std::vec::Vec::new())
            }
        }

        #[automatically_derived]
        impl #impl_generics #k::Optional for #name #ty_generics #where_clause {
            type Codec = #k::MaybeInline<Self>;
            fn default_values(_scope: #k::std::primitive::usize)
                -> #k::std::result::Result<#k::std::vec::Vec<#k::NoDomain>, #k::std::string::String>
            {
                #k::std::result::Result::Ok(#k::std::vec::Vec::new())
            }
        }

        #[automatically_derived]
        impl #impl_generics #k::Pointed for #name #ty_generics #where_clause {
            type Target = #k::ToObject;
        }

        #[automatically_derived]
        impl #impl_generics #k::Pointee for #name #ty_generics #where_clause {
            type Class = Self;
            type Lifted = #view #ty_generics;
            const SETTABLE: #k::std::primitive::bool = false;
            const IS_CLASS: #k::std::primitive::bool = true;
            fn view(object: *const #k::View<Self>) -> *const #k::View<Self> { object }
            fn content(place: &#k::View<Self>) -> &#k::View<Self> { place }
            fn wrap(content: Self) -> Self { content }
            fn class_mut(&mut self) -> #k::std::option::Option<&mut Self> {
                #k::std::option::Option::Some(self)
            }
            fn with(
                &self,
                look: &mut dyn #k::std::ops::FnMut(&Self) -> #k::std::result::Result<(), #k::OutOfBounds>,
            ) -> #k::std::result::Result<(), #k::OutOfBounds> {
                look(self)
            }
            fn change(&mut self, change: &mut dyn #k::std::ops::FnMut(&mut Self)) {
                change(self);
            }
            fn change_shared(
                &self,
                _change: &mut dyn #k::std::ops::FnMut(&mut Self),
            ) -> #k::std::primitive::bool {
                false
            }
            fn sever(&self) {
                #k::Class::sever_cells(self);
            }
        }
    }
}
