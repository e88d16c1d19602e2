//! Writes the impls of a class or a plain type. Takes a model, gives tokens; decides nothing.
//!
//! For `struct Node { key: usize, next: Option<Box<Node>> }` the result is, in short:
//!
//! ```ignore
//! struct __KoratNode { key: Slot<usize>, next: Slot<Option<twin::Box<__KoratNode>>> }   // the view
//! struct __Plan { key: .., next: .. }                                                  // what is known before objects
//! impl Class for Node { /* plan, alternatives, visit, materialise, abstract_to: field by field, through the codecs */ }
//! impl Finitize for Node {}
//! ```
//!
//! The view of an enum is an enum with the same variants, and a slot says which of them an object has.

mod bounds;
mod class;
mod fallback;
mod field;
mod plain;
mod spans;

pub(crate) use bounds::bounded;
pub(crate) use fallback::fallback;

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Kind, Model};

pub(crate) fn emit(model: &Model) -> TokenStream {
    match model.kind {
        Kind::Class => class::emit_class(model),
        Kind::Plain => plain::emit_plain(model),
    }
}

/// The lints that generated code is exempt from. `warnings` leaves out what the user's crate denies by name. `unsafe_code` is
/// not among them: nothing unsafe is generated, and a crate that forbids it would not compile.
pub(crate) fn lints() -> TokenStream {
    quote!(#[allow(
        warnings, future_incompatible, let_underscore, nonstandard_style, rust_2018_idioms, unused,
        dangerous_implicit_autorefs, explicit_outlives_requirements, missing_copy_implementations,
        missing_debug_implementations, missing_docs, private_bounds, private_interfaces, single_use_lifetimes,
        trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_pub, unused_import_braces, unused_lifetimes,
        unused_qualifications, unused_results,
        variant_size_differences, clippy::all, clippy::cargo, clippy::nursery, clippy::pedantic, clippy::restriction
    )])
}
