//! Writes to standard error without capture: `cargo test` captures the output of `eprintln!`, and shows it only for
//! failing tests.

use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the last line of the terminal is a status line.
static HAS_STATUS: AtomicBool = AtomicBool::new(false);

/// Writes a line.
pub(crate) fn print_line(line: &str) {
    clear_status();
    // If standard error is closed, nobody can read the message.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Shows the progress of a search in the status line, the last line of the terminal, which all searches of the process
/// share. The terminal cuts off what does not fit.
pub(crate) fn show_status(line: &str) {
    HAS_STATUS.store(true, Ordering::Relaxed);
    let _ = write!(std::io::stderr().lock(), "\r\x1b[2K\x1b[?7l{line}\x1b[?7h");
}

/// Removes the status line, if there is one. A search that still runs shows it again.
pub(crate) fn clear_status() {
    if HAS_STATUS.swap(false, Ordering::Relaxed) {
        let _ = write!(std::io::stderr().lock(), "\r\x1b[2K");
    }
}

/// Writes output that was requested. If the environment requested it, bypasses the capture of `cargo test`, since there
/// is no other way to see the output.
pub(crate) fn print_requested(text: &str, by_environment: bool) {
    let text = text.trim_end();
    if by_environment {
        print_line(text);
    } else {
        eprintln!("{text}");
    }
}

/// Returns whether reports are colored: only on a terminal, and unless the user disables colors.
pub(crate) fn has_colours() -> bool {
    are_colours_wanted(std::env::var_os("NO_COLOR").as_deref(), std::io::stderr().is_terminal())
}

/// Returns whether to use colors. `NO_COLOR` disables them if it is set and not empty; see <https://no-color.org>.
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
