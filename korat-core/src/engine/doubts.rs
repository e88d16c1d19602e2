//! Which links of a value under repair may be wrong, by what is known of all others: those that lead nowhere while something is lost,
//! and those that lead where another one leads, too.

use super::choice::Engine;
use super::incoming::goes_the_way;
use super::layout::SlotKind;
use super::repaired::MOST_SLOTS;
use super::rings::Links;
use crate::ids::SlotId;

impl Engine {
    /// Whether what a slot leads to now has a link to what it was to lead to: that has been left out.
    pub(crate) fn was_bypassed(&self, slot: SlotId) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let target = |slot| repairing.target_now(&self.layout, &self.values, slot);
        let before = repairing.wanted(slot).and_then(|index| repairing.targets.of(&self.layout, slot, index));
        let Some(object) = self.led_to(slot, self.value(slot)) else { return false };
        before.is_some() && self.layout.slots_of(object).take(MOST_SLOTS).any(|link| target(link) == before)
    }

    /// Finds out what leads where, unless that is known.
    pub(super) fn know_incoming(&mut self) {
        let Engine { layout, repairing, values, .. } = self;
        let Some(repairing) = repairing.as_mut().filter(|repairing| !repairing.incoming.is_known()) else { return };
        let mut incoming = std::mem::take(&mut repairing.incoming);
        if repairing.is_as_it_was() {
            incoming.find(layout, &repairing.targets, &repairing.original);
        } else {
            let indices: Vec<u32> =
                (0..values.len()).map(|slot| repairing.index_now(values, SlotId::new(slot))).collect();
            incoming.find(layout, &repairing.targets, &indices);
        }
        repairing.incoming = incoming;
    }

    /// Whether a choice leads, in the way that another one does, to what is led to twice.
    pub(crate) fn shares_the_way(&mut self, slot: SlotId, other: SlotId) -> bool {
        self.know_incoming();
        let Engine { layout, repairing, values, .. } = self;
        let Some(repairing) = repairing else { return false };
        let target = repairing.targets.of(layout, slot, values[slot.index()]);
        target.is_some_and(|target| repairing.led[target].count > 1)
            && repairing.incoming.is_same_way(layout, slot, other)
    }

    /// Whether a link may be broken, by what is known of all others: it leads nowhere, or where another one leads, too, and others
    /// do not.
    pub(crate) fn is_doubtful(&mut self, slot: SlotId, index: u32) -> bool {
        self.know_incoming();
        let Engine { layout, repairing, .. } = self;
        let Some(repairing) = repairing else { return false };
        let target = repairing.targets.of(layout, slot, index);
        target.is_none_or(|target| repairing.incoming.may_be_shared(layout, &repairing.targets, slot, target))
    }

    /// Whether there are rings that are cut off, to which a slot may lead.
    pub(crate) fn may_be_on_ring(&mut self, slot: SlotId) -> bool {
        self.look_for_rings(slot);
        let Engine { layout, repairing, .. } = self;
        repairing.as_mut().is_some_and(|repairing| repairing.incoming.has_rings(layout, &repairing.targets, slot))
    }

    /// Whether what a slot leads to with an index was come to by it.
    pub(crate) fn is_leader(&self, slot: SlotId, index: u32) -> bool {
        let Some(repairing) = &self.repairing else { return false };
        let target = repairing.targets.of(&self.layout, slot, index);
        target.is_some_and(|target| repairing.led[target].leader() == slot)
    }

    /// Whether there is something that a slot could lead to and nothing does.
    pub(crate) fn is_anything_lost(&mut self, slot: SlotId) -> bool {
        self.know_incoming();
        let Engine { layout, repairing, .. } = self;
        let Some(repairing) = repairing else { return false };
        repairing.incoming.lost(layout, &repairing.targets, slot, 0).is_some()
    }

    /// Whether a slot leads where another one leads, too, and others do not.
    pub(crate) fn is_shared_link(&mut self, slot: SlotId) -> bool {
        let index = self.values[slot.index()];
        let leads = self.repairing.as_ref().is_some_and(|it| it.targets.of(&self.layout, slot, index).is_some());
        leads && self.is_doubtful(slot, index)
    }

    /// Whether a slot leads nowhere with an index, and there is something lost that it could lead to.
    pub(crate) fn is_vacant(&mut self, slot: SlotId, index: u32) -> bool {
        let (nulls, present) = match self.layout.kind(slot) {
            SlotKind::Reference(reference) => {
                (reference.nulls, reference.nulls + self.repairing().room.present[reference.target.index()])
            }
            SlotKind::Index(of) => (of.nulls, u32::MAX),
            SlotKind::Value { .. } | SlotKind::Name(_) => return false,
        };
        if index >= nulls {
            return false;
        }
        self.know_incoming();
        if let Some(repairing) = &mut self.repairing {
            repairing.incoming.forget_rings(&self.layout, &repairing.targets, slot);
        }
        self.look_for_rings(slot);
        let Engine { layout, repairing, .. } = self;
        let Some(repairing) = repairing else { return false };
        let mut from = 0;
        while let Some(index) = repairing.incoming.lost(layout, &repairing.targets, slot, from) {
            if index < present && !repairing.is_reached(layout, slot, index) {
                return true;
            }
            from = index + 1;
        }
        false
    }

    /// Whether a slot is a reference that leads nowhere with an index, and nothing is lost that it could lead to.
    pub(crate) fn is_empty_link(&mut self, slot: SlotId, index: u32) -> bool {
        let leads_nowhere = matches!(self.layout.kind(slot), SlotKind::Reference(to) if index < to.nulls);
        leads_nowhere && !self.is_vacant(slot, index)
    }

    /// Rings that are cut off are lost, too.
    pub(crate) fn look_for_rings(&mut self, slot: SlotId) {
        self.know_incoming();
        let Engine { layout, repairing, values, .. } = self;
        let Some(repairing) = repairing else { return };
        let Some((first, count, _)) = repairing.targets.first_of(layout, slot) else { return };
        let mut incoming = std::mem::take(&mut repairing.incoming);
        incoming.look_for_rings(layout, &repairing.targets, slot, |fields, lost| {
            let now = |slot| repairing.target_now(layout, values, slot);
            let goes_along = |slot| goes_the_way(layout, fields, slot);
            let range = first..first + count as usize;
            let links = Links::new(layout, &repairing.targets, &repairing.original, now, range, goes_along);
            links.lost_rings(lost.iter().copied())
        });
        repairing.incoming = incoming;
    }
}
