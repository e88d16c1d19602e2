//! Structures with maps and sets in fields: plain values, nodes by value in nodes, pointers, vectors and enums as values; sets
//! inside options, vectors, arrays and tuples; a generic class.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields, canonical_plain, debug_in_order};
use crate::harness::{Space, Subject, lists, maps, sets};

/// How much there is of what; nothing is listed of which there is none.
#[derive(Debug, Finitize)]
pub struct Stock {
    pub amounts: BTreeMap<u8, u8>,
    #[finitize(0..=2)]
    kinds: usize,
}

#[rep_ok]
impl Stock {
    pub fn rep_ok(&self) -> bool {
        self.amounts.len() == self.kinds
            && self.amounts.values().all(|amount| *amount > 0)
            && self.amounts.first_key_value().is_none_or(|(kind, amount)| kind <= amount)
            && self.amounts.range(1..).all(|(_, amount)| *amount != 2)
    }
}

canonical_fields! { Stock { amounts, kinds } }

impl Subject for Stock {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let numbers: Vec<u8> = (0..=scope as u8).collect();
        for amounts in maps(&numbers, &numbers) {
            (0..=2).for_each(|kinds| visit(Stock { amounts: amounts.clone(), kinds }));
        }
    }
}

/// Words by their letters; every leaf but the root is a word.
#[derive(Clone, Debug, Finitize)]
pub struct Trie {
    is_word: bool,
    #[finitize(['a', 'b'])]
    children: BTreeMap<char, Trie>,
}

#[rep_ok]
impl Trie {
    pub fn rep_ok(&self) -> bool {
        Self::leaves_are_words(self, 0)
    }

    fn leaves_are_words(trie: &Trie, depth: usize) -> bool {
        for (letter, child) in &trie.children {
            if *letter == 'b' && depth > 1 {
                return false;
            }
            if child.children.is_empty() && !child.is_word || !Self::leaves_are_words(child, depth + 1) {
                return false;
            }
        }
        true
    }
}

canonical_fields! { Trie { is_word, children } }

impl Trie {
    /// Every trie of exactly `nodes` nodes.
    fn all(nodes: usize) -> Vec<Trie> {
        let Some(below) = nodes.checked_sub(1) else { return Vec::new() };
        let mut all = Vec::new();
        for left in 0..=below {
            let some = |nodes: usize| match nodes {
                0 => vec![None],
                _ => Trie::all(nodes).into_iter().map(Some).collect(),
            };
            for a in some(left) {
                for b in some(below - left) {
                    let children =
                        [('a', a.clone()), ('b', b)].into_iter().filter_map(|(key, child)| Some((key, child?)));
                    let children: BTreeMap<char, Trie> = children.collect();
                    all.extend([false, true].map(|is_word| Trie { is_word, children: children.clone() }));
                }
            }
        }
        all
    }
}

impl Subject for Trie {
    // One node under two letters is fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        (1..=scope.max(1)).flat_map(Trie::all).for_each(visit);
    }
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Finitize)]
pub enum Color {
    Red,
    Green,
    Blue,
}

const COLORS: [Color; 3] = [Color::Red, Color::Green, Color::Blue];

/// The colours of a drawing, and how wide its lines are.
#[derive(Finitize)]
pub struct Palette {
    used: HashSet<Color>,
    main: Option<Color>,
    widths: BTreeSet<u8>,
}

#[rep_ok]
impl Palette {
    pub fn rep_ok(&self) -> bool {
        match self.main {
            Some(main) => self.used.contains(&main) && Self::in_order(&self.widths),
            None => self.used.is_empty() && self.widths.contains(&0) && !self.widths.contains(&200),
        }
    }

    fn in_order(widths: &BTreeSet<u8>) -> bool {
        let own: BTreeSet<u8> = widths.iter().copied().filter(|width| width % 2 == 0).collect();
        own.is_subset(widths) && widths.last().is_some_and(|last| widths.first() != Some(last)) && own.len() < 2
    }
}

canonical_plain! { Color }
canonical_fields! { Palette { used, main, widths } }
debug_in_order! { Palette }

impl Subject for Palette {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let widths = sets(&(0..=scope as u8).collect::<Vec<u8>>());
        for used in sets(&COLORS) {
            for main in std::iter::once(None).chain(COLORS.map(Some)) {
                for widths in &widths {
                    visit(Palette { used: used.iter().copied().collect(), main, widths: widths.clone() });
                }
            }
        }
    }
}

/// Somebody.
#[derive(Debug, Finitize)]
pub struct Person {
    old: bool,
}

/// Who sits at which desk; the boss sits at one, and what is in the lockers is theirs alone.
#[derive(Finitize)]
pub struct Office {
    #[finitize([true, false])]
    desks: HashMap<bool, Rc<Person>>,
    boss: Option<Rc<Person>>,
    #[finitize([7])]
    lockers: BTreeMap<u8, Option<Box<Person>>>,
}

#[rep_ok]
impl Office {
    pub fn rep_ok(&self) -> bool {
        let Some(boss) = &self.boss else { return self.desks.is_empty() && !self.lockers.contains_key(&7) };
        let mut at_desk = false;
        for (window, person) in &self.desks {
            if Rc::ptr_eq(boss, person) {
                at_desk = true;
            } else if *window && !person.old {
                return false;
            }
        }
        at_desk && self.lockers.get(&7).is_none_or(|inside| inside.as_ref().is_none_or(|person| person.old))
    }
}

canonical_fields! { Person { old } Office { desks, boss, lockers } }
debug_in_order! { Office }

impl Subject for Office {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let counted = [(); 3].map(|()| space.slot(scope + 1));
        let locker = space.slot(scope + 2);
        let people = space.objects(scope, [2]);
        space.each(|raw| {
            let counted = counted.map(|place| raw[place].checked_sub(1));
            let boxed = raw[locker].checked_sub(2);
            if boxed.is_some() && counted.contains(&boxed) {
                return;
            }
            let person = |object: usize| Person { old: raw[people[object][0]] == 1 };
            let shared: Vec<Rc<Person>> = (0..scope).map(|object| Rc::new(person(object))).collect();
            let [window, wall, boss] = counted.map(|object| object.map(|object| Rc::clone(&shared[object])));
            let desks = [(true, window), (false, wall)].into_iter().filter_map(|(desk, person)| Some((desk, person?)));
            let inside = (raw[locker] > 0).then(|| (7, boxed.map(|object| Box::new(person(object)))));
            visit(Office { desks: desks.collect(), boss, lockers: inside.into_iter().collect() });
        });
    }
}

/// A mark on paper.
#[derive(Clone, Debug, Finitize)]
pub enum Mark {
    Dot,
    Line { steep: bool },
}

impl Canonical for Mark {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

/// What is on each side of a sheet: marks, notes, and where they are.
#[derive(Finitize)]
pub struct Sheet {
    marks: HashMap<bool, Mark>,
    notes: BTreeMap<bool, Vec<bool>>,
    #[finitize([true])]
    places: BTreeMap<bool, (bool, Option<u8>)>,
}

#[rep_ok]
impl Sheet {
    pub fn rep_ok(&self) -> bool {
        let steep = self.marks.values().filter(|mark| matches!(mark, Mark::Line { steep: true })).count();
        steep == self.notes.len()
            && self.notes.iter().all(|(side, notes)| notes.contains(side))
            && self.places.get(&true).is_none_or(|(up, at)| *up == at.is_some())
    }
}

canonical_fields! { Sheet { marks, notes, places } }
debug_in_order! { Sheet }

impl Subject for Sheet {
    // One mark on both sides is fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let sides = [false, true];
        let marks = maps(&sides, &[Mark::Dot, Mark::Line { steep: false }, Mark::Line { steep: true }]);
        let marks: Vec<_> = marks.into_iter().filter(|marks| marks.len() <= scope).collect();
        let numbers = (0..=scope as u8).map(Some).chain([None]);
        let places: Vec<(bool, Option<u8>)> = numbers.flat_map(|at| sides.map(|up| (up, at))).collect();
        for notes in maps(&sides, &lists(&sides, scope)) {
            for places in maps(&[true], &places) {
                for marks in &marks {
                    let marks = marks.clone().into_iter().collect();
                    visit(Sheet { marks, notes: notes.clone(), places: places.clone() });
                }
            }
        }
    }
}

/// Sets wherever a field may have them.
#[derive(Finitize)]
pub struct Drawer {
    maybe: Option<BTreeSet<bool>>,
    list: Vec<HashSet<bool>>,
    both: [BTreeSet<bool>; 2],
    pair: (bool, HashMap<bool, bool>),
}

#[rep_ok]
impl Drawer {
    pub fn rep_ok(&self) -> bool {
        let Drawer { maybe, list, both, pair } = self;
        let (one, other) = (&both[0], &both[1]);
        let Some(maybe) = maybe else { return list.is_empty() && one == other && pair.1.is_empty() };
        let mut all = maybe.clone();
        for set in list {
            all.extend(set);
        }
        let (flag, map) = pair;
        all == *one && one.is_disjoint(other) && map.get(flag) == Some(&all.contains(flag))
    }
}

canonical_fields! { Drawer { maybe, list, both, pair } }
debug_in_order! { Drawer }

impl Subject for Drawer {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let sides = [false, true];
        let all = sets(&sides);
        for maybe in std::iter::once(None).chain(all.iter().cloned().map(Some)) {
            for list in lists(&all, scope) {
                for [one, other] in all.iter().flat_map(|one| all.iter().map(move |other| [one, other])) {
                    for map in maps(&sides, &sides) {
                        for flag in sides {
                            visit(Drawer {
                                maybe: maybe.clone(),
                                list: list.iter().map(|set| set.iter().copied().collect()).collect(),
                                both: [one.clone(), other.clone()],
                                pair: (flag, map.clone().into_iter().collect()),
                            });
                        }
                    }
                }
            }
        }
    }
}

/// What stands for what, in both directions.
#[derive(Finitize)]
pub struct Bijection<K: Hash + Ord> {
    there: HashMap<K, K>,
    back: BTreeMap<K, K>,
}

#[rep_ok]
impl<K: Hash + Ord> Bijection<K> {
    pub fn rep_ok(&self) -> bool {
        self.there.len() == self.back.len() && self.there.iter().all(|(key, value)| self.back.get(value) == Some(key))
    }
}

impl Canonical for Bijection<u8> {
    fn walk(&self, to: &mut Walk) {
        to.fields("Bijection", &[&self.there, &self.back]);
    }
}

debug_in_order! { Bijection<u8> }

impl Subject for Bijection<u8> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let numbers: Vec<u8> = (0..=scope as u8).collect();
        for there in maps(&numbers, &numbers) {
            for back in maps(&numbers, &numbers) {
                visit(Bijection { there: there.clone().into_iter().collect(), back });
            }
        }
    }
}
