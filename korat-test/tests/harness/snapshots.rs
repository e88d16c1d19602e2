//! Snapshots of valid values that are checked in: lists, digests, single values, one case per value; and what the macros
//! say to wrong input.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

use korat::{Finitize, Search, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    #[finitize(1..=scope)]
    key: usize,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct SearchTree {
    root: Option<Box<Node>>,
    size: usize,
}

#[rep_ok]
impl SearchTree {
    fn rep_ok(&self) -> bool {
        Self::ordered(&self.root, None, None) == Some(self.size)
    }

    fn ordered(node: &Option<Box<Node>>, low: Option<usize>, high: Option<usize>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if low.is_some_and(|low| n.key <= low) || high.is_some_and(|high| n.key >= high) {
            return None;
        }
        let left = Self::ordered(&n.left, low, Some(n.key))?;
        let right = Self::ordered(&n.right, Some(n.key), high)?;
        Some(left + right + 1)
    }
}

impl SearchTree {
    fn keys(&self) -> Vec<usize> {
        fn walk(node: &Option<Box<Node>>, keys: &mut Vec<usize>) {
            if let Some(node) = node {
                walk(&node.left, keys);
                keys.push(node.key);
                walk(&node.right, keys);
            }
        }
        let mut keys = Vec::new();
        walk(&self.root, &mut keys);
        keys
    }
}

/// A ring, whose derived `Debug` never ends; and back pointers that are weak.
#[derive(Debug, Finitize)]
struct Link {
    next: RefCell<Option<Rc<Link>>>,
    back: RefCell<Weak<Link>>,
}

#[derive(Debug, Finitize)]
struct Ring {
    first: Option<Rc<Link>>,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return true };
        let mut at = Rc::clone(first);
        let mut seen = std::collections::HashSet::new();
        while seen.insert(Rc::as_ptr(&at)) {
            let Some(next) = at.next.borrow().clone() else { return false };
            if !next.back.borrow().upgrade().is_some_and(|back| Rc::ptr_eq(&back, &at)) {
                return false;
            }
            at = next;
        }
        Rc::ptr_eq(&at, first)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
struct Pair<T> {
    one: T,
    other: T,
}

#[rep_ok]
impl<T: Copy + PartialEq> Pair<T> {
    fn rep_ok(&self) -> bool {
        self.one != self.other
    }
}

/// No value is valid.
#[derive(Debug, Finitize)]
struct Never {
    number: u8,
}

#[rep_ok]
impl Never {
    fn rep_ok(&self) -> bool {
        self.number > 100
    }
}

/// What a call panics with.
fn message(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it is to panic");
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().expect("the message is a text").to_string(),
    }
}

#[test]
fn all_values_are_listed_smallest_first() {
    korat::assert_valid_snapshot!(SearchTree::scope(3));
}

#[test]
fn many_values_have_a_digest() {
    korat::assert_valid_snapshot!(SearchTree::scope(6));
}

#[test]
fn rings_are_drawn() {
    korat::assert_valid_snapshot!(Ring::scope(2));
}

#[test]
fn generic_types_are_named_with_their_arguments() {
    korat::assert_valid_snapshot!(Pair::<bool>::scope(1));
    korat::assert_valid_snapshot!(Pair::<u8>::scope(1));
}

#[test]
fn bounds_besides_the_scope_are_in_name_and_head() {
    let search = Search::new(SearchTree::scope(3).objects::<Node>(1).domain(field!(Node.key), [7, 8]));
    korat::assert_valid_snapshot!(search);
}

#[test]
fn two_snapshots_of_one_name_are_told_so() {
    let with_key = |key| Search::new(SearchTree::scope(2).domain(field!(Node.key), [key]));
    korat::assert_valid_snapshot!(with_key(1));
    korat::assert_valid_snapshot!(with_key(1));
    // In place there is no file to share.
    korat::assert_valid_snapshot!(with_key(2).exact(), @"SearchTree at scope 2 (Node.key, exact): 0 values");
    insta::assert_snapshot!(message(|| korat::assert_valid_snapshot!(with_key(2))), @r#"two different snapshots in harness::snapshots are named SearchTree_scope_2_Node.key; give one of them a name: `assert_valid_snapshot!("name", ..)`"#);
}

#[test]
fn a_limit_is_said() {
    korat::assert_valid_snapshot!("the_first_two", Search::new(SearchTree::scope(3)).limit(2));
}

#[test]
fn a_type_without_values_has_an_empty_list() {
    korat::assert_valid_snapshot!(Never::scope(1), @"Never at scope 1: 0 values");
}

#[test]
fn neither_the_mode_nor_the_space_of_the_search_is_in_the_snapshot() {
    use korat::{Backtracking, Pruning};
    for (backtracking, pruning) in [
        (Backtracking::Reexecute, Pruning::Ownership),
        (Backtracking::Checkpoint, Pruning::Classic),
        (Backtracking::Reexecute, Pruning::Classic),
    ] {
        // The same snapshot as that of `all_values_are_listed_smallest_first`.
        korat::assert_valid_snapshot!(Search::new(SearchTree::scope(3)).backtracking(backtracking).pruning(pruning));
    }
}

#[test]
fn fields_are_redacted() {
    korat::assert_valid_snapshot!("keys_redacted", SearchTree::scope(2), { "Node.key" => "[key]", "SearchTree.size" => 0 });
}

#[test]
fn filters_of_insta_apply() {
    insta::with_settings!({ filters => vec![(r"key: \d+", "key: [filtered]")] }, {
        korat::assert_valid_snapshot!("keys_filtered", SearchTree::scope(1));
        korat::snapshot_value!("key_filtered", &leaf(9));
    });
}

fn leaf(key: usize) -> SearchTree {
    SearchTree { root: Some(Box::new(Node { key, left: None, right: None })), size: 1 }
}

#[test]
fn one_value_is_drawn_at_the_smallest_scope_that_has_it() {
    korat::snapshot_value!(&leaf(20), @r"
    SearchTree { size: 1 }
    `- root: Node { key: 20 }
    ");
}

#[test]
fn one_value_may_be_invalid() {
    let mut tree = leaf(1);
    tree.size = 5;
    assert!(!tree.rep_ok());
    korat::snapshot_value!(&tree, @r"
    SearchTree { size: 5 }
    `- root: Node { key: 1 }
    ");
}

#[test]
fn one_value_within_bounds() {
    let bounds = || SearchTree::scope(1).domain(field!(Node.key), [100, 200]);
    korat::snapshot_value!(bounds(), &leaf(200), @r"
    SearchTree { size: 1 }
    `- root: Node { key: 200 }
    ");
    korat::snapshot_value!("leaf_within", Search::new(bounds()), &leaf(100), { "Node.key" => "_" });
    korat::snapshot_value!(String::from("leaf_named"), &leaf(3));
}

#[test]
fn one_value_is_named_for_the_test() {
    korat::snapshot_value!(&leaf(2));
}

#[test]
fn a_ring_is_one_value() {
    let first = Rc::new(Link { next: RefCell::default(), back: RefCell::default() });
    *first.back.borrow_mut() = Rc::downgrade(&first);
    *first.next.borrow_mut() = Some(Rc::clone(&first));
    korat::snapshot_value!(&Ring { first: Some(Rc::clone(&first)) }, @"
    Ring
    `- first: Link#1
       |- next: -> Link#1
       `- back: ~> Link#1 (weak)
    ");
    first.next.borrow_mut().take();
}

#[test]
fn each_value_has_its_snapshot() {
    korat::snapshot_each!(SearchTree::scope(2), |tree| tree.keys());
}

#[test]
fn each_value_has_its_snapshot_with_a_name_and_a_suffix() {
    insta::with_settings!({ snapshot_suffix => "own", description => "keys" }, {
        korat::snapshot_each!("named", Search::new(SearchTree::scope(1)), |tree| tree.keys());
    });
}

#[test]
fn a_value_out_of_bounds_is_told_so() {
    insta::assert_snapshot!(message(|| korat::snapshot_value!(SearchTree::scope(2), &leaf(3))), @"the value is not one of SearchTree at scope 2: 3 is not in the domain of its field; give bounds that it is within, or leave them out");
    insta::assert_snapshot!(message(|| korat::snapshot_value!(&leaf(1000))), @"no scope up to 32 has this value of SearchTree: 1000 is not in the domain of its field; give bounds that it is within: `snapshot_value!(SearchTree::scope(..), &value)`, with `.domain(..)` or `.objects(..)` if need be");
}

#[test]
fn sizes_and_unread_fields_are_in_name_and_head() {
    let search = Search::new(SearchTree::scope(3)).sizes(0..=1).unread(korat::Unread::First);
    korat::assert_valid_snapshot!(search);
}

#[test]
fn a_time_limit_is_refused() {
    let search = || Search::new(SearchTree::scope(1)).time_limit(std::time::Duration::from_secs(1));
    insta::assert_snapshot!(message(|| korat::assert_valid_snapshot!("unused", search())), @"with a time limit there are other values in every run; give a limit of values");
}

#[test]
fn a_redaction_names_a_field() {
    let list =
        |field: &str| message(|| korat::assert_valid_snapshot!("unused", SearchTree::scope(1), { field => "_" }));
    insta::assert_snapshot!(list("key"), @r#"`key` names no field to redact; write class and field, as in "Node.key""#);
    insta::assert_snapshot!(list("Node.kye"), @"no object of Node has a field `kye` to redact; fields are named as in the drawing");
}

#[test]
fn one_snapshot_each_needs_values_and_not_too_many() {
    insta::assert_snapshot!(message(|| korat::snapshot_each!(Never::scope(1), |never| never.number)), @"no valid value of Never at scope 1: there is nothing to make snapshots of");
    insta::assert_snapshot!(message(|| korat::snapshot_each!(SearchTree::scope(7), |tree| tree.keys())), @"SearchTree at scope 7 has more than 1,000 values, and each would be a snapshot of its own; lower the scope, or take the first few with `Search::limit`");
}

#[test]
fn every_failing_case_is_listed() {
    let text = message(|| {
        korat::snapshot_each!("failing", SearchTree::scope(1), |tree| {
            assert!(tree.size == 0, "there is a node");
            tree.keys()
        })
    });
    insta::assert_snapshot!(text, @"
    1 of 2 snapshots of SearchTree at scope 1 failed; `cargo insta review` shows those that differ or are new:

    SearchTree_scope_1_size_1_number_2: there is a node
    SearchTree { size: 1 }
    `- root: Node { key: 1 }
    ");
}
