//! Counts the values of factors, by the objects that they use: those with a number of objects from those of other factors with
//! fewer.

use std::ops::RangeInclusive;
use std::rc::Rc;

use smallvec::SmallVec;

use super::natural::Natural;
use super::solver::Solver;
use super::ways::{Counter, Factor, FactorId, NONE, Numbers, Own, Product, Usage, Usages};

/// How many objects the values of a factor have.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// No value has fewer.
    pub(super) least: u32,
    /// No value has more, as far as that is known.
    pub(super) most: u32,
    /// Those with fewer are counted.
    pub(super) counted_below: u32,
}

/// How many values factors have.
pub(super) struct Counted {
    pub(super) extent: Extent,
    /// How many values use how many of each class, for each number of objects from the least on.
    pub(super) numbers: SmallVec<[Numbers; 1]>,
}

/// Adds a product to the number of values with a usage.
#[inline]
fn add(to: &mut Numbers, usage: Usage, one: &Natural, two: &Natural) {
    match to.iter_mut().find(|(known, _)| *known == usage) {
        Some((_, sum)) => sum.add_product(one, two),
        None => to.push((usage, one * two)),
    }
}

/// Adds the products of two numbers by usage.
#[inline]
fn add_products(to: &mut Numbers, own: Usage, one: &Numbers, two: &Numbers, plain: &Natural) {
    for (usage, number) in one {
        for (other, number_of_other) in two {
            let usage = own + usage + other;
            if *plain == Natural::ONE {
                add(to, usage, number, number_of_other);
            } else {
                add(to, usage, &(number * number_of_other), plain);
            }
        }
    }
}

/// How many values have each number of objects in a range.
struct Sums {
    from: u32,
    upto: u32,
    /// From the first number of objects on, as far as there are values.
    numbers: Vec<Numbers>,
}

impl Sums {
    /// Returns how many have a number of objects, which is in the range.
    #[inline]
    fn of(&mut self, objects: u32) -> &mut Numbers {
        let at = (objects - self.from) as usize;
        if self.numbers.len() <= at {
            self.numbers.resize_with(at + 1, Numbers::new);
        }
        &mut self.numbers[at]
    }
}

/// A factor whose values with at most so many objects are to be counted.
struct Task {
    id: FactorId,
    objects: u32,
    /// What was found when it was asked what it needs.
    found: Option<FoundProducts>,
}

/// What the ways of a factor are products of.
struct FoundProducts {
    /// Each with the number of ways that follow one another and are this product.
    products: Vec<(Product, u32)>,
    /// Whether no more are to be found.
    are_all: bool,
}

impl Counter {
    /// Returns what is counted of a factor, if anything is.
    #[inline]
    pub(super) fn counted(&self, id: FactorId) -> Option<&Counted> {
        self.counted.get(self.places[id as usize] as usize)
    }

    /// Returns where the values of a factor are counted.
    pub(super) fn counted_mut(&mut self, id: FactorId) -> &mut Counted {
        let place = &mut self.places[id as usize];
        if *place == NONE {
            *place = self.counted.len() as u32;
            let least = self.leasts[id as usize];
            let extent = Extent { least, most: u32::MAX, counted_below: least };
            self.counted.push(Counted { extent, numbers: SmallVec::new() });
        }
        &mut self.counted[*place as usize]
    }

    /// Returns how many objects the values of a factor have.
    #[inline]
    pub(super) fn extent(&self, id: FactorId) -> Extent {
        let least = self.leasts[id as usize];
        self.counted(id).map_or(Extent { least, most: u32::MAX, counted_below: least }, |counted| counted.extent)
    }

    /// Returns whether all values with at most this many objects are counted.
    fn is_counted(&self, id: FactorId, objects: u32) -> bool {
        let Extent { most, counted_below, .. } = self.extent(id);
        counted_below > objects.min(most)
    }

    /// Returns the numbers of a factor, which `Solver::count_up_to` has counted.
    pub(super) fn numbers(&self, id: FactorId, objects: u32) -> &[(Usage, Natural)] {
        let Some(Counted { extent, numbers }) = self.counted(id) else { return &[] };
        let at = objects.checked_sub(extent.least).and_then(|at| numbers.get(at as usize));
        at.map_or(&[], |numbers| numbers)
    }

    /// Returns how many objects the first of two factors may have, where both have this many: each what the other does not need,
    /// and its table is solved as far.
    pub(super) fn shares(&self, one: FactorId, two: FactorId, objects: u32) -> RangeInclusive<u32> {
        let (one, two) = (self.extent(one), self.extent(two));
        match objects.checked_sub(two.least) {
            Some(most) => one.least.max(objects.saturating_sub(two.most))..=most.min(one.most),
            None => RangeInclusive::new(1, 0),
        }
    }

    /// Returns the most objects that a value of a product has, as far as that is known. A factor that is still being counted leads
    /// to itself: there is no most.
    fn most_of(&self, product: Product) -> u32 {
        let own = self.own(product).count;
        product.factors().iter().fold(own, |most, &factor| most.saturating_add(self.extent(factor).most))
    }

    /// Adds the values of a number of ways that are the same product.
    fn add_ways(&self, product: Product, ways: u32, to: &mut Sums) {
        let Own { usage: own, count, ref plain } = *self.own(product);
        let plain = &match ways {
            1 => plain.clone(),
            _ => plain * &Natural::from(u64::from(ways)),
        };
        let (from, upto) = (to.from, to.upto);
        let known =
            |id: FactorId| self.counted(id).map_or((0, &[][..]), |counted| (counted.extent.least, &counted.numbers));
        match *product.factors() {
            [one, two, ..] => {
                let ((least_of_one, one), (least_of_two, two)) = (known(one), known(two));
                let least = count + least_of_one + least_of_two;
                for (of_one, least) in one.iter().zip(least..=upto) {
                    let skipped = from.saturating_sub(least);
                    for (of_two, objects) in two.iter().skip(skipped as usize).zip(least + skipped..=upto) {
                        add_products(to.of(objects), own, of_one, of_two, plain);
                    }
                }
            }
            [only] => {
                let (least, only) = known(only);
                let skipped = from.saturating_sub(count + least);
                for (of_only, objects) in only.iter().skip(skipped as usize).zip(count + least + skipped..=upto) {
                    let to = to.of(objects);
                    of_only.iter().for_each(|(usage, number)| add(to, own + usage, number, plain));
                }
            }
            [] if (from..=upto).contains(&count) => add(to.of(count), own, plain, &Natural::ONE),
            [] => {}
        }
    }

    /// Adds the factors of a product whose values are needed to count those of the product with at most this many objects, and
    /// are not counted.
    fn add_needed(&self, product: Product, objects: u32, to: &mut Vec<Task>) {
        let Some(left) = objects.checked_sub(self.own(product).count) else { return };
        let mut need = |id: FactorId, objects: u32| {
            if !self.is_counted(id, objects) && to.last().is_none_or(|last| (last.id, last.objects) != (id, objects)) {
                to.push(Task { id, objects, found: None });
            }
        };
        match *product.factors() {
            [one, two, ..] => {
                let least = |id: FactorId| self.extent(id).least;
                if left >= least(one) + least(two) {
                    need(one, left - least(two));
                    need(two, left - least(one));
                }
            }
            [only] => need(only, left),
            [] => {}
        }
    }
}

impl Solver {
    /// Returns whether the bounds allow a usage.
    fn fits(&self, usage: Usage) -> bool {
        let of = |class: usize| (usage >> (16 * class)) as u16;
        self.shape.classes.iter().enumerate().all(|(number, class)| u32::from(of(number)) <= class.count)
    }

    /// Counts the values of a factor with at most this many objects. Its tables must be solved as far.
    pub(super) fn count_up_to(&mut self, id: FactorId, objects: u32) {
        let mut todo = vec![Task { id, objects, found: None }];
        while let Some(&mut Task { id, objects, ref mut found }) = todo.last_mut() {
            if self.counter.is_counted(id, objects) {
                todo.pop();
                continue;
            }
            let Some(FoundProducts { products, are_all }) = found.take() else {
                assert!(self.is_solved(id, objects), "[korat internal bug] values are counted before they are found");
                let (found, at) = (self.products(id, objects), todo.len() - 1);
                found.products.iter().for_each(|&(product, _)| self.counter.add_needed(product, objects, &mut todo));
                todo[at].found = Some(found);
                continue;
            };
            let mut most = if are_all { 0 } else { u32::MAX };
            let from = self.counter.extent(id).counted_below;
            let mut sums = Sums { from, upto: objects, numbers: Vec::new() };
            for (product, ways) in products {
                self.counter.add_ways(product, ways, &mut sums);
                most = most.max(self.counter.most_of(product));
            }
            let mut numbers = sums.numbers;
            numbers.resize_with((objects.min(most) + 1).saturating_sub(from) as usize, Numbers::new);
            for numbers in &mut numbers {
                numbers.retain(|(usage, _)| self.fits(*usage));
                numbers.sort_unstable_by_key(|(usage, _)| *usage);
            }
            let counted = self.counter.counted_mut(id);
            counted.extent.most = most;
            counted.extent.counted_below += numbers.len() as u32;
            counted.numbers.extend(numbers);
        }
    }

    /// Returns what the ways of a factor are products of, as far as those of values with at most this many objects are concerned.
    fn products(&mut self, id: FactorId, objects: u32) -> FoundProducts {
        let leaves = self.find_ways(id, objects);
        let mut products: Vec<(Product, u32)> = Vec::new();
        self.each_way(id, leaves, |product, _| match products.last_mut() {
            Some((last, ways)) if *last == product => *ways += 1,
            _ => products.push((product, 1)),
        });
        FoundProducts { products, are_all: self.leaves_of(id) == Some(leaves) }
    }

    fn is_solved(&self, id: FactorId, objects: u32) -> bool {
        let Factor::Outcome(table, _) = self.counter.get(id) else { return true };
        let table = &self.tables[table as usize];
        table.is_complete() || objects < table.solved_below
    }

    /// Returns the number of leaves of a factor, if no more are to be found.
    fn leaves_of(&self, id: FactorId) -> Option<usize> {
        let Factor::Outcome(table, outcome) = self.counter.get(id) else { return Some(1) };
        let table = &self.tables[table as usize];
        table.is_complete().then(|| table.leaves[outcome as usize].len())
    }

    /// Returns the sizes of accepted values, with their numbers by usage, as far as they are known.
    pub(crate) fn usages(&mut self) -> Rc<Usages> {
        let solved_below = self.solved_below();
        if let Some((then, known)) = &self.counter.usages
            && *then == solved_below
        {
            return Rc::clone(known);
        }
        let known = Rc::new(self.usages_of(true, u32::MAX));
        self.counter.usages = Some((solved_below, Rc::clone(&known)));
        known
    }

    /// Returns the sizes of the values that the predicate accepts, or rejects, with at most this many objects beside the root, with
    /// their numbers by usage, as far as they are known.
    pub(crate) fn usages_of(&mut self, accepted: bool, most: u32) -> Usages {
        let Some(root) = self.root_factor(accepted) else { return Vec::new() };
        let mut all = Vec::new();
        let below = self.solved_below().min(self.shape.most.min(most) + 1);
        below.checked_sub(1).into_iter().for_each(|objects| self.count_up_to(root, objects));
        for objects in 0..below {
            for (usage, number) in self.counter.numbers(root, objects) {
                all.push((self.size(*usage), *usage, number.clone()));
            }
        }
        all.sort_by_key(|(size, usage, _)| (*size, *usage));
        all
    }

    /// Returns the size of values with the root and these objects.
    fn size(&self, usage: Usage) -> usize {
        let root = self.shape.objects[self.shape.root.index()].class;
        let counted = self.shape.classes.iter().enumerate().filter(|(_, class)| class.is_counted);
        counted.map(|(number, _)| (usage >> (16 * number)) as u16 as usize + usize::from(number == root.index())).sum()
    }
}
