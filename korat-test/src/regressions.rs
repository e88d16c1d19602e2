//! Reads and writes regression files: `korat-regressions/<module path>.txt`, with one line for each value or sequence of calls that
//! failed.
//! The files are meant to be read and committed; whether a value is still valid is checked when it runs.

use std::any::type_name;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::explore::is_sequence;
use crate::replay::Replay;

/// The environment variable in which cargo names the folder of the package.
const PACKAGE: &str = "CARGO_MANIFEST_DIR";
const FOLDER: &str = "korat-regressions";

const HEAD: &str = "\
# Values on which a property failed once, and sequences of calls that failed. korat runs them first; commit this file.
# A line is: the function of the test, the value or the calls, and after # what it looks like.
";

/// The regressions of one property.
#[derive(Clone, Debug)]
pub(crate) struct Regressions {
    /// The folder of the package.
    package: PathBuf,
    /// The file, relative to the package.
    file: PathBuf,
    /// The function that contains the property.
    function: String,
}

/// One line of a regression file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept<T> {
    /// Line number, starting at 1.
    pub(crate) line: usize,
    /// What failed: the line's text, or what it says.
    pub(crate) what: T,
    /// A description of it when it was stored.
    pub(crate) looks: String,
}

impl Regressions {
    /// Returns the regressions of a property, whose type name contains that of the enclosing function. Returns `None`
    /// if the test does not run under cargo, and for doc tests, which have no module.
    pub(crate) fn of<P>() -> Option<Self> {
        Regressions::named(type_name::<P>())
    }

    /// Returns the regressions of a property with this type name; `None` where [`of`](Self::of) says so.
    pub(crate) fn named(property: &str) -> Option<Self> {
        let package = PathBuf::from(std::env::var_os(PACKAGE)?);
        let (module, function) = module_and_function(property);
        if module.split("::").next() == Some("rust_out") {
            return None;
        }
        let file = Path::new(FOLDER).join(format!("{}.txt", module.replace("::", ".")));
        Some(Regressions { package, file, function })
    }

    /// Returns whether the folder of the package is known: whether the test runs under cargo.
    pub(crate) fn knows_package() -> bool {
        std::env::var_os(PACKAGE).is_some()
    }

    /// Returns the folder of the package.
    pub(crate) fn package(&self) -> &Path {
        &self.package
    }

    /// Returns the path of the file, for messages.
    pub(crate) fn file(&self) -> String {
        self.file.display().to_string()
    }

    /// Returns the function that contains the property.
    pub(crate) fn function(&self) -> &str {
        &self.function
    }

    /// Reads the values of this property that belong to searches of this type.
    pub(crate) fn read(&self, type_name: &str) -> Result<Vec<Kept<Result<Replay, String>>>, io::Error> {
        let values = self.lines()?.into_iter().filter(|kept| !is_sequence(&kept.what));
        let values = values.map(|Kept { line, what, looks }| Kept { line, what: what.parse(), looks });
        let is_ours = |kept: &Kept<Result<Replay, String>>| {
            kept.what.as_ref().map_or(true, |replay| replay.type_name == type_name)
        };
        Ok(values.filter(is_ours).collect())
    }

    /// Reads the lines of this property. A missing file counts as empty.
    pub(crate) fn lines(&self) -> Result<Vec<Kept<String>>, io::Error> {
        let text = match fs::read_to_string(self.package.join(&self.file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read?,
        };
        Ok(text.lines().enumerate().filter_map(|(number, line)| self.parse(number + 1, line)).collect())
    }

    fn parse(&self, line: usize, text: &str) -> Option<Kept<String>> {
        let (what, looks) = text.split_once('#').unwrap_or((text, ""));
        let (function, what) = what.trim().split_once(char::is_whitespace).unwrap_or((what.trim(), ""));
        let (what, looks) = (what.trim().to_string(), looks.trim().to_string());
        (function == self.function).then_some(Kept { line, what, looks })
    }

    /// Appends a value or a sequence, unless the file already contains it.
    pub(crate) fn keep(&self, what: &str, looks: &str) -> Result<(), io::Error> {
        // Tests run in several threads. Other processes append whole lines too.
        static WRITING: Mutex<()> = Mutex::new(());
        let _writing = WRITING.lock();
        if self.lines()?.iter().any(|kept| kept.what == what) {
            return Ok(());
        }
        let path = self.package.join(&self.file);
        fs::create_dir_all(self.package.join(FOLDER))?;
        let head = if path.exists() { "" } else { HEAD };
        let line = format!("{head}{} {what} # {looks}\n", self.function);
        OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
    }
}

/// Returns the name in `cargo test` of the test that runs `function` on this thread.
pub(crate) fn test_name(function: &str) -> String {
    std::thread::current().name().filter(|name| *name != "main").unwrap_or(function).to_string()
}

/// Splits a type name such as `bst::tests::insert_keeps_order::{{closure}}` into module `bst::tests` and function
/// `insert_keeps_order`.
pub(crate) fn module_and_function(property: &str) -> (String, String) {
    // The generic arguments of a function say nothing about where it is defined.
    let path: String = {
        let mut depth = 0usize;
        let outside = |c: &char| {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *c != '>'
        };
        property.chars().filter(outside).collect()
    };
    let names: Vec<&str> = path.split("::").filter(|name| !name.is_empty() && !name.starts_with('{')).collect();
    let name = |name: &str| -> String {
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
    };
    match names.as_slice() {
        [] => ("property".to_string(), "property".to_string()),
        [only] => (name(only), name(only)),
        [module @ .., function] => {
            (module.iter().map(|part| name(part)).collect::<Vec<_>>().join("::"), name(function))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_named_after_the_function_it_stands_in() {
        let cases = [
            ("bst::tests::insert_keeps_order::{{closure}}", ("bst::tests", "insert_keeps_order")),
            ("bst::tests::outer::{{closure}}::{{closure}}", ("bst::tests", "outer")),
            ("bst::check::<alloc::vec::Vec<u8>>::{{closure}}", ("bst", "check")),
            ("bst::check<alloc::vec::Vec<u8>>::{{closure}}", ("bst", "check")),
            ("check", ("check", "check")),
        ];
        for (property, (module, function)) in cases {
            assert_eq!(module_and_function(property), (module.to_string(), function.to_string()), "{property}");
        }
    }

    fn in_folder(name: &str) -> Regressions {
        let package = std::env::temp_dir().join(format!("korat-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&package);
        fs::create_dir_all(&package).unwrap();
        Regressions { package, file: Path::new(FOLDER).join("bst.tests.txt"), function: "insert".to_string() }
    }

    #[test]
    fn values_are_kept_once_and_come_back() {
        let regressions = in_folder("kept");
        let (one, two): (Replay, Replay) = ("Tree:3:1.0.2".parse().unwrap(), "List:3:1".parse().unwrap());
        assert_eq!(regressions.read("Tree").unwrap(), []);
        for replay in [&one, &two, &one] {
            regressions.keep(&replay.to_string(), "Tree { size: 1 }").unwrap();
        }
        let kept = Kept { line: 3, what: Ok(one), looks: "Tree { size: 1 }".to_string() };
        assert_eq!(regressions.read("Tree").unwrap(), [kept]);
        assert_eq!(regressions.read("List").unwrap().len(), 1);
        let other = Regressions { function: "remove".to_string(), ..regressions.clone() };
        assert_eq!(other.read("Tree").unwrap(), []);
        fs::remove_dir_all(&regressions.package).unwrap();
    }

    #[test]
    fn lines_that_are_no_value_are_not_left_out() {
        let regressions = in_folder("wrong");
        fs::create_dir_all(regressions.package.join(FOLDER)).unwrap();
        fs::write(regressions.package.join(&regressions.file), "insert Tree:x:1 # ?\ninsert\n\n# insert\n").unwrap();
        let lines = regressions.read("Tree").unwrap();
        assert_eq!(
            lines.iter().map(|kept| (kept.line, kept.what.is_err())).collect::<Vec<_>>(),
            [(1, true), (2, true)]
        );
        fs::remove_dir_all(&regressions.package).unwrap();
    }
}
