//! The shape of the bounded heap: classes, objects, fields, slots. Built once by the heap; the values of
//! fields may be others when a heap is taken up again, and nothing changes during a search.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use ahash::AHashMap;

use crate::ahead::Row;
use crate::domain::AnyDomain;
use crate::ids::{AllocId, ClassId, DeclaredId, FieldId, ObjectId, SlotId, small};
use crate::pages;
use crate::slot::Eraser;

/// All tables of one bounded heap.
#[derive(Default)]
pub(crate) struct Layout {
    pub(crate) classes: Vec<ClassInfo>,
    pub(crate) fields: Vec<FieldInfo>,
    /// The fields as classes declare them, in that order.
    pub(crate) declared: Vec<DeclaredField>,
    pub(crate) objects: Vec<ObjectInfo>,
    pub(crate) slots: Vec<SlotInfo>,
    /// Vectors whose elements have no order of their own: arenas and sets.
    pub(crate) sequences: Vec<Sequence>,
    /// Per slot, what it is to these; empty if there are none.
    places: Vec<Packed>,
    /// Lengths that are numbers of objects, in the order of their slots.
    pub(crate) object_counts: Vec<ObjectCount>,
    /// How many groups of names there are.
    pub(crate) name_groups: u32,
    /// Whether objects have slots that their value may do without: elements beyond the length of a vector, fields of a variant
    /// that an enum does not have.
    pub(crate) has_optional_slots: bool,
    /// Whether some reference does not own what it points to, so that an object can be reached and still not be held.
    pub(crate) has_weak: bool,
    /// Whether some reference shares its object with others.
    pub(crate) has_shared: bool,
    /// Whether some reference is a raw pointer, so that a boxed object can be reached before the box that owns it.
    pub(crate) has_raw: bool,
    /// Whether an invalid value may do more than a candidate shows: it has a destructor of the user's, which may rely on the invariant, or
    /// a lock, for which a predicate may wait forever.
    pub(crate) acts_unseen: bool,
    /// The scope, if values that are in no domain were made of it.
    pub(crate) scope: Option<usize>,
    /// Whether some owning reference can be set later, so that values may hold cycles that nothing frees.
    pub(crate) may_cycle: bool,
}

pub(crate) struct ClassInfo {
    pub(crate) name: &'static str,
    /// The class's objects are `first_object..first_object + count`.
    pub(crate) first_object: ObjectId,
    pub(crate) count: u32,
    /// The objects, as a predicate sees them, and what is kept for each elsewhere.
    pub(crate) rows: [Row; 2],
}

/// The name of the slot that says which variant an object has.
pub(crate) const VARIANT: &str = "(variant)";

/// A field that a class declares, with everything that lies in it.
pub(crate) struct DeclaredField {
    /// The class whose objects have it.
    pub(crate) class: ClassId,
    /// As the user wrote it, with `[..]` for any element; a field of a class held by value begins with the name of the field
    /// that holds it.
    pub(crate) name: String,
    /// Under which names users know it, `Node.key`: that of its own class, and those of the fields that hold that by value.
    pub(crate) known_as: Vec<String>,
}

pub(crate) struct FieldInfo {
    pub(crate) class: ClassId,
    /// The field that the class declares.
    pub(crate) declared: DeclaredId,
    /// As the user wrote it, with `[i]` for an element and `.len()` for a length. If one field stands for all elements of a vector
    /// it has the name of the first.
    pub(crate) name: String,
    /// Where those lie.
    pub(crate) elements: Option<Elements>,
    pub(crate) kind: SlotKind,
    /// Whether its value says which other slots there are: a length, a variant.
    pub(crate) is_shape: bool,
    /// Whether it says which variant there is, and so which fields.
    pub(crate) is_variant: bool,
    /// Where the slots lie that there are or are not, by its value.
    pub(crate) inside: Inside,
    /// Whether it lies in something that is written as a whole, so that what it refers to cannot be taken out of it.
    pub(crate) is_bound: bool,
    /// The values, if it holds plain ones; for messages, and to tell domains apart.
    pub(crate) domain: Option<&'static dyn AnyDomain>,
}

/// The slots that a shape decides about, right after its own; none if they hold nothing but what the declared field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inside {
    pub(crate) slots: u32,
    /// How many of them each element of a vector has; zero if not all have as many.
    pub(crate) each: u32,
}

/// The elements of a vector that have a field in common: each has one slot of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elements {
    /// Where in the field's name the `[0]` of the first element stands.
    pub(crate) name_at: u32,
    /// Where the slots of the first element begin, counted from the first slot of the object.
    pub(crate) first: u32,
    /// How many slots each element has.
    pub(crate) slots: u32,
}

impl FieldInfo {
    /// The value at an index, printed; nothing for a reference.
    pub(crate) fn show(&self, index: u32) -> String {
        self.domain.map_or_else(String::new, |domain| domain.show(index))
    }
}

/// What the slots of a field range over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// `0..len` of the field's list of values.
    Value { len: u32 },
    /// Nulls, then the objects of `target` in order.
    Reference(Reference),
    /// Nulls, then the positions of an arena.
    Index(Index),
    /// Nulls, then values of which only equality matters.
    Name(Name),
}

/// An index that stands for an element of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Index {
    /// How many of the first values stand for no element.
    pub(crate) nulls: u32,
    /// The field of the arena's length.
    pub(crate) arena: FieldId,
}

/// A value that stands for nothing but itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) nulls: u32,
    pub(crate) len: u32,
    /// Names of one group are compared with each other.
    pub(crate) group: u32,
}

/// A vector whose elements have no order of their own.
pub(crate) struct Sequence {
    pub(crate) len_field: FieldId,
    pub(crate) object: ObjectId,
    pub(crate) len_slot: SlotId,
    /// The handle on that slot.
    pub(crate) len: Eraser,
    /// The length that each index of that slot stands for.
    pub(crate) lens: Rc<[u32]>,
    /// The slots of each element.
    pub(crate) elements: Vec<Range<u32>>,
    /// Of each vector that lies beside it, the slots that belong to each element. They have the same length slot.
    pub(crate) beside: Vec<Vec<Range<u32>>>,
    /// The elements, as a predicate sees them.
    pub(crate) row: Row,
    pub(crate) role: Role,
}

/// The length of vectors each of whose elements is an object.
pub(crate) struct ObjectCount {
    pub(crate) len_slot: SlotId,
    /// How many such vectors have this length: those beside each other have one.
    pub(crate) vectors: usize,
    /// The length that each index of the slot stands for.
    pub(crate) lens: &'static [usize],
}

/// What a vector is that has no order of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role {
    /// Indices stand for its elements.
    pub(crate) arena: bool,
    /// It is a set.
    pub(crate) set: bool,
}

impl Sequence {
    /// Per vector, that of the sequence itself first, the slots of each element.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &Vec<Range<u32>>> {
        std::iter::once(&self.elements).chain(&self.beside)
    }

    /// The element that a slot is a part of.
    pub(crate) fn position_of(&self, slot: SlotId) -> Option<usize> {
        self.columns().find_map(|elements| {
            let at = elements.partition_point(|slots| slots.end <= slot.0);
            elements.get(at).filter(|slots| slots.contains(&slot.0)).map(|_| at)
        })
    }

    /// Whether its members have one order in the search itself: a set of single slots that nothing else depends on.
    pub(crate) fn is_plain_set(&self) -> bool {
        self.role.set
            && !self.role.arena
            && self.beside.is_empty()
            && self.elements.iter().all(|slots| slots.len() == 1)
    }
}

/// What a slot is to vectors without an order, by their position in `Layout::sequences`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// It is a part of this element of an arena.
    pub(crate) element: Option<(u32, u32)>,
    /// It is an element of this set.
    pub(crate) member: Option<u32>,
    /// It is an index into this arena.
    pub(crate) index_of: Option<u32>,
}

/// The same, as it is kept for every slot.
#[derive(Clone, Copy)]
struct Packed {
    arena: u32,
    position: u32,
    set: u32,
    index_of: u32,
}

/// No sequence.
const NOWHERE: u32 = u32::MAX;

impl Default for Packed {
    fn default() -> Self {
        Packed { arena: NOWHERE, position: NOWHERE, set: NOWHERE, index_of: NOWHERE }
    }
}

impl Packed {
    #[inline]
    fn place(&self) -> Place {
        let sequence = |number: u32| (number != NOWHERE).then_some(number);
        Place {
            element: sequence(self.arena).map(|arena| (arena, self.position)),
            member: sequence(self.set),
            index_of: sequence(self.index_of),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) target: ClassId,
    /// How many of the first indices stand for no object: `None`, a dangling `Weak`.
    pub(crate) nulls: u32,
    pub(crate) edge: Edge,
    /// Whether the reference, or what it points to, can be changed after it was made (interior mutability): such a
    /// reference may close a cycle.
    pub(crate) settable: bool,
    pub(crate) alloc: AllocId,
}

/// What a reference does with the object it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// By value, in a vector or a map: the object is a part of its holder, and of nothing else.
    Part,
    /// `Box`: the only owner.
    Owned,
    /// `Rc`: one of several owners.
    Shared,
    /// `Weak`: does not keep its object alive.
    Weak,
    /// A raw pointer: owns nothing, and what it leads to is there all the same. Freeing it is the structure's own task.
    Raw,
}

impl Edge {
    /// Whether dropping the holder takes part in dropping the object.
    pub(crate) fn owns(self) -> bool {
        match self {
            Edge::Part | Edge::Owned | Edge::Shared => true,
            Edge::Weak | Edge::Raw => false,
        }
    }
}

impl Reference {
    /// The object that an index stands for, or `None` for null.
    #[inline]
    pub(crate) fn object(self, index: u32) -> Option<u32> {
        index.checked_sub(self.nulls)
    }
}

pub(crate) struct ObjectInfo {
    pub(crate) class: ClassId,
    /// The object's slots are `first_slot..first_slot + slots`.
    pub(crate) first_slot: SlotId,
    pub(crate) slots: u32,
}

#[derive(Clone, Copy)]
pub(crate) struct SlotInfo {
    pub(crate) object: ObjectId,
    pub(crate) field: FieldId,
}

impl Layout {
    /// Finds out what every slot is to vectors without an order, once all objects are made.
    pub(crate) fn settle_places(&mut self) {
        if self.sequences.is_empty() {
            return;
        }
        let mut places = pages::filled(Packed::default(), self.slots.len());
        for (number, sequence) in self.sequences.iter().enumerate() {
            let is_plain_set = sequence.is_plain_set();
            for (position, slots) in sequence.columns().flat_map(|elements| elements.iter().enumerate()) {
                for slot in slots.clone() {
                    let place = &mut places[slot as usize];
                    if sequence.role.arena && place.arena == NOWHERE {
                        (place.arena, place.position) = (small(number), small(position));
                    }
                    if is_plain_set {
                        place.set = small(number);
                    }
                }
            }
        }
        let mut first_of: AHashMap<FieldId, Option<usize>> = AHashMap::new();
        for (slot, info) in self.slots.iter().enumerate() {
            let SlotKind::Index(index) = self.fields[info.field.index()].kind else { continue };
            // The arena of the object itself, or the only one. Vectors are in the order of their objects.
            let is_arena = |number: &usize| self.sequences[*number].len_field == index.arena;
            let begin = self.sequences.partition_point(|sequence| sequence.object < info.object);
            let is_own = |number: &usize| self.sequences[*number].object == info.object;
            let own = (begin..self.sequences.len()).take_while(is_own).find(is_arena);
            let only = || *first_of.entry(index.arena).or_insert_with(|| (0..self.sequences.len()).find(is_arena));
            places[slot].index_of = own.or_else(only).map_or(NOWHERE, small);
        }
        self.places = places;
    }

    /// The arena that every index of a kind leads into, if it is the same one for all of them.
    pub(crate) fn only_arena(&self, index: Index) -> Option<u32> {
        let is_arena = |number: &usize| self.sequences[*number].len_field == index.arena;
        let mut arenas = (0..self.sequences.len()).filter(is_arena);
        let first = arenas.next()?;
        arenas.next().is_none().then(|| small(first))
    }

    /// The elements of an arena, and what is kept for each: if they are objects of one class, they are mostly its first ones.
    pub(crate) fn rows_of_arena(&self, arena: u32) -> [Row; 2] {
        let Sequence { row, elements, .. } = &self.sequences[arena as usize];
        let kind = elements.first().filter(|slots| !slots.is_empty()).map(|slots| self.kind(SlotId(slots.start)));
        match kind {
            Some(SlotKind::Reference(to)) if to.edge == Edge::Part => [*row, self.classes[to.target.index()].rows[1]],
            _ => [*row, Row::NONE],
        }
    }

    /// The field of a slot.
    #[inline]
    pub(crate) fn field(&self, slot: SlotId) -> &FieldInfo {
        &self.fields[self.slots[slot.index()].field.index()]
    }

    /// The name of a slot's field in its object.
    pub(crate) fn field_name(&self, slot: SlotId) -> Cow<'_, str> {
        let SlotInfo { object, field } = self.slots[slot.index()];
        let FieldInfo { name, elements, .. } = &self.fields[field.index()];
        let Some(Elements { name_at, first, slots }) = elements else { return Cow::Borrowed(name) };
        let element = (slot.0 - self.objects[object.index()].first_slot.0 - first) / slots;
        let (vector, part) = name.split_at(*name_at as usize);
        let part = part.strip_prefix("[0]").expect("[korat internal bug] an element's name has its number");
        Cow::Owned(format!("{vector}[{element}]{part}"))
    }

    /// The declared field of a slot.
    pub(crate) fn declared(&self, slot: SlotId) -> DeclaredId {
        self.field(slot).declared
    }

    /// The name of a declared field: `Node.key`.
    pub(crate) fn declared_name(&self, field: DeclaredId) -> String {
        let DeclaredField { class, name, .. } = &self.declared[field.index()];
        format!("{}.{name}", self.classes[class.index()].name)
    }

    /// What the slot is to vectors without an order.
    #[inline]
    pub(crate) fn place(&self, slot: SlotId) -> Place {
        self.places.get(slot.index()).map_or_else(Place::default, Packed::place)
    }

    #[inline]
    pub(crate) fn kind(&self, slot: SlotId) -> SlotKind {
        self.field(slot).kind
    }

    /// Whether a slot says which object lies in its holder.
    pub(crate) fn is_part(&self, slot: SlotId) -> bool {
        matches!(self.kind(slot), SlotKind::Reference(reference) if reference.edge == Edge::Part)
    }

    /// Whether a slot owns its object in a way that it cannot be taken out of it.
    pub(crate) fn is_bound(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        match field.kind {
            SlotKind::Reference(reference) => field.is_bound || (reference.edge == Edge::Owned && reference.nulls == 0),
            SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => false,
        }
    }

    /// Whether objects of a class may be allocated in several ways, or be bound to their owners.
    pub(crate) fn has_ways(&self) -> bool {
        let mut allocs: Vec<Option<AllocId>> = vec![None; self.classes.len()];
        self.fields.iter().any(|field| match field.kind {
            SlotKind::Reference(reference) => {
                let is_other = *allocs[reference.target.index()].get_or_insert(reference.alloc) != reference.alloc;
                let is_bound = reference.edge == Edge::Owned && reference.nulls == 0;
                is_other || is_bound || (field.is_bound && reference.edge != Edge::Part)
            }
            SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => false,
        })
    }

    /// The declared fields that hold such slots.
    pub(crate) fn bound_fields(&self) -> Vec<bool> {
        let mut bound = vec![false; self.declared.len()];
        for field in &self.fields {
            bound[field.declared.index()] |= field.is_bound && matches!(field.kind, SlotKind::Reference(_));
        }
        bound
    }

    /// Whether the index of a slot neither leads to an object nor says which other slots there are.
    pub(crate) fn leads_nowhere(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        match field.kind {
            SlotKind::Reference(_) => false,
            SlotKind::Index(_) | SlotKind::Name(_) => true,
            SlotKind::Value { .. } => !field.is_shape,
        }
    }

    /// Whether a slot says which variant there is: another one does without the fields of this one, and what they hold.
    pub(crate) fn is_variant(&self, slot: SlotId) -> bool {
        self.field(slot).is_variant
    }

    /// Whether a slot is the length of a vector.
    pub(crate) fn is_length(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        field.is_shape && !field.is_variant
    }

    /// Whether two slots are elements of one vector, or lie in the same place of them.
    pub(crate) fn are_elements(&self, slot: SlotId, other: SlotId) -> bool {
        let [one, two] = [slot, other].map(|slot| &self.slots[slot.index()]);
        one.object == two.object && one.field == two.field && self.fields[one.field.index()].elements.is_some()
    }

    /// Whether a slot is the length of a vector whose elements are objects.
    pub(crate) fn counts_objects(&self, slot: SlotId) -> bool {
        self.object_counts.binary_search_by_key(&slot, |count| count.len_slot).is_ok()
    }

    pub(crate) fn object_of(&self, reference: Reference, ordinal: u32) -> ObjectId {
        ObjectId(self.classes[reference.target.index()].first_object.0 + ordinal)
    }

    pub(crate) fn slots_of(&self, object: ObjectId) -> impl Iterator<Item = SlotId> + use<> {
        let info = &self.objects[object.index()];
        (info.first_slot.0..info.first_slot.0 + info.slots).map(SlotId)
    }
}
