//! Finds the type parameters that stand for hashers, which are not part of the structure. Generated code requires them to
//! be hashers, so that one mistaken for a hasher is an error of the compiler.

use syn::{
    Expr, GenericArgument, Generics, Ident, Path, PathArguments, PathSegment, Type, TypeParamBound, WherePredicate,
    parse_quote,
};

use super::model::{FieldModel, Variant};
use crate::walk::visit::{self, Visit};

/// Returns whether a type parameter has the bound `BuildHasher`, or a hasher of std as its default.
pub(super) fn is_hasher(name: &Ident, generics: &Generics) -> bool {
    let of_param = generics.type_params().filter(|param| param.ident == *name).any(|param| {
        let default = param.default.as_ref().is_some_and(|(_, ty)| is_hasher_of_std(ty));
        default || param.bounds.iter().any(builds_hashers)
    });
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let mut bounds = clauses.filter_map(|predicate| match predicate {
        WherePredicate::Type(bound) if is_named(&bound.bounded_ty, name) => Some(&bound.bounds),
        _ => None,
    });
    of_param || bounds.any(|bounds| bounds.iter().any(builds_hashers))
}

fn builds_hashers(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "BuildHasher"))
}

fn is_hasher_of_std(ty: &Type) -> bool {
    let Type::Path(ty) = ty else { return false };
    ty.path.segments.last().is_some_and(|last| last.ident == "RandomState" || last.ident == "BuildHasherDefault")
}

fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

/// States in the generics which parameters are hashers of maps and sets in the fields, and makes fields that are hashers
/// with `Default::default()`.
pub(super) fn note_hashers(generics: &mut Generics, variants: &mut [Variant], krate: &Path) {
    let mut used = HashersOfMaps::default();
    variants.iter().flat_map(|variant| &variant.fields).for_each(|field| used.visit_type(&field.ty));
    for param in generics.type_params_mut().filter(|param| used.0.contains(&param.ident)) {
        param.bounds.push(parse_quote!(#krate::__private::std::hash::BuildHasher));
    }
    let hashers: Vec<Ident> =
        generics.type_params().map(|param| param.ident.clone()).filter(|name| is_hasher(name, generics)).collect();
    for field in variants.iter_mut().flat_map(|variant| &mut variant.fields) {
        let FieldModel { ty, attrs, .. } = field;
        if let Some(hasher) = hashers.iter().find(|name| is_named(ty, name))
            && attrs.skip.is_none()
        {
            let made: Expr = parse_quote!(<#hasher as #krate::__private::std::default::Default>::default());
            attrs.skip = Some((hasher.clone(), made));
        }
    }
}

/// Collects the identifiers in the place of the hasher of maps and sets.
#[derive(Default)]
struct HashersOfMaps(Vec<Ident>);

impl Visit for HashersOfMaps {
    fn visit_path_segment(&mut self, segment: &PathSegment) {
        let place = match segment.ident.to_string().as_str() {
            "HashMap" | "IndexMap" => Some(2),
            "HashSet" | "IndexSet" => Some(1),
            _ => None,
        };
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments
            && let Some(GenericArgument::Type(Type::Path(hasher))) = place.and_then(|place| arguments.args.get(place))
        {
            self.0.extend(hasher.path.get_ident().cloned());
        }
        visit::visit_path_segment(self, segment);
    }
}
