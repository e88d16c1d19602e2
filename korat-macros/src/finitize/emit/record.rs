//! Emits the impls of a struct that predicates copy: a view with the lifted values of its fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericParam, Ident, Member};

use super::super::model::{Model, Shape};
use super::bounds::bounded;
use super::lints;
use super::spans::across;

/// Emits the impls; `derived` are the operators that the user's type derives.
pub(super) fn emit_record(model: &Model, derived: &[Ident]) -> TokenStream {
    let Model { name, view, vis, krate, .. } = model;
    let k = quote!(#krate::__private);
    let lints = lints();
    let Some(variant) = model.variants.first() else { return TokenStream::new() };
    let (fields, generics) = (&variant.fields, bounded(&model.generics, &k));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let params: Vec<&GenericParam> = generics.params.iter().collect();
    let members: Vec<&Member> = fields.iter().map(|field| &field.member).collect();
    let types = fields.iter().map(|field| &field.ty);
    let lifted_types = fields.iter().map(|field| {
        let ty = &field.ty;
        across(ty, quote!(<<#ty as #k::Field>::Codec as #k::Copied>::Member))
    });
    let field_vis = fields.iter().map(|field| &field.vis);
    let view_item = match variant.shape {
        Shape::Named => {
            quote!(#vis struct #view < #(#params),* > #where_clause { #( #field_vis #members: #lifted_types, )* })
        }
        Shape::Tuple | Shape::Unit => {
            quote!(#vis struct #view < #(#params),* > ( #( #field_vis #lifted_types, )* ) #where_clause;)
        }
    };
    let names: Vec<Ident> = (0..fields.len()).map(|at| format_ident!("__korat_member_{at}")).collect();
    let tuple = quote!(( #( &self.#members, )* ));
    let other = quote!(( #( &other.#members, )* ));
    // A derived operator compares the fields.
    let operators = derived.iter().map(|operator| {
        let (path, body) = match operator.to_string().as_str() {
            "PartialEq" => (
                quote!(cmp::PartialEq),
                quote!(fn eq(&self, other: &Self) -> #k::std::primitive::bool { #tuple == #other }),
            ),
            "PartialOrd" => (
                quote!(cmp::PartialOrd),
                quote! {
                    fn partial_cmp(&self, other: &Self) -> #k::std::option::Option<#k::std::cmp::Ordering> {
                        #k::std::cmp::PartialOrd::partial_cmp(&#tuple, &#other)
                    }
                },
            ),
            "Ord" => (
                quote!(cmp::Ord),
                quote! {
                    fn cmp(&self, other: &Self) -> #k::std::cmp::Ordering {
                        #k::std::cmp::Ord::cmp(&#tuple, &#other)
                    }
                },
            ),
            "Hash" => (
                quote!(hash::Hash),
                quote! {
                    fn hash<__KoratHasher: #k::std::hash::Hasher>(&self, state: &mut __KoratHasher) {
                        #k::std::hash::Hash::hash(&#tuple, state)
                    }
                },
            ),
            _ => (quote!(cmp::Eq), TokenStream::new()),
        };
        quote! {
            #[automatically_derived]
            impl #impl_generics #k::std::#path for #view #ty_generics #where_clause { #body }
        }
    });
    let doc = format!("What a lifted predicate sees in place of `{name}`.");
    quote! {
        #[doc = #doc]
        #[doc(hidden)]
        #lints
        #view_item

        #lints
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #k::std::clone::Clone for #view #ty_generics #where_clause {
                fn clone(&self) -> Self { *self }
            }

            #[automatically_derived]
            impl #impl_generics #k::std::marker::Copy for #view #ty_generics #where_clause {}

            #( #operators )*

            #[automatically_derived]
            impl #impl_generics #k::Record for #name #ty_generics #where_clause {
                type Members = ( #( #types, )* );
                type Lifted = #view #ty_generics;
                fn of(( #( #names, )* ): Self::Members) -> Self {
                    #name { #( #members: #names, )* }
                }
                fn members(self) -> Self::Members {
                    ( #( self.#members, )* )
                }
                fn lifted(
                    ( #( #names, )* ): <<Self::Members as #k::Field>::Codec as #k::Copied>::Member,
                ) -> Self::Lifted {
                    #view { #( #members: #names, )* }
                }
            }

            #[automatically_derived]
            impl #impl_generics #k::Lift for #name #ty_generics #where_clause {
                type Lifted = #view #ty_generics;
            }

            #[automatically_derived]
            impl #impl_generics #k::Field for #name #ty_generics #where_clause {
                type Codec = #k::RecordOf<Self>;
                type Element = #k::RecordOf<Self>;
                fn default_values(_scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<#k::NoDomain>, #k::std::string::String>
                {
                    #k::std::result::Result::Ok(#k::std::vec::Vec::new())
                }
            }

            #[automatically_derived]
            impl #impl_generics #k::Optional for #name #ty_generics #where_clause {
                type Codec = #k::MaybeRecord<Self>;
                fn default_values(_scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<#k::NoDomain>, #k::std::string::String>
                {
                    #k::std::result::Result::Ok(#k::std::vec::Vec::new())
                }
            }
        };
    }
}
