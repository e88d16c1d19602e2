//! What each slot may hold, worked out once before the search: for almost every slot the allowed indices are a run of
//! numbers, so that a choice is made and moved on without looking at any object. All slots of a field have one rule.

use std::cell::Cell;

use super::layout::{Edge, FieldInfo, Layout, Name, Reference, SlotKind};
use crate::Pruning;
use crate::ids::{ClassId, FieldId, ObjectId};

/// How the indices of a slot follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Any of its `nulls`, any reached object of the class, one fresh one.
    Reached,
    /// Any of its `nulls`, one fresh object: every reached one is owned.
    Fresh,
    /// As `Links::next` says, object by object.
    Filtered,
}

/// What a slot may hold. A plain value is a kind of null, of a class that has no objects.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// In a cell: it changes with the bound on sizes, while choices know the rule by its address.
    order: Cell<Order>,
    pub(super) class: ClassId,
    /// How many indices stand for no object; they come first.
    nulls: u32,
    /// How many objects the class has.
    count: u32,
}

/// The rules of every field, while the predicate runs and while unread fields are completed.
pub(super) struct Rules {
    /// Per field, that of the running predicate; then, per field, that of completion.
    all: Vec<Rule>,
    /// Where those begin that hold now.
    first: usize,
    /// Per field, whether it lies in a vector without an order.
    unordered: Vec<bool>,
    pruning: Pruning,
    /// Whether some slot is filtered while the predicate runs.
    pub(super) some_filtered: bool,
}

/// The indices that a slot may hold, given what is reached.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// The first of them, if there is any.
    pub(super) first: u32,
    /// Up to here each is followed by the next number, which stands for no fresh object.
    pub(super) plain_until: u32,
    /// The index that stands for a fresh object.
    pub(super) fresh: u32,
}

impl Rule {
    #[inline(always)]
    pub(super) fn is_filtered(&self) -> bool {
        self.order.get() == Order::Filtered
    }

    /// Whether an index stands for an object.
    #[inline(always)]
    pub(super) fn is_object(&self, index: u32) -> bool {
        index >= self.nulls
    }

    /// Whether an index is not past the last, where `fresh` stands for a fresh object.
    #[inline(always)]
    pub(super) fn has(&self, index: u32, fresh: u32) -> bool {
        index <= fresh && index < self.nulls + self.count
    }

    /// The indices allowed now, when `reached` objects of the class are reached; not of a filtered slot.
    #[inline(always)]
    pub(super) fn span(&self, reached: u32) -> Span {
        let fresh = self.nulls + reached;
        let (first, run_end) = match self.order.get() {
            Order::Fresh => (if self.nulls > 0 { 0 } else { fresh }, self.nulls),
            Order::Reached | Order::Filtered => (0, fresh),
        };
        Span { first, plain_until: run_end.saturating_sub(1), fresh }
    }

    /// The index after one that the slot holds; not of a filtered slot.
    #[inline(always)]
    pub(super) fn after(&self, index: u32, fresh: u32) -> Option<u32> {
        let next = index + 1;
        let next = if self.order.get() == Order::Fresh && self.is_object(next) { next.max(fresh) } else { next };
        self.has(next, fresh).then_some(next)
    }

    /// How many indices lie before one, and how many there are; of a filtered slot at most so many.
    pub(super) fn progress(&self, index: u32, fresh: u32) -> (u32, u32) {
        let nulls = if self.nulls == u32::MAX { index + 1 } else { self.nulls };
        if self.order.get() == Order::Fresh && self.is_object(index) {
            return (nulls, nulls + 1);
        }
        let objects = match self.order.get() {
            Order::Fresh => 1.min(self.count),
            Order::Reached => self.count.min(fresh.saturating_sub(nulls) + 1),
            Order::Filtered => self.count,
        };
        (index, (nulls + objects).max(index + 1))
    }

    /// Whether an index is one of those that the slot goes through; not of a filtered slot.
    pub(super) fn allows(&self, index: u32, fresh: u32) -> bool {
        let is_skipped = self.order.get() == Order::Fresh && self.is_object(index) && index < fresh;
        self.has(index, fresh) && !is_skipped
    }
}

impl Rules {
    pub(super) fn new(layout: &Layout, root: ObjectId, pruning: Pruning) -> Self {
        Rules::of_fields(layout, root, pruning, unordered_fields(layout))
    }

    /// The same fields with other values.
    pub(super) fn with_values_of(&self, layout: &Layout, root: ObjectId) -> Self {
        Rules::of_fields(layout, root, self.pruning, self.unordered.clone())
    }

    fn of_fields(layout: &Layout, root: ObjectId, pruning: Pruning, unordered: Vec<bool>) -> Self {
        let mixed = mixed_classes(layout, root);
        let rules = |by_type: bool| -> Vec<Rule> {
            let rule_of = |(field, &unordered): (&FieldInfo, &bool)| {
                let rule = match field.kind {
                    SlotKind::Value { len } => {
                        Rule { order: Cell::new(Order::Reached), class: no_class(layout), nulls: len, count: 0 }
                    }
                    SlotKind::Reference(reference) => reference_rule(layout, &mixed, reference, by_type),
                    // No index into an arena stands for an object.
                    SlotKind::Index(_) => {
                        Rule { order: Cell::new(Order::Filtered), class: no_class(layout), nulls: u32::MAX, count: 0 }
                    }
                    SlotKind::Name(name) => Rule {
                        order: Cell::new(Order::Reached),
                        class: group_class(layout, name),
                        nulls: name.nulls,
                        count: name.len - name.nulls,
                    },
                };
                if unordered { Rule { order: Cell::new(Order::Filtered), ..rule } } else { rule }
            };
            layout.fields.iter().zip(&unordered).map(rule_of).collect()
        };
        let running = rules(pruning == Pruning::Ownership);
        let some_filtered = running.iter().any(Rule::is_filtered);
        let all = [running, rules(true)].concat();
        Rules { all, first: 0, unordered, pruning, some_filtered }
    }

    #[inline(always)]
    pub(super) fn of(&self, field: FieldId) -> &Rule {
        debug_assert!(field.index() < self.all.len() / 2, "[korat internal bug] no such field");
        // SAFETY: both halves have a rule for every field of the layout, and only those have an id.
        unsafe { self.all.get_unchecked(self.first + field.index()) }
    }

    /// Says whether sizes are bounded: then a length that is a number of objects is looked at.
    pub(super) fn set_bounded(&self, layout: &Layout, bounded: bool) {
        let half = self.all.len() / 2;
        for count in &layout.object_counts {
            let field = layout.slots[count.len_slot.index()].field.index();
            let is_filtered = bounded || self.unordered[field];
            for rule in [field, half + field] {
                self.all[rule].order.set(if is_filtered { Order::Filtered } else { Order::Reached });
            }
        }
    }

    /// Says which time it is.
    pub(super) fn set_completing(&mut self, completing: bool) {
        self.first = if completing { self.all.len() / 2 } else { 0 };
    }

    pub(super) fn by_type(&self) -> bool {
        self.pruning == Pruning::Ownership
    }
}

/// Per field, whether its slots are parts of the elements of an arena, or members of a set: those of every object are, or none.
fn unordered_fields(layout: &Layout) -> Vec<bool> {
    let mut unordered = vec![false; layout.fields.len()];
    for sequence in &layout.sequences {
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

/// The class of what is no object; none of it is ever reached.
pub(super) fn no_class(layout: &Layout) -> ClassId {
    ClassId::new(layout.classes.len())
}

/// Per class, whether the references to it differ in how they allocate, or own in part, or could mean the root. All
/// references to such a class are filtered: what they may hold depends on how each object is held already.
pub(super) fn mixed_classes(layout: &Layout, root: ObjectId) -> Vec<bool> {
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

/// Names are reached like objects: groups are counted behind the classes, and behind that of what is no object.
pub(super) fn group_class(layout: &Layout, name: Name) -> ClassId {
    ClassId::new(no_class(layout).index() + 1 + name.group as usize)
}

/// How many are counted behind the classes.
pub(super) fn group_count(layout: &Layout) -> usize {
    1 + layout.name_groups as usize
}

fn reference_rule(layout: &Layout, mixed: &[bool], reference: Reference, by_type: bool) -> Rule {
    let class = reference.target;
    let (nulls, count) = (reference.nulls, layout.classes[class.index()].count);
    let order = match reference.edge {
        _ if mixed[class.index()] => Order::Filtered,
        Edge::Weak | Edge::Raw => Order::Reached,
        Edge::Part => Order::Fresh,
        Edge::Owned if by_type => Order::Fresh,
        Edge::Shared if by_type && !reference.settable => Order::Filtered,
        Edge::Owned | Edge::Shared => Order::Reached,
    };
    Rule { order: Cell::new(order), class, nulls, count }
}
