//! The folder in which a search in a process of its own keeps what it finds, and how such a search is ended and gone on with.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, thread};

/// What the search in the child is of, and the folder for what it finds.
pub(crate) const SUBJECT: &str = "TESTED_SUBJECT";
pub(crate) const FOLDER: &str = "TESTED_FOLDER";

/// A folder that is removed in the end.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        // Tests that run at the same time may give the same name.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("korat-resumed-{}-{number}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    pub(crate) fn values(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join("values")).unwrap_or_default();
        text.split_inclusive('\n').map(str::to_string).collect()
    }

    pub(crate) fn report(&self) -> Option<String> {
        fs::read_to_string(self.0.join("report")).ok()
    }

    pub(crate) fn checkpoints(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.0.join("kept")).into_iter().flatten().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == "checkpoint")).collect()
    }

    pub(crate) fn child_of(&self, test: &str, subject: &str, checkpoints: bool) -> Command {
        let mut command = Command::new(env::current_exe().expect("this test runs"));
        command.args([test, "--exact", "--ignored", "--nocapture"]);
        command.env(SUBJECT, subject).env(FOLDER, &self.0).stdout(Stdio::null()).stderr(Stdio::piped());
        if checkpoints {
            command.env("KORAT_CHECKPOINT", self.0.join("kept")).env("KORAT_CHECKPOINT_EVERY", "10ms");
        }
        command
    }
}

impl Drop for Scratch {
    /// Leaves the folder of a test that fails, for whoever looks into it.
    fn drop(&mut self) {
        if !thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// A generator of delays that are the same in every run: splitmix64.
pub(crate) fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ mixed >> 31) % below
}

/// Runs a search with time limits, the first one of so many milliseconds, each twice as long, until one is not reached. Returns how often.
pub(crate) fn limited(
    scratch: &Scratch,
    subject: &str,
    millis: u64,
    report: &str,
    mut child: impl FnMut() -> Command,
) -> u32 {
    for runs in 0.. {
        let output = child().env("KORAT_TIME_LIMIT", format!("{}ms", millis << runs)).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{subject}: {text}");
        let found = scratch.report().expect("it has ended");
        if !found.contains("TimeLimit") {
            assert_eq!(found, report, "{subject}");
            return runs + 1;
        }
        assert_eq!(scratch.checkpoints().len(), 1, "{subject}: {text}");
    }
    unreachable!("a limit is long enough")
}
