//! Structures with raw pointers: a queue whose last node is boxed and pointed to, a ring that nothing owns, trees with pointers to
//! the parent, raw pointers in tuples, vectors and cells, boxes that are reached before their owner.

use std::cell::Cell;
use std::ptr::{self, NonNull};

use korat::{Finitize, rep_ok};

use crate::canonical::{Canonical, Walk, canonical_fields};
use crate::harness::{Space, Subject, held};

/// Objects of one class whose addresses are known before their content. Those that no box takes are never freed.
pub struct Memory<T> {
    objects: Vec<*mut T>,
    /// Per object, who owns it.
    owners: Vec<Option<Owner>>,
}

/// The root, or an object.
type Owner = Option<usize>;

impl<T> Memory<T> {
    /// Room for `count` objects, of which `boxes` tells the digits that each holder owns; nothing if that cannot be.
    pub fn new(count: usize, boxes: &[(Owner, usize)]) -> Option<Self> {
        let mut owners = vec![None; count];
        for &(holder, digit) in boxes {
            if let Some(object) = digit.checked_sub(1)
                && owners[object].replace(holder).is_some()
            {
                return None;
            }
        }
        for object in 0..count {
            let mut at = Some(object);
            for _ in 0..count {
                at = at.and_then(|at| owners[at]).flatten();
            }
            // After so many steps up, only a box that owns itself has not arrived.
            if at.is_some() {
                return None;
            }
        }
        let objects = (0..count).map(|_| Box::into_raw(Box::<T>::new_uninit()).cast()).collect();
        Some(Memory { objects, owners })
    }

    pub fn raw(&self, digit: usize) -> *mut T {
        digit.checked_sub(1).map_or(ptr::null_mut(), |object| self.objects[object])
    }

    pub fn fill(&self, object: usize, content: T) {
        // SAFETY: there is room for a `T`, and nothing looks at it yet.
        unsafe { self.objects[object].write(content) };
    }

    pub fn boxed(&self, digit: usize) -> Option<Box<T>> {
        let object = digit.checked_sub(1)?;
        assert!(self.owners[object].is_some());
        // SAFETY: the room came from a box, and it is filled before anybody looks.
        Some(unsafe { Box::from_raw(self.objects[object]) })
    }
}

impl<T: Canonical> Canonical for *const T {
    fn walk(&self, to: &mut Walk) {
        // SAFETY: pointers of these structures are null or lead to an object.
        match unsafe { self.as_ref() } {
            Some(object) => to.pointer(object),
            None => to.plain(&()),
        }
    }
}

impl<T: Canonical> Canonical for *mut T {
    fn walk(&self, to: &mut Walk) {
        self.cast_const().walk(to);
    }
}

impl<T: Canonical> Canonical for NonNull<T> {
    fn walk(&self, to: &mut Walk) {
        self.as_ptr().walk(to);
    }
}

impl<T: Canonical + Copy> Canonical for Cell<T> {
    fn walk(&self, to: &mut Walk) {
        self.get().walk(to);
    }
}

/// Text without addresses, which are others in every run.
macro_rules! debug_by_walk {
    ($($class:ident)*) => {$(
        impl std::fmt::Debug for $class {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::canonical::canonical(self))
            }
        }
    )*};
}

/// A node of a queue.
#[derive(Finitize)]
pub struct Waiting {
    urgent: bool,
    next: Option<Box<Waiting>>,
}

/// A queue that knows its last node.
#[derive(Finitize)]
pub struct Tailed {
    head: Option<Box<Waiting>>,
    tail: *mut Waiting,
}

#[rep_ok]
impl Tailed {
    pub fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        let mut last: *const Waiting = ptr::null();
        let mut at = &self.head;
        while let Some(node) = at {
            if seen.contains(&ptr::from_ref(&**node)) {
                return false;
            }
            last = &**node;
            seen.push(last);
            at = &node.next;
        }
        // SAFETY: a pointer of the structure is null or leads to a node.
        let last_is_urgent = unsafe { self.tail.as_ref() }.is_some_and(|node| node.urgent);
        ptr::eq(self.tail, last) && !last_is_urgent
    }
}

canonical_fields! { Waiting { urgent, next } Tailed { head, tail } }
pub(crate) use debug_by_walk;

debug_by_walk! { Waiting Tailed }

impl Subject for Tailed {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (head, tail) = (space.slot(scope + 1), space.slot(scope + 1));
        let nodes = space.objects(scope, [2, scope + 1]);
        space.each(|raw| {
            let reached = held(scope, &[raw[head], raw[tail]], |object| vec![raw[nodes[object][1]]]);
            let reached: Vec<usize> = (0..scope).filter(|&object| reached[object]).collect();
            let mut boxes = vec![(None, raw[head])];
            boxes.extend(reached.iter().map(|&object| (Some(object), raw[nodes[object][1]])));
            let Some(memory) = Memory::new(scope, &boxes) else { return };
            for object in reached {
                let [urgent, next] = nodes[object].map(|place| raw[place]);
                memory.fill(object, Waiting { urgent: urgent == 1, next: memory.boxed(next) });
            }
            visit(Tailed { head: memory.boxed(raw[head]), tail: memory.raw(raw[tail]) });
        });
    }
}

/// Fields may name their types by another name.
type Chair = Option<NonNull<Seat>>;

/// A seat of a table.
#[derive(Finitize)]
pub struct Seat {
    left: *const Seat,
    right: Chair,
}

/// A round table, which nothing owns.
#[derive(Finitize)]
pub struct Round {
    first: Chair,
    #[finitize(0..=scope)]
    count: usize,
}

#[rep_ok]
impl Round {
    pub fn rep_ok(&self) -> bool {
        let Some(first) = self.first else { return self.count == 0 };
        let mut at = first;
        for round in 1..=self.count {
            // SAFETY: a pointer of the structure is null or leads to a seat.
            let seat = unsafe { at.as_ref() };
            let Some(next) = seat.right else { return false };
            // SAFETY: as above.
            if unsafe { (*next.as_ptr()).left } != at.as_ptr().cast_const() {
                return false;
            }
            if next == first {
                return round == self.count;
            }
            at = next;
        }
        false
    }
}

canonical_fields! { Seat { left, right } Round { first, count } }
debug_by_walk! { Seat Round }

impl Subject for Round {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (first, count) = (space.slot(scope + 1), space.slot(scope + 1));
        let seats = space.objects(scope, [scope + 1, scope + 1]);
        space.each(|raw| {
            let reached = held(scope, &[raw[first]], |object| seats[object].map(|place| raw[place]).to_vec());
            let Some(memory) = Memory::new(scope, &[]) else { return };
            for object in (0..scope).filter(|&object| reached[object]) {
                let [left, right] = seats[object].map(|place| memory.raw(raw[place]));
                memory.fill(object, Seat { left, right: NonNull::new(right) });
            }
            visit(Round { first: NonNull::new(memory.raw(raw[first])), count: raw[count] });
        });
    }
}

/// A node that knows its parent.
#[derive(Finitize)]
pub struct Child {
    parent: Cell<*mut Child>,
    kids: [Option<Box<Child>>; 2],
}

/// A tree of boxes with pointers upwards; the invariant begins with the pointer to any of its nodes.
#[derive(Finitize)]
pub struct Family {
    root: Option<Box<Child>>,
    favourite: (bool, *mut Child),
}

#[rep_ok]
impl Family {
    pub fn rep_ok(&self) -> bool {
        let (loud, mut at) = self.favourite;
        if at.is_null() {
            return !loud && self.root.is_none();
        }
        let mut steps = 0;
        // SAFETY: a pointer of the structure is null or leads to a node.
        while let Some(parent) = unsafe { (*at).parent.get().as_ref() } {
            if !parent.kids.iter().flatten().any(|kid| ptr::eq(&**kid, at)) || steps > 3 {
                return false;
            }
            at = ptr::from_ref(parent).cast_mut();
            steps += 1;
        }
        self.root.as_ref().is_some_and(|root| ptr::eq(&**root, at)) && Self::all_know(&self.root, ptr::null(), 0)
    }

    fn all_know(child: &Option<Box<Child>>, parent: *const Child, depth: usize) -> bool {
        match child {
            Some(child) => {
                let known = child.parent.get().cast_const() == parent && depth < 5;
                known && child.kids.iter().all(|kid| Self::all_know(kid, &**child, depth + 1))
            }
            None => true,
        }
    }
}

canonical_fields! { Child { parent, kids } Family { root, favourite } }
debug_by_walk! { Child Family }

impl Subject for Family {
    // Two parents of one child are fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (root, loud, favourite) = (space.slot(scope + 1), space.slot(2), space.slot(scope + 1));
        let nodes = space.objects(scope, [scope + 1, scope + 1, scope + 1]);
        space.each(|raw| {
            let reached =
                held(scope, &[raw[root], raw[favourite]], |object| nodes[object].map(|place| raw[place]).to_vec());
            let reached: Vec<usize> = (0..scope).filter(|&object| reached[object]).collect();
            let mut boxes = vec![(None, raw[root])];
            boxes.extend(
                reached
                    .iter()
                    .flat_map(|&object| [(Some(object), raw[nodes[object][1]]), (Some(object), raw[nodes[object][2]])]),
            );
            let Some(memory) = Memory::new(scope, &boxes) else { return };
            for object in reached {
                let [parent, one, two] = nodes[object].map(|place| raw[place]);
                let kids = [memory.boxed(one), memory.boxed(two)];
                memory.fill(object, Child { parent: Cell::new(memory.raw(parent)), kids });
            }
            let favourite = (raw[loud] == 1, memory.raw(raw[favourite]));
            visit(Family { root: memory.boxed(raw[root]), favourite });
        });
    }
}

/// A stone with something below it.
#[derive(Finitize)]
pub struct Stone {
    below: Option<Box<Stone>>,
}

/// Pointers of every kind to stones; which of them are equal is all that is read.
#[derive(Finitize)]
pub struct Pile {
    #[finitize(len = 0..=2)]
    all: Vec<NonNull<Stone>>,
    maybe: Option<*const Stone>,
    top: Option<Box<Stone>>,
}

#[rep_ok]
impl Pile {
    pub fn rep_ok(&self) -> bool {
        match self.all[..] {
            [] => self.maybe.is_none() && self.top.is_none(),
            [only] => self.maybe.is_none_or(|stone| stone.is_null() || ptr::eq(stone, only.as_ptr())),
            [one, two] => one != two && self.maybe.is_some_and(|stone| !stone.is_null()),
            _ => false,
        }
    }
}

canonical_fields! { Stone { below } }

impl Canonical for Pile {
    fn walk(&self, to: &mut Walk) {
        // `None` and `Some` of null are different values.
        to.plain(&self.maybe.is_some());
        to.fields("Pile", &[&self.all, &self.maybe, &self.top]);
    }
}

debug_by_walk! { Stone Pile }

impl Subject for Pile {
    // Nothing is said of what owns what.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (len, one, two) = (space.slot(3), space.slot(scope.max(1)), space.slot(scope.max(1)));
        let (maybe, top) = (space.slot(scope + 2), space.slot(scope + 1));
        let stones = space.objects(scope, [scope + 1]);
        space.each(|raw| {
            let all = &[raw[one] + 1, raw[two] + 1][..raw[len]];
            if scope == 0 && !all.is_empty() {
                return;
            }
            let maybe = raw[maybe].checked_sub(1);
            let root: Vec<usize> = all.iter().copied().chain(maybe).chain([raw[top]]).collect();
            let reached = held(scope, &root, |object| vec![raw[stones[object][0]]]);
            let reached: Vec<usize> = (0..scope).filter(|&object| reached[object]).collect();
            let mut boxes = vec![(None, raw[top])];
            boxes.extend(reached.iter().map(|&object| (Some(object), raw[stones[object][0]])));
            let Some(memory) = Memory::new(scope, &boxes) else { return };
            for object in reached {
                memory.fill(object, Stone { below: memory.boxed(raw[stones[object][0]]) });
            }
            let all = all.iter().map(|&digit| NonNull::new(memory.raw(digit)).expect("there is a stone")).collect();
            let maybe = maybe.map(|digit| memory.raw(digit).cast_const());
            visit(Pile { all, maybe, top: memory.boxed(raw[top]) });
        });
    }
}
