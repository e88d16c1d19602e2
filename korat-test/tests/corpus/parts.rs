//! Patterns in unusual places: classes in classes, sequences in other patterns, constants, guards with `let`, parts that a
//! predicate sees as one value.

use korat::{Finitize, rep_ok};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

#[derive(Debug, Finitize)]
pub struct JointArray {
    f: ([(bool, bool); 2], bool),
}
#[rep_ok]
impl JointArray {
    fn rep_ok(&self) -> bool {
        let (array, flag) = &self.f;
        array[0].0 == *flag && array[1].1 != array[0].1
    }
}

#[derive(Debug, Finitize)]
pub struct PairsInArray {
    f: Option<[(bool, bool); 2]>,
}
#[rep_ok]
impl PairsInArray {
    fn rep_ok(&self) -> bool {
        let Some(array) = &self.f else { return false };
        let mut last = false;
        for (a, b) in array.iter() {
            if *a == last {
                return false;
            }
            last = *b;
        }
        last
    }
}

#[derive(Clone, Debug, PartialEq, PartialOrd, Finitize)]
#[finitize(plain)]
pub struct Name {
    #[finitize(values = [String::from("a"), String::from("b"), String::new()])]
    s: String,
}
#[derive(Debug, Finitize)]
pub struct NamesInArray {
    f: Option<[Name; 2]>,
}
#[rep_ok]
impl NamesInArray {
    fn rep_ok(&self) -> bool {
        let Some(array) = &self.f else { return false };
        array[0] > array[1]
    }
}

#[derive(Debug, Finitize)]
pub struct JointList {
    f: (Vec<(bool, bool)>, bool),
    g: Option<Option<(bool, Option<u8>)>>,
}
#[rep_ok]
impl JointList {
    fn rep_ok(&self) -> bool {
        let (v, flag) = &self.f;
        if v.iter().any(|pair| pair.0 == *flag) {
            return false;
        }
        match self.g {
            Some(Some((true, n))) => n.is_some(),
            Some(None) => true,
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
pub enum Mixed {
    A,
    B(#[finitize(0..=1)] u8),
    C { x: bool, next: Option<Box<Mixed>> },
    D(Vec<Mixed>, (bool, bool)),
}

#[derive(Debug, Finitize)]
pub struct OnlyUnits {
    e: Mixed,
    v: Vec<Mixed>,
}
#[rep_ok]
impl OnlyUnits {
    /// Only unit variants are named.
    fn rep_ok(&self) -> bool {
        matches!(self.e, Mixed::A)
            && self.v.iter().all(|e| matches!(e, Mixed::A))
            && self.v.first().is_some_and(|e| !matches!(*e, Mixed::D(..)))
    }
}

#[derive(Debug, Finitize)]
pub struct Followed {
    e: Mixed,
}
#[rep_ok]
impl Followed {
    fn rep_ok(&self) -> bool {
        let mut e = &self.e;
        let mut n = 0;
        loop {
            e = match e {
                Mixed::C { next: Some(next), x: true } => next,
                Mixed::C { next: None, .. } => return n > 0,
                Mixed::D(items, (a, b)) if a == b => match items.first() {
                    Some(first) => first,
                    None => break,
                },
                Mixed::B(k @ 1..) => return *k == 1 && n == 1,
                _ => return false,
            };
            n += 1;
        }
        true
    }
}

#[derive(Debug, Finitize)]
pub struct Ranked {
    a: Option<Mixed>,
    b: Option<Box<Mixed>>,
}
#[rep_ok]
impl Ranked {
    fn rep_ok(&self) -> bool {
        match (&self.a, &self.b) {
            (Some(Mixed::B(x)), None) => *x == 1,
            (None, Some(b)) if let Mixed::B(n) = **b => n == 0,
            (Some(a), Some(b)) => Self::rank(a) < Self::rank(b),
            _ => false,
        }
    }
    fn rank(e: &Mixed) -> usize {
        match e {
            Mixed::A => 0,
            Mixed::B(n) => 1 + *n as usize,
            Mixed::C { next, .. } => 3 + next.iter().len(),
            Mixed::D(items, _) => 5 + items.len(),
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Ends {
    es: Vec<Mixed>,
}
#[rep_ok]
impl Ends {
    fn rep_ok(&self) -> bool {
        let [first, middle @ .., last] = &self.es[..] else { return self.es.is_empty() };
        let Mixed::B(lo) = first else { return false };
        let Mixed::B(hi) = last else { return false };
        lo < hi
            && middle.iter().all(|e| !matches!(e, Mixed::B(_)))
            && self.es.iter().rev().skip(1).count() == self.es.len() - 1
    }
}

#[derive(Debug, Finitize)]
pub struct Filtered {
    es: Vec<Mixed>,
    #[finitize(0..=1)]
    n: u8,
}
#[rep_ok]
impl Filtered {
    fn rep_ok(&self) -> bool {
        let values: Vec<u8> =
            self.es.iter().filter_map(|e| if let Mixed::B(n) = e { Some(*n) } else { None }).collect();
        let by: HashMap<bool, usize> = self.es.iter().fold(HashMap::new(), |mut map, e| {
            *map.entry(matches!(e, Mixed::C { .. })).or_insert(0) += 1;
            map
        });
        values.iter().copied().max() == Some(self.n)
            && by.get(&true).copied().unwrap_or(0) <= 1
            && self.es.iter().position(|e| matches!(e, Mixed::B(n) if *n == self.n)) == Some(0)
    }
}

#[derive(Debug, Finitize)]
pub struct SharedTerms {
    e: Rc<RefCell<Term>>,
}
#[derive(Debug, Finitize)]
pub enum Term {
    Nil,
    One(Option<Rc<RefCell<Term>>>),
    Two(Rc<RefCell<Term>>, bool),
}
#[rep_ok]
impl SharedTerms {
    fn rep_ok(&self) -> bool {
        Self::walk(&self.e, &mut HashSet::new())
    }
    fn walk(e: &Rc<RefCell<Term>>, seen: &mut HashSet<*const RefCell<Term>>) -> bool {
        if !seen.insert(Rc::as_ptr(e)) {
            return false;
        }
        match *e.borrow() {
            Term::Nil => true,
            Term::One(Some(ref next)) => Self::walk(next, seen),
            Term::One(None) => false,
            Term::Two(ref next, flag) => flag && Self::walk(next, seen),
        }
    }
}

#[derive(Debug, Finitize)]
pub struct Grid {
    grid: [[Option<bool>; 2]; 2],
    pairs: [(bool, bool); 2],
}
#[rep_ok]
impl Grid {
    fn rep_ok(&self) -> bool {
        let [[a, _], [_, d]] = self.grid;
        let [(p, q), (r, _)] = self.pairs;
        let rows_fine = self.grid.iter().all(|&[x, y]| x != y);
        let cols = (0..2).all(|c| self.grid.iter().filter(|row| row[c].is_some()).count() == 1);
        a == d && p == q && q != r && rows_fine && cols
    }
}

#[derive(Debug, Finitize)]
pub struct Slices {
    v: Vec<u8>,
    o: Option<Vec<u8>>,
}
#[rep_ok]
impl Slices {
    fn rep_ok(&self) -> bool {
        let rising = self.v.windows(2).all(|w| matches!(w, &[a, b] if a < b));
        let opt = match self.o.as_deref() {
            Some([x, y]) => x > y,
            Some([]) | None => false,
            Some(&[x]) => x == 1,
            Some(_) => false,
        };
        rising && opt
    }
}

#[derive(Clone, Debug, Finitize)]
pub struct Outer {
    a: bool,
    b: Middle,
}
#[derive(Clone, Debug, Finitize)]
pub struct Middle {
    c: (u8, bool),
    d: Option<Inner>,
}
#[derive(Clone, Debug, Finitize)]
pub enum Inner {
    X,
    Y(bool, #[finitize(0..=1)] u8),
}
#[derive(Debug, Finitize)]
pub struct Deep {
    i: Outer,
    v: Vec<Outer>,
}
#[rep_ok]
impl Deep {
    fn rep_ok(&self) -> bool {
        let Deep { i: Outer { a, b: Middle { c: (n, flag), d } }, v } = self;
        if *a != *flag {
            return false;
        }
        let good = match d {
            Some(Inner::Y(y, k)) => *y && k == n,
            Some(Inner::X) => *n == 0,
            None => v.is_empty(),
        };
        good && v.iter().all(|Outer { a, b: Middle { c, d } }| *a == c.1 && d.is_none()) && v.len() <= 1
    }
}

#[derive(Debug, Finitize)]
pub struct Machine {
    items: Vec<Item>,
}
#[derive(Clone, Debug, Finitize)]
pub enum Item {
    Push(#[finitize(0..=1)] u8),
    Pop,
    Dup,
}
#[rep_ok]
impl Machine {
    fn rep_ok(&self) -> bool {
        let mut stack: Vec<u8> = vec![];
        let ok = self.items.iter().try_for_each(|item| match item {
            Item::Push(n) => {
                stack.push(*n);
                Some(())
            }
            Item::Pop => stack.pop().map(|_| ()),
            Item::Dup => {
                let top = *stack.last()?;
                stack.push(top);
                Some(())
            }
        });
        ok.is_some() && stack == [1, 1]
    }
}

#[derive(Debug, Finitize)]
pub struct Peeked {
    items: Vec<Item>,
    at: usize,
}
#[rep_ok]
impl Peeked {
    const LIMIT: u8 = 1;
    fn rep_ok(&self) -> bool {
        let Some(item) = self.items.get(self.at) else { return false };
        let mut iter = self.items.iter().enumerate().peekable();
        while let Some((i, item)) = iter.next() {
            match (item, iter.peek()) {
                (Item::Pop, Some((_, Item::Pop))) => return false,
                (Item::Push(a), Some(&(j, Item::Push(b)))) => {
                    if a == b || j != i + 1 {
                        return false;
                    }
                }
                (Item::Dup, None) => return false,
                _ => {}
            }
        }
        !matches!(item, Item::Push(Self::LIMIT))
    }
}

#[derive(Debug, Finitize)]
pub struct Parted {
    items: Vec<Item>,
}
#[rep_ok]
impl Parted {
    fn rep_ok(&self) -> bool {
        let (pushes, others): (Vec<&Item>, Vec<&Item>) =
            self.items.iter().partition(|item| matches!(item, Item::Push(..)));
        let mut sorted: Vec<&Item> = self.items.iter().collect();
        sorted.sort_by_key(|item| match item {
            Item::Push(n) => *n as i32,
            Item::Pop => -1,
            Item::Dup => 5,
        });
        pushes.len() > others.len() && sorted.iter().zip(&self.items).all(|(a, b)| std::ptr::eq(*a, b))
    }
}
#[derive(Debug, Finitize)]
pub struct Depth {
    e: Mixed,
}
#[rep_ok]
impl Depth {
    fn rep_ok(&self) -> bool {
        self.e.depth() == 1 && self.e.flag().unwrap_or(true)
    }
}
#[rep_ok(helpers)]
impl Mixed {
    fn depth(&self) -> usize {
        match self {
            Mixed::A | Mixed::B(_) => 0,
            Mixed::C { next, .. } => 1 + next.as_ref().map_or(0, |e| e.depth()),
            Mixed::D(items, ..) => 1 + items.iter().map(Mixed::depth).max().unwrap_or_default(),
        }
    }
    fn flag(&self) -> Option<bool> {
        Some(match *self {
            Mixed::C { x, .. } => x,
            Mixed::D(_, (a, b)) => a && !b,
            Mixed::A => return None,
            Mixed::B(n) => n == 1,
        })
    }
}
