//! Large tables, and raw storage that never moves. What a heap of a million objects costs is mostly the first touch of its memory, page
//! by page; the system is asked for large pages where it gives them to those who ask.
//!
//! # Why it is sound
//! `Places` owns one allocation, as a raw pointer and never as a `Box` or a `Vec`: moving or reborrowing one of those claims that nobody
//! else has references into it, and here others do. All addresses that it gives are copies of one pointer, which sees the allocation as
//! cells: writing by way of it ends no shared reference to a cell that lies there. No reference to the contents is made after that, and
//! they are neither initialised nor dropped: whoever writes a value there answers for it. The allocation is freed in `drop`, with the
//! layout it was made with. `zeroed` reads zeros as values only of types that say they may be (`Zeroable`). `ask_system` names whole pages within memory that
//! the caller owns, and the advice changes nothing that can be read there.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::{ptr, slice};

/// Tables smaller than this are as they are: a large page has two megabytes.
const LARGE: usize = 4 << 20;

/// The bytes that come from memory together.
pub(crate) const LINE: usize = 64;

/// A vector with room for so many entries.
pub(crate) fn with_room<T>(entries: usize) -> Vec<T> {
    let mut table = Vec::with_capacity(entries);
    ask(table.spare_capacity_mut());
    table
}

/// Makes room in a vector for so many more entries.
pub(crate) fn make_room<T>(table: &mut Vec<T>, entries: usize) {
    if table.capacity() - table.len() < entries {
        table.reserve_exact(entries);
        ask(table.spare_capacity_mut());
    }
}

/// A vector of so many copies of an entry.
pub(crate) fn filled<T: Clone>(entry: T, entries: usize) -> Vec<T> {
    let mut table = with_room(entries);
    table.resize(entries, entry);
    table
}

/// The same in a vector that is not needed any more, if that has as many entries.
pub(crate) fn filled_again<T: Clone>(mut table: Vec<T>, entry: T, entries: usize) -> Vec<T> {
    if table.len() != entries {
        return filled(entry, entries);
    }
    table.fill(entry);
    table
}

/// Plain data that may be all zeros.
///
/// # Safety
/// Zeros must be a value of the type.
pub(crate) unsafe trait Zeroable: Copy {}

// SAFETY: zero is a number of 32 bits.
unsafe impl Zeroable for u32 {}
// SAFETY: zero is a number of 64 bits.
unsafe impl Zeroable for u64 {}

/// A vector of so many zeros. What the system gives is zero already, so that nothing is written, nor a page touched.
pub(crate) fn zeroed<T: Zeroable>(entries: usize) -> Vec<T> {
    let mut table = Box::new_zeroed_slice(entries);
    ask(&mut table);
    // SAFETY: all bytes are zero, and `Zeroable` says that zeros are a value of the type.
    unsafe { table.assume_init() }.into_vec()
}

/// The same in a vector that is not needed any more, if that has as many entries.
pub(crate) fn zeroed_again<T: Zeroable + Default>(table: Vec<T>, entries: usize) -> Vec<T> {
    if table.len() == entries { filled_again(table, T::default(), entries) } else { zeroed(entries) }
}

/// Places in a row, with nothing in them, which never move.
pub(crate) struct Places<T> {
    first: NonNull<T>,
    len: usize,
    layout: Layout,
}

impl<T> Places<T> {
    /// The first one begins with a line of the cache, so that places of a line or two take no more than that.
    pub(crate) fn new(len: usize) -> Self {
        Self::allocate(len, Self::layout(len, LINE), alloc)
    }

    /// Places whose bytes are all zero. Aligned as a `T` is: the allocator writes zeros itself where more is asked for, and touches
    /// every page.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self::allocate(len, Self::layout(len, 1), alloc_zeroed)
    }

    fn allocate(len: usize, layout: Layout, allocate: unsafe fn(Layout) -> *mut u8) -> Self {
        if layout.size() == 0 {
            return Places { first: NonNull::dangling(), len, layout };
        }
        // SAFETY: the layout is not of size zero.
        let memory = unsafe { allocate(layout) };
        let Some(first) = NonNull::new(memory) else { handle_alloc_error(layout) };
        // SAFETY: the allocation has as many bytes, which need no value as `MaybeUninit`, and nobody else has its address yet.
        ask(unsafe { slice::from_raw_parts_mut(memory.cast::<MaybeUninit<u8>>(), layout.size()) });
        // SAFETY: the allocation has as many bytes, which need no value, and cells may be written to by anybody.
        let cells: &[UnsafeCell<MaybeUninit<u8>>] =
            unsafe { slice::from_raw_parts(first.as_ptr().cast(), layout.size()) };
        Places { first: NonNull::from(cells).cast(), len, layout }
    }

    fn layout(len: usize, align: usize) -> Layout {
        let layout = Layout::array::<T>(len).and_then(|layout| layout.align_to(align));
        layout.expect("a heap is larger than memory")
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The first one.
    #[inline(always)]
    pub(crate) fn first(&self) -> *mut T {
        self.first.as_ptr()
    }

    /// One of them.
    #[inline]
    pub(crate) fn at(&self, number: usize) -> *mut T {
        assert!(number < self.len, "[korat internal bug] there are not so many places");
        // SAFETY: the allocation has `len` places, and the number is less.
        unsafe { self.first().add(number) }
    }

    /// All of them.
    pub(crate) fn all(&self) -> *const [T] {
        ptr::slice_from_raw_parts(self.first(), self.len)
    }

    /// The place at an address, if it is one of these: the same address, but good for as long as they are, whatever reference it was
    /// taken from.
    pub(crate) fn place_at(&self, address: *const ()) -> Option<*mut ()> {
        let start = self.first().addr();
        let is_within = (start..start + self.layout.size()).contains(&address.addr());
        is_within.then(|| self.first().cast::<()>().with_addr(address.addr()))
    }
}

impl<T> Drop for Places<T> {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: `allocate` made the allocation with this layout, and a value is dropped once.
            unsafe { dealloc(self.first().cast(), self.layout) };
        }
    }
}

/// Asks for large pages in memory that nothing was written to.
pub(crate) fn ask<T>(memory: &mut [MaybeUninit<T>]) {
    if size_of_val(memory) >= LARGE {
        ask_system(memory);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn ask_system<T>(memory: &mut [MaybeUninit<T>]) {
    const PAGE: usize = 4096;
    let all = memory.as_mut_ptr_range();
    let skipped = all.start.addr().next_multiple_of(PAGE) - all.start.addr();
    let len = (size_of_val(memory) - skipped) / PAGE * PAGE;
    // SAFETY: the pages are within the memory; the advice changes how they are backed and nothing that can be read there. If the
    // system has no large pages to give it says so, and it makes no difference.
    unsafe { libc::madvise(all.start.wrapping_byte_add(skipped).cast(), len, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask_system<T>(_: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_begin_with_a_line() {
        #[repr(align(256))]
        struct Large(#[allow(dead_code)] u8);
        for len in [0, 1, 7, 100_000] {
            let places = Places::<[u8; 24]>::new(len);
            assert_eq!((places.first().addr().is_multiple_of(LINE) || len == 0, places.all().len()), (true, len));
            for at in 0..len {
                // SAFETY: the place is good.
                unsafe { places.at(at).write([at as u8; 24]) };
            }
            assert_eq!(Places::<()>::new(len).len(), len);
        }
        assert_eq!(Places::<Large>::new(3).at(2).addr() % 256, 0);
    }

    #[test]
    fn places_know_their_addresses_and_give_zeros() {
        let places = Places::<u64>::zeroed(1000);
        // SAFETY: zeros are numbers.
        assert!((0..1000).all(|at| unsafe { places.at(at).read() } == 0));
        let (first, last) = (places.first().cast_const(), places.at(999).cast_const());
        assert_eq!(places.place_at(first.cast()), Some(first.cast_mut().cast()));
        assert_eq!(places.place_at(last.cast()), Some(last.cast_mut().cast()));
        assert_eq!(places.place_at(last.wrapping_add(1).cast()), None);
        assert_eq!(places.place_at(first.wrapping_byte_sub(1).cast()), None);
        assert_eq!(Places::<u64>::zeroed(0).place_at(first.cast()), None);
    }

    #[test]
    fn large_tables_hold_what_is_put_in() {
        let entries = LARGE / 8 + 1001;
        let mut table = filled(7_u64, entries);
        assert!(zeroed::<u64>(entries).iter().all(|&entry| entry == 0));
        make_room(&mut table, 2 * entries);
        assert!(table.capacity() >= 3 * entries);
        table.extend((0..2 * entries).map(|entry| entry as u64));
        assert!(table[..entries].iter().all(|&entry| entry == 7));
        assert!(table[entries..].iter().enumerate().all(|(at, &entry)| entry == at as u64));
    }
}
