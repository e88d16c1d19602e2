//! The heap of a search as summaries see it: objects that are owned by one link each, or should be, and plain slots.

use rustc_hash::FxHashMap;

use crate::class::table::AnyClass;
use crate::engine::choice_stack::Engine;
use crate::engine::rules::mixed_classes;
use crate::heap::bounded::Heap;
use crate::model::ids::{ClassId, FieldId, ObjectId, SlotId};
use crate::slots::kinds::{Edge, Reference, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::unordered::ObjectCount;

/// What a slot may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// The values `0..len` of a list.
    Values { len: u32 },
    /// The nulls, then a fresh object of a class.
    Link { nulls: u32, class: ClassId },
}

/// Which objects a slot may refer to beside a fresh one that it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// None.
    None,
    /// A `Rc` may share any object.
    Shared,
    /// A `Weak` refers only to objects that something else owns.
    Weak,
}

/// What a slot holds, whatever objects it is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Index(u32),
    /// An object with a number among those that the slot is one of.
    Object(u32),
}

impl Held {
    /// Returns a word that tells it from others.
    pub(super) fn word(self) -> u64 {
        match self {
            Held::Index(index) => u64::from(index),
            Held::Object(object) => 1 << 32 | u64::from(object),
        }
    }

    /// Returns the index of the slot, where the objects are these.
    pub(super) fn resolve(self, shape: &Shape, slot: SlotId, objects: &[ObjectId]) -> u32 {
        match (self, shape.slots[slot.index()].holds) {
            (Held::Index(index), _) => index,
            (Held::Object(object), Holds::Link { nulls, class }) => {
                nulls + objects[object as usize].0 - shape.classes[class.index()].first_object
            }
            (Held::Object(_), Holds::Values { .. }) => {
                unreachable!("[korat internal bug] a plain slot holds an object")
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct SlotShape {
    pub(super) object: ObjectId,
    field: FieldId,
    pub(super) holds: Holds,
    pub(super) others: Others,
    /// Whether its value determines which other slots exist.
    pub(super) is_shape: bool,
}

pub(super) struct ObjectShape {
    pub(super) class: ClassId,
    pub(super) first_slot: u32,
    pub(super) slots: u32,
}

pub(super) struct ClassShape {
    pub(super) first_object: u32,
    pub(super) count: u32,
    /// Whether its objects count as the size of a value.
    pub(super) is_counted: bool,
    /// Whether a `Weak` may refer to its objects.
    pub(super) has_weak: bool,
    pub(super) table: &'static dyn AnyClass,
}

/// The classes, objects and slots of a heap.
pub(super) struct Shape {
    pub(super) classes: Vec<ClassShape>,
    pub(super) objects: Vec<ObjectShape>,
    pub(super) slots: Vec<SlotShape>,
    /// For a length that counts objects: how many objects each of its indices needs.
    lengths: FxHashMap<FieldId, (usize, &'static [usize])>,
    /// The root, and the number of objects beside it.
    pub(super) root: ObjectId,
    pub(super) most: u32,
    /// Whether objects have slots that a value may lack.
    pub(super) has_optional_slots: bool,
    /// Whether some reference may lead to an object that something else owns.
    pub(super) has_shared: bool,
}

impl Shape {
    /// Returns the shape of a heap, or why it has none: something may lead into a part beside its owner.
    pub(super) fn of(heap: &Heap) -> Result<Self, String> {
        let Engine { layout, links, .. } = &heap.engine;
        if let Some(why) = obstacle(layout, links.root()) {
            return Err(why);
        }
        let holds = |field: usize| match layout.fields[field].kind {
            SlotKind::Reference(to) => Holds::Link { nulls: to.nulls, class: to.target },
            SlotKind::Value { len } => Holds::Values { len },
            SlotKind::Index(_) | SlotKind::Name(_) => unreachable!("[korat internal bug] the obstacle was not seen"),
        };
        let others = |kind: SlotKind| match kind {
            SlotKind::Reference(Reference { edge: Edge::Shared, .. }) => Others::Shared,
            SlotKind::Reference(Reference { edge: Edge::Weak, .. }) => Others::Weak,
            _ => Others::None,
        };
        let is_weak = |kind: SlotKind, class: ClassId| matches!(kind, SlotKind::Reference(Reference { edge: Edge::Weak, target, .. }) if target == class);
        let slots = layout.slots.iter().map(|info| SlotShape {
            object: info.object,
            field: info.field,
            others: others(layout.fields[info.field.index()].kind),
            holds: holds(info.field.index()),
            is_shape: layout.fields[info.field.index()].is_shape,
        });
        let objects = layout.objects.iter().map(|info| ObjectShape {
            class: info.class,
            first_slot: info.first_slot.0,
            slots: info.slots,
        });
        let classes = layout.classes.iter().enumerate().map(|(number, info)| ClassShape {
            first_object: info.first_object.0,
            count: info.count,
            is_counted: links.counts(ClassId::new(number)),
            has_weak: layout.fields.iter().any(|field| is_weak(field.kind, ClassId::new(number))),
            table: heap.class_table(ClassId::new(number)),
        });
        let lengths = layout
            .object_counts
            .iter()
            .map(|ObjectCount { len_field, owners, lens, .. }| (*len_field, (owners.len(), *lens)));
        let classes: Vec<ClassShape> = classes.collect();
        let most = classes.iter().map(|class| class.count).sum::<u32>() - 1;
        Ok(Shape {
            classes,
            objects: objects.collect(),
            slots: slots.collect(),
            lengths: lengths.collect(),
            root: links.root(),
            most,
            has_optional_slots: layout.has_optional_slots,
            has_shared: layout.fields.iter().any(|field| others(field.kind) != Others::None),
        })
    }

    /// Returns how many objects an index of a slot needs at least.
    pub(super) fn needs(&self, slot: SlotId, index: u32) -> u32 {
        let needed = |&(vectors, lens): &(usize, &[usize])| (vectors * lens[index as usize]) as u32;
        if self.lengths.is_empty() { 0 } else { self.lengths.get(&self.slots[slot.index()].field).map_or(0, needed) }
    }

    /// Returns the slots of an object.
    pub(super) fn slots_of(&self, object: ObjectId) -> impl Iterator<Item = SlotId> + use<> {
        let ObjectShape { first_slot, slots, .. } = self.objects[object.index()];
        (first_slot..first_slot + slots).map(SlotId)
    }

    /// Returns the offset of a slot in its object.
    pub(super) fn offset(&self, slot: SlotId) -> u32 {
        slot.0 - self.objects[self.slots[slot.index()].object.index()].first_slot
    }

    /// Returns a slot of an object.
    pub(super) fn slot(&self, object: ObjectId, offset: u32) -> SlotId {
        SlotId(self.objects[object.index()].first_slot + offset)
    }

    /// Returns the object of a class with a number.
    pub(super) fn object(&self, class: ClassId, ordinal: u32) -> ObjectId {
        ObjectId(self.classes[class.index()].first_object + ordinal)
    }
}

/// Returns what keeps parts from being closed, if there is something, in the user's words.
fn obstacle(layout: &Layout, root: ObjectId) -> Option<String> {
    // Objects must not be owned in several ways, and how many there are must not depend on which are shared.
    let mixed = mixed_classes(layout, root);
    let is_tree_like =
        |to: Reference| !mixed[to.target.index()] && !layout.has_optional_slots && layout.object_counts.is_empty();
    layout
        .fields
        .iter()
        .find_map(|field| {
            let why = match field.kind {
                SlotKind::Value { .. } => return None,
                SlotKind::Index(_) => "names an element of an arena",
                SlotKind::Name(_) => "is a name, of which only equality matters",
                SlotKind::Reference(to) => match to.edge {
                    Edge::Part | Edge::Owned => return None,
                    Edge::Shared | Edge::Weak if is_tree_like(to) => return None,
                    Edge::Shared => "shares its object",
                    Edge::Weak => "leads to an object that something else owns",
                    Edge::Raw => "is a raw pointer",
                },
            };
            let class = layout.classes[field.class.index()].name;
            Some(format!("`{class}.{}` {why}", field.name))
        })
        .or_else(|| (!layout.unordered_vectors.is_empty()).then(|| "a vector has no order".to_string()))
}
