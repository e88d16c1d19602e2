//! Raw pointers, and `unsafe` blocks around every kind of control flow; locks.

use std::fmt::{self, Debug, Write};
use std::ptr::{self, NonNull};
use std::sync::{Arc, Mutex, RwLock};

use korat::{Finitize, rep_ok};

/// The nodes that pointers lead to, by number: addresses are others in every run.
fn shape<N>(roots: &[*const N], parts: fn(&N) -> (String, Vec<*const N>)) -> String {
    fn number<N>(met: &mut Vec<*const N>, pointer: *const N) -> String {
        if pointer.is_null() {
            return "-".to_string();
        }
        let place = met.iter().position(|known| ptr::eq(*known, pointer)).unwrap_or_else(|| {
            met.push(pointer);
            met.len() - 1
        });
        place.to_string()
    }
    let mut met = Vec::new();
    let mut text = String::new();
    for root in roots {
        write!(text, "{} ", number(&mut met, *root)).expect("writing to a string cannot fail");
    }
    let mut next = 0;
    while next < met.len() {
        // SAFETY: pointers of these structures are null or lead to a node.
        let (own, targets) = parts(unsafe { &*met[next] });
        let targets: Vec<String> = targets.into_iter().map(|target| number(&mut met, target)).collect();
        write!(text, "{next}({own} {}) ", targets.join(" ")).expect("writing to a string cannot fail");
        next += 1;
    }
    text
}

/// A node of a ring.
#[derive(Finitize)]
pub struct Bead {
    next: *mut Bead,
    prev: *mut Bead,
    #[finitize(0..=1)]
    value: u8,
}

impl Bead {
    fn parts(&self) -> (String, Vec<*const Bead>) {
        (self.value.to_string(), vec![self.next, self.prev])
    }
}

/// All in one `unsafe` block: a ring in order.
#[derive(Finitize)]
pub struct Beads {
    first: *mut Bead,
    len: usize,
}

#[rep_ok]
impl Beads {
    fn rep_ok(&self) -> bool {
        // SAFETY: a pointer of the structure is null or leads to a bead.
        unsafe {
            if self.first.is_null() {
                return self.len == 0;
            }
            let mut at = self.first;
            let mut count = 0;
            loop {
                let Bead { next, value, .. } = &*at;
                if next.is_null() || *value > (**next).value && *next != self.first {
                    return false;
                }
                let before = ptr::addr_of!((**next).prev);
                if *before != at || !Self::is_small(*next) {
                    return false;
                }
                count += 1;
                at = *next;
                if ptr::eq(at, self.first) {
                    break;
                }
            }
            count == self.len
        }
    }

    /// # Safety
    /// The pointer must lead to a bead.
    unsafe fn is_small(bead: *const Bead) -> bool {
        // SAFETY: as the caller says.
        unsafe { (*bead).value < 2 }
    }
}

impl Debug for Beads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.len, shape(&[self.first], Bead::parts))
    }
}

/// An entry of a cache, linked in both directions.
#[derive(Finitize)]
pub struct Entry {
    links: [*mut Entry; 2],
    next: *mut Entry,
    #[finitize(0..=1)]
    used: u8,
}

impl Entry {
    fn parts(&self) -> (String, Vec<*const Entry>) {
        (self.used.to_string(), vec![self.links[0], self.links[1], self.next])
    }
}

/// Pointers that are dereferenced where they are read, as in `(*(*at).next).prev`: fields, elements and methods below them.
#[derive(Finitize)]
pub struct Cache {
    head: *mut Entry,
    tail: *mut Entry,
    len: usize,
}

#[rep_ok]
impl Cache {
    fn rep_ok(&self) -> bool {
        struct Tally<'a> {
            total: &'a mut usize,
        }
        if self.head.is_null() || self.tail.is_null() || self.head == self.tail {
            return false;
        }
        let mut total = 0;
        let tally = Tally { total: &mut total };
        // SAFETY: a pointer of the structure is null or leads to an entry.
        unsafe {
            if !(*self.head).links[0].is_null() || (*self.head).used != 0 || !(*self.tail).next.is_null() {
                return false;
            }
            let mut at = self.head;
            while at != self.tail {
                if (*at).next.is_null() || (*(*at).next).links[0] != at || *tally.total > self.len {
                    return false;
                }
                if (*(*at).next).used.count_ones() > (*self.tail).used.count_ones() {
                    return false;
                }
                *tally.total += 1;
                at = (*at).next;
            }
            total == self.len && Self::is_last(self.tail)
        }
    }

    /// # Safety
    /// The pointer must lead to an entry that is not the first.
    unsafe fn is_last(entry: *mut Entry) -> bool {
        // SAFETY: as the caller says.
        unsafe { (*(*entry).links[0]).next == entry && (*(*(*entry).links[0]).next).links[1].is_null() }
    }
}

impl Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.len, shape(&[self.head, self.tail], Entry::parts))
    }
}

/// A stop, with a shortcut to a later one.
#[derive(Finitize)]
pub struct Stop {
    next: Option<Box<Stop>>,
    express: Option<NonNull<Stop>>,
}

/// Stops that boxes own, with shortcuts that lead ahead.
#[derive(Finitize)]
pub struct Tram {
    start: Option<Box<Stop>>,
    end: *const Stop,
}

#[rep_ok]
impl Tram {
    fn rep_ok(&self) -> bool {
        let mut stops: Vec<*const Stop> = Vec::new();
        let mut at = self.start.as_deref();
        while let Some(stop) = at {
            if stops.contains(&ptr::from_ref(stop)) {
                return false;
            }
            stops.push(stop);
            at = stop.next.as_deref();
        }
        let ahead =
            |place: usize, to: NonNull<Stop>| stops.iter().skip(place + 1).any(|stop| ptr::eq(*stop, to.as_ptr()));
        for place in 0..stops.len() {
            // SAFETY: it is the address of a stop.
            let express = unsafe { stops[place].as_ref() }.and_then(|stop| stop.express);
            if express.is_some_and(|to| !ahead(place, to)) {
                return false;
            }
        }
        stops.last().copied().unwrap_or(ptr::null()) == self.end
    }
}

impl Debug for Tram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start.as_deref().map_or(ptr::null(), ptr::from_ref);
        let text = shape(&[start, self.end], |stop| {
            let next = stop.next.as_deref().map_or(ptr::null(), ptr::from_ref);
            (String::new(), vec![next, stop.express.map_or(ptr::null(), |to| to.as_ptr().cast_const())])
        });
        f.write_str(&text)
    }
}

/// A twig that knows where it grows.
#[derive(Finitize)]
pub struct Twig {
    up: Option<NonNull<Twig>>,
    left: Option<NonNull<Twig>>,
    right: Option<NonNull<Twig>>,
}

/// Every way of leaving an `unsafe` block.
#[derive(Finitize)]
pub struct Shrub {
    root: Option<NonNull<Twig>>,
    #[finitize(0..=1)]
    kind: u8,
}

#[rep_ok]
impl Shrub {
    fn rep_ok(&self) -> bool {
        let Some(root) = self.root else { return self.kind == 0 };
        let mut seen = vec![root];
        let mut work = vec![root];
        'twigs: while let Some(twig) = work.pop() {
            // SAFETY: a pointer of the structure leads to a twig.
            let (left, right) = unsafe {
                let twig = twig.as_ref();
                if twig.left.is_none() && twig.right.is_none() {
                    continue 'twigs;
                }
                if self.kind == 1 && twig.left.is_none() {
                    break 'twigs;
                }
                (twig.left, twig.right)
            };
            for child in [left, right].into_iter().flatten() {
                // SAFETY: as above.
                if unsafe { child.as_ref().up } != Some(twig) || seen.contains(&child) {
                    return false;
                }
                seen.push(child);
                work.push(child);
            }
        }
        // SAFETY: as above.
        let height = unsafe { Self::height(Some(root), 4) };
        height.is_some_and(|height| height <= 2)
    }

    /// # Safety
    /// The pointer must lead to a twig.
    unsafe fn height(twig: Option<NonNull<Twig>>, most: usize) -> Option<usize> {
        let Some(twig) = twig else { return Some(0) };
        let below = most.checked_sub(1)?;
        // SAFETY: as the caller says.
        unsafe {
            let left = Self::height((*twig.as_ptr()).left, below)?;
            let right = Self::height((*twig.as_ptr()).right, below)?;
            Some(1 + if left > right { left } else { right })
        }
    }
}

impl Debug for Shrub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = |twig: Option<NonNull<Twig>>| twig.map_or(ptr::null(), |twig| twig.as_ptr().cast_const());
        let text = shape(&[address(self.root)], |twig| {
            let address = |twig: Option<NonNull<Twig>>| twig.map_or(ptr::null(), |twig| twig.as_ptr().cast_const());
            (String::new(), vec![address(twig.up), address(twig.left), address(twig.right)])
        });
        write!(f, "{} {text}", self.kind)
    }
}

/// A clerk behind a lock.
#[derive(Debug, Finitize)]
pub struct Clerk {
    #[finitize(0..=1)]
    rank: u8,
    boss: Option<Arc<RwLock<Clerk>>>,
}

/// Two desks, whose clerks have higher bosses; helpers name the types of the locks.
#[derive(Debug, Finitize)]
pub struct Counter {
    desks: [Option<Arc<RwLock<Clerk>>>; 2],
    open: Mutex<bool>,
}

#[rep_ok]
impl Counter {
    fn rep_ok(&self) -> bool {
        if !*self.open.lock().unwrap() {
            return self.desks.iter().all(Option::is_none);
        }
        self.desks.iter().flatten().all(|clerk| Self::rises(clerk)) && self.desks[0].is_some()
    }

    fn rises(clerk: &Arc<RwLock<Clerk>>) -> bool {
        let own = clerk.read().unwrap();
        match &own.boss {
            Some(boss) => Self::rank(boss) > own.rank && Self::rises(boss),
            None => true,
        }
    }

    fn rank(clerk: &RwLock<Clerk>) -> u8 {
        clerk.read().map_or(0, |clerk| clerk.rank)
    }
}
