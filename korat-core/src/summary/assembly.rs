//! A completion, ready to be put on objects again and again: what depends on the classes of its objects alone is looked up before.

use super::completion::Completion;
use super::shape::{Held, Holds, Shape};
use crate::model::ids::{ClassId, ObjectId, SlotId};

/// An object of a value that is being built.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    id: u32,
    first_slot: u32,
}

impl Placed {
    pub(super) fn at(shape: &Shape, object: ObjectId) -> Self {
        Placed { id: object.0, first_slot: shape.objects[object.index()].first_slot }
    }

    /// Returns the slot at an offset.
    #[inline]
    pub(super) fn slot(self, offset: u32) -> SlotId {
        SlotId(self.first_slot + offset)
    }

    /// Returns the number of the object in its class.
    #[inline]
    pub(super) fn ordinal(self, shape: &Shape, class: ClassId) -> u32 {
        self.id - shape.classes[class.index()].first_object
    }

    pub(super) fn class(self, shape: &Shape) -> ClassId {
        shape.objects[self.id as usize].class
    }
}

/// No object.
pub(super) const NONE: u32 = u32::MAX;

/// What a slot holds, wherever it is put: an index, or that of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Assigned {
    /// The object of the slot, among those of the assembly.
    pub(super) object: u32,
    pub(super) offset: u32,
    /// The index; for an object, what is added to its id.
    pub(super) index: u32,
    /// The object that the slot refers to, or `NONE`.
    pub(super) target: u32,
}

impl Assigned {
    /// Returns the slot, with its index.
    #[inline]
    pub(super) fn put(&self, objects: &[Placed]) -> (SlotId, u32) {
        (objects[self.object as usize].slot(self.offset), self.resolved(objects))
    }

    /// Returns the index of the slot.
    #[inline]
    pub(super) fn resolved(&self, objects: &[Placed]) -> u32 {
        let of_target = if self.target == NONE { 0 } else { objects[self.target as usize].id };
        self.index.wrapping_add(of_target)
    }
}

/// A completion, for objects of known classes.
pub(super) struct Assembly {
    pub(super) completion: Completion,
    assigned: Vec<Assigned>,
}

impl Assembly {
    /// Returns that of a completion on objects of these classes, and on its own.
    pub(super) fn of(shape: &Shape, completion: Completion, classes: &[ClassId]) -> Self {
        let class_of = |object: u32| {
            let own = (object as usize).checked_sub(classes.len());
            own.map_or_else(|| classes[object as usize], |own| completion.production.fresh[own])
        };
        let assigned = completion.production.slots.iter().map(|&(object, offset, held)| {
            let (index, target) = match held {
                Held::Index(index) => (index, NONE),
                Held::Object(target) => {
                    let first = shape.object(class_of(object), 0);
                    match shape.slots[shape.slot(first, offset).index()].holds {
                        Holds::Link { nulls, class } => {
                            (nulls.wrapping_sub(shape.classes[class.index()].first_object), target)
                        }
                        Holds::Values { .. } => unreachable!("[korat internal bug] a plain slot holds an object"),
                    }
                }
            };
            Assigned { object, offset, index, target }
        });
        Assembly { assigned: assigned.collect(), completion }
    }

    /// Returns the slots that are decided, with their indices; `objects` are those that it is put on, then its own.
    #[inline]
    pub(super) fn slots<'a>(&'a self, objects: &'a [Placed]) -> impl ExactSizeIterator<Item = (SlotId, u32)> + 'a {
        self.assigned.iter().map(|assigned| assigned.put(objects))
    }

    /// Returns the slots that are left open and lead nowhere, each with its first index.
    #[inline]
    pub(super) fn plain<'a>(&'a self, objects: &'a [Placed]) -> impl ExactSizeIterator<Item = (SlotId, u32)> + 'a {
        self.completion.plain.iter().map(|&(object, offset, _)| (objects[object as usize].slot(offset), 0))
    }
}
