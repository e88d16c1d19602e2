//! Keeps where each search stands in a file, where `KORAT_CHECKPOINT` names a folder, so that a run which is killed, or ended by its time limit, goes on
//! from there the next time. A file is written anew every few seconds, on a time limit and on signals that end the process, and removed when its search is complete.

mod file;
mod fingerprint;
mod numbers;
mod shared_text;
mod signal;
mod text;

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::config::Config;
use crate::error::Error;
use crate::output::print_line;
use crate::record::Identity;
use crate::report::counted;
use crate::stats::Stats;
use crate::values::Standing;

use file::{CheckpointFile, SearchLock};
pub(crate) use fingerprint::Fingerprint;
use signal::Watch;

/// How often a file is written, unless `KORAT_CHECKPOINT_EVERY` says otherwise.
const EVERY: Duration = Duration::from_secs(5);

/// Says, once for all of a process, that no checkpoints are kept of something, for which the settings ask.
pub(crate) fn tell_none_of(what: &'static str) {
    static TOLD: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut told = TOLD.lock();
    if !told.contains(&what) {
        told.push(what);
        print_line(&format!("warning: korat: no checkpoints are kept of {what}"));
    }
}

/// Says, once for each, which files are of searches of this test that stood elsewhere in an earlier program: nobody goes on from them.
fn tell_unusable(file: &CheckpointFile, identity: &Identity, fingerprint: &Fingerprint) {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    for (other, text) in file.others(&identity.begin_of_file_name()) {
        let mut told = TOLD.lock();
        if text::is_of_another_program(&text, fingerprint) && !told.contains(&other.to_string()) {
            print_line(&format!(
                "warning: korat: the checkpoint {other} is of another program, and nothing goes on from it; remove it"
            ));
            told.push(other.to_string());
        }
    }
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) standing: Standing,
    /// The values before the place where the search stands, by size.
    pub(crate) by_size: Vec<(usize, u64)>,
    /// The labels of all values so far, if they are counted.
    pub(crate) stats: Option<Stats>,
}

/// Keeps where one search stands.
pub(crate) struct Keeper {
    file: CheckpointFile,
    _lock: SearchLock,
    fingerprint: Fingerprint,
    every: Duration,
    saved: Instant,
    signal: Watch,
}

impl Keeper {
    /// Begins to keep where a search stands, if the settings ask for it. Returns what an earlier run has kept, too; fails if that is of something else.
    pub(crate) fn begin(
        config: &Config,
        identity: &Identity,
        fingerprint: Fingerprint,
    ) -> Result<Option<(Self, Option<Progress>)>, Error> {
        let Some(folder) = &config.checkpoints else { return Ok(None) };
        let file = CheckpointFile::new(folder, identity, config.shard);
        let lock = file.lock()?;
        let before = match file.read().map_err(|why| file.error(&why))? {
            None => {
                tell_unusable(&file, identity, &fingerprint);
                None
            }
            Some(text) => Some(text::parse(&text, &fingerprint).map_err(|why| file.error(&why))?),
        };
        if let Some(Progress { standing, .. }) = &before {
            let done = counted(standing.given + standing.passed, "value");
            print_line(&format!("korat: {} goes on after {done}, from {file}", identity.title()));
        }
        let every = config.checkpoint_every.unwrap_or(EVERY);
        let keeper = Keeper { file, _lock: lock, fingerprint, every, saved: Instant::now(), signal: Watch::begin() };
        Ok(Some((keeper, before)))
    }

    /// Returns the error for a file whose search cannot go on.
    pub(crate) fn cannot_go_on(&self) -> Error {
        self.file.error("the search cannot go on from where it stood")
    }

    /// Returns whether the file is to be written.
    pub(crate) fn is_due(&self) -> bool {
        self.signal.is_raised() || self.saved.elapsed() >= self.every
    }

    /// Writes the file, if there is something new; ends the process if that was asked for.
    pub(crate) fn save(&mut self, progress: Option<&Progress>) {
        if let Some(progress) = progress {
            self.file.write(&text::written(progress, &self.fingerprint));
            self.saved = Instant::now();
        }
        if self.signal.is_raised() {
            print_line(&format!("korat: ended by a signal; the next run goes on from {}", self.file));
            self.signal.end_process();
        }
    }

    /// Removes the file.
    pub(crate) fn forget(&self) {
        self.file.remove();
    }
}
