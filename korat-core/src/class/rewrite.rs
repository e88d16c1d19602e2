//! Writes changed slots back into the user's own value, in place: whatever has not changed is left untouched.
//!
//! A rewrite makes three passes over the affected objects. The first finds out whether everything can be written. The
//! second takes out the owning pointers that change and stores them where `materialise` finds them. The third rebuilds
//! the changed fields. An object that leaves the value has all its pointers taken out, so that dropping it drops
//! nothing else.

use std::ops::Range;

use super::codec::Codec;
use crate::model::ids::{ObjectId, SlotId};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::slot::UNASSIGNED;

/// The pass of a rewrite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Finds out whether everything can be written.
    Check,
    /// Takes pointers out of changing fields.
    Detach,
    /// Rebuilds changing fields.
    Attach,
}

/// A rewrite of one value, and its current pass.
pub struct Rewrite<'h> {
    layout: &'h Layout,
    /// Per slot, the index before the repair; `UNASSIGNED` if the value does not have the slot.
    original: &'h [u32],
    /// Per slot, whether it changes.
    changed: &'h [bool],
    /// Per object, whether anything in it, or in an object stored by value in it, changes.
    touched: &'h [bool],
    /// The slots that change, and the slots of objects stored by value in which something changes; sorted.
    affected: &'h [SlotId],
    pass: Pass,
    /// Whether everything in the current scope is removed, changed or not.
    all: bool,
    /// The first field that cannot be written.
    refused: Option<String>,
}

impl<'h> Rewrite<'h> {
    pub(crate) fn new(
        layout: &'h Layout,
        original: &'h [u32],
        changed: &'h [bool],
        touched: &'h [bool],
        affected: &'h [SlotId],
    ) -> Self {
        Rewrite { layout, original, changed, touched, affected, pass: Pass::Check, all: false, refused: None }
    }

    /// Begins a pass over an object. `all` says that the object leaves the value.
    pub(crate) fn begin(&mut self, pass: Pass, all: bool) {
        (self.pass, self.all) = (pass, all);
    }

    pub(crate) fn detaches(&self) -> bool {
        self.pass == Pass::Detach
    }

    pub(crate) fn attaches(&self) -> bool {
        self.pass == Pass::Attach
    }

    /// Returns whether everything in the current scope is removed.
    pub(crate) fn goes(&self) -> bool {
        self.all
    }

    /// Returns whether a slot changes or is removed with everything around it.
    pub(crate) fn changes(&self, slot: SlotId) -> bool {
        self.all || self.changed[slot.index()]
    }

    /// Returns the slots of a range that change, or that hold by value an object in which something changes. Must not
    /// be called where everything is removed.
    pub(crate) fn affected(&self, slots: Range<SlotId>) -> &'h [SlotId] {
        let before = |end: SlotId| self.affected.partition_point(|&slot| slot < end);
        &self.affected[before(slots.start)..before(slots.end)]
    }

    /// Returns whether there is anything to write in an object.
    pub(crate) fn touches(&self, object: ObjectId) -> bool {
        self.all || self.touched[object.index()]
    }

    /// Returns the index that a slot had before the repair.
    pub(crate) fn original(&self, slot: SlotId) -> u32 {
        self.original[slot.index()]
    }

    /// Runs `inside`, with everything removed in it if `all` is set.
    pub(crate) fn within<R>(&mut self, all: bool, inside: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.all;
        self.all |= all;
        let result = inside(self);
        self.all = outer;
        result
    }

    /// Records that a field cannot be written.
    pub(crate) fn refuse(&mut self, slot: SlotId) {
        let field = self.layout.declared_name(self.layout.declared(slot));
        self.refused.get_or_insert(field);
    }

    pub(crate) fn take_refused(&mut self) -> Option<String> {
        self.refused.take()
    }

    /// Rewrites a field as a whole. Refuses it if a reference in it changes, or an object stored by value in it.
    pub(crate) fn whole<C: Codec + ?Sized>(&mut self, value: &mut C::Value, cell: &C::Cell, plan: &C::Plan) {
        // A removed value is dropped as it is: it owns nothing that moves elsewhere.
        if self.all || self.pass == Pass::Detach {
            return;
        }
        let mut slots = Vec::new();
        C::visit(cell, &mut |slot| slots.push(slot.id()));
        if self.pass == Pass::Check {
            let cannot = slots.into_iter().find(|&slot| self.is_bound(slot));
            cannot.into_iter().for_each(|slot| self.refuse(slot));
        } else if slots.into_iter().any(|slot| self.changes(slot)) {
            *value = C::materialise(cell, plan);
        }
    }

    /// Returns whether a slot refers to an object and either the reference changes, or the object is stored by value
    /// and something in it changes. Such an object would have to be written separately.
    fn is_bound(&self, slot: SlotId) -> bool {
        let layout = self.layout;
        let SlotKind::Reference(reference) = layout.kind(slot) else { return false };
        let original = Some(self.original(slot)).filter(|&index| index != UNASSIGNED);
        let original = original.and_then(|index| reference.object(index));
        let target = original.map(|ordinal| layout.object_of(reference, ordinal));
        let has_changed = reference.edge == Edge::Part && target.is_some_and(|object| self.touches(object));
        self.changes(slot) || has_changed
    }
}
