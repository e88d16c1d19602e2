//! The storage of `BTreeSet`, `BTreeMap` and `BinaryHeap`: the keys of a field, or entries owned by the predicate, in
//! key order. Inserting or removing one entry takes one log entry, wherever it is; all other changes are saved first.
//!
//! # Safety argument
//! The header and the entries of a container owned by the predicate lie in the workspace's memory, at addresses that
//! the memory handed out (`undo/data_handle`). There is room for `room` entries, of which the first `len` have values.
//! References to entries are derived from their address, which is not part of the header, and last for one method or as
//! long as the container is borrowed; logged addresses are the memory's own. Entries move bit by bit, and are not used
//! at their old place. An entry with drop glue is dropped or moved out once, and `len` stops counting it before that.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::mem::MaybeUninit;
use std::ops::{Bound, Range, RangeBounds};
use std::{ptr, slice};

use super::keyed::{Entries, EntryRef, FieldEntry, FieldKeys};
use crate::predicate::undo::bits::put_back;
use crate::predicate::undo::data_handle::{ContainerData, DataHandle};
use crate::predicate::undo::log::Words;

/// A handle to a table of keys and values.
pub(crate) struct Sorted<K, V>(pub(crate) DataHandle<SortedHeader<K, V>>);

impl<K, V> Clone for Sorted<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Sorted<K, V> {}

/// The header of the storage. Places past the last entry hold nothing that is needed.
pub(crate) struct SortedHeader<K, V> {
    pub(crate) entries: *mut (K, V),
    pub(crate) len: usize,
    room: usize,
    pub(crate) field: FieldKeys<K, V>,
    /// The epoch in which all entries were last saved.
    saved: u64,
}

/// Initial capacity.
const FIRST: usize = 8;

/// The position and the bits of a removed entry.
type RemovedEntry<K, V> = (usize, MaybeUninit<(K, V)>);

impl<K, V> ContainerData for SortedHeader<K, V> {
    type Held = (K, V);

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` entries have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.entries, len)) };
    }
}

impl<K, V> SortedHeader<K, V> {
    #[inline]
    /// Creates the header of a field with these keys.
    pub(crate) fn of_field(keys: &'static [FieldEntry<K, V>]) -> Self
    where
        K: 'static,
        V: 'static,
    {
        SortedHeader::empty(FieldKeys::of(keys))
    }

    fn empty(field: FieldKeys<K, V>) -> Self {
        SortedHeader { entries: ptr::dangling_mut(), len: 0, room: 0, field, saved: 0 }
    }
}

impl<K, V> Sorted<K, V> {
    #[inline]
    pub(crate) fn new() -> Self {
        Sorted(DataHandle::new(SortedHeader::empty(FieldKeys::NONE)))
    }

    /// Returns the table of a field, whose keys are in order.
    pub(crate) fn of_field(data: &'static SortedHeader<K, V>) -> Self {
        Sorted(DataHandle::at(data))
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        if self.0.field.is_none() { self.0.len } else { self.len_with_ghosts() }
    }

    /// Returns an iterator over the existing entries, in order.
    #[inline]
    pub(crate) fn iter(&self) -> Entries<'_, K, V> {
        match self.0.field.all_keys() {
            Some(keys) => Entries::Field(keys.iter()),
            None => Entries::Own(self.entries().iter()),
        }
    }

    /// Returns the number of entries that fit before it grows.
    pub(crate) fn room(&self) -> usize {
        self.0.room
    }

    /// Returns the predicate's own entries, in order.
    #[inline]
    pub(crate) fn entries(&self) -> &[(K, V)] {
        // SAFETY: the first `len` entries have values, at an address that remains valid.
        unsafe { slice::from_raw_parts(self.0.entries, self.0.len) }
    }

    /// Saves all entries owned by the predicate, and returns them so that their values can change.
    pub(crate) fn entries_mut(&mut self) -> &mut [(K, V)] {
        self.save_from(0);
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the header lies in the workspace.
            unsafe { work.save(&raw mut (*self.0.data()).saved) };
            self.0.saved = work.epoch();
        }
        // SAFETY: the first `len` entries have values, and belong only to this container.
        unsafe { slice::from_raw_parts_mut(self.0.entries, self.0.len) }
    }

    /// Saves the entry at a position, and returns it so that its value can change.
    #[inline]
    pub(crate) fn entry_mut(&mut self, at: usize) -> &mut (K, V) {
        assert!(at < self.0.len, "[korat internal bug] no entry at this position");
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the entry has a value, and lies in the workspace.
            unsafe { work.save(self.0.entries.add(at)) };
        }
        // SAFETY: the entry has a value, belongs only to this container, and is borrowed with it.
        unsafe { &mut *self.0.entries.add(at) }
    }

    /// Saves the entries from `from` on.
    fn save_from(&mut self, from: usize) {
        self.0.field.assert_none();
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: these entries have values, and lie in the workspace.
            unsafe { work.save_all(self.0.entries.add(from), self.0.len - from) };
        }
    }

    /// Saves the number of entries.
    fn save_len(&mut self) {
        if let Some(work) = self.0.log() {
            // SAFETY: the header lies in the workspace.
            unsafe { work.save(&raw mut (*self.0.data()).len) };
        }
    }

    /// Grows, so that there is room for one more entry.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.0.field.assert_none();
        let room = (2 * self.0.room).max(FIRST);
        self.0.save();
        let entries = DataHandle::<SortedHeader<K, V>>::take::<(K, V)>(room).as_ptr();
        // SAFETY: the new place is large enough and does not overlap the old one, whose entries are not used again
        // unless the old header is restored.
        unsafe { ptr::copy_nonoverlapping(self.0.entries, entries, self.0.len) };
        (self.0.entries, self.0.room) = (entries, room);
    }

    /// Inserts an entry at a position, where its key belongs. Returns the position.
    #[inline]
    pub(crate) fn insert_at(&mut self, at: usize, key: K, value: V) -> usize {
        unsafe fn uninsert<K, V>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a container into which an entry was inserted at the position in the
            // word; the entries behind it move back.
            unsafe {
                let header = &mut *target.cast::<SortedHeader<K, V>>();
                let place = header.entries.add(words[0].assume_init() as usize);
                header.len -= 1;
                ptr::copy(place.add(1), place, header.entries.add(header.len).offset_from_unsigned(place));
            }
        }
        assert!(at <= self.0.len, "[korat internal bug] no place at this position");
        if self.0.len == self.0.room {
            self.make_room();
        }
        let header = &mut *self.0;
        // SAFETY: there is room for one more; the entries from the position on make way.
        unsafe {
            let place = header.entries.add(at);
            ptr::copy(place, place.add(1), header.len - at);
            place.write((key, value));
        }
        header.len += 1;
        // SAFETY: `uninsert` reverts the insertion.
        unsafe { self.0.note(uninsert::<K, V>, at as u64) };
        at
    }

    /// Removes and returns the entry at a position.
    #[inline]
    pub(crate) fn remove_at(&mut self, at: usize) -> (K, V) {
        unsafe fn unremove<K, V>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a container from which an entry was removed; the words hold its
            // position and bits.
            unsafe {
                let header = &mut *target.cast::<SortedHeader<K, V>>();
                let mut taken = MaybeUninit::<RemovedEntry<K, V>>::uninit();
                put_back(words, taken.as_mut_ptr());
                let (at, entry) = taken.assume_init();
                let place = header.entries.add(at);
                ptr::copy(place, place.add(1), header.len - at);
                place.cast::<MaybeUninit<(K, V)>>().write(entry);
                header.len += 1;
            }
        }
        assert!(at < self.0.len, "[korat internal bug] no entry at this position");
        let header = &mut *self.0;
        // SAFETY: the entry has a value, which is moved out; those behind it close the gap.
        let taken: RemovedEntry<K, V> = unsafe {
            let place = header.entries.add(at);
            let entry = place.cast::<MaybeUninit<(K, V)>>().read();
            ptr::copy(place.add(1), place, header.len - at - 1);
            (at, entry)
        };
        header.len -= 1;
        // SAFETY: the bits of the entry are in `taken`; `unremove` reverts the removal.
        unsafe {
            self.0.note_taken(unremove::<K, V>, &raw const taken);
            taken.1.assume_init()
        }
    }

    /// Removes and returns the entry with the greatest key.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(K, V)> {
        self.0.field.assert_all_known();
        self.0.len.checked_sub(1).map(|last| self.remove_at(last))
    }

    /// Keeps only the first `len` entries.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.field.assert_none();
        if len >= self.0.len {
            return;
        }
        self.save_from(len);
        self.save_len();
        let gone = self.0.len - len;
        self.0.len = len;
        // SAFETY: the entries have values, and are no longer among the first `len`. Without drop glue they stay
        // unchanged.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.0.entries.add(len), gone)) };
    }

    /// Keeps only the entries for which `keep` returns true.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let mut kept = 0;
        self.0.field.assert_all_known();
        let entries = self.entries_mut();
        for at in 0..entries.len() {
            let (key, value) = &mut entries[at];
            if keep(key, value) {
                entries.swap(kept, at);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Removes and returns the entries from a position on.
    pub(crate) fn split_off(&mut self, at: usize) -> Self {
        self.0.field.assert_all_known();
        let mut taken = Sorted::new();
        let count = self.0.len - at;
        if count == 0 {
            return taken;
        }
        self.save_from(at);
        self.save_len();
        taken.0.save();
        let entries = DataHandle::<SortedHeader<K, V>>::take::<(K, V)>(count).as_ptr();
        // SAFETY: the entries move to the new place, which is large enough, and are no longer among the first `len`
        // here.
        unsafe { ptr::copy_nonoverlapping(self.0.entries.add(at), entries, count) };
        self.0.len = at;
        (taken.0.entries, taken.0.len, taken.0.room) = (entries, count, count);
        taken
    }
}

impl<K: Clone, V: Clone> Sorted<K, V> {
    /// Copies the entries to a new container.
    pub(crate) fn duplicate(&self) -> Self {
        let mut copy = Sorted::new();
        let entries = if self.0.field.keys().is_some() { self.iter() } else { Entries::Own(self.entries().iter()) };
        for (at, (key, value)) in entries.map(EntryRef::pair).enumerate() {
            copy.insert_at(at, key.clone(), value.clone());
        }
        self.0.field.ghosts().inspect(|ghosts| copy.haunt(**ghosts));
        copy
    }
}

impl<K: Ord, V> Sorted<K, V> {
    /// Returns the entry of a key. In a field, this reads only the presence of this key; a key outside the domain is
    /// absent.
    #[inline]
    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<EntryRef<'_, K, V>>
    where
        K: Borrow<Q>,
    {
        if let Some(keys) = self.0.field.keys() {
            let entry = &keys[keys.binary_search_by(|entry| entry.key().borrow().cmp(key)).ok()?];
            return entry.is_present().then_some(EntryRef::Field(entry));
        }
        self.find(key).ok().map(|at| EntryRef::Own(&self.entries()[at]))
    }

    /// Returns an iterator over the existing entries whose keys are in a range.
    #[track_caller]
    pub(crate) fn range<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, range: &R) -> Entries<'_, K, V>
    where
        K: Borrow<Q>,
    {
        match self.0.field.all_keys() {
            Some(keys) => Entries::Field(keys[span(keys, FieldEntry::key, range)].iter()),
            None => Entries::Own(self.entries()[self.span(range)].iter()),
        }
    }

    /// Returns the position of a key among the predicate's own entries, or where it would be inserted.
    #[inline]
    pub(crate) fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries().binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// Returns the positions of the keys in a range, among the predicate's own entries.
    #[track_caller]
    pub(crate) fn span<Q: Ord + ?Sized, R: RangeBounds<Q>>(&self, range: &R) -> Range<usize>
    where
        K: Borrow<Q>,
    {
        span(self.entries(), |(key, _)| key, range)
    }
}

/// Returns the positions of the keys in a range, among entries in key order.
#[track_caller]
fn span<E, K, Q, R>(entries: &[E], key_of: impl Fn(&E) -> &K, range: &R) -> Range<usize>
where
    K: Borrow<Q>,
    Q: Ord + ?Sized,
    R: RangeBounds<Q>,
{
    use Bound::{Excluded, Included, Unbounded};
    let bounds = (range.start_bound(), range.end_bound());
    if let (Included(start) | Excluded(start), Included(end) | Excluded(end)) = bounds {
        match start.cmp(end) {
            Ordering::Less => {}
            Ordering::Equal => {
                let empty = matches!(bounds, (Excluded(_), Excluded(_)));
                assert!(!empty, "range start and end are equal and excluded in a BTreeMap or a BTreeSet");
            }
            Ordering::Greater => panic!("range start is greater than range end in a BTreeMap or a BTreeSet"),
        }
    }
    let before = |holds: &dyn Fn(&Q) -> bool| entries.partition_point(|entry| holds(key_of(entry).borrow()));
    let start = match bounds.0 {
        Included(start) => before(&|key| key < start),
        Excluded(start) => before(&|key| key <= start),
        Unbounded => 0,
    };
    let end = match bounds.1 {
        Included(end) => before(&|key| key <= end),
        Excluded(end) => before(&|key| key < end),
        Unbounded => entries.len(),
    };
    start..end
}
