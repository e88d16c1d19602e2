//! Words on standard error that nobody holds back: `cargo test` captures what `eprintln!` prints, and shows it only where a
//! test fails.

use std::io::{IsTerminal, Write};

/// Writes a line.
pub(crate) fn say(line: &str) {
    // There is nobody to tell if standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Whether reports may be coloured: only on a terminal, and not where people do not want it.
pub(crate) fn has_colours() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !unwanted && std::io::stderr().is_terminal()
}
