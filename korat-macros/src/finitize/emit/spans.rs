//! Gives generated tokens the spans of the user's tokens, so that type errors point at the user's code.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns `tokens` with the spans of the first token (two for a `::`) and the last token taken from `at`, so that rustc
/// points there; stable Rust cannot join two spans. `$crate` keeps its span, because that determines which crate it means.
pub(super) fn across(at: &dyn ToTokens, tokens: TokenStream) -> TokenStream {
    let (start, end) = ends(at);
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let first = tokens.iter().take_while(|token| is_colon(token)).count().max(1);
    for token in tokens.iter_mut().take(first).filter(|token| token.to_string() != "$crate") {
        token.set_span(start);
    }
    if let Some(last) = tokens.last_mut() {
        last.set_span(end);
    }
    tokens.into_iter().collect()
}

/// Returns the spans of the first and the last token.
pub(super) fn ends(tokens: &dyn ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    (start, spans.last().unwrap_or(start))
}
