//! Words on standard error that nobody holds back: `cargo test` captures what `eprintln!` prints, and shows it only where a
//! test fails.

use std::io::{IsTerminal, Write};

/// Writes a line.
pub(crate) fn say(line: &str) {
    // There is nobody to tell if standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Writes lines that somebody asked for: past the capture of `cargo test` if it was the environment, which knows no other way
/// to show them.
pub(crate) fn tell(text: &str, by_environment: bool) {
    let text = text.trim_end();
    if by_environment {
        say(text);
    } else {
        eprintln!("{text}");
    }
}

/// Whether reports may be coloured: only on a terminal, and not where people do not want it.
pub(crate) fn has_colours() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !unwanted && std::io::stderr().is_terminal()
}
