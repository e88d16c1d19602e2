//! Names that a format string captures: `{x}` in `format!("{x}")`.

use proc_macro2::{TokenStream, TokenTree};

/// Returns the names in the braces of a string literal.
pub(in crate::rep_ok) fn captures(literal: &str) -> Vec<String> {
    if !literal.ends_with('"') && !literal.ends_with('#') {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut rest = literal.replace("{{", "");
    while let Some(open) = rest.find('{') {
        rest = rest.split_off(open + 1);
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let end = rest.find('}').unwrap_or(rest.len());
        // `{:>width$}` also names a local.
        let widths = rest[..end]
            .split('$')
            .map(|part| part.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string());
        let widths: Vec<String> = widths.take(rest[..end].matches('$').count()).collect();
        for name in std::iter::once(name).chain(widths) {
            if name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name != "_" {
                names.push(name);
            }
        }
    }
    names
}

/// Returns whether the macro has an argument `name = ..`.
pub(in crate::rep_ok) fn is_argument(tokens: &TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.windows(2).any(|pair| {
        matches!(&pair[0], TokenTree::Ident(ident) if ident == name)
            && matches!(&pair[1], TokenTree::Punct(punct) if punct.as_char() == '=')
    })
}
