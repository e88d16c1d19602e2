//! The command `korat merge`: reads the reports of a run, pairs the shards of each search, adds them up, and shows the result.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod combine;
mod expected;
mod json;
mod junit;
mod numbers;
mod part;
mod progress;
mod read;
mod text;

pub(crate) use combine::{Merged, MergedFailure, MergedSearch};
pub(crate) use text::cut;

const USAGE: &str = "\
usage: korat merge [--progress] [--json] [--junit FILE] [--page FILE] FOLDER..

Adds up the reports that tests have left in these folders and in those inside them: run them with KORAT_REPORT=FOLDER.
  --progress    say how far a run is whose processes are still at work; the exit code is 1 if a search has failed already
  --json        print the result as JSON
  --junit FILE  write the result as JUnit's XML
  --page FILE   write the result as a page for a browser
The exit code is 0 if every search passed, 1 if a search failed, a shard is missing or an expectation is not met, and 2 if
the reports cannot be added up.";

/// What is wrong with the arguments or the files.
#[derive(Debug, PartialEq, Eq)]
struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the arguments ask for.
#[derive(Default)]
struct Wanted {
    folders: Vec<PathBuf>,
    json: bool,
    progress: bool,
    junit: Option<PathBuf>,
    page: Option<PathBuf>,
}

/// Runs the program with these arguments.
#[doc(hidden)]
pub fn command(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match run(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(wrong) => {
            eprintln!("error: {wrong}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether every search passed.
fn run(arguments: impl Iterator<Item = OsString>) -> Result<bool, Wrong> {
    let Some(wanted) = parse(arguments)? else {
        println!("{USAGE}");
        return Ok(true);
    };
    let merged = Merged::of(read::parts(&wanted.folders)?)?;
    if wanted.progress {
        let (text, is_fine) = progress::progress(&merged);
        print!("{text}");
        return Ok(is_fine);
    }
    if let Some(path) = &wanted.junit {
        write(path, &junit::junit(&merged))?;
    }
    if let Some(path) = &wanted.page {
        write(path, &crate::picture::merged_page(&merged))?;
    }
    print!("{}", if wanted.json { json::json(&merged) } else { text::text(&merged) });
    Ok(merged.is_passed())
}

/// Returns what the arguments ask for; `None` if it is help.
fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Option<Wanted>, Wrong> {
    let wrong = |what: String| Err(Wrong(format!("{what}\n{USAGE}")));
    let Some(command) = arguments.next() else { return wrong("a command is missing".to_string()) };
    match command.to_str() {
        Some("merge") => {}
        Some("--help" | "-h" | "help") => return Ok(None),
        _ => return wrong(format!("there is no command `{}`", command.display())),
    }
    let mut wanted = Wanted::default();
    while let Some(argument) = arguments.next() {
        // A path need not be Unicode; what is lost here is in no option.
        match &*argument.to_string_lossy() {
            "--help" | "-h" => return Ok(None),
            "--json" => wanted.json = true,
            "--progress" => wanted.progress = true,
            option @ ("--junit" | "--page") => {
                let Some(file) = arguments.next().map(PathBuf::from) else {
                    return wrong(format!("`{option}` needs a file"));
                };
                let place = if option == "--page" { &mut wanted.page } else { &mut wanted.junit };
                *place = Some(file);
            }
            option if option.starts_with('-') => return wrong(format!("there is no option `{option}`")),
            _ => wanted.folders.push(argument.into()),
        }
    }
    if wanted.folders.is_empty() { wrong("a folder is missing".to_string()) } else { Ok(Some(wanted)) }
}

/// Writes a file, and the folders of it that are missing.
fn write(path: &Path, text: &str) -> Result<(), Wrong> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    written.map_err(|error| Wrong(format!("{} cannot be written: {error}", path.display())))
}
