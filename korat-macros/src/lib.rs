//! The macros of korat. Users get them through `korat-test`, as `korat::Finitize` and `korat::rep_ok`.
//!
//! Both are pipelines, each stage in its own file: `finitize` runs `attrs -> model -> check -> emit`, `rep_ok` runs
//! `parse -> lift -> emit`. A mistake is reported on the token at fault, all mistakes at once, and the user's item is
//! emitted all the same, so that one mistake gives one message.

mod errors;
mod finitize;
mod rep_ok;

use proc_macro::TokenStream;

/// Makes a struct a class, or a fieldless enum a plain value, so that korat can generate it.
///
/// An enum must be `Clone + PartialEq + Debug`. On a struct: `#[finitize(objects = expr)]` bounds its objects (default:
/// `scope`), `#[finitize(crate = path)]` says where korat is. On a field: `#[finitize(expr)]` gives
/// the domain, any iterator of the field's type, with `scope` in it; `#[finitize(values = [..])]` lists it, for a type of
/// any kind that is `Clone + PartialEq + Debug`, items of exactly that type; `#[finitize(len = expr)]` lists the lengths of
/// a vector. Defaults: a
/// `bool` is both, an integer `0..=scope`, a `char` the first letters, a fieldless enum all its variants, an `Option` is
/// `None` first, a vector's length `0..=scope`.
#[proc_macro_derive(Finitize, attributes(finitize))]
pub fn derive_finitize(input: TokenStream) -> TokenStream {
    finitize::expand(input.into()).into()
}

/// Emits the `impl` block untouched and, beside it, the form of its `rep_ok` that the search runs.
///
/// The block has `fn rep_ok(&self) -> bool` and the functions that it hands parts of the structure to. Its other methods
/// stay as they are.
///
/// `#[rep_ok(plain(Type, path::Type, ..))]` says that types named in the block are not part of the structure;
/// `#[rep_ok(helpers)]` is for a block without `rep_ok` whose methods another one calls; `#[rep_ok(crate = path)]` says where
/// korat is.
#[proc_macro_attribute]
pub fn rep_ok(args: TokenStream, item: TokenStream) -> TokenStream {
    rep_ok::expand(args.into(), item.into()).into()
}
