//! Emits the impls of a class or a plain type from its `Model`.
//!
//! For `struct Node { key: usize, next: Option<Box<Node>> }`, the output is in essence:
//!
//! ```ignore
//! struct __KoratNode { key: Slot<usize>, next: Slot<Option<twin::Box<__KoratNode>>> }   // the view
//! struct __Plan { key: .., next: .. }                                                  // what is known before objects
//! impl Class for Node { /* plan, alternatives, visit, copy_out, materialise, abstract_to: field by field, through the codecs */ }
//! impl Finitize for Node {}
//! ```
//!
//! The view of an enum is an enum with the same variants; a slot holds the variant of each object.

mod bounds;
mod class;
mod fallback;
mod field;
mod held;
mod operators;
mod plain;
mod record;
mod spans;

pub(crate) use bounds::bounded;
pub(crate) use fallback::fallback;

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Model, TypeKind};

pub(crate) fn emit(model: &Model) -> TokenStream {
    match &model.kind {
        TypeKind::Class => class::emit_class(model),
        TypeKind::Plain => plain::emit_plain(model),
        TypeKind::Record(operators) => record::emit_record(model, operators),
    }
}

/// Returns the attribute that exempts generated code from lints. The other lints are listed because `warnings` does not
/// cover lints that the user's crate denies by name, and copies of the user's code keep its places. Absent are
/// lints that crates forbid, since allowing them, or a group that has them, is an error there: `unsafe_code`, `missing_docs`,
/// `dead_code`, `unused_must_use` and their like, which generated code does not offend. So the lints of the group `unused` are listed one by one.
pub(crate) fn lints() -> TokenStream {
    quote!(#[allow(
        warnings, future_incompatible, let_underscore, nonstandard_style, rust_2018_idioms,
        map_unit_fn, path_statements, redundant_semicolons, unreachable_code, unreachable_patterns, unused_allocation,
        unused_assignments, unused_attributes, unused_braces, unused_doc_comments, unused_imports, unused_labels,
        unused_macro_rules, unused_macros, unused_mut, unused_parens, unused_unsafe, unused_variables,
        dangerous_implicit_autorefs, explicit_outlives_requirements, private_bounds, private_interfaces,
        single_use_lifetimes, trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_pub,
        unused_import_braces, unused_lifetimes, unused_qualifications, unused_results,
        variant_size_differences, clippy::all, clippy::cargo, clippy::nursery, clippy::pedantic, clippy::restriction
    )])
}
