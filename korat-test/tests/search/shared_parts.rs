//! Summaries of nodes that are owned through `Rc` and referred to through `Weak`: korat finds out whether the predicate rejects all
//! values that are no trees, and searches where it does not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::{Rc, Weak};

use korat::{Finitize, Search, Summaries, rep_ok};

type Link = Option<Rc<RefCell<Node>>>;

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(0..=2)]
    key: usize,
    left: Link,
    right: Link,
    parent: Weak<RefCell<Node>>,
}

/// Writes the nodes below a link, numbered in the order in which they are found, with their parents.
fn write(link: &Link, numbers: &mut BTreeMap<usize, usize>, to: &mut String) {
    let Some(node) = link else { return to.push('-') };
    let address = Rc::as_ptr(node).addr();
    if let Some(number) = numbers.get(&address) {
        return write!(to, "#{number}").unwrap();
    }
    numbers.insert(address, numbers.len());
    let node = node.borrow();
    let parent = node.parent.upgrade().map(|parent| Rc::as_ptr(&parent).addr());
    write!(to, "({} @{parent:?} ", node.key).unwrap();
    write(&node.left, numbers, to);
    write(&node.right, numbers, to);
    to.push(')');
}

fn text(link: &Link) -> String {
    let (mut numbers, mut text) = (BTreeMap::new(), String::new());
    write(link, &mut numbers, &mut text);
    for (address, number) in numbers {
        text = text.replace(&format!("@Some({address})"), &format!("@{number}"));
    }
    text
}

/// Whether summaries are expected.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expect {
    Summaries,
    /// The reason has these words.
    Why(&'static str),
}

use Expect::{Summaries as Summarised, Why};

/// For each predicate on a root, a test that summaries and a search yield the same values.
macro_rules! predicates {
    ($($test:ident $expect:expr; $name:ident: |$this:ident| $accepts:expr, { $($method:item)* })*) => {$(
        #[derive(Debug, Finitize)]
        struct $name {
            root: Link,
        }

        #[rep_ok]
        impl $name {
            fn rep_ok(&self) -> bool {
                let $this = self;
                $accepts
            }
            $($method)*
        }

        #[test]
        fn $test() {
            for scope in 2..=3 {
                let values = |how: Summaries| {
                    let mut values = Vec::new();
                    let search = Search::new($name::scope(scope)).summaries(how);
                    let report = search.for_each(|value| values.push(text(&value.root)));
                    values.sort();
                    (values, report.summaries.and_then(|summaries| summaries.why_not))
                };
                let ((summarised, why), (searched, _)) = (values(Summaries::Always), values(Summaries::Never));
                assert_eq!(summarised, searched, "scope {scope}");
                match ($expect, why) {
                    (Summarised, why) => assert_eq!(why, None, "scope {scope}"),
                    (Why(words), why) => assert!(why.as_ref().is_some_and(|why| why.contains(words)), "{why:?}"),
                }
            }
        }
    )*};
}

predicates! {
    search_trees Summarised;
    SearchTree: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
    }

    keys_before_parents Summarised;
    KeysFirst: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
                return false;
            }
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
    }

    two_passes Summarised;
    TwoPasses: |tree| Self::is_below(&tree.root, None, None, None) && Self::weight(&tree.root) != 2, {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
        fn weight(node: &Link) -> usize {
            let Some(this) = node else { return 0 };
            let n = this.borrow();
            n.key + Self::weight(&n.left) + Self::weight(&n.right) + 1
        }
    }

    parts_read_again Summarised;
    ReadAgain: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
                && n.left.as_ref().is_none_or(|left| left.borrow().right.is_none())
        }
    }

    siblings_with_equal_keys Why("may accept");
    EqualKeys: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key >= lo) && hi.is_none_or(|hi| n.key <= hi)
                && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
    }

    shared_siblings Why("may accept");
    SharedSiblings: |tree| Self::is_below(&tree.root, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && Self::is_below(&n.left, Some(this)) && Self::is_below(&n.right, Some(this))
        }
    }

    parents_of_missing_ones Why("something else may own");
    Orphans: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, _) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
    }

    parents_that_are_not_read Why("something else may own");
    Unread: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            above.is_none_or(|above| !Rc::ptr_eq(above, this)) && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
    }

    parents_that_are_others Why("");
    Others: |tree| Self::is_below(&tree.root, None, None, None), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => !Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
        }
    }

    parents_read_late Why("something else may own");
    Late: |tree| Self::is_below(&tree.root, None, 0), {
        fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, depth: usize) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            if depth > 2 || !(Self::is_below(&n.left, Some(this), depth + 1) && Self::is_below(&n.right, Some(this), depth + 1)) {
                return false;
            }
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child
        }
    }
}
