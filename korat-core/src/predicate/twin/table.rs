//! The storage of `HashSet` and `HashMap`: the keys of a field, or entries owned by the predicate in insertion order
//! with an open-addressing table of their positions. An insertion is undone in one step; all other changes are saved
//! first.
//!
//! # Safety argument
//! The header, the entries and the cells of a table owned by the predicate lie in the workspace's memory, at addresses
//! that the memory handed out (`undo/data_handle`). There is room for `room` entries, of which the first `len` have values.
//! There are `mask + 1` cells, followed by as many cell numbers as there is room for entries; a number in a cell is
//! that of an entry. Every index is below these limits, or masked. References to entries are derived from their
//! address, which is not part of the header, and last for one method or as long as the table is borrowed; logged
//! addresses are the memory's own. When the table grows, entries are copied bit by bit, and the old ones are not used
//! again unless the old header is restored. An entry with drop glue is dropped or moved out once, and `len` stops
//! counting it before that.

use std::borrow::Borrow;
use std::hash::Hash;
use std::mem::MaybeUninit;
use std::sync::atomic::AtomicU32;
use std::{ptr, slice};

use super::keyed::{Entries, EntryRef, FieldEntry, FieldKeys};
use super::probe_sequence::ProbeSequence;
use super::table_entries::IntoTableEntries;
use crate::predicate::undo::data_handle::{ContainerData, DataHandle};
use crate::predicate::undo::log::Words;

/// A handle to a table of keys and values.
pub(crate) struct Table<K, V>(pub(crate) DataHandle<TableHeader<K, V>>);

impl<K, V> Clone for Table<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Table<K, V> {}

/// The header of a table.
///
/// The number of cells is a power of two: four times the capacity, twice the capacity of a large table (see `FEW`), or
/// one if there is no capacity yet. A cell holds the number of an entry, counted from one, or zero if it is empty. Few
/// cells are taken, so the search for a new key seldom meets another one. Behind the cells follows, for each entry, the
/// number of the cell that it is in.
pub(crate) struct TableHeader<K, V> {
    pub(crate) entries: *mut (K, V),
    pub(crate) len: usize,
    cells: *mut u32,
    mask: usize,
    /// Capacity in entries.
    room: usize,
    pub(crate) field: FieldKeys<K, V>,
    /// The epoch in which all entries were last saved.
    saved: u64,
    /// The epoch in which an insertion was last logged; zero after a removal. Undoing that insertion also undoes all
    /// later ones.
    logged: u64,
}

/// Initial capacity.
const FIRST: usize = 16;
/// Largest capacity with four cells per entry. A larger table has two, since more of them would leave the cache.
const FEW: usize = 4096;

/// Returns the number of cells for a capacity.
fn cells_for(room: usize) -> usize {
    if room > FEW { 2 * room } else { 4 * room }
}

impl<K, V> ContainerData for TableHeader<K, V> {
    type Held = (K, V);

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` entries have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.entries, len)) };
    }
}

/// The position of a key's entry, or the cell where the key would go.
#[derive(Clone, Copy)]
pub(crate) enum Lookup {
    At(usize),
    Free(usize),
}

impl<K, V> TableHeader<K, V> {
    #[inline]
    /// Creates the header of a field with these keys.
    pub(crate) fn of_field(keys: &'static [FieldEntry<K, V>]) -> Self
    where
        K: 'static,
        V: 'static,
    {
        TableHeader::empty(FieldKeys::of(keys))
    }

    fn empty(field: FieldKeys<K, V>) -> Self {
        // The only cell is empty and never written, because there is room for no entry.
        static NO_CELLS: AtomicU32 = AtomicU32::new(0);
        let cells = NO_CELLS.as_ptr();
        TableHeader { entries: ptr::dangling_mut(), len: 0, cells, mask: 0, room: 0, field, saved: 0, logged: 0 }
    }
}

impl<K, V> TableHeader<K, V> {
    /// Returns the place that stores which cell an entry is in.
    ///
    /// # Safety
    /// There must be room for the entry.
    #[inline(always)]
    unsafe fn cell_of(&self, at: usize) -> *mut u32 {
        // SAFETY: behind the cells there are as many of these places as there is room for entries.
        unsafe { self.cells.add(self.mask + 1 + at) }
    }

    /// Puts the number of an entry into a cell.
    ///
    /// # Safety
    /// There must be room for the entry, and the cell must be an empty one of the table.
    #[inline(always)]
    unsafe fn fill(&mut self, cell: usize, at: usize) {
        // SAFETY: the caller promises that there is room for the entry, and that the cell is one of the table's.
        unsafe {
            // `make_room` limits the number of entries, so this does not overflow.
            *self.cells.add(cell) = (at + 1) as u32;
            *self.cell_of(at) = cell as u32;
        }
    }

    /// Removes all entries but the first `left` from the cells, and forgets them.
    ///
    /// # Safety
    /// Nothing else may have been removed since they were inserted.
    unsafe fn take_out(&mut self, left: usize) {
        while self.len > left {
            self.len -= 1;
            // SAFETY: the entry was there. Its cell was empty when it was inserted, so it can be empty again.
            unsafe { *self.cells.add(*self.cell_of(self.len) as usize) = 0 };
        }
    }
}

impl<K, V> Table<K, V> {
    #[inline]
    pub(crate) fn new() -> Self {
        Table(DataHandle::new(TableHeader::empty(FieldKeys::NONE)))
    }

    /// Returns the table of a field.
    pub(crate) fn of_field(data: &'static TableHeader<K, V>) -> Self {
        Table(DataHandle::at(data))
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        if self.0.field.is_none() { self.0.len } else { self.len_with_ghosts() }
    }

    /// Returns an iterator over the existing entries, in insertion order; those of a field in the order of the domain.
    #[inline]
    pub(crate) fn iter(&self) -> Entries<'_, K, V> {
        match self.0.field.all_keys() {
            Some(keys) => Entries::Field(keys.iter()),
            None => Entries::Own(self.entries().iter()),
        }
    }

    /// Returns the number of entries that fit before it grows.
    pub(crate) fn room(&self) -> usize {
        self.0.room.max(self.len())
    }

    /// Returns the predicate's own entries, in insertion order.
    #[inline]
    pub(crate) fn entries(&self) -> &[(K, V)] {
        // SAFETY: the first `len` entries have values, at an address that remains valid.
        unsafe { slice::from_raw_parts(self.0.entries, self.0.len) }
    }

    /// Saves all entries owned by the predicate, and returns them so that their values can change.
    pub(crate) fn entries_mut(&mut self) -> &mut [(K, V)] {
        self.0.field.assert_none();
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the entries have values, and lie in the workspace with their header.
            unsafe {
                work.save_all(self.0.entries, self.0.len);
                work.save(&raw mut (*self.0.data()).saved);
            }
            self.0.saved = work.epoch();
        }
        // SAFETY: the first `len` entries have values, and belong only to this table.
        unsafe { slice::from_raw_parts_mut(self.0.entries, self.0.len) }
    }

    /// Saves the entry at a position, and returns it so that its value can change.
    pub(crate) fn entry_mut(&mut self, at: usize) -> &mut (K, V) {
        assert!(at < self.0.len, "[korat internal bug] no entry at this position");
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the entry has a value, and lies in the workspace.
            unsafe { work.save(self.0.entries.add(at)) };
        }
        // SAFETY: the entry has a value, belongs only to this table, and is borrowed with it.
        unsafe { &mut *self.0.entries.add(at) }
    }

    /// Removes all entries, and returns an iterator over them. They lie in older memory than their new table, so
    /// changes to them would not be undone; the iterator never changes entries that could be restored.
    pub(crate) fn take_all(&mut self) -> IntoTableEntries<K, V> {
        self.0.field.assert_all_known();
        let mut taken = Table::new();
        taken.0.save();
        self.0.save();
        std::mem::swap(&mut *self.0, &mut *taken.0);
        IntoTableEntries::of(taken)
    }
}

impl<K: Hash + Eq, V> Table<K, V> {
    /// Returns the entry of a key. In a field, this reads only the presence of this key; a key outside the domain is
    /// absent.
    #[inline]
    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<EntryRef<'_, K, V>>
    where
        K: Borrow<Q>,
    {
        if let Some(keys) = self.0.field.keys() {
            let entry = keys.iter().find(|entry| entry.key().borrow() == key)?;
            return entry.is_present().then_some(EntryRef::Field(entry));
        }
        match self.find(key) {
            Lookup::At(position) => Some(EntryRef::Own(&self.entries()[position])),
            Lookup::Free(_) => None,
        }
    }

    /// Returns the position of a key among the predicate's own entries, or the cell where it would go.
    #[inline(always)]
    pub(crate) fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Lookup
    where
        K: Borrow<Q>,
    {
        let header = &*self.0;
        let probe = ProbeSequence::of(key);
        let mut cell = probe.first(header.mask);
        loop {
            // SAFETY: the cell is within the mask, so it is one of the table's; a number in it is that of an entry.
            unsafe {
                let Some(position) = (*header.cells.add(cell) as usize).checked_sub(1) else {
                    return Lookup::Free(cell);
                };
                if (*header.entries.add(position)).0.borrow() == key {
                    return Lookup::At(position);
                }
                cell = probe.after(cell, header.mask);
            }
        }
    }

    /// Inserts an entry for a key that is not present, in the cell that `find` returned. Returns its position.
    #[inline(always)]
    pub(crate) fn insert_at(&mut self, cell: usize, key: K, value: V) -> usize {
        unsafe fn uninsert<K, V>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a table that had this many entries, and to which some were added.
            unsafe { (*target.cast::<TableHeader<K, V>>()).take_out(words[0].assume_init() as usize) };
        }
        let at = self.0.len;
        let cell = if at == self.0.room { self.make_room(at + 1, Some(&key)) } else { cell };
        let words = [MaybeUninit::new(at as u64), MaybeUninit::uninit()];
        // SAFETY: `uninsert` reverts this insertion and all later ones.
        if let Some(now) = unsafe { self.0.note_first(self.0.logged, uninsert::<K, V>, words) } {
            self.0.logged = now;
        }
        let header = &mut *self.0;
        // SAFETY: there is room for the entry, and the cell is an empty one of the table.
        unsafe {
            header.entries.add(at).write((key, value));
            header.fill(cell, at);
        }
        header.len = at + 1;
        at
    }

    /// Grows to room for at least `room` entries. Returns the cell for `key`, which must not be present.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, room: usize, key: Option<&K>) -> usize {
        self.0.field.assert_none();
        let (len, old) = (self.0.len, self.0.entries);
        let room = room.max(2 * self.0.room).max(FIRST).next_power_of_two();
        assert!(room < u32::MAX as usize / 2, "a set or a map of rep_ok has less than 2^30 entries");
        if let Some(work) = self.0.save() {
            // The old cells return with the old header, and are never written again.
            self.0.logged = work.epoch();
        }
        let count = cells_for(room);
        let entries = DataHandle::<TableHeader<K, V>>::take::<(K, V)>(room).as_ptr();
        let cells = DataHandle::<TableHeader<K, V>>::take::<u32>(count + room).as_ptr();
        // SAFETY: the new places are large enough and do not overlap the old ones, which are not used again unless the
        // old header is restored.
        unsafe {
            ptr::copy_nonoverlapping(old, entries, len);
            cells.write_bytes(0, count);
        }
        (self.0.entries, self.0.cells, self.0.mask, self.0.room) = (entries, cells, count - 1, room);
        self.fill_cells();
        match key.map(|key| self.find(key)) {
            Some(Lookup::Free(cell)) => cell,
            Some(Lookup::At(_)) | None => 0,
        }
    }

    /// Puts the numbers of all entries into the cells, which must be empty.
    fn fill_cells(&mut self) {
        for position in 0..self.0.len {
            // SAFETY: the position is that of an entry; cells are within the mask.
            unsafe {
                let probe = ProbeSequence::of(&(*self.0.entries.add(position)).0);
                let mut cell = probe.first(self.0.mask);
                while *self.0.cells.add(cell) != 0 {
                    cell = probe.after(cell, self.0.mask);
                }
                self.0.fill(cell, position);
            }
        }
    }

    /// Removes and returns the entry at a position.
    pub(crate) fn remove_at(&mut self, at: usize) -> (K, V) {
        let last = self.0.len - 1;
        if at == last {
            return self.remove_last();
        }
        self.entries_mut()[at..].rotate_left(1);
        if let Some(work) = self.0.log() {
            // SAFETY: the length and the cells lie in the workspace.
            unsafe {
                work.save(&raw mut (*self.0.data()).len);
                work.save_all(self.0.cells, self.0.mask + 1 + self.0.len);
            }
        }
        (self.0.len, self.0.logged) = (last, 0);
        // SAFETY: there are that many cells.
        unsafe { self.0.cells.write_bytes(0, self.0.mask + 1) };
        self.fill_cells();
        // SAFETY: the entry was moved behind the others, has a value, and is no longer among the first `len`.
        unsafe { self.0.entries.add(last).read() }
    }

    /// Removes and returns the entry that was inserted last. Its cell was empty when all others were inserted, so it
    /// can be empty again.
    fn remove_last(&mut self) -> (K, V) {
        let last = self.0.len - 1;
        // SAFETY: the entry has a value, and its number is in its cell.
        unsafe {
            let entry = self.0.entries.add(last);
            let cell = self.0.cells.add(*self.0.cell_of(last) as usize);
            if let Some(work) = self.0.log() {
                work.save(cell);
                work.save(entry);
                work.save(&raw mut (*self.0.data()).len);
                work.save(self.0.cell_of(last));
            }
            *cell = 0;
            (self.0.len, self.0.logged) = (last, 0);
            entry.read()
        }
    }
}
