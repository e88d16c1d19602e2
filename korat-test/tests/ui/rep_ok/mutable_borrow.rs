//! A predicate must not change the structure.

use std::cell::RefCell;
use std::rc::Rc;

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    key: u8,
}

#[derive(Debug, Finitize)]
struct List {
    head: Rc<RefCell<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        self.head.borrow_mut().key > 0
    }
}

fn main() {
    korat::for_each_valid(List::scope(3), |list| assert!(list.head.borrow().key > 0));
}
