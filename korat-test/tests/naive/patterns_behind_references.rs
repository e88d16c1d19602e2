//! Patterns of classes and sequences against `*x`, where only the type of `x` says whether their parts are bound by value or by
//! reference: `x` is a `&T`, a `&&T`, a box, an element, a reference to a type of the predicate's own.

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_plain;
use crate::harness::{Space, Subject};

#[derive(Clone, Copy, Debug, Finitize)]
pub struct Point(#[finitize(0..=1)] u8, #[finitize(0..=1)] u8);

#[derive(Clone, Copy, Debug, Finitize)]
pub struct Entry {
    #[finitize(0..=1)]
    name: Option<u8>,
    at: Point,
    #[finitize(0..=1)]
    pair: [u8; 2],
}

/// Entries that a predicate meets behind references.
#[derive(Clone, Debug, Finitize)]
pub struct Shelf {
    #[finitize(len = 0..=2)]
    entries: Vec<Entry>,
    #[finitize(0..=1)]
    sizes: [u8; 2],
    spare: Option<Box<Point>>,
}

#[rep_ok]
impl Shelf {
    pub fn rep_ok(&self) -> bool {
        self.classes_behind_two() && self.sequences() && self.spare_is_low() && self.by_index() && self.own_types()
    }

    fn classes_behind_two(&self) -> bool {
        let named = |most: &u8| {
            let of_most = |it: &&Entry| matches!(*it, Entry { name: Some(name), .. } if name <= most);
            self.entries.iter().filter(of_most).count()
        };
        let unnamed = self.entries.iter().filter(|it| matches!(**it, Entry { name: None, .. })).count();
        let flat = self.entries.iter().filter(|it| {
            let Entry { at: Point(x, y), pair: [low, high], name } = *it;
            let by_value = match **it {
                Entry { name: Some(name), at: Point(0, y), .. } => u8::max(name, y),
                Entry { name, at: Point(_, y), pair: [_, high] } => name.map_or(y, |name| name.min(high)),
            };
            u8::max(*x, *y) >= by_value || low > high || name.as_ref() == Some(low)
        });
        named(&1) + unnamed == self.entries.len() && named(&0) <= flat.count()
    }

    fn sequences(&self) -> bool {
        let once = &self.sizes;
        let twice = &once;
        let [low, high] = *once;
        let [again, other] = *twice;
        if u8::min(low, high) > u8::min(*again, *other) {
            return false;
        }
        let fitting = self.entries.iter().map(|entry| &entry.pair).filter(|pair| match *pair {
            [0, high] => *high == 1,
            [low, _] => low == again,
        });
        fitting.count() == self.entries.len() && matches!(twice, [first, ..] if *first <= high)
    }

    fn spare_is_low(&self) -> bool {
        let Some(spare) = &self.spare else { return self.entries.len() != 1 };
        let Point(x, y) = **spare;
        let point: &Point = spare;
        let point = &point;
        let Point(again, _) = *point;
        u8::min(x, y) == 0 && *again <= self.sizes[1]
    }

    fn by_index(&self) -> bool {
        let entries: Vec<&Entry> = self.entries.iter().collect();
        if self.entries.is_empty() {
            return true;
        }
        let Entry { name, .. } = entries[0];
        let Entry { name: copied, at: Point(x, _), .. } = self.entries[0];
        name.is_none() || copied != Some(x)
    }

    fn own_types(&self) -> bool {
        struct Span {
            from: u8,
            to: u8,
        }
        let spans: Vec<Span> = self.entries.iter().map(|entry| Span { from: entry.pair[0], to: entry.at.1 }).collect();
        let forward = spans.iter().filter(|span| {
            let Span { from, to } = *span;
            let Span { from: start, .. } = **span;
            from <= to && start <= *to
        });
        let ends: Vec<[u8; 2]> = spans.iter().map(|span| [span.from, span.to]).collect();
        let backward = ends.iter().filter(|ends| {
            let [from, to] = *ends;
            let [start, _] = **ends;
            from > to && start > *to
        });
        forward.count() >= backward.count()
    }
}

canonical_plain! { Shelf }

impl Subject for Shelf {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (len, sizes, spare) = (space.slot(3), space.slot(4), space.slot(5));
        let entries = space.objects(2, [3, 4, 4]);
        let halves = |digit: usize| [digit as u8 / 2, digit as u8 % 2];
        let point = |digit: usize| Point(halves(digit)[0], halves(digit)[1]);
        space.each(|raw| {
            let entry = |[name, at, pair]: &[usize; 3]| Entry {
                name: raw[*name].checked_sub(1).map(|name| name as u8),
                at: point(raw[*at]),
                pair: halves(raw[*pair]),
            };
            visit(Shelf {
                entries: entries[..raw[len]].iter().map(entry).collect(),
                sizes: halves(raw[sizes]),
                spare: raw[spare].checked_sub(1).map(|spare| Box::new(point(spare))),
            });
        });
    }
}
