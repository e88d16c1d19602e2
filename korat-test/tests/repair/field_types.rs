//! Repairs of fields behind pointers to plain values, in containers of std and in atomics.

use std::cell::RefCell;
use std::collections::{BTreeSet, BinaryHeap, LinkedList};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use korat::{Finitize, Reason, rep_ok};

/// Makes a value wrong.
type Break<T> = fn(&mut T);

#[derive(Debug, Finitize)]
struct Node {
    key: Rc<u32>,
    next: Option<Box<Node>>,
}

/// A list whose keys are behind pointers, with notes about it.
#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
    len: Box<usize>,
    first: Option<Arc<u32>>,
    name: Rc<str>,
    keys: Rc<RefCell<Vec<u32>>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let keys = self.keys.borrow();
        let mut at = &self.head;
        let mut last = None;
        let mut len = 0;
        while let Some(node) = at {
            if last.is_some_and(|last| last >= *node.key) || keys.get(len) != Some(&*node.key) {
                return false;
            }
            last = Some(*node.key);
            len += 1;
            at = &node.next;
        }
        let first = self.head.as_ref().map(|node| *node.key);
        len == *self.len && len == keys.len() && first == self.first.as_deref().copied() && self.name.len() <= 3
    }
}

fn list(keys: &[u32]) -> List {
    let head = keys.iter().rev().fold(None, |next, &key| Some(Box::new(Node { key: Rc::new(key), next })));
    List {
        head,
        len: Box::new(keys.len()),
        first: keys.first().copied().map(Arc::new),
        name: "abc".into(),
        keys: Rc::new(RefCell::new(keys.to_vec())),
    }
}

#[test]
fn plain_values_behind_pointers_are_repaired() {
    let mut list = list(&[3, 70, 500]);
    *list.len = 2;
    list.first = None;
    assert!(!list.rep_ok());
    let repaired = korat::repair(&mut list).expect("two fields are wrong");
    assert!(list.rep_ok());
    assert_eq!((*list.len, list.first.as_deref()), (3, Some(&3)), "{repaired}");
    assert_eq!(list.first.as_ref().map(Arc::strong_count), Some(1));
}

#[test]
fn keys_behind_pointers_are_repaired() {
    let mut list = list(&[3, 70, 500]);
    let second = list.head.as_mut().and_then(|head| head.next.as_mut()).expect("three nodes");
    second.key = Rc::new(1);
    let repaired = korat::repair(&mut list).expect("one key is wrong");
    assert!(list.rep_ok(), "{repaired}");
    let second = list.head.as_ref().and_then(|head| head.next.as_ref()).expect("three nodes");
    assert_eq!((*second.key, Rc::strong_count(&second.key)), (70, 1), "{repaired}");
}

#[test]
fn what_is_not_wrong_stays_in_its_place() {
    let mut list = list(&[3, 70]);
    let (name, keys) = (Rc::clone(&list.name), Rc::clone(&list.keys));
    *list.len = 7;
    korat::repair(&mut list).expect("the length is wrong");
    assert!(list.rep_ok());
    assert!(Rc::ptr_eq(&name, &list.name) && Rc::ptr_eq(&keys, &list.keys));
    assert_eq!((Rc::strong_count(&name), Rc::strong_count(&keys)), (2, 2), "a repair keeps nothing");
}

#[test]
fn plain_value_that_two_pointers_share_is_refused() {
    let mut list = list(&[3, 70]);
    let head = list.head.as_mut().expect("two nodes");
    let shared = Rc::clone(&head.key);
    head.next.as_mut().expect("two nodes").key = shared;
    let error = korat::repair(&mut list).expect_err("sharing is not generated");
    assert!(matches!(&error.reason, Reason::OutOfBounds(what) if what.contains("share")), "{error}");
}

/// Containers and plain values of std.
#[derive(Debug, Finitize)]
struct Store {
    range: Range<u32>,
    list: LinkedList<u32>,
    heap: BinaryHeap<u32>,
    count: AtomicU32,
    pairs: BTreeSet<(u32, bool)>,
    #[finitize([0.0, 0.5, 1.0])]
    share: f64,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        let count = self.count.load(Ordering::Relaxed);
        self.range.start <= self.range.end
            && self.list.len() == count as usize
            && self.heap.len() == self.list.len()
            && self.pairs.iter().filter(|(_, is_set)| *is_set).count() == self.list.len()
            && self.share > 0.4
    }
}

fn store() -> Store {
    Store {
        range: 100..200,
        list: LinkedList::from([5, 6]),
        heap: BinaryHeap::from([900, 7]),
        count: AtomicU32::new(2),
        pairs: BTreeSet::from([(3, true), (40, false), (50, true)]),
        share: 0.75,
    }
}

#[test]
fn containers_of_std_are_repaired() {
    assert!(store().rep_ok());
    let breaks: [(&str, Break<Store>); 6] = [
        ("range", |store| store.range.start = 300),
        ("list", |store| store.list.push_back(1)),
        ("heap", |store| store.heap.push(8)),
        ("count", |store| *store.count.get_mut() = 77),
        ("pairs", |store| _ = store.pairs.remove(&(3, true))),
        ("share", |store| store.share = 0.25),
    ];
    for (field, spoil) in breaks {
        let mut value = store();
        spoil(&mut value);
        assert!(!value.rep_ok(), "{field}");
        let repaired = korat::repair(&mut value).unwrap_or_else(|error| panic!("{field}: {error}"));
        assert!(value.rep_ok(), "{field}: {repaired}");
    }
}

#[test]
fn nan_is_out_of_bounds() {
    let mut value = store();
    value.share = f64::NAN;
    let error = korat::repair(&mut value).expect_err("NaN equals nothing");
    assert!(matches!(&error.reason, Reason::OutOfBounds(what) if what.contains("NaN")), "{error}");
}

#[derive(Debug, Finitize)]
struct Point {
    x: u32,
    y: u32,
}

/// Classes in tuples, cells in options, and nodes that know others through a shared list.
#[derive(Debug, Finitize)]
struct Map {
    #[finitize(len = 0..=4)]
    places: Vec<(u32, Point)>,
    count: Option<RefCell<u32>>,
    home: (Point, RefCell<bool>),
}

#[rep_ok]
impl Map {
    fn rep_ok(&self) -> bool {
        let is_set = *self.home.1.borrow();
        self.places.iter().all(|(sum, point)| *sum == point.x + point.y)
            && self.count.as_ref().is_none_or(|count| *count.borrow() as usize == self.places.len())
            && is_set == (self.home.0.x == self.home.0.y)
    }
}

fn map() -> Map {
    Map {
        places: vec![(30, Point { x: 10, y: 20 }), (0, Point { x: 0, y: 0 })],
        count: Some(RefCell::new(2)),
        home: (Point { x: 7, y: 7 }, RefCell::new(true)),
    }
}

#[test]
fn classes_in_tuples_and_cells_in_options_are_repaired() {
    assert!(map().rep_ok());
    let breaks: [(&str, Break<Map>); 5] = [
        ("sum", |map| map.places[0].0 = 99),
        ("point", |map| map.places[1].1.y = 55),
        ("count", |map| map.count = Some(RefCell::new(80))),
        ("home", |map| map.home.0.x = 8),
        ("cell", |map| _ = map.home.1.replace(false)),
    ];
    for (field, spoil) in breaks {
        let mut value = map();
        spoil(&mut value);
        assert!(!value.rep_ok(), "{field}");
        let repaired = korat::repair(&mut value).unwrap_or_else(|error| panic!("{field}: {error}"));
        assert!(value.rep_ok(), "{field}: {repaired}");
        assert_eq!(value.places.len(), 2, "{field}: {repaired}");
    }
}
