//! Forms of ordinary Rust in predicates that a lifting could get wrong: each predicate is held to the count of a brute-force
//! loop over real values, in both prunings.

// What clippy would have written otherwise must be lifted too.
#![allow(clippy::partialeq_to_none)]

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;
use std::rc::Rc;

use korat::{Finitize, Pruning, RepOk, Search, rep_ok};

/// The number of valid values, which both prunings must agree on and the untouched `rep_ok` must accept.
fn valid<T: Finitize + RepOk + Debug>(scope: usize) -> u64 {
    let owned = Search::new(T::scope(scope)).verify(true).allow_empty().for_each(|value| assert!(value.holds())).valid;
    let classic =
        Search::new(T::scope(scope)).pruning(Pruning::Classic).verify(true).allow_empty().for_each(drop).valid;
    assert_eq!(owned, classic);
    owned
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Finitize)]
enum Color {
    Red,
    Black,
}

#[derive(Debug, PartialEq, Finitize)]
struct Node {
    color: Color,
    key: u8,
    next: Option<Box<Node>>,
}

/// Lists of at most `scope` nodes, each red or black, keys `0..=scope`.
#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

/// Every list of at most `most` nodes as pairs of colour and key.
fn all_lists(most: usize) -> Vec<Vec<(Color, u8)>> {
    let mut all = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..most {
        let mut longer = Vec::new();
        for list in &longest {
            for color in [Color::Red, Color::Black] {
                for key in 0..=most as u8 {
                    longer.push([&list[..], &[(color, key)]].concat());
                }
            }
        }
        all.extend(longer.iter().cloned());
        longest = longer;
    }
    all
}

fn lists_where(most: usize, holds: impl Fn(&[(Color, u8)]) -> bool) -> u64 {
    all_lists(most).iter().filter(|list| holds(list)).count() as u64
}

mod taking_a_class_apart {
    use super::*;

    macro_rules! list_type {
        ($name:ident) => {
            #[derive(Debug, Finitize)]
            struct $name {
                head: Option<Box<Node>>,
            }
        };
    }

    list_type!(ByLet);
    #[rep_ok]
    impl ByLet {
        fn rep_ok(&self) -> bool {
            let Self { head } = self;
            let mut seen = HashSet::new();
            let mut at = head;
            while let Some(node) = at {
                if !seen.insert(&raw const **node) {
                    return false;
                }
                let Node { color, key, next } = &**node;
                if *color == Color::Red && *key == 0 {
                    return false;
                }
                at = next;
            }
            true
        }
    }

    list_type!(ByIfLet);
    #[rep_ok]
    impl ByIfLet {
        fn rep_ok(&self) -> bool {
            if let Some(Node { color: Color::Red, .. }) = self.head.as_deref() {
                return false;
            }
            Self::sorted(self.head.as_deref(), &mut HashSet::new())
        }

        fn sorted(node: Option<&Node>, seen: &mut HashSet<*const Node>) -> bool {
            let Some(node @ Node { key, next, .. }) = node else { return true };
            if !seen.insert(node) {
                return false;
            }
            match next.as_deref() {
                Some(Node { key: next_key, .. }) if next_key <= key => false,
                Some(_) | None => Self::sorted(next.as_deref(), seen),
            }
        }
    }

    list_type!(ByMatches);
    #[rep_ok]
    impl ByMatches {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let nodes = || std::iter::successors(self.head.as_deref(), |node| node.next.as_deref());
            nodes().all(|node| seen.insert(&raw const *node))
                && nodes().all(|Node { key, .. }| *key < 3)
                && nodes().filter(|node| matches!(node, Node { color: Color::Black, key: 1..=2, .. })).count() == 1
        }
    }

    #[test]
    fn by_let() {
        let holds = |list: &[(Color, u8)]| list.iter().all(|&(color, key)| color != Color::Red || key != 0);
        assert_eq!(valid::<ByLet>(2), lists_where(2, holds));
    }

    #[test]
    fn by_if_let_and_match() {
        let holds = |list: &[(Color, u8)]| {
            !list.first().is_some_and(|(color, _)| *color == Color::Red)
                && list.windows(2).all(|pair| pair[1].1 > pair[0].1)
        };
        assert_eq!(valid::<ByIfLet>(3), lists_where(3, holds));
    }

    #[test]
    fn by_matches_and_closure_parameters() {
        let holds = |list: &[(Color, u8)]| {
            let dark = |node: &&(Color, u8)| matches!(node, (Color::Black, 1..=2));
            list.iter().all(|(_, key)| *key < 3) && list.iter().filter(dark).count() == 1
        };
        assert_eq!(valid::<ByMatches>(3), lists_where(3, holds));
    }

    /// A tuple struct.
    #[derive(Debug, Finitize)]
    struct Pair(u8, bool);

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let Pair(number, flag) = self;
            let Self(again, _) = *self;
            match self {
                Self(0, true) => false,
                Pair(_, _) => *flag == number.is_multiple_of(2) && again == *number,
            }
        }
    }

    #[test]
    fn tuple_structs() {
        let all = (0..=3u8).flat_map(|number| [(number, false), (number, true)]);
        let count = all.filter(|&(number, flag)| !(number == 0 && flag) && flag == number.is_multiple_of(2)).count();
        assert_eq!(valid::<Pair>(3), count as u64);
    }
}

mod sequences {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Numbers {
        #[finitize(len = 0..=3)]
        list: Vec<u8>,
    }

    fn vectors_where(holds: impl Fn(&[u8]) -> bool) -> u64 {
        let mut all: Vec<Vec<u8>> = vec![vec![]];
        let mut longest = all.clone();
        for _ in 0..3 {
            longest = longest.iter().flat_map(|list| (0..=2).map(move |key| [&list[..], &[key]].concat())).collect();
            all.extend(longest.iter().cloned());
        }
        all.iter().filter(|list| holds(list)).count() as u64
    }

    #[rep_ok]
    impl Numbers {
        fn rep_ok(&self) -> bool {
            Self::rising(&self.list) && !Self::starts_low(&self.list[..]) && self.list != [1, 2]
        }

        fn rising(list: &[u8]) -> bool {
            match list {
                [] | [_] => true,
                [first, second, ..] if first >= second => false,
                [_, rest @ ..] => Self::rising(rest),
            }
        }

        fn starts_low(list: &[u8]) -> bool {
            if let [0, 1, ..] = list { true } else { list.ends_with(&[0]) }
        }
    }

    #[test]
    fn slice_patterns() {
        let holds = |list: &[u8]| {
            list.windows(2).all(|pair| pair[0] < pair[1])
                && !list.starts_with(&[0, 1])
                && !list.ends_with(&[0])
                && list != [1, 2]
        };
        assert_eq!(valid::<Numbers>(2), vectors_where(holds));
    }

    #[derive(Debug, Finitize)]
    struct Triple {
        array: [u8; 3],
    }

    #[rep_ok]
    impl Triple {
        fn rep_ok(&self) -> bool {
            let [a, b, _] = self.array;
            let mut sorted = self.array;
            sorted.sort_unstable();
            let by_value: u8 = self.array.into_iter().sum();
            let distinct: BTreeSet<u8> = self.array.iter().copied().collect();
            a != b
                && Self::total(&self.array) == by_value
                && sorted[2] < 3
                && distinct.len() > 1
                && self.array != [0, 1, 2]
        }

        fn total(array: &[u8; 3]) -> u8 {
            array.iter().sum()
        }
    }

    #[test]
    fn arrays_by_value() {
        let mut count = 0;
        for a in 0..=3u8 {
            for b in 0..=3 {
                for c in 0..=3 {
                    count += u64::from(a != b && a.max(b).max(c) < 3 && [a, b, c] != [0, 1, 2]);
                }
            }
        }
        assert_eq!(valid::<Triple>(3), count);
    }
}

mod local_values {
    use super::*;

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            struct Walk<'a> {
                at: &'a Option<Box<Node>>,
                seen: Vec<*const Node>,
                pair: (usize, Vec<u8>),
            }
            let mut walk = Walk { at: &self.head, seen: vec![], pair: (0, Vec::new()) };
            while let Some(node) = walk.at {
                if walk.seen.contains(&(&raw const **node)) {
                    return false;
                }
                walk.seen.push(&**node);
                walk.pair.0 += 1;
                walk.pair.1.push(node.key);
                walk.at = &node.next;
            }
            // The parts move out of the predicate's own struct.
            let Walk { seen, pair: (len, keys), .. } = walk;
            let item = (seen, len);
            let seen = item.0;
            self.head == None || (seen.len() == item.1 && None != keys.first() && keys[0] == 1)
        }
    }

    #[test]
    fn parts_of_local_structs_and_tuples() {
        let holds = |list: &[(Color, u8)]| list.is_empty() || list[0].1 == 1;
        assert_eq!(valid::<List>(2), lists_where(2, holds));
    }
}

mod cells {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Knot {
        to: Option<Rc<RefCell<Knot>>>,
    }

    /// A chain of at most `scope` knots that ends.
    #[derive(Debug, Finitize)]
    struct Rope {
        start: Option<Rc<RefCell<Knot>>>,
        other: Option<Rc<RefCell<Knot>>>,
    }

    #[rep_ok]
    impl Rope {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let mut at = self.start.clone();
            while let Some(knot) = at {
                if !seen.insert(knot.as_ptr()) {
                    return false;
                }
                let to = &knot.borrow().to;
                at = to.as_ref().map(Rc::clone);
            }
            // `other` is one of the chain, or nothing.
            self.other.as_ref().is_none_or(|other| seen.contains(&other.as_ptr()))
        }
    }

    #[test]
    fn guards_live_as_long_as_in_the_original() {
        // A chain of n knots, and n + 1 ways to choose the other end.
        assert_eq!(valid::<Rope>(3), (0..=3).map(|n| n + 1).sum::<u64>());
    }
}

mod optional_weak {
    use std::rc::Weak;

    use super::*;

    #[derive(Debug, Finitize)]
    struct Stop {
        next: Option<Rc<RefCell<Stop>>>,
        prev: Option<Weak<RefCell<Stop>>>,
    }

    /// A line in both directions; the first stop has no way back.
    #[derive(Debug, Finitize)]
    struct Line {
        first: Option<Rc<RefCell<Stop>>>,
        /// Never read: `None`, dangling, or any stop.
        favourite: Option<Weak<RefCell<Stop>>>,
    }

    #[rep_ok]
    impl Line {
        fn rep_ok(&self) -> bool {
            let mut behind: Option<Rc<RefCell<Stop>>> = None;
            let mut at = self.first.clone();
            while let Some(stop) = at {
                let mirrored = match (&behind, &stop.borrow().prev) {
                    (None, None) => true,
                    (Some(behind), Some(prev)) => prev.upgrade().is_some_and(|prev| Rc::ptr_eq(behind, &prev)),
                    (None, Some(_)) | (Some(_), None) => false,
                };
                if !mirrored {
                    return false;
                }
                at = stop.borrow().next.clone();
                behind = Some(stop);
            }
            true
        }
    }

    #[test]
    fn none_dangling_and_every_object_are_different() {
        // A line of n stops, and n + 2 values of the favourite.
        assert_eq!(valid::<Line>(3), (0..=3).map(|n| n + 2).sum::<u64>());
    }
}

mod names {
    use super::*;

    /// A class with the name of a std type, and a helper with the name of a std method.
    #[derive(Debug, Finitize)]
    struct LinkedList {
        key: u8,
        rest: Option<Box<LinkedList>>,
    }

    #[rep_ok]
    impl LinkedList {
        fn rep_ok(&self) -> bool {
            let n = (self.key, 1);
            let n = (n.0, n.1);
            // The pattern hides the tuple.
            let first_is_small = if let Some(n) = &self.rest { n.key < 2 } else { n.0 < 2 };
            let count = match &self.rest {
                // The guard means the pattern's name too.
                Some(n) if n.key > 9 => 9,
                Some(n) => n.count(),
                None => 0,
            };
            let LinkedList { key, .. } = self;
            first_is_small && *key == self.key && count < 2 && LinkedList::small(&self.rest)
        }

        fn count(&self) -> usize {
            1 + self.rest.as_ref().map_or(0, |rest| rest.count())
        }

        fn small(list: &Option<Box<LinkedList>>) -> bool {
            list.as_deref().is_none_or(|list: &LinkedList| list.key < 3)
        }
    }

    #[test]
    fn of_std_are_the_users_own() {
        // One node with key 0 or 1, or any key before one with key 0 or 1.
        assert_eq!(Search::new(LinkedList::scope(3)).for_each(drop).valid, 2 + 4 * 2);
    }

    #[derive(Debug, Finitize)]
    struct Chains {
        head: Option<Box<Node>>,
        len: u8,
    }

    #[rep_ok]
    impl Chains {
        fn rep_ok(&self) -> bool {
            if self.len == 0
                && let Some(Node { key: 2, next: None, .. }) = self.head.as_deref()
                && self.len == 0
            {
                return false;
            }
            match self.head.as_deref() {
                Some(Node { next: None, key, .. }) => *key == self.len,
                Some(_) => false,
                None => self.len == 1,
            }
        }
    }

    #[test]
    fn of_fields_in_chains_of_conditions() {
        // No node and length 1, or one node of either colour whose key is the length.
        assert_eq!(valid::<Chains>(2), 1 + 2 * 3);
    }
}

mod identity {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Leaf;

    /// Two objects without fields are two objects.
    #[derive(Debug, Finitize)]
    struct Two {
        one: Rc<Leaf>,
        other: Rc<Leaf>,
    }

    #[rep_ok]
    impl Two {
        fn rep_ok(&self) -> bool {
            !Rc::ptr_eq(&self.one, &self.other)
        }
    }

    #[test]
    fn objects_without_fields_are_different() {
        assert_eq!(valid::<Two>(2), 1);
    }

    #[derive(Debug, Finitize)]
    struct Twig {
        left: Option<Box<Twig>>,
        right: Option<Box<Twig>>,
    }

    /// A tree that remembers links, not nodes.
    #[derive(Debug, Finitize)]
    struct ByLink {
        root: Option<Box<Twig>>,
    }

    #[rep_ok]
    impl ByLink {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Option<Box<Twig>>> = HashSet::new();
            let mut work = vec![&self.root];
            while let Some(link) = work.pop() {
                if !seen.insert(link) {
                    return false;
                }
                if let Some(twig) = link {
                    work.push(&twig.left);
                    work.push(&twig.right);
                }
            }
            true
        }
    }

    #[test]
    fn fields_have_addresses_of_their_own() {
        assert_eq!(Search::new(ByLink::scope(3)).count().valid, 1 + 1 + 2 + 5);
    }
}

mod generic_helpers {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Heap<K> {
        root: Option<Box<Entry<K>>>,
        len: usize,
    }

    #[derive(Debug, Finitize)]
    struct Entry<K> {
        key: K,
        children: Vec<Entry<K>>,
    }

    #[rep_ok]
    impl<K: Ord> Heap<K> {
        fn rep_ok(&self) -> bool {
            // A function in a body cannot use the parameters of the block: it has its own.
            fn size<K: Ord>(entry: &Entry<K>) -> Option<usize> {
                let mut total = 1;
                for child in &entry.children {
                    if child.key < entry.key {
                        return None;
                    }
                    total += size(child)?;
                }
                Some(total)
            }
            Self::sized(&self.root, size) == Some(self.len)
        }

        fn sized<E, F: Fn(&Entry<E>) -> Option<usize>>(entry: &Option<Box<Entry<E>>>, size: F) -> Option<usize> {
            entry.as_ref().map_or(Some(0), |entry| size(entry))
        }
    }

    #[test]
    fn have_parameters_that_stand_for_plain_values() {
        // None; one of three keys; a root and a child that is not smaller.
        assert_eq!(valid::<Heap<u8>>(2), 1 + 3 + 6);
    }
}
