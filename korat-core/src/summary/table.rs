//! Tables: all that is known about one call on parts of a kind, or about several calls on the same parts, one after the other.
//!
//! A table is a tree of decisions. A node stands for a run of the calls up to a decision, and its children for what was
//! decided: an index of a slot, an outcome of a call in the body, a production of a part that is opened. Leaves are the
//! *productions*; each has an *outcome*, the packed results of the calls.

use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::beginning::Start;
use super::call_list::CallList;
use super::rests::NodeRest;
use super::ways::{FactorId, Product};
use super::words::WordsId;
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::Call;

/// The position of a table.
pub(crate) type TableId = u32;
/// The position of an outcome in its table.
pub(crate) type OutcomeId = u32;
/// The position of a node in its table: in `Table::nodes`, or in `Table::leaf_nodes` from `LEAVES` on.
pub(super) type NodeId = u32;

const LEAVES: NodeId = 1 << 31;

/// The objects that a call is made on, in the order of `CallList::objects`.
pub(super) type Objects = SmallVec<[ObjectId; 4]>;

/// What is decided at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Nothing yet: no run has got there, or gone further.
    Unknown,
    /// The index of a slot; for a reference, whether it may own a fresh object, and which others it may refer to.
    Slot { slot: SlotId, has_fresh: bool, others: u32 },
    /// The outcome of a call: the position in `Table::calls`.
    Call(u32),
    /// The outcome of the rest of the body, which has this table: it is that of the run.
    Rest(TableId),
    /// The production of a group of parts that is opened: the number of the group in the run.
    Open { group: u32, table: TableId, outcome: OutcomeId },
    /// Nothing more: the run has this outcome.
    Leaf(OutcomeId),
}

/// A node of the tree.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) parent: NodeId,
    /// What was decided at the parent.
    pub(super) alternative: u32,
    /// The least number of objects that a value below the node has beyond the parts of the table.
    pub(super) used: u32,
    pub(super) decision: Decision,
    /// How many calls a run has asked about when it makes the decision, one that it decides included.
    pub(super) asked: u32,
    /// What follows the call that is decided here: the position in `Table::rests`, or `NO_REST`.
    pub(super) rest: u32,
}

/// What follows the call that is decided at a node is not known to depend on a few locals only.
pub(super) const NO_REST: u32 = u32::MAX;

/// A node at which nothing more is decided. Most nodes are such, and hardly ever looked at again.
struct LeafNode {
    parent: NodeId,
    alternative: u32,
}

/// A call in the body of a table's calls.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct InnerCall {
    /// The table of all calls made on the parts so far, including this one.
    pub(super) table: TableId,
    /// The outcomes of that table which agree with the calls before this one: the position in `Table::continued`.
    pub(super) continuation: u32,
    /// The number of the group of parts in the run.
    pub(super) group: u32,
    /// The outcome of the group before this call, if it is not the first on its parts.
    pub(super) before: Option<(TableId, OutcomeId)>,
    pub(super) objects: Rc<[ObjectId]>,
    /// The objects that are parts.
    pub(super) parts: Objects,
    /// A hash of the method and its arguments.
    pub(super) fingerprint: u64,
}

impl InnerCall {
    /// Returns a hash of a method and its arguments, by which a run knows that it makes the same call again.
    pub(super) fn fingerprint(call: &Call) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_usize(call.site.key());
        call.arguments.words.iter().for_each(|word| hasher.write_u64(*word));
        hasher.finish()
    }
}

/// What the sets of addresses among results have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SetsLeft {
    /// There are no sets.
    None,
    /// Only what the caller knows.
    Known,
    /// Objects of the parts, too.
    Ghosts,
}

/// An outcome of a table's calls.
#[derive(Clone, Copy)]
pub(super) struct Outcome {
    /// The packed results of all calls, and that of the last one.
    pub(super) results: WordsId,
    pub(super) answer: WordsId,
    /// The least number of objects beyond the parts.
    pub(super) used: u32,
    /// The parts that have it, as something to be counted.
    pub(super) factor: FactorId,
    pub(super) sets: SetsLeft,
    /// Whether its values are no trees: it has no productions.
    pub(super) is_tangled: bool,
}

/// A leaf, and what its values are made of.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    pub(super) node: NodeId,
    /// The number of objects at which it was found: no value of it has fewer, and no leaf after it was found at fewer.
    pub(super) level: u16,
    /// The least number of objects that its values have beyond the parts of the table.
    pub(super) used: u16,
    /// `OPEN` if the run has opened parts, or not read all slots: what the leaf leaves open is found out when it is counted.
    pub(super) product: Product,
}

/// An alternative that waits to be run.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub(super) node: NodeId,
    pub(super) alternative: u32,
    /// Whether the alternatives after it were dealt with.
    pub(super) alone: bool,
}

/// A leaf that is known without a run.
#[derive(Clone, Copy)]
pub(super) struct KnownEnd {
    pub(super) node: NodeId,
    pub(super) alternative: u32,
    /// The least number of objects.
    pub(super) used: u32,
    pub(super) results: WordsId,
    pub(super) product: Product,
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
