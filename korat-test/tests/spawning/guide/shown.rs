//! What the guide, the README and the crate's front page show is what people see. A remark above a block of text says what was run:
//!
//! - `<!-- shown: KORAT_VERBOSE=1 cargo test -->`, in a package whose `src/lib.rs` is the last example with tests above it;
//! - `<!-- shown without "return;": cargo test -->`, the same after that was taken out of the example;
//! - `<!-- shown: korat-regressions/lists.txt -->`, nothing: it is a file of that package.
//!
//! A line `..` stands for any lines that are left out. Times and numbers of threads differ from run to run.

use std::collections::BTreeMap;
use std::path::Path;

use super::book::{chapters, workspace};
use super::chapter::Chapter;
use super::package::Package;

#[test]
fn output_that_is_shown_is_that_of_real_runs() {
    let front_page = Chapter::front_page(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    let readme = Chapter::read(&workspace().join("README.md"));
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for page in chapters().iter().chain([&readme, &front_page]) {
        let seen = compared;
        compare(page, &mut wrong, &mut compared);
        assert!(compared > seen || page.path.parent().is_some_and(|folder| folder.ends_with("docs/src")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(compared >= 20, "only {compared} blocks were compared");
}

/// Holds every shown block of a page to a run.
fn compare(page: &Chapter, wrong: &mut Vec<String>, compared: &mut usize) {
    let mut package: Option<Package> = None;
    let mut code = String::new();
    // What one example has printed is not asked for again.
    let mut printed: BTreeMap<String, String> = BTreeMap::new();
    for block in page.blocks() {
        if block.is_test_file() {
            code = block.code();
            printed.clear();
        }
        let Some(shown) = block.remark.as_deref().and_then(Shown::parse) else { continue };
        let place = format!("{}:{}, {}", page.path.display(), block.line, shown.command);
        assert!(!code.is_empty(), "{place}: there is no example with tests above it");
        let package = package.get_or_insert_with(|| Package::new(&page.name()));
        let real = printed.entry(block.remark.clone().unwrap_or_default()).or_insert_with(|| {
            package.write(&shown.changed(&code, &place));
            if shown.command.contains("cargo ") { package.run(shown.command) } else { package.read(shown.command) }
        });
        *compared += 1;
        if let Err(missing) = found_in(&block.text, real) {
            wrong.push(format!("{place}\n-- these lines are not in it:\n{missing}\n-- it is:\n{real}"));
        }
    }
}

/// What a remark says.
struct Shown<'r> {
    /// What is taken out of the example.
    without: Option<&'r str>,
    /// What is run, or the file.
    command: &'r str,
}

impl<'r> Shown<'r> {
    fn parse(remark: &'r str) -> Option<Self> {
        let rest = remark.strip_prefix("shown")?;
        match rest.strip_prefix(": ") {
            Some(command) => Some(Shown { without: None, command }),
            None => {
                let (without, command) = rest.strip_prefix(" without \"")?.split_once("\": ")?;
                Some(Shown { without: Some(without), command })
            }
        }
    }

    fn changed(&self, code: &str, place: &str) -> String {
        let Some(without) = self.without else { return code.to_string() };
        assert_eq!(code.matches(without).count(), 1, "{place}: {without:?} must be in the example once");
        code.replace(without, "")
    }
}

/// Whether a text has all lines that are shown, in their order; else those that it has not.
fn found_in(shown: &str, real: &str) -> Result<(), String> {
    let shown: Vec<String> = shown.lines().map(settled).collect();
    let real: Vec<String> = real.lines().map(settled).collect();
    let mut rest = real.as_slice();
    for piece in shown.split(|line| line.trim() == "..").filter(|piece| !piece.is_empty()) {
        let at = rest.windows(piece.len()).position(|lines| lines == piece).ok_or_else(|| piece.join("\n"))?;
        rest = &rest[at + piece.len()..];
    }
    Ok(())
}

/// A line without times and numbers of threads.
fn settled(line: &str) -> String {
    let line = line.trim_end();
    let line = match line.split_once(" (") {
        Some((thread, rest)) if thread.starts_with("thread '") => {
            format!("{thread} {}", rest.split_once(") ").map_or(rest, |(_, after)| after))
        }
        _ => line.to_string(),
    };
    let is_time = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with('s');
    for before in [", in ", "; finished in ", "stopped after "] {
        if let Some((head, tail)) = line.split_once(before) {
            let (time, rest) =
                tail.split_once(' ').map_or((tail, String::new()), |(time, rest)| (time, format!(" {rest}")));
            if is_time(&time) {
                return settled(&format!("{head}{before}[time]{rest}"));
            }
        }
    }
    line
}

#[test]
fn lines_that_are_not_there_are_noticed() {
    let real = "\nthread 'a' (17) panicked\none\ntwo\nall, in 1.20ms\nthree\n";
    assert_eq!(found_in("thread 'a' (4) panicked\none\n..\nall, in 7s\nthree\n", real), Ok(()));
    assert_eq!(found_in("one\nthree\n", real), Err("one\nthree".to_string()));
    assert_eq!(found_in("two\n..\none\n", real), Err("one".to_string()));
    assert_eq!(found_in("all, in no time\n", real), Err("all, in no time".to_string()));
}
