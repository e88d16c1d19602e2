//! Which search a report is of: what shards of one search have in common, and no two searches of a run.

use std::collections::HashMap;
use std::panic::Location;

use parking_lot::Mutex;

use crate::config::Config;
use crate::digest::Digest;
use crate::json::{self, Object, string};
use crate::regressions;
use crate::shard::Shard;

/// The search of a test.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The package, if the test runs under cargo.
    package: Option<String>,
    /// The test executable, without the hash that cargo adds to its name.
    program: String,
    /// Name of the test in `cargo test`.
    pub(crate) test: String,
    type_name: String,
    pub(super) file: String,
    pub(super) line: u32,
    column: u32,
    /// The number of the search among those with everything else in common, in the order in which they begin; the first is 1. Shards that the code asks for
    /// one after the other are one search.
    ordinal: u32,
}

/// What is searched or explored, and by whom.
pub(crate) struct Subject<'s> {
    /// The name of the type.
    pub(crate) type_name: &'s str,
    /// The type name of a closure in the test, if there is one.
    pub(crate) inside: Option<&'s str>,
}

impl Identity {
    /// Takes the part of the search that begins here.
    pub(crate) fn new(
        Subject { type_name, inside }: Subject<'_>,
        location: &Location<'_>,
        shard: Option<Shard>,
    ) -> Self {
        let (file, line, column) = (source_file(location.file()), location.line(), location.column());
        let function = inside.map(|inside| regressions::module_and_function(inside).1);
        let mut identity = Identity {
            package: std::env::var("CARGO_PKG_NAME").ok(),
            program: program().unwrap_or_default(),
            test: regressions::test_name(function.as_deref().unwrap_or("main")),
            type_name: type_name.to_string(),
            file,
            line,
            column,
            ordinal: 0,
        };
        identity.ordinal = ordinal(identity.text(), shard);
        identity
    }

    /// Returns the fields of the report.
    pub(super) fn fields(&self) -> Object {
        let Identity { package, program, test, type_name, file, line, column, ordinal } = self;
        let mut object = Object::default();
        object.field("package", json::or_null(package.as_deref().map(string)));
        object.field("program", string(program));
        object.field("test", string(test));
        object.field("type", string(type_name));
        object.field("file", string(file));
        object.field("line", line);
        object.field("column", column);
        object.field("ordinal", ordinal);
        object
    }

    fn text(&self) -> String {
        let Identity { package, program, test, type_name, file, line, column, ordinal } = self;
        let package = package.as_deref().unwrap_or_default();
        format!("{package}\n{program}\n{test}\n{type_name}\n{file}\n{line}\n{column}\n{ordinal}")
    }

    /// Returns the name of the report's file, without what follows the dot. The readable part is cut; the digest tells files apart,
    /// also where the case of letters does not count.
    pub(crate) fn file_name(&self, shard: Option<Shard>) -> String {
        let Identity { line, ordinal, .. } = self;
        let part = shard.map(|shard| format!("-{}of{}", shard.index(), shard.of())).unwrap_or_default();
        format!("{}{line}-{ordinal}-{}{part}", self.begin_of_file_name(), Digest::of(&self.text()))
    }

    /// Returns how the names of the files of all searches in the test for values of the type begin.
    pub(crate) fn begin_of_file_name(&self) -> String {
        let Identity { test, type_name, .. } = self;
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let last = test.rsplit("::").next().unwrap_or_default();
        format!("{last}-{type_name}").chars().map(safe).take(80).chain(['-']).collect()
    }

    /// Returns the test executable, with its package if that is known.
    pub(super) fn program(&self) -> String {
        program_text(self.package.as_deref(), &self.program)
    }

    /// Returns where the test belongs, in the words of JUnit the class.
    pub(super) fn suite(&self) -> String {
        match self.test.rsplit_once("::") {
            Some((module, _)) => format!("{}::{module}", self.program()),
            None => self.program(),
        }
    }

    /// Returns the test with the search in it.
    pub(crate) fn title(&self) -> String {
        let Identity { test, type_name, file, line, column, ordinal, .. } = self;
        let test = test.rsplit("::").next().unwrap_or_default();
        let which = if *ordinal > 1 { format!(", search {ordinal} there") } else { String::new() };
        format!("{test}: {type_name} at {file}:{line}:{column}{which}")
    }
}

/// Returns the part of a search that this process does. Every process does the whole of an exploration.
pub(super) fn shard(config: &Config, kind: &str) -> Option<Shard> {
    config.shard.filter(|_| kind == "search")
}

/// Returns a test executable with its package: executables of several packages often have one name.
pub(crate) fn program_text(package: Option<&str>, program: &str) -> String {
    package.map_or_else(|| program.to_string(), |package| format!("{package}::{program}"))
}

/// The searches of this process at one place.
#[derive(Default)]
struct Place {
    searches: u32,
    /// How often a shard, or the whole search, has begun.
    begun: HashMap<Option<Shard>, usize>,
    /// The number of each search that is divided into so many shards: that of the first one is also that of the first search of each other shard.
    divided: HashMap<Option<u32>, Vec<u32>>,
}

impl Place {
    /// Returns the number of a search that begins.
    fn begin(&mut self, shard: Option<Shard>) -> u32 {
        let at = self.begun.entry(shard).or_default();
        let numbers = self.divided.entry(shard.map(Shard::of)).or_default();
        if *at == numbers.len() {
            self.searches += 1;
            numbers.push(self.searches);
        }
        *at += 1;
        numbers[*at - 1]
    }
}

/// Returns the number of a search among those of this process with something in common. All searches for which the environment names the shard have the same,
/// and so numbers of their own.
fn ordinal(text: String, shard: Option<Shard>) -> u32 {
    static PLACES: Mutex<Option<HashMap<String, Place>>> = Mutex::new(None);
    PLACES.lock().get_or_insert_default().entry(text).or_default().begin(shard)
}

/// Returns the path of a source file as every process has it: with slashes, and that of a doctest without the temporary folder to which rustdoc writes it.
fn source_file(path: &str) -> String {
    let path = path.replace('\\', "/");
    let temporary = path.rfind("/rustdoctest").map(|folder| &path[folder + 1..]);
    match temporary.and_then(|rest| rest.split_once('/')) {
        Some((_, file)) => file.to_string(),
        None => path,
    }
}

/// Returns the name of the executable without the hash that cargo adds.
fn program() -> Option<String> {
    let path = std::env::current_exe().ok()?;
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let is_hash = |hash: &str| hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit());
    Some(match name.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name.to_string(),
        _ => name,
    })
}

#[cfg(test)]
mod tests {
    use super::source_file;

    #[test]
    fn a_file_has_one_name_in_every_process() {
        let names = [
            "src/lib.rs",
            r"tests\harness\main.rs",
            "/tmp/rustdoctestMM22yK/doctest_bundle_2024.rs",
            "/rustdoctest.rs",
        ]
        .map(source_file);
        assert_eq!(names, ["src/lib.rs", "tests/harness/main.rs", "doctest_bundle_2024.rs", "/rustdoctest.rs"]);
    }
}
