//! Summaries of nodes that are owned through `Rc` and referred to through `Weak`: korat finds out whether the predicate rejects all
//! values that are no trees, and searches where it does not.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
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
    /// It depends on the scope.
    Either,
}

use Expect::{Either, Summaries as Summarised, Why};

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

            #[allow(dead_code)]
            fn is_below(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
                let Some(this) = node else { return true };
                let n = this.borrow();
                let is_child = match (n.parent.upgrade(), above) {
                    (None, None) => true,
                    (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                    _ => false,
                };
                is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi)
                    && Self::is_below(&n.left, Some(this), lo, Some(n.key)) && Self::is_below(&n.right, Some(this), Some(n.key), hi)
            }
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
                    (Either, _) => {}
                    (Why(words), why) => assert!(why.as_ref().is_some_and(|why| why.contains(words)), "{why:?}"),
                }
            }
        }
    )*};
}

predicates! {
    search_trees Summarised;
    SearchTree: |tree| Self::is_below(&tree.root, None, None, None), {}

    keys_before_parents Summarised;
    KeysFirst: |tree| Self::check(&tree.root, None, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
                return false;
            }
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            is_child && Self::check(&n.left, Some(this), lo, Some(n.key)) && Self::check(&n.right, Some(this), Some(n.key), hi)
        }
    }

    two_passes Summarised;
    TwoPasses: |tree| Self::is_below(&tree.root, None, None, None) && Self::weight(&tree.root) != 2, {
        fn weight(node: &Link) -> usize {
            let Some(this) = node else { return 0 };
            let n = this.borrow();
            n.key + Self::weight(&n.left) + Self::weight(&n.right) + 1
        }
    }

    parts_read_again Summarised;
    ReadAgain: |tree| Self::check(&tree.root, None, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::check(&n.left, Some(this), lo, Some(n.key)) && Self::check(&n.right, Some(this), Some(n.key), hi)
                && n.left.as_ref().is_none_or(|left| left.borrow().right.is_none())
        }
    }

    siblings_with_equal_keys Why("may accept");
    EqualKeys: |tree| Self::check(&tree.root, None, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            is_child && lo.is_none_or(|lo| n.key >= lo) && hi.is_none_or(|hi| n.key <= hi)
                && Self::check(&n.left, Some(this), lo, Some(n.key)) && Self::check(&n.right, Some(this), Some(n.key), hi)
        }
    }

    shared_siblings Why("may accept");
    SharedSiblings: |tree| Self::check(&tree.root, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            is_child && Self::check(&n.left, Some(this)) && Self::check(&n.right, Some(this))
        }
    }

    parents_of_missing_ones Why("something else may own");
    Orphans: |tree| Self::check(&tree.root, None, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, _) => true,
                (Some(parent), Some(above)) => Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::check(&n.left, Some(this), lo, Some(n.key)) && Self::check(&n.right, Some(this), Some(n.key), hi)
        }
    }

    parents_that_are_not_read Why("something else may own");
    Unread: |tree| Self::check(&tree.root, None, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            above.is_none_or(|above| !Rc::ptr_eq(above, this)) && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::check(&n.left, Some(this), lo, Some(n.key)) && Self::check(&n.right, Some(this), Some(n.key), hi)
        }
    }

    parents_that_are_others Why("looks into");
    Others: |tree| Self::check(&tree.root, None, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>, hi: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = match (n.parent.upgrade(), above) {
                (None, None) => true,
                (Some(parent), Some(above)) => !Rc::ptr_eq(&parent, above),
                _ => false,
            };
            is_child && lo.is_none_or(|lo| n.key > lo) && hi.is_none_or(|hi| n.key < hi) && Self::check(&n.left, Some(this), lo, Some(n.key)) && Self::check(&n.right, Some(this), Some(n.key), hi)
        }
    }

    parents_read_late Why("something else may own");
    Late: |tree| Self::check(&tree.root, None, 0), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, depth: usize) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            if depth > 2 || !(Self::check(&n.left, Some(this), depth + 1) && Self::check(&n.right, Some(this), depth + 1)) {
                return false;
            }
            n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr)
        }
    }

    // Something that nothing has reached yet leads back to the root.
    unreached_parents Why("may refer");
    Unreached: |tree| match &tree.root {
        None => true,
        Some(root) => match root.borrow().parent.upgrade() {
            None => Self::is_below(&tree.root, None, None, None),
            Some(other) => {
                let (n, m) = (root.borrow(), other.borrow());
                !Rc::ptr_eq(&other, root) && m.parent.upgrade().is_some_and(|back| Rc::ptr_eq(&back, root))
                    && n.left.is_none() && m.left.is_none() && m.right.is_none()
            }
        },
    }, {}

    // An object below a part is found elsewhere first, and then in the part.
    parts_opened_after_a_shared_object Either;
    Opened: |tree| match &tree.root {
        None => true,
        Some(root) => {
            let n = root.borrow();
            n.parent.upgrade().is_none() && Self::is_below(&n.left, Some(root), None, Some(n.key)) && match (&n.right, &n.left) {
                (Some(right), Some(left)) => left.borrow().left.as_ref().is_some_and(|inner| Rc::ptr_eq(inner, right)),
                (right, _) => right.is_none(),
            }
        },
    }, {}

    // The place of a link in its holder says which child a node is.
    places_of_links Summarised;
    Places: |tree| Self::check(&tree.root, None, 0), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, depth: usize) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            let is_left = above.is_some_and(|above| std::ptr::eq(&above.borrow().left, node));
            is_child && (n.key == 0) == is_left && depth < 3 && Self::check(&n.left, Some(this), depth + 1) && Self::check(&n.right, Some(this), depth + 1)
        }
    }

    siblings Why("looks into");
    Siblings: |tree| tree.root.as_ref().is_none_or(|root| root.borrow().parent.upgrade().is_none() && Self::check(&tree.root, 0)), {
        fn check(node: &Link, key: usize) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            if n.key != key || key > 1 {
                return false;
            }
            let are_siblings = match (&n.left, &n.right) {
                (Some(left), Some(right)) => left.borrow().parent.upgrade().is_some_and(|next| Rc::ptr_eq(&next, right)) && right.borrow().parent.upgrade().is_none(),
                (Some(left), None) => left.borrow().parent.upgrade().is_none(),
                (None, right) => right.is_none(),
            };
            are_siblings && Self::check(&n.left, key + 1) && Self::check(&n.right, key + 1)
        }
    }

    chains Summarised;
    Chains: |tree| {
        let (mut above, mut at): (Option<Rc<RefCell<Node>>>, Link) = (None, tree.root.clone());
        let mut last = 0;
        while let Some(this) = at {
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.as_ref().map(Rc::as_ptr);
            if !is_child || n.key < last || n.left.is_some() {
                return false;
            }
            last = n.key;
            above = Some(this.clone());
            let next = n.right.clone();
            drop(n);
            at = next;
        }
        true
    }, {}

    worklists Either;
    Worklists: |tree| {
        let mut waiting: Vec<(Rc<RefCell<Node>>, Link)> = Vec::new();
        if let Some(root) = &tree.root {
            waiting.push((root.clone(), None));
        }
        let mut number = 0;
        while let Some((this, above)) = waiting.pop() {
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.as_ref().map(Rc::as_ptr);
            if !is_child || n.key != number % 3 {
                return false;
            }
            number += 1;
            if let Some(left) = &n.left {
                waiting.push((left.clone(), Some(this.clone())));
            }
            if let Some(right) = &n.right {
                waiting.push((right.clone(), Some(this.clone())));
            }
        }
        true
    }, {}

    seen_nodes Either;
    Seen: |tree| {
        let mut seen: HashSet<*const RefCell<Node>> = HashSet::new();
        Self::check(&tree.root, None, &mut seen)
    }, {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, seen: &mut HashSet<*const RefCell<Node>>) -> bool {
            let Some(this) = node else { return true };
            if !seen.insert(Rc::as_ptr(this)) {
                return false;
            }
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            is_child && Self::check(&n.left, Some(this), seen) && Self::check(&n.right, Some(this), seen)
        }
    }

    // Both sides are looked at, whatever the first says.
    both_sides Why("goes on");
    BothSides: |tree| Self::height(&tree.root, None).is_some(), {
        fn height(node: &Link, above: Option<&Rc<RefCell<Node>>>) -> Option<usize> {
            let Some(this) = node else { return Some(0) };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            if !is_child { return None; }
            let (left, right) = (Self::height(&n.left, Some(this)), Self::height(&n.right, Some(this)));
            let (left, right) = (left?, right?);
            (n.key == left.max(right) && left.abs_diff(right) <= 1 && (left == 0 || right != left)).then(|| left.max(right) + 1)
        }
    }

    keys_of_parents Why("may refer");
    KeysOfParents: |tree| Self::check(&tree.root, 0), {
        fn check(node: &Link, key: usize) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            n.key == key && key < 2 && (key == 0 || n.parent.upgrade().is_some_and(|parent| parent.borrow().key + 1 == key)) && (key > 0 || n.parent.upgrade().is_none())
                && Self::check(&n.left, key + 1) && Self::check(&n.right, key + 1)
        }
    }

    knots Why("may accept");
    Knots: |tree| Self::check(&tree.root, None, None), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, lo: Option<usize>) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == above.map(Rc::as_ptr);
            if !is_child || lo.is_some_and(|lo| n.key <= lo) { return false; }
            let is_knot = n.right.as_ref().is_some_and(|right| Rc::ptr_eq(right, this));
            (n.left.is_none() || !is_knot) && Self::check(&n.left, Some(this), Some(n.key)) && (is_knot || Self::check(&n.right, Some(this), Some(n.key)))
        }
    }

    grandparents Why("looks into");
    Grandparents: |tree| Self::check(&tree.root, None, None, 0), {
        fn check(node: &Link, above: Option<&Rc<RefCell<Node>>>, top: Option<&Rc<RefCell<Node>>>, depth: usize) -> bool {
            let Some(this) = node else { return true };
            let n = this.borrow();
            let is_child = n.parent.upgrade().map(|parent| Rc::as_ptr(&parent)) == top.map(Rc::as_ptr);
            is_child && n.key == depth && depth < 3 && Self::check(&n.left, Some(this), above, depth + 1) && Self::check(&n.right, Some(this), above, depth + 1)
        }
    }

    // A set may have nodes that its method does not know.
    sets_of_what_is_found Why("may accept");
    Found: |tree| match &tree.root {
        None => true,
        Some(root) => {
            let n = root.borrow();
            n.parent.upgrade().is_none() && n.right.is_none() && (n.key == 2 || Self::found(&n.left, n.key).contains(&Rc::as_ptr(root)))
        },
    }, {
        fn found(node: &Link, key: usize) -> HashSet<*const RefCell<Node>> {
            let mut found = HashSet::new();
            if let Some(this) = node {
                found.insert(Rc::as_ptr(this));
                let n = this.borrow();
                if let (None, None, true, Some(left)) = (n.parent.upgrade(), &n.right, n.key == key, &n.left) {
                    found.insert(Rc::as_ptr(left));
                }
            }
            found
        }
    }
}
