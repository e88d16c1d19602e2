//! Emits the fallback after an error, so that rustc reports nothing else.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Generics, Ident};

use super::super::attrs::class_attrs;
use super::super::model::{default_crate, view_name};
use super::bounds::bounded;
use super::held::{Head, held};
use super::lints;
use crate::errors::Errors;

/// Returns the error messages, together with impls that type-check, so that no further errors follow.
pub(crate) fn fallback(input: &DeriveInput, errors: Error) -> TokenStream {
    let messages = errors.into_compile_error();
    if input.generics.lifetimes().next().is_some() {
        return messages;
    }
    let attrs = class_attrs(&input.attrs, &mut Errors::default());
    let krate = attrs.krate.unwrap_or_else(default_crate);
    let has_data = |fields: &Fields| !fields.is_empty();
    let k = quote!(#krate::__private);
    let (view, vis, generics) = (view_name(&input.ident), &input.vis, bounded(&input.generics, &k));
    let (params, where_clause) = (generics.params.iter(), &generics.where_clause);
    let impls = match &input.data {
        Data::Struct(data) if attrs.plain.is_none() && attrs.id.is_none() => {
            let fields = fallback_fields(&data.fields);
            let item = if matches!(data.fields, Fields::Named(_)) {
                quote!(#vis struct #view < #(#params),* > #where_clause #fields)
            } else {
                quote!(#vis struct #view < #(#params),* > #fields #where_clause;)
            };
            fallback_class(input, &item, &generics, &k)
        }
        Data::Enum(data) if attrs.plain.is_none() && data.variants.iter().any(|variant| has_data(&variant.fields)) => {
            let names = data.variants.iter().map(|variant| &variant.ident);
            let fields = data.variants.iter().map(|variant| fallback_fields(&variant.fields));
            let item = quote!(#vis enum #view < #(#params),* > #where_clause { #( #names #fields, )* });
            fallback_class(input, &item, &generics, &k)
        }
        Data::Struct(_) | Data::Enum(_) => fallback_plain(&input.ident, &generics, &k),
        Data::Union(_) => TokenStream::new(),
    };
    quote!(#messages #impls)
}

fn fallback_fields(fields: &Fields) -> TokenStream {
    let (types, vis): (Vec<_>, Vec<_>) = fields.iter().map(|field| (&field.ty, &field.vis)).unzip();
    let names = fields.iter().map(|field| &field.ident);
    match fields {
        Fields::Named(_) => quote!({ #( #vis #names: #types, )* }),
        Fields::Unnamed(_) => quote!(( #( #vis #types, )* )),
        Fields::Unit => TokenStream::new(),
    }
}

fn fallback_class(input: &DeriveInput, view_item: &TokenStream, generics: &Generics, k: &TokenStream) -> TokenStream {
    let (name, view) = (&input.ident, view_name(&input.ident));
    let text = name.to_string();
    let lints = lints();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let held = held(name, &input.generics, &Head::generic(generics), k);
    quote! {
        #[doc(hidden)]
        #lints
        #view_item
        #lints
        const _: () = {
            impl #impl_generics #k::Class for #name #ty_generics #where_clause {
                const NAME: &'static #k::std::primitive::str = #text;
                const VARIANTS: &'static [&'static #k::std::primitive::str] = &[];
                type Lifted = #view #ty_generics;
                type Plan = ();
                fn plan(_: &mut #k::Planner<'_>) { #k::std::unreachable!() }
                fn alternatives(_: &(), _: &mut #k::SlotMaker<'_>, _: impl #k::std::ops::FnMut(Self::Lifted)) {
                    #k::std::unreachable!()
                }
                fn visit(_: &Self::Lifted, _: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot)) {}
                fn copy_out(_: &Self::Lifted, _: &mut #k::Copies) -> Self { #k::std::unreachable!() }
                fn materialise(_: &Self::Lifted, _: &()) -> Self { #k::std::unreachable!() }
                fn abstract_to(&self, _: &[&Self::Lifted], _: &(), _: &mut #k::Abstraction<'_>)
                    -> #k::std::result::Result<#k::std::primitive::u32, #k::OutOfBounds> { #k::std::unreachable!() }
                fn write_form<const __KORAT_DRAFTS: #k::std::primitive::bool>(&self, _: &mut #k::FormWriter<'_, __KORAT_DRAFTS>) {}
                fn read_form(_: &mut #k::FormReader<'_>) -> Self { #k::std::unreachable!() }
                fn patch(&mut self, _: &Self::Lifted, _: &(), _: &mut #k::Patch) {}
                fn rewrite(&mut self, _: &[&Self::Lifted], _: &(), _: &mut #k::Rewrite<'_>) {}
                fn each_strong(&self, _: &mut dyn #k::std::ops::FnMut(&dyn #k::AnyStrong)) {}
                fn sever(&mut self) {}
                fn sever_cells(&self) {}
            }
            impl #impl_generics #k::Located for #view #ty_generics #where_clause {
                type Place = Self;
            }
            impl #impl_generics #k::ObjectView for #view #ty_generics #where_clause {}
            impl #impl_generics #k::ReadCell for #view #ty_generics #where_clause {
                type Out = Self;
                fn read_cell(&self) -> &Self { self }
                fn is_decided(&self) -> #k::std::primitive::bool { true }
            }
            #held
        };
    }
}

fn fallback_plain(name: &Ident, generics: &Generics, k: &TokenStream) -> TokenStream {
    let lints = lints();
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #lints
        const _: () = {
            impl #impl_generics #k::Field for #name #ty_generics #where_clause {
                type Codec = #k::Listed<Self>;
                type Element = #k::Listed<Self>;
                fn default_values(_: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<Self>, #k::std::string::String>
                { #k::std::unreachable!() }
            }
            impl #impl_generics #k::Optional for #name #ty_generics #where_clause {
                type Codec = #k::Listed<#k::std::option::Option<Self>>;
                fn default_values(_: #k::std::primitive::usize)
                    -> #k::std::result::Result<
                        #k::std::vec::Vec<#k::std::option::Option<Self>>, #k::std::string::String
                    >
                { #k::std::unreachable!() }
            }
            impl #impl_generics #k::Position for #name #ty_generics #where_clause {
                fn at(_: #k::std::primitive::usize) -> Self { #k::std::unreachable!() }
                fn all(_: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<Self>, #k::std::string::String>
                { #k::std::unreachable!() }
            }
            impl #impl_generics #k::Lift for #name #ty_generics #where_clause { type Lifted = Self; }
            impl #impl_generics #k::Located for #name #ty_generics #where_clause { type Place = #k::Slot<Self>; }
            impl #impl_generics #k::Pointed for #name #ty_generics #where_clause { type Target = #k::ToValue; }
        };
    }
}
