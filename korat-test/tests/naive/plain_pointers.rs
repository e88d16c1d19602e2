//! Pointers to values that are not objects of a class: plain values, texts, containers and cells, in every kind of place.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields, canonical_plain};
use crate::harness::{Space, Subject, lists, sets};

impl Canonical for Rc<str> {
    fn walk(&self, to: &mut Walk) {
        to.counted(Rc::strong_count(self));
        to.plain(&&**self);
    }
}

impl Canonical for Arc<str> {
    fn walk(&self, to: &mut Walk) {
        to.counted(Arc::strong_count(self));
        to.plain(&&**self);
    }
}

/// A color.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Finitize)]
enum Color {
    Red,
    Blue,
}

canonical_plain! { Color }

/// Pointers of each kind to plain values.
#[derive(Debug, Finitize)]
pub struct Gauge {
    low: Box<u8>,
    high: Option<Rc<u8>>,
    color: Arc<Color>,
    #[finitize(len = 0..=2)]
    steps: Vec<Rc<bool>>,
    mark: Option<Box<Option<bool>>>,
    pair: (Box<bool>, Rc<u8>),
}

#[rep_ok]
impl Gauge {
    pub fn rep_ok(&self) -> bool {
        if let Some(high) = &self.high {
            let again = Rc::clone(high);
            if !Rc::ptr_eq(high, &again) || *self.low >= *again || Rc::ptr_eq(high, &self.pair.1) {
                return false;
            }
        }
        if let [one, two] = self.steps.as_slice()
            && (one > two || Rc::ptr_eq(one, two))
        {
            return false;
        }
        let (flag, level) = &self.pair;
        if *self.color == Color::Red {
            return **flag && self.mark.is_none() && self.steps.iter().all(|step| **step);
        }
        self.mark.as_deref().is_some_and(|mark| *mark == Some(**flag)) && level.as_ref() == &*self.low
    }
}

canonical_fields! { Gauge { low, high, color, steps, mark, pair } }

impl Subject for Gauge {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        const MARKS: [Option<Option<bool>>; 4] = [None, Some(None), Some(Some(false)), Some(Some(true))];
        let steps = lists(&[false, true], 2);
        let mut space = Space::default();
        let (low, high) = (space.slot(scope + 1), space.slot(scope + 2));
        let [color, step, mark, flag] = [2, steps.len(), 4, 2].map(|values| space.slot(values));
        let level = space.slot(scope + 1);
        space.each(|raw| {
            visit(Gauge {
                low: Box::new(raw[low] as u8),
                high: raw[high].checked_sub(1).map(|high| Rc::new(high as u8)),
                color: Arc::new([Color::Red, Color::Blue][raw[color]]),
                steps: steps[raw[step]].iter().map(|&step| Rc::new(step)).collect(),
                mark: MARKS[raw[mark]].map(Box::new),
                pair: (Box::new(raw[flag] == 1), Rc::new(raw[level] as u8)),
            });
        });
    }
}

/// Texts that can be shared, and keys made of them.
#[derive(Debug, Finitize)]
pub struct Names {
    first: Rc<str>,
    #[finitize('x'..='y', len = 1..=1)]
    second: Option<Arc<str>>,
    #[finitize(['z'], len = 0..=1)]
    tags: Vec<Rc<str>>,
    #[finitize(["k", "l"])]
    known: BTreeSet<Rc<str>>,
    #[finitize(len = 0..=1)]
    text: Rc<String>,
}

#[rep_ok]
impl Names {
    pub fn rep_ok(&self) -> bool {
        let same = self.first.clone();
        match &self.second {
            Some(second) => second.starts_with('x') && *same == **self.text && self.tags.is_empty(),
            None => self.first.len() == self.text.len() && self.known.contains("k"),
        }
    }
}

/// Keys with their owners.
struct Keys<'n>(&'n BTreeSet<Rc<str>>);

impl Canonical for Keys<'_> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.0.len());
        self.0.iter().for_each(|key| key.walk(to));
    }
}

impl Canonical for Names {
    fn walk(&self, to: &mut Walk) {
        let Names { first, second, tags, known, text } = self;
        to.fields("Names", &[first, second, tags, &Keys(known), text]);
    }
}
impl Subject for Names {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let texts = |letters: &[char], most| -> Vec<String> {
            lists(letters, most).into_iter().map(|letters| letters.into_iter().collect()).collect()
        };
        let (firsts, inner, tags) = (texts(&['a', 'b'], scope), texts(&['a', 'b'], 1), texts(&['z'], scope));
        let known = sets(&["k", "l"]);
        let mut space = Space::default();
        let (first, second, tag) = (space.slot(firsts.len()), space.slot(3), space.slot(tags.len() + 1));
        let (key, inside) = (space.slot(known.len()), space.slot(inner.len()));
        space.each(|raw| {
            visit(Names {
                first: firsts[raw[first]].as_str().into(),
                second: [None, Some("x"), Some("y")][raw[second]].map(Arc::from),
                tags: raw[tag].checked_sub(1).map(|tag| tags[tag].as_str().into()).into_iter().collect(),
                known: known[raw[key]].iter().map(|&key| Rc::from(key)).collect(),
                text: Rc::new(inner[raw[inside]].clone()),
            });
        });
    }
}

/// A link whose value is behind a pointer, of any plain type.
#[derive(Debug, Finitize)]
pub struct Link<T> {
    value: Rc<T>,
    spare: Option<Box<T>>,
    next: Option<Box<Link<T>>>,
}

/// A sorted chain of links, each with its spare value or without.
#[derive(Debug, Finitize)]
pub struct Sorted<T> {
    head: Option<Box<Link<T>>>,
    last: Option<Arc<T>>,
}

#[rep_ok]
impl<T: PartialOrd> Sorted<T> {
    pub fn rep_ok(&self) -> bool {
        let mut last: Option<&T> = None;
        let mut at = &self.head;
        while let Some(link) = at {
            if last.is_some_and(|last| *last >= *link.value) {
                return false;
            }
            if let Some(spare) = &link.spare
                && **spare != *link.value
            {
                return false;
            }
            last = Some(&*link.value);
            at = &link.next;
        }
        match (last, &self.last) {
            (Some(one), Some(two)) => *one == **two,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl<T: Canonical + 'static> Canonical for Link<T> {
    fn walk(&self, to: &mut Walk) {
        to.fields("Link", &[&self.value, &self.spare, &self.next]);
    }
}

impl<T: Canonical + 'static> Canonical for Sorted<T> {
    fn walk(&self, to: &mut Walk) {
        to.fields("Sorted", &[&self.head, &self.last]);
    }
}

impl Subject for Sorted<u8> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let values: Vec<u8> = (0..=scope as u8).collect();
        let spares = |value| values.iter().map(move |&spare| (value, Some(spare))).chain([(value, None)]);
        let links: Vec<(u8, Option<u8>)> = values.iter().flat_map(|&value| spares(value)).collect();
        for list in lists(&links, scope) {
            for last in values.iter().copied().map(Some).chain([None]) {
                let chain = list.iter().rev().fold(None, |next, &(value, spare)| {
                    Some(Box::new(Link { value: Rc::new(value), spare: spare.map(Box::new), next }))
                });
                visit(Sorted { head: chain, last: last.map(Arc::new) });
            }
        }
    }
}

/// An item of a basket.
#[derive(Debug, Finitize)]
pub enum Item {
    Count(Box<u8>),
    Flag { on: Rc<bool> },
    Nothing,
}

/// Containers and cells behind pointers; nothing reads `unread`.
#[derive(Debug, Finitize)]
pub struct Basket {
    #[finitize(len = 0..=1)]
    items: Vec<Item>,
    #[finitize(len = 0..=1)]
    list: Rc<RefCell<Vec<bool>>>,
    count: Option<Rc<RefCell<u8>>>,
    lock: Arc<Mutex<bool>>,
    #[finitize([1])]
    keys: Rc<BTreeSet<u8>>,
    unread: Option<Box<bool>>,
}

#[rep_ok]
impl Basket {
    pub fn rep_ok(&self) -> bool {
        let list = self.list.borrow();
        let on = match self.items.first() {
            Some(Item::Count(count)) => **count > 0 && list.is_empty(),
            Some(Item::Flag { on }) => **on == list.iter().any(|&flag| flag),
            Some(Item::Nothing) => return false,
            None => true,
        };
        let count = self.count.as_ref().map_or(0, |count| *count.borrow());
        on && *self.lock.lock().expect("no lock is poisoned") == (count > 0) && self.keys.len() == list.len()
    }
}

impl Canonical for Item {
    fn walk(&self, to: &mut Walk) {
        match self {
            Item::Count(count) => to.fields("Count", &[count]),
            Item::Flag { on } => to.fields("Flag", &[on]),
            Item::Nothing => to.fields("Nothing", &[]),
        }
    }
}

canonical_fields! { Basket { items, list, count, lock, keys, unread } }

impl Subject for Basket {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let flags = lists(&[false, true], 1);
        let mut space = Space::default();
        let item = space.slot(if scope == 0 { 1 } else { scope + 1 + 2 + 1 + 1 });
        let (list, count, lock) = (space.slot(flags.len()), space.slot(scope + 2), space.slot(2));
        let (key, unread) = (space.slot(2), space.slot(3));
        space.each(|raw| {
            let item = match raw[item].checked_sub(1) {
                None => None,
                Some(0) => Some(Item::Nothing),
                Some(flag @ 1..=2) => Some(Item::Flag { on: Rc::new(flag == 2) }),
                Some(count) => Some(Item::Count(Box::new(count as u8 - 3))),
            };
            visit(Basket {
                items: item.into_iter().collect(),
                list: Rc::new(RefCell::new(flags[raw[list]].clone())),
                count: raw[count].checked_sub(1).map(|count| Rc::new(RefCell::new(count as u8))),
                lock: Arc::new(Mutex::new(raw[lock] == 1)),
                keys: Rc::new((raw[key] == 1).then_some(1).into_iter().collect()),
                unread: [None, Some(false), Some(true)][raw[unread]].map(Box::new),
            });
        });
    }
}
