//! Repair as its users meet it: what is changed, what is said of it, what stays as it was, and what is refused.

use std::time::Duration;

use korat::{Finitize, Reason, Repair, field, rep_ok};

/// A list in boxes, sorted, with something in each node that the invariant is not about.
#[derive(Debug, PartialEq, Finitize)]
struct Node {
    key: i32,
    #[finitize(skip = String::new())]
    payload: String,
    next: Option<Box<Node>>,
}

#[derive(Debug, PartialEq, Finitize)]
struct List {
    head: Option<Box<Node>>,
    len: usize,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let (mut at, mut len, mut last) = (&self.head, 0, None);
        while let Some(node) = at {
            if last.is_some_and(|last| node.key <= last) {
                return false;
            }
            (at, len, last) = (&node.next, len + 1, Some(node.key));
        }
        len == self.len
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let mut at = self.head.take();
        while let Some(mut node) = at {
            at = node.next.take();
        }
    }
}

impl List {
    fn of(keys: impl IntoIterator<Item = i32, IntoIter: DoubleEndedIterator>) -> Self {
        let mut list = List { head: None, len: 0 };
        for key in keys.into_iter().rev() {
            list.head = Some(Box::new(Node { key, payload: format!("of {key}"), next: list.head.take() }));
            list.len += 1;
        }
        list
    }

    fn nodes(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref())
    }

    fn keys(&self) -> Vec<i32> {
        self.nodes().map(|node| node.key).collect()
    }
}

#[test]
fn what_is_not_wrong_stays_where_and_as_it_is() {
    let mut list = List::of(0..10);
    list.len = 3;
    let before: Vec<*const Node> = list.nodes().map(std::ptr::from_ref).collect();
    let repaired = korat::repair(&mut list).expect("the length is wrong, nothing else");
    assert!(list.rep_ok());
    assert_eq!(list.nodes().map(std::ptr::from_ref).collect::<Vec<_>>(), before);
    assert_eq!(list, List::of(0..10));
    assert_eq!(repaired.changes.len(), 1);
    assert_eq!((repaired.dropped.len(), repaired.added.len()), (0, 0));
}

#[test]
fn a_valid_value_is_not_touched() {
    let mut list = List::of(0..3);
    let repaired = korat::repair(&mut list).expect("it is valid");
    assert!(repaired.is_unchanged() && repaired.changes.is_empty());
    assert_eq!(repaired.to_string(), "valid as it was: nothing was changed\n");
    assert_eq!(list, List::of(0..3));
}

#[test]
fn values_that_no_domain_has_are_repaired_too() {
    let mut list = List::of([-700, 5, 3, 1_000_000]);
    let repaired = korat::repair(&mut list).expect("a key is wrong");
    assert!(list.rep_ok(), "{list:?}");
    assert_eq!(list.len, 4, "nothing was lost: {repaired}");
    assert_eq!((list.keys()[0], list.keys()[3]), (-700, 1_000_000));
    // A changed node keeps what the invariant is not about.
    assert!(list.nodes().all(|node| node.payload.starts_with("of ")));
}

#[test]
fn fields_that_are_kept_do_not_change() {
    let mut list = List::of([1, 2, 3, 2, 4]);
    let repaired = Repair::new().keep(field!(Node.key)).repair(&mut list).expect("nodes can be dropped");
    assert!(list.rep_ok());
    assert!(repaired.changes.iter().all(|change| change.field != "key"), "{repaired}");
    let mut list = List::of([1, 2]);
    list.len = 7;
    let kept = Repair::new().keep(field!(List.len)).fresh(0).repair(&mut list);
    let error = kept.expect_err("there are no seven nodes");
    assert_eq!(error.reason, Reason::NoValidValue);
    assert_eq!((list.keys(), list.len), (vec![1, 2], 7), "it is as it was");
}

#[test]
fn the_text_says_what_was_done() {
    let mut list = List::of([1, 2]);
    list.len = 5;
    let repaired = Repair::new().within(List::scope(5)).keep(field!(Node.key)).repair(&mut list);
    insta::assert_snapshot!(repaired.expect("the length is wrong").to_string());
}

#[test]
fn the_text_says_what_was_in_the_way() {
    let mut list = List::of([3, 2, 1]);
    let error = Repair::new().max_tries(1).repair(&mut list).expect_err("one try is not enough");
    assert_eq!(error.reason, Reason::MaxTries);
    insta::assert_snapshot!(error.to_string());
    let error = Repair::new().max_changes(0).repair(&mut list).expect_err("it takes a change");
    assert_eq!(error.reason, Reason::MaxChanges);
    let error = Repair::new().time_limit(Duration::ZERO).repair(&mut list).expect_err("there is no time");
    assert_eq!(error.reason, Reason::TimeLimit);
    assert_eq!(list.keys(), [3, 2, 1], "it is as it was");
    let mut list = List::of([2, 1, 0]);
    list.len = 2;
    let error = Repair::new().within(List::scope(2)).repair(&mut list).expect_err("there are three nodes");
    assert!(matches!(&error.reason, Reason::OutOfBounds(what) if what.contains("Node")), "{error}");
    insta::assert_snapshot!(error.to_string());
    assert_eq!(list.keys(), [2, 1, 0], "it is as it was");
}

/// No value at all.
#[derive(Debug, PartialEq, Finitize)]
struct Never {
    number: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.number > 200
    }
}

#[test]
fn what_has_no_valid_value_is_left_alone() {
    let mut never = Never { number: 3 };
    let error = korat::repair(&mut never).expect_err("nothing is valid");
    assert_eq!(error.reason, Reason::NoValidValue);
    assert_eq!(never.number, 3);
}

#[test]
fn the_fewest_changes_are_found() {
    let mut list = List::of([1, 9, 2, 3, 4]);
    let repaired = Repair::new().within(List::scope(9)).minimal().repair(&mut list).expect("a key is wrong");
    // One change is enough to cut off what follows the first node, and to make four new nodes in its place.
    assert_eq!((repaired.changes.len(), repaired.dropped.len(), repaired.lost), (2, 0, 0), "{repaired}");
    assert!(list.rep_ok());
}
