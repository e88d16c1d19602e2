//! Builds values by their numbers: from a factor and a number, the assignment of all slots.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::completion::Completion;
use super::count::{Factor, FactorId, Usage, Way, one};
use super::natural::Natural;
use super::shape::Holds;
use super::solver::Solver;
use super::table::NodeId;
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
        let numbers = self.numbers(factor, objects_of(usage));
        let found = numbers.binary_search_by_key(&usage, |(usage, _)| *usage);
        found.map_or(Natural::ZERO, |at| numbers[at].1.clone())
    }

    /// Returns the number of combinations of factors with a usage in all.
    fn combinations(&mut self, factors: &[FactorId], usage: Usage) -> Natural {
        match factors {
            [] => {
                if usage == 0 {
                    Natural::ONE
                } else {
                    Natural::ZERO
                }
            }
            [only] => self.number(*only, usage),
            [first, rest @ ..] => {
                let mut sum = Natural::ZERO;
                for objects in 0..=objects_of(usage) {
                    for (taken, number) in self.numbers(*first, objects).iter() {
                        if let Some(left) = less(usage, *taken) {
                            sum += &(number * &self.combinations(rest, left));
                        }
                    }
                }
                sum
            }
        }
    }

    /// Returns the ways of a factor with a usage, each with the number of values up to it.
    fn sums(&mut self, factor: FactorId, usage: Usage) -> Sums {
        if let Some(known) = self.built.sums.get(&(factor, usage)) {
            return Rc::clone(known);
        }
        let ways = self.ways(factor);
        let (mut sums, mut sum) = (Vec::new(), Natural::ZERO);
        for (number, way) in (0..).zip(ways.iter()) {
            let Some(left) = less(usage, way.own) else { continue };
            let values = self.combinations(&way.factors, left) * &way.plain;
            if !values.is_zero() {
                sum += &values;
                sums.push((sum.clone(), number));
            }
        }
        let sums = Rc::new(sums);
        self.built.sums.insert((factor, usage), Rc::clone(&sums));
        sums
    }

    fn completion(&mut self, factor: FactorId, way: &Way) -> (Rc<Vec<Completion>>, usize) {
        let key = (factor, way.leaf);
        if !self.built.completions.contains_key(&key) {
            let completions = match self.counter.get(factor) {
                Factor::Outcome(table, _) => self.completions(table, way.leaf),
                Factor::Object(class) => self.completions_of_object(class),
                Factor::Link { .. } => unreachable!("[korat internal bug] a link has no ways of its own"),
            };
            self.built.completions.insert(key, Rc::new(completions));
        }
        (Rc::clone(&self.built.completions[&key]), way.completion as usize)
    }

    /// Returns the sizes of accepted values, with their numbers by usage, as far as they are known.
    pub(crate) fn usages(&mut self) -> Rc<Usages> {
        let solved_below = self.solved_below();
        if let Some((then, known)) = &self.built.usages
            && *then == solved_below
        {
            return Rc::clone(known);
        }
        let known = Rc::new(self.usages_of(true));
        self.built.usages = Some((solved_below, Rc::clone(&known)));
        known
    }

    /// Returns the sizes of the values that the predicate accepts, or rejects, with their numbers by usage, as far as they are
    /// known.
    pub(crate) fn usages_of(&mut self, accepted: bool) -> Usages {
        let Some(root) = self.root_factor(accepted) else { return Vec::new() };
        let mut all = Vec::new();
        for objects in 0..self.solved_below().min(self.shape.most + 1) {
            for (usage, number) in self.numbers(root, objects).iter() {
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
        self.build(root, vec![object], usage, number.clone(), &mut value);
        Some(value)
    }

    /// Builds the value of a factor on objects.
    fn build(
        &mut self,
        factor: FactorId,
        mut objects: Vec<ObjectId>,
        usage: Usage,
        number: Natural,
        to: &mut BuiltValue,
    ) {
        let sums = self.sums(factor, usage);
        let at = sums.partition_point(|(sum, _)| *sum <= number);
        let before = if at == 0 { Natural::ZERO } else { sums[at - 1].0.clone() };
        let way = self.ways(factor)[sums[at].1 as usize].clone();
        let (completions, which) = self.completion(factor, &way);
        let Completion { production, plain, links } = &completions[which];
        for &class in &production.fresh {
            objects.push(to.take(self, class));
        }
        for &(object, offset, held) in &production.slots {
            let slot = self.shape.slot(objects[object as usize], offset);
            to.slots.push((slot, held.resolve(&self.shape, slot, &objects)));
        }
        let (mut rest, mut of_plain) = (number - &before).divided(&way.plain);
        for &(object, offset, len) in plain {
            let (left, index) = of_plain.divided(&Natural::from(u64::from(len)));
            of_plain = left;
            let index = index.to_u64().unwrap_or_default() as u32;
            to.slots.push((self.shape.slot(objects[object as usize], offset), index));
        }
        let mut left = usage - way.own;
        for (at, &inner) in way.factors.iter().enumerate() {
            let (taken, of_this, of_rest) = self.split(inner, &way.factors[at + 1..], left, rest);
            left -= taken;
            rest = of_rest;
            match (production.groups.get(at), at.checked_sub(production.groups.len())) {
                (Some(group), _) => {
                    let objects = group.objects.iter().map(|&object| objects[object as usize]).collect();
                    self.build(inner, objects, taken, of_this, to);
                }
                (None, Some(link)) => {
                    let (object, offset, holds) = links[link];
                    let slot = self.shape.slot(objects[object as usize], offset);
                    self.build_link(slot, holds, taken, of_this, to);
                }
                (None, None) => unreachable!("[korat internal bug] a factor is a group or a link"),
            }
        }
    }

    /// Returns how a number among the combinations of factors is split: the usage of the first, its number, and that of the rest.
    fn split(
        &mut self,
        first: FactorId,
        rest: &[FactorId],
        usage: Usage,
        mut number: Natural,
    ) -> (Usage, Natural, Natural) {
        if rest.is_empty() {
            return (usage, number, Natural::ZERO);
        }
        for objects in 0..=objects_of(usage) {
            for (taken, of_first) in self.numbers(first, objects).iter() {
                let Some(left) = less(usage, *taken) else { continue };
                let of_rest = self.combinations(rest, left);
                let both = of_first * &of_rest;
                if number < both {
                    let (one, two) = number.divided(&of_rest);
                    return (*taken, one, two);
                }
                number = number - &both;
            }
        }
        unreachable!("[korat internal bug] a number beyond the number of values")
    }

    fn build_link(&mut self, slot: SlotId, holds: Holds, usage: Usage, number: Natural, to: &mut BuiltValue) {
        let Holds::Link { nulls, class } = holds else { return };
        if usage == 0 {
            to.slots.push((slot, number.to_u64().unwrap_or_default() as u32));
            return;
        }
        let object = to.take(self, class);
        to.slots.push((slot, nulls + object.0 - self.shape.classes[class.index()].first_object));
        let factor = self.object_factor(class);
        self.build(factor, vec![object], usage - one(class), number, to);
    }
}
