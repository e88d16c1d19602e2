//! The entries of a [`TreeMap`] with their parents, and the algorithms of the Java code on them, line by line.

use std::cmp::Ordering;

use super::Color::{Black, Red};
use super::{Color, Entry, TreeMap};

/// The entries with their parents, as positions in a list; `NULL` is none.
pub(super) struct Entries {
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
    pub(super) fn of(map: &TreeMap) -> Self {
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

    pub(super) fn map(&self) -> TreeMap {
        fn tree(entries: &Entries, at: usize) -> Option<Box<Entry>> {
            let Linked { key, color, left, right, .. } = *entries.entries.get(at)?;
            Some(Box::new(Entry { key, color, left: tree(entries, left), right: tree(entries, right) }))
        }
        TreeMap { root: tree(self, self.root) }
    }

    fn color(&self, at: usize) -> Color {
        self.entries.get(at).map_or(Black, |entry| entry.color)
    }

    pub(super) fn set_color(&mut self, at: usize, color: Color) {
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

    pub(super) fn put(&mut self, key: u8) {
        let (mut at, mut parent) = (self.root, NULL);
        while at != NULL {
            parent = at;
            at = match key.cmp(&self.entries[at].key) {
                Ordering::Less => self.left(at),
                Ordering::Greater => self.right(at),
                Ordering::Equal => return,
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

    pub(super) fn remove(&mut self, key: u8, fix: fn(&mut Self, usize)) {
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
                fix(self, replacement);
            }
        } else if self.parent(p) == NULL {
            self.root = NULL;
        } else {
            if self.color(p) == Black {
                fix(self, p);
            }
            if self.parent(p) != NULL {
                self.replace(p, NULL);
            }
        }
    }

    pub(super) fn fix_after_deletion(&mut self, mut x: usize) {
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
