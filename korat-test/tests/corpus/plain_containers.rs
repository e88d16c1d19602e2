//! Sets and maps of plain values that calls are given, fill and return: they are taken for values, and calls are answered.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
        impl $Tree {
            $($methods)*
        }
    )*};
}

trees! {
    DistinctKeys {
        fn rep_ok(&self) -> bool {
            let mut keys = HashSet::new();
            Self::are_new(&self.root, &mut keys) && keys.len() == self.len && Self::rise(&self.other, &BTreeSet::new())
        }
        fn are_new(link: &Option<Box<Node>>, keys: &mut HashSet<u8>) -> bool {
            let Some(node) = link else { return true };
            keys.insert(node.key) && Self::are_new(&node.left, keys) && Self::are_new(&node.right, keys)
        }
        fn rise(link: &Option<Box<Node>>, above: &BTreeSet<u8>) -> bool {
            let Some(node) = link else { return true };
            let mut keys = above.clone();
            keys.insert(node.key);
            keys.last() == Some(&node.key) && Self::rise(&node.left, &keys) && Self::rise(&node.right, &keys)
        }
    }
    CountedKeys {
        fn rep_ok(&self) -> bool {
            let mut counts = HashMap::new();
            Self::count_keys(&self.root, &mut counts);
            let sums = Self::sums(&self.other, BTreeMap::new());
            counts.get(&1).copied().unwrap_or(0) == self.len && sums.values().all(|sum| *sum < 2)
        }
        fn count_keys(link: &Option<Box<Node>>, counts: &mut HashMap<u8, usize>) {
            if let Some(node) = link {
                *counts.entry(node.key).or_default() += 1;
                Self::count_keys(&node.left, counts);
                Self::count_keys(&node.right, counts);
            }
        }
        fn sums(link: &Option<Box<Node>>, mut sums: BTreeMap<u8, u8>) -> BTreeMap<u8, u8> {
            let Some(node) = link else { return sums };
            let sum = sums.entry(node.key).or_insert(0);
            *sum = sum.saturating_add(1);
            let sums = Self::sums(&node.left, sums);
            Self::sums(&node.right, sums)
        }
    }
    NodesAsKeys {
        fn rep_ok(&self) -> bool {
            let mut depths = HashMap::new();
            Self::measure(&self.root, 0, &mut depths);
            self.other.is_none() && depths.values().max().copied().unwrap_or(0) == self.len
        }
        fn measure(link: &Option<Box<Node>>, depth: usize, depths: &mut HashMap<*const Node, usize>) {
            if let Some(node) = link {
                depths.insert(&**node, depth);
                Self::measure(&node.left, depth + 1, depths);
                Self::measure(&node.right, depth + 1, depths);
            }
        }
    }
}

/// Addresses are no plain values.
#[test]
fn which_are_summarised() {
    let distinct = Traced::of::<DistinctKeys>().summary(4);
    assert!(matches!(distinct, Ok((1.., 1..))), "{distinct:?}");
    let counted = Traced::of::<CountedKeys>().summary(4);
    assert!(matches!(counted, Ok((1.., 1..))), "{counted:?}");
    assert_eq!(Traced::of::<NodesAsKeys>().summary(3), Ok((0, 0)));
}

corpus! {
    distinct_keys: DistinctKeys, 3 => 60;
    counted_keys: CountedKeys, 3 => 85;
    nodes_as_keys: NodesAsKeys, 3 => 51;
}
