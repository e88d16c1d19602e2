//! Arrays as arenas: their positions are all there, and their elements are renamed as those of a vector.

use std::collections::BTreeSet;

use korat::{RepOk, Repair};
use korat_core::{Searcher, Settings, SlotVector};

use super::*;

/// Every valid value is taken apart, built again, and restored from its slots; no two have the same.
fn round_trip<T: Finitize + RepOk + PartialEq + std::fmt::Debug>(scope: usize) -> BTreeSet<SlotVector> {
    let searcher = || Searcher::<T>::new(&T::scope(scope), Settings::default()).expect("the bounds are right");
    let (mut search, mut idle, mut restored) = (searcher(), searcher(), searcher());
    let (mut vectors, mut count) = (BTreeSet::new(), 0);
    while search.advance().expect("the search goes on") {
        let value = search.value();
        let slots = search.abstract_value(&value).expect("a generated value is within the bounds");
        assert_eq!(idle.build(&slots), value);
        assert_eq!(idle.outline_of(&slots), search.outline());
        let vector = search.slot_vector();
        restored.restore(&vector).expect("a vector that was written is read");
        assert_eq!(restored.value(), value);
        vectors.insert(vector);
        count += 1;
    }
    assert_eq!(vectors.len(), count);
    vectors
}

/// Lists in an array, entered at `head`, walked by their links; other nodes are free.
mod walked {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Node {
        #[finitize(0..=1)]
        mark: u8,
        #[finitize(index_of = nodes)]
        next: Option<usize>,
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct List {
        #[finitize(index_of = nodes)]
        head: Option<usize>,
        nodes: [Node; 3],
    }

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            let mut seen = [false; 3];
            let mut at = self.head;
            while let Some(index) = at {
                if std::mem::replace(&mut seen[index], true) {
                    return false;
                }
                at = self.nodes[index].next;
            }
            true
        }
    }

    fn form(list: &List) -> String {
        let moved = |order: Vec<usize>| {
            let mut nodes = [(0, None); 3];
            for (at, node) in list.nodes.iter().enumerate() {
                nodes[order[at]] = (node.mark, node.next.map(|next| order[next]));
            }
            format!("{:?} {nodes:?}", list.head.map(|head| order[head]))
        };
        orders(3).into_iter().map(moved).min().unwrap_or_default()
    }

    fn all() -> Vec<List> {
        let links = [None, Some(0), Some(1), Some(2)];
        let nodes: Vec<Node> =
            [0, 1].iter().flat_map(|&mark| links.iter().map(move |&next| Node { mark, next })).collect();
        let with_head = |nodes: Vec<Node>| {
            let nodes: [Node; 3] = nodes.try_into().expect("three nodes");
            links.map(|head| List { head, nodes: nodes.clone() })
        };
        lists(&nodes, 3).into_iter().flat_map(with_head).collect()
    }

    #[test]
    fn lists_in_an_array_with_free_slots() {
        let count = agree(0, all(), form);
        assert_eq!(round_trip::<List>(0).len() as u64, count);
        // The scope bounds nothing here.
        assert_eq!(agree(2, all(), form), count);
    }

    #[test]
    fn a_list_in_an_array_is_repaired() {
        let free = Node { mark: 1, next: None };
        let broken = List { head: Some(2), nodes: [free.clone(), free, Node { mark: 0, next: Some(2) }] };
        let mut list = broken.clone();
        Repair::new().repair(&mut list).expect("a link to itself can be cut");
        assert!(list.rep_ok());
        assert_eq!(list.nodes[..2], broken.nodes[..2]);
    }
}

/// A pool of slots that are free or taken, behind a sentinel; free ones form a list.
mod optional {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Finitize)]
    struct Node {
        #[finitize(index_of = nodes, none = u8::MAX)]
        next: u8,
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pool {
        nodes: [Option<Node>; 3],
        #[finitize(index_of = nodes, none = u8::MAX)]
        first: u8,
    }

    #[rep_ok]
    impl Pool {
        fn rep_ok(&self) -> bool {
            let (mut at, mut seen) = (self.first, 0);
            while at != u8::MAX {
                seen += 1;
                let Some(node) = &self.nodes[usize::from(at)] else { return false };
                if seen > 3 {
                    return false;
                }
                at = node.next;
            }
            seen == self.nodes.iter().flatten().count()
        }
    }

    #[test]
    fn optional_elements_of_an_array() {
        let links = [u8::MAX, 0, 1, 2];
        let nodes: Vec<Option<Node>> =
            std::iter::once(None).chain(links.iter().map(|&next| Some(Node { next }))).collect();
        let all = lists(&nodes, 3).into_iter().flat_map(|nodes| {
            let nodes: [Option<Node>; 3] = nodes.try_into().expect("three nodes");
            links.map(|first| Pool { nodes, first })
        });
        let form = |pool: &Pool| {
            let moved = |order: Vec<usize>| {
                let to = |link: u8| if link == u8::MAX { link } else { order[usize::from(link)] as u8 };
                let mut nodes = [None; 3];
                for (at, node) in pool.nodes.iter().enumerate() {
                    nodes[order[at]] = node.map(|node| to(node.next));
                }
                format!("{} {nodes:?}", to(pool.first))
            };
            orders(3).into_iter().map(moved).min().unwrap_or_default()
        };
        // One list of each length.
        assert_eq!(agree(0, all, form), 4);
        assert_eq!(round_trip::<Pool>(0).len(), 4);
    }
}

/// Arrays beside each other, the first of which has the links; several objects with such arrays.
mod beside {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Links {
        #[finitize(beside = next)]
        mark: [bool; 2],
        #[finitize(index_of = next)]
        next: [Option<u8>; 2],
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Pages {
        #[finitize(len = 0..=2)]
        pages: Vec<Links>,
    }

    #[rep_ok]
    impl Pages {
        fn rep_ok(&self) -> bool {
            self.pages.iter().all(|page| {
                (0..2).all(|at| {
                    let Some(next) = page.next[at] else { return page.mark[at] };
                    usize::from(next) != at || !page.mark[at]
                })
            })
        }
    }

    fn form_of_page(page: &Links) -> String {
        let moved = |order: Vec<usize>| {
            let mut nodes = [(false, None); 2];
            for at in 0..2 {
                nodes[order[at]] = (page.mark[at], page.next[at].map(|next| order[usize::from(next)]));
            }
            format!("{nodes:?}")
        };
        orders(2).into_iter().map(moved).min().unwrap_or_default()
    }

    #[test]
    fn arrays_beside_each_other_move_together() {
        let links = [None, Some(0), Some(1)];
        let pages = lists(&links, 2).into_iter().flat_map(|next| {
            let next = [next[0], next[1]];
            lists(&[false, true], 2).into_iter().map(move |mark| Links { mark: [mark[0], mark[1]], next })
        });
        let pages: Vec<Links> = pages.collect();
        let all = (0..=2).flat_map(|len| lists(&pages, len)).map(|pages| Pages { pages });
        let count = agree(2, all, |pages| pages.pages.iter().map(form_of_page).collect());
        assert_eq!(round_trip::<Pages>(2).len() as u64, count);
    }
}

/// What an array cannot be.
mod rejected {
    use super::*;
    use crate::panics::message_of;

    #[derive(Debug, Finitize)]
    struct Longer {
        #[finitize(index_of = next)]
        next: [Option<u8>; 2],
        #[finitize(beside = next)]
        mark: [bool; 3],
    }

    #[derive(Debug, Finitize)]
    struct Vector {
        #[finitize(index_of = next)]
        next: [Option<u8>; 2],
        #[finitize(beside = next)]
        mark: Vec<bool>,
    }

    macro_rules! accepts_all {
        ($($class:ident)*) => {$(
            #[rep_ok]
            impl $class {
                fn rep_ok(&self) -> bool {
                    self.next[0].is_none()
                }
            }
        )*};
    }

    accepts_all! { Longer Vector }

    #[test]
    fn arrays_are_beside_arrays_of_the_same_length() {
        for (message, field) in [
            (message_of(|| Search::new(Longer::scope(1)).count()), "Longer.mark"),
            (message_of(|| Search::new(Vector::scope(1)).count()), "Vector.mark"),
        ] {
            let expected = format!(
                "{field} is beside `next`, but not always as long; make both vectors, or both arrays of one length"
            );
            assert!(message.contains(&expected), "{message}");
        }
    }
}
