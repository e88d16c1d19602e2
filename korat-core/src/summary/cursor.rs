//! Builds values by their numbers: from a factor and a number, the assignment of all slots.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::completion::Completion;
use super::natural::Natural;
use super::shape::Holds;
use super::solver::Solver;
use super::table::NodeId;
use super::ways::{Factor, FactorId, Usage, Way, one};
use crate::model::ids::{ClassId, ObjectId, SlotId};

/// The assignment of all slots of a value, in an order in which each slot exists by the slots before it.
#[derive(Debug, Default)]
pub(crate) struct BuiltValue {
    pub(crate) slots: Vec<(SlotId, u32)>,
    /// Per class, how many objects the value has.
    pub(crate) reached: Vec<u32>,
}

impl BuiltValue {
    fn take(&mut self, solver: &Solver, class: ClassId) -> ObjectId {
        let ordinal = self.reached[class.index()];
        self.reached[class.index()] += 1;
        solver.shape.object(class, ordinal)
    }
}

/// Ways, each with the number of values up to it.
type Sums = Rc<Vec<(Natural, u32)>>;

/// Sizes of values, with what they use and how many there are.
type Usages = Vec<(usize, Usage, Natural)>;

/// What was computed for building values.
#[derive(Default)]
pub(super) struct Built {
    /// For a factor with a usage: its ways with their numbers, each with the sum up to it.
    sums: FxHashMap<(FactorId, Usage), Sums>,
    completions: FxHashMap<(FactorId, NodeId), Rc<Vec<Completion>>>,
    /// The sizes of accepted values, with their numbers by usage, and up to where they were known then.
    usages: Option<(u32, Rc<Usages>)>,
}

/// Something to be built: the value of a factor with a usage and a number.
struct Part {
    factor: FactorId,
    usage: Usage,
    number: Natural,
    of: Place,
}

/// Where a part is built.
enum Place {
    /// On the objects of calls.
    Objects(Vec<ObjectId>),
    /// At a link that nothing has read.
    Link(SlotId, Holds),
}

/// Returns how many objects a usage has.
fn objects_of(usage: Usage) -> u32 {
    (0..8).map(|class| u32::from((usage >> (16 * class)) as u16)).sum()
}

/// Returns what is left of a usage, if it has enough of each class.
fn less(usage: Usage, taken: Usage) -> Option<Usage> {
    let enough = (0..8).all(|class| (usage >> (16 * class)) as u16 >= (taken >> (16 * class)) as u16);
    enough.then(|| usage - taken)
}

impl Solver {
    /// Returns the number of values of a factor with a usage.
    fn number(&mut self, factor: FactorId, usage: Usage) -> Natural {
        let objects = objects_of(usage);
        self.count_up_to(factor, objects);
        let numbers = self.counter.numbers(factor, objects);
        let found = numbers.binary_search_by_key(&usage, |(usage, _)| *usage);
        found.map_or(Natural::ZERO, |at| numbers[at].1.clone())
    }

    /// Returns how the values of two factors with a usage in all are split: for each usage of the first, the numbers of both.
    fn splits(&mut self, first: FactorId, rest: FactorId, usage: Usage) -> SmallVec<[(Usage, Natural, Natural); 4]> {
        let mut splits = SmallVec::new();
        for objects in self.counter.shares(first, rest, objects_of(usage)) {
            self.count_up_to(first, objects);
            let numbers: SmallVec<[(Usage, Natural); 1]> = self.counter.numbers(first, objects).into();
            for (taken, number) in numbers {
                if let Some(left) = less(usage, taken) {
                    let of_rest = self.number(rest, left);
                    if !of_rest.is_zero() {
                        splits.push((taken, number, of_rest));
                    }
                }
            }
        }
        splits
    }

    /// Returns the number of values of a way with a usage.
    fn values_of(&mut self, way: Way, usage: Usage) -> Natural {
        let Some(left) = less(usage, self.counter.own(way).usage) else { return Natural::ZERO };
        let values = match way.factors() {
            [] => Natural::from(u64::from(left == 0)),
            [only] => self.number(*only, left),
            &[first, rest, ..] => {
                let splits = self.splits(first, rest, left);
                splits.iter().map(|(_, number, of_rest)| number * of_rest).sum()
            }
        };
        values * &self.counter.own(way).plain
    }

    /// Returns the ways of a factor with a usage, each with the number of values up to it.
    fn sums(&mut self, factor: FactorId, usage: Usage) -> Sums {
        if let Some(known) = self.built.sums.get(&(factor, usage)) {
            return Rc::clone(known);
        }
        let (mut sums, mut sum) = (Vec::new(), Natural::ZERO);
        for (number, &way) in (0..).zip(self.ways(factor).iter()) {
            let values = self.values_of(way, usage);
            if !values.is_zero() {
                sum += &values;
                sums.push((sum.clone(), number));
            }
        }
        let sums = Rc::new(sums);
        self.built.sums.insert((factor, usage), Rc::clone(&sums));
        sums
    }

    fn completion(&mut self, factor: FactorId, way: Way) -> (Rc<Vec<Completion>>, usize) {
        let key = (factor, way.leaf);
        if !self.built.completions.contains_key(&key) {
            let completions = match self.counter.get(factor) {
                Factor::Outcome(table, _) => self.completions(table, way.leaf),
                Factor::Object(class) => self.completions_of_object(class),
                Factor::Link { .. } | Factor::Both(..) => {
                    unreachable!("[korat internal bug] a link has no ways of its own")
                }
            };
            self.built.completions.insert(key, Rc::new(completions));
        }
        (Rc::clone(&self.built.completions[&key]), way.completion().unwrap_or_default() as usize)
    }

    /// Returns the sizes of accepted values, with their numbers by usage, as far as they are known.
    pub(crate) fn usages(&mut self) -> Rc<Usages> {
        let solved_below = self.solved_below();
        if let Some((then, known)) = &self.built.usages
            && *then == solved_below
        {
            return Rc::clone(known);
        }
        let known = Rc::new(self.usages_of(true, u32::MAX));
        self.built.usages = Some((solved_below, Rc::clone(&known)));
        known
    }

    /// Returns the sizes of the values that the predicate accepts, or rejects, with at most this many objects beside the root, with
    /// their numbers by usage, as far as they are known.
    pub(crate) fn usages_of(&mut self, accepted: bool, most: u32) -> Usages {
        let Some(root) = self.root_factor(accepted) else { return Vec::new() };
        let mut all = Vec::new();
        let most = self.shape.most.min(most);
        for objects in 0..self.solved_below().min(most + 1) {
            self.count_up_to(root, objects);
            for (usage, number) in self.counter.numbers(root, objects) {
                all.push((self.size(*usage), *usage, number.clone()));
            }
        }
        all.sort_by_key(|(size, usage, _)| (*size, *usage));
        all
    }

    /// Returns the value with a number among those with a usage that the predicate accepts, or rejects.
    pub(crate) fn value(&mut self, accepted: bool, usage: Usage, number: &Natural) -> Option<BuiltValue> {
        let root = self.root_factor(accepted)?;
        let mut value = BuiltValue { slots: Vec::new(), reached: vec![0; self.shape.classes.len()] };
        let object = value.take(self, self.shape.objects[self.shape.root.index()].class);
        let mut todo = vec![Part { factor: root, usage, number: number.clone(), of: Place::Objects(vec![object]) }];
        while let Some(part) = todo.pop() {
            let inner = self.build(part, &mut value);
            todo.extend(inner.into_iter().rev());
        }
        Some(value)
    }

    /// Builds a part, and returns the parts that it is made of.
    fn build(&mut self, part: Part, to: &mut BuiltValue) -> SmallVec<[Part; 2]> {
        let Part { factor, usage, number, of } = part;
        let mut objects = match of {
            Place::Objects(objects) => objects,
            Place::Link(slot, holds) => return self.build_link(slot, holds, usage, number, to).into_iter().collect(),
        };
        let sums = self.sums(factor, usage);
        let at = sums.partition_point(|(sum, _)| *sum <= number);
        let before = if at == 0 { Natural::ZERO } else { sums[at - 1].0.clone() };
        let way = self.ways(factor)[sums[at].1 as usize];
        let own = self.counter.own(way).clone();
        let (completions, which) = self.completion(factor, way);
        let Completion { production, plain, links } = &completions[which];
        for &class in &production.fresh {
            objects.push(to.take(self, class));
        }
        for &(object, offset, held) in &production.slots {
            let slot = self.shape.slot(objects[object as usize], offset);
            to.slots.push((slot, held.resolve(&self.shape, slot, &objects)));
        }
        let (number, mut of_plain) = (number - &before).divided(&own.plain);
        for &(object, offset, len) in plain {
            let (left, index) = of_plain.divided(&Natural::from(u64::from(len)));
            of_plain = left;
            let index = index.to_u64().unwrap_or_default() as u32;
            to.slots.push((self.shape.slot(objects[object as usize], offset), index));
        }
        let of_groups = production
            .groups
            .iter()
            .map(|group| Place::Objects(group.objects.iter().map(|&object| objects[object as usize]).collect()));
        let of_links = links
            .iter()
            .map(|&(object, offset, holds)| Place::Link(self.shape.slot(objects[object as usize], offset), holds));
        let places: SmallVec<[Place; 2]> = of_groups.chain(of_links).collect();
        let inner = self.split(way, usage - own.usage, number).into_iter().zip(places);
        inner.map(|((factor, usage, number), of)| Part { factor, usage, number, of }).collect()
    }

    /// Returns what a number among the values of a way is made of: its factors, each with a usage and a number.
    fn split(&mut self, way: Way, mut usage: Usage, mut number: Natural) -> SmallVec<[(FactorId, Usage, Natural); 2]> {
        let mut all = SmallVec::new();
        let mut factors: SmallVec<[FactorId; 2]> = way.factors().into();
        while let [first, rest] = factors[..] {
            let mut splits = self.splits(first, rest, usage).into_iter();
            let (taken, of_rest) = loop {
                let Some((taken, of_first, of_rest)) = splits.next() else {
                    unreachable!("[korat internal bug] a number beyond the number of values")
                };
                let both = &of_first * &of_rest;
                if number < both {
                    break (taken, of_rest);
                }
                number = number - &both;
            };
            let (of_this, left) = number.divided(&of_rest);
            all.push((first, taken, of_this));
            (usage, number) = (usage - taken, left);
            factors = match self.counter.get(rest) {
                Factor::Both(one, two) => SmallVec::from_slice(&[one, two]),
                Factor::Outcome(..) | Factor::Object(_) | Factor::Link { .. } => SmallVec::from_slice(&[rest]),
            };
        }
        all.extend(factors.into_iter().map(|last| (last, usage, number.clone())));
        all
    }

    fn build_link(
        &mut self,
        slot: SlotId,
        holds: Holds,
        usage: Usage,
        number: Natural,
        to: &mut BuiltValue,
    ) -> Option<Part> {
        let Holds::Link { nulls, class } = holds else { return None };
        if usage == 0 {
            to.slots.push((slot, number.to_u64().unwrap_or_default() as u32));
            return None;
        }
        let object = to.take(self, class);
        to.slots.push((slot, nulls + object.0 - self.shape.classes[class.index()].first_object));
        let factor = self.factor(Factor::Object(class));
        Some(Part { factor, usage: usage - one(class), number, of: Place::Objects(vec![object]) })
    }
}
