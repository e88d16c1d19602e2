//! What a repair leaves alone: slots that the user keeps, or that are only written as a whole, and the lengths and variants without which a
//! kept slot would go. Takes fields by their names, gives whether a slot may have another index.

use std::collections::BTreeMap;
use std::ops::Range;

use super::choice::Engine;
use super::layout::{DeclaredField, Edge, Layout, SlotKind};
use crate::ids::{ObjectId, SlotId};

/// Whether a declared field may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    Free,
    /// Not by itself; but what it lies in may go.
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
    /// Per shape that was asked for, how much of it holds something that the user keeps: so many elements, or the one variant.
    needed: BTreeMap<SlotId, u32>,
}

impl Kept {
    /// Those with these names, `Node.key`, and those that lie in something that is written as a whole; or a name that no field has.
    pub(crate) fn new(layout: &Layout, names: &[String]) -> Result<Self, String> {
        let is_known = |name: &&String| layout.declared.iter().any(|field| field.known_as.contains(name));
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            return Err(unknown.clone());
        }
        let fields = layout.declared.iter().zip(layout.bound_fields());
        let keeping = |(field, is_bound): (&DeclaredField, bool)| {
            let is_kept = field.known_as.iter().any(|name| names.contains(name));
            match (is_kept, is_bound) {
                (true, _) => Keeping::Kept,
                (false, true) => Keeping::Bound,
                (false, false) => Keeping::Free,
            }
        };
        Ok(Kept { fields: fields.map(keeping).collect(), any: !names.is_empty(), needed: BTreeMap::new() })
    }

    fn of(&self, layout: &Layout, slot: SlotId) -> Keeping {
        self.fields[layout.declared(slot).index()]
    }
}

impl Engine {
    /// Whether a slot may not change: the user says so, or it says where an object lies that lies in its holder.
    pub(crate) fn is_kept(&self, slot: SlotId) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let has_original = repairing.original(slot).is_some();
        has_original
            && (self.layout.is_part(slot)
                || self.layout.is_bound(slot)
                || repairing.kept.of(&self.layout, slot) != Keeping::Free)
    }

    /// Whether the value would do without something that the user keeps if a slot had this index: it lies in an element beyond a length,
    /// or in another variant. What a pointer leads to that can be null may go; the pointer is kept by itself.
    pub(super) fn leaves_out_kept(&mut self, slot: SlotId, index: u32) -> bool {
        let Some(repairing) = self.repairing.as_ref().filter(|repairing| repairing.kept.any) else { return false };
        let field = self.layout.field(slot);
        let Some(original) = repairing.original(slot).filter(|_| field.is_shape && field.inside.slots > 0) else {
            return false;
        };
        let is_vector = !field.is_variant;
        let has = |index: u32| match self.layout.number(slot, index) {
            Some(len) if is_vector => len as u32,
            _ => u32::from(index == original),
        };
        let now = has(index);
        let known = repairing.kept.needed.get(&slot).copied();
        let needed = known.unwrap_or_else(|| self.needed(slot, has(original)));
        if let Some(repairing) = &mut self.repairing {
            repairing.kept.needed.insert(slot, needed);
        }
        now < needed
    }

    /// How much of a shape of which the value has `present` must stay: elements up to the last one in which something is kept.
    fn needed(&self, slot: SlotId, present: u32) -> u32 {
        let (first, inside) = (slot.0 + 1, self.layout.field(slot).inside);
        if inside.each == 0 {
            return if self.holds_kept(first..first + inside.slots) { present } else { 0 };
        }
        let element = |number: u32| first + number * inside.each..first + (number + 1) * inside.each;
        (1..=present).rev().find(|&number| self.holds_kept(element(number - 1))).unwrap_or(0)
    }

    /// Whether something that the user keeps lies in these slots, or in what cannot be taken out of them.
    fn holds_kept(&self, slots: Range<u32>) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let mut work = vec![slots];
        while let Some(slots) = work.pop() {
            for slot in slots.map(SlotId) {
                let Some(index) = repairing.original(slot) else { continue };
                if repairing.kept.of(&self.layout, slot) == Keeping::Kept {
                    return true;
                }
                work.extend(self.fixed_in(slot, index).map(|object| {
                    let info = &self.layout.objects[object.index()];
                    info.first_slot.0..info.first_slot.0 + info.slots
                }));
            }
        }
        false
    }

    /// The object that goes with the holder of a slot.
    fn fixed_in(&self, slot: SlotId, index: u32) -> Option<ObjectId> {
        let SlotKind::Reference(reference) = self.layout.kind(slot) else { return None };
        let is_fixed = match reference.edge {
            Edge::Part => true,
            Edge::Owned => self.layout.is_bound(slot),
            Edge::Shared | Edge::Weak | Edge::Raw => false,
        };
        let object = reference.object(index).filter(|_| is_fixed)?;
        Some(self.layout.object_of(reference, object))
    }
}
