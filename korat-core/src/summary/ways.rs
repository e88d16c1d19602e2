//! The ways in which something can be completed.
//!
//! A *factor* is something that can be completed in several ways, independently of everything else: parts with an outcome, an
//! object or a link that nothing has read. Each way of a factor is a product of other factors.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::completion::Completion;
use super::count::Counted;
use super::natural::Natural;
use super::nodes::{LastDecision, OutcomeId, TableId};
use super::shape::Holds;
use super::solver::{ROOT, Solver};
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
    /// The fresh objects, and their number.
    pub(super) usage: Usage,
    pub(super) count: u32,
    /// The number of combinations of plain slots that nothing has read.
    pub(super) plain: Natural,
}

impl Own {
    /// Returns what a way has that takes an object of each of these classes.
    pub(super) fn of(classes: impl Iterator<Item = ClassId>, plain: Natural) -> Self {
        let none = Own { usage: 0, count: 0, plain };
        classes.fold(none, |own, class| Own { usage: own.usage + one(class), count: own.count + 1, ..own })
    }
}

/// What a way is a product of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Product {
    /// What it has of its own: the position in `Counter::owns`.
    pub(super) own: u32,
    /// The others; for none and for one, `NONE`.
    pub(super) factors: [FactorId; 2],
}

impl Product {
    /// That of a leaf whose production says what it is.
    pub(super) const OPEN: Product = Product { own: NONE, factors: [NONE, NONE] };

    /// Returns whether this is a product.
    pub(super) fn is_known(&self) -> bool {
        self.own != NONE
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
    pub(super) leaf: LastDecision,
    pub(super) completion: u32,
    pub(super) product: Product,
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

/// The ways of a factor that are found.
#[derive(Default)]
struct FoundWays {
    /// The ways of leaves whose products are not known, with the position of the leaf, or all ways of a factor that is no outcome.
    /// Every other leaf is a way as it stands.
    open: Vec<(u32, Way)>,
    /// The number of leaves of which `open` has the ways.
    leaves: usize,
}

/// What is known about factors.
#[derive(Default)]
pub(super) struct Counter {
    factors: Vec<Factor>,
    /// The factors that are no outcomes; an outcome knows its own.
    index: FxHashMap<Factor, FactorId>,
    /// Of factors with ways that are not leaves as they stand.
    ways: FxHashMap<FactorId, FoundWays>,
    /// The least number of objects of each factor.
    pub(super) leasts: Vec<u32>,
    /// The position of each factor in `counted`, or `NONE`.
    pub(super) places: Vec<u32>,
    pub(super) counted: Vec<Counted>,
    owns: Vec<Own>,
    own_index: FxHashMap<Own, u32>,
    /// The one that was asked about last. Most ways have what the way before them has.
    last_own: u32,
    /// What was joined last.
    last_joined: Option<((u32, u32), u32)>,
    /// The sizes of accepted values, with their numbers by usage, and up to where they were known then.
    pub(super) usages: Option<(u32, Rc<Usages>)>,
}

impl Counter {
    /// Returns the number of bytes that factors take, about.
    pub(super) fn bytes(&self) -> usize {
        self.factors.len() * (size_of::<Factor>() + 2 * size_of::<u32>())
            + self.ways.len() * size_of::<FoundWays>()
            + self.counted.len() * size_of::<Counted>()
            + 2 * self.index.len() * size_of::<(Factor, FactorId)>()
    }

    pub(super) fn get(&self, id: FactorId) -> Factor {
        self.factors[id as usize]
    }

    pub(super) fn own(&self, product: Product) -> &Own {
        &self.owns[product.own as usize]
    }

    /// Adds a factor, whose values have at least this many objects.
    pub(super) fn add(&mut self, factor: Factor, least: u32) -> FactorId {
        let id = self.factors.len() as FactorId;
        self.factors.push(factor);
        self.leasts.push(least);
        self.places.push(NONE);
        id
    }

    /// Returns the position of what ways have of their own that are products of two others.
    pub(super) fn joined(&mut self, one: u32, two: u32) -> u32 {
        if let Some((of, joined)) = self.last_joined
            && of == (one, two)
        {
            return joined;
        }
        let (own, other) = (&self.owns[one as usize], &self.owns[two as usize]);
        let (usage, count) = (own.usage + other.usage, own.count + other.count);
        let plain = &own.plain * &other.plain;
        let joined = self.own_id(Own { usage, count, plain });
        self.last_joined = Some(((one, two), joined));
        joined
    }

    /// Returns a factor that is no outcome.
    pub(super) fn factor(&mut self, factor: Factor) -> FactorId {
        if let Some(&known) = self.index.get(&factor) {
            return known;
        }
        let least = match factor {
            Factor::Outcome(..) => unreachable!("[korat internal bug] an outcome knows its factor"),
            Factor::Object(_) | Factor::Link { .. } => 0,
            Factor::Both(one, two) => self.leasts[one as usize] + self.leasts[two as usize],
        };
        let id = self.add(factor, least);
        self.index.insert(factor, id);
        id
    }

    /// Returns a product.
    pub(super) fn product_of(&mut self, own: u32, factors: &[FactorId]) -> Product {
        match factors.split_last() {
            Some((&last, before)) => self.product_after(own, before, last),
            None => Product { own, factors: [NONE, NONE] },
        }
    }

    /// Returns the product of these factors and one more.
    pub(super) fn product_after(&mut self, own: u32, before: &[FactorId], last: FactorId) -> Product {
        let factors = match *before {
            [] => [last, NONE],
            [first, ref between @ ..] => [first, self.all_of(between, last)],
        };
        Product { own, factors }
    }

    /// Returns the factor of all of these and one more.
    pub(super) fn all_of(&mut self, factors: &[FactorId], last: FactorId) -> FactorId {
        factors.iter().rev().fold(last, |rest, &factor| self.factor(Factor::Both(factor, rest)))
    }

    /// Returns the factor of a link that nothing has read.
    pub(super) fn link(&mut self, holds: Holds) -> FactorId {
        match holds {
            Holds::Link { nulls, class } => self.factor(Factor::Link { nulls, class }),
            Holds::Values { .. } => unreachable!("[korat internal bug] a plain slot is a link"),
        }
    }

    /// Returns the position of what a way has of its own.
    pub(super) fn own_id(&mut self, own: Own) -> u32 {
        if self.owns.get(self.last_own as usize) != Some(&own) {
            self.last_own = self.own_index.get(&own).copied().unwrap_or_else(|| {
                let number = self.owns.len() as u32;
                self.owns.push(own.clone());
                self.own_index.insert(own, number);
                number
            });
        }
        self.last_own
    }

    pub(super) fn product(&mut self, own: Own, factors: &[FactorId]) -> Product {
        let own = self.own_id(own);
        self.product_of(own, factors)
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
        let outcome = root.known_outcome(self.words.known(&[u64::from(accepted)])?, false);
        outcome.map(|outcome| root.outcomes[outcome as usize].factor)
    }

    /// Finds the ways of a factor that are known so far, or at least those of values with at most this many objects. Returns the
    /// number of leaves that they are of.
    pub(super) fn find_ways(&mut self, id: FactorId, objects: u32) -> usize {
        let known = self.counter.ways.get(&id).map_or(0, |found| found.leaves);
        match self.counter.get(id) {
            Factor::Outcome(table, outcome) => {
                let others = &self.tables[table as usize].leaves[outcome as usize][known..];
                let leaves = known + others.partition_point(|leaf| u32::from(leaf.level) <= objects);
                for at in known..leaves {
                    let leaf = self.tables[table as usize].leaves[outcome as usize][at];
                    if !leaf.product.is_known() {
                        self.add_open_ways(id, table, at, leaf.last);
                    }
                }
                leaves
            }
            factor => {
                if known == 0 {
                    let open = self.ways_of(factor).into_iter().map(|way| (0, way)).collect();
                    self.counter.ways.insert(id, FoundWays { open, leaves: 1 });
                }
                1
            }
        }
    }

    /// Passes the ways of the first leaves of a factor, which `find_ways` has found, and of all leaves of bundles: a product with as
    /// many values, and the way itself, which is looked up.
    pub(super) fn each_way(&self, id: FactorId, leaves: usize, mut to: impl FnMut(Product, &dyn Fn() -> Way)) {
        let open = self.counter.ways.get(&id).map_or(&[][..], |found| &found.open);
        let Factor::Outcome(table, outcome) = self.counter.get(id) else {
            return open.iter().for_each(|(_, way)| to(way.product, &|| *way));
        };
        let mut open = open.iter().peekable();
        let leaves = &self.tables[table as usize].leaves[outcome as usize][..leaves];
        for (at, leaf) in (0..).zip(leaves) {
            if leaf.product.is_known() {
                let completion = if leaf.is_read { NONE } else { 0 };
                to(leaf.product, &|| Way { leaf: leaf.last, completion, product: leaf.product });
            } else {
                while let Some((_, way)) = open.next_if(|(of, _)| *of == at) {
                    to(way.product, &|| *way);
                }
            }
        }
        let this = &self.tables[table as usize];
        for leaf in this.bundled(outcome) {
            let bundle = this.bundles[leaf.bundle as usize];
            to(bundle.product(leaf.own, leaf.second), &|| self.bundled_way(table, bundle, *leaf));
        }
    }

    /// Returns the ways of a factor that are known so far, or at least those of values with at most this many objects.
    pub(super) fn ways(&mut self, id: FactorId, objects: u32) -> Vec<Way> {
        let (leaves, mut ways) = (self.find_ways(id, objects), Vec::new());
        self.each_way(id, leaves, |_, way| ways.push(way()));
        ways
    }

    /// Returns the ways of a factor that is no outcome.
    fn ways_of(&mut self, factor: Factor) -> Vec<Way> {
        let way = |product| Way { leaf: LastDecision::NONE, completion: NONE, product };
        match factor {
            Factor::Outcome(..) => unreachable!("[korat internal bug] the ways of an outcome are its leaves"),
            Factor::Object(class) => {
                let completions = self.completions_of_object(class);
                (0..)
                    .zip(&completions)
                    .map(|(number, completion)| self.way(LastDecision::NONE, number, completion))
                    .collect()
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
    fn add_open_ways(&mut self, id: FactorId, table: TableId, at: usize, leaf: LastDecision) {
        let completions = self.completions(table, leaf);
        let ways = (0..).zip(&completions).map(|(number, completion)| (at as u32, self.way(leaf, number, completion)));
        let ways: Vec<(u32, Way)> = ways.collect();
        let found = self.counter.ways.entry(id).or_default();
        found.open.extend(ways);
        found.leaves = at + 1;
    }

    pub(super) fn way(&mut self, leaf: LastDecision, completion: u32, of: &Completion) -> Way {
        let groups = of.production.groups.iter();
        let mut factors: SmallVec<[FactorId; 4]> =
            groups.map(|group| self.tables[group.table as usize].outcomes[group.outcome as usize].factor).collect();
        for &(_, _, holds) in &of.links {
            factors.push(self.counter.link(holds));
        }
        let mut plain = Natural::ONE;
        for &(_, _, len) in &of.plain {
            plain = plain * &Natural::from(u64::from(len));
        }
        let own = Own::of(of.production.fresh.iter().copied(), plain);
        Way { leaf, completion, product: self.counter.product(own, &factors) }
    }
}
