//! Records the current value of a property where it survives the process, because a property that aborts, overflows the
//! stack or dereferences null leaves no report. The next run of the same test reports the value.
//!
//! A note is a file next to the test executable, `korat-crash-notes/<process>-<number>`, memory-mapped and locked by
//! its process. Each thread creates one note for all its runs, because removing a file may take milliseconds, and
//! removes it when the thread ends. A note that is not locked belongs to a process that crashed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicUsize, Ordering};

use korat_core::{CrashFile, CrashFileContents, SlotVector, UntypedSearcher};
use parking_lot::Mutex;

use crate::regressions::Regressions;
use crate::replay::Replay;
use crate::report::grouped;

const FOLDER: &str = "korat-crash-notes";

/// Number of runs in this process that record their values.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The notes of the runs on this thread, innermost property last. The panic hook reads them if the panic ends the process.
    static IN_USE: RefCell<Vec<Weak<RefCell<Note>>>> = const { RefCell::new(Vec::new()) };
    /// A note that the next run can reuse.
    static SPARE: RefCell<Option<Note>> = const { RefCell::new(None) };
}

/// Identifies the test whose values are recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    package: PathBuf,
    function: String,
    /// Name of the test in `cargo test`.
    test_name: String,
    /// The type of the values.
    type_name: String,
}

impl Owner {
    pub(crate) fn new(regressions: &Regressions, test_name: &str, type_name: &str) -> Self {
        let (package, function) = (regressions.package().to_path_buf(), regressions.function().to_string());
        Owner { package, function, test_name: test_name.to_string(), type_name: type_name.to_string() }
    }

    /// Returns the header of the notes of this owner.
    fn head(&self) -> String {
        let Owner { package, function, test_name, type_name } = self;
        format!("{}\n{function}\n{test_name}\n{type_name}", package.display())
    }
}

/// A value on which a run crashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CrashedValue {
    pub(crate) scope: usize,
    pub(crate) value: RecordedValue,
    /// The answers to what the code let korat choose; `None` if there were more than are recorded.
    pub(crate) answers: Option<Vec<u32>>,
    /// Number of other properties that ran in the same process.
    pub(crate) others: usize,
}

/// The part of a value that can be recorded at no cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecordedValue {
    /// A value found by the search: its number, and the choices that lead to it.
    Searched { number: u64, choices: Vec<u32> },
    /// A value from summaries: its number, and its slots with their indices.
    Summarised { number: u64, assignment: Vec<u32> },
    /// A value that was kept or replayed.
    Restored(SlotVector),
    /// A state of an exploration and the action on it.
    Sequence(RecordedSequence),
}

/// What an exploration was doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordedSequence {
    /// A fingerprint of the operations, which give actions their numbers.
    pub(crate) operations: u32,
    /// The calls that lead to the state.
    pub(crate) calls: String,
    pub(crate) action: u32,
    /// The answers to what it let korat choose; `None` if there were more than are recorded.
    pub(crate) answers: Option<Vec<u32>>,
}

/// The word that has the action of a sequence: the lower half of the number.
const ACTION: usize = 4;

/// The word that has the number of answers, which follow it.
const ANSWERS: usize = 5;

/// The most answers that are recorded: the room for them is part of every note, which is written for every value.
const MOST_ANSWERS: usize = 16;

impl CrashedValue {
    const SEARCHED: u32 = 0;
    const RESTORED: u32 = 1;
    const SUMMARISED: u32 = 2;
    const SEQUENCE: u32 = 3;

    fn of(words: &[u32]) -> Option<Self> {
        let [kind, scope, others, high, low, asked, rest @ ..] = words else { return None };
        let (answers, indices) = rest.split_at_checked(MOST_ANSWERS)?;
        let answers = answers.get(..*asked as usize).map(<[u32]>::to_vec);
        let number = u64::from(*high) << 32 | u64::from(*low);
        let value = match *kind {
            Self::SEARCHED => RecordedValue::Searched { number, choices: indices.to_vec() },
            Self::SUMMARISED => RecordedValue::Summarised { number, assignment: indices.to_vec() },
            Self::RESTORED => RecordedValue::Restored(SlotVector(indices.to_vec())),
            Self::SEQUENCE => {
                let bytes = indices.iter().map(|byte| *byte as u8).collect();
                let calls = String::from_utf8(bytes).ok()?;
                let answers = answers.clone();
                RecordedValue::Sequence(RecordedSequence { operations: *scope, calls, action: *low, answers })
            }
            _ => return None,
        };
        Some(CrashedValue { scope: *scope as usize, value, answers, others: *others as usize })
    }
}

/// The note of one run; empty if the file cannot be written.
pub(crate) struct CrashNote {
    note: Option<Rc<RefCell<Note>>>,
    /// Nesting depth of this run among the recorded runs on this thread, starting at 1.
    depth: usize,
}

struct Note {
    crash_file: CrashFile,
    /// Dropped after `crash_file`, because some systems cannot remove a file that is mapped.
    removed: Removed,
    owner: Owner,
    /// Buffer for the words to store.
    words: Vec<u32>,
}

impl CrashNote {
    /// Returns a note that records nothing.
    pub(crate) fn none() -> Self {
        CrashNote { note: None, depth: 0 }
    }

    /// Creates a note for a run. Records nothing if the file cannot be created, for example in a read-only folder.
    pub(crate) fn new(owner: Owner) -> Self {
        let note = match SPARE.take() {
            Some(note) => note.of_another(owner),
            None => folder().ok_or_else(|| io::ErrorKind::NotFound.into()).and_then(|folder| Note::new(&folder, owner)),
        };
        let note = note.ok().map(|note| Rc::new(RefCell::new(note)));
        let mut depth = 0;
        if let Some(note) = &note {
            RUNNING.fetch_add(1, Ordering::Relaxed);
            depth = IN_USE.with_borrow_mut(|notes| {
                notes.push(Rc::downgrade(note));
                notes.len()
            });
        }
        CrashNote { note, depth }
    }

    /// Records the current value of a search.
    #[inline]
    pub(crate) fn at_value(&mut self, searcher: &UntypedSearcher, number: u64) {
        self.store(CrashedValue::SEARCHED, searcher.scope(), number, |words| searcher.copy_choices(words));
    }

    /// Records the current value of a search, which comes from summaries.
    pub(crate) fn at_summarised(&mut self, searcher: &UntypedSearcher, number: u64) {
        self.store(CrashedValue::SUMMARISED, searcher.scope(), number, |words| searcher.copy_assignment(words));
    }

    /// Records a value that does not come from the search.
    pub(crate) fn at_restored(&mut self, replay: &Replay) {
        self.store(CrashedValue::RESTORED, replay.scope, 0, |words| words.extend_from_slice(&replay.slots.0));
    }

    /// Records the state that an exploration expands, by the calls that lead to it.
    pub(crate) fn at_state(&mut self, operations: u32, calls: &str) {
        let calls = |words: &mut Vec<u32>| words.extend(calls.bytes().map(u32::from));
        self.store(CrashedValue::SEQUENCE, operations as usize, 0, calls);
    }

    /// Records the action that an exploration runs on the state.
    #[inline]
    pub(crate) fn at_action(&mut self, action: u32) {
        if let Some(note) = &self.note {
            let crash_file = &mut note.borrow_mut().crash_file;
            crash_file.set_word(ACTION, action);
            crash_file.set_word(ANSWERS, 0);
        }
    }

    /// Returns whose values are recorded, if they are.
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.note.as_ref().map(|note| note.borrow().owner.clone())
    }

    /// Returns whether anything is recorded.
    pub(crate) fn is_some(&self) -> bool {
        self.note.is_some()
    }

    /// Returns where the note is.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.note.as_ref().map(|note| note.borrow().removed.0.clone())
    }

    #[inline]
    fn store(&mut self, kind: u32, scope: usize, number: u64, indices: impl FnOnce(&mut Vec<u32>)) {
        let Some(note) = &self.note else { return };
        let Note { crash_file, words, .. } = &mut *note.borrow_mut();
        let others = RUNNING.load(Ordering::Relaxed).saturating_sub(self.depth);
        words.clear();
        words.extend([kind, scope as u32, others as u32, (number >> 32) as u32, number as u32, 0]);
        words.extend([0; MOST_ANSWERS]);
        indices(words);
        // A full disk is no reason to fail; this value is then not recorded.
        let _ = crash_file.store(words);
    }

    /// Records that there is no current value.
    pub(crate) fn between_values(&self) {
        if let Some(note) = &self.note {
            note.borrow_mut().crash_file.clear();
        }
    }
}

impl Drop for CrashNote {
    fn drop(&mut self) {
        let Some(note) = self.note.take() else { return };
        RUNNING.fetch_sub(1, Ordering::Relaxed);
        let is_other = |other: &Weak<_>| !other.ptr_eq(&Rc::downgrade(&note));
        // The thread may be ending, with its thread-locals already destroyed.
        let _ = IN_USE.try_with(|notes| notes.borrow_mut().retain(is_other));
        if let Some(mut note) = Rc::into_inner(note).map(RefCell::into_inner) {
            note.crash_file.clear();
            let _ = SPARE.try_with(|spare| spare.replace(Some(note)));
        }
    }
}

impl Note {
    fn new(folder: &Path, owner: Owner) -> io::Result<Self> {
        let (file, path) = create(folder)?;
        let removed = Removed(path);
        file.try_lock()?;
        let crash_file = CrashFile::new(file, owner.head().as_bytes())?;
        Ok(Note { crash_file, removed, owner, words: Vec::new() })
    }

    fn of_another(mut self, owner: Owner) -> io::Result<Self> {
        self.crash_file.set_head(owner.head().as_bytes())?;
        Ok(Note { owner, ..self })
    }
}

/// Removes a file when it is dropped.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Records an answer to what the innermost run on this thread let korat choose, and that none follows it yet.
pub(crate) fn at_answer(position: usize, answer: u32) {
    let note = IN_USE.try_with(|notes| notes.borrow().last().and_then(Weak::upgrade));
    let Ok(Some(note)) = note else { return };
    let crash_file = &mut note.borrow_mut().crash_file;
    if position < MOST_ANSWERS {
        crash_file.set_word(ANSWERS + 1 + position, answer);
    }
    crash_file.set_word(ANSWERS, position as u32 + 1);
}

/// Describes the current value of the innermost property on this thread, if any.
pub(crate) fn at_hand() -> Option<String> {
    let notes = IN_USE.try_with(|notes| notes.try_borrow().map(|notes| notes.clone()).unwrap_or_default()).ok()?;
    notes.iter().rev().filter_map(Weak::upgrade).find_map(|note| {
        let note = note.try_borrow().ok()?;
        let Owner { type_name, test_name, .. } = &note.owner;
        let CrashedValue { scope, value, answers, .. } = CrashedValue::of(&note.crash_file.words()?)?;
        Some(match value {
            RecordedValue::Searched { number: 0, .. } => format!(
                "a structure of {type_name} at scope {scope}; the next run of {test_name} shows it, and how to replay it"
            ),
            RecordedValue::Searched { number, .. } | RecordedValue::Summarised { number, .. } => format!(
                "structure #{} of {type_name} at scope {scope}; the next run of {test_name} shows it, and how to replay it",
                grouped(number)
            ),
            RecordedValue::Sequence(_) => {
                format!("an {type_name}; the next run of {test_name} shows the calls, and how to replay them")
            }
            RecordedValue::Restored(slots) => {
                let (type_name, answers) = (type_name.to_string(), answers.unwrap_or_default());
                let replay = Replay { type_name, scope, slots, beside: Vec::new(), answers };
                format!("KORAT_REPLAY='{replay}' cargo test {test_name}")
            }
        })
    })
}

/// Returns the values on which earlier runs of a test crashed, and removes their notes. Returns them only on the first call.
pub(crate) fn take_crashed_values(owner: &Owner) -> Vec<CrashedValue> {
    static ASKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let head = owner.head();
    if !ASKED.lock().insert(head.clone()) {
        return Vec::new();
    }
    let Some(entries) = folder().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| take(path, head.as_bytes()).ok().flatten()).collect()
}

/// Reads and removes a note with this header, if its process has crashed.
fn take(path: &Path, of: &[u8]) -> io::Result<Option<CrashedValue>> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    // A process locks its note before it writes it: an empty note is about to be locked, or was already reported.
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    let own = |file: &mut File| io::Result::Ok(CrashFile::read(file)?.filter(|left| left.head == of));
    // Tests of one process look at the same notes at once. A note of another test is not locked: its own test would miss it.
    if own(&mut file)?.is_none() {
        return Ok(None);
    }
    file.try_lock()?;
    let Some(CrashFileContents { words, .. }) = own(&mut file)? else { return Ok(None) };
    file.set_len(0)?;
    remove(path);
    Ok(words.and_then(|words| CrashedValue::of(&words)))
}

/// Returns what an exploration of this process is doing, whose note is at a path.
pub(crate) fn sequence_at(path: &Path) -> Option<RecordedSequence> {
    let CrashFileContents { words, .. } = CrashFile::read(&mut File::open(path).ok()?).ok()??;
    match CrashedValue::of(&words?)?.value {
        RecordedValue::Sequence(sequence) => Some(sequence),
        _ => None,
    }
}

/// Returns the folder of the notes, next to the test executable: no tool watches it for changes, and `cargo clean` removes it.
fn folder() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(FOLDER))
}

/// Creates a new file for this process.
fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    /// Another run may remove the folder before the file is created, and an earlier process with the same id may have
    /// left a file.
    const TRIES: usize = 8;
    let mut error = io::ErrorKind::NotFound.into();
    for _ in 0..TRIES {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{number}", process::id()));
        fs::create_dir_all(folder)?;
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(failed) => error = failed,
        }
    }
    Err(error)
}

/// Removes a note, and the folder if it was the last one.
fn remove(path: &Path) {
    // A note that cannot be removed is empty.
    let _ = fs::remove_file(path);
    if let Some(folder) = path.parent() {
        let _ = fs::remove_dir(folder);
    }
}
