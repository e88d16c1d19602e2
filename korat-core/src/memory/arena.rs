//! The storage of one heap: an arena that keeps values at fixed addresses. It drops them together, in the order in
//! which they were added.
//!
//! # Safety argument
//! The arena owns its memory through raw pointers only. A value with drop glue is kept as the pointer from
//! `Box::into_raw`; any other value lies in a chunk, which is a `RawArray`. Neither moving the arena nor adding to it
//! therefore claims exclusive access to that memory, and the shared references that `keep` returns stay valid while
//! both happen.
//!
//! Each piece of memory is handed out once. The arena does not read or write it afterwards; a kept value changes only
//! through cells of its own type.
//!
//! Only `drop` frees memory, and it drops each value once, with the function created for its type. Callers of `keep`
//! promise not to use a reference after that; heaps with objects are never freed.

use std::alloc::Layout;
use std::mem::needs_drop;
use std::ptr::NonNull;

use super::pages::RawArray;

/// An arena that owns values of any type at fixed addresses.
#[derive(Default)]
pub(crate) struct Arena {
    /// Values with drop glue, each in its own allocation.
    kept: Vec<BoxedValue>,
    /// Values without drop glue, bump-allocated.
    plain: Chunks,
}

struct BoxedValue {
    at: NonNull<()>,
    drop: unsafe fn(NonNull<()>),
}

impl Arena {
    /// Keeps `value` at a fixed address until the arena is dropped.
    ///
    /// # Safety
    /// The reference must not be used after the arena is dropped, except by the drop of a value that was kept earlier
    /// and that does not read through it.
    pub(crate) unsafe fn keep<T: 'static>(&mut self, value: T) -> &'static T {
        unsafe fn drop_at<T>(at: NonNull<()>) {
            // SAFETY: `at` comes from `Box::into_raw` for a `T`, and its entry is dropped once.
            drop(unsafe { Box::from_raw(at.cast::<T>().as_ptr()) });
        }
        let at = if const { needs_drop::<T>() } {
            let at = Box::into_raw(Box::new(value));
            self.keep_boxed(at.cast(), drop_at::<T>);
            at
        } else {
            let at = self.plain.room_for(Layout::new::<T>()).cast::<T>();
            // SAFETY: the room has the size and the alignment of a `T` and belongs to nothing else.
            unsafe { at.write(value) };
            at
        };
        // SAFETY: the value was just written and stays allocated until the arena is dropped; only shared references to
        // it exist.
        unsafe { &*at }
    }

    /// Keeps a box, to be dropped by the function for its type.
    fn keep_boxed(&mut self, at: *mut (), drop: unsafe fn(NonNull<()>)) {
        let at = NonNull::new(at).expect("[korat internal bug] a box has an address");
        self.kept.push(BoxedValue { at, drop });
    }
}

/// Access to the values without drop glue.
impl Arena {
    /// Returns the number of bytes that they occupy.
    pub(crate) fn plain_bytes(&self) -> usize {
        8 * self.plain.all_taken
    }

    /// Places the next values contiguously, `bytes` in all. Returns their address.
    pub(crate) fn reserve_contiguous(&mut self, bytes: usize) -> *const u8 {
        self.plain.begin_chunk(bytes.div_ceil(8))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for kept in self.kept.drain(..) {
            // SAFETY: each entry is dropped once, with the function created for its type.
            unsafe { (kept.drop)(kept.at) };
        }
    }
}

/// Bump-allocated memory for values without drop glue.
#[derive(Default)]
struct Chunks {
    chunks: Vec<RawArray<u64>>,
    /// Words taken from the last chunk, and from all chunks.
    taken: usize,
    all_taken: usize,
}

impl Chunks {
    /// Words in the first chunk; each further chunk is twice as large, for at most `DOUBLINGS` doublings.
    const FIRST: usize = 256;
    const DOUBLINGS: usize = 10;

    /// Starts a chunk of `words` words. Returns its address.
    fn begin_chunk(&mut self, words: usize) -> *const u8 {
        let chunk: RawArray<u64> = RawArray::new(words);
        let at = chunk.first().cast();
        self.chunks.push(chunk);
        self.taken = 0;
        at
    }

    /// Returns room for a value that nothing else gets.
    fn room_for(&mut self, value: Layout) -> *mut u8 {
        // Enough words for the value wherever the first aligned address lies.
        let words = value.size().div_ceil(8) + value.align().saturating_sub(8) / 8;
        if self.chunks.last().is_none_or(|chunk| chunk.len() - self.taken < words) {
            let len = Self::FIRST << self.chunks.len().min(Self::DOUBLINGS);
            self.begin_chunk(len.max(words));
        }
        let chunk = self.chunks.last().expect("[korat internal bug] there is a chunk");
        // The chunk has `words` words left, so the value fits at the first aligned address.
        let start = chunk.first().wrapping_add(self.taken).cast::<u8>();
        (self.taken, self.all_taken) = (self.taken + words, self.all_taken + words);
        start.wrapping_add(start.align_offset(value.align()))
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn values_stay_where_they_are_and_as_they_are() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(align(64))]
        struct Line(u64);
        let mut arena = Arena::default();
        // SAFETY: the references are not used after the arena is dropped.
        let kept: Vec<(&u8, &Line, &[u64; 3], &(), &String)> = (0..3_000u64)
            .map(|n| unsafe {
                (
                    arena.keep(n as u8),
                    arena.keep(Line(n)),
                    arena.keep([n; 3]),
                    arena.keep(()),
                    arena.keep(n.to_string()),
                )
            })
            .collect();
        for (n, (byte, line, words, _, text)) in (0..).zip(kept) {
            assert_eq!((*byte, *line, *words, text.parse()), (n as u8, Line(n), [n; 3], Ok(n)));
            assert!(std::ptr::from_ref(line).addr().is_multiple_of(64));
        }
    }

    #[test]
    fn what_is_to_lie_side_by_side_does() {
        let mut arena = Arena::default();
        let keep = |arena: &mut Arena, number: u64| {
            // SAFETY: the references are not used after the arena is dropped.
            let (pair, byte) = unsafe { (arena.keep([number; 2]), arena.keep(number as u8)) };
            assert_eq!((*pair, *byte), ([number; 2], number as u8));
            std::ptr::from_ref(pair).addr()
        };
        keep(&mut arena, 0);
        let bytes = arena.plain_bytes();
        assert_eq!(bytes, 24);
        let row = arena.reserve_contiguous(bytes * 10_000);
        for number in 0..10_000 {
            assert_eq!(keep(&mut arena, number), row.addr() + bytes * number as usize);
        }
        // Values kept afterwards go elsewhere.
        (0..1000).for_each(|number| _ = keep(&mut arena, number));
    }

    #[test]
    fn what_must_be_dropped_is_dropped_once() {
        let counted = Rc::new(());
        let mut arena = Arena::default();
        // SAFETY: the reference is not used.
        unsafe { arena.keep(counted.clone()) };
        assert_eq!(Rc::strong_count(&counted), 2);
        drop(arena);
        assert_eq!(Rc::strong_count(&counted), 1);
    }
}
