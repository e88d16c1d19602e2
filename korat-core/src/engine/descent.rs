//! Descents: every choice goes through the indices that its rule allows in an order of its client's, at random or nearest to a
//! given assignment first. Gives indices to `prefix`, which makes the choices; every candidate runs from the top.

use super::choice_stack::{Engine, Refusal};
use crate::engine::stop::Stop;
use crate::model::ids::{FieldId, ObjectId, SlotId};
use crate::slots::kinds::SlotKind;
use crate::slots::layout::Layout;
use crate::slots::slot::UNASSIGNED;

/// The order in which a descent tries the indices of a choice.
pub(crate) enum Preference {
    /// Any order, each with the same probability; the function returns random words.
    Random(Box<dyn FnMut() -> u64>),
    /// First what an assignment has, then the others in ascending order.
    Near(Guide),
}

/// A choice of a descent.
struct OpenChoice {
    slot: SlotId,
    /// The indices to try, the current one last.
    left: Vec<u32>,
}

/// The choices of a descent, from one candidate to the next.
pub(crate) struct Descent {
    preference: Preference,
    /// Whether a field that the predicate never reads gets only the first of its values.
    first_unread: bool,
    open: Vec<OpenChoice>,
}

impl Descent {
    pub(crate) fn new(preference: Preference, first_unread: bool) -> Self {
        Descent { preference, first_unread, open: Vec::new() }
    }

    /// Returns the index of the choice that a first read of `slot` makes.
    fn index(&mut self, engine: &Engine, slot: SlotId, field: FieldId) -> Result<u32, Refusal> {
        let depth = engine.depth();
        if depth == self.open.len() {
            let mut left = engine.allowed_indices(slot, field);
            if engine.completing && self.first_unread {
                left.truncate(1);
            }
            match &mut self.preference {
                Preference::Random(entropy) => shuffle(&mut left, entropy),
                Preference::Near(guide) => guide.order(&engine.layout, slot, &mut left),
            }
            if left.is_empty() {
                return Err(Refusal::Stop(Stop::DeadEnd));
            }
            self.open.push(OpenChoice { slot, left });
        }
        let OpenChoice { slot: expected, left } = &self.open[depth];
        let (expected, index) = (*expected, left[left.len() - 1]);
        if expected != slot {
            return Err(Refusal::Stop(Stop::NotDeterministic { expected, found: slot }));
        }
        if let Preference::Near(guide) = &mut self.preference {
            guide.note(&engine.layout, slot, index);
        }
        Ok(index)
    }

    /// Moves the last choice to its next index, dropping choices that have none left. Returns false if there is no candidate left.
    fn move_on(&mut self) -> bool {
        while let Some(OpenChoice { left, .. }) = self.open.last_mut() {
            left.pop();
            if !left.is_empty() {
                return true;
            }
            self.open.pop();
        }
        false
    }
}

/// Puts indices in an order in which each is equally likely at each place.
fn shuffle(indices: &mut [u32], entropy: &mut dyn FnMut() -> u64) {
    for last in (1..indices.len()).rev() {
        // The product is that of Lemire: its bias is below one in 2^32.
        let other = (u128::from(entropy()) * (last as u128 + 1)) >> 64;
        indices.swap(last, other as usize);
    }
}

/// What an object of a candidate stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// The candidate has not mentioned it yet.
    NotYet,
    /// An object of the guide.
    As(ObjectId),
    /// No object of the guide.
    Other,
}

/// An assignment that candidates are to be near to. It need not be a value. Since a candidate numbers its objects in the order in which
/// the predicate meets them, the guide notes which of its own objects each of them stands for.
pub(crate) struct Guide {
    /// Per slot, the index; `UNASSIGNED` if there is none.
    values: Vec<u32>,
    root: ObjectId,
    /// For each object of the candidate, what it stands for.
    met: Vec<Met>,
    /// For each object of the guide, the one that stands for it.
    stand_ins: Vec<Option<ObjectId>>,
}

impl Guide {
    pub(crate) fn new(values: Vec<u32>, layout: &Layout, root: ObjectId) -> Self {
        let objects = layout.objects.len();
        Guide { values, root, met: vec![Met::NotYet; objects], stand_ins: vec![None; objects] }
    }

    /// Forgets the objects of the last candidate.
    fn begin(&mut self) {
        self.met.fill(Met::NotYet);
        self.stand_ins.fill(None);
        self.met[self.root.index()] = Met::As(self.root);
        self.stand_ins[self.root.index()] = Some(self.root);
    }

    /// Returns the index that the guide has where the candidate has `slot`.
    fn own_index(&self, layout: &Layout, slot: SlotId) -> Option<u32> {
        let object = layout.slots[slot.index()].object;
        let Met::As(own) = self.met[object.index()] else { return None };
        let place = slot.0 - layout.objects[object.index()].first_slot.0;
        let index = self.values[(layout.objects[own.index()].first_slot.0 + place) as usize];
        (index != UNASSIGNED).then_some(index)
    }

    /// Returns the object to which an index of a slot leads.
    fn object(layout: &Layout, slot: SlotId, index: u32) -> Option<ObjectId> {
        let SlotKind::Reference(reference) = layout.kind(slot) else { return None };
        Some(layout.object_of(reference, reference.object(index)?))
    }

    /// Orders ascending indices: the one that the guide has comes last, the others before it in descending order.
    fn order(&self, layout: &Layout, slot: SlotId, indices: &mut Vec<u32>) {
        indices.reverse();
        let Some(own) = self.own_index(layout, slot) else { return };
        let wanted = match Self::object(layout, slot, own) {
            None => indices.iter().position(|index| *index == own),
            Some(target) => {
                let stand_in = self.stand_ins[target.index()];
                indices.iter().position(|index| {
                    let object = Self::object(layout, slot, *index);
                    match stand_in {
                        Some(_) => object == stand_in,
                        None => object.is_some_and(|object| self.met[object.index()] == Met::NotYet),
                    }
                })
            }
        };
        if let Some(wanted) = wanted {
            let index = indices.remove(wanted);
            indices.push(index);
        }
    }

    /// Takes note of a choice.
    fn note(&mut self, layout: &Layout, slot: SlotId, index: u32) {
        let Some(object) = Self::object(layout, slot, index) else { return };
        if self.met[object.index()] != Met::NotYet {
            return;
        }
        let own = self.own_index(layout, slot).and_then(|own| Self::object(layout, slot, own));
        self.met[object.index()] = match own {
            Some(own) if self.stand_ins[own.index()].is_none() => {
                self.stand_ins[own.index()] = Some(object);
                Met::As(own)
            }
            _ => Met::Other,
        };
    }
}

/// The indices that choices are given, instead of the first ones that their rules allow.
pub(crate) enum Given {
    Nothing,
    /// The indices of the first choices, which do not move on.
    Prefix(Vec<u32>),
    /// The indices of the first choices of the first candidate, which move on like any other. After them, `Frontier` if
    /// the search is still there, or `Nothing`.
    First {
        indices: Vec<u32>,
        at_frontier: bool,
    },
    /// Any that belong to the part that is searched.
    Frontier,
    /// Those of a descent.
    Descent(Box<Descent>),
}

impl Engine {
    /// Begins a descent.
    pub(crate) fn begin_descent(&mut self, descent: Descent) {
        assert!(self.depth() == 0, "[korat internal bug] a descent begins between searches");
        self.given = Given::Descent(Box::new(descent));
    }

    /// Returns whether a descent is under way.
    pub(crate) fn is_descending(&self) -> bool {
        matches!(self.given, Given::Descent(_))
    }

    /// Drops all choices, so that the next candidate of a descent can run from the top.
    pub(crate) fn begin_descending_run(&mut self) {
        self.set_completing(false);
        self.links.suspend_size_bound(false);
        self.truncate_choices(0);
        if let Given::Descent(descent) = &mut self.given
            && let Preference::Near(guide) = &mut descent.preference
        {
            guide.begin();
        }
    }

    /// Moves a descent on to its next candidate. Returns false if there is none.
    pub(crate) fn descend_on(&mut self) -> bool {
        match &mut self.given {
            Given::Descent(descent) => descent.move_on(),
            Given::Nothing | Given::Prefix(_) | Given::First { .. } | Given::Frontier => false,
        }
    }

    /// Ends a descent.
    pub(crate) fn end_descent(&mut self) {
        self.begin_descending_run();
        self.given = Given::Nothing;
    }

    /// Returns the index that is given to a choice of this slot, if one is.
    pub(super) fn given_index(&mut self, slot: SlotId, field: FieldId) -> Result<Option<u32>, Refusal> {
        match &self.given {
            Given::Nothing | Given::Frontier => return Ok(None),
            Given::Prefix(prefix) => return Ok(prefix.get(self.depth()).copied()),
            Given::First { indices, .. } => return Ok(indices.get(self.depth()).copied()),
            Given::Descent(_) => {}
        }
        let mut given = std::mem::replace(&mut self.given, Given::Nothing);
        let index = match &mut given {
            Given::Descent(descent) => descent.index(self, slot, field).map(Some),
            Given::Nothing | Given::Prefix(_) | Given::First { .. } | Given::Frontier => Ok(None),
        };
        self.given = given;
        index
    }

    /// Returns all indices that a slot may hold, in ascending order.
    fn allowed_indices(&self, slot: SlotId, field: FieldId) -> Vec<u32> {
        let rule = self.rules.of(field);
        if rule.is_filtered() {
            let first = self.filtered_index(slot, 0);
            return std::iter::successors(first, |index| self.filtered_index(slot, index + 1)).collect();
        }
        let span = rule.span(self.links.reached(rule.class));
        let first = Some(span.first).filter(|first| rule.has(*first, span.fresh));
        let indices = std::iter::successors(first, |index| rule.after(*index, span.fresh));
        indices.filter(|index| *index != span.fresh || self.links.has_room(rule.class)).collect()
    }
}
