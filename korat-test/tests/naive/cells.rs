//! Structures with interior mutability: cycles are values. A ring, a list with weak links back, a graph, a tree with its
//! parents in cells, weak pointers that nobody reads, fields that nobody reads.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_fields;
use crate::harness::{Space, Subject, held};

/// A bead of a ring.
#[derive(Debug, Default, Finitize)]
pub struct Bead {
    black: bool,
    next: Option<Rc<RefCell<Bead>>>,
}

/// Beads in a circle.
#[derive(Debug, Finitize)]
pub struct Ring {
    start: Option<Rc<RefCell<Bead>>>,
    size: usize,
}

#[rep_ok]
impl Ring {
    pub fn rep_ok(&self) -> bool {
        let Some(start) = &self.start else { return self.size == 0 };
        let mut at = Rc::clone(start);
        for _ in 1..self.size {
            let next = match &at.borrow().next {
                Some(next) if !Rc::ptr_eq(next, start) => Rc::clone(next),
                _ => return false,
            };
            at = next;
        }
        self.size > 0 && at.borrow().next.as_ref().is_some_and(|next| Rc::ptr_eq(next, start))
    }
}

canonical_fields! { Bead { black, next } Ring { start, size } }

impl Subject for Ring {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (start, size) = (space.slot(scope + 1), space.slot(scope + 1));
        let slots = space.objects(scope, [2, scope + 1]);
        space.each(|raw| {
            let beads: Vec<Rc<RefCell<Bead>>> = (0..scope).map(|_| Rc::default()).collect();
            let bead = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&beads[object]));
            let held = held(scope, &[raw[start]], |object| vec![raw[slots[object][1]]]);
            for object in (0..scope).filter(|&object| held[object]) {
                let [black, next] = slots[object].map(|place| raw[place]);
                *beads[object].borrow_mut() = Bead { black: black == 1, next: bead(next) };
            }
            visit(Ring { start: bead(raw[start]), size: raw[size] });
        });
    }
}

/// A place in a queue.
#[derive(Debug, Default, Finitize)]
pub struct Place {
    prev: Weak<RefCell<Place>>,
    next: Option<Rc<RefCell<Place>>>,
}

/// A doubly linked list with both ends.
#[derive(Debug, Finitize)]
pub struct Queue {
    front: Option<Rc<RefCell<Place>>>,
    back: Weak<RefCell<Place>>,
}

#[rep_ok]
impl Queue {
    pub fn rep_ok(&self) -> bool {
        let mut last: Option<Rc<RefCell<Place>>> = None;
        let mut at = self.front.clone();
        while let Some(place) = at {
            let same = match (&last, place.borrow().prev.upgrade()) {
                (Some(last), Some(prev)) => Rc::ptr_eq(last, &prev),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            if !same {
                return false;
            }
            at = place.borrow().next.clone();
            last = Some(place);
        }
        last.map(|last| Rc::as_ptr(&last)) == self.back.upgrade().map(|back| Rc::as_ptr(&back))
    }
}

canonical_fields! { Place { prev, next } Queue { front, back } }

impl Subject for Queue {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (front, back) = (space.slot(scope + 1), space.slot(scope + 1));
        let slots = space.objects(scope, [scope + 1, scope + 1]);
        space.each(|raw| {
            let places: Vec<Rc<RefCell<Place>>> = (0..scope).map(|_| Rc::default()).collect();
            let held = held(scope, &[raw[front]], |object| vec![raw[slots[object][1]]]);
            let strong = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&places[object]));
            let weak = |digit: usize| match digit.checked_sub(1) {
                Some(object) if held[object] => Rc::downgrade(&places[object]),
                _ => Weak::new(),
            };
            for object in (0..scope).filter(|&object| held[object]) {
                let [prev, next] = slots[object].map(|place| raw[place]);
                *places[object].borrow_mut() = Place { prev: weak(prev), next: strong(next) };
            }
            visit(Queue { front: strong(raw[front]), back: weak(raw[back]) });
        });
    }
}

/// A station whose line onward can be laid later.
#[derive(Debug, Finitize)]
pub struct Station {
    big: bool,
    onward: RefCell<Option<Rc<Station>>>,
}

/// Stations where a big one never follows a big one, round in circles or not.
#[derive(Debug, Finitize)]
pub struct Line {
    start: Rc<Station>,
}

#[rep_ok]
impl Line {
    pub fn rep_ok(&self) -> bool {
        Self::alternates(&self.start, &mut HashSet::new())
    }

    fn alternates(station: &Rc<Station>, seen: &mut HashSet<*const Station>) -> bool {
        if !seen.insert(Rc::as_ptr(station)) {
            return true;
        }
        match station.onward.borrow().as_ref() {
            None => true,
            Some(onward) if station.big && onward.big => false,
            Some(onward) => Self::alternates(onward, seen),
        }
    }
}

canonical_fields! { Station { big, onward } Line { start } }

impl Subject for Line {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let start = space.slot(scope);
        let slots = space.objects(scope, [2, scope + 1]);
        space.each(|raw| {
            let make = |&[big, _]: &[usize; 2]| Rc::new(Station { big: raw[big] == 1, onward: RefCell::default() });
            let stations: Vec<Rc<Station>> = slots.iter().map(make).collect();
            for (station, [_, onward]) in stations.iter().zip(&slots) {
                *station.onward.borrow_mut() = raw[*onward].checked_sub(1).map(|object| Rc::clone(&stations[object]));
            }
            visit(Line { start: Rc::clone(&stations[raw[start]]) });
        });
    }
}

/// A folder that knows the folder it is in.
#[derive(Debug, Default, Finitize)]
pub struct Folder {
    parent: RefCell<Weak<Folder>>,
    left: RefCell<Option<Rc<Folder>>>,
    right: RefCell<Option<Rc<Folder>>>,
}

/// Folders in folders.
#[derive(Debug, Finitize)]
pub struct Disk {
    top: Option<Rc<Folder>>,
}

#[rep_ok]
impl Disk {
    pub fn rep_ok(&self) -> bool {
        let Some(top) = self.top.as_ref() else { return true };
        top.parent.borrow().upgrade().is_none() && self.parents_are_right(top)
    }

    fn parents_are_right(&self, folder: &Rc<Folder>) -> bool {
        [&folder.left, &folder.right].iter().all(|inner| {
            let inner = inner.borrow();
            let Some(inner) = &*inner else { return true };
            inner.parent.borrow().upgrade().is_some_and(|parent| Rc::ptr_eq(&parent, folder))
                && self.parents_are_right(inner)
        })
    }
}

canonical_fields! { Folder { parent, left, right } Disk { top } }

impl Subject for Disk {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let top = space.slot(scope + 1);
        let slots = space.objects(scope, [scope + 1, scope + 1, scope + 1]);
        space.each(|raw| {
            let folders: Vec<Rc<Folder>> = (0..scope).map(|_| Rc::default()).collect();
            let inner = |object: usize| vec![raw[slots[object][1]], raw[slots[object][2]]];
            let held = held(scope, &[raw[top]], inner);
            let strong = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&folders[object]));
            for object in (0..scope).filter(|&object| held[object]) {
                let [parent, left, right] = slots[object].map(|place| raw[place]);
                *folders[object].left.borrow_mut() = strong(left);
                *folders[object].right.borrow_mut() = strong(right);
                if let Some(parent) = parent.checked_sub(1).filter(|&parent| held[parent]) {
                    *folders[object].parent.borrow_mut() = Rc::downgrade(&folders[parent]);
                }
            }
            visit(Disk { top: strong(raw[top]) });
        });
    }
}

/// Somebody who is looked at.
#[derive(Debug, Default, Finitize)]
pub struct Star {
    friend: Option<Rc<RefCell<Star>>>,
}

/// Looks at a star without holding it; who holds it is not said.
#[derive(Debug, Finitize)]
pub struct Watcher {
    target: Weak<RefCell<Star>>,
    holder: Option<Rc<RefCell<Star>>>,
    other: Option<Rc<RefCell<Star>>>,
}

#[rep_ok]
impl Watcher {
    pub fn rep_ok(&self) -> bool {
        self.target.upgrade().is_some()
    }
}

canonical_fields! { Star { friend } Watcher { target, holder, other } }

impl Subject for Watcher {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (target, holder, other) = (space.slot(scope + 1), space.slot(scope + 1), space.slot(scope + 1));
        let slots = space.objects(scope, [scope + 1]);
        space.each(|raw| {
            let stars: Vec<Rc<RefCell<Star>>> = (0..scope).map(|_| Rc::default()).collect();
            let held = held(scope, &[raw[holder], raw[other]], |object| vec![raw[slots[object][0]]]);
            let strong = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&stars[object]));
            for object in (0..scope).filter(|&object| held[object]) {
                stars[object].borrow_mut().friend = strong(raw[slots[object][0]]);
            }
            let target = match raw[target].checked_sub(1) {
                Some(object) if held[object] => Rc::downgrade(&stars[object]),
                _ => Weak::new(),
            };
            visit(Watcher { target, holder: strong(raw[holder]), other: strong(raw[other]) });
        });
    }
}

/// Points wherever it likes.
#[derive(Debug, Default, Finitize)]
pub struct Knot {
    strong: Option<Rc<RefCell<Knot>>>,
    weak: Weak<RefCell<Knot>>,
}

/// Knots of which nothing is asked.
#[derive(Debug, Finitize)]
pub struct Tangle {
    weak: Weak<RefCell<Knot>>,
    #[finitize(len = 0..=2)]
    strong: Vec<Option<Rc<RefCell<Knot>>>>,
}

#[rep_ok]
impl Tangle {
    pub fn rep_ok(&self) -> bool {
        true
    }
}

canonical_fields! { Knot { strong, weak } Tangle { weak, strong } }

impl Subject for Tangle {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (weak, len) = (space.slot(scope + 1), space.slot(3));
        let places = space.objects(2, [scope + 1]);
        let slots = space.objects(scope, [scope + 1, scope + 1]);
        space.each(|raw| {
            let knots: Vec<Rc<RefCell<Knot>>> = (0..scope).map(|_| Rc::default()).collect();
            let digits: Vec<usize> = places[..raw[len]].iter().map(|&[place]| raw[place]).collect();
            let held = held(scope, &digits, |object| vec![raw[slots[object][0]]]);
            let strong = |digit: usize| digit.checked_sub(1).map(|object| Rc::clone(&knots[object]));
            let downgraded = |digit: usize| match digit.checked_sub(1) {
                Some(object) if held[object] => Rc::downgrade(&knots[object]),
                _ => Weak::new(),
            };
            for object in (0..scope).filter(|&object| held[object]) {
                let [to, seen] = slots[object].map(|place| raw[place]);
                *knots[object].borrow_mut() = Knot { strong: strong(to), weak: downgraded(seen) };
            }
            visit(Tangle { weak: downgraded(raw[weak]), strong: digits.iter().map(|&digit| strong(digit)).collect() });
        });
    }
}
