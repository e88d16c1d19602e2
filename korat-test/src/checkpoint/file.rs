//! The file of a search: read at once, and replaced at once.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::error::Error;
use crate::output::print_line;
use crate::record::Identity;
use crate::shard::Shard;

pub(super) struct CheckpointFile(PathBuf);

impl fmt::Display for CheckpointFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl CheckpointFile {
    pub(super) fn new(folder: &Path, identity: &Identity, shard: Option<Shard>) -> Self {
        CheckpointFile(folder.join(identity.file_name(shard) + ".checkpoint"))
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
        let folder = self.0.parent().unwrap_or(Path::new("."));
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
