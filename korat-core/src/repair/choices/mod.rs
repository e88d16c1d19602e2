//! The choices of a repair: how it answers first reads, and what it knows of the value and of what it has chosen so far. Whatever is tried
//! next is decided one level up.
//!
//! A slot gets the index that the value has there (`unchanged`), unless the repair wants another one (`choose`, `alternatives`). `state` holds
//! all of it, `decisions` the choices in their order; `targets`, `incoming` and `rings` know what leads where and what was lost, `suspects`
//! which links may be wrong, `reads` and `objects` what a rejection may be about, `kept` what must stay, `step_budget` how long a run may take.

pub(crate) mod alternatives;
pub(crate) mod choose;
pub(crate) mod decisions;
pub(crate) mod incoming;
pub(crate) mod kept;
pub(crate) mod objects;
pub(crate) mod reads;
pub(crate) mod rings;
pub(crate) mod running;
pub(crate) mod state;
pub(crate) mod step_budget;
pub(crate) mod suspects;
pub(crate) mod targets;
pub(crate) mod unchanged;

use state::State;

use crate::engine::choice_stack::Engine;
use crate::model::ids::SlotId;
use crate::slots::kinds::SlotKind;
use crate::slots::layout::Layout;

/// The choices made so far, to look at.
#[derive(Clone, Copy)]
pub(crate) struct Choices<'a> {
    pub(super) engine: &'a Engine,
    pub(super) state: &'a State,
}

/// The choices made so far, to change.
pub(crate) struct ChoicesMut<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) state: &'a mut State,
}

impl ChoicesMut<'_> {
    /// Returns a read-only view of the choices.
    #[inline(always)]
    pub(crate) fn view(&self) -> Choices<'_> {
        Choices { engine: self.engine, state: self.state }
    }
}

/// Whether a slot leads to something: it is a reference, or an index into an arena.
pub(crate) fn refers(layout: &Layout, slot: SlotId) -> bool {
    matches!(layout.kind(slot), SlotKind::Reference(_) | SlotKind::Index(_))
}
