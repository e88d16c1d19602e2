//! The value that a property runs on, noted where it survives the process: a property that aborts, overflows the stack or
//! dereferences null leaves no report. Takes values as they are given; gives, to the next run of the same test, the one that the
//! last run died on.
//!
//! A note is a file beside the test program, `korat-crash-notes/<process>-<number>`, mapped into memory and locked by its
//! process. A thread makes one for all its runs, because removing a file may take milliseconds, and removes it when it ends. One
//! that is there and not locked belongs to a process that has died.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use korat_core::{Left, RepOk, Searcher, SlotVector, Survivor};

use crate::regressions::Regressions;
use crate::replay::Replay;
use crate::report::grouped;

const FOLDER: &str = "korat-crash-notes";

/// How many runs of this process note their values.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The notes of runs of this thread, that of an inner property last: a panic that ends the process looks here.
    static IN_USE: RefCell<Vec<Weak<RefCell<Note>>>> = const { RefCell::new(Vec::new()) };
    /// A note for the next run.
    static SPARE: RefCell<Option<Note>> = const { RefCell::new(None) };
}

/// Whose values are noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    package: PathBuf,
    function: String,
    /// What `cargo test` calls the test.
    test_name: String,
    /// The type that is searched.
    type_name: &'static str,
}

impl Owner {
    pub(crate) fn new(regressions: &Regressions, test_name: &str, type_name: &'static str) -> Self {
        let (package, function) = (regressions.package().to_path_buf(), regressions.function().to_string());
        Owner { package, function, test_name: test_name.to_string(), type_name }
    }

    /// The head of its notes.
    fn head(&self) -> String {
        let Owner { package, function, test_name, type_name } = self;
        format!("{}\n{function}\n{test_name}\n{type_name}", package.display())
    }
}

/// A value that a run died on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Died {
    pub(crate) scope: usize,
    pub(crate) value: Noted,
    /// How many other properties ran in the same process.
    pub(crate) others: usize,
}

/// What is noted of a value: what takes no time to find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// The search found it: its number, and the choices that lead to it.
    Searched { number: u64, choices: Vec<u32> },
    /// It was kept or asked for.
    Restored(SlotVector),
}

impl Died {
    const SEARCHED: u32 = 0;
    const RESTORED: u32 = 1;

    fn of(words: &[u32]) -> Option<Self> {
        let [kind, scope, others, high, low, indices @ ..] = words else { return None };
        let value = match *kind {
            Self::SEARCHED => {
                let number = u64::from(*high) << 32 | u64::from(*low);
                Noted::Searched { number, choices: indices.to_vec() }
            }
            Self::RESTORED => Noted::Restored(SlotVector(indices.to_vec())),
            _ => return None,
        };
        Some(Died { scope: *scope as usize, value, others: *others as usize })
    }
}

/// What is noted of the values of one run; nothing where no file can be written.
pub(crate) struct CrashNote {
    note: Option<Rc<RefCell<Note>>>,
    /// How many runs of this thread note their values, this one included: those are properties around this one.
    depth: usize,
}

struct Note {
    survivor: Survivor,
    /// Dropped after the survivor: some systems remove no file that is mapped.
    _removed: Removed,
    owner: Owner,
    /// What is to be stored.
    words: Vec<u32>,
}

impl CrashNote {
    /// Notes nothing.
    pub(crate) fn none() -> Self {
        CrashNote { note: None, depth: 0 }
    }

    /// Makes a note for a run. Where that is not possible, as in a folder that cannot be written to, nothing is noted.
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

    /// Notes the value that a search has found.
    #[inline]
    pub(crate) fn at_value<T: RepOk>(&mut self, searcher: &Searcher<T>, number: u64) {
        self.store(Died::SEARCHED, searcher.scope(), number, |words| searcher.copy_choices(words));
    }

    /// Notes a value that was not searched for.
    pub(crate) fn at_restored(&mut self, replay: &Replay) {
        self.store(Died::RESTORED, replay.scope, 0, |words| words.extend_from_slice(&replay.slots.0));
    }

    #[inline]
    fn store(&mut self, kind: u32, scope: usize, number: u64, indices: impl FnOnce(&mut Vec<u32>)) {
        let Some(note) = &self.note else { return };
        let Note { survivor, words, .. } = &mut *note.borrow_mut();
        let others = RUNNING.load(Ordering::Relaxed).saturating_sub(self.depth);
        words.clear();
        words.extend([kind, scope as u32, others as u32, (number >> 32) as u32, number as u32]);
        indices(words);
        // A disk that is full is no reason to fail: of this value, nothing is noted.
        let _ = survivor.store(words);
    }

    /// Notes that no value is at hand.
    pub(crate) fn between_values(&self) {
        if let Some(note) = &self.note {
            note.borrow_mut().survivor.clear();
        }
    }
}

impl Drop for CrashNote {
    fn drop(&mut self) {
        let Some(note) = self.note.take() else { return };
        RUNNING.fetch_sub(1, Ordering::Relaxed);
        let is_other = |other: &Weak<_>| !other.ptr_eq(&Rc::downgrade(&note));
        // The thread may be over, and what is of it, too.
        let _ = IN_USE.try_with(|notes| notes.borrow_mut().retain(is_other));
        if let Some(mut note) = Rc::into_inner(note).map(RefCell::into_inner) {
            note.survivor.clear();
            let _ = SPARE.try_with(|spare| spare.replace(Some(note)));
        }
    }
}

impl Note {
    fn new(folder: &Path, owner: Owner) -> io::Result<Self> {
        let (file, path) = create(folder)?;
        let removed = Removed(path);
        file.try_lock()?;
        let survivor = Survivor::new(file, owner.head().as_bytes())?;
        Ok(Note { survivor, _removed: removed, owner, words: Vec::new() })
    }

    fn of_another(mut self, owner: Owner) -> io::Result<Self> {
        self.survivor.set_head(owner.head().as_bytes())?;
        Ok(Note { owner, ..self })
    }
}

/// A file that is removed with this.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// What can be said at once of the value which the innermost property of this thread runs on, if there is one.
pub(crate) fn at_hand() -> Option<String> {
    let notes = IN_USE.try_with(|notes| notes.try_borrow().map(|notes| notes.clone()).unwrap_or_default()).ok()?;
    notes.iter().rev().filter_map(Weak::upgrade).find_map(|note| {
        let note = note.try_borrow().ok()?;
        let Owner { type_name, test_name, .. } = &note.owner;
        let Died { scope, value, .. } = Died::of(&note.survivor.words()?)?;
        Some(match value {
            Noted::Searched { number, .. } => format!(
                "structure #{} of {type_name} at scope {scope}; the next run of {test_name} shows it, and how to replay it",
                grouped(number)
            ),
            Noted::Restored(slots) => {
                let replay = Replay { type_name: type_name.to_string(), scope, slots };
                format!("KORAT_REPLAY='{replay}' cargo test {test_name}")
            }
        })
    })
}

/// The values that earlier runs of a test died on, when it is first asked for them; their notes are removed.
pub(crate) fn left_behind(owner: &Owner) -> Vec<Died> {
    static ASKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let head = owner.head();
    if !ASKED.lock().unwrap_or_else(PoisonError::into_inner).insert(head.clone()) {
        return Vec::new();
    }
    let Some(entries) = folder().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| take(path, head.as_bytes()).ok().flatten()).collect()
}

/// Takes a note with this head, and removes it, if its process has died.
fn take(path: &Path, of: &[u8]) -> io::Result<Option<Died>> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    // A process writes its note only after it has locked it: an empty one is about to be locked, or was told already.
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    file.try_lock()?;
    let Some(Left { head, words }) = Survivor::read(&mut file)? else { return Ok(None) };
    if head != of {
        return Ok(None);
    }
    file.set_len(0)?;
    remove(path);
    Ok(words.and_then(|words| Died::of(&words)))
}

/// Where notes are: beside the test program, where nothing watches for changes, and where `cargo clean` removes what is there.
fn folder() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(FOLDER))
}

/// A new file of this process.
fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    /// Another run may remove the folder before the file is in it, and an earlier process of the same number may have left one.
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

/// Removes a note, and the folder if it was the last.
fn remove(path: &Path) {
    // One that stays has nothing in it to tell.
    let _ = fs::remove_file(path);
    if let Some(folder) = path.parent() {
        let _ = fs::remove_dir(folder);
    }
}
