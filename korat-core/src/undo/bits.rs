//! Values as bits: copied, saved before a change, and put back.

use std::mem::{MaybeUninit, needs_drop};
use std::ptr;

use super::{Words, Workspace};
use crate::ambient;

/// Copies the bits that `Workspace::bits_of` gave to a place.
///
/// # Safety
/// The words must be those of a `T`, whose copy is not released yet, and the place must have room for one.
#[inline(always)]
pub(crate) unsafe fn put_back<T>(words: Words, place: *mut T) {
    // SAFETY: as the caller says.
    unsafe { put_back_bytes(words, place.cast(), size_of::<T>()) };
}

/// Copies the bytes that `Workspace::bytes_of` gave to a place.
///
/// # Safety
/// As for `put_back`, with as many bytes.
#[inline(always)]
pub(crate) unsafe fn put_back_bytes(words: Words, place: *mut u8, count: usize) {
    // SAFETY: the words hold the bytes, or the address of a copy of them; the memory is released after this.
    unsafe {
        if fits_words(count) {
            ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), place, count);
        } else {
            let copy: *const u8 = ptr::with_exposed_provenance(words[0].assume_init() as usize);
            ptr::copy_nonoverlapping(copy, place, count);
        }
    }
}

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
    // SAFETY: as the caller says; bytes that have no value stay without one.
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

/// A copy of a value that may have been written just now.
#[inline(always)]
pub(super) fn recent<T: Copy>(value: &T) -> T {
    // SAFETY: there may be any number of them.
    unsafe { read_recent(value) }
}

/// Reads a value that may have been written just now.
///
/// # Safety
/// As for `ptr::read`.
#[inline(always)]
pub(crate) unsafe fn read_recent<T>(value: *const T) -> T {
    let mut copy = MaybeUninit::<T>::uninit();
    // SAFETY: both are of one type, and the copy lies apart.
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
    /// The address must be valid for `T` until the log goes back past this moment, and `T` must have no drop glue.
    #[inline(always)]
    pub(crate) unsafe fn save<T>(&mut self, at: *mut T) {
        if self.logs(at.cast()) {
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
        if count > 0 && self.logs(at.cast()) {
            // SAFETY: as the caller says.
            unsafe { self.save_bits(at, count) };
        }
    }

    /// The same whether or not they are newer than the last choice.
    ///
    /// # Safety
    /// As for `save`; and changes must be logged.
    #[inline(always)]
    pub(crate) unsafe fn save_bits<T>(&mut self, at: *mut T, count: usize) {
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
            if count == 1 && fits_words(size_of::<T>()) {
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
        // SAFETY: as the caller says.
        unsafe { self.bytes_of(value, size_of::<T>()) }
    }

    /// The first bytes of a value, or where a copy of them is; `put_back_bytes` brings them back.
    ///
    /// # Safety
    /// They must be there.
    #[inline(always)]
    pub(crate) unsafe fn bytes_of<T>(&mut self, value: *const T, count: usize) -> Words {
        let (bytes, align) = (value.cast::<u8>(), align_of::<T>());
        let mut words: Words = [MaybeUninit::uninit(); 2];
        // SAFETY: as the caller says; the copy has room for them, and lies at a word.
        unsafe {
            if fits_words(count) {
                copy_recent(bytes, words.as_mut_ptr().cast::<u8>(), count, align);
            } else {
                let copy: *mut u8 = self.take::<u64>(count.div_ceil(size_of::<u64>())).as_ptr().cast();
                copy_recent(bytes, copy, count, align);
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
    unsafe fn save_if_kept<T: ?Sized>(&mut self, at: *mut T) {
        unsafe fn restore_few(target: *mut (), words: Words) {
            // SAFETY: the second word says how many bytes of the first were at the target.
            unsafe {
                let size = words[1].assume_init() as usize;
                ptr::copy_nonoverlapping(words.as_ptr().cast::<u8>(), target.cast::<u8>(), size);
            }
        }
        if !self.logs(at.cast()) || !self.memory.holds(at.cast()) {
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
