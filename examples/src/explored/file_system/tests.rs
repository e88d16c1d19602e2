use super::*;
use crate::explored::breadth_first::reached;
use crate::seeded::machine::assert_shortest;
use korat::{Explore, ExploreEnding};
use std::collections::BTreeMap;

/// All paths of up to three names.
const PATHS: [&str; 14] = [
    "/a", "/b", "/a/a", "/a/b", "/b/a", "/b/b", "/a/a/a", "/a/a/b", "/a/b/a", "/a/b/b", "/b/a/a", "/b/a/b", "/b/b/a",
    "/b/b/b",
];

fn renames() -> impl Iterator<Item = (&'static str, &'static str)> {
    PATHS.into_iter().flat_map(|from| PATHS.map(|to| (from, to)))
}

type Rename = fn(&mut FileSystem, &str, &str) -> Result<(), Refusal>;

/// A buggy [`FileSystem::rename`]: it refuses to move a directory into itself, but not into one below it.
fn rename_looking_up_once(files: &mut FileSystem, from: &str, to: &str) -> Result<(), Refusal> {
    files.rename_unless(from, to, |_, directory, at| directory == Some(at))
}

fn exploration(rename: Rename) -> Explore<FileSystem> {
    Explore::from(FileSystem::default())
        .operation("make_file", PATHS, |files, path| files.make(path, false))
        .operation("make_directory", PATHS, |files, path| files.make(path, true))
        .operation("remove", PATHS, FileSystem::remove)
        .operation("rename", renames(), move |files, (from, to)| rename(files, from, to))
}

/// A model: all paths, and whether they are directories.
type Model = BTreeMap<String, bool>;

/// Returns the refusal for making something at a path, if there is one.
fn missing_directory(model: &Model, path: &str) -> Option<Refusal> {
    let directories = path.match_indices('/').skip(1).map(|(at, _)| &path[..at]);
    directories.into_iter().find_map(|directory| match model.get(directory) {
        None => Some(Refusal::NotFound),
        Some(false) => Some(Refusal::NotADirectory),
        Some(true) => None,
    })
}

fn make(model: &mut Model, path: &str, is_directory: bool) -> Result<(), Refusal> {
    if let Some(refusal) = missing_directory(model, path) {
        return Err(refusal);
    }
    if model.contains_key(path) {
        return Err(Refusal::Exists);
    }
    if model.len() == ROOM {
        return Err(Refusal::Impossible);
    }
    model.insert(path.to_string(), is_directory);
    Ok(())
}

fn exists(model: &Model, path: &str) -> Result<(), Refusal> {
    match missing_directory(model, path) {
        Some(refusal) => Err(refusal),
        None if model.contains_key(path) => Ok(()),
        None => Err(Refusal::NotFound),
    }
}

fn remove(model: &mut Model, path: &str) -> Result<(), Refusal> {
    exists(model, path)?;
    if model.keys().any(|known| known.starts_with(&format!("{path}/"))) {
        return Err(Refusal::NotEmpty);
    }
    model.remove(path);
    Ok(())
}

fn rename(model: &mut Model, from: &str, to: &str) -> Result<(), Refusal> {
    exists(model, from)?;
    if let Some(refusal) = missing_directory(model, to) {
        return Err(refusal);
    }
    if to.starts_with(&format!("{from}/")) {
        return Err(Refusal::IntoItself);
    }
    if from != to && model.contains_key(to) {
        return Err(Refusal::Exists);
    }
    let is_moved = |path: &str| path == from || path.starts_with(&format!("{from}/"));
    let renamed = std::mem::take(model).into_iter().map(|(path, is_directory)| {
        let path = if is_moved(&path) { format!("{to}{}", &path[from.len()..]) } else { path };
        (path, is_directory)
    });
    *model = renamed.collect();
    Ok(())
}

/// All trees of up to three files and directories: `k` of them are at `3! / (3 - k)!` choices of places, and there are 1, 4, 12 and 40
/// trees of `k` with two names, in which the leaves are files or directories.
const TREES: u64 = 1 + 4 * 3 + 12 * 6 + 40 * 6;

/// All but two of them: with two files in the root and nothing at the first place. Before something leaves that place, three must be there,
/// and one of them is a directory in the root.
const REACHED: u64 = TREES - 2;

#[test]
fn files_and_directories_are_a_tree() {
    let compared = exploration(FileSystem::rename).compare(FileSystem::scope(ROOM));
    compared.expect_unreachable(2);
    assert_eq!((compared.explored.found, compared.valid), (REACHED, TREES));
}

#[test]
fn copies_reach_as_many_trees() {
    let counted = reached(FileSystem::default(), usize::MAX, |files| {
        let after = |operation: &dyn Fn(&mut FileSystem) -> Result<(), Refusal>| {
            let mut files = files.clone();
            // What is refused changes nothing.
            operation(&mut files).map_or(files.clone(), |()| files)
        };
        let made = PATHS.into_iter().flat_map(|path| [false, true].map(|kind| after(&|files| files.make(path, kind))));
        let removed = PATHS.into_iter().map(|path| after(&|files| files.remove(path)));
        let renamed = renames().map(|(from, to)| after(&|files| files.rename(from, to)));
        made.chain(removed).chain(renamed).collect()
    });
    assert_eq!(counted, REACHED);
}

#[test]
fn operations_do_what_a_map_of_paths_does() {
    let report = Explore::from((FileSystem::default(), Model::new()))
        .operation("make_file", PATHS, |(files, model), path| {
            assert_eq!(files.make(path, false), make(model, path, false));
        })
        .operation("make_directory", PATHS, |(files, model), path| {
            assert_eq!(files.make(path, true), make(model, path, true));
        })
        .operation("remove", PATHS, |(files, model), path| assert_eq!(files.remove(path), remove(model, path)))
        .operation("rename", renames(), |(files, model), (from, to)| {
            assert_eq!(files.rename(from, to), rename(model, from, to));
        })
        .run();
    assert_eq!((report.found, report.ending), (REACHED, ExploreEnding::Fixpoint));
}

#[test]
fn a_directory_within_itself_is_found() {
    let calls = ["make_directory(\"/a\")", "make_directory(\"/a/a\")", "rename(\"/a\", \"/a/a/a\")"];
    assert_shortest(|| exploration(rename_looking_up_once).check(FileSystem::rep_ok), &calls);
}
