//! Ends of bodies that need no run of their own.
//!
//! After its last call, a body depends on the answer and on the locals that it still uses. Where generated code shows these, and they
//! are plain (`predicate/calls/rest`), what a run has found out holds for each node whose call is followed by the same rest: with an
//! answer that was there before, the node has a leaf with the same result.
//!
//! A rest is known only if all of this holds:
//! - The calls of the table are a single one, whose body makes the call itself: nothing else of the run follows it.
//! - Neither the locals nor the answer have objects, references or sets: what they are is in their words.
//! - After the call, the run that has found out the result made no other call, and decided nothing.
//!
//! The predicate is deterministic, as everywhere. Some leaves are run all the same, and compared.

use rustc_hash::FxHashMap;

use super::run::End;
use super::solver::Solver;
use super::table::{Common, Decision, Leaf, NO_REST, Node, NodeId, NodeRest, Pending, SetsLeft, TableId};
use super::ways::Product;
use crate::predicate::calls::{Call, Packed, RestSite};

/// The position of a rest.
pub(super) type RestId = u32;

/// The position of packed words.
pub(super) type WordsId = u32;

/// One end in so many is run, and compared: a run takes as long as a dozen ends, so that this takes about a hundredth of their time.
const COMPARED: u64 = 1 << 10;

/// What is known of an alternative at a node.
enum Repeated {
    /// It is a leaf now.
    Leaf,
    /// It has this many objects, which are more than what is solved.
    Needs(u32),
    /// Nothing.
    Unknown,
}

/// The rests of bodies, and how they end.
#[derive(Default)]
pub(super) struct Rests {
    /// Packed words that are results or answers.
    words: FxHashMap<Box<[u64]>, WordsId>,
    /// Rests, by the place of the call, the body and the words of the locals.
    index: FxHashMap<Box<[u64]>, RestId>,
    /// The result for each rest and answer.
    ends: FxHashMap<(RestId, WordsId), WordsId>,
    /// Where keys are written.
    key: Vec<u64>,
}

impl Rests {
    /// Returns the position of words.
    pub(super) fn words(&mut self, words: &[u64]) -> WordsId {
        if let Some(&known) = self.words.get(words) {
            return known;
        }
        let id = self.words.len() as WordsId;
        self.words.insert(words.into(), id);
        id
    }

    /// Returns the rest after the call at a place in a body, where these locals live on.
    fn rest(&mut self, site: &'static RestSite, body: [u64; 2], live: &[u64]) -> RestId {
        self.key.clear();
        self.key.extend([site.key() as u64, body[0], body[1]]);
        self.key.extend(live);
        if let Some(&known) = self.index.get(&*self.key) {
            return known;
        }
        let id = self.index.len() as RestId;
        self.index.insert((*self.key).into(), id);
        id
    }
}

impl Solver {
    /// Takes the locals that the body under way uses after its next call.
    pub(super) fn take_rest(&mut self, site: &'static RestSite, live: &Packed) {
        self.run.rest = None;
        // Of a call that runs before have made, the rest is known.
        if self.run.asked < self.run.asked_before || self.shape.has_shared {
            return;
        }
        let [call] = &*self.tables[self.run.table as usize].list.calls else { return };
        let is_plain = !live.is_opaque && live.objects.is_empty() && live.references.is_empty() && live.sets.is_empty();
        if is_plain && !self.places.may_have_address(&live.words) {
            self.run.rest = Some((site, self.rests.rest(site, call.run.key(), &live.words)));
        }
    }

    /// Notes what follows a call at the node that the run has reached, which decides it.
    pub(super) fn note_rest(&mut self, call: &Call, rest: Option<(&'static RestSite, RestId)>, group: Option<u32>) {
        // What the values of the leaves have in common comes before the outcome of the call.
        let is_last = group.is_none_or(|group| group as usize + 1 == self.run.groups.len());
        if let Some((site, id)) = rest
            && site.is_of(call.site)
            && is_last
            && self.run.is_past_path()
        {
            self.tables[self.run.table as usize].note_rest(self.run.node, id);
        }
    }

    /// Notes how the run has ended that is at a leaf now, if it has asked for nothing after a call whose rest is known.
    pub(super) fn note_end(&mut self, sets: SetsLeft, product: Product) -> Result<(), End> {
        let (table, leaf) = (&self.tables[self.run.table as usize], self.run.node);
        let Node { parent, alternative, .. } = table.nodes[leaf as usize];
        let Node { asked, decision, rest, .. } = table.nodes[parent as usize];
        let Decision::Call(number) = decision else { return Ok(()) };
        if rest == NO_REST || leaf == 0 || asked != self.run.asked || sets != SetsLeft::None {
            return Ok(());
        }
        let call = &table.calls[number as usize];
        let outcome = self.tables[call.table as usize].outcomes[self.outcome_of(call, alternative) as usize];
        if outcome.sets != SetsLeft::None {
            return Ok(());
        }
        let id = table.rests[rest as usize].id;
        let result = self.rests.words(&self.run.packed[0].words);
        if self.rests.ends.insert((id, outcome.answer), result).is_some_and(|known| known != result) {
            return Err(End::differs());
        }
        if self.tables[self.run.table as usize].rests[rest as usize].common.is_none() {
            let common = match product.is_known() {
                true => Common::Product { own: product.own(), factors: self.counter.before_last(product) },
                false => Common::Open,
            };
            self.tables[self.run.table as usize].rests[rest as usize].common = Some(common);
        }
        Ok(())
    }

    /// Adds the leaves at a node that need no run, from an alternative on. Returns the first alternative that may need one; `None` if
    /// it waits for more objects, or no value has as many.
    pub(super) fn repeat_ends(&mut self, table: TableId, pending: Pending, level: u32) -> Option<Pending> {
        let Pending { node, mut alternative, alone } = pending;
        if alone {
            return Some(pending);
        }
        loop {
            match self.repeat_end(table, node, alternative, level) {
                Repeated::Leaf => alternative += 1,
                Repeated::Needs(objects) => {
                    if objects <= self.shape.most {
                        self.tables[table as usize].wait(objects, Pending { alternative, ..pending });
                    }
                    return None;
                }
                Repeated::Unknown => return Some(Pending { alternative, ..pending }),
            }
        }
    }

    /// Adds the leaf for an alternative at a node, if it needs no run.
    fn repeat_end(&mut self, number: TableId, node: NodeId, alternative: u32, level: u32) -> Repeated {
        let table = &self.tables[number as usize];
        let Node { used, decision: Decision::Call(call), rest, .. } = table.nodes[node as usize] else {
            return Repeated::Unknown;
        };
        let Some(NodeRest { id, common: Some(common) }) = table.rests.get(rest as usize) else {
            return Repeated::Unknown;
        };
        let call = &table.calls[call as usize];
        let callee = &self.tables[call.table as usize];
        let Some(outcome) = callee.alternative(call.continuation, alternative) else { return Repeated::Unknown };
        let outcome = &callee.outcomes[outcome as usize];
        let used = used - call.before.map_or(0, |before| self.used_by(before)) + outcome.used;
        if used > level {
            return Repeated::Needs(used);
        }
        if outcome.sets != SetsLeft::None || outcome.is_tangled {
            return Repeated::Unknown;
        }
        let Some(&result) = self.rests.ends.get(&(*id, outcome.answer)) else { return Repeated::Unknown };
        let Some(result) = table.known_answer(result) else { return Repeated::Unknown };
        self.effort.repeated += 1;
        let repeated = self.effort.repeated;
        if repeated.is_power_of_two() || repeated.is_multiple_of(COMPARED) {
            // A run finds the leaf, and compares its result.
            return Repeated::Unknown;
        }
        let product = match common {
            Common::Product { own, factors } => self.counter.product_of(*own, factors, outcome.factor),
            Common::Open => Product::OPEN,
        };
        let table = &mut self.tables[number as usize];
        let node = table.leaf_node(node, alternative);
        table.leaves[result as usize].push(Leaf { node, level: level as u16, used: used as u16, product });
        Repeated::Leaf
    }
}
