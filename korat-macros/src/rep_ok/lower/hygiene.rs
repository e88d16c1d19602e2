//! Hygienic names for generated code, which never clash with names of the user.

use proc_macro2::Span;
use quote::format_ident;
use syn::{Ident, Lifetime};

use super::ir::Method;

pub(super) fn own(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Returns the label of the loop over the blocks.
pub(super) fn machine_label() -> Lifetime {
    Lifetime::new("'machine", Span::mixed_site())
}

/// Returns the label of the loop around one block, which may be its own successor.
pub(super) fn block_label() -> Lifetime {
    Lifetime::new("'block", Span::mixed_site())
}

/// Returns the variable that holds the activation records of a method.
pub(super) fn frames_of(method: &Method) -> Ident {
    format_ident!("{}_frames", method.name.replace('.', "_in_").replace("r#", ""), span = Span::mixed_site())
}

/// Returns the variable that is the handle of a kept local in a closure.
pub(super) fn handle(name: &Ident) -> Ident {
    format_ident!("__korat_at_{}", name, span = Span::mixed_site())
}
