//! Formats an assignment for messages: every reached object with the fields that were read.

use std::fmt::Write;

use super::choice_stack::Engine;
use super::type_violation::TypeViolation;
use crate::model::ids::{ObjectId, SlotId};
use crate::slots::kinds::SlotKind;
use crate::slots::slot::UNASSIGNED;

/// The most objects of a candidate to describe, and the most fields of each: a value under repair may be large.
const MOST_DESCRIBED: usize = 100;

fn more_than_described(count: usize) -> Option<String> {
    count.checked_sub(MOST_DESCRIBED).filter(|&more| more > 0).map(|more| format!(".. and {more} more"))
}

impl Engine {
    /// Returns one line per object with its assigned slots, the root first.
    pub(crate) fn describe(&self) -> String {
        let mut text = String::new();
        let root = self.links.root();
        let mut others: Vec<ObjectId> = self.allocated().into_iter().map(|(object, _)| object).collect();
        others.sort_unstable();
        let objects: Vec<ObjectId> =
            std::iter::once(root).chain(others.into_iter().filter(|&object| object != root)).collect();
        for &object in objects.iter().take(MOST_DESCRIBED) {
            let read: Vec<SlotId> =
                self.layout.slots_of(object).filter(|&slot| self.value(slot) != UNASSIGNED).collect();
            let mut fields: Vec<String> = (read.iter().take(MOST_DESCRIBED))
                .map(|&slot| format!("{}: {}", self.layout.field_name(slot), self.show(slot, self.value(slot))))
                .collect();
            fields.extend(more_than_described(read.len()));
            let name = self.object_name(object);
            if fields.is_empty() {
                writeln!(text, "  {name} (nothing read)")
            } else {
                writeln!(text, "  {name} {{ {} }}", fields.join(", "))
            }
            .expect("writing to a string cannot fail");
        }
        if let Some(more) = more_than_described(objects.len()) {
            writeln!(text, "  {more}").expect("writing to a string cannot fail");
        }
        text
    }

    /// Returns the name of an object: `Node#2`.
    pub(crate) fn object_name(&self, object: ObjectId) -> String {
        let class = &self.layout.classes[self.layout.objects[object.index()].class.index()];
        let named_elsewhere = (self.layout.fields.iter())
            .any(|field| matches!(field.kind, SlotKind::Reference(to) if std::ptr::eq(class, &self.layout.classes[to.target.index()])));
        if class.count == 1 || !named_elsewhere {
            return class.name.to_string();
        }
        format!("{}#{}", class.name, object.0 - class.first_object.0)
    }

    /// Returns the name of a slot: `Node#2.left`.
    pub(crate) fn slot_name(&self, slot: SlotId) -> String {
        format!("{}.{}", self.object_name(self.layout.slots[slot.index()].object), self.layout.field_name(slot))
    }

    fn show(&self, slot: SlotId, index: u32) -> String {
        match self.layout.kind(slot) {
            SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => {
                let field = self.layout.slots[slot.index()].field;
                self.layout.fields[field.index()].show(index)
            }
            SlotKind::Reference(reference) => match reference.object(index) {
                Some(ordinal) => self.object_name(self.layout.object_of(reference, ordinal)),
                None => "null".to_string(),
            },
        }
    }

    /// Returns the field that was read last, as `Class.field`.
    pub(crate) fn last_read(&self) -> Option<String> {
        self.trail().last().map(|(slot, _)| self.field_name(slot))
    }

    /// Returns the class and the field of a slot, `Node.key`.
    pub(crate) fn field_name(&self, slot: SlotId) -> String {
        let class = self.layout.field(slot).class;
        format!("{}.{}", self.layout.classes[class.index()].name, self.layout.field_name(slot))
    }

    pub(crate) fn describe_misfit(&self, type_violation: TypeViolation) -> String {
        match type_violation {
            TypeViolation::OwnedTwice { object, slots: (one, other) } => format!(
                "{} is owned by both {} and {}",
                self.object_name(object),
                self.slot_name(one),
                self.slot_name(other)
            ),
            TypeViolation::Cycle { object } => format!(
                "{} leads back to itself through references that cannot be set after they were made",
                self.object_name(object)
            ),
            TypeViolation::NotHeld { object } => {
                format!("only weak references lead to {}, so nothing keeps it alive", self.object_name(object))
            }
        }
    }
}
