//! Storage of one heap that never moves: values are kept at a fixed address and dropped together, in the order they came.

use std::mem::{MaybeUninit, needs_drop};
use std::ptr::NonNull;

use crate::pages;

/// Owns values of any types at fixed addresses.
#[derive(Default)]
pub(crate) struct Arena {
    /// Values that must be dropped, each in a box of its own.
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
            // SAFETY: `at` came from `Box::leak` of a `Box<T>` and is dropped once.
            drop(unsafe { Box::from_raw(at.cast::<T>().as_ptr()) });
        }
        let at = if needs_drop::<T>() {
            let at = NonNull::from(Box::leak(Box::new(value)));
            self.kept.push(Kept { at: at.cast(), drop: drop_at::<T> });
            at
        } else {
            let at = self.plain.room_for::<T>();
            // SAFETY: the room is as large as a `T`, aligned like one, and given to nobody else.
            unsafe { at.write(value) };
            at
        };
        // SAFETY: the memory stays allocated until the arena is dropped; only shared references to it are made.
        unsafe { at.as_ref() }
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
    chunks: Vec<Box<[MaybeUninit<u64>]>>,
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
        let mut chunk = Box::new_uninit_slice(words);
        pages::ask(&mut chunk);
        let at = chunk.as_ptr().cast();
        self.chunks.push(chunk);
        self.taken = 0;
        at
    }

    fn room_for<T>(&mut self) -> NonNull<T> {
        // Room for a value wherever the first aligned word is.
        let words = size_of::<T>().div_ceil(8) + align_of::<T>().saturating_sub(8) / 8;
        if self.chunks.last().is_none_or(|chunk| chunk.len() - self.taken < words) {
            let len = Self::FIRST << self.chunks.len().min(Self::DOUBLINGS);
            self.begin_chunk(len.max(words));
        }
        let chunk = self.chunks.last_mut().expect("[korat internal bug] there is a chunk");
        let room = &mut chunk[self.taken..];
        (self.taken, self.all_taken) = (self.taken + words, self.all_taken + words);
        let start = room.as_mut_ptr().cast::<u8>();
        // SAFETY: the room has the words counted above, so that a `T` fits in from its first aligned address on.
        unsafe { NonNull::new_unchecked(start.add(start.align_offset(align_of::<T>()))).cast() }
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
