//! Fields that are declared as derived are computed again; the others stay.

use std::rc::{Rc, Weak};

use korat::{Finitize, Repair, field, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    key: u32,
    size: usize,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Tree {
    root: Option<Box<Node>>,
    len: usize,
    sum: u32,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let Some((len, sum)) = Self::check(&self.root, 0, u32::MAX) else { return false };
        len == self.len && sum == self.sum
    }

    fn check(node: &Option<Box<Node>>, low: u32, high: u32) -> Option<(usize, u32)> {
        let Some(node) = node else { return Some((0, 0)) };
        if node.key < low || node.key >= high {
            return None;
        }
        let (left, left_sum) = Self::check(&node.left, low, node.key)?;
        let (right, right_sum) = Self::check(&node.right, node.key + 1, high)?;
        if node.size != left + right + 1 {
            return None;
        }
        Some((node.size, left_sum.wrapping_add(right_sum).wrapping_add(node.key)))
    }
}

fn built(keys: &[u32]) -> Option<Box<Node>> {
    let middle = keys.len() / 2;
    let key = *keys.get(middle)?;
    Some(Box::new(Node { key, size: keys.len(), left: built(&keys[..middle]), right: built(&keys[middle + 1..]) }))
}

fn tree(nodes: u32) -> Tree {
    let keys: Vec<u32> = (0..nodes).map(|key| 1000 * key + 17).collect();
    Tree { root: built(&keys), len: keys.len(), sum: keys.iter().sum() }
}

fn repair() -> Repair<Tree> {
    Repair::new().derived(field!(Node.size)).derived(field!(Tree.len)).derived(field!(Tree.sum))
}

#[test]
fn a_subtree_that_is_gone_changes_what_counts_it() {
    let mut tree = tree(9);
    tree.root.as_mut().unwrap().left = None;
    let repaired = repair().repair(&mut tree).unwrap();
    let changes: Vec<String> = repaired.changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["len: 9 -> 5", "sum: 36153 -> 30085", "root.size: 9 -> 5"]);
    assert!(repaired.tries < 100, "{repaired}");
}

#[test]
fn a_third_of_all_sizes() {
    fn spoil(node: &mut Option<Box<Node>>, depth: usize) {
        let Some(node) = node else { return };
        if node.key % 3 == 0 {
            node.size += depth + 1;
        }
        spoil(&mut node.left, depth + 1);
        spoil(&mut node.right, depth + 1);
    }
    let good = tree(400);
    let mut bad = good.clone();
    spoil(&mut bad.root, 0);
    (bad.len, bad.sum) = (7, 9);
    let repaired = repair().repair(&mut bad).unwrap();
    assert_eq!((bad, repaired.changes.len()), (good, 135));
    assert!(repaired.tries < 2_000, "{} tries", repaired.tries);
}

/// A key may be what is wrong, too.
#[test]
fn other_fields_change_where_derived_ones_do_not_help() {
    let good = tree(9);
    let mut bad = good.clone();
    bad.root.as_mut().unwrap().left.as_mut().unwrap().key = 9_999;
    repair().repair(&mut bad).unwrap();
    assert!(bad.rep_ok());
}

#[test]
fn a_field_that_does_not_exist_is_refused() {
    #[derive(Debug, Finitize)]
    struct Other {
        key: u8,
    }
    let error = repair().derived(field!(Other.key)).repair(&mut tree(2)).unwrap_err();
    assert!(error.to_string().contains("Other.key"), "{error}");
}

/// Links back follow from those that lead down.
mod links {
    use std::cell::RefCell;

    use super::*;

    #[derive(Debug, Finitize)]
    struct Item {
        next: RefCell<Option<Rc<Item>>>,
        prev: RefCell<Weak<Item>>,
    }

    #[derive(Debug, Finitize)]
    struct List {
        head: Option<Rc<Item>>,
    }

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            let Some(head) = &self.head else { return true };
            if head.prev.borrow().upgrade().is_some() {
                return false;
            }
            let mut at = head.clone();
            for _ in 0..100 {
                let next = at.next.borrow().clone();
                let Some(next) = next else { return true };
                match next.prev.borrow().upgrade() {
                    Some(prev) if Rc::ptr_eq(&prev, &at) => {}
                    _ => return false,
                }
                at = next;
            }
            false
        }
    }

    #[test]
    fn are_set_again() {
        let items: Vec<Rc<Item>> =
            (0..12).map(|_| Rc::new(Item { next: RefCell::new(None), prev: RefCell::new(Weak::new()) })).collect();
        for pair in items.windows(2) {
            pair[0].next.replace(Some(pair[1].clone()));
            pair[1].prev.replace(Rc::downgrade(&pair[0]));
        }
        for at in [3, 4, 7] {
            items[at].prev.replace(Rc::downgrade(&items[at - 2]));
        }
        let mut list = List { head: Some(items[0].clone()) };
        drop(items);
        let repaired = Repair::new().derived(field!(Item.prev)).repair(&mut list).unwrap();
        assert_eq!(repaired.changes.len(), 3, "{repaired}");
        assert!(repaired.changes.iter().all(|change| change.to_string().contains(".prev: ")), "{repaired}");
        assert!(list.rep_ok());
    }
}
