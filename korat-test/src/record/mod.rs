//! Keeps a report of each search and exploration as a file, where `KORAT_REPORT` names a folder. The report is written when the
//! search begins, so that one which takes the process with it is not forgotten, when it ends, and when something is expected of it
//! afterwards. `docs/src/reports.md` has the fields.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use crate::beside::{Beside, ListText};
use crate::config::Config;
use crate::error::Error;
use crate::json::{self, Object, string};
use crate::panics;
use crate::report::Report;

mod file;
mod identity;
mod junit;
mod run_id;
mod search;

use file::ReportFile;
#[cfg(feature = "merge")]
pub(crate) use identity::program_text;
use identity::shard;
pub(crate) use identity::{Identity, Subject};
pub(crate) use junit::{TestCase, Trouble, junit};
pub(crate) use search::found;

/// The version of the files. It changes if a field changes its meaning or goes away, and not if one is added.
pub(crate) const SCHEMA: u64 = 1;

/// The report of a search on its way to a file; nothing where none is kept.
#[derive(Clone, Default)]
pub(crate) struct Record(Option<Arc<Mutex<Recorded>>>);

/// What is known about a search.
struct Recorded {
    file: ReportFile,
    identity: Identity,
    /// The fields that are known when the search begins.
    head: Object,
    started: Instant,
    /// In seconds, once the search has ended.
    elapsed: Option<f64>,
    result: &'static str,
    message: Option<String>,
    /// What was found: counts, and how it ended.
    found: Object,
    failures: Vec<Failed>,
    expected: Expectations,
}

/// A failure, of a search or of an exploration.
pub(crate) struct Failed {
    pub(crate) message: String,
    pub(crate) location: Option<String>,
    /// The number of objects, or of calls.
    pub(crate) size: usize,
    pub(crate) drawing: String,
    pub(crate) replay: String,
    /// What runs it again.
    pub(crate) command: String,
    /// What only one kind has.
    pub(crate) more: Object,
}

/// What a test expects of all values, or of all states, together.
#[derive(Clone, Copy, Default)]
pub(crate) struct Expectations {
    /// That none is missing.
    pub(crate) complete: bool,
    /// How many there are.
    pub(crate) count: Option<u64>,
    /// That there is at least one.
    pub(crate) some: bool,
}

impl Record {
    fn lock(&self) -> Option<MutexGuard<'_, Recorded>> {
        self.0.as_ref().map(|recorded| recorded.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns whether a report is kept.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Notes the bounds, as text that is equal for equal bounds.
    pub(crate) fn note_bounds(&self, bounds: impl FnOnce() -> String) {
        if let Some(mut recorded) = self.lock() {
            recorded.head.field("bounds", string(&crate::digest::Digest::of(&bounds())));
        }
    }

    /// Notes a hash of the invariant.
    pub(crate) fn note_invariant(&self, digest: u64) {
        if let Some(mut recorded) = self.lock() {
            recorded.head.field("invariant", string(&format!("{digest:016x}")));
        }
    }

    /// Notes what comes beside the values of the search.
    pub(crate) fn note_beside(&self, beside: &dyn Beside) {
        if let Some(mut recorded) = self.lock() {
            let mut lists = Vec::new();
            beside.describe(&mut lists);
            recorded.head.field("beside", json::list(lists.iter().map(list_json)));
        }
    }

    /// Notes what was found.
    pub(crate) fn note_found(&self, found: impl FnOnce() -> Object) {
        if let Some(mut recorded) = self.lock() {
            recorded.found = found();
        }
    }

    /// Notes what the test expects of a search that has ended, and whether it is so, which it returns.
    pub(crate) fn expected(&self, count: Option<u64>, checked: Result<(), Error>) -> Result<(), Error> {
        if let Some(mut recorded) = self.lock() {
            recorded.expected.complete = true;
            recorded.expected.count = count.or(recorded.expected.count);
            if let Err(error) = &checked {
                (recorded.result, recorded.message) = ("error", Some(error.to_string()));
            }
            recorded.write();
        }
        checked
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_kept() { "Record(..)" } else { "Record" })
    }
}

/// Reports are equal whatever files they are kept in.
impl PartialEq for Record {
    fn eq(&self, _: &Record) -> bool {
        true
    }
}

/// A search that is under way. If it is dropped before [`ended`](Recording::ended), the search ended by a panic, or was given up.
pub(crate) struct Recording(Record);

impl Recording {
    /// Returns whether a report is wanted of a search or an exploration that begins here. What runs in a property is a part of the property: there may be
    /// a search for each of a million values.
    pub(crate) fn is_wanted(config: &Config) -> bool {
        config.reports.is_some() && !config.standalone && !panics::is_in_property()
    }

    /// Keeps no report.
    pub(crate) fn none() -> Self {
        Recording(Record::default())
    }

    /// Begins the report of a search or an exploration.
    pub(crate) fn begin(
        config: &Config,
        kind: &str,
        identity: Identity,
        settings: &Object,
        expected: Expectations,
    ) -> Self {
        let Some(folder) = config.reports.as_ref().filter(|_| Recording::is_wanted(config)) else {
            return Recording::none();
        };
        let shard = shard(config, kind);
        let mut head = Object::default();
        head.field("schema", SCHEMA);
        head.field("korat", string(env!("CARGO_PKG_VERSION")));
        head.field("kind", string(kind));
        head.field("run", json::or_null(run_id::run_id(config).as_deref().map(string)));
        head.fields(&identity.fields());
        head.field(
            "shard",
            json::or_null(shard.map(|it| format!("{{\"index\": {}, \"of\": {}}}", it.index(), it.of()))),
        );
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        head.field("started", now);
        head.field("settings", settings.text());
        let recorded = Recorded {
            file: ReportFile::new(folder, &identity, shard),
            identity,
            head,
            started: Instant::now(),
            elapsed: None,
            result: "running",
            message: None,
            found: Object::default(),
            failures: Vec::new(),
            expected,
        };
        recorded.write();
        Recording(Record(Some(Arc::new(Mutex::new(recorded)))))
    }

    /// Returns a handle to the report, for what is found out while the search runs.
    pub(crate) fn record(&self) -> Record {
        self.0.clone()
    }

    /// Ends the report with the result of a search, and returns the result.
    pub(crate) fn ended(self, result: Result<Report, Error>) -> Result<Report, Error> {
        match &result {
            Ok(_) => self.end("passed", None, |_| Vec::new()),
            Err(Error::Property(failed)) => {
                self.end("failed", None, |identity| search::failures(&failed.failures, identity));
            }
            Err(error) => self.end("error", Some(error.to_string()), |_| Vec::new()),
        }
        result
    }

    /// Ends the report of an iterator.
    pub(crate) fn used_up(self, checked: &Result<(), Error>) {
        match checked {
            Ok(()) => self.end("passed", None, |_| Vec::new()),
            Err(error) => self.end("error", Some(error.to_string()), |_| Vec::new()),
        }
    }

    /// Ends the report.
    pub(crate) fn end(
        &self,
        result: &'static str,
        message: Option<String>,
        failures: impl FnOnce(&Identity) -> Vec<Failed>,
    ) {
        let Some(mut recorded) = self.0.lock() else { return };
        (recorded.result, recorded.message) = (result, message);
        recorded.failures = failures(&recorded.identity);
        recorded.elapsed = Some(recorded.started.elapsed().as_secs_f64());
        recorded.write();
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if self.0.lock().is_some_and(|recorded| recorded.result == "running") {
            let result = if std::thread::panicking() { "panicked" } else { "stopped" };
            self.end(result, None, |_| Vec::new());
        }
    }
}

impl Recorded {
    fn write(&self) {
        self.file.write(&self.json(), &junit(&self.identity.program(), [self.test_case()]));
    }

    fn json(&self) -> String {
        let Recorded { result, message, failures, expected: Expectations { complete, count, some }, .. } = self;
        let mut object = self.head.clone();
        object.field("elapsed", json::or_null(self.elapsed.map(|seconds| format!("{seconds:.6}"))));
        object.field("result", string(result));
        object.field("message", json::or_null(message.as_deref().map(string)));
        let mut expected = Object::default();
        expected.field("complete", complete);
        expected.field("count", json::or_null(*count));
        expected.field("some", some);
        object.field("expected", expected.text());
        object.field("failures", json::list(failures.iter().map(Failed::json)));
        object.fields(&self.found);
        object.text() + "\n"
    }

    fn test_case(&self) -> TestCase {
        let Recorded { identity, result, message, failures, .. } = self;
        let mut text = message.clone().unwrap_or_default();
        for failed in failures {
            text += &format!("{}\n\n{}\n{}\n", failed.message, failed.drawing, failed.command);
        }
        let trouble = match *result {
            "passed" | "stopped" => None,
            "failed" => Some(Trouble::Failure),
            _ => Some(Trouble::Error),
        };
        let first = failures.first().map(|failed| failed.message.as_str()).or(message.as_deref());
        TestCase {
            suite: identity.suite(),
            name: identity.title(),
            seconds: self.elapsed.unwrap_or(0.0),
            file: identity.file.clone(),
            line: identity.line,
            trouble: trouble.map(|trouble| (trouble, first.unwrap_or(result).to_string(), text)),
        }
    }
}

fn list_json(ListText { type_name, values, digest }: &ListText) -> String {
    let mut object = Object::default();
    object.field("type", string(type_name));
    object.field("values", values);
    object.field("digest", json::or_null(digest.as_deref().map(string)));
    object.text()
}

impl Failed {
    fn json(&self) -> String {
        let Failed { message, location, size, drawing, replay, command, more } = self;
        let mut object = Object::default();
        object.field("message", string(message));
        object.field("location", json::or_null(location.as_deref().map(string)));
        object.field("size", size);
        object.field("drawing", string(drawing));
        object.field("replay", string(replay));
        object.field("command", string(command));
        object.fields(more);
        object.text()
    }
}
