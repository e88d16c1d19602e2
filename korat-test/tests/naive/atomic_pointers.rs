//! Atomic pointers: a stack whose nodes nothing owns.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields};
use crate::harness::{Space, Subject, held};
use crate::raw::{Memory, debug_by_walk};

/// A node of a stack.
#[derive(Finitize)]
pub struct Item {
    below: AtomicPtr<Item>,
    flag: bool,
}

/// A free place, or one in use.
#[derive(Finitize)]
pub enum Place {
    Free,
    Used(bool),
}

/// A stack, its last node, and a place that may be reserved.
#[derive(Finitize)]
pub struct Stack {
    top: AtomicPtr<Item>,
    last: Option<AtomicPtr<Item>>,
    reserved: AtomicPtr<Place>,
}

#[rep_ok]
impl Stack {
    pub fn rep_ok(&self) -> bool {
        let mut seen: Vec<*mut Item> = Vec::new();
        let mut at = self.top.load(Ordering::Acquire);
        // SAFETY: a pointer of the structure is null or leads to an item.
        while let Some(item) = unsafe { at.as_ref() } {
            if seen.contains(&at) || item.flag && seen.is_empty() {
                return false;
            }
            seen.push(at);
            at = Self::below(item);
        }
        let last = seen.last().copied().unwrap_or(ptr::null_mut());
        if self.last.as_ref().is_some_and(|item| item.load(Ordering::Relaxed) != last) {
            return false;
        }
        // SAFETY: as above, for places.
        match unsafe { self.reserved.load(Ordering::Relaxed).as_ref() } {
            Some(Place::Free) => true,
            Some(Place::Used(flag)) => *flag && !seen.is_empty(),
            None => seen.len() < 2,
        }
    }

    fn below(item: &Item) -> *mut Item {
        item.below.load(Ordering::Acquire)
    }
}

impl<T: Canonical> Canonical for AtomicPtr<T> {
    fn walk(&self, to: &mut Walk) {
        self.load(Ordering::SeqCst).walk(to);
    }
}

impl Canonical for Place {
    fn walk(&self, to: &mut Walk) {
        match self {
            Place::Free => to.plain(&"free"),
            Place::Used(flag) => to.plain(flag),
        }
    }
}

canonical_fields! { Item { below, flag } }

impl Canonical for Stack {
    fn walk(&self, to: &mut Walk) {
        // `None` and `Some` of null are different values.
        to.plain(&self.last.is_some());
        to.fields("Stack", &[&self.top, &self.last, &self.reserved]);
    }
}

debug_by_walk! { Item Place Stack }

impl Subject for Stack {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (top, last) = (space.slot(scope + 1), space.slot(scope + 2));
        // Nothing reserved, then the places; without objects there are none.
        let reserved = space.slot(if scope == 0 { 1 } else { 4 });
        let items = space.objects(scope, [scope + 1, 2]);
        space.each(|raw| {
            let root = [raw[top], raw[last].saturating_sub(1)];
            let reached = held(scope, &root, |object| vec![raw[items[object][0]]]);
            let Some(memory) = Memory::new(scope, &[]) else { return };
            for object in (0..scope).filter(|&object| reached[object]) {
                let [below, flag] = items[object].map(|place| raw[place]);
                memory.fill(object, Item { below: AtomicPtr::new(memory.raw(below)), flag: flag == 1 });
            }
            let places = [Place::Free, Place::Used(false), Place::Used(true)];
            let mut places = places.map(|place| Box::into_raw(Box::new(place))).to_vec();
            places.insert(0, ptr::null_mut());
            visit(Stack {
                top: AtomicPtr::new(memory.raw(raw[top])),
                last: raw[last].checked_sub(1).map(|digit| AtomicPtr::new(memory.raw(digit))),
                reserved: AtomicPtr::new(places[raw[reserved]]),
            });
        });
    }
}
