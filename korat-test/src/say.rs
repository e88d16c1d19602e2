//! Words on standard error that nobody holds back: `cargo test` captures what `eprintln!` prints, and shows it only where a
//! test fails.

use std::ffi::OsStr;
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
    are_colours_wanted(std::env::var_os("NO_COLOR").as_deref(), std::io::stderr().is_terminal())
}

/// `NO_COLOR` counts if it is set to something, see <https://no-color.org>.
fn are_colours_wanted(no_color: Option<&OsStr>, on_terminal: bool) -> bool {
    on_terminal && no_color.is_none_or(OsStr::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_need_a_terminal_and_nobody_against_them() {
        let (nothing, set) = (OsStr::new(""), OsStr::new("1"));
        let wanted = [None, Some(nothing), Some(set)].map(|no_color| are_colours_wanted(no_color, true));
        assert_eq!(wanted, [true, true, false]);
        assert!(!are_colours_wanted(None, false));
    }
}
