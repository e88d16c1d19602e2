//! Structures of plain values of std: texts, numbers that are not zero, orderings, markers, and fields that are left out.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::marker::PhantomData;
use std::num::{NonZero, NonZeroU8, Wrapping};

use korat::{Finitize, rep_ok};

use crate::canonical::{canonical_fields, canonical_plain};
use crate::harness::{Space, Subject, lists};

canonical_plain! { String Box<str> NonZeroU8 NonZero<usize> Ordering PhantomData<fn()> Wrapping<u8> Reverse<bool> }

/// Texts over default and given letters.
#[derive(Debug, Finitize)]
pub struct Label {
    name: String,
    #[finitize('x'..='y', len = 1..=2)]
    code: Box<str>,
    #[finitize(len = 0..=1)]
    note: Option<String>,
    #[finitize(['z'], len = 0..=1)]
    tags: Vec<String>,
}

#[rep_ok]
impl Label {
    pub fn rep_ok(&self) -> bool {
        let first = self.code.chars().next();
        match &self.note {
            Some(note) => self.name.starts_with(note.as_str()) && self.tags.iter().all(|tag| !tag.is_empty()),
            None => self.name.len() == self.code.len() && first == Some('y') && self.tags.is_empty(),
        }
    }
}

canonical_fields! { Label { name, code, note, tags } }

/// Every text of up to `most` letters, `least` at least.
fn texts(letters: &str, least: usize, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let until = all.len();
        for at in from..until {
            all.extend(letters.chars().map(|letter| format!("{}{letter}", all[at])).collect::<Vec<_>>());
        }
        from = until;
    }
    all.retain(|text| text.len() >= least);
    all
}

impl Subject for Label {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let (names, codes, notes, tags) =
            (texts("ab", 0, scope), texts("xy", 1, 2), texts("ab", 0, 1), texts("z", 0, scope));
        let mut space = Space::default();
        let (name, code) = (space.slot(names.len()), space.slot(codes.len()));
        let (note, tag) = (space.slot(notes.len() + 1), space.slot(tags.len() + 1));
        space.each(|raw| {
            visit(Label {
                name: names[raw[name]].clone(),
                code: codes[raw[code]].as_str().into(),
                note: raw[note].checked_sub(1).map(|note| notes[note].clone()),
                tags: raw[tag].checked_sub(1).map(|tag| tags[tag].clone()).into_iter().collect(),
            });
        });
    }
}

/// What is left out need not be cloned, compared or printed.
pub struct Opaque(usize);

impl fmt::Debug for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Odds { size, half, order, marker, wrapping, reverse, opaque } = self;
        write!(f, "{size} {half:?} {order:?} {marker:?} {wrapping} {reverse:?} {}", opaque.0)
    }
}

/// Numbers and the like.
#[derive(Finitize)]
pub struct Odds {
    size: NonZeroU8,
    #[finitize([None, NonZero::new(scope + 1)])]
    half: Option<NonZero<usize>>,
    order: Ordering,
    marker: PhantomData<fn()>,
    wrapping: Wrapping<u8>,
    reverse: Reverse<bool>,
    #[finitize(skip = Opaque(scope))]
    opaque: Opaque,
}

#[rep_ok]
impl Odds {
    pub fn rep_ok(&self) -> bool {
        let below = self.wrapping - Wrapping(1);
        match self.order {
            Ordering::Less => self.size.get() as usize == self.opaque.0,
            Ordering::Equal => self.half.is_some_and(|half| half.get() > self.opaque.0),
            Ordering::Greater => below.0 == u8::MAX && self.reverse < Reverse(false),
        }
    }
}

canonical_fields! { Odds { size, half, order, marker, wrapping, reverse } }

impl Subject for Odds {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        const ORDERS: [Ordering; 3] = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        let mut space = Space::default();
        let (size, half, order) = (space.slot(scope), space.slot(2), space.slot(3));
        let (wrapping, reverse) = (space.slot(scope + 1), space.slot(2));
        space.each(|raw| {
            visit(Odds {
                size: NonZero::new(raw[size] as u8 + 1).expect("one at least"),
                half: if raw[half] == 1 { NonZero::new(scope + 1) } else { None },
                order: ORDERS[raw[order]],
                marker: PhantomData,
                wrapping: Wrapping(raw[wrapping] as u8),
                reverse: Reverse(raw[reverse] == 1),
                opaque: Opaque(scope),
            });
        });
    }
}

/// Options whose domains list what they hold.
#[derive(Debug, Finitize)]
pub struct Picks {
    #[finitize(0..scope)]
    number: Option<u8>,
    #[finitize(['x', 'y'])]
    letter: Option<char>,
    #[finitize(1..=scope)]
    size: Option<NonZeroU8>,
    #[finitize([3], len = 0..=2)]
    list: Vec<Option<u8>>,
    #[finitize([0.5])]
    share: Option<f64>,
}

#[rep_ok]
impl Picks {
    pub fn rep_ok(&self) -> bool {
        let found = self.list.iter().flatten().count();
        self.number.map(usize::from) == self.size.map(|size| usize::from(size.get()) - 1)
            && self.letter.is_some() == self.share.is_none_or(|share| share < 0.5)
            && found + 1 == self.list.len()
    }
}

canonical_fields! { Picks { number, letter, size, list, share } }

impl Subject for Picks {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let all = lists(&[None, Some(3)], 2);
        let mut space = Space::default();
        let (number, letter, size) = (space.slot(scope + 1), space.slot(3), space.slot(scope + 1));
        let (list, share) = (space.slot(all.len()), space.slot(2));
        space.each(|raw| {
            visit(Picks {
                number: raw[number].checked_sub(1).map(|number| number as u8),
                letter: [None, Some('x'), Some('y')][raw[letter]],
                size: NonZero::new(raw[size] as u8),
                list: all[raw[list]].clone(),
                share: [None, Some(0.5)][raw[share]],
            });
        });
    }
}
