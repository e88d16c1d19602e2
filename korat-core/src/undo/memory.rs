//! Memory that is taken piece by piece and released all at once, back to a mark. Nothing in it moves, and none of it is given
//! back to the system before the end.
//!
//! # Why it is sound
//! The chunks are `Places`: raw storage, of which no reference is made here, and which only `Memory` frees, in its own `drop`. Pieces are
//! copies of a chunk's address, each given to one taker until the memory is released to a mark before it; then the same bytes are given
//! to others. So whoever holds a piece answers for not using it after that: containers and activation records are forgotten by the
//! same step back that releases their memory. All bytes are zero when a chunk is made, and are initialised from then on, so that their
//! bits can be copied whatever lies there. The state is in cells and every method takes `&self`: whoever runs while the memory is in
//! use, such as an undo function, may use it too.

use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::ptr::{self, NonNull};

use crate::pages::Places;

/// Words in the first chunk; every further one has twice as many, up to a limit.
const FIRST: usize = 4096;
const DOUBLINGS: usize = 9;

type Word = u64;

/// Chunks of words, filled one after the other.
pub(crate) struct Memory {
    /// Where the next piece begins: never at the end of a chunk.
    at: Cell<*mut Word>,
    end: Cell<*mut Word>,
    /// The first word of the chunk.
    start: Cell<*mut Word>,
    /// What lies in the chunk from here on was taken since `settle`.
    settled: Cell<*mut Word>,
    chunk: Cell<usize>,
    chunks: RefCell<Vec<Places<Word>>>,
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
        let nowhere = || Cell::new(ptr::null_mut());
        let memory = Memory {
            at: nowhere(),
            end: nowhere(),
            start: nowhere(),
            settled: nowhere(),
            chunk: Cell::new(0),
            chunks: RefCell::default(),
        };
        memory.next_chunk(FIRST);
        memory
    }
}

impl Memory {
    #[inline(always)]
    pub(crate) fn mark(&self) -> MemoryMark {
        MemoryMark(self.at.get())
    }

    /// The mark of empty memory.
    pub(crate) fn first_mark(&self) -> MemoryMark {
        MemoryMark(self.chunks.borrow()[0].first())
    }

    /// How many words are left in the chunk.
    #[inline(always)]
    fn room(&self) -> usize {
        self.end.get().addr().wrapping_sub(self.at.get().addr()) / size_of::<Word>()
    }

    /// Room for a `layout`, until the memory is released to a mark before this call.
    #[inline(always)]
    pub(crate) fn take(&self, layout: Layout) -> NonNull<()> {
        let words = layout.size().div_ceil(size_of::<Word>());
        if layout.align() > align_of::<Word>() || words >= self.room() {
            return self.take_slowly(layout);
        }
        let place = self.at.get();
        // SAFETY: `at` is within a chunk, so that it is not null, and there are more words after it.
        unsafe {
            self.at.set(place.add(words));
            NonNull::new_unchecked(place).cast()
        }
    }

    #[cold]
    #[inline(never)]
    fn take_slowly(&self, layout: Layout) -> NonNull<()> {
        let words = layout.size().div_ceil(size_of::<Word>()) + layout.align() / size_of::<Word>() + 1;
        while self.room() < words {
            self.next_chunk(words);
        }
        let at = self.at.get();
        // SAFETY: the words counted above are in the chunk, and enough for the layout, wherever in them its first aligned address is.
        unsafe {
            let place = at.add(at.align_offset(layout.align()));
            self.at.set(place.add(layout.size().div_ceil(size_of::<Word>())));
            NonNull::new_unchecked(place).cast()
        }
    }

    fn next_chunk(&self, words: usize) {
        let next = if self.at.get().is_null() { 0 } else { self.chunk.get() + 1 };
        let mut chunks = self.chunks.borrow_mut();
        if next == chunks.len() {
            chunks.push(Places::zeroed((FIRST << next.min(DOUBLINGS)).max(words)));
        }
        drop(chunks);
        self.begin_at(next, None);
    }

    /// Takes pieces from a chunk, from an address in it on, or from its start.
    fn begin_at(&self, chunk: usize, at: Option<*mut Word>) {
        let words = &self.chunks.borrow()[chunk];
        let start = words.first();
        self.at.set(at.unwrap_or(start));
        self.start.set(start);
        self.end.set(start.wrapping_add(words.len()));
        self.chunk.set(chunk);
        self.settle();
    }

    /// What was taken so far is not new.
    #[inline(always)]
    pub(crate) fn settle(&self) {
        self.settled.set(self.at.get());
    }

    /// Whether an address is in a piece that was taken since `settle`. Of other chunks than the last that is not known, and
    /// denied.
    #[inline(always)]
    pub(crate) fn is_new(&self, address: *const ()) -> bool {
        (self.settled.get().addr()..self.at.get().addr()).contains(&address.addr())
    }

    /// Forgets what was taken since the mark.
    #[inline(always)]
    pub(crate) fn release(&self, mark: MemoryMark) {
        // Not written if it is so already: the next piece is taken from here.
        if ptr::eq(self.at.get(), mark.0) {
            return;
        }
        if mark.0 < self.start.get() || mark.0 >= self.end.get() {
            return self.release_chunks(mark);
        }
        self.at.set(mark.0);
    }

    #[cold]
    #[inline(never)]
    fn release_chunks(&self, mark: MemoryMark) {
        let chunks = self.chunks.borrow();
        let holds_mark = chunks.iter().position(|chunk| chunk.place_at(mark.0.cast()).is_some());
        if let Some(chunk) = holds_mark {
            self.begin_at(chunk, Some(mark.0));
        }
    }

    /// Forgets everything.
    #[inline]
    pub(crate) fn release_all(&self) {
        self.begin_at(0, None);
    }

    /// Where in this memory an address is, if it is there: the same address, but good until the memory there is released, whatever
    /// reference it was taken from.
    pub(crate) fn place_at(&self, address: *const ()) -> Option<*mut ()> {
        self.chunks.borrow().iter().find_map(|chunk| chunk.place_at(address))
    }

    /// Whether an address is in this memory.
    pub(crate) fn holds(&self, address: *const ()) -> bool {
        self.place_at(address).is_some()
    }
}
