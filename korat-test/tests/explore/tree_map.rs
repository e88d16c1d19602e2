//! The states of `java.util.TreeMap`, a red-black tree: `put` and `remove` as they are there, colours included. Not every red-black tree can be
//! reached.

use korat::{Explore, Finitize, rep_ok};

#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
enum Color {
    Red,
    Black,
}
use Color::{Black, Red};

#[derive(Debug, Finitize)]
struct Entry {
    #[finitize(1..=scope)]
    key: u8,
    color: Color,
    left: Option<Box<Entry>>,
    right: Option<Box<Entry>>,
}

#[derive(Debug, Default, Finitize)]
struct TreeMap {
    root: Option<Box<Entry>>,
}

#[rep_ok]
impl TreeMap {
    /// The keys are in order, the root is black, and the colours balance the tree.
    fn rep_ok(&self) -> bool {
        Self::black_height(&self.root, 0, u8::MAX, Red).is_some()
    }

    fn black_height(entry: &Option<Box<Entry>>, low: u8, high: u8, above: Color) -> Option<u8> {
        let Some(entry) = entry else { return Some(0) };
        let is_red = entry.color == Red;
        if entry.key <= low || entry.key >= high || is_red && above == Red {
            return None;
        }
        let left = Self::black_height(&entry.left, low, entry.key, entry.color)?;
        let right = Self::black_height(&entry.right, entry.key, high, entry.color)?;
        (left == right).then_some(left + u8::from(!is_red))
    }
}

/// The entries with their parents, as the Java code has them: positions in a list; `NULL` is none.
struct Entries {
    entries: Vec<Linked>,
    root: usize,
}

#[derive(Clone, Copy)]
struct Linked {
    key: u8,
    color: Color,
    left: usize,
    right: usize,
    parent: usize,
}

const NULL: usize = usize::MAX;

impl Entries {
    fn of(map: &TreeMap) -> Self {
        fn add(entries: &mut Vec<Linked>, entry: &Option<Box<Entry>>, parent: usize) -> usize {
            let Some(entry) = entry else { return NULL };
            let at = entries.len();
            entries.push(Linked { key: entry.key, color: entry.color, left: NULL, right: NULL, parent });
            entries[at].left = add(entries, &entry.left, at);
            entries[at].right = add(entries, &entry.right, at);
            at
        }
        let mut entries = Vec::new();
        let root = add(&mut entries, &map.root, NULL);
        Entries { entries, root }
    }

    fn map(&self) -> TreeMap {
        fn tree(entries: &Entries, at: usize) -> Option<Box<Entry>> {
            let Linked { key, color, left, right, .. } = *entries.entries.get(at)?;
            Some(Box::new(Entry { key, color, left: tree(entries, left), right: tree(entries, right) }))
        }
        TreeMap { root: tree(self, self.root) }
    }

    fn color(&self, at: usize) -> Color {
        self.entries.get(at).map_or(Black, |entry| entry.color)
    }

    fn set_color(&mut self, at: usize, color: Color) {
        if let Some(entry) = self.entries.get_mut(at) {
            entry.color = color;
        }
    }

    fn parent(&self, at: usize) -> usize {
        self.entries.get(at).map_or(NULL, |entry| entry.parent)
    }

    fn left(&self, at: usize) -> usize {
        self.entries.get(at).map_or(NULL, |entry| entry.left)
    }

    fn right(&self, at: usize) -> usize {
        self.entries.get(at).map_or(NULL, |entry| entry.right)
    }

    /// Puts `to` where its parent has `at`.
    fn replace(&mut self, at: usize, to: usize) {
        let parent = self.parent(at);
        if parent == NULL {
            self.root = to;
        } else if self.left(parent) == at {
            self.entries[parent].left = to;
        } else {
            self.entries[parent].right = to;
        }
    }

    fn rotate_left(&mut self, p: usize) {
        if p != NULL {
            let r = self.right(p);
            self.entries[p].right = self.left(r);
            if self.left(r) != NULL {
                let left = self.left(r);
                self.entries[left].parent = p;
            }
            self.entries[r].parent = self.parent(p);
            self.replace(p, r);
            self.entries[r].left = p;
            self.entries[p].parent = r;
        }
    }

    fn rotate_right(&mut self, p: usize) {
        if p != NULL {
            let l = self.left(p);
            self.entries[p].left = self.right(l);
            if self.right(l) != NULL {
                let right = self.right(l);
                self.entries[right].parent = p;
            }
            self.entries[l].parent = self.parent(p);
            self.replace(p, l);
            self.entries[l].right = p;
            self.entries[p].parent = l;
        }
    }

    fn put(&mut self, key: u8) {
        let (mut at, mut parent) = (self.root, NULL);
        while at != NULL {
            parent = at;
            at = match key.cmp(&self.entries[at].key) {
                std::cmp::Ordering::Less => self.left(at),
                std::cmp::Ordering::Greater => self.right(at),
                std::cmp::Ordering::Equal => return,
            };
        }
        let new = self.entries.len();
        self.entries.push(Linked { key, color: Black, left: NULL, right: NULL, parent });
        if parent == NULL {
            self.root = new;
            return;
        }
        if key < self.entries[parent].key {
            self.entries[parent].left = new;
        } else {
            self.entries[parent].right = new;
        }
        self.fix_after_insertion(new);
    }

    fn fix_after_insertion(&mut self, mut x: usize) {
        self.entries[x].color = Red;
        while x != NULL && x != self.root && self.color(self.parent(x)) == Red {
            let (parent, grandparent) = (self.parent(x), self.parent(self.parent(x)));
            let is_left = parent == self.left(grandparent);
            let uncle = if is_left { self.right(grandparent) } else { self.left(grandparent) };
            if self.color(uncle) == Red {
                self.set_color(parent, Black);
                self.set_color(uncle, Black);
                self.set_color(grandparent, Red);
                x = grandparent;
                continue;
            }
            if is_left {
                if x == self.right(parent) {
                    x = parent;
                    self.rotate_left(x);
                }
                self.set_color(self.parent(x), Black);
                self.set_color(self.parent(self.parent(x)), Red);
                self.rotate_right(self.parent(self.parent(x)));
            } else {
                if x == self.left(parent) {
                    x = parent;
                    self.rotate_right(x);
                }
                self.set_color(self.parent(x), Black);
                self.set_color(self.parent(self.parent(x)), Red);
                self.rotate_left(self.parent(self.parent(x)));
            }
        }
        let root = self.root;
        self.set_color(root, Black);
    }

    fn remove(&mut self, key: u8) {
        let mut p = self.root;
        while p != NULL && self.entries[p].key != key {
            p = if key < self.entries[p].key { self.left(p) } else { self.right(p) };
        }
        if p == NULL {
            return;
        }
        if self.left(p) != NULL && self.right(p) != NULL {
            let mut successor = self.right(p);
            while self.left(successor) != NULL {
                successor = self.left(successor);
            }
            self.entries[p].key = self.entries[successor].key;
            p = successor;
        }
        let replacement = if self.left(p) != NULL { self.left(p) } else { self.right(p) };
        if replacement != NULL {
            self.entries[replacement].parent = self.parent(p);
            self.replace(p, replacement);
            if self.color(p) == Black {
                self.fix_after_deletion(replacement);
            }
        } else if self.parent(p) == NULL {
            self.root = NULL;
        } else {
            if self.color(p) == Black {
                self.fix_after_deletion(p);
            }
            if self.parent(p) != NULL {
                self.replace(p, NULL);
            }
        }
    }

    fn fix_after_deletion(&mut self, mut x: usize) {
        while x != self.root && self.color(x) == Black {
            let is_left = x == self.left(self.parent(x));
            let near = |this: &Self, at| if is_left { this.left(at) } else { this.right(at) };
            let far = |this: &Self, at| if is_left { this.right(at) } else { this.left(at) };
            let rotate = |this: &mut Self, at, to_left: bool| {
                if to_left { this.rotate_left(at) } else { this.rotate_right(at) }
            };
            let mut sibling = far(self, self.parent(x));
            if self.color(sibling) == Red {
                self.set_color(sibling, Black);
                self.set_color(self.parent(x), Red);
                rotate(self, self.parent(x), is_left);
                sibling = far(self, self.parent(x));
            }
            if self.color(self.left(sibling)) == Black && self.color(self.right(sibling)) == Black {
                self.set_color(sibling, Red);
                x = self.parent(x);
            } else {
                if self.color(far(self, sibling)) == Black {
                    self.set_color(near(self, sibling), Black);
                    self.set_color(sibling, Red);
                    rotate(self, sibling, !is_left);
                    sibling = far(self, self.parent(x));
                }
                self.set_color(sibling, self.color(self.parent(x)));
                self.set_color(self.parent(x), Black);
                self.set_color(far(self, sibling), Black);
                rotate(self, self.parent(x), is_left);
                x = self.root;
            }
        }
        self.set_color(x, Black);
    }
}

impl TreeMap {
    fn put(&mut self, key: u8) {
        let mut entries = Entries::of(self);
        entries.put(key);
        *self = entries.map();
    }

    fn remove(&mut self, key: u8) {
        let mut entries = Entries::of(self);
        entries.remove(key);
        *self = entries.map();
    }
}

fn exploration(n: u8) -> Explore<TreeMap> {
    Explore::from(TreeMap::default()).operation("put", 1..=n, TreeMap::put).operation("remove", 1..=n, TreeMap::remove)
}

#[test]
fn sequences_of_n_operations() {
    for (n, found) in [(4, 25), (5, 72), (6, 185), (7, 537)] {
        exploration(n).depth(n.into()).check(TreeMap::rep_ok).run().expect_states(found);
    }
}

#[test]
fn reachable_and_valid_maps() {
    for (n, reached, valid) in [(4, 29, 29), (5, 72, 74), (6, 197, 201)] {
        let compared = exploration(n).compare(TreeMap::scope(n.into()));
        assert_eq!(
            (compared.explored.found, compared.valid, compared.reached),
            (reached, valid, reached),
            "{compared}"
        );
        compared.expect_unreachable((valid - reached) as usize);
    }
}

#[test]
#[ignore = "takes long in a debug build"]
fn large_maps() {
    for (n, found) in [(8, 1_613), (9, 4_709), (10, 13_189)] {
        exploration(n).depth(n.into()).check(TreeMap::rep_ok).run().expect_states(found);
    }
    for (n, reached, valid) in [(7, 561, 573), (8, 1_657, 1_673)] {
        let compared = exploration(n).compare(TreeMap::scope(n.into()));
        assert_eq!((compared.explored.found, compared.valid), (reached, valid), "{compared}");
        compared.expect_unreachable((valid - reached) as usize);
    }
}

#[test]
fn the_maps_that_nothing_reaches() {
    let compared = exploration(5).compare(TreeMap::scope(5));
    insta::assert_snapshot!(compared, @r"
    72 states reached, 74 valid, 72 in both
    valid, but no sequence of operations reaches it through valid states:
    TreeMap
    `- root: Entry { key: 2, color: Black }
       |- left: Entry { key: 1, color: Black }
       `- right: Entry { key: 4, color: Red }
          |- left: Entry { key: 3, color: Black }
          `- right: Entry { key: 5, color: Black }

    TreeMap
    `- root: Entry { key: 4, color: Black }
       |- left: Entry { key: 2, color: Red }
       |  |- left: Entry { key: 1, color: Black }
       |  `- right: Entry { key: 3, color: Black }
       `- right: Entry { key: 5, color: Black }
    ");
}
