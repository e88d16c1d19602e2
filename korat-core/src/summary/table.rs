//! Tables: all that is known about one call on parts of a kind, or about several calls on the same parts, one after the other.
//!
//! A table is a tree of decisions. A node stands for a run of the calls up to a decision, and its children for what was
//! decided: an index of a slot, an outcome of a call in the body, a production of a part that is opened. Leaves are the
//! *productions*; each has an *outcome*, the packed results of the calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::call_list::CallList;
use super::nodes::{
    Decision, InnerCall, KnownEnd, LEAVES, Leaf, LeafNode, NO_REST, Node, NodeId, NodeRest, Objects, Outcome,
    OutcomeId, Pending, TableId,
};
use super::shape::Shape;
use super::words::WordsId;

/// Where what a table is about begins.
pub(super) struct Start {
    /// For the rest of a body, a run of which leads to it: what was decided at a node.
    pub(super) after: Option<(TableId, NodeId)>,
    /// The objects of the list.
    pub(super) objects: Objects,
    /// Per class, how many objects are in use.
    pub(super) reached: SmallVec<[u32; 4]>,
}

impl Start {
    /// Returns where the calls of a list begin: on the first objects of each class.
    pub(super) fn of(list: &CallList, shape: &Shape) -> Self {
        let mut reached: SmallVec<[u32; 4]> = SmallVec::from_elem(0, shape.classes.len());
        let taken = list.objects.iter().map(|object| {
            reached[object.class.index()] += 1;
            shape.object(object.class, reached[object.class.index()] - 1)
        });
        let objects = taken.collect();
        Start { after: None, objects, reached }
    }
}

/// All that is known about a list of calls, or about the rest of a body.
pub(super) struct Table {
    pub(super) list: Rc<CallList>,
    pub(super) start: Start,
    pub(super) nodes: Vec<Node>,
    leaf_nodes: Vec<LeafNode>,
    pub(super) calls: Vec<InnerCall>,
    by_call: FxHashMap<InnerCall, u32>,
    pub(super) outcomes: Vec<Outcome>,
    /// The leaves of each outcome.
    pub(super) leaves: Vec<SmallVec<[Leaf; 1]>>,
    /// Outcomes by their results, and whether they are tangled.
    by_results: FxHashMap<(WordsId, bool), OutcomeId>,
    /// What follows the calls that are decided at nodes.
    pub(super) rests: Vec<NodeRest>,
    /// For each result of all calls but the last, the outcomes that continue it, and its position here.
    continued: Vec<Vec<OutcomeId>>,
    by_beginning: FxHashMap<WordsId, u32>,
    /// What waits, by the least number of objects.
    pub(super) pending: Vec<Vec<Pending>>,
    /// Leaves that wait, by the least number of objects.
    ends: Vec<Vec<KnownEnd>>,
    /// The number of entries in `pending` and `ends`.
    pub(super) waiting: usize,
    /// Everything with fewer objects is found.
    pub(super) solved_below: u32,
    /// The runs that were made.
    pub(super) runs: u64,
}

impl Table {
    pub(super) fn new(list: Rc<CallList>, start: Start) -> Self {
        let root = Node { parent: 0, alternative: 0, used: 0, decision: Decision::Unknown, asked: 0, rest: NO_REST };
        let mut table = Table {
            list,
            start,
            nodes: vec![root],
            leaf_nodes: Vec::new(),
            calls: Vec::new(),
            by_call: FxHashMap::default(),
            outcomes: Vec::new(),
            leaves: Vec::new(),
            by_results: FxHashMap::default(),
            rests: Vec::new(),
            continued: Vec::new(),
            by_beginning: FxHashMap::default(),
            pending: Vec::new(),
            ends: Vec::new(),
            waiting: 0,
            solved_below: 0,
            runs: 0,
        };
        table.wait(0, Pending { node: 0, alternative: 0, alone: true });
        table
    }

    /// Returns whether the table is about the rest of a body.
    pub(super) fn is_rest(&self) -> bool {
        self.start.after.is_some()
    }

    /// Returns whether nothing is left to be found, whatever the number of objects.
    pub(super) fn is_complete(&self) -> bool {
        self.waiting == 0
    }

    /// Goes on to the next number of objects, when nothing waits for this one.
    pub(super) fn finish_level(&mut self) {
        let at = self.solved_below as usize;
        self.solved_below += 1;
        if self.is_complete() {
            // Nothing waits any more, and no run is made.
            (self.pending, self.ends, self.by_call) = (Vec::new(), Vec::new(), FxHashMap::default());
            return;
        }
        // As much will wait there: its memory is used again.
        if let Some([done, next]) = self.pending.get_mut(at..at + 2) {
            if next.capacity() == 0 {
                std::mem::swap(done, next);
            } else {
                *done = Vec::new();
            }
        }
    }

    /// Lets an alternative wait for its number of objects.
    pub(super) fn wait(&mut self, used: u32, pending: Pending) {
        let used = used as usize;
        if self.pending.len() <= used {
            self.pending.resize_with(used + 1, Vec::new);
        }
        self.pending[used].push(pending);
        self.waiting += 1;
    }

    /// Lets a leaf wait for its number of objects.
    pub(super) fn wait_for_end(&mut self, end: KnownEnd) {
        let used = end.used as usize;
        if self.ends.len() <= used {
            self.ends.resize_with(used + 1, Vec::new);
        }
        self.ends[used].push(end);
        self.waiting += 1;
    }

    /// Takes the leaves that have waited for this number of objects.
    pub(super) fn take_ends(&mut self) -> Vec<KnownEnd> {
        let ends = self.ends.get_mut(self.solved_below as usize).map_or_else(Vec::new, std::mem::take);
        self.waiting -= ends.len();
        ends
    }

    /// Takes the first run, before which nothing waits.
    pub(super) fn take_first(&mut self) {
        self.pending[0].clear();
        self.waiting = 0;
    }

    /// Returns the position in `calls` of a call, which many nodes may decide.
    pub(super) fn call(&mut self, call: InnerCall) -> u32 {
        if let Some(&known) = self.by_call.get(&call) {
            return known;
        }
        let number = self.calls.len() as u32;
        self.calls.push(call.clone());
        self.by_call.insert(call, number);
        number
    }

    /// Returns the position in `continued` of the results of all calls but the last.
    pub(super) fn continuation(&mut self, beginning: WordsId) -> u32 {
        if let Some(&known) = self.by_beginning.get(&beginning) {
            return known;
        }
        let number = self.continued.len() as u32;
        self.by_beginning.insert(beginning, number);
        self.continued.push(Vec::new());
        number
    }

    /// Adds an outcome, after these results of all calls but the last.
    pub(super) fn add_outcome(&mut self, outcome: Outcome, beginning: WordsId) {
        let number = self.outcomes.len() as OutcomeId;
        self.by_results.insert((outcome.results, outcome.is_tangled), number);
        self.outcomes.push(outcome);
        self.leaves.push(SmallVec::new());
        let continuation = self.continuation(beginning);
        self.continued[continuation as usize].push(number);
    }

    /// Returns the outcome that is an alternative of a call, if it is known.
    pub(super) fn alternative(&self, continuation: u32, alternative: u32) -> Option<OutcomeId> {
        // Where all outcomes continue the same, they are the alternatives.
        if self.continued.len() == 1 {
            return (alternative < self.outcomes.len() as u32).then_some(alternative);
        }
        self.continued[continuation as usize].get(alternative as usize).copied()
    }

    /// Returns the outcome with these results, if there is one.
    pub(super) fn known_outcome(&self, results: WordsId, is_tangled: bool) -> Option<OutcomeId> {
        self.by_results.get(&(results, is_tangled)).copied()
    }

    /// Notes what follows the call that is decided at a node.
    pub(super) fn note_rest(&mut self, node: NodeId, rest: NodeRest) {
        self.nodes[node as usize].rest = self.rests.len() as u32;
        self.rests.push(rest);
    }

    /// Returns what follows the call that is decided at a node.
    pub(super) fn rest_after(&self, node: NodeId) -> &NodeRest {
        &self.rests[self.nodes[node as usize].rest as usize]
    }

    /// Makes the node of a leaf that is no other node.
    pub(super) fn leaf_node(&mut self, parent: NodeId, alternative: u32) -> NodeId {
        self.leaf_nodes.push(LeafNode { parent, alternative });
        LEAVES + self.leaf_nodes.len() as NodeId - 1
    }

    /// Makes a node a leaf, and returns its position as such.
    pub(super) fn end_at(&mut self, node: NodeId, outcome: OutcomeId) -> NodeId {
        let Node { parent, alternative, .. } = self.nodes[node as usize];
        if node == 0 || node as usize + 1 < self.nodes.len() {
            self.nodes[node as usize].decision = Decision::Leaf(outcome);
            return node;
        }
        self.nodes.pop();
        self.leaf_node(parent, alternative)
    }

    /// Returns the parent of a node, and what was decided there.
    pub(super) fn step_to(&self, node: NodeId) -> (NodeId, u32) {
        if node < LEAVES {
            let Node { parent, alternative, .. } = self.nodes[node as usize];
            return (parent, alternative);
        }
        let LeafNode { parent, alternative, .. } = self.leaf_nodes[(node - LEAVES) as usize];
        (parent, alternative)
    }

    /// Returns the nodes from the root to the parent of a node, with what was decided at each.
    pub(super) fn path(&self, to: NodeId, path: &mut Vec<(NodeId, u32)>) {
        path.clear();
        let mut at = to;
        while at != 0 {
            let step = self.step_to(at);
            path.push(step);
            at = step.0;
        }
        path.reverse();
    }

    /// Returns the number of bytes that the table takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.rests.len() * size_of::<NodeRest>()
            + self.leaf_nodes.len() * (size_of::<LeafNode>() + size_of::<Leaf>())
            + self.waiting * size_of::<KnownEnd>()
            + 2 * self.calls.len() * size_of::<InnerCall>()
            + self.outcomes.len() * (size_of::<Outcome>() + size_of::<SmallVec<[Leaf; 1]>>())
            + size_of::<Self>()
    }
}
