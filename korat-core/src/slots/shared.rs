//! What the slots of a field share: the list of values, and how a value lies in a slot. It is stored once per field,
//! since a heap may have millions of slots.

use std::mem::needs_drop;
use std::ptr;

use super::slot::{NO_INDEX, Slot, SlotHeader};
use crate::model::ids::{FieldId, HeapId};

/// What the slots of a field share.
#[derive(Clone, Copy)]
pub(crate) struct SharedSlotData {
    /// The values of the field's domain; the engine chooses an index into them.
    pub(super) values: *const u8,
    /// The number of values in the domain.
    pub(super) len: u32,
    /// The size and the offset of a value in the slot.
    pub(super) shape: Shape,
    /// The field.
    pub(super) field: FieldId,
    /// The heap that the slots belong to.
    pub(super) heap: HeapId,
}

impl SharedSlotData {
    /// Creates the shared part of slots over `values`, which must outlive the slots: both belong to one heap.
    pub(crate) fn new<T: 'static>(heap: HeapId, field: FieldId, values: *const [T]) -> Self {
        let len = u32::try_from(values.len()).ok().filter(|len| *len < NO_INDEX);
        let len = len.expect("a domain has less than 2^30 - 1 values");
        SharedSlotData { values: values.cast(), len, shape: const { Shape::of::<T>() }, field, heap }
    }

    /// Returns whether this is for slots over `values`.
    pub(crate) fn is_of<T: 'static>(&self, values: *const [T]) -> bool {
        ptr::eq(self.values, values.cast())
            && self.len as usize == values.len()
            && self.shape == const { Shape::of::<T>() }
    }
}

/// The size of the value in a slot, and its offset. The value follows the head directly, or lies at the value's
/// alignment if that is larger than the head. Both are powers of two, so the upper four bits hold only the number of
/// doublings of the head's size. The size is zero if the value has drop glue, since then the slot holds no copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u32);

impl Shape {
    const SIZE_BITS: u32 = 28;
    /// The shape of a value of one word that needs no more than word alignment; and that of two words.
    pub(super) const WORD: Self = Shape(8);
    pub(super) const TWO_WORDS: Self = Shape(16);

    pub(super) const fn of<T>() -> Self {
        let (size, offset) = (if needs_drop::<T>() { 0 } else { size_of::<T>() }, std::mem::offset_of!(Slot<T>, value));
        let doublings = (offset / size_of::<SlotHeader>()).trailing_zeros();
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
        size_of::<SlotHeader>() << (self.0 >> Self::SIZE_BITS)
    }
}
