//! Lists all valid values as text in canonical order, or summarizes them in a digest if there are many. Stores only the
//! drawings that may be shown.

use std::collections::BTreeMap;
use std::fmt::Write;

use insta::Settings;
use parking_lot::Mutex;

use super::name::{bounds_name, bounds_text};
use super::redact::Redactions;
use crate::digest::Digest;
use crate::picture;
use crate::pool::{Searched, Wanted};
use crate::report::{counted, grouped};

/// With more values than this, the snapshot is a digest.
const MOST_VALUES: usize = 200;
/// With more bytes of drawings than this, the snapshot is a digest.
const MOST_BYTES: usize = 64 * 1024;
/// Number of values that a digest shows.
const SHOWN_IN_DIGEST: usize = 5;

/// The content of a snapshot of all valid values.
pub struct Listing {
    /// The type and the bounds, as a file name.
    pub name: String,
    /// The list or the digest.
    pub text: String,
}

impl Listing {
    /// Returns the name. Panics if another listing of this process has the same name in the same module but a different
    /// text, because the two would overwrite each other's file.
    #[track_caller]
    pub fn name_in(&self, module: &str) -> &str {
        static TAKEN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
        let settings = Settings::clone_current();
        let suffix = settings.snapshot_suffix().unwrap_or_default();
        let file = format!("{}/{module}/{}@{suffix}", settings.snapshot_path().display(), self.name);
        let taken = TAKEN.lock().entry(file).or_insert_with(|| self.text.clone()).clone();
        if taken != self.text {
            panic!(
                "two different snapshots in {module} are named {0}; give one of them a name: \
                 `assert_valid_snapshot!(\"name\", ..)`",
                self.name
            );
        }
        &self.name
    }
}

/// Lists all valid values.
#[track_caller]
pub fn list<S: Searched>(searched: S, mut redactions: Redactions) -> Listing {
    let wanted = Wanted::new(searched);
    let mut drawings = Drawings::default();
    let complete = wanted.each(
        |searcher| searcher.outline(),
        |size, mut outline| {
            redactions.apply(&mut outline);
            drawings.add(size, picture::text(&outline));
            true
        },
    );
    redactions.check();
    Listing { name: bounds_name(&wanted), text: drawings.text(&bounds_text(&wanted), complete) }
}

/// The values of one size.
struct OneSize {
    count: u64,
    digest: Digest,
    /// The first drawings; all of them while there are few enough to be shown.
    first: Vec<String>,
}

/// The values added so far, whose sizes may come in any order.
#[derive(Default)]
struct Drawings {
    sizes: BTreeMap<usize, OneSize>,
    bytes: usize,
    values: usize,
}

impl Drawings {
    fn add(&mut self, size: usize, drawing: String) {
        let of_size = self.sizes.entry(size).or_insert_with(|| OneSize {
            count: 0,
            digest: Digest::default(),
            first: Vec::new(),
        });
        of_size.count += 1;
        of_size.digest.add(&drawing);
        let was_list = !is_long(self.values, self.bytes);
        (self.values, self.bytes) = (self.values + 1, self.bytes + drawing.len());
        let is_list = !is_long(self.values, self.bytes);
        if is_list || of_size.first.len() < SHOWN_IN_DIGEST {
            of_size.first.push(drawing);
        }
        if was_list && !is_list {
            for of_size in self.sizes.values_mut() {
                of_size.first.truncate(SHOWN_IN_DIGEST);
            }
        }
    }

    fn text(&self, bounds: &str, complete: bool) -> String {
        let is_list = !is_long(self.values, self.bytes);
        let mut text = String::new();
        let values = counted(self.values as u64, "value");
        let _ = match complete {
            true => writeln!(text, "{bounds}: {values}"),
            false => writeln!(text, "{bounds}: the first {values}, NOT exhaustive"),
        };
        for (size, of_size) in &self.sizes {
            let _ = write!(text, "size {size}: {}", grouped(of_size.count));
            let _ = if is_list { writeln!(text) } else { writeln!(text, ", digest {}", of_size.digest.text()) };
        }
        let shown = if is_list { self.values } else { SHOWN_IN_DIGEST };
        if !is_list {
            let _ = writeln!(text, "\nToo many to list; the first {shown}:");
        }
        let drawings =
            self.sizes.iter().flat_map(|(size, of_size)| of_size.first.iter().map(move |drawing| (size, drawing)));
        for (place, (size, drawing)) in drawings.take(shown).enumerate() {
            let _ = write!(text, "\n#{}, size {size}\n{drawing}", place + 1);
        }
        text
    }
}

fn is_long(values: usize, bytes: usize) -> bool {
    values > MOST_VALUES || bytes > MOST_BYTES
}

#[cfg(test)]
mod tests {
    use super::{Drawings, MOST_VALUES, SHOWN_IN_DIGEST};

    #[test]
    fn only_so_many_drawings_are_kept() {
        let mut drawings = Drawings::default();
        for number in 0..10 * MOST_VALUES {
            drawings.add(number % 3, number.to_string());
        }
        assert!(drawings.sizes.values().all(|of_size| of_size.first.len() == SHOWN_IN_DIGEST));
        assert_eq!(drawings.sizes[&1].first, ["1", "4", "7", "10", "13"]);
    }
}
