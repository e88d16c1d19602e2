//! Writes the block and its lifted form. Takes the untouched tokens and the lifted methods, gives tokens.
//!
//! ```ignore
//! impl Tree { fn rep_ok(&self) -> bool { .. } }          // untouched
//! const _: () = {
//!     impl __KoratTree { fn rep_ok(&self) -> bool { .. } }   // lifted: inherent methods of the view, found by the same calls
//!     impl RepOk for Tree { .. }                             // both forms, for the search
//! };
//! ```

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, PathArguments, Type, TypePath};

use super::lift::Lifted;
use crate::finitize::view_name;

pub(crate) fn emit(untouched: TokenStream, lifted: &Lifted) -> TokenStream {
    let Lifted { class, methods, krate, .. } = lifted;
    let k = quote!(#krate::__private);
    let view = view_path(lifted);
    let rep_ok = lifted.has_rep_ok.then(|| {
        quote! {
            #[automatically_derived]
            impl #k::RepOk for #class {
                #[inline]
                fn lifted(view: &#view) -> #k::std::primitive::bool {
                    #view::rep_ok(view)
                }
                fn holds(&self) -> #k::std::primitive::bool {
                    #class::rep_ok(self)
                }
            }
        }
    });
    quote! {
        #untouched

        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        const _: () = {
            use #k::Read as _;

            #[automatically_derived]
            impl #view {
                #(#methods)*
            }

            #rep_ok
        };
    }
}

/// The view's path: the class's, with the view's name at the end.
fn view_path(lifted: &Lifted) -> Path {
    let Type::Path(TypePath { path, .. }) = &lifted.class else { unreachable!("`parse` takes a path only") };
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = view_name(&lifted.class_name);
        last.arguments = PathArguments::None;
    }
    path
}
