//! Counts the values of factors, by the objects that they use: those with a number of objects from those of other factors with
//! fewer.

use std::ops::RangeInclusive;
use std::rc::Rc;

use smallvec::SmallVec;

use super::natural::Natural;
use super::solver::Solver;
use super::table::{OutcomeId, TableId};
use super::ways::{Counter, Factor, FactorId, Known, Numbers, Own, Usage, Usages, Way};

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

impl Counter {
    /// Returns the most objects that a value of a factor has, as far as that is known.
    fn most(&self, id: FactorId) -> u32 {
        self.known[id as usize].most.unwrap_or(u32::MAX)
    }

    /// Returns the least number of objects that is not counted.
    fn next(&self, id: FactorId) -> u32 {
        let Known { least, numbers, .. } = &self.known[id as usize];
        least + numbers.len() as u32
    }

    /// Returns whether all values with at most this many objects are counted.
    fn is_counted(&self, id: FactorId, objects: u32) -> bool {
        self.next(id) > objects.min(self.most(id))
    }

    /// Returns the numbers of a factor, which `Solver::count_up_to` has counted.
    pub(super) fn numbers(&self, id: FactorId, objects: u32) -> &[(Usage, Natural)] {
        let Known { least, numbers, .. } = &self.known[id as usize];
        let at = objects.checked_sub(*least).and_then(|at| numbers.get(at as usize));
        at.map_or(&[], |numbers| numbers)
    }

    /// Returns how many objects the first of two factors may have, where both have this many: each what the other does not need,
    /// and its table is solved as far.
    pub(super) fn shares(&self, one: FactorId, two: FactorId, objects: u32) -> RangeInclusive<u32> {
        let least = |id: FactorId| self.known[id as usize].least;
        match objects.checked_sub(least(two)) {
            Some(most) => least(one).max(objects.saturating_sub(self.most(two)))..=most.min(self.most(one)),
            None => RangeInclusive::new(1, 0),
        }
    }

    /// Adds the values of a way, for each number of objects from one on.
    fn add_way(&self, way: Way, from: u32, to: &mut [Numbers]) {
        let Own { usage: own, count, ref plain } = *self.own(way);
        let upto = from + to.len() as u32;
        let known = |id: FactorId| &self.known[id as usize];
        match *way.factors() {
            [one, two, ..] => {
                let (one, two) = (known(one), known(two));
                // Most factors have values of one size only.
                if let ([of_one], [of_two]) = (&*one.numbers, &*two.numbers) {
                    let to = (count + one.least + two.least).checked_sub(from).and_then(|at| to.get_mut(at as usize));
                    return to.into_iter().for_each(|to| add_products(to, own, of_one, of_two, plain));
                }
                for (of_one, objects) in one.numbers.iter().zip(count + one.least + two.least..upto) {
                    let skipped = from.saturating_sub(objects) as usize;
                    let to = &mut to[objects.saturating_sub(from) as usize..];
                    for (to, of_two) in to.iter_mut().zip(two.numbers.get(skipped..).unwrap_or_default()) {
                        add_products(to, own, of_one, of_two, plain);
                    }
                }
            }
            [only] => {
                let only = known(only);
                let skipped = from.saturating_sub(count + only.least) as usize;
                let to = to.iter_mut().skip((count + only.least).saturating_sub(from) as usize);
                for (to, of_only) in to.zip(only.numbers.iter().skip(skipped)) {
                    of_only.iter().for_each(|(usage, number)| add(to, own + usage, number, plain));
                }
            }
            [] => {
                let to = count.checked_sub(from).and_then(|at| to.get_mut(at as usize));
                to.into_iter().for_each(|to| add(to, own, plain, &Natural::ONE));
            }
        }
    }

    /// Adds the factors of a way whose values are needed to count those of the way with at most this many objects, and
    /// are not counted.
    fn add_needed(&self, way: Way, objects: u32, to: &mut Vec<(FactorId, u32)>) {
        let Some(left) = objects.checked_sub(self.own(way).count) else { return };
        let mut need = |id: FactorId, objects: u32| {
            if !self.is_counted(id, objects) && to.last() != Some(&(id, objects)) {
                to.push((id, objects));
            }
        };
        match *way.factors() {
            [one, two, ..] => {
                let least = |id: FactorId| self.known[id as usize].least;
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
        let mut todo = if self.counter.is_counted(id, objects) { Vec::new() } else { vec![(id, objects)] };
        // Those whose ways have been asked what they need.
        let mut asked: Vec<usize> = Vec::new();
        while let Some(&(id, objects)) = todo.last() {
            let has_asked = asked.pop_if(|at| *at == todo.len()).is_some();
            self.find_most(id);
            if self.counter.is_counted(id, objects) {
                todo.pop();
                continue;
            }
            let (from, upto) = (self.counter.next(id), objects.min(self.counter.most(id)));
            if let Factor::Outcome(table, _) = self.counter.get(id) {
                let table = &self.tables[table as usize];
                let is_solved = table.is_complete() || upto < table.solved_below;
                assert!(is_solved, "[korat internal bug] values are counted before they are found");
            }
            let (leaves, before) = (self.find_ways(id, upto), todo.len());
            if !has_asked {
                self.each_way(id, leaves, |way| self.counter.add_needed(way, upto, &mut todo));
            }
            if todo.len() > before {
                asked.push(before);
                continue;
            }
            let mut numbers = vec![Numbers::new(); (upto + 1 - from) as usize];
            self.each_way(id, leaves, |way| self.counter.add_way(way, from, &mut numbers));
            for numbers in &mut numbers {
                numbers.retain(|(usage, _)| self.fits(*usage));
                numbers.sort_unstable_by_key(|(usage, _)| *usage);
            }
            self.counter.known[id as usize].numbers.extend(numbers);
        }
    }

    /// Finds the most objects that a value of a factor has, and that of everything it is made of.
    fn find_most(&mut self, id: FactorId) {
        if self.counter.known[id as usize].most.is_some() {
            return;
        }
        let (mut todo, search) = (vec![id], self.counter.begin_search());
        while let Some(&id) = todo.last() {
            if self.counter.known[id as usize].most.is_some() {
                todo.pop();
                continue;
            }
            let most = match self.counter.get(id) {
                Factor::Outcome(table, _) if !self.tables[table as usize].is_complete() => u32::MAX,
                Factor::Outcome(table, outcome) if self.leaves_link_open(id, table, outcome) => u32::MAX,
                Factor::Outcome(..) | Factor::Object(_) | Factor::Link { .. } | Factor::Both(..) => {
                    let (leaves, is_first) = (self.find_ways(id, u32::MAX), self.counter.meet(id, search));
                    let (mut most, before) = (0, todo.len());
                    self.each_way(id, leaves, |way| {
                        let mut of_way = self.counter.own(way).count;
                        for &inner in way.factors() {
                            let known = self.counter.known[inner as usize].most;
                            if known.is_none() && is_first && !self.counter.has_met(inner, search) {
                                todo.push(inner);
                            }
                            // What is still under way leads to itself: there is no most.
                            of_way = of_way.saturating_add(known.unwrap_or(u32::MAX));
                        }
                        most = most.max(of_way);
                    });
                    if todo.len() > before {
                        continue;
                    }
                    most
                }
            };
            self.counter.known[id as usize].most = Some(most);
        }
    }

    /// Returns whether some of the smallest values of an outcome have a link that nothing has read, and any number of objects below it:
    /// so do most that a predicate rejects. All ways of a rejection are many, and not asked about otherwise.
    fn leaves_link_open(&mut self, id: FactorId, table: TableId, outcome: OutcomeId) -> bool {
        let first = self.tables[table as usize].leaves[outcome as usize].first();
        self.find_ways(id, first.map_or(0, |leaf| u32::from(leaf.level)));
        let is_link = |factor: &FactorId| matches!(self.counter.get(*factor), Factor::Link { .. });
        let links: SmallVec<[FactorId; 4]> = self.counter.open_factors(id).filter(is_link).collect();
        links.into_iter().any(|link| {
            self.find_most(link);
            self.counter.most(link) == u32::MAX
        })
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
