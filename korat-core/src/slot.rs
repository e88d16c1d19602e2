//! A slot: the cell behind one field of one object. Reading it is the only way a predicate learns anything, and its first
//! read is a choice point. Takes indices from the engine, gives references into the field's list of values; decides nothing.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr;

use crate::ambient;
use crate::ids::SlotId;

/// One field of one object: unassigned, or a pointer into the list of values the field may have.
///
/// The list never changes while the slot lives, so a reference read from a slot stays good when the slot is reassigned.
pub struct Slot<T> {
    /// The value chosen in the running candidate, in `values`; null while no read has asked for it. Untyped so that
    /// `Slot` is covariant, as the user's own types are.
    current: Cell<*const ()>,
    /// Every value of the field's domain; the engine chooses an index into it.
    values: *const T,
    /// How many there are.
    len: u32,
    /// The engine's name for this slot.
    id: SlotId,
    /// Slots hand out references to `T`.
    borrows: PhantomData<T>,
}

impl<T: 'static> Slot<T> {
    /// A slot over `values`, which must outlive it: both belong to one heap.
    pub(crate) fn new(id: SlotId, values: &'static [T]) -> Self {
        let len = u32::try_from(values.len()).expect("a domain has at most u32::MAX values");
        Slot { current: Cell::new(ptr::null()), values: values.as_ptr(), len, id, borrows: PhantomData }
    }
}

impl<T> Slot<T> {
    /// The value of this field in the running candidate; chooses it when nothing has read it before.
    #[inline(always)]
    pub fn __korat_read(&self) -> &T {
        let current = self.current.get();
        if current.is_null() {
            return self.choose();
        }
        // SAFETY: a non-null `current` was set by `assign` to an element of `values`, which outlives the slot and is
        // never written.
        unsafe { &*current.cast::<T>() }
    }

    #[inline(never)]
    fn choose(&self) -> &T {
        let index = ambient::choose(self.id, self.eraser());
        self.assign(index)
    }

    /// Sets the value without asking the engine, which must hold the same index already.
    pub(crate) fn assign(&self, index: u32) -> &T {
        assert!(index < self.len, "[korat internal bug] index {index} in a domain of {} values", self.len);
        // SAFETY: `index` is within the list that `values` points to.
        let value = unsafe { &*self.values.add(index as usize) };
        self.current.set(ptr::from_ref(value).cast());
        value
    }

    /// The index of the current value; the slot must be assigned.
    pub(crate) fn index(&self) -> u32 {
        let current = self.current.get();
        assert!(!current.is_null(), "[korat internal bug] the index of an unassigned slot");
        let bytes = current.addr() - self.values.addr();
        u32::try_from(bytes / size_of::<T>().max(1)).expect("[korat internal bug] a slot points outside its domain")
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
pub struct Eraser(*const Cell<*const ()>);

impl Eraser {
    /// Makes the slot unassigned.
    ///
    /// # Safety
    /// The slot must still be alive. Slots live as long as the heap that holds them.
    #[inline]
    pub(crate) unsafe fn erase(self) {
        // SAFETY: the caller says that the slot is alive; cells of one thread are never written at the same time.
        unsafe { (*self.0).set(ptr::null()) }
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
        !self.current.get().is_null()
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
        Eraser(&raw const self.current)
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
