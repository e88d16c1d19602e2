//! Goes through values by their numbers. A value is built of parts, each before those that it is made of; the next value has
//! other choices in its last parts.

use std::rc::Rc;

use super::assembly::{Assembly, Placed};
use super::choices::{Choice, Choices};
use super::completion::Completion;
use super::natural::Natural;
use super::shape::{Holds, Shape};
use super::solver::Solver;
use super::ways::{Factor, FactorId, Usage};
use crate::model::ids::{ClassId, SlotId};
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
    /// The number of factors of its choice.
    factors: usize,
    /// Whether its values are wholes, of which `choice` is one.
    is_whole: bool,
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

    /// Returns what its choice decides about its objects.
    fn assembly(&self) -> &Assembly {
        let assembly = match self.is_whole {
            true => self.choices.wholes.get().and_then(|wholes| wholes.get(self.choice)),
            false => self.choice().assembly(),
        };
        assembly.expect("[korat internal bug] a part is not built")
    }

    /// Returns the number of its choices.
    fn choices(&self) -> usize {
        match self.is_whole {
            true => self.choices.wholes.get().map_or(0, Vec::len),
            false => self.choices.list.len(),
        }
    }

    /// Returns whether the choice leaves nothing open.
    fn is_leaf(&self) -> bool {
        self.factors == 0
    }
}

/// A value, its parts in the order of building.
#[derive(Default)]
pub(crate) struct Cursor {
    parts: Vec<Part>,
    /// The objects of the parts: those that it is built on, then those that it has taken.
    objects: Vec<Placed>,
    value: BuiltValue,
    at: Option<At>,
}

/// Where a cursor stands.
struct At {
    /// Whether the predicate accepts the value, and its usage.
    accepted: bool,
    usage: Usage,
    /// The number of an earlier value among those of the usage, and how many came since. Adding one to a word is cheaper.
    number: Natural,
    since: u64,
}

impl Cursor {
    pub(super) fn built(&self) -> &BuiltValue {
        &self.value
    }

    /// Goes to the next whole of the last part, which has as many objects of each class. Returns false if there is none.
    #[inline]
    fn next_whole(&mut self) -> bool {
        let Cursor { parts, objects, value, .. } = self;
        let Some(part) = parts.last_mut().filter(|part| part.is_whole) else { return false };
        let Some(whole) = part.choices.wholes.get().and_then(|wholes| wholes.get(part.choice + 1)) else { return false };
        part.choice += 1;
        value.truncate(part.slots + whole.kept);
        value.slots.extend(whole.slots(whole.kept, &objects[part.objects..]));
        true
    }

    /// Takes back what the last part has assigned.
    #[inline]
    fn undo(&mut self) {
        let Cursor { parts, objects, value, .. } = self;
        if let Some(part) = parts.last() {
            value.truncate(part.slots);
            objects.truncate(part.taken);
            match part.place {
                Place::Objects => {
                    for class in &part.assembly().completion.production.fresh {
                        value.reached[class.index()] -= 1;
                    }
                }
                Place::Link { class, .. } => value.reached[class.index()] -= u32::from(!part.is_leaf()),
                Place::Rest { .. } => {}
            }
        }
    }

    /// Goes to the next combination of the slots of the last part that nothing has read, and that lead nowhere. Returns false if
    /// there is none.
    #[inline]
    fn next_plain(&mut self) -> bool {
        let Some(part) = self.parts.last() else { return false };
        match part.place {
            Place::Objects => {
                let plain = &part.assembly().completion.plain;
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

    /// Gives the slots of the last part that nothing has read, and that lead nowhere, the combination with a number.
    #[cold]
    fn choose_plain(&mut self, mut number: Natural) {
        let Some(part) = self.parts.last() else { return };
        let slots = &mut self.value.slots;
        match part.place {
            Place::Objects => {
                let plain = &part.assembly().completion.plain;
                let first = slots.len() - plain.len();
                for ((_, index), &(_, _, len)) in slots[first..].iter_mut().zip(plain) {
                    let (left, rest) = number.divided(&Natural::from(u64::from(len)));
                    (number, *index) = (left, rest.to_u64().unwrap_or_default() as u32);
                }
            }
            Place::Link { .. } if part.is_leaf() => {
                if let Some((_, index)) = slots.last_mut() {
                    *index = number.to_u64().unwrap_or_default() as u32;
                }
            }
            Place::Link { .. } | Place::Rest { .. } => {}
        }
    }
}

/// Takes the next object of a class.
#[inline]
fn take(class: ClassId, shape: &Shape, objects: &mut Vec<Placed>, value: &mut BuiltValue) -> Placed {
    let reached = &mut value.reached[class.index()];
    let object = Placed::at(shape, shape.object(class, *reached));
    *reached += 1;
    objects.push(object);
    object
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
            Some(at) if (at.accepted, at.usage) == (accepted, usage) => {
                let mut next = Natural::from(at.since + 1);
                next += &at.number;
                next == *number
            }
            Some(_) | None => false,
        };
        if is_next {
            return self.build_next();
        }
        let mut cursor = self.cursor.take().unwrap_or_default();
        let is_built = self.build_all(&mut cursor, accepted, usage, number);
        cursor.at = is_built.then(|| At { accepted, usage, number: number.clone(), since: 0 });
        self.cursor = Some(cursor);
        is_built
    }

    /// Builds the value after the one that was built last, of the same usage. Returns false if there is none.
    pub(crate) fn build_next(&mut self) -> bool {
        let Some(mut cursor) = self.cursor.take_if(|cursor| cursor.at.is_some()) else { return false };
        cursor.value.kept = cursor.value.slots.len();
        let is_built = self.advance(&mut cursor);
        match &mut cursor.at {
            Some(at) if is_built => at.since += 1,
            at => *at = None,
        }
        self.cursor = Some(cursor);
        is_built
    }

    fn build_all(&mut self, cursor: &mut Cursor, accepted: bool, usage: Usage, number: &Natural) -> bool {
        let Some(root) = self.root_factor(accepted) else { return false };
        let choices = self.choices(root, usage);
        if choices.list.last().is_none_or(|last| *number >= last.upto) {
            return false;
        }
        let class = self.shape.objects[self.shape.root.index()].class;
        self.begin_with(cursor, &[class], choices, Some(&mut vec![number.clone()]));
        true
    }

    /// Begins with the first value of a part, on the first objects of these classes.
    pub(super) fn begin_on(&mut self, cursor: &mut Cursor, classes: &[ClassId], choices: &Rc<Choices>) {
        self.begin_with(cursor, classes, Rc::clone(choices), None);
    }

    fn begin_with(
        &mut self,
        cursor: &mut Cursor,
        classes: &[ClassId],
        choices: Rc<Choices>,
        mut numbers: Option<&mut Vec<Natural>>,
    ) {
        let Cursor { parts, objects, value, .. } = &mut *cursor;
        parts.clear();
        objects.clear();
        value.truncate(0);
        value.reached.clear();
        value.reached.resize(self.shape.classes.len(), 0);
        for class in classes {
            take(*class, &self.shape, objects, value);
        }
        self.add_part(cursor, choices, Place::Objects, 0, None, numbers.as_deref_mut());
        self.add_inner(cursor, numbers);
    }

    /// Goes to the next value of the same usage. Returns false if there is none.
    pub(super) fn advance(&mut self, cursor: &mut Cursor) -> bool {
        while !cursor.next_whole() && !cursor.next_plain() {
            cursor.undo();
            let Some(part) = cursor.parts.last_mut() else { return false };
            part.choice += 1;
            if part.choice < part.choices() {
                self.apply(cursor);
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
            let Part { ref choices, choice, factors, place, continued, taken, end, .. } = cursor.parts[parent];
            let is_last = !is_first || factors == 1;
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
        let Completion { production, links, .. } = &part.assembly().completion;
        match production.groups.get(number) {
            Some(group) => {
                for &object in &group.objects {
                    cursor.objects.push(cursor.objects[first + object as usize]);
                }
                Place::Objects
            }
            None => {
                let (object, offset, holds) = links[number - production.groups.len()];
                let slot = cursor.objects[first + object as usize].slot(offset);
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
        let (slots, taken) = (cursor.value.slots.len(), cursor.objects.len());
        let chosen = numbers.and_then(|numbers| self.choice_at(&choices, numbers));
        let choice = chosen.as_ref().map_or(0, |(choice, _)| *choice);
        let may_be_whole = chosen.is_none() && matches!(place, Place::Objects);
        let is_whole = may_be_whole && self.has_wholes(&choices, &cursor.objects[objects..]);
        let end = taken;
        cursor.parts.push(Part {
            choices,
            choice,
            factors: 0,
            is_whole,
            place,
            continued,
            slots,
            objects,
            taken,
            end,
        });
        self.apply(cursor);
        if let Some((_, of_plain)) = chosen {
            cursor.choose_plain(of_plain);
        }
    }

    /// Returns the choice that has the last of these numbers, and which combination it is of slots that nothing has read. Replaces the
    /// number by those of the factors, the first one last.
    #[cold]
    #[inline(never)]
    fn choice_at(&self, choices: &Choices, numbers: &mut Vec<Natural>) -> Option<(usize, Natural)> {
        let mut number = numbers.pop()?;
        let choice = choices.list.partition_point(|choice| choice.upto <= number);
        let Choice { way, upto, of_rest, .. } = &choices.list[choice];
        let mut values = upto.clone();
        if let Some(before) = choice.checked_sub(1).map(|before| &choices.list[before].upto) {
            number = number - before;
            values = values - before;
        }
        let (plain, inner) = number.divided(&values.divided(&self.counter.own(*way).plain).0);
        let (of_first, of_others) = inner.divided(of_rest);
        match way.factors().len() {
            0 => {}
            1 => numbers.push(of_first),
            _ => numbers.extend([of_others, of_first]),
        }
        Some((choice, plain))
    }

    /// Assigns the slots of the last part; those that nothing has read have the first combination.
    fn apply(&mut self, cursor: &mut Cursor) {
        let Cursor { parts, objects, value, .. } = cursor;
        let Some(part) = parts.last_mut() else { return };
        part.factors = if part.is_whole { 0 } else { part.choice().way.factors().len() };
        match part.place {
            Place::Rest { .. } => {}
            Place::Link { slot, nulls, class } => {
                let index = match part.is_leaf() {
                    true => 0,
                    false => nulls + take(class, &self.shape, objects, value).ordinal(&self.shape, class),
                };
                value.slots.push((slot, index));
            }
            Place::Objects => {
                if !part.is_whole && part.choice().assembly().is_none() {
                    self.assemble(&part.choices, part.choice, &objects[part.objects..]);
                }
                let assembly = part.assembly();
                for &class in &assembly.completion.production.fresh {
                    take(class, &self.shape, objects, value);
                }
                let own = &objects[part.objects..];
                value.slots.extend(assembly.slots(0, own));
                value.slots.extend(assembly.plain(own));
            }
        }
        part.end = objects.len();
    }
}
