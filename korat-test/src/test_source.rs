//! Generates a test to paste, which runs the property of a failing run on one value. Copies the property from the
//! source file at the location of the call.

use std::ops::Range;
use std::panic::Location;
use std::path::{Path, PathBuf};

use crate::enclosing::Function;
use crate::replay::Replay;
use crate::tokens::{Kind, Token, outer, tokens};

/// Returns the source of a test that runs the property of the call at `location` on one value. `test_name` is the name
/// in `cargo test` of the test that contains the call.
pub(crate) fn generate(location: &Location<'_>, test_name: &str, name: &str, replay: &Replay) -> String {
    let source = find(Path::new(location.file())).and_then(|path| std::fs::read_to_string(path).ok());
    let call = source.and_then(|source| {
        let place = offset(&source, location.line() as usize, location.column() as usize)?;
        Call::at(&source, place, replay.scope, test_name)
    });
    let call = call.unwrap_or_else(|| Call {
        statements: Vec::new(),
        search: None,
        property: format!("|_| panic!(\"paste the property of {}:{} here\")", location.file(), location.line()),
        awaited_in: None,
    });
    let type_name = &replay.type_name;
    let class = if type_name.contains('<') { format!("<{type_name}>") } else { type_name.clone() };
    let search = call.search.unwrap_or_else(|| format!("korat::Search::new({class}::scope({}))", replay.scope));
    let statements: String = call.statements.iter().map(|statement| format!("    {statement}\n")).collect();
    let property = &call.property;
    match call.awaited_in {
        None => {
            format!(
                "#[test]\nfn {name}() {{\n{statements}    {search}\n        .replay(\"{replay}\", {property});\n}}\n"
            )
        }
        Some(attribute) => format!(
            "#[{attribute}]\nasync fn {name}() {{\n{statements}    {search}\n        .replay_async(\"{replay}\", {property})\n        \
             .await;\n}}\n"
        ),
    }
}

/// Returns the source of a test that replays calls of the exploration that the method at `location` runs.
pub(crate) fn generate_replay(location: &Location<'_>, test_name: &str, name: &str, calls: &str) -> String {
    let source = find(Path::new(location.file())).and_then(|path| std::fs::read_to_string(path).ok());
    let explore = source.and_then(|source| {
        let place = offset(&source, location.line() as usize, location.column() as usize)?;
        receiver(&source, place, test_name)
    });
    let Some((statements, explore)) = explore else {
        let place = format!("{}:{}", location.file(), location.line());
        return format!(
            "#[test]\nfn {name}() {{\n    todo!(\"paste the exploration of {place} here\")\n        // .replay({calls:?});\n}}\n"
        );
    };
    let statements: String = statements.iter().map(|statement| format!("    {statement}\n")).collect();
    format!("#[test]\nfn {name}() {{\n{statements}    {explore}\n        .replay({calls:?});\n}}\n")
}

/// Returns the expression on which the method at a byte offset is called, or which the closure that a function there is given returns,
/// and the statements that define its variables.
fn receiver(source: &str, place: usize, test_name: &str) -> Option<(Vec<String>, String)> {
    let tokens = tokens(source)?;
    let at = tokens.iter().position(|token| token.start == place && token.kind == Kind::Word)?;
    let own = if at > 0 && tokens[at - 1].kind == Kind::Sign('.') {
        receiver_start(source, &tokens, at - 1)..at - 1
    } else {
        returned(&tokens, at)?
    };
    let own = &tokens[own];
    let code = &source[own.first()?.start..own.last()?.end];
    let function = Function::around(source, &tokens, at, test_name);
    // A single name means nothing in another function, unless its value is known.
    if own.len() == 1 && !function.as_ref().is_some_and(|function| function.knows(code)) {
        return None;
    }
    let statements = function.iter().flat_map(|function| function.statements_for(&[code])).map(dedented);
    let statements: Vec<String> = statements.collect();
    // What changes a variable after its definition is not copied.
    let may_change = |statement: &String| statement.starts_with("let mut ") || !statement.contains('=');
    if statements.iter().any(may_change) {
        return None;
    }
    Some((statements, dedented(code)))
}

/// Returns the expression that a closure returns, which is the only argument of the call at a token; `None` if it is no closure, or has
/// statements before.
fn returned(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    let open = at + tokens[at..].iter().position(|token| matches!(token.kind, Kind::Open(..) | Kind::Sign(';')))?;
    let Kind::Open('(', close) = tokens[open].kind else { return None };
    let begin = open + 3;
    let is_closure = tokens.get(open + 1..begin)?.iter().all(|token| token.kind == Kind::Sign('|'));
    let end = if tokens[close - 1].kind == Kind::Sign(',') { close - 1 } else { close };
    let own = match tokens.get(begin)?.kind {
        Kind::Open('{', last) if last + 1 == end => begin + 1..last,
        _ => begin..end,
    };
    let is_single = !outer(tokens, own.start, own.end).any(|at| tokens[at].kind == Kind::Sign(';'));
    (is_closure && is_single).then_some(own)
}

/// Finds a file by the path that the compiler gave it. The path is relative to the root of the workspace, but tests run
/// in the folder of the package.
pub(crate) fn find(file: &Path) -> Option<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folders = package.into_iter().chain(std::env::current_dir());
    folders
        .flat_map(|folder| folder.ancestors().map(|folder| folder.join(file)).collect::<Vec<_>>())
        .find(|path| path.is_file())
}

/// Returns the byte offset of a line and a column, both starting at 1.
fn offset(source: &str, line: usize, column: usize) -> Option<usize> {
    let before: usize = source.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let line = source.get(before..)?;
    line.char_indices().nth(column.checked_sub(1)?).map(|(at, _)| before + at)
}

/// The call of a run, as found in the source.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    /// Statements that define the variables used by the search and the property.
    statements: Vec<String>,
    /// The expression that creates the search, if it can be copied.
    search: Option<String>,
    property: String,
    /// For an asynchronous property, the test attribute.
    awaited_in: Option<String>,
}

impl Call {
    /// Parses the call of a function, or of a method by its name, at a byte offset.
    fn at(source: &str, place: usize, scope: usize, test_name: &str) -> Option<Call> {
        let tokens = tokens(source)?;
        let text = |tokens: &[Token]| Some(&source[tokens.first()?.start..tokens.last()?.end]);
        let at = tokens.iter().position(|token| token.start == place && token.kind == Kind::Word)?;
        let open = at + tokens[at..].iter().position(|token| matches!(token.kind, Kind::Open(..) | Kind::Sign(';')))?;
        let Kind::Open('(', close) = tokens[open].kind else { return None };
        let property = property_start(source, &tokens, open + 1, close)?;
        let bounds = without_comma(&tokens[open + 1..property]);
        let property = dedented(text(without_comma(&tokens[property..close]))?);
        let path = text(&tokens[at..open])?;
        let function = Function::around(source, &tokens, at, test_name);
        // A single name means nothing in another function, unless its value is known.
        let written = |part: &[Token]| match part {
            [name] => {
                let name = &source[name.start..name.end];
                function.as_ref().is_some_and(|function| function.knows(name)).then(|| name.to_string())
            }
            _ => with_scope(source, part, scope),
        };
        let search = if at > 0 && tokens[at - 1].kind == Kind::Sign('.') {
            written(&tokens[receiver_start(source, &tokens, at - 1)..at - 1])
        } else {
            let path = path.trim_end_matches("_async").trim_end_matches("for_each_valid").trim_end_matches("par_");
            let path = if path.is_empty() { "korat::" } else { path };
            let (bounds, beside) = parts(&tokens, bounds);
            let beside = beside.into_iter().filter_map(text).map(|source| format!(".with({source})"));
            written(bounds).map(|bounds| format!("{path}Search::new({bounds})") + &beside.collect::<String>())
        };
        let code: Vec<&str> = search.as_deref().into_iter().chain([&*property]).collect();
        let statements = function.iter().flat_map(|function| function.statements_for(&code)).map(dedented).collect();
        let awaited_in = path.ends_with("_async").then(|| {
            let attribute = function.as_ref().and_then(Function::test_attribute);
            attribute.unwrap_or("tokio::test").to_string()
        });
        Some(Call { statements, search, property, awaited_in })
    }
}

/// Returns the first token of the last argument: the start of a closure, or the token after the last comma.
fn property_start(source: &str, tokens: &[Token], from: usize, to: usize) -> Option<usize> {
    let begins = |at: &usize| ["move", "async"].contains(&&source[tokens[*at].start..tokens[*at].end]);
    let closure = outer(tokens, from, to).find(|at| tokens[*at].kind == Kind::Sign('|') || begins(at));
    let after_comma = || {
        let last = |at: &usize| tokens[*at].kind == Kind::Sign(',') && *at + 1 < to;
        outer(tokens, from, to).filter(last).last().map_or(from, |comma| comma + 1)
    };
    closure.or_else(|| (from < to).then(after_comma))
}

/// Splits `(bounds, source, ..)` into the bounds and the sources beside them.
fn parts<'t>(tokens: &'t [Token], inputs: &'t [Token]) -> (&'t [Token], Vec<&'t [Token]>) {
    let (Some(first), Some(Token { kind: Kind::Close(open), .. })) = (inputs.first(), inputs.last()) else {
        return (inputs, Vec::new());
    };
    let Kind::Open('(', close) = first.kind else { return (inputs, Vec::new()) };
    if tokens[*open] != *first {
        return (inputs, Vec::new());
    }
    let commas = outer(tokens, open + 1, close).filter(|at| tokens[*at].kind == Kind::Sign(','));
    let mut start = open + 1;
    let mut parts: Vec<&[Token]> = Vec::new();
    for end in commas.chain([close]) {
        parts.push(&tokens[start..end]);
        start = end + 1;
    }
    parts.retain(|part| !part.is_empty());
    if parts.len() < 2 { (inputs, Vec::new()) } else { (parts.remove(0), parts) }
}

fn without_comma(tokens: &[Token]) -> &[Token] {
    match tokens {
        [rest @ .., Token { kind: Kind::Sign(','), .. }] => rest,
        _ => tokens,
    }
}

/// Words that may stand before an expression and are not part of it.
const BEFORE_EXPRESSIONS: [&str; 11] =
    ["let", "return", "in", "mut", "else", "match", "if", "while", "break", "move", "yield"];

/// Returns the first token of the expression that ends before `end`.
fn receiver_start(source: &str, tokens: &[Token], end: usize) -> usize {
    let mut start = end;
    while start > 0 {
        let Token { kind, start: first, end: last } = tokens[start - 1];
        start = match kind {
            Kind::Close(open) if !matches!(tokens[open].kind, Kind::Open('{', _)) => open,
            Kind::Word if !BEFORE_EXPRESSIONS.contains(&&source[first..last]) => start - 1,
            Kind::Sign('.' | ':' | '<' | '>') | Kind::Literal => start - 1,
            Kind::Word | Kind::Sign(_) | Kind::Open(..) | Kind::Close(_) => break,
        };
    }
    start
}

/// Copies the tokens from the source, but replaces the argument of `scope` by its value, since it may be a loop variable.
fn with_scope(source: &str, part: &[Token], scope: usize) -> Option<String> {
    let (start, end) = (part.first()?.start, part.last()?.end);
    let is_scope =
        |pair: &&[Token]| &source[pair[0].start..pair[0].end] == "scope" && matches!(pair[1].kind, Kind::Open('(', _));
    let Some(call) = part.windows(2).find(is_scope) else { return Some(source[start..end].to_string()) };
    let mut depth = 0usize;
    let after = part.iter().skip_while(|token| token.start < call[1].start);
    let close = after.into_iter().find(|token| {
        match token.kind {
            Kind::Open(..) => depth += 1,
            Kind::Close(_) => depth -= 1,
            Kind::Word | Kind::Literal | Kind::Sign(_) => {}
        }
        depth == 0
    })?;
    Some(format!("{}{scope}{}", &source[start..call[1].end], &source[close.start..end]))
}

/// Reindents multi-line code to the depth of the generated test.
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
    use korat_core::SlotVector;

    use super::*;

    fn call(source: &str, name: &str) -> Option<Call> {
        Call::at(source, source.find(name).unwrap(), 3, "a")
    }

    fn expected(search: &str, property: &str) -> Option<Call> {
        let search = (!search.is_empty()).then(|| search.to_string());
        Some(Call { statements: Vec::new(), search, property: property.to_string(), awaited_in: None })
    }

    fn with(statement: &str, call: Option<Call>) -> Option<Call> {
        call.map(|call| Call { statements: vec![statement.to_string()], ..call })
    }

    #[test]
    fn calls_of_the_function_are_found() {
        let source = "fn a() { /* é */ korat::for_each_valid(Tree::<A, B>::scope(4), |mut t| t.insert(1, 2)); }";
        assert_eq!(
            call(source, "korat::"),
            expected("korat::Search::new(Tree::<A, B>::scope(3))", "|mut t| t.insert(1, 2)")
        );
        let source = "fn a() { for n in 0..4 { for_each_valid(Tree::scope(n).objects::<N>(n), check,); } }";
        let known = expected("korat::Search::new(Tree::scope(3).objects::<N>(n))", "check");
        assert_eq!(call(source, "for_each"), with("let n = todo!(\"what `n` was\");", known));
        let source = "fn a() { let bounds = Tree::scope(2); for_each_valid(bounds, move |t| ok(t)) }";
        let known = expected("korat::Search::new(bounds)", "move |t| ok(t)");
        assert_eq!(call(source, "for_each"), with("let bounds = Tree::scope(2);", known));
        let source = "fn a(bounds: Bounds<Tree>) { for_each_valid(bounds, ok) }";
        assert_eq!(call(source, "for_each"), expected("", "ok"));
    }

    #[test]
    fn values_beside_those_of_the_search_are_found() {
        let source =
            "fn a() { korat::for_each_valid((Tree::scope(4), Tree::scope(2), [(1, 2)]), |(a, b, c)| a.ok(b, c)); }";
        let search = "korat::Search::new(Tree::scope(3)).with(Tree::scope(2)).with([(1, 2)])";
        assert_eq!(call(source, "korat::"), expected(search, "|(a, b, c)| a.ok(b, c)"));
        let source = "fn a() { for_each_valid((Tree::scope(4)), ok) }";
        assert_eq!(call(source, "for_each"), expected("korat::Search::new((Tree::scope(3)))", "ok"));
    }

    #[test]
    fn calls_of_the_method_are_found() {
        let source = "fn a() {\n    let report = Search::new(Tree::scope(n))\n        .failures(2)\n        .for_each(|t| {\n            \
                      let x = 1;\n\n            assert!(t.ok(x));\n        });\n}";
        let search = "Search::new(Tree::scope(3))\n        .failures(2)";
        let property = "|t| {\n            let x = 1;\n\n            assert!(t.ok(x));\n        }";
        assert_eq!(call(source, "for_each"), expected(search, property));
        let source = "fn a() { let search = new(); search.for_each(|t| t.ok()); }";
        assert_eq!(call(source, "for_each"), with("let search = new();", expected("search", "|t| t.ok()")));
    }

    #[test]
    fn calls_that_are_awaited_are_found() {
        let awaited = |call: Option<Call>, attribute: &str| {
            call.map(|call| Call { awaited_in: Some(attribute.to_string()), ..call })
        };
        let source = "#[tokio::test] async fn a() { korat::for_each_valid_async(Tree::scope(4), async |t| t.ok().await).await; }";
        let known = expected("korat::Search::new(Tree::scope(3))", "async |t| t.ok().await");
        assert_eq!(call(source, "korat::"), awaited(known, "tokio::test"));
        let source = "#[rstest] #[smol::test] async fn a() { Search::new(Tree::scope(4)).for_each_async(async move |t| t.ok()).await; }";
        let known = expected("Search::new(Tree::scope(3))", "async move |t| t.ok()");
        assert_eq!(call(source, "for_each"), awaited(known, "smol::test"));
    }

    #[test]
    fn words_before_an_expression_are_none_of_it() {
        for before in ["match ", "if ", "while ", "let Err(x) = ", "return "] {
            let source = format!("fn a() {{ {before}Explore::from(0).depth(1).try_run() {{ _ => {{}} }} }}");
            let code = receiver(&source, source.find("try_run").unwrap(), "a");
            assert_eq!(code, Some((Vec::new(), "Explore::from(0).depth(1)".to_string())), "{before}");
        }
    }

    #[test]
    fn other_places_are_not_taken_for_calls() {
        assert_eq!(call("fn a() { x.for_each }", "for_each"), None);
        assert_eq!(call("fn a() { x.for_each() }", "for_each"), None);
        assert_eq!(call("fn a() { \"unclosed }", "unclosed"), None);
    }

    #[test]
    fn places_are_counted_as_the_compiler_does() {
        let source = "é x\n  y";
        assert_eq!((offset(source, 1, 3), offset(source, 2, 3), offset(source, 3, 1)), (Some(3), Some(7), None));
    }

    #[test]
    fn a_place_that_is_no_call_leaves_the_property_to_be_pasted() {
        let here = Location::caller();
        let replay = Replay {
            type_name: "Tree".to_string(),
            scope: 3,
            slots: SlotVector(vec![1, 0]),
            beside: Vec::new(),
            answers: Vec::new(),
        };
        let text = generate(here, "a", "tree_1_0", &replay);
        let property = format!("|_| panic!(\"paste the property of {}:{} here\"));", here.file(), here.line());
        assert!(text.contains("korat::Search::new(Tree::scope(3))") && text.contains(&property), "{text}");
    }
}
