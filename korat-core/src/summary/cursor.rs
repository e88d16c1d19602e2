//! Goes through values by their numbers. A value is built of parts, each before those that it is made of; the next value has
//! other choices in its last parts.

use std::rc::Rc;

use super::choices::{Choice, Choices};
use super::completion::Completion;
use super::natural::Natural;
use super::shape::{Holds, Shape};
use super::solver::Solver;
use super::ways::{Factor, FactorId, Usage};
use crate::model::ids::{ClassId, ObjectId, SlotId};
use crate::slots::slot_handle::SlotHandle;

/// The assignment of all slots of a value, in an order in which each slot exists by the slots before it.
#[derive(Debug, Default)]
pub(crate) struct BuiltValue {
    pub(crate) slots: Vec<(SlotId, u32)>,
    /// Per class, how many objects the value has.
    pub(crate) reached: Vec<u32>,
    /// The number of first slots that the value before it had, too, with the same indices.
    pub(crate) kept: usize,
}

impl BuiltValue {
    fn truncate(&mut self, slots: usize) {
        self.slots.truncate(slots);
        self.kept = self.kept.min(slots);
    }
}

/// Where a part is built.
#[derive(Clone, Copy)]
enum Place {
    /// On the objects of calls, which are the first of its own.
    Objects,
    /// At a link that nothing has read.
    Link { slot: SlotId, nulls: u32, class: ClassId },
    /// At the places of another part from a number on: its factors are the last of that part.
    Rest { of: usize, from: usize },
}

/// A part of a value: a factor with a choice.
struct Part {
    choices: Rc<Choices>,
    choice: usize,
    place: Place,
    /// The part whose second factor follows when this one and all that it is made of are built.
    continued: Option<usize>,
    /// The number of slots before this part.
    slots: usize,
    /// Where its objects begin in those of the cursor, where those begin that it has taken, and where they end.
    objects: usize,
    taken: usize,
    end: usize,
}

impl Part {
    fn choice(&self) -> &Choice {
        &self.choices.list[self.choice]
    }

    /// Returns whether the choice leaves nothing open.
    fn is_leaf(&self) -> bool {
        self.choice().way.factors().is_empty()
    }
}

/// A value, its parts in the order of building.
#[derive(Default)]
pub(crate) struct Cursor {
    parts: Vec<Part>,
    /// The objects of the parts: those that it is built on, then those that it has taken.
    objects: Vec<ObjectId>,
    value: BuiltValue,
    /// Whether the predicate accepts the value, its usage, and its number among those of the usage.
    at: Option<(bool, Usage, Natural)>,
}

impl Cursor {
    /// Takes back what the last part has assigned.
    fn undo(&mut self) {
        if let Some(part) = self.parts.last_mut() {
            self.value.truncate(part.slots);
            self.objects.truncate(part.taken);
            match part.place {
                Place::Objects => {
                    for class in &part.choice().completion().production.fresh {
                        self.value.reached[class.index()] -= 1;
                    }
                }
                Place::Link { class, .. } => self.value.reached[class.index()] -= u32::from(!part.is_leaf()),
                Place::Rest { .. } => {}
            }
        }
    }

    /// Goes to the next combination of the slots of the last part that nothing has read, and that lead nowhere. Returns false if
    /// there is none.
    fn next_plain(&mut self) -> bool {
        let Some(part) = self.parts.last() else { return false };
        match part.place {
            Place::Objects => {
                let plain = &part.choice().completion().plain;
                let first = self.value.slots.len() - plain.len();
                for ((_, index), &(_, _, len)) in self.value.slots[first..].iter_mut().zip(plain) {
                    self.value.kept = self.value.kept.min(first);
                    if *index + 1 < len {
                        *index += 1;
                        return true;
                    }
                    *index = 0;
                }
                false
            }
            Place::Link { nulls, .. } if part.is_leaf() => {
                let last = self.value.slots.len() - 1;
                let index = &mut self.value.slots[last].1;
                if *index + 1 < nulls {
                    *index += 1;
                    self.value.kept = self.value.kept.min(last);
                    return true;
                }
                false
            }
            Place::Link { .. } | Place::Rest { .. } => false,
        }
    }

    fn take(&mut self, class: ClassId, shape: &Shape) -> ObjectId {
        let ordinal = self.value.reached[class.index()];
        self.value.reached[class.index()] += 1;
        let object = shape.object(class, ordinal);
        self.objects.push(object);
        object
    }
}

impl Solver {
    /// Returns the value that was built last.
    pub(crate) fn built_value(&self) -> &BuiltValue {
        &self.cursor.as_ref().expect("[korat internal bug] no value was built").value
    }

    /// Lends the slots of the value that was built last, which stands in the heap.
    pub(crate) fn lend_standing(&mut self, slots: Vec<SlotHandle>) {
        self.places.standing = slots;
    }

    /// Returns the slots of the value that stands in the heap; none if they had to be erased.
    pub(crate) fn return_standing(&mut self) -> Vec<SlotHandle> {
        std::mem::take(&mut self.places.standing)
    }

    /// Builds the value with a number among those with a usage that the predicate accepts, or rejects. Returns false if there is
    /// none.
    pub(crate) fn build(&mut self, accepted: bool, usage: Usage, number: &Natural) -> bool {
        let is_next = match self.cursor.as_ref().and_then(|cursor| cursor.at.as_ref()) {
            Some((was_accepted, of, last)) if (*was_accepted, *of) == (accepted, usage) => {
                let mut next = last.clone();
                next += &Natural::ONE;
                next == *number
            }
            Some(_) | None => false,
        };
        if is_next {
            return self.build_next();
        }
        let mut cursor = self.cursor.take().unwrap_or_default();
        let is_built = self.build_all(&mut cursor, accepted, usage, number);
        cursor.at = is_built.then(|| (accepted, usage, number.clone()));
        self.cursor = Some(cursor);
        is_built
    }

    /// Builds the value after the one that was built last, of the same usage. Returns false if there is none.
    pub(crate) fn build_next(&mut self) -> bool {
        let Some(mut cursor) = self.cursor.take_if(|cursor| cursor.at.is_some()) else { return false };
        cursor.value.kept = cursor.value.slots.len();
        let is_built = self.advance(&mut cursor);
        match &mut cursor.at {
            Some((.., number)) if is_built => *number += &Natural::ONE,
            at => *at = None,
        }
        self.cursor = Some(cursor);
        is_built
    }

    fn build_all(&mut self, cursor: &mut Cursor, accepted: bool, usage: Usage, number: &Natural) -> bool {
        let Some(root) = self.root_factor(accepted) else { return false };
        cursor.parts.clear();
        cursor.objects.clear();
        cursor.value.truncate(0);
        cursor.value.reached.clear();
        cursor.value.reached.resize(self.shape.classes.len(), 0);
        cursor.take(self.shape.objects[self.shape.root.index()].class, &self.shape);
        let choices = self.choices(root, usage);
        if choices.list.last().is_none_or(|last| *number >= last.upto) {
            return false;
        }
        let mut numbers = vec![number.clone()];
        self.add_part(cursor, choices, Place::Objects, 0, None, Some(&mut numbers));
        self.add_inner(cursor, Some(&mut numbers));
        true
    }

    /// Goes to the next value of the same usage. Returns false if there is none.
    fn advance(&mut self, cursor: &mut Cursor) -> bool {
        while !cursor.next_plain() {
            cursor.undo();
            let Some(part) = cursor.parts.last_mut() else { return false };
            part.choice += 1;
            if part.choice < part.choices.list.len() {
                self.apply(cursor, None);
                break;
            }
            cursor.objects.truncate(part.objects);
            cursor.parts.pop();
        }
        self.add_inner(cursor, None);
        true
    }

    /// Adds the parts that are missing. They have the last of these numbers, one after the other, or all of them are the first.
    fn add_inner(&mut self, cursor: &mut Cursor, mut numbers: Option<&mut Vec<Natural>>) {
        while let Some(last) = cursor.parts.last() {
            let (parent, is_first) = match (last.is_leaf(), last.continued) {
                (false, _) => (cursor.parts.len() - 1, true),
                (true, Some(continued)) => (continued, false),
                (true, None) => return,
            };
            let Part { ref choices, choice, place, continued, taken, end, .. } = cursor.parts[parent];
            let is_last = !is_first || choices.list[choice].way.factors().len() == 1;
            let continued = if is_last { continued } else { Some(parent) };
            let inner = self.inner_choices(choices, choice, is_first);
            let begin = cursor.objects.len();
            let place = match place {
                Place::Link { .. } => {
                    cursor.objects.extend_from_within(taken..end);
                    Place::Objects
                }
                Place::Objects => self.inner_place(cursor, inner.factor, parent, usize::from(!is_first)),
                Place::Rest { of, from } => self.inner_place(cursor, inner.factor, of, from + usize::from(!is_first)),
            };
            self.add_part(cursor, inner, place, begin, continued, numbers.as_deref_mut());
        }
    }

    /// Returns the place of a factor of a part, after adding the objects of the place.
    fn inner_place(&self, cursor: &mut Cursor, factor: FactorId, of: usize, number: usize) -> Place {
        if let Factor::Both(..) = self.counter.get(factor) {
            return Place::Rest { of, from: number };
        }
        let part = &cursor.parts[of];
        let first = part.objects;
        let Completion { production, links, .. } = &**part.choice().completion();
        match production.groups.get(number) {
            Some(group) => {
                for &object in &group.objects {
                    cursor.objects.push(cursor.objects[first + object as usize]);
                }
                Place::Objects
            }
            None => {
                let (object, offset, holds) = links[number - production.groups.len()];
                let slot = self.shape.slot(cursor.objects[first + object as usize], offset);
                match holds {
                    Holds::Link { nulls, class } => Place::Link { slot, nulls, class },
                    Holds::Values { .. } => unreachable!("[korat internal bug] a plain slot is a link"),
                }
            }
        }
    }

    /// Adds a part, whose objects begin at a position. Its choice has the last of these numbers, which is replaced by those of its
    /// factors, the first one last; or it is the first.
    fn add_part(
        &mut self,
        cursor: &mut Cursor,
        choices: Rc<Choices>,
        place: Place,
        objects: usize,
        continued: Option<usize>,
        numbers: Option<&mut Vec<Natural>>,
    ) {
        let (mut choice, mut of_plain) = (0, None);
        if let Some((mut number, numbers)) = numbers.and_then(|numbers| Some((numbers.pop()?, numbers))) {
            choice = choices.list.partition_point(|choice| choice.upto <= number);
            let Choice { way, upto, of_rest, .. } = &choices.list[choice];
            let mut values = upto.clone();
            if let Some(before) = choice.checked_sub(1).map(|before| &choices.list[before].upto) {
                number = number - before;
                values = values - before;
            }
            let (plain, inner) = number.divided(&values.divided(&self.counter.own(*way).plain).0);
            let (of_first, of_others) = inner.divided(of_rest);
            of_plain = Some(plain);
            match way.factors().len() {
                0 => {}
                1 => numbers.push(of_first),
                _ => numbers.extend([of_others, of_first]),
            }
        }
        let (slots, taken) = (cursor.value.slots.len(), cursor.objects.len());
        cursor.parts.push(Part { choices, choice, place, continued, slots, objects, taken, end: taken });
        self.apply(cursor, of_plain);
    }

    /// Assigns the slots of the last part; those that nothing has read have the combination with a number, or the first one.
    fn apply(&mut self, cursor: &mut Cursor, mut of_plain: Option<Natural>) {
        let at = cursor.parts.len() - 1;
        let Part { ref choices, choice, place, objects: first, .. } = cursor.parts[at];
        match place {
            Place::Rest { .. } => {}
            Place::Link { slot, nulls, class } => {
                let index = match cursor.parts[at].is_leaf() {
                    true => of_plain.and_then(|number| number.to_u64()).unwrap_or_default() as u32,
                    false => {
                        let object = cursor.take(class, &self.shape);
                        nulls + object.0 - self.shape.classes[class.index()].first_object
                    }
                };
                cursor.value.slots.push((slot, index));
            }
            Place::Objects => {
                self.complete(choices, choice);
                let completion = Rc::clone(choices.list[choice].completion());
                let Completion { production, plain, .. } = &*completion;
                for &class in &production.fresh {
                    cursor.take(class, &self.shape);
                }
                let objects = &cursor.objects[first..];
                for &(object, offset, held) in &production.slots {
                    let slot = self.shape.slot(objects[object as usize], offset);
                    cursor.value.slots.push((slot, held.resolve(&self.shape, slot, objects)));
                }
                for &(object, offset, len) in plain {
                    let mut index = 0;
                    if let Some(number) = &mut of_plain {
                        let (left, rest) = number.divided(&Natural::from(u64::from(len)));
                        (*number, index) = (left, rest.to_u64().unwrap_or_default() as u32);
                    }
                    cursor.value.slots.push((self.shape.slot(objects[object as usize], offset), index));
                }
            }
        }
        cursor.parts[at].end = cursor.objects.len();
    }
}
