//! Calls made on the same parts, one after the other: what a table is about.

use std::rc::Rc;

use smallvec::SmallVec;

use super::nodes::TableId;
use super::shape::Held;
use crate::model::ids::{ClassId, ObjectId};
use crate::predicate::calls::{Call, CallSite, RunBody};

/// One call, with its arguments as words.
pub(super) struct RecordedCall {
    pub(super) site: &'static CallSite,
    pub(super) run: RunBody,
    pub(super) words: Box<[u64]>,
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

impl Seen {
    /// Returns a word of 32 bits that tells it from others.
    pub(super) fn word(self) -> u64 {
        match self {
            Seen::Place => u64::from(u32::MAX),
            Seen::Alternative(number) => u64::from(number),
        }
    }
}

/// An object that calls are made on.
#[derive(Clone)]
pub(super) struct CallObject {
    pub(super) class: ClassId,
    /// Whether it is a part: nothing else leads into what hangs on it. Otherwise it is only read.
    pub(super) is_part: bool,
    /// The slots that are decided before the calls: their offsets in the object, and what they hold.
    pub(super) given: Vec<(u32, Held)>,
}

/// Calls made on the same parts, one after the other, or what follows a call in the body of one. The key of a table.
pub(super) struct CallList {
    /// Without calls, it is that of the whole predicate on the root.
    pub(super) calls: Rc<[RecordedCall]>,
    pub(super) objects: Vec<CallObject>,
}

impl CallList {
    /// Returns the methods that are called and what kind of object goes where, whatever the plain arguments. Where these are
    /// the same, a number stands for an object of the same class, which is a part or not.
    pub(super) fn pattern(&self) -> Vec<usize> {
        let calls = self.calls.iter().map(|call| (call.site, &*call.objects));
        pattern(self.objects.iter(), calls)
    }

    /// Returns the parts among the objects that the list is about.
    pub(super) fn parts<'o>(&self, objects: &'o [ObjectId]) -> impl Iterator<Item = ObjectId> + use<'_, 'o> {
        objects.iter().zip(&self.objects).filter(|(_, info)| info.is_part).map(|(object, _)| *object)
    }
}

fn pattern<'l>(
    objects: impl ExactSizeIterator<Item = &'l CallObject>,
    calls: impl Iterator<Item = (&'static CallSite, &'l [(u32, Seen)])>,
) -> Vec<usize> {
    let mut pattern = vec![objects.len()];
    pattern.extend(objects.map(|object| object.class.index() << 1 | usize::from(object.is_part)));
    for (site, objects) in calls {
        pattern.extend([site.key(), objects.len()]);
        pattern.extend(objects.iter().map(|&(number, _)| number as usize));
    }
    pattern
}

/// A list of calls with one more.
pub(super) struct LongerList<'l> {
    /// The list, with its table, if it has calls.
    pub(super) before: Option<(TableId, &'l CallList)>,
    pub(super) call: &'l Call,
    /// The objects of the call, as `RecordedCall` has them.
    pub(super) positions: SmallVec<[(u32, Seen); 2]>,
    /// The objects that the list has not.
    pub(super) objects: SmallVec<[CallObject; 1]>,
    /// The slots that the calls read beside the parts: the position of the object, the offset, and the index.
    pub(super) read: Vec<(u32, u32, u32)>,
}

impl LongerList<'_> {
    /// Writes words that are equal for equal lists only.
    pub(super) fn key(&self, key: &mut Vec<u64>) {
        let LongerList { before, call, positions, objects, read } = self;
        key.clear();
        key.push(before.map_or(u64::MAX, |(table, _)| u64::from(table)));
        key.push(call.site.key() as u64);
        key.extend(call.run.key());
        key.push(call.arguments.words.len() as u64);
        key.extend_from_slice(&call.arguments.words);
        for &(object, seen) in positions {
            key.push(u64::from(object) << 32 | seen.word());
        }
        for object in objects {
            key.push(u64::from(object.class.0) << 1 | u64::from(object.is_part));
            key.push(object.given.len() as u64);
            object.given.iter().for_each(|&(offset, held)| key.extend([u64::from(offset), held.word()]));
        }
        for &(object, offset, index) in read {
            key.extend([u64::from(object), u64::from(offset) << 32 | u64::from(index)]);
        }
    }

    /// Returns what `CallList::pattern` does for the list.
    pub(super) fn pattern(&self) -> Vec<usize> {
        let before = self.before.map(|(_, list)| list);
        let objects: Vec<&CallObject> = before.iter().flat_map(|list| &list.objects).chain(&self.objects).collect();
        let calls = before.iter().flat_map(|list| &*list.calls).map(|call| (call.site, &*call.objects));
        pattern(objects.into_iter(), calls.chain([(self.call.site, &*self.positions)]))
    }

    /// Returns the list.
    pub(super) fn to_list(&self) -> CallList {
        let before = self.before.map(|(_, list)| list);
        let mut calls: Vec<RecordedCall> =
            before.iter().flat_map(|list| &*list.calls).map(RecordedCall::again).collect();
        calls.push(RecordedCall {
            site: self.call.site,
            run: self.call.run,
            words: (*self.call.arguments.words).into(),
            objects: self.positions.to_vec(),
            has_sets: !self.call.arguments.sets.is_empty(),
        });
        let objects = before.iter().flat_map(|list| &list.objects).chain(&self.objects);
        let mut objects: Vec<CallObject> = objects.cloned().collect();
        for &(number, offset, index) in &self.read {
            let given = &mut objects[number as usize].given;
            let slot = (offset, Held::Index(index));
            if !given.contains(&slot) {
                given.push(slot);
            }
        }
        CallList { calls: calls.into(), objects }
    }
}
