//! Storage of one heap that never moves: values are kept at a fixed address and dropped together, in the order they came.
//!
//! # Why it is sound
//! The arena owns its memory by raw pointers only: a value with drop glue as what `Box::into_raw` gave, others as pieces of chunks that
//! are `Places`. So neither moving the arena nor adding to it claims that memory for itself, and the shared references that `keep` gives
//! stay good while both happen. A piece is given once and never again, and nothing here looks at it or writes to it afterwards; what
//! changes in it changes in cells of its own type. Memory is freed by `drop` alone, each value once, with the function made for its
//! type; that nobody uses a reference later is what callers of `keep` promise, and heaps with objects are never freed.

use std::mem::needs_drop;
use std::ptr::NonNull;

use crate::pages::Places;

/// Owns values of any types at fixed addresses.
#[derive(Default)]
pub(crate) struct Arena {
    /// Values that must be dropped, each in an allocation of its own.
    kept: Vec<Kept>,
    /// Others, one after the other.
    plain: Plain,
}

struct Kept {
    at: NonNull<()>,
    drop: unsafe fn(NonNull<()>),
}

impl Arena {
    /// Keeps `value` at a fixed address until the arena is dropped.
    ///
    /// # Safety
    /// The reference must not be used after the arena is dropped, except by the drop of a value that was kept earlier
    /// and does not look into it.
    pub(crate) unsafe fn keep<T: 'static>(&mut self, value: T) -> &'static T {
        unsafe fn drop_at<T>(at: NonNull<()>) {
            // SAFETY: `at` is what `Box::into_raw` gave for a `T`, and its entry is dropped once.
            drop(unsafe { Box::from_raw(at.cast::<T>().as_ptr()) });
        }
        let at = if needs_drop::<T>() {
            let at = Box::into_raw(Box::new(value));
            let entry = NonNull::new(at).expect("[korat internal bug] a box has an address").cast();
            self.kept.push(Kept { at: entry, drop: drop_at::<T> });
            at
        } else {
            let at = self.plain.room_for::<T>();
            // SAFETY: the room is as large as a `T`, aligned like one, and given to nobody else.
            unsafe { at.write(value) };
            at
        };
        // SAFETY: the value is there, and stays allocated until the arena is dropped; only shared references to it are made.
        unsafe { &*at }
    }
}

/// Values that need no dropping.
impl Arena {
    /// How many bytes they take.
    pub(crate) fn plain_bytes(&self) -> usize {
        8 * self.plain.all_taken
    }

    /// The next ones, of so many bytes in all, lie side by side. Gives where.
    pub(crate) fn lay_side_by_side(&mut self, bytes: usize) -> *const u8 {
        self.plain.begin_chunk(bytes.div_ceil(8))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for kept in self.kept.drain(..) {
            // SAFETY: each entry is dropped once, with the function made for its type.
            unsafe { (kept.drop)(kept.at) };
        }
    }
}

/// Memory for values that need no dropping.
#[derive(Default)]
struct Plain {
    chunks: Vec<Places<u64>>,
    /// How many words of the last chunk are taken; and of all.
    taken: usize,
    all_taken: usize,
}

impl Plain {
    /// Words in the first chunk; each further one has twice as many, up to a limit.
    const FIRST: usize = 256;
    const DOUBLINGS: usize = 10;

    /// Begins a chunk of so many words; gives where it lies.
    fn begin_chunk(&mut self, words: usize) -> *const u8 {
        let chunk: Places<u64> = Places::new(words);
        let at = chunk.first().cast();
        self.chunks.push(chunk);
        self.taken = 0;
        at
    }

    /// Room for a value, which nothing else gets.
    fn room_for<T>(&mut self) -> *mut T {
        // Room for a value wherever the first aligned word is.
        let words = size_of::<T>().div_ceil(8) + align_of::<T>().saturating_sub(8) / 8;
        if self.chunks.last().is_none_or(|chunk| chunk.len() - self.taken < words) {
            let len = Self::FIRST << self.chunks.len().min(Self::DOUBLINGS);
            self.begin_chunk(len.max(words));
        }
        let chunk = self.chunks.last().expect("[korat internal bug] there is a chunk");
        // The words counted above are there, so that a `T` fits in from its first aligned address on.
        let start = chunk.first().wrapping_add(self.taken).cast::<u8>();
        (self.taken, self.all_taken) = (self.taken + words, self.all_taken + words);
        start.wrapping_add(start.align_offset(align_of::<T>())).cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

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
        let row = arena.lay_side_by_side(bytes * 10_000);
        for number in 0..10_000 {
            assert_eq!(keep(&mut arena, number), row.addr() + bytes * number as usize);
        }
        // And others after them.
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
