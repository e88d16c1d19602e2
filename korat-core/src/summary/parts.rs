//! A value that is built part by part: what the parts have assigned, and how the last one is taken back or gets other slots.

use std::ops::Range;
use std::rc::Rc;

use super::assembly::{Assembly, Placed};
use super::choices::{Choice, Choices};
use super::natural::Natural;
use super::shape::Shape;
use super::ways::Usage;
use super::whole::Wholes;
use crate::model::ids::{ClassId, SlotId};

/// The assignment of all slots of a value, in an order in which each slot exists by the slots before it.
#[derive(Debug, Default)]
pub(crate) struct BuiltValue {
    pub(crate) slots: Vec<(SlotId, u32)>,
    /// Per class, how many objects the value has.
    pub(crate) reached: Vec<u32>,
    /// The number of first slots that the value before it had, too, with the same indices, except those at some positions.
    pub(crate) kept: usize,
    pub(crate) changed: Vec<usize>,
}

impl BuiltValue {
    pub(super) fn truncate(&mut self, slots: usize) {
        self.slots.truncate(slots);
        self.kept = self.kept.min(slots);
    }
}

/// Where a part is built.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// On the objects of calls, which are the first of its own.
    Objects,
    /// At a link that nothing has read.
    Link { slot: SlotId, nulls: u32, class: ClassId },
    /// At the places of another part from a number on: its factors are the last of that part.
    Rest { of: usize, from: usize },
}

/// A part of a value: a factor with a choice.
pub(super) struct Part {
    pub(super) choices: Rc<Choices>,
    pub(super) choice: usize,
    /// The number of factors of its choice.
    pub(super) factors: usize,
    /// Whether its values are wholes, of which `choice` is one.
    pub(super) is_whole: bool,
    pub(super) place: Place,
    /// The part whose second factor follows when this one and all that it is made of are built.
    pub(super) continued: Option<usize>,
    /// The number of slots before this part.
    pub(super) slots: usize,
    /// Where its objects begin in those of the cursor, where those begin that it has taken, and where they end.
    pub(super) objects: usize,
    pub(super) taken: usize,
    pub(super) end: usize,
}

impl Part {
    pub(super) fn choice(&self) -> &Choice {
        &self.choices.list[self.choice]
    }

    /// Returns what its choice decides about its objects.
    pub(super) fn assembly(&self) -> &Assembly {
        self.choice().assembly().expect("[korat internal bug] a part is not built")
    }

    /// Returns its values, if `choice` is one of them.
    pub(super) fn wholes(&self) -> Option<&Wholes> {
        self.choices.wholes.get().filter(|_| self.is_whole)
    }

    /// Returns the classes of the objects that it has taken as those of its choice.
    pub(super) fn fresh(&self) -> &[ClassId] {
        match self.wholes() {
            Some(wholes) => &wholes.fresh,
            None => &self.assembly().completion.production.fresh,
        }
    }

    /// Returns the number of its choices.
    pub(super) fn choices(&self) -> usize {
        self.wholes().map_or(self.choices.list.len(), Wholes::len)
    }

    /// Returns whether the choice leaves nothing open.
    pub(super) fn is_leaf(&self) -> bool {
        self.factors == 0
    }
}

/// A value, its parts in the order of building.
#[derive(Default)]
pub(crate) struct Cursor {
    pub(super) parts: Vec<Part>,
    /// The objects of the parts: those that it is built on, then those that it has taken.
    pub(super) objects: Vec<Placed>,
    pub(super) value: BuiltValue,
    pub(super) at: Option<At>,
}

/// Where a cursor stands.
pub(super) struct At {
    /// Whether the predicate accepts the value, and its usage.
    pub(super) accepted: bool,
    pub(super) usage: Usage,
    /// The number of an earlier value among those of the usage, and how many came since. Adding one to a word is cheaper.
    pub(super) number: Natural,
    pub(super) since: u64,
}

impl Cursor {
    pub(super) fn built(&self) -> &BuiltValue {
        &self.value
    }

    /// Goes to the next whole of the last part, which has as many objects of each class. Returns false if there is none.
    #[inline]
    pub(super) fn next_whole(&mut self) -> bool {
        let Cursor { parts, objects, value, .. } = self;
        let Some(part) = parts.last_mut() else { return false };
        let next = part.choice + 1;
        let Some(wholes) = part.wholes().filter(|wholes| next < wholes.len()) else { return false };
        for (position, index) in wholes.changes(next, &objects[part.objects..]) {
            let at = part.slots + position;
            value.slots[at].1 = index;
            value.changed.push(at);
        }
        part.choice = next;
        true
    }

    /// Returns the classes of some of its objects.
    pub(super) fn classes(&self, shape: &Shape, objects: Range<usize>) -> Vec<ClassId> {
        self.objects[objects].iter().map(|object| object.class(shape)).collect()
    }

    /// Takes back what the last part has assigned.
    #[inline]
    pub(super) fn undo(&mut self) {
        let Cursor { parts, objects, value, .. } = self;
        if let Some(part) = parts.last() {
            value.truncate(part.slots);
            objects.truncate(part.taken);
            match part.place {
                Place::Objects => {
                    for class in part.fresh() {
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
    pub(super) fn next_plain(&mut self) -> bool {
        let Some(part) = self.parts.last() else { return false };
        match part.place {
            Place::Objects if part.is_whole => false,
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
    pub(super) fn choose_plain(&mut self, mut number: Natural) {
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
pub(super) fn take(class: ClassId, shape: &Shape, objects: &mut Vec<Placed>, value: &mut BuiltValue) -> Placed {
    let reached = &mut value.reached[class.index()];
    let object = Placed::at(shape, shape.object(class, *reached));
    *reached += 1;
    objects.push(object);
    object
}
