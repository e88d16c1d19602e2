//! The file of a report, and one beside it with the same in JUnit's XML.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::identity::Identity;
use crate::output::print_line;
use crate::shard::Shard;

/// Where a report is written.
pub(super) struct ReportFile {
    folder: PathBuf,
    name: String,
}

impl ReportFile {
    pub(super) fn new(folder: &Path, identity: &Identity, shard: Option<Shard>) -> Self {
        ReportFile { folder: folder.to_path_buf(), name: identity.file_name(shard) }
    }

    /// Writes the report. If that fails, says so, once for all searches of the process: it is no fault of the test.
    pub(super) fn write(&self, json: &str, xml: &str) {
        static TOLD: Once = Once::new();
        let folder = fs::create_dir_all(&self.folder);
        let written = folder.and_then(|()| self.replace("json", json)).and_then(|()| self.replace("xml", xml));
        if let Err(error) = written {
            let folder = self.folder.display();
            TOLD.call_once(|| {
                print_line(&format!(
                    "error: korat: no reports are kept: KORAT_REPORT={folder} cannot be written: {error}"
                ));
            });
        }
    }

    /// Writes a file in one step, so that no reader sees a part of it.
    fn replace(&self, extension: &str, text: &str) -> io::Result<()> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let ReportFile { folder, name } = self;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!(".{name}.{}-{number}.tmp", std::process::id()));
        fs::write(&temporary, text)?;
        fs::rename(&temporary, folder.join(format!("{name}.{extension}"))).inspect_err(|_| {
            // What cannot be renamed should not stay.
            let _ = fs::remove_file(&temporary);
        })
    }
}
