//! Values as raw bits: copied, saved before a change, and restored.
//!
//! # Safety argument
//! Bits are copied as possibly uninitialized bytes, which keeps everything about them, including the provenance of
//! pointers, so any value may be copied. A copy is used as a value only if the type has no drop glue, or by code that
//! forgets the original. If the bits do not fit into a log entry, the entry holds the address of a copy in the
//! workspace's memory. That copy is allocated after the checkpoint to which the entry belongs, so it is released after
//! the entry is undone. Bits are restored to the entry's target, which is an address that the memory handed out.

use std::mem::{MaybeUninit, needs_drop};
use std::ptr;

use super::Workspace;
use super::log::Words;
use crate::memory::store_forwarding::copy_recent;
use crate::predicate::{context, machine};

/// Copies the bits that `Workspace::bits_of` returned to a place.
///
/// # Safety
/// The words must be those of a `T` whose copy is not yet released, and the place must have room for one.
#[inline(always)]
pub(crate) unsafe fn put_back<T>(words: Words, place: *mut T) {
    // SAFETY: the words are those of a `T`, which has this many bytes, and the place has room for them.
    unsafe { put_back_bytes(words, place.cast(), size_of::<T>()) };
}

/// Copies the bytes that `Workspace::bytes_of` returned to a place.
///
/// # Safety
/// The words must be those of `count` bytes whose copy is not yet released, and the place must have room for them.
#[inline(always)]
pub(crate) unsafe fn put_back_bytes(words: Words, place: *mut u8, count: usize) {
    // SAFETY: the words hold the bytes, or the address of a copy of them that is not yet released; neither overlaps the
    // place.
    unsafe {
        let from = if fits_words(count) { words.as_ptr().cast() } else { address_in(&words) };
        ptr::copy_nonoverlapping(from, place, count);
    }
}

/// Returns words that begin with an address. The address is stored and loaded as a pointer, to keep its provenance.
fn with_address<T>(address: *const T, word: MaybeUninit<u64>) -> Words {
    let mut words = [MaybeUninit::uninit(), word];
    // SAFETY: a word has room for an address and is aligned for one.
    unsafe { words.as_mut_ptr().cast::<*const T>().write(address) };
    words
}

/// Returns the address that the words begin with.
///
/// # Safety
/// The words must be from `with_address`.
unsafe fn address_in<T>(words: &Words) -> *const T {
    // SAFETY: the caller promises that there is an address.
    unsafe { words.as_ptr().cast::<*const T>().read() }
}

const _: () = assert!(size_of::<*const ()>() <= size_of::<u64>() && align_of::<*const ()>() <= align_of::<u64>());

/// Returns a bitwise copy of a value, or `None` if it has drop glue and therefore a single owner.
#[inline(always)]
pub(crate) fn copied<T>(value: &T) -> Option<T> {
    if const { needs_drop::<T>() } {
        return None;
    }
    // SAFETY: a value without drop glue may have any number of bitwise copies.
    Some(unsafe { ptr::read(value) })
}

/// Returns whether `count` bytes fit into a log entry.
const fn fits_words(count: usize) -> bool {
    count <= size_of::<Words>()
}

impl Workspace {
    /// Saves the bits at an address, if the change must be logged.
    ///
    /// # Safety
    /// The address must be one that this memory handed out, with room for a `T` without drop glue.
    #[inline(always)]
    pub(crate) unsafe fn save<T>(&self, at: *mut T) {
        if self.logs(at.cast()) {
            // SAFETY: the caller promises the same, and changes are logged.
            unsafe { self.save_bits(at, 1) };
        }
    }

    /// Saves the bits of `count` values, if the change must be logged.
    ///
    /// # Safety
    /// The address must be one that this memory handed out, with room for `count` `T`s without drop glue.
    #[inline]
    pub(crate) unsafe fn save_all<T>(&self, at: *mut T, count: usize) {
        if count > 0 && self.logs(at.cast()) {
            // SAFETY: the caller promises the same, and changes are logged.
            unsafe { self.save_bits(at, count) };
        }
    }

    /// Saves the bits of `count` values, even if they are newer than the last choice.
    ///
    /// # Safety
    /// The address must be one that this memory handed out, with room for `count` `T`s without drop glue. Changes must
    /// be logged.
    #[inline(always)]
    pub(crate) unsafe fn save_bits<T>(&self, at: *mut T, count: usize) {
        unsafe fn restore_one<T>(target: *mut (), words: Words) {
            // SAFETY: the words hold the previous bits of the target.
            unsafe { put_back(words, target.cast::<T>()) };
        }
        unsafe fn restore_copies<T>(target: *mut (), words: Words) {
            // SAFETY: the words hold an address and a count. That many values were copied to the address, and their
            // memory is released after this.
            unsafe {
                let count = words[1].assume_init() as usize;
                ptr::copy_nonoverlapping(address_in::<T>(&words), target.cast::<T>(), count);
            }
        }
        if size_of::<T>() == 0 {
            return;
        }
        // SAFETY: a value without drop glue is its bits, and they are restored before anything older.
        unsafe {
            if count == 1 && fits_words(size_of::<T>()) {
                let words = self.bits_of(at);
                self.log(restore_one::<T>, at.cast(), words);
            } else {
                let copy: *mut T = self.take(count).as_ptr();
                ptr::copy_nonoverlapping(at, copy, count);
                self.log(restore_copies::<T>, at.cast(), with_address(copy, MaybeUninit::new(count as u64)));
            }
        }
    }

    /// Returns the bits of a value, or the address of a copy of them; `put_back` restores them.
    ///
    /// # Safety
    /// The value must be valid.
    #[inline(always)]
    pub(crate) unsafe fn bits_of<T>(&self, value: *const T) -> Words {
        // SAFETY: a value has as many bytes as its type.
        unsafe { self.bytes_of(value, size_of::<T>()) }
    }

    /// Returns the first `count` bytes of a value, or the address of a copy of them; `put_back_bytes` restores them.
    ///
    /// # Safety
    /// The value must have that many bytes.
    #[inline(always)]
    pub(crate) unsafe fn bytes_of<T>(&self, value: *const T, count: usize) -> Words {
        let (bytes, align) = (value.cast::<u8>(), align_of::<T>());
        let mut words: Words = [MaybeUninit::uninit(); 2];
        // SAFETY: the caller promises the bytes; the words or the copy have room for them, and are aligned to a word.
        unsafe {
            if fits_words(count) {
                copy_recent(bytes, words.as_mut_ptr().cast::<u8>(), count, align);
                return words;
            }
            let copy: *mut u8 = self.take::<u64>(count.div_ceil(size_of::<u64>())).as_ptr().cast();
            copy_recent(bytes, copy, count, align);
            with_address(copy, MaybeUninit::uninit())
        }
    }

    /// Saves the bits at an address that may lie outside this memory. Values outside live within one statement and need
    /// not be restored.
    ///
    /// # Safety
    /// The address must be valid for `T`, which must have no drop glue.
    unsafe fn save_if_kept<T: ?Sized>(&self, at: *mut T) {
        unsafe fn restore_few(target: *mut (), words: Words) {
            // SAFETY: the second word says how many bytes of the first were at the target.
            unsafe {
                let size = words[1].assume_init() as usize;
                ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), target.cast::<u8>(), size);
            }
        }
        if !self.logs(at.cast()) {
            return;
        }
        // The given address must not be logged: it is valid only as long as the reference it came from, and the entry
        // outlives that reference.
        let Some(place) = self.memory.place_at(at.cast()) else { return };
        // SAFETY: the caller promises that there is a value. Its bytes lie in one allocation of this memory, which
        // exists until the log is undone past the point where it was allocated.
        unsafe {
            let size = size_of_val(&*at);
            if size > size_of::<u64>() {
                return self.save_bits(place.cast::<u8>(), size);
            }
            let mut words: Words = [MaybeUninit::uninit(), MaybeUninit::new(size as u64)];
            ptr::copy_nonoverlapping(at.cast::<u8>(), words.as_mut_ptr().cast::<u8>(), size);
            self.log(restore_few, place, words);
        }
    }
}

/// Saves the value that an assignment is about to overwrite through a reference.
#[inline]
pub fn touch<T: ?Sized>(place: &mut T) -> &mut T {
    let work = context::workspace();
    if const { needs_drop::<T>() } {
        if work.is_recording() && work.memory.holds(ptr::from_mut(place).cast()) {
            machine::not_resumable(std::any::type_name::<T>(), machine::NOT_RESTORED);
        }
    } else {
        // SAFETY: there is a value behind the reference, and its type has no drop glue.
        unsafe { work.save_if_kept(ptr::from_mut(place)) };
    }
    place
}

/// Checks that a place which a kept local points to is in the workspace's memory, where changes are saved. Elsewhere,
/// such as behind a leaked box, backtracking cannot restore it, so the predicate falls back to running from the start.
#[inline]
pub(crate) fn leads_inside<T: ?Sized>(place: &T) {
    let work = context::workspace();
    if work.is_recording() && size_of_val(place) > 0 && !work.memory.holds(ptr::from_ref(place).cast()) {
        machine::not_resumable(std::any::type_name::<&mut T>(), machine::NOT_RESTORED);
    }
}
