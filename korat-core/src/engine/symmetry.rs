//! Symmetry of elements that have no order: those of arenas, which indices name, and those of sets.
//!
//! Tracks which elements of an arena were mentioned, so that an index leads to one of these or to *one* more. Also
//! compares values up to the order of such elements, because a predicate that goes through an arena by position decides
//! each of them in every order.

use rustc_hash::FxHashSet;

use super::canonical;
use crate::model::ids::{ObjectId, SlotId};
use crate::model::part::Part;
use crate::slots::kinds::{Index, SlotKind};
use crate::slots::layout::Layout;
use crate::slots::unordered::{SlotMembership, UnorderedVector};

/// What a canonical form takes beside its numbers: a pointer, a length and a byte in a table that is two thirds full, and what the allocator adds.
const BYTES_BESIDE: usize = 40;

/// What is known of elements without an order under the current assignment.
pub(super) struct Symmetry {
    /// By sequence and position, the number of slots that mention the element: its own, and indices.
    mentions: Vec<Vec<u32>>,
    /// For each set, the indices of its members in the order in which they were decided.
    members: Vec<Vec<u32>>,
    /// The number of elements that were first mentioned by position.
    by_position: usize,
    /// Whether the search does not by itself keep the elements of some set in a single order.
    has_open_sets: bool,
    /// The canonical forms of the values produced so far, if some may differ only in order.
    given: FxHashSet<Box<[u32]>>,
    /// The bytes that these take, about.
    given_bytes: usize,
    /// The part to which the canonical forms of all values belong that are to be produced; `None` if all are.
    part: Option<Part>,
}

impl Symmetry {
    pub(super) fn new(layout: &Layout) -> Self {
        let is_value =
            |slots: &std::ops::Range<u32>| matches!(layout.kind(SlotId(slots.start)), SlotKind::Value { .. });
        let is_settled = |set: &UnorderedVector| set.is_plain_set() && set.elements.iter().all(is_value);
        // Arenas are covered by `by_position`.
        let is_open = |sequence: &UnorderedVector| sequence.role.set && !sequence.role.arena && !is_settled(sequence);
        let open = layout.unordered_vectors.iter().any(is_open);
        Symmetry {
            mentions: layout.unordered_vectors.iter().map(|sequence| vec![0; sequence.elements.len()]).collect(),
            members: vec![Vec::new(); layout.unordered_vectors.len()],
            by_position: 0,
            has_open_sets: open,
            given: FxHashSet::default(),
            given_bytes: 0,
            part: None,
        }
    }

    /// Forgets the values produced so far, and frees their memory.
    pub(super) fn forget(&mut self) {
        (self.given, self.given_bytes, self.part) = (FxHashSet::default(), 0, None);
    }

    /// Makes only values new whose canonical forms belong to a part, from now on until what was produced is forgotten.
    pub(super) fn keep_forms_of(&mut self, part: Part) {
        self.part = Some(part);
    }

    /// Returns whether the search may reach some value, up to order, in several ways.
    pub(super) fn may_have_duplicates(&self, layout: &Layout) -> bool {
        self.has_open_sets || layout.unordered_vectors.iter().any(|sequence| sequence.role.arena)
    }

    /// Returns the least index that the next member of a set may have: members are decided in ascending order.
    pub(super) fn least_member(&self, set: u32) -> u32 {
        self.members[set as usize].last().copied().unwrap_or(0)
    }

    /// Returns the first index from `from` on that leads to a mentioned element, or to the first one that is not. A
    /// read of an element mentions it before its value is chosen, so an index may lead to the element that contains it.
    pub(super) fn next_position(&self, index: Index, place: SlotMembership, len: u32, from: u32) -> Option<u32> {
        if from < index.nulls {
            return Some(from);
        }
        let arena = place.index_of.expect("[korat internal bug] an index belongs to an arena");
        let own = place.element.filter(|element| element.0 == arena).map(|element| element.1 as usize);
        let mentions = &self.mentions[arena as usize][..len as usize];
        let is_mentioned = |position: usize| mentions[position] > 0 || Some(position) == own;
        let fresh = (0..mentions.len()).find(|&position| !is_mentioned(position));
        let allowed = |&position: &usize| is_mentioned(position) || Some(position) == fresh;
        let position = ((from - index.nulls) as usize..mentions.len()).find(allowed)?;
        Some(index.nulls + position as u32)
    }

    /// Records that a slot got an index.
    pub(super) fn link(&mut self, place: SlotMembership, kind: SlotKind, index: u32) {
        if let Some((arena, position)) = place.element {
            let mentions = &mut self.mentions[arena as usize][position as usize];
            self.by_position += usize::from(*mentions == 0);
            *mentions += 1;
        }
        if let Some((arena, position)) = target(place, kind, index) {
            self.mentions[arena as usize][position as usize] += 1;
        }
        if let Some(set) = place.member {
            self.members[set as usize].push(index);
        }
    }

    /// Undoes `link`. Choices are undone in reverse order.
    pub(super) fn unlink(&mut self, place: SlotMembership, kind: SlotKind, index: u32) {
        if let Some(set) = place.member {
            self.members[set as usize].pop();
        }
        if let Some((arena, position)) = target(place, kind, index) {
            self.mentions[arena as usize][position as usize] -= 1;
        }
        if let Some((arena, position)) = place.element {
            let mentions = &mut self.mentions[arena as usize][position as usize];
            *mentions -= 1;
            self.by_position -= usize::from(*mentions == 0);
        }
    }

    /// Returns whether the search may reach the current value, up to order, in several ways.
    pub(super) fn has_duplicates(&self) -> bool {
        self.by_position > 0 || self.has_open_sets || self.part.is_some()
    }

    /// Records a value. Returns whether it belongs to the part that is wanted, and no equal value, up to order, was recorded before; `None` if so, but values
    /// take more than `most` bytes now, which ends the search.
    pub(super) fn is_new(
        &mut self,
        layout: &Layout,
        (values, root, slots): (&[u32], ObjectId, &[SlotId]),
        most: usize,
    ) -> Option<bool> {
        let form = canonical::form(layout, values, root, slots);
        let bytes = size_of_val(&*form) + BYTES_BESIDE;
        let is_new = self.part.is_none_or(|part| part.has_form(&form)) && self.given.insert(form);
        self.given_bytes += if is_new { bytes } else { 0 };
        (self.given_bytes <= most).then_some(is_new)
    }
}

/// Returns the arena and the element that an index leads to.
fn target(place: SlotMembership, kind: SlotKind, index: u32) -> Option<(u32, u32)> {
    let SlotKind::Index(of) = kind else { return None };
    Some((place.index_of?, index.checked_sub(of.nulls)?))
}
