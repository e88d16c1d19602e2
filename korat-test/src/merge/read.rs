//! Finds the reports in folders.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Wrong;
use super::part::Part;

/// Reads all reports in folders, and in those inside them, in the order of their paths.
pub(super) fn parts(folders: &[PathBuf]) -> Result<Vec<Part>, Wrong> {
    let mut files = Vec::new();
    for folder in folders {
        find(folder, &mut files)?;
    }
    files.sort();
    files.dedup();
    let mut parts = Vec::new();
    for path in files {
        parts.extend(part(&path)?);
    }
    if parts.is_empty() {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        return Err(Wrong(format!(
            "there are no reports in {}; run the tests with KORAT_REPORT={}",
            folders.join(", "),
            folders[0]
        )));
    }
    Ok(parts)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Wrong> {
    let unreadable = |error: std::io::Error| Wrong(format!("{} cannot be read: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads a report; `None` if it is the result of a merge.
fn part(path: &Path) -> Result<Option<Part>, Wrong> {
    let wrong = |what: String| Wrong(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(format!("this is no JSON: {error}")))?;
    if value.get("kind").is_some_and(|kind| kind == "merged") {
        return Ok(None);
    }
    Part::new(path.display().to_string(), value).map(Some).map_err(wrong)
}
