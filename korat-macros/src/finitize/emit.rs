//! Writes the impls of a class or a plain enum. Takes a model, gives tokens; decides nothing.
//!
//! For `struct Node { key: usize, next: Option<Box<Node>> }` the result is, in short:
//!
//! ```ignore
//! struct __KoratNode { key: Slot<usize>, next: Slot<Option<twin::Box<__KoratNode>>> }   // the view
//! struct __Plan { key: .., next: .. }                                                  // what is known before objects
//! impl Class for Node { /* plan, view, visit, materialise, abstract_to: field by field, through the codecs */ }
//! impl Finitize for Node {}
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Ident};

use super::model::{ClassModel, FieldModel, Model, PlainModel, Shape, view_name};

pub(crate) fn emit(model: &Model) -> TokenStream {
    match model {
        Model::Class(class) => emit_class(class),
        Model::Plain(plain) => emit_plain(plain),
    }
}

/// The lints that generated code is exempt from.
fn lints() -> TokenStream {
    quote!(#[allow(
        warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
    )])
}

fn emit_class(class: &ClassModel) -> TokenStream {
    let ClassModel { name, view, vis, krate, .. } = class;
    let k = quote!(#krate::__private);
    let lints = lints();
    let text = name.to_string();
    let plan_names: Vec<Ident> = (0..class.fields.len()).map(|index| format_ident!("__korat_field_{index}")).collect();
    let members: Vec<_> = class.fields.iter().map(|field| &field.member).collect();
    let codecs: Vec<TokenStream> = class.fields.iter().map(|field| codec(field, &k)).collect();
    let plans = class.fields.iter().zip(&codecs).map(|(field, codec)| plan_field(field, codec, &k));
    let cells: Vec<TokenStream> =
        codecs.iter().map(|codec| quote_spanned!(codec.span()=> <#codec as #k::Codec>::Cell)).collect();
    let view_item = view_struct(class, view, vis, &cells);
    let objects = class.objects.as_ref().map(|expr| {
        quote! {
            fn objects(scope: #k::std::primitive::usize) -> #k::std::primitive::usize { #expr }
        }
    });
    let doc = format!("What a lifted predicate sees in place of `{text}`.");
    quote! {
        #[doc = #doc]
        #[doc(hidden)]
        #lints
        #view_item

        #lints
        const _: () = {
            pub struct __Plan { #( #plan_names: <#codecs as #k::Codec>::Plan, )* }

            #[automatically_derived]
            impl #k::Class for #name {
                const NAME: &'static #k::std::primitive::str = #text;
                type View = #view;
                type Plan = __Plan;
                #objects
                fn plan(__korat_planner: &mut #k::Planner<'_>) -> __Plan {
                    let scope: #k::std::primitive::usize = __korat_planner.scope();
                    __Plan { #( #plan_names: #plans, )* }
                }
                fn view(__korat_plan: &__Plan, __korat_slots: &mut #k::SlotMaker<'_>) -> #view {
                    #view { #( #members: <#codecs as #k::Codec>::cell(&__korat_plan.#plan_names, __korat_slots), )* }
                }
                fn visit(__korat_view: &#view, __korat_visit: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot)) {
                    #( <#codecs as #k::Codec>::visit(&__korat_view.#members, __korat_visit); )*
                }
                fn materialise(__korat_view: &#view, __korat_plan: &__Plan) -> Self {
                    #name { #(
                        #members: <#codecs as #k::Codec>::materialise(&__korat_view.#members, &__korat_plan.#plan_names),
                    )* }
                }
                fn abstract_to(
                    &self,
                    __korat_view: &#view,
                    __korat_plan: &__Plan,
                    __korat_to: &mut #k::Abstraction<'_>,
                ) -> #k::std::result::Result<(), #k::OutOfBounds> {
                    #( <#codecs as #k::Codec>::abstract_to(
                        &self.#members, &__korat_view.#members, &__korat_plan.#plan_names, __korat_to,
                    )?; )*
                    #k::std::result::Result::Ok(())
                }
            }

            #[automatically_derived]
            impl #k::Finitize for #name {}

            #[automatically_derived]
            impl #k::Lift for #name {
                type Lifted = #view;
            }

            #[automatically_derived]
            impl #k::Shown for #view {
                type Out = #view;
                #[inline]
                fn shown(&self) -> &#view { self }
            }

            #[automatically_derived]
            impl #k::Pointee for #name {
                type Class = #name;
                type View = #view;
                const SETTABLE: #k::std::primitive::bool = false;
                fn view(object: *const #view) -> *const #view { object }
                fn wrap(content: #name) -> #name { content }
                fn with(
                    &self,
                    look: &mut dyn #k::std::ops::FnMut(&#name) -> #k::std::result::Result<(), #k::OutOfBounds>,
                ) -> #k::std::result::Result<(), #k::OutOfBounds> {
                    look(self)
                }
            }

            #[automatically_derived]
            impl #k::std::fmt::Debug for #view {
                fn fmt(&self, f: &mut #k::std::fmt::Formatter<'_>) -> #k::std::fmt::Result {
                    f.write_str(#text)
                }
            }
        };
    }
}

/// `struct __KoratNode { key: .., next: .. }`, with the visibilities of the user's fields.
fn view_struct(class: &ClassModel, view: &Ident, vis: &syn::Visibility, cells: &[TokenStream]) -> TokenStream {
    let field_vis = class.fields.iter().map(|field| &field.vis);
    match class.shape {
        Shape::Named => {
            let members = class.fields.iter().map(|field| &field.member);
            quote!(#vis struct #view { #( #field_vis #members: #cells, )* })
        }
        Shape::Tuple => quote!(#vis struct #view( #( #field_vis #cells, )* );),
        Shape::Unit => quote!(#vis struct #view;),
    }
}

fn codec(field: &FieldModel, k: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    if field.attrs.values.is_some() {
        quote_spanned!(ty.span()=> #k::Listed<#ty>)
    } else {
        quote_spanned!(ty.span()=> <#ty as #k::Field>::Codec)
    }
}

/// The call that plans one field.
fn plan_field(field: &FieldModel, codec: &TokenStream, k: &TokenStream) -> TokenStream {
    let (text, ty) = (&field.text, &field.ty);
    let leaf = quote_spanned!(ty.span()=> <#codec as #k::Codec>::Leaf);
    let values = if let Some(values) = &field.attrs.values {
        // An array literal takes the field's type; any other list must have it.
        quote_spanned!(values.span()=> #k::std::result::Result::Ok({
            let __korat_values: #k::std::vec::Vec<#leaf> = #k::std::iter::IntoIterator::into_iter(#values).collect();
            __korat_values
        }))
    } else if let Some(domain) = &field.attrs.domain {
        quote_spanned!(domain.span()=> #k::into_values::<#leaf, _>(#domain))
    } else {
        quote_spanned!(ty.span()=> <#ty as #k::Field>::default_values(scope))
    };
    let len = match &field.attrs.len {
        Some((key, expr)) => quote_spanned!(key.span()=> #k::lens::<#codec>(#expr)),
        None => quote!(#k::std::option::Option::None),
    };
    quote! {{
        let __korat_attrs = #k::Attrs { values: #values, len: #len };
        __korat_planner.field::<#codec>(#k::std::any::TypeId::of::<Self>(), #text, __korat_attrs)
    }}
}

/// A fieldless enum is a plain value: it stands for itself in a lifted predicate.
fn emit_plain(plain: &PlainModel) -> TokenStream {
    let PlainModel { name, variants, krate } = plain;
    let k = quote!(#krate::__private);
    let lints = lints();
    quote! {
        #lints
        const _: () = {
            #[automatically_derived]
            impl #k::Field for #name {
                type Codec = #k::Listed<#name>;
                fn default_values(_scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<#name>, #k::std::string::String>
                {
                    #k::std::result::Result::Ok(#k::std::vec::Vec::from([#( #name::#variants ),*]))
                }
            }

            #[automatically_derived]
            impl #k::Optional for #name {
                type Codec = #k::Listed<#k::std::option::Option<#name>>;
                fn default_values(_scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<
                        #k::std::vec::Vec<#k::std::option::Option<#name>>, #k::std::string::String
                    >
                {
                    #k::std::result::Result::Ok(#k::std::vec::Vec::from([
                        #k::std::option::Option::None,
                        #( #k::std::option::Option::Some(#name::#variants) ),*
                    ]))
                }
            }

            #[automatically_derived]
            impl #k::Lift for #name {
                type Lifted = #name;
            }
        };
    }
}

/// After a mistake: the messages, and a class that type-checks, so that nothing else is reported.
pub(crate) fn fallback(input: &DeriveInput, errors: Error) -> TokenStream {
    let messages = errors.into_compile_error();
    let Data::Struct(data) = &input.data else { return messages };
    if !input.generics.params.is_empty() {
        return messages;
    }
    let (name, view, vis) = (&input.ident, view_name(&input.ident), &input.vis);
    let k = quote!(::korat::__private);
    let (types, field_vis): (Vec<_>, Vec<_>) = data.fields.iter().map(|field| (&field.ty, &field.vis)).unzip();
    let names = data.fields.iter().map(|field| &field.ident);
    let view_item = match &data.fields {
        Fields::Named(_) => quote!(#vis struct #view { #( #field_vis #names: #types, )* }),
        Fields::Unnamed(_) => quote!(#vis struct #view( #( #field_vis #types, )* );),
        Fields::Unit => quote!(#vis struct #view;),
    };
    let text = name.to_string();
    let lints = lints();
    quote! {
        #messages
        #[doc(hidden)]
        #lints
        #view_item
        #lints
        const _: () = {
            impl #k::Class for #name {
                const NAME: &'static #k::std::primitive::str = #text;
                type View = #view;
                type Plan = ();
                fn plan(_: &mut #k::Planner<'_>) { #k::std::unreachable!() }
                fn view(_: &(), _: &mut #k::SlotMaker<'_>) -> #view { #k::std::unreachable!() }
                fn visit(_: &#view, _: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot)) {}
                fn materialise(_: &#view, _: &()) -> Self { #k::std::unreachable!() }
                fn abstract_to(&self, _: &#view, _: &(), _: &mut #k::Abstraction<'_>)
                    -> #k::std::result::Result<(), #k::OutOfBounds> { #k::std::unreachable!() }
            }
            impl #k::Finitize for #name {}
            impl #k::Lift for #name { type Lifted = #view; }
        };
    }
}
