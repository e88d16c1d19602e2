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
    let mut text = in_file.unwrap_or_else(|| one_line(tokens));
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

/// Tokens on one line.
pub(super) fn one_line(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tokens on one line, nearly as the user wrote them: without the reads and the paths that lifting has put in.
pub(super) fn shown(tokens: &impl ToTokens) -> String {
    let text = one_line(tokens);
    let text = text.replace(":: korat :: __private :: twin :: ", "").replace(":: korat :: __private :: ", "");
    let mut plain = String::new();
    let mut rest = text.as_str();
    // `(* (& x . f) . __korat_read ())` was `x . f`.
    while let Some(end) = rest.find(") . __korat_read ())") {
        let Some(start) = rest[..end].rfind("(* (& ") else { break };
        plain.push_str(&rest[..start]);
        plain.push_str(&rest[start + "(* (& ".len()..end]);
        rest = &rest[end + ") . __korat_read ())".len()..];
    }
    plain.push_str(rest);
    for (spaced, tight) in
        [(" . ", "."), (" (", "("), (" ;", ";"), (" ,", ","), ("& ", "&"), ("* ", "*"), ("! ", "!"), (" :: ", "::")]
    {
        plain = plain.replace(spaced, tight);
    }
    plain
}
