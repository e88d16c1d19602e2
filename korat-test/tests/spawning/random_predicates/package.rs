//! A package of predicates on disk: written, compiled, run. Says of a compile error whether the predicate is wrong in
//! itself or only what korat makes of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::predicate::Predicate;

/// How many predicates are in one program, so that compiling it takes little memory.
const BATCH: usize = 15;

/// A package that is kept between runs.
pub struct Package {
    directory: PathBuf,
    /// Of all packages, so that korat is compiled once.
    target: PathBuf,
    name: String,
    predicates: Vec<Predicate>,
}

impl Package {
    /// Writes what is not there already.
    pub fn write(name: &str, seeds: impl IntoIterator<Item = u64>) -> Self {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_predicates");
        let predicates: Vec<Predicate> = seeds.into_iter().map(Predicate::of).collect();
        let package =
            Package { directory: all.join(name), target: all.join("target"), name: name.to_string(), predicates };
        package.write_files();
        package
    }

    fn write_files(&self) {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = BTreeMap::new();
        files.insert(PathBuf::from("Cargo.toml"), self.manifest(&workspace));
        files.insert(PathBuf::from("src/driver.rs"), include_str!("driver.rs").to_string());
        for predicate in &self.predicates {
            files.insert(format!("src/predicates/{}.rs", predicate.name()).into(), predicate.source.clone());
        }
        for (number, batch) in self.predicates.chunks(BATCH).enumerate() {
            files.insert(format!("src/bin/{}-{number}.rs", self.name).into(), program(batch));
        }
        write_all(&self.directory, &files);
        copy_lock(&self.directory, &workspace);
    }

    fn manifest(&self, workspace: &Path) -> String {
        let workspace = workspace.canonicalize().expect("the workspace is there");
        let path = |member: &str| format!("{:?}", workspace.join(member));
        format!(
            "[workspace]\n\n[package]\nname = \"{}\"\nedition = \"2024\"\npublish = false\n\n\
             [features]\ndefault = [\"lifted\"]\nlifted = [\"dep:korat-core\", \"dep:korat-test\"]\n\n\
             [dependencies]\nkorat-core = {{ path = {}, optional = true }}\nkorat-test = {{ path = {}, optional = true }}\n\n\
             # Numbers in predicates may grow without end.\n\
             [profile.dev]\ndebug = 0\nincremental = false\noverflow-checks = false\n\n\
             [profile.dev.package.korat-core]\noverflow-checks = true\nopt-level = 1\n",
            self.name,
            path("korat-core"),
            path("korat-test"),
        )
    }

    fn cargo(&self, command: &str) -> Command {
        cargo(&self.directory, &self.target, command)
    }

    /// Compiles and runs all programs; gives what each predicate accepted and rejected, or says what failed.
    pub fn run(&self, cap: usize) -> Result<BTreeMap<String, (usize, usize)>, String> {
        let built = finish(self.cargo("build").arg("--bins"));
        if !built.status.success() {
            return Err(self.explain(&String::from_utf8_lossy(&built.stderr)));
        }
        let mut tallies = BTreeMap::new();
        for number in 0..self.predicates.len().div_ceil(BATCH) {
            let program = format!("{}-{number}", self.name);
            let ran = finish(self.cargo("run").args(["--bin", &program, "--", &cap.to_string()]));
            let output = String::from_utf8_lossy(&ran.stdout);
            for line in output.lines() {
                if let ["agreed", name, accepted, rejected] = line.split(' ').collect::<Vec<_>>()[..] {
                    let count = |text: &str| text.parse().expect("the driver prints numbers");
                    tallies.insert(name.to_string(), (count(accepted), count(rejected)));
                }
            }
            if !ran.status.success() {
                return Err(self.explain_run(&program, &output, &ran));
            }
        }
        Ok(tallies)
    }

    fn explain_run(&self, program: &str, output: &str, ran: &Output) -> String {
        let shown: Vec<&str> =
            output.lines().filter(|line| !line.starts_with("checking ") && !line.starts_with("agreed ")).collect();
        let mut text = format!("{program}: {}\n{}\n", ran.status, shown.join("\n"));
        if !output.contains("\nfailed: ") {
            // It was killed.
            let last = output.lines().rev().find_map(|line| line.strip_prefix("checking ")).unwrap_or("nothing");
            let _ = writeln!(text, "{}while checking {last}", self.source_of(last));
        }
        text + &String::from_utf8_lossy(&ran.stderr)
    }

    fn source_of(&self, name: &str) -> &str {
        self.predicates.iter().find(|predicate| predicate.name() == name).map_or("", |predicate| &predicate.source)
    }

    /// Whose fault compile errors are.
    fn explain(&self, errors: &str) -> String {
        let plain = finish(self.cargo("check").args(["--bins", "--no-default-features"]));
        let plain = String::from_utf8_lossy(&plain.stderr).into_owned();
        let (own, all) = (by_predicate(&plain), by_predicate(errors));
        if all.is_empty() {
            return format!("the package does not compile:\n{errors}");
        }
        let mut text = String::new();
        let (mut wrong, mut limits) = (Vec::new(), Vec::new());
        for (name, errors) in &all {
            let (list, whose, errors) = match own.get(name) {
                Some(own) => (&mut wrong, "the generator's fault", own),
                None => (&mut limits, "an error of the lifted code alone", errors),
            };
            if list.is_empty() {
                let _ = write!(text, "{}\n{name}, {whose}:\n{}\n", self.source_of(name), errors.join("\n"));
            } else {
                let first = errors[0].lines().take(6).collect::<Vec<_>>().join("\n");
                let _ = write!(text, "{name}, {whose}:\n{first}\n");
            }
            list.push(name.as_str());
        }
        let _ = writeln!(text, "wrong in themselves: {}", wrong.join(" "));
        let _ = writeln!(text, "wrong when lifted: {}", limits.join(" "));
        text
    }
}

/// Writes the files of a package that have changed, and removes programs and predicates of an earlier run.
pub fn write_all(directory: &Path, files: &BTreeMap<PathBuf, String>) {
    for folder in ["src/bin", "src/predicates"] {
        let folder = directory.join(folder);
        fs::create_dir_all(&folder).expect("the package's directory can be made");
        for entry in fs::read_dir(&folder).expect("the package's directory can be read") {
            let path = entry.expect("the package's directory can be read").path();
            let known = path.strip_prefix(directory).is_ok_and(|path| files.contains_key(path));
            if !known {
                fs::remove_file(path).expect("what an earlier run left can be removed");
            }
        }
    }
    for (path, text) in files {
        let path = directory.join(path);
        // What has not changed is not compiled again.
        if fs::read_to_string(&path).ok().as_ref() != Some(text) {
            fs::write(&path, text).expect("the package can be written");
        }
    }
}

/// Copies the versions of the workspace; cargo leaves out what is not used here, so what was copied is kept beside it.
pub fn copy_lock(directory: &Path, workspace: &Path) {
    let lock = fs::read(workspace.join("Cargo.lock")).expect("the workspace has a lock file");
    let copied = directory.join("workspace.lock");
    if fs::read(&copied).ok().as_ref() != Some(&lock) {
        for path in [directory.join("Cargo.lock"), copied] {
            fs::write(path, &lock).expect("the package can be written");
        }
    }
}

/// A command of cargo's in a package.
pub fn cargo(directory: &Path, target: &Path, command: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    // With a target of its own, flags such as those of a sanitizer do not reach the macros.
    cargo.args([command, "--offline", "--quiet", "--keep-going", "--target", "host-tuple", "--target-dir"]);
    cargo.arg(target).current_dir(directory).env("CARGO_TERM_COLOR", "never");
    cargo
}

pub fn finish(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"))
}

/// The compiler's errors, by the file that they are in.
pub fn by_predicate(output: &str) -> BTreeMap<String, Vec<String>> {
    let mut messages: Vec<String> = Vec::new();
    for line in output.lines() {
        if line.starts_with("error") || line.starts_with("warning") || messages.is_empty() {
            messages.push(String::new());
        }
        if let Some(message) = messages.last_mut() {
            *message += line;
            message.push('\n');
        }
    }
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for message in messages {
        let place = message.split_once("/predicates/").and_then(|(_, place)| place.split_once(".rs:"));
        if message.starts_with("error")
            && let Some((name, _)) = place
        {
            found.entry(name.to_string()).or_default().push(message.clone());
        }
    }
    found
}

/// A program that checks some predicates.
fn program(batch: &[Predicate]) -> String {
    let mut text = String::from(
        "#![allow(warnings, arithmetic_overflow, unconditional_panic, unconditional_recursion)]\n\n\
         #[cfg(feature = \"lifted\")]\n#[path = \"../driver.rs\"]\nmod driver;\n\n",
    );
    let mut entries = String::new();
    for predicate in batch {
        let (name, root) = (predicate.name(), predicate.root);
        let _ = write!(text, "#[path = \"../predicates/{name}.rs\"]\nmod {name};\n");
        let source = format!("include_str!(\"../predicates/{name}.rs\")");
        let _ = writeln!(entries, "        (\"{name}\", {source}, driver::check::<{name}::{root}>),");
    }
    let _ = write!(text, "\n#[cfg(feature = \"lifted\")]\nfn main() {{\n    driver::run(&[\n{entries}    ])\n}}\n");
    text + "\n#[cfg(not(feature = \"lifted\"))]\nfn main() {}\n"
}
