//! Memory that is taken piece by piece and released all at once, back to a mark. Nothing in it moves, and none of it is given
//! back to the system before the end.

use std::alloc::Layout;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use crate::pages;

/// Words in the first chunk; every further one has twice as many, up to a limit.
const FIRST: usize = 4096;
const DOUBLINGS: usize = 9;

type Word = MaybeUninit<u64>;

/// Chunks of words, filled one after the other. They are zeroed when they are made, so that every byte always has a value.
pub(crate) struct Memory {
    /// Where the next piece begins: never at the end of a chunk.
    at: *mut Word,
    end: *mut Word,
    /// The first word of the chunk.
    start: *mut Word,
    /// What lies in the chunk from here on was taken since `settle`.
    settled: *mut Word,
    chunk: usize,
    chunks: Vec<Box<[Word]>>,
}

/// How far the memory is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryMark(*mut Word);

impl MemoryMark {
    /// Whether an address of the same chunk was taken before the mark.
    #[inline(always)]
    pub(crate) fn is_after(self, address: *const ()) -> bool {
        address.addr() < self.0.addr()
    }
}

impl Default for Memory {
    fn default() -> Self {
        let nowhere = ptr::null_mut();
        let mut memory =
            Memory { at: nowhere, end: nowhere, start: nowhere, settled: nowhere, chunk: 0, chunks: Vec::new() };
        memory.next_chunk(FIRST);
        memory
    }
}

impl Memory {
    #[inline(always)]
    pub(crate) fn mark(&self) -> MemoryMark {
        MemoryMark(self.at)
    }

    /// The mark of empty memory.
    pub(crate) fn first_mark(&self) -> MemoryMark {
        MemoryMark(self.chunks[0].as_ptr().cast_mut())
    }

    /// Room for a `layout`, until the memory is released to a mark before this call.
    #[inline(always)]
    pub(crate) fn take(&mut self, layout: Layout) -> NonNull<()> {
        let words = layout.size().div_ceil(size_of::<Word>());
        let room = self.end.addr().wrapping_sub(self.at.addr()) / size_of::<Word>();
        if layout.align() > align_of::<Word>() || words >= room {
            return self.take_slowly(layout);
        }
        // SAFETY: `at` is within a chunk, and there is room for the words after it; it is not null.
        unsafe {
            let place = NonNull::new_unchecked(self.at);
            self.at = self.at.add(words);
            place.cast()
        }
    }

    #[cold]
    #[inline(never)]
    fn take_slowly(&mut self, layout: Layout) -> NonNull<()> {
        let words = layout.size().div_ceil(size_of::<Word>()) + layout.align() / size_of::<Word>() + 1;
        while self.end.addr().wrapping_sub(self.at.addr()) / size_of::<Word>() < words {
            self.next_chunk(words);
        }
        // SAFETY: the words counted above are enough for the layout, wherever in them its first aligned address is.
        unsafe {
            let place = self.at.add(self.at.align_offset(layout.align()));
            self.at = place.add(layout.size().div_ceil(size_of::<Word>()));
            NonNull::new_unchecked(place).cast()
        }
    }

    fn next_chunk(&mut self, words: usize) {
        let next = if self.at.is_null() { 0 } else { self.chunk + 1 };
        if next == self.chunks.len() {
            let len = (FIRST << next.min(DOUBLINGS)).max(words);
            let mut chunk = Box::new_zeroed_slice(len);
            pages::ask(&mut chunk);
            // SAFETY: words need no value.
            self.chunks.push(unsafe { chunk.assume_init() });
        }
        self.begin_at(next, None);
    }

    /// Takes pieces from a chunk, from an address in it on, or from its start.
    fn begin_at(&mut self, chunk: usize, at: Option<*mut Word>) {
        let words = self.chunks[chunk].as_mut_ptr_range();
        (self.at, self.start, self.end, self.chunk) = (at.unwrap_or(words.start), words.start, words.end, chunk);
        self.settle();
    }

    /// What was taken so far is not new.
    #[inline(always)]
    pub(crate) fn settle(&mut self) {
        self.settled = self.at;
    }

    /// Whether an address is in a piece that was taken since `settle`. Of other chunks than the last that is not known, and
    /// denied.
    #[inline(always)]
    pub(crate) fn is_new(&self, address: *const ()) -> bool {
        (self.settled.addr()..self.at.addr()).contains(&address.addr())
    }

    /// Forgets what was taken since the mark.
    #[inline(always)]
    pub(crate) fn release(&mut self, mark: MemoryMark) {
        // Not written if it is so already: the next piece is taken from here.
        if ptr::eq(self.at, mark.0) {
            return;
        }
        if mark.0 < self.start || mark.0 >= self.end {
            return self.release_chunks(mark);
        }
        self.at = mark.0;
    }

    #[cold]
    #[inline(never)]
    fn release_chunks(&mut self, mark: MemoryMark) {
        let holds_mark = self.chunks.iter().position(|chunk| chunk.as_ptr_range().contains(&mark.0.cast_const()));
        if let Some(chunk) = holds_mark {
            self.begin_at(chunk, Some(mark.0));
        }
    }

    /// Forgets everything.
    #[inline]
    pub(crate) fn release_all(&mut self) {
        self.begin_at(0, None);
    }

    /// Whether an address is in this memory.
    pub(crate) fn holds(&self, address: *const ()) -> bool {
        self.chunks.iter().any(|chunk| chunk.as_ptr_range().contains(&address.cast()))
    }
}
