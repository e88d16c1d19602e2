//! Methods that put another container in the place of a local one.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

list!(
    by_clone_from(),
    |list| {
        let mut vector: Vec<u8> = Vec::new();
        let mut deque: VecDeque<u8> = VecDeque::new();
        let mut tree: BTreeSet<u8> = BTreeSet::new();
        let mut index: BTreeMap<u8, u8> = BTreeMap::new();
        let mut heap: BinaryHeap<u8> = BinaryHeap::new();
        let mut set: HashSet<u8> = HashSet::new();
        let mut map: HashMap<u8, u8> = HashMap::new();
        let mut rest = &list.head;
        while let Some(node) = rest {
            let key = node.key;
            let mut more = vector.clone();
            more.push(key);
            vector.clone_from(&more);
            let mut more = deque.clone();
            more.push_back(key);
            deque.clone_from(&more);
            let mut more = tree.clone();
            more.insert(key);
            tree.clone_from(&more);
            let mut more = index.clone();
            more.insert(key, key);
            index.clone_from(&more);
            let mut more = heap.clone();
            more.push(key);
            heap.clone_from(&more);
            let mut more = set.clone();
            more.insert(key);
            set.clone_from(&more);
            let mut more = map.clone();
            more.insert(key, key);
            map.clone_from(&more);
            let (all, distinct) = (vector.len(), tree.len());
            if [deque.len(), heap.len()] != [all; 2] || [index.len(), set.len(), map.len()] != [distinct; 3] {
                return false;
            }
            if all != distinct {
                return false;
            }
            rest = &node.next;
        }
        vector.len() == usize::from(list.len)
    },
    41
);

list!(
    by_a_trait_of_every_type(),
    |list| {
        let mut seen: HashSet<u8> = HashSet::new();
        let mut again = 0;
        let mut rest = &list.head;
        while let Some(node) = rest {
            if !seen.insert(node.key) {
                seen.renew();
                again += 1;
            }
            if node.key > 2 {
                return false;
            }
            rest = &node.next;
        }
        seen.len() + again == usize::from(list.len)
    },
    40,
    {
        pub trait Renew {
            fn renew(&mut self);
        }
        impl<T: Default> Renew for T {
            fn renew(&mut self) {
                *self = T::default();
            }
        }
    }
);
