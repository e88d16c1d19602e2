//! Choices whose index does not simply follow from a rule: those whose index is given, and those that are filtered object by object.

use super::choice::Choice;
use super::descent::Given;
use super::frontier::OwnIndex;
use super::rules::IndexRange;
use crate::engine::choice_stack::{Engine, Refusal};
use crate::engine::resume_point::ResumePoint;
use crate::engine::stop::Stop;
use crate::slots::slot_handle::SlotHandle;

/// The fresh object of a choice that does not count its objects.
const NEVER: u32 = u32::MAX;

impl Engine {
    /// Answers the first read of a slot in a search that is given indices.
    #[inline(never)]
    pub(super) fn choose_given(&mut self, slot: SlotHandle, resume: &ResumePoint) -> Result<(u32, u32), Refusal> {
        let objects_before = self.begin_choice(slot)?;
        self.choose_among_given(slot, objects_before, resume)
    }

    /// Answers the first read of a slot with the index that it is given, or with the first one that passes the filter.
    #[inline(never)]
    pub(super) fn choose_among_given(
        &mut self,
        slot: SlotHandle,
        objects_before: u32,
        resume: &ResumePoint,
    ) -> Result<(u32, u32), Refusal> {
        let (id, field) = (slot.id(), slot.field());
        if let Some(first) = self.first_to_decide(id) {
            self.made -= 1;
            return Err(Refusal::NotYet { first });
        }
        let given = self.given_index(id, field)?;
        let rule = self.rules.of(field);
        let IndexRange { first, plain_until, fresh } = rule.span(self.links.reached(rule.class));
        let index = match given {
            Some(index) if rule.is_filtered() => Some(index).filter(|_| self.filtered_index(id, index) == given),
            Some(index) => Some(index).filter(|_| rule.allows(index, fresh)),
            None if rule.is_filtered() => self.filtered_index(id, 0),
            None => Some(first).filter(|_| rule.has(first, fresh)),
        };
        let has_room = |&index: &u32| rule.is_filtered() || index != fresh || self.links.has_room(rule.class);
        if !index.as_ref().is_none_or(has_room) {
            return Err(Refusal::Stop(Stop::DeadEnd));
        }
        let index = match (index, given) {
            (Some(index), _) => index,
            (None, Some(index)) => {
                return Err(Refusal::Stop(Stop::NoSuchPrefix { choice: self.stack.len(), index }));
            }
            (None, None) => return Err(Refusal::Stop(Stop::DeadEnd)),
        };
        let own = self.own_index(id, *rule, fresh, index);
        let rule = self.rules.of(field);
        let index = match own {
            None => index,
            Some(OwnIndex::Index(own)) => own,
            Some(OwnIndex::NotHere) => {
                self.made -= 1;
                return Err(Refusal::Stop(Stop::Elsewhere));
            }
        };
        let moves_on = matches!(self.given, Given::First { .. });
        let fixed = (given.is_some() && !moves_on) || own.is_some();
        let is_plain = !fixed && !rule.is_filtered();
        let choice = Choice {
            slot,
            rule,
            plain_until: if is_plain { plain_until } else { 0 },
            fresh: if rule.is_filtered() { NEVER } else { fresh },
            objects_before,
            id,
            fixed,
            resume: *resume,
        };
        if rule.is_filtered() {
            self.link(id, index);
        } else if index == fresh {
            self.links.reach(rule.class);
        }
        slot.assign(index);
        let plain_until = choice.plain_until;
        self.stack.push_with(|| choice);
        if moves_on {
            self.end_first();
        }
        Ok((index, plain_until))
    }

    /// Gives the first choices of the next candidate alone their indices; from there on, the search goes on as ever.
    pub(crate) fn set_first(&mut self, indices: Vec<u32>) {
        assert!(self.stack.len() == 0, "a candidate is given its choices before the search begins");
        if !indices.is_empty() {
            self.given = Given::First { indices, at_frontier: self.is_at_frontier() };
        }
    }

    /// Goes on as ever once the first choices of the first candidate are made.
    fn end_first(&mut self) {
        match &self.given {
            Given::First { indices, at_frontier } if indices.len() <= self.stack.len() => {
                self.given = if *at_frontier { Given::Frontier } else { Given::Nothing };
            }
            _ => {}
        }
    }

    /// Returns whether the first candidate has not made all choices whose indices it was given.
    pub(crate) fn is_before_first(&self) -> bool {
        matches!(self.given, Given::First { .. })
    }

    /// Returns the indices that the next candidate was given and has not taken yet.
    pub(crate) fn given_first(&self) -> &[u32] {
        match &self.given {
            Given::First { indices, .. } => &indices[self.stack.len().min(indices.len())..],
            _ => &[],
        }
    }

    /// Gives the first choices of every candidate their indices.
    pub(crate) fn set_prefix(&mut self, prefix: Vec<u32>) {
        assert!(self.stack.len() == 0, "a prefix is given before the search begins");
        self.given = if prefix.is_empty() { Given::Nothing } else { Given::Prefix(prefix) };
    }
}
