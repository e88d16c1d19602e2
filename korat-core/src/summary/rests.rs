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
use super::nodes::{InnerCall, NodeRest, Objects, RestId, TableId};
use super::run::{End, State};
use super::shape::{Held, Holds};
use super::solver::Solver;
use super::words::WordsId;
use crate::model::ids::{ObjectId, SlotId};
use crate::predicate::calls::words::Words;
use crate::predicate::calls::{Call, Packed, RestSite};
use crate::slots::slot::UNASSIGNED;

/// The locals that a body uses after its next call.
pub(super) struct Live {
    site: &'static RestSite,
    words: Words,
    objects: SmallVec<[(ObjectId, Seen); 2]>,
    /// Where references to plain values among them lead.
    references: SmallVec<[*const (); 2]>,
}

/// What is known of a rest without the answer of the call.
pub(super) struct Rest {
    pub(super) site: &'static RestSite,
    /// What its tables are about.
    pub(super) list: Rc<CallList>,
    /// Per class, how many objects are in use where it begins.
    pub(super) reached: SmallVec<[u32; 4]>,
}

/// What follows a call with an answer.
#[derive(Clone, Copy)]
pub(super) enum Following {
    Table(TableId),
    /// There is one end, which has nothing of its own, with this result.
    End(WordsId),
}

/// The rests of bodies.
#[derive(Default)]
pub(super) struct Rests {
    pub(super) all: Vec<Rest>,
    /// Rests by what must be the same, the answer aside.
    index: FxHashMap<Box<[u64]>, RestId>,
    pub(super) known: FxHashMap<(RestId, WordsId), Following>,
    /// Calls whose rests depend on something else.
    pub(super) refused: FxHashSet<usize>,
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
            + 2 * self.known.len() * size_of::<((RestId, WordsId), Following)>()
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
}

/// Adds an object, and returns its number.
fn add(objects: &mut Objects, object: ObjectId) -> u32 {
    let known = objects.iter().position(|known| *known == object);
    known.unwrap_or_else(|| {
        objects.push(object);
        objects.len() - 1
    }) as u32
}
