//! Refuses inputs that korat cannot generate. Takes the parsed item, gives every reason, each on its token.

use syn::{Data, DeriveInput, Error, Fields, Result};

use super::attrs::Errors;

pub(crate) fn check(input: &DeriveInput) -> Result<()> {
    let mut errors = Errors::default();
    if let Some(param) = input.generics.params.first() {
        let message = "generic types cannot be finitized yet; derive `Finitize` for a type without parameters";
        errors.push(Error::new_spanned(param, message));
    }
    match &input.data {
        Data::Struct(_) => {}
        Data::Union(data) => {
            errors.push(Error::new_spanned(data.union_token, "unions cannot be finitized; use an enum"));
        }
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.push(Error::new_spanned(&input.ident, "an enum without variants has no values; add one"));
            }
            for variant in &data.variants {
                if !matches!(variant.fields, Fields::Unit) {
                    let message = "enums with data cannot be finitized yet; use a struct, or list the values on the \
                                   field with `#[finitize(values = [..])]`";
                    errors.push(Error::new_spanned(&variant.fields, message));
                }
            }
            for variant in &data.variants {
                for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident("finitize")) {
                    let message = "nothing is known for a variant; all variants are generated";
                    errors.push(Error::new_spanned(attr, message));
                }
            }
        }
    }
    errors.into_result()
}
