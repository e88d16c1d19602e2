//! A slot: the cell behind one field of one object. Reading it is the only way a predicate learns anything, and its first
//! read is a choice point. Takes indices from the engine, gives references to values; decides nothing.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::ptr;

use crate::ambient;
use crate::engine::UNASSIGNED;
use crate::ids::{HeapId, SlotId};

/// One field of one object: unassigned, or a value of its domain.
///
/// The value lies in the slot itself, so that its address is the field's address: different fields of different objects have
/// different ones, as in the user's own value. It is a bitwise copy of the one in the domain, which owns it.
pub struct Slot<T> {
    /// The index of the value chosen in the running candidate; `UNASSIGNED` while no read has asked for it.
    index: Cell<u32>,
    /// The engine's name for this slot.
    id: SlotId,
    /// The heap it belongs to.
    heap: HeapId,
    /// How many values the domain has.
    len: u32,
    /// Every value of the field's domain; the engine chooses an index into it.
    values: *const T,
    /// The value, if there is an index. Never dropped: the domain owns it.
    value: UnsafeCell<MaybeUninit<T>>,
}

impl<T: 'static> Slot<T> {
    /// A slot over `values`, which must outlive it: both belong to one heap.
    pub(crate) fn new(heap: HeapId, id: SlotId, values: &'static [T]) -> Self {
        let len = u32::try_from(values.len()).expect("a domain has at most u32::MAX values");
        let value = UnsafeCell::new(MaybeUninit::uninit());
        Slot { index: Cell::new(UNASSIGNED), id, heap, len, values: values.as_ptr(), value }
    }
}

impl<T> Slot<T> {
    /// The value of this field in the running candidate; chooses it when nothing has read it before.
    #[inline(always)]
    pub fn __korat_read(&self) -> &T {
        if self.index.get() == UNASSIGNED {
            self.choose();
        }
        // SAFETY: there is an index, so `assign` has written the value. It is written again only between two runs of the
        // predicate, when nothing that a run has borrowed is left.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    #[inline(never)]
    fn choose(&self) {
        self.assign(ambient::choose(self.heap, self.id, self.eraser()));
    }

    /// Sets the value without asking the engine, which must hold the same index already.
    pub(crate) fn assign(&self, index: u32) {
        assert!(index < self.len, "[korat internal bug] index {index} in a domain of {} values", self.len);
        // SAFETY: `index` is within the list that `values` points to; the copy is read only, and never dropped.
        unsafe { ptr::copy_nonoverlapping(self.values.add(index as usize), self.value.get().cast(), 1) };
        self.index.set(index);
    }

    /// The index of the current value; the slot must be assigned.
    pub(crate) fn index(&self) -> u32 {
        assert!(self.index.get() != UNASSIGNED, "[korat internal bug] the index of an unassigned slot");
        self.index.get()
    }
}

impl<T> Deref for Slot<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.__korat_read()
    }
}

/// The engine's handle on a slot of any type: it can make the slot unassigned again and nothing else.
#[derive(Clone, Copy)]
pub struct Eraser(*const Cell<u32>);

impl Eraser {
    /// Makes the slot unassigned.
    ///
    /// # Safety
    /// The slot must still be alive. Slots live as long as the heap that holds them.
    #[inline]
    pub(crate) unsafe fn erase(self) {
        // SAFETY: the caller says that the slot is alive; cells of one thread are never written at the same time.
        unsafe { (*self.0).set(UNASSIGNED) }
    }
}

/// A slot whose type is forgotten, for walks over all slots of an object.
pub trait AnySlot {
    /// Whether its value is decided.
    fn is_assigned(&self) -> bool;
    /// Reads the slot, choosing its value when nothing has read it before.
    fn read(&self);
    /// The engine's name for the slot.
    fn id(&self) -> SlotId;
    /// Sets the value without asking the engine.
    fn set_index(&self, index: u32);
    /// The handle that makes it unassigned again.
    fn eraser(&self) -> Eraser;
}

impl<T> AnySlot for Slot<T> {
    fn is_assigned(&self) -> bool {
        self.index.get() != UNASSIGNED
    }
    fn read(&self) {
        let _ = self.__korat_read();
    }
    fn id(&self) -> SlotId {
        self.id
    }
    fn set_index(&self, index: u32) {
        self.assign(index);
    }
    fn eraser(&self) -> Eraser {
        Eraser(&raw const self.index)
    }
}

/// What a lifted predicate does at every `x.f`: a slot is read, anything else stays what it is. `Slot` answers with its
/// own method of the same name, which method lookup prefers.
pub trait Read {
    /// The value of the field, decided now if it was not.
    #[inline(always)]
    fn __korat_read(&self) -> &Self {
        self
    }
}

impl<T: ?Sized> Read for T {}

/// What a guard over a cell shows: the value of a slot, or an object itself.
pub trait Shown {
    /// The type a predicate sees.
    type Out: ?Sized;
    /// Reads the cell.
    fn shown(&self) -> &Self::Out;
}

impl<T> Shown for Slot<T> {
    type Out = T;
    #[inline]
    fn shown(&self) -> &T {
        self.__korat_read()
    }
}
