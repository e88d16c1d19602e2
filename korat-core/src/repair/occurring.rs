//! Values for a plain field from anywhere in the value: a key that only a map still has, a text that stands elsewhere. One of them is likelier
//! than a made-up one.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Repairer;
use crate::class::census::PlainValues;
use crate::model::deadline;
use crate::model::ids::{FieldId, SlotId};
use crate::slots::kinds::SlotKind;

/// Maximum number of values to try: among more, nothing tells which one is right, and each costs a run.
const MOST: usize = 16;

/// The plain values of the value to be repaired, gathered when they are needed first.
#[derive(Default)]
pub(super) struct Occurring {
    values: Option<PlainValues>,
    /// By field, the indices of values in its list.
    by_field: FxHashMap<FieldId, Rc<[u32]>>,
}

impl Repairer<'_> {
    /// Returns the indices of values that occur elsewhere and may belong into a slot, likeliest first.
    pub(super) fn occurring(&mut self, slot: SlotId) -> Rc<[u32]> {
        let field = self.layout().field(slot);
        let (SlotKind::Value { .. }, Some(domain), false) = (field.kind, field.domain, field.is_shape) else {
            return Rc::default();
        };
        let id = self.layout().slots[slot.index()].field;
        if let Some(known) = self.occurring.by_field.get(&id) {
            return known.clone();
        }
        let path = self.layout().path(slot);
        let (value, heap) = (&self.value, &**self.searcher.heap);
        let values = self.occurring.values.get_or_insert_with(|| {
            // SAFETY: the value is borrowed for as long as this lives, and nothing is written to it before the repair is found.
            let gather = || unsafe { value.plain_values(heap) };
            deadline::until(self.effort.deadline, gather).ok().and_then(Result::ok).unwrap_or_default()
        });
        let indices: Rc<[u32]> =
            values.occurring(&path, MOST).iter().filter_map(|value| domain.index_of(&**value)).collect();
        self.occurring.by_field.insert(id, indices.clone());
        indices
    }
}
