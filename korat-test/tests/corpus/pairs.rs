//! Tuples, nested vectors and options, boxed slices, plain parts, generic types.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Assoc {
    entries: Vec<(u8, bool)>,
}

#[rep_ok]
impl Assoc {
    /// Keys rise; the first is true.
    fn rep_ok(&self) -> bool {
        self.entries.windows(2).all(|w| w[0].0 < w[1].0) && self.entries.first().is_none_or(|&(_, flag)| flag)
    }
}

#[derive(Debug, Finitize)]
pub struct Counts {
    #[finitize(len = 0..=2)]
    entries: Vec<(u8, u8)>,
}

#[rep_ok]
impl Counts {
    fn rep_ok(&self) -> bool {
        let map: BTreeMap<u8, u8> = self.entries.iter().map(|(k, v)| (*k, *v)).collect();
        map.len() == self.entries.len() && map.iter().all(|(k, v)| k <= v)
    }
}

#[derive(Debug, Finitize)]
pub struct Edges {
    #[finitize(len = 0..=3)]
    edges: Vec<(u8, u8)>,
}

#[rep_ok]
impl Edges {
    /// A set of edges without loops, in order.
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        for &(a, b) in &self.edges {
            if a >= b || !seen.insert((a, b)) {
                return false;
            }
        }
        let mut last = None;
        for (i, &edge) in self.edges.iter().enumerate() {
            if i > 0 && last > Some(edge) {
                return false;
            }
            last = Some(edge);
        }
        true
    }
}

#[derive(Debug, Finitize)]
pub struct Sorted {
    #[finitize(len = 0..=3)]
    pairs: Vec<(u8, bool)>,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        let mut sorted = self.pairs.clone();
        sorted.sort();
        sorted.dedup_by_key(|pair| pair.0);
        sorted == self.pairs && self.pairs.iter().filter(|(_, flag)| *flag).count() != 1
    }
}

/// A tree in pairs.
#[derive(Debug, Finitize)]
pub struct Trie {
    #[finitize(len = 0..=2)]
    next: Vec<(bool, Box<Trie>)>,
    end: bool,
}

#[rep_ok]
impl Trie {
    /// Edges are in order, and leaves are ends.
    fn rep_ok(&self) -> bool {
        self.check()
    }

    fn check(&self) -> bool {
        if self.next.is_empty() && !self.end {
            return false;
        }
        for pair in self.next.windows(2) {
            if pair[0].0 >= pair[1].0 {
                return false;
            }
        }
        for (_, below) in &self.next {
            if !below.check() {
                return false;
            }
        }
        true
    }
}

#[derive(Debug, Finitize)]
pub struct Range {
    bounds: Option<(u8, u8)>,
    extra: (bool, (u8, Option<u8>)),
}

#[rep_ok]
impl Range {
    fn rep_ok(&self) -> bool {
        let (flag, (n, m)) = self.extra;
        match self.bounds {
            Some((lo, hi)) if lo <= hi => flag == (lo == n),
            Some(_) => false,
            None => !flag && m.is_none_or(|m| m == n),
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Members {
    span: (u8, u8),
    #[finitize(len = 0..=2)]
    marks: Vec<u8>,
}

#[rep_ok]
impl Members {
    fn rep_ok(&self) -> bool {
        let within = |mark: &u8| self.span.0 <= *mark && *mark <= self.span.1;
        self.marks.iter().all(within) && self.span.0 < self.span.1
    }
}

#[derive(Debug, Finitize)]
pub struct Matrix {
    #[finitize(0..=1, len = 0..=2)]
    rows: Vec<Vec<u8>>,
}

#[rep_ok]
impl Matrix {
    /// A rectangle, with a one in each row.
    fn rep_ok(&self) -> bool {
        let width = self.rows.first().map_or(0, Vec::len);
        self.rows.iter().all(|row| row.len() == width) && self.rows.iter().all(|row| row.contains(&1))
    }
}

#[derive(Debug, Finitize)]
pub struct Triangle {
    #[finitize(0..=1)]
    rows: Vec<Vec<u8>>,
}

#[rep_ok]
impl Triangle {
    /// Row `i` has `i + 1` items; each is the sum of those above it, modulo two.
    fn rep_ok(&self) -> bool {
        for (i, row) in self.rows.iter().enumerate() {
            if row.len() != i + 1 {
                return false;
            }
            if i == 0 {
                continue;
            }
            let above = &self.rows[i - 1];
            for j in 0..row.len() {
                let left = if j == 0 { 0 } else { above[j - 1] };
                let right = above.get(j).copied().unwrap_or(0);
                if row[j] != (left + right) % 2 {
                    return false;
                }
            }
        }
        true
    }
}

#[derive(Debug, Finitize)]
pub struct Board {
    #[finitize(0..=2)]
    squares: [[u8; 2]; 2],
    turn: Option<Option<bool>>,
}

#[rep_ok]
impl Board {
    fn rep_ok(&self) -> bool {
        let count = |who: u8| self.squares.iter().flatten().filter(|&&square| square == who).count();
        match self.turn {
            None => count(0) == 4,
            Some(None) => count(0) == 0 && count(1) == count(2),
            Some(Some(second)) => self.squares[0][0] != 0 && count(1) == count(2) + usize::from(second),
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Optional {
    list: Option<Vec<u8>>,
    boxed: Box<[bool]>,
}

#[rep_ok]
impl Optional {
    fn rep_ok(&self) -> bool {
        let Some(list) = &self.list else { return self.boxed.is_empty() };
        list.len() == self.boxed.len() && list.iter().zip(self.boxed.iter()).all(|(item, odd)| (item % 2 == 1) == *odd)
    }
}

/// Stands for itself as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Finitize)]
#[finitize(plain)]
pub enum Card {
    Joker,
    Plain {
        #[finitize(1..=2)]
        rank: u8,
        red: bool,
    },
}

impl Card {
    fn beats(self, other: Card) -> bool {
        match (self, other) {
            (Card::Joker, Card::Joker) => false,
            (Card::Joker, _) => true,
            (Card::Plain { rank: a, .. }, Card::Plain { rank: b, .. }) => a > b,
            (Card::Plain { .. }, Card::Joker) => false,
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Hand {
    cards: Vec<Card>,
    best: Option<Card>,
}

#[rep_ok]
impl Hand {
    /// In order, no card twice, and `best` is beaten by none.
    fn rep_ok(&self) -> bool {
        if !self.cards.windows(2).all(|w| w[0] < w[1]) {
            return false;
        }
        match self.best {
            None => self.cards.is_empty(),
            Some(best) => self.cards.contains(&best) && !self.cards.iter().any(|card| card.beats(best)),
        }
    }
}

/// A search tree of any keys.
#[derive(Debug, Finitize)]
pub struct Keyed<K: Ord> {
    root: Link<K>,
}

type Link<K> = Option<Box<Knot<K>>>;

#[derive(Debug, Finitize)]
pub struct Knot<K: Ord> {
    key: K,
    left: Option<Box<Knot<K>>>,
    right: Option<Box<Knot<K>>>,
}

#[rep_ok]
impl<K: Ord> Keyed<K> {
    fn rep_ok(&self) -> bool {
        Self::ordered(self.root.as_deref(), None, None)
    }

    fn ordered(knot: Option<&Knot<K>>, lo: Option<&K>, hi: Option<&K>) -> bool {
        let Some(Knot { key, left, right }) = knot else { return true };
        lo.is_none_or(|lo| lo < key)
            && hi.is_none_or(|hi| key < hi)
            && Self::ordered(left.as_deref(), lo, Some(key))
            && Self::ordered(right.as_deref(), Some(key), hi)
    }
}

/// A ring of a fixed size.
#[derive(Debug, Finitize)]
pub struct Ring<T, const N: usize> {
    items: [Option<T>; N],
    #[finitize(0..N)]
    head: usize,
    #[finitize(0..=N)]
    len: usize,
}

#[rep_ok]
impl<T: PartialOrd + Copy, const N: usize> Ring<T, N> {
    /// What is in use has values, that rise.
    fn rep_ok(&self) -> bool {
        let mut last: Option<T> = None;
        for i in 0..N {
            let item = &self.items[(self.head + i) % N];
            if item.is_some() != (i < self.len) {
                return false;
            }
            if let (Some(last), Some(item)) = (last, item) {
                if last > *item {
                    return false;
                }
            }
            last = *item;
        }
        true
    }
}

/// One or the other.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Either<L, R> {
    Left(L),
    Right(R),
    Both { left: L, right: R },
}

#[derive(Debug, Finitize)]
pub struct Choices {
    choices: Vec<Either<u8, bool>>,
}

#[rep_ok]
impl Choices {
    fn rep_ok(&self) -> bool {
        let left = |choice: &Either<u8, bool>| match choice {
            Either::Left(l) | Either::Both { left: l, .. } => Some(*l),
            Either::Right(_) => None,
        };
        let lefts: Vec<u8> = self.choices.iter().filter_map(left).collect();
        lefts.windows(2).all(|w| w[0] < w[1]) && !matches!(self.choices.last(), Some(Either::Right(true)))
    }
}
