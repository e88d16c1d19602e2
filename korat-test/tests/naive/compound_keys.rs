//! Keys that are tuples or arrays, and plain types with compound fields.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain, debug_in_order};
use crate::harness::{Space, Subject, maps, sets};

/// A board by its squares, the squares that are taken, and the moves made.
#[derive(Finitize)]
pub struct Board {
    #[finitize([(0, 0), (0, 1), (1, 1)])]
    pieces: HashMap<(u8, u8), bool>,
    taken: BTreeSet<(bool, bool)>,
    #[finitize([[0, 1], [1, 0]])]
    moves: HashSet<[u8; 2]>,
    #[finitize([(Some('a'), "x".into())])]
    names: BTreeMap<(Option<char>, Rc<str>), bool>,
}

#[rep_ok]
impl Board {
    pub fn rep_ok(&self) -> bool {
        for (&(row, column), &black) in &self.pieces {
            if black && !self.taken.contains(&(row == 1, column == 1)) {
                return false;
            }
        }
        let on_diagonal = self.taken.iter().filter(|(row, column)| row == column).count();
        self.moves.iter().all(|[from, to]| self.pieces.contains_key(&(*from, *to)) || from > to)
            && on_diagonal == self.pieces.len().min(2)
            && self.names.iter().all(|((letter, name), _)| *letter == Some('a') && **name == *"x")
    }
}

canonical_fields! { Board { pieces, taken, moves, names } }
debug_in_order! { Board }

impl Subject for Board {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let pieces = maps(&[(0, 0), (0, 1), (1, 1)], &[false, true]);
        let taken = sets(&[(false, false), (false, true), (true, false), (true, true)]);
        let moves = sets(&[[0, 1], [1, 0]]);
        let names = [None, Some(false), Some(true)];
        let mut space = Space::default();
        let (piece, take) = (space.slot(pieces.len()), space.slot(taken.len()));
        let (step, name) = (space.slot(moves.len()), space.slot(names.len()));
        space.each(|raw| {
            visit(Board {
                pieces: pieces[raw[piece]].clone().into_iter().collect(),
                taken: taken[raw[take]].clone(),
                moves: moves[raw[step]].iter().copied().collect(),
                names: names[raw[name]].map(|value| ((Some('a'), "x".into()), value)).into_iter().collect(),
            });
        });
    }
}

/// A plain type with compound fields.
#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
pub struct Place {
    at: (bool, Option<bool>),
    name: String,
    sides: [bool; 2],
    #[finitize([None, Some(("x".into(), 1))])]
    note: Option<(Box<str>, u8)>,
}

/// Places, one of them after the other.
#[derive(Debug, Finitize)]
pub struct Route {
    from: Place,
    to: Option<Place>,
}

#[rep_ok]
impl Route {
    pub fn rep_ok(&self) -> bool {
        let from = self.from.clone();
        from.at.0 && self.to.as_ref().is_none_or(|to| *to != from && to.name <= from.name && to.sides[0] != to.sides[1])
    }
}

canonical_plain! { Place }
canonical_fields! { Route { from, to } }

impl Subject for Route {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let names: &[&str] = [&[""][..], &["", "a", "b"]][scope];
        let mut places = Vec::new();
        let mut space = Space::default();
        let [first, second, name] = [2, 3, names.len()].map(|values| space.slot(values));
        let [left, right, note] = [2; 3].map(|values| space.slot(values));
        space.each(|raw| {
            places.push(Place {
                at: (raw[first] == 1, [None, Some(false), Some(true)][raw[second]]),
                name: names[raw[name]].to_string(),
                sides: [raw[left] == 1, raw[right] == 1],
                note: (raw[note] == 1).then(|| ("x".into(), 1)),
            });
        });
        for from in &places {
            visit(Route { from: from.clone(), to: None });
            places.iter().for_each(|to| visit(Route { from: from.clone(), to: Some(to.clone()) }));
        }
    }
}
