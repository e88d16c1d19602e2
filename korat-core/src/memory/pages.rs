//! Large tables, and raw storage that never moves. The cost of a heap of a million objects is mostly the first touch of
//! each page, so large tables ask the system for huge pages.
//!
//! # Safety argument
//! `RawArray` owns one allocation, through a raw pointer and never as a `Box` or a `Vec`: moving or reborrowing one of
//! those claims that no other references into it exist, and here they do.
//!
//! All addresses that it returns are copies of one pointer that sees the allocation as cells, so a write through it
//! invalidates no shared reference to a cell in the allocation. `RawArray` makes no reference to the contents after that,
//! and neither initialises nor drops them: the writer of a value is responsible for it. `drop` frees the allocation,
//! with the layout that it was made with.
//!
//! `zeroed` treats zeros as values only for types that permit it (`Zeroable`). `madvise_huge_pages` names whole pages within
//! memory that the caller owns, and the advice changes nothing that can be read there.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::{ptr, slice};

/// Bytes from which on a table asks for huge pages: two huge pages of two megabytes.
const LARGE: usize = 4 << 20;

/// Bytes in a cache line.
pub(crate) const LINE: usize = 64;

/// Creates a vector with capacity for `entries`.
pub(crate) fn with_capacity<T>(entries: usize) -> Vec<T> {
    let mut table = Vec::with_capacity(entries);
    advise_huge_pages(table.spare_capacity_mut());
    table
}

/// Reserves room for `entries` more entries.
pub(crate) fn reserve<T>(table: &mut Vec<T>, entries: usize) {
    if table.capacity() - table.len() < entries {
        table.reserve_exact(entries);
        advise_huge_pages(table.spare_capacity_mut());
    }
}

/// Creates a vector of `entries` copies of `entry`.
pub(crate) fn filled<T: Clone>(entry: T, entries: usize) -> Vec<T> {
    let mut table = with_capacity(entries);
    table.resize(entries, entry);
    table
}

/// Creates a vector of `entries` copies of `entry`; reuses `table` if it has that length.
pub(crate) fn refilled<T: Clone>(mut table: Vec<T>, entry: T, entries: usize) -> Vec<T> {
    if table.len() != entries {
        return filled(entry, entries);
    }
    table.fill(entry);
    table
}

/// Plain data for which all-zero bytes are a value.
///
/// # Safety
/// All-zero bytes must be a valid value of the type.
pub(crate) unsafe trait Zeroable: Copy {}

// SAFETY: zero is a `u32`.
unsafe impl Zeroable for u32 {}
// SAFETY: zero is a `u64`.
unsafe impl Zeroable for u64 {}

/// Creates a vector of `entries` zeros. Memory from the system is zero already, so this writes nothing and touches no page.
pub(crate) fn zeroed<T: Zeroable>(entries: usize) -> Vec<T> {
    let mut table = Box::new_zeroed_slice(entries);
    advise_huge_pages(&mut table);
    // SAFETY: all bytes are zero, which `Zeroable` says is a value of the type.
    unsafe { table.assume_init() }.into_vec()
}

/// Creates a vector of `entries` zeros; reuses `table` if it has that length.
pub(crate) fn rezeroed<T: Zeroable + Default>(table: Vec<T>, entries: usize) -> Vec<T> {
    if table.len() == entries { refilled(table, T::default(), entries) } else { zeroed(entries) }
}

/// A contiguous array of uninitialised places that never moves.
pub(crate) struct RawArray<T> {
    first: NonNull<T>,
    len: usize,
    layout: Layout,
}

impl<T> RawArray<T> {
    /// Allocates `len` places. The first one starts a cache line, so that a place of one or two lines spans no more than that.
    pub(crate) fn new(len: usize) -> Self {
        Self::allocate(len, Self::layout(len, LINE), alloc)
    }

    /// Allocates `len` places whose bytes are all zero. They have only the alignment of a `T`: for a larger alignment
    /// the allocator would write the zeros itself and touch every page.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self::allocate(len, Self::layout(len, 1), alloc_zeroed)
    }

    fn allocate(len: usize, layout: Layout, allocate: unsafe fn(Layout) -> *mut u8) -> Self {
        RawArray { first: allocate_cells(layout, allocate).cast(), len, layout }
    }

    fn layout(len: usize, align: usize) -> Layout {
        array_layout(Layout::new::<T>(), len, align)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the address of the first place.
    #[inline(always)]
    pub(crate) fn first(&self) -> *mut T {
        self.first.as_ptr()
    }

    /// Returns the address of a place; panics if there is none with that number.
    #[inline]
    pub(crate) fn at(&self, number: usize) -> *mut T {
        assert!(number < self.len, "[korat internal bug] a place beyond the end");
        // SAFETY: the allocation has `len` places, and `number` is less.
        unsafe { self.first().add(number) }
    }

    /// Returns the address of all places.
    pub(crate) fn all(&self) -> *const [T] {
        ptr::slice_from_raw_parts(self.first(), self.len)
    }

    /// Returns `address` with the provenance of these places, or `None` if it lies elsewhere. The result is valid for
    /// as long as the places are, whatever reference `address` came from.
    pub(crate) fn place_at(&self, address: *const ()) -> Option<*mut ()> {
        let start = self.first().addr();
        let is_within = (start..start + self.layout.size()).contains(&address.addr());
        is_within.then(|| self.first().cast::<()>().with_addr(address.addr()))
    }
}

impl<T> Drop for RawArray<T> {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: `allocate` made the allocation with this layout, and `drop` runs once.
            unsafe { dealloc(self.first().cast(), self.layout) };
        }
    }
}

/// Returns the layout of `len` places, each laid out as `place`.
fn array_layout(place: Layout, len: usize, align: usize) -> Layout {
    let size = place.pad_to_align().size().checked_mul(len);
    let layout = size.and_then(|size| Layout::from_size_align(size, place.align().max(align)).ok());
    layout.expect("a heap is larger than memory")
}

/// Allocates memory that is seen as cells; dangling if it has no bytes.
fn allocate_cells(layout: Layout, allocate: unsafe fn(Layout) -> *mut u8) -> NonNull<()> {
    if layout.size() == 0 {
        return NonNull::new(ptr::without_provenance_mut(layout.align())).expect("an alignment is not zero");
    }
    // SAFETY: the layout has a nonzero size.
    let memory = unsafe { allocate(layout) };
    let Some(first) = NonNull::new(memory) else { handle_alloc_error(layout) };
    // SAFETY: the allocation has that many bytes, which need no value as `MaybeUninit`, and nothing else has its
    // address yet.
    advise_huge_pages(unsafe { slice::from_raw_parts_mut(memory.cast::<MaybeUninit<u8>>(), layout.size()) });
    // SAFETY: the allocation has that many bytes, which need no value as `MaybeUninit`, and cells permit writes by others.
    let cells: &[UnsafeCell<MaybeUninit<u8>>] = unsafe { slice::from_raw_parts(first.as_ptr().cast(), layout.size()) };
    NonNull::from(cells).cast()
}

/// Asks for huge pages for memory that was not written yet, if it is large.
pub(crate) fn advise_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    if size_of_val(memory) >= LARGE {
        madvise_huge_pages(memory.as_mut_ptr().cast(), size_of_val(memory));
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn madvise_huge_pages(start: *mut (), bytes: usize) {
    const PAGE: usize = 4096;
    let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
    let len = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: the pages lie within the memory. The advice changes how they are backed, and nothing that can be read
    // there; if the system has no huge pages to give, it returns an error, which is harmless.
    unsafe { libc::madvise(start.wrapping_byte_add(skipped).cast(), len, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn madvise_huge_pages(_: *mut (), _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_begin_with_a_line() {
        #[repr(align(256))]
        struct Large(#[allow(dead_code)] u8);
        for len in [0, 1, 7, 100_000] {
            let places = RawArray::<[u8; 24]>::new(len);
            assert_eq!((places.first().addr().is_multiple_of(LINE) || len == 0, places.all().len()), (true, len));
            for at in 0..len {
                // SAFETY: the place exists.
                unsafe { places.at(at).write([at as u8; 24]) };
            }
            assert_eq!(RawArray::<()>::new(len).len(), len);
        }
        assert_eq!(RawArray::<Large>::new(3).at(2).addr() % 256, 0);
    }

    #[test]
    fn places_know_their_addresses_and_give_zeros() {
        let places = RawArray::<u64>::zeroed(1000);
        // SAFETY: all-zero bytes are a `u64`.
        assert!((0..1000).all(|at| unsafe { places.at(at).read() } == 0));
        let (first, last) = (places.first().cast_const(), places.at(999).cast_const());
        assert_eq!(places.place_at(first.cast()), Some(first.cast_mut().cast()));
        assert_eq!(places.place_at(last.cast()), Some(last.cast_mut().cast()));
        assert_eq!(places.place_at(last.wrapping_add(1).cast()), None);
        assert_eq!(places.place_at(first.wrapping_byte_sub(1).cast()), None);
        assert_eq!(RawArray::<u64>::zeroed(0).place_at(first.cast()), None);
    }

    #[test]
    fn large_tables_hold_what_is_put_in() {
        let entries = LARGE / 8 + 1001;
        let mut table = filled(7_u64, entries);
        assert!(zeroed::<u64>(entries).iter().all(|&entry| entry == 0));
        reserve(&mut table, 2 * entries);
        assert!(table.capacity() >= 3 * entries);
        table.extend((0..2 * entries).map(|entry| entry as u64));
        assert!(table[..entries].iter().all(|&entry| entry == 7));
        assert!(table[entries..].iter().enumerate().all(|(at, &entry)| entry == at as u64));
    }
}
