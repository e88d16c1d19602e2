//! What `HashSet` and `HashMap` are made of: the keys of a field, or entries of the predicate's own in the order of their
//! insertion, beside them an open-addressing table of where they are. The entry inserted last is taken back in one step; all
//! else that changes is saved first.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::mem::needs_drop;
use std::sync::atomic::AtomicPtr;
use std::{ptr, slice};

use rustc_hash::FxHasher;

use super::keyed::{Entries, Entry, Field, FieldEntry};
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

/// The number of cells is a power of two and, where there is an entry, at least four times the number of entries. A cell holds the
/// address of an entry; null is empty. Few cells are taken, so that a search for a new key seldom meets another.
struct Header<K, V> {
    entries: *mut (K, V),
    len: usize,
    cells: *mut *mut (K, V),
    mask: usize,
    field: Field<K, V>,
    /// When all entries were saved last.
    saved: u64,
}

impl<K, V> Header<K, V> {
    /// How many entries there is room for.
    fn room(&self) -> usize {
        (self.mask + 1) / SPARE
    }

    /// The position of an entry.
    #[inline(always)]
    fn position(&self, entry: *const (K, V)) -> usize {
        if size_of::<(K, V)>() == 0 {
            // All entries are equal, so that there is one.
            return 0;
        }
        // SAFETY: the entry is one of the table's.
        unsafe { entry.offset_from_unsigned(self.entries) }
    }
}

/// Cells per entry.
const SPARE: usize = 4;
/// Entries that there is room for in the beginning.
const FIRST: usize = 16;

impl<K, V> Data for Header<K, V> {
    const OWNS: bool = needs_drop::<(K, V)>();

    fn drop_all(&mut self) {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` entries have values, and are forgotten here.
        unsafe { ptr::drop_in_place(ptr::slice_from_raw_parts_mut(self.entries, len)) };
    }
}

/// The same in every process: the order of a search must not depend on chance.
#[inline(always)]
fn hash_of<Q: Hash + ?Sized>(key: &Q) -> usize {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish() as usize
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
        static NO_CELLS: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
        let cells = NO_CELLS.as_ptr().cast();
        Header { entries: ptr::dangling_mut(), len: 0, cells, mask: 0, field, saved: 0 }
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
        self.0.room().max(self.len())
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
                work.save(&raw mut self.0.saved);
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
        // SAFETY: as in `entries_mut`.
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
        let mut cell = hash_of(key) & header.mask;
        loop {
            // SAFETY: the cell is within the mask, so it is one of the table's; an address in it is that of an entry.
            unsafe {
                let entry = *header.cells.add(cell);
                if entry.is_null() {
                    return Place::Free(cell);
                }
                if (*entry).0.borrow() == key {
                    return Place::At(header.position(entry));
                }
                cell = (cell + 1) & header.mask;
            }
        }
    }

    /// Adds an entry whose key is not there, in the cell that `find` gave. Gives its position.
    #[inline(always)]
    pub(crate) fn insert_at(&mut self, cell: usize, key: K, value: V) -> usize {
        unsafe fn uninsert<K, V>(target: *mut (), words: Words) {
            // SAFETY: the target is the header of a table whose last entry was put into the cell that the word names.
            unsafe {
                let header = &mut *target.cast::<Header<K, V>>();
                header.len -= 1;
                *header.cells.add(words[0].assume_init() as usize) = ptr::null_mut();
            }
        }
        let at = self.0.len;
        let cell = if at == self.0.room() { self.make_room(at + 1, Some(&key)) } else { cell };
        let header = &mut *self.0;
        // SAFETY: there is room for the entry, and the cell is one of the table's, and empty.
        unsafe {
            let entry = header.entries.add(at);
            entry.write((key, value));
            *header.cells.add(cell) = entry;
        }
        header.len = at + 1;
        // SAFETY: takes the insertion back.
        unsafe { self.0.note(uninsert::<K, V>, cell as u64) };
        at
    }

    /// Makes room for `room` entries in all. Gives the cell for a key that is not there.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, room: usize, key: Option<&K>) -> usize {
        self.0.field.assert_none();
        let (len, old) = (self.0.len, self.0.entries);
        let room = room.max(2 * self.0.room()).max(FIRST).next_power_of_two();
        self.0.save();
        let entries = Kept::<Header<K, V>>::take::<(K, V)>(room).as_ptr();
        let cells = Kept::<Header<K, V>>::take::<*mut (K, V)>(room * SPARE).as_ptr();
        // SAFETY: the new places are as large as needed and apart from the old ones, which are not used again unless the old
        // header comes back.
        unsafe {
            ptr::copy_nonoverlapping(old, entries, len);
            cells.write_bytes(0, room * SPARE);
        }
        (self.0.entries, self.0.cells, self.0.mask) = (entries, cells, room * SPARE - 1);
        self.fill_cells();
        match key.map(|key| self.find(key)) {
            Some(Place::Free(cell)) => cell,
            Some(Place::At(_)) | None => 0,
        }
    }

    /// Puts the addresses of all entries into the cells, which are empty.
    fn fill_cells(&mut self) {
        for position in 0..self.0.len {
            // SAFETY: the position is that of an entry; cells are within the mask.
            unsafe {
                let entry = self.0.entries.add(position);
                let mut cell = hash_of(&(*entry).0) & self.0.mask;
                while !(*self.0.cells.add(cell)).is_null() {
                    cell = (cell + 1) & self.0.mask;
                }
                *self.0.cells.add(cell) = entry;
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
                work.save(&raw mut self.0.len);
                work.save_all(self.0.cells, self.0.mask + 1);
            }
        }
        self.0.len = last;
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
        // SAFETY: the entry has a value; its cell is found, because it is there.
        unsafe {
            let entry = self.0.entries.add(last);
            let mut cell = hash_of(&(*entry).0) & self.0.mask;
            while *self.0.cells.add(cell) != entry {
                cell = (cell + 1) & self.0.mask;
            }
            if let Some(work) = self.0.log() {
                work.save(self.0.cells.add(cell));
                work.save(entry);
                work.save(&raw mut self.0.len);
            }
            *self.0.cells.add(cell) = ptr::null_mut();
            self.0.len = last;
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
