//! What `HashSet` and `HashMap` are made of: the keys of a field, or entries of the predicate's own in the order of their
//! insertion, beside them an open-addressing table of where they are. The entry inserted last is taken back in one step; all
//! else that changes is saved first.
//!
//! # Why it is sound
//! The header, the entries and the cells of a table of the predicate's own lie in the workspace's memory, at addresses that it gave
//! (`undo/kept`). There is room for `room` entries, of which the first `len` have values; there are `mask + 1` cells, and as many numbers behind
//! them as there is room for entries; a number in a cell is that of an entry. What is asked for is below these, or masked. References to
//! entries are made from their address, which is no part of the header, and last for one method or as long as the table is borrowed;
//! the addresses that are logged are the memory's own. When more room is made, entries are copied bit by bit, and the old ones are not
//! used again unless the old header comes back. With drop glue each entry is dropped or moved out once, and `len` no longer
//! counts it before that happens.

use std::borrow::Borrow;
use std::hash::Hash;
use std::mem::{MaybeUninit, needs_drop};
use std::sync::atomic::AtomicU32;
use std::{ptr, slice};

use super::keyed::{Entries, Entry, Field, FieldEntry};
use super::spot::Spot;
use crate::plan::SlotMaker;
use crate::undo::{Data, Kept, Words};

/// A handle to entries of keys and values.
pub(crate) struct Table<K, V>(Kept<Header<K, V>>);

impl<K, V> Clone for Table<K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Table<K, V> {}

/// The number of cells is a power of two and, where there is an entry, four times the number of entries that there is room for, or twice
/// that where there are many. A cell holds the number of an entry, counted from one; zero is empty. Few cells are taken, so that a search
/// for a new key seldom meets another. Behind the cells stands, for each entry, in which of them its number is.
struct Header<K, V> {
    entries: *mut (K, V),
    len: usize,
    cells: *mut u32,
    mask: usize,
    /// How many entries there is room for.
    room: usize,
    field: Field<K, V>,
    /// When all entries were saved last.
    saved: u64,
    /// When an insertion was logged last, with nothing removed since: with it, all that follow are taken back.
    logged: u64,
}

/// Entries that there is room for in the beginning.
const FIRST: usize = 16;
/// With room for more there are fewer cells for each, which would leave the cache.
const FEW: usize = 4096;

/// How many cells there are where there is room for so many entries.
fn cells_for(room: usize) -> usize {
    if room > FEW { 2 * room } else { 4 * room }
}

impl<K, V> Data for Header<K, V> {
    type Held = (K, V);

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` entries have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.entries, len)) };
    }
}

/// Where a key is, or in which cell it would go.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    At(usize),
    Free(usize),
}

impl<K, V> Header<K, V> {
    /// No entries of the predicate's own.
    #[inline]
    fn empty(field: Field<K, V>) -> Self {
        // The one cell is empty, and never written: there is room for nothing.
        static NO_CELLS: AtomicU32 = AtomicU32::new(0);
        let cells = NO_CELLS.as_ptr();
        Header { entries: ptr::dangling_mut(), len: 0, cells, mask: 0, room: 0, field, saved: 0, logged: 0 }
    }
}

impl<K, V> Header<K, V> {
    /// Where it says in which cell the number of an entry is.
    ///
    /// # Safety
    /// There must be room for the entry.
    #[inline(always)]
    unsafe fn cell_of(&self, at: usize) -> *mut u32 {
        // SAFETY: there are as many of them behind the cells as there is room for entries.
        unsafe { self.cells.add(self.mask + 1 + at) }
    }

    /// Puts the number of an entry into a cell.
    ///
    /// # Safety
    /// There must be room for the entry, and the cell be one of the table's, and empty.
    #[inline(always)]
    unsafe fn fill(&mut self, cell: usize, at: usize) {
        // SAFETY: the caller promises that there is room for the entry, and that the cell is one of the table's.
        unsafe {
            // There is no room for more than fit.
            *self.cells.add(cell) = (at + 1) as u32;
            *self.cell_of(at) = cell as u32;
        }
    }

    /// Takes the last entries out of the cells, and forgets them.
    ///
    /// # Safety
    /// Nothing else may have been removed since they were inserted.
    unsafe fn take_out(&mut self, left: usize) {
        while self.len > left {
            self.len -= 1;
            // SAFETY: the entry was there; its cell was empty when it was inserted, so that it can be empty again.
            unsafe { *self.cells.add(*self.cell_of(self.len) as usize) = 0 };
        }
    }
}

impl<K, V> Table<K, V> {
    #[inline]
    pub(crate) fn new() -> Self {
        Table(Kept::new(Header::empty(Field::NONE)))
    }

    /// The one of a field with these keys.
    pub(crate) fn of_field(keys: &'static [FieldEntry<K, V>], slots: &mut SlotMaker<'_>) -> Self
    where
        Self: 'static,
    {
        Table(Kept::at(slots.keep(Header::empty(Field::of(keys)))))
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        if self.0.field.keys().is_some() { self.iter().count() } else { self.0.len }
    }

    /// The entries that are there, in the order of their insertion; those of a field in the order of the domain.
    #[inline]
    pub(crate) fn iter(&self) -> Entries<'_, K, V> {
        match self.0.field.keys() {
            Some(keys) => Entries::Field(keys.iter()),
            None => Entries::Own(self.entries().iter()),
        }
    }

    /// How many entries fit before more room is made.
    pub(crate) fn room(&self) -> usize {
        self.0.room.max(self.len())
    }

    /// The predicate's own entries in the order of their insertion.
    #[inline]
    pub(crate) fn entries(&self) -> &[(K, V)] {
        // SAFETY: the first `len` entries have values, at an address that stays theirs.
        unsafe { slice::from_raw_parts(self.0.entries, self.0.len) }
    }

    /// The same, to change values; saved.
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
        // SAFETY: the first `len` entries have values, and belong to this table alone.
        unsafe { slice::from_raw_parts_mut(self.0.entries, self.0.len) }
    }

    /// The entry at a position, to change its value; saved.
    pub(crate) fn entry_mut(&mut self, at: usize) -> &mut (K, V) {
        assert!(at < self.0.len, "[korat internal bug] no entry at this position");
        if let Some(work) = self.0.log()
            && self.0.saved != work.epoch()
        {
            // SAFETY: the entry has a value, and lies in the workspace.
            unsafe { work.save(self.0.entries.add(at)) };
        }
        // SAFETY: the entry has a value, and is borrowed with the table, which alone has it.
        unsafe { &mut *self.0.entries.add(at) }
    }

    /// Takes all entries. They are in older memory than their new table, so that its changes would not be undone; as they are
    /// given, nobody makes any.
    pub(crate) fn take_all(&mut self) -> IntoEntries<K, V> {
        self.0.field.assert_none();
        let mut taken = Table::new();
        taken.0.save();
        self.0.save();
        std::mem::swap(&mut *self.0, &mut *taken.0);
        IntoEntries::of(taken)
    }
}

impl<K: Hash + Eq, V> Table<K, V> {
    /// The entry of a key. Of a field, only whether this key is there is decided; one that the domain has not is not there.
    #[inline]
    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<Entry<'_, K, V>>
    where
        K: Borrow<Q>,
    {
        if let Some(keys) = self.0.field.keys() {
            let entry = keys.iter().find(|entry| entry.key().borrow() == key)?;
            return entry.is_present().then_some(Entry::Field(entry));
        }
        match self.find(key) {
            Place::At(position) => Some(Entry::Own(&self.entries()[position])),
            Place::Free(_) => None,
        }
    }

    /// Where a key of the predicate's own is.
    #[inline(always)]
    pub(crate) fn find<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Place
    where
        K: Borrow<Q>,
    {
        let header = &*self.0;
        let spot = Spot::of(key);
        let mut cell = spot.first(header.mask);
        loop {
            // SAFETY: the cell is within the mask, so it is one of the table's; a number in it is that of an entry.
            unsafe {
                let Some(position) = (*header.cells.add(cell) as usize).checked_sub(1) else {
                    return Place::Free(cell);
                };
                if (*header.entries.add(position)).0.borrow() == key {
                    return Place::At(position);
                }
                cell = spot.after(cell, header.mask);
            }
        }
    }

    /// Adds an entry whose key is not there, in the cell that `find` gave. Gives its position.
    #[inline(always)]
    pub(crate) fn insert_at(&mut self, cell: usize, key: K, value: V) -> usize {
        unsafe fn uninsert<K, V>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a table that had so many entries, and to which some were added.
            unsafe { (*target.cast::<Header<K, V>>()).take_out(words[0].assume_init() as usize) };
        }
        let at = self.0.len;
        let cell = if at == self.0.room { self.make_room(at + 1, Some(&key)) } else { cell };
        let words = [MaybeUninit::new(at as u64), MaybeUninit::uninit()];
        // SAFETY: takes the insertion back, and those after it.
        if let Some(now) = unsafe { self.0.note_first(self.0.logged, uninsert::<K, V>, words) } {
            self.0.logged = now;
        }
        let header = &mut *self.0;
        // SAFETY: there is room for the entry, and the cell is one of the table's, and empty.
        unsafe {
            header.entries.add(at).write((key, value));
            header.fill(cell, at);
        }
        header.len = at + 1;
        at
    }

    /// Makes room for `room` entries in all. Gives the cell for a key that is not there.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, room: usize, key: Option<&K>) -> usize {
        self.0.field.assert_none();
        let (len, old) = (self.0.len, self.0.entries);
        let room = room.max(2 * self.0.room).max(FIRST).next_power_of_two();
        assert!(room < u32::MAX as usize / 2, "a set or a map of rep_ok has less than 2^30 entries");
        if let Some(work) = self.0.save() {
            // The old cells come back with the header, and nothing is put there any more.
            self.0.logged = work.epoch();
        }
        let count = cells_for(room);
        let entries = Kept::<Header<K, V>>::take::<(K, V)>(room).as_ptr();
        let cells = Kept::<Header<K, V>>::take::<u32>(count + room).as_ptr();
        // SAFETY: the new places are as large as needed and apart from the old ones, which are not used again unless the old
        // header comes back.
        unsafe {
            ptr::copy_nonoverlapping(old, entries, len);
            cells.write_bytes(0, count);
        }
        (self.0.entries, self.0.cells, self.0.mask, self.0.room) = (entries, cells, count - 1, room);
        self.fill_cells();
        match key.map(|key| self.find(key)) {
            Some(Place::Free(cell)) => cell,
            Some(Place::At(_)) | None => 0,
        }
    }

    /// Puts the numbers of all entries into the cells, which are empty.
    fn fill_cells(&mut self) {
        for position in 0..self.0.len {
            // SAFETY: the position is that of an entry; cells are within the mask.
            unsafe {
                let spot = Spot::of(&(*self.0.entries.add(position)).0);
                let mut cell = spot.first(self.0.mask);
                while *self.0.cells.add(cell) != 0 {
                    cell = spot.after(cell, self.0.mask);
                }
                self.0.fill(cell, position);
            }
        }
    }

    /// Takes the entry at a position.
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

    /// Takes the entry that was inserted after all others: its cell was empty when they were inserted, so that it can be empty
    /// again.
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

/// The entries by value, in the order of their insertion.
pub struct IntoEntries<K, V> {
    table: Table<K, V>,
    front: usize,
}

impl<K, V> IntoEntries<K, V> {
    pub(crate) fn of(table: Table<K, V>) -> Self {
        table.0.field.assert_none();
        IntoEntries { table, front: 0 }
    }
}

impl<K, V> Iterator for IntoEntries<K, V> {
    type Item = (K, V);
    fn next(&mut self) -> Option<(K, V)> {
        let header = &mut *self.table.0;
        if self.front >= header.len {
            return None;
        }
        // SAFETY: the entry has a value. With drop glue, those after it take its place, and there is one less to be dropped;
        // without, it may be had twice.
        unsafe {
            let entry = header.entries.add(self.front).read();
            if needs_drop::<(K, V)>() {
                ptr::copy(
                    header.entries.add(self.front + 1),
                    header.entries.add(self.front),
                    header.len - self.front - 1,
                );
                header.len -= 1;
            } else {
                self.front += 1;
            }
            Some(entry)
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.table.len() - self.front;
        (left, Some(left))
    }
}

impl<K, V> ExactSizeIterator for IntoEntries<K, V> {}
