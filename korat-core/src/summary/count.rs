//! Counts the values of outcomes, by the objects that they use.
//!
//! A *factor* is something that can be completed in several ways, independently of everything else: parts with an outcome, an
//! object or a link that nothing has read. Each way of a factor is a product of other factors. Its values with a number of
//! objects are counted from those of its factors with fewer objects.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::completion::Completion;
use super::natural::Natural;
use super::shape::Holds;
use super::solver::{ROOT, Solver};
use super::table::{Decision, NodeId, OutcomeId, TableId};
use crate::model::ids::ClassId;

/// How many objects of each class, 16 bits for each.
pub(super) type Usage = u128;

/// How many values use how many objects of each class.
pub(super) type Numbers = Rc<Vec<(Usage, Natural)>>;

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

#[derive(Default)]
struct Known {
    ways: Rc<Vec<Way>>,
    /// The number of leaves that `ways` covers.
    leaves: usize,
    /// By the number of objects: how many values use how many of each class.
    numbers: Vec<Option<Numbers>>,
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

    /// Forgets all numbers: a product asks for more objects of a factor than its table may be solved for, and what is not solved
    /// yet counts as nothing, as long as the other factors have nothing to go with it.
    pub(super) fn forget_numbers(&mut self) {
        self.known.iter_mut().for_each(|known| known.numbers.clear());
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

    /// Returns how many values of a factor have this many objects, by their classes.
    pub(super) fn numbers(&mut self, id: FactorId, objects: u32) -> Numbers {
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

    /// Returns the size of values with the root and these objects.
    pub(super) fn size(&self, usage: Usage) -> usize {
        let root = self.shape.objects[self.shape.root.index()].class;
        let counted = self.shape.classes.iter().enumerate().filter(|(_, class)| class.is_counted);
        counted.map(|(number, _)| (usage >> (16 * number)) as u16 as usize + usize::from(number == root.index())).sum()
    }
}
