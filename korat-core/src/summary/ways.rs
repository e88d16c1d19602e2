//! The ways in which something can be completed.
//!
//! A *factor* is something that can be completed in several ways, independently of everything else: parts with an outcome, an
//! object or a link that nothing has read. Each way of a factor is a product of other factors.

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
pub(super) type Numbers = SmallVec<[(Usage, Natural); 1]>;

/// Sizes of values, with what they use and how many there are.
pub(super) type Usages = Vec<(usize, Usage, Natural)>;

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
    /// Two of them.
    Both(FactorId, FactorId),
}

/// The position of a factor.
pub(super) type FactorId = u32;

/// What a way has of its own.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Own {
    /// The fresh objects.
    pub(super) usage: Usage,
    pub(super) count: u32,
    /// The number of combinations of plain slots that nothing has read.
    pub(super) plain: Natural,
}

/// One way to complete a factor.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The leaf of the table, and which of its completions, if it has left something unread.
    pub(super) leaf: NodeId,
    completion: u32,
    own: u32,
    /// What it is a product of; for none and for one, `NONE`.
    pub(super) factors: [FactorId; 2],
}

/// No factor.
pub(super) const NONE: u32 = u32::MAX;

impl Way {
    pub(super) fn completion(self) -> Option<u32> {
        (self.completion != NONE).then_some(self.completion)
    }

    /// Returns what it is a product of: nothing, one factor, or one and the rest.
    pub(super) fn factors(&self) -> &[FactorId] {
        let len = self.factors.iter().filter(|factor| **factor != NONE).count();
        &self.factors[..len]
    }
}

#[derive(Default)]
pub(super) struct Known {
    ways: Rc<Vec<Way>>,
    /// The number of leaves that `ways` covers.
    leaves: usize,
    /// No value has fewer objects.
    pub(super) least: u32,
    /// No value has more, if that is known.
    pub(super) most: Option<u32>,
    /// How many values use how many of each class, for each number of objects from `least` on.
    pub(super) numbers: Vec<Numbers>,
}

/// What is known about factors.
#[derive(Default)]
pub(super) struct Counter {
    factors: Vec<Factor>,
    index: FxHashMap<Factor, FactorId>,
    pub(super) known: Vec<Known>,
    owns: Vec<Own>,
    own_index: FxHashMap<Own, u32>,
    last_own: u32,
    /// The sizes of accepted values, with their numbers by usage, and up to where they were known then.
    pub(super) usages: Option<(u32, Rc<Usages>)>,
}

impl Counter {
    /// Forgets that there is no most number of objects: some tables are complete now.
    pub(super) fn forget_endless(&mut self) {
        for known in &mut self.known {
            known.most = known.most.filter(|most| *most != u32::MAX);
        }
    }

    pub(super) fn get(&self, id: FactorId) -> Factor {
        self.factors[id as usize]
    }

    pub(super) fn own(&self, way: Way) -> &Own {
        &self.owns[way.own as usize]
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
        Some(self.factor(Factor::Outcome(ROOT, outcome)))
    }

    pub(super) fn factor(&mut self, factor: Factor) -> FactorId {
        if let Some(&known) = self.counter.index.get(&factor) {
            return known;
        }
        let least = match factor {
            Factor::Outcome(table, outcome) => self.used_by((table, outcome)),
            Factor::Object(_) | Factor::Link { .. } => 0,
            Factor::Both(one, two) => self.counter.known[one as usize].least + self.counter.known[two as usize].least,
        };
        let id = self.counter.factors.len() as FactorId;
        self.counter.index.insert(factor, id);
        self.counter.factors.push(factor);
        self.counter.known.push(Known { least, ..Known::default() });
        id
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
            factor => {
                if self.counter.known[id as usize].leaves == 0 {
                    let ways = self.ways_of(factor);
                    let known = &mut self.counter.known[id as usize];
                    (known.ways, known.leaves) = (Rc::new(ways), 1);
                }
            }
        }
        Rc::clone(&self.counter.known[id as usize].ways)
    }

    /// Returns the ways of a factor that is no outcome.
    fn ways_of(&mut self, factor: Factor) -> Vec<Way> {
        match factor {
            Factor::Outcome(..) => Vec::new(),
            Factor::Object(class) => {
                let completions = self.completions_of_object(class);
                (0..).zip(&completions).map(|(number, completion)| self.way(0, number, completion)).collect()
            }
            Factor::Link { nulls, class } => {
                let null = Own { usage: 0, count: 0, plain: Natural::from(u64::from(nulls)) };
                let object = Own { usage: one(class), count: 1, plain: Natural::ONE };
                let mut ways = Vec::new();
                if nulls > 0 {
                    ways.push(self.product(0, NONE, null, SmallVec::new()));
                }
                // Nothing can be asked about an object of a class that has none.
                if self.shape.classes[class.index()].count > 0 {
                    ways.push(self.product(0, NONE, object, SmallVec::from_slice(&[Factor::Object(class)])));
                }
                ways
            }
            Factor::Both(one, two) => {
                let own = Own { usage: 0, count: 0, plain: Natural::ONE };
                let factors = [one, two].map(|id| self.counter.get(id));
                vec![self.product(0, NONE, own, SmallVec::from_slice(&factors))]
            }
        }
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
        let factors = groups.iter().map(|&(_, table, outcome)| Factor::Outcome(table, outcome)).collect();
        Some(self.product(leaf, NONE, Own { usage: own, count: own_count, plain: Natural::ONE }, factors))
    }

    fn way(&mut self, leaf: NodeId, completion: u32, of: &Completion) -> Way {
        let groups = of.production.groups.iter().map(|group| Factor::Outcome(group.table, group.outcome));
        let links = of.links.iter().map(|&(_, _, holds)| match holds {
            Holds::Link { nulls, class } => Factor::Link { nulls, class },
            Holds::Values { .. } => unreachable!("[korat internal bug] a plain slot is a link"),
        });
        let mut plain = Natural::ONE;
        for &(_, _, len) in &of.plain {
            plain = plain * &Natural::from(u64::from(len));
        }
        let usage = of.production.fresh.iter().map(|&class| one(class)).sum();
        let own = Own { usage, count: of.production.fresh.len() as u32, plain };
        self.product(leaf, completion, own, groups.chain(links).collect())
    }

    fn product(&mut self, leaf: NodeId, completion: u32, own: Own, factors: SmallVec<[Factor; 4]>) -> Way {
        let last = self.counter.owns.len() as u32;
        // Most ways have the same of their own as the one before.
        let number = match self.counter.last_own {
            at if self.counter.owns.get(at as usize) == Some(&own) => at,
            _ => *self.counter.own_index.entry(own.clone()).or_insert(last),
        };
        if number == last {
            self.counter.owns.push(own);
        }
        self.counter.last_own = number;
        let ids: SmallVec<[FactorId; 4]> = factors.into_iter().map(|factor| self.factor(factor)).collect();
        let factors = match *ids {
            [] => [NONE, NONE],
            [only] => [only, NONE],
            [first, ref rest @ .., last] => {
                let rest = rest.iter().rev().fold(last, |rest, &factor| self.factor(Factor::Both(factor, rest)));
                [first, rest]
            }
        };
        Way { leaf, completion, own: number, factors }
    }
}
