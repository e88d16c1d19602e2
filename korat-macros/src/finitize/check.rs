//! Rejects inputs that korat cannot generate, reporting every reason on its token.

use syn::{Data, DeriveInput, Error, Field, Fields, GenericParam, Ident, Result, Type};

use super::attrs::field_attrs;
use super::types::{argument, has_map, leaf_type, parts};
use crate::errors::Errors;

pub(crate) fn check(input: &DeriveInput) -> Result<()> {
    let mut errors = Errors::default();
    for param in &input.generics.params {
        if let GenericParam::Lifetime(param) = param {
            errors.push(Error::new_spanned(param, "types with a lifetime cannot be finitized; own what they borrow"));
        }
    }
    match &input.data {
        Data::Struct(data) => check_fields(&data.fields, &mut errors),
        Data::Union(data) => {
            errors.push(Error::new_spanned(data.union_token, "unions cannot be finitized; use an enum"));
        }
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.push(Error::new_spanned(&input.ident, "an enum without variants has no values; add one"));
            }
            for variant in &data.variants {
                check_fields(&variant.fields, &mut errors);
                for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident("finitize")) {
                    let message = "a variant takes no attribute, all variants are generated; remove it";
                    errors.push(Error::new_spanned(attr, message));
                }
            }
        }
    }
    errors.into_result()
}

fn check_fields(fields: &Fields, errors: &mut Errors) {
    fields.iter().for_each(|field| check_field(field, errors));
    check_beside(fields, errors);
}

/// Checks that `beside` names a field of the same struct or variant, and that no chain of them is a cycle.
fn check_beside(fields: &Fields, errors: &mut Errors) {
    let beside: Vec<Option<Ident>> = fields
        .iter()
        .map(|field| field_attrs(&field.attrs, &mut Errors::default()).beside.map(|(_, vector)| vector))
        .collect();
    let place = |name: &Ident| fields.iter().position(|field| field.ident.as_ref() == Some(name));
    for (at, field) in fields.iter().enumerate() {
        let Some(vector) = &beside[at] else { continue };
        let Some(mut next) = place(vector) else {
            let message = format!(
                "no field `{vector}` here; `beside` names a vector of the same struct, whose length this one has"
            );
            errors.push(Error::new_spanned(vector, message));
            continue;
        };
        let mut around = vec![at];
        while !around.contains(&next) {
            around.push(next);
            let Some(further) = beside[next].as_ref().and_then(place) else { break };
            next = further;
        }
        // Report a cycle once, on its first field.
        if next == at && around.iter().all(|&other| at <= other) {
            let field = field.ident.as_ref().map(Ident::to_string).unwrap_or_default();
            let message =
                format!("`{field}` is parallel to itself; name the first vector in the `beside` of the others");
            errors.push(Error::new_spanned(vector, message));
        }
    }
}

/// Rejects a domain on an index. A map whose values are indices may have one, for its keys.
fn check_index(field: &Field, errors: &mut Errors) {
    let attrs = field_attrs(&field.attrs, &mut Errors::default());
    if let (Some((key, _)), Some(_)) = (&attrs.index_of, &attrs.domain)
        && !has_map(&field.ty)
    {
        errors.push(Error::new_spanned(key, "an index ranges over the elements of its arena; remove the domain"));
    }
}

/// Rejects types that have no values of their own, unless the values are listed or the field is skipped. Without this
/// check, rustc would report the type several times or give misleading advice.
fn check_field(field: &Field, errors: &mut Errors) {
    check_index(field, errors);
    let attrs = field_attrs(&field.attrs, &mut Errors::default());
    if attrs.values.is_some() || attrs.skip.is_some() || attrs.via.is_some() {
        return;
    }
    let leaf = leaf_type(&field.ty);
    if attrs.domain.is_none() && is_float(argument(leaf, "Option").unwrap_or(leaf)) {
        let message = "floats have no default values; list some: `#[finitize([0.0, 0.5])]`";
        errors.push(Error::new_spanned(&field.ty, message));
    }
    let Some(found) = never_finite(&field.ty) else { return };
    let message = match found {
        // The lifetime is rejected where it is declared.
        Type::Reference(ty) if ty.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident != "static") => return,
        Type::Reference(_) => {
            "references cannot be finitized; own the object, as in `Option<Box<Node>>`, or list the values: \
             `#[finitize(values = [..])]`"
        }
        Type::TraitObject(_) => {
            "trait objects cannot be finitized, their types are not known; use an enum of these types, or leave the field \
             out: `#[finitize(skip = ..)]`"
        }
        _ => "function pointers cannot be finitized; list the values: `#[finitize(values = [..])]`",
    };
    errors.push(Error::new_spanned(found, message));
}

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("f32") || path.path.is_ident("f64"))
}

/// Returns the type, or the first part of it behind pointers or inside std containers, that has no values of its own.
fn never_finite(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(_) | Type::TraitObject(_) | Type::FnPtr(_) => Some(ty),
        _ => parts(ty).into_iter().find_map(never_finite),
    }
}
