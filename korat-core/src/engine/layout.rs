//! The shape of the bounded heap: classes, objects, fields, slots. Built once by the heap, never changed afterwards.

use crate::ids::{AllocId, ClassId, FieldId, ObjectId, SlotId};

/// All tables of one bounded heap.
#[derive(Default)]
pub(crate) struct Layout {
    pub(crate) classes: Vec<ClassInfo>,
    pub(crate) fields: Vec<FieldInfo>,
    pub(crate) objects: Vec<ObjectInfo>,
    pub(crate) slots: Vec<SlotInfo>,
    /// Whether objects have slots that their value may do without: elements beyond the length of a vector.
    pub(crate) has_vectors: bool,
    /// Whether some reference does not own what it points to, so that an object can be reached and still not be held.
    pub(crate) has_weak: bool,
    /// Whether some reference shares its object with others.
    pub(crate) has_shared: bool,
    /// Whether some owning reference can be set later, so that values may hold cycles that nothing frees.
    pub(crate) may_cycle: bool,
}

pub(crate) struct ClassInfo {
    pub(crate) name: &'static str,
    /// The class's objects are `first_object..first_object + count`.
    pub(crate) first_object: ObjectId,
    pub(crate) count: u32,
}

pub(crate) struct FieldInfo {
    pub(crate) class: ClassId,
    /// As the user wrote it, with `[i]` for an element and `.len()` for a length.
    pub(crate) name: String,
    pub(crate) kind: SlotKind,
    /// Prints the value at an index; for messages only.
    pub(crate) show: Box<dyn Fn(u32) -> String>,
}

/// What the slots of a field range over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// `0..len` of the field's list of values.
    Value { len: u32 },
    /// Nulls, then the objects of `target` in order.
    Reference(Reference),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) target: ClassId,
    /// How many of the first indices stand for no object: `None`, a dangling `Weak`.
    pub(crate) nulls: u32,
    pub(crate) edge: Edge,
    /// Whether the reference, or what it points to, can be changed after it was made (interior mutability): such a
    /// reference may close a cycle.
    pub(crate) settable: bool,
    pub(crate) alloc: AllocId,
}

/// What a reference does with the object it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// `Box`: the only owner.
    Owned,
    /// `Rc`: one of several owners.
    Shared,
    /// `Weak`: does not keep its object alive.
    Weak,
}

impl Reference {
    /// The object that an index stands for, or `None` for null.
    #[inline]
    pub(crate) fn object(self, index: u32) -> Option<u32> {
        index.checked_sub(self.nulls)
    }
}

pub(crate) struct ObjectInfo {
    pub(crate) class: ClassId,
    /// The object's slots are `first_slot..first_slot + slots`.
    pub(crate) first_slot: SlotId,
    pub(crate) slots: u32,
}

#[derive(Clone, Copy)]
pub(crate) struct SlotInfo {
    pub(crate) object: ObjectId,
    pub(crate) field: FieldId,
}

impl Layout {
    #[inline]
    pub(crate) fn kind(&self, slot: SlotId) -> SlotKind {
        self.fields[self.slots[slot.index()].field.index()].kind
    }

    pub(crate) fn object_of(&self, reference: Reference, ordinal: u32) -> ObjectId {
        ObjectId(self.classes[reference.target.index()].first_object.0 + ordinal)
    }

    pub(crate) fn slots_of(&self, object: ObjectId) -> impl Iterator<Item = SlotId> + use<> {
        let info = &self.objects[object.index()];
        (info.first_slot.0..info.first_slot.0 + info.slots).map(SlotId)
    }
}
