//! Where a statement stands in the user's source, and what it says there. For people only: nothing depends on it.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The longest text of a statement.
const LONGEST: usize = 80;

/// The line of a statement, and its text as far as it can be had.
pub(super) fn line_of(tokens: &impl ToTokens) -> (usize, String) {
    let attribute = Span::call_site().start();
    let mut spans = Vec::new();
    collect(tokens.to_token_stream(), &mut spans);
    // Tokens that this crate has put in stand where the attribute does.
    let own = spans.iter().find(|span| span.start() != attribute).copied().unwrap_or_else(Span::call_site);
    let line = own.start().line;
    let in_file = own.local_file().and_then(|path| {
        let text = std::fs::read_to_string(path).ok()?;
        text.lines().nth(line.checked_sub(1)?).map(|line| line.trim().to_string())
    });
    let mut text = in_file.unwrap_or_else(|| super::one_line(tokens));
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push_str(" ..");
    }
    (line, text)
}

fn collect(tokens: TokenStream, spans: &mut Vec<Span>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                spans.push(group.span_open());
                collect(group.stream(), spans);
            }
            token => spans.push(token.span()),
        }
    }
}
