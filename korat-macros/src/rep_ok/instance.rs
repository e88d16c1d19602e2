//! Turns a generic block into that of one instance. Its parameters become items of the same names, so that a `T` in a
//! method is lifted like the name of a class: whatever has that type is part of the structure.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, Generics, Result, Type};

use super::parse::RepOkImpl;
use crate::finitize::view_name;
use crate::instances::Instance;

/// Returns the block of one instance, and the items that it needs in scope: `type T = Node;`, and the view of `T` by the
/// name under which generic blocks look for views.
pub(super) fn block_of(block: &RepOkImpl, listed: &Type) -> Result<(RepOkImpl, TokenStream)> {
    let instance = Instance::of(&block.class, &block.generics, listed)?;
    let krate = &block.krate;
    let views = instance.arguments.iter().filter_map(|(param, _)| match param {
        GenericParam::Type(param) => {
            let (name, view) = (&param.ident, view_name(&param.ident));
            Some(quote!(type #view = <#name as #krate::__private::Lift>::Lifted;))
        }
        GenericParam::Const(_) | GenericParam::Lifetime(_) => None,
    });
    let (names, views): (_, TokenStream) = (instance.items(), views.collect());
    Ok((RepOkImpl { generics: Generics::default(), ..block.clone() }, quote!(#names #views)))
}
