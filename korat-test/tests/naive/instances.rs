//! Generic classes whose arguments are not plain: classes, texts, vectors and pointers.

use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk};
use crate::harness::{Subject, lists};

/// What a chain holds.
pub trait Weight {
    const HEAVIEST: usize;
    fn weight(&self) -> usize;
}

/// A class as an argument.
#[derive(Clone, Debug, Finitize)]
#[finitize(objects = 2)]
pub struct Stone {
    #[finitize(0..=1)]
    size: usize,
    wet: bool,
}

#[rep_ok(helpers)]
impl Weight for Stone {
    const HEAVIEST: usize = 2;
    fn weight(&self) -> usize {
        if self.wet { self.size + 1 } else { self.size }
    }
}

/// An enum with data as an argument.
#[derive(Clone, Debug, Finitize)]
pub enum Shape {
    Dot,
    Box { width: u8, height: u8 },
}

#[rep_ok(helpers)]
impl Weight for Shape {
    const HEAVIEST: usize = 1;
    fn weight(&self) -> usize {
        match self {
            Shape::Dot => 0,
            Shape::Box { width, height } => usize::from(*width * *height),
        }
    }
}

impl Weight for String {
    const HEAVIEST: usize = 1;
    fn weight(&self) -> usize {
        self.len()
    }
}

/// One link of a chain.
#[derive(Clone, Debug, Finitize)]
#[finitize(instances(Link<Stone, 2>, Link<Shape, 2>, Link<String, 2>))]
pub struct Link<T, const N: usize> {
    item: T,
    next: Option<Box<Link<T, N>>>,
}

/// A chain of anything that has a weight.
#[derive(Clone, Debug, Finitize)]
#[finitize(instances(Chain<Stone, 2>, Chain<Shape, 2>, Chain<String, 2>))]
pub struct Chain<T, const N: usize> {
    first: Option<Box<Link<T, N>>>,
    #[finitize(0..=N)]
    len: usize,
}

#[rep_ok(instances(Chain<Stone, 2>, Chain<Shape, 2>, Chain<String, 2>))]
impl<T: Weight, const N: usize> Chain<T, N> {
    /// As long as it says, and not too heavy.
    pub fn rep_ok(&self) -> bool {
        let (mut len, mut last): (usize, Option<&T>) = (0, None);
        let mut at = &self.first;
        while let Some(link) = at {
            let Link { item, next } = &**link;
            if Self::weigh(item) > T::HEAVIEST || last.is_some_and(|last| last.weight() > item.weight()) {
                return false;
            }
            last = Some(item);
            len += 1;
            at = next;
        }
        assert!(len <= N || T::HEAVIEST > 0, "{}", stringify!(T));
        len == self.len && len <= N
    }

    fn weigh(item: &T) -> usize {
        T::weight(item)
    }
}

fn stones() -> Vec<Stone> {
    [0, 1].iter().flat_map(|&size| [false, true].map(|wet| Stone { size, wet })).collect()
}

fn shapes(scope: usize) -> Vec<Shape> {
    let sides = || 0..=scope as u8;
    let boxes = sides().flat_map(|width| sides().map(move |height| Shape::Box { width, height }));
    std::iter::once(Shape::Dot).chain(boxes).collect()
}

fn texts(scope: usize) -> Vec<String> {
    lists(&['a', 'b'], scope).into_iter().map(|letters| letters.into_iter().collect()).collect()
}

fn chains<T: Clone>(items: &[T], scope: usize) -> Vec<Chain<T, 2>> {
    let linked = |list: &Vec<T>| {
        list.iter().rev().fold(None, |next, item| Some(Box::new(Link::<T, 2> { item: item.clone(), next })))
    };
    lists(items, scope)
        .iter()
        .flat_map(|list| (0..=2).map(|len| Chain { first: linked(list), len }).collect::<Vec<_>>())
        .collect()
}

/// Items in a vector and in an option.
#[derive(Clone, Debug, Finitize)]
#[finitize(instances(Shelf<Stone>, Shelf<Vec<bool>>, Shelf<Box<u8>>))]
pub struct Shelf<T> {
    items: Vec<T>,
    top: Option<T>,
}

#[rep_ok(instances(Shelf<Stone>, Shelf<Vec<bool>>, Shelf<Box<u8>>))]
impl<T> Shelf<T> {
    /// Something is on top if and only if there is something below.
    pub fn rep_ok(&self) -> bool {
        let below: Vec<&T> = self.items.iter().collect();
        Self::is_covered(&self.top) != below.is_empty()
    }

    fn is_covered(top: &Option<T>) -> bool {
        top.is_some()
    }
}

fn shelves<T: Clone>(items: &[Vec<T>], tops: &[T]) -> Vec<Shelf<T>> {
    let tops = || std::iter::once(None).chain(tops.iter().cloned().map(Some));
    items.iter().flat_map(|items| tops().map(move |top| Shelf { items: items.clone(), top })).collect()
}

/// Two pointers, which may share an item, and one that owns its own.
#[derive(Clone, Debug, Finitize)]
#[finitize(instances(Ties<Stone>))]
pub struct Ties<T> {
    one: Rc<T>,
    other: Option<Rc<T>>,
    own: Option<Box<T>>,
}

#[rep_ok(instances(Ties<Stone>))]
impl<T: Weight> Ties<T> {
    /// Other items are lighter.
    pub fn rep_ok(&self) -> bool {
        let is_lighter = |other: &Rc<T>| Rc::ptr_eq(&self.one, other) || other.weight() < self.one.weight();
        self.other.as_ref().is_none_or(is_lighter) && Self::is_light(&self.own)
    }

    fn is_light(own: &Option<Box<T>>) -> bool {
        own.as_ref().is_none_or(|own| T::weight(own) == 0)
    }
}

impl Canonical for Stone {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl Canonical for Ties<Stone> {
    fn walk(&self, to: &mut Walk) {
        to.fields("Ties", &[&self.one, &self.other, &self.own]);
    }
}

impl Subject for Ties<Stone> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    /// Every class has two objects, however they are held.
    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        for first in stones() {
            let one = || Rc::new(first.clone());
            visit(Ties { one: one(), other: None, own: None });
            let shared = one();
            visit(Ties { one: Rc::clone(&shared), other: Some(shared), own: None });
            for second in stones() {
                visit(Ties { one: one(), other: Some(Rc::new(second.clone())), own: None });
                visit(Ties { one: one(), other: None, own: Some(Box::new(second.clone())) });
                let shared = one();
                visit(Ties { one: Rc::clone(&shared), other: Some(shared), own: Some(Box::new(second)) });
            }
        }
    }
}

/// A generic container.
#[derive(Clone, Debug, Finitize)]
#[finitize(instances(Sparse<Entry<bool>>))]
pub struct Sparse<T> {
    dense: Vec<Option<Box<T>>>,
}

#[rep_ok(helpers, instances(Sparse<Entry<bool>>))]
impl<T> Sparse<T> {
    fn get(&self, at: usize) -> Option<&T> {
        self.dense.get(at)?.as_deref()
    }
}

/// A class with a plain parameter, as an argument.
#[derive(Clone, Debug, Finitize)]
pub struct Entry<V> {
    value: V,
}

/// It holds an instance of a generic container.
#[derive(Clone, Debug, Finitize)]
pub struct Store {
    entries: Sparse<Entry<bool>>,
    count: usize,
}

#[rep_ok]
impl Store {
    /// Counts the entries, of which none is false.
    pub fn rep_ok(&self) -> bool {
        let found = (0..self.entries.dense.len()).filter(|&at| self.entries.get(at).is_some_and(|entry| entry.value));
        found.count() == self.count && self.entries.dense.iter().flatten().count() == self.count
    }
}

/// Declares subjects that are compared by their `Debug` text, and whether `rep_ok` rejects impossible shapes.
macro_rules! subjects {
    ($($type:ty, $excludes:literal = $all:expr;)*) => {$(
        impl Canonical for $type {
            fn walk(&self, to: &mut Walk) {
                to.plain(self);
            }
        }

        impl Subject for $type {
            const EXCLUDES_IMPOSSIBLE_SHAPES: bool = $excludes;

            fn untouched(&self) -> bool {
                self.rep_ok()
            }

            fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
                let all: fn(usize) -> Vec<$type> = $all;
                all(scope).into_iter().for_each(visit);
            }
        }
    )*};
}

subjects! {
    Chain<Stone, 2>, false = |scope| chains(&stones(), scope);
    Chain<Shape, 2>, false = |scope| chains(&shapes(scope), scope);
    Chain<String, 2>, false = |scope| chains(&texts(scope), scope);
    Shelf<Stone>, true = |scope| shelves(&lists(&stones(), scope.min(2)), &stones());
    Shelf<Vec<bool>>, true = |scope| {
        let rows = lists(&[false, true], scope);
        shelves(&lists(&rows, scope), &rows)
    };
    Shelf<Box<u8>>, true = |scope| {
        let numbers: Vec<Box<u8>> = (0..=scope as u8).map(Box::new).collect();
        shelves(&lists(&numbers, scope), &numbers)
    };
    Store, false = |scope| {
        let entries = [None, Some(false), Some(true)].map(|value| value.map(|value| Box::new(Entry { value })));
        let dense = lists(&entries, scope);
        let store = |dense: Vec<Option<Box<Entry<bool>>>>, count| Store { entries: Sparse { dense }, count };
        dense.into_iter().flat_map(|dense| (0..=scope).map(move |count| store(dense.clone(), count))).collect()
    };
}
