//! Precomputes what each slot may hold. For almost every slot the allowed indices are a run of numbers, so a choice is
//! made and moved on without inspecting any object; all slots of a field share one rule.

use super::promises::Promises;
use crate::model::ids::{ClassId, FieldId, ObjectId};
use crate::model::settings::Pruning;
use crate::slots::kinds::{Edge, Name, Reference, SlotKind};
use crate::slots::layout::{FieldInfo, Layout};

/// How the indices of a slot follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexOrder {
    /// Any of the `nulls`, any reached object of the class, one fresh object.
    Reached,
    /// Any of the `nulls`, one fresh object: every reached object has an owner.
    Fresh,
    /// Object by object, as `OwnershipGraph::next` decides.
    Filtered,
}

/// What a slot may hold. Plain values count as nulls of a class without objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotRule {
    order: IndexOrder,
    pub(super) class: ClassId,
    /// The number of leading indices that stand for no object.
    nulls: u32,
    /// The number of objects of the class.
    count: u32,
}

/// The rules of every field, while the predicate runs and while unread fields are completed.
pub(super) struct Rules {
    /// For each field, the rule for running the predicate; then, for each field, the rule for completion.
    all: Vec<SlotRule>,
    /// The start of the current half of `all`.
    first: usize,
    /// For each field, whether it lies in a vector without an order.
    unordered: Vec<bool>,
    pruning: Pruning,
    /// The objects that lengths promise.
    pub(super) promises: Promises,
    /// Whether some slot is filtered while the predicate runs.
    pub(super) some_filtered: bool,
}

/// The indices that a slot may hold, given what is reached.
#[derive(Clone, Copy)]
pub(super) struct IndexRange {
    /// The first index, if there is any.
    pub(super) first: u32,
    /// Below this index, the next index is the next number, and stands for no fresh object.
    pub(super) plain_until: u32,
    /// The index that stands for a fresh object.
    pub(super) fresh: u32,
}

impl SlotRule {
    #[inline(always)]
    pub(super) fn is_filtered(&self) -> bool {
        self.order == IndexOrder::Filtered
    }

    /// Returns whether an index stands for an object.
    #[inline(always)]
    pub(super) fn is_object(&self, index: u32) -> bool {
        index >= self.nulls
    }

    /// Returns whether an index is not past the last, where `fresh` stands for a fresh object.
    #[inline(always)]
    pub(super) fn has(&self, index: u32, fresh: u32) -> bool {
        index <= fresh && index < self.nulls + self.count
    }

    /// Returns the allowed indices when `reached` objects of the class are reached. Not for filtered slots.
    #[inline(always)]
    pub(super) fn span(&self, reached: u32) -> IndexRange {
        let fresh = self.nulls + reached;
        let (first, run_end) = match self.order {
            IndexOrder::Fresh => (if self.nulls > 0 { 0 } else { fresh }, self.nulls),
            IndexOrder::Reached | IndexOrder::Filtered => (0, fresh),
        };
        IndexRange { first, plain_until: run_end.saturating_sub(1), fresh }
    }

    /// Returns the index after the one that the slot holds. Not for filtered slots.
    #[inline(always)]
    pub(super) fn after(&self, index: u32, fresh: u32) -> Option<u32> {
        let next = index + 1;
        let next = if self.order == IndexOrder::Fresh && self.is_object(next) { next.max(fresh) } else { next };
        self.has(next, fresh).then_some(next)
    }

    /// Returns the number of indices before `index`, and the number of all; for filtered slots, an upper bound.
    pub(super) fn progress(&self, index: u32, fresh: u32) -> (u32, u32) {
        let nulls = if self.nulls == u32::MAX { index + 1 } else { self.nulls };
        if self.order == IndexOrder::Fresh && self.is_object(index) {
            return (nulls, nulls + 1);
        }
        let objects = match self.order {
            IndexOrder::Fresh => 1.min(self.count),
            IndexOrder::Reached => self.count.min(fresh.saturating_sub(nulls) + 1),
            IndexOrder::Filtered => self.count,
        };
        (index, (nulls + objects).max(index + 1))
    }

    /// Returns whether the slot goes through an index. Not for filtered slots.
    pub(super) fn allows(&self, index: u32, fresh: u32) -> bool {
        let is_skipped = self.order == IndexOrder::Fresh && self.is_object(index) && index < fresh;
        self.has(index, fresh) && !is_skipped
    }
}

impl Rules {
    pub(super) fn new(layout: &Layout, root: ObjectId, pruning: Pruning) -> Self {
        Rules::of_fields(layout, root, pruning, unordered_fields(layout))
    }

    /// Creates the rules of the same fields with other values.
    pub(super) fn with_values_of(&self, layout: &Layout, root: ObjectId) -> Self {
        Rules::of_fields(layout, root, self.pruning, self.unordered.clone())
    }

    fn of_fields(layout: &Layout, root: ObjectId, pruning: Pruning, unordered: Vec<bool>) -> Self {
        let mixed = mixed_classes(layout, root);
        let rules = |by_type: bool| -> Vec<SlotRule> {
            let rule_of = |(field, &unordered): (&FieldInfo, &bool)| {
                let rule = match field.kind {
                    SlotKind::Value { len } => {
                        SlotRule { order: IndexOrder::Reached, class: no_class(layout), nulls: len, count: 0 }
                    }
                    SlotKind::Reference(reference) => reference_rule(layout, &mixed, reference, by_type),
                    // No index into an arena stands for an object.
                    SlotKind::Index(_) => {
                        SlotRule { order: IndexOrder::Filtered, class: no_class(layout), nulls: u32::MAX, count: 0 }
                    }
                    SlotKind::Name(name) => SlotRule {
                        order: IndexOrder::Reached,
                        class: group_class(layout, name),
                        nulls: name.nulls,
                        count: name.len - name.nulls,
                    },
                };
                if unordered { SlotRule { order: IndexOrder::Filtered, ..rule } } else { rule }
            };
            layout.fields.iter().zip(&unordered).map(rule_of).collect()
        };
        let running = rules(pruning == Pruning::Ownership);
        let some_filtered = running.iter().any(SlotRule::is_filtered);
        let mut all = [running, rules(true)].concat();
        let promises = Promises::new(layout, pruning);
        for (number, rule) in all.iter_mut().enumerate() {
            if promises.filter(FieldId::new(number % unordered.len())) {
                rule.order = IndexOrder::Filtered;
            }
        }
        Rules { all, first: 0, unordered, pruning, promises, some_filtered }
    }

    #[inline(always)]
    pub(super) fn of(&self, field: FieldId) -> &SlotRule {
        debug_assert!(field.index() < self.all.len() / 2, "[korat internal bug] no such field");
        // SAFETY: both halves have a rule for every field of the layout, and only those fields have an id.
        unsafe { self.all.get_unchecked(self.first + field.index()) }
    }

    /// Selects the rules for completion, or those for running the predicate.
    pub(super) fn set_completing(&mut self, completing: bool) {
        self.first = if completing { self.all.len() / 2 } else { 0 };
    }

    pub(super) fn by_type(&self) -> bool {
        self.pruning == Pruning::Ownership
    }
}

/// Returns, for each field, whether its slots are parts of the elements of an arena, or members of a set. This is the
/// same for every object.
fn unordered_fields(layout: &Layout) -> Vec<bool> {
    let mut unordered = vec![false; layout.fields.len()];
    for sequence in &layout.unordered_vectors {
        if !sequence.role.arena && !sequence.is_plain_set() {
            continue;
        }
        for slots in sequence.columns().flatten() {
            let slots = &layout.slots[slots.start as usize..slots.end as usize];
            slots.iter().for_each(|slot| unordered[slot.field.index()] = true);
        }
    }
    unordered
}

/// Returns the class of everything that is no object; nothing of it is ever reached.
pub(super) fn no_class(layout: &Layout) -> ClassId {
    ClassId::new(layout.classes.len())
}

/// Returns, for each class, whether the references to it differ in their allocation, whether only some of them own, or
/// whether they could refer to the root. All references to such a class are filtered: what they may hold depends on how
/// each object is held already.
pub(crate) fn mixed_classes(layout: &Layout, root: ObjectId) -> Vec<bool> {
    let mut first_alloc = vec![None; layout.classes.len()];
    let mut alike = vec![true; layout.classes.len()];
    let (mut owned, mut not_owned) = (vec![false; layout.classes.len()], vec![false; layout.classes.len()]);
    for field in &layout.fields {
        let SlotKind::Reference(reference) = field.kind else { continue };
        let class = reference.target.index();
        alike[class] &= *first_alloc[class].get_or_insert(reference.alloc) == reference.alloc;
        if matches!(reference.edge, Edge::Owned | Edge::Part) {
            owned[class] = true;
        } else {
            not_owned[class] = true;
        }
    }
    let root_class = layout.objects[root.index()].class.index();
    let mixed = |class: usize| !alike[class] || class == root_class || (owned[class] && not_owned[class]);
    (0..layout.classes.len()).map(mixed).collect()
}

/// Returns the class that counts the names of a group. Names are reached like objects: the groups follow the classes
/// and the class of what is no object.
pub(super) fn group_class(layout: &Layout, name: Name) -> ClassId {
    ClassId::new(no_class(layout).index() + 1 + name.group as usize)
}

/// Returns the number of entries after the classes: one for what is no object, and one for each group of names.
pub(super) fn group_count(layout: &Layout) -> usize {
    1 + layout.name_groups as usize
}

fn reference_rule(layout: &Layout, mixed: &[bool], reference: Reference, by_type: bool) -> SlotRule {
    let class = reference.target;
    let (nulls, count) = (reference.nulls, layout.classes[class.index()].count);
    let order = match reference.edge {
        _ if mixed[class.index()] => IndexOrder::Filtered,
        Edge::Weak | Edge::Raw => IndexOrder::Reached,
        Edge::Part => IndexOrder::Fresh,
        Edge::Owned if by_type => IndexOrder::Fresh,
        Edge::Shared if by_type && !reference.settable => IndexOrder::Filtered,
        Edge::Owned | Edge::Shared => IndexOrder::Reached,
    };
    SlotRule { order, class, nulls, count }
}
