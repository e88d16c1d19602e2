//! Writes changed slots back into the user's own value, in place: what has not changed stays where and as it is. Takes the slots
//! of before and after, changes fields.
//!
//! In passes over the objects concerned: what cannot be written is found out first; then owning pointers that change are taken
//! out, and wait where `materialise` finds them; then the fields are made anew. An object that the value does without has all
//! its pointers taken out, so that dropping it drops nothing else.

use std::ops::Range;

use crate::class::Codec;
use crate::engine::layout::{Edge, SlotKind};
use crate::engine::{Engine, UNASSIGNED};
use crate::ids::{ObjectId, SlotId};

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Finds out whether everything can be written.
    Check,
    /// Takes pointers out of what changes.
    Detach,
    /// Makes what changes anew.
    Attach,
}

/// One pass.
pub struct Rewrite<'h> {
    engine: &'h Engine,
    /// Per slot, whether it changes.
    changed: &'h [bool],
    /// Per object, whether something in it changes, or in a part of it.
    touched: &'h [bool],
    /// The slots that change, and those in which a part lies that something changes in, in order.
    concerned: &'h [SlotId],
    pass: Pass,
    /// Whether everything here goes, changed or not.
    all: bool,
    /// The first field that cannot be written.
    refused: Option<String>,
}

impl<'h> Rewrite<'h> {
    pub(crate) fn new(engine: &'h Engine, changed: &'h [bool], touched: &'h [bool], concerned: &'h [SlotId]) -> Self {
        Rewrite { engine, changed, touched, concerned, pass: Pass::Check, all: false, refused: None }
    }

    /// Begins a pass over an object; `all`: it is not there any more.
    pub(crate) fn begin(&mut self, pass: Pass, all: bool) {
        (self.pass, self.all) = (pass, all);
    }

    pub(crate) fn detaches(&self) -> bool {
        self.pass == Pass::Detach
    }

    pub(crate) fn attaches(&self) -> bool {
        self.pass == Pass::Attach
    }

    /// Whether everything here goes.
    pub(crate) fn goes(&self) -> bool {
        self.all
    }

    /// Whether a slot changes, or goes with all others.
    pub(crate) fn changes(&self, slot: SlotId) -> bool {
        self.all || self.changed[slot.index()]
    }

    /// The slots of a range that change, or in which a part lies that something changes in; not asked where everything goes.
    pub(crate) fn concerned(&self, slots: Range<SlotId>) -> &'h [SlotId] {
        let before = |end: SlotId| self.concerned.partition_point(|&slot| slot < end);
        &self.concerned[before(slots.start)..before(slots.end)]
    }

    /// Whether an object has something to be written.
    pub(crate) fn touches(&self, object: ObjectId) -> bool {
        self.all || self.touched[object.index()]
    }

    /// The index that a slot had.
    pub(crate) fn original(&self, slot: SlotId) -> u32 {
        self.engine.original(slot).unwrap_or(UNASSIGNED)
    }

    /// Does something where everything goes, if `all` says so.
    pub(crate) fn within<R>(&mut self, all: bool, inside: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.all;
        self.all |= all;
        let result = inside(self);
        self.all = outer;
        result
    }

    /// Notes that a field cannot be written.
    pub(crate) fn refuse(&mut self, slot: SlotId) {
        let field = self.engine.layout.declared_name(self.engine.layout.declared(slot));
        self.refused.get_or_insert(field);
    }

    pub(crate) fn take_refused(&mut self) -> Option<String> {
        self.refused.take()
    }

    /// Rewrites a field as a whole. What owns objects in it cannot change that way.
    pub(crate) fn whole<C: Codec + ?Sized>(&mut self, value: &mut C::Value, cell: &C::Cell, plan: &C::Plan) {
        // What goes is dropped as it is: it owns nothing that anybody else gets.
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

    /// Whether a slot stands for an object that changes with it, or in it, and would have to be written by itself.
    fn is_bound(&self, slot: SlotId) -> bool {
        let layout = &self.engine.layout;
        let SlotKind::Reference(reference) = layout.kind(slot) else { return false };
        let original = self.engine.original(slot).and_then(|index| reference.object(index));
        let target = original.map(|ordinal| layout.object_of(reference, ordinal));
        let has_changed = reference.edge == Edge::Part && target.is_some_and(|object| self.touches(object));
        self.changes(slot) || has_changed
    }
}
