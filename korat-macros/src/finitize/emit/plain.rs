//! Emits the impls of a plain type, which represents itself in predicates: the list of its values.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse_quote;

use super::super::model::Model;
use super::bounds::bounded;
use super::field::FieldTokens;
use super::lints;
use super::spans::across;

/// Emits the impls of a plain type. Its values are all combinations of the values of its fields.
pub(super) fn emit_plain(model: &Model) -> TokenStream {
    let Model { name, krate, .. } = model;
    let k = quote!(#krate::__private);
    let lints = lints();
    let mut generics = bounded(&model.generics, &k);
    let (_, ty_generics, _) = model.generics.split_for_impl();
    // As bounds of the impls, so that rustc reports an unsatisfied one on the type. Where a field has the type, it reports it again;
    // there `do_not_recommend` keeps it from suggesting that the user implement a trait of korat's.
    for bound in [quote!(clone::Clone), quote!(cmp::PartialEq), quote!(fmt::Debug)] {
        let bound = across(name, quote!(#k::std::#bound));
        generics.make_where_clause().predicates.push(parse_quote!(#name #ty_generics: #bound));
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let alternatives = model.variants.iter().map(|variant| {
        let path = variant.name.as_ref().map(|name| quote!(::#name));
        let fields: Vec<FieldTokens<'_>> =
            (0..variant.fields.len()).map(|number| FieldTokens::new(&variant.fields, number, number, &k)).collect();
        let inits = fields.iter().map(|field| {
            let (member, value) = (&field.field.member, field.value());
            quote!(#member: #k::std::clone::Clone::clone(#value))
        });
        let push = quote!(__korat_all.push(#name #path { #( #inits, )* }););
        fields.iter().rev().fold(push, |inner, field| {
            let (value, values, ty) = (field.value(), field.plain_values(model), &field.field.ty);
            quote! {
                let __korat_values: #k::std::result::Result<#k::std::vec::Vec<#ty>, #k::std::string::String> = #values;
                let __korat_values = __korat_values?;
                for #value in &__korat_values { #inner }
            }
        })
    });
    let position = model.is_id.then(|| {
        let inits = model.variants.iter().flat_map(|variant| &variant.fields).map(|field| {
            let (member, ty) = (&field.member, &field.ty);
            let at = across(ty, quote!(<#ty as #k::Position>::at));
            let offset = model
                .offset
                .as_ref()
                .map(|offset| quote!(+ { let offset: #k::std::primitive::usize = #offset; offset }));
            quote!(#member: #at(position #offset))
        });
        quote! {
            #[automatically_derived]
            impl #impl_generics #k::Position for #name #ty_generics #where_clause {
                fn at(position: #k::std::primitive::usize) -> Self {
                    #name { #( #inits, )* }
                }
                fn all(scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<Self>, #k::std::string::String>
                {
                    <Self as #k::Field>::default_values(scope)
                }
            }
        }
    });
    let portable = portable(model, &k);
    let combines = model.variants.iter().any(|variant| variant.fields.len() > 1);
    let scope_of_fields = combines.then(|| quote!(let scope = #k::scope_of_combined(scope);));
    quote! {
        #lints
        const _: () = {
            #position

            #portable

            #[diagnostic::do_not_recommend]
            #[automatically_derived]
            impl #impl_generics #k::Field for #name #ty_generics #where_clause {
                type Codec = #k::Listed<Self>;
                type Element = #k::Listed<Self>;
                fn default_values(scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<Self>, #k::std::string::String>
                {
                    #scope_of_fields
                    let mut __korat_all = #k::std::vec::Vec::new();
                    #( { #alternatives } )*
                    #k::std::result::Result::Ok(__korat_all)
                }
            }

            #[diagnostic::do_not_recommend]
            #[automatically_derived]
            impl #impl_generics #k::Optional for #name #ty_generics #where_clause {
                type Codec = #k::Listed<#k::std::option::Option<Self>>;
                fn default_values(scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<
                        #k::std::vec::Vec<#k::std::option::Option<Self>>, #k::std::string::String
                    >
                {
                    #k::optional_values::<Self>(scope)
                }
            }

            #[automatically_derived]
            impl #impl_generics #k::Lift for #name #ty_generics #where_clause {
                type Lifted = Self;
            }

            #[automatically_derived]
            impl #impl_generics #k::Located for #name #ty_generics #where_clause {
                type Place = #k::Slot<Self>;
            }

            #[automatically_derived]
            impl #impl_generics #k::Pointed for #name #ty_generics #where_clause {
                type Target = #k::ToValue;
            }
        };
    }
}

/// Emits how a value is taken from one run of a method to another: variant by variant and field by field, whatever the user's own
/// equality says. Applies only if the fields can be taken.
fn portable(model: &Model, k: &TokenStream) -> TokenStream {
    let Model { name, .. } = model;
    let mut generics = bounded(&model.generics, k);
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let fields = || model.variants.iter().flat_map(|variant| &variant.fields);
    let predicates = &mut generics.make_where_clause().predicates;
    for field in fields() {
        let ty = &field.ty;
        // A bound without a lifetime would have to hold.
        predicates.push(parse_quote!(for<'__korat> #ty: #k::calls::Portable));
    }
    let packed = model.variants.iter().enumerate().map(|(number, variant)| {
        let path = variant.name.as_ref().map(|name| quote!(::#name));
        let members: Vec<_> = variant.fields.iter().map(|field| &field.member).collect();
        let names: Vec<_> = (0..members.len()).map(|number| format_ident!("__korat_{number}")).collect();
        let number = number as u64;
        quote! {
            #name #path { #( #members: #names, )* } => {
                __korat_to.push(#number);
                #( #k::calls::Portable::pack(#names, __korat_to); )*
            }
        }
    });
    let unpacked = model.variants.iter().enumerate().map(|(number, variant)| {
        let path = variant.name.as_ref().map(|name| quote!(::#name));
        let members = variant.fields.iter().map(|field| &field.member);
        let number = number as u64;
        quote!(#number => #name #path { #( #members: #k::calls::Portable::unpack(__korat_from), )* },)
    });
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #k::calls::Portable for #name #ty_generics #where_clause {
            fn pack(&self, __korat_to: &mut #k::calls::Packed) {
                match self { #( #packed )* }
            }
            fn unpack(__korat_from: &mut #k::calls::Packed) -> Self {
                match __korat_from.next_word() {
                    #( #unpacked )*
                    _ => #k::std::unreachable!("[korat internal bug] no such variant was packed"),
                }
            }
        }
    }
}
