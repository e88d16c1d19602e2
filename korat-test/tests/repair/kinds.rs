//! Structures of several kinds, repaired as their users do: rings of shared links, arenas, containers, what is shared without a cell.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::{Rc, Weak};

use korat::{Finitize, Reason, Repair, Target, field, rep_ok};

/// A list that is shared and points back.
#[derive(Debug, Finitize)]
struct Link {
    next: Option<Rc<RefCell<Link>>>,
    prev: Weak<RefCell<Link>>,
}

#[derive(Debug, Finitize)]
struct Ring {
    first: Option<Rc<RefCell<Link>>>,
    len: usize,
}

#[rep_ok]
impl Ring {
    /// Every link leads on to one that leads back to it, and the last to the first.
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return self.len == 0 };
        let mut seen: HashSet<*const RefCell<Link>> = HashSet::new();
        let mut at = Rc::clone(first);
        while seen.insert(Rc::as_ptr(&at)) {
            let Some(next) = at.borrow().next.clone() else { return false };
            let Some(back) = next.borrow().prev.upgrade() else { return false };
            if !Rc::ptr_eq(&back, &at) {
                return false;
            }
            at = next;
        }
        Rc::ptr_eq(&at, first) && seen.len() == self.len
    }
}

impl Ring {
    fn of(len: usize) -> (Self, Vec<Rc<RefCell<Link>>>) {
        let links: Vec<_> = (0..len).map(|_| Rc::new(RefCell::new(Link { next: None, prev: Weak::new() }))).collect();
        for (at, link) in links.iter().enumerate() {
            let next = &links[(at + 1) % len];
            link.borrow_mut().next = Some(Rc::clone(next));
            next.borrow_mut().prev = Rc::downgrade(link);
        }
        (Ring { first: links.first().cloned(), len }, links)
    }

    fn open(self, links: Vec<Rc<RefCell<Link>>>) {
        for link in links {
            link.borrow_mut().next = None;
        }
    }
}

#[test]
fn shared_links_are_set_in_their_cells() {
    let (mut ring, links) = Ring::of(6);
    links[3].borrow_mut().prev = Rc::downgrade(&links[0]);
    let repaired = korat::repair(&mut ring).expect("one link is wrong");
    assert!(ring.rep_ok());
    assert_eq!(repaired.changes.len(), 1, "{repaired}");
    assert_eq!(repaired.changes[0].field, "prev");
    assert!(links[3].borrow().prev.upgrade().is_some_and(|prev| Rc::ptr_eq(&prev, &links[2])));
    ring.open(links);
}

#[test]
fn what_others_hold_is_not_taken_apart() {
    let (mut ring, links) = Ring::of(4);
    // Half of the ring is cut off, and held from outside.
    links[1].borrow_mut().next = Some(Rc::clone(&links[0]));
    let repaired = Repair::new().prefer([Target::Null]).repair(&mut ring).expect("a ring of two is left");
    assert!(ring.rep_ok(), "{repaired}");
    assert!(links[2].borrow().next.as_ref().is_some_and(|next| Rc::ptr_eq(next, &links[3])));
    ring.open(links);
}

#[test]
fn what_is_in_use_is_said() {
    let (mut ring, links) = Ring::of(3);
    ring.len = 4;
    let held = links[1].borrow_mut();
    let error = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| korat::repair(&mut ring)));
    drop(held);
    let error = error.expect("no panic").expect_err("a link is borrowed");
    assert!(matches!(&error.reason, Reason::OutOfBounds(what) if what.contains("borrowed")), "{error}");
    assert_eq!(ring.len, 4);
    ring.open(links);
}

/// A list in an arena.
#[derive(Debug, PartialEq, Finitize)]
struct Element {
    #[finitize(index_of = elements)]
    next: Option<usize>,
}

#[derive(Debug, PartialEq, Finitize)]
struct Arena {
    elements: Vec<Element>,
    #[finitize(index_of = elements)]
    first: Option<usize>,
}

#[rep_ok]
impl Arena {
    /// Every element is on the way from the first one on.
    fn rep_ok(&self) -> bool {
        let (mut at, mut seen) = (self.first, HashSet::new());
        while let Some(index) = at {
            if !seen.insert(index) {
                return false;
            }
            let Some(element) = self.elements.get(index) else { return false };
            at = element.next;
        }
        seen.len() == self.elements.len()
    }
}

#[test]
fn elements_are_named_by_their_position() {
    let next = |index: usize| if index < 5 { Some(index + 1) } else { None };
    let mut arena = Arena { elements: (0..6).map(|index| Element { next: next(index) }).collect(), first: Some(0) };
    // It leads out of the arena.
    arena.elements[3].next = Some(77);
    let repaired = korat::repair(&mut arena).expect("one link is wrong");
    assert!(arena.rep_ok());
    let changes: Vec<String> = repaired.changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["elements[3].next: Some(77) -> Some(4)"]);
}

/// The heap of the repair is that of the searches after it.
#[test]
fn a_value_that_is_not_within_the_bounds_leaves_nothing_behind() {
    let count = || korat::Search::new(Arena::scope(3)).count();
    let before = count();
    let mut arena = Arena { elements: vec![Element { next: Some(0) }, Element { next: Some(77) }], first: Some(0) };
    let error = Repair::new().within(Arena::scope(3)).repair(&mut arena).expect_err("there is no element 77");
    assert!(matches!(error.reason, Reason::OutOfBounds(_)), "{error}");
    assert_eq!((count(), arena.elements[1].next), (before, Some(77)));
}

/// A container that may not be there.
#[derive(Debug, PartialEq, Finitize)]
struct Perhaps {
    wanted: bool,
    #[finitize(0..=2, len = 0..=2)]
    numbers: Option<Vec<u8>>,
}

#[rep_ok]
impl Perhaps {
    fn rep_ok(&self) -> bool {
        self.wanted == self.numbers.is_some()
    }
}

#[test]
fn a_container_that_was_not_there_is_made_as_a_whole() {
    let mut perhaps = Perhaps { wanted: true, numbers: None };
    let repaired = Repair::new().keep(field!(Perhaps.wanted)).repair(&mut perhaps).expect("there must be numbers");
    assert!(perhaps.numbers.is_some(), "{repaired}");
    let mut perhaps = Perhaps { wanted: false, numbers: Some(vec![1, 2]) };
    let repaired = Repair::new().keep(field!(Perhaps.wanted)).repair(&mut perhaps).expect("there must be none");
    assert_eq!(perhaps.numbers, None, "{repaired}");
}

/// Shared, and without a cell.
#[derive(Debug, Finitize)]
struct Leaf {
    weight: u8,
}

#[derive(Debug, Finitize)]
struct Pair {
    one: Rc<Leaf>,
    other: Rc<Leaf>,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.one.weight == 1 && Rc::ptr_eq(&self.one, &self.other)
    }
}

#[test]
fn what_is_shared_without_a_cell_changes_if_nobody_else_holds_it() {
    let leaf = Rc::new(Leaf { weight: 0 });
    let mut pair = Pair { one: Rc::clone(&leaf), other: Rc::new(Leaf { weight: 1 }) };
    let error = Repair::new().keep(field!(Pair.one)).fresh(0).repair(&mut pair).expect_err("somebody holds the leaf");
    assert!(matches!(&error.reason, Reason::CannotWrite(what) if what.contains("Leaf")), "{error}");
    assert_eq!((leaf.weight, pair.other.weight), (0, 1), "it is as it was");
    drop(leaf);
    // The leaf changes, and is pointed to anew.
    let repaired = Repair::new().keep(field!(Pair.one)).fresh(0).repair(&mut pair).expect("nobody else holds it");
    assert!(pair.rep_ok(), "{repaired}");
    assert_eq!((Rc::strong_count(&pair.one), repaired.changes.len()), (2, 2));
}

/// Pages as a file has them: those in use in the order of their keys, and a list of free ones, through the same links.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Page {
    #[finitize(0..=scope)]
    key: u32,
    #[finitize(index_of = pages)]
    next: Option<u32>,
    is_free: bool,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Store {
    pages: Vec<Page>,
    #[finitize(index_of = pages)]
    head: Option<u32>,
    #[finitize(index_of = pages)]
    free: Option<u32>,
    #[finitize(0..=scope)]
    used: u32,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let (mut at, mut used, mut last) = (self.head, 0, None);
        while let Some(i) = at {
            let page = &self.pages[i as usize];
            if !seen.insert(i) || page.is_free || last.is_some_and(|last| page.key <= last) {
                return false;
            }
            (at, used, last) = (page.next, used + 1, Some(page.key));
        }
        let mut at = self.free;
        while let Some(i) = at {
            let page = &self.pages[i as usize];
            if !seen.insert(i) || !page.is_free {
                return false;
            }
            at = page.next;
        }
        seen.len() == self.pages.len() && self.used == used
    }
}

impl Store {
    /// Every third page is free.
    fn build(pages: u32) -> Self {
        let page = |at: u32| {
            let is_free = at % 3 == 2;
            let next = at + [1, 2, 3][at as usize % 3];
            Page { key: if is_free { 0 } else { at + 1 }, next: (next < pages).then_some(next), is_free }
        };
        let pages: Vec<Page> = (0..pages).map(page).collect();
        let used = pages.iter().filter(|page| !page.is_free).count() as u32;
        Self { pages, head: Some(0), free: Some(2), used }
    }
}

#[test]
fn one_wrong_field_of_a_store_is_set_right_at_any_size() {
    let breaks: [fn(&mut Store); 7] = [
        |store| store.pages[3].next = Some(1),
        |store| store.pages[3].next = None,
        |store| store.pages[2].is_free = false,
        |store| store.head = None,
        |store| store.free = Some(0),
        |store| store.used += 1,
        |store| store.pages[4].key = 0,
    ];
    for pages in [6, 30, 600] {
        for (number, break_it) in breaks.iter().enumerate() {
            let built = Store::build(pages);
            let mut store = built.clone();
            break_it(&mut store);
            assert!(built.rep_ok() && !store.rep_ok());
            let repaired = korat::repair(&mut store).unwrap_or_else(|error| panic!("{pages} {number}: {error}"));
            assert_eq!(repaired.changes.len(), 1, "{pages} {number}: {repaired}");
            assert!(store == built, "{pages} {number}: {repaired}");
        }
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Samples {
    heights: Vec<u32>,
    widest: u32,
}

#[rep_ok]
impl Samples {
    fn rep_ok(&self) -> bool {
        self.heights.iter().all(|&height| height < 1_000) && self.widest == 7
    }
}

/// Elements are looked for where they are, and not among all others: that would take minutes here.
#[test]
fn a_long_vector_is_told_in_short() {
    let mut samples = Samples { heights: vec![3; 50_000], widest: 6 };
    let told = korat::repair(&mut samples).expect("one number is wrong").to_string();
    assert!(told.contains("(50000 elements)") && told.len() < 1_000, "{told}");
}
