//! What the slots of a field have in common: their list of values, and how a value lies in a slot. Kept once, since a heap may have millions of
//! slots.

use std::mem::needs_drop;
use std::ptr;

use super::{Head, NO_INDEX, Slot};
use crate::ids::{FieldId, HeapId};

/// What slots of a field have in common.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    /// Every value of the field's domain; the engine chooses an index into it.
    pub(super) values: *const u8,
    /// How many values the domain has.
    pub(super) len: u32,
    /// The bytes of a value that lie in the slot, and where they begin: see `Shape`.
    pub(super) shape: Shape,
    /// The field that they are in their objects.
    pub(super) field: FieldId,
    /// The heap they belong to.
    pub(super) heap: HeapId,
}

impl Shared {
    /// For slots over `values`, which must outlive them: both belong to one heap.
    pub(crate) fn new<T: 'static>(heap: HeapId, field: FieldId, values: *const [T]) -> Self {
        let len = u32::try_from(values.len()).ok().filter(|len| *len < NO_INDEX);
        let len = len.expect("a domain has less than 2^30 - 1 values");
        Shared { values: values.cast(), len, shape: const { Shape::of::<T>() }, field, heap }
    }

    /// Whether it is for slots over these values.
    pub(crate) fn is_of<T: 'static>(&self, values: *const [T]) -> bool {
        ptr::eq(self.values, values.cast())
            && self.len as usize == values.len()
            && self.shape == const { Shape::of::<T>() }
    }
}

/// How many bytes of a value lie in a slot, and where: a head's size from the start, or as far as the value's alignment if that
/// is more. Both are powers of two, and the number of doublings stands in the upper bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u32);

impl Shape {
    const SIZE_BITS: u32 = 28;
    /// A value of one word, which is aligned to no more than that; and one of two.
    pub(super) const WORD: Self = Shape(8);
    pub(super) const TWO_WORDS: Self = Shape(16);

    pub(super) const fn of<T>() -> Self {
        let (size, offset) = (if needs_drop::<T>() { 0 } else { size_of::<T>() }, std::mem::offset_of!(Slot<T>, value));
        let doublings = (offset / size_of::<Head>()).trailing_zeros();
        assert!(
            size < 1 << Self::SIZE_BITS && doublings < 16,
            "a plain value of a field is less than 2^28 bytes large"
        );
        let shape = Shape(size as u32 | doublings << Self::SIZE_BITS);
        assert!(shape.offset() == offset, "[korat internal bug] the value of a slot is not where it is looked for");
        shape
    }

    pub(super) const fn size(self) -> usize {
        (self.0 & ((1 << Self::SIZE_BITS) - 1)) as usize
    }

    pub(super) const fn offset(self) -> usize {
        size_of::<Head>() << (self.0 >> Self::SIZE_BITS)
    }
}
