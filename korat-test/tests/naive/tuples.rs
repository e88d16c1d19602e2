//! Tuples as fields: of plain values, in vectors, in options, nested, and with boxes and counted pointers in them.

use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain};
use crate::harness::{Space, Subject};

/// Tuples of plain values.
#[derive(Clone, Debug, Finitize)]
pub struct Reading {
    at: (bool, u8),
    range: Option<(u8, u8)>,
    nested: (bool, (bool, Option<bool>)),
    alone: (bool,),
}

#[rep_ok]
impl Reading {
    pub fn rep_ok(&self) -> bool {
        if self.at.0 {
            return self.range.is_none() && self.nested.1.1 == Some(self.alone.0);
        }
        match (self.range, &self.nested) {
            (Some((low, high)), (false, _)) => low < high && (low..=high).contains(&self.at.1),
            (Some(range), (_, (flag, None))) => range.0 == range.1 || *flag,
            (None, &(a, (b, c))) => a && !b && c.is_none(),
            _ => false,
        }
    }
}

canonical_plain! { Reading }

impl Subject for Reading {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let at = [2, scope + 1].map(|values| space.slot(values));
        let range = [2, scope + 1, scope + 1].map(|values| space.slot(values));
        let nested = [2, 2, 3].map(|values| space.slot(values));
        let alone = space.slot(2);
        space.each(|raw| {
            let (at, range, nested) =
                (at.map(|place| raw[place]), range.map(|place| raw[place]), nested.map(|place| raw[place]));
            visit(Reading {
                at: (at[0] == 1, at[1] as u8),
                range: (range[0] == 1).then_some((range[1] as u8, range[2] as u8)),
                nested: (nested[0] == 1, (nested[1] == 1, [None, Some(false), Some(true)][nested[2]])),
                alone: (raw[alone] == 1,),
            });
        });
    }
}

/// A map by a sorted list of pairs, without an entry for itself.
#[derive(Clone, Debug, Finitize)]
pub struct Pairs {
    #[finitize(len = 0..=2)]
    pairs: Vec<(u8, Option<bool>)>,
    last: Option<(u8, Option<bool>)>,
}

#[rep_ok]
impl Pairs {
    pub fn rep_ok(&self) -> bool {
        for pair in self.pairs.windows(2) {
            if pair[0].0 >= pair[1].0 {
                return false;
            }
        }
        if self.pairs.iter().any(|&(key, value)| key == 0 && value.is_none()) {
            return false;
        }
        self.pairs.last() == self.last.as_ref() && self.pairs.iter().filter_map(|(_, value)| *value).all(|value| value)
    }
}

canonical_plain! { Pairs }

impl Subject for Pairs {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (len, some) = (space.slot(3), space.slot(2));
        let pairs = space.objects(3, [scope + 1, 3]);
        space.each(|raw| {
            let pair = |&[key, value]: &[usize; 2]| (raw[key] as u8, [None, Some(false), Some(true)][raw[value]]);
            let last = (raw[some] == 1).then(|| pair(&pairs[2]));
            visit(Pairs { pairs: pairs[..raw[len]].iter().map(pair).collect(), last });
        });
    }
}

/// A trie: letters lead to what follows.
#[derive(Clone, Debug, Finitize)]
pub struct Trie {
    #[finitize(len = 0..=2)]
    edges: Vec<(char, Box<Trie>)>,
    word: bool,
}

/// Edges are in order, and what has none is a word.
#[derive(Clone, Debug, Finitize)]
pub struct Dictionary {
    root: Option<(Box<Trie>, bool)>,
}

#[rep_ok]
impl Dictionary {
    pub fn rep_ok(&self) -> bool {
        match &self.root {
            None => true,
            Some((root, sealed)) => {
                let words = Self::words(root);
                words.is_some_and(|words| *sealed == (words > 1))
            }
        }
    }

    fn words(trie: &Trie) -> Option<u32> {
        if let [(one, _), (two, _)] = trie.edges.as_slice()
            && one >= two
        {
            return None;
        }
        let mut words = u32::from(trie.word);
        for (letter, below) in &trie.edges {
            if *letter > 'b' {
                return None;
            }
            words += Self::words(below)?;
        }
        (words > 0).then_some(words)
    }
}

/// All tries of at most `objects` objects, with how many they have; letters are the first `letters`.
fn tries(objects: usize, letters: usize) -> Vec<(Trie, usize)> {
    let Some(rest) = objects.checked_sub(1) else { return Vec::new() };
    let letters_of = || (0..letters).map(|letter| (b'a' + letter as u8) as char);
    let mut lists = vec![(vec![], 0)];
    for (one, used) in tries(rest, letters) {
        for letter in letters_of() {
            lists.push((vec![(letter, Box::new(one.clone()))], used));
            for (two, more) in tries(rest - used, letters) {
                for other in letters_of() {
                    let edges = vec![(letter, Box::new(one.clone())), (other, Box::new(two.clone()))];
                    lists.push((edges, used + more));
                }
            }
        }
    }
    let with = |word: bool| lists.iter().map(move |(edges, used)| (Trie { edges: edges.clone(), word }, 1 + used));
    with(false).chain(with(true)).collect()
}

canonical_plain! { Dictionary }

impl Subject for Dictionary {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        visit(Dictionary { root: None });
        for (trie, _) in tries(scope, scope + 1) {
            for sealed in [false, true] {
                visit(Dictionary { root: Some((Box::new(trie.clone()), sealed)) });
            }
        }
    }
}

/// A person.
#[derive(Debug, Finitize)]
pub struct Person {
    old: bool,
}

/// Couples of persons, some of whom are the same; nobody is with themselves, and the old are in the first place.
#[derive(Debug, Finitize)]
pub struct Party {
    #[finitize(len = 0..=2)]
    couples: Vec<(Rc<Person>, Option<Rc<Person>>)>,
}

#[rep_ok]
impl Party {
    pub fn rep_ok(&self) -> bool {
        self.couples.iter().all(|(one, two)| match two {
            Some(two) => !Rc::ptr_eq(one, two) && one.old >= two.old,
            None => one.old,
        })
    }
}

canonical_fields! { Person { old } Party { couples } }

impl Subject for Party {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let len = space.slot(if scope == 0 { 1 } else { 3 });
        let couples = space.objects(2, [scope.max(1), scope + 1]);
        let persons = space.objects(scope, [2]);
        space.each(|raw| {
            let made: Vec<Rc<Person>> = persons.iter().map(|[old]| Rc::new(Person { old: raw[*old] == 1 })).collect();
            let couple = |&[one, two]: &[usize; 2]| {
                (Rc::clone(&made[raw[one]]), raw[two].checked_sub(1).map(|two| Rc::clone(&made[two])))
            };
            let couples = couples[..raw[len]].iter().map(couple).collect();
            drop(made);
            visit(Party { couples });
        });
    }
}
