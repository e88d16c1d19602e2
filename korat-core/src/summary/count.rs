//! Counts the values of outcomes, by the objects that they use.
//!
//! A *factor* is something that can be completed in several ways, independently of everything else: parts with an outcome, an
//! object or a link that nothing has read. Each way of a factor is a product of other factors. Its values with a number of
//! objects are counted from those of its factors with fewer objects.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::natural::Natural;
use super::production::{Held, Production};
use super::shape::Holds;
use super::solver::{ROOT, Solver};
use super::table::{Decision, NodeId, OutcomeId, Table, TableId};
use crate::model::ids::{ClassId, ObjectId, SlotId};

/// How many objects of each class, 16 bits for each.
pub(super) type Usage = u128;

/// The most classes whose objects are counted.
pub(super) const MOST_CLASSES: usize = 8;

/// Something that can be completed in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Factor {
    /// Parts with an outcome.
    Outcome(TableId, OutcomeId),
    /// An object of which nothing is decided.
    Object(ClassId),
    /// A link that is not decided.
    Link { nulls: u32, class: ClassId },
}

/// The position of a factor.
pub(super) type FactorId = u32;

/// One way to complete a factor.
#[derive(Clone)]
pub(super) struct Way {
    /// The leaf of the table, and which of its completions.
    pub(super) leaf: NodeId,
    pub(super) completion: u32,
    /// Whether the run has left something unread.
    pub(super) is_completed: bool,
    /// The fresh objects.
    pub(super) own: Usage,
    pub(super) own_count: u32,
    /// The number of combinations of plain slots that nothing has read.
    pub(super) plain: Natural,
    pub(super) factors: SmallVec<[FactorId; 2]>,
}

/// A production with everything decided that says which slots exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Completion {
    pub(super) production: Production,
    /// Plain slots that nothing has read: the object, the offset, and the number of values.
    pub(super) plain: Vec<(u32, u32, u32)>,
    /// Links that nothing has read: the object, the offset, and what they may hold.
    pub(super) links: Vec<(u32, u32, Holds)>,
}

#[derive(Default)]
struct Known {
    ways: Rc<Vec<Way>>,
    /// The number of leaves that `ways` covers.
    leaves: usize,
    /// By the number of objects: how many values use how many of each class.
    numbers: Vec<Option<Rc<Vec<(Usage, Natural)>>>>,
}

/// What is known about factors.
#[derive(Default)]
pub(super) struct Counter {
    factors: Vec<Factor>,
    index: FxHashMap<Factor, FactorId>,
    known: Vec<Known>,
}

impl Counter {
    fn factor(&mut self, factor: Factor) -> FactorId {
        let next = self.factors.len() as FactorId;
        let id = *self.index.entry(factor).or_insert(next);
        if id == next {
            self.factors.push(factor);
            self.known.push(Known::default());
        }
        id
    }

    pub(super) fn get(&self, id: FactorId) -> Factor {
        self.factors[id as usize]
    }
}

/// Returns one object of a class.
pub(super) fn one(class: ClassId) -> Usage {
    1 << (16 * class.index())
}

impl Solver {
    /// Returns the factor of the values that the predicate accepts, or rejects; `None` if there are none.
    pub(super) fn root_factor(&mut self, accepted: bool) -> Option<FactorId> {
        let outcome = self.tables[ROOT as usize].known_outcome(&[u64::from(accepted)])?;
        Some(self.counter.factor(Factor::Outcome(ROOT, outcome)))
    }

    /// Returns the factor of an object of which nothing is decided.
    pub(super) fn object_factor(&mut self, class: ClassId) -> FactorId {
        self.counter.factor(Factor::Object(class))
    }

    /// Returns whether the bounds allow a usage.
    pub(super) fn fits(&self, usage: Usage) -> bool {
        let of = |class: usize| (usage >> (16 * class)) as u16;
        self.shape.classes.iter().enumerate().all(|(number, class)| u32::from(of(number)) <= class.count)
    }

    /// Returns the ways of a factor that are known so far.
    pub(super) fn ways(&mut self, id: FactorId) -> Rc<Vec<Way>> {
        match self.counter.get(id) {
            Factor::Outcome(table, outcome) => {
                let leaves = self.tables[table as usize].outcomes[outcome as usize].leaves.len();
                let known = self.counter.known[id as usize].leaves;
                if known < leaves {
                    let mut ways = std::mem::take(&mut self.counter.known[id as usize].ways);
                    let all = Rc::make_mut(&mut ways);
                    for at in known..leaves {
                        let leaf = self.tables[table as usize].outcomes[outcome as usize].leaves[at];
                        self.add_ways(table, leaf, all);
                    }
                    let known = &mut self.counter.known[id as usize];
                    (known.ways, known.leaves) = (ways, leaves);
                }
            }
            Factor::Object(class) => {
                if self.counter.known[id as usize].leaves == 0 {
                    let mut ways = Vec::new();
                    for (number, completion) in self.completions_of_object(class).iter().enumerate() {
                        ways.push(self.way(0, number as u32, completion));
                    }
                    let known = &mut self.counter.known[id as usize];
                    (known.ways, known.leaves) = (Rc::new(ways), 1);
                }
            }
            Factor::Link { .. } => unreachable!("[korat internal bug] a link has no ways of its own"),
        }
        Rc::clone(&self.counter.known[id as usize].ways)
    }

    fn add_ways(&mut self, table: TableId, leaf: NodeId, ways: &mut Vec<Way>) {
        if let Some(way) = self.plain_way(table, leaf) {
            ways.push(way);
            return;
        }
        for (number, completion) in self.completions(table, leaf).iter().enumerate() {
            let way = self.way(leaf, number as u32, completion);
            ways.push(way);
        }
    }

    /// Returns the way of a leaf that has read all slots of its objects and opened nothing: most have.
    fn plain_way(&mut self, table: TableId, leaf: NodeId) -> Option<Way> {
        if self.shape.has_optional_slots {
            return None;
        }
        let parts = self.tables[table as usize].list.objects.iter().filter(|object| object.is_part);
        let slots = |class: ClassId| {
            let class = &self.shape.classes[class.index()];
            i64::from(self.shape.objects[class.first_object as usize].slots)
        };
        let mut unread: i64 = parts.map(|part| slots(part.class) - part.given.len() as i64).sum();
        let (mut own, mut own_count) = (0, 0);
        let mut groups: SmallVec<[(u32, TableId, OutcomeId); 4]> = SmallVec::new();
        let table = &self.tables[table as usize];
        let mut at = leaf;
        while at != 0 {
            let node = table.nodes[at as usize];
            match table.nodes[node.parent as usize].decision {
                Decision::Slot { slot, .. } => {
                    unread -= 1;
                    if let Holds::Link { nulls, class } = self.shape.slots[slot.index()].holds
                        && node.alternative >= nulls
                    {
                        own += one(class);
                        own_count += 1;
                        unread += slots(class);
                    }
                }
                Decision::Call(number) => {
                    let call = &table.calls[number as usize];
                    // The last call on a group comes first here.
                    if !groups.iter().any(|(group, ..)| *group == call.group) {
                        let inner = &self.tables[call.table as usize];
                        let outcome = inner.continued[call.continuation as usize][node.alternative as usize];
                        groups.push((call.group, call.table, outcome));
                        let parts = inner.list.objects.iter().filter(|object| object.is_part);
                        unread -= parts.map(|part| slots(part.class) - part.given.len() as i64).sum::<i64>();
                    }
                }
                Decision::Open { .. } | Decision::Unknown | Decision::Leaf(_) => return None,
            }
            at = node.parent;
        }
        if unread != 0 {
            return None;
        }
        groups.sort_unstable();
        let factors = groups.iter().map(|&(_, table, outcome)| self.counter.factor(Factor::Outcome(table, outcome)));
        Some(Way {
            leaf,
            completion: 0,
            is_completed: false,
            own,
            own_count,
            plain: Natural::ONE,
            factors: factors.collect(),
        })
    }

    fn way(&mut self, leaf: NodeId, completion: u32, of: &Completion) -> Way {
        let groups = of.production.groups.iter().map(|group| Factor::Outcome(group.table, group.outcome));
        let links = of.links.iter().map(|&(_, _, holds)| match holds {
            Holds::Link { nulls, class } => Factor::Link { nulls, class },
            Holds::Values { .. } => unreachable!("[korat internal bug] a plain slot is a link"),
        });
        let factors: SmallVec<[Factor; 4]> = groups.chain(links).collect();
        let mut plain = Natural::ONE;
        for &(_, _, len) in &of.plain {
            plain = plain * &Natural::from(u64::from(len));
        }
        Way {
            leaf,
            completion,
            is_completed: true,
            own: of.production.fresh.iter().map(|&class| one(class)).sum(),
            own_count: of.production.fresh.len() as u32,
            plain,
            factors: factors.into_iter().map(|factor| self.counter.factor(factor)).collect(),
        }
    }

    /// Returns the completions of a production.
    pub(super) fn completions(&mut self, table: TableId, leaf: NodeId) -> Vec<Completion> {
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
        let given: Vec<(u32, u32, u32)> = (0..)
            .zip(&list.objects)
            .flat_map(|(number, object)| object.given.iter().map(move |&(offset, index)| (number, offset, index)))
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
        given: &[(u32, u32, u32)],
    ) -> Vec<Completion> {
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
            let given = given.iter().map(|&(object, offset, index)| (object, offset, Held::Index(index)));
            for (object, offset, held) in given.chain(held) {
                let slot = self.shape.slot(objects[object as usize], offset);
                let handle = self.places.handle(&self.shape, slot);
                handle.assign(held.resolve(&self.shape, slot, &objects));
                assigned.push(handle);
            }
            let mut free: Vec<(u32, SlotId)> = Vec::new();
            for (number, &object) in (0..).zip(&objects) {
                if is_own[number as usize] {
                    let class = &self.shape.classes[classes[number as usize].index()];
                    let visit = &mut |slot: &dyn crate::slots::slot::AnySlot| {
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

    /// Returns how many values of a factor have this many objects, by their classes.
    pub(super) fn numbers(&mut self, id: FactorId, objects: u32) -> Rc<Vec<(Usage, Natural)>> {
        if let Some(Some(known)) = self.counter.known[id as usize].numbers.get(objects as usize) {
            return Rc::clone(known);
        }
        let mut sums: FxHashMap<Usage, Natural> = FxHashMap::default();
        match self.counter.get(id) {
            Factor::Link { nulls, .. } if objects == 0 => {
                if nulls > 0 {
                    sums.insert(0, Natural::from(u64::from(nulls)));
                }
            }
            // Nothing can be asked about an object of a class that has none.
            Factor::Link { class, .. } if self.shape.classes[class.index()].count == 0 => {}
            Factor::Link { class, .. } => {
                let object = self.counter.factor(Factor::Object(class));
                for (usage, number) in self.numbers(object, objects - 1).iter() {
                    if self.fits(usage + one(class)) {
                        sums.insert(usage + one(class), number.clone());
                    }
                }
            }
            Factor::Outcome(..) | Factor::Object(_) => {
                let ways = self.ways(id);
                for way in ways.iter().filter(|way| way.own_count <= objects) {
                    for (usage, number) in self.product(&way.factors, objects - way.own_count) {
                        let usage = usage + way.own;
                        if self.fits(usage) {
                            *sums.entry(usage).or_insert(Natural::ZERO) += &(number * &way.plain);
                        }
                    }
                }
            }
        }
        let mut sums: Vec<(Usage, Natural)> = sums.into_iter().collect();
        sums.sort_unstable_by_key(|(usage, _)| *usage);
        let sums = Rc::new(sums);
        let numbers = &mut self.counter.known[id as usize].numbers;
        if numbers.len() <= objects as usize {
            numbers.resize(objects as usize + 1, None);
        }
        numbers[objects as usize] = Some(Rc::clone(&sums));
        sums
    }

    /// Returns how many combinations of values of factors have this many objects, by their classes; may name one more than once.
    pub(super) fn product(&mut self, factors: &[FactorId], objects: u32) -> Vec<(Usage, Natural)> {
        match factors {
            [] if objects == 0 => vec![(0, Natural::ONE)],
            [] => Vec::new(),
            [only] => self.numbers(*only, objects).to_vec(),
            [first, rest @ ..] => {
                let mut all: Vec<(Usage, Natural)> = Vec::new();
                for taken in 0..=objects {
                    let of_first = self.numbers(*first, taken);
                    if of_first.is_empty() {
                        continue;
                    }
                    let of_rest = self.product(rest, objects - taken);
                    for (usage, number) in of_first.iter() {
                        for (other, times) in &of_rest {
                            all.push((usage + other, number * times));
                        }
                    }
                }
                all
            }
        }
    }

    /// Returns the slots that accepted values have: those that the predicate has read, and those that it has not.
    pub(crate) fn read_and_unread(&mut self) -> (Vec<SlotId>, Vec<SlotId>) {
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        let mut todo: Vec<FactorId> = self.root_factor(true).into_iter().collect();
        let mut seen: FxHashSet<FactorId> = todo.iter().copied().collect();
        while let Some(factor) = todo.pop() {
            let mut inner: Vec<FactorId> = Vec::new();
            match self.counter.get(factor) {
                Factor::Link { class, .. } => inner.push(self.object_factor(class)),
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
                Factor::Outcome(table, outcome) => {
                    let Table { nodes, outcomes, .. } = &self.tables[table as usize];
                    let mut path = Vec::new();
                    for &leaf in &outcomes[outcome as usize].leaves {
                        self.tables[table as usize].path(leaf, &mut path);
                        for node in &path {
                            if let Decision::Slot { slot, .. } = nodes[nodes[*node as usize].parent as usize].decision {
                                read.push(slot);
                            }
                        }
                    }
                    let incomplete: Vec<NodeId> =
                        self.ways(factor).iter().filter(|way| way.is_completed).map(|way| way.leaf).collect();
                    for leaf in incomplete {
                        self.unread_in(table, leaf, &mut unread);
                    }
                    read.sort_unstable();
                    read.dedup();
                }
            }
            if !matches!(self.counter.get(factor), Factor::Link { .. }) {
                inner.extend(self.ways(factor).iter().flat_map(|way| way.factors.iter().copied()));
            }
            todo.extend(inner.into_iter().filter(|factor| seen.insert(*factor)));
        }
        (read, unread)
    }

    fn unread_in(&mut self, table: TableId, leaf: NodeId, unread: &mut Vec<SlotId>) {
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

    /// Returns the size of values with the root and these objects.
    pub(super) fn size(&self, usage: Usage) -> usize {
        let root = self.shape.objects[self.shape.root.index()].class;
        let counted = self.shape.classes.iter().enumerate().filter(|(_, class)| class.is_counted);
        counted.map(|(number, _)| (usage >> (16 * number)) as u16 as usize + usize::from(number == root.index())).sum()
    }
}
