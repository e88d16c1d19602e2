//! Enums with data: behind boxes, by value, in vectors and options, behind `Rc<RefCell<_>>`, with an invariant of their own,
//! and as plain values.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields, canonical_plain};
use crate::harness::{Space, Subject};

/// An expression in boxes.
#[derive(Clone, Debug, Finitize)]
pub enum Expr {
    Hole,
    Int(#[finitize(0..=1)] u8),
    Neg { inner: Box<Expr> },
    Add(Box<Expr>, Option<Box<Expr>>),
}

/// An expression without double negation, whose sums begin with what is no hole.
#[derive(Clone, Debug, Finitize)]
pub struct Calc {
    expr: Option<Box<Expr>>,
}

#[rep_ok]
impl Calc {
    pub fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        self.expr.as_ref().is_none_or(|expr| Self::check(expr, &mut seen))
    }

    fn check(expr: &Expr, seen: &mut HashSet<*const Expr>) -> bool {
        if !seen.insert(expr as *const Expr) {
            return false;
        }
        match expr {
            Expr::Hole => true,
            Expr::Int(n) => *n > 0,
            Expr::Neg { inner } => !matches!(**inner, Expr::Neg { .. }) && Self::check(inner, seen),
            Expr::Add(first, second) => {
                if let Expr::Hole = &**first {
                    return false;
                }
                let Some(second) = second else { return Self::check(first, seen) };
                Self::check(first, seen) && Self::check(second, seen)
            }
        }
    }
}

/// All expressions of at most `objects` objects, with how many they have.
fn expressions(objects: usize) -> Vec<(Expr, usize)> {
    let Some(rest) = objects.checked_sub(1) else { return Vec::new() };
    let mut all = vec![(Expr::Hole, 1), (Expr::Int(0), 1), (Expr::Int(1), 1)];
    for (one, used) in expressions(rest) {
        all.push((Expr::Neg { inner: Box::new(one.clone()) }, 1 + used));
        all.push((Expr::Add(Box::new(one.clone()), None), 1 + used));
        for (two, more) in expressions(rest - used) {
            all.push((Expr::Add(Box::new(one.clone()), Some(Box::new(two))), 1 + used + more));
        }
    }
    all
}

canonical_plain! { Calc }

impl Subject for Calc {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        visit(Calc { expr: None });
        expressions(scope).into_iter().for_each(|(expr, _)| visit(Calc { expr: Some(Box::new(expr)) }));
    }
}

/// A search tree that is an enum; the root is one of the objects.
#[derive(Clone, Debug, Finitize)]
pub enum Tree {
    Leaf,
    Node(Box<Tree>, #[finitize(0..=2)] u8, Box<Tree>),
}

#[rep_ok]
impl Tree {
    pub fn rep_ok(&self) -> bool {
        self.within(0, 3)
    }

    fn within(&self, low: u8, high: u8) -> bool {
        match self {
            Self::Leaf => true,
            Self::Node(left, key, right) => {
                (low..high).contains(key) && left.within(low, *key) && right.within(key + 1, high)
            }
        }
    }
}

fn trees(objects: usize) -> Vec<(Tree, usize)> {
    let Some(rest) = objects.checked_sub(1) else { return Vec::new() };
    let mut all = vec![(Tree::Leaf, 1)];
    for (left, used) in trees(rest) {
        for (right, more) in trees(rest - used) {
            for key in 0..=2 {
                let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
                all.push((Tree::Node(left, key, right), 1 + used + more));
            }
        }
    }
    all
}

canonical_plain! { Tree }

impl Subject for Tree {
    // One leaf on both sides is fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        trees(scope).into_iter().for_each(|(tree, _)| visit(tree));
    }
}

/// What is to be done.
#[derive(Clone, Debug, Finitize)]
pub enum Task {
    Idle,
    Run {
        #[finitize(0..=1)]
        core: u8,
        urgent: bool,
    },
    Sleep(#[finitize(1..=2)] u8),
}

/// Tasks by value in every place: nobody runs twice on one core, and what is next is not idle.
#[derive(Clone, Debug, Finitize)]
pub struct Schedule {
    now: Task,
    next: Option<Task>,
    #[finitize(len = 0..=2)]
    later: Vec<Task>,
}

#[rep_ok]
impl Schedule {
    pub fn rep_ok(&self) -> bool {
        if let Some(Task::Idle) = self.next {
            return false;
        }
        let mut cores = Vec::new();
        for task in [Some(&self.now), self.next.as_ref()].into_iter().flatten().chain(&self.later) {
            if let Task::Run { core, .. } = task {
                if cores.contains(core) {
                    return false;
                }
                cores.push(*core);
            }
        }
        match (&self.now, self.later.as_slice()) {
            (Task::Run { urgent: true, .. }, _) => true,
            (Task::Sleep(n), [Task::Sleep(m), ..]) => n < m,
            (_, later) => !later.iter().any(|task| matches!(task, Task::Run { urgent, .. } if *urgent)),
        }
    }
}

fn tasks() -> Vec<Task> {
    let mut all = vec![Task::Idle, Task::Sleep(1), Task::Sleep(2)];
    for (core, urgent) in [(0, false), (0, true), (1, false), (1, true)] {
        all.push(Task::Run { core, urgent });
    }
    all
}

canonical_plain! { Schedule }

impl Subject for Schedule {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut laters = vec![vec![]];
        if scope >= 1 {
            laters.extend(tasks().into_iter().map(|task| vec![task]));
        }
        if scope >= 2 {
            laters
                .extend(tasks().into_iter().flat_map(|one| tasks().into_iter().map(move |two| vec![one.clone(), two])));
        }
        for now in tasks() {
            for next in std::iter::once(None).chain(tasks().into_iter().map(Some)) {
                for later in &laters {
                    visit(Schedule { now: now.clone(), next: next.clone(), later: later.clone() });
                }
            }
        }
    }
}

/// A list behind counted cells.
#[derive(Debug, Finitize)]
pub enum Link {
    End,
    Cons(bool, Rc<RefCell<Link>>),
}

/// A list that ends or comes back to its start; what is true comes first.
#[derive(Debug, Finitize)]
pub struct Loop {
    start: Rc<RefCell<Link>>,
}

#[rep_ok]
impl Loop {
    pub fn rep_ok(&self) -> bool {
        let mut at = Rc::clone(&self.start);
        let mut seen = vec![Rc::as_ptr(&at)];
        let mut last = true;
        loop {
            let next = match &*at.borrow() {
                Link::End => return true,
                Link::Cons(flag, _) if *flag && !last => return false,
                Link::Cons(flag, next) => {
                    last = *flag;
                    Rc::clone(next)
                }
            };
            if seen.contains(&Rc::as_ptr(&next)) {
                return Rc::ptr_eq(&next, &self.start);
            }
            seen.push(Rc::as_ptr(&next));
            at = next;
        }
    }
}

impl Canonical for Link {
    fn walk(&self, to: &mut Walk) {
        match self {
            Link::End => to.plain(&"End"),
            Link::Cons(flag, next) => to.fields("Cons", &[flag, next]),
        }
    }
}

canonical_fields! { Loop { start } }

impl Subject for Loop {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let start = space.slot(scope);
        let links = space.objects(scope, [2, 2, scope]);
        space.each(|raw| {
            let made: Vec<Rc<RefCell<Link>>> = (0..scope).map(|_| Rc::new(RefCell::new(Link::End))).collect();
            for (link, places) in made.iter().zip(&links) {
                let [variant, flag, next] = places.map(|place| raw[place]);
                if variant == 1 {
                    *link.borrow_mut() = Link::Cons(flag == 1, Rc::clone(&made[next]));
                }
            }
            let start = Rc::clone(&made[raw[start]]);
            // What the start does not lead to must not be held by what is not held.
            for link in &made {
                if !leads_to(&start, link) {
                    *link.borrow_mut() = Link::End;
                }
            }
            drop(made);
            visit(Loop { start });
        });
    }
}

fn leads_to(from: &Rc<RefCell<Link>>, to: &Rc<RefCell<Link>>) -> bool {
    let mut seen = Vec::new();
    let mut at = Rc::clone(from);
    while !seen.iter().any(|seen| Rc::ptr_eq(seen, &at)) {
        if Rc::ptr_eq(&at, to) {
            return true;
        }
        seen.push(Rc::clone(&at));
        let next = match &*at.borrow() {
            Link::End => return false,
            Link::Cons(_, next) => Rc::clone(next),
        };
        at = next;
    }
    false
}

/// A value that holds more of itself in a vector.
#[derive(Clone, Debug, Finitize)]
pub enum Json {
    Null,
    Flag(bool),
    List(#[finitize(len = 0..=2)] Vec<Json>),
    Maybe { inner: Option<Box<Json>> },
}

/// No list holds two flags that differ, and nothing is there twice in a row.
#[derive(Clone, Debug, Finitize)]
pub struct Document {
    root: Json,
}

#[rep_ok]
impl Document {
    pub fn rep_ok(&self) -> bool {
        self.root.is_fine(&mut vec![])
    }
}

#[rep_ok(helpers)]
impl Json {
    fn is_fine(&self, seen: &mut Vec<*const Json>) -> bool {
        if seen.contains(&(self as *const Self)) {
            return false;
        }
        seen.push(self);
        match self {
            Self::Null | Self::Flag(_) => true,
            Self::Maybe { inner } => inner.as_deref().is_some_and(|inner| inner.is_fine(seen)),
            Self::List(items) => match &items[..] {
                [Json::Flag(one), Json::Flag(two)] if one != two => false,
                [Json::Null, Json::Null] => false,
                all => all.iter().all(|item| item.is_fine(seen)),
            },
        }
    }
}

/// All documents below a root of at most `objects` objects, the root itself not counted.
fn documents(objects: usize) -> Vec<(Json, usize)> {
    let mut all = vec![(Json::Null, 0), (Json::Flag(false), 0), (Json::Flag(true), 0)];
    all.push((Json::List(vec![]), 0));
    all.push((Json::Maybe { inner: None }, 0));
    let Some(rest) = objects.checked_sub(1) else { return all };
    for (one, used) in documents(rest) {
        all.push((Json::Maybe { inner: Some(Box::new(one.clone())) }, 1 + used));
        all.push((Json::List(vec![one.clone()]), 1 + used));
        let Some(rest) = rest.checked_sub(1 + used) else { continue };
        for (two, more) in documents(rest) {
            all.push((Json::List(vec![one.clone(), two]), 2 + used + more));
        }
    }
    all
}

canonical_plain! { Document }

impl Subject for Document {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        documents(scope).into_iter().for_each(|(root, _)| visit(Document { root }));
    }
}
