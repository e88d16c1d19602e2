//! What generated code demands of type parameters.

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{GenericArgument, GenericParam, Generics, Ident, PathArguments, PathSegment, Type, parse_quote};

use super::super::model::Model;

/// The parameters as an impl needs them: type parameters stand for plain values.
pub(crate) fn bounded(generics: &Generics, k: &TokenStream) -> Generics {
    let mut generics = without_defaults(generics);
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote!(#k::PlainField));
    }
    generics
}

/// The parameters as any impl needs them.
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

/// Type parameters that are keys of maps and sets can be: structs seldom say it, only the impls that look keys up.
pub(super) fn bound_keys(generics: &mut Generics, model: &Model, k: &TokenStream) {
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
