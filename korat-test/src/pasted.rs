//! A test to paste: the property of a failing run, as it stands in the user's file, on one value. Takes the place of the
//! call, reads the source there, gives the text of a `#[test]`.

use std::panic::Location;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};

use crate::replay::Replay;

/// The text of a test that runs the property of the call at `location` on one value.
pub(crate) fn test(location: &Location<'_>, name: &str, replay: &Replay) -> String {
    let source = find(Path::new(location.file())).and_then(|path| std::fs::read_to_string(path).ok());
    let place = LineColumn { line: location.line() as usize, column: location.column() as usize - 1 };
    let call = source.and_then(|source| Call::at(&source, place, replay.scope));
    let call = call.unwrap_or_else(|| Call {
        search: None,
        property: format!("|value| todo!(\"the property of {}:{}\")", location.file(), location.line()),
    });
    let search =
        call.search.unwrap_or_else(|| format!("korat::Search::new({}::scope({}))", replay.type_name, replay.scope));
    let property = &call.property;
    format!("#[test]\nfn {name}() {{\n    {search}\n        .replay(\"{replay}\", {property});\n}}\n")
}

/// A file by the name that the compiler gave it: it is relative to the folder of the workspace, and tests run in that of the
/// package.
fn find(file: &Path) -> Option<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folders = package.into_iter().chain(std::env::current_dir());
    folders
        .flat_map(|folder| folder.ancestors().map(|folder| folder.join(file)).collect::<Vec<_>>())
        .find(|path| path.is_file())
}

/// What the source says of a run.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    /// The search, if it is written out there.
    search: Option<String>,
    property: String,
}

impl Call {
    /// The call of a function, or of a method by its name, that begins at a place.
    fn at(source: &str, place: LineColumn, scope: usize) -> Option<Call> {
        let tokens: TokenStream = source.parse().ok()?;
        let tokens = holder_of(tokens, place)?;
        let at = tokens.iter().position(|token| token.span().start() == place)?;
        let is_parenthesis =
            |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis);
        let group = at + tokens[at..].iter().position(is_parenthesis)?;
        let TokenTree::Group(arguments) = &tokens[group] else { return None };
        let arguments: Vec<TokenTree> = arguments.stream().into_iter().collect();
        let first_of_property = property_start(&arguments)?;
        let property_tokens = without_comma(&arguments[first_of_property..]);
        let property = dedented(text(source, property_tokens)?);
        let is_method = at > 0 && is_punct(&tokens[at - 1], '.');
        let search = if is_method {
            let receiver = &tokens[receiver_start(&tokens, at - 1)..at - 1];
            // A name alone means nothing in another function.
            (receiver.len() > 1).then(|| with_scope(source, receiver, scope)).flatten()
        } else {
            let bounds = without_comma(&arguments[..first_of_property]);
            let path = text(source, &tokens[at..group])?;
            let path = path.trim_end_matches("for_each_valid");
            let path = if path.is_empty() { "korat::" } else { path };
            (bounds.len() > 1)
                .then(|| with_scope(source, bounds, scope))
                .flatten()
                .map(|bounds| format!("{path}Search::new({bounds})"))
        };
        Some(Call { search, property })
    }
}

/// The tokens among which one begins at a place.
fn holder_of(tokens: TokenStream, place: LineColumn) -> Option<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if tokens.iter().any(|token| token.span().start() == place && matches!(token, TokenTree::Ident(_))) {
        return Some(tokens);
    }
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => {
            let (start, end) = (group.span().start(), group.span().end());
            if start <= place && place < end { holder_of(group.stream(), place) } else { None }
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}

fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

/// Where the last argument begins: with a closure, or after the last comma.
fn property_start(arguments: &[TokenTree]) -> Option<usize> {
    let is_move = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if name == "move");
    let closure = arguments.iter().position(|token| is_punct(token, '|') || is_move(token));
    let after_comma = || {
        let comma = without_comma(arguments).iter().rposition(|token| is_punct(token, ','));
        comma.map_or(0, |comma| comma + 1)
    };
    closure.or_else(|| (!arguments.is_empty()).then(after_comma))
}

fn without_comma(tokens: &[TokenTree]) -> &[TokenTree] {
    match tokens {
        [rest @ .., last] if is_punct(last, ',') => rest,
        _ => tokens,
    }
}

/// Where the expression begins that ends before `end`.
fn receiver_start(tokens: &[TokenTree], end: usize) -> usize {
    let belongs = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Ident(name) => !["let", "return", "in", "mut", "else"].iter().any(|keyword| name == keyword),
        TokenTree::Punct(punct) => matches!(punct.as_char(), '.' | ':' | '<' | '>'),
        TokenTree::Literal(_) => true,
    };
    tokens[..end].iter().rposition(|token| !belongs(token)).map_or(0, |before| before + 1)
}

/// The tokens as they stand in the source.
fn text<'s>(source: &'s str, tokens: &[TokenTree]) -> Option<&'s str> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    source.get(offset(source, first.span().start())?..offset(source, last.span().end())?)
}

/// The same, where `scope` is called with the number that it had: it may be a variable of a loop.
fn with_scope(source: &str, tokens: &[TokenTree], scope: usize) -> Option<String> {
    let whole = text(source, tokens)?;
    let start = offset(source, tokens.first()?.span().start())?;
    let Some(argument) = scope_argument(tokens) else { return Some(whole.to_string()) };
    let (from, to) = (offset(source, argument.0)? + 1 - start, offset(source, argument.1)? - 1 - start);
    Some(format!("{}{scope}{}", whole.get(..from)?, whole.get(to..)?))
}

/// Where the parentheses of `scope(..)` begin and end.
fn scope_argument(tokens: &[TokenTree]) -> Option<(LineColumn, LineColumn)> {
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let is_call = at > 0 && matches!(&tokens[at - 1], TokenTree::Ident(name) if name == "scope");
            if is_call && group.delimiter() == Delimiter::Parenthesis {
                return Some((group.span().start(), group.span().end()));
            }
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            if let Some(found) = scope_argument(&inside) {
                return Some(found);
            }
        }
    }
    None
}

/// The byte at a place.
fn offset(source: &str, place: LineColumn) -> Option<usize> {
    let before: usize = source.split_inclusive('\n').take(place.line.checked_sub(1)?).map(str::len).sum();
    let line = source.get(before..)?.split('\n').next()?;
    let within = line.char_indices().nth(place.column).map_or(line.len(), |(at, _)| at);
    Some(before + within)
}

/// Code of several lines, moved so that its last line stands as deep as the lines of the test.
fn dedented(code: &str) -> String {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let least = code.lines().skip(1).filter(|line| !line.trim().is_empty()).map(depth).min().unwrap_or(0);
    let mut lines = code.lines();
    let mut text = lines.next().unwrap_or_default().to_string();
    for line in lines {
        text.push('\n');
        if let Some(line) = line.get(least..) {
            text.push_str(&format!("        {line}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(source: &str, name: &str) -> Option<Call> {
        let at = source.find(name).unwrap();
        let before = &source[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count();
        Call::at(source, LineColumn { line, column }, 3)
    }

    fn expected(search: &str, property: &str) -> Option<Call> {
        let search = (!search.is_empty()).then(|| search.to_string());
        Some(Call { search, property: property.to_string() })
    }

    #[test]
    fn calls_of_the_function_are_found() {
        let source = "fn a() { /* é */ korat::for_each_valid(Tree::<A, B>::scope(4), |mut t| t.insert(1, 2)); }";
        assert_eq!(
            call(source, "korat::"),
            expected("korat::Search::new(Tree::<A, B>::scope(3))", "|mut t| t.insert(1, 2)")
        );
        let source = "fn a() { for n in 0..4 { for_each_valid(Tree::scope(n).objects::<N>(n), check,); } }";
        assert_eq!(call(source, "for_each"), expected("korat::Search::new(Tree::scope(3).objects::<N>(n))", "check"));
        let source = "fn a() { let bounds = Tree::scope(2); for_each_valid(bounds, move |t| ok(t)) }";
        assert_eq!(call(source, "for_each"), expected("", "move |t| ok(t)"));
    }

    #[test]
    fn calls_of_the_method_are_found() {
        let source = "fn a() {\n    let report = Search::new(Tree::scope(n))\n        .failures(2)\n        .for_each(|t| {\n            \
                      let x = 1;\n\n            assert!(t.ok(x));\n        });\n}";
        let search = "Search::new(Tree::scope(3))\n        .failures(2)";
        let property = "|t| {\n            let x = 1;\n\n            assert!(t.ok(x));\n        }";
        assert_eq!(call(source, "for_each"), expected(search, property));
        let source = "fn a() { let search = new(); search.for_each(|t| t.ok()); }";
        assert_eq!(call(source, "for_each"), expected("", "|t| t.ok()"));
    }

    #[test]
    fn other_places_are_not_taken_for_calls() {
        assert_eq!(call("fn a() { x.for_each }", "for_each"), None);
        assert_eq!(call("fn a() { x.for_each() }", "for_each"), None);
        assert_eq!(call("fn a() { \"unclosed }", "unclosed"), None);
    }
}
