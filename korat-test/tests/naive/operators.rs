//! Invariants that compare, order, hash and print parts of the structure as wholes, with derived operators and with
//! operators written by hand.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain};
use crate::harness::{CannotHold, Frozen, Owned, Space, Subject, lists};

/// An entry with derived operators.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Finitize)]
pub struct Entry {
    #[finitize(0..=1)]
    key: u8,
    tags: Vec<bool>,
}

/// Different entries, the first half in order, of which the last prints shorter than the first.
#[derive(Clone, Debug, Finitize)]
pub struct Catalog {
    #[finitize(len = 0..=3)]
    entries: Vec<Entry>,
    best: Option<Entry>,
}

#[rep_ok]
impl Catalog {
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        if !self.entries.iter().all(|entry| seen.insert(entry)) {
            return false;
        }
        let sorted: BTreeSet<&Entry> = self.entries.iter().collect();
        if let [first, second, ..] = &self.entries[..]
            && first >= second
        {
            return false;
        }
        if let Some(best) = &self.best {
            return sorted.iter().next_back() == Some(&best);
        }
        match (self.entries.first(), self.entries.last()) {
            (Some(first), Some(last)) => format!("{first:?}").len() >= format!("{last:?}").len(),
            _ => true,
        }
    }
}

fn entries(scope: usize) -> Vec<Entry> {
    let tags = lists(&[false, true], scope);
    (0..=1).flat_map(|key| tags.iter().map(move |tags| Entry { key, tags: tags.clone() })).collect()
}

canonical_plain! { Catalog }

impl Subject for Catalog {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let all = entries(scope);
        for list in lists(&all, scope.min(3)) {
            let best = std::iter::once(None).chain(all.iter().cloned().map(Some));
            best.for_each(|best| visit(Catalog { entries: list.clone(), best }));
        }
    }
}

/// A node whose equality takes no notice of the mark, and of the sides.
#[derive(Clone, Debug, Finitize)]
pub struct Leafy {
    left: Option<Box<Leafy>>,
    right: Option<Box<Leafy>>,
    mark: bool,
}

impl PartialEq for Leafy {
    fn eq(&self, other: &Self) -> bool {
        self.left == other.right && self.right == other.left
    }
}

/// A tree that mirrors itself.
#[derive(Clone, Debug, Finitize)]
pub struct Mirror {
    left: Option<Box<Leafy>>,
    right: Option<Box<Leafy>>,
}

#[rep_ok]
impl Mirror {
    pub fn rep_ok(&self) -> bool {
        fn acyclic(at: &Option<Box<Leafy>>, seen: &mut HashSet<*const Leafy>) -> bool {
            let Some(node) = at else { return true };
            seen.insert(&**node) && acyclic(&node.left, seen) && acyclic(&node.right, seen)
        }
        let mut seen = HashSet::new();
        acyclic(&self.left, &mut seen) && acyclic(&self.right, &mut seen) && self.left == self.right
    }
}

canonical_fields! { Leafy { left, right, mark } Mirror { left, right } }

impl Subject for Mirror {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn node(
            raw: &[usize],
            nodes: &[[usize; 3]],
            digit: usize,
            owned: &mut Owned,
        ) -> Result<Option<Box<Leafy>>, CannotHold> {
            let Some(object) = owned.take(digit)? else { return Ok(None) };
            let [left, right, mark] = nodes[object].map(|place| raw[place]);
            let left = node(raw, nodes, left, owned)?;
            Ok(Some(Box::new(Leafy { left, right: node(raw, nodes, right, owned)?, mark: mark == 1 })))
        }
        let mut space = Space::default();
        let roots = [space.slot(scope + 1), space.slot(scope + 1)];
        let nodes = space.objects(scope, [scope + 1, scope + 1, 2]);
        space.each(|raw| {
            let mut owned = Owned::none_of(scope);
            if let Ok(left) = node(raw, &nodes, raw[roots[0]], &mut owned)
                && let Ok(right) = node(raw, &nodes, raw[roots[1]], &mut owned)
            {
                visit(Mirror { left, right });
            }
        });
    }
}

/// What members share.
#[derive(Debug, Finitize)]
pub struct Club {
    name: bool,
}

/// A member, equal to the others of the same club.
#[derive(Debug, Finitize)]
pub struct Member {
    club: Option<Rc<Club>>,
}

impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        match (&self.club, &other.club) {
            (Some(left), Some(right)) => Rc::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
    }
}

/// Two members of one club, and one of another.
#[derive(Debug, Finitize)]
pub struct Party {
    members: [Member; 3],
}

#[rep_ok]
impl Party {
    pub fn rep_ok(&self) -> bool {
        let [first, second, third] = &self.members;
        first == second && second != third
    }
}

canonical_fields! { Club { name } Member { club } Party { members } }

impl Subject for Party {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let members = [space.slot(scope + 1), space.slot(scope + 1), space.slot(scope + 1)];
        let clubs = space.objects(scope, [2]);
        space.each(|raw| {
            let mut made = Frozen::none_of(scope);
            visit(Party {
                members: members.map(|place| Member {
                    club: raw[place].checked_sub(1).map(|club| {
                        made.get(club, |_| Ok(Club { name: raw[clubs[club][0]] == 1 })).expect("it holds nothing")
                    }),
                }),
            });
        });
    }
}

/// A node that prints without end where it leads back to itself, and is equal to one with a friend of the same mark.
#[derive(Finitize)]
pub struct Person {
    mark: bool,
    friend: RefCell<Option<Rc<Person>>>,
    fan: RefCell<Weak<Person>>,
}

impl std::fmt::Debug for Person {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = |person: &Rc<Person>| person.mark;
        write!(f, "{} {:?}", self.mark, self.friend.borrow().as_ref().map(mark))?;
        write!(f, " {:?}", self.fan.borrow().upgrade().as_ref().map(mark))
    }
}

/// A person whose friend prints as they do themselves.
#[derive(Debug, Finitize)]
pub struct Circle {
    first: Option<Rc<Person>>,
}

#[rep_ok]
impl Circle {
    pub fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return true };
        let friend = first.friend.borrow();
        let Some(friend) = &*friend else { return false };
        format!("{first:?}") == format!("{friend:?}")
    }
}

canonical_fields! { Person { mark, friend, fan } Circle { first } }

impl Subject for Circle {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let first = space.slot(scope + 1);
        let people = space.objects(scope, [2, scope + 1, scope + 1]);
        space.each(|raw| {
            let made: Vec<Rc<Person>> = people
                .iter()
                .map(|[mark, ..]| {
                    let (friend, fan) = (RefCell::default(), RefCell::default());
                    Rc::new(Person { mark: raw[*mark] == 1, friend, fan })
                })
                .collect();
            // A weak pointer leads only to what something owns.
            let next = |person: usize| vec![raw[people[person][1]]];
            let held = crate::harness::held(scope, &[raw[first]], next);
            for (person, [_, friend, fan]) in made.iter().zip(&people) {
                *person.friend.borrow_mut() = raw[*friend].checked_sub(1).map(|at| Rc::clone(&made[at]));
                if let Some(at) = raw[*fan].checked_sub(1) {
                    *person.fan.borrow_mut() = Rc::downgrade(&made[at]);
                }
            }
            let reached = held.iter().zip(&people).filter(|(held, _)| **held);
            let fans_are_held =
                reached.into_iter().all(|(_, [.., fan])| raw[*fan].checked_sub(1).is_none_or(|at| held[at]));
            if fans_are_held {
                visit(Circle { first: raw[first].checked_sub(1).map(|at| Rc::clone(&made[at])) });
            }
            made.iter().for_each(|person| drop(person.friend.take()));
        });
    }
}
