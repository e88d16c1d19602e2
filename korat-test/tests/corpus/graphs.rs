//! Graphs of shared nodes: cycles, reachability, colourings, orders, by work lists and by depth-first search.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use korat::{Finitize, rep_ok};

type Shared = Rc<RefCell<Vertex>>;

#[derive(Debug, Finitize)]
pub struct Vertex {
    one: Option<Rc<RefCell<Vertex>>>,
    two: Option<Rc<RefCell<Vertex>>>,
}

/// Graphs of at most `scope` vertices, one type for each invariant.
macro_rules! graphs {
    ($($Graph:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Graph {
            start: Option<Rc<RefCell<Vertex>>>,
        }
    )*};
}

graphs! { Acyclic Bipartite Tree Sorted Strong Postorder }

#[rep_ok]
impl Acyclic {
    fn rep_ok(&self) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Open,
            Closed,
        }
        fn visit(vertex: &Option<Rc<RefCell<Vertex>>>, marks: &mut HashMap<*const RefCell<Vertex>, Mark>) -> bool {
            let Some(vertex) = vertex else { return true };
            match marks.get(&Rc::as_ptr(vertex)) {
                Some(Mark::Open) => return false,
                Some(Mark::Closed) => return true,
                None => {}
            }
            marks.insert(Rc::as_ptr(vertex), Mark::Open);
            let vertex_ref = vertex.borrow();
            let acyclic = visit(&vertex_ref.one, marks) && visit(&vertex_ref.two, marks);
            marks.insert(Rc::as_ptr(vertex), Mark::Closed);
            acyclic
        }
        visit(&self.start, &mut HashMap::new())
    }
}

#[rep_ok]
impl Bipartite {
    fn rep_ok(&self) -> bool {
        let mut side: HashMap<*const RefCell<Vertex>, bool> = HashMap::new();
        let mut work = Vec::new();
        if let Some(start) = &self.start {
            side.insert(Rc::as_ptr(start), false);
            work.push(start.clone());
        }
        while let Some(vertex) = work.pop() {
            let here = side[&Rc::as_ptr(&vertex)];
            let vertex = vertex.borrow();
            for next in [&vertex.one, &vertex.two].into_iter().flatten() {
                match side.get(&Rc::as_ptr(next)) {
                    Some(&there) if there == here => return false,
                    Some(_) => {}
                    None => {
                        side.insert(Rc::as_ptr(next), !here);
                        work.push(Rc::clone(next));
                    }
                }
            }
        }
        true
    }
}

#[rep_ok]
impl Tree {
    /// Nothing is reached twice.
    fn rep_ok(&self) -> bool {
        let mut arrows: BTreeMap<*const RefCell<Vertex>, usize> = BTreeMap::new();
        let mut queue: VecDeque<Rc<RefCell<Vertex>>> = self.start.iter().cloned().collect();
        while let Some(vertex) = queue.pop_front() {
            let count = arrows.entry(Rc::as_ptr(&vertex)).or_default();
            *count += 1;
            if *count > 1 {
                return false;
            }
            let Vertex { one, two } = &*vertex.borrow();
            queue.extend(one.iter().chain(two.iter()).cloned());
        }
        true
    }
}

#[rep_ok]
impl Sorted {
    /// There is a topological order: vertices are taken away while nothing points to them.
    fn rep_ok(&self) -> bool {
        let mut vertices: Vec<Shared> = self.start.iter().cloned().collect();
        let mut arrows: HashMap<*const RefCell<Vertex>, usize> = HashMap::new();
        let mut place = 0;
        while place < vertices.len() {
            let vertex = vertices[place].clone();
            for next in [&vertex.borrow().one, &vertex.borrow().two].into_iter().flatten() {
                *arrows.entry(Rc::as_ptr(next)).or_insert(0) += 1;
                if !vertices.iter().any(|known| Rc::ptr_eq(known, next)) {
                    vertices.push(next.clone());
                }
            }
            place += 1;
        }
        let mut free: Vec<Shared> = vertices.iter().filter(|v| !arrows.contains_key(&Rc::as_ptr(v))).cloned().collect();
        let mut taken = 0;
        while let Some(vertex) = free.pop() {
            taken += 1;
            let vertex = vertex.borrow();
            for next in [vertex.one.as_ref(), vertex.two.as_ref()].into_iter().flatten() {
                let left = arrows.get_mut(&Rc::as_ptr(next)).expect("every arrow was counted");
                *left -= 1;
                if *left == 0 {
                    free.push(next.clone());
                }
            }
        }
        taken == vertices.len()
    }
}

#[rep_ok]
impl Strong {
    /// Every vertex leads back to the start.
    fn rep_ok(&self) -> bool {
        let Some(start) = &self.start else { return false };
        Self::reached(start).iter().all(|vertex| Self::reached(vertex).iter().any(|back| Rc::ptr_eq(back, start)))
    }

    /// What is reached in one step or more.
    fn reached(from: &Rc<RefCell<Vertex>>) -> Vec<Rc<RefCell<Vertex>>> {
        let mut seen: HashSet<*const RefCell<Vertex>> = HashSet::new();
        let mut reached = vec![];
        let mut work = vec![Rc::clone(from)];
        while let Some(vertex) = work.pop() {
            for next in [vertex.borrow().one.clone(), vertex.borrow().two.clone()] {
                let Some(next) = next else { continue };
                if seen.insert(Rc::as_ptr(&next)) {
                    reached.push(next.clone());
                    work.push(next);
                }
            }
        }
        reached
    }
}

#[rep_ok]
impl Postorder {
    /// In post-order no vertex comes before one it points to, and there are at least two.
    fn rep_ok(&self) -> bool {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        Self::visit(&self.start, &mut seen, &mut order);
        let place = |wanted: &Shared| order.iter().position(|vertex| Rc::ptr_eq(vertex, wanted));
        order.len() > 1
            && order.iter().enumerate().all(|(here, vertex)| {
                let vertex = vertex.borrow();
                let links = [&vertex.one, &vertex.two];
                links.into_iter().flatten().all(|next| place(next).is_some_and(|there| there < here))
            })
    }

    fn visit(link: &Option<Shared>, seen: &mut BTreeSet<*const RefCell<Vertex>>, order: &mut Vec<Shared>) {
        let Some(vertex) = link else { return };
        if !seen.insert(Rc::as_ptr(vertex)) {
            return;
        }
        Self::visit(&vertex.borrow().one, seen, order);
        Self::visit(&vertex.borrow().two, seen, order);
        order.push(Rc::clone(vertex));
    }
}

#[derive(Debug, Finitize)]
pub struct Bead {
    #[finitize(0..=1)]
    color: u8,
    next: Option<Rc<RefCell<Bead>>>,
}

/// A closed chain of beads of which no two neighbours have the same colour.
#[derive(Debug, Finitize)]
pub struct Necklace {
    clasp: Option<Rc<RefCell<Bead>>>,
    len: usize,
}

#[rep_ok]
impl Necklace {
    fn rep_ok(&self) -> bool {
        let Some(clasp) = self.clasp.as_ref() else { return self.len == 0 };
        let mut len = 0;
        let mut bead = Rc::clone(clasp);
        loop {
            len += 1;
            let Some(next) = bead.borrow().next.clone() else { return false };
            if len > self.len || next.borrow().color == bead.borrow().color {
                return false;
            }
            if Rc::ptr_eq(&next, clasp) {
                break len == self.len;
            }
            bead = next;
        }
    }
}

/// A chain that may end or run into itself; `cyclic` says which, found with two pointers at different speeds.
#[derive(Debug, Finitize)]
pub struct Lasso {
    start: Option<Rc<RefCell<Bead>>>,
    cyclic: bool,
}

#[rep_ok]
impl Lasso {
    fn rep_ok(&self) -> bool {
        let step = |at: Option<Rc<RefCell<Bead>>>| at.and_then(|bead| bead.borrow().next.clone());
        let mut slow = self.start.clone();
        let mut fast = step(self.start.clone());
        let meets = loop {
            match (&slow, &fast) {
                (Some(slow), Some(fast)) if Rc::ptr_eq(slow, fast) => break true,
                (_, None) | (None, _) => break false,
                _ => {}
            }
            slow = step(slow);
            fast = step(step(fast));
        };
        meets == self.cyclic
    }
}

/// A node of a graph whose arrows lead to lower ranks.
#[derive(Debug, Finitize)]
pub struct Ranked {
    rank: u8,
    #[finitize(len = 0..=2)]
    below: Vec<Rc<RefCell<Ranked>>>,
}

#[derive(Debug, Finitize)]
pub struct Hierarchy {
    top: Option<Rc<RefCell<Ranked>>>,
}

#[rep_ok]
impl Hierarchy {
    fn rep_ok(&self) -> bool {
        self.top.as_ref().is_none_or(|top| Self::descends(top, &mut HashSet::new()))
    }

    fn descends(node: &Rc<RefCell<Ranked>>, done: &mut HashSet<*const RefCell<Ranked>>) -> bool {
        if !done.insert(Rc::as_ptr(node)) {
            return true;
        }
        let node = node.borrow();
        node.below.iter().all(|lower| lower.borrow().rank < node.rank && Self::descends(lower, done))
    }
}

/// An element of a set, with the way to its representative.
#[derive(Debug, Finitize)]
pub struct Member {
    rank: usize,
    parent: Option<Rc<Member>>,
}

/// Two elements of disjoint sets; ranks rise towards the representative.
#[derive(Debug, Finitize)]
pub struct Partition {
    one: Rc<Member>,
    other: Rc<Member>,
    together: bool,
}

#[rep_ok]
impl Partition {
    fn rep_ok(&self) -> bool {
        let (Some(one), Some(other)) = (Self::root(&self.one), Self::root(&self.other)) else { return false };
        self.together == std::ptr::eq(one, other)
    }

    fn root(member: &Rc<Member>) -> Option<&Member> {
        let mut at: &Member = member;
        while let Some(parent) = at.parent.as_deref() {
            if parent.rank <= at.rank {
                return None;
            }
            at = parent;
        }
        Some(at)
    }
}
