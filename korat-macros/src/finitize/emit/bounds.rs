//! Computes the bounds on type parameters that generated impls need.

use proc_macro2::TokenStream;
use syn::{GenericArgument, GenericParam, Generics, Ident, PathArguments, PathSegment, Type, parse_quote};

use super::super::hashers::is_hasher;
use super::super::model::Model;
use super::field::FieldTokens;
use crate::walk::visit::{self, Visit};

/// Returns the generics for an impl, with `PlainField` as a bound on every type parameter, or `HasherParameter` on hashers.
pub(crate) fn bounded(declared: &Generics, k: &TokenStream) -> Generics {
    let mut generics = without_defaults(declared);
    for param in generics.type_params_mut() {
        let is_hasher = is_hasher(&param.ident, declared);
        param.bounds.push(if is_hasher { parse_quote!(#k::HasherParameter) } else { parse_quote!(#k::PlainField) });
    }
    generics
}

/// Returns the generics without default values, which impls may not repeat.
pub(super) fn without_defaults(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => param.default = None,
            GenericParam::Const(param) => param.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    generics
}

/// Adds the bounds of keys, `Eq + Hash` or `Ord`, to type parameters that are keys of maps and sets. Structs usually
/// omit these bounds, and only the impls that look up keys state them.
pub(super) fn bound_keys(generics: &mut Generics, model: &Model, k: &TokenStream) {
    let mut keys = Keys::default();
    for field in model.variants.iter().flat_map(|variant| &variant.fields) {
        // Fields whose values are listed as a whole never look up a key.
        if let Some((_, source)) = &field.attrs.via {
            keys.visit_type(source);
        } else if field.attrs.values.is_none() && field.attrs.skip.is_none() {
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

/// Adds the bounds under which the view can name the cells of the fields: those types that name a parameter are fields.
pub(super) fn bound_fields(generics: &mut Generics, model: &Model, k: &TokenStream) {
    let params: Vec<Ident> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.clone()),
            GenericParam::Const(param) => Some(param.ident.clone()),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    for variant in &model.variants {
        for (at, field) in variant.fields.iter().enumerate() {
            let mut named = NamesParameter { params: &params, found: false };
            named.visit_type(&field.ty);
            if named.found {
                let bound = FieldTokens::new(&variant.fields, at, at, k).bound();
                generics.make_where_clause().predicates.push(bound);
            }
        }
    }
}

/// Looks for the name of a parameter.
struct NamesParameter<'p> {
    params: &'p [Ident],
    found: bool,
}

impl Visit for NamesParameter<'_> {
    fn visit_ident(&mut self, ident: &Ident) {
        self.found |= self.params.contains(ident);
    }
}

/// Collects the keys of maps and sets, and the parts of keys, that are a single identifier, and so possibly a type
/// parameter.
#[derive(Default)]
struct Keys {
    hashed: Vec<Ident>,
    ordered: Vec<Ident>,
}

/// Adds the identifiers of a key to `found`.
fn add_identifiers(key: &Type, found: &mut Vec<Ident>) {
    match key {
        Type::Path(key) => found.extend(key.path.get_ident().cloned()),
        Type::Tuple(key) => key.elems.iter().for_each(|part| add_identifiers(part, found)),
        Type::Array(key) => add_identifiers(&key.elem, found),
        // Any other type is not a type parameter.
        _ => {}
    }
}

impl Visit for Keys {
    fn visit_path_segment(&mut self, segment: &PathSegment) {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments
            && let Some(GenericArgument::Type(key)) = arguments.args.first()
        {
            match segment.ident.to_string().as_str() {
                "HashMap" | "HashSet" | "IndexMap" | "IndexSet" => add_identifiers(key, &mut self.hashed),
                "BTreeMap" | "BTreeSet" | "BinaryHeap" => add_identifiers(key, &mut self.ordered),
                _ => {}
            }
        }
        visit::visit_path_segment(self, segment);
    }
}
