//! Bump allocation: memory is taken piece by piece and released back to a mark. No piece moves, and no memory returns
//! to the system before the end.
//!
//! # Safety argument
//! The chunks are `RawArray`: raw storage to which this module makes no reference, and which only the `drop` of `Memory`
//! frees. A piece is a copy of a chunk's address. It belongs to its taker until the memory is released to an earlier
//! mark; then the same bytes go to other takers.
//!
//! The holder of a piece is responsible for not using it after that: the backtracking step that releases memory also
//! discards the containers and activation records in it.
//!
//! A chunk is zeroed when it is allocated, so all of its bytes are initialised from then on and can be copied as bits,
//! whatever lies there.
//!
//! The state is in cells and every method takes `&self`, so code that runs while the memory is in use, such as an undo
//! function, may use it too.

use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::ptr;
use std::ptr::NonNull;

use super::pages::RawArray;

/// Words in the first chunk; each further chunk is twice as large, for at most `DOUBLINGS` doublings.
const FIRST: usize = 4096;
const DOUBLINGS: usize = 9;

type Word = u64;

/// Chunks of words, filled one after the other.
pub(crate) struct Memory {
    /// The start of the next piece; never the end of a chunk.
    at: Cell<*mut Word>,
    end: Cell<*mut Word>,
    /// The first word of the current chunk.
    start: Cell<*mut Word>,
    /// Everything in the current chunk from here on was taken since `mark_old`.
    new_since: Cell<*mut Word>,
    chunk: Cell<usize>,
    chunks: RefCell<Vec<RawArray<Word>>>,
}

/// A fill level of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryMark(*mut Word);

impl MemoryMark {
    /// Returns whether `address`, which lies in the same chunk, was taken before the mark.
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
            new_since: nowhere(),
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

    /// Returns the mark of empty memory.
    pub(crate) fn first_mark(&self) -> MemoryMark {
        MemoryMark(self.chunks.borrow()[0].first())
    }

    /// Returns the number of words left in the chunk.
    #[inline(always)]
    fn room(&self) -> usize {
        self.end.get().addr().wrapping_sub(self.at.get().addr()) / size_of::<Word>()
    }

    /// Takes memory for `layout`. It is valid until the memory is released to a mark from before this call.
    #[inline(always)]
    pub(crate) fn take(&self, layout: Layout) -> NonNull<()> {
        let words = layout.size().div_ceil(size_of::<Word>());
        if layout.align() > align_of::<Word>() || words >= self.room() {
            return self.allocate_slow(layout);
        }
        let place = self.at.get();
        // SAFETY: `at` lies within a chunk, so it is not null, and more than `words` words follow it.
        unsafe {
            self.at.set(place.add(words));
            NonNull::new_unchecked(place).cast()
        }
    }

    #[cold]
    #[inline(never)]
    fn allocate_slow(&self, layout: Layout) -> NonNull<()> {
        let words = layout.size().div_ceil(size_of::<Word>()) + layout.align() / size_of::<Word>() + 1;
        while self.room() < words {
            self.next_chunk(words);
        }
        let at = self.at.get();
        // SAFETY: the chunk has the words counted above, which are enough for the layout wherever its first aligned
        // address lies.
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
            chunks.push(RawArray::zeroed((FIRST << next.min(DOUBLINGS)).max(words)));
        }
        drop(chunks);
        self.begin_at(next, None);
    }

    /// Makes `chunk` the current one, with the next piece at `at`, or at the chunk's start.
    fn begin_at(&self, chunk: usize, at: Option<*mut Word>) {
        let words = &self.chunks.borrow()[chunk];
        let start = words.first();
        self.at.set(at.unwrap_or(start));
        self.start.set(start);
        self.end.set(start.wrapping_add(words.len()));
        self.chunk.set(chunk);
        self.mark_old();
    }

    /// Marks everything taken so far as no longer new.
    #[inline(always)]
    pub(crate) fn mark_old(&self) {
        self.new_since.set(self.at.get());
    }

    /// Returns whether `address` lies in a piece that was taken since `mark_old`. May return false for a new piece in an
    /// earlier chunk.
    #[inline(always)]
    pub(crate) fn is_new(&self, address: *const ()) -> bool {
        (self.new_since.get().addr()..self.at.get().addr()).contains(&address.addr())
    }

    /// Releases everything taken since the mark.
    #[inline(always)]
    pub(crate) fn release(&self, mark: MemoryMark) {
        // Skips a redundant store: the next piece is taken from here.
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

    /// Releases everything.
    #[inline]
    pub(crate) fn release_all(&self) {
        self.begin_at(0, None);
    }

    /// Returns `address` with the provenance of this memory, or `None` if it lies elsewhere. The result is valid until
    /// the memory there is released, whatever reference `address` came from.
    pub(crate) fn place_at(&self, address: *const ()) -> Option<*mut ()> {
        self.chunks.borrow().iter().find_map(|chunk| chunk.place_at(address))
    }

    /// Returns whether `address` lies in this memory.
    pub(crate) fn holds(&self, address: *const ()) -> bool {
        self.place_at(address).is_some()
    }
}
