//! What references lead to under an assignment: from one object, in one way, or from the root on.

use super::choice::UNASSIGNED;
use super::layout::{Edge, Layout, Reference, SlotKind};
use crate::ids::{ObjectId, SlotId};

/// The objects that an object's assigned references point to, in the order of its slots.
pub(crate) fn targets<'a>(
    layout: &'a Layout,
    values: &'a [u32],
    holder: ObjectId,
) -> impl Iterator<Item = (Reference, ObjectId)> + 'a {
    layout.slots_of(holder).filter_map(move |slot| target(layout, values, slot))
}

/// The object that an assigned reference points to.
#[inline(always)]
pub(crate) fn target(layout: &Layout, values: &[u32], slot: SlotId) -> Option<(Reference, ObjectId)> {
    let SlotKind::Reference(reference) = layout.kind(slot) else { return None };
    let index = values[slot.index()];
    if index == UNASSIGNED {
        return None;
    }
    Some((reference, layout.object_of(reference, reference.object(index)?)))
}

/// Which references to follow.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// Owning ones that cannot be set later.
    Frozen,
    /// Those with no other owner beside them.
    Boxes,
}

/// Whether references of this kind lead from `from` to `to`.
pub(super) fn leads_to(layout: &Layout, values: &[u32], from: ObjectId, to: ObjectId, way: Way) -> bool {
    let mut seen = vec![false; layout.objects.len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if at == to {
            return true;
        }
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for (reference, object) in targets(layout, values, at) {
            let follows = match way {
                Way::Frozen => reference.edge.owns() && !reference.settable,
                Way::Boxes => matches!(reference.edge, Edge::Owned | Edge::Part),
            };
            if follows {
                work.push(object);
            }
        }
    }
    false
}

/// Per object, whether a chain of references keeps it alive from the root on, weak ones left out.
pub(super) fn held_by(layout: &Layout, values: &[u32], root: ObjectId) -> Vec<bool> {
    let mut held = vec![false; layout.objects.len()];
    held[root.index()] = true;
    let mut work = vec![root];
    while let Some(holder) = work.pop() {
        for (reference, object) in targets(layout, values, holder) {
            let keeps = reference.edge.owns() || reference.edge == Edge::Raw;
            if keeps && !std::mem::replace(&mut held[object.index()], true) {
                work.push(object);
            }
        }
    }
    held
}
