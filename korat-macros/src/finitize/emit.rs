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

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Data, DeriveInput, Error, Expr, Fields, Ident, Member, Path};

use super::attrs::class_attrs;
use super::model::{ClassModel, FieldModel, Model, PlainModel, Shape, default_crate, view_name};
use crate::errors::Errors;

pub(crate) fn emit(model: &Model) -> TokenStream {
    match model {
        Model::Class(class) => emit_class(class),
        Model::Plain(plain) => emit_plain(plain),
    }
}

/// The lints that generated code is exempt from. `warnings` leaves out what the user's crate denies by name. `unsafe_code` is
/// not among them: nothing unsafe is generated, and a crate that forbids it would not compile.
pub(crate) fn lints() -> TokenStream {
    quote!(#[allow(
        warnings, future_incompatible, let_underscore, nonstandard_style, rust_2018_idioms, unused,
        explicit_outlives_requirements, missing_copy_implementations, missing_debug_implementations, missing_docs,
        private_bounds, private_interfaces, single_use_lifetimes, trivial_casts, trivial_numeric_casts, unit_bindings,
        unreachable_pub, unused_import_braces, unused_lifetimes, unused_qualifications, unused_results,
        variant_size_differences, clippy::all, clippy::cargo, clippy::nursery, clippy::pedantic, clippy::restriction
    )])
}

fn emit_class(class: &ClassModel) -> TokenStream {
    let ClassModel { name, view, krate, .. } = class;
    let k = quote!(#krate::__private);
    let lints = lints();
    let text = name.to_string();
    let fields: Vec<FieldTokens<'_>> = (class.fields.iter().enumerate())
        .map(|(index, field)| FieldTokens { field, codec: codec(field, &k), plan: plan_name(index, field), k: &k })
        .collect();
    let each =
        |tokens: &dyn Fn(&FieldTokens<'_>) -> TokenStream| -> Vec<TokenStream> { fields.iter().map(tokens).collect() };
    let view_item = view_struct(class, &k, &each(&|field| field.part("Cell")));
    let (plans, plan_types) = (each(&|field| field.plan.to_token_stream()), each(&|field| field.part("Plan")));
    let planned = each(&|field| field.planned());
    let cells = each(&|field| {
        let plan = field.place("__korat_plan", &field.plan);
        let cell = field.call("cell", quote!(&#plan, __korat_slots));
        field.init(&field.field.member, &cell)
    });
    let visits = each(&|field| {
        let cell = field.place("__korat_view", &field.field.member);
        field.call("visit", quote!(&#cell, __korat_visit))
    });
    let materialised = each(&|field| {
        let cell = field.place("__korat_view", &field.field.member);
        let plan = field.place("__korat_plan", &field.plan);
        let value = field.call("materialise", quote!(&#cell, &#plan));
        field.init(&field.field.member, &value)
    });
    let abstracted = each(&|field| {
        let member = &field.field.member;
        let cell = field.place("__korat_view", member);
        let plan = field.place("__korat_plan", &field.plan);
        field.call("abstract_to", quote!(&self.#member, &#cell, &#plan, __korat_to))
    });
    let strongs = each(&|field| {
        let member = &field.field.member;
        field.call("each_strong", quote!(&self.#member, __korat_visit))
    });
    let severs = each(&|field| {
        let member = &field.field.member;
        field.call("sever", quote!(&mut self.#member))
    });
    let cell_severs = each(&|field| {
        let member = &field.field.member;
        field.call("sever_cells", quote!(&self.#member))
    });
    let objects = class.objects.as_ref().map(|expr| {
        quote! {
            fn objects(scope: #k::std::primitive::usize) -> #k::std::primitive::usize { #expr }
        }
    });
    let end = end_member(class);
    let doc = format!("What a lifted predicate sees in place of `{text}`.");
    quote! {
        #[doc = #doc]
        #[doc(hidden)]
        #lints
        #view_item

        #lints
        const _: () = {
            pub struct __Plan { #( #plans: #plan_types, )* __korat_end: () }

            #[automatically_derived]
            impl #k::Class for #name {
                const NAME: &'static #k::std::primitive::str = #text;
                type View = #view;
                type Plan = __Plan;
                #objects
                fn plan(__korat_planner: &mut #k::Planner<'_>) -> __Plan {
                    let scope: #k::std::primitive::usize = __korat_planner.scope();
                    __Plan { #( #planned, )* __korat_end: () }
                }
                fn view(__korat_plan: &__Plan, __korat_slots: &mut #k::SlotMaker<'_>) -> #view {
                    #view { #( #cells, )* #end: 0 }
                }
                fn visit(__korat_view: &#view, __korat_visit: &mut dyn #k::std::ops::FnMut(&dyn #k::AnySlot)) {
                    #( #visits; )*
                }
                fn materialise(__korat_view: &#view, __korat_plan: &__Plan) -> Self {
                    #name { #( #materialised, )* }
                }
                fn abstract_to(
                    &self,
                    __korat_view: &#view,
                    __korat_plan: &__Plan,
                    __korat_to: &mut #k::Abstraction<'_>,
                ) -> #k::std::result::Result<(), #k::OutOfBounds> {
                    #( #abstracted?; )*
                    #k::std::result::Result::Ok(())
                }
                fn each_strong(&self, __korat_visit: &mut dyn #k::std::ops::FnMut(&dyn #k::AnyStrong)) {
                    #( #strongs; )*
                }
                fn sever(&mut self) {
                    #( #severs; )*
                }
                fn sever_cells(&self) {
                    #( #cell_severs; )*
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
                fn sever(&self) {
                    #k::Class::sever_cells(self);
                }
            }
        };
    }
}

/// The member that ends a view. Whether a struct has a known size is a question about its last field only: with this one
/// last, a field of a type that korat does not know is reported where it stands, and not at each use of the view. It is
/// never empty, so that different objects have different addresses.
fn end_member(class: &ClassModel) -> Member {
    match class.shape {
        Shape::Named => Member::Named(format_ident!("__korat_end")),
        Shape::Tuple | Shape::Unit => Member::Unnamed(class.fields.len().into()),
    }
}

/// `struct __KoratNode { key: .., next: .. }`, with the visibilities of the user's fields.
fn view_struct(class: &ClassModel, k: &TokenStream, cells: &[TokenStream]) -> TokenStream {
    let ClassModel { view, vis, .. } = class;
    let field_vis = class.fields.iter().map(|field| &field.vis);
    match class.shape {
        Shape::Named => {
            let members = class.fields.iter().map(|field| &field.member);
            quote!(#vis struct #view { #( #field_vis #members: #cells, )* __korat_end: #k::std::primitive::u8 })
        }
        Shape::Tuple | Shape::Unit => quote!(#vis struct #view( #( #field_vis #cells, )* #k::std::primitive::u8 );),
    }
}

/// What the code for one field is made of. Every piece that can fail to type-check has the user's type as its span, from
/// the first token to the last: a type that korat does not know is then reported there, in the same words each time, and
/// rustc says the same thing once.
struct FieldTokens<'m> {
    field: &'m FieldModel,
    codec: TokenStream,
    /// The field of `__Plan`.
    plan: Ident,
    /// `::korat::__private`.
    k: &'m TokenStream,
}

fn plan_name(index: usize, field: &FieldModel) -> Ident {
    format_ident!("__korat_field_{index}", span = ends(&field.ty).0)
}

fn codec(field: &FieldModel, k: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    if field.attrs.values.is_some() {
        across(ty, quote!(#k::Listed<#ty>))
    } else {
        across(ty, quote!(<#ty as #k::Field>::Codec))
    }
}

impl FieldTokens<'_> {
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
        let FieldTokens { field, codec, plan, k } = self;
        let (text, ty) = (&field.text, &field.ty);
        let (values, len) = (self.values(), self.len());
        let plan_field = across(ty, quote!(#k::Planner::field::<#codec>));
        let args = quote! {
            __korat_planner, #k::std::any::TypeId::of::<Self>(), #text, #k::Attrs { values: #values, len: #len }
        };
        self.init(plan, &quote!(#plan_field(#args)))
    }

    /// The domain of one slot.
    fn values(&self) -> TokenStream {
        let (k, ty, leaf) = (self.k, &self.field.ty, self.part("Leaf"));
        if let Some(Expr::Array(values)) = &self.field.attrs.values {
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
            let default_values = across(ty, quote!(<#ty as #k::Field>::default_values));
            across(ty, quote!(#default_values(scope)))
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

/// A fieldless enum is a plain value: it stands for itself in a lifted predicate.
fn emit_plain(plain: &PlainModel) -> TokenStream {
    let PlainModel { name, variants, krate } = plain;
    let k = quote!(#krate::__private);
    let lints = lints();
    // Stated as bounds of the impls, so that one that does not hold is reported once, on the enum.
    let listed = {
        let [clone, eq, debug] = [quote!(clone::Clone), quote!(cmp::PartialEq), quote!(fmt::Debug)]
            .map(|bound| across(name, quote!(#k::std::#bound)));
        quote!(where #name: #clone, #name: #eq, #name: #debug)
    };
    quote! {
        #lints
        const _: () = {
            #[automatically_derived]
            impl #k::Field for #name #listed {
                type Codec = #k::Listed<#name>;
                fn default_values(_scope: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<#name>, #k::std::string::String>
                {
                    #k::std::result::Result::Ok(#k::std::vec::Vec::from([#( #name::#variants ),*]))
                }
            }

            #[automatically_derived]
            impl #k::Optional for #name #listed {
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

/// After a mistake: the messages, and impls that type-check, so that nothing else is reported.
pub(crate) fn fallback(input: &DeriveInput, errors: Error) -> TokenStream {
    let messages = errors.into_compile_error();
    if !input.generics.params.is_empty() {
        return messages;
    }
    let krate = class_attrs(&input.attrs, &mut Errors::default()).krate.unwrap_or_else(default_crate);
    let impls = match &input.data {
        Data::Struct(data) => fallback_class(input, &data.fields, &krate),
        Data::Enum(_) => fallback_plain(&input.ident, &krate),
        Data::Union(_) => TokenStream::new(),
    };
    quote!(#messages #impls)
}

fn fallback_class(input: &DeriveInput, fields: &Fields, krate: &Path) -> TokenStream {
    let (name, view, vis) = (&input.ident, view_name(&input.ident), &input.vis);
    let k = quote!(#krate::__private);
    let (types, field_vis): (Vec<_>, Vec<_>) = fields.iter().map(|field| (&field.ty, &field.vis)).unzip();
    let names = fields.iter().map(|field| &field.ident);
    let view_item = match fields {
        Fields::Named(_) => quote!(#vis struct #view { #( #field_vis #names: #types, )* }),
        Fields::Unnamed(_) => quote!(#vis struct #view( #( #field_vis #types, )* );),
        Fields::Unit => quote!(#vis struct #view;),
    };
    let text = name.to_string();
    let lints = lints();
    quote! {
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
                fn each_strong(&self, _: &mut dyn #k::std::ops::FnMut(&dyn #k::AnyStrong)) {}
                fn sever(&mut self) {}
                fn sever_cells(&self) {}
            }
            impl #k::Finitize for #name {}
            impl #k::Lift for #name { type Lifted = #view; }
        };
    }
}

fn fallback_plain(name: &Ident, krate: &Path) -> TokenStream {
    let k = quote!(#krate::__private);
    let lints = lints();
    quote! {
        #lints
        const _: () = {
            impl #k::Field for #name {
                type Codec = #k::Listed<#name>;
                fn default_values(_: #k::std::primitive::usize)
                    -> #k::std::result::Result<#k::std::vec::Vec<#name>, #k::std::string::String>
                { #k::std::unreachable!() }
            }
            impl #k::Lift for #name { type Lifted = #name; }
        };
    }
}
