//! Finds and replaces identifiers in arbitrary tokens. Skips an identifier after a dot, which is a field or a method.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// Returns the identifiers.
pub(super) fn words(tokens: TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    replaced(tokens, &mut |word| {
        words.push(word.to_string());
        None
    });
    words
}

/// Replaces each identifier by the tokens that `replace` returns for it, or keeps it if `replace` returns `None`.
pub(super) fn replaced(tokens: TokenStream, replace: &mut dyn FnMut(&Ident) -> Option<TokenStream>) -> TokenStream {
    let mut after_dot = false;
    let mut all = TokenStream::new();
    for token in tokens {
        let was_after_dot = std::mem::replace(&mut after_dot, false);
        match token {
            TokenTree::Ident(word) if !was_after_dot => match replace(&word) {
                Some(other) => all.extend(other),
                None => all.extend([TokenTree::Ident(word)]),
            },
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), replaced(group.stream(), replace));
                inside.set_span(group.span());
                all.extend([TokenTree::Group(inside)]);
            }
            TokenTree::Punct(punct) => {
                // `..x` is a range, not a field access.
                after_dot = punct.as_char() == '.' && !was_after_dot;
                all.extend([TokenTree::Punct(punct)]);
            }
            other => all.extend([other]),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::words;

    #[test]
    fn fields_are_no_words_and_ends_of_ranges_are() {
        assert_eq!(words(quote!(a.b(c) + 0..n)), ["a", "c", "n"]);
    }
}
