//! Follows references under an assignment: the targets of one object, paths between two objects, and everything that
//! the root keeps alive.

use crate::model::ids::{ObjectId, SlotId};
use crate::slots::kinds::{Edge, Reference, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::slot::UNASSIGNED;

/// Returns the objects that an object's assigned references point to, in the order of its slots.
pub(crate) fn targets<'a>(
    layout: &'a Layout,
    values: &'a [u32],
    holder: ObjectId,
) -> impl Iterator<Item = (Reference, ObjectId)> + 'a {
    layout.slots_of(holder).filter_map(move |slot| target(layout, values, slot))
}

/// Returns the object that an assigned reference points to.
#[inline(always)]
pub(crate) fn target(layout: &Layout, values: &[u32], slot: SlotId) -> Option<(Reference, ObjectId)> {
    let SlotKind::Reference(reference) = layout.kind(slot) else { return None };
    let index = values[slot.index()];
    if index == UNASSIGNED {
        return None;
    }
    Some((reference, layout.object_of(reference, reference.object(index)?)))
}

/// The references that a path may follow.
#[derive(Clone, Copy)]
pub(super) enum PathKind {
    /// Owning references that cannot be set later.
    Frozen,
    /// References that are the only owner of their object.
    Boxes,
}

/// Returns whether references of this kind lead from `from` to `to`.
pub(super) fn leads_to(layout: &Layout, values: &[u32], from: ObjectId, to: ObjectId, kind: PathKind) -> bool {
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
            let follows = match kind {
                PathKind::Frozen => reference.edge.owns() && !reference.settable,
                PathKind::Boxes => matches!(reference.edge, Edge::Owned | Edge::Part),
            };
            if follows {
                work.push(object);
            }
        }
    }
    false
}

/// Returns, for each object, whether a path of references from the root keeps it alive. Weak references do not count.
pub(crate) fn held_by(layout: &Layout, values: &[u32], root: ObjectId) -> Vec<bool> {
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
