//! Objects that decided lengths promise. An element of a vector that owns objects exists once the length is decided, read
//! or not; its objects count from then on towards the bounds on the objects of their classes and on the size. So a
//! search tries no length for which too few objects are left.

use super::isomorphism::OwnershipGraph;
use crate::model::ids::{ClassId, FieldId};
use crate::model::settings::Pruning;
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::{FieldInfo, Layout};

/// What a field has to do with promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldRole {
    None,
    /// A length: the index of its promise.
    Length(usize),
    /// A part of an element: it holds an object that the length has promised.
    Element,
    /// Another reference to a class of which objects are promised: some of them may be left for it.
    Other,
}

/// The objects that a length promises.
struct Promise {
    /// The classes of the objects, each with its number per element.
    classes: Vec<(ClassId, usize)>,
    /// The length that each index stands for.
    lens: &'static [usize],
}

/// The promises of all lengths.
pub(super) struct Promises {
    /// For each field, its role.
    roles: Vec<FieldRole>,
    lengths: Vec<Promise>,
    /// Whether a decided length reserves its objects. The original space of Korat has boxes that share an object, which
    /// need fewer: there, a length only has to fit by itself. False if no length promises anything.
    reserves: bool,
}

impl Promises {
    pub(super) fn new(layout: &Layout, pruning: Pruning) -> Self {
        let reserves = pruning == Pruning::Ownership;
        let mut promises =
            Promises { roles: vec![FieldRole::None; layout.fields.len()], lengths: Vec::new(), reserves };
        let (mut promised, borrowed) = (vec![false; layout.classes.len()], borrowed_classes(layout));
        for count in &layout.object_counts {
            let mut classes: Vec<(ClassId, usize)> = Vec::new();
            for &field in &count.owners {
                let SlotKind::Reference(owner) = layout.fields[field.index()].kind else { continue };
                // A box may take an object that a weak or a raw pointer has mentioned: it needs no fresh one.
                if owner.edge != Edge::Part && borrowed[owner.target.index()] {
                    continue;
                }
                match classes.iter_mut().find(|(class, _)| *class == owner.target) {
                    Some((_, number)) => *number += 1,
                    None => classes.push((owner.target, 1)),
                }
                promised[owner.target.index()] = true;
                promises.roles[field.index()] = FieldRole::Element;
            }
            if !classes.is_empty() {
                promises.roles[count.len_field.index()] = FieldRole::Length(promises.lengths.len());
                promises.lengths.push(Promise { classes, lens: count.lens });
            }
        }
        promises.reserves &= !promises.lengths.is_empty();
        for (role, field) in promises.roles.iter_mut().zip(&layout.fields) {
            if let (FieldRole::None, SlotKind::Reference(to)) = (*role, field.kind)
                && promised[to.target.index()]
            {
                *role = FieldRole::Other;
            }
        }
        promises
    }

    /// Returns whether promises decide about the indices of a field, which is then filtered.
    pub(super) fn filter(&self, field: FieldId) -> bool {
        match self.roles[field.index()] {
            FieldRole::None => false,
            FieldRole::Length(_) => true,
            FieldRole::Element | FieldRole::Other => self.reserves,
        }
    }

    /// Returns whether a field holds objects that a length has promised.
    #[inline(always)]
    pub(super) fn are_kept_by(&self, field: FieldId) -> bool {
        self.reserves && self.roles[field.index()] == FieldRole::Element
    }

    /// Returns whether enough objects are left for the elements of a vector, if the field is a length. They are if it is
    /// not.
    pub(super) fn have_room(&self, links: &OwnershipGraph, field: FieldId, index: u32) -> bool {
        let FieldRole::Length(at) = self.roles[field.index()] else { return true };
        let Promise { classes, lens } = &self.lengths[at];
        let len = lens[index as usize];
        let are_left = |&(class, number): &(ClassId, usize)| len * number <= links.left(class);
        // The bound on the size comes last: it notes what it alone excludes, which a later pass then tries.
        (!self.reserves || classes.iter().all(are_left))
            && links.has_room_for(classes.iter().map(|(_, number)| len * number).sum())
    }

    /// Reserves the objects of a length, or with `taken_back` returns them. Does nothing if the field is no length.
    pub(super) fn reserve(&self, links: &mut OwnershipGraph, field: FieldId, index: u32, taken_back: bool) {
        let FieldRole::Length(at) = self.roles[field.index()] else { return };
        let Promise { classes, lens } = &self.lengths[at];
        for &(class, number) in classes.iter().filter(|_| self.reserves) {
            let objects = lens[index as usize] * number;
            if taken_back { links.release(class, objects) } else { links.reserve(class, objects) }
        }
    }
}

/// Returns, for each class, whether some reference to it owns nothing, or shares: then an object may be reached before
/// the box that owns it.
fn borrowed_classes(layout: &Layout) -> Vec<bool> {
    let mut borrowed = vec![false; layout.classes.len()];
    for FieldInfo { kind, .. } in &layout.fields {
        if let SlotKind::Reference(to) = kind
            && !matches!(to.edge, Edge::Owned | Edge::Part)
        {
            borrowed[to.target.index()] = true;
        }
    }
    borrowed
}
