//! Containers and cells of the predicate's own: every invariant here says the same of the same trees, each with another
//! container.

// Long paths are lifted as short ones are.
#![allow(unused_qualifications)]

use std::cell::{Cell, RefCell, RefMut};
use std::cmp::Reverse;
use std::collections::{self, BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::rc::Rc;

use korat::{Finitize, Search, rep_ok};

/// Declares a tree of `Box`es and its invariant.
macro_rules! tree {
    ($module:ident, |$root:ident, $size:ident| $body:expr $(, $helpers:item)*) => {
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            #[derive(Debug, Finitize)]
            pub struct Node {
                left: Option<Box<Node>>,
                right: Option<Box<Node>>,
                #[finitize(0..scope)]
                key: usize,
            }

            #[derive(Debug, Finitize)]
            pub struct Tree {
                root: Option<Box<Node>>,
                size: usize,
            }

            #[rep_ok]
            impl Tree {
                pub fn rep_ok(&self) -> bool {
                    let ($root, $size) = (&self.root, self.size);
                    $body
                }
                $($helpers)*
            }
        }

        #[test]
        fn $module() {
            let report = Search::new($module::Tree::scope(3)).for_each(|tree| assert!(tree.rep_ok(), "{tree:?}"));
            // Shapes of trees, and the keys 0, 1, .. in the order of a search tree.
            assert_eq!(report.valid, 1 + 3 * 1 + 3 * 2 + 1 * 5);
        }
    };
}

tree!(a_deque, |root, size| {
    let mut work: VecDeque<(&Node, usize, usize)> = VecDeque::new();
    work.extend(root.as_deref().map(|root| (root, 0, 10)));
    let mut count = 0;
    while let Some((node, low, high)) = work.pop_front() {
        if node.key < low || node.key >= high {
            return false;
        }
        count += 1;
        if let Some(left) = &node.left {
            work.push_back((left, low, node.key));
        }
        if let Some(right) = &node.right {
            work.push_front((right, node.key + 1, high));
        }
    }
    count == size
});

tree!(a_deque_by_its_path, |root, size| {
    let mut work = std::collections::VecDeque::from([root]);
    let mut keys = collections::VecDeque::<usize>::with_capacity(4);
    // In order: a node comes back after its left part.
    let mut above = collections::VecDeque::new();
    while let Some(next) = work.pop_back() {
        let mut next = next.as_deref();
        while let Some(node) = next {
            above.push_back(node);
            next = node.left.as_deref();
        }
        if let Some(node) = above.pop_back() {
            keys.push_back(node.key);
            work.push_back(&node.right);
        }
    }
    keys.make_contiguous().is_sorted_by(|one, other| one < other) && keys.len() == size
});

tree!(
    an_ordered_set,
    |root, size| {
        let mut keys: collections::BTreeSet<usize> = BTreeSet::new();
        Self::ordered(root, &mut keys) && keys.len() == size
    },
    fn ordered(node: &Option<Box<Node>>, keys: &mut BTreeSet<usize>) -> bool {
        let Some(node) = node else { return true };
        Self::ordered(&node.left, keys)
            && keys.last().is_none_or(|last| *last < node.key)
            && keys.insert(node.key)
            && Self::ordered(&node.right, keys)
    }
);

tree!(
    an_ordered_map,
    |root, size| {
        // Every key, and how many nodes are before it.
        let mut ranks: BTreeMap<usize, usize> = BTreeMap::default();
        if !Self::rank(root, &mut ranks) {
            return false;
        }
        let counts = ranks.values().copied().collect::<collections::BTreeSet<_>>();
        ranks.range(..).zip(0..).all(|((_, rank), at)| *rank == at) && counts.len() == size
    },
    fn rank(node: &Option<Box<Node>>, ranks: &mut collections::BTreeMap<usize, usize>) -> bool {
        let Some(node) = node else { return true };
        if !Self::rank(&node.left, ranks) || ranks.contains_key(&node.key) {
            return false;
        }
        let before = ranks.len();
        *ranks.entry(node.key).or_default() += before;
        Self::rank(&node.right, ranks)
    }
);

tree!(
    a_heap,
    |root, size| {
        let mut keys = BinaryHeap::new();
        let mut order = Vec::new();
        Self::collect(root, &mut keys, &mut order);
        order.iter().all(|key| keys.pop() == Some(Reverse(*key)))
            && order.windows(2).all(|pair| pair[0] < pair[1])
            && order.len() == size
    },
    fn collect(node: &Option<Box<Node>>, keys: &mut BinaryHeap<Reverse<usize>>, order: &mut Vec<usize>) {
        if let Some(node) = node {
            Self::collect(&node.left, keys, order);
            keys.push(Reverse(node.key));
            order.push(node.key);
            Self::collect(&node.right, keys, order);
        }
    }
);

tree!(
    a_cell,
    |root, size| {
        let (count, last) = (Cell::new(0), Cell::<Option<usize>>::new(None));
        Self::visit(root, &count, &last) && count.get() == size
    },
    fn visit(node: &Option<Box<Node>>, count: &Cell<usize>, last: &std::cell::Cell<Option<usize>>) -> bool {
        let Some(node) = node else { return true };
        if !Self::visit(&node.left, count, last) {
            return false;
        }
        count.update(|count| count + 1);
        last.replace(Some(node.key)).is_none_or(|last| last < node.key) && Self::visit(&node.right, count, last)
    }
);

tree!(
    a_ref_cell,
    |root, size| {
        let keys: RefCell<Vec<usize>> = RefCell::new(vec![]);
        Self::visit(root, &keys);
        let count = Rc::new(RefCell::new(0));
        *count.borrow_mut() += keys.borrow().len();
        let last: RefMut<'_, usize> = count.borrow_mut();
        let sorted = keys.borrow().windows(2).all(|pair| pair[0] < pair[1]);
        sorted && *last == size && keys.into_inner().len() == size
    },
    fn visit(node: &Option<Box<Node>>, keys: &RefCell<Vec<usize>>) {
        if let Some(node) = node {
            Self::visit(&node.left, keys);
            keys.borrow_mut().push(node.key);
            Self::visit(&node.right, keys);
        }
    }
);

tree!(
    containers_in_containers,
    |root, size| {
        let mut levels: HashMap<usize, VecDeque<usize>> = HashMap::new();
        let mut work = VecDeque::from(vec![(root, 0usize)]);
        while let Some((node, level)) = work.pop_front() {
            let Some(node) = node else { continue };
            levels.entry(level).or_default().push_back(node.key);
            work.extend([(&node.left, level + 1), (&node.right, level + 1)]);
            let below = |child: &Option<Box<Node>>| child.as_ref().map(|child| child.key);
            if below(&node.left).is_some_and(|key| key >= node.key)
                || below(&node.right).is_some_and(|key| key <= node.key)
            {
                return false;
            }
        }
        let keys: BTreeSet<usize> = levels.values().flatten().copied().collect();
        let deep = levels.values().all(|level| level.iter().is_sorted());
        // A key below the child of a child is on the right side of the root, because there are three nodes.
        deep && keys.len() == size && Self::total(levels) == size && Self::ordered(root, 0, 10)
    },
    fn total(levels: HashMap<usize, VecDeque<usize>>) -> usize {
        levels.into_values().map(|level| level.len()).sum()
    },
    fn ordered(node: &Option<Box<Node>>, low: usize, high: usize) -> bool {
        node.as_ref().is_none_or(|node| {
            (low..high).contains(&node.key)
                && Self::ordered(&node.left, low, node.key)
                && Self::ordered(&node.right, node.key + 1, high)
        })
    }
);

/// Cells of all kinds at once: fields that are listed, fields around a part of the structure, the predicate's own.
mod cells {
    use super::*;

    #[derive(Debug, Finitize)]
    pub struct Link {
        next: RefCell<Option<Rc<Link>>>,
        #[finitize(values = (0..=1).map(Cell::new))]
        mark: Cell<u8>,
    }

    #[derive(Debug, Finitize)]
    pub struct Chain {
        first: Option<Rc<Link>>,
        #[finitize(values = [Cell::new(0), Cell::new(2)])]
        marked: Cell<u8>,
        #[finitize(values = [VecDeque::new(), VecDeque::from([1, 2])])]
        list: VecDeque<u8>,
    }

    #[rep_ok]
    impl Chain {
        pub fn rep_ok(&self) -> bool {
            let own = Cell::new(0);
            let seen = RefCell::new(BTreeSet::new());
            let mut next = self.first.clone();
            while let Some(link) = next {
                if !seen.borrow_mut().insert(Rc::as_ptr(&link)) {
                    return false;
                }
                own.set(own.get() + link.mark.get());
                next = link.next.borrow().clone();
            }
            own.get() == self.marked.get() && self.list.len() == seen.borrow().len()
        }
    }
}

#[test]
fn cells_of_the_structure_and_of_the_predicate() {
    let report = Search::new(cells::Chain::scope(3)).for_each(|chain| assert!(chain.rep_ok()));
    // No link and no mark, or two links that are both marked or both not.
    assert_eq!(report.valid, 1 + 2);
}

/// A type of the user's that is named like a cell of std: its variants are its own.
mod named_like_std {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Finitize)]
    enum Cell {
        Dead,
        Alive,
    }

    #[derive(Debug, Finitize)]
    pub struct Board {
        one: Cell,
        other: Cell,
    }

    #[rep_ok]
    impl Board {
        pub fn rep_ok(&self) -> bool {
            self.one == Cell::Alive || matches!(self.other, Cell::Dead)
        }
    }
}

#[test]
fn variants_of_a_type_named_like_a_cell() {
    assert_eq!(Search::new(named_like_std::Board::scope(1)).for_each(|board| assert!(board.rep_ok())).valid, 3);
}
