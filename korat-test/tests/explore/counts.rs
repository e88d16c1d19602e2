//! Numbers of states, expanded states and executions, as independent programs and the literature give them: operations with arguments
//! `1..=n`, sequences of up to `n` operations.

use korat::{Explore, ExploreEnding, Finitize};

pub mod search_tree {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }

    #[derive(Debug, Default, Finitize)]
    pub struct SearchTree {
        root: Option<Box<Node>>,
    }

    impl SearchTree {
        /// Returns the keys, each before those of its children.
        pub fn preorder(&self) -> Vec<u8> {
            fn walk(node: &Option<Box<Node>>, keys: &mut Vec<u8>) {
                if let Some(node) = node {
                    keys.push(node.key);
                    walk(&node.left, keys);
                    walk(&node.right, keys);
                }
            }
            let mut keys = Vec::new();
            walk(&self.root, &mut keys);
            keys
        }

        fn place(&mut self, key: u8) -> &mut Option<Box<Node>> {
            let mut at = &mut self.root;
            while at.as_ref().is_some_and(|node| node.key != key) {
                let node = at.as_mut().expect("it is some");
                at = if key < node.key { &mut node.left } else { &mut node.right };
            }
            at
        }

        pub fn insert(&mut self, key: u8) {
            let place = self.place(key);
            if place.is_none() {
                *place = Some(Box::new(Node { key, left: None, right: None }));
            }
        }

        pub fn remove(&mut self, key: u8) {
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

    pub fn exploration(n: u8) -> Explore<SearchTree> {
        Explore::from(SearchTree::default())
            .operation("insert", 1..=n, SearchTree::insert)
            .operation("remove", 1..=n, SearchTree::remove)
            .depth(n.into())
    }
}

#[test]
fn search_trees() {
    for (n, found) in [(5, 188), (6, 731), (7, 2_950)] {
        search_tree::exploration(n).run().expect_states(found);
    }
}

#[test]
#[ignore = "takes seconds in a release build"]
fn large_search_trees() {
    for (n, found) in [(8, 12_235), (9, 51_822), (10, 223_191)] {
        let report = search_tree::exploration(n).run();
        println!("{report}");
        report.expect_states(found);
    }
}

pub mod linked_list {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Node {
        item: u8,
        next: Option<Box<Node>>,
    }

    #[derive(Debug, Default, Finitize)]
    pub struct LinkedList {
        head: Option<Box<Node>>,
    }

    impl LinkedList {
        pub fn add(&mut self, item: u8) {
            let mut at = &mut self.head;
            while let Some(node) = at {
                at = &mut node.next;
            }
            *at = Some(Box::new(Node { item, next: None }));
        }

        pub fn remove_last(&mut self) {
            let mut at = &mut self.head;
            while at.as_ref().is_some_and(|node| node.next.is_some()) {
                at = &mut at.as_mut().expect("it is some").next;
            }
            *at = None;
        }
    }
}

pub fn lists(n: u8) -> Explore<linked_list::LinkedList> {
    use linked_list::LinkedList;
    Explore::from(LinkedList::default())
        .operation("add", 1..=n, LinkedList::add)
        .operation("remove_last", [()], |list, ()| list.remove_last())
        .depth(n.into())
}

#[test]
fn linked_lists() {
    lists(5).run().expect_states(3_906);
}

/// A stack as a list: `push` of each item, and `pop`.
#[derive(Debug, Default, Finitize)]
pub struct Stack {
    items: Vec<u8>,
}

pub fn all_stacks(n: u8) -> Explore<Stack> {
    Explore::from(Stack::default())
        .operation("push", 1..=n, |stack, item| stack.items.push(item))
        .operation("pop", [()], |stack, ()| stack.items.pop())
        .depth(n.into())
}

fn assert_stacks(n: u8, expanded: u64, executions: u64) {
    let report = all_stacks(n).run();
    assert_eq!((report.expanded, report.executions), (expanded, executions), "{n}");
    assert_eq!(report.ending, ExploreEnding::Depth(n.into()));
}

#[test]
fn stacks() {
    assert_stacks(5, 781, 4_686);
    assert_stacks(6, 9_331, 65_317);
}

/// A queue of two stacks.
#[derive(Debug, Default, Finitize)]
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

pub fn queues(n: u8) -> Explore<Queue> {
    Explore::from(Queue::default())
        .operation("enqueue", 1..=n, |queue, item| queue.back.push(item))
        .operation("dequeue", [()], |queue, ()| queue.dequeue())
        .depth(n.into())
}

fn assert_queues(n: u8, expanded: u64, executions: u64) {
    let report = queues(n).run();
    assert_eq!((report.expanded, report.executions), (expanded, executions), "{n}");
}

#[test]
fn queues_of_two_stacks() {
    assert_queues(6, 10_057, 70_399);
}

/// A deque without duplicates.
#[derive(Debug, Default, Finitize)]
pub struct Deque {
    items: std::collections::VecDeque<u8>,
}

pub fn deques(n: u8) -> Explore<Deque> {
    Explore::from(Deque::default())
        .operation("push_front", 1..=n, |deque, item| {
            if !deque.items.contains(&item) {
                deque.items.push_front(item);
            }
        })
        .operation("push_back", 1..=n, |deque, item| {
            if !deque.items.contains(&item) {
                deque.items.push_back(item);
            }
        })
        .depth(n.into())
}

fn assert_deques(n: u8, expanded: u64, executions: u64) {
    let report = deques(n).run();
    assert_eq!((report.expanded, report.executions), (expanded, executions), "{n}");
}

#[test]
fn deques_without_duplicates() {
    // By the same formula as 69,281 for 8: the sum over k < n of n! / (n - k)!, each of which has 2 n operations.
    assert_deques(6, 1_237, 14_844);
}

#[test]
#[ignore = "takes seconds in a release build"]
fn large_lists() {
    lists(6).run().expect_states(55_987);
    lists(7).run().expect_states(960_800);
    assert_stacks(7, 137_257, 1_098_056);
    assert_queues(7, 147_995, 1_183_960);
    assert_deques(8, 69_281, 1_108_496);
    assert_deques(9, 623_530, 11_223_540);
    Bounded::<7>::exploration().run().expect_states(27_455);
    assert_eq!(Bounded::<8>::exploration().run().expanded, 109_681);
}

/// A stack in an array, whose stale cells are part of the state. A push of a present item moves it to the top.
#[derive(Debug, Finitize)]
pub struct Bounded<const N: usize> {
    items: [u8; N],
    len: usize,
}

impl<const N: usize> Bounded<N> {
    fn push(&mut self, item: u8) {
        match self.items[..self.len].iter().position(|known| *known == item) {
            Some(at) => self.items[at..self.len].rotate_left(1),
            None if self.len < N => {
                self.items[self.len] = item;
                self.len += 1;
            }
            None => {}
        }
    }

    pub fn exploration() -> Explore<Self> {
        Explore::from(Bounded { items: [0; N], len: 0 })
            .operation("push", 1..=N as u8, Self::push)
            .operation("pop", [()], |stack, ()| stack.len = stack.len.saturating_sub(1))
            .depth(N)
    }
}

#[test]
fn bounded_stacks_in_arrays() {
    Bounded::<5>::exploration().run().expect_states(616);
    Bounded::<6>::exploration().run().expect_states(3_865);
}

#[derive(Debug, Default, Finitize)]
pub struct Trie {
    is_word: bool,
    children: std::collections::BTreeMap<char, Trie>,
}

impl Trie {
    fn add(&mut self, word: &str) {
        let end = word.chars().fold(self, |at, letter| at.children.entry(letter).or_default());
        end.is_word = true;
    }
}

/// Tries over words that have letters in common.
pub fn tries_of(words: usize) -> Explore<Trie> {
    let all = ["a", "ab", "abc", "b", "bca", "cab", "cb", "c", "aa", "ba"];
    Explore::from(Trie::default()).operation("add", all[..words].to_vec(), Trie::add)
}

#[test]
fn tries() {
    for n in [4, 7, 10] {
        let report = tries_of(n).run();
        report.expect_states(1 << n);
        assert_eq!(report.ending, ExploreEnding::Fixpoint);
    }
}
