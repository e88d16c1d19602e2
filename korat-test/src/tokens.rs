//! Tokenizes a Rust file as far as needed to find a call and its arguments: words, matching brackets, literals and
//! other characters. Skips comments.

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Byte offset of the start; `end` is the offset after the last byte.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, a keyword or a number.
    Word,
    /// A string, a character or a lifetime.
    Literal,
    /// A single character of punctuation.
    Sign(char),
    /// An opening bracket, and the index of the token that closes it.
    Open(char, usize),
    /// A closing bracket, and the index of the token that opens it.
    Close(usize),
}

/// Returns the tokens of a file, or `None` if its brackets do not match.
pub(crate) fn tokens(source: &str) -> Option<Vec<Token>> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let len = passed_over(rest);
        if len > 0 {
            at += len;
            continue;
        }
        let (mut kind, len) = match literal(rest) {
            0 if is_of_word(first) => (Kind::Word, rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())),
            0 => (Kind::Sign(first), first.len_utf8()),
            len => (Kind::Literal, len),
        };
        let place = tokens.len();
        match kind {
            Kind::Sign('(' | '[' | '{') => {
                open.push(place);
                kind = Kind::Open(first, place);
            }
            Kind::Sign(')' | ']' | '}') => {
                let opening = open.pop()?;
                let Kind::Open(bracket, _) = tokens[opening].kind else { return None };
                if !matches!((bracket, first), ('(', ')') | ('[', ']') | ('{', '}')) {
                    return None;
                }
                tokens[opening].kind = Kind::Open(bracket, place);
                kind = Kind::Close(opening);
            }
            _ => {}
        }
        tokens.push(Token { kind, start: at, end: at + len });
        at += len;
    }
    open.is_empty().then_some(tokens)
}

/// Returns the indices of the tokens between `from` and `to` that are not nested in brackets there.
pub(crate) fn outer(tokens: &[Token], from: usize, to: usize) -> impl Iterator<Item = usize> {
    let mut at = from;
    std::iter::from_fn(move || {
        let now = at;
        at = match tokens.get(now)?.kind {
            Kind::Open(_, close) => close + 1,
            Kind::Word | Kind::Literal | Kind::Sign(_) | Kind::Close(_) => now + 1,
        };
        (now < to).then_some(now)
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of the white space or comment at the start of the text.
fn passed_over(text: &str) -> usize {
    let space = text.len() - text.trim_start().len();
    if space > 0 {
        return space;
    }
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if !text.starts_with("/*") {
        return 0;
    }
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// Returns the length of the string, character or lifetime at the start of the text, or 0 if there is none.
fn literal(text: &str) -> usize {
    let begins = |prefix: &&str| {
        let Some(rest) = text.strip_prefix(prefix) else { return false };
        let is_raw = prefix.ends_with('r') && rest.trim_start_matches('#').starts_with('"');
        rest.starts_with('"') || is_raw || (*prefix == "b" && rest.starts_with('\''))
    };
    let prefix = ["br", "cr", "b", "c", "r"].into_iter().find(begins);
    let prefix = prefix.unwrap_or("");
    let rest = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = hashes + 1;
        return match rest.get(inside..).and_then(|body| body.find(&end)) {
            Some(len) => prefix.len() + inside + len + end.len(),
            None => text.len(),
        };
    }
    if rest.starts_with('"') {
        return prefix.len() + quoted(rest, '"').unwrap_or(rest.len());
    }
    let Some(inside) = rest.strip_prefix('\'') else { return 0 };
    let mut chars = inside.chars();
    let is_character = chars.next() == Some('\\') || chars.next() == Some('\'');
    if is_character {
        return prefix.len() + quoted(rest, '\'').unwrap_or(rest.len());
    }
    // A lifetime.
    1 + inside.find(|c| !is_of_word(c)).unwrap_or(inside.len())
}

/// Returns the length of a quoted text, including its quotes.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).expect(source).into_iter().map(|token| &source[token.start..token.end]).collect()
    }

    #[test]
    fn what_looks_like_brackets_is_none() {
        assert_eq!(
            texts("a(\"(\\\"\", ')', '\\'', b'(', r#\"(\"#) // ("),
            ["a", "(", "\"(\\\"\"", ",", "')'", ",", "'\\''", ",", "b'('", ",", "r#\"(\"#", ")"]
        );
        assert_eq!(texts("/* ( /* [ */ */ f::<'a>{é}"), ["f", ":", ":", "<", "'a", ">", "{", "é", "}"]);
        assert_eq!(
            texts("r\"\\\" r#type br##\"x\"#\"## 1..2"),
            ["r\"\\\"", "r", "#", "type", "br##\"x\"#\"##", "1", ".", ".", "2"]
        );
    }

    #[test]
    fn brackets_know_their_partners() {
        let found = tokens("(a[b]{})").unwrap();
        assert_eq!(
            (found[0].kind, found[2].kind, found[7].kind),
            (Kind::Open('(', 7), Kind::Open('[', 4), Kind::Close(0))
        );
        assert_eq!([tokens("(]"), tokens("("), tokens(")")], [None, None, None]);
    }

    #[test]
    fn the_files_of_this_crate_are_read() {
        for file in [
            include_str!("tokens.rs"),
            include_str!("test_source.rs"),
            include_str!("env.rs"),
            include_str!("harness.rs"),
        ] {
            let found = tokens(file).expect("the brackets of a file match");
            assert!(found.len() > 100 && found.is_sorted_by_key(|token| token.start));
        }
    }
}
