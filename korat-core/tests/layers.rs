//! The folders of this crate form layers. A file uses its own folder and those below it, never one above it.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, the lowest first.
const LAYERS: [&str; 11] =
    ["model", "memory", "slots", "engine", "predicate", "class", "codec", "heap", "summary", "search", "repair"];

/// The longest file that a reader takes in as a whole.
const MOST_LINES: usize = 400;

/// All Rust files below `src`, by their path from there.
fn sources() -> Vec<(PathBuf, String)> {
    below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// All Rust files below a folder, by their path from there.
fn below(root: &Path) -> Vec<(PathBuf, String)> {
    let (mut folders, mut files) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(root).unwrap().to_path_buf(), text));
            }
        }
    }
    files.sort();
    files
}

/// The layers that a line of code names by an absolute path.
fn named(line: &str) -> impl Iterator<Item = usize> {
    let code = line.split("//").next().unwrap_or_default();
    let paths = code.split("crate::").skip(1).map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_').next());
    paths.filter_map(|layer| LAYERS.iter().position(|known| Some(*known) == layer))
}

#[test]
fn no_layer_uses_one_above_it() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let folder = path.iter().next().and_then(|first| first.to_str()).unwrap();
        let Some(own) = LAYERS.iter().position(|layer| *layer == folder) else { continue };
        for (number, line) in text.lines().enumerate() {
            if named(line).any(|layer| layer > own) {
                wrong.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "these lines use a folder above their own:\n{}", wrong.join("\n"));
}

#[test]
fn a_line_that_uses_a_layer_is_seen() {
    let found = |line| named(line).map(|layer| LAYERS[layer]).collect::<Vec<_>>();
    assert_eq!(found("use crate::search::searcher::Searcher;"), ["search"]);
    assert_eq!(
        found("    let value = crate::heap::bounded::f(crate::model::ids::X); // crate::repair"),
        ["heap", "model"]
    );
    assert_eq!(found("use crate::searching;"), [""; 0]);
}

#[test]
fn files_are_at_most_two_folders_deep() {
    for (path, _) in sources() {
        let depth = path.iter().count() - 1;
        assert!(depth <= 2, "{} lies {depth} folders deep", path.display());
        assert!(depth > 0 || path == Path::new("lib.rs"), "{} lies beside lib.rs", path.display());
    }
}

/// All Rust files of the workspace but the inputs of compile-time tests, by crate and path.
fn sources_of_all_crates() -> Vec<(String, String)> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for folder in ["korat-core", "korat-macros", "korat-test", "examples"] {
        for part in ["src", "tests", "benches"].map(|part| workspace.join(folder).join(part)) {
            let files = if part.is_dir() { below(&part) } else { Vec::new() };
            let own = files.into_iter().filter(|(path, _)| !path.starts_with("ui"));
            all.extend(own.map(|(path, text)| (format!("{folder}: {}", path.display()), text)));
        }
    }
    all
}

#[test]
fn files_of_all_crates_are_short() {
    for (file, text) in sources_of_all_crates() {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{file} has {lines} lines");
    }
}

#[test]
fn comments_stand_alone() {
    for (file, text) in sources_of_all_crates() {
        let leaning = text.lines().position(|line| {
            let line = line.trim_start();
            ["///", "//!"]
                .iter()
                .any(|comment| line.strip_prefix(comment).is_some_and(|text| text.starts_with(" The same")))
        });
        let leaning = leaning.map(|number| number + 1);
        assert_eq!(leaning, None, "{file}: a comment that leans on the item above it");
    }
}
