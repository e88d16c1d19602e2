//! Finds the function around a call, as far as a copy of the call needs it: its attributes, and `let` statements for
//! its variables. For rstest, the name of the test tells which case is running.

use std::collections::BTreeSet;

use crate::tokens::{Kind, Token, outer, tokens};

/// The function around a call.
pub(crate) struct Function<'s> {
    source: &'s str,
    tokens: &'s [Token],
    /// The first and the last token of each attribute, inside its brackets.
    attributes: Vec<(usize, usize)>,
    /// Variables in scope at the call, in the order of the source.
    bindings: Vec<Binding>,
}

/// Variables bound by one statement or parameter.
struct Binding {
    names: BTreeSet<String>,
    /// The statement that defines them in another function.
    statement: String,
    /// Whether the statement defines their values.
    is_known: bool,
}

impl<'s> Function<'s> {
    /// Returns the innermost function around a token. `test_name` is the name of the test in `cargo test`.
    pub(crate) fn around(source: &'s str, tokens: &'s [Token], at: usize, test_name: &str) -> Option<Self> {
        let text = |token: usize| &source[tokens[token].start..tokens[token].end];
        let (start, (open, close), body) = (0..at)
            .rev()
            .filter(|&start| tokens[start].kind == Kind::Word && text(start) == "fn")
            .find_map(|start| {
                let open = opening(tokens, start, '(')?;
                let Kind::Open(_, close) = tokens[open].kind else { return None };
                let body = opening(tokens, close, '{')?;
                matches!(tokens[body].kind, Kind::Open(_, end) if body < at && at < end).then_some((
                    start,
                    (open, close),
                    body,
                ))
            })?;
        let mut function = Function { source, tokens, attributes: Vec::new(), bindings: Vec::new() };
        function.attributes = function.attributes_before(start);
        let mut cases = 0;
        for parameter in split(tokens, open + 1, close, true) {
            let binding = function.parameter(parameter, test_name, &mut cases);
            function.bindings.extend(binding);
        }
        function.add_variables(body, at);
        Some(function)
    }

    /// Returns the attribute that makes the function a test, unless it is `#[test]`.
    pub(crate) fn test_attribute(&self) -> Option<&'s str> {
        let ends_path = |&&(first, last): &&(usize, usize)| {
            let path = (first..=last).take_while(|&at| !matches!(self.tokens[at].kind, Kind::Open(..)));
            last > first && path.last().is_some_and(|last| self.text(last) == "test")
        };
        self.attributes.iter().find(ends_path).map(|&(first, last)| self.between(first, last))
    }

    /// Returns whether the value of a variable is known.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.bindings.iter().rev().find(|binding| binding.names.contains(name)).is_some_and(|binding| binding.is_known)
    }

    /// Returns the statements that define the variables used in a copy of `code`.
    pub(crate) fn statements_for(&self, code: &[&str]) -> Vec<&str> {
        let mut used: BTreeSet<String> = code.iter().flat_map(|code| words(code)).collect();
        let mut statements = Vec::new();
        for Binding { names, statement, .. } in self.bindings.iter().rev() {
            if !names.is_disjoint(&used) {
                used.extend(words(statement));
                statements.push(statement.as_str());
            }
        }
        statements.reverse();
        statements
    }

    fn text(&self, token: usize) -> &'s str {
        self.between(token, token)
    }

    fn between(&self, first: usize, last: usize) -> &'s str {
        &self.source[self.tokens[first].start..self.tokens[last].end]
    }

    /// Returns the attributes of the function whose `fn` is the token `start`.
    fn attributes_before(&self, start: usize) -> Vec<(usize, usize)> {
        let mut at = start;
        let mut attributes = Vec::new();
        while let Some(before) = at.checked_sub(1) {
            at = match self.tokens[before].kind {
                Kind::Close(open) if open > 0 && self.tokens[open - 1].kind == Kind::Sign('#') => {
                    attributes.push((open + 1, before - 1));
                    open - 1
                }
                // `pub(crate)`
                Kind::Close(open) if open > 0 && self.text(open - 1) == "pub" => open - 1,
                Kind::Word if ["pub", "async", "const", "unsafe", "extern"].contains(&self.text(before)) => before,
                Kind::Literal => before,
                Kind::Word | Kind::Sign(_) | Kind::Open(..) | Kind::Close(_) => break,
            };
        }
        attributes.reverse();
        attributes
    }

    /// Returns the binding of a parameter, to which rstest passes cases, values and fixtures. `cases` counts the
    /// parameters that take a case.
    fn parameter(&self, (mut first, end): (usize, usize), test_name: &str, cases: &mut usize) -> Option<Binding> {
        let mut attributes = Vec::new();
        while self.tokens[first].kind == Kind::Sign('#') {
            let Kind::Open(_, close) = self.tokens.get(first + 1)?.kind else { return None };
            attributes.push((first + 2, close - 1));
            first = close + 1;
        }
        let is_mut = first < end && self.text(first) == "mut";
        let name = first + usize::from(is_mut);
        let is_typed = name + 2 < end && self.tokens[name + 1].kind == Kind::Sign(':');
        if !is_typed || self.tokens[name].kind != Kind::Word {
            return None;
        }
        let (of_type, name) = (self.between(name + 2, end - 1), self.text(name));
        let value = match attributes[..] {
            [] => self
                .attributes
                .iter()
                .any(|&(_, last)| self.text(last) == "rstest")
                .then(|| format!("{name}::default()")),
            [(first, last)] => match self.text(first) {
                "case" => {
                    *cases += 1;
                    self.of_case(*cases - 1, test_name)
                }
                "values" => number_of(test_name, name).and_then(|number| self.argument(first, last, number)),
                "from" => self.argument(first, last, 0).map(|fixture| format!("{fixture}::default()")),
                _ => None,
            },
            _ => None,
        };
        let is_text = |value: &String| value.starts_with('"') && !of_type.starts_with('&');
        // rstest parses a string argument for a parameter of another type.
        let value = value.map(|value| if is_text(&value) { format!("{value}.parse().unwrap()") } else { value });
        let is_known = value.is_some();
        let value = value.unwrap_or_else(|| unknown(name));
        // An `impl` type cannot be written in a `let`.
        let of_type = if of_type.starts_with("impl") { String::new() } else { format!(": {of_type}") };
        let statement = format!("let {}{name}{of_type} = {value};", if is_mut { "mut " } else { "" });
        Some(Binding { names: BTreeSet::from([name.to_string()]), statement, is_known })
    }

    /// Returns the argument that the running case passes to the parameter with this index.
    fn of_case(&self, parameter: usize, test_name: &str) -> Option<String> {
        let is_case = |&&(first, last): &&(usize, usize)| {
            self.text(first) == "case" && matches!(self.tokens[last].kind, Kind::Close(_))
        };
        let &(first, last) = self.attributes.iter().filter(is_case).nth(number_of(test_name, "case")?)?;
        self.argument(first, last, parameter)
    }

    /// Returns one of the arguments of an attribute.
    fn argument(&self, first: usize, last: usize, number: usize) -> Option<String> {
        let open = (first..=last).find(|&at| matches!(self.tokens[at].kind, Kind::Open('(', _)))?;
        let Kind::Open(_, close) = self.tokens[open].kind else { return None };
        let (first, end) = split(self.tokens, open + 1, close, false).into_iter().nth(number)?;
        Some(self.between(first, end - 1).to_string())
    }

    /// Adds the variables bound in a block before a token, including those of inner blocks around the token.
    fn add_variables(&mut self, block: usize, at: usize) {
        let mut start = block + 1;
        let mut inner = None;
        for token in outer(self.tokens, block + 1, at) {
            match self.tokens[token].kind {
                Kind::Open('{', close) if close > at => inner = Some(token),
                Kind::Word if token == start && self.text(token) == "for" => self.add_loop(token, at),
                Kind::Sign(';') => {
                    if self.text(start) == "let" {
                        self.add_let(start, token);
                    }
                    start = token + 1;
                }
                // A block that ends a statement.
                Kind::Open('{', close) if self.text(start) != "let" => start = close + 1,
                Kind::Word | Kind::Literal | Kind::Sign(_) | Kind::Open(..) | Kind::Close(_) => {}
            }
        }
        if let Some(inner) = inner {
            self.add_variables(inner, at);
        }
    }

    fn add_let(&mut self, start: usize, end: usize) {
        let is_end = |at: &usize| {
            let [before, now, after] = [at - 1, *at, at + 1].map(|at| self.tokens[at].kind);
            let is_path = before == Kind::Sign(':') || after == Kind::Sign(':');
            now == Kind::Sign('=') || (now == Kind::Sign(':') && !is_path)
        };
        let pattern = outer(self.tokens, start + 1, end).find(is_end).unwrap_or(end);
        let names = words(&self.source[self.tokens[start + 1].start..self.tokens[pattern].start]).collect();
        let statement = self.between(start, end).to_string();
        self.bindings.push(Binding { names, statement, is_known: true });
    }

    /// Adds the variables that a loop around a token binds in each iteration.
    fn add_loop(&mut self, start: usize, at: usize) {
        let Some(after) = outer(self.tokens, start, at).find(|&token| self.text(token) == "in") else { return };
        for name in words(&self.source[self.tokens[start + 1].start..self.tokens[after].start]) {
            let statement = format!("let {name} = {};", unknown(&name));
            self.bindings.push(Binding { names: BTreeSet::from([name]), statement, is_known: false });
        }
    }
}

/// Returns a placeholder for a value that only the user knows.
fn unknown(name: &str) -> String {
    format!("todo!(\"what `{name}` was\")")
}

/// Returns the next opening bracket of a kind that is not nested in others.
fn opening(tokens: &[Token], from: usize, bracket: char) -> Option<usize> {
    let is_one = |&at: &usize| matches!(tokens[at].kind, Kind::Open(kind, _) if kind == bracket);
    let ends = |&at: &usize| tokens[at].kind != Kind::Sign(';');
    outer(tokens, from, tokens.len()).take_while(ends).find(is_one)
}

/// Splits a token range at commas; each part is its first token and the one after its last. With `types`, the commas in
/// `Map<K, V>` do not split.
fn split(tokens: &[Token], from: usize, to: usize, types: bool) -> Vec<(usize, usize)> {
    let (mut parts, mut start, mut depth) = (Vec::new(), from, 0i32);
    for at in outer(tokens, from, to) {
        match tokens[at].kind {
            Kind::Sign('<') if types => depth += 1,
            Kind::Sign('>') if types && tokens[at - 1].kind != Kind::Sign('-') => depth -= 1,
            Kind::Sign(',') if depth == 0 => {
                parts.push((start, at));
                start = at + 1;
            }
            Kind::Word | Kind::Literal | Kind::Sign(_) | Kind::Open(..) | Kind::Close(_) => {}
        }
    }
    parts.push((start, to));
    parts.retain(|(start, end)| start < end);
    parts
}

/// Returns the names in some code that may be variables: not fields, methods, parts of paths, or keywords of patterns.
fn words(code: &str) -> impl Iterator<Item = String> + use<> {
    let found = tokens(code).unwrap_or_default();
    let is_sign =
        |at: Option<usize>, sign| at.and_then(|at| found.get(at)).is_some_and(|token| token.kind == Kind::Sign(sign));
    let is_pair = |first: Option<usize>, sign| is_sign(first, sign) && is_sign(first.map(|first| first + 1), sign);
    let is_variable = |&at: &usize| {
        let (before, second) = (at.checked_sub(1), at.checked_sub(2));
        let is_member = is_sign(before, '.') && !is_sign(second, '.');
        let is_in_path = is_pair(second, ':') || is_pair(Some(at + 1), ':');
        let text = &code[found[at].start..found[at].end];
        let is_name = text.starts_with(|c: char| c.is_lowercase() || c == '_') && !["mut", "ref", "_"].contains(&text);
        found[at].kind == Kind::Word && is_name && !is_member && !is_in_path
    };
    let names = (0..found.len()).filter(is_variable).map(|at| code[found[at].start..found[at].end].to_string());
    names.collect::<Vec<_>>().into_iter()
}

/// Returns the zero-based index of an rstest case, or of a parameter's value, from the name of the test: 2 for `case`
/// in `insert::case_3_full::key_1_7`.
fn number_of(test_name: &str, what: &str) -> Option<usize> {
    let rest = test_name.split("::").find_map(|part| part.strip_prefix(what)?.strip_prefix('_'))?;
    let digits = rest.split('_').next()?;
    digits.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the attribute and the statements needed by a copy of `call(..)` in the source.
    fn needed(source: &str, test_name: &str) -> (Option<String>, Vec<String>) {
        let found = tokens(source).unwrap();
        let place = source.find("call").unwrap();
        let at = found.iter().position(|token| token.start == place).unwrap();
        let function = Function::around(source, &found, at, test_name).unwrap();
        let Kind::Open(_, close) = found[at + 1].kind else { panic!("it is called") };
        let code = function.between(at, close);
        let statements = function.statements_for(&[code]).into_iter().map(str::to_string).collect();
        (function.test_attribute().map(str::to_string), statements)
    }

    #[test]
    fn statements_before_the_call_come_with_it() {
        let source = "fn other(most: u8) {} #[test] fn a() { let most: u8 = 3; let unused = 4; let (lo, mut hi) = ends(most); \
                      if lo > 0 { let inner = 1; } let step = x.lo; { let last = fresh::<u8>(); call(lo..hi, last, inner::unused(), unused::inner); } }";
        let (attribute, statements) = needed(source, "a");
        assert_eq!(attribute, None);
        assert_eq!(statements, ["let most: u8 = 3;", "let (lo, mut hi) = ends(most);", "let last = fresh::<u8>();"]);
    }

    #[test]
    fn loops_and_parameters_are_left_to_the_user() {
        let source =
            "pub(crate) fn check(most: usize, f: impl Fn(u8) -> u8) { for (n, m) in all() { call(f(n), most); } }";
        let (_, statements) = needed(source, "check");
        let expected = [
            "let most: usize = todo!(\"what `most` was\");",
            "let f = todo!(\"what `f` was\");",
            "let n = todo!(\"what `n` was\");",
        ];
        assert_eq!(statements, expected);
    }

    #[test]
    fn cases_values_and_fixtures_of_rstest_are_known() {
        let source = "#[rstest]\n#[case::none(0, \"a\")]\n#[case(f(1, 2), \"b\")]\n#[tokio::test(flavor = \"current_thread\")]\nasync fn a(\
                      #[case] n: usize, #[case] key: Key, #[values(5, 6, 7)] v: u8, map: Map<K, V>, #[from(long)] s: Search<L>, #[case] text: &str) { \
                      call(n, key, v, map, s, text) }";
        let (attribute, statements) = needed(source, "tests::a::case_2::v_3_7");
        assert_eq!(attribute.as_deref(), Some("tokio::test(flavor = \"current_thread\")"));
        let expected = [
            "let n: usize = f(1, 2);",
            "let key: Key = \"b\".parse().unwrap();",
            "let v: u8 = 7;",
            "let map: Map<K, V> = map::default();",
            "let s: Search<L> = long::default();",
            // The case has no third argument.
            "let text: &str = todo!(\"what `text` was\");",
        ];
        assert_eq!(statements, expected);
    }
}
