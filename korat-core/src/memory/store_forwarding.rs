//! Copies of recently written bytes that benefit from store forwarding.
//!
//! # Safety argument
//! The functions copy bytes without reading them as values, so uninitialised bytes and parts of pointers are preserved.
//! Callers guarantee that both places have the bytes, and that a value which they read gets no second owner.

use std::mem::MaybeUninit;
use std::ptr;

/// Copies `count` bytes that may have been written recently. A few words are read one by one, as they were written: the
/// processor forwards a pending store to a read of the same word, whereas a wider read waits for both stores.
///
/// # Safety
/// Both places must have `count` bytes, have the alignment `align`, and not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_recent(from: *const u8, to: *mut u8, count: usize, align: usize) {
    const FEW: usize = 8;
    let words = count / size_of::<u64>();
    let is_few = align >= align_of::<u64>() && count.is_multiple_of(size_of::<u64>()) && words <= FEW;
    // SAFETY: both places have the bytes, aligned to words if they are copied as words; uninitialised bytes stay uninitialised.
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

/// Reads a value that may have been written recently.
///
/// # Safety
/// There must be a value at the address; unless the original is forgotten, the type must have no drop glue.
#[inline(always)]
pub(crate) unsafe fn read_recent<T>(value: *const T) -> T {
    let mut copy = MaybeUninit::<T>::uninit();
    // SAFETY: both places have the same type and do not overlap, and the copy is a value because the original is one.
    unsafe {
        copy_recent(value.cast(), copy.as_mut_ptr().cast(), size_of::<T>(), align_of::<T>());
        copy.assume_init()
    }
}
