//! The book hangs together: every chapter is in the summary, every link leads somewhere, every example is a doctest.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::chapter::Chapter;
use crate::found;

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is there")
}

/// All pages in the folder of the book, the summary included, by name.
pub fn pages() -> Vec<Chapter> {
    let folder = workspace().join("docs/src");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("there is a book").map(|entry| entry.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.iter().map(|path| Chapter::read(path)).collect()
}

/// All of them but the summary.
pub fn chapters() -> Vec<Chapter> {
    pages().into_iter().filter(|page| page.name() != "SUMMARY").collect()
}

#[test]
fn the_summary_lists_every_chapter_once() {
    let summary = Chapter::read(&workspace().join("docs/src/SUMMARY.md"));
    let listed = summary.links();
    let files: BTreeSet<String> = chapters().iter().map(|chapter| format!("{}.md", chapter.name())).collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), files);
    assert_eq!(listed.len(), files.len(), "a chapter is listed twice: {listed:?}");
}

#[test]
fn every_link_leads_to_a_file_and_to_a_heading_in_it() {
    let others = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"];
    let others = others.iter().map(|name| Chapter::read(&workspace().join(name)));
    let mut looked_at = 0;
    for page in pages().into_iter().chain(others) {
        let folder = page.path.parent().expect("a page is in a folder");
        for link in page.links().iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.path.clone() } else { folder.join(file) };
            let from = page.path.display();
            assert!(target.exists(), "{from}: the link to {link} leads nowhere");
            if !anchor.is_empty() {
                let anchors = Chapter::read(&target).anchors();
                assert!(anchors.iter().any(|known| known == anchor), "{from}: {link}; there are {anchors:?}");
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 40, "only {looked_at} links were seen");
}

#[test]
fn every_include_leads_to_a_file() {
    for chapter in chapters() {
        for include in chapter.text.split("{{#include ").skip(1) {
            let file = include.split_once("}}").expect("an include ends").0;
            let target = chapter.path.parent().expect("a page is in a folder").join(file);
            assert!(target.is_file(), "{} includes {file}", chapter.path.display());
        }
    }
}

#[test]
fn every_chapter_is_run_as_a_doctest() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide.rs")).expect("it is there");
    for chapter in chapters() {
        // A page that stands somewhere else is run there.
        if chapter.text.starts_with("{{#include ") {
            assert_eq!(chapter.text.lines().count(), 1, "{}", chapter.path.display());
            continue;
        }
        let included = format!("include_str!(\"../../docs/src/{}.md\")", chapter.name());
        assert!(guide.contains(&included), "src/guide.rs lacks {included}");
    }
}

#[test]
fn every_block_says_what_it_is_and_no_example_is_left_out_of_the_tests() {
    for chapter in chapters() {
        for block in chapter.blocks() {
            let place = format!("{}:{}", chapter.path.display(), block.line);
            let first = block.words().next().unwrap_or_default();
            assert!(["rust", "text", "sh", "toml", "yaml", "python"].contains(&first), "{place}: {:?}", block.language);
            let skipped = block.words().find(|word| word.starts_with("ignore") || *word == "compile_fail");
            // Programs for other crates are for `found`.
            let is_of_another_crate = found::dependency(&block).is_some();
            assert!(
                skipped.is_none() || is_of_another_crate,
                "{place}: an example that is not run: {:?}",
                block.language
            );
        }
    }
}
