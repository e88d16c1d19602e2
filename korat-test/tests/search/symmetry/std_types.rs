//! Names, sets, indices and parallel vectors whose values are behind pointers or in lists of std.

use std::collections::LinkedList;
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
