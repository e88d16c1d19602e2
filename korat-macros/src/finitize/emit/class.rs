//! Emits a class: its view, and the impls that process it field by field.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, Ident, Member};

use super::super::model::{Model, Shape, Variant};
use super::bounds::{bound_fields, bound_keys, bounded, without_defaults};
use super::field::FieldTokens;
use super::held::{Head, held};
use super::lints;
use super::operators::operators;
use super::spans::across;

/// A struct or one variant of an enum, with the tokens of its fields.
struct VariantTokens<'m> {
    variant: &'m Variant,
    /// In the order in which they are planned, created and visited: each vector before the vectors beside it.
    fields: Vec<FieldTokens<'m>>,
}

impl VariantTokens<'_> {
    /// Returns `::Name`, or nothing for a struct.
    fn path(&self) -> TokenStream {
        self.variant.name.as_ref().map_or_else(TokenStream::new, |name| quote!(::#name))
    }

    fn each(&self, tokens: &dyn Fn(&FieldTokens<'_>) -> TokenStream) -> Vec<TokenStream> {
        self.fields.iter().map(tokens).collect()
    }

    /// Returns the pattern `Type::Name { member: name, .. }`, with identifiers from `name`.
    fn pattern(&self, ty: &Ident, name: &dyn Fn(&FieldTokens<'_>) -> Ident) -> TokenStream {
        let path = self.path();
        let parts = self.each(&|field| {
            let (member, name) = (&field.field.member, name(field));
            across(&field.field.ty, quote!(#member: #name))
        });
        quote!(#ty #path { #( #parts, )* .. })
    }

    /// Returns the extra member at the end of a view. rustc checks that a struct is sized through its last field only:
    /// with this member last, an error about a field of an unknown type is reported at the field, and not at each use
    /// of the view. A unit variant has no such member, so that predicates can name it as they name the user's variant.
    fn end(&self) -> Option<Member> {
        match self.variant.shape {
            Shape::Named => Some(Member::Named(format_ident!("__korat_end"))),
            Shape::Unit if self.variant.name.is_some() => None,
            Shape::Tuple | Shape::Unit => Some(Member::Unnamed(self.variant.fields.len().into())),
        }
    }

    /// Returns the declaration of the view's fields, with the visibilities of the user's fields.
    fn declaration(&self, k: &TokenStream) -> TokenStream {
        let fields = &self.variant.fields;
        let cells = (0..fields.len()).map(|at| FieldTokens::new(fields, at, at, k).part("Cell"));
        let vis = fields.iter().map(|field| &field.vis);
        match self.variant.shape {
            Shape::Named => {
                let members = fields.iter().map(|field| &field.member);
                quote!({ #( #vis #members: #cells, )* __korat_end: #k::ViewMarker })
            }
            Shape::Unit if self.variant.name.is_some() => TokenStream::new(),
            Shape::Tuple | Shape::Unit => quote!(( #( #vis #cells, )* #k::ViewMarker )),
        }
    }
}

pub(super) fn emit_class(model: &Model) -> TokenStream {
    let Model { name, view, vis, krate, is_enum, .. } = model;
    let k = quote!(#krate::__private);
    let lints = lints();
    let text = name.to_string();
    let mut number = 0;
    let mut variants: Vec<VariantTokens<'_>> = Vec::new();
    for variant in &model.variants {
        let field = |at: usize| FieldTokens::new(&variant.fields, at, number + at, &k);
        variants.push(VariantTokens { variant, fields: variant.planned_order().into_iter().map(field).collect() });
        number += variant.fields.len();
    }
    let all = |tokens: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        variants.iter().flat_map(|variant| variant.each(tokens)).collect()
    };
    let (plans, plan_types) = (all(&|field| field.plan().to_token_stream()), all(&|field| field.part("Plan")));
    let planned = all(&|field| field.planned());
    let alternatives: Vec<TokenStream> = variants
        .iter()
        .map(|variant| {
            let path = variant.path();
            let cells = variant.each(&|field| {
                let plan = field.place("__korat_plan", &field.plan());
                field.init(&field.field.member, &field.call("cell", quote!(&#plan, __korat_slots)))
            });
            let end = variant.end().map(|end| quote!(#end: #k::ViewMarker::new()));
            quote!(#view #path { #( #cells, )* #end })
        })
        .collect();
    // Each closure builds one match arm per variant, with the cells of the view or the fields of the value bound by name.
    let of_view = |body: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        let arm = |variant: &VariantTokens<'_>| {
            let (pattern, body) = (variant.pattern(view, &|field| field.cell()), variant.each(body));
            quote!(#pattern => { #( #body; )* })
        };
        variants.iter().map(arm).collect()
    };
    let of_value = |body: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        let arm = |variant: &VariantTokens<'_>| {
            let (pattern, body) = (variant.pattern(name, &|field| field.value()), variant.each(body));
            quote!(#pattern => { #( #body; )* })
        };
        variants.iter().map(arm).collect()
    };
    let visits = of_view(&|field| {
        let cell = field.cell();
        field.call("visit", quote!(#cell, __korat_visit))
    });
    let made = |value: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        let arm = |variant: &VariantTokens<'_>| {
            let (pattern, path) = (variant.pattern(view, &|field| field.cell()), variant.path());
            let values = variant.each(&|field| field.init(&field.field.member, &value(field)));
            quote!(#pattern => #name #path { #( #values, )* },)
        };
        variants.iter().map(arm).collect()
    };
    let materialised = made(&|field| {
        let (cell, plan) = (field.cell(), field.place("__korat_plan", &field.plan()));
        field.call("materialise", quote!(#cell, &#plan))
    });
    let copied = made(&|field| {
        let cell = field.cell();
        field.call("copy_out", quote!(#cell, __korat_copies))
    });
    let patterns = |variant: &VariantTokens<'_>| {
        (variant.pattern(name, &|field| field.value()), variant.pattern(view, &|field| field.cell()))
    };
    let with_cells = |variant: &VariantTokens<'_>, function: &str| {
        variant.each(&|field| {
            let (value, cell, plan) = (field.value(), field.cell(), field.place("__korat_plan", &field.plan()));
            field.call(function, quote!(#value, #cell, &#plan, __korat_to))
        })
    };
    let abstracted: Vec<TokenStream> = variants
        .iter()
        .enumerate()
        .map(|(index, variant)| {
            let (of_value, of_view) = patterns(variant);
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            let fields = with_cells(variant, "abstract_to");
            quote! {
                #of_value => {
                    let #of_view = __korat_alternatives[#index as #k::std::primitive::usize] else {
                        #k::std::unreachable!("[korat internal bug] alternatives are in the order of the variants")
                    };
                    #( #fields?; )*
                    #k::std::result::Result::Ok(#index)
                }
            }
        })
        .collect();
    let written: Vec<TokenStream> = variants
        .iter()
        .enumerate()
        .map(|(index, variant)| {
            let of_value = variant.pattern(name, &|field| field.value());
            let tag = is_enum.then(|| quote!(__korat_to.variant::<Self>(#index);));
            let fields = variant.each(&|field| field.write_form());
            quote!(#of_value => { #tag #( #fields; )* })
        })
        .collect();
    let read: Vec<TokenStream> = variants
        .iter()
        .map(|variant| {
            let path = variant.path();
            let values = variant.each(&|field| field.init(&field.field.member, &field.read_form()));
            quote!(#name #path { #( #values, )* })
        })
        .collect();
    let read = if *is_enum {
        let numbers = 0..read.len() as u64;
        quote! {
            match __korat_from.number() {
                #( #numbers => #read, )*
                _ => #k::std::unreachable!("[korat internal bug] a form has a variant of its type"),
            }
        }
    } else {
        quote!(#( #read )*)
    };
    let rewritten: Vec<TokenStream> = variants
        .iter()
        .enumerate()
        .map(|(index, variant)| {
            let (of_value, of_view) = patterns(variant);
            let fields = with_cells(variant, "rewrite");
            quote! {
                #of_value => {
                    let #of_view = __korat_alternatives[#index] else {
                        #k::std::unreachable!("[korat internal bug] alternatives are in the order of the variants")
                    };
                    #( #fields; )*
                }
            }
        })
        .collect();
    let mut patched: Vec<TokenStream> = variants
        .iter()
        .map(|variant| {
            let (of_value, of_view) = patterns(variant);
            let fields = with_cells(variant, "patch");
            quote!((#of_value, #of_view) => { #( #fields; )* })
        })
        .collect();
    let others = quote!((__korat_value, _) => *__korat_value = #k::Class::materialise(__korat_view, __korat_plan),);
    patched.extend((variants.len() > 1).then_some(others));
    let strongs = of_value(&|field| {
        let value = field.value();
        field.value_call("each_strong", quote!(#value, __korat_visit))
    });
    let with_value = |function: &str| {
        of_value(&|field| {
            let value = field.value();
            field.value_call(function, quote!(#value))
        })
    };
    let severs = with_value("sever");
    // Assigning a variant without fields severs every pointer, including pointers that cannot be null.
    let empty =
        model.variants.iter().filter(|variant| variant.fields.is_empty()).find_map(|variant| variant.name.as_ref());
    let sever = match empty {
        Some(empty) => quote!(*self = #name::#empty;),
        None => quote!(match self { #( #severs )* }),
    };
    let cell_severs = with_value("sever_cells");
    let objects = model.objects.as_ref().map(|expr| {
        quote! {
            fn objects(scope: #k::std::primitive::usize) -> #k::std::primitive::usize { #expr }
        }
    });
    let generics = if model.instances.is_empty() {
        let mut generics = bounded(&model.generics, &k);
        bound_keys(&mut generics, model, &k);
        generics
    } else {
        // Each instance has impls of its own, and all share the view.
        let mut generics = without_defaults(&model.generics);
        bound_fields(&mut generics, model, &k);
        generics
    };
    let (_, _, where_clause) = generics.split_for_impl();
    let params: Vec<&GenericParam> = generics.params.iter().collect();
    let declarations = variants.iter().map(|variant| {
        let (name, declaration) = (&variant.variant.name, variant.declaration(&k));
        quote!(#name #declaration)
    });
    let view_item = if *is_enum {
        quote!(#vis enum #view < #(#params),* > #where_clause { #( #declarations, )* })
    } else if matches!(model.variants.first(), Some(Variant { shape: Shape::Named, .. })) {
        quote!(#vis struct #view < #(#params),* > #where_clause #( #declarations )*)
    } else {
        quote!(#vis struct #view < #(#params),* > #( #declarations )* #where_clause;)
    };
    let variant_names: Vec<String> =
        model.variants.iter().filter_map(|variant| variant.name.as_ref()).map(Ident::to_string).collect();
    let place = if *is_enum { quote!(#k::Slot<Self>) } else { quote!(Self) };
    let doc = format!("What a lifted predicate sees in place of `{text}`.");
    // The impls, for all arguments or for one instance, whose arguments `items` names.
    let impls = |items: &TokenStream, head: &Head| {
        let Head { params: impl_generics, args: ty_generics, clause: where_clause } = head;
        let is_generic = !impl_generics.is_empty();
        let plan_params = is_generic.then(|| quote!(< #(#params),* >));
        let plan_args = is_generic.then_some(ty_generics);
        let shown = (!is_enum).then(|| {
            quote! {
                #[automatically_derived]
                impl #impl_generics #k::ReadCell for #view #ty_generics #where_clause {
                    type Out = Self;
                    #[inline(always)]
                    fn read_cell(&self) -> &Self { self }
                    fn is_decided(&self) -> #k::std::primitive::bool { true }
                }
            }
        });
        let operators = operators(model, head, &k);
        let held = held(name, &model.generics, head, &k);
        quote! {
            #lints
            const _: () = {
                #items

                pub struct __Plan #plan_params #where_clause {
                    #( #plans: #plan_types, )*
                    __korat_end: #k::std::marker::PhantomData<fn() -> #name #ty_generics>,
                }

                #[automatically_derived]
                impl #impl_generics #k::Class for #name #ty_generics #where_clause {
                    const NAME: &'static #k::std::primitive::str = #text;
                    const VARIANTS: &'static [&'static #k::std::primitive::str] = &[#( #variant_names ),*];
                    type Lifted = #view #ty_generics;
                    type Plan = __Plan #plan_args;
                    #objects
                    fn plan(__korat_planner: &mut #k::Planner<'_>) -> Self::Plan {
                        use #k::NoOwnDrop as _;
                        let scope: #k::std::primitive::usize = __korat_planner.scope();
                        __korat_planner.note_side_effects(#k::OwnDrop::<Self>::IS);
                        __Plan { #( #planned, )* __korat_end: #k::std::marker::PhantomData }
                    }
                    fn alternatives(
                        __korat_plan: &Self::Plan,
                        __korat_slots: &mut #k::SlotMaker<'_>,
                        mut __korat_take: impl #k::std::ops::FnMut(Self::Lifted),
                    ) {
                        #( __korat_take(#alternatives); )*
                    }
                    fn visit(
                        __korat_view: &Self::Lifted,
                        __korat_visit: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot),
                    ) {
                        match __korat_view { #( #visits )* }
                    }
                    fn copy_out(__korat_view: &Self::Lifted, __korat_copies: &mut #k::Copies) -> Self {
                        match __korat_view { #( #copied )* }
                    }
                    fn materialise(__korat_view: &Self::Lifted, __korat_plan: &Self::Plan) -> Self {
                        match __korat_view { #( #materialised )* }
                    }
                    #[inline]
                    fn patch(
                        &mut self,
                        __korat_view: &Self::Lifted,
                        __korat_plan: &Self::Plan,
                        __korat_to: &mut #k::Patch,
                    ) {
                        match (self, __korat_view) { #( #patched )* }
                    }
                    fn abstract_to(
                        &self,
                        __korat_alternatives: &[&Self::Lifted],
                        __korat_plan: &Self::Plan,
                        __korat_to: &mut #k::Abstraction<'_>,
                    ) -> #k::std::result::Result<#k::std::primitive::u32, #k::OutOfBounds> {
                        match self { #( #abstracted )* }
                    }
                    #[inline]
                    fn write_form<const __KORAT_DRAFTS: #k::std::primitive::bool>(&self, __korat_to: &mut #k::FormWriter<'_, __KORAT_DRAFTS>) {
                        match self { #( #written )* }
                    }
                    fn read_form(__korat_from: &mut #k::FormReader<'_>) -> Self {
                        #read
                    }
                    fn rewrite(
                        &mut self,
                        __korat_alternatives: &[&Self::Lifted],
                        __korat_plan: &Self::Plan,
                        __korat_to: &mut #k::Rewrite<'_>,
                    ) {
                        match self { #( #rewritten )* }
                    }
                    fn each_strong(&self, __korat_visit: &mut dyn #k::std::ops::FnMut(&dyn #k::AnyStrong)) {
                        match self { #( #strongs )* }
                    }
                    fn sever(&mut self) {
                        #sever
                    }
                    fn sever_cells(&self) {
                        match self { #( #cell_severs )* }
                    }
                }

                #[automatically_derived]
                impl #impl_generics #k::Located for #view #ty_generics #where_clause {
                    type Place = #place;
                }

                #[automatically_derived]
                impl #impl_generics #k::ObjectView for #view #ty_generics #where_clause {}

                #shown

                #operators

                #held
            };
        }
    };
    let all_impls: TokenStream = if model.instances.is_empty() {
        impls(&TokenStream::new(), &Head::generic(&generics))
    } else {
        let head = Head::instance(&generics);
        model.instances.iter().map(|instance| impls(&instance.items(), &head)).collect()
    };
    quote! {
        #[doc = #doc]
        #[doc(hidden)]
        #lints
        #view_item

        #all_impls
    }
}
