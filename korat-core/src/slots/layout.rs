//! The shape of the bounded heap: classes, objects, fields, slots. The heap builds it once, and it does not change
//! during a search; reusing a heap may replace the values of fields, and a repair may add some.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::domain::AnyDomain;
use super::kinds::Index;
use super::unordered::SlotMembership;
use crate::memory::pages;
use crate::memory::prefetch::PrefetchRow;
use crate::model::ids::{AllocId, ClassId, DeclaredId, FieldId, ObjectId, SlotId, to_u32};
use crate::slots::kinds::{Edge, Reference, SlotKind};
use crate::slots::unordered::{ObjectCount, UnorderedVector};

/// All tables of one bounded heap.
#[derive(Default)]
pub(crate) struct Layout {
    pub(crate) classes: Vec<ClassInfo>,
    pub(crate) fields: Vec<FieldInfo>,
    /// The fields as classes declare them, in order of declaration.
    pub(crate) declared: Vec<DeclaredField>,
    pub(crate) objects: Vec<ObjectInfo>,
    pub(crate) slots: Vec<SlotInfo>,
    /// Vectors whose elements have no order of their own: arenas and sets.
    pub(crate) unordered_vectors: Vec<UnorderedVector>,
    /// For each slot, its place in these vectors; empty if there are none.
    memberships: Vec<PackedMembership>,
    /// Lengths of vectors whose elements own objects, in the order of their fields.
    pub(crate) object_counts: Vec<ObjectCount>,
    /// The number of groups of names.
    pub(crate) name_groups: u32,
    /// Whether objects have slots that a value may lack: elements beyond a length, fields of another variant.
    pub(crate) has_optional_slots: bool,
    /// Whether some reference does not own its object, so that an object can be reached without being kept alive.
    pub(crate) has_weak: bool,
    /// Whether some reference shares its object with others.
    pub(crate) has_shared: bool,
    /// Whether some reference is a raw pointer, so that a boxed object can be reached before the box that owns it.
    pub(crate) has_raw: bool,
    /// Whether an invalid value may do what no candidate does: run a destructor of the user's, or wait for a lock.
    pub(crate) has_side_effects: bool,
    /// Whether a field keeps values from being [patched](crate::class::patch).
    pub(crate) is_rebuilt: bool,
    /// Whether some values may mean something on their own thread alone, or share something that only one thread may use.
    pub(crate) stays_on_thread: bool,
    /// The scope, if the values of skipped fields, which are in no domain, were made from it.
    pub(crate) scope: Option<usize>,
    /// Whether some owning reference can be set later, so that values may contain cycles that nothing frees.
    pub(crate) may_cycle: bool,
}

/// A class and its objects.
pub(crate) struct ClassInfo {
    pub(crate) name: &'static str,
    /// The first object; the objects are `first_object..first_object + count`.
    pub(crate) first_object: ObjectId,
    pub(crate) count: u32,
    /// The objects as a predicate sees them, and what is kept for each elsewhere; for prefetching.
    pub(crate) rows: [PrefetchRow; 2],
}

/// The field name of the slot that selects an object's variant.
pub(crate) const VARIANT: &str = "(variant)";

/// A field that a class declares, with everything in it.
pub(crate) struct DeclaredField {
    /// The class whose objects have the field.
    pub(crate) class: ClassId,
    /// The name in the source, with `[..]` for any element. For a field of a class held by value, the name starts with
    /// that of the field that holds it.
    pub(crate) name: String,
    /// The names under which users know the field, such as `Node.key`: by its class, and by each field that holds that class by value.
    pub(crate) known_as: Vec<String>,
}

/// A field of a class; an element or the length of a vector is a field of its own.
pub(crate) struct FieldInfo {
    pub(crate) class: ClassId,
    /// The declared field that it belongs to.
    pub(crate) declared: DeclaredId,
    /// The name in the source, with `[i]` for an element and `.len()` for a length. A field that stands for all
    /// elements of a vector has the name of the first.
    pub(crate) name: String,
    /// The slots of those elements, if the field stands for all of them.
    pub(crate) elements: Option<ElementSlots>,
    pub(crate) kind: SlotKind,
    /// Whether its value determines which other slots exist: a length, a variant.
    pub(crate) is_shape: bool,
    /// Whether its value selects the variant, and so the fields, or the keys of an ordered map, and so their values.
    pub(crate) is_variant: bool,
    /// Set if its value says whether a map or set has a key.
    pub(crate) key: Option<KeyNames>,
    /// The slots whose existence its value determines.
    pub(crate) inside: DependentSlots,
    /// Whether it lies in something that is written as a whole, so that its referent cannot be moved out.
    pub(crate) is_bound: bool,
    /// The list of values, if it holds plain ones; for messages, and to compare domains.
    pub(crate) domain: Option<&'static dyn AnyDomain>,
}

/// What follows the name of a map or set in the names of two fields.
pub(crate) struct KeyNames {
    /// In that of the key: `.contains_key(7)`.
    pub(crate) presence: String,
    /// In that of its value: `[7]`.
    pub(crate) value: String,
}

/// The slots whose existence a length or a variant determines, right after its own slot; not recorded if they contain
/// nothing beyond the declared field itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DependentSlots {
    /// The number of these slots.
    pub(crate) slots: u32,
    /// The number of slots per element of a vector; zero if it differs between elements.
    pub(crate) each: u32,
}

/// The elements of a vector that share a field: each has one slot of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementSlots {
    /// The offset of the first element's `[0]` in the field's name.
    pub(crate) name_at: u32,
    /// The first slot of the first element, relative to the first slot of the object.
    pub(crate) first: u32,
    /// The number of slots per element.
    pub(crate) slots: u32,
}

impl FieldInfo {
    /// Formats the value at an index; empty for a reference.
    pub(crate) fn show(&self, index: u32) -> String {
        self.domain.map_or_else(String::new, |domain| domain.show(index))
    }
}

/// A [`SlotMembership`] as stored for every slot, with `NOWHERE` for `None`.
#[derive(Clone, Copy)]
struct PackedMembership {
    arena: u32,
    position: u32,
    set: u32,
    index_of: u32,
}

/// The number of no sequence.
const NOWHERE: u32 = u32::MAX;

impl Default for PackedMembership {
    fn default() -> Self {
        PackedMembership { arena: NOWHERE, position: NOWHERE, set: NOWHERE, index_of: NOWHERE }
    }
}

impl PackedMembership {
    #[inline]
    fn membership(&self) -> SlotMembership {
        let sequence = |number: u32| (number != NOWHERE).then_some(number);
        SlotMembership {
            element: sequence(self.arena).map(|arena| (arena, self.position)),
            member: sequence(self.set),
            index_of: sequence(self.index_of),
        }
    }
}

/// An object and its slots.
pub(crate) struct ObjectInfo {
    pub(crate) class: ClassId,
    /// The first slot; the slots are `first_slot..first_slot + slots`.
    pub(crate) first_slot: SlotId,
    pub(crate) slots: u32,
}

/// The object and the field of a slot.
#[derive(Clone, Copy)]
pub(crate) struct SlotInfo {
    pub(crate) object: ObjectId,
    pub(crate) field: FieldId,
}

impl Layout {
    /// Computes the place of every slot in vectors without an order. Called once all objects exist.
    pub(crate) fn compute_memberships(&mut self) {
        if self.unordered_vectors.is_empty() {
            return;
        }
        let mut places = pages::filled(PackedMembership::default(), self.slots.len());
        for (number, sequence) in self.unordered_vectors.iter().enumerate() {
            let is_plain_set = sequence.is_plain_set();
            for (position, slots) in sequence.columns().flat_map(|elements| elements.iter().enumerate()) {
                for slot in slots.clone() {
                    let place = &mut places[slot as usize];
                    if sequence.role.arena && place.arena == NOWHERE {
                        (place.arena, place.position) = (to_u32(number), to_u32(position));
                    }
                    if is_plain_set {
                        place.set = to_u32(number);
                    }
                }
            }
        }
        let mut first_of: FxHashMap<FieldId, Option<usize>> = FxHashMap::default();
        for (slot, info) in self.slots.iter().enumerate() {
            let SlotKind::Index(index) = self.fields[info.field.index()].kind else { continue };
            // Prefers the arena of the object itself, then the only one. Sequences are sorted by object.
            let is_arena = |number: &usize| self.unordered_vectors[*number].len_field == index.arena;
            let begin = self.unordered_vectors.partition_point(|sequence| sequence.object < info.object);
            let is_own = |number: &usize| self.unordered_vectors[*number].object == info.object;
            let own = (begin..self.unordered_vectors.len()).take_while(is_own).find(is_arena);
            let only =
                || *first_of.entry(index.arena).or_insert_with(|| (0..self.unordered_vectors.len()).find(is_arena));
            places[slot].index_of = own.or_else(only).map_or(NOWHERE, to_u32);
        }
        self.memberships = places;
    }

    /// Returns the arena that every index of a kind leads into, if there is only one.
    pub(crate) fn only_arena(&self, index: Index) -> Option<u32> {
        let is_arena = |number: &usize| self.unordered_vectors[*number].len_field == index.arena;
        let mut arenas = (0..self.unordered_vectors.len()).filter(is_arena);
        let first = arenas.next()?;
        arenas.next().is_none().then(|| to_u32(first))
    }

    /// Returns the elements of an arena, and what is kept for each elsewhere: elements that are objects of one class
    /// are mostly its first objects.
    pub(crate) fn rows_of_arena(&self, arena: u32) -> [PrefetchRow; 2] {
        let UnorderedVector { row, elements, .. } = &self.unordered_vectors[arena as usize];
        let kind = elements.first().filter(|slots| !slots.is_empty()).map(|slots| self.kind(SlotId(slots.start)));
        match kind {
            Some(SlotKind::Reference(to)) if to.edge == Edge::Part => [*row, self.classes[to.target.index()].rows[1]],
            _ => [*row, PrefetchRow::NONE],
        }
    }

    /// Returns the field of a slot.
    #[inline]
    pub(crate) fn field(&self, slot: SlotId) -> &FieldInfo {
        &self.fields[self.slots[slot.index()].field.index()]
    }

    /// Returns the name of a slot's field, with the number of its element.
    pub(crate) fn field_name(&self, slot: SlotId) -> Cow<'_, str> {
        let SlotInfo { object, field } = self.slots[slot.index()];
        let FieldInfo { name, elements, .. } = &self.fields[field.index()];
        let Some(ElementSlots { name_at, first, slots }) = elements else { return Cow::Borrowed(name) };
        let element = (slot.0 - self.objects[object.index()].first_slot.0 - first) / slots;
        let (vector, part) = name.split_at(*name_at as usize);
        let part = part.strip_prefix("[0]").expect("[korat internal bug] an element's name has its number");
        Cow::Owned(format!("{vector}[{element}]{part}"))
    }

    /// Returns the name of the map or set of a slot that says whether a key is present, and that of the key's value.
    pub(crate) fn keyed(&self, slot: SlotId) -> Option<(String, String)> {
        let KeyNames { presence, value } = self.field(slot).key.as_ref()?;
        let whole = self.field_name(slot).strip_suffix(presence.as_str())?.to_string();
        let value = format!("{whole}{value}");
        Some((whole, value))
    }

    /// Returns the field of a slot as `Class.field`, with `[..]` for any element.
    pub(crate) fn path(&self, slot: SlotId) -> String {
        let FieldInfo { class, name, .. } = self.field(slot);
        with_any_index(&format!("{}.{name}", self.classes[class.index()].name))
    }

    /// Returns the declared field of a slot.
    pub(crate) fn declared(&self, slot: SlotId) -> DeclaredId {
        self.field(slot).declared
    }

    /// Returns the name of a declared field: `Node.key`.
    pub(crate) fn declared_name(&self, field: DeclaredId) -> String {
        let DeclaredField { class, name, .. } = &self.declared[field.index()];
        format!("{}.{name}", self.classes[class.index()].name)
    }

    /// Returns the place of a slot in vectors without an order.
    #[inline]
    pub(crate) fn membership(&self, slot: SlotId) -> SlotMembership {
        self.memberships.get(slot.index()).map_or_else(SlotMembership::default, PackedMembership::membership)
    }

    /// Returns the kind of a slot.
    #[inline]
    pub(crate) fn kind(&self, slot: SlotId) -> SlotKind {
        self.field(slot).kind
    }

    /// Returns whether a slot holds its object by value.
    pub(crate) fn is_part(&self, slot: SlotId) -> bool {
        matches!(self.kind(slot), SlotKind::Reference(reference) if reference.edge == Edge::Part)
    }

    /// Returns whether a slot owns its object in such a way that the object cannot be moved out.
    pub(crate) fn is_bound(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        match field.kind {
            SlotKind::Reference(reference) => field.is_bound || (reference.edge == Edge::Owned && reference.nulls == 0),
            SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => false,
        }
    }

    /// Returns whether objects of one class may be allocated in several ways, or be bound to their owners.
    pub(crate) fn has_allocation_constraints(&self) -> bool {
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

    /// Returns, for each declared field, whether it contains references that are written only as a part of a whole.
    pub(crate) fn bound_fields(&self) -> Vec<bool> {
        let mut bound = vec![false; self.declared.len()];
        for field in &self.fields {
            bound[field.declared.index()] |= field.is_bound && matches!(field.kind, SlotKind::Reference(_));
        }
        bound
    }

    /// Returns whether a slot's index neither leads to an object nor determines which other slots exist.
    pub(crate) fn is_leaf(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        match field.kind {
            SlotKind::Reference(_) => false,
            SlotKind::Index(_) | SlotKind::Name(_) => true,
            SlotKind::Value { .. } => !field.is_shape,
        }
    }

    /// Returns whether a slot selects the variant: changing it removes the fields of the current variant with their contents.
    pub(crate) fn is_variant(&self, slot: SlotId) -> bool {
        self.field(slot).is_variant
    }

    /// Returns whether a slot is the length of a vector.
    pub(crate) fn is_length(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        field.is_shape && !field.is_variant && field.key.is_none()
    }

    /// Returns whether a slot decides how many elements or entries there are: a length, or whether a key is present.
    pub(crate) fn counts_elements(&self, slot: SlotId) -> bool {
        let field = self.field(slot);
        field.is_shape && !field.is_variant
    }

    /// Returns whether two slots are elements of the same vector, or the same part of two elements.
    pub(crate) fn are_elements(&self, slot: SlotId, other: SlotId) -> bool {
        let [one, two] = [slot, other].map(|slot| &self.slots[slot.index()]);
        one.object == two.object && one.field == two.field && self.fields[one.field.index()].elements.is_some()
    }

    /// Returns whether a slot is the length of a vector whose elements are objects.
    pub(crate) fn counts_objects(&self, slot: SlotId) -> bool {
        let field = self.slots[slot.index()].field;
        let at = self.object_counts.binary_search_by_key(&field, |count| count.len_field);
        at.is_ok_and(|at| self.object_counts[at].is_of_objects)
    }

    /// Returns the object with this ordinal among those that a reference can hold.
    pub(crate) fn object_of(&self, reference: Reference, ordinal: u32) -> ObjectId {
        ObjectId(self.classes[reference.target.index()].first_object.0 + ordinal)
    }

    /// Returns the slots of an object, in order.
    pub(crate) fn slots_of(&self, object: ObjectId) -> impl Iterator<Item = SlotId> + use<> {
        let info = &self.objects[object.index()];
        (info.first_slot.0..info.first_slot.0 + info.slots).map(SlotId)
    }
}

/// Replaces every index and key in a text by `[..]`.
pub(crate) fn with_any_index(text: &str) -> String {
    let (mut depth, mut general) = (0, String::new());
    for c in text.chars() {
        if c == ']' && depth > 0 {
            depth -= 1;
        }
        if depth == 0 {
            general.push(c);
        }
        if c == '[' {
            if depth == 0 {
                general.push_str("..");
            }
            depth += 1;
        }
    }
    general
}
