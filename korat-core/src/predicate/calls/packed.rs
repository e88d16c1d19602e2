//! Values as words, and the objects of the structure among them.

use smallvec::SmallVec;

use crate::slots::object_view::{Located, ObjectView};

/// An object among packed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedObject {
    /// The address of its place, or of the alternative that a predicate sees.
    pub(crate) address: *const (),
    pub(crate) is_place: bool,
}

/// The words of a few values.
pub(crate) type Words = SmallVec<[u64; 10]>;

/// Values as words, read in the order in which they were written. An object is its position in a list.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    pub(crate) words: Words,
    pub(crate) objects: SmallVec<[PackedObject; 2]>,
    /// Whether something among the values cannot be packed without reading fields.
    pub(crate) is_opaque: bool,
    /// The number of words that were read.
    at: usize,
}

impl Packed {
    pub(crate) fn new(words: Words, objects: SmallVec<[PackedObject; 2]>) -> Self {
        Packed { words, objects, is_opaque: false, at: 0 }
    }

    /// Writes a word.
    #[inline]
    pub fn push(&mut self, word: u64) {
        self.words.push(word);
    }

    /// Reads a word.
    #[inline]
    pub fn next(&mut self) -> u64 {
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
        let number = self.next();
        self.objects[number as usize]
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
