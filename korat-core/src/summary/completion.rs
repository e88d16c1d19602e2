//! What a production leaves open: slots that the run has not read. Those that say which other slots exist are gone through here.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::nodes::{Decision, LastDecision, TableId};
use super::production::Production;
use super::shape::{Held, Holds};
use super::solver::Solver;
use super::ways::{Factor, FactorId};
use crate::model::ids::{ClassId, ObjectId, SlotId};
use crate::slots::slot::AnySlot;

/// A production with everything decided that says which slots exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Completion {
    pub(super) production: Production,
    /// Plain slots that nothing has read: the object, the offset, and the number of values.
    pub(super) plain: Vec<(u32, u32, u32)>,
    /// Links that nothing has read: the object, the offset, and what they may hold.
    pub(super) links: Vec<(u32, u32, Holds)>,
}

impl Solver {
    /// Returns the completions of a production.
    pub(super) fn completions(&mut self, table: TableId, leaf: LastDecision) -> Vec<Completion> {
        let production = self.production(table, leaf);
        let list = Rc::clone(&self.tables[table as usize].list);
        let mut is_own: Vec<bool> = list.objects.iter().map(|object| object.is_part).collect();
        is_own.resize(list.objects.len() + production.fresh.len(), true);
        for group in &production.groups {
            for (&object, info) in group.objects.iter().zip(&self.tables[group.table as usize].list.objects) {
                is_own[object as usize] &= !info.is_part;
            }
        }
        let mut classes: Vec<ClassId> = list.objects.iter().map(|object| object.class).collect();
        classes.extend(&production.fresh);
        let given: Vec<(u32, u32, Held)> = (0..)
            .zip(&list.objects)
            .flat_map(|(number, object)| object.given.iter().map(move |&(offset, held)| (number, offset, held)))
            .collect();
        self.completed(production, &classes, &is_own, &given)
    }

    /// Returns the completions of an object of which nothing is decided.
    pub(super) fn completions_of_object(&mut self, class: ClassId) -> Vec<Completion> {
        self.completed(Production::default(), &[class], &[true], &[])
    }

    /// Goes through the shapes that slots which nothing has read may have.
    fn completed(
        &mut self,
        production: Production,
        classes: &[ClassId],
        is_own: &[bool],
        given: &[(u32, u32, Held)],
    ) -> Vec<Completion> {
        // Slots are assigned below, and tell what they lead to.
        self.places.erase_standing();
        let mut reached = vec![0; self.shape.classes.len()];
        let objects: Vec<ObjectId> = classes
            .iter()
            .map(|class| {
                reached[class.index()] += 1;
                self.shape.object(*class, reached[class.index()] - 1)
            })
            .collect();
        let (mut done, mut todo) = (Vec::new(), vec![production]);
        while let Some(production) = todo.pop() {
            let mut assigned = Vec::new();
            let held = production.slots.iter().copied();
            for (object, offset, held) in given.iter().copied().chain(held) {
                let slot = self.shape.slot(objects[object as usize], offset);
                let handle = self.places.handle(&self.shape, slot);
                handle.assign(held.resolve(&self.shape, slot, &objects));
                assigned.push(handle);
            }
            let mut free: Vec<(u32, SlotId)> = Vec::new();
            for (number, &object) in (0..).zip(&objects) {
                if is_own[number as usize] {
                    let class = &self.shape.classes[classes[number as usize].index()];
                    let visit = &mut |slot: &dyn AnySlot| {
                        if !slot.is_assigned() {
                            free.push((number, slot.id()));
                        }
                        self.places.note(slot.slot_handle());
                    };
                    class.table.visit((object.0 - class.first_object) as usize, visit);
                }
            }
            assigned.into_iter().for_each(|handle| handle.erase());
            let shape_slot = free.iter().find(|(_, slot)| self.shape.slots[slot.index()].is_shape);
            if let Some(&(object, slot)) = shape_slot
                && let Holds::Values { len } = self.shape.slots[slot.index()].holds
            {
                for index in (0..len).rev().filter(|&index| self.shape.needs(slot, index) <= self.shape.most) {
                    let mut decided = production.clone();
                    decided.slots.push((object, self.shape.offset(slot), Held::Index(index)));
                    todo.push(decided);
                }
                continue;
            }
            let mut completion = Completion { production, ..Completion::default() };
            for (object, slot) in free {
                let offset = self.shape.offset(slot);
                match self.shape.slots[slot.index()].holds {
                    Holds::Values { len } => completion.plain.push((object, offset, len)),
                    holds @ Holds::Link { .. } => completion.links.push((object, offset, holds)),
                }
            }
            done.push(completion);
        }
        done
    }

    /// Returns the slots that accepted values have: those that the predicate has read, and those that it has not.
    pub(crate) fn read_and_unread(&mut self) -> (Vec<SlotId>, Vec<SlotId>) {
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        let mut todo: Vec<FactorId> = self.root_factor(true).into_iter().collect();
        let mut seen: FxHashSet<FactorId> = todo.iter().copied().collect();
        while let Some(factor) = todo.pop() {
            let mut inner: Vec<FactorId> = Vec::new();
            match self.counter.get(factor) {
                Factor::Link { class, .. } if self.shape.classes[class.index()].count > 0 => {
                    inner.push(self.counter.factor(Factor::Object(class)));
                }
                Factor::Link { .. } => {}
                Factor::Both(one, two) => inner.extend([one, two]),
                Factor::Object(class) => {
                    for completion in self.completions_of_object(class) {
                        let objects = [self.shape.object(class, 0)];
                        let shapes = completion.production.slots.iter().map(|&(_, offset, _)| offset);
                        let others = completion.plain.iter().map(|&(_, offset, _)| offset);
                        let links = completion.links.iter().map(|&(_, offset, _)| offset);
                        unread.extend(
                            shapes.chain(others).chain(links).map(|offset| self.shape.slot(objects[0], offset)),
                        );
                    }
                }
                Factor::Outcome(table, _) => {
                    let (ways, mut path) = (self.ways(factor, u32::MAX), Vec::new());
                    let known = &self.tables[table as usize];
                    for way in &ways {
                        known.path_to_leaf(way.leaf, &mut path);
                        for (parent, _) in &path {
                            if let Decision::Slot { slot, .. } = known.nodes[*parent as usize].decision {
                                read.push(slot);
                            }
                        }
                    }
                    for way in ways.iter().filter(|way| way.completion().is_some()) {
                        self.unread_in(table, way.leaf, &mut unread);
                    }
                    read.sort_unstable();
                    read.dedup();
                }
            }
            if matches!(self.counter.get(factor), Factor::Object(_) | Factor::Outcome(..)) {
                inner.extend(self.ways(factor, u32::MAX).iter().flat_map(|way| way.factors().iter().copied()));
            }
            todo.extend(inner.into_iter().filter(|factor| seen.insert(*factor)));
        }
        (read, unread)
    }

    fn unread_in(&mut self, table: TableId, leaf: LastDecision, unread: &mut Vec<SlotId>) {
        let decided = self.production(table, leaf).slots.len();
        let list = Rc::clone(&self.tables[table as usize].list);
        for completion in self.completions(table, leaf) {
            let Completion { production, plain, links } = &completion;
            let mut classes: Vec<ClassId> = list.objects.iter().map(|object| object.class).collect();
            classes.extend(&production.fresh);
            let slots = production.slots[decided..].iter().map(|&(object, offset, _)| (object, offset));
            let slots = slots.chain(plain.iter().map(|&(object, offset, _)| (object, offset)));
            let slots = slots.chain(links.iter().map(|&(object, offset, _)| (object, offset)));
            let first = |object: u32| self.shape.object(classes[object as usize], 0);
            unread.extend(slots.map(|(object, offset)| self.shape.slot(first(object), offset)));
        }
    }
}
