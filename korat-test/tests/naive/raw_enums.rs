//! Raw pointers of every kind to enums: a tree whose branches nothing owns, and boxes that raw pointers lead to as well.

use std::cell::Cell;
use std::ptr::{self, NonNull};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk};
use crate::harness::{Space, Subject, held};
use crate::raw::{Memory, debug_by_walk};

/// A leaf, or a branch with others.
#[derive(Finitize)]
pub enum Branch {
    Leaf(bool),
    Fork { left: *mut Branch, right: Option<NonNull<Branch>> },
}

/// A tree that nothing owns, with the first of its leaves.
#[derive(Finitize)]
pub struct Grove {
    root: *mut Branch,
    first: *const Branch,
}

#[rep_ok]
impl Grove {
    pub fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        let mut first = ptr::null();
        Self::is_tree(self.root, &mut seen, &mut first) && self.first == first
    }

    fn is_tree(branch: *const Branch, seen: &mut Vec<*const Branch>, first: &mut *const Branch) -> bool {
        // SAFETY: a pointer of the structure is null or leads to a branch.
        let Some(known) = (unsafe { branch.as_ref() }) else { return true };
        if seen.contains(&branch) {
            return false;
        }
        seen.push(branch);
        match known {
            Branch::Leaf(green) => {
                if first.is_null() {
                    *first = known;
                }
                *green || seen.len() > 1
            }
            Branch::Fork { left, right } => {
                // SAFETY: as above.
                let is_leaf = |branch: NonNull<Branch>| matches!(unsafe { branch.as_ref() }, Branch::Leaf(_));
                right.is_none_or(is_leaf)
                    && Self::is_tree(*left, seen, first)
                    && right.is_none_or(|right| Self::is_tree(right.as_ptr(), seen, first))
            }
        }
    }
}

impl Canonical for Branch {
    fn walk(&self, to: &mut Walk) {
        match self {
            Branch::Leaf(green) => to.plain(green),
            Branch::Fork { left, right } => to.fields("Fork", &[left, right]),
        }
    }
}

impl Canonical for Grove {
    fn walk(&self, to: &mut Walk) {
        to.fields("Grove", &[&self.root, &self.first]);
    }
}

debug_by_walk! { Branch Grove }

impl Subject for Grove {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let links = scope + 1;
        let (root, first) = (space.slot(links), space.slot(links));
        // One digit is a leaf or both pointers, so that the space stays small.
        let branches = space.objects(scope, [2 + links * links]);
        space.each(|raw| {
            let forks =
                |object: usize| raw[branches[object][0]].checked_sub(2).map(|pair| [pair / links, pair % links]);
            let reached = held(scope, &[raw[root], raw[first]], |object| forks(object).into_iter().flatten().collect());
            let Some(memory) = Memory::new(scope, &[]) else { return };
            for object in (0..scope).filter(|&object| reached[object]) {
                let content = match forks(object) {
                    Some([left, right]) => {
                        Branch::Fork { left: memory.raw(left), right: NonNull::new(memory.raw(right)) }
                    }
                    None => Branch::Leaf(raw[branches[object][0]] == 1),
                };
                memory.fill(object, content);
            }
            visit(Grove { root: memory.raw(raw[root]), first: memory.raw(raw[first]) });
        });
    }
}

/// A card in a box below the one before; a joker is marked by any card.
#[derive(Finitize)]
pub enum Card {
    Ace,
    Joker(Cell<*const Card>, Option<Box<Card>>),
}

/// A deck of cards with pointers into it.
#[derive(Finitize)]
pub struct Deck {
    top: Option<Box<Card>>,
    #[finitize(len = 0..=1)]
    picked: Vec<NonNull<Card>>,
    spare: Option<*mut Card>,
}

#[rep_ok]
impl Deck {
    pub fn rep_ok(&self) -> bool {
        let mut last: *const Card = ptr::null();
        let mut at = &self.top;
        while let Some(card) = at {
            last = &**card;
            match &**card {
                Card::Ace => break,
                Card::Joker(mark, below) => {
                    if !ptr::eq(mark.get(), &**card) {
                        return false;
                    }
                    at = below;
                }
            }
        }
        let picked = self.picked.first().map_or(ptr::null(), |card| card.as_ptr().cast_const());
        // SAFETY: a pointer of the structure leads to a card.
        picked == last && self.spare.is_none_or(|card| !card.is_null() && matches!(unsafe { &*card }, Card::Ace))
    }
}

impl Canonical for Card {
    fn walk(&self, to: &mut Walk) {
        match self {
            Card::Ace => to.plain(&"ace"),
            Card::Joker(mark, below) => to.fields("Joker", &[mark, below]),
        }
    }
}

impl Canonical for Deck {
    fn walk(&self, to: &mut Walk) {
        // `None` and `Some` of null are different values.
        to.plain(&self.spare.is_some());
        to.fields("Deck", &[&self.top, &self.picked, &self.spare]);
    }
}

debug_by_walk! { Card Deck }

impl Subject for Deck {
    // Two owners of one card are fine with this invariant if only the spare one leads there.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let links = scope + 1;
        let (top, picked, spare) = (space.slot(links), space.slot(links), space.slot(links + 1));
        let cards = space.objects(scope, [1 + links * links]);
        space.each(|raw| {
            let joker = |object: usize| raw[cards[object][0]].checked_sub(1).map(|pair| [pair / links, pair % links]);
            let root = [raw[top], raw[picked], raw[spare].saturating_sub(1)];
            let reached = held(scope, &root, |object| joker(object).into_iter().flatten().collect());
            let reached: Vec<usize> = (0..scope).filter(|&object| reached[object]).collect();
            let mut boxes = vec![(None, raw[top])];
            boxes.extend(reached.iter().filter_map(|&object| Some((Some(object), joker(object)?[1]))));
            let Some(memory) = Memory::new(scope, &boxes) else { return };
            for object in reached {
                memory.fill(
                    object,
                    joker(object).map_or(Card::Ace, |[mark, below]| {
                        Card::Joker(Cell::new(memory.raw(mark)), memory.boxed(below))
                    }),
                );
            }
            visit(Deck {
                top: memory.boxed(raw[top]),
                picked: NonNull::new(memory.raw(raw[picked])).into_iter().collect(),
                spare: raw[spare].checked_sub(1).map(|digit| memory.raw(digit)),
            });
        });
    }
}
