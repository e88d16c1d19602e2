//! Tables: all that is known about one call on parts of a kind, or about several calls on the same parts, one after the other.
//!
//! A table is a tree of decisions. A node stands for a run of the calls up to a decision, and its children for what was
//! decided: an index of a slot, an outcome of a call in the body, a production of a part that is opened. Leaves are the
//! *productions*; each has an *outcome*, the packed results of the calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::bundles::{Bundle, BundledLeaf};
use super::call_list::CallList;
use super::nodes::{
    Decision, InnerCall, KnownEnd, LastDecision, Leaf, NO_REST, Node, NodeId, NodeRest, Objects, Outcome, OutcomeId,
    Pending, TableId,
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

/// Results that some run has, or that will be those of an outcome when there are enough objects.
struct Results {
    outcome: Option<OutcomeId>,
    /// Without an outcome: the least number of objects at which it waits to become one.
    waits: u32,
    bundled: Vec<BundledLeaf>,
}

/// Puts something where that with so many objects is.
fn put<T>(by_used: &mut Vec<Vec<T>>, used: u32, new: T) {
    let used = used as usize;
    if by_used.len() <= used {
        by_used.resize_with(used + 1, Vec::new);
    }
    by_used[used].push(new);
}

/// All that is known about a list of calls, or about the rest of a body.
pub(super) struct Table {
    pub(super) list: Rc<CallList>,
    pub(super) start: Start,
    pub(super) nodes: Vec<Node>,
    pub(super) calls: Vec<InnerCall>,
    by_call: FxHashMap<InnerCall, u32>,
    pub(super) outcomes: Vec<Outcome>,
    /// The leaves of each outcome, those of bundles aside.
    pub(super) leaves: Vec<SmallVec<[Leaf; 1]>>,
    pub(super) bundles: Vec<Bundle>,
    /// The number of leaves of all bundles.
    bundled: usize,
    /// Whether runs open its parts, and so need each leaf by itself: there are no bundles.
    pub(super) is_opened: bool,
    /// What is known of results.
    results: Vec<Results>,
    /// Positions in `results`, by the results and whether they are tangled, and by the outcome.
    by_results: FxHashMap<(WordsId, bool), u32>,
    by_outcome: Vec<u32>,
    /// What follows the calls that are decided at nodes.
    pub(super) rests: Vec<NodeRest>,
    /// For each result of all calls but the last, the outcomes that continue it, and its position here.
    continued: Vec<Vec<OutcomeId>>,
    by_beginning: FxHashMap<WordsId, u32>,
    /// What waits, by the least number of objects.
    pub(super) pending: Vec<Vec<Pending>>,
    /// Leaves that wait, by the least number of objects.
    ends: Vec<Vec<KnownEnd>>,
    /// Results of leaves of bundles that wait to be those of an outcome, by the least number of objects.
    expected: Vec<Vec<WordsId>>,
    /// The number of entries in `pending`, `ends` and `expected`.
    pub(super) waiting: usize,
    /// Everything with fewer objects is found.
    pub(super) solved_below: u32,
    /// The runs that were made.
    pub(super) runs: u64,
}

impl Table {
    pub(super) fn new(list: Rc<CallList>, start: Start, is_opened: bool) -> Self {
        let root = Node { parent: 0, alternative: 0, used: 0, decision: Decision::Unknown, asked: 0, rest: NO_REST };
        let mut table = Table {
            list,
            start,
            nodes: vec![root],
            calls: Vec::new(),
            by_call: FxHashMap::default(),
            outcomes: Vec::new(),
            leaves: Vec::new(),
            bundles: Vec::new(),
            bundled: 0,
            is_opened,
            results: Vec::new(),
            by_results: FxHashMap::default(),
            by_outcome: Vec::new(),
            rests: Vec::new(),
            continued: Vec::new(),
            by_beginning: FxHashMap::default(),
            pending: Vec::new(),
            ends: Vec::new(),
            expected: Vec::new(),
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
            (self.pending, self.ends, self.expected) = (Vec::new(), Vec::new(), Vec::new());
            self.by_call = FxHashMap::default();
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
        put(&mut self.pending, used, pending);
        self.waiting += 1;
    }

    /// Lets a leaf wait for its number of objects.
    pub(super) fn wait_for_end(&mut self, end: KnownEnd) {
        put(&mut self.ends, end.used, end);
        self.waiting += 1;
    }

    /// Takes the leaves that have waited for this number of objects.
    pub(super) fn take_ends(&mut self) -> Vec<KnownEnd> {
        let ends = self.ends.get_mut(self.solved_below as usize).map_or_else(Vec::new, std::mem::take);
        self.waiting -= ends.len();
        ends
    }

    /// Takes the results that have waited for this number of objects.
    pub(super) fn take_expected(&mut self) -> Vec<WordsId> {
        let expected = self.expected.get_mut(self.solved_below as usize).map_or_else(Vec::new, std::mem::take);
        self.waiting -= expected.len();
        expected
    }

    /// Adds a leaf of a bundle, with its results and the least number of objects of its values. Returns whether there is a new
    /// outcome with at most `level` objects; one with more waits.
    pub(super) fn add_bundled(&mut self, leaf: BundledLeaf, results: WordsId, used: u32, level: u32) -> bool {
        self.bundled += 1;
        let known = self.results_of(results, false);
        known.bundled.push(leaf);
        if known.outcome.is_some() {
            return false;
        }
        if level < used && used < known.waits {
            known.waits = used;
            put(&mut self.expected, used, results);
            self.waiting += 1;
        }
        used <= level
    }

    /// Returns the leaves of bundles that an outcome has.
    pub(super) fn bundled(&self, outcome: OutcomeId) -> &[BundledLeaf] {
        &self.results[self.by_outcome[outcome as usize] as usize].bundled
    }

    /// Returns what is known of results.
    fn results_of(&mut self, results: WordsId, is_tangled: bool) -> &mut Results {
        let at = *self.by_results.entry((results, is_tangled)).or_insert_with(|| {
            self.results.push(Results { outcome: None, waits: u32::MAX, bundled: Vec::new() });
            self.results.len() as u32 - 1
        });
        &mut self.results[at as usize]
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
        self.results_of(outcome.results, outcome.is_tangled).outcome = Some(number);
        self.by_outcome.push(self.by_results[&(outcome.results, outcome.is_tangled)]);
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
        let known = *self.by_results.get(&(results, is_tangled))?;
        self.results[known as usize].outcome
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

    /// Ends at a node, and returns what was decided last.
    pub(super) fn end_at(&mut self, node: NodeId, outcome: OutcomeId) -> LastDecision {
        let Node { parent, alternative, .. } = self.nodes[node as usize];
        if node == 0 || node as usize + 1 < self.nodes.len() {
            self.nodes[node as usize].decision = Decision::Leaf(outcome);
        } else {
            self.nodes.pop();
        }
        if node == 0 { LastDecision::NONE } else { LastDecision { node: parent, alternative } }
    }

    /// Returns the nodes from the root to the parent of a node, with what was decided at each.
    pub(super) fn path(&self, to: NodeId, path: &mut Vec<(NodeId, u32)>) {
        path.clear();
        let mut at = to;
        while at != 0 {
            let Node { parent, alternative, .. } = self.nodes[at as usize];
            path.push((parent, alternative));
            at = parent;
        }
        path.reverse();
    }

    /// Returns the nodes from the root to a leaf, with what was decided at each.
    pub(super) fn path_to_leaf(&self, last: LastDecision, path: &mut Vec<(NodeId, u32)>) {
        path.clear();
        if let Some(node) = last.node() {
            self.path(node, path);
            path.push((node, last.alternative));
        }
    }

    /// Returns the number of bytes that the table takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.rests.len() * size_of::<NodeRest>()
            + self.leaves.iter().map(|leaves| leaves.len() * size_of::<Leaf>()).sum::<usize>()
            + self.bundles.len() * size_of::<Bundle>()
            + self.bundled * size_of::<BundledLeaf>()
            + self.results.len() * size_of::<Results>()
            + self.waiting * size_of::<KnownEnd>()
            + 2 * self.calls.len() * size_of::<InnerCall>()
            + self.outcomes.len() * (size_of::<Outcome>() + size_of::<SmallVec<[Leaf; 1]>>())
            + size_of::<Self>()
    }
}
