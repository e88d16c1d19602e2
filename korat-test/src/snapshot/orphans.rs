//! Snapshots of values that there are none of any more: files that `snapshot_each!` wrote once and asserts no longer. Takes where
//! the snapshots of a call lie and which of them it has; gives the others, or removes them where insta updates in place.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use insta::Settings;

use crate::pasted;

/// The place of a call, as the macro sees it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// `file!()`, in which insta's assertion stands.
    pub file: &'static str,
    /// `module_path!()`.
    pub module: &'static str,
    /// The name of the snapshots; that of the test if there is none.
    pub name: Option<&'p str>,
}

/// The snapshots of one call.
pub(super) struct Family {
    folder: PathBuf,
    /// How their files begin; size and number of the value follow.
    prefix: String,
}

impl Family {
    /// Those of a call whose function is `function`, and whose values are named `{bounds}_size_1_number_2`. None where the source
    /// is not found, and so the snapshots are not.
    pub(super) fn of(place: Place<'_>, function: &str, bounds: &str) -> Option<Self> {
        let source = match std::env::var_os("INSTA_WORKSPACE_ROOT") {
            Some(root) => Path::new(&root).join(place.file),
            None => pasted::find(Path::new(place.file))?,
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

    /// The files of values, as size and number, that are not among those that there are.
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

    /// The size and the number in the name of a file.
    fn case(&self, file: &str) -> Option<(usize, usize)> {
        let (size, number) = file.strip_prefix(&self.prefix)?.strip_suffix(".snap")?.split_once("_number_")?;
        // insta counts assertions of one name: `number_3-2`.
        let (number, count) = number.split_once('-').unwrap_or((number, "1"));
        count.parse::<usize>().ok()?;
        Some((size.parse().ok()?, number.parse().ok()?))
    }
}

/// What insta does with snapshots that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Update {
    /// It writes them.
    InPlace,
    /// It goes on, for `cargo insta` to tell.
    Pass,
    /// It fails.
    Fail,
}

impl Update {
    /// As the environment says; insta's own answer is not public.
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
