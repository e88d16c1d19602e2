//! Structures of `Rc` without cells: sharing is allowed, cycles are not. A graph, a chain, required pointers, two classes,
//! weak pointers that are set when their holder is made.

use std::collections::HashSet;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_fields;
use crate::harness::{CannotHold, Frozen, Space, Subject, held};

/// A fork in the way.
#[derive(Debug, Finitize)]
pub struct Fork {
    low: Option<Rc<Fork>>,
    high: Option<Rc<Fork>>,
}

/// Forks that lead to each other, never back; each counted once.
#[derive(Debug, Finitize)]
pub struct Dag {
    top: Option<Rc<Fork>>,
    size: usize,
}

#[rep_ok]
impl Dag {
    pub fn rep_ok(&self) -> bool {
        fn acyclic(at: &Option<Rc<Fork>>, above: &mut Vec<*const Fork>, seen: &mut HashSet<*const Fork>) -> bool {
            let Some(fork) = at else { return true };
            if above.contains(&Rc::as_ptr(fork)) {
                return false;
            }
            if !seen.insert(Rc::as_ptr(fork)) {
                return true;
            }
            above.push(Rc::as_ptr(fork));
            let ok = acyclic(&fork.low, above, seen) && acyclic(&fork.high, above, seen);
            above.pop();
            ok
        }
        let mut seen = HashSet::new();
        acyclic(&self.top, &mut Vec::new(), &mut seen) && seen.len() == self.size
    }
}

canonical_fields! { Fork { low, high } Dag { top, size } }

impl Subject for Dag {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn fork(
            raw: &[usize],
            forks: &[[usize; 2]],
            digit: usize,
            made: &mut Frozen<Fork>,
        ) -> Result<Option<Rc<Fork>>, CannotHold> {
            let Some(object) = digit.checked_sub(1) else { return Ok(None) };
            let [low, high] = forks[object].map(|place| raw[place]);
            let make = |made: &mut Frozen<Fork>| {
                Ok(Fork { low: fork(raw, forks, low, made)?, high: fork(raw, forks, high, made)? })
            };
            made.get(object, make).map(Some)
        }
        let mut space = Space::default();
        let (top, size) = (space.slot(scope + 1), space.slot(scope + 1));
        let forks = space.objects(scope, [scope + 1, scope + 1]);
        space.each(|raw| {
            if let Ok(top) = fork(raw, &forks, raw[top], &mut Frozen::none_of(scope)) {
                visit(Dag { top, size: raw[size] });
            }
        });
    }
}

/// A link of a chain.
#[derive(Debug, Finitize)]
pub struct Link {
    red: bool,
    next: Option<Rc<Link>>,
}

/// A chain whose invariant is content with a loop, were there one.
#[derive(Debug, Finitize)]
pub struct Chain {
    first: Option<Rc<Link>>,
}

#[rep_ok]
impl Chain {
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut at = self.first.clone();
        while let Some(link) = at.take_if(|link| seen.insert(Rc::as_ptr(link))) {
            if link.red && link.next.as_ref().is_some_and(|next| next.red) {
                return false;
            }
            at = link.next.clone();
        }
        true
    }
}

canonical_fields! { Link { red, next } Chain { first } }

impl Subject for Chain {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn link(
            raw: &[usize],
            links: &[[usize; 2]],
            digit: usize,
            made: &mut Frozen<Link>,
        ) -> Result<Option<Rc<Link>>, CannotHold> {
            let Some(object) = digit.checked_sub(1) else { return Ok(None) };
            let [red, next] = links[object].map(|place| raw[place]);
            made.get(object, |made| Ok(Link { red: red == 1, next: link(raw, links, next, made)? })).map(Some)
        }
        let mut space = Space::default();
        let first = space.slot(scope + 1);
        let links = space.objects(scope, [2, scope + 1]);
        space.each(|raw| {
            if let Ok(first) = link(raw, &links, raw[first], &mut Frozen::none_of(scope)) {
                visit(Chain { first });
            }
        });
    }
}

/// A coin.
#[derive(Debug, Finitize)]
pub struct Coin {
    heads: bool,
}

/// Two coins, perhaps the same one; the third may be missing.
#[derive(Debug, Finitize)]
pub struct Purse {
    left: Rc<Coin>,
    right: Rc<Coin>,
    spare: Option<Rc<Coin>>,
    same: bool,
}

#[rep_ok]
impl Purse {
    pub fn rep_ok(&self) -> bool {
        self.same == Rc::ptr_eq(&self.left, &self.right)
            && match &self.spare {
                Some(spare) if Rc::ptr_eq(spare, &self.left) => spare.heads,
                Some(spare) => spare.heads != self.right.heads,
                None => true,
            }
    }
}

canonical_fields! { Coin { heads } Purse { left, right, spare, same } }

impl Subject for Purse {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (left, right, spare, same) = (space.slot(scope), space.slot(scope), space.slot(scope + 1), space.slot(2));
        let coins = space.objects(scope, [2]);
        space.each(|raw| {
            let coins: Vec<Rc<Coin>> = coins.iter().map(|&[heads]| Rc::new(Coin { heads: raw[heads] == 1 })).collect();
            let coin = |object: usize| Rc::clone(&coins[object]);
            visit(Purse {
                left: coin(raw[left]),
                right: coin(raw[right]),
                spare: raw[spare].checked_sub(1).map(coin),
                same: raw[same] == 1,
            });
        });
    }
}

/// A member of teams.
#[derive(Debug, Finitize)]
pub struct Person {
    #[finitize(0..=1)]
    age: u8,
}

/// A team with a leader.
#[derive(Debug, Finitize)]
pub struct Team {
    lead: Rc<Person>,
    deputy: Option<Rc<Person>>,
}

/// Two teams, which share people and may be the same.
#[derive(Debug, Finitize)]
pub struct Club {
    teams: [Option<Rc<Team>>; 2],
    president: Rc<Person>,
}

#[rep_ok]
impl Club {
    pub fn rep_ok(&self) -> bool {
        self.teams.iter().flatten().all(|team| {
            team.lead.age <= self.president.age
                && team.deputy.as_ref().is_none_or(|deputy| !Rc::ptr_eq(deputy, &team.lead))
        })
    }
}

canonical_fields! { Person { age } Team { lead, deputy } Club { teams, president } }

impl Subject for Club {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (one, two, president) = (space.slot(scope + 1), space.slot(scope + 1), space.slot(scope));
        let teams = space.objects(scope, [scope, scope + 1]);
        let people = space.objects(scope, [2]);
        space.each(|raw| {
            let people: Vec<Rc<Person>> = people.iter().map(|&[age]| Rc::new(Person { age: raw[age] as u8 })).collect();
            let person = |object: usize| Rc::clone(&people[object]);
            let team = |&[lead, deputy]: &[usize; 2]| {
                Rc::new(Team { lead: person(raw[lead]), deputy: raw[deputy].checked_sub(1).map(person) })
            };
            let teams: Vec<Rc<Team>> = teams.iter().map(team).collect();
            let team = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&teams[object]));
            visit(Club { teams: [team(raw[one]), team(raw[two])], president: person(raw[president]) });
        });
    }
}

/// A page that points on, and back to a page before it.
#[derive(Debug, Finitize)]
pub struct Page {
    next: Option<Rc<Page>>,
    back: Weak<Page>,
}

/// Pages, from the first one on.
#[derive(Debug, Finitize)]
pub struct Story {
    first: Option<Rc<Page>>,
}

#[rep_ok]
impl Story {
    pub fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return true };
        Self::goes_back(first, &mut HashSet::new())
    }

    fn goes_back(page: &Rc<Page>, before: &mut HashSet<*const Page>) -> bool {
        if let Some(back) = page.back.upgrade()
            && !before.contains(&Rc::as_ptr(&back))
        {
            return false;
        }
        if !before.insert(Rc::as_ptr(page)) {
            return false;
        }
        page.next.as_ref().is_none_or(|next| Self::goes_back(next, before))
    }
}

canonical_fields! { Page { next, back } Story { first } }

impl Subject for Story {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        type Content<'c> = &'c dyn Fn(usize, &[Option<Rc<Page>>], &[Weak<Page>]) -> Page;
        /// Makes the pages of `order`, each inside the making of the one before, so that every weak pointer is there
        /// when it is needed.
        fn make(content: Content<'_>, order: &[usize], made: &mut [Option<Rc<Page>>], weak: &mut [Weak<Page>]) {
            let Some((&page, later)) = order.split_first() else { return };
            let rc = Rc::new_cyclic(|this| {
                weak[page] = this.clone();
                make(content, later, made, weak);
                content(page, made, weak)
            });
            made[page] = Some(rc);
        }
        let mut space = Space::default();
        let first = space.slot(scope + 1);
        let pages = space.objects(scope, [scope + 1, scope + 1]);
        space.each(|raw| {
            let mut order = Vec::new();
            let mut digit = raw[first];
            while let Some(page) = digit.checked_sub(1) {
                if order.contains(&page) {
                    return;
                }
                order.push(page);
                digit = raw[pages[page][0]];
            }
            let held = held(scope, &[raw[first]], |page| vec![raw[pages[page][0]]]);
            let content = |page: usize, made: &[Option<Rc<Page>>], weak: &[Weak<Page>]| {
                let [next, back] = pages[page].map(|place| raw[place].checked_sub(1));
                let back = back.filter(|&back| held[back]);
                Page {
                    next: next.and_then(|next| made[next].clone()),
                    back: back.map_or_else(Weak::new, |back| weak[back].clone()),
                }
            };
            let (mut made, mut weak) = (vec![None; scope], Vec::from_iter((0..scope).map(|_| Weak::new())));
            make(&content, &order, &mut made, &mut weak);
            visit(Story { first: raw[first].checked_sub(1).and_then(|page| made[page].clone()) });
        });
    }
}
