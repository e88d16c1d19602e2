//! Predicates with a set of the nodes that they have seen, as the classic ones have it. Nothing else leads into a part of a tree,
//! so what a call adds to the set is new, and calls are answered from tables. Some of these look at the set in a way that
//! answers cannot serve; their calls are run.

use std::collections::{BTreeSet, HashSet};

use korat::{Finitize, rep_ok};

use crate::harness::corpus;
use crate::nodes::Node;
use crate::trace::Traced;

macro_rules! trees {
    ($($Tree:ident { $($methods:tt)* })*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Tree {
            root: Option<Box<Node>>,
            other: Option<Box<Node>>,
            #[finitize(0..=scope)]
            len: usize,
        }

        #[rep_ok]
        #[allow(dead_code)]
        impl $Tree {
            $($methods)*

            fn visit(link: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
                match link {
                    None => true,
                    Some(node) => {
                        seen.insert(&**node as *const Node)
                            && Self::visit(&node.left, seen)
                            && Self::visit(&node.right, seen)
                    }
                }
            }

            fn has_seen(link: &Option<Box<Node>>, seen: &HashSet<*const Node>) -> bool {
                link.as_ref().is_none_or(|node| {
                    seen.contains(&(&**node as *const Node))
                        && Self::has_seen(&node.left, seen)
                        && Self::has_seen(&node.right, seen)
                })
            }

            fn count(link: &Option<Box<Node>>) -> usize {
                link.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
            }
        }
    )*};
}

trees! {
    Counted {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            self.other.is_none() && Self::visit(&self.root, &mut seen) && seen.len() == self.len
        }
    }
    Shared {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::visit(&self.root, &mut seen) && Self::visit(&self.other, &mut seen) && seen.len() == self.len
        }
    }
    Twice {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::visit(&self.root, &mut seen) && !Self::visit(&self.root, &mut seen) && seen.len() == self.len
        }
    }
    TwiceInOne {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let mut again = HashSet::new();
            Self::visit(&self.root, &mut seen)
                && Self::visit(&self.root, &mut again)
                && again.len() == seen.len()
                && (self.other.is_none() || !seen.is_empty())
                && self.len == again.len()
        }
    }
    Prefilled {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Node> = HashSet::new();
            if let Some(root) = &self.root {
                seen.insert(&**root);
                if !Self::visit(&root.left, &mut seen) || !Self::visit(&root.right, &mut seen) {
                    return false;
                }
                return seen.contains(&(&**root as *const Node)) && seen.len() == self.len;
            }
            self.other.is_none() && self.len == 0
        }
    }
    PrefilledWithTheRoot {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Node> = HashSet::new();
            if let Some(root) = &self.root {
                seen.insert(&**root);
            }
            Self::visit(&self.root, &mut seen) && Self::visit(&self.other, &mut seen) && self.len == seen.len()
        }
    }
    Cleared {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let one = Self::visit(&self.root, &mut seen);
            let len = seen.len();
            seen.clear();
            one && seen.is_empty() && Self::visit(&self.other, &mut seen) && seen.len() + self.len == len
        }
    }
    ClearedInside {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::visit(&self.root, &mut seen) && Self::last(&self.other, &mut seen) && seen.len() == self.len
        }
        fn last(link: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
            let Some(node) = link else { return true };
            if node.key == 1 {
                seen.clear();
            }
            seen.insert(&**node) && Self::last(&node.left, seen) && Self::last(&node.right, seen)
        }
    }
    Cloned {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let is_new = Self::visit(&self.root, &mut seen);
            let before = seen.clone();
            is_new
                && Self::visit(&self.other, &mut seen)
                && seen.len() == before.len() + self.len
                && self.root.as_ref().is_none_or(|root| before.contains(&(&**root as *const Node)))
        }
    }
    HalfFilled {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            !Self::rising(&self.root, &mut seen) && self.other.is_none() && seen.len() == self.len
        }
        fn rising(link: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
            let Some(node) = link else { return true };
            if seen.len() > 2 || node.key == 1 && node.left.is_none() {
                return false;
            }
            seen.insert(&**node) && Self::rising(&node.left, seen) && Self::rising(&node.right, seen)
        }
    }
    OpenedLater {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            if !Self::visit(&self.root, &mut seen) {
                return false;
            }
            let Some(root) = &self.root else { return self.other.is_none() && self.len == 0 };
            root.left.as_ref().is_some_and(|left| seen.contains(&(&**left as *const Node)))
                && seen.len() == self.len
                && self.other.is_none()
        }
    }
    OpenedUnseen {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let is_new = Self::visit(&self.root, &mut seen) && seen.len() == self.len;
            is_new && self.other.is_none() && self.root.as_ref().is_none_or(|root| root.key == 1)
        }
    }
    AskedLater {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::visit(&self.root, &mut seen)
                && Self::has_seen(&self.root, &seen)
                && (self.other.is_none() || !Self::has_seen(&self.other, &seen))
                && self.len == seen.len()
        }
    }
    Listed {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let root = self.root.as_deref().map(|root| root as *const Node);
            Self::visit(&self.root, &mut seen)
                && self.other.is_none()
                && seen.iter().filter(|node| Some(**node) != root).count() == self.len
        }
    }
    Swapped {
        fn rep_ok(&self) -> bool {
            let (mut one, mut two) = (HashSet::new(), HashSet::new());
            Self::swap(&self.root, &mut one, &mut two)
                && Self::swap(&self.other, &mut one, &mut two)
                && one.len() == self.len
                && two.len() <= one.len()
        }
        fn swap(link: &Option<Box<Node>>, one: &mut HashSet<*const Node>, two: &mut HashSet<*const Node>) -> bool {
            let Some(node) = link else { return true };
            if node.key == 1 {
                std::mem::swap(one, two);
            }
            one.insert(&**node) && !two.contains(&(&**node as *const Node)) && Self::swap(&node.left, one, two) && Self::swap(&node.right, two, one)
        }
    }
    Returned {
        fn rep_ok(&self) -> bool {
            let one = Self::nodes(&self.root, HashSet::new());
            let two = Self::nodes(&self.other, one.clone());
            two.len() == self.len && one.len() < 2
        }
        fn nodes(link: &Option<Box<Node>>, mut seen: HashSet<*const Node>) -> HashSet<*const Node> {
            let Some(node) = link else { return seen };
            seen.insert(&**node);
            let seen = Self::nodes(&node.left, seen);
            Self::nodes(&node.right, seen)
        }
    }
    Removed {
        fn rep_ok(&self) -> bool {
            let mut path = HashSet::new();
            Self::on_path(&self.root, &mut path) && path.is_empty() && Self::count(&self.root) == self.len && self.other.is_none()
        }
        fn on_path(link: &Option<Box<Node>>, path: &mut HashSet<*const Node>) -> bool {
            let Some(node) = link else { return true };
            let new = path.insert(&**node) && path.len() <= 2;
            let holds = new && Self::on_path(&node.left, path) && Self::on_path(&node.right, path);
            path.remove(&(&**node as *const Node)) && holds
        }
    }
    Sorted {
        fn rep_ok(&self) -> bool {
            let mut seen = BTreeSet::new();
            self.other.is_none() && Self::all_new(&self.root, &mut seen) && seen.len() == self.len
        }
        fn all_new(link: &Option<Box<Node>>, seen: &mut BTreeSet<*const Node>) -> bool {
            let Some(node) = link else { return true };
            seen.insert(&**node) && Self::all_new(&node.left, seen) && Self::all_new(&node.right, seen)
        }
    }
    SortedAndPopped {
        fn rep_ok(&self) -> bool {
            let mut seen = BTreeSet::new();
            self.other.is_none()
                && Self::all_new(&self.root, &mut seen)
                && seen.pop_first().is_some() == (self.len > 0)
                && seen.range(std::ptr::null()..).count() < self.len.max(1)
        }
        fn all_new(link: &Option<Box<Node>>, seen: &mut BTreeSet<*const Node>) -> bool {
            let Some(node) = link else { return true };
            seen.insert(&**node) && Self::all_new(&node.left, seen) && Self::all_new(&node.right, seen)
        }
    }
    Null {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Node> = HashSet::new();
            seen.insert(std::ptr::null());
            Self::visit(&self.root, &mut seen) && self.other.is_none() && seen.len() == self.len
        }
    }
    WorkList {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Node> = HashSet::new();
            let mut work: Vec<&Node> = Vec::new();
            if let Some(root) = &self.root {
                seen.insert(&**root);
                work.push(root);
            }
            while let Some(node) = work.pop() {
                if let Some(left) = &node.left {
                    if !seen.insert(&**left) {
                        return false;
                    }
                    work.push(left);
                }
                if let Some(right) = &node.right {
                    if !seen.insert(&**right) {
                        return false;
                    }
                    work.push(right);
                }
            }
            seen.len() == self.len && self.other.is_none()
        }
    }
    Chain {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Node> = HashSet::new();
            let mut at = &self.root;
            while let Some(node) = at {
                if !seen.insert(&**node as *const Node) || node.right.is_some() {
                    return false;
                }
                at = &node.left;
            }
            seen.len() == self.len && self.other.is_none()
        }
    }
    Compared {
        fn rep_ok(&self) -> bool {
            let (mut one, mut two) = (HashSet::new(), HashSet::new());
            Self::visit(&self.root, &mut one)
                && Self::visit(&self.other, &mut two)
                && one.is_disjoint(&two)
                && (one == two) == (self.len == 0)
                && self.len <= one.len()
        }
    }
    Beside {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::below(self.root.as_deref(), None, &mut seen) && self.other.is_none() && seen.len() == self.len
        }
        fn below(node: Option<&Node>, over: Option<&Node>, seen: &mut HashSet<*const Node>) -> bool {
            let Some(node) = node else { return true };
            let key = node.key;
            over.is_none_or(|over| seen.contains(&(over as *const Node)) && over.key <= key)
                && seen.insert(node)
                && Self::below(node.left.as_deref(), Some(node), seen)
                && Self::below(node.right.as_deref(), Some(node), seen)
        }
    }
}

/// Calls are answered, unless somebody looks at what a table does not tell.
#[test]
fn which_are_summarised() {
    let answered = [
        ("Counted", Traced::of::<Counted>().summary(4)),
        ("Shared", Traced::of::<Shared>().summary(4)),
        ("TwiceInOne", Traced::of::<TwiceInOne>().summary(4)),
        ("Prefilled", Traced::of::<Prefilled>().summary(4)),
        ("PrefilledWithTheRoot", Traced::of::<PrefilledWithTheRoot>().summary(4)),
        ("Cleared", Traced::of::<Cleared>().summary(4)),
        ("ClearedInside", Traced::of::<ClearedInside>().summary(4)),
        ("Cloned", Traced::of::<Cloned>().summary(4)),
        ("HalfFilled", Traced::of::<HalfFilled>().summary(4)),
        ("Swapped", Traced::of::<Swapped>().summary(4)),
        ("Returned", Traced::of::<Returned>().summary(4)),
        ("Removed", Traced::of::<Removed>().summary(4)),
        ("Sorted", Traced::of::<Sorted>().summary(4)),
        ("WorkList", Traced::of::<WorkList>().summary(4)),
        ("Chain", Traced::of::<Chain>().summary(4)),
        ("Beside", Traced::of::<Beside>().summary(4)),
    ];
    for (name, effort) in answered {
        assert!(matches!(effort, Ok((1.., 1..))), "{name}: tables and hits, or why there are none: {effort:?}");
    }
    for (name, effort) in [
        ("Twice", Traced::of::<Twice>().summary(4)),
        ("OpenedLater", Traced::of::<OpenedLater>().summary(4)),
        ("OpenedUnseen", Traced::of::<OpenedUnseen>().summary(4)),
        ("AskedLater", Traced::of::<AskedLater>().summary(4)),
        ("Listed", Traced::of::<Listed>().summary(4)),
        ("SortedAndPopped", Traced::of::<SortedAndPopped>().summary(4)),
        ("Null", Traced::of::<Null>().summary(4)),
        ("Compared", Traced::of::<Compared>().summary(4)),
    ] {
        let none = Err("it makes no call on a part that can be answered".to_string());
        assert!(effort == Ok((0, 0)) || effort == none, "{name}: {effort:?}");
    }
}

corpus! {
    visited_counted: Counted, 4 => 275;
    visited_shared: Shared, 3 => 137;
    visited_twice: Twice, 3 => 86;
    visited_twice_in_one: TwiceInOne, 3 => 87;
    visited_prefilled: Prefilled, 3 => 87;
    visited_prefilled_with_the_root: PrefilledWithTheRoot, 3 => 51;
    visited_cleared: Cleared, 3 => 71;
    visited_cleared_inside: ClearedInside, 3 => 137;
    visited_cloned: Cloned, 3 => 137;
    visited_half_filled: HalfFilled, 4 => 259;
    visited_opened_later: OpenedLater, 3 => 29;
    visited_opened_unseen: OpenedUnseen, 3 => 26;
    visited_asked_later: AskedLater, 3 => 137;
    visited_listed: Listed, 3 => 51;
    visited_swapped: Swapped, 3 => 77;
    visited_returned: Returned, 3 => 73;
    visited_removed: Removed, 4 => 19;
    visited_sorted: Sorted, 4 => 275;
    visited_sorted_and_popped: SortedAndPopped, 3 => 63;
    visited_null: Null, 3 => 11;
    visited_work_list: WorkList, 4 => 275;
    visited_chain: Chain, 4 => 31;
    visited_compared: Compared, 3 => 191;
    visited_beside: Beside, 4 => 110;
}
