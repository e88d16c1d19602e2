//! A hash of the invariant as it is written, by which reports of two programs tell invariants apart.

use std::hash::Hasher;

use fnv::FnvHasher;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns 64-bit FNV-1a of the tokens, wherever they stand and whatever space is between them.
pub(crate) fn digest<'t>(all: impl IntoIterator<Item = &'t dyn ToTokens>) -> u64 {
    let mut digest = FnvHasher::default();
    all.into_iter().for_each(|tokens| add_all(&mut digest, tokens.to_token_stream()));
    digest.finish()
}

fn add_all(digest: &mut FnvHasher, tokens: TokenStream) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let [begin, end] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => ["", ""],
                };
                add(digest, begin);
                add_all(digest, group.stream());
                add(digest, end);
            }
            token => add(digest, &token.to_string()),
        }
    }
}

/// Adds a token and a terminator that occurs in none.
fn add(digest: &mut FnvHasher, token: &str) {
    digest.write(token.as_bytes());
    digest.write(&[0xff]);
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::digest;

    #[test]
    fn other_tokens_have_another_digest() {
        let all = [quote!(a < b), quote!(a <= b), quote!(b < a), quote!((a) < b), quote!({ a } < b), quote!(a < b, c)];
        let mut digests = all.map(|tokens| digest([&tokens as &dyn ToTokens]));
        digests.sort_unstable();
        assert!(digests.is_sorted_by(|one, two| one < two));
    }

    #[test]
    fn space_does_not_count() {
        let [one, two] = ["a<b.c( 1,\n 2 )", "a < b . c(1, 2)"].map(|text| text.parse().unwrap());
        let digest = |tokens: proc_macro2::TokenStream| digest([&tokens as &dyn ToTokens]);
        assert_eq!(digest(one), digest(two));
    }
}
