//! A mistake in a class that another one holds, by value and through pointers.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(range = 0..3)]
    key: usize,
    next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
    spare: Node,
    others: Vec<Node>,
    last: *const Node,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        self.head.as_ref().is_some_and(|node| node.key > 0)
    }
}

fn main() {
    korat::for_each_valid(List::scope(3), |list| assert!(list.head.is_some()));
}
