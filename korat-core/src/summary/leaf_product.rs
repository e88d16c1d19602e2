//! What the values of a leaf are made of, as far as the run that ends there can tell.

use smallvec::SmallVec;

use super::natural::Natural;
use super::run::{Run, State};
use super::shape::Holds;
use super::solver::Solver;
use super::ways::{FactorId, Own, Product};
use crate::model::ids::ObjectId;
use crate::slots::slot::UNASSIGNED;

impl Solver {
    /// Returns what the values of the run's leaf are made of, if it has opened nothing, and nothing that it has not read says which
    /// slots exist: most are so. And returns whether it has read all slots of its objects.
    pub(super) fn product_of_run(&mut self) -> (Product, bool) {
        if let Some((own, factors)) = self.product_beside(&[]) {
            return (self.counter.product_of(own, &factors), true);
        }
        (self.product_with_unread().unwrap_or(Product::OPEN), false)
    }

    /// Returns what the values of the run's leaf are made of, where slots of its objects are not read; as `way` does for its only
    /// completion.
    fn product_with_unread(&mut self) -> Option<Product> {
        let Run { touched, states, values, groups, has_opened, touched_before, groups_before, .. } = &self.run;
        if self.shape.has_optional_slots || *has_opened {
            return None;
        }
        let groups = groups[*groups_before as usize..].iter();
        let factors = groups.map(|group| self.tables[group.table as usize].outcomes[group.outcome as usize].factor);
        let mut factors: SmallVec<[FactorId; 4]> = factors.collect();
        let (mut plain, mut links) = (Natural::ONE, SmallVec::<[Holds; 4]>::new());
        let own = touched.iter().filter(|object| matches!(states[object.index()], State::Own | State::Root));
        for slot in own.flat_map(|object| self.shape.slots_of(*object)) {
            let slot_shape = self.shape.slots[slot.index()];
            match slot_shape.holds {
                _ if values[slot.index()] != UNASSIGNED => {}
                _ if slot_shape.is_shape => return None,
                Holds::Values { len } => plain = plain * &Natural::from(u64::from(len)),
                link @ Holds::Link { .. } => links.push(link),
            }
        }
        let fresh = touched[*touched_before as usize..].iter();
        let own = Own::of(fresh.map(|object| self.shape.objects[object.index()].class), plain);
        factors.extend(links.into_iter().map(|link| self.counter.link(link)));
        Some(self.counter.product(own, &factors))
    }

    /// Returns what the values of the run's leaf have of their own, and the groups of parts that they have, if all slots of its objects
    /// but these are read, and nothing was opened.
    pub(super) fn product_beside(&mut self, others: &[ObjectId]) -> Option<(u32, SmallVec<[FactorId; 4]>)> {
        let Run { touched, states, values, groups, has_opened, touched_before, groups_before, .. } = &self.run;
        let is_read = |object: &ObjectId| match states[object.index()] {
            State::Own | State::Root if !others.contains(object) => {
                self.shape.slots_of(*object).all(|slot| values[slot.index()] != UNASSIGNED)
            }
            State::Own | State::Root | State::Hidden => true,
            State::Group(_) | State::Elsewhere(_) | State::Stranger | State::Free => true,
        };
        if self.shape.has_optional_slots || *has_opened || !touched.iter().all(is_read) {
            return None;
        }
        let fresh = touched[*touched_before as usize..].iter();
        let own = Own::of(fresh.map(|object| self.shape.objects[object.index()].class), Natural::ONE);
        let groups = groups[*groups_before as usize..].iter();
        let factors = groups.map(|group| self.tables[group.table as usize].outcomes[group.outcome as usize].factor);
        let factors = factors.collect();
        Some((self.counter.own_id(own), factors))
    }
}
