//! Emits the operators of a class: a view can be compared, ordered, hashed, printed and cloned if the user's type can.
//! The user's own impls run, on copies.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::model::Model;
use super::held::Head;

pub(super) fn operators(model: &Model, head: &Head, k: &TokenStream) -> TokenStream {
    let Model { name, view, .. } = model;
    let Head { params: impl_generics, args: ty_generics, .. } = head;
    let operator = |of: TokenStream, method: TokenStream| {
        let where_clause = head.clause_if(name, &of);
        quote! {
            #[automatically_derived]
            impl #impl_generics #of for #view #ty_generics #where_clause { #method }
        }
    };
    let both = quote!(#k::both_copied::<#name #ty_generics, _>);
    // All methods, since the user's impl may define each.
    let comparisons = |of: &str, methods: &[&str]| {
        let of = format_ident!("{of}");
        let methods = methods.iter().map(|method| {
            let method = format_ident!("{method}");
            quote! {
                fn #method(&self, other: &Self) -> #k::std::primitive::bool {
                    #both(self, other, #k::std::cmp::#of::#method)
                }
            }
        });
        quote!(#( #methods )*)
    };
    let equal = operator(quote!(#k::std::cmp::PartialEq), comparisons("PartialEq", &["eq", "ne"]));
    // With a value of the user's own, such as a literal. Not the other way round: the user's code infers types from
    // what the user's type can be compared with.
    let where_clause = head.clause_if(name, &quote!(#k::std::cmp::PartialEq));
    let equal_to_own = quote! {
        #[automatically_derived]
        impl #impl_generics #k::std::cmp::PartialEq<#name #ty_generics> for #view #ty_generics #where_clause {
            fn eq(&self, other: &#name #ty_generics) -> #k::std::primitive::bool {
                #k::copied::<#name #ty_generics, _>(self, |object| object == other)
            }
            fn ne(&self, other: &#name #ty_generics) -> #k::std::primitive::bool {
                #k::copied::<#name #ty_generics, _>(self, |object| object != other)
            }
        }
    };
    let total = operator(quote!(#k::std::cmp::Eq), quote!());
    let partial = comparisons("PartialOrd", &["lt", "le", "gt", "ge"]);
    let partial_order = operator(
        quote!(#k::std::cmp::PartialOrd),
        quote! {
            #partial
            fn partial_cmp(&self, other: &Self) -> #k::std::option::Option<#k::std::cmp::Ordering> {
                #both(self, other, #k::std::cmp::PartialOrd::partial_cmp)
            }
        },
    );
    let order = operator(
        quote!(#k::std::cmp::Ord),
        quote! {
            fn cmp(&self, other: &Self) -> #k::std::cmp::Ordering {
                #both(self, other, #k::std::cmp::Ord::cmp)
            }
        },
    );
    let hash = operator(
        quote!(#k::std::hash::Hash),
        quote! {
            fn hash<__KoratHasher: #k::std::hash::Hasher>(&self, state: &mut __KoratHasher) {
                #k::copied::<#name #ty_generics, _>(self, |object| #k::std::hash::Hash::hash(object, state));
            }
        },
    );
    let debug = operator(
        quote!(#k::std::fmt::Debug),
        quote! {
            fn fmt(&self, f: &mut #k::std::fmt::Formatter<'_>) -> #k::std::fmt::Result {
                #k::copied::<#name #ty_generics, _>(self, |object| #k::std::fmt::Debug::fmt(object, f))
            }
        },
    );
    let where_clause = head.clause_if(name, &quote!(#k::std::clone::Clone));
    let clone = quote! {
        #[automatically_derived]
        impl #impl_generics #k::CloneOut for #view #ty_generics #where_clause {
            type Own = #name #ty_generics;
            fn clone(&self) -> Self::Own {
                #k::cloned_out::<#name #ty_generics>(self)
            }
        }
    };
    quote!(#equal #equal_to_own #total #partial_order #order #hash #debug #clone)
}
