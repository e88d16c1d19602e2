//! What the code for one field is made of.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Ident, Type};

use super::super::model::{FieldModel, Variant};
use super::super::types::{argument, leaf_type};
use super::spans::{across, ends};

/// What the code for one field is made of. Every piece that can fail to type-check has the user's type as its span, from
/// the first token to the last: a type that korat does not know is then reported there, in the same words each time, and
/// rustc says the same thing once.
pub(super) struct FieldTokens<'m> {
    pub(super) field: &'m FieldModel,
    codec: TokenStream,
    /// That of the vector that it lies beside.
    beside: Option<TokenStream>,
    /// Which of all fields it is.
    pub(super) number: usize,
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

impl<'m> FieldTokens<'m> {
    /// The field at a place among those of its struct or variant.
    pub(super) fn new(fields: &'m [FieldModel], at: usize, number: usize, k: &'m TokenStream) -> Self {
        let field = &fields[at];
        let beside = Variant::beside(fields, field).map(|beside| codec(&fields[beside], k));
        FieldTokens { field, codec: codec(field, k), beside, number, k }
    }
}

impl FieldTokens<'_> {
    /// The field of `__Plan`.
    pub(super) fn plan(&self) -> Ident {
        self.name("field")
    }

    /// The name of its cell.
    pub(super) fn cell(&self) -> Ident {
        self.name("cell")
    }

    /// The name of its value.
    pub(super) fn value(&self) -> Ident {
        self.name("value")
    }

    fn name(&self, what: &str) -> Ident {
        format_ident!("__korat_{what}_{}", self.number, span = ends(&self.field.ty).0)
    }

    /// `<codec as Codec>::part`.
    pub(super) fn part(&self, part: &str) -> TokenStream {
        let (codec, k, part) = (&self.codec, self.k, format_ident!("{part}"));
        across(&self.field.ty, quote!(<#codec as #k::Codec>::#part))
    }

    /// `<codec as Codec>::function(args)`.
    pub(super) fn call(&self, function: &str, args: TokenStream) -> TokenStream {
        let function = self.part(function);
        across(&self.field.ty, quote!(#function(#args)))
    }

    /// The same for a function that takes the user's value alone. Where the type has parts, it names the cell first: rustc would
    /// report a part two levels down in other words than where the cell is in use.
    pub(super) fn value_call(&self, function: &str, args: TokenStream) -> TokenStream {
        let (k, cell, call) = (self.k, self.part("Cell"), self.call(function, args));
        let has_parts = !matches!(&self.field.ty, Type::Path(path) if path.path.segments.iter().all(|segment| segment.arguments.is_empty()));
        let named = has_parts.then(|| quote!(#k::std::marker::PhantomData::<#cell>;));
        quote!(#named #call)
    }

    /// `(owner).member`; the parentheses can be anywhere, the name in them belongs to the function.
    pub(super) fn place(&self, owner: &str, member: &dyn ToTokens) -> TokenStream {
        let owner = format_ident!("{owner}");
        across(&self.field.ty, quote!((#owner).#member))
    }

    /// `name: value`, in the literal of a struct.
    pub(super) fn init(&self, name: &dyn ToTokens, value: &TokenStream) -> TokenStream {
        across(&self.field.ty, quote!(#name: #value))
    }

    /// The field of `__Plan`, planned.
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

    /// What the planner is told beforehand: that the field is an index, that only equality matters, that it is a set, that it lies
    /// beside another vector.
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
            quote!(#is_one(); #names_one(); #k::Planner::beside(__korat_planner, #vector);)
        });
        quote!(#index_of #identity #set #beside)
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
    pub(super) fn plain_values(&self, is_id: bool) -> TokenStream {
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
