//! What the guide's limits say to write instead works: each remedy is held to a count worked out by hand.

use std::cell::{Cell as StdCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use korat::{Finitize, RepOk, Search, SelfCheck, Unread, rep_ok};

fn valid<T: Finitize + RepOk>(scope: usize) -> u64 {
    Search::new(T::scope(scope)).self_check(SelfCheck::All).into_iter().count() as u64
}

/// A node of the lists below.
#[derive(Debug, Finitize)]
struct Node {
    key: bool,
    next: Option<Box<Node>>,
}

mod fields {
    use super::*;

    macro_rules! list_of {
        ($List:ident, $Node:ident, $Value:ty) => {
            #[derive(Debug, Finitize)]
            struct $Node {
                value: $Value,
                next: Option<Box<$Node>>,
            }

            #[derive(Debug, Finitize)]
            struct $List {
                head: Option<Box<$Node>>,
            }

            #[rep_ok]
            impl $List {
                fn rep_ok(&self) -> bool {
                    let mut rest = &self.head;
                    while let Some(node) = rest {
                        rest = &node.next;
                    }
                    true
                }
            }
        };
    }

    list_of!(Bits, BitNode, bool);
    list_of!(Letters, LetterNode, char);

    #[test]
    fn a_macro_in_place_of_a_generic_struct() {
        assert_eq!(valid::<Bits>(2), 1 + 2 + 4);
        assert_eq!(valid::<Letters>(2), 1 + 3 + 9);
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Shape {
        Point,
        Circle(u8),
    }

    #[derive(Debug, Finitize)]
    struct Listed {
        #[finitize(values = [Shape::Point, Shape::Circle(0), Shape::Circle(1)])]
        shape: Shape,
        #[finitize(values = [Arc::new(1)])]
        shared: Arc<u8>,
        #[finitize(values = [StdCell::new(1), StdCell::new(2)])]
        cell: StdCell<u8>,
        #[finitize(values = [vec![], vec![vec![1]]])]
        rows: Vec<Vec<u8>>,
        #[finitize(values = [BTreeMap::new(), BTreeMap::from([(1, 2)])])]
        map: BTreeMap<u8, u8>,
        #[finitize(values = (0..=scope).map(|n| "x".repeat(n)))]
        text: String,
    }

    #[rep_ok]
    impl Listed {
        fn rep_ok(&self) -> bool {
            let round = match &self.shape {
                Shape::Point => true,
                Shape::Circle(radius) => *radius > 0,
            };
            round
                && self.cell.get() == *self.shared
                && self.rows.iter().all(|row| row.len() == 1)
                && self.map.get(&1) == Some(&2)
                && self.text.len() < 2
        }
    }

    #[test]
    fn values_of_types_that_are_not_known() {
        // Shapes, rows, texts; one cell, one map.
        assert_eq!(valid::<Listed>(3), 2 * 2 * 2);
    }

    #[derive(Debug, Finitize)]
    struct Row {
        #[finitize(len = scope..=scope)]
        bits: Vec<bool>,
    }

    // The inner vector is a class, and a class is held through a pointer.
    #[allow(clippy::vec_box)]
    #[derive(Debug, Finitize)]
    struct Grid {
        #[finitize(len = scope..=scope)]
        rows: Vec<Box<Row>>,
    }

    #[rep_ok]
    impl Grid {
        fn rep_ok(&self) -> bool {
            self.rows.iter().all(|row| row.bits.iter().any(|&bit| bit))
        }
    }

    #[test]
    fn a_class_for_the_inner_vector() {
        assert_eq!(valid::<Grid>(2), 3 * 3);
    }

    #[derive(Debug, Finitize)]
    struct Two {
        one: Vec<u8>,
        other: Vec<u8>,
    }

    #[rep_ok]
    impl Two {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[test]
    fn unread_vectors_are_many_values() {
        assert_eq!(Search::new(Two::scope(4)).count(), 609_961);
        assert_eq!(Search::new(Two::scope(4)).unread(Unread::First).count(), 1);
    }
}

mod predicates {
    use super::*;

    fn small(set: &BTreeSet<bool>) -> bool {
        set.len() < 2
    }

    fn in_order([low, high]: [usize; 2]) -> bool {
        low <= high
    }

    /// Lists whose keys are all alike.
    #[derive(Debug, Finitize)]
    struct Plain {
        head: Option<Box<Node>>,
        len: usize,
    }

    #[rep_ok]
    impl Plain {
        fn rep_ok(&self) -> bool {
            let keys: BTreeSet<bool> = self.nodes().map(|node| node.key).collect();
            let seen: HashSet<*const Node> = self.nodes().map(std::ptr::from_ref).collect();
            small(&keys) && in_order([seen.len(), self.len]) && seen.len() == self.len
        }

        fn nodes(&self) -> impl Iterator<Item = &Node> {
            std::iter::successors(self.head.as_deref(), |node| node.next.as_deref())
        }
    }

    #[test]
    fn plain_values_are_handed_to_any_function() {
        assert_eq!(valid::<Plain>(3), 1 + 2 + 2 + 2);
    }

    /// At most one node, and its key is set.
    #[derive(Debug, Finitize)]
    struct Guarded {
        head: Option<Box<Node>>,
    }

    #[rep_ok]
    impl Guarded {
        fn rep_ok(&self) -> bool {
            match self.head.as_deref() {
                None => true,
                Some(Node { key, next }) if next.is_none() => *key,
                Some(_) => false,
            }
        }
    }

    #[test]
    fn a_guard_in_place_of_none_in_a_class() {
        assert_eq!(valid::<Guarded>(3), 1 + 1);
    }

    #[derive(Debug, Finitize)]
    struct Moved {
        len: usize,
    }

    #[rep_ok]
    impl Moved {
        fn rep_ok(&self) -> bool {
            struct Inner {
                list: Vec<usize>,
            }
            struct Outer {
                inner: Inner,
            }
            fn make(len: usize) -> Outer {
                Outer { inner: Inner { list: vec![len] } }
            }
            let Outer { inner: Inner { list } } = make(self.len);
            list == [1]
        }
    }

    #[test]
    fn a_pattern_moves_a_part_out() {
        assert_eq!(valid::<Moved>(3), 1);
    }

    #[derive(Debug, Finitize)]
    struct Cell {
        next: Option<Rc<RefCell<Cell>>>,
    }

    type ListCell = Cell;

    #[derive(Debug, Finitize)]
    struct Chain {
        head: Option<Rc<RefCell<Cell>>>,
    }

    #[rep_ok]
    impl Chain {
        fn rep_ok(&self) -> bool {
            Self::ends(&self.head, &mut HashSet::new())
        }

        fn ends(at: &Option<Rc<RefCell<ListCell>>>, seen: &mut HashSet<*const RefCell<ListCell>>) -> bool {
            let Some(cell) = at else { return true };
            seen.insert(Rc::as_ptr(cell)) && Self::ends(&cell.borrow().next, seen)
        }
    }

    #[test]
    fn an_alias_for_a_class_named_like_a_std_type() {
        assert_eq!(valid::<Chain>(3), 4);
    }

    mod limits {
        pub struct Vec(pub usize);

        impl Vec {
            pub fn new() -> Vec {
                Vec(1)
            }
        }
    }

    #[derive(Debug, Finitize)]
    struct WithPlain {
        len: usize,
    }

    #[rep_ok(plain(limits::Vec))]
    impl WithPlain {
        fn rep_ok(&self) -> bool {
            self.len <= limits::Vec::new().0
        }
    }

    #[test]
    fn a_plain_type_named_like_a_container() {
        assert_eq!(valid::<WithPlain>(3), 2);
    }

    mod elsewhere {
        use super::Finitize;

        #[derive(Debug, Finitize)]
        pub struct Counter {
            pub count: u8,
        }
    }

    #[rep_ok]
    impl elsewhere::Counter {
        fn rep_ok(&self) -> bool {
            self.count > 0
        }
    }

    #[test]
    fn a_class_of_another_module_by_its_path() {
        assert_eq!(valid::<elsewhere::Counter>(3), 3);
    }

    #[derive(Debug, Finitize)]
    struct Deep {
        len: usize,
    }

    #[rep_ok]
    impl Deep {
        fn rep_ok(&self) -> bool {
            Self::down(100_000) == self.len
        }

        fn down(left: usize) -> usize {
            if left == 0 { 1 } else { Self::down(left - 1) }
        }
    }

    #[test]
    fn a_larger_stack_for_deep_recursion() {
        let search = || {
            let bytes = 200 << 20;
            Search::new(Deep::scope(2)).stack_limit(bytes).count()
        };
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(search).unwrap();
        assert_eq!(thread.join().unwrap(), 1);
    }
}
