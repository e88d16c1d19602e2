//! One page of Markdown, taken apart. Takes a file, gives its blocks of code and its links.

use std::fs;
use std::path::{Path, PathBuf};

/// A page.
pub struct Chapter {
    pub path: PathBuf,
    pub text: String,
}

/// A block between fences.
#[derive(Debug)]
pub struct Block {
    /// Where its first fence stands, from 1.
    pub line: usize,
    /// What stands behind that: `rust,test_harness`.
    pub language: String,
    /// What a comment right above it says: `<!-- shown: cargo test -->`.
    pub remark: Option<String>,
    pub text: String,
}

impl Block {
    pub fn is_rust(&self) -> bool {
        self.words().next() == Some("rust")
    }

    /// Whether it is a whole file with tests.
    pub fn is_test_file(&self) -> bool {
        self.is_rust() && self.words().any(|word| word == "test_harness")
    }

    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.language.split(',')
    }

    /// The code, with the lines that readers do not see.
    pub fn code(&self) -> String {
        let lines = self.text.lines().map(|line| match line {
            "#" => "",
            line => line.strip_prefix("# ").unwrap_or(line),
        });
        lines.map(|line| format!("{line}\n")).collect()
    }
}

impl Chapter {
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Chapter { path: path.to_path_buf(), text }
    }

    /// The documentation at the top of a source file.
    pub fn front_page(path: &Path) -> Self {
        let Chapter { path, text } = Chapter::read(path);
        let lines = text.lines().filter_map(|line| {
            // A fence may depend on a feature.
            let fence = line.strip_prefix("#![cfg_attr(feature").and_then(|rest| rest.split("doc = \"").nth(1));
            line.strip_prefix("//!").or_else(|| fence?.strip_suffix("\")]"))
        });
        let text = lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect();
        Chapter { path, text }
    }

    /// The name of the file, without what comes after the dot.
    pub fn name(&self) -> String {
        self.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        let mut remark = None;
        for (number, line) in self.text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(language), None) => {
                    let (line, language) = (number + 1, language.trim().to_string());
                    open = Some(Block { line, language, remark: remark.take(), text: String::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {
                    let said = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
                    remark = said.map(str::to_string);
                }
            }
        }
        assert!(open.is_none(), "{}: a block has no end: {open:?}", self.path.display());
        blocks
    }

    /// The targets of all links outside of blocks: what stands in the parentheses of `[text](target)`.
    pub fn links(&self) -> Vec<String> {
        let mut in_block = false;
        let mut links = Vec::new();
        for line in self.text.lines() {
            if line.starts_with("```") {
                in_block = !in_block;
            }
            if in_block {
                continue;
            }
            let after = line.split("](").skip(1);
            links.extend(after.filter_map(|rest| Some(rest.split_once(')')?.0.to_string())));
        }
        links
    }

    /// The names that a link may have behind a `#`, as mdBook and GitHub make them of headings.
    pub fn anchors(&self) -> Vec<String> {
        let mut in_block = false;
        let headings = self.text.lines().filter(|line| {
            in_block ^= line.starts_with("```");
            !in_block && line.starts_with('#')
        });
        let anchor = |heading: &str| -> String {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        headings.map(anchor).collect()
    }
}
