//! Emits the code fragments of one field.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Ident, Type, WherePredicate, parse_quote};

use super::super::model::{FieldModel, Model, Variant};
use super::super::types::{argument, leaf_type};
use super::spans::{across, ends};

/// Emits the code fragments of one field. Each fragment that may fail to type-check carries the span of the user's type
/// on its first and last token. If korat does not support that type, every error then has the same location and text,
/// and rustc reports only one of them.
pub(super) struct FieldTokens<'m> {
    pub(super) field: &'m FieldModel,
    codec: TokenStream,
    /// Codec of the vector that this field lies beside.
    beside: Option<TokenStream>,
    /// Index of the field among all fields of the type, across variants.
    pub(super) number: usize,
    /// `::korat::__private`.
    k: &'m TokenStream,
}

fn codec(field: &FieldModel, k: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    if field.attrs.skip.is_some() {
        across(ty, quote!(#k::Skipped<#ty>))
    } else if field.attrs.values.is_some() || field.attrs.via.is_some() {
        across(ty, quote!(#k::Listed<#ty>))
    } else {
        across(ty, quote!(<#ty as #k::Field>::Codec))
    }
}

impl<'m> FieldTokens<'m> {
    /// Creates the fragments of `fields[at]`, where `fields` are those of one struct or variant.
    pub(super) fn new(fields: &'m [FieldModel], at: usize, number: usize, k: &'m TokenStream) -> Self {
        let field = &fields[at];
        let beside = Variant::beside(fields, field).map(|beside| codec(&fields[beside], k));
        FieldTokens { field, codec: codec(field, k), beside, number, k }
    }
}

impl FieldTokens<'_> {
    /// Returns the bound under which the field has a codec.
    pub(super) fn bound(&self) -> WherePredicate {
        let (k, ty, codec) = (self.k, &self.field.ty, &self.codec);
        if self.field.attrs.skip.is_some() || self.field.attrs.values.is_some() || self.field.attrs.via.is_some() {
            parse_quote!(#codec: #k::Codec)
        } else {
            parse_quote!(#ty: #k::Field)
        }
    }

    /// Returns the name of the field in `__Plan`.
    pub(super) fn plan(&self) -> Ident {
        self.name("field")
    }

    /// Returns the variable that the pattern of the view binds to the cell.
    pub(super) fn cell(&self) -> Ident {
        self.name("cell")
    }

    /// Returns the variable that the pattern of the user's type binds to the value.
    pub(super) fn value(&self) -> Ident {
        self.name("value")
    }

    fn name(&self, what: &str) -> Ident {
        format_ident!("__korat_{what}_{}", self.number, span = ends(&self.field.ty).0)
    }

    /// Returns `<codec as Codec>::part`.
    pub(super) fn part(&self, part: &str) -> TokenStream {
        let (codec, k, part) = (&self.codec, self.k, format_ident!("{part}"));
        across(&self.field.ty, quote!(<#codec as #k::Codec>::#part))
    }

    /// Returns `<codec as Codec>::function(args)`.
    pub(super) fn call(&self, function: &str, args: TokenStream) -> TokenStream {
        let function = self.part(function);
        across(&self.field.ty, quote!(#function(#args)))
    }

    /// Returns `<codec as Codec>::function(args)` for a function that takes only the user's value. If the type has
    /// generic arguments, names the cell first: for a type two levels down, rustc would otherwise word the error
    /// differently from the one at the use of the cell, and report both.
    pub(super) fn value_call(&self, function: &str, args: TokenStream) -> TokenStream {
        let (k, cell, call) = (self.k, self.part("Cell"), self.call(function, args));
        let has_parts = !matches!(&self.field.ty, Type::Path(path) if path.path.segments.iter().all(|segment| segment.arguments.is_empty()));
        let named = has_parts.then(|| quote!(#k::std::marker::PhantomData::<#cell>;));
        quote!(#named #call)
    }

    /// Returns the call that writes the field into a canonical form, of which a skipped field is no part.
    pub(super) fn write_form(&self) -> TokenStream {
        let value = self.value();
        match &self.field.attrs.skip {
            Some(_) => quote!(let _ = #value),
            None => {
                // The object's class names the variant.
                let name = self.field.text.rsplit('.').next();
                let write = self.value_call("write_form", quote!(#value, __korat_to));
                quote!(__korat_to.field(#name); #write)
            }
        }
    }

    /// Returns the field's value from a canonical form.
    pub(super) fn read_form(&self) -> TokenStream {
        let (k, leaf) = (self.k, self.part("Leaf"));
        match &self.field.attrs.skip {
            // As in the plan, so that a mistake in the expression gets one message.
            Some((_, expr)) => quote!({
                let __korat_make: #leaf = |scope: #k::std::primitive::usize| #expr;
                __korat_make(__korat_from.scope())
            }),
            None => self.call("read_form", quote!(__korat_from)),
        }
    }

    /// Returns `(owner).member`. The parentheses carry the user's span, while `owner` stays an identifier of the
    /// generated function.
    pub(super) fn place(&self, owner: &str, member: &dyn ToTokens) -> TokenStream {
        let owner = format_ident!("{owner}");
        across(&self.field.ty, quote!((#owner).#member))
    }

    /// Returns `name: value`, for a struct literal.
    pub(super) fn init(&self, name: &dyn ToTokens, value: &TokenStream) -> TokenStream {
        across(&self.field.ty, quote!(#name: #value))
    }

    /// Returns the initializer of the field in `__Plan`.
    pub(super) fn planned(&self) -> TokenStream {
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

    /// Returns the calls that tell the planner, before the field is planned, that it is an index, that only equality
    /// matters, that it is a set, or that it lies beside another vector.
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
        let beside = attrs.beside.as_ref().zip(self.beside.as_ref()).map(|((key, vector), of_vector)| {
            let (own, of_vector) = (across(key, self.codec.clone()), across(vector, of_vector.clone()));
            let (is_one, names_one) =
                (across(key, quote!(#k::elementwise::<#own>)), across(vector, quote!(#k::elementwise::<#of_vector>)));
            let vector = vector.to_string();
            quote!(#is_one(); #names_one(); #k::Planner::parallel_to(__korat_planner, #vector);)
        });
        quote!(#index_of #identity #set #beside)
    }

    /// Returns the domain of one slot of the field.
    fn values(&self) -> TokenStream {
        let (k, ty) = (self.k, &self.field.ty);
        let default_values = across(ty, quote!(<#ty as #k::Field>::default_values));
        self.values_of(&self.part("Leaf"), &across(ty, quote!(#default_values(scope))))
    }

    /// Returns the values listed by the attributes, each of type `leaf`, or `default_values`.
    fn values_of(&self, leaf: &TokenStream, default_values: &TokenStream) -> TokenStream {
        let k = self.k;
        if let Some((_, expr)) = &self.field.attrs.skip {
            quote!(#k::std::result::Result::Ok({
                let __korat_make: #leaf = |scope: #k::std::primitive::usize| #expr;
                #k::std::vec::Vec::from([__korat_make])
            }))
        } else if let Some((_, source)) = &self.field.attrs.via {
            let lens = match &self.field.attrs.len {
                Some((_, lens)) => quote!(#k::std::option::Option::Some(#k::listed(#lens))),
                None => quote!(#k::std::option::Option::None),
            };
            let made = across(source, quote!(#k::values_via::<#leaf, #source>));
            across(source, quote!(#made(scope, #lens)))
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

    /// Returns the values of a field of a plain type, whose values are listed as a whole.
    pub(super) fn plain_values(&self, model: &Model) -> TokenStream {
        let (k, ty) = (self.k, &self.field.ty);
        match &self.field.attrs.skip {
            Some((_, expr)) => quote!(#k::std::result::Result::Ok::<_, #k::std::string::String>(
                #k::std::vec::Vec::from([#expr])
            )),
            None => {
                let all = match &model.offset {
                    Some(offset) => {
                        let into_values = across(ty, quote!(#k::into_values::<#ty, _>));
                        across(ty, quote!(#into_values(#offset..=scope)))
                    }
                    None if model.is_id => {
                        let all = across(ty, quote!(<#ty as #k::Position>::all));
                        across(ty, quote!(#all(scope)))
                    }
                    None => {
                        let all = across(ty, quote!(#k::plain_values::<#ty>));
                        across(ty, quote!(#all(scope)))
                    }
                };
                self.values_of(&ty.to_token_stream(), &all)
            }
        }
    }

    /// Returns the lengths given by `len`, or `None`.
    fn len(&self) -> TokenStream {
        let k = self.k;
        let Some((key, expr)) = self.field.attrs.len.as_ref().filter(|_| self.field.attrs.via.is_none()) else {
            return quote!(#k::std::option::Option::None);
        };
        let codec = across(key, self.codec.clone());
        quote!(#k::lens::<#codec>(#expr))
    }
}
