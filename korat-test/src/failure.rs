//! Formats the report of a failing property: its message, a drawing of the value, and how to run it again.

use std::fmt::{self, Debug, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{FailedValue, ShrunkFrom};
use crate::property::Violation;
use crate::replay::Replay;
use crate::report::{counted, grouped};
use crate::shrink::Smaller;

/// One failing value.
pub(crate) struct Failure {
    pub(crate) violation: Violation,
    pub(crate) origin: Origin,
    pub(crate) size: usize,
    /// A drawing of the value.
    pub(crate) drawing: String,
    pub(crate) debug: String,
    pub(crate) replay: Replay,
    /// The file in which the value is kept for the next run, or why it could not be written; `None` if it was kept
    /// before or regressions are off.
    pub(crate) kept: Option<Result<String, String>>,
    /// Source of a test that can be pasted.
    pub(crate) test: String,
}

impl Failure {
    /// Returns what is public about the failure.
    pub(crate) fn value(&self) -> FailedValue {
        let Failure { violation, origin, size, drawing, debug, replay, .. } = self;
        let shrunk_from = match origin {
            Origin::Shrunk(shrunk) => Some(ShrunkFrom {
                size: shrunk.drawn.size,
                replay: shrunk.drawn.replay.to_string(),
                tried: shrunk.tried,
                is_smallest: shrunk.smaller == Smaller::Pass,
            }),
            Origin::Search { .. } | Origin::Kept { .. } | Origin::Replayed => None,
        };
        FailedValue {
            shrunk_from,
            message: violation.message.clone(),
            location: violation.location.clone(),
            size: *size,
            drawing: drawing.clone(),
            debug: debug.clone(),
            replay: replay.to_string(),
            choices: violation.answers.texts.clone(),
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The search: the number of the structure, that of the combination if there are other values beside it, and whether
    /// structures come smallest first.
    Search { number: u64, combination: Option<u64>, smallest_first: bool },
    /// The search for a simpler value than one that was drawn at random.
    Shrunk(Box<Shrunk>),
    /// A regression file with values that failed before.
    Kept { file: String, line: usize },
    /// `KORAT_REPLAY` or `Search::replay`.
    Replayed,
}

/// A value that was drawn at random.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// Its number in the sample, from 1.
    pub(crate) number: u64,
    pub(crate) size: usize,
    pub(crate) replay: Replay,
}

/// How a failing value came from one that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shrunk {
    pub(crate) drawn: Drawn,
    /// How many values were tried.
    pub(crate) tried: u64,
    pub(crate) smaller: Smaller,
}

impl Shrunk {
    /// Describes the failing value, which has a size and a replay.
    fn describe(&self, size: usize, replay: &Replay, failures: usize) -> String {
        let smallest = match (&self.smaller, failures) {
            (Smaller::Pass, 1) => ", smallest failing",
            (Smaller::Pass, _) => ", smallest of its kind",
            (Smaller::Unknown(_), _) => "",
        };
        let drawn = format!("structure #{}, size {}", grouped(self.drawn.number), self.drawn.size);
        if *replay == self.drawn.replay {
            return format!("{drawn}{smallest}");
        }
        format!("a structure of size {size}{smallest}, shrunk from {drawn}")
    }

    /// Says what is known about smaller values.
    fn smaller(&self) -> String {
        let tried = counted(self.tried, "value");
        match &self.smaller {
            Smaller::Pass => format!("{tried} tried; none of a smaller size fails like this"),
            Smaller::Unknown(why) => format!("{tried} tried; smaller ones may fail, too: {why}"),
        }
    }
}

/// The report of one or more failures.
pub(crate) struct FailureReport<'r> {
    pub(crate) failures: &'r [Failure],
    /// Counters like `42 explored, 7 valid`, if the search had begun.
    pub(crate) counts: Option<String>,
    /// Name of the test in `cargo test`.
    pub(crate) test_name: &'r str,
    pub(crate) paint: Paint,
}

/// Whether to use colors.
#[derive(Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) on: bool,
}

impl Paint {
    fn paint(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    fn strong(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn label(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Colors each line separately, because tools that process output line by line lose a color at the end of a line.
    fn drawing(self, text: &str) -> String {
        text.lines().map(|line| format!("{}\n", self.paint("36", line))).collect()
    }
}

impl fmt::Display for FailureReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [_, _, ..] = self.failures {
            writeln!(f, "{}", self.paint.strong(&format!("{} different failures", self.failures.len())))?;
        }
        for (place, failure) in self.failures.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            self.one(f, failure)?;
        }
        match &self.counts {
            Some(counts) => write!(f, "\n{} {counts}", self.paint.label("so far:")),
            None => Ok(()),
        }
    }
}

impl FailureReport<'_> {
    fn one(&self, f: &mut fmt::Formatter<'_>, failure: &Failure) -> fmt::Result {
        let paint = self.paint;
        let size = failure.size;
        let which = match &failure.origin {
            Origin::Search { number, combination, smallest_first } => {
                let smallest = match (smallest_first, self.failures.len()) {
                    (true, 1) => ", smallest failing",
                    (true, _) => ", smallest of its kind",
                    (false, _) => "",
                };
                let combination = combination.map(|it| format!(", combination #{}", grouped(it))).unwrap_or_default();
                format!("structure #{}{combination}, size {size}{smallest}", grouped(*number))
            }
            Origin::Shrunk(shrunk) => shrunk.describe(size, &failure.replay, self.failures.len()),
            Origin::Kept { file, line } => format!("a saved structure, size {size} ({file}, line {line})"),
            Origin::Replayed => format!("the replayed structure, size {size}"),
        };
        writeln!(f, "{}: {}", paint.strong(&format!("property failed on {which}")), failure.violation.message)?;
        if let Some(location) = &failure.violation.location {
            writeln!(f, "  {} {location}", paint.label("at"))?;
        }
        if !failure.violation.answers.texts.is_empty() {
            writeln!(f, "  {} {}", paint.label("choosing"), failure.violation.answers.texts.join(", "))?;
        }
        write!(f, "\n{}\n{}\n", paint.drawing(&failure.drawing), failure.debug)?;
        if let Some(backtrace) = &failure.violation.backtrace {
            write!(f, "\n{}\n{backtrace}", paint.label("backtrace of the property:"))?;
        }
        writeln!(f, "\n{} KORAT_REPLAY='{}' cargo test {}", paint.label("replay:"), failure.replay, self.test_name)?;
        if let Origin::Shrunk(shrunk) = &failure.origin {
            if shrunk.drawn.replay != failure.replay {
                let drawn = paint.label("as drawn:");
                writeln!(f, "{drawn} KORAT_REPLAY='{}' cargo test {}", shrunk.drawn.replay, self.test_name)?;
            }
            writeln!(f, "{} {}", paint.label("shrunk:"), shrunk.smaller())?;
        }
        match &failure.kept {
            Some(Ok(file)) => {
                writeln!(f, "{} in {file}, and run first the next time; commit it", paint.label("saved:"))?;
            }
            Some(Err(why)) => writeln!(f, "{} {why}", paint.label("not saved:"))?,
            None => {}
        }
        writeln!(f, "{}", paint.label("as a test of its own:"))?;
        for line in failure.test.lines() {
            if line.is_empty() { writeln!(f) } else { writeln!(f, "    {line}") }?;
        }
        Ok(())
    }
}

/// Formats a value with `Debug`, truncated if it is very long: a derived `Debug` does not terminate on a cycle.
pub(crate) fn debug_text(value: &impl Debug) -> String {
    const MOST: usize = 10_000;
    struct Cut(String);
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            if self.0.len() > MOST { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut text = Cut(String::new());
    match catch_unwind(AssertUnwindSafe(|| write!(text, "{value:#?}"))) {
        Ok(Ok(())) => text.0,
        Ok(Err(_)) => format!("{}\n.. (cut: the text of this value is very long, or never ends)", text.0),
        Err(_) => format!("{}\n.. (its Debug panicked)", text.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::Answers;

    fn report(on: bool) -> String {
        let failure = Failure {
            violation: Violation {
                message: "too tall".to_string(),
                location: None,
                backtrace: None,
                answers: Answers { indices: vec![1], texts: vec!["'x'".to_string()] },
            },
            origin: Origin::Search { number: 1234, combination: None, smallest_first: true },
            size: 2,
            drawing: "Tree\n`- root: Node\n".to_string(),
            debug: "Tree { .. }".to_string(),
            replay: "Tree:2:1.0".parse().unwrap(),
            kept: Some(Err("the file cannot be written: it is a folder".to_string())),
            test: "#[test]\nfn f() {}\n".to_string(),
        };
        let counts = Some("9 explored, 4 valid".to_string());
        FailureReport { failures: &[failure], counts, test_name: "f", paint: Paint { on } }.to_string()
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let (plain, coloured) = (report(false), report(true));
        assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}[36mTree\u{1b}[0m\n"));
        // Every color ends on its line, and the message of the property has none.
        assert!(coloured.lines().all(|line| line.matches("\u{1b}[").count() == 2 * line.matches("\u{1b}[0m").count()));
        assert!(coloured.contains(": too tall\n") && plain.contains("\n  choosing 'x'\n"));
        let codes = ["\u{1b}[1;31m", "\u{1b}[1m", "\u{1b}[36m", "\u{1b}[0m"];
        assert_eq!(codes.iter().fold(coloured, |text, code| text.replace(code, "")), plain);
    }

    #[test]
    fn a_value_that_does_not_print_is_told() {
        struct Broken;
        impl Debug for Broken {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("half")?;
                panic!("no more")
            }
        }
        assert_eq!(debug_text(&Broken), "half\n.. (its Debug panicked)");
        let endless = std::iter::repeat_n(1, 100_000).collect::<Vec<u8>>();
        assert!(debug_text(&endless).ends_with(".. (cut: the text of this value is very long, or never ends)"));
    }
}
