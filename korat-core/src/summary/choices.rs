//! For a factor and a usage, what can be chosen in turn: a way, and how much of the usage its first factor has. Each choice has a
//! number of values; those of all choices, one after the other, have the numbers from zero on.

use std::cell::{Cell, OnceCell};
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::assembly::{Assembly, Placed};
use super::natural::Natural;
use super::nodes::LastDecision;
use super::solver::Solver;
use super::ways::{Factor, FactorId, MOST_CLASSES, Usage, Way};
use super::whole::Wholes;
use crate::model::ids::ClassId;

/// A way, with a share of its first factor.
pub(super) struct Choice {
    /// The number of values up to here, those of this choice included.
    pub(super) upto: Natural,
    pub(super) way: Way,
    /// What the first factor has, and the number of values of the rest.
    pub(super) first: Usage,
    pub(super) of_rest: Natural,
    /// What can be chosen for the first factor and for the rest, once that was looked up. Not owned: a value may have a long chain of
    /// choices, whose destructors must not be nested.
    inner: [OnceCell<Weak<Choices>>; 2],
    /// What the way decides about objects, once that was looked up.
    assembly: OnceCell<Rc<Assembly>>,
}

impl Choice {
    /// Returns what the way decides about objects, if that was looked up.
    #[inline]
    pub(super) fn assembly(&self) -> Option<&Assembly> {
        self.assembly.get().map(|assembly| &**assembly)
    }
}

/// What can be chosen for a factor with a usage, with at least one value each.
pub(super) struct Choices {
    pub(super) factor: FactorId,
    pub(super) usage: Usage,
    pub(super) list: Vec<Choice>,
    /// The values, if they are few and were found; and how often a part began with the first of them.
    pub(super) wholes: OnceCell<Wholes>,
    pub(super) begun: Cell<u32>,
}

/// What was computed for building values.
#[derive(Default)]
pub(super) struct Built {
    choices: FxHashMap<(FactorId, Usage), Rc<Choices>>,
    /// The number of slots by which values of parts are told.
    pub(super) told: usize,
    /// Whether the values of a part are being found.
    pub(super) is_finding: bool,
    assemblies: FxHashMap<(FactorId, LastDecision), Vec<Rc<Assembly>>>,
}

/// Returns how many objects a usage has.
fn objects_of(usage: Usage) -> u32 {
    (0..MOST_CLASSES).map(|class| u32::from((usage >> (16 * class)) as u16)).sum()
}

/// Returns what is left of a usage, if it has enough of each class.
fn less(usage: Usage, taken: Usage) -> Option<Usage> {
    let enough = (0..MOST_CLASSES).all(|class| (usage >> (16 * class)) as u16 >= (taken >> (16 * class)) as u16);
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

    /// Returns what can be chosen for a factor with a usage.
    pub(super) fn choices(&mut self, factor: FactorId, usage: Usage) -> Rc<Choices> {
        if let Some(known) = self.built.choices.get(&(factor, usage)) {
            return Rc::clone(known);
        }
        let mut list = Vec::new();
        for way in self.ways(factor, objects_of(usage)) {
            self.add_choices(way, usage, &mut list);
        }
        let choices = Rc::new(Choices { factor, usage, list, wholes: OnceCell::new(), begun: Cell::new(0) });
        self.built.choices.insert((factor, usage), Rc::clone(&choices));
        choices
    }

    /// Returns what can be chosen for the first factor of a choice, or for the rest.
    pub(super) fn inner_choices(&mut self, of: &Choices, choice: usize, is_first: bool) -> Rc<Choices> {
        let Choice { way, first, inner, .. } = &of.list[choice];
        let inner = &inner[usize::from(!is_first)];
        if let Some(known) = inner.get().and_then(Weak::upgrade) {
            return known;
        }
        let (factor, usage) = match is_first {
            true => (way.factors()[0], *first),
            false => (way.factors()[1], of.usage - self.counter.own(way.product).usage - first),
        };
        let choices = self.choices(factor, usage);
        let _ = inner.set(Rc::downgrade(&choices));
        choices
    }

    fn add_choices(&mut self, way: Way, usage: Usage, to: &mut Vec<Choice>) {
        let own = self.counter.own(way.product).clone();
        let Some(left) = less(usage, own.usage) else { return };
        let mut add = |first: Usage, of_first: &Natural, of_rest: Natural| {
            let mut upto = &(of_first * &of_rest) * &own.plain;
            if !upto.is_zero() {
                to.last().into_iter().for_each(|last| upto += &last.upto);
                to.push(Choice { upto, way, first, of_rest, inner: Default::default(), assembly: OnceCell::new() });
            }
        };
        match *way.factors() {
            [first, rest, ..] => {
                for objects in self.counter.shares(first, rest, objects_of(left)) {
                    self.count_up_to(first, objects);
                    let numbers: SmallVec<[(Usage, Natural); 1]> = self.counter.numbers(first, objects).into();
                    for (taken, of_first) in numbers {
                        if let Some(left) = less(left, taken) {
                            let of_rest = self.number(rest, left);
                            add(taken, &of_first, of_rest);
                        }
                    }
                }
            }
            [only] => add(left, &self.number(only, left), Natural::ONE),
            [] if left == 0 => add(0, &Natural::ONE, Natural::ONE),
            [] => {}
        }
    }

    /// Looks up what a choice decides about these objects: a choice among ways of parts with an outcome, or of an object.
    #[cold]
    #[inline(never)]
    pub(super) fn assemble(&mut self, of: &Choices, choice: usize, objects: &[Placed]) {
        let &Choice { way, ref assembly, .. } = &of.list[choice];
        if !self.built.assemblies.contains_key(&(of.factor, way.leaf)) {
            let completions = match self.counter.get(of.factor) {
                Factor::Outcome(table, _) => self.completions(table, way.leaf),
                Factor::Object(class) => self.completions_of_object(class),
                Factor::Link { .. } | Factor::Both(..) => {
                    unreachable!("[korat internal bug] nothing is decided about a link")
                }
            };
            let classes: Vec<ClassId> = objects.iter().map(|object| object.class(&self.shape)).collect();
            let assembled = |completion| Rc::new(Assembly::of(&self.shape, completion, &classes));
            let assemblies = completions.into_iter().map(assembled).collect();
            self.built.assemblies.insert((of.factor, way.leaf), assemblies);
        }
        let assemblies = &self.built.assemblies[&(of.factor, way.leaf)];
        let found = Rc::clone(&assemblies[way.completion().unwrap_or_default() as usize]);
        let counted = self.way(way.leaf, 0, &found.completion).product;
        assert!(counted == way.product, "[korat internal bug] a value is not built as it was counted");
        let _ = assembly.set(found);
    }
}
