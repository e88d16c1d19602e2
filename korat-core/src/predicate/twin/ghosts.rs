//! Ghosts: objects in a set of addresses of which a run knows only how many there are. Calls that a table answers leave them
//! behind, and calls are given them (`calls/sets`). No address that a predicate has is that of a ghost.

use std::hash::Hash;

use super::keyed::FieldKeys;
use super::sorted::Sorted;
use super::table::Table;
use super::{BTreeMap, BTreeSet, HashMap, HashSet};
use crate::predicate::calls::{SetLook, look_at_set};
use crate::predicate::undo::keep_until_backtrack;

/// The ghosts of a set. One of the numbers is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ghosts {
    /// What a set had when it was given to the call whose body runs.
    pub(crate) outside: Outside,
    /// The number of objects that calls have added since then.
    pub(crate) inside: u32,
}

/// The elements that a call is given in a set, and does not know otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The number of the set among those that the call is given, counted from one; zero if there are no such elements.
    pub(crate) set: u16,
    /// How many there are, if the call asks for it.
    pub(crate) len: Option<u32>,
}

impl Outside {
    /// Returns it as a word, which is zero if there are none.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.set) | self.len.map_or(0, |len| u64::from(len) + 1) << 16
    }

    /// Reads what `word` has written.
    pub(crate) fn of_word(word: u64) -> Self {
        Outside { set: word as u16, len: (word >> 16).checked_sub(1).map(|len| len as u32) }
    }
}

impl Ghosts {
    pub(crate) fn is_none(&self) -> bool {
        *self == Ghosts::default()
    }

    /// Returns how many there are; ends the run if that is not known.
    #[cold]
    pub(crate) fn len(&self) -> usize {
        let outside = match self.outside {
            Outside { set: 0, .. } => 0,
            Outside { len: Some(len), .. } => len,
            Outside { len: None, .. } => look_at_set(SetLook::Len),
        };
        (outside + self.inside) as usize
    }
}

macro_rules! shows_field {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> $type {
            /// Returns whether it is a field, of which looking at an element reads a slot.
            pub(crate) fn is_field(&self) -> bool {
                self.0.0.field.keys().is_some()
            }
        }
    )*};
}

shows_field! { [K] HashSet<K>; [K] BTreeSet<K>; [K, V] HashMap<K, V>; [K, V] BTreeMap<K, V>; }

macro_rules! storage {
    ($($storage:ident)*) => {$(
        impl<K, V> $storage<K, V> {
            #[cold]
            pub(super) fn len_with_ghosts(&self) -> usize {
                self.0.field.ghosts().map_or_else(|| self.iter().count(), |ghosts| self.0.len + ghosts.len())
            }

            #[inline]
            pub(super) fn is_empty(&self) -> bool {
                self.0.field.ghosts().is_none() && self.iter().next().is_none()
            }

            /// Gives a new container ghosts.
            pub(super) fn haunt(&mut self, ghosts: Ghosts) {
                self.0.field = FieldKeys::of_ghosts(keep_until_backtrack(ghosts));
            }

            /// Forgets the ghosts, if there are some.
            pub(super) fn lay_ghosts(&mut self) {
                if self.0.field.ghosts().is_some() {
                    self.0.save();
                    self.0.field = FieldKeys::NONE;
                }
            }
        }
    )*};
}

storage! { Table Sorted }

/// A set that may have ghosts.
pub(crate) trait Haunted<K>: Sized {
    /// Returns whether it is a field.
    fn shows_field(&self) -> bool;
    /// Returns the elements that are known, and the ghosts.
    fn known(&self) -> (&[(K, ())], Ghosts);
    /// Creates a set.
    fn of_known(known: impl Iterator<Item = K>, ghosts: Ghosts) -> Self;
}

macro_rules! haunted {
    ($($set:ident: $($bound:ident)*;)*) => {$(
        impl<K: $($bound +)*> Haunted<K> for $set<K> {
            fn shows_field(&self) -> bool {
                self.is_field()
            }
            fn known(&self) -> (&[(K, ())], Ghosts) {
                (self.0.entries(), self.0.0.field.ghosts().copied().unwrap_or_default())
            }
            fn of_known(known: impl Iterator<Item = K>, ghosts: Ghosts) -> Self {
                let mut set: Self = known.collect();
                if !ghosts.is_none() {
                    set.0.haunt(ghosts);
                }
                set
            }
        }
    )*};
}

haunted! {
    HashSet: Hash Eq;
    BTreeSet: Ord;
}
