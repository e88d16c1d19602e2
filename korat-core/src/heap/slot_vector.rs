//! A value as a list of numbers that can be written down: the index of every slot, in the order of a walk from the
//! root, with objects numbered as the walk meets them. The list does not depend on the predicate, nor on the order of
//! its reads; decoding accepts any list, and reports those that are no value.

use std::fmt;

use super::bounded::Heap;
use crate::slots::kinds::SlotKind;
use crate::slots::slot_handle::SlotHandle;

/// The indices of all slots of one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotVector(pub Vec<u32>);

/// The reason why a list of numbers is no value within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchValue {
    what: String,
}

impl fmt::Display for NoSuchValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for NoSuchValue {}

impl Heap {
    /// Returns the current assignment, in which every slot of the value is decided.
    pub(crate) fn slot_vector(&mut self) -> SlotVector {
        let mut numbers: Vec<Option<u32>> = vec![None; self.engine.layout.objects.len()];
        let mut met = vec![0; self.engine.layout.classes.len()];
        let root = self.engine.links.root();
        numbers[root.index()] = Some(0);
        met[self.engine.layout.objects[root.index()].class.index()] = 1;
        let mut indices = Vec::new();
        self.walk(|engine, slot| {
            let index = slot.index();
            indices.push(match engine.layout.kind(slot.id()) {
                SlotKind::Reference(reference) => match reference.object(index) {
                    Some(ordinal) => {
                        let object = engine.layout.object_of(reference, ordinal);
                        let number = *numbers[object.index()].get_or_insert_with(|| {
                            met[reference.target.index()] += 1;
                            met[reference.target.index()] - 1
                        });
                        reference.nulls + number
                    }
                    None => index,
                },
                SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => index,
            });
        });
        SlotVector(indices)
    }

    /// Assigns the slots of a list. Returns handles that make them unassigned again; if the list is wrong, they are
    /// unassigned already. No search may be running.
    pub(crate) fn assign_vector(&mut self, vector: &SlotVector) -> Result<Vec<SlotHandle>, NoSuchValue> {
        let mut handles = Vec::new();
        let assigned = self.try_assign(&vector.0, &mut handles);
        if assigned.is_err() {
            self.unload(&mut handles);
            return assigned.map(|()| Vec::new());
        }
        Ok(handles)
    }

    fn try_assign(&mut self, indices: &[u32], handles: &mut Vec<SlotHandle>) -> Result<(), NoSuchValue> {
        let mut given = indices.iter().copied();
        let mut error: Option<String> = None;
        let mut slots = Vec::new();
        self.walk(|engine, slot| {
            let (id, len) = (slot.id(), slot.domain_len());
            let index = given.next();
            if error.is_none() {
                error = match index {
                    None => Some(format!("it ends before {}", engine.slot_name(id))),
                    Some(index) if index >= len || !engine.may_put(id, index) => {
                        Some(format!("{} cannot be number {index} of its values", engine.slot_name(id)))
                    }
                    Some(_) => None,
                };
            }
            // After an error the walk continues, but follows no reference any more.
            let index = index.filter(|_| error.is_none());
            if let Some(index) = index {
                engine.put(id, index);
                slots.push(id);
            }
            if len > 0 {
                slot.set_index(index.unwrap_or(0));
                handles.push(slot.slot_handle());
            }
        });
        let left = given.count();
        let engine = &self.engine;
        let beyond = || slots.into_iter().find(|&slot| !engine.is_in_arena(slot));
        let error = error
            .or_else(|| (left > 0).then(|| format!("it is longer than the value's slots by {left}")))
            .or_else(|| beyond().map(|slot| format!("{} names no element", engine.slot_name(slot))))
            .or_else(|| engine.type_violation(true).map(|type_violation| engine.describe_misfit(type_violation)));
        error.map_or(Ok(()), |what| Err(NoSuchValue { what }))
    }
}
