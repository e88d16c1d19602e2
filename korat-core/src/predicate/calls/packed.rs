//! Values as words, and the objects of the structure among them.

use smallvec::SmallVec;

use super::sets::PackedSet;
use super::words::Words;
use crate::predicate::undo::keep_until_backtrack;
use crate::slots::object_view::{Located, ObjectView};

/// An object among packed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedObject {
    /// The address of its place, or of the alternative that a predicate sees.
    pub(crate) address: *const (),
    pub(crate) is_place: bool,
}

/// A reference to a plain value among packed values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedReference {
    pub(crate) address: *const (),
    /// The type of the value.
    name: &'static str,
}

/// Values as words, read in the order in which they were written. An object is its position in a list.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    pub(crate) words: Words,
    pub(crate) objects: SmallVec<[PackedObject; 2]>,
    /// The references to plain values, each place once: two that are the same remain the same.
    pub(crate) references: SmallVec<[PackedReference; 2]>,
    /// Whether these are results: nobody could tell where a reference among them leads to.
    is_result: bool,
    /// Whether something among the values cannot be packed without reading fields, or without losing its place.
    pub(crate) is_opaque: bool,
    /// The number of words that were read.
    at: usize,
    /// Sets of addresses, in the order of their places among the words.
    pub(crate) sets: Vec<PackedSet>,
    /// Whether these are the results of an answered call; `sets` are then those of its arguments.
    pub(crate) is_answer: bool,
}

impl Packed {
    /// Writes other values in place of these. The sets remain, since results may refer to those of the arguments.
    pub(crate) fn replace(&mut self, words: &[u64]) {
        self.words.set(words);
        self.objects.clear();
        self.rewind();
    }

    /// Has the values read from the first on again.
    pub(crate) fn rewind(&mut self) {
        self.references.clear();
        self.at = 0;
    }

    /// Removes all values, so that results can be written.
    pub(crate) fn begin_results(&mut self) {
        self.replace(&[]);
        self.sets.clear();
        (self.is_result, self.is_opaque) = (true, false);
    }

    /// Writes a word.
    #[inline]
    pub fn push(&mut self, word: u64) {
        self.words.push(word);
    }

    /// Reads a word.
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        let word = self.words[self.at];
        self.at += 1;
        word
    }

    #[inline]
    fn push_object(&mut self, object: PackedObject) {
        let known = self.objects.iter().position(|known| *known == object);
        let number = known.unwrap_or_else(|| {
            self.objects.push(object);
            self.objects.len() - 1
        });
        self.push(number as u64);
    }

    fn next_object(&mut self) -> PackedObject {
        let number = self.next_word();
        self.objects[number as usize]
    }

    /// Writes a reference to a plain value. Returns whether the value is to be written behind it.
    #[inline]
    pub(super) fn push_reference<T>(&mut self, to: &T) -> bool {
        if self.is_result {
            self.is_opaque = true;
            return false;
        }
        let reference = PackedReference { address: std::ptr::from_ref(to).cast(), name: std::any::type_name::<T>() };
        let known = self.references.iter().position(|known| known.address == reference.address);
        if let Some(number) = known {
            // A value and its first field lie at one address.
            self.is_opaque |= self.references[number].name != reference.name;
            self.push(number as u64 + 1);
            return false;
        }
        self.references.push(reference);
        self.push(0);
        true
    }

    /// Reads a reference to a plain value; `unpack` reads the value.
    #[inline]
    pub(super) fn next_reference<'v, T>(&mut self, unpack: impl FnOnce(&mut Self) -> T) -> &'v T {
        let number = self.next_word();
        if number > 0 {
            let PackedReference { address, name } = self.references[number as usize - 1];
            assert!(
                name == std::any::type_name::<T>() && !address.is_null(),
                "[korat internal bug] a reference to another type"
            );
            // SAFETY: the address is that of a value that was unpacked here for a reference of the same type, which is kept
            // as long as what this returns. Types of one name that can be packed differ in lifetimes at most.
            return unsafe { &*address.cast() };
        }
        let at = self.references.len();
        self.references.push(PackedReference { address: std::ptr::null(), name: std::any::type_name::<T>() });
        let value = keep_until_backtrack(unpack(self));
        self.references[at].address = std::ptr::from_ref(value).cast();
        value
    }

    pub(super) fn push_view<V: ObjectView>(&mut self, view: &V) {
        self.push_object(PackedObject { address: std::ptr::from_ref(view).cast(), is_place: false });
    }

    pub(super) fn next_view<'v, V: ObjectView>(&mut self) -> &'v V {
        let PackedObject { address, is_place } = self.next_object();
        assert!(!is_place, "[korat internal bug] a place is unpacked as a view");
        // SAFETY: who fills `objects` gives the address of a view of the same class in place of the one that was packed
        // here. Views are never freed.
        unsafe { &*address.cast() }
    }

    pub(super) fn push_place<P>(&mut self, place: *const P) {
        self.push_object(PackedObject { address: place.cast(), is_place: true });
    }

    pub(super) fn next_place<V: Located>(&mut self) -> *const V::Place {
        let PackedObject { address, is_place } = self.next_object();
        assert!(is_place, "[korat internal bug] a view is unpacked as a place");
        address.cast()
    }
}
