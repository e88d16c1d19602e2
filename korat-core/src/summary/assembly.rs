//! A completion, ready to be put on objects again and again: what depends on the classes of its objects alone is looked up before.

use super::completion::Completion;
use super::cursor::BuiltValue;
use super::production::Production;
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
const NONE: u32 = u32::MAX;

/// What a slot holds, wherever it is put: an index, or that of an object.
#[derive(PartialEq, Eq)]
struct Assigned {
    /// The object of the slot, among those of the assembly.
    object: u32,
    offset: u32,
    /// The index; for an object, what is added to its id.
    index: u32,
    /// The object that the slot refers to, or `NONE`.
    target: u32,
}

/// A completion, for objects of known classes.
pub(super) struct Assembly {
    pub(super) completion: Completion,
    assigned: Vec<Assigned>,
    /// Of a whole, the number of first slots that are those of the whole before it.
    pub(super) kept: usize,
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
        Assembly { assigned: assigned.collect(), completion, kept: 0 }
    }

    /// Returns a value as a whole, which was built on the first objects of these classes, and follows another one.
    pub(super) fn of_whole(shape: &Shape, value: &BuiltValue, classes: &[ClassId], before: Option<&Assembly>) -> Self {
        // Its own objects are taken class by class.
        let mut fresh = Vec::new();
        let mut numbers = vec![NONE; shape.objects.len()];
        let mut given = vec![0; shape.classes.len()];
        for (number, class) in (0..).zip(classes) {
            numbers[shape.object(*class, given[class.index()]).index()] = number;
            given[class.index()] += 1;
        }
        for (class, (&given, &reached)) in given.iter().zip(&value.reached).enumerate() {
            let class = ClassId::new(class);
            for ordinal in given..reached {
                numbers[shape.object(class, ordinal).index()] = (classes.len() + fresh.len()) as u32;
                fresh.push(class);
            }
        }
        let assigned = value.slots.iter().map(|&(slot, index)| {
            let object = numbers[shape.slots[slot.index()].object.index()];
            let (index, target) = match shape.slots[slot.index()].holds {
                Holds::Link { nulls, class } if index >= nulls => {
                    let first = shape.classes[class.index()].first_object;
                    (nulls.wrapping_sub(first), numbers[shape.object(class, index - nulls).index()])
                }
                Holds::Link { .. } | Holds::Values { .. } => (index, NONE),
            };
            Assigned { object, offset: shape.offset(slot), index, target }
        });
        let assigned: Vec<Assigned> = assigned.collect();
        let of_both = before.into_iter().flat_map(|before| before.assigned.iter().zip(&assigned));
        let kept = of_both.take_while(|(one, other)| one == other).count();
        let production = Production { fresh, ..Production::default() };
        Assembly { completion: Completion { production, ..Completion::default() }, assigned, kept }
    }

    /// Returns the slots that are decided from a position on, with their indices; `objects` are those that it is put on, then its own.
    #[inline]
    pub(super) fn slots<'a>(
        &'a self,
        from: usize,
        objects: &'a [Placed],
    ) -> impl ExactSizeIterator<Item = (SlotId, u32)> + 'a {
        self.assigned[from..].iter().map(|&Assigned { object, offset, index, target }| {
            let of_target = if target == NONE { 0 } else { objects[target as usize].id };
            (objects[object as usize].slot(offset), index.wrapping_add(of_target))
        })
    }

    /// Returns the slots that are left open and lead nowhere, each with its first index.
    #[inline]
    pub(super) fn plain<'a>(&'a self, objects: &'a [Placed]) -> impl ExactSizeIterator<Item = (SlotId, u32)> + 'a {
        self.completion.plain.iter().map(|&(object, offset, _)| (objects[object as usize].slot(offset), 0))
    }
}
