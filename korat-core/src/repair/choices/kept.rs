//! Slots that a repair must not change: those that the user keeps or that are only written as a whole, and the lengths and variants on which
//! a kept slot depends.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Choices, ChoicesMut};
use crate::model::ids::{ObjectId, SlotId};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::{DeclaredField, Layout};

/// Whether a declared field may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    Free,
    /// Not by itself; but the repair may drop what contains it.
    Bound,
    /// The user keeps it.
    Kept,
}

/// The fields that may not change.
pub(crate) struct Kept {
    /// Per declared field.
    fields: Vec<Keeping>,
    /// Whether the user keeps any.
    any: bool,
    /// Per length or variant slot looked up so far, the number of elements, or the variant, that contain kept slots.
    needed: BTreeMap<SlotId, u32>,
}

impl Kept {
    /// Finds the fields with these names, and those that are only written as a whole. Fails with a name that no field has.
    pub(crate) fn new(layout: &Layout, names: &[String]) -> Result<Self, String> {
        let fields = fields_named(layout, names)?.into_iter().zip(layout.bound_fields());
        let keeping = |(is_kept, is_bound): (bool, bool)| match (is_kept, is_bound) {
            (true, _) => Keeping::Kept,
            (false, true) => Keeping::Bound,
            (false, false) => Keeping::Free,
        };
        Ok(Kept { fields: fields.map(keeping).collect(), any: !names.is_empty(), needed: BTreeMap::new() })
    }

    fn of(&self, layout: &Layout, slot: SlotId) -> Keeping {
        self.fields[layout.declared(slot).index()]
    }
}

/// Returns, for each declared field, whether it has one of these names, such as `Node.key`. Fails with a name that no field has.
pub(crate) fn fields_named(layout: &Layout, names: &[String]) -> Result<Vec<bool>, String> {
    let is_known = |name: &&String| layout.declared.iter().any(|field| field.known_as.contains(name));
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        return Err(unknown.clone());
    }
    let is_named = |field: &DeclaredField| field.known_as.iter().any(|name| names.contains(name));
    Ok(layout.declared.iter().map(is_named).collect())
}

impl ChoicesMut<'_> {
    /// Whether the value would lose something that the user keeps if a slot had this index: it lies in an element beyond a length, or in
    /// another variant. An object behind a pointer that can be null may go; the pointer is kept by itself.
    pub(super) fn leaves_out_kept(&mut self, slot: SlotId, index: u32) -> bool {
        if !self.state.kept.any {
            return false;
        }
        let field = self.engine.layout.field(slot);
        let Some(original) = self.state.original(slot).filter(|_| field.is_shape && field.inside.slots > 0) else {
            return false;
        };
        let is_vector = !field.is_variant;
        let has = |index: u32| match self.engine.layout.number(slot, index) {
            Some(len) if is_vector => len as u32,
            _ => u32::from(index == original),
        };
        let now = has(index);
        let known = self.state.kept.needed.get(&slot).copied();
        let needed = known.unwrap_or_else(|| self.view().needed(slot, has(original)));
        self.state.kept.needed.insert(slot, needed);
        now < needed
    }
}

impl Choices<'_> {
    /// Whether a slot must not change: the user says so, or it says where an object lies that lies in its holder.
    pub(crate) fn is_kept(self, slot: SlotId) -> bool {
        let layout = &self.engine.layout;
        self.state.original(slot).is_some()
            && (layout.is_part(slot) || layout.is_bound(slot) || self.state.kept.of(layout, slot) != Keeping::Free)
    }

    /// Returns how much of a shape of which the value has `present` must stay: elements up to the last one in which something is kept.
    fn needed(self, slot: SlotId, present: u32) -> u32 {
        let (first, inside) = (slot.0 + 1, self.engine.layout.field(slot).inside);
        if inside.each == 0 {
            return if self.holds_kept(first..first + inside.slots) { present } else { 0 };
        }
        let element = |number: u32| first + number * inside.each..first + (number + 1) * inside.each;
        (1..=present).rev().find(|&number| self.holds_kept(element(number - 1))).unwrap_or(0)
    }

    /// Whether something that the user keeps lies in these slots, or in what cannot be taken out of them.
    fn holds_kept(self, slots: Range<u32>) -> bool {
        let mut work = vec![slots];
        while let Some(slots) = work.pop() {
            for slot in slots.map(SlotId) {
                let Some(index) = self.state.original(slot) else { continue };
                if self.state.kept.of(&self.engine.layout, slot) == Keeping::Kept {
                    return true;
                }
                work.extend(self.fixed_in(slot, index).map(|object| {
                    let info = &self.engine.layout.objects[object.index()];
                    info.first_slot.0..info.first_slot.0 + info.slots
                }));
            }
        }
        false
    }

    /// The object that goes with the holder of a slot.
    fn fixed_in(self, slot: SlotId, index: u32) -> Option<ObjectId> {
        let SlotKind::Reference(reference) = self.engine.layout.kind(slot) else { return None };
        let is_fixed = match reference.edge {
            Edge::Part => true,
            Edge::Owned => self.engine.layout.is_bound(slot),
            Edge::Shared | Edge::Weak | Edge::Raw => false,
        };
        let object = reference.object(index).filter(|_| is_fixed)?;
        Some(self.engine.layout.object_of(reference, object))
    }
}
