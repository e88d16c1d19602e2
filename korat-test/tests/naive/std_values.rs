//! Ranges, floats, lists, heaps and atomics of std.

use std::collections::{BinaryHeap, LinkedList};
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields, canonical_plain};
use crate::harness::{Space, Subject, lists};

canonical_plain! { Range<u8> RangeInclusive<u8> f32 f64 AtomicU8 AtomicBool AtomicUsize }

impl<T: Canonical> Canonical for LinkedList<T> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.len());
        self.iter().for_each(|value| value.walk(to));
    }
}

/// The order inside does not count.
impl<T: Clone + Ord + std::fmt::Debug> Canonical for BinaryHeap<T> {
    fn walk(&self, to: &mut Walk) {
        to.plain(&self.clone().into_sorted_vec());
    }
}

/// Ranges of numbers, one inside the other, with a share.
#[derive(Debug, Finitize)]
pub struct Span {
    outer: Range<u8>,
    inner: Option<RangeInclusive<u8>>,
    #[finitize([0.0, -1.5])]
    share: f64,
    #[finitize([None, Some(0.5)])]
    half: Option<f32>,
    #[finitize([1.0], len = 0..=1)]
    parts: Vec<f32>,
    #[finitize([0..1, 2..2])]
    listed: Range<u8>,
}

#[rep_ok]
impl Span {
    pub fn rep_ok(&self) -> bool {
        if self.outer.start > self.outer.end || self.listed.is_empty() {
            return false;
        }
        let inside = match &self.inner {
            Some(inner) => inner.clone().all(|number| self.outer.contains(&number)) && inner.start() <= inner.end(),
            None => self.outer.len() == usize::from(self.outer.end) && self.share < 0.0,
        };
        let mut sum = 0;
        for number in self.outer.clone() {
            sum += number;
        }
        inside && self.half.map_or(sum < 2, |half| half + self.parts.iter().sum::<f32>() > 1.0)
    }
}

canonical_fields! { Span { outer, inner, share, half, parts, listed } }

impl Subject for Span {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let [start, end, first, last] = [(); 4].map(|()| space.slot(scope + 1));
        let [some, share, half, part, listed] = [(); 5].map(|()| space.slot(2));
        space.each(|raw| {
            visit(Span {
                outer: raw[start] as u8..raw[end] as u8,
                inner: (raw[some] == 1).then(|| raw[first] as u8..=raw[last] as u8),
                share: [0.0, -1.5][raw[share]],
                half: [None, Some(0.5)][raw[half]],
                parts: vec![1.0; raw[part]],
                listed: [0..1, 2..2][raw[listed]].clone(),
            });
        });
    }
}

/// A car of a train.
#[derive(Clone, Debug, Finitize)]
pub struct Car {
    heavy: bool,
}

/// Lists and heaps; nothing reads `unread`.
#[derive(Debug, Finitize)]
pub struct Yard {
    #[finitize(len = 0..=2)]
    train: LinkedList<Car>,
    #[finitize(1..=2)]
    marks: Option<LinkedList<u8>>,
    weights: BinaryHeap<u8>,
    #[finitize(len = 0..=1)]
    spare: Rc<BinaryHeap<bool>>,
    #[finitize([1], len = 1..=1)]
    single: Option<BinaryHeap<u8>>,
    #[finitize([false, true], len = 1..=1)]
    unread: Vec<BinaryHeap<bool>>,
}

#[rep_ok]
impl Yard {
    pub fn rep_ok(&self) -> bool {
        if !Self::is_sorted(&self.train) || self.train.front().is_some_and(|car| car.heavy) {
            return false;
        }
        if let Some(marks) = &self.marks
            && (marks.back().is_none() || marks.iter().rev().any(|&mark| mark > 1) || marks.len() < self.train.len())
        {
            return false;
        }
        let mut sorted = self.weights.clone().into_sorted_vec();
        sorted.dedup();
        let sum: u8 = self.weights.iter().sum();
        self.weights.peek() == sorted.last()
            && sum > 0
            && self.spare.len() == usize::from(sorted.len() > 1)
            && self.single.as_ref().is_none_or(|single| single.peek() == sorted.last())
    }

    fn is_sorted(train: &LinkedList<Car>) -> bool {
        train.iter().zip(train.iter().skip(1)).all(|(one, two)| !one.heavy || two.heavy)
    }
}

canonical_fields! { Car { heavy } Yard { train, marks, weights, spare, single, unread } }

impl Subject for Yard {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let trains = lists(&[false, true], scope.min(2));
        let marks = lists(&[1, 2], scope);
        let numbers: Vec<u8> = (0..=scope as u8).collect();
        let (weights, spare, unread) = (lists(&numbers, scope), lists(&[false, true], 1), lists(&[false, true], scope));
        let mut space = Space::default();
        let (train, mark, weight) = (space.slot(trains.len()), space.slot(marks.len() + 1), space.slot(weights.len()));
        let (spare_heap, single, rest) = (space.slot(spare.len()), space.slot(2), space.slot(unread.len()));
        space.each(|raw| {
            visit(Yard {
                train: trains[raw[train]].iter().map(|&heavy| Car { heavy }).collect(),
                marks: raw[mark].checked_sub(1).map(|mark| marks[mark].iter().copied().collect()),
                // Every order of pushing: the order inside differs, and the value does not.
                weights: weights[raw[weight]].iter().copied().collect(),
                spare: Rc::new(spare[raw[spare_heap]].iter().copied().collect()),
                single: (raw[single] == 1).then(|| BinaryHeap::from([1])),
                unread: vec![unread[raw[rest]].iter().copied().collect()],
            });
        });
    }
}

/// Counters that threads share; nothing reads `unread`.
#[derive(Debug, Finitize)]
pub struct Counters {
    done: AtomicU8,
    #[finitize(1..=2)]
    limit: Arc<AtomicUsize>,
    #[finitize(len = 0..=2)]
    flags: Vec<AtomicBool>,
    last: [AtomicBool; 1],
    unread: AtomicBool,
}

#[rep_ok]
impl Counters {
    pub fn rep_ok(&self) -> bool {
        let set = self.flags.iter().filter(|flag| flag.load(Ordering::Relaxed)).count();
        let limit = self.limit.load(Ordering::SeqCst);
        Self::value(&self.done) == set && set <= limit && self.last[0].load(Ordering::Acquire) == (set == limit)
    }

    fn value(counter: &AtomicU8) -> usize {
        usize::from(counter.load(Ordering::Relaxed))
    }
}

canonical_fields! { Counters { done, limit, flags, last, unread } }

impl Subject for Counters {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let flags = lists(&[false, true], 2);
        let mut space = Space::default();
        let (done, limit, flag) = (space.slot(scope + 1), space.slot(2), space.slot(flags.len()));
        let (last, unread) = (space.slot(2), space.slot(2));
        space.each(|raw| {
            visit(Counters {
                done: AtomicU8::new(raw[done] as u8),
                limit: Arc::new(AtomicUsize::new(raw[limit] + 1)),
                flags: flags[raw[flag]].iter().map(|&flag| AtomicBool::new(flag)).collect(),
                last: [AtomicBool::new(raw[last] == 1)],
                unread: AtomicBool::new(raw[unread] == 1),
            });
        });
    }
}
