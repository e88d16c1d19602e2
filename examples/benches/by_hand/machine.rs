//! Binary trees enumerated by a hand-written machine, the reference for korat's own lowering. The predicate is split by
//! hand into labelled blocks; its locals live in the machine, and their changes are logged on a trail.
//!
//! After a verdict the machine undoes the trail back to the last choice, gives that choice its next value, and resumes
//! at the label of the block that made it.

use super::{MOST, NULL, Slot, UNREAD};

/// The counters of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub explored: u64,
    pub valid: u64,
    /// Assignments of slots. A slot that keeps its value from one candidate to the next is not counted again.
    pub field_inits: u64,
}

/// Enumerates every binary tree of `nodes` nodes.
pub fn binary_trees(nodes: usize) -> Counts {
    assert!(nodes < MOST, "at most {} nodes", MOST - 1);
    Machine::new(nodes).run()
}

/// The blocks of the predicate.
#[derive(Clone, Copy, Debug)]
enum Label {
    /// `let Some(root) = &self.root else`; marks the root and pushes it on the work list.
    Root,
    /// `return self.size == 0`
    Empty,
    /// `while let Some(node) = work.pop()`
    Take,
    /// `if let Some(left) = &node.left`: rejects a marked node; marks any other and pushes it on the work list.
    Left,
    /// `if let Some(right) = &node.right`: rejects a marked node; marks any other and pushes it on the work list.
    Right,
    /// `seen.len() == self.size`
    Compare,
}

/// The layout of the slots: the root, then `left` and `right` of each node, then the size.
const ROOT: usize = 0;
const LEFT: usize = 0;
const RIGHT: usize = MOST;
const SIZE: usize = 2 * MOST;
const SLOTS: usize = 2 * MOST + 1;

/// A slot that was assigned at its first read, with what is needed to backtrack to that moment.
#[derive(Clone, Copy)]
struct Choice {
    slot: u8,
    /// The largest value of the slot.
    last: Slot,
    /// The number of nodes reached before.
    reached: u8,
    /// The block that made the choice.
    label: Label,
    /// The length of the trail when that block was entered.
    trail: u16,
}

/// The inverse of one change of a local.
#[derive(Clone, Copy)]
enum Undo {
    /// Undoes `seen.insert(node)`.
    Unmark(Slot),
    /// Undoes `work.push(..)`.
    Pop,
    /// Undoes `work.pop()`, which returned this node.
    Push(Slot),
    /// Undoes `node = ..`, with the old value.
    Node(Slot),
}

/// At most two marks, two pushes, a pop and an assignment per node.
const MOST_UNDO: usize = 8 * MOST;

struct Machine {
    nodes: u8,
    slots: [Slot; SLOTS],
    /// Nodes `1..=reached` are reached.
    reached: u8,
    choices: [Choice; SLOTS],
    depth: usize,
    trail: [Undo; MOST_UNDO],
    undos: usize,
    /// The local `seen`, one bit per node.
    seen: u32,
    /// The local `work`.
    work: [Slot; MOST],
    waiting: usize,
    /// The local `node`.
    node: Slot,
    counts: Counts,
}

impl Machine {
    fn new(nodes: usize) -> Self {
        let choice = Choice { slot: 0, last: 0, reached: 0, label: Label::Root, trail: 0 };
        Machine {
            nodes: nodes as u8,
            slots: [UNREAD; SLOTS],
            reached: 0,
            choices: [choice; SLOTS],
            depth: 0,
            trail: [Undo::Pop; MOST_UNDO],
            undos: 0,
            seen: 0,
            work: [NULL; MOST],
            waiting: 0,
            node: NULL,
            counts: Counts::default(),
        }
    }

    fn run(mut self) -> Counts {
        let mut label = Label::Root;
        loop {
            let verdict = loop {
                match label {
                    Label::Root => {
                        let root = self.read(ROOT, label);
                        if root == NULL {
                            label = Label::Empty;
                        } else {
                            self.mark(root);
                            self.push(root);
                            label = Label::Take;
                        }
                    }
                    Label::Empty => break self.read_size(label) == 0,
                    Label::Take => {
                        if self.take() {
                            label = Label::Left;
                        } else {
                            label = Label::Compare;
                        }
                    }
                    Label::Left => {
                        let left = self.read(LEFT + usize::from(self.node), label);
                        if left != NULL {
                            if self.is_marked(left) {
                                break false;
                            }
                            self.mark(left);
                            self.push(left);
                        }
                        label = Label::Right;
                    }
                    Label::Right => {
                        let right = self.read(RIGHT + usize::from(self.node), label);
                        if right != NULL {
                            if self.is_marked(right) {
                                break false;
                            }
                            self.mark(right);
                            self.push(right);
                        }
                        label = Label::Take;
                    }
                    Label::Compare => break self.seen.count_ones() == u32::from(self.read_size(label)),
                }
            };
            self.counts.explored += 1;
            self.counts.valid += u64::from(verdict);
            match self.backtrack() {
                Some(last) => label = last,
                None => return self.counts,
            }
        }
    }

    /// Reads a reference. The first read assigns null; backtracking later assigns the nodes reached before, and one
    /// fresh node if there is one.
    #[inline]
    fn read(&mut self, slot: usize, label: Label) -> Slot {
        if self.slots[slot] == UNREAD {
            self.choose(slot, NULL, self.nodes.min(self.reached + 1), label);
        }
        self.slots[slot]
    }

    /// Reads the size, whose domain has one value: all trees have the same size.
    #[inline]
    fn read_size(&mut self, label: Label) -> Slot {
        if self.slots[SIZE] == UNREAD {
            self.choose(SIZE, self.nodes, self.nodes, label);
        }
        self.slots[SIZE]
    }

    #[inline]
    fn choose(&mut self, slot: usize, first: Slot, last: Slot, label: Label) {
        self.slots[slot] = first;
        self.counts.field_inits += 1;
        self.choices[self.depth] =
            Choice { slot: slot as u8, last, reached: self.reached, label, trail: self.undos as u16 };
        self.depth += 1;
    }

    /// Gives the last choice with another value that value. Returns the label to resume at; `None` if the search is
    /// over.
    #[inline]
    fn backtrack(&mut self) -> Option<Label> {
        while self.depth > 0 {
            let choice = self.choices[self.depth - 1];
            let value = &mut self.slots[usize::from(choice.slot)];
            if *value < choice.last {
                *value += 1;
                self.reached = choice.reached.max(*value);
                self.counts.field_inits += 1;
                self.undo(usize::from(choice.trail));
                return Some(choice.label);
            }
            *value = UNREAD;
            self.depth -= 1;
        }
        None
    }

    #[inline]
    fn undo(&mut self, to: usize) {
        while self.undos > to {
            self.undos -= 1;
            match self.trail[self.undos] {
                Undo::Unmark(node) => self.seen &= !(1 << node),
                Undo::Pop => self.waiting -= 1,
                Undo::Push(node) => {
                    self.work[self.waiting] = node;
                    self.waiting += 1;
                }
                Undo::Node(node) => self.node = node,
            }
        }
    }

    #[inline]
    fn log(&mut self, undo: Undo) {
        self.trail[self.undos] = undo;
        self.undos += 1;
    }

    #[inline]
    fn is_marked(&self, node: Slot) -> bool {
        self.seen & (1 << node) != 0
    }

    #[inline]
    fn mark(&mut self, node: Slot) {
        self.log(Undo::Unmark(node));
        self.seen |= 1 << node;
    }

    #[inline]
    fn push(&mut self, node: Slot) {
        self.log(Undo::Pop);
        self.work[self.waiting] = node;
        self.waiting += 1;
    }

    /// Takes the next node from the work list. Returns `false` if it is empty.
    #[inline]
    fn take(&mut self) -> bool {
        if self.waiting == 0 {
            return false;
        }
        self.waiting -= 1;
        let node = self.work[self.waiting];
        self.log(Undo::Push(node));
        self.log(Undo::Node(self.node));
        self.node = node;
        true
    }
}
