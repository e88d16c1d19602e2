//! Refuses inputs that korat cannot generate. Takes the parsed item, gives every reason, each on its token.

use syn::{Data, DeriveInput, Error, Field, GenericParam, Result, Type};

use super::attrs::field_attrs;
use crate::errors::Errors;

pub(crate) fn check(input: &DeriveInput) -> Result<()> {
    let mut errors = Errors::default();
    for param in &input.generics.params {
        if let GenericParam::Lifetime(param) = param {
            errors.push(Error::new_spanned(param, "types with a lifetime cannot be finitized; own what they borrow"));
        }
    }
    match &input.data {
        Data::Struct(data) => data.fields.iter().for_each(|field| check_field(field, &mut errors)),
        Data::Union(data) => {
            errors.push(Error::new_spanned(data.union_token, "unions cannot be finitized; use an enum"));
        }
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.push(Error::new_spanned(&input.ident, "an enum without variants has no values; add one"));
            }
            for variant in &data.variants {
                variant.fields.iter().for_each(|field| check_field(field, &mut errors));
                for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident("finitize")) {
                    let message = "a variant takes no attribute, all variants are generated; remove it";
                    errors.push(Error::new_spanned(attr, message));
                }
            }
        }
    }
    errors.into_result()
}

/// Types that no field can have unless its values are listed; rustc would report them with advice that leads nowhere.
fn check_field(field: &Field, errors: &mut Errors) {
    let Type::Reference(ty) = &field.ty else { return };
    if matches!(&ty.lifetime, Some(lifetime) if lifetime.ident != "static") {
        return;
    }
    let attrs = field_attrs(&field.attrs, &mut Errors::default());
    if attrs.values.is_none() && attrs.skip.is_none() {
        let message = "references cannot be finitized; own the object, as in `Option<Box<Node>>`, or list the values: \
                       `#[finitize(values = [..])]`";
        errors.push(Error::new_spanned(&field.ty, message));
    }
}
