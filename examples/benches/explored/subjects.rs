//! The structures that are explored, as plain values, with their operations and the numbers that independent programs found.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::hash::Hash;

use korat::Finitize;

/// An operation with its name and the number of its arguments, `1..=n`.
pub type Operation<S> = (&'static str, u8, fn(&mut S, u8));

/// A structure with its operations: every sequence of up to `n` of them is run.
pub struct Subject<S> {
    pub name: &'static str,
    pub n: u8,
    pub operations: [Operation<S>; 2],
    /// The states that are found, and the operations that are run.
    pub found: u64,
    pub executions: u64,
    /// The time that a native checker of 2007 took for the largest size, in seconds.
    pub reported: f64,
}

#[derive(Clone, Debug, PartialEq, Hash, Finitize)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, Default, PartialEq, Hash, Finitize)]
pub struct SearchTree {
    root: Option<Box<Node>>,
}

impl SearchTree {
    fn place(&mut self, key: u8) -> &mut Option<Box<Node>> {
        let mut at = &mut self.root;
        while at.as_ref().is_some_and(|node| node.key != key) {
            let node = at.as_mut().expect("it is some");
            at = if key < node.key { &mut node.left } else { &mut node.right };
        }
        at
    }

    fn insert(&mut self, key: u8) {
        let place = self.place(key);
        if place.is_none() {
            *place = Some(Box::new(Node { key, left: None, right: None }));
        }
    }

    fn remove(&mut self, key: u8) {
        let place = self.place(key);
        let Some(mut node) = place.take() else { return };
        *place = match (node.left.take(), node.right.take()) {
            (None, other) | (other, None) => other,
            (left, right) => {
                node.left = left;
                node.right = right;
                let mut least = &mut node.right;
                while least.as_ref().is_some_and(|node| node.left.is_some()) {
                    least = &mut least.as_mut().expect("it is some").left;
                }
                let mut taken = least.take().expect("the right subtree has a node");
                *least = taken.right.take();
                node.key = taken.key;
                Some(node)
            }
        };
    }
}

pub fn search_tree(n: u8) -> Subject<SearchTree> {
    let operations = [("insert", n, SearchTree::insert as fn(&mut SearchTree, u8)), ("remove", n, SearchTree::remove)];
    let (found, executions) = if n == 10 { (223_191, 4_127_900) } else { (188, 1_460) };
    Subject { name: "search tree", n, operations, found, executions, reported: 12.55 }
}

#[derive(Clone, Debug, Default, PartialEq, Hash, Finitize)]
pub struct Stack {
    items: Vec<u8>,
}

pub fn stack(n: u8) -> Subject<Stack> {
    let push = |stack: &mut Stack, item| stack.items.push(item);
    let operations = [("push", n, push as fn(&mut Stack, u8)), ("pop", 1, |stack, _| _ = stack.items.pop())];
    let (found, executions) = if n == 7 { (960_800, 1_098_056) } else { (3_906, 4_686) };
    Subject { name: "stack", n, operations, found, executions, reported: 2.92 }
}

/// A queue of two stacks.
#[derive(Clone, Debug, Default, PartialEq, Hash, Finitize)]
pub struct Queue {
    back: Vec<u8>,
    front: Vec<u8>,
}

impl Queue {
    fn dequeue(&mut self) -> Option<u8> {
        if self.front.is_empty() {
            while let Some(item) = self.back.pop() {
                self.front.push(item);
            }
        }
        self.front.pop()
    }
}

pub fn queue(n: u8) -> Subject<Queue> {
    let enqueue = |queue: &mut Queue, item| queue.back.push(item);
    let operations = [("enqueue", n, enqueue as fn(&mut Queue, u8)), ("dequeue", 1, |queue, _| _ = queue.dequeue())];
    let (found, executions) = if n == 7 { (1_055_573, 1_183_960) } else { (4_336, 5_016) };
    Subject { name: "queue", n, operations, found, executions, reported: 3.87 }
}

/// A deque without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Hash, Finitize)]
pub struct Deque {
    items: VecDeque<u8>,
}

pub fn deque(n: u8) -> Subject<Deque> {
    let push_front = |deque: &mut Deque, item| {
        if !deque.items.contains(&item) {
            deque.items.push_front(item);
        }
    };
    let push_back = |deque: &mut Deque, item| {
        if !deque.items.contains(&item) {
            deque.items.push_back(item);
        }
    };
    let operations = [("push_front", n, push_front as fn(&mut Deque, u8)), ("push_back", n, push_back)];
    // Expanded are the arrangements of fewer than n of the n items.
    let (found, executions) = match n {
        10 => (9_864_101, 124_706_020),
        9 => (986_410, 11_223_540),
        _ => (326, 2_060),
    };
    Subject { name: "deque", n, operations, found, executions, reported: 22.38 }
}
