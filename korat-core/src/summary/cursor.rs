//! Goes through values by their numbers. A value is built of parts, each before those that it is made of; the next value has
//! other choices in its last parts.

use std::rc::Rc;

use super::choices::{Choice, Choices};
use super::completion::Completion;
use super::natural::Natural;
pub(super) use super::parts::Cursor;
use super::parts::{At, BuiltValue, Part, Place, take};
use super::shape::Holds;
use super::solver::Solver;
use super::ways::{Factor, FactorId, Usage};
use crate::model::ids::ClassId;
use crate::slots::slot_handle::SlotHandle;

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
        cursor.value.changed.clear();
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
        let is_whole = may_be_whole && self.has_wholes(&choices, objects..taken, cursor);
        let end = taken;
        cursor.parts.push(Part { choices, choice, factors: 0, is_whole, place, continued, slots, objects, taken, end });
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
        let (plain, inner) = number.divided(&values.divided(&self.counter.own(way.product).plain).0);
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
                if let Some(wholes) = part.wholes() {
                    for &class in &wholes.fresh {
                        take(class, &self.shape, objects, value);
                    }
                    value.slots.extend(wholes.first(&objects[part.objects..]));
                } else {
                    if part.choice().assembly().is_none() {
                        self.assemble(&part.choices, part.choice, &objects[part.objects..]);
                    }
                    let assembly = part.assembly();
                    for &class in &assembly.completion.production.fresh {
                        take(class, &self.shape, objects, value);
                    }
                    let own = &objects[part.objects..];
                    value.slots.extend(assembly.slots(own));
                    value.slots.extend(assembly.plain(own));
                }
            }
        }
        part.end = objects.len();
    }
}
