//! The file of a search: read at once, and replaced at once.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::error::Error;
use crate::output::print_line;
use crate::record::Identity;
use crate::shard::Shard;

const EXTENSION: &str = "checkpoint";

pub(super) struct CheckpointFile(PathBuf);

/// Keeps other processes from a search. The file is removed in the end.
pub(super) struct SearchLock {
    path: PathBuf,
    _locked: File,
}

impl Drop for SearchLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl fmt::Display for CheckpointFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl CheckpointFile {
    pub(super) fn new(folder: &Path, identity: &Identity, shard: Option<Shard>) -> Self {
        CheckpointFile(folder.join(format!("{}.{EXTENSION}", identity.file_name(shard))))
    }

    /// Locks the search for this process; fails if another one is at it.
    pub(super) fn lock(&self) -> Result<SearchLock, Error> {
        let path = self.0.with_extension("lock");
        let told = |why: &dyn fmt::Display| Error::Expectation(format!("{} cannot be locked: {why}", path.display()));
        fs::create_dir_all(self.folder()).map_err(|error| told(&error))?;
        loop {
            let locked = File::create(&path).map_err(|error| told(&error))?;
            match locked.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Expectation(format!(
                        "another process is at this search, with the same checkpoint {self}; give each run a folder of its own"
                    )));
                }
                Err(TryLockError::Error(error)) => return Err(told(&error)),
            }
            // Another process may have removed it in the meantime: then its name is free for a third one.
            if is_at(&locked, &path) {
                return Ok(SearchLock { path, _locked: locked });
            }
        }
    }

    fn folder(&self) -> &Path {
        self.0.parent().unwrap_or(Path::new("."))
    }

    /// Returns other files in the folder whose names begin like this, with their texts.
    pub(super) fn others(&self, begin: &str) -> Vec<(CheckpointFile, String)> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let is_other = |path: &PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            path.extension().is_some_and(|it| it == EXTENSION) && name.is_some_and(|name| name.starts_with(begin))
        };
        let others = entries.map(|entry| entry.path()).filter(|path| is_other(path) && *path != self.0);
        others.filter_map(|path| fs::read_to_string(&path).ok().map(|text| (CheckpointFile(path), text))).collect()
    }

    /// Returns the text of the file, if there is one.
    pub(super) fn read(&self) -> Result<Option<String>, String> {
        match fs::read(&self.0) {
            Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is damaged".to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the error for a file that is not used.
    pub(super) fn error(&self, why: &str) -> Error {
        Error::Expectation(format!("the checkpoint {self} is not used: {why}; remove it to begin anew"))
    }

    /// Writes the file, so that a crash of the machine leaves the old one or the new one. If that fails, says so, once for all searches of the process.
    pub(super) fn write(&self, text: &str) {
        static TOLD: Once = Once::new();
        if let Err(error) = self.try_write(text) {
            TOLD.call_once(|| print_line(&format!("error: korat: the checkpoint {self} cannot be written: {error}")));
        }
    }

    fn try_write(&self, text: &str) -> io::Result<()> {
        let folder = self.folder();
        fs::create_dir_all(folder)?;
        let temporary = self.temporary();
        let written = File::create(&temporary).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&temporary, &self.0)).inspect_err(|_| {
            // What cannot be renamed should not stay.
            let _ = fs::remove_file(&temporary);
        })?;
        // Windows does not open folders.
        #[cfg(unix)]
        File::open(folder)?.sync_all()?;
        Ok(())
    }

    /// The file that is written before it replaces the other.
    fn temporary(&self) -> PathBuf {
        self.0.with_extension("tmp")
    }

    pub(super) fn remove(&self) {
        for path in [&self.0, &self.temporary()] {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns whether a file is the one that a path leads to.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let told = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|it| (it.dev(), it.ino()));
    told(file.metadata()) == told(fs::metadata(path))
}

/// An open file is not removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
