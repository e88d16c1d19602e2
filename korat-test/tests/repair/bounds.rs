//! Bounds that a repair makes of the value itself: they do not depend on how large the types of fields are, on how long its vectors
//! are, or on which keys its maps have.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use korat::{Finitize, Reason, Repair, rep_ok};

/// Many more nodes than a byte has values.
const MANY: u16 = 2000;

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    key: u16,
    height: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Balanced {
    root: Option<Box<Node>>,
    len: u16,
}

#[rep_ok]
impl Balanced {
    fn rep_ok(&self) -> bool {
        let mut len = 0;
        Self::height(&self.root, None, None, &mut len).is_some() && len == self.len
    }

    fn height(link: &Option<Box<Node>>, above: Option<u16>, below: Option<u16>, len: &mut u16) -> Option<u8> {
        let Some(node) = link else { return Some(0) };
        *len += 1;
        if above.is_some_and(|above| above >= node.key) || below.is_some_and(|below| below <= node.key) {
            return None;
        }
        let left = Self::height(&node.left, above, Some(node.key), len)?;
        let right = Self::height(&node.right, Some(node.key), below, len)?;
        (left.abs_diff(right) <= 1 && node.height == 1 + left.max(right)).then_some(node.height)
    }
}

fn balanced(keys: std::ops::Range<u16>) -> Option<Box<Node>> {
    if keys.is_empty() {
        return None;
    }
    let middle = keys.start + (keys.end - keys.start) / 2;
    let (left, right) = (balanced(keys.start..middle), balanced(middle + 1..keys.end));
    let height_of = |link: &Option<Box<Node>>| link.as_ref().map_or(0, |node| node.height);
    let height = 1 + height_of(&left).max(height_of(&right));
    Some(Box::new(Node { key: 10 * middle, height, left, right }))
}

#[test]
fn a_byte_in_each_of_many_nodes() {
    let tree = Balanced { root: balanced(0..MANY), len: MANY };
    let mut broken = tree.clone();
    broken.root.as_mut().expect("a root").left.as_mut().expect("a child").height = 200;
    let repaired = korat::repair(&mut broken).expect("a wrong height is repaired");
    assert_eq!((repaired.changes.len(), broken), (1, tree));
}

#[test]
fn a_wrong_key_becomes_one_that_nothing_has() {
    let mut tree = Balanced { root: balanced(0..MANY), len: MANY };
    // Between two keys that are there, and whose neighbours are not.
    let node = tree.root.as_mut().and_then(|root| root.right.as_mut()).expect("a child");
    let before = std::mem::replace(&mut node.key, 3);
    let repaired = korat::repair(&mut tree).expect("a wrong key is repaired");
    let [change] = &repaired.changes[..] else { panic!("{repaired}") };
    let after: u16 = change.new.parse().expect("a number");
    assert!(change.field == "key" && (before - 10..before + 10).contains(&after), "{repaired}");
    assert!(repaired.dropped.is_empty() && tree.rep_ok());
}

#[derive(Clone, Debug, PartialEq, Finitize)]
#[finitize(plain)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Stop {
    name: String,
    letter: char,
    at: Point,
    next: Option<Box<Stop>>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Line {
    first: Option<Box<Stop>>,
    stops: usize,
}

#[rep_ok]
impl Line {
    fn rep_ok(&self) -> bool {
        let mut stops = 0;
        let mut rest = &self.first;
        while let Some(stop) = rest {
            if stop.name.is_empty() {
                return false;
            }
            stops += 1;
            rest = &stop.next;
        }
        stops == self.stops
    }
}

/// Nodes are taken out one by one, so that dropping a long line needs no stack.
impl Drop for Line {
    fn drop(&mut self) {
        let mut rest = self.first.take();
        while let Some(mut stop) = rest {
            rest = stop.next.take();
        }
    }
}

fn line(stops: usize) -> Line {
    let mut line = Line { first: None, stops };
    for number in 0..stops {
        let at = Point { x: 7 * number as i32, y: -(number as i32) };
        let next = line.first.take();
        line.first = Some(Box::new(Stop { name: format!("stop {number}"), letter: 'ß', at, next }));
    }
    line
}

#[test]
fn texts_and_combined_values_in_each_of_many_nodes() {
    let mut broken = line(MANY.into());
    broken.stops += 5;
    let begun = Instant::now();
    let repaired = korat::repair(&mut broken).expect("a wrong number is repaired");
    assert_eq!((repaired.changes.len(), &broken), (1, &line(MANY.into())));
    // Texts are found by what they print: in a list of as many texts as nodes, another way takes minutes.
    assert!(begun.elapsed() < Duration::from_secs(60), "it took {:?}", begun.elapsed());
}

#[test]
fn an_empty_text_gets_another_one() {
    let mut broken = line(40);
    broken.first.as_mut().expect("a stop").name.clear();
    let repaired = korat::repair(&mut broken).expect("an empty name is repaired");
    assert_eq!(repaired.changes.len(), 1);
    assert!(broken.rep_ok());
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Folder {
    id: u32,
    inside: Vec<Folder>,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Folders {
    top: Folder,
    count: usize,
}

#[rep_ok]
impl Folders {
    fn rep_ok(&self) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![&self.top];
        while let Some(folder) = work.pop() {
            if !seen.insert(folder.id) {
                return false;
            }
            work.extend(&folder.inside);
        }
        seen.len() == self.count
    }
}

/// A folder with so many in it, itself included; the first half of the rest lies in the first of them, and so on.
fn folder(ids: &mut std::ops::RangeFrom<u32>, count: usize) -> Folder {
    let mut folder_made = Folder { id: ids.next().expect("there are enough numbers"), inside: Vec::new() };
    let mut left = count - 1;
    while left > 0 {
        let inside = left.div_ceil(2);
        folder_made.inside.push(folder(ids, inside));
        left -= inside;
    }
    folder_made
}

/// Room is made for vectors as long as those that there are, and not for one as long as there are objects in each object.
#[test]
fn a_vector_in_each_of_many_nodes() {
    let count = 20_000;
    let folders = Folders { top: folder(&mut (0..), count), count };
    let mut broken = folders.clone();
    broken.count -= 1;
    let repaired = korat::repair(&mut broken).expect("a wrong number is repaired");
    assert_eq!((repaired.changes.len(), broken), (1, folders));
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Entry {
    key: u64,
    weight: u8,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct Index {
    entries: Vec<Entry>,
    places: HashMap<u64, usize>,
}

#[rep_ok]
impl Index {
    fn rep_ok(&self) -> bool {
        let mut entries = self.entries.iter().enumerate();
        self.places.len() == self.entries.len()
            && entries.all(|(place, entry)| self.places.get(&entry.key) == Some(&place))
    }
}

fn index(entries: u64) -> Index {
    let entry = |number: u64| Entry { key: 1_000_000 + 37 * number, weight: number as u8 };
    let entries: Vec<Entry> = (0..entries).map(entry).collect();
    let places = entries.iter().enumerate().map(|(place, entry)| (entry.key, place)).collect();
    Index { entries, places }
}

#[test]
fn a_map_with_keys_of_any_size() {
    for entries in [3, 300] {
        let valid = index(entries);
        let mut broken = valid.clone();
        broken.places.insert(1_000_037, 77);
        korat::repair(&mut broken).expect("a wrong place is repaired");
        assert_eq!(broken, valid);
        // What is missing is found among the numbers that the value has elsewhere.
        broken.places.remove(&1_000_037);
        korat::repair(&mut broken).expect("a missing place is repaired");
        assert_eq!(broken, valid);
    }
}

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Tree {
    Leaf,
    Fork { key: u32, left: Box<Tree>, right: Box<Tree> },
}

#[derive(Clone, Debug, PartialEq, Finitize)]
struct SearchTree {
    root: Tree,
    len: usize,
}

#[rep_ok]
impl SearchTree {
    fn rep_ok(&self) -> bool {
        let mut len = 0;
        Self::is_ordered(&self.root, None, None, &mut len) && len == self.len
    }

    fn is_ordered(tree: &Tree, above: Option<u32>, below: Option<u32>, len: &mut usize) -> bool {
        match tree {
            Tree::Leaf => true,
            Tree::Fork { key, left, right } => {
                *len += 1;
                above.is_none_or(|above| above < *key)
                    && below.is_none_or(|below| *key < below)
                    && Self::is_ordered(left, above, Some(*key), len)
                    && Self::is_ordered(right, Some(*key), below, len)
            }
        }
    }
}

fn search_tree(keys: std::ops::Range<u32>) -> Tree {
    if keys.is_empty() {
        return Tree::Leaf;
    }
    let middle = keys.start + (keys.end - keys.start) / 2;
    let (left, right) = (search_tree(keys.start..middle), search_tree(middle + 1..keys.end));
    Tree::Fork { key: 5 * middle, left: Box::new(left), right: Box::new(right) }
}

/// The key is wrong, and not the variants of all that is compared with it: nothing is cut off.
#[test]
fn a_wrong_key_costs_no_part_of_the_tree() {
    for keys in [7, 3000] {
        let mut broken = SearchTree { root: search_tree(0..keys), len: keys as usize };
        let Tree::Fork { left, .. } = &mut broken.root else { panic!("there is a root") };
        let Tree::Fork { key, .. } = &mut **left else { panic!("it has a child") };
        *key = 1_000_000;
        let repaired = korat::repair(&mut broken).expect("a wrong key is repaired");
        let field = &repaired.changes[0].field;
        assert_eq!((repaired.changes.len(), field.ends_with("key"), broken.len), (1, true, keys as usize), "{field}");
        assert!(broken.rep_ok());
    }
}

/// Its bounds are round, so that the heap has room for more than may be added.
#[test]
fn no_more_is_added_than_is_allowed() {
    let missing_two = || {
        let mut line = line(20);
        line.stops += 2;
        line
    };
    let repair = |fresh| Repair::new().fresh(fresh).keep(korat::field!(Line.stops)).max_tries(20_000);
    let error = repair(1).repair(&mut missing_two()).expect_err("two stops are missing");
    assert!(matches!(error.reason, Reason::NoValidValue | Reason::MaxTries), "{error}");
    let mut line = missing_two();
    let repaired = repair(2).repair(&mut line).expect("there may be two more");
    assert_eq!((repaired.added.len(), line.stops), (2, 22));
}

/// Bounds that somebody gives are what they are: there a list that is too long is a mistake.
#[test]
fn bounds_that_are_given_are_not_cut() {
    let mut broken = Balanced { root: balanced(0..10), len: 11 };
    let error = Repair::new().within(Balanced::scope(300)).repair(&mut broken).expect_err("a byte ends at 255");
    assert!(matches!(error.reason, Reason::Bounds(_)), "{error}");
    assert!(error.to_string().contains("256 is not a value of type u8"), "{error}");
}
