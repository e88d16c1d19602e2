//! Goes through values by their numbers. A value is built of parts, each before those that it is made of; the next value has
//! other choices in its last parts.

use std::rc::Rc;

use smallvec::SmallVec;

use super::choices::{Choice, Choices};
use super::completion::Completion;
use super::natural::Natural;
use super::shape::{Holds, Shape};
use super::solver::Solver;
use super::ways::{Factor, FactorId, Usage};
use crate::model::ids::{ClassId, ObjectId, SlotId};

/// The assignment of all slots of a value, in an order in which each slot exists by the slots before it.
#[derive(Debug, Default)]
pub(crate) struct BuiltValue {
    pub(crate) slots: Vec<(SlotId, u32)>,
    /// Per class, how many objects the value has.
    pub(crate) reached: Vec<u32>,
}

/// Where a part is built.
#[derive(Clone)]
enum Place {
    /// On the objects of calls.
    Objects(SmallVec<[ObjectId; 4]>),
    /// At a link that nothing has read.
    Link(SlotId, Holds),
    /// At the places of another part from a number on: its factors are the last of that part.
    Rest { of: usize, from: usize },
}

/// A part of a value: a factor with a choice.
struct Part {
    factor: FactorId,
    usage: Usage,
    /// The part that it belongs to, and whether it is the first factor of that part or the rest.
    parent: usize,
    is_first: bool,
    place: Place,
    choices: Choices,
    choice: usize,
    /// The number of the combination of plain slots that nothing has read.
    plain: Natural,
    /// The number of the rest, where a value is built by its number.
    rest: Natural,
    /// The number of slots before this part.
    slots: usize,
    /// The classes of the objects that it has taken.
    taken: SmallVec<[ClassId; 2]>,
    /// The objects of its production, and what the production leaves open.
    objects: SmallVec<[ObjectId; 4]>,
    completions: Option<(Rc<Vec<Completion>>, usize)>,
}

impl Part {
    fn choice(&self) -> &Choice {
        &self.choices[self.choice]
    }

    fn completion(&self) -> &Completion {
        let (completions, which) = self.completions.as_ref().expect("[korat internal bug] a part is not built");
        &completions[*which]
    }
}

/// A value, its parts in the order of building.
#[derive(Default)]
pub(crate) struct Cursor {
    parts: Vec<Part>,
    value: BuiltValue,
    /// Whether the predicate accepts the value, its usage, and its number among those of the usage.
    at: Option<(bool, Usage, Natural)>,
}

impl Cursor {
    /// Returns the place of a factor of a part.
    fn place(&self, of: usize, number: usize, shape: &Shape) -> Place {
        let part = &self.parts[of];
        let Completion { production, links, .. } = part.completion();
        match production.groups.get(number) {
            Some(group) => Place::Objects(group.objects.iter().map(|&object| part.objects[object as usize]).collect()),
            None => {
                let (object, offset, holds) = links[number - production.groups.len()];
                Place::Link(shape.slot(part.objects[object as usize], offset), holds)
            }
        }
    }

    /// Returns the part that the next one belongs to, and whether that is its first factor.
    fn next_parent(&self) -> Option<(usize, bool)> {
        let mut at = self.parts.len() - 1;
        if !self.parts[at].choice().way.factors().is_empty() {
            return Some((at, true));
        }
        while at > 0 {
            let Part { parent, is_first, .. } = self.parts[at];
            if is_first && self.parts[parent].choice().way.factors().len() > 1 {
                return Some((parent, false));
            }
            at = parent;
        }
        None
    }

    /// Takes back what the last part has assigned.
    fn undo(&mut self) {
        if let Some(part) = self.parts.last_mut() {
            self.value.slots.truncate(part.slots);
            for class in part.taken.drain(..) {
                self.value.reached[class.index()] -= 1;
            }
        }
    }

    fn take(&mut self, class: ClassId, shape: &Shape) -> ObjectId {
        let ordinal = self.value.reached[class.index()];
        self.value.reached[class.index()] += 1;
        shape.object(class, ordinal)
    }
}

impl Solver {
    /// Returns the value that was built last.
    pub(crate) fn built_value(&self) -> &BuiltValue {
        &self.cursor.value
    }

    /// Builds the value with a number among those with a usage that the predicate accepts, or rejects. Returns false if there is
    /// none.
    pub(crate) fn build(&mut self, accepted: bool, usage: Usage, number: &Natural) -> bool {
        let mut cursor = std::mem::take(&mut self.cursor);
        let is_next = cursor.at.take().is_some_and(|(was_accepted, of, mut last)| {
            last += &Natural::ONE;
            (was_accepted, of) == (accepted, usage) && last == *number
        });
        let is_built = match is_next {
            true => self.advance(&mut cursor),
            false => self.build_all(&mut cursor, accepted, usage, number),
        };
        if is_built {
            cursor.at = Some((accepted, usage, number.clone()));
        }
        self.cursor = cursor;
        is_built
    }

    fn build_all(&mut self, cursor: &mut Cursor, accepted: bool, usage: Usage, number: &Natural) -> bool {
        let Some(root) = self.root_factor(accepted) else { return false };
        cursor.parts.clear();
        cursor.value.slots.clear();
        cursor.value.reached.clear();
        cursor.value.reached.resize(self.shape.classes.len(), 0);
        let object = cursor.take(self.shape.objects[self.shape.root.index()].class, &self.shape);
        let place = Place::Objects(SmallVec::from_slice(&[object]));
        if self.choices(root, usage).last().is_none_or(|last| *number >= last.upto) {
            return false;
        }
        let inner = self.add_part(cursor, root, usage, (0, true), place, Some(number.clone()));
        self.add_inner(cursor, inner);
        true
    }

    /// Goes to the next value of the same usage. Returns false if there is none.
    fn advance(&mut self, cursor: &mut Cursor) -> bool {
        loop {
            cursor.undo();
            let Some(part) = cursor.parts.last_mut() else { return false };
            part.plain += &Natural::ONE;
            if part.plain < self.counter.own(part.choice().way).plain {
                break;
            }
            part.plain = Natural::ZERO;
            part.choice += 1;
            if part.choice < part.choices.len() {
                break;
            }
            cursor.parts.pop();
        }
        self.apply(cursor);
        self.add_inner(cursor, None);
        true
    }

    /// Adds the parts that are missing; the next has this number, or all of them are the first.
    fn add_inner(&mut self, cursor: &mut Cursor, mut number: Option<Natural>) {
        let by_number = number.is_some();
        while let Some((parent, is_first)) = cursor.next_parent() {
            let part = &mut cursor.parts[parent];
            let Choice { way, first, .. } = *part.choice();
            let left = part.usage - self.counter.own(way).usage;
            let (factor, usage) = if is_first { (way.factors()[0], first) } else { (way.factors()[1], left - first) };
            if by_number && !is_first {
                number = Some(std::mem::replace(&mut part.rest, Natural::ZERO));
            }
            let place = match part.place {
                Place::Link(..) => Place::Objects(SmallVec::from_slice(&part.objects)),
                Place::Objects(_) => self.inner_place(cursor, factor, parent, usize::from(!is_first)),
                Place::Rest { of, from } => self.inner_place(cursor, factor, of, from + usize::from(!is_first)),
            };
            number = self.add_part(cursor, factor, usage, (parent, is_first), place, number);
        }
    }

    fn inner_place(&self, cursor: &Cursor, factor: FactorId, of: usize, number: usize) -> Place {
        match self.counter.get(factor) {
            Factor::Both(..) => Place::Rest { of, from: number },
            Factor::Outcome(..) | Factor::Object(_) | Factor::Link { .. } => cursor.place(of, number, &self.shape),
        }
    }

    /// Adds a part with a number, or the first one. Returns the number of its first factor.
    fn add_part(
        &mut self,
        cursor: &mut Cursor,
        factor: FactorId,
        usage: Usage,
        (parent, is_first): (usize, bool),
        place: Place,
        number: Option<Natural>,
    ) -> Option<Natural> {
        let choices = self.choices(factor, usage);
        let mut part = Part {
            factor,
            usage,
            parent,
            is_first,
            place,
            choices,
            choice: 0,
            plain: Natural::ZERO,
            rest: Natural::ZERO,
            slots: cursor.value.slots.len(),
            taken: SmallVec::new(),
            objects: SmallVec::new(),
            completions: None,
        };
        let of_first = number.map(|mut number| {
            let at = part.choices.partition_point(|choice| choice.upto <= number);
            let Choice { way, upto, of_rest, .. } = &part.choices[at];
            let mut values = upto.clone();
            if let Some(before) = at.checked_sub(1).map(|before| &part.choices[before].upto) {
                number = number - before;
                values = values - before;
            }
            let (of_plain, number) = number.divided(&values.divided(&self.counter.own(*way).plain).0);
            let (of_first, of_others) = number.divided(of_rest);
            (part.choice, part.plain, part.rest) = (at, of_plain, of_others);
            of_first
        });
        cursor.parts.push(part);
        self.apply(cursor);
        of_first
    }

    /// Assigns the slots of the last part.
    fn apply(&mut self, cursor: &mut Cursor) {
        let at = cursor.parts.len() - 1;
        let Part { factor, ref place, .. } = cursor.parts[at];
        let way = cursor.parts[at].choice().way;
        match place {
            Place::Rest { .. } => {}
            Place::Link(slot, Holds::Link { nulls, class }) if !way.factors().is_empty() => {
                let (slot, nulls, class) = (*slot, *nulls, *class);
                let object = cursor.take(class, &self.shape);
                let first = self.shape.classes[class.index()].first_object;
                cursor.value.slots.push((slot, nulls + object.0 - first));
                let part = &mut cursor.parts[at];
                part.taken.push(class);
                part.objects = SmallVec::from_slice(&[object]);
            }
            Place::Link(slot, _) => {
                let null = cursor.parts[at].plain.to_u64().unwrap_or_default() as u32;
                cursor.value.slots.push((*slot, null));
            }
            Place::Objects(objects) => {
                let mut objects: SmallVec<[ObjectId; 4]> = SmallVec::from_slice(objects);
                let (completions, which) = self.completion(factor, way);
                let Completion { production, plain, .. } = &completions[which];
                for &class in &production.fresh {
                    objects.push(cursor.take(class, &self.shape));
                }
                for &(object, offset, held) in &production.slots {
                    let slot = self.shape.slot(objects[object as usize], offset);
                    cursor.value.slots.push((slot, held.resolve(&self.shape, slot, &objects)));
                }
                let mut of_plain = cursor.parts[at].plain.clone();
                for &(object, offset, len) in plain {
                    let (left, index) = of_plain.divided(&Natural::from(u64::from(len)));
                    of_plain = left;
                    let index = index.to_u64().unwrap_or_default() as u32;
                    cursor.value.slots.push((self.shape.slot(objects[object as usize], offset), index));
                }
                let part = &mut cursor.parts[at];
                part.taken.extend_from_slice(&production.fresh);
                part.objects = objects;
                part.completions = Some((Rc::clone(&completions), which));
            }
        }
    }
}
