//! Structures with deques in fields: of numbers, of boxes, of nodes by value, inside an option.

use std::collections::VecDeque;

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_fields;
use crate::harness::{CannotHold, Owned, Space, Subject, lists};

/// Numbers of which the first is the least and the last the greatest, and one of them.
#[derive(Debug, Finitize)]
pub struct Window {
    #[finitize(0..=1, len = 0..=scope + 1)]
    numbers: VecDeque<u8>,
    one: Option<u8>,
}

#[rep_ok]
impl Window {
    pub fn rep_ok(&self) -> bool {
        let (Some(first), Some(last)) = (self.numbers.front(), self.numbers.back()) else { return self.one.is_none() };
        Self::within(&self.numbers, *first, *last)
            && self.one.is_some_and(|one| self.numbers.iter().rev().any(|n| *n == one))
    }

    fn within(numbers: &VecDeque<u8>, low: u8, high: u8) -> bool {
        let mut rest = numbers.clone();
        while let Some(number) = rest.pop_front() {
            if number < low || number > high {
                return false;
            }
        }
        let (one, other) = numbers.as_slices();
        one.len() + other.len() == numbers.len() && numbers[0] == low
    }
}

canonical_fields! { Window { numbers, one } }

impl Subject for Window {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        for numbers in lists(&[0, 1], scope + 1) {
            for one in (0..=scope as u8).map(Some).chain([None]) {
                visit(Window { numbers: numbers.clone().into(), one });
            }
        }
    }
}

/// A car.
#[derive(Debug, Finitize)]
pub struct Car {
    full: bool,
}

/// A train; full cars come first.
#[derive(Debug, Finitize)]
#[allow(clippy::vec_box, reason = "boxes in a deque are what is tested")]
pub struct Train {
    cars: VecDeque<Box<Car>>,
}

#[rep_ok]
impl Train {
    pub fn rep_ok(&self) -> bool {
        let mut before: Option<&Car> = None;
        for car in &self.cars {
            if before.is_some_and(|before| car.full && !before.full || std::ptr::eq(before, &**car)) {
                return false;
            }
            before = Some(car);
        }
        self.cars.iter().enumerate().all(|(at, car)| (0..at).all(|other| !std::ptr::eq(&*self.cars[other], &**car)))
    }
}

canonical_fields! { Car { full } Train { cars } }

impl Subject for Train {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let len = space.slot(scope + 1);
        let places = space.objects(scope, [scope]);
        let cars = space.objects(scope, [2]);
        space.each(|raw| {
            let mut owned = Owned::none_of(scope);
            let taken = places[..raw[len]].iter().map(|&[place]| owned.take(raw[place] + 1));
            let Ok(taken) = taken.collect::<Result<Vec<_>, CannotHold>>() else { return };
            let car = |object: usize| Box::new(Car { full: raw[cars[object][0]] == 1 });
            visit(Train { cars: taken.into_iter().flatten().map(car).collect() });
        });
    }
}

/// A tree whose children are in a deque, by value; no node has one child.
#[derive(Clone, Debug, Finitize)]
pub struct Bush {
    kids: VecDeque<Bush>,
    fruit: Option<VecDeque<bool>>,
}

#[rep_ok]
impl Bush {
    pub fn rep_ok(&self) -> bool {
        self.kids.len() != 1
            && self.fruit.as_ref().is_none_or(|fruit| fruit.len() == 1 && self.kids.is_empty())
            && self.kids.iter().all(|kid| kid.fruit.is_some() && kid.rep_ok())
    }
}

canonical_fields! { Bush { kids, fruit } }

impl Bush {
    /// Every bush of exactly `nodes` nodes, with nothing longer than `scope`.
    fn all(nodes: usize, scope: usize) -> Vec<Bush> {
        let Some(below) = nodes.checked_sub(1) else { return Vec::new() };
        let fruits: Vec<_> =
            lists(&[false, true], scope).into_iter().map(|list| Some(list.into())).chain([None]).collect();
        let with_fruit =
            |kids: VecDeque<Bush>| fruits.iter().map(move |fruit| Bush { kids: kids.clone(), fruit: fruit.clone() });
        Bush::rows(below, scope, scope).into_iter().flat_map(with_fruit).collect()
    }

    /// Every row of at most `most` bushes with `nodes` nodes in all.
    fn rows(nodes: usize, most: usize, scope: usize) -> Vec<VecDeque<Bush>> {
        if nodes == 0 {
            return vec![VecDeque::new()];
        }
        let Some(most) = most.checked_sub(1) else { return Vec::new() };
        let mut rows = Vec::new();
        for first in 1..=nodes {
            for bush in Bush::all(first, scope) {
                for mut row in Bush::rows(nodes - first, most, scope) {
                    row.push_front(bush.clone());
                    rows.push(row);
                }
            }
        }
        rows
    }
}

impl Subject for Bush {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        (1..=scope.max(1)).flat_map(|nodes| Bush::all(nodes, scope)).for_each(visit);
    }
}
