//! Names, sets, indices and parallel vectors whose values are behind pointers or in lists of std.

use std::collections::LinkedList;
use std::num::NonZeroU8;
use std::rc::Rc;

use super::*;

#[derive(Clone, Debug, Finitize)]
struct Word {
    #[finitize(0..=3, identity)]
    letters: Vec<Rc<u8>>,
    #[finitize(0..=3, identity)]
    last: Option<Box<u8>>,
}

#[rep_ok]
impl Word {
    fn rep_ok(&self) -> bool {
        self.letters.windows(2).all(|pair| *pair[0] != *pair[1])
            && self.last.as_deref() == self.letters.last().map(|last| &**last)
    }
}

#[test]
fn names_behind_pointers() {
    for scope in 0..=3 {
        let mut all = Vec::new();
        for letters in lists_up_to(&[0, 1, 2, 3], scope) {
            for last in [None, Some(0), Some(1), Some(2), Some(3)] {
                let letters = letters.iter().copied().map(Rc::new).collect();
                all.push(Word { letters, last: last.map(Box::new) });
            }
        }
        agree(scope, all, |word| {
            let names = word.letters.iter().map(|letter| **letter).chain(word.last.as_deref().copied());
            format!("{} {:?}", word.letters.len(), renamed(names))
        });
    }
}

#[derive(Clone, Debug, Finitize)]
#[allow(clippy::vec_box, reason = "the boxes are what is tested")]
struct Bags {
    #[finitize(set)]
    boxed: Vec<Box<u8>>,
    #[finitize(set)]
    linked: LinkedList<bool>,
}

#[rep_ok]
impl Bags {
    fn rep_ok(&self) -> bool {
        let sum: u32 = self.boxed.iter().rev().map(|item| u32::from(**item)).sum();
        sum as usize == self.linked.iter().filter(|flag| **flag).count()
    }
}

#[test]
fn sets_of_pointers_and_lists_as_sets() {
    for scope in 0..=3 {
        let numbers: Vec<u8> = (0..=scope as u8).collect();
        let mut all = Vec::new();
        for boxed in lists_up_to(&numbers, scope) {
            for linked in lists_up_to(&[false, true], scope) {
                let boxed = boxed.iter().copied().map(Box::new).collect();
                all.push(Bags { boxed, linked: linked.into_iter().collect() });
            }
        }
        agree(scope, all, |bags| {
            let (mut boxed, mut linked) = (bags.boxed.clone(), Vec::from_iter(bags.linked.clone()));
            boxed.sort();
            linked.sort();
            format!("{boxed:?} {linked:?}")
        });
    }
}

#[derive(Clone, Debug, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    next: Option<Rc<usize>>,
}

#[derive(Clone, Debug, Finitize)]
struct Pool {
    #[finitize(index_of = nodes)]
    head: Option<Box<usize>>,
    nodes: Vec<Node>,
    #[finitize(beside = nodes)]
    marks: LinkedList<bool>,
}

#[rep_ok]
impl Pool {
    fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut at = self.head.as_deref().copied();
        while let Some(index) = at {
            if std::mem::replace(&mut seen[index], true) {
                return false;
            }
            at = self.nodes[index].next.as_deref().copied();
        }
        self.marks.iter().zip(&seen).all(|(mark, seen)| *mark || !seen)
    }
}

#[test]
fn indices_behind_pointers_and_a_list_beside_an_arena() {
    for scope in 0..=3 {
        let mut all = Vec::new();
        for len in 0..=scope {
            let links: Vec<Option<usize>> = std::iter::once(None).chain((0..len).map(Some)).collect();
            for next in lists(&links, len) {
                for marks in lists(&[false, true], len) {
                    all.extend(links.iter().map(|&head| Pool {
                        head: head.map(Box::new),
                        nodes: next.iter().map(|&next| Node { next: next.map(Rc::new) }).collect(),
                        marks: marks.iter().copied().collect(),
                    }));
                }
            }
        }
        agree(scope, all, |pool| {
            let moved = |order: Vec<usize>| {
                let mut nodes = vec![(false, None); order.len()];
                for (at, (node, mark)) in pool.nodes.iter().zip(&pool.marks).enumerate() {
                    nodes[order[at]] = (*mark, node.next.as_deref().map(|&next| order[next]));
                }
                format!("{:?} {nodes:?}", pool.head.as_deref().map(|&head| order[head]))
            };
            orders(pool.nodes.len()).into_iter().map(moved).min().unwrap_or_default()
        });
    }
}

/// Lists in an arena whose ids begin with 1: with an offset, with a `NonZero`, and with 0 for no element.
macro_rules! one_based {
    ($name:ident, $id:item, $link:ty, $none:expr, |$at:ident| $number:expr, |$of:ident| $make:expr, $(#[$attr:meta])*) => {
        mod $name {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq, Finitize)]
            $id

            #[derive(Clone, Debug, Finitize)]
            struct Node {
                $(#[$attr])*
                next: $link,
            }

            #[derive(Clone, Debug, Finitize)]
            struct List {
                $(#[$attr])*
                head: $link,
                nodes: Vec<Node>,
            }

            /// The position that a link stands for.
            fn position($at: $link) -> Option<usize> {
                $number
            }

            fn link(position: Option<usize>) -> $link {
                position.map_or($none, |$of| $make)
            }

            #[rep_ok]
            impl List {
                fn rep_ok(&self) -> bool {
                    let mut seen = vec![false; self.nodes.len()];
                    let mut at = position(self.head);
                    while let Some(index) = at {
                        if std::mem::replace(&mut seen[index], true) {
                            return false;
                        }
                        at = position(self.nodes[index].next);
                    }
                    true
                }
            }

            #[test]
            fn every_class_once() {
                for scope in 0..=3 {
                    let mut all = Vec::new();
                    for len in 0..=scope {
                        let links: Vec<Option<usize>> = std::iter::once(None).chain((0..len).map(Some)).collect();
                        for next in lists(&links, len) {
                            let nodes: Vec<Node> = next.iter().map(|&next| Node { next: link(next) }).collect();
                            all.extend(links.iter().map(|&head| List { head: link(head), nodes: nodes.clone() }));
                        }
                    }
                    agree(scope, all, |list| {
                        let moved = |order: Vec<usize>| {
                            let mut nodes = vec![None; order.len()];
                            for (at, node) in list.nodes.iter().enumerate() {
                                nodes[order[at]] = position(node.next).map(|next| order[next]);
                            }
                            format!("{:?} {nodes:?}", position(list.head).map(|head| order[head]))
                        };
                        orders(list.nodes.len()).into_iter().map(moved).min().unwrap_or_default()
                    });
                }
            }
        }
    };
}

one_based! {
    ids_with_an_offset,
    #[finitize(id, offset = 1)]
    struct Id(u32);,
    Option<Id>, None, |link| link.map(|id| id.0 as usize - 1), |at| Some(Id(at as u32 + 1)),
    #[finitize(index_of = nodes)]
}

one_based! {
    ids_that_are_not_zero,
    #[finitize(id)]
    struct Id(NonZeroU8);,
    Option<Id>, None, |link| link.map(|id| usize::from(id.0.get()) - 1), |at| NonZeroU8::new(at as u8 + 1).map(Id),
    #[finitize(index_of = nodes)]
}

one_based! {
    ids_with_zero_for_none,
    #[finitize(id, offset = 1)]
    struct Id(u8);,
    Id, Id(0), |link| usize::from(link.0).checked_sub(1), |at| Id(at as u8 + 1),
    #[finitize(index_of = nodes, none = Id(0))]
}

one_based! {
    numbers_that_are_not_zero,
    #[allow(dead_code)]
    #[finitize(id)]
    struct Id(u8);,
    Option<NonZeroU8>, None, |link| link.map(|id| usize::from(id.get()) - 1), |at| NonZeroU8::new(at as u8 + 1),
    #[finitize(index_of = nodes)]
}

/// Without `index_of`, the values of an id begin with its offset.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
#[finitize(id, offset = 2)]
struct FromTwo(u16);

#[derive(Clone, Debug, Finitize)]
struct Holder {
    id: FromTwo,
}

#[rep_ok]
impl Holder {
    fn rep_ok(&self) -> bool {
        self.id.0 > 0
    }
}

#[test]
fn an_id_alone_begins_with_its_offset() {
    let ids: Vec<u16> = Search::new(Holder::scope(4)).into_iter().map(|holder| holder.id.0).collect();
    assert_eq!(ids, [2, 3, 4]);
}
