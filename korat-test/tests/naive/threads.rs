//! Structures of `Arc`, locks and cells that are set once: a doubly linked list behind locks, shared leaves, cells of plain values.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields};
use crate::harness::{Space, Subject, held};

impl<T: Canonical> Canonical for Arc<T> {
    fn walk(&self, to: &mut Walk) {
        to.pointer(&**self);
    }
}

impl<T: Canonical> Canonical for Weak<T> {
    fn walk(&self, to: &mut Walk) {
        match self.upgrade() {
            Some(strong) => to.pointer(&*strong),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for Mutex<T> {
    fn walk(&self, to: &mut Walk) {
        self.lock().expect("nobody panics").walk(to);
    }
}

impl<T: Canonical> Canonical for RwLock<T> {
    fn walk(&self, to: &mut Walk) {
        self.read().expect("nobody panics").walk(to);
    }
}

impl<T: Canonical> Canonical for OnceCell<T> {
    fn walk(&self, to: &mut Walk) {
        match self.get() {
            Some(value) => value.walk(to),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for OnceLock<T> {
    fn walk(&self, to: &mut Walk) {
        match self.get() {
            Some(value) => value.walk(to),
            None => to.plain(&()),
        }
    }
}

/// Fields and helpers may name their types by another name.
type Shared = Arc<Mutex<Peer>>;

/// One end of a wire.
#[derive(Debug, Finitize)]
pub struct Peer {
    next: Option<Shared>,
    prev: Weak<Mutex<Peer>>,
}

/// Peers in a row, each of which knows both neighbours.
#[derive(Debug, Finitize)]
pub struct Wire {
    first: Option<Arc<Mutex<Peer>>>,
    len: usize,
}

#[rep_ok]
impl Wire {
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let mut before = Weak::new();
        let mut at = self.first.clone();
        while let Some(peer) = at {
            if !seen.insert(Arc::as_ptr(&peer)) || !Weak::ptr_eq(&peer.lock().unwrap().prev, &before) {
                return false;
            }
            before = Arc::downgrade(&peer);
            at = Self::after(&peer);
        }
        seen.len() == self.len
    }

    fn after(peer: &Shared) -> Option<Shared> {
        peer.lock().ok()?.next.clone()
    }
}

canonical_fields! { Peer { next, prev } Wire { first, len } }

impl Subject for Wire {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (first, len) = (space.slot(scope + 1), space.slot(scope + 1));
        let places = space.objects(scope, [scope + 1, scope + 1]);
        space.each(|raw| {
            // A weak pointer to what nothing holds is the same value as one to nothing.
            let held = held(scope, &[raw[first]], |object| vec![raw[places[object][0]]]);
            let peers: Vec<_> =
                (0..scope).map(|_| Arc::new(Mutex::new(Peer { next: None, prev: Weak::new() }))).collect();
            let peer = |digit: usize| digit.checked_sub(1).map(|object| Arc::clone(&peers[object]));
            for (object, places) in peers.iter().zip(&places) {
                let [next, prev] = places.map(|place| raw[place]);
                let mut object = object.lock().expect("nobody panics");
                object.next = peer(next);
                let prev = if prev > 0 && held[prev - 1] { prev } else { 0 };
                object.prev = peer(prev).map_or_else(Weak::new, |peer| Arc::downgrade(&peer));
            }
            let wire = Wire { first: peer(raw[first]), len: raw[len] };
            drop(peers);
            visit(wire);
        });
    }
}

/// A leaf that is shared.
#[derive(Debug, Finitize)]
pub struct Leaf {
    green: bool,
}

/// Leaves in pointers, locks and cells.
#[derive(Debug, Finitize)]
pub struct Bush {
    oldest: Arc<Leaf>,
    newest: RwLock<Option<Arc<Leaf>>>,
    found: OnceLock<Arc<Leaf>>,
}

#[rep_ok]
impl Bush {
    pub fn rep_ok(&self) -> bool {
        let newest = self.newest.read().unwrap();
        match (&*newest, self.found.get()) {
            (Some(newest), Some(found)) => Arc::ptr_eq(newest, found) || !self.oldest.green,
            (None, Some(found)) => Arc::ptr_eq(&self.oldest, found),
            (_, None) => self.oldest.green,
        }
    }
}

canonical_fields! { Leaf { green } Bush { oldest, newest, found } }

impl Subject for Bush {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (oldest, newest, found) = (space.slot(scope), space.slot(scope + 1), space.slot(scope + 1));
        let leaves = space.objects(scope, [2]);
        space.each(|raw| {
            let leaves: Vec<_> = leaves.iter().map(|&[green]| Arc::new(Leaf { green: raw[green] == 1 })).collect();
            let leaf = |digit: usize| digit.checked_sub(1).map(|object| Arc::clone(&leaves[object]));
            visit(Bush {
                oldest: Arc::clone(&leaves[raw[oldest]]),
                newest: RwLock::new(leaf(raw[newest])),
                found: leaf(raw[found]).map_or_else(OnceLock::new, OnceLock::from),
            });
        });
    }
}

/// Cells of plain values.
#[derive(Debug, Finitize)]
pub struct Meter {
    reading: Cell<u8>,
    #[finitize(len = 0..=1)]
    past: Vec<Cell<bool>>,
    limit: OnceCell<u8>,
    unit: Mutex<bool>,
    pair: (Cell<bool>, bool),
    spare: Option<Cell<u8>>,
}

#[rep_ok]
impl Meter {
    pub fn rep_ok(&self) -> bool {
        let Some(limit) = self.limit.get() else { return self.reading.get() == 0 && self.past.is_empty() };
        let calm = self.past.iter().all(Cell::get);
        let spare = self.spare.as_ref().map(Cell::get);
        self.reading.get() <= *limit
            && calm == *self.unit.lock().unwrap()
            && self.pair.0.get() != self.pair.1
            && spare.is_none_or(|spare| spare < *limit)
    }
}

canonical_fields! { Meter { reading, past, limit, unit, pair, spare } }

impl Subject for Meter {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (reading, past, limit) = (space.slot(scope + 1), space.slot(3), space.slot(scope + 2));
        let (unit, one, two, spare) = (space.slot(2), space.slot(2), space.slot(2), space.slot(scope + 2));
        space.each(|raw| {
            let limit = raw[limit].checked_sub(1);
            visit(Meter {
                reading: Cell::new(raw[reading] as u8),
                past: raw[past].checked_sub(1).map(|calm| Cell::new(calm == 1)).into_iter().collect(),
                limit: limit.map_or_else(OnceCell::new, |limit| OnceCell::from(limit as u8)),
                unit: Mutex::new(raw[unit] == 1),
                pair: (Cell::new(raw[one] == 1), raw[two] == 1),
                spare: raw[spare].checked_sub(1).map(|spare| Cell::new(spare as u8)),
            });
        });
    }
}
