//! Generic classes: a tree of any keys, a ring of any size, an enum of any two types.

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk};
use crate::harness::{Space, Subject};

/// A tree node.
#[derive(Clone, Debug, Finitize)]
pub struct Knot<K: Ord> {
    key: K,
    left: Option<Box<Knot<K>>>,
    right: Option<Box<Knot<K>>>,
}

/// A search tree of any keys.
#[derive(Clone, Debug, Finitize)]
pub struct Tree<K: Ord> {
    root: Option<Box<Knot<K>>>,
    size: usize,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root, None, None) == Some(self.size)
    }

    fn count(knot: &Option<Box<Knot<K>>>, low: Option<&K>, high: Option<&K>) -> Option<usize> {
        let Some(knot) = knot else { return Some(0) };
        let Knot { key, left, right } = &**knot;
        if low.is_some_and(|low| key <= low) || high.is_some_and(|high| key >= high) {
            return None;
        }
        Some(Self::count(left, low, Some(key))? + 1 + Self::count(right, Some(key), high)?)
    }
}

type Link<K> = Option<Box<Knot<K>>>;

fn links<K: Ord + Clone>(keys: &[K], objects: usize) -> Vec<(Link<K>, usize)> {
    let mut all = vec![(None, 0)];
    let Some(rest) = objects.checked_sub(1) else { return all };
    for (left, used) in links(keys, rest) {
        for (right, more) in links(keys, rest - used) {
            for key in keys {
                let knot = Knot { key: key.clone(), left: left.clone(), right: right.clone() };
                all.push((Some(Box::new(knot)), 1 + used + more));
            }
        }
    }
    all
}

macro_rules! tree_subject {
    ($($key:ty = $keys:expr;)*) => {$(
        impl Canonical for Tree<$key> {
            fn walk(&self, to: &mut Walk) {
                to.plain(self);
            }
        }

        impl Subject for Tree<$key> {
            const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

            fn untouched(&self) -> bool {
                self.rep_ok()
            }

            fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
                let keys: Vec<$key> = $keys(scope);
                for (root, _) in links(&keys, scope) {
                    (0..=scope).for_each(|size| visit(Tree { root: root.clone(), size }));
                }
            }
        }
    )*};
}

tree_subject! {
    u8 = |scope| (0..=scope as u8).collect();
    bool = |_| vec![false, true];
}

/// A ring of `N` places.
#[derive(Clone, Debug, Finitize)]
pub struct Ring<T, const N: usize> {
    places: [Option<T>; N],
    #[finitize(0..N)]
    head: usize,
    #[finitize(0..=N)]
    len: usize,
}

#[rep_ok]
impl<T: PartialEq, const N: usize> Ring<T, N> {
    /// What is in use has a value, and no two neighbours have the same.
    pub fn rep_ok(&self) -> bool {
        let mut last = None;
        for offset in 0..N {
            let place = &self.places[(self.head + offset) % N];
            match place {
                Some(item) if offset < self.len => {
                    if last == Some(item) {
                        return false;
                    }
                    last = Some(item);
                }
                None if offset >= self.len => {}
                _ => return false,
            }
        }
        true
    }
}

impl Canonical for Ring<bool, 2> {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl Subject for Ring<bool, 2> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(_: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let places = [3; 2].map(|values| space.slot(values));
        let (head, len) = (space.slot(2), space.slot(3));
        space.each(|raw| {
            let places = places.map(|place| [None, Some(false), Some(true)][raw[place]]);
            visit(Ring { places, head: raw[head], len: raw[len] });
        });
    }
}

/// One or the other, or both.
#[derive(Clone, Debug, Finitize)]
pub enum Either<L, R> {
    Neither,
    Left(L),
    Right(R),
    Both { left: L, right: R },
}

#[rep_ok]
impl<L: PartialOrd<R>, R> Either<L, R> {
    pub fn rep_ok(&self) -> bool {
        match self {
            Self::Neither => false,
            Self::Both { left, right } => left < right,
            Either::Left(_) | Either::Right(_) => true,
        }
    }
}

impl Canonical for Either<u8, u8> {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl Subject for Either<u8, u8> {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        eithers(scope).into_iter().for_each(visit);
    }
}

fn eithers(scope: usize) -> Vec<Either<u8, u8>> {
    let all = || 0..=scope as u8;
    let mut eithers = vec![Either::Neither];
    eithers.extend(all().map(Either::Left));
    eithers.extend(all().map(Either::Right));
    eithers.extend(all().flat_map(|left| all().map(move |right| Either::Both { left, right })));
    eithers
}

/// Choices of a generic kind, in a class that is not generic.
#[derive(Clone, Debug, Finitize)]
pub struct Choices {
    first: Either<u8, u8>,
    #[finitize(len = 0..=1)]
    rest: Vec<Either<u8, u8>>,
}

#[rep_ok]
impl Choices {
    /// Rises from left to left.
    pub fn rep_ok(&self) -> bool {
        let left = |either: &Either<u8, u8>| match either {
            Either::Left(left) | Either::Both { left, .. } => Some(*left),
            Either::Right(_) | Either::Neither => None,
        };
        let mut last = left(&self.first);
        for either in &self.rest {
            if left(either) <= last {
                return false;
            }
            last = left(either);
        }
        true
    }
}

impl Canonical for Choices {
    fn walk(&self, to: &mut Walk) {
        to.plain(self);
    }
}

impl Subject for Choices {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        for first in eithers(scope) {
            visit(Choices { first: first.clone(), rest: vec![] });
            if scope > 0 {
                eithers(scope)
                    .into_iter()
                    .for_each(|either| visit(Choices { first: first.clone(), rest: vec![either] }));
            }
        }
    }
}
