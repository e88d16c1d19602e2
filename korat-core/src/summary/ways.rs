//! The ways in which something can be completed.
//!
//! A *factor* is something that can be completed in several ways, independently of everything else: parts with an outcome, an
//! object or a link that nothing has read. Each way of a factor is a product of other factors.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::completion::Completion;
use super::natural::Natural;
use super::run::{Run, State};
use super::shape::Holds;
use super::solver::{ROOT, Solver};
use super::table::{NodeId, OutcomeId, TableId};
use crate::model::ids::{ClassId, ObjectId};
use crate::slots::slot::UNASSIGNED;

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
    /// The fresh objects, and their number.
    pub(super) usage: Usage,
    pub(super) count: u32,
    /// The number of combinations of plain slots that nothing has read.
    pub(super) plain: Natural,
}

impl Own {
    /// Returns what a way has that takes an object of each of these classes.
    fn of(classes: impl Iterator<Item = ClassId>, plain: Natural) -> Self {
        let none = Own { usage: 0, count: 0, plain };
        classes.fold(none, |own, class| Own { usage: own.usage + one(class), count: own.count + 1, ..own })
    }
}

/// What a way is a product of.
#[derive(Clone, Copy)]
pub(super) struct Product {
    /// What it has of its own: the position in `Counter::owns`.
    own: u32,
    /// The others; for none and for one, `NONE`.
    factors: [FactorId; 2],
}

impl Product {
    /// That of a leaf which leaves something open.
    pub(super) const OPEN: Product = Product { own: NONE, factors: [NONE, NONE] };

    /// Returns whether this is a product.
    pub(super) fn is_known(&self) -> bool {
        self.own != NONE
    }

    /// Returns what it has of its own: the position in `Counter::owns`.
    pub(super) fn own(&self) -> u32 {
        self.own
    }

    /// Returns the factors: none, one, or one and the rest.
    pub(super) fn factors(&self) -> &[FactorId] {
        let len = self.factors.iter().filter(|factor| **factor != NONE).count();
        &self.factors[..len]
    }
}

/// One way to complete a factor.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The leaf of the table, and which of its completions, if it has left something unread.
    pub(super) leaf: NodeId,
    completion: u32,
    product: Product,
}

/// No factor.
pub(super) const NONE: u32 = u32::MAX;

impl Way {
    pub(super) fn completion(self) -> Option<u32> {
        (self.completion != NONE).then_some(self.completion)
    }

    /// Returns what it is a product of: nothing, one factor, or one and the rest.
    pub(super) fn factors(&self) -> &[FactorId] {
        self.product.factors()
    }
}

#[derive(Default)]
pub(super) struct Known {
    /// The ways of leaves that leave something open, with the position of the leaf, or all ways of a factor that is no outcome.
    /// Every other leaf is a way as it stands.
    open: Vec<(u32, Way)>,
    /// The number of leaves of which `open` has the ways.
    leaves: usize,
    /// The last search for the most objects that has met it.
    met_by: u32,
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
    /// The factors that are no outcomes; an outcome knows its own.
    index: FxHashMap<Factor, FactorId>,
    pub(super) known: Vec<Known>,
    owns: Vec<Own>,
    own_index: FxHashMap<Own, u32>,
    /// The number of searches for the most objects.
    searches: u32,
    /// The one that was asked about last. Most ways have what the way before them has.
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

    /// Begins a search for the most objects, and returns its number.
    pub(super) fn begin_search(&mut self) -> u32 {
        self.searches += 1;
        self.searches
    }

    /// Notes that a search has met a factor. Returns whether it is the first time.
    pub(super) fn meet(&mut self, id: FactorId, search: u32) -> bool {
        std::mem::replace(&mut self.known[id as usize].met_by, search) != search
    }

    /// Returns whether a search has met a factor.
    pub(super) fn has_met(&self, id: FactorId, search: u32) -> bool {
        self.known[id as usize].met_by == search
    }

    /// Returns the factors of the ways that leave something open, as far as they are known.
    pub(super) fn open_factors(&self, id: FactorId) -> impl Iterator<Item = FactorId> {
        self.known[id as usize].open.iter().flat_map(|(_, way)| way.factors().iter().copied())
    }

    pub(super) fn get(&self, id: FactorId) -> Factor {
        self.factors[id as usize]
    }

    pub(super) fn own(&self, way: Way) -> &Own {
        &self.owns[way.product.own as usize]
    }

    /// Adds a factor, whose values have at least this many objects.
    pub(super) fn add(&mut self, factor: Factor, least: u32) -> FactorId {
        let id = self.factors.len() as FactorId;
        self.factors.push(factor);
        self.known.push(Known { least, ..Known::default() });
        id
    }

    /// Returns a factor that is no outcome.
    pub(super) fn factor(&mut self, factor: Factor) -> FactorId {
        if let Some(&known) = self.index.get(&factor) {
            return known;
        }
        let least = match factor {
            Factor::Outcome(..) => unreachable!("[korat internal bug] an outcome knows its factor"),
            Factor::Object(_) | Factor::Link { .. } => 0,
            Factor::Both(one, two) => self.known[one as usize].least + self.known[two as usize].least,
        };
        let id = self.add(factor, least);
        self.index.insert(factor, id);
        id
    }

    /// Returns the product of factors and a last one.
    pub(super) fn product_of(&mut self, own: u32, before: &[FactorId], last: FactorId) -> Product {
        let factors = match *before {
            [] => [last, NONE],
            [first] => [first, last],
            [first, ref between @ ..] => {
                let rest = between.iter().rev().fold(last, |rest, &factor| self.factor(Factor::Both(factor, rest)));
                [first, rest]
            }
        };
        Product { own, factors }
    }

    /// Returns the factors of a product of outcomes before the last one.
    pub(super) fn before_last(&self, product: Product) -> SmallVec<[FactorId; 2]> {
        let (mut before, [first, mut rest]) = (SmallVec::new(), product.factors);
        if rest != NONE {
            before.push(first);
            while let Factor::Both(one, two) = self.get(rest) {
                before.push(one);
                rest = two;
            }
        }
        before
    }

    fn product(&mut self, own: Own, factors: &[FactorId]) -> Product {
        if self.owns.get(self.last_own as usize) != Some(&own) {
            self.last_own = self.own_index.get(&own).copied().unwrap_or_else(|| {
                let number = self.owns.len() as u32;
                self.owns.push(own.clone());
                self.own_index.insert(own, number);
                number
            });
        }
        match *factors {
            [] => Product { own: self.last_own, factors: [NONE, NONE] },
            [ref before @ .., last] => self.product_of(self.last_own, before, last),
        }
    }
}

/// Returns one object of a class.
pub(super) fn one(class: ClassId) -> Usage {
    1 << (16 * class.index())
}

impl Solver {
    /// Returns the factor of the values that the predicate accepts, or rejects; `None` if there are none.
    pub(super) fn root_factor(&self, accepted: bool) -> Option<FactorId> {
        let root = &self.tables[ROOT as usize];
        root.known_outcome(&[u64::from(accepted)], false).map(|outcome| root.outcomes[outcome as usize].factor)
    }

    /// Returns what the values of the run's leaf are made of, if it has read all slots of its objects and opened nothing: most have.
    /// The first objects are those of the run's calls.
    pub(super) fn product_of_run(&mut self, objects_of_calls: usize) -> Product {
        let Run { touched, states, values, groups, has_opened, .. } = &self.run;
        let is_read = |object: &ObjectId| match states[object.index()] {
            State::Own | State::Root => self.shape.slots_of(*object).all(|slot| values[slot.index()] != UNASSIGNED),
            State::Group(_) | State::Elsewhere(_) | State::Stranger | State::Free => true,
        };
        if self.shape.has_optional_slots || *has_opened || !touched.iter().all(is_read) {
            return Product::OPEN;
        }
        let fresh = touched[objects_of_calls..].iter().map(|object| self.shape.objects[object.index()].class);
        let mut factors: SmallVec<[FactorId; 4]> = SmallVec::new();
        for group in groups {
            factors.push(self.tables[group.table as usize].outcomes[group.outcome as usize].factor);
        }
        self.counter.product(Own::of(fresh, Natural::ONE), &factors)
    }

    /// Finds the ways of a factor that are known so far, or at least those of values with at most this many objects. Returns the
    /// number of leaves that they are of.
    pub(super) fn find_ways(&mut self, id: FactorId, objects: u32) -> usize {
        let known = self.counter.known[id as usize].leaves;
        match self.counter.get(id) {
            Factor::Outcome(table, outcome) => {
                let others = &self.tables[table as usize].leaves[outcome as usize][known..];
                let leaves = known + others.partition_point(|leaf| u32::from(leaf.level) <= objects);
                for at in known..leaves {
                    let leaf = self.tables[table as usize].leaves[outcome as usize][at];
                    if !leaf.product.is_known() {
                        self.add_open_ways(id, table, at as u32, leaf.node);
                    }
                }
                self.counter.known[id as usize].leaves = leaves;
            }
            factor if known == 0 => {
                let ways = self.ways_of(factor);
                let known = &mut self.counter.known[id as usize];
                known.open.extend(ways.into_iter().map(|way| (0, way)));
                known.leaves = 1;
            }
            _ => {}
        }
        self.counter.known[id as usize].leaves
    }

    /// Passes the ways of the first leaves of a factor, which `find_ways` has found.
    pub(super) fn each_way(&self, id: FactorId, leaves: usize, mut to: impl FnMut(Way)) {
        let open = &self.counter.known[id as usize].open;
        let Factor::Outcome(table, outcome) = self.counter.get(id) else {
            return open.iter().for_each(|(_, way)| to(*way));
        };
        let mut open = open.iter().peekable();
        for (at, leaf) in (0..).zip(&self.tables[table as usize].leaves[outcome as usize][..leaves]) {
            if leaf.product.is_known() {
                to(Way { leaf: leaf.node, completion: NONE, product: leaf.product });
            } else {
                while let Some((_, way)) = open.next_if(|(of, _)| *of == at) {
                    to(*way);
                }
            }
        }
    }

    /// Returns the ways of a factor that are known so far, or at least those of values with at most this many objects.
    pub(super) fn ways(&mut self, id: FactorId, objects: u32) -> Vec<Way> {
        let (leaves, mut ways) = (self.find_ways(id, objects), Vec::new());
        self.each_way(id, leaves, |way| ways.push(way));
        ways
    }

    /// Returns the ways of a factor that is no outcome.
    fn ways_of(&mut self, factor: Factor) -> Vec<Way> {
        let way = |product| Way { leaf: 0, completion: NONE, product };
        match factor {
            Factor::Outcome(..) => unreachable!("[korat internal bug] the ways of an outcome are its leaves"),
            Factor::Object(class) => {
                let completions = self.completions_of_object(class);
                (0..).zip(&completions).map(|(number, completion)| self.way(0, number, completion)).collect()
            }
            Factor::Link { nulls, class } => {
                let mut ways = Vec::new();
                if nulls > 0 {
                    ways.push(way(self.counter.product(Own::of([].into_iter(), Natural::from(u64::from(nulls))), &[])));
                }
                // Nothing can be asked about an object of a class that has none.
                if self.shape.classes[class.index()].count > 0 {
                    let object = self.counter.factor(Factor::Object(class));
                    ways.push(way(self.counter.product(Own::of([class].into_iter(), Natural::ONE), &[object])));
                }
                ways
            }
            Factor::Both(one, two) => {
                vec![way(self.counter.product(Own::of([].into_iter(), Natural::ONE), &[one, two]))]
            }
        }
    }

    /// Adds the ways of a leaf that leaves something open.
    fn add_open_ways(&mut self, id: FactorId, table: TableId, at: u32, leaf: NodeId) {
        for (number, completion) in self.completions(table, leaf).iter().enumerate() {
            let way = self.way(leaf, number as u32, completion);
            self.counter.known[id as usize].open.push((at, way));
        }
    }

    fn way(&mut self, leaf: NodeId, completion: u32, of: &Completion) -> Way {
        let groups = of.production.groups.iter();
        let mut factors: SmallVec<[FactorId; 4]> =
            groups.map(|group| self.tables[group.table as usize].outcomes[group.outcome as usize].factor).collect();
        for &(_, _, holds) in &of.links {
            factors.push(match holds {
                Holds::Link { nulls, class } => self.counter.factor(Factor::Link { nulls, class }),
                Holds::Values { .. } => unreachable!("[korat internal bug] a plain slot is a link"),
            });
        }
        let mut plain = Natural::ONE;
        for &(_, _, len) in &of.plain {
            plain = plain * &Natural::from(u64::from(len));
        }
        let own = Own::of(of.production.fresh.iter().copied(), plain);
        Way { leaf, completion, product: self.counter.product(own, &factors) }
    }
}
