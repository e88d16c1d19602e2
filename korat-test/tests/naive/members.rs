//! Classes, cells, locks and atomics by value in tuples, and cells, locks and atomics in options.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields};
use crate::harness::{Space, Subject, held, lists};

/// A point.
#[derive(Clone, Debug, Finitize)]
pub struct Point {
    x: bool,
    y: bool,
}

/// A shape.
#[derive(Clone, Debug, Finitize)]
pub enum Shape {
    Dot,
    Line(bool),
    Square { side: bool },
}

impl Canonical for Shape {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

/// Named corners and shapes.
#[derive(Debug, Finitize)]
pub struct Figure {
    corner: (bool, Point),
    other: Option<(Point, bool)>,
    #[finitize(len = 0..=1)]
    shapes: Vec<(bool, Shape)>,
    /// Nothing reads it.
    unread: (Shape, bool),
}

#[rep_ok]
impl Figure {
    pub fn rep_ok(&self) -> bool {
        let (is_low, point) = &self.corner;
        if *is_low != point.y || !Self::is_on_axis(point) && self.corner.1.x {
            return false;
        }
        if let Some((other, flag)) = &self.other
            && (other.x == point.x || *flag != other.y)
        {
            return false;
        }
        for (is_big, shape) in &self.shapes {
            if Self::size(shape) > 0 && !*is_big {
                return false;
            }
        }
        self.shapes.first().is_none_or(|pair| Self::fits(pair.0, &pair.1))
    }

    fn fits(is_big: bool, shape: &Shape) -> bool {
        match shape {
            Shape::Dot => false,
            Shape::Line(is_long) => *is_long,
            Shape::Square { side } => is_big != *side,
        }
    }

    fn is_on_axis(point: &Point) -> bool {
        !point.x || !point.y
    }

    fn size(shape: &Shape) -> u8 {
        match shape {
            Shape::Dot => 0,
            Shape::Line(is_long) => u8::from(*is_long),
            Shape::Square { side } => 2 * u8::from(*side),
        }
    }
}

canonical_fields! { Point { x, y } Figure { corner, other, shapes, unread } }

impl Subject for Figure {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let flags = [false, true];
        let shapes: Vec<Shape> = std::iter::once(Shape::Dot)
            .chain(flags.map(Shape::Line))
            .chain(flags.map(|side| Shape::Square { side }))
            .collect();
        let mut space = Space::default();
        let [low, x, y, some, other_x, other_y, other] = [2; 7].map(|values| space.slot(values));
        let (shape, big) = (space.slot(shapes.len() + 1), space.slot(2));
        let (unread, flag) = (space.slot(shapes.len()), space.slot(2));
        space.each(|raw| {
            let is = |place: usize| raw[place] == 1;
            let pairs = raw[shape].checked_sub(1).map(|shape| (is(big), shapes[shape].clone()));
            visit(Figure {
                corner: (is(low), Point { x: is(x), y: is(y) }),
                other: is(some).then(|| (Point { x: is(other_x), y: is(other_y) }, is(other))),
                shapes: pairs.into_iter().collect(),
                unread: (shapes[raw[unread]].clone(), is(flag)),
            });
        });
    }
}

/// Cells and locks in options and tuples.
#[derive(Debug, Finitize)]
pub struct Panel {
    count: Option<RefCell<u8>>,
    lock: Option<Mutex<bool>>,
    flag: (bool, RefCell<bool>),
    #[finitize(len = 0..=1)]
    list: Option<RefCell<Vec<bool>>>,
    ready: Option<AtomicBool>,
    pair: (AtomicBool, Mutex<Option<bool>>),
}

#[rep_ok]
impl Panel {
    pub fn rep_ok(&self) -> bool {
        let count = self.count.as_ref().map(|count| *count.borrow());
        if let Some(lock) = &self.lock
            && *lock.lock().expect("no lock is poisoned") == count.is_some()
        {
            return false;
        }
        let (is_on, inside) = &self.flag;
        let is_ready = self.ready.as_ref().is_some_and(|ready| ready.load(Ordering::Relaxed));
        if *is_on != *inside.borrow() || is_ready && count == Some(0) {
            return false;
        }
        let listed = match &self.list {
            Some(list) => list.borrow().iter().filter(|item| **item).count() + 1,
            None => 0,
        };
        let last = *self.pair.1.lock().expect("no lock is poisoned");
        listed < 2 && self.pair.0.load(Ordering::Acquire) == last.is_some()
    }
}

canonical_fields! { Panel { count, lock, flag, list, ready, pair } }

impl Subject for Panel {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        const FLAGS: [Option<bool>; 3] = [None, Some(false), Some(true)];
        let all = lists(&[false, true], 1);
        let mut space = Space::default();
        let (count, lock, on, inside) = (space.slot(scope + 2), space.slot(3), space.slot(2), space.slot(2));
        let (list, ready) = (space.slot(all.len() + 1), space.slot(3));
        let (first, last) = (space.slot(2), space.slot(3));
        space.each(|raw| {
            visit(Panel {
                count: raw[count].checked_sub(1).map(|count| RefCell::new(count as u8)),
                lock: FLAGS[raw[lock]].map(Mutex::new),
                flag: (raw[on] == 1, RefCell::new(raw[inside] == 1)),
                list: raw[list].checked_sub(1).map(|list| RefCell::new(all[list].clone())),
                ready: FLAGS[raw[ready]].map(AtomicBool::new),
                pair: (AtomicBool::new(raw[first] == 1), Mutex::new(FLAGS[raw[last]])),
            });
        });
    }
}

/// A stop whose line onward is laid later, if at all.
#[derive(Debug, Finitize)]
pub struct Stop {
    onward: Option<RefCell<Option<Rc<Stop>>>>,
}

/// Stops that a line passes, round in circles or not.
#[derive(Debug, Finitize)]
pub struct Tour {
    start: (bool, RefCell<Option<Rc<Stop>>>),
}

#[rep_ok]
impl Tour {
    pub fn rep_ok(&self) -> bool {
        let mut seen: Vec<*const Stop> = Vec::new();
        let mut at = self.start.1.borrow().clone();
        while let Some(stop) = at {
            if seen.contains(&Rc::as_ptr(&stop)) {
                return self.start.0;
            }
            seen.push(Rc::as_ptr(&stop));
            at = match &stop.onward {
                Some(onward) => onward.borrow().clone(),
                None => None,
            };
        }
        !self.start.0
    }
}

/// No cell differs from an empty one.
impl Canonical for Stop {
    fn walk(&self, to: &mut Walk) {
        to.fields("Stop", &[&self.onward.is_some(), &self.onward]);
    }
}

canonical_fields! { Tour { start } }

impl Subject for Tour {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (flag, start) = (space.slot(2), space.slot(scope + 1));
        // No cell, an empty one, or one that leads to a stop.
        let slots = space.objects(scope, [scope + 2]);
        space.each(|raw| {
            let onward = |object: usize| raw[slots[object][0]];
            let make = |object: usize| Rc::new(Stop { onward: (onward(object) > 0).then(RefCell::default) });
            let stops: Vec<Rc<Stop>> = (0..scope).map(make).collect();
            let stop = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&stops[object]));
            let held = held(scope, &[raw[start]], |object| vec![onward(object).saturating_sub(1)]);
            for object in (0..scope).filter(|&object| held[object]) {
                if let Some(cell) = &stops[object].onward {
                    *cell.borrow_mut() = stop(onward(object) - 1);
                }
            }
            visit(Tour { start: (raw[flag] == 1, RefCell::new(stop(raw[start]))) });
        });
    }
}
