//! Values as bits: copied, saved before a change, and put back.
//!
//! # Why it is sound
//! Bits are copied as bytes that need have no value and keep what they are, pointers included, so that any value may be copied. A copy
//! is used as a value only if the type has no drop glue, or by the one who forgets the original. Where bits do not fit into an
//! entry of the log, the entry has the address of a copy in the workspace's memory, taken after the entry's moment: it is released after
//! the entry is undone. What is restored lies where the entry's target says, which is an address that the memory gave.

use std::mem::{MaybeUninit, needs_drop};
use std::ptr;

use super::{Words, Workspace};
use crate::ambient;
use crate::machine;

/// Copies the bits that `Workspace::bits_of` gave to a place.
///
/// # Safety
/// The words must be those of a `T`, whose copy is not released yet, and the place must have room for one.
#[inline(always)]
pub(crate) unsafe fn put_back<T>(words: Words, place: *mut T) {
    // SAFETY: the words are those of a `T`, which has as many bytes, and the place has room for them.
    unsafe { put_back_bytes(words, place.cast(), size_of::<T>()) };
}

/// Copies the bytes that `Workspace::bytes_of` gave to a place.
///
/// # Safety
/// The words must be those of as many bytes, whose copy is not released yet, and the place must have room for them.
#[inline(always)]
pub(crate) unsafe fn put_back_bytes(words: Words, place: *mut u8, count: usize) {
    // SAFETY: the words hold the bytes, or the address of a copy of them, which is not released yet; both lie apart from the place.
    unsafe {
        let from = if fits_words(count) { words.as_ptr().cast() } else { address_in(&words) };
        ptr::copy_nonoverlapping(from, place, count);
    }
}

/// Words that begin with an address. It is put in and taken out as a pointer, so that it stays one.
fn with_address<T>(address: *const T, word: MaybeUninit<u64>) -> Words {
    let mut words = [MaybeUninit::uninit(), word];
    // SAFETY: a word has room for an address, and is aligned for one.
    unsafe { words.as_mut_ptr().cast::<*const T>().write(address) };
    words
}

/// The address that the words begin with.
///
/// # Safety
/// They must be from `with_address`.
unsafe fn address_in<T>(words: &Words) -> *const T {
    // SAFETY: the caller promises that there is an address.
    unsafe { words.as_ptr().cast::<*const T>().read() }
}

const _: () = assert!(size_of::<*const ()>() <= size_of::<u64>() && align_of::<*const ()>() <= align_of::<u64>());

/// A copy of a value bit by bit; none of one with drop glue, which has one owner.
#[inline(always)]
pub(crate) fn copied<T>(value: &T) -> Option<T> {
    // SAFETY: a value without drop glue may have any number of bitwise copies.
    (!needs_drop::<T>()).then(|| unsafe { ptr::read(value) })
}

/// Copies so many bytes, which may have been written just now. A few words are read one by one, as they were written: the processor hands
/// on what it has not stored yet to a read of the same word, and a read of two words at once waits for both.
///
/// # Safety
/// Both places must have as many bytes and the alignment, and lie apart.
#[inline(always)]
unsafe fn copy_recent(from: *const u8, to: *mut u8, count: usize, align: usize) {
    const FEW: usize = 8;
    let words = count / size_of::<u64>();
    let is_few = align >= align_of::<u64>() && count.is_multiple_of(size_of::<u64>()) && words <= FEW;
    // SAFETY: both places have the bytes, aligned to words if they are copied as such; bytes that have no value stay without one.
    unsafe {
        if !is_few {
            return ptr::copy_nonoverlapping(from, to, count);
        }
        let (from, to) = (from.cast::<MaybeUninit<u64>>(), to.cast::<MaybeUninit<u64>>());
        for word in 0..words {
            to.add(word).write(from.add(word).read_volatile());
        }
    }
}

/// Reads a value that may have been written just now.
///
/// # Safety
/// There must be a value at the address; unless it is forgotten there, the type must have no drop glue.
#[inline(always)]
pub(crate) unsafe fn read_recent<T>(value: *const T) -> T {
    let mut copy = MaybeUninit::<T>::uninit();
    // SAFETY: both places are of one type and lie apart, and the copy is a value then, because the original is.
    unsafe {
        copy_recent(value.cast(), copy.as_mut_ptr().cast(), size_of::<T>(), align_of::<T>());
        copy.assume_init()
    }
}

/// Whether so many bytes fit into an entry of the log.
const fn fits_words(count: usize) -> bool {
    count <= size_of::<Words>()
}

impl Workspace {
    /// Saves the bits at an address, if changes are logged.
    ///
    /// # Safety
    /// The address must be one that this memory gave, with room for a `T` without drop glue.
    #[inline(always)]
    pub(crate) unsafe fn save<T>(&self, at: *mut T) {
        if self.logs(at.cast()) {
            // SAFETY: the caller promises the same, and changes are logged.
            unsafe { self.save_bits(at, 1) };
        }
    }

    /// Saves the bits of `count` values.
    ///
    /// # Safety
    /// The address must be one that this memory gave, with room for as many `T`s without drop glue.
    #[inline]
    pub(crate) unsafe fn save_all<T>(&self, at: *mut T, count: usize) {
        if count > 0 && self.logs(at.cast()) {
            // SAFETY: the caller promises the same, and changes are logged.
            unsafe { self.save_bits(at, count) };
        }
    }

    /// The same whether or not they are newer than the last choice.
    ///
    /// # Safety
    /// The address must be one that this memory gave, with room for as many `T`s without drop glue; and changes must be logged.
    #[inline(always)]
    pub(crate) unsafe fn save_bits<T>(&self, at: *mut T, count: usize) {
        unsafe fn restore_one<T>(target: *mut (), words: Words) {
            // SAFETY: the words are those of what was at the target.
            unsafe { put_back(words, target.cast::<T>()) };
        }
        unsafe fn restore_copies<T>(target: *mut (), words: Words) {
            // SAFETY: the words hold an address and a number: as many values were copied to there, and that memory is released
            // after this.
            unsafe {
                let count = words[1].assume_init() as usize;
                ptr::copy_nonoverlapping(address_in::<T>(&words), target.cast::<T>(), count);
            }
        }
        if size_of::<T>() == 0 {
            return;
        }
        // SAFETY: a value without drop glue is its bits, which are restored before anything older is.
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

    /// The bits of a value, or where a copy of them is; `put_back` brings them back.
    ///
    /// # Safety
    /// The value must be valid.
    #[inline(always)]
    pub(crate) unsafe fn bits_of<T>(&self, value: *const T) -> Words {
        // SAFETY: a value has as many bytes as its type.
        unsafe { self.bytes_of(value, size_of::<T>()) }
    }

    /// The first bytes of a value, or where a copy of them is; `put_back_bytes` brings them back.
    ///
    /// # Safety
    /// They must be there.
    #[inline(always)]
    pub(crate) unsafe fn bytes_of<T>(&self, value: *const T, count: usize) -> Words {
        let (bytes, align) = (value.cast::<u8>(), align_of::<T>());
        let mut words: Words = [MaybeUninit::uninit(); 2];
        // SAFETY: the bytes are there, as the caller promises; the words or the copy have room for them, and lie at a word.
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

    /// Saves the bits at an address that may or may not be in this memory. What is not there lives within one statement, and
    /// need not be restored.
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
        // Not the address that was given: that is good for as long as the reference it was made from, and the entry is older than
        // what comes after that.
        let Some(place) = self.memory.place_at(at.cast()) else { return };
        // SAFETY: the caller promises that there is a value. Its bytes lie in one piece of this memory, which stays until the log goes
        // back past the moment it was taken.
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

/// Saves what an assignment is going to overwrite through a reference.
#[inline]
pub fn touch<T: ?Sized>(place: &mut T) -> &mut T {
    let work = ambient::workspace();
    if needs_drop::<T>() {
        if work.is_recording() && work.memory.holds(ptr::from_mut(place).cast()) {
            machine::unfit(std::any::type_name::<T>(), machine::NOT_RESTORED);
        }
    } else {
        // SAFETY: there is a value behind the reference, and its type has no drop glue.
        unsafe { work.save_if_kept(ptr::from_mut(place)) };
    }
    place
}

/// Whether what a kept local leads to is in the workspace's memory, where a change is saved. Where it is not, as behind a leaked box, going
/// back cannot restore it, and the predicate is run from the top.
#[inline]
pub(crate) fn leads_inside<T: ?Sized>(place: &T) {
    let work = ambient::workspace();
    if work.is_recording() && size_of_val(place) > 0 && !work.memory.holds(ptr::from_ref(place).cast()) {
        machine::unfit(std::any::type_name::<&mut T>(), machine::NOT_RESTORED);
    }
}
