//! Parts with few values: their values are found once, and told by what changes from one to the next.

use std::ops::Range;
use std::rc::Rc;

use super::assembly::{Assigned, NONE, Placed};
use super::choices::Choices;
use super::parts::{BuiltValue, Cursor};
use super::shape::{Holds, Shape};
use super::solver::Solver;
use crate::model::ids::{ClassId, SlotId};

/// The most values of a part that are told so. The last parts of a value change most often: with as many values, the parts before
/// them change with few of the values that follow one another.
const MOST_VALUES: u64 = 256;

/// How often a part begins with its first value before its values are found: that takes as long as going through them.
const BEGINNINGS: u32 = 3;

/// The most slots that are told in all, of 20 bytes each.
const MOST_SLOTS: usize = 1 << 18;

/// The values of a part, wherever it is put. All have the same slots, and as many fresh objects of each class.
pub(super) struct Wholes {
    /// The classes of the fresh objects.
    pub(super) fresh: Vec<ClassId>,
    /// The slots of the first value.
    first: Vec<Assigned>,
    /// What changes from each value to the next, with the positions of the slots in the first.
    changes: Vec<(u32, Assigned)>,
    /// For each value but the first, where its changes end.
    ends: Vec<usize>,
}

impl Wholes {
    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        self.ends.len() + 1
    }

    /// Returns the slots of the first value, with their indices; `objects` are those that it is put on, then the fresh ones.
    #[inline]
    pub(super) fn first<'a>(&'a self, objects: &'a [Placed]) -> impl ExactSizeIterator<Item = (SlotId, u32)> + 'a {
        self.first.iter().map(|assigned| assigned.put(objects))
    }

    /// Returns what changes when a value takes the place of the one before it: positions of slots, and their indices.
    #[inline]
    pub(super) fn changes<'a>(
        &'a self,
        value: usize,
        objects: &'a [Placed],
    ) -> impl ExactSizeIterator<Item = (usize, u32)> + 'a {
        let begin = if value == 1 { 0 } else { self.ends[value - 2] };
        let changes = &self.changes[begin..self.ends[value - 1]];
        changes.iter().map(|(position, assigned)| (*position as usize, assigned.resolved(objects)))
    }
}

/// Where the values of a part are found: on the first objects of its classes.
struct Finding<'s> {
    shape: &'s Shape,
    /// Per object of the heap, its number among those of the part.
    numbers: Vec<u32>,
    fresh: Vec<ClassId>,
}

impl<'s> Finding<'s> {
    /// The part is put on objects of these classes; a value of it has reached so many.
    fn new(shape: &'s Shape, classes: &[ClassId], reached: &[u32]) -> Self {
        let mut given = vec![0; shape.classes.len()];
        let mut numbers = vec![NONE; shape.objects.len()];
        let mut fresh = Vec::new();
        for (number, class) in (0..).zip(classes) {
            numbers[shape.object(*class, given[class.index()]).index()] = number;
            given[class.index()] += 1;
        }
        for (class, (&given, &reached)) in given.iter().zip(reached).enumerate() {
            let class = ClassId::new(class);
            for ordinal in given..reached {
                numbers[shape.object(class, ordinal).index()] = (classes.len() + fresh.len()) as u32;
                fresh.push(class);
            }
        }
        Finding { shape, numbers, fresh }
    }

    fn assigned(&self, slot: SlotId, index: u32) -> Assigned {
        let object = self.numbers[self.shape.slots[slot.index()].object.index()];
        let (index, target) = match self.shape.slots[slot.index()].holds {
            Holds::Link { nulls, class } if index >= nulls => {
                let target = self.numbers[self.shape.object(class, index - nulls).index()];
                (nulls.wrapping_sub(self.shape.classes[class.index()].first_object), target)
            }
            Holds::Link { .. } | Holds::Values { .. } => (index, NONE),
        };
        Assigned { object, offset: self.shape.offset(slot), index, target }
    }
}

/// Returns where each slot of a value stands in it.
fn positions(slots: usize, value: &BuiltValue) -> Vec<u32> {
    let mut positions = vec![NONE; slots];
    for (position, (slot, _)) in (0..).zip(&value.slots) {
        positions[slot.index()] = position;
    }
    positions
}

impl Choices {
    /// Returns the number of values, if there are few.
    fn few(&self) -> Option<u64> {
        self.list.last()?.upto.to_u64().filter(|values| *values <= MOST_VALUES)
    }
}

impl Solver {
    /// Returns whether the values of a part are known, which begins with the first of them on these objects.
    #[inline]
    pub(super) fn has_wholes(&mut self, choices: &Rc<Choices>, objects: Range<usize>, cursor: &Cursor) -> bool {
        if choices.wholes.get().is_some() {
            return true;
        }
        // The values of inner parts are found by themselves: a value may be a long chain of parts.
        if self.built.is_finding {
            return false;
        }
        let begun = choices.begun.get().saturating_add(1);
        choices.begun.set(begun);
        if begun != BEGINNINGS {
            return false;
        }
        self.built.is_finding = true;
        let are_found = self.find_wholes(choices, cursor.classes(&self.shape, objects));
        self.built.is_finding = false;
        are_found
    }

    /// Finds the values of a part on objects of these classes, if they are few.
    #[cold]
    #[inline(never)]
    fn find_wholes(&mut self, choices: &Rc<Choices>, classes: Vec<ClassId>) -> bool {
        // An object that may lack slots has others in another value.
        if self.shape.has_optional_slots || self.built.told >= MOST_SLOTS || choices.few().is_none() {
            return false;
        }
        let mut cursor = Cursor::default();
        self.begin_on(&mut cursor, &classes, choices);
        let positions = positions(self.shape.slots.len(), cursor.built());
        let (mut changes, mut ends) = (Vec::new(), Vec::new());
        let finding = Finding::new(&self.shape, &classes, &cursor.built().reached);
        let mut last: Vec<Assigned> =
            cursor.built().slots.iter().map(|&(slot, index)| finding.assigned(slot, index)).collect();
        let first = last.clone();
        let Finding { mut numbers, fresh, .. } = finding;
        while self.advance(&mut cursor) {
            let finding = Finding { shape: &self.shape, numbers, fresh: Vec::new() };
            let BuiltValue { slots, kept, .. } = cursor.built();
            if slots.len() != first.len() {
                return false;
            }
            let others = cursor.built().changed.iter().copied().filter(|at| at < kept).chain(*kept..slots.len());
            for (slot, index) in others.map(|at| slots[at]) {
                let position = positions[slot.index()];
                let Some(before) = last.get_mut(position as usize) else { return false };
                let now = finding.assigned(slot, index);
                if *before != now {
                    changes.push((position, now));
                    *before = now;
                }
            }
            ends.push(changes.len());
            numbers = finding.numbers;
        }
        self.built.told += first.len() + changes.len();
        choices.wholes.set(Wholes { fresh, first, changes, ends }).is_ok()
    }
}
