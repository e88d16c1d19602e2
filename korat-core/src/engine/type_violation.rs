//! Detects assignments that are no values of the user's types: an object has two owners, contains itself in a way that
//! cannot be built, or is kept alive by nothing.

use super::isomorphism::OwnershipGraph;
use super::ownership::{PathKind, held_by, leads_to};
use crate::model::ids::{ObjectId, SlotId};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::slot::UNASSIGNED;

/// The reason why an accepted candidate is not a value of the user's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeViolation {
    /// Two boxes own one object.
    OwnedTwice {
        #[doc(hidden)]
        object: ObjectId,
        #[doc(hidden)]
        slots: (SlotId, SlotId),
    },
    /// References that can be set only when their holder is created form a cycle.
    Cycle {
        #[doc(hidden)]
        object: ObjectId,
    },
    /// Only weak references lead to the object, so nothing keeps it alive.
    NotHeld {
        #[doc(hidden)]
        object: ObjectId,
    },
}

impl OwnershipGraph {
    /// Returns why the assignment is not a value of the user's types, if it is not. With `by_type`, every choice obeyed
    /// the rules of ownership, so only an object that nothing keeps alive can be wrong.
    pub(crate) fn type_violation(&self, layout: &Layout, values: &[u32], by_type: bool) -> Option<TypeViolation> {
        if !by_type {
            let mut owners = vec![None; layout.objects.len()];
            for (slot, &index) in values.iter().enumerate() {
                let slot = SlotId::new(slot);
                if index == UNASSIGNED {
                    continue;
                }
                let SlotKind::Reference(reference) = layout.kind(slot) else { continue };
                let Some(ordinal) = reference.object(index) else { continue };
                let object = layout.object_of(reference, ordinal);
                let holder = layout.slots[slot.index()].object;
                match reference.edge {
                    Edge::Owned => {
                        if let Some(owner) = owners[object.index()].replace(slot) {
                            return Some(TypeViolation::OwnedTwice { object, slots: (owner, slot) });
                        }
                    }
                    Edge::Shared
                        if !reference.settable && leads_to(layout, values, object, holder, PathKind::Frozen) =>
                    {
                        return Some(TypeViolation::Cycle { object });
                    }
                    Edge::Shared | Edge::Weak | Edge::Part | Edge::Raw => {}
                }
                // A box that owns itself can be reached only through a raw pointer.
                let owns_itself = |way| leads_to(layout, values, object, holder, way);
                if reference.edge == Edge::Owned
                    && layout.has_raw
                    && (owns_itself(PathKind::Boxes) || owns_itself(PathKind::Frozen))
                {
                    return Some(TypeViolation::Cycle { object });
                }
            }
        }
        // Without weak references, every reached object was reached through an owner.
        if layout.has_weak { self.not_held(layout, values) } else { None }
    }

    /// Returns whether the object that a slot owns leads back to the slot's holder in a way that cannot be built.
    pub(crate) fn closes_cycle(&self, layout: &Layout, values: &[u32], slot: SlotId) -> bool {
        let SlotKind::Reference(reference) = layout.kind(slot) else { return false };
        let Some(ordinal) = reference.object(values[slot.index()]) else { return false };
        let (object, holder) = (layout.object_of(reference, ordinal), layout.slots[slot.index()].object);
        match reference.edge {
            Edge::Owned => leads_to(layout, values, object, holder, PathKind::Boxes),
            Edge::Shared => !reference.settable && leads_to(layout, values, object, holder, PathKind::Frozen),
            Edge::Part | Edge::Weak | Edge::Raw => false,
        }
    }

    /// Returns whether the decided slots of an assignment cannot be those of a value: an object has two owners, lies in
    /// two places, is allocated in two ways, is kept alive by nothing, or contains itself.
    pub(super) fn is_shared_wrongly(&self, layout: &Layout, values: &[u32]) -> bool {
        let mut allocs = vec![None; layout.objects.len()];
        let mut alone = vec![false; layout.objects.len()];
        for (slot, &index) in values.iter().enumerate() {
            if index != UNASSIGNED
                && let SlotKind::Reference(reference) = layout.kind(SlotId::new(slot))
                && let Some(ordinal) = reference.object(index)
            {
                let object = layout.object_of(reference, ordinal).index();
                let is_alone = matches!(reference.edge, Edge::Owned | Edge::Part);
                if *allocs[object].get_or_insert(reference.alloc) != reference.alloc
                    || (is_alone && std::mem::replace(&mut alone[object], true))
                    || self.closes_cycle(layout, values, SlotId::new(slot))
                {
                    return true;
                }
            }
        }
        let held = held_by(layout, values, self.root());
        (0..layout.objects.len()).any(|object| allocs[object].is_some() && !held[object])
    }

    /// Returns the first reached object to which no path from the root leads without weak references.
    fn not_held(&self, layout: &Layout, values: &[u32]) -> Option<TypeViolation> {
        let held = held_by(layout, values, self.root());
        let lost = self.reached_objects(layout).into_iter().find(|object| !held[object.index()]);
        lost.map(|object| TypeViolation::NotHeld { object })
    }
}
