//! The macros of korat. Users get them through `korat-test`, as `korat::Finitize` and `korat::rep_ok`.
//!
//! Both are pipelines, each stage in its own file: `finitize` runs `attrs -> model -> check -> emit`, `rep_ok` runs
//! `parse -> lift -> emit`. A mistake is reported on the token at fault, all mistakes at once, and the user's item is
//! emitted all the same, so that one mistake gives one message.

mod errors;
mod finitize;
mod rep_ok;

use proc_macro::TokenStream;

/// Makes a struct or an enum with data a class, or an enum without data a plain value, so that korat can generate it.
///
/// What is plain must be `Clone + PartialEq + Debug`. Type parameters stand for plain values.
///
/// On a type:
///
/// - `#[finitize(objects = expr)]` bounds the objects of a class; `scope` if nothing is said.
/// - `#[finitize(plain)]`: no class but a plain value, all combinations of its fields.
/// - `#[finitize(id)]`, on a newtype around an integer: plain, and an index for `index_of`.
/// - `#[finitize(crate = path)]` says where korat is.
///
/// On a field of a struct or of a variant:
///
/// - `#[finitize(expr)]` is its domain: any iterator of values that fit the field's type, with `scope` in it. Of a vector or
///   an array it is that of each element, of a map or a set the keys, of a text the letters.
/// - `#[finitize(values = [..])]` lists whole values, of exactly the field's type, which is any that is `Clone + PartialEq +
///   Debug`.
/// - `#[finitize(len = expr)]`: the lengths of a vector, a deque or a text.
/// - `#[finitize(index_of = nodes)]`: an index that stands for an element of the vector `nodes`; with `none = expr`, the index
///   that stands for none.
/// - `#[finitize(beside = nodes)]`: a vector with an element for each of the vector `nodes` of the same struct. Both always have
///   the same length, and where the elements of `nodes` have no order of their own, these move along with them.
/// - `#[finitize(identity)]`, `#[finitize(identity = "group")]`: only equality matters, values are generated up to renaming.
/// - `#[finitize(set)]`: the order of a vector's elements does not matter.
/// - `#[finitize(skip = expr)]`: always this value, of any type, evaluated for each object.
///
/// Defaults: a `bool` is both, an integer `0..=scope`, a `NonZero` `1..=scope`, a `char` the first `scope + 1` letters, a text up
/// to `scope` letters `'a'` and `'b'`, an enum without data all its variants, an `Option` is `None` first, a vector's length is
/// `0..=scope`, a map or a set has every subset of its keys.
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
/// `#[rep_ok(helpers)]` is for a block without `rep_ok` whose methods another one calls; `#[rep_ok(reexecute)]` runs `rep_ok` from
/// the top for every candidate; `#[rep_ok(crate = path)]` says where korat is.
#[proc_macro_attribute]
pub fn rep_ok(args: TokenStream, item: TokenStream) -> TokenStream {
    rep_ok::expand(args.into(), item.into()).into()
}
