//! A package of small predicates on disk: written, compiled, run. What does not compile when lifted is reported and left
//! out, so that the others are still run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::super::package::{by_predicate, cargo, copy_lock, finish, write_all};
use super::Small;

/// The classes of small predicates.
pub const CLASSES: &str = include_str!("classes.rs");

/// How many predicates are in one program: it shares the classes and the linking, and rustc takes about 8 MB for each.
const BATCH: usize = 100;

/// rustc names errors of a later pass only where there are none of an earlier one: of macros, names, types, borrows.
const PASSES: usize = 6;

/// A package that is kept between runs.
pub struct Package {
    directory: PathBuf,
    target: PathBuf,
    name: String,
    /// The beginning of every program: the classes that its predicates share.
    classes: &'static str,
    predicates: Vec<Small>,
}

/// What came out.
#[derive(Default)]
pub struct Outcome {
    /// Per predicate that agrees with brute force, how many values are accepted and how many are not.
    pub agreed: BTreeMap<String, (usize, usize)>,
    /// Those that differ, with the ways of backtracking in which they do.
    pub differing: BTreeMap<String, String>,
    /// Those that compile when plain and not when lifted, with the first error.
    pub uncompilable: BTreeMap<String, String>,
    /// Those with summaries: how many tables they have, and how many calls these have answered again.
    pub summarised: BTreeMap<String, (u64, u64)>,
    /// Those without, and why.
    pub unsummarised: BTreeMap<String, String>,
    /// The shortest of those that fail, with their sources.
    pub shown: String,
}

impl Package {
    pub fn of(name: &str, classes: &'static str, predicates: Vec<Small>) -> Self {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_predicates");
        Package { directory: all.join(name), target: all.join("target"), name: name.to_string(), classes, predicates }
    }

    fn batches(&self) -> impl Iterator<Item = (String, &[Small])> {
        self.predicates.chunks(BATCH).enumerate().map(|(number, batch)| (format!("{}-{number}", self.name), batch))
    }

    fn write(&self, without: &BTreeMap<String, String>) {
        let workspace =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is there");
        let mut files = BTreeMap::new();
        files.insert(PathBuf::from("Cargo.toml"), manifest(&self.name, &workspace));
        files.insert(PathBuf::from("src/driver.rs"), include_str!("driver.rs").to_string());
        for predicate in &self.predicates {
            files.insert(format!("src/predicates/{}.rs", predicate.name()).into(), predicate.source.clone());
        }
        for (program, batch) in self.batches() {
            let kept: Vec<&Small> = batch.iter().filter(|it| !without.contains_key(&it.name())).collect();
            files.insert(format!("src/bin/{program}.rs").into(), program_text(self.classes, &kept));
        }
        write_all(&self.directory, &files);
        copy_lock(&self.directory, &workspace);
    }

    /// Compiles, leaving out what does not compile, and runs. An error is one of the generator, or of the machine.
    pub fn run(&self) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        self.write(&outcome.uncompilable);
        for pass in 0.. {
            let built = finish(cargo(&self.directory, &self.target, "build").arg("--bins"));
            if built.status.success() {
                break;
            }
            let errors = String::from_utf8_lossy(&built.stderr).into_owned();
            let failing = by_predicate(&errors);
            if failing.is_empty() || pass == PASSES {
                return Err(format!("the package does not compile:\n{errors}"));
            }
            if pass == 0 {
                self.check_plain()?;
            }
            outcome.uncompilable.extend(failing.into_iter().map(|(name, errors)| (name, errors[0].clone())));
            self.write(&outcome.uncompilable);
        }
        self.show_uncompilable(&mut outcome);
        for (program, batch) in self.batches() {
            println!("{program}: seeds {} to {}", batch[0].seed, batch[batch.len() - 1].seed);
            let ran = finish(cargo(&self.directory, &self.target, "run").args(["--bin", &program]));
            let output = String::from_utf8_lossy(&ran.stdout).into_owned();
            outcome.take(&output);
            let has_ended = ran.status.success() || output.contains("\ndiffers ");
            if !has_ended {
                let last = output.lines().rev().find_map(|line| line.strip_prefix("checking ")).unwrap_or("nothing");
                let stderr = String::from_utf8_lossy(&ran.stderr);
                return Err(format!(
                    "{}{program} was killed while checking {last}: {}\n{stderr}",
                    self.source(last),
                    ran.status
                ));
            }
        }
        Ok(outcome)
    }

    /// Whether all of them are Rust when plain; what is not is the generator's fault.
    fn check_plain(&self) -> Result<(), String> {
        self.write(&BTreeMap::new());
        let plain = finish(cargo(&self.directory, &self.target, "check").args(["--bins", "--no-default-features"]));
        if plain.status.success() {
            return Ok(());
        }
        let errors = String::from_utf8_lossy(&plain.stderr).into_owned();
        let mut text = String::new();
        for (name, errors) in by_predicate(&errors) {
            let _ = write!(text, "{}{name}, the generator's fault:\n{}\n", self.source(&name), errors[0]);
        }
        Err(if text.is_empty() { errors } else { text })
    }

    fn source(&self, name: &str) -> &str {
        self.predicates.iter().find(|predicate| predicate.name() == name).map_or("", |predicate| &predicate.source)
    }

    fn show_uncompilable(&self, outcome: &mut Outcome) {
        let mut all: Vec<(&str, &String, &String)> =
            outcome.uncompilable.iter().map(|(name, error)| (self.source(name), name, error)).collect();
        all.sort_by_key(|(source, ..)| source.len());
        for (source, name, error) in all.into_iter().take(2) {
            let _ = write!(outcome.shown, "{source}{name}, whose plain form compiles:\n{error}\n");
        }
    }
}

impl Outcome {
    /// Reads what a program has printed.
    fn take(&mut self, output: &str) {
        for line in output.lines() {
            if let Some((name, why)) = line.strip_prefix("unsummarised ").and_then(|rest| rest.split_once(' ')) {
                self.unsummarised.insert(name.to_string(), why.to_string());
                continue;
            }
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["agreed", name, accepted, others] => {
                    let count = |text: &str| text.parse().expect("the driver prints numbers");
                    self.agreed.insert(name.to_string(), (count(accepted), count(others)));
                }
                ["summarised", name, tables, hits] => {
                    let count = |text: &str| text.parse().expect("the driver prints numbers");
                    self.summarised.insert(name.to_string(), (count(tables), count(hits)));
                }
                ["differs", name, modes] => {
                    self.differing.insert(name.to_string(), modes.to_string());
                }
                ["checking", _] => {}
                _ => {
                    self.shown += line;
                    self.shown.push('\n');
                }
            }
        }
    }
}

fn manifest(name: &str, workspace: &Path) -> String {
    let path = |member: &str| format!("{:?}", workspace.join(member));
    format!(
        "[workspace]\n\n[package]\nname = \"{name}\"\nedition = \"2024\"\npublish = false\n\n\
         [features]\ndefault = [\"lifted\"]\nlifted = [\"dep:korat-core\", \"dep:korat-test\"]\n\n\
         [dependencies]\nkorat-core = {{ path = {}, optional = true }}\nkorat-test = {{ path = {}, optional = true }}\n\n\
         [profile.dev]\ndebug = 0\nincremental = false\nstrip = true\n\n[profile.dev.package.korat-core]\nopt-level = 1\n",
        path("korat-core"),
        path("korat-test"),
    )
}

/// A program that checks some predicates: the classes, the predicates, and the list of them.
fn program_text(classes: &str, batch: &[&Small]) -> String {
    let mut text = String::from(classes);
    let mut entries = String::new();
    for predicate in batch {
        let path = format!("../predicates/{}.rs", predicate.name());
        let _ = writeln!(text, "include!(\"{path}\");");
        let source = format!("include_str!(\"{path}\")");
        let _ =
            writeln!(entries, "        driver::Entry::of::<{}>(\"{}\", {source}),", predicate.root, predicate.name());
    }
    let _ = write!(text, "\n#[cfg(feature = \"lifted\")]\nfn main() {{\n    driver::run(&[\n{entries}    ])\n}}\n");
    text + "\n#[cfg(not(feature = \"lifted\"))]\nfn main() {}\n"
}
