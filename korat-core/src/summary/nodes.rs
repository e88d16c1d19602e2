//! What a table consists of: nodes with decisions, calls, outcomes, and leaves.

use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::ways::{FactorId, Product};
use super::words::WordsId;
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::Call;

/// The position of a table.
pub(crate) type TableId = u32;
/// The position of an outcome in its table.
pub(crate) type OutcomeId = u32;
/// The position of a node in its table.
pub(super) type NodeId = u32;

/// The position of a rest, whatever the answer of the call.
pub(super) type RestId = u32;

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

/// What is decided last on the path to a leaf. Leaves are no nodes: nothing follows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LastDecision {
    /// The node at which it is decided; `NO_NODE` if the table decides nothing.
    pub(super) node: NodeId,
    pub(super) alternative: u32,
}

const NO_NODE: NodeId = u32::MAX;

impl LastDecision {
    /// That of a leaf before which nothing is decided.
    pub(super) const NONE: LastDecision = LastDecision { node: NO_NODE, alternative: 0 };

    /// Returns the node at which it is decided.
    pub(super) fn node(self) -> Option<NodeId> {
        (self.node != NO_NODE).then_some(self.node)
    }
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
    pub(super) last: LastDecision,
    /// The number of objects at which it was found: no value of it has fewer, and no leaf after it was found at fewer.
    pub(super) level: u16,
    /// The least number of objects that its values have beyond the parts of the table.
    pub(super) used: u16,
    /// `OPEN` if it takes a look at the production to say so.
    pub(super) product: Product,
    /// Whether nothing is left of its objects that no run has read.
    pub(super) is_read: bool,
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
    pub(super) last: LastDecision,
    /// The least number of objects.
    pub(super) used: u32,
    pub(super) results: WordsId,
    pub(super) product: Product,
}

/// What follows the call that is decided at a node.
pub(super) struct NodeRest {
    pub(super) id: RestId,
    /// The objects of the rest, as the run has them.
    pub(super) objects: Objects,
    /// What the values of the leaves have of their own, and the factors before the outcome of the call, if they leave nothing open.
    pub(super) product: Option<(u32, SmallVec<[FactorId; 4]>)>,
    /// Whether the objects of the rest leave nothing open, either.
    pub(super) is_read: bool,
}
