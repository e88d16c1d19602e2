//! What each slot may hold, worked out once before the search: for almost every slot the allowed indices are a run of
//! numbers, so that a choice is made and moved on without looking at any object.

use super::layout::{Edge, Layout, Name, Reference, SlotKind};
use crate::Pruning;
use crate::ids::{ClassId, ObjectId, SlotId};

/// An index that no slot holds.
const NEVER: u32 = u32::MAX;

/// What a slot may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Any of its values.
    Values { len: u32 },
    /// Any of its `nulls`, any reached object of the class, one fresh one.
    Reached { class: ClassId, nulls: u32, count: u32 },
    /// Any of its `nulls`, one fresh object: every reached one is owned.
    Fresh { class: ClassId, nulls: u32, count: u32 },
    /// As `Links::next` says, object by object.
    Filtered { class: ClassId },
}

/// The rules of every slot, while the predicate runs and while unread fields are completed.
pub(super) struct Rules {
    running: Vec<Rule>,
    completing: Vec<Rule>,
    pruning: Pruning,
}

/// The indices that one choice goes through: `0..nulls`, then `start..end`.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// The first index that is not null.
    start: u32,
    /// One past the last.
    end: u32,
    /// The index that stands for a fresh object.
    pub(super) fresh: u32,
    /// The class of the fresh object.
    pub(super) class: ClassId,
    /// How many indices stand for no object; they come first.
    nulls: u32,
    /// One past the last index that simply follows the one before it.
    pub(super) run_end: u32,
    /// Whether the indices are not a run and must be asked for one by one.
    pub(super) filtered: bool,
    /// Whether the choice keeps its first index.
    pub(super) fixed: bool,
}

impl Span {
    /// Whether an index of a run stands for an object.
    #[inline]
    pub(super) fn is_object(self, index: u32) -> bool {
        self.fresh != NEVER && index >= self.nulls
    }

    /// Whether the run has the index.
    pub(super) fn contains(self, index: u32) -> bool {
        index < self.nulls || (self.start..self.end).contains(&index)
    }

    /// The same for a choice that does not move on.
    pub(super) fn fixed(self) -> Self {
        Span { run_end: 0, fixed: true, ..self }
    }

    #[inline]
    pub(super) fn first(self) -> Option<u32> {
        if self.nulls > 0 { Some(0) } else { (self.start < self.end).then_some(self.start) }
    }

    #[inline]
    pub(super) fn after(self, index: u32) -> Option<u32> {
        let next = index + 1;
        if next < self.nulls {
            return Some(next);
        }
        let next = next.max(self.start);
        (next < self.end).then_some(next)
    }
}

impl Rule {
    /// The indices allowed now, when `reached` objects of each class are reached.
    #[inline]
    pub(super) fn span(self, reached: &[u32]) -> Span {
        match self {
            Rule::Values { len } => Span {
                start: 0,
                end: len,
                fresh: NEVER,
                class: ClassId(0),
                nulls: 0,
                run_end: len,
                filtered: false,
                fixed: false,
            },
            Rule::Reached { class, nulls, count } => {
                let reached = reached[class.index()];
                let end = nulls + (reached + 1).min(count);
                let fresh = nulls + reached;
                Span { start: nulls, end, fresh, class, nulls, run_end: end, filtered: false, fixed: false }
            }
            Rule::Fresh { class, nulls, count } => {
                let reached = reached[class.index()];
                let fresh = nulls + reached;
                let end = nulls + (reached + 1).min(count);
                Span { start: fresh, end, fresh, class, nulls, run_end: nulls, filtered: false, fixed: false }
            }
            Rule::Filtered { class } => {
                Span { start: 0, end: 0, fresh: NEVER, class, nulls: 0, run_end: 0, filtered: true, fixed: false }
            }
        }
    }
}

impl Rules {
    pub(super) fn new(layout: &Layout, root: ObjectId, pruning: Pruning) -> Self {
        let mixed = mixed_classes(layout, root);
        let rules = |by_type: bool| -> Vec<Rule> {
            let rule_of = |slot: usize| {
                let place = layout.place(SlotId::new(slot));
                if place.element.is_some() || place.member.is_some() {
                    return Rule::Filtered { class: ClassId(0) };
                }
                match layout.kind(SlotId::new(slot)) {
                    SlotKind::Value { len } => Rule::Values { len },
                    SlotKind::Reference(reference) => reference_rule(layout, &mixed, reference, by_type),
                    SlotKind::Index(_) => Rule::Filtered { class: ClassId(0) },
                    SlotKind::Name(name) => Rule::Reached {
                        class: group_class(layout, name),
                        nulls: name.nulls,
                        count: name.len - name.nulls,
                    },
                }
            };
            (0..layout.slots.len()).map(rule_of).collect()
        };
        Rules { running: rules(pruning == Pruning::Ownership), completing: rules(true), pruning }
    }

    #[inline]
    pub(super) fn of(&self, slot: SlotId, completing: bool) -> Rule {
        if completing { self.completing[slot.index()] } else { self.running[slot.index()] }
    }

    pub(super) fn by_type(&self) -> bool {
        self.pruning == Pruning::Ownership
    }
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

/// Names are reached like objects: groups are counted behind the classes.
pub(super) fn group_class(layout: &Layout, name: Name) -> ClassId {
    ClassId::new(layout.classes.len() + name.group as usize)
}

fn reference_rule(layout: &Layout, mixed: &[bool], reference: Reference, by_type: bool) -> Rule {
    let class = reference.target;
    let (nulls, count) = (reference.nulls, layout.classes[class.index()].count);
    if mixed[class.index()] {
        return Rule::Filtered { class };
    }
    match reference.edge {
        Edge::Weak => Rule::Reached { class, nulls, count },
        Edge::Part => Rule::Fresh { class, nulls, count },
        Edge::Owned if by_type => Rule::Fresh { class, nulls, count },
        Edge::Shared if by_type && !reference.settable => Rule::Filtered { class },
        Edge::Owned | Edge::Shared => Rule::Reached { class, nulls, count },
    }
}
