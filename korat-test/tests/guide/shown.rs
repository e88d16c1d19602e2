//! What the guide shows is what people see. A remark above a block of text, `<!-- shown: KORAT_VERBOSE=1 cargo test -->`, says what was
//! run, in a package whose `src/lib.rs` is the last example with tests above it; `<!-- shown: file -->` that it is a file there.
//!
//! A line `..` stands for any lines that are left out. Times and numbers of threads differ from run to run.

use std::collections::BTreeMap;

use crate::book::chapters;
use crate::package::Package;

#[test]
fn output_in_the_guide_is_that_of_real_runs() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for chapter in chapters() {
        let mut package: Option<Package> = None;
        // What one example has printed is not asked for again.
        let mut printed: BTreeMap<String, String> = BTreeMap::new();
        for block in chapter.blocks() {
            if block.is_test_file() {
                package.get_or_insert_with(|| Package::new(&chapter.name())).write(&block.code());
                printed.clear();
            }
            let Some(shown) = block.remark.as_deref().and_then(|remark| remark.strip_prefix("shown: ")) else {
                continue;
            };
            let place = format!("{}:{}, {shown}", chapter.path.display(), block.line);
            let package =
                package.as_ref().unwrap_or_else(|| panic!("{place}: there is no example with tests above it"));
            let real = printed
                .entry(shown.to_string())
                .or_insert_with(|| if shown.contains("cargo ") { package.run(shown) } else { package.read(shown) });
            compared += 1;
            if let Err(missing) = found_in(&block.text, real) {
                wrong.push(format!("{place}\n-- these lines are not in it:\n{missing}\n-- it is:\n{real}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(compared >= 10, "only {compared} blocks were compared");
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
