//! Sets of addresses as arguments and results of calls. A call knows the elements whose objects it is given otherwise, too;
//! the others are ghosts to it, since it has no way to their addresses. What a call adds to a set are objects of its part, which
//! are ghosts to its caller, unless it knows them.
//!
//! `pack` writes one word and notes the elements (`PackedSet`). The watcher replaces it by what `next_set` reads, once it knows all
//! arguments: the elements from outside, the number of other ghosts, and the objects that are known.

use super::portable::by_reference;
use super::words::Words;
use super::{Packed, Portable};
use crate::predicate::twin::ghosts::{Ghosts, Haunted, Outside};
use crate::predicate::twin::{BTreeSet, HashSet};
use crate::slots::object_view::ObjectView;

/// A set among packed values.
#[derive(Clone, Debug)]
pub(crate) struct PackedSet {
    /// The position of its first word.
    pub(crate) at: usize,
    /// The addresses of its elements. In the arguments of an answered call, those that the call does not know.
    pub(crate) members: Vec<*const ()>,
    pub(crate) ghosts: Ghosts,
}

impl PackedSet {
    /// Replaces the word of the set.
    pub(crate) fn write(&self, ghosts: Ghosts, known: &[u64], words: &mut Words) {
        words[self.at] = ghosts.outside.word();
        let rest = [u64::from(ghosts.inside), known.len() as u64];
        words.insert(self.at + 1, rest.into_iter().chain(known.iter().copied()));
    }
}

impl Packed {
    fn push_set<V>(&mut self, set: &impl Haunted<*const V>) {
        if set.shows_field() {
            self.is_opaque = true;
            return;
        }
        let (known, ghosts) = set.known();
        let (at, members) = (self.words.len(), known.iter().map(|(address, ())| address.cast()).collect());
        self.push(0);
        self.sets.push(PackedSet { at, members, ghosts });
    }

    /// Reads a set, which the watcher has written.
    fn next_set<V, S: Haunted<*const V>>(&mut self) -> S {
        let (outside, inside) = (Outside::of_word(self.next_word()), self.next_word() as u32);
        let mut ghosts = Ghosts { outside, inside };
        let mut members: Vec<*const ()> = Vec::new();
        let unknown = outside.set.checked_sub(1).filter(|_| self.is_answer).map(|set| &self.sets[set as usize]);
        if let Some(PackedSet { members: unknown, ghosts: before, .. }) = unknown {
            members.extend(unknown);
            ghosts = Ghosts { outside: before.outside, inside: before.inside + inside };
        }
        for _ in 0..self.next_word() {
            let number = self.next_word();
            members.push(self.objects[number as usize].address);
        }
        S::of_known(members.into_iter().map(|address| address.cast()), ghosts)
    }
}

macro_rules! sets_of_addresses {
    ($($set:ident)*) => {$(
        impl<V: ObjectView> Portable for $set<*const V> {
            fn pack(&self, to: &mut Packed) {
                to.push_set(self);
            }
            fn unpack(from: &mut Packed) -> Self {
                from.next_set()
            }
        }
        by_reference! { [V: ObjectView] $set<*const V>; }
    )*};
}

sets_of_addresses! { HashSet BTreeSet }
