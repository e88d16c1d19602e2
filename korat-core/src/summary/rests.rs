//! The rest of a body after a call, as something that tables know: found out once, and not for each body that goes on like this.
//!
//! After a call, a body depends on the answer and on the locals that it still uses. Generated code shows these before the call
//! (`predicate/calls/rest`). What follows is about the *objects of the rest*: those that the locals lead to through what is decided.
//! It has a table of its own, whose runs begin like the first run that has come there. Wherever else a call is followed by the
//! same rest, nothing is run: each outcome of the call is followed by those of the table.
//!
//! Two rests are the same if all of this is:
//! - The place of the call, the body, and the words of the locals, which must have neither sets of addresses nor addresses as numbers.
//! - The objects of the rest: which are the same, what is decided of them, and which of them are in parts that calls were made on.
//! - How many objects of each class there are beside them: they limit how many more there may be.
//! - The answer.
//!
//! What a rest does not know is hidden from its runs. If one reads it all the same, or calls something on a part that an earlier
//! call was made on, the rest of this call is no longer looked at. Some ends of rests are run where they were not found, and compared.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::call_list::{CallList, CallObject, Seen};
use super::run::{End, Run, State};
use super::shape::{Held, Holds};
use super::solver::{Next, Solver};
use super::table::{
    Decision, InnerCall, KnownEnd, Leaf, NO_REST, Node, NodeId, Objects, Outcome, OutcomeId, Pending, SetsLeft, Start,
    Table, TableId,
};
use super::ways::{FactorId, Product};
use super::words::{NO_WORDS, WordsId};
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::words::Words;
use crate::predicate::calls::{Call, Packed, RestSite};
use crate::slots::slot::UNASSIGNED;

/// The position of a rest, whatever the answer of the call.
pub(super) type RestId = u32;

/// The locals that a body uses after its next call.
pub(super) struct Live {
    site: &'static RestSite,
    words: Words,
    objects: SmallVec<[(ObjectId, Seen); 2]>,
    /// Where references to plain values among them lead.
    references: SmallVec<[*const (); 2]>,
}

/// What is known of a rest without the answer of the call.
struct Rest {
    site: &'static RestSite,
    /// What its tables are about.
    list: Rc<CallList>,
    /// Per class, how many objects are in use where it begins.
    reached: SmallVec<[u32; 4]>,
}

/// What follows the call that is decided at a node.
pub(super) struct NodeRest {
    id: RestId,
    /// The objects of the rest, as the run has them.
    pub(super) objects: Objects,
    /// What the values of the leaves have of their own, and the factors before the outcome of the call, if they leave nothing open.
    product: Option<(u32, SmallVec<[FactorId; 4]>)>,
    /// Whether the objects of the rest leave nothing open, either.
    is_read: bool,
}

/// What follows a call with an answer.
#[derive(Clone, Copy)]
enum Known {
    Table(TableId),
    /// There is one end, which has nothing of its own, with this result.
    End(WordsId),
}

/// The rests of bodies.
#[derive(Default)]
pub(super) struct Rests {
    all: Vec<Rest>,
    /// Rests by what must be the same, the answer aside.
    index: FxHashMap<Box<[u64]>, RestId>,
    known: FxHashMap<(RestId, WordsId), Known>,
    /// Calls whose rests depend on something else.
    refused: FxHashSet<usize>,
    /// Where keys are written.
    key: Vec<u64>,
}

impl Rests {
    /// Forgets all rests, since their tables are void.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.index.clear();
        self.known.clear();
    }

    /// Returns the number of bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        self.all.len() * (size_of::<Rest>() + size_of::<CallList>() + 4 * size_of::<CallObject>() + 128)
            + 2 * self.known.len() * size_of::<((RestId, WordsId), Known)>()
    }
}

impl Solver {
    /// Takes the locals that the body under way uses after its next call.
    pub(super) fn note_live(&mut self, site: &'static RestSite, live: &Packed) {
        self.run.live = None;
        let calls = &self.tables[self.run.executed as usize].list.calls;
        // Of a call that runs before have made, the rest is known.
        let is_known = self.run.asked < self.run.asked_before;
        if is_known || calls.len() != 1 || self.shape.has_shared || self.rests.refused.contains(&site.key()) {
            return;
        }
        let is_plain = !live.is_opaque && live.sets.is_empty() && !self.places.may_have_address(&live.words);
        let objects = live.objects.iter().map(|&object| self.places.object(object)).collect::<Option<_>>();
        if let (true, Some(objects)) = (is_plain, objects) {
            let references = live.references.iter().map(|to| to.address).collect();
            self.run.live = Some(Live { site, words: live.words.clone(), objects, references });
        }
    }

    /// Returns what follows a call that the run makes, if these locals say so.
    pub(super) fn rest_after(&mut self, call: &Call, number: u32, live: Live) -> Option<NodeRest> {
        let InnerCall { group, ref parts, .. } = self.tables[self.run.table as usize].calls[number as usize];
        let group = (self.run.groups_before + group) as usize;
        // What the values of the leaves have in common comes before the outcome of the call.
        if !live.site.is_of(call.site) || group + 1 < self.run.groups.len() {
            return None;
        }
        let parts = parts.clone();
        let (objects, infos) = self.objects_of_rest(&live, &parts)?;
        let leads_into = |&address: &*const ()| {
            objects.iter().any(|&object| self.places.is_in(address, self.shape.slots_of(object)))
        };
        // Nor could it tell two of them from one.
        let is_again = |(at, address): (usize, &*const ())| live.references[..at].contains(address);
        if live.references.iter().any(leads_into) || live.references.iter().enumerate().any(is_again) {
            return None;
        }
        let id = self.rest(&live, &objects, infos);
        let own = |object: &ObjectId| {
            matches!(self.run.states[object.index()], State::Own | State::Root) && !parts.contains(object)
        };
        let others: Objects = objects.iter().copied().filter(own).collect();
        let is_decided = |slot: SlotId| self.run.values[slot.index()] != UNASSIGNED;
        let is_read = others.iter().all(|&object| self.shape.slots_of(object).all(is_decided));
        // The parts are in the outcome of the call.
        let beside: Objects = others.into_iter().chain(parts).collect();
        let product = self.product_beside(&beside).map(|(own, mut factors)| {
            factors.truncate(group - self.run.groups_before as usize);
            (own, factors)
        });
        Some(NodeRest { id, objects, product, is_read })
    }

    /// Returns the objects that locals lead to through what is decided, and what is known of them after a call on these parts.
    fn objects_of_rest(&mut self, live: &Live, parts: &Objects) -> Option<(Objects, Vec<CallObject>)> {
        let (mut objects, mut infos) = (Objects::new(), Vec::new());
        for &(object, _) in &live.objects {
            add(&mut objects, object);
        }
        while let Some(&object) = objects.get(infos.len()) {
            let is_part = match self.run.states[object.index()] {
                State::Own | State::Root => !parts.contains(&object),
                State::Group(_) | State::Elsewhere(_) => false,
                State::Hidden => self.end(End::KnowsMore),
                State::Stranger | State::Free => return None,
            };
            let mut given = Vec::new();
            for slot in self.shape.slots_of(object) {
                let held = match (self.run.values[slot.index()], self.shape.slots[slot.index()].holds) {
                    (UNASSIGNED, _) => continue,
                    (index, Holds::Link { nulls, class }) if index >= nulls => {
                        Held::Object(add(&mut objects, self.shape.object(class, index - nulls)))
                    }
                    (index, _) => Held::Index(index),
                };
                given.push((self.shape.offset(slot), held));
            }
            infos.push(CallObject { class: self.shape.objects[object.index()].class, is_part, given });
        }
        Some((objects, infos))
    }

    /// Returns the rest with these locals and objects.
    fn rest(&mut self, live: &Live, objects: &Objects, infos: Vec<CallObject>) -> RestId {
        let calls = &self.tables[self.run.executed as usize].list.calls;
        let Rests { key, index, all, .. } = &mut self.rests;
        key.clear();
        key.push(live.site.key() as u64);
        key.extend(calls.iter().flat_map(|call| call.run.key()));
        key.push(live.words.len() as u64);
        key.extend_from_slice(&live.words);
        for &(object, seen) in &live.objects {
            let number = objects.iter().position(|known| *known == object).unwrap_or_default();
            key.push((number as u64) << 32 | seen.word());
        }
        let mut beside = self.run.reached.clone();
        for (object, info) in objects.iter().zip(&infos) {
            beside[info.class.index()] -= 1;
            let is_elsewhere = matches!(self.run.states[object.index()], State::Elsewhere(_));
            key.push(u64::from(info.class.0) << 2 | u64::from(is_elsewhere) << 1 | u64::from(info.is_part));
            key.push(info.given.len() as u64);
            info.given.iter().for_each(|&(offset, held)| key.extend([u64::from(offset), held.word()]));
        }
        key.extend(beside.into_iter().map(u64::from));
        if let Some(&known) = index.get(&**key) {
            return known;
        }
        let id = all.len() as RestId;
        let list = Rc::new(CallList { calls: Rc::clone(calls), objects: infos });
        all.push(Rest { site: live.site, list, reached: SmallVec::from_slice(&self.run.reached) });
        index.insert((**key).into(), id);
        id
    }

    /// Decides a call that no run has made, and what follows it. Returns the outcome of the call. If its rest is a new one, the run
    /// finds out something for that.
    pub(super) fn decide_before_rest(&mut self, number: u32, rest: NodeRest) -> OutcomeId {
        let (Run { table, node, most, .. }, id) = (&self.run, rest.id);
        let (table, node, most) = (*table, *node, *most);
        let this = &mut self.tables[table as usize];
        this.note_rest(node, rest);
        this.nodes[node as usize].decision = Decision::Call(number);
        let outcome = self.answer_at(table, node, 0, most);
        let known = outcome.and_then(|outcome| self.known_rest(id, outcome.answer));
        if let Some(Known::Table(_)) = known {
            self.put_off(Decision::Call(number));
        }
        self.decide_and_apply(Decision::Call(number));
        match (known, outcome) {
            (Some(Known::End(results)), _) => self.run.expected = Some(results),
            (None, Some(outcome)) => {
                let rest = self.add_rest(table, self.run.node, most, (id, outcome.answer));
                self.tables[rest as usize].take_first();
                self.run.most = 0;
                self.begin_table(rest, true);
            }
            (None, None) | (Some(Known::Table(_)), _) => {}
        }
        self.outcome_of(&self.tables[table as usize].calls[number as usize], 0)
    }

    /// Adds what follows alternatives at a node, without a run, as far as they have at most this many objects. Returns false if the first
    /// of them needs a run.
    pub(super) fn follow_rest(&mut self, table: TableId, pending: Pending, level: u32) -> bool {
        let Pending { node, mut alternative, .. } = pending;
        match self.decision(table, node) {
            Decision::Rest(rest) => alternative = self.end_as_rest(table, node, rest, alternative, level),
            Decision::Call(_) if self.tables[table as usize].nodes[node as usize].rest != NO_REST => {
                while self.go_on_as_rest(table, node, alternative, level) {
                    alternative += 1;
                }
                if alternative == pending.alternative {
                    return false;
                }
            }
            Decision::Unknown
            | Decision::Slot { .. }
            | Decision::Call(_)
            | Decision::Open { .. }
            | Decision::Leaf(_) => {
                return false;
            }
        }
        let next = match self.next(table, node, alternative, level) {
            Next::Never => return true,
            Next::Later(later) => later,
            Next::Now | Next::Unsolved(..) => level,
        };
        if next <= self.shape.most {
            self.tables[table as usize].wait(next, Pending { alternative, ..pending });
        }
        true
    }

    /// Returns the outcome that is an alternative of the call at a node, if it has at most this many objects and depends on nothing but
    /// the words of its answer.
    fn answer_at(&self, table: TableId, node: NodeId, alternative: u32, most: u32) -> Option<Outcome> {
        let Decision::Call(number) = self.decision(table, node) else { return None };
        if !self.is_open(table, node, alternative, most) {
            return None;
        }
        let call = &self.tables[table as usize].calls[number as usize];
        let outcome = self.tables[call.table as usize].outcomes[self.outcome_of(call, alternative) as usize];
        (outcome.sets == SetsLeft::None && !outcome.is_tangled).then_some(outcome)
    }

    fn known_rest(&mut self, id: RestId, answer: WordsId) -> Option<Known> {
        let known = self.rests.known.get_mut(&(id, answer))?;
        if let Known::Table(number) = *known
            && let table = &self.tables[number as usize]
            && let Decision::Leaf(end) = table.nodes[0].decision
        {
            *known = Known::End(table.outcomes[end as usize].results);
        }
        Some(*known)
    }

    /// Adds what follows an alternative of a call. Returns false if it needs a run, or more objects.
    fn go_on_as_rest(&mut self, table: TableId, node: NodeId, alternative: u32, level: u32) -> bool {
        let Some(outcome) = self.answer_at(table, node, alternative, level) else { return false };
        let id = self.tables[table as usize].rest_after(node).id;
        match self.known_rest(id, outcome.answer) {
            Some(Known::End(results)) => {
                let rest = self.tables[table as usize].rest_after(node);
                let product = rest.product.as_ref().filter(|_| rest.is_read);
                let product = product.map(|(own, before)| (*own, with(before, outcome.factor)));
                let (used, product) = (self.used_at(table, node, alternative), self.known_product(product));
                self.add_end(table, KnownEnd { node, alternative, used, results, product }, level);
            }
            Some(Known::Table(rest)) => {
                let child = self.child(table, node, alternative);
                self.wait_for_rest(table, child, level, rest);
            }
            None => {
                let child = self.child(table, node, alternative);
                self.add_rest(table, child, level, (id, outcome.answer));
            }
        }
        true
    }

    /// Adds leaves for the outcomes of a rest that are known, from one on. Those that have more objects than this wait. Returns the
    /// number of outcomes.
    fn end_as_rest(&mut self, table: TableId, node: NodeId, rest: TableId, from: u32, level: u32) -> u32 {
        let this = &self.tables[table as usize];
        let Node { used, parent, alternative: called, .. } = this.nodes[node as usize];
        let product = this.rest_after(parent).product.as_ref().map(|(own, before)| {
            let call = self.answer_at(table, parent, called, level).map_or(0, |call| call.factor);
            (*own, with(before, call))
        });
        let outcomes = self.tables[rest as usize].outcomes.len() as u32;
        for alternative in from..outcomes {
            let outcome = self.tables[rest as usize].outcomes[alternative as usize];
            let product = product.as_ref().map(|(own, before)| (*own, with(before, outcome.factor)));
            let end = KnownEnd {
                node,
                alternative,
                used: used + outcome.used,
                results: outcome.results,
                product: self.known_product(product),
            };
            if end.used <= level {
                self.add_end(table, end, level);
            } else if end.used <= self.shape.most {
                self.tables[table as usize].wait_for_end(end);
            }
        }
        outcomes
    }

    fn known_product(&mut self, of: Option<(u32, SmallVec<[FactorId; 4]>)>) -> Product {
        of.map_or(Product::OPEN, |(own, factors)| self.counter.product_of(own, &factors))
    }

    /// Adds the leaf of a known end.
    pub(super) fn add_end(&mut self, table: TableId, end: KnownEnd, level: u32) {
        let KnownEnd { node, alternative, used, results, product } = end;
        self.effort.repeated += 1;
        let found = Outcome { results, answer: results, used, factor: 0, sets: SetsLeft::None, is_tangled: false };
        let outcome = self.outcome(table, found, NO_WORDS);
        let table = &mut self.tables[table as usize];
        let leaf = table.leaf_node(node, alternative);
        table.leaves[outcome as usize].push(Leaf { node: leaf, level: level as u16, used: used as u16, product });
    }

    /// Adds the table of a rest, whose first run is one that comes to this node.
    fn add_rest(&mut self, table: TableId, node: NodeId, level: u32, key: (RestId, WordsId)) -> TableId {
        let Rest { list, reached, .. } = &self.rests.all[key.0 as usize];
        let parent = self.tables[table as usize].nodes[node as usize].parent;
        let objects = self.tables[table as usize].rest_after(parent).objects.clone();
        let start = Start { after: Some((table, node)), objects, reached: reached.clone() };
        let rest = self.tables.len() as TableId;
        self.tables.push(Table::new(Rc::clone(list), start));
        self.rests.known.insert(key, Known::Table(rest));
        self.wait_for_rest(table, node, level, rest);
        rest
    }

    /// Has a node wait for the outcomes of a rest.
    fn wait_for_rest(&mut self, table: TableId, node: NodeId, level: u32, rest: TableId) {
        let table = &mut self.tables[table as usize];
        table.nodes[node as usize].decision = Decision::Rest(rest);
        table.wait(level, Pending { node, alternative: 0, alone: false });
    }

    /// Looks no more at the rests of the call after which a table begins.
    pub(super) fn refuse_rest(&mut self, rest: TableId) {
        let Some((table, node)) = self.tables[rest as usize].start.after else { return };
        let table = &self.tables[table as usize];
        let NodeRest { id, .. } = table.rest_after(table.nodes[node as usize].parent);
        self.rests.refused.insert(self.rests.all[*id as usize].site.key());
    }
}

/// Returns factors, and one more.
fn with(before: &SmallVec<[FactorId; 4]>, after: FactorId) -> SmallVec<[FactorId; 4]> {
    before.iter().copied().chain([after]).collect()
}

/// Adds an object, and returns its number.
fn add(objects: &mut Objects, object: ObjectId) -> u32 {
    let known = objects.iter().position(|known| *known == object);
    known.unwrap_or_else(|| {
        objects.push(object);
        objects.len() - 1
    }) as u32
}
