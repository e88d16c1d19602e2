//! The structures of natural predicates: the number of a root is that of its predicate, so that each has a `rep_ok` of its
//! own. Beginning of every generated program.

#![allow(warnings)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::{Rc, Weak};

#[cfg(feature = "lifted")]
#[path = "../driver.rs"]
mod driver;

/// The root whose `rep_ok` accepts everything: it lists the values that are shown to the plain `rep_ok` of another.
const ALL: usize = usize::MAX;

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Node {
    #[cfg_attr(feature = "lifted", finitize(0..=2))]
    key: u8,
    next: Option<Box<Node>>,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct List<const PREDICATE: usize> {
    head: Option<Box<Node>>,
    #[cfg_attr(feature = "lifted", finitize(0..=3))]
    len: usize,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Fork {
    #[cfg_attr(feature = "lifted", finitize(0..=1))]
    key: u8,
    left: Option<Box<Fork>>,
    right: Option<Box<Fork>>,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Tree<const PREDICATE: usize> {
    root: Option<Box<Fork>>,
    #[cfg_attr(feature = "lifted", finitize(0..=3))]
    size: usize,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub enum Expr {
    Lit(#[cfg_attr(feature = "lifted", finitize(0..=2))] u8),
    Neg(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
    If { test: bool, then: Box<Expr>, other: Option<Box<Expr>> },
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Program<const PREDICATE: usize> {
    body: Box<Expr>,
    #[cfg_attr(feature = "lifted", finitize(0..=2))]
    fuel: u8,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Item {
    #[cfg_attr(feature = "lifted", finitize(0..2))]
    up: Option<usize>,
    #[cfg_attr(feature = "lifted", finitize(0..=1))]
    weight: u8,
    tag: Option<char>,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Arena<const PREDICATE: usize> {
    #[cfg_attr(feature = "lifted", finitize(len = 0..=2))]
    items: Vec<Item>,
    #[cfg_attr(feature = "lifted", finitize(0..2))]
    first: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub enum Color {
    Red,
    Black,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub enum State {
    Idle,
    Running { since: bool, color: Color },
    Done(#[cfg_attr(feature = "lifted", finitize(0..=1))] u8, bool),
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Entry {
    #[cfg_attr(feature = "lifted", finitize(0..=1))]
    id: u8,
    state: State,
    #[cfg_attr(feature = "lifted", finitize(len = 0..=1))]
    name: Option<String>,
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Book<const PREDICATE: usize> {
    #[cfg_attr(feature = "lifted", finitize(len = 0..=1))]
    entries: Vec<Entry>,
    current: Cell<bool>,
    #[cfg_attr(feature = "lifted", finitize(0..=1, len = 0..=2))]
    log: RefCell<Vec<u8>>,
    grid: [bool; 2],
}

#[derive(Debug)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Table<const PREDICATE: usize> {
    #[cfg_attr(feature = "lifted", finitize(0..=1))]
    cells: BTreeMap<u8, bool>,
    #[cfg_attr(feature = "lifted", finitize(0..=0))]
    sizes: HashMap<u8, Color>,
    marks: BTreeSet<bool>,
    #[cfg_attr(feature = "lifted", finitize(len = 0..=1))]
    title: String,
    pair: (bool, Color),
    #[cfg_attr(feature = "lifted", finitize(0..=2))]
    limit: Option<u8>,
}

#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Vertex {
    #[cfg_attr(feature = "lifted", finitize(0..=1))]
    label: u8,
    next: Option<Rc<RefCell<Vertex>>>,
    back: Option<Weak<RefCell<Vertex>>>,
}

#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Graph<const PREDICATE: usize> {
    start: Option<Rc<RefCell<Vertex>>>,
    #[cfg_attr(feature = "lifted", finitize(0..=2))]
    bound: u8,
}

#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Person {
    parent: RefCell<Weak<Person>>,
    #[cfg_attr(feature = "lifted", finitize(len = 0..=1))]
    children: RefCell<Vec<Rc<Person>>>,
    #[cfg_attr(feature = "lifted", finitize(0..=1))]
    age: Cell<u8>,
}

#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub struct Family<const PREDICATE: usize> {
    eldest: Option<Rc<Person>>,
    #[cfg_attr(feature = "lifted", finitize(0..=2))]
    members: usize,
}

/// The number of an object in the order of the first visit, and whether this is that visit.
fn number<T>(seen: &mut Vec<*const T>, object: *const T) -> (usize, bool) {
    let known = seen.iter().position(|it| *it == object);
    let at = known.unwrap_or(seen.len());
    if known.is_none() {
        seen.push(object);
    }
    (at, known.is_none())
}

fn write_vertex(out: &mut String, seen: &mut Vec<*const RefCell<Vertex>>, vertex: &Rc<RefCell<Vertex>>) {
    let (at, is_new) = number(seen, Rc::as_ptr(vertex));
    *out += &format!("#{at}");
    if is_new {
        let vertex = vertex.borrow();
        *out += &format!(" {} (", vertex.label);
        if let Some(next) = &vertex.next {
            write_vertex(out, seen, next);
        }
        *out += ", ";
        match vertex.back.as_ref().map(Weak::upgrade) {
            Some(Some(back)) => write_vertex(out, seen, &back),
            Some(None) => *out += "dangling",
            None => {}
        }
        *out += ")";
    }
}

impl<const PREDICATE: usize> std::fmt::Debug for Graph<PREDICATE> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = format!("{} ", self.bound);
        if let Some(start) = &self.start {
            write_vertex(&mut out, &mut Vec::new(), start);
        }
        f.write_str(&out)
    }
}

fn write_person(out: &mut String, seen: &mut Vec<*const Person>, person: &Rc<Person>) {
    let (at, is_new) = number(seen, Rc::as_ptr(person));
    *out += &format!("#{at}");
    if is_new {
        *out += &format!(" {} (", person.age.get());
        if let Some(parent) = person.parent.borrow().upgrade() {
            write_person(out, seen, &parent);
        }
        for child in person.children.borrow().iter() {
            *out += ", ";
            write_person(out, seen, child);
        }
        *out += ")";
    }
}

impl<const PREDICATE: usize> std::fmt::Debug for Family<PREDICATE> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = format!("{} ", self.members);
        if let Some(eldest) = &self.eldest {
            write_person(&mut out, &mut Vec::new(), eldest);
        }
        f.write_str(&out)
    }
}

/// `rep_ok` of the root that lists everything, and the way from its values to those of another root.
macro_rules! shape {
    ($root:ident { $($field:ident),* }, $scope:expr, $impossible:expr) => {
        #[cfg_attr(feature = "lifted", korat::rep_ok)]
        impl $root<ALL> {
            fn rep_ok(&self) -> bool {
                true
            }
        }

        #[cfg(feature = "lifted")]
        impl<const PREDICATE: usize> driver::Shape for $root<PREDICATE>
        where
            $root<PREDICATE>: korat::RepOk,
        {
            const SCOPE: usize = $scope;
            const HAS_IMPOSSIBLE_SHAPES: bool = $impossible;

            fn every() -> Vec<Self> {
                use korat::Finitize as _;
                let bounds = <$root<ALL>>::scope($scope);
                let mut searcher = korat_core::Searcher::<$root<ALL>>::new(&bounds, korat_core::Settings::default()).unwrap();
                let mut all = Vec::new();
                while searcher.advance().unwrap() {
                    let $root { $($field),* } = searcher.value();
                    all.push($root { $($field),* });
                }
                all
            }
        }
    };
}

shape!(List { head, len }, 3, true);
shape!(Tree { root, size }, 3, true);
shape!(Program { body, fuel }, 3, true);
shape!(Arena { items, first }, 2, false);
shape!(Book { entries, current, log, grid }, 1, false);
shape!(Table { cells, sizes, marks, title, pair, limit }, 1, false);
shape!(Graph { start, bound }, 2, true);
shape!(Family { eldest, members }, 2, true);
