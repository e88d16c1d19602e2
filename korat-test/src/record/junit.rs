//! Results in JUnit's XML, as <https://github.com/testmoapp/junitxml> describes it: what the tools that read it agree on.

use std::fmt::Write;

/// A search as a test case.
pub(crate) struct TestCase {
    /// The executable and the module of the test.
    pub(crate) suite: String,
    pub(crate) name: String,
    pub(crate) seconds: f64,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// What is wrong: its kind, in a line, and in full.
    pub(crate) trouble: Option<(Trouble, String, String)>,
}

/// The kinds of trouble that JUnit tells apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The property fails.
    Failure,
    /// The search did not do what it should.
    Error,
}

/// Returns a file with test cases.
pub(crate) fn junit(name: &str, cases: impl IntoIterator<Item = TestCase>) -> String {
    let cases: Vec<TestCase> = cases.into_iter().collect();
    let with = |kind: Trouble| cases.iter().filter(|case| case.trouble.as_ref().is_some_and(|it| it.0 == kind)).count();
    let (failures, errors) = (with(Trouble::Failure), with(Trouble::Error));
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.6}\"", cases.len());
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut put = |line: std::fmt::Arguments<'_>| writeln!(xml, "{line}").expect("writing to a string cannot fail");
    put(format_args!("<testsuites {counts}>\n<testsuite name=\"{}\" {counts}>", escape(name)));
    for TestCase { suite, name, seconds, file, line, trouble } in &cases {
        let (suite, name, file) = (escape(suite), escape(name), escape(file));
        put(format_args!(
            "<testcase classname=\"{suite}\" name=\"{name}\" file=\"{file}\" line=\"{line}\" time=\"{seconds:.6}\">"
        ));
        if let Some((trouble, message, text)) = trouble {
            let (tag, kind) = match trouble {
                Trouble::Failure => ("failure", "property"),
                Trouble::Error => ("error", "search"),
            };
            let message = escape(message.lines().next().unwrap_or_default());
            put(format_args!("<{tag} type=\"{kind}\" message=\"{message}\">{}</{tag}>", escape(text)));
        }
        put(format_args!("</testcase>"));
    }
    put(format_args!("</testsuite>\n</testsuites>"));
    xml
}

/// Escapes text. XML has no way to write most control characters.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
