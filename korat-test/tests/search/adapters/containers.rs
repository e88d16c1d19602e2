//! Vectors, maps and sets of other crates, against all their values made by hand.

use std::rc::Rc;

use arrayvec::ArrayVec;
use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use slab::Slab;
use smallvec::SmallVec;

use super::*;

/// Compares with values made by hand, and takes each of them apart and builds it again.
fn agree_and_round_trip<T: Finitize + RepOk + Debug>(scope: usize, all: Vec<T>, form: impl Fn(&T) -> String) -> u64 {
    let mut idle = idle::<T>(scope);
    for value in &all {
        let slots = idle.abstract_value(value).expect("a value made by hand is within the bounds");
        assert_eq!(form(&idle.build(&slots)), form(value), "built from {slots:?}");
    }
    agree(scope, all, form)
}

/// Every list of at most `most` of these.
fn up_to<T: Clone>(choices: &[T], most: usize) -> Vec<Vec<T>> {
    (0..=most).flat_map(|len| lists(choices, len)).collect()
}

fn debug<T: Debug>(value: &T) -> String {
    format!("{value:?}")
}

#[derive(Clone, Debug, Finitize)]
struct Item {
    key: u8,
}

/// Vectors of objects and of plain values.
#[derive(Clone, Debug, Finitize)]
struct Small {
    items: SmallVec<[Item; 2]>,
    #[finitize(0..=1, len = 1..=2)]
    marks: Option<SmallVec<[u8; 1]>>,
}

#[rep_ok]
impl Small {
    fn rep_ok(&self) -> bool {
        Self::is_sorted(&self.items)
            && self.marks.as_ref().is_none_or(|marks| marks.len() == self.items.len() && marks[0] == 1)
    }

    fn is_sorted(items: &SmallVec<[Item; 2]>) -> bool {
        let mut last = None;
        for item in items {
            if last.is_some_and(|last| last >= item.key) {
                return false;
            }
            last = Some(item.key);
        }
        true
    }
}

#[test]
fn small_vectors() {
    let all = |scope: usize| {
        let items: Vec<Item> = (0..=scope as u8).map(|key| Item { key }).collect();
        let marks = (1..=2).flat_map(|len| lists(&[0, 1], len)).map(|marks| Some(SmallVec::from(marks)));
        let marks: Vec<Option<SmallVec<[u8; 1]>>> = std::iter::once(None).chain(marks).collect();
        let small = |items: &Vec<Item>, marks| Small { items: SmallVec::from(items.clone()), marks };
        let each = |items: Vec<Item>| marks.iter().map(|marks| small(&items, marks.clone())).collect::<Vec<_>>();
        up_to(&items, scope).into_iter().flat_map(each).collect::<Vec<_>>()
    };
    let counts = [0, 1, 2].map(|scope| agree_and_round_trip(scope, all(scope), debug));
    // Without marks, every sorted list; with marks, one item with one mark, or two items with two.
    assert_eq!(counts, [1, 3 + 2, 7 + 3 + 3 * 2]);
}

/// At most two elements fit, whatever the scope.
#[derive(Clone, Debug, Finitize)]
struct Bounded {
    #[finitize(0..=1)]
    items: ArrayVec<u8, 2>,
    room: usize,
}

#[rep_ok]
impl Bounded {
    fn rep_ok(&self) -> bool {
        let mut sum = 0;
        for item in &self.items {
            sum += item;
        }
        Self::room(&self.items) == self.room && self.items.is_full() == (sum > 0) && self.items.capacity() == 2
    }

    fn room(items: &ArrayVec<u8, 2>) -> usize {
        items.remaining_capacity()
    }
}

#[test]
fn vectors_of_limited_room() {
    let all = |scope: usize| {
        let bounded = |items: &Vec<u8>, room| Bounded { items: items.iter().copied().collect(), room };
        let each = |items: Vec<u8>| (0..=scope).map(|room| bounded(&items, room)).collect::<Vec<_>>();
        up_to(&[0, 1], scope.min(2)).into_iter().flat_map(each).collect::<Vec<_>>()
    };
    let counts = [0, 1, 2, 3].map(|scope| agree_and_round_trip(scope, all(scope), debug));
    assert_eq!(counts, [0, 1, 1 + 1 + 3, 5]);
}

/// More elements than fit.
#[derive(Debug, Finitize)]
struct Overfull {
    #[finitize(len = 0..=3)]
    items: ArrayVec<bool, 2>,
}

#[rep_ok]
impl Overfull {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn lengths_beyond_the_room_are_an_error_of_the_bounds() {
    let error = Searcher::new(&Overfull::scope(1), Settings::default()).map(|_| ()).expect_err("three do not fit");
    assert!(error.to_string().contains("a length of 3 is more than the 2 elements that fit"), "{error}");
}

/// Maps and sets of `hashbrown`.
#[derive(Clone, Debug, Finitize)]
struct Brown {
    ages: hashbrown::HashMap<u8, bool>,
    names: hashbrown::HashSet<u8>,
}

#[rep_ok]
impl Brown {
    fn rep_ok(&self) -> bool {
        Self::all_named(&self.ages, &self.names) && self.ages.get(&0) != Some(&false)
    }

    fn all_named(ages: &hashbrown::HashMap<u8, bool>, names: &hashbrown::HashSet<u8>) -> bool {
        ages.keys().all(|age| names.contains(age)) && ages.len() <= names.len()
    }
}

#[test]
fn maps_and_sets_of_hashbrown() {
    let all = |scope: usize| {
        // Per key: whether it is a name, and its age.
        let per_key: Vec<(bool, Option<bool>)> = [false, true]
            .into_iter()
            .flat_map(|named| [None, Some(false), Some(true)].map(|age| (named, age)))
            .collect();
        let brown = |keys: Vec<(bool, Option<bool>)>| Brown {
            ages: (0..).zip(&keys).filter_map(|(key, (_, age))| age.map(|age| (key, age))).collect(),
            names: (0..).zip(&keys).filter(|(_, (named, _))| *named).map(|(key, _)| key).collect(),
        };
        lists(&per_key, scope + 1).into_iter().map(brown).collect::<Vec<_>>()
    };
    let sorted = |brown: &Brown| {
        let ages: std::collections::BTreeMap<_, _> = brown.ages.iter().collect();
        format!("{ages:?} {:?}", brown.names.iter().collect::<BTreeSet<_>>())
    };
    let counts = [0, 1, 2].map(|scope| agree_and_round_trip(scope, all(scope), sorted));
    // Each key but the first has four states, and the first is not too young.
    assert_eq!(counts, [3, 12, 48]);
}

/// Maps and sets that keep the order of insertion.
#[derive(Clone, Debug, Finitize)]
struct Ranked {
    #[finitize(0..=2)]
    scores: IndexMap<u8, bool>,
    players: IndexSet<char>,
}

#[rep_ok]
impl Ranked {
    /// The keys rise, the last score is true, and the players are those that come first in the alphabet, backwards.
    fn rep_ok(&self) -> bool {
        let mut last = None;
        for (key, _) in &self.scores {
            if last.is_some_and(|last| last > key) {
                return false;
            }
            last = Some(key);
        }
        let has_last =
            self.scores.last().is_none_or(|(key, &won)| won && self.scores[key] && self.scores.contains_key(key));
        let ranks = (0..self.players.len())
            .all(|at| self.players.get_index(at).is_some_and(|&player| player > 'a' || at + 1 == self.players.len()));
        has_last && ranks && Self::is_first(&self.players, self.scores.get_index_of(&2))
    }

    fn is_first(players: &IndexSet<char>, rank: Option<usize>) -> bool {
        rank.is_none_or(|rank| rank == 2 || players.contains(&'a') == (rank == 0))
    }
}

fn orders_of<T: Clone>(choices: &[T]) -> Vec<Vec<T>> {
    let positions: Vec<usize> = (0..choices.len()).collect();
    let distinct = |list: &Vec<usize>| list.iter().collect::<BTreeSet<_>>().len() == list.len();
    let lists = up_to(&positions, choices.len()).into_iter().filter(distinct);
    lists.map(|list| list.into_iter().map(|at| choices[at].clone()).collect()).collect()
}

#[test]
fn maps_and_sets_with_an_order() {
    let all = |scope: usize| {
        let letters: Vec<char> = ('a'..='z').take(scope + 1).collect();
        let players: Vec<IndexSet<char>> = orders_of(&letters).into_iter().map(IndexSet::from_iter).collect();
        let entries: Vec<(u8, bool)> = (0..=2).flat_map(|key| [(key, false), (key, true)]).collect();
        let distinct =
            |list: &Vec<(u8, bool)>| list.iter().map(|(key, _)| key).collect::<BTreeSet<_>>().len() == list.len();
        let scores = up_to(&entries, 3).into_iter().filter(distinct).map(IndexMap::from_iter);
        let ranked = |scores: IndexMap<u8, bool>| {
            players
                .iter()
                .map(move |players| Ranked { scores: scores.clone(), players: players.clone() })
                .collect::<Vec<_>>()
        };
        scores.flat_map(ranked).collect::<Vec<_>>()
    };
    let counts = [0, 1, 2].map(|scope| agree_and_round_trip(scope, all(scope), debug));
    // By the place of the key 2 in the scores: nowhere or last, first, second; and the players with and without 'a'.
    assert_eq!(counts, [9 * 2 + 1 + 4, 9 * 4 + 2 + 4 * 2, 9 * 10 + 5 + 4 * 5]);
}

/// Objects as values, which may be shared.
#[derive(Clone, Debug, Finitize)]
struct Crew {
    #[finitize(0..=1)]
    seats: IndexMap<u8, Rc<Seat>>,
    pilot: Option<Rc<Seat>>,
}

#[derive(Clone, Debug, Finitize)]
struct Seat {
    is_taken: bool,
}

#[rep_ok]
impl Crew {
    /// The last seat is the pilot's, if there is any; the other one is not even looked at.
    fn rep_ok(&self) -> bool {
        match (self.seats.last(), &self.pilot) {
            (Some((_, last)), Some(pilot)) => Rc::ptr_eq(last, pilot) && pilot.is_taken,
            (None, None) => true,
            _ => false,
        }
    }
}

#[test]
fn ordered_maps_of_shared_objects() {
    let mut all = Vec::new();
    for keys in orders_of(&[0, 1]) {
        for [first, second] in [[false, false], [false, true], [true, false], [true, true]] {
            for links in lists(&[0, 1], keys.len() + 1) {
                let objects = [first, second].map(|is_taken| Rc::new(Seat { is_taken }));
                let seats = |links: &[usize]| links.iter().map(|&at| Rc::clone(&objects[at])).collect::<Vec<_>>();
                let crew = |pilot| Crew { seats: keys.iter().copied().zip(seats(&links)).collect(), pilot };
                all.extend([crew(None), crew(Some(Rc::clone(&objects[links[keys.len()]])))]);
            }
        }
    }
    let form = |crew: &Crew| {
        let mut met: Vec<*const Seat> = Vec::new();
        let mut number = |seat: &Rc<Seat>| {
            let known = met.iter().position(|&known| known == Rc::as_ptr(seat));
            known.unwrap_or_else(|| {
                met.push(Rc::as_ptr(seat));
                met.len() - 1
            })
        };
        let seats: Vec<(u8, usize)> = crew.seats.iter().map(|(&key, seat)| (key, number(seat))).collect();
        let pilot = crew.pilot.as_ref().map(&mut number);
        format!("{seats:?} {pilot:?} {crew:?}")
    };
    // No seat; one of two; both in either order, the first one shared with the last, or another that is taken or not.
    assert_eq!(agree_and_round_trip(2, all, form), 1 + 2 + 2 * 3);
}

/// Nodes in a slab, which refer to each other by key.
#[derive(Clone, Debug, Finitize)]
struct Hop {
    #[finitize(index_of = hops)]
    next: Option<usize>,
}

#[derive(Clone, Debug, Finitize)]
struct Route {
    hops: Slab<Hop>,
    #[finitize(index_of = hops)]
    first: Option<usize>,
}

#[rep_ok]
impl Route {
    /// From the first to the last, each once.
    fn rep_ok(&self) -> bool {
        let (mut at, mut count) = (self.first, 0);
        while let Some(key) = at {
            count += 1;
            if count > self.hops.len() || !self.hops.contains(key) {
                return false;
            }
            at = self.hops[key].next;
        }
        count == self.hops.len() && self.hops.vacant_key() == count
    }
}

#[test]
fn lists_in_a_slab() {
    let counts: Vec<u64> = (0..=3).map(count::<Route>).collect();
    // One of each length, whatever the keys.
    assert_eq!(counts, [1, 2, 3, 4]);
    let mut route = Route { hops: Slab::new(), first: Some(0) };
    route.hops.insert(Hop { next: Some(1) });
    route.hops.insert(Hop { next: None });
    let mut idle = idle::<Route>(2);
    let slots = idle.abstract_value(&route).expect("a slab filled in order");
    let links = |route: &Route| route.hops.iter().map(|(key, hop)| (key, hop.next)).collect::<Vec<_>>();
    let built = idle.build(&slots);
    assert_eq!((links(&built), built.first), (links(&route), route.first));
    route.hops.remove(0);
    assert!(idle.abstract_value(&route).is_err());
}

/// Sets of bits.
#[derive(Clone, Debug, Finitize)]
struct Free {
    blocks: FixedBitSet,
    #[finitize(len = 2..=2)]
    pages: Option<FixedBitSet>,
    count: usize,
}

#[rep_ok]
impl Free {
    fn rep_ok(&self) -> bool {
        Self::ones(&self.blocks) == self.count && self.pages.as_ref().is_none_or(|pages| pages.contains(1))
    }

    fn ones(bits: &FixedBitSet) -> usize {
        bits.count_ones(..)
    }
}

#[test]
fn sets_of_bits() {
    let of = |bits: &[bool]| {
        let mut set = FixedBitSet::with_capacity(bits.len());
        (0..).zip(bits).for_each(|(at, &bit)| set.set(at, bit));
        set
    };
    let all = |scope: usize| {
        let mut all = Vec::new();
        for blocks in up_to(&[false, true], scope) {
            let pages = lists(&[false, true], 2).into_iter().map(|pages| Some(of(&pages)));
            for pages in std::iter::once(None).chain(pages) {
                all.extend((0..=scope).map(|count| Free { blocks: of(&blocks), pages: pages.clone(), count }));
            }
        }
        all
    };
    // `Debug` of a set shows an address.
    let bits = |set: &FixedBitSet| (0..set.len()).map(|bit| set.contains(bit)).collect::<Vec<_>>();
    let form =
        move |free: &Free| format!("{:?} {:?} {}", bits(&free.blocks), free.pages.as_ref().map(bits), free.count);
    let counts = [0, 1, 3].map(|scope| agree_and_round_trip(scope, all(scope), form));
    assert_eq!(counts, [3, 9, 45]);
}
