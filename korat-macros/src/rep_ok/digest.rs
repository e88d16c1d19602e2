//! A hash of the invariant as it is written, by which reports of two programs tell invariants apart.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns 64-bit FNV-1a of the tokens, wherever they stand and whatever space is between them.
pub(crate) fn digest<'t>(all: impl IntoIterator<Item = &'t dyn ToTokens>) -> u64 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    all.into_iter().for_each(|tokens| digest.add_all(tokens.to_token_stream()));
    digest.0
}

struct Digest(u64);

impl Digest {
    fn add_all(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let delimiters = match group.delimiter() {
                        Delimiter::Parenthesis => ["(", ")"],
                        Delimiter::Brace => ["{", "}"],
                        Delimiter::Bracket => ["[", "]"],
                        Delimiter::None => ["", ""],
                    };
                    self.add(delimiters[0]);
                    self.add_all(group.stream());
                    self.add(delimiters[1]);
                }
                token => self.add(&token.to_string()),
            }
        }
    }

    /// Adds a token and a terminator that occurs in none.
    fn add(&mut self, token: &str) {
        for byte in token.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
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
