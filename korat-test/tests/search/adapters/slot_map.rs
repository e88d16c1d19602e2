//! Arenas of `slotmap`: lists, trees and forests whose nodes refer to each other by key.

use std::collections::HashSet;

use slotmap::{DefaultKey, Key, KeyData, SecondaryMap, SlotMap, new_key_type};

use super::*;

#[derive(Clone, Debug, Finitize)]
struct Node {
    #[finitize(index_of = nodes)]
    previous: Option<DefaultKey>,
    #[finitize(index_of = nodes)]
    next: Option<DefaultKey>,
}

#[derive(Clone, Debug, Finitize)]
struct List {
    #[finitize(index_of = nodes)]
    head: Option<DefaultKey>,
    nodes: SlotMap<DefaultKey, Node>,
    #[finitize(index_of = nodes)]
    tail: Option<DefaultKey>,
}

#[rep_ok]
impl List {
    /// Links lead back and forth, from the head to the tail; there may be other nodes, without links.
    fn rep_ok(&self) -> bool {
        let mut seen = 0;
        let (mut before, mut at) = (None, self.head);
        while let Some(key) = at {
            let node = &self.nodes[key];
            if node.previous != before {
                return false;
            }
            seen += 1;
            (before, at) = (at, node.next);
        }
        self.tail == before && seen + Self::loners(&self.nodes, self.head) == self.nodes.len()
    }

    fn loners(nodes: &SlotMap<DefaultKey, Node>, head: Option<DefaultKey>) -> usize {
        let mut count = 0;
        for (key, node) in nodes {
            if Some(key) != head && node.previous.is_none() && node.next.is_none() {
                count += 1;
            }
        }
        count
    }
}

fn made(&(ends, ref nodes): &Linked) -> List {
    let key = |at: Option<usize>| at.map(|at| DefaultKey::from(KeyData::from_ffi((1 << 32) | (at as u64 + 1))));
    let mut map = SlotMap::new();
    for (at, &[previous, next]) in nodes.iter().enumerate() {
        let inserted = map.insert(Node { previous: key(previous), next: key(next) });
        assert_eq!(Some(inserted), key(Some(at)), "the keys of a fresh map are as expected");
    }
    List { head: key(ends[0]), nodes: map, tail: key(ends[1]) }
}

fn linked(list: &List) -> Linked {
    let keys: Vec<DefaultKey> = list.nodes.keys().collect();
    let at = |key: Option<DefaultKey>| {
        key.map(|key| {
            assert!(list.nodes.contains_key(key), "{key:?} is no key of {list:?}");
            keys.iter().position(|&one| one == key).expect("the key is one of the map")
        })
    };
    let nodes = list.nodes.values().map(|node| [at(node.previous), at(node.next)]).collect();
    ([at(list.head), at(list.tail)], nodes)
}

#[test]
fn doubly_linked_lists_in_a_slot_map() {
    let counts: Vec<u64> =
        (0..=3).map(|scope| agree(scope, all_linked(scope).iter().map(made), |list| form(&linked(list)))).collect();
    // A list of any of the nodes, and the others alone.
    assert_eq!(counts, [1, 3, 6, 10]);
}

#[test]
fn a_map_with_a_removed_element_is_out_of_bounds() {
    let idle = idle::<List>(2);
    let mut list = made(&([Some(0), Some(0)], vec![[None, None]]));
    assert!(idle.abstract_value(&list).is_ok());
    let removed = list.nodes.insert(Node { previous: None, next: None });
    list.nodes.remove(removed);
    list.nodes.insert(Node { previous: None, next: None });
    assert!(idle.abstract_value(&list).is_err());
}

/// A tree whose nodes list their children, visited with a work list and collections of keys.
#[derive(Clone, Debug, Finitize)]
struct Tree {
    #[finitize(index_of = children)]
    root: DefaultKey,
    #[finitize(index_of = children, set, len = scope..=scope)]
    children: SlotMap<DefaultKey, Vec<DefaultKey>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut seen: HashSet<DefaultKey> = HashSet::new();
        let mut depths: SecondaryMap<DefaultKey, usize> = SecondaryMap::new();
        seen.insert(self.root);
        depths.insert(self.root, 0);
        let mut waiting = vec![self.root];
        while let Some(key) = waiting.pop() {
            for &child in &self.children[key] {
                if !seen.insert(child) {
                    return false;
                }
                depths.insert(child, depths[key] + 1);
                waiting.push(child);
            }
        }
        seen.len() == self.children.len() && depths.len() == seen.len()
    }
}

#[test]
fn trees_in_a_slot_map() {
    // A000081.
    assert_eq!([1, 2, 3, 4].map(count::<Tree>), [1, 1, 2, 4]);
}

new_key_type! {
    #[derive(Finitize)]
    #[finitize(id)]
    struct ParentKey;
}

/// Its elements are keys themselves, and none is the null key.
#[derive(Clone, Debug, Finitize)]
struct Forest {
    #[finitize(index_of = parents, none = ParentKey::null())]
    parents: SlotMap<ParentKey, ParentKey>,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        for start in self.parents.keys() {
            let (mut at, mut steps) = (start, 0);
            while let Some(&parent) = self.parents.get(at) {
                at = parent;
                steps += 1;
                if steps > self.parents.len() {
                    return false;
                }
            }
        }
        self.parents.is_empty() || self.parents.values().any(|parent| parent.is_null())
    }
}

#[test]
fn forests_of_keys_of_a_type_of_their_own() {
    let counts: Vec<u64> = (0..=4).map(count::<Forest>).collect();
    // Rooted forests of n nodes: 1, 1, 2, 4, 9 (A000081, shifted); up to a size, their sums.
    assert_eq!(counts, [1, 2, 4, 8, 17]);
}

/// Keys that are no indices, and maps of plain values.
#[derive(Clone, Debug, Finitize)]
struct Loose {
    key: DefaultKey,
    #[finitize(0..=1, len = 0..=2)]
    marks: Option<SlotMap<DefaultKey, u8>>,
}

#[rep_ok]
impl Loose {
    fn rep_ok(&self) -> bool {
        self.marks.as_ref().is_none_or(|marks| marks.contains_key(self.key) != self.key.is_null())
    }
}

#[test]
fn keys_and_maps_without_indices() {
    // Null or the first key; without a map both, else the null key and any map, or the other and a map that has it.
    assert_eq!(count::<Loose>(1), 2 + (1 + 2 + 4) + (2 + 4));
}
