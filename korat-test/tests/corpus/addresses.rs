//! Predicates that use the address of a node as a number. Where a part lies says nothing about it, so calls that are given such a number,
//! or return one, are run and not answered from tables.

use std::collections::{BTreeSet, HashSet};

use korat::{Finitize, rep_ok};

use crate::harness::corpus;
use crate::nodes::Node;

/// No method of the block: what it does with the reference is not known.
fn number<T>(place: &T) -> usize {
    place as *const T as usize
}

macro_rules! trees {
    ($($Tree:ident { $($methods:tt)* })*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Tree {
            root: Option<Box<Node>>,
            #[finitize(0..=scope)]
            len: usize,
        }

        #[rep_ok]
        impl $Tree {
            $($methods)*
        }
    )*};
}

trees! {
    SetOfNumbers {
        fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            Self::all_new(&self.root, &mut seen) && seen.len() == self.len
        }
        fn all_new(link: &Option<Box<Node>>, seen: &mut HashSet<usize>) -> bool {
            let Some(node) = link else { return true };
            seen.insert(&**node as *const Node as usize)
                && Self::all_new(&node.left, seen)
                && Self::all_new(&node.right, seen)
        }
    }
    SortedNumbers {
        fn rep_ok(&self) -> bool {
            let mut seen = BTreeSet::new();
            Self::all_new(&self.root, &mut seen) && seen.len() == self.len
        }
        fn all_new(link: &Option<Box<Node>>, seen: &mut BTreeSet<(u64, u8)>) -> bool {
            let Some(node) = link else { return true };
            seen.insert((&**node as *const Node as u64, node.key))
                && Self::all_new(&node.left, seen)
                && Self::all_new(&node.right, seen)
        }
    }
    ListOfNumbers {
        fn rep_ok(&self) -> bool {
            let mut seen = Vec::new();
            Self::all_new(&self.root, &mut seen) && seen.len() == self.len
        }
        fn all_new(link: &Option<Box<Node>>, seen: &mut Vec<usize>) -> bool {
            let Some(node) = link else { return true };
            let at = number(&**node);
            if seen.contains(&at) {
                return false;
            }
            seen.push(at);
            Self::all_new(&node.left, seen) && Self::all_new(&node.right, seen)
        }
    }
    ReturnedNumbers {
        fn rep_ok(&self) -> bool {
            Self::place(&self.root).is_some_and(|(_, count)| count == self.len)
        }
        fn place(link: &Option<Box<Node>>) -> Option<(usize, usize)> {
            let Some(node) = link else { return Some((0, 0)) };
            let (left, of_left) = Self::place(&node.left)?;
            let (right, of_right) = Self::place(&node.right)?;
            if left == right && left != 0 {
                return None;
            }
            Some((number(&**node), of_left + of_right + 1))
        }
    }
    ParentsAsNumbers {
        fn rep_ok(&self) -> bool {
            Self::count(&self.root, 0) == Some(self.len)
        }
        fn count(link: &Option<Box<Node>>, parent: usize) -> Option<usize> {
            let Some(node) = link else { return Some(0) };
            let here = &raw const **node as usize;
            if here == parent {
                return None;
            }
            Some(Self::count(&node.left, here)? + Self::count(&node.right, here)? + 1)
        }
    }
    LastAsNumber {
        fn rep_ok(&self) -> bool {
            let (mut last, mut count, mut at) = (0, 0, &self.root);
            while let Some(node) = at {
                let here = (&raw const **node).addr();
                if here == last || node.right.is_some() {
                    return false;
                }
                last = here;
                count += 1;
                at = &node.left;
            }
            count == self.len
        }
    }
}

corpus! {
    set_of_addresses_as_numbers: SetOfNumbers, 3 => 51;
    sorted_set_of_addresses_as_numbers: SortedNumbers, 3 => 51;
    list_of_addresses_as_numbers: ListOfNumbers, 3 => 51;
    returned_addresses_as_numbers: ReturnedNumbers, 3 => 51;
    parents_as_numbers: ParentsAsNumbers, 3 => 51;
    last_node_as_a_number: LastAsNumber, 3 => 15;
}
