//! Large tables. What a heap of a million objects costs is mostly the first touch of its memory, page by page; the system is asked
//! for large pages where it gives them to those who ask, and nothing else changes.

use std::mem::MaybeUninit;

/// Tables smaller than this are as they are: a large page has two megabytes.
const LARGE: usize = 4 << 20;

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

/// Plain data that may be all zeros.
///
/// # Safety
/// Zeros must be a value of the type.
pub(crate) unsafe trait Zeroable: Copy {}

// SAFETY: zeros are a number.
unsafe impl Zeroable for u32 {}
// SAFETY: as above.
unsafe impl Zeroable for u64 {}

/// A vector of so many zeros. What the system gives is zero already, so that nothing is written, nor a page touched.
pub(crate) fn zeroed<T: Zeroable>(entries: usize) -> Vec<T> {
    let mut table = Box::new_zeroed_slice(entries);
    ask(&mut table);
    // SAFETY: zeros are a value of the type.
    unsafe { table.assume_init() }.into_vec()
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
