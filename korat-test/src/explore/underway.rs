//! What an exploration is doing, for what survives it: a note for the next run, should an operation end the process, and a
//! watchdog, should one not end.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::again::{Again, Saved};
use super::call_sequence::push_call;
use super::operations::Operations;
use super::steps::ActionId;
use crate::crash_note::{self, CrashNote, RecordedSequence, RecordedValue};
use crate::output::print_line;

/// The status with which a test binary ends if a test fails.
const FAILED: i32 = 101;

/// Stands before the number of calls, if they are not noted. It occurs in no call.
const MANY: char = '\u{1}';

/// In place of an action: the checks of a first state.
const FIRST: ActionId = ActionId::MAX;

/// The state and the action under way.
pub(super) struct Underway {
    note: CrashNote,
    operations: u32,
    watchdog: Option<Watchdog>,
}

struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    /// Changes when an execution begins, to an odd number, and when it ends.
    ticks: AtomicU64,
    is_over: AtomicBool,
}

impl Underway {
    /// Reports what an earlier run was doing when it died, and begins to take notes.
    pub(super) fn begin<S: 'static>(again: &Again, operations: &Operations<S>, limit: Option<Duration>) -> Self {
        let fingerprint = operations.fingerprint();
        let mut note = CrashNote::none();
        if let Some(owner) = &again.owner {
            for crashed in crash_note::take_crashed_values(owner) {
                if let RecordedValue::Sequence(sequence) = crashed.value {
                    let calls = Calls { again, operations: fingerprint, keys: &operations.keys() };
                    print_line(&format!(
                        "korat: the last run of {} died {}",
                        again.test_name(),
                        calls.told(&sequence).0
                    ));
                }
            }
            note = CrashNote::new(owner.clone());
        }
        let watchdog = limit.map(|limit| {
            let shared = Arc::<Shared>::default();
            let watching = Arc::clone(&shared);
            let (again, keys, path) = (again.clone(), operations.keys(), note.path());
            let thread = thread::spawn(move || {
                if watching.wait_for_endless(limit) {
                    let calls = Calls { again: &again, operations: fingerprint, keys: &keys };
                    calls.end_process(limit, path.as_deref());
                }
            });
            Watchdog { shared, thread: Some(thread) }
        });
        Underway { note, operations: fingerprint, watchdog }
    }

    /// Returns whether something survives the exploration.
    pub(super) fn takes_notes(&self) -> bool {
        self.note.is_some()
    }

    /// Notes the state that is expanded, by the calls that lead to it.
    pub(super) fn at_state(&mut self, calls: &str) {
        self.note.at_state(self.operations, calls);
    }

    /// Notes that a state is expanded to which too many calls lead.
    pub(super) fn at_deep_state(&mut self, calls: usize) {
        self.note.at_state(self.operations, &format!("{MANY}{calls}"));
    }

    /// Notes that a first state is checked, which the text of a sequence without calls tells.
    pub(super) fn begin_first(&mut self, start: &str) {
        self.at_state(start);
        self.begin_action(FIRST);
    }

    /// Notes that an action begins.
    #[inline]
    pub(super) fn begin_action(&mut self, action: ActionId) {
        self.note.at_action(action);
        self.tick();
    }

    /// Notes that the action is over.
    #[inline]
    pub(super) fn end_action(&self) {
        self.tick();
    }

    #[inline]
    fn tick(&self) {
        if let Some(Watchdog { shared, .. }) = &self.watchdog {
            shared.ticks.store(shared.ticks.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Waits until an execution takes longer than the limit; returns false if the exploration ends before.
    fn wait_for_endless(&self, limit: Duration) -> bool {
        let mut since = (0, Instant::now());
        while !self.is_over.load(Ordering::Relaxed) {
            // An execution is found to be endless a quarter of the limit late at most.
            thread::park_timeout(limit / 4);
            let ticks = self.ticks.load(Ordering::Relaxed);
            if ticks != since.0 || ticks.is_multiple_of(2) {
                since = (ticks, Instant::now());
            } else if since.1.elapsed() >= limit {
                return true;
            }
        }
        false
    }
}

/// What tells a sequence that was noted.
struct Calls<'c> {
    again: &'c Again,
    operations: u32,
    keys: &'c [String],
}

impl Calls<'_> {
    /// Returns what was running after which calls, and the line that replays it, if it is known.
    fn told(
        &self,
        RecordedSequence { operations, calls, action, answers }: &RecordedSequence,
    ) -> (String, Option<String>) {
        if *action == FIRST {
            let which = if calls.is_empty() { String::new() } else { format!(" `{calls}`") };
            return (format!("in the checks of the first state{which}"), None);
        }
        let key = self.keys.get(*action as usize).filter(|_| *operations == self.operations);
        let Some(key) = key else { return ("in an exploration whose operations have changed since".to_string(), None) };
        if let Some(many) = calls.strip_prefix(MANY) {
            return (format!("in `{key}` after {many} calls, which are too many to be noted"), None);
        }
        let after = if calls.is_empty() { String::new() } else { format!(" after `{calls}`") };
        let Some(answers) = answers else {
            return (format!("in `{key}`{after}, with more choices than are noted"), None);
        };
        let mut all = calls.clone();
        push_call(&mut all, key, answers);
        let line = self.again.line(&all);
        (format!("in `{key}`{after}\nreplay: {}", self.again.command(&line)), Some(line))
    }

    /// Ends the process, because an execution does not end.
    fn end_process(&self, limit: Duration, note: Option<&Path>) -> ! {
        let sequence = note.and_then(crash_note::sequence_at);
        let (what, line) = sequence.map_or_else(Default::default, |sequence| self.told(&sequence));
        let late =
            format!("korat: {} has not ended within {limit:?}: the exploration is {what}", self.again.test_name());
        print_line(&late);
        if let Some(line) = line
            && let Saved::Now(Ok(file)) = self.again.save(&line, &format!("it did not end within {limit:?}"))
        {
            print_line(&format!("saved: in {file}, and run first the next time; commit it"));
        }
        std::process::exit(FAILED);
    }
}
