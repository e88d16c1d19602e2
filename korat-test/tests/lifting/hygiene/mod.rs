//! Generated code assumes nothing: not that `Option` is std's, not that a field has a plain name, not where korat is.

#![deny(unused, nonstandard_style)]
#![forbid(missing_copy_implementations, missing_debug_implementations, missing_docs, unsafe_code)]

mod by_macro;
mod forbidding;
mod names;
mod paths;
mod renamed;
mod shadowed;

#[test]
fn the_prelude_may_be_shadowed() {
    // Two colors and two kinds of cells per node; one node with either key, or both keys in order.
    assert_eq!(shadowed::count(), 2 * 2 * 2 + 2 * 2 * 2);
}

#[test]
fn lints_of_unused_code_may_be_forbidden() {
    assert_eq!(forbidding::count(), 1 + 3 + 9);
}
