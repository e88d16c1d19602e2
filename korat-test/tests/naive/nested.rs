//! Containers in containers: options of options, vectors of vectors, options of vectors, boxed slices, arrays of arrays.

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_plain;
use crate::harness::{Space, Subject};

/// Options in options.
#[derive(Clone, Debug, Finitize)]
pub struct Answer {
    known: Option<Option<u8>>,
    asked: Option<Option<Option<bool>>>,
}

#[rep_ok]
impl Answer {
    pub fn rep_ok(&self) -> bool {
        match (self.known, &self.asked) {
            (Some(Some(n)), Some(Some(flag))) => n == 0 || flag.is_some(),
            (Some(None), Some(asked)) => asked.is_none(),
            (None, asked) => asked.is_none_or(|asked| asked.flatten() == Some(true)),
            (Some(_), _) => false,
        }
    }
}

canonical_plain! { Answer }

impl Subject for Answer {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let numbers = (0..=scope).map(|number| Some(Some(number as u8)));
        let known: Vec<Option<Option<u8>>> = [None, Some(None)].into_iter().chain(numbers).collect();
        let asked = [None, Some(None), Some(Some(None)), Some(Some(Some(false))), Some(Some(Some(true)))];
        for &known in &known {
            asked.iter().for_each(|&asked| visit(Answer { known, asked }));
        }
    }
}

/// A cell of a list that may be lost.
#[derive(Clone, Debug, Finitize)]
pub struct Cell {
    next: Option<Option<Box<Cell>>>,
    used: bool,
}

/// A list; what comes after a used cell is known.
#[derive(Clone, Debug, Finitize)]
pub struct Lossy {
    first: Option<Option<Box<Cell>>>,
}

#[rep_ok]
impl Lossy {
    pub fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        let mut at = &self.first;
        while let Some(Some(cell)) = at {
            let this = std::ptr::from_ref(&**cell);
            if seen.contains(&this) || (cell.used && cell.next.is_none()) {
                return false;
            }
            seen.push(this);
            at = &cell.next;
        }
        true
    }
}

fn chains(objects: usize) -> Vec<Option<Option<Box<Cell>>>> {
    let mut all = vec![None, Some(None)];
    let Some(rest) = objects.checked_sub(1) else { return all };
    for next in chains(rest) {
        all.extend([false, true].map(|used| Some(Some(Box::new(Cell { next: next.clone(), used })))));
    }
    all
}

canonical_plain! { Lossy }

impl Subject for Lossy {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        chains(scope).into_iter().for_each(|first| visit(Lossy { first }));
    }
}

/// Rows, a list that may be missing, a square and a fixed tail.
#[derive(Clone, Debug, Finitize)]
pub struct Sheet {
    #[finitize(0..=1, len = 0..=2)]
    rows: Vec<Vec<u8>>,
    #[finitize(0..=1)]
    extra: Option<Vec<u8>>,
    tail: Box<[bool]>,
}

#[rep_ok]
impl Sheet {
    pub fn rep_ok(&self) -> bool {
        for (i, row) in self.rows.iter().enumerate() {
            if row.len() > i + 1 || row.iter().any(|&item| usize::from(item) > i) {
                return false;
            }
        }
        let Some(extra) = &self.extra else { return self.tail.iter().all(|flag| !flag) };
        let sums: Vec<u8> = self.rows.iter().map(|row| row.iter().sum()).collect();
        *extra == sums && self.tail.len() == extra.len()
    }
}

/// All lists of at most `most` of these items.
fn lists<T: Clone>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..most {
        let longer = |list: &Vec<T>| {
            let list = list.clone();
            items.iter().map(move |item| list.iter().cloned().chain([item.clone()]).collect())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

canonical_plain! { Sheet }

impl Subject for Sheet {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let row = lists(&[0, 1], scope);
        let extras: Vec<Option<Vec<u8>>> = std::iter::once(None).chain(row.iter().cloned().map(Some)).collect();
        for rows in lists(&row, 2) {
            for extra in &extras {
                for tail in lists(&[false, true], scope) {
                    visit(Sheet { rows: rows.clone(), extra: extra.clone(), tail: tail.into_boxed_slice() });
                }
            }
        }
    }
}

/// A square of numbers, and one of options, and an array that may be missing.
#[derive(Clone, Debug, Finitize)]
pub struct Square {
    #[finitize(0..=2)]
    numbers: [[u8; 2]; 2],
    flags: [[Option<bool>; 1]; 2],
    pair: Option<[bool; 2]>,
}

#[rep_ok]
impl Square {
    pub fn rep_ok(&self) -> bool {
        let [[a, b], [c, d]] = &self.numbers;
        if a + d != b + c || a > b {
            return false;
        }
        match (&self.flags, &self.pair) {
            ([[Some(one)], [Some(two)]], None) => one != two,
            ([[None], [_]], Some([one, two])) => one == two,
            _ => false,
        }
    }
}

canonical_plain! { Square }

impl Subject for Square {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let numbers = [3; 4].map(|values| space.slot(values));
        let flags = [3; 2].map(|values| space.slot(values));
        let pair = [2; 3].map(|values| space.slot(values));
        space.each(|raw| {
            let [a, b, c, d] = numbers.map(|place| raw[place] as u8);
            let [one, two] = flags.map(|place| [None, Some(false), Some(true)][raw[place]]);
            let [some, first, second] = pair.map(|place| raw[place] == 1);
            let pair = some.then_some([first, second]);
            visit(Square { numbers: [[a, b], [c, d]], flags: [[one], [two]], pair });
        });
    }
}

/// A plain value as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
#[finitize(plain)]
pub struct Pixel {
    #[finitize(0..=1)]
    x: u8,
    color: Color,
}

/// An enum with data in its variants.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
#[finitize(plain)]
pub enum Color {
    Clear,
    Gray(#[finitize(1..=2)] u8),
}

/// Pixels in places that differ; the brightest is known.
#[derive(Clone, Debug, Finitize)]
pub struct Picture {
    #[finitize(len = 0..=2)]
    pixels: Vec<Pixel>,
    brightest: Option<Pixel>,
}

#[rep_ok]
impl Picture {
    pub fn rep_ok(&self) -> bool {
        let level = |pixel: &Pixel| match pixel.color {
            Color::Clear => 0,
            Color::Gray(level) => level,
        };
        let Some(brightest) = &self.brightest else { return self.pixels.is_empty() };
        self.pixels.contains(brightest)
            && self.pixels.windows(2).all(|pair| pair[0].x < pair[1].x)
            && self.pixels.iter().all(|pixel| level(pixel) <= level(brightest))
    }
}

canonical_plain! { Picture }

impl Subject for Picture {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let colors = [Color::Clear, Color::Gray(1), Color::Gray(2)];
        let pixels: Vec<Pixel> = (0..=1).flat_map(|x| colors.map(|color| Pixel { x, color })).collect();
        for list in lists(&pixels, 2) {
            for brightest in std::iter::once(None).chain(pixels.iter().copied().map(Some)) {
                visit(Picture { pixels: list.clone(), brightest });
            }
        }
    }
}
