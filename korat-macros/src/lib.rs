//! Procedural macros of korat. Users reach them through `korat-test`, as `korat::Finitize` and `korat::rep_ok`.
//!
//! Each macro is a pipeline with one file or folder per stage: `finitize` runs `attrs -> model -> check -> emit`, and
//! `rep_ok` runs `parse -> lift -> lower -> emit`. Every error points at the token at fault, all errors are reported at
//! once, and the user's item is emitted in any case, so that one mistake causes one message.

mod errors;
mod finitize;
mod instances;
mod rep_ok;
mod walk;

use proc_macro::TokenStream;

/// Lets korat generate values of a type: a struct or an enum with data becomes a class, an enum without data a plain type.
///
/// korat chooses the fields of a class one by one, as the predicate reads them. It lists the values of a plain type as
/// a whole; a plain type must be `Clone + PartialEq + Debug`. Type parameters are plain types, unless `instances` lists others.
///
/// Attributes of a type:
///
/// - `#[finitize(objects = expr)]` sets the maximum number of objects of a class. The default is `scope`.
/// - `#[finitize(plain)]` makes the type plain; its values are all combinations of the values of its fields.
/// - `#[finitize(copy)]`, on a struct of pointers and plain values that is `Copy`, lets a predicate copy it like a number;
///   `copy(PartialEq, Hash)` names the operators that the type derives.
/// - `#[finitize(id)]`, on a newtype around an integer, makes it plain and usable as an index with `index_of`.
/// - `#[finitize(instances(List<Node>, List<String>))]`, on a generic class, generates these instances, with any
///   arguments.
/// - `#[finitize(crate = path)]` sets the path to the korat crate.
///
/// Attributes of a field of a struct or variant:
///
/// - `#[finitize(expr)]` sets the domain: any iterator of values that fit the field's type; `expr` may use `scope`. For
///   a vector or an array it is the domain of each element, for a map or a set the domain of the keys, for a string the
///   domain of the characters.
/// - `#[finitize(values = [..])]` lists whole values of exactly the field's type, which can be any type that is
///   `Clone + PartialEq + Debug`.
/// - `#[finitize(via = Vec<(K, V)>)]` makes the values of any container from those of a `Vec`, a `BTreeMap` or a `BTreeSet`.
/// - `#[finitize(len = expr)]` sets the lengths of a vector, a deque or a string.
/// - `#[finitize(index_of = nodes)]` declares an index into the vector `nodes`; with `none = expr`, that value means
///   "no element".
/// - `#[finitize(beside = nodes)]` declares a vector parallel to the vector `nodes` of the same struct: both always
///   have the same length, and wherever the order of `nodes` is irrelevant, the elements of both are permuted together.
/// - `#[finitize(identity)]` and `#[finitize(identity = "group")]` declare that only equality of the values matters;
///   values are generated up to renaming.
/// - `#[finitize(set)]` declares that the order of a vector's elements does not matter.
/// - `#[finitize(skip = expr)]` excludes the field from the search. It always has this value, which can be of any type
///   and is evaluated for each object.
///
/// Default domains: a `bool` has both values; an integer `0..=scope`; a `NonZero` `1..=scope`; a `char` the first `scope + 1`
/// letters from `'a'`; a string up to `scope` characters, each `'a'` or `'b'`; an enum without data all its variants. An
/// `Option` starts with `None`, the length of a vector is `0..=scope`, and a map or a set takes every subset of its keys.
#[proc_macro_derive(Finitize, attributes(finitize))]
pub fn derive_finitize(input: TokenStream) -> TokenStream {
    finitize::expand(input.into()).into()
}

/// Emits an `impl` block unchanged and, next to it, the form of its `rep_ok` that the search runs.
///
/// The block contains `fn rep_ok(&self) -> bool` and the functions to which it passes parts of the structure. Other
/// methods are not transformed.
///
/// - `#[rep_ok(plain(Type, path::Type, ..))]` declares that these types, which the block names, are not part of the structure.
/// - `#[rep_ok(instances(List<Node>, ..))]`, on a generic block, transforms it for these instances of the class only.
/// - `#[rep_ok(helpers)]` marks a block without `rep_ok` whose methods another block calls, a trait's included, or a function.
/// - `#[rep_ok(helpers, copy)]` marks a block of a type that is marked `#[finitize(copy)]`.
/// - `#[rep_ok(uses(function, ..))]` names the marked functions that the block calls.
/// - `#[rep_ok(reexecute)]` runs `rep_ok` from the top for every candidate.
/// - `#[rep_ok(filter = path)]` builds the values that `rep_ok` accepts, and keeps those for which a function of `&Self` returns `true`.
/// - `#[rep_ok(panics = invalid)]` makes a panic reject a value.
/// - `#[rep_ok(crate = path)]` sets the path to the korat crate.
#[proc_macro_attribute]
pub fn rep_ok(args: TokenStream, item: TokenStream) -> TokenStream {
    rep_ok::expand(args.into(), item.into()).into()
}
