//! Repairs of small values, of which everything near can be tried; and changes that turn out to be needless.

use korat::{Finitize, Repair, field, rep_ok};

/// A node of a B+ tree, all of which lie in one vector.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    keys: Vec<u32>,
    #[finitize(index_of = nodes)]
    children: Vec<usize>,
    #[finitize(index_of = nodes)]
    parent: Option<usize>,
    #[finitize(index_of = nodes)]
    next: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Tree {
    nodes: Vec<Node>,
    #[finitize(index_of = nodes)]
    root: usize,
    #[finitize(index_of = nodes)]
    first: Option<usize>,
    len: usize,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut leaves = Vec::new();
        if self.nodes[self.root].parent.is_some() || !self.is_part(self.root, 0, u32::MAX, &mut leaves) {
            return false;
        }
        let mut at = self.first;
        for &leaf in &leaves {
            if at != Some(leaf) {
                return false;
            }
            at = self.nodes[leaf].next;
        }
        let keys = leaves.iter().map(|&leaf| self.nodes[leaf].keys.len()).sum::<usize>();
        at.is_none() && keys == self.len && leaves.len() + 1 == self.nodes.len()
    }

    /// Keys are in order and between two others; leaves are noted.
    fn is_part(&self, at: usize, low: u32, high: u32, leaves: &mut Vec<usize>) -> bool {
        let node = &self.nodes[at];
        let is_in_order = node.keys.windows(2).all(|two| two[0] < two[1]);
        if !is_in_order || node.keys.iter().any(|&key| key < low || key >= high) || leaves.len() > self.nodes.len() {
            return false;
        }
        if node.children.is_empty() {
            leaves.push(at);
            return node.keys.len() >= 2;
        }
        if node.children.len() != node.keys.len() + 1 || node.next.is_some() {
            return false;
        }
        for (number, &child) in node.children.iter().enumerate() {
            let from = if number == 0 { low } else { node.keys[number - 1] };
            let to = if number < node.keys.len() { node.keys[number] } else { high };
            if self.nodes[child].parent != Some(at) || !self.is_part(child, from, to, leaves) {
                return false;
            }
        }
        true
    }
}

/// Three leaves below a root.
fn tree() -> Tree {
    let leaf = |keys: &[u32], next| Node { keys: keys.to_vec(), children: Vec::new(), parent: Some(3), next };
    let leaves = [leaf(&[100, 105, 110], Some(1)), leaf(&[120, 125, 130], Some(2)), leaf(&[140, 145, 150, 155], None)];
    let root = Node { keys: vec![120, 140], children: vec![0, 1, 2], parent: None, next: None };
    Tree { nodes: leaves.into_iter().chain([root]).collect(), root: 3, first: Some(0), len: 10 }
}

fn repaired(fault: impl Fn(&mut Tree)) -> (Tree, Vec<String>) {
    let mut broken = tree();
    assert!(broken.rep_ok());
    fault(&mut broken);
    let repaired = Repair::new().repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
    assert!(broken.rep_ok());
    (broken, repaired.changes.iter().map(ToString::to_string).collect())
}

#[test]
fn one_change_is_found_wherever_it_is() {
    assert_eq!(repaired(|tree| tree.root = 0), (tree(), vec!["root: 0 -> 3".to_string()]));
}

#[test]
fn two_changes_are_found_wherever_they_are() {
    for (one, two) in [(0, 1), (1, 2), (0, 2)] {
        let (whole, changes) = repaired(|tree| tree.nodes[3].children.swap(one, two));
        assert_eq!((whole, changes.len()), (tree(), 2), "{changes:?}");
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Bag {
    things: Vec<u32>,
    capacity: usize,
    len: usize,
}

#[rep_ok]
impl Bag {
    fn rep_ok(&self) -> bool {
        self.len <= self.capacity && self.things.iter().all(|&thing| thing < 900) && self.len == self.things.len()
    }
}

#[test]
fn what_turns_out_to_be_needless_is_not_changed() {
    for things in [5, 300] {
        let whole = Bag { things: vec![3; things], capacity: things + 7, len: things };
        let mut broken = Bag { len: 100_000, ..whole.clone() };
        let repaired = Repair::new().repair(&mut broken).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((broken, repaired.changes.len()), (whole, 1), "{repaired}");
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Slot {
    Vacant,
    Taken { name: u8, age: u8 },
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Leaf {
    colour: u8,
    next: Option<Box<Leaf>>,
}

/// So many numbers, slots that are taken, and leaves, as is said.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Store {
    numbers: Vec<u8>,
    slot: Slot,
    first: Option<Box<Leaf>>,
    wanted: usize,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        let is_taken = match &self.slot {
            Slot::Vacant => false,
            Slot::Taken { name, age } => name <= age,
        };
        let leaves = self.first.iter().filter(|leaf| leaf.next.is_none()).count();
        is_taken && leaves == 1 && self.numbers.len() == self.wanted
    }
}

/// What is made up is told with the change that it came with.
#[test]
fn what_a_change_brings_is_listed() {
    let whole = Store {
        numbers: vec![7, 8],
        slot: Slot::Taken { name: 1, age: 2 },
        first: Some(Box::new(Leaf { colour: 3, next: None })),
        wanted: 2,
    };
    assert!(whole.rep_ok());
    let told = |mut broken: Store| {
        let repaired = Repair::new().keep(field!(Store.wanted)).repair(&mut broken);
        let repaired = repaired.unwrap_or_else(|why| panic!("{why}"));
        assert!(broken.rep_ok());
        repaired.changes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let shorter = Store { numbers: vec![7], ..whole.clone() };
    assert_eq!(told(shorter), ["numbers.len(): 1 -> 2 (numbers[1]: 0)"]);
    let empty = Store { first: None, ..whole.clone() };
    assert_eq!(told(empty), ["first: None -> a new Leaf (colour: 0)"]);
    let vacant = Store { slot: Slot::Vacant, ..whole };
    assert_eq!(told(vacant), ["slot: Vacant -> Taken (slot.Taken.name: 0, slot.Taken.age: 0)"]);
}
