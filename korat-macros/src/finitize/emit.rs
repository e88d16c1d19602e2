//! Writes the impls of a class or a plain type. Takes a model, gives tokens; decides nothing.
//!
//! For `struct Node { key: usize, next: Option<Box<Node>> }` the result is, in short:
//!
//! ```ignore
//! struct __KoratNode { key: Slot<usize>, next: Slot<Option<twin::Box<__KoratNode>>> }   // the view
//! struct __Plan { key: .., next: .. }                                                  // what is known before objects
//! impl Class for Node { /* plan, alternatives, visit, materialise, abstract_to: field by field, through the codecs */ }
//! impl Finitize for Node {}
//! ```
//!
//! The view of an enum is an enum with the same variants, and a slot says which of them an object has.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::visit::{self, Visit};
use syn::{
    Data, DeriveInput, Error, Expr, Fields, GenericArgument, GenericParam, Generics, Ident, Member, PathArguments,
    PathSegment, Type, parse_quote,
};

use super::attrs::class_attrs;
use super::model::{FieldModel, Kind, Model, Shape, Variant, default_crate, view_name};
use crate::errors::Errors;

pub(crate) fn emit(model: &Model) -> TokenStream {
    match model.kind {
        Kind::Class => emit_class(model),
        Kind::Plain => emit_plain(model),
    }
}

/// The lints that generated code is exempt from. `warnings` leaves out what the user's crate denies by name. `unsafe_code` is
/// not among them: nothing unsafe is generated, and a crate that forbids it would not compile.
pub(crate) fn lints() -> TokenStream {
    quote!(#[allow(
        warnings, future_incompatible, let_underscore, nonstandard_style, rust_2018_idioms, unused,
        dangerous_implicit_autorefs, explicit_outlives_requirements, missing_copy_implementations,
        missing_debug_implementations, missing_docs, private_bounds, private_interfaces, single_use_lifetimes,
        trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_pub, unused_import_braces, unused_lifetimes,
        unused_qualifications, unused_results,
        variant_size_differences, clippy::all, clippy::cargo, clippy::nursery, clippy::pedantic, clippy::restriction
    )])
}

/// The parameters as an impl needs them: type parameters stand for plain values.
pub(crate) fn bounded(generics: &Generics, k: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => {
                param.default = None;
                param.bounds.push(parse_quote!(#k::PlainField));
            }
            GenericParam::Const(param) => param.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    generics
}

/// Type parameters that are keys of maps and sets can be: structs seldom say it, only the impls that look keys up.
fn bound_keys(generics: &mut Generics, model: &Model, k: &TokenStream) {
    let mut keys = Keys::default();
    for field in model.variants.iter().flat_map(|variant| &variant.fields) {
        // Values that are listed as a whole need no keys.
        if field.attrs.values.is_none() && field.attrs.skip.is_none() {
            keys.visit_type(&field.ty);
        }
    }
    for param in generics.type_params_mut() {
        if keys.hashed.contains(&param.ident) {
            param.bounds.push(parse_quote!(#k::std::cmp::Eq));
            param.bounds.push(parse_quote!(#k::std::hash::Hash));
        }
        if keys.ordered.contains(&param.ident) {
            param.bounds.push(parse_quote!(#k::std::cmp::Ord));
        }
    }
}

/// Finds the keys of maps and sets that are a name.
#[derive(Default)]
struct Keys {
    hashed: Vec<Ident>,
    ordered: Vec<Ident>,
}

impl<'ast> Visit<'ast> for Keys {
    fn visit_path_segment(&mut self, segment: &'ast PathSegment) {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments
            && let Some(GenericArgument::Type(Type::Path(key))) = arguments.args.first()
            && let Some(key) = key.path.get_ident()
        {
            match segment.ident.to_string().as_str() {
                "HashMap" | "HashSet" => self.hashed.push(key.clone()),
                "BTreeMap" | "BTreeSet" => self.ordered.push(key.clone()),
                _ => {}
            }
        }
        visit::visit_path_segment(self, segment);
    }
}

/// One variant, or a struct, with what its fields become.
struct VariantTokens<'m> {
    variant: &'m Variant,
    fields: Vec<FieldTokens<'m>>,
}

impl VariantTokens<'_> {
    /// `::Name`, or nothing for a struct.
    fn path(&self) -> TokenStream {
        self.variant.name.as_ref().map_or_else(TokenStream::new, |name| quote!(::#name))
    }

    fn each(&self, tokens: impl Fn(&FieldTokens<'_>) -> TokenStream) -> Vec<TokenStream> {
        self.fields.iter().map(tokens).collect()
    }

    /// `Type::Name { member: name, .. }`, with the names that `name` gives.
    fn pattern(&self, ty: &Ident, name: impl Fn(&FieldTokens<'_>) -> Ident) -> TokenStream {
        let path = self.path();
        let parts = self.each(|field| {
            let (member, name) = (&field.field.member, name(field));
            across(&field.field.ty, quote!(#member: #name))
        });
        quote!(#ty #path { #( #parts, )* .. })
    }

    /// The member that ends a view. Whether a struct has a known size is a question about its last field only: with this one
    /// last, a field of a type that korat does not know is reported where it stands, and not at each use of the view. A unit
    /// variant has none, so that it can be named like the user's own.
    fn end(&self) -> Option<Member> {
        match self.variant.shape {
            Shape::Named => Some(Member::Named(format_ident!("__korat_end"))),
            Shape::Unit if self.variant.name.is_some() => None,
            Shape::Tuple | Shape::Unit => Some(Member::Unnamed(self.variant.fields.len().into())),
        }
    }

    /// The declaration of the view's fields, with the visibilities of the user's.
    fn declaration(&self, k: &TokenStream) -> TokenStream {
        let cells = self.each(|field| field.part("Cell"));
        let vis = self.variant.fields.iter().map(|field| &field.vis);
        match self.variant.shape {
            Shape::Named => {
                let members = self.variant.fields.iter().map(|field| &field.member);
                quote!({ #( #vis #members: #cells, )* __korat_end: #k::Mark })
            }
            Shape::Unit if self.variant.name.is_some() => TokenStream::new(),
            Shape::Tuple | Shape::Unit => quote!(( #( #vis #cells, )* #k::Mark )),
        }
    }
}

fn emit_class(model: &Model) -> TokenStream {
    let Model { name, view, vis, krate, is_enum, .. } = model;
    let k = quote!(#krate::__private);
    let lints = lints();
    let text = name.to_string();
    let mut number = 0;
    let mut tokens = |field| {
        number += 1;
        FieldTokens { field, codec: codec(field, &k), number: number - 1, k: &k }
    };
    let variants: Vec<VariantTokens<'_>> = (model.variants.iter())
        .map(|variant| VariantTokens { variant, fields: variant.fields.iter().map(&mut tokens).collect() })
        .collect();
    let all = |tokens: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        variants.iter().flat_map(|variant| variant.each(tokens)).collect()
    };
    let (plans, plan_types) = (all(&|field| field.plan().to_token_stream()), all(&|field| field.part("Plan")));
    let planned = all(&|field| field.planned());
    let alternatives = variants.iter().map(|variant| {
        let path = variant.path();
        let cells = variant.each(|field| {
            let plan = field.place("__korat_plan", &field.plan());
            field.init(&field.field.member, &field.call("cell", quote!(&#plan, __korat_slots)))
        });
        let end = variant.end().map(|end| quote!(#end: #k::Mark::new()));
        quote!(#view #path { #( #cells, )* #end })
    });
    // One arm for each variant: its cells, or the fields of the user's value, by name.
    let of_view = |body: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        let arm = |variant: &VariantTokens<'_>| {
            let (pattern, body) = (variant.pattern(view, |field| field.cell()), variant.each(body));
            quote!(#pattern => { #( #body; )* })
        };
        variants.iter().map(arm).collect()
    };
    let of_value = |body: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> {
        let arm = |variant: &VariantTokens<'_>| {
            let (pattern, body) = (variant.pattern(name, |field| field.value()), variant.each(body));
            quote!(#pattern => { #( #body; )* })
        };
        variants.iter().map(arm).collect()
    };
    let visits = of_view(&|field| {
        let cell = field.cell();
        field.call("visit", quote!(#cell, __korat_visit))
    });
    let materialised = variants.iter().map(|variant| {
        let (pattern, path) = (variant.pattern(view, |field| field.cell()), variant.path());
        let values = variant.each(|field| {
            let (cell, plan) = (field.cell(), field.place("__korat_plan", &field.plan()));
            field.init(&field.field.member, &field.call("materialise", quote!(#cell, &#plan)))
        });
        quote!(#pattern => #name #path { #( #values, )* },)
    });
    let abstracted = variants.iter().enumerate().map(|(index, variant)| {
        let (of_value, of_view) =
            (variant.pattern(name, |field| field.value()), variant.pattern(view, |field| field.cell()));
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let fields = variant.each(|field| {
            let (value, cell, plan) = (field.value(), field.cell(), field.place("__korat_plan", &field.plan()));
            field.call("abstract_to", quote!(#value, #cell, &#plan, __korat_to))
        });
        quote! {
            #of_value => {
                let #of_view = __korat_alternatives[#index as #k::std::primitive::usize] else {
                    #k::std::unreachable!("[korat internal bug] alternatives are in the order of the variants")
                };
                #( #fields?; )*
                #k::std::result::Result::Ok(#index)
            }
        }
    });
    let strongs = of_value(&|field| {
        let value = field.value();
        field.value_call("each_strong", quote!(#value, __korat_visit))
    });
    let severs = of_value(&|field| {
        let value = field.value();
        field.value_call("sever", quote!(#value))
    });
    // A variant without fields holds no pointers, not even those that cannot be null.
    let empty =
        model.variants.iter().filter(|variant| variant.fields.is_empty()).find_map(|variant| variant.name.as_ref());
    let sever = match empty {
        Some(empty) => quote!(*self = #name::#empty;),
        None => quote!(match self { #( #severs )* }),
    };
    let cell_severs = of_value(&|field| {
        let value = field.value();
        field.value_call("sever_cells", quote!(#value))
    });
    let objects = model.objects.as_ref().map(|expr| {
        quote! {
            fn objects(scope: #k::std::primitive::usize) -> #k::std::primitive::usize { #expr }
        }
    });
    let mut generics = bounded(&model.generics, &k);
    bound_keys(&mut generics, model, &k);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
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
    let variant_names = model.variants.iter().filter_map(|variant| variant.name.as_ref()).map(Ident::to_string);
    let place = if *is_enum { quote!(#k::Slot<Self>) } else { quote!(Self) };
    let shown = (!is_enum).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #k::Shown for #view #ty_generics #where_clause {
                type Out = Self;
                #[inline(always)]
                fn shown(&self) -> &Self { self }
            }
        }
    });
    let held = held(name, &generics, &k);
    let doc = format!("What a lifted predicate sees in place of `{text}`.");
    quote! {
        #[doc = #doc]
        #[doc(hidden)]
        #lints
        #view_item

        #lints
        const _: () = {
            pub struct __Plan < #(#params),* > #where_clause {
                #( #plans: #plan_types, )*
                __korat_end: #k::std::marker::PhantomData<fn() -> #name #ty_generics>,
            }

            #[automatically_derived]
            impl #impl_generics #k::Class for #name #ty_generics #where_clause {
                const NAME: &'static #k::std::primitive::str = #text;
                const VARIANTS: &'static [&'static #k::std::primitive::str] = &[#( #variant_names ),*];
                type Lifted = #view #ty_generics;
                type Plan = __Plan #ty_generics;
                #objects
                fn plan(__korat_planner: &mut #k::Planner<'_>) -> Self::Plan {
                    let scope: #k::std::primitive::usize = __korat_planner.scope();
                    __Plan { #( #planned, )* __korat_end: #k::std::marker::PhantomData }
                }
                fn alternatives(
                    __korat_plan: &Self::Plan,
                    __korat_slots: &mut #k::SlotMaker<'_>,
                ) -> #k::std::vec::Vec<Self::Lifted> {
                    #k::std::vec::Vec::from([#( #alternatives ),*])
                }
                fn visit(
                    __korat_view: &Self::Lifted,
                    __korat_visit: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot),
                ) {
                    match __korat_view { #( #visits )* }
                }
                fn materialise(__korat_view: &Self::Lifted, __korat_plan: &Self::Plan) -> Self {
                    match __korat_view { #( #materialised )* }
                }
                fn abstract_to(
                    &self,
                    __korat_alternatives: &[&Self::Lifted],
                    __korat_plan: &Self::Plan,
                    __korat_to: &mut #k::Abstraction<'_>,
                ) -> #k::std::result::Result<#k::std::primitive::u32, #k::OutOfBounds> {
                    match self { #( #abstracted )* }
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
            impl #impl_generics #k::Seen for #view #ty_generics #where_clause {
                type Place = #place;
            }

            #shown

            #held
        };
    }
}

/// What follows from being a class: it can be searched, named in predicates, held by value and through pointers.
fn held(name: &Ident, generics: &Generics, k: &TokenStream) -> TokenStream {
    let view = view_name(name);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let finitize = if generics.type_params().next().is_some() {
        // Where an argument is not plain, the class is at fault as a whole: rustc has words for that only.
        let mut open = generics.clone();
        for param in open.type_params_mut() {
            param.bounds.pop();
        }
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
        impl #impl_generics #k::Pointee for #name #ty_generics #where_clause {
            type Class = Self;
            type Lifted = #view #ty_generics;
            const SETTABLE: #k::std::primitive::bool = false;
            fn view(object: *const #k::View<Self>) -> *const #k::View<Self> { object }
            fn wrap(content: Self) -> Self { content }
            fn with(
                &self,
                look: &mut dyn #k::std::ops::FnMut(&Self) -> #k::std::result::Result<(), #k::OutOfBounds>,
            ) -> #k::std::result::Result<(), #k::OutOfBounds> {
                look(self)
            }
            fn sever(&self) {
                #k::Class::sever_cells(self);
            }
        }
    }
}

/// What the code for one field is made of. Every piece that can fail to type-check has the user's type as its span, from
/// the first token to the last: a type that korat does not know is then reported there, in the same words each time, and
/// rustc says the same thing once.
struct FieldTokens<'m> {
    field: &'m FieldModel,
    codec: TokenStream,
    /// Which of all fields it is.
    number: usize,
    /// `::korat::__private`.
    k: &'m TokenStream,
}

fn codec(field: &FieldModel, k: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    if field.attrs.skip.is_some() {
        across(ty, quote!(#k::Skipped<#ty>))
    } else if field.attrs.values.is_some() {
        across(ty, quote!(#k::Listed<#ty>))
    } else {
        across(ty, quote!(<#ty as #k::Field>::Codec))
    }
}

impl FieldTokens<'_> {
    /// The field of `__Plan`.
    fn plan(&self) -> Ident {
        self.name("field")
    }

    /// The name of its cell.
    fn cell(&self) -> Ident {
        self.name("cell")
    }

    /// The name of its value.
    fn value(&self) -> Ident {
        self.name("value")
    }

    fn name(&self, what: &str) -> Ident {
        format_ident!("__korat_{what}_{}", self.number, span = ends(&self.field.ty).0)
    }

    /// `<codec as Codec>::part`.
    fn part(&self, part: &str) -> TokenStream {
        let (codec, k, part) = (&self.codec, self.k, format_ident!("{part}"));
        across(&self.field.ty, quote!(<#codec as #k::Codec>::#part))
    }

    /// `<codec as Codec>::function(args)`.
    fn call(&self, function: &str, args: TokenStream) -> TokenStream {
        let function = self.part(function);
        across(&self.field.ty, quote!(#function(#args)))
    }

    /// The same for a function that takes the user's value alone. Where the type has parts, it names the cell first: rustc would
    /// report a part two levels down in other words than where the cell is in use.
    fn value_call(&self, function: &str, args: TokenStream) -> TokenStream {
        let (k, cell, call) = (self.k, self.part("Cell"), self.call(function, args));
        let has_parts = !matches!(&self.field.ty, Type::Path(path) if path.path.segments.iter().all(|segment| segment.arguments.is_empty()));
        let named = has_parts.then(|| quote!(#k::std::marker::PhantomData::<#cell>;));
        quote!(#named #call)
    }

    /// `(owner).member`; the parentheses can be anywhere, the name in them belongs to the function.
    fn place(&self, owner: &str, member: &dyn ToTokens) -> TokenStream {
        let owner = format_ident!("{owner}");
        across(&self.field.ty, quote!((#owner).#member))
    }

    /// `name: value`, in the literal of a struct.
    fn init(&self, name: &dyn ToTokens, value: &TokenStream) -> TokenStream {
        across(&self.field.ty, quote!(#name: #value))
    }

    /// The field of `__Plan`, planned.
    fn planned(&self) -> TokenStream {
        let FieldTokens { field, codec, k, .. } = self;
        let (text, ty) = (&field.text, &field.ty);
        let (values, len) = (self.values(), self.len());
        let plan_field = across(ty, quote!(#k::Planner::field::<#codec>));
        let args = quote! {
            __korat_planner, #k::std::any::TypeId::of::<Self>(), #text, #k::Attrs { values: #values, len: #len }
        };
        let meaning = self.meaning();
        if meaning.is_empty() {
            return self.init(&self.plan(), &quote!(#plan_field(#args)));
        }
        self.init(&self.plan(), &quote!({ #meaning #plan_field(#args) }))
    }

    /// What the planner is told beforehand: that the field is an index, that only equality matters, that it is a set.
    fn meaning(&self) -> TokenStream {
        let (k, attrs, leaf) = (self.k, &self.field.attrs, leaf_type(&self.field.ty));
        let index_of = attrs.index_of.as_ref().map(|(_, vector)| {
            let vector = vector.to_string();
            let none = match &attrs.none {
                Some((_, none)) => quote!(#k::std::option::Option::Some(#none)),
                None => quote!(#k::std::option::Option::None),
            };
            let index_of = across(leaf, quote!(#k::Planner::index_of::<#leaf>));
            quote!(#index_of(__korat_planner, #vector, #none);)
        });
        let identity = attrs.identity.as_ref().map(|(_, group)| {
            let inside = argument(leaf, "Option");
            let group = group.clone().unwrap_or_else(|| inside.unwrap_or(leaf).to_token_stream().to_string());
            let nulls = u32::from(inside.is_some());
            quote!(#k::Planner::identity(__korat_planner, #group, #nulls);)
        });
        let set = attrs.set.as_ref().map(|_| quote!(#k::Planner::unordered(__korat_planner);));
        quote!(#index_of #identity #set)
    }

    /// The domain of one slot.
    fn values(&self) -> TokenStream {
        let (k, ty) = (self.k, &self.field.ty);
        let default_values = across(ty, quote!(<#ty as #k::Field>::default_values));
        self.values_of(&self.part("Leaf"), &across(ty, quote!(#default_values(scope))))
    }

    /// The values that the attributes list, each a `leaf`.
    fn values_of(&self, leaf: &TokenStream, default_values: &TokenStream) -> TokenStream {
        let k = self.k;
        if let Some((_, expr)) = &self.field.attrs.skip {
            quote!(#k::std::result::Result::Ok({
                let __korat_make: #leaf = |scope: #k::std::primitive::usize| #expr;
                #k::std::vec::Vec::from([__korat_make])
            }))
        } else if let Some(Expr::Array(values)) = &self.field.attrs.values {
            let count = values.elems.len();
            quote!(#k::std::result::Result::Ok({
                let __korat_values: [#leaf; #count] = #values;
                #k::std::vec::Vec::from(__korat_values)
            }))
        } else if let Some(values) = &self.field.attrs.values {
            let each = across(values, quote!(#k::std::iter::IntoIterator::into_iter(#values)));
            quote!(#k::listed::<#leaf>(#each))
        } else if let Some(domain) = &self.field.attrs.domain {
            let into_values = across(domain, quote!(#k::into_values::<#leaf, _>));
            across(domain, quote!(#into_values(#domain)))
        } else {
            default_values.clone()
        }
    }

    /// The values of a field of a plain type, whose values are listed as a whole.
    fn plain_values(&self, is_id: bool) -> TokenStream {
        let (k, ty) = (self.k, &self.field.ty);
        match &self.field.attrs.skip {
            Some((_, expr)) => quote!(#k::std::result::Result::Ok::<_, #k::std::string::String>(
                #k::std::vec::Vec::from([#expr])
            )),
            None => {
                let all = if is_id { quote!(<#ty as #k::Position>::all) } else { quote!(#k::plain_values::<#ty>) };
                let all = across(ty, all);
                self.values_of(&ty.to_token_stream(), &across(ty, quote!(#all(scope))))
            }
        }
    }

    /// The lengths of a vector, if they are given.
    fn len(&self) -> TokenStream {
        let k = self.k;
        let Some((key, expr)) = &self.field.attrs.len else { return quote!(#k::std::option::Option::None) };
        let codec = across(key, self.codec.clone());
        quote!(#k::lens::<#codec>(#expr))
    }
}

/// The last argument of a type with this name.
fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.next_back()
}

/// The type of the plain values in a field: what its vectors, arrays, maps and cells hold; an option of it counts.
fn leaf_type(ty: &Type) -> &Type {
    const AROUND: &[&str] = &[
        "Arc", "Arena", "BTreeMap", "Box", "Cell", "HashMap", "Mutex", "OnceCell", "Option", "Rc", "RefCell", "RwLock",
        "SlotMap", "Vec", "VecDeque",
    ];
    match ty {
        Type::Array(array) => leaf_type(&array.elem),
        Type::Slice(slice) => leaf_type(&slice.elem),
        Type::Paren(paren) => leaf_type(&paren.elem),
        Type::Group(group) => leaf_type(&group.elem),
        _ => match AROUND.iter().find_map(|name| Some((name, argument(ty, name)?))) {
            Some((&"Option", inside)) if std::ptr::eq(leaf_type(inside), inside) => ty,
            Some((_, inside)) => leaf_type(inside),
            None => ty,
        },
    }
}

/// The tokens, with the spans of their first (a `::` is two) and last one taken from the user's `at`, so that rustc points there: stable Rust
/// cannot join two spans. `$crate` keeps its own, which says what it means.
fn across(at: &dyn ToTokens, tokens: TokenStream) -> TokenStream {
    let (start, end) = ends(at);
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let first = tokens.iter().take_while(|token| is_colon(token)).count().max(1);
    for token in tokens.iter_mut().take(first).filter(|token| token.to_string() != "$crate") {
        token.set_span(start);
    }
    if let Some(last) = tokens.last_mut() {
        last.set_span(end);
    }
    tokens.into_iter().collect()
}

/// The spans of the first and the last token.
fn ends(tokens: &dyn ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    (start, spans.last().unwrap_or(start))
}

/// A plain type stands for itself in a lifted predicate. Its values are all combinations of those of its fields.
fn emit_plain(model: &Model) -> TokenStream {
    let Model { name, krate, .. } = model;
    let k = quote!(#krate::__private);
    let lints = lints();
    let mut generics = bounded(&model.generics, &k);
    let (_, ty_generics, _) = model.generics.split_for_impl();
    // Stated as bounds of the impls, so that one that does not hold is reported once, on the type.
    for bound in [quote!(clone::Clone), quote!(cmp::PartialEq), quote!(fmt::Debug)] {
        let bound = across(name, quote!(#k::std::#bound));
        generics.make_where_clause().predicates.push(parse_quote!(#name #ty_generics: #bound));
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let alternatives = model.variants.iter().map(|variant| {
        let path = variant.name.as_ref().map(|name| quote!(::#name));
        let fields: Vec<FieldTokens<'_>> = (variant.fields.iter().enumerate())
            .map(|(number, field)| FieldTokens { field, codec: codec(field, &k), number, k: &k })
            .collect();
        let inits = fields.iter().map(|field| {
            let (member, value) = (&field.field.member, field.value());
            quote!(#member: #k::std::clone::Clone::clone(#value))
        });
        let push = quote!(__korat_all.push(#name #path { #( #inits, )* }););
        fields.iter().rev().fold(push, |inner, field| {
            let (value, values, ty) = (field.value(), field.plain_values(model.is_id), &field.field.ty);
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
            quote!(#member: #at(position))
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
    quote! {
        #lints
        const _: () = {
            #position

            #[automatically_derived]
            impl #impl_generics #k::Field for #name #ty_generics #where_clause {
                type Codec = #k::Listed<Self>;
                type Element = #k::Listed<Self>;
                fn default_values(scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<Self>, #k::std::string::String>
                {
                    let mut __korat_all = #k::std::vec::Vec::new();
                    #( { #alternatives } )*
                    #k::std::result::Result::Ok(__korat_all)
                }
            }

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
        };
    }
}

/// After a mistake: the messages, and impls that type-check, so that nothing else is reported.
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
    let held = held(name, generics, k);
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
                fn alternatives(_: &(), _: &mut #k::SlotMaker<'_>) -> #k::std::vec::Vec<Self::Lifted> {
                    #k::std::unreachable!()
                }
                fn visit(_: &Self::Lifted, _: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot)) {}
                fn materialise(_: &Self::Lifted, _: &()) -> Self { #k::std::unreachable!() }
                fn abstract_to(&self, _: &[&Self::Lifted], _: &(), _: &mut #k::Abstraction<'_>)
                    -> #k::std::result::Result<#k::std::primitive::u32, #k::OutOfBounds> { #k::std::unreachable!() }
                fn each_strong(&self, _: &mut dyn #k::std::ops::FnMut(&dyn #k::AnyStrong)) {}
                fn sever(&mut self) {}
                fn sever_cells(&self) {}
            }
            impl #impl_generics #k::Seen for #view #ty_generics #where_clause {
                type Place = Self;
            }
            impl #impl_generics #k::Shown for #view #ty_generics #where_clause {
                type Out = Self;
                fn shown(&self) -> &Self { self }
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
        };
    }
}
