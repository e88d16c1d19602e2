//! Vectors whose elements own objects, with other owners of the same class beside them: a decided length takes objects
//! away from the others before its elements are read, and only as many as every value has.

use std::collections::VecDeque;
use std::ptr;

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain};
use crate::harness::{Space, Subject, lists};
use crate::raw::{Memory, debug_by_walk};

/// Every list of `T` with `objects` objects in all; `of` gives the elements with a number of objects from 1 on.
fn rows<T: Clone>(objects: usize, of: &impl Fn(usize) -> Vec<T>) -> Vec<Vec<T>> {
    let mut rows: Vec<Vec<T>> = if objects == 0 { vec![Vec::new()] } else { Vec::new() };
    for first in 1..=objects {
        for one in of(first) {
            let longer = |rest: Vec<T>| [std::slice::from_ref(&one), &rest[..]].concat();
            rows.extend(self::rows(objects - first, of).into_iter().map(longer));
        }
    }
    rows
}

/// A tree whose nodes have children in three vectors; the last ones are read first.
#[derive(Clone, Debug, Finitize)]
pub struct Fork {
    left: Vec<Fork>,
    middle: Box<[Fork]>,
    right: VecDeque<Fork>,
}

#[rep_ok]
impl Fork {
    pub fn rep_ok(&self) -> bool {
        self.right.len() >= self.left.len()
            && self.left.iter().all(|fork| fork.middle.is_empty())
            && self.right.iter().all(|fork| fork.rep_ok())
            && self.middle.iter().all(|fork| fork.rep_ok())
    }
}

canonical_plain! { Fork }

impl Fork {
    /// Every fork of `nodes` nodes.
    fn all(nodes: usize) -> Vec<Fork> {
        let mut all = Vec::new();
        let Some(below) = nodes.checked_sub(1) else { return all };
        for left in 0..=below {
            for middle in 0..=below - left {
                let [lefts, middles, rights] =
                    [left, middle, below - left - middle].map(|objects| rows(objects, &Fork::all));
                for (left, middle) in lefts.iter().flat_map(|left| middles.iter().map(move |middle| (left, middle))) {
                    all.extend(rights.iter().map(|right| Fork {
                        left: left.clone(),
                        middle: middle.clone().into(),
                        right: right.clone().into(),
                    }));
                }
            }
        }
        all
    }
}

impl Subject for Fork {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        (1..=scope).flat_map(Fork::all).for_each(visit);
    }
}

/// A hand in a box.
#[derive(Clone, Debug, Finitize)]
pub struct Hand {
    left: bool,
}

/// Hands in vectors and alone; a decided length may leave none for the others.
#[derive(Clone, Debug, Finitize)]
#[allow(clippy::vec_box, reason = "boxes in a vector are what is tested")]
pub struct Crew {
    first: Option<Box<Hand>>,
    hands: Vec<Box<Hand>>,
    spare: Vec<(bool, Box<Hand>)>,
    last: Option<Box<Hand>>,
}

#[rep_ok]
impl Crew {
    pub fn rep_ok(&self) -> bool {
        self.hands.len() >= self.spare.len()
            && self.last.as_ref().is_none_or(|last| !last.left)
            && self.first.is_some() <= self.last.is_some()
            && self.hands.iter().all(|hand| hand.left)
            && self.spare.iter().all(|(used, hand)| !used && hand.left)
    }
}

canonical_plain! { Crew }

impl Subject for Crew {
    // One box in two places is fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let hands = [false, true].map(|left| Box::new(Hand { left }));
        let spares: Vec<_> = [false, true].iter().flat_map(|&used| hands.clone().map(|hand| (used, hand))).collect();
        let alone = [None, Some(hands[0].clone()), Some(hands[1].clone())];
        for (first, last) in alone.iter().flat_map(|first| alone.iter().map(move |last| (first, last))) {
            for hands in lists(&hands, scope) {
                for spare in lists(&spares, scope) {
                    let used = first.iter().count() + last.iter().count() + hands.len() + spare.len();
                    if used <= scope {
                        visit(Crew { first: first.clone(), hands: hands.clone(), spare, last: last.clone() });
                    }
                }
            }
        }
    }
}

/// A sheep in a box.
#[derive(Debug, Finitize)]
pub struct Sheep {
    black: bool,
}

/// Boxes, one of which is pointed to before the length of their vector is read: it needs no object of its own.
#[derive(Finitize)]
#[allow(clippy::vec_box, reason = "boxes in a vector are what is tested")]
pub struct Flock {
    watched: *const Sheep,
    sheep: Vec<Box<Sheep>>,
}

#[rep_ok]
impl Flock {
    pub fn rep_ok(&self) -> bool {
        let watched = self.watched;
        if watched.is_null() {
            return self.sheep.is_empty();
        }
        let is_first =
            |at: usize| (0..at).all(|before| !ptr::eq(&raw const *self.sheep[before], &raw const *self.sheep[at]));
        (0..self.sheep.len()).all(is_first) && self.sheep.iter().any(|sheep| ptr::eq(&raw const **sheep, watched))
    }
}

canonical_fields! { Sheep { black } Flock { watched, sheep } }

debug_by_walk! { Flock }

impl Subject for Flock {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (watched, len) = (space.slot(scope + 1), space.slot(scope + 1));
        let places = space.objects(scope, [scope]);
        let sheep = space.objects(scope, [2]);
        space.each(|raw| {
            let boxes: Vec<usize> = places[..raw[len]].iter().map(|&[place]| raw[place] + 1).collect();
            let owners: Vec<_> = boxes.iter().map(|&digit| (None, digit)).collect();
            let Some(memory) = Memory::new(scope, &owners) else { return };
            (0..scope).for_each(|object| memory.fill(object, Sheep { black: raw[sheep[object][0]] == 1 }));
            let sheep = boxes.iter().filter_map(|&digit| memory.boxed(digit)).collect();
            visit(Flock { watched: memory.raw(raw[watched]).cast_const(), sheep });
        });
    }
}

/// A cell of a grid.
#[derive(Clone, Debug, Finitize)]
pub struct Field {
    seeds: Vec<Field>,
}

/// Vectors of vectors, and two that share a length: each of their elements takes two objects.
#[derive(Clone, Debug, Finitize)]
pub struct Farm {
    #[finitize(len = 0..=2)]
    rows: Vec<Vec<Field>>,
    north: Vec<Field>,
    #[finitize(beside = north)]
    south: Vec<Field>,
}

#[rep_ok]
impl Farm {
    pub fn rep_ok(&self) -> bool {
        self.north.len() == self.south.len()
            && self.rows.iter().all(|row| row.len() <= 1)
            && self.south.iter().all(|field| field.seeds.is_empty())
    }
}

canonical_plain! { Farm }

impl Field {
    /// Every field of `objects` objects.
    fn all(objects: usize) -> Vec<Field> {
        let Some(below) = objects.checked_sub(1) else { return Vec::new() };
        rows(below, &Field::all).into_iter().map(|seeds| Field { seeds }).collect()
    }
}

impl Subject for Farm {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let row = |objects: usize| rows(objects, &Field::all);
        for [one, two, north, south] in splits(scope) {
            let lists = [one, two].map(row);
            for (first, second) in lists[0].iter().flat_map(|one| lists[1].iter().map(move |two| (one, two))) {
                for north in row(north) {
                    for south in row(south).into_iter().filter(|south| south.len() == north.len()) {
                        // Empty rows at the end are there or not.
                        for len in 0..=2 {
                            let is_cut = (len < 2 && !second.is_empty()) || (len < 1 && !first.is_empty());
                            if !is_cut {
                                let rows = [first, second].into_iter().take(len).cloned().collect();
                                visit(Farm { rows, north: north.clone(), south: south.clone() });
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Every way to give at most `objects` objects to four.
fn splits(objects: usize) -> impl Iterator<Item = [usize; 4]> {
    let numbers = move |number: usize| [1, 2, 3, 4].map(|digit| number / (objects + 1).pow(digit - 1) % (objects + 1));
    (0..(objects + 1).pow(4)).map(numbers).filter(move |parts| parts.iter().sum::<usize>() <= objects)
}
