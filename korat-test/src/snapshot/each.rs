//! Asserts one snapshot for each valid value: runs all of them, then fails if any snapshot failed.

use std::any::type_name;
use std::fmt::Debug;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use insta::Settings;
use insta::internals::Content;
use korat_core::panic_message;

use super::name::{bounds_name, bounds_text};
use super::orphans::{Family, Place, Update};
use crate::picture;
use crate::pool::{Pool, Searched, Wanted};
use crate::regressions::module_and_function;
use crate::report::{counted, grouped};

/// Maximum number of snapshots; nobody reads more.
const MOST_CASES: usize = 1000;

/// Runs `run` on every valid value, and `assert`, an assertion of insta, on the `Debug` text of the result. Then checks
/// that no other snapshots of the same call exist.
#[track_caller]
pub fn each<S: Searched, R: Debug, A: FnMut(&str)>(
    place: Place<'_>,
    searched: S,
    mut run: impl FnMut(S::Value) -> R,
    mut assert: A,
) {
    let wanted = Wanted::new(searched);
    let (name, bounds) = (bounds_name(&wanted), bounds_text(&wanted));
    let mut pool = Pool::new(&wanted, MOST_CASES);
    if !pool.is_complete() && wanted.config.limit.is_none_or(|limit| limit > MOST_CASES as u64) {
        panic!(
            "{bounds} has more than {} values, and each would be a snapshot of its own; lower the scope, or take the first \
             few with `Search::limit`",
            grouped(MOST_CASES as u64)
        );
    }
    if pool.len() == 0 {
        panic!("no valid value of {bounds}: there is nothing to make snapshots of");
    }
    let mut failed = Vec::new();
    for index in 0..pool.len() {
        let (size, number) = (pool.size(index), index + 1);
        let case = format!("{name}_size_{size}_number_{number}");
        let drawing = picture::text(&pool.outline(index));
        let settings = settings_of(&case, &format!("#{number} of {bounds}, size {size}"), &drawing);
        let value = pool.build(index);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let text = format!("{:#?}", run(value));
            settings.bind(|| assert(&text));
        }));
        if let Err(panic) = outcome {
            failed.push(format!("{case}: {}\n{drawing}", panic_message(&*panic)));
        }
    }
    let cases = (0..pool.len()).map(|index| (pool.size(index), index + 1)).collect();
    let (_, function) = module_and_function(type_name::<A>());
    let family = Family::of(place, &function, &name);
    let orphans = family.map_or_else(Vec::new, |family| family.orphans(&cases));
    let orphans = left(orphans, &bounds);
    if !failed.is_empty() {
        panic!(
            "{} of {} snapshots of {bounds} failed; `cargo insta review` shows those that differ or are new:\n\n{}",
            failed.len(),
            pool.len(),
            failed.into_iter().chain(orphans).collect::<Vec<_>>().join("\n")
        );
    }
    if let Some(orphans) = orphans {
        panic!("{orphans}");
    }
}

/// Returns the message about snapshots whose values no longer exist. Removes them if insta updates its files in place.
fn left(orphans: Vec<PathBuf>, bounds: &str) -> Option<String> {
    if orphans.is_empty() {
        return None;
    }
    let update = Update::wanted();
    if update == Update::InPlace {
        let stay = orphans
            .into_iter()
            .filter_map(|path| fs::remove_file(&path).err().map(|error| format!("{}: {error}", path.display())));
        let stay: Vec<String> = stay.collect();
        return (!stay.is_empty()).then(|| format!("snapshots that cannot be removed:\n{}", stay.join("\n")));
    }
    let paths: Vec<String> = orphans.iter().map(|path| path.display().to_string()).collect();
    let count = counted(orphans.len() as u64, "snapshot");
    let text = format!(
        "{count} of {bounds} belong to values that are no longer generated; remove them, or run the test with `INSTA_UPDATE=always`; \
         if another `snapshot_each!` of the same test has them, give one of the two a name:\n{}",
        paths.join("\n")
    );
    if update == Update::Pass {
        eprintln!("warning: korat: {text}");
        return None;
    }
    Some(text)
}

/// Returns the user's settings, with the case added to the snapshot's name, and its input to the header of the file.
fn settings_of(case: &str, description: &str, drawing: &str) -> Settings {
    let mut settings = Settings::clone_current();
    let suffix = match settings.snapshot_suffix() {
        None => case.to_string(),
        Some(own) => format!("{own}_{case}"),
    };
    settings.set_snapshot_suffix(suffix);
    let description = match settings.description() {
        None => description.to_string(),
        Some(own) => format!("{own}; {description}"),
    };
    settings.set_description(description);
    if !settings.has_info() {
        settings.set_raw_info(&Content::Seq(drawing.lines().map(Content::from).collect()));
    }
    settings
}
