//! Tables: all that is known about one call on parts of a kind, or about several calls on the same parts, one after the other.
//!
//! A table is a tree of decisions. A node stands for a run of the calls up to a decision, and its children for what was
//! decided: an index of a slot, an outcome of a call in the body, a production of a part that is opened. Leaves are the
//! *productions*; each has an *outcome*, the packed results of the calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::model::ids::{ClassId, ObjectId, SlotId};
use crate::predicate::calls::packed::Words;
use crate::predicate::calls::{CallSite, RunBody};

/// The position of a table.
pub(crate) type TableId = u32;
/// The position of an outcome in its table.
pub(crate) type OutcomeId = u32;
/// The position of a node in its table.
pub(super) type NodeId = u32;

/// The objects that a call is made on, in the order of `CallList::objects`.
pub(super) type Objects = SmallVec<[ObjectId; 4]>;

/// One call, with its arguments as words.
pub(super) struct RecordedCall {
    pub(super) site: &'static CallSite,
    pub(super) run: RunBody,
    pub(super) words: Words,
    /// The objects among the arguments: the position in `CallList::objects`, and what the predicate sees of it.
    pub(super) objects: Vec<(u32, Seen)>,
    /// Whether there are sets of addresses among the arguments.
    pub(super) has_sets: bool,
}

impl RecordedCall {
    /// Returns the same call, for a longer list.
    pub(super) fn again(&self) -> Self {
        let RecordedCall { site, run, ref words, ref objects, has_sets } = *self;
        RecordedCall { site, run, words: words.clone(), objects: objects.clone(), has_sets }
    }
}

/// What a predicate sees of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Its place.
    Place,
    /// One of its alternatives.
    Alternative(u32),
}

/// An object that calls are made on.
#[derive(Clone)]
pub(super) struct CallObject {
    pub(super) class: ClassId,
    /// Whether it is a part: nothing else leads into what hangs on it. Otherwise it is only read.
    pub(super) is_part: bool,
    /// The slots that are decided before the calls: their offsets in the object, and their indices.
    pub(super) given: Vec<(u32, u32)>,
}

/// Calls made on the same parts, one after the other. The key of a table.
pub(super) struct CallList {
    /// Without calls, it is that of the whole predicate on the root.
    pub(super) calls: Vec<RecordedCall>,
    pub(super) objects: Vec<CallObject>,
}

impl CallList {
    /// Returns the list as words, equal for equal lists.
    pub(super) fn key(&self) -> Box<[u64]> {
        let mut key = Vec::with_capacity(24);
        key.push(self.calls.len() as u64);
        for call in &self.calls {
            key.push(std::ptr::from_ref(call.site).addr() as u64);
            key.extend(call.run.key());
            key.push(call.words.len() as u64);
            key.extend(&call.words);
            key.extend(call.objects.iter().map(|&(object, seen)| {
                let seen = match seen {
                    Seen::Place => u64::from(u32::MAX),
                    Seen::Alternative(number) => u64::from(number),
                };
                u64::from(object) << 32 | seen
            }));
        }
        for object in &self.objects {
            key.push(u64::from(object.class.0) << 1 | u64::from(object.is_part));
            key.push(object.given.len() as u64);
            key.extend(object.given.iter().map(|&(offset, index)| u64::from(offset) << 32 | u64::from(index)));
        }
        key.into_boxed_slice()
    }

    /// Returns the methods that are called and what kind of object goes where, whatever the plain arguments. Where these are
    /// the same, a number stands for an object of the same class, which is a part or not.
    pub(super) fn pattern(&self) -> Vec<usize> {
        let mut pattern = vec![self.objects.len()];
        pattern.extend(self.objects.iter().map(|object| object.class.index() << 1 | usize::from(object.is_part)));
        for call in &self.calls {
            pattern.extend([std::ptr::from_ref(call.site).addr(), call.objects.len()]);
            pattern.extend(call.objects.iter().map(|&(number, _)| number as usize));
        }
        pattern
    }
}

/// What is decided at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Nothing yet: no run has got there, or gone further.
    Unknown,
    /// The index of a slot; for a reference, whether a fresh object is left.
    Slot { slot: SlotId, has_fresh: bool },
    /// The outcome of a call: the position in `Table::calls`.
    Call(u32),
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
}

/// A call in the body of a table's calls.
pub(super) struct InnerCall {
    /// The table of all calls made on the parts so far, including this one.
    pub(super) table: TableId,
    /// The outcomes of that table which agree with the calls before this one: the position in `Table::continued`.
    pub(super) continuation: u32,
    /// The number of the group of parts in the run.
    pub(super) group: u32,
    /// The outcome of the group before this call, if it is not the first on its parts.
    pub(super) before: Option<(TableId, OutcomeId)>,
    pub(super) objects: Objects,
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
pub(super) struct Outcome {
    /// The packed results of all calls.
    pub(super) words: Box<[u64]>,
    /// Where the result of the last call begins.
    pub(super) last: usize,
    /// The least number of objects beyond the parts.
    pub(super) used: u32,
    /// The leaves that have it.
    pub(super) leaves: Vec<NodeId>,
    pub(super) sets: SetsLeft,
}

/// An alternative that waits to be run.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    pub(super) node: NodeId,
    pub(super) alternative: u32,
    /// Whether the alternatives after it were dealt with.
    pub(super) alone: bool,
}

/// All that is known about a list of calls.
pub(super) struct Table {
    pub(super) list: Rc<CallList>,
    pub(super) nodes: Vec<Node>,
    pub(super) calls: Vec<InnerCall>,
    pub(super) outcomes: Vec<Outcome>,
    by_words: FxHashMap<Box<[u64]>, OutcomeId>,
    /// For each result of all calls but the last, the outcomes that continue it, and its position here.
    pub(super) continued: Vec<Vec<OutcomeId>>,
    by_beginning: FxHashMap<Box<[u64]>, u32>,
    /// What waits, by the least number of objects.
    pub(super) pending: Vec<Vec<Pending>>,
    /// The number of entries in `pending`.
    pub(super) waiting: usize,
    /// Everything with fewer objects is found.
    pub(super) solved_below: u32,
    /// The runs that were made.
    pub(super) runs: u64,
}

impl Table {
    pub(super) fn new(list: Rc<CallList>) -> Self {
        let root = Node { parent: 0, alternative: 0, used: 0, decision: Decision::Unknown };
        let mut table = Table {
            list,
            nodes: vec![root],
            calls: Vec::new(),
            outcomes: Vec::new(),
            by_words: FxHashMap::default(),
            continued: Vec::new(),
            by_beginning: FxHashMap::default(),
            pending: Vec::new(),
            waiting: 0,
            solved_below: 0,
            runs: 0,
        };
        table.wait(0, Pending { node: 0, alternative: 0, alone: true });
        table
    }

    /// Returns whether nothing is left to be found, whatever the number of objects.
    pub(super) fn is_complete(&self) -> bool {
        self.waiting == 0
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

    /// Returns the position in `continued` of the results of all calls but the last.
    pub(super) fn continuation(&mut self, beginning: &[u64]) -> u32 {
        if let Some(&known) = self.by_beginning.get(beginning) {
            return known;
        }
        let number = self.continued.len() as u32;
        self.by_beginning.insert(beginning.into(), number);
        self.continued.push(Vec::new());
        number
    }

    /// Returns the outcome with these results, of which the last begins at `last`.
    pub(super) fn outcome(&mut self, words: &[u64], last: usize, used: u32, sets: SetsLeft) -> OutcomeId {
        if let Some(&known) = self.by_words.get(words) {
            return known;
        }
        let number = self.outcomes.len() as OutcomeId;
        self.by_words.insert(words.into(), number);
        self.outcomes.push(Outcome { words: words.into(), last, used, leaves: Vec::new(), sets });
        let continuation = self.continuation(&words[..last]);
        self.continued[continuation as usize].push(number);
        number
    }

    /// Returns the outcome with these results, if there is one.
    pub(super) fn known_outcome(&self, words: &[u64]) -> Option<OutcomeId> {
        self.by_words.get(words).copied()
    }

    /// Returns the nodes from the root to a node.
    pub(super) fn path(&self, to: NodeId, path: &mut Vec<NodeId>) {
        path.clear();
        let mut at = to;
        while at != 0 {
            path.push(at);
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
    }

    /// Returns the number of bytes that the table takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<NodeId>())
            + self.waiting * size_of::<Pending>()
            + self.calls.len() * size_of::<InnerCall>()
            + self.outcomes.iter().map(|outcome| size_of::<Outcome>() + 4 * size_of_val(&*outcome.words)).sum::<usize>()
    }
}
