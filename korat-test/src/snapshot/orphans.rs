//! Finds orphaned snapshots: files that `snapshot_each!` once wrote and no longer asserts, because their values no
//! longer exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use insta::Settings;

use crate::test_source;

/// The location of a macro call.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// `file!()`, which contains insta's assertion.
    pub file: &'static str,
    /// `module_path!()`.
    pub module: &'static str,
    /// The name of the snapshots; `None` selects that of the test.
    pub name: Option<&'p str>,
}

/// The snapshots of one macro call.
pub(super) struct Family {
    folder: PathBuf,
    /// Common prefix of their file names, followed by the size and number of the value.
    prefix: String,
}

impl Family {
    /// Returns the snapshots of a call in the function `function`, whose values are named `{bounds}_size_1_number_2`,
    /// or `None` if the source file, and so the folder of its snapshots, cannot be found.
    pub(super) fn of(place: Place<'_>, function: &str, bounds: &str) -> Option<Self> {
        let source = match std::env::var_os("INSTA_WORKSPACE_ROOT") {
            Some(root) => Path::new(&root).join(place.file),
            None => test_source::find(Path::new(place.file))?,
        };
        let settings = Settings::clone_current();
        let folder = source.parent()?.join(settings.snapshot_path());
        let module = if settings.prepend_module_to_snapshot() {
            format!("{}__", place.module.replace("::", "__"))
        } else {
            String::new()
        };
        let name = match place.name {
            Some(name) => name.replace(['/', '\\'], "__"),
            None => function.strip_prefix("test_").unwrap_or(function).to_string(),
        };
        let own = settings.snapshot_suffix().map_or(String::new(), |own| format!("{own}_"));
        Some(Family { folder, prefix: format!("{module}{name}@{own}{bounds}_size_") })
    }

    /// Returns the files whose size and number are not among `cases`.
    pub(super) fn orphans(&self, cases: &BTreeSet<(usize, usize)>) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let is_orphan = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.and_then(|name| self.case(name)).is_some_and(|case| !cases.contains(&case))
        };
        let mut orphans: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_orphan).collect();
        orphans.sort();
        orphans
    }

    /// Parses the size and the number in a file name.
    fn case(&self, file: &str) -> Option<(usize, usize)> {
        let (size, number) = file.strip_prefix(&self.prefix)?.strip_suffix(".snap")?.split_once("_number_")?;
        // insta numbers repeated assertions of the same name: `number_3-2`.
        let (number, count) = number.split_once('-').unwrap_or((number, "1"));
        count.parse::<usize>().ok()?;
        Some((size.parse().ok()?, number.parse().ok()?))
    }
}

/// What insta does with snapshots that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Update {
    /// Overwrites them.
    InPlace,
    /// Passes, so that `cargo insta` can report them.
    Pass,
    /// Fails.
    Fail,
}

impl Update {
    /// Reads the mode from the environment, because insta does not expose it.
    pub(super) fn wanted() -> Self {
        let is = |name: &str, values: &[&str]| std::env::var(name).is_ok_and(|value| values.contains(&value.as_str()));
        if is("INSTA_UPDATE", &["always", "1", "force", "unseen"]) || is("INSTA_FORCE_UPDATE", &["1"]) {
            Update::InPlace
        } else if is("INSTA_FORCE_PASS", &["1"]) {
            Update::Pass
        } else {
            Update::Fail
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_call_are_its_own() {
        let family = Family { folder: PathBuf::new(), prefix: "lists__sums@List_scope_2_size_".to_string() };
        let cases =
            ["2_number_6.snap", "2_number_6-2.snap", "2_number_6.snap.new", "2_number_x.snap", "2_other_6.snap"];
        let found = cases.map(|case| family.case(&format!("lists__sums@List_scope_2_size_{case}")));
        assert_eq!(found, [Some((2, 6)), Some((2, 6)), None, None, None]);
        assert_eq!(family.case("lists__sums@List_scope_20_size_2_number_6.snap"), None);
    }
}
