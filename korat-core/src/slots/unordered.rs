//! Vectors whose elements have no order, and the places of slots in them.

use std::ops::Range;
use std::rc::Rc;

use super::slot_handle::SlotHandle;
use crate::memory::prefetch::PrefetchRow;
use crate::model::ids::{FieldId, ObjectId, SlotId};

/// A vector whose elements have no order of their own: an arena or a set.
pub(crate) struct UnorderedVector {
    /// The field of the length.
    pub(crate) len_field: FieldId,
    /// The object that has the vector.
    pub(crate) object: ObjectId,
    /// The slot of the length.
    pub(crate) len_slot: SlotId,
    /// The handle of the length's slot.
    pub(crate) len: SlotHandle,
    /// The length that each index of that slot stands for.
    pub(crate) lens: Rc<[u32]>,
    /// The slots of each element.
    pub(crate) elements: Vec<Range<u32>>,
    /// For each vector beside this one, the slots that belong to each element. These vectors share the length slot.
    pub(crate) parallel: Vec<Vec<Range<u32>>>,
    /// The elements as a predicate sees them, for prefetching.
    pub(crate) row: PrefetchRow,
    pub(crate) role: Role,
}

/// The length of vectors whose elements own objects.
pub(crate) struct ObjectCount {
    /// The field of the length.
    pub(crate) len_field: FieldId,
    /// The length slot of the first object that has the field. The vectors of other objects are alike.
    pub(crate) first: SlotId,
    /// The fields of the references with which one element of each vector owns objects; every element has
    /// all of them, and none is ever null. Vectors beside each other share a length.
    pub(crate) owners: Vec<FieldId>,
    /// Whether each element of one of the vectors is an object and nothing else.
    pub(crate) is_of_objects: bool,
    /// The length that each index of the slot stands for.
    pub(crate) lens: &'static [usize],
}

/// Why a vector has no order of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role {
    /// It is an arena: indices name its elements.
    pub(crate) arena: bool,
    /// It is a set.
    pub(crate) set: bool,
}

impl UnorderedVector {
    /// Returns the slots of each element, per vector, that of the sequence itself first.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &Vec<Range<u32>>> {
        std::iter::once(&self.elements).chain(&self.parallel)
    }

    /// Returns the element that a slot belongs to.
    pub(crate) fn position_of(&self, slot: SlotId) -> Option<usize> {
        self.columns().find_map(|elements| {
            let at = elements.partition_point(|slots| slots.end <= slot.0);
            elements.get(at).filter(|slots| slots.contains(&slot.0)).map(|_| at)
        })
    }

    /// Returns whether the search itself keeps the members in one order: a set of single slots that nothing else depends on.
    pub(crate) fn is_plain_set(&self) -> bool {
        self.role.set
            && !self.role.arena
            && self.parallel.is_empty()
            && self.elements.iter().all(|slots| slots.len() == 1)
    }
}

/// What a slot is to the vectors without an order, which are numbered by their position in `Layout::unordered_vectors`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlotMembership {
    /// The arena and the element that the slot is a part of.
    pub(crate) element: Option<(u32, u32)>,
    /// The set that the slot is a member of.
    pub(crate) member: Option<u32>,
    /// The arena that the slot is an index into.
    pub(crate) index_of: Option<u32>,
}
