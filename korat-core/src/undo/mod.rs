//! What a predicate made, and how it is unmade: memory that is released only by going back, and a log of what changed since.
//!
//! The predicate's own containers are handles into this memory, and the locals of its machine lie in it. Every change of either
//! is logged with the function that takes it back, so that the search can return to any earlier moment without knowing what
//! was done. Values are saved and restored bit by bit. What has drop glue cannot be; it pins the moment at which it was made,
//! so that going back always means going back at least that far, and it is dropped then.

mod kept;
mod memory;

use std::alloc::Layout;
use std::mem::{MaybeUninit, needs_drop};
use std::ptr::{self, NonNull};

pub(crate) use kept::{Data, Kept};
pub(crate) use memory::{Memory, MemoryMark};

use crate::ambient;
use crate::engine::Choice;
use crate::slot::Eraser;

/// Two words that an entry of the log carries; the bits of a small value need not all have a value.
pub(crate) type Words = [MaybeUninit<u64>; 2];

/// The function that takes one change back, given what was changed.
pub(crate) type Undo = unsafe fn(*mut (), Words);

/// One change.
struct Entry {
    undo: Undo,
    target: *mut (),
    words: Words,
}

/// Copies the bits that `Workspace::bits_of` gave to a place.
///
/// # Safety
/// The words must be those of a `T`, whose copy is not released yet, and the place must have room for one.
#[inline(always)]
pub(crate) unsafe fn put_back<T>(words: Words, place: *mut T) {
    // SAFETY: the words hold the bits of the value, or the address of a copy of them; the memory is released after this.
    unsafe {
        if fits_words::<T>() {
            ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), place.cast::<u8>(), size_of::<T>());
        } else {
            let copy: *const T = ptr::with_exposed_provenance(words[0].assume_init() as usize);
            ptr::copy_nonoverlapping(copy, place, 1);
        }
    }
}

/// A copy of a value bit by bit; none of one with drop glue, which has one owner.
#[inline(always)]
pub(crate) fn copied<T>(value: &T) -> Option<T> {
    // SAFETY: a value without drop glue may have any number of bitwise copies.
    (!needs_drop::<T>()).then(|| unsafe { ptr::read(value) })
}

/// Whether the bits of a value fit into an entry of the log.
const fn fits_words<T>() -> bool {
    size_of::<T>() <= size_of::<Words>()
}

/// Keeps a value until the current workspace goes back past this moment. Gives it for as long as the caller can answer for.
pub(crate) fn hold<'d, T>(value: T) -> &'d T {
    unsafe fn let_go<T>(target: *mut (), _: Words) {
        // SAFETY: the target is the value, which is dropped once; its memory is released after this.
        unsafe { ptr::drop_in_place(target.cast::<T>()) };
    }
    let work = ambient::work();
    // SAFETY: the current workspace is used by nobody else while a container's method runs; the place is large enough,
    // aligned, and nobody else's.
    unsafe {
        let place: NonNull<T> = (*work).take(1);
        place.write(value);
        if needs_drop::<T>() {
            (*work).log(let_go::<T>, place.as_ptr().cast(), [MaybeUninit::uninit(); 2]);
        }
        &*place.as_ptr()
    }
}

/// A moment to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    memory: MemoryMark,
    entries: u32,
}

/// A statement to re-enter: its label, the activation it runs in, and the moment before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resume {
    frame: *mut (),
    memory: MemoryMark,
    entries: u32,
    label: u32,
}

impl Resume {
    /// Whether both are the same statement at the same moment.
    pub(crate) fn is(&self, other: &Resume) -> bool {
        (self.label, self.frame, self.entries) == (other.label, other.frame, other.entries)
    }

    #[inline(always)]
    fn moment(&self) -> Moment {
        Moment { memory: self.memory, entries: self.entries }
    }
}

/// The label of no statement.
const NOWHERE: u32 = u32::MAX;

/// What it takes to give the last choice its next value and re-enter the statement that made it, which is the one that `now`
/// is.
struct Retry {
    /// The label of the statement; `NOWHERE` if it takes more than this.
    label: u32,
    /// Up to here the next value of the slot is the next in its domain.
    plain_until: u32,
    slot: Eraser,
}

/// The memory and the log of one search.
pub(crate) struct Workspace {
    pub(crate) memory: Memory,
    entries: Vec<Entry>,
    /// Whether changes are logged. What must be dropped is logged in any case.
    recording: bool,
    /// How many living things cannot be restored; while there are any, the statement to re-enter stays the same.
    pins: u32,
    /// Goes up with every statement that may be re-entered.
    epoch: u64,
    /// The activation that runs.
    pub(crate) frame: *mut (),
    /// The activation that returned last.
    pub(crate) returned: *mut (),
    /// The statement that a choice made now re-enters.
    now: Resume,
    /// Whether the machine may go from one candidate to the next by itself: nobody looks, and nothing has gone wrong.
    quick: bool,
    retry: Retry,
    /// Candidates that the machine has gone over by itself, and that nobody has counted yet.
    passed: u64,
    /// Changes taken back so far.
    pub(crate) undone: u64,
    /// The types that were saved by clone.
    pub(crate) cloned: Vec<&'static str>,
}

impl Default for Workspace {
    fn default() -> Self {
        let memory = Memory::default();
        let now = Resume { frame: ptr::null_mut(), memory: memory.mark(), entries: 0, label: 0 };
        Workspace {
            memory,
            entries: Vec::new(),
            recording: false,
            pins: 0,
            epoch: 1,
            frame: ptr::null_mut(),
            returned: ptr::null_mut(),
            now,
            quick: false,
            retry: Retry { label: NOWHERE, plain_until: 0, slot: Eraser::NONE },
            passed: 0,
            undone: 0,
            cloned: Vec::new(),
        }
    }
}

impl Workspace {
    /// Forgets everything, so that a run begins at the top; `recording`: its changes are logged.
    #[inline]
    pub(crate) fn restart(&mut self, recording: bool) {
        if !self.entries.is_empty() {
            self.go_back(Moment { entries: 0, memory: self.memory.mark() });
        }
        self.memory.release_all();
        self.recording = recording;
        self.forget_frames();
    }

    /// Forgets a whole search.
    pub(crate) fn reset(&mut self) {
        self.restart(false);
        self.undone = 0;
        self.cloned.clear();
        self.set_quick(false);
        self.note(0);
    }

    #[inline(always)]
    pub(crate) fn is_recording(&self) -> bool {
        self.recording
    }

    #[inline(always)]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    #[inline(always)]
    fn note(&mut self, label: u32) {
        let Moment { memory, entries } = self.now_moment();
        self.now = Resume { frame: self.frame, memory, entries, label };
    }

    #[inline(always)]
    fn now_moment(&self) -> Moment {
        Moment { memory: self.memory.mark(), entries: self.entries.len() as u32 }
    }

    /// A statement begins: choices made from now on re-enter it.
    #[inline(always)]
    pub(crate) fn at(&mut self, label: u32) {
        if self.pins == 0 {
            self.note(label);
            self.retry.label = NOWHERE;
            self.epoch += 1;
        }
    }

    /// Notes that a type is saved by clone.
    pub(crate) fn saved_by_clone(&mut self, type_name: &'static str) {
        if !self.cloned.contains(&type_name) {
            self.cloned.push(type_name);
        }
    }

    /// The label of the statement that runs.
    pub(crate) fn label(&self) -> u32 {
        self.now.label
    }

    /// The statement that a choice made now re-enters.
    #[inline(always)]
    pub(crate) fn now(&self) -> &Resume {
        &self.now
    }

    /// Says whether the machine may go on by itself.
    #[inline]
    pub(crate) fn set_quick(&mut self, quick: bool) {
        self.quick = quick;
        self.retry.label = NOWHERE;
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    /// The statement that runs has chosen the value of a slot, which goes on plainly up to an index.
    #[inline(always)]
    pub(crate) fn chosen(&mut self, slot: Eraser, plain_until: u32) {
        if self.quick {
            self.retry = Retry { label: self.now.label, plain_until, slot };
        }
    }

    /// Goes back to the statement of the last choice. Gives its label.
    #[inline]
    pub(crate) fn resume(&mut self, last: &Choice) -> u32 {
        self.go_back(last.resume.moment());
        self.frame = last.resume.frame;
        self.now = last.resume;
        self.chosen(last.slot, last.plain_until);
        last.resume.label
    }

    /// Where the last choice re-enters the statement that `now` is, and has a value that plainly follows: moves it on, and goes
    /// back.
    ///
    /// # Safety
    /// The heap of the last choice must be alive.
    #[inline(always)]
    pub(crate) unsafe fn retry(&mut self) -> bool {
        // SAFETY: as the caller says.
        let retried = unsafe { self.retry_in_frame() };
        // Not written if it is so already: the machine is going to read it.
        if retried && self.frame != self.now.frame {
            self.frame = self.now.frame;
        }
        retried
    }

    /// The same where the activation that runs is that of the statement.
    ///
    /// # Safety
    /// As for `retry`.
    #[inline(always)]
    pub(crate) unsafe fn retry_in_frame(&mut self) -> bool {
        // SAFETY: as the caller says.
        let retried = unsafe { self.retry.slot.offer_next(self.retry.plain_until) };
        if retried {
            self.passed += 1;
            self.go_back(self.now.moment());
        }
        retried
    }

    /// The label of the statement that `retry` re-enters, if it may be called.
    #[inline(always)]
    pub(crate) fn retried(&self) -> Option<u32> {
        (self.retry.label != NOWHERE).then_some(self.retry.label)
    }

    /// How many candidates the machine has gone over since this was asked last.
    pub(crate) fn take_passed(&mut self) -> u64 {
        std::mem::take(&mut self.passed)
    }

    /// Logs a change.
    ///
    /// # Safety
    /// Until the entry is undone, `undo(target, words)` must be sound to call once, after all later entries were undone.
    #[inline(always)]
    pub(crate) unsafe fn log(&mut self, undo: Undo, target: *mut (), words: Words) {
        self.entries.push(Entry { undo, target, words });
    }

    /// Saves the bits at an address, if changes are logged.
    ///
    /// # Safety
    /// The address must be valid for `T` until the log goes back past this moment, and `T` must have no drop glue.
    #[inline(always)]
    pub(crate) unsafe fn save<T>(&mut self, at: *mut T) {
        if self.recording {
            // SAFETY: as the caller says.
            unsafe { self.save_bits(at, 1) };
        }
    }

    /// Saves the bits of `count` values.
    ///
    /// # Safety
    /// As for `save`.
    #[inline]
    pub(crate) unsafe fn save_all<T>(&mut self, at: *mut T, count: usize) {
        if self.recording && count > 0 {
            // SAFETY: as the caller says.
            unsafe { self.save_bits(at, count) };
        }
    }

    #[inline(always)]
    unsafe fn save_bits<T>(&mut self, at: *mut T, count: usize) {
        unsafe fn restore_one<T>(target: *mut (), words: Words) {
            // SAFETY: the words are those of what was at the target.
            unsafe { put_back(words, target.cast::<T>()) };
        }
        unsafe fn restore_copies<T>(target: *mut (), words: Words) {
            // SAFETY: the words hold an address and a number; the bits were copied to there, and the memory is released
            // after this.
            unsafe {
                let from: *const T = ptr::with_exposed_provenance(words[0].assume_init() as usize);
                ptr::copy_nonoverlapping(from, target.cast::<T>(), words[1].assume_init() as usize);
            }
        }
        if size_of::<T>() == 0 {
            return;
        }
        // SAFETY: a value without drop glue is its bits, which are restored before anything older is.
        unsafe {
            if count == 1 && fits_words::<T>() {
                let words = self.bits_of(at);
                self.log(restore_one::<T>, at.cast(), words);
            } else {
                let copy: *mut T = self.take(count).as_ptr();
                ptr::copy_nonoverlapping(at, copy, count);
                let from = MaybeUninit::new(copy.expose_provenance() as u64);
                self.log(restore_copies::<T>, at.cast(), [from, MaybeUninit::new(count as u64)]);
            }
        }
    }

    /// The bits of a value, or where a copy of them is; `put_back` brings them back.
    ///
    /// # Safety
    /// The value must be valid.
    #[inline(always)]
    pub(crate) unsafe fn bits_of<T>(&mut self, value: *const T) -> Words {
        let mut words: Words = [MaybeUninit::uninit(); 2];
        // SAFETY: as the caller says; the copy has room for the value.
        unsafe {
            if fits_words::<T>() {
                ptr::copy_nonoverlapping(value.cast::<u8>(), words.as_mut_ptr().cast::<u8>(), size_of::<T>());
            } else {
                let copy: *mut T = self.take(1).as_ptr();
                ptr::copy_nonoverlapping(value, copy, 1);
                words[0] = MaybeUninit::new(copy.expose_provenance() as u64);
            }
        }
        words
    }

    /// Saves the bits at an address that may or may not be in this memory. What is not there lives within one statement, and
    /// need not be restored.
    ///
    /// # Safety
    /// The address must be valid for `T`, which must have no drop glue.
    pub(crate) unsafe fn save_if_kept<T: ?Sized>(&mut self, at: *mut T) {
        unsafe fn restore_few(target: *mut (), words: Words) {
            // SAFETY: the second word says how many bytes of the first were at the target.
            unsafe {
                let size = words[1].assume_init() as usize;
                ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), target.cast::<u8>(), size);
            }
        }
        if !self.recording || !self.memory.holds(at.cast()) {
            return;
        }
        // SAFETY: memory of this kind stays where it is until the log goes back past the moment it was taken.
        unsafe {
            let size = size_of_val(&*at);
            if size > size_of::<u64>() {
                return self.save_bits(at.cast::<u8>(), size);
            }
            let mut words: Words = [MaybeUninit::uninit(), MaybeUninit::new(size as u64)];
            ptr::copy_nonoverlapping(at.cast::<u8>(), words.as_mut_ptr().cast::<u8>(), size);
            self.log(restore_few, at.cast(), words);
        }
    }

    /// Room for `count` values.
    #[inline(always)]
    pub(crate) fn take<T>(&mut self, count: usize) -> NonNull<T> {
        let layout = Layout::array::<T>(count).expect("a container of the predicate's is larger than memory");
        self.memory.take(layout).cast()
    }

    /// Notes that something was made that can only be restored by making it again.
    pub(crate) fn pin(&mut self) {
        unsafe fn unpin(target: *mut (), _: Words) {
            // SAFETY: the target is the workspace that undoes the entry, through the same pointer.
            unsafe { (*target.cast::<Workspace>()).pins -= 1 };
        }
        self.pins += 1;
        let target = ptr::from_mut(self).cast();
        // SAFETY: a workspace does not move while a search uses it.
        unsafe { self.log(unpin, target, [MaybeUninit::uninit(); 2]) };
    }

    /// Takes back everything since a moment.
    #[inline(always)]
    pub(crate) fn go_back(&mut self, moment: Moment) {
        if self.entries.len() != moment.entries as usize {
            self.take_back(moment.entries as usize);
        }
        self.memory.release(moment.memory);
    }

    /// Takes back all entries of the log but the first `left`.
    #[inline(never)]
    fn take_back(&mut self, left: usize) {
        self.epoch += 1;
        // Through a raw pointer: undoing an entry may touch the workspace itself.
        let this = ptr::from_mut(self);
        // SAFETY: entries are undone once each, the newest first; those that a destructor of the user's adds meanwhile, too.
        unsafe {
            while (*this).entries.len() > left
                && let Some(entry) = (*this).entries.pop()
            {
                (*this).undone += 1;
                (entry.undo)(entry.target, entry.words);
            }
        }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.restart(false);
    }
}

/// A workspace to try containers in, and the moments of it; for tests.
pub struct Workbench {
    work: Box<Workspace>,
    _entered: ambient::Working,
    moments: Vec<Moment>,
}

impl Workbench {
    /// Containers made on this thread from now on lie in it.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let mut work = Box::<Workspace>::default();
        work.restart(true);
        let _entered = ambient::work_in(&raw mut *work);
        Workbench { work, _entered, moments: Vec::new() }
    }

    /// Remembers the moment; gives its number.
    pub fn mark(&mut self) -> usize {
        self.work.epoch += 1;
        self.moments.push(self.work.now_moment());
        self.moments.len() - 1
    }

    /// Goes back to a moment, which stays remembered.
    pub fn back(&mut self, mark: usize) {
        self.moments.truncate(mark + 1);
        self.work.go_back(self.moments[mark]);
        self.work.epoch += 1;
    }
}

/// Saves what an assignment is going to overwrite through a reference.
#[inline]
pub fn touch<T: ?Sized>(place: &mut T) -> &mut T {
    let work = ambient::work();
    if needs_drop::<T>() {
        // SAFETY: the workspace of the running search is valid.
        if unsafe { (*work).is_recording() && (*work).memory.holds(ptr::from_mut(place).cast()) } {
            ambient::raise(ambient::Stop::Unfit { type_name: std::any::type_name::<T>() });
        }
    } else {
        // SAFETY: the reference is valid, and the type has no drop glue.
        unsafe { (*work).save_if_kept(ptr::from_mut(place)) };
    }
    place
}
