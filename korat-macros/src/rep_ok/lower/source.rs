//! Locates statements in the user's source and renders them, for messages only.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Maximum number of characters in the text of a statement.
const LONGEST: usize = 80;

/// Returns the line of a statement and its text, taken from the source file if that is readable.
pub(super) fn line_of(tokens: &dyn ToTokens) -> (usize, String) {
    let attribute = Span::call_site().start();
    let mut spans = Vec::new();
    collect(tokens.to_token_stream(), &mut spans);
    // Generated tokens have the position of the attribute.
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

/// Renders tokens on one line.
pub(super) fn one_line(tokens: &dyn ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Renders tokens on one line, close to what the user wrote: without the reads and paths that lifting inserted.
pub(super) fn shown(tokens: &dyn ToTokens) -> String {
    let text = one_line(tokens);
    let text = text.replace(":: korat :: __private :: twin :: ", "").replace(":: korat :: __private :: ", "");
    let mut plain = String::new();
    let mut rest = text.as_str();
    // Turn `(* (& x . f) . __korat_read ())` back into `x . f`.
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
