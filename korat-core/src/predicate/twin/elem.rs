//! One element of a lifted vector or array: a slot if the vector is a field, a value if the predicate made it. A copy
//! of a field's element remains that slot, which is read only on access, and becomes a value when it is written.
//!
//! Objects of a class may lie in elements, too. If one vector holds all of them, as an arena does, its elements and the
//! objects lie together, and an element known to be the object beside it is reached without any other memory access.
//!
//! # Safety argument
//! Pointers in elements lead to slots, parts and cells that a heap keeps; heaps with objects are never freed, and their
//! contents change only in cells. An element owned by the predicate is an ordinary value. A place for an object
//! (`class`) is raw storage. An element is written there field by field, at the offsets of `ElemRepr`, which `repr(u64)`
//! fixes. Its tag is overwritten only while no predicate runs, and both tags that it may have denote the same content.
//! A value of a field is copied bit by bit only if it has no drop glue.

use std::mem::{MaybeUninit, needs_drop, offset_of};
use std::ptr;

use crate::memory::store_forwarding::read_recent;
use crate::predicate::undo::Workspace;
use crate::predicate::undo::bits::{copied, put_back_bytes};
use crate::predicate::undo::log::Words;
use crate::slots::slot::{ReadCell, Slot};

/// An element.
#[repr(transparent)]
pub struct Elem<T>(ElemRepr<T>);

/// The representation: the tag comes first, and variants with the same content have it at the same offset.
#[repr(u64)]
// Variants with an object are written in place, never constructed.
#[allow(dead_code)]
enum ElemRepr<T> {
    Own(T) = 0,
    /// The object that lies here.
    Object(WithObject<T>) = OBJECT,
    /// A slot of a heap, which is never freed.
    Field(*const Slot<T>) = 2,
    /// A part of a heap that is not a single slot.
    Part(*const Part<T>) = 3,
    /// A part of a heap that is not a single slot, with an object lying here that may be a different one.
    WithObject(WithObject<T>) = WITH_OBJECT,
}

const OBJECT: u64 = 1;
const WITH_OBJECT: u64 = 4;

/// An element and an object in one place.
#[repr(C)]
struct WithObject<T> {
    /// Uninitialized until the objects of the heap are made.
    object: MaybeUninit<T>,
    /// What the element refers to.
    part: *const Part<T>,
}

/// The memory layout of `ElemRepr` with this content.
#[repr(C)]
struct InMemory<C> {
    tag: u64,
    content: C,
}

type WithObjectInMemory<T> = InMemory<WithObject<T>>;

/// A part of the structure, and how a predicate sees it.
pub struct Part<T> {
    cell: *const (),
    look: unsafe fn(*const ()) -> *const T,
}

impl<T> Part<T> {
    /// Creates a part whose `look` shows the cell, which contains the value or leads to it.
    pub(crate) fn new<C: ReadCell<Out = T>>(cell: &'static C) -> Self {
        unsafe fn look<C: ReadCell<Out: Sized>>(cell: *const ()) -> *const C::Out {
            // SAFETY: `new` was given a cell of this type.
            unsafe { &*cell.cast::<C>() }.read_cell()
        }
        Part { cell: ptr::from_ref(cell).cast(), look: look::<C> }
    }
}

impl<T> ReadCell for Part<T> {
    type Out = T;
    fn read_cell(&self) -> &T {
        Elem::look(self)
    }
    fn is_decided(&self) -> bool {
        // The cell may be a slot.
        false
    }
}

/// Places for objects, which may also be elements.
impl<T> Elem<T> {
    /// Returns the address of the object in a place.
    pub(crate) fn object(place: *mut Self) -> *mut T {
        place.wrapping_byte_add(offset_of!(WithObjectInMemory<T>, content) + offset_of!(WithObject<T>, object)).cast()
    }

    /// Turns a place, with or without an object, into an element.
    ///
    /// # Safety
    /// The place must be valid.
    pub(crate) unsafe fn become_element(place: *mut Self, part: &'static Part<T>) {
        let place = place.cast::<WithObjectInMemory<T>>();
        // SAFETY: the caller promises the place; the representation of `ElemRepr` guarantees the offsets of `InMemory`.
        unsafe {
            (&raw mut (*place).tag).write(WITH_OBJECT);
            (&raw mut (*place).content.part).write(part);
        }
    }
}

/// Elements owned by the predicate.
impl<T> Elem<T> {
    /// Number of leading bytes that make up an element without an object beside it.
    pub(crate) const BYTES: usize = {
        let (own, other) = (size_of::<InMemory<T>>(), size_of::<InMemory<*const ()>>());
        if own > other { own } else { other }
    };

    /// Saves an element before a change, if changes are logged.
    ///
    /// # Safety
    /// The element must lie in the memory of the workspace, and `T` must have no drop glue.
    #[inline(always)]
    pub(crate) unsafe fn save(place: *mut Self, work: &Workspace) {
        unsafe fn restore<T>(target: *mut (), words: Words) {
            // SAFETY: the words hold the previous bytes of the target.
            unsafe { put_back_bytes(words, target.cast(), Elem::<T>::BYTES) };
        }
        if work.logs(place.cast()) {
            // SAFETY: the caller promises that the element lies in the workspace; without drop glue it is its bits.
            unsafe {
                let words = work.bytes_of(place, Self::BYTES);
                work.log(restore::<T>, place.cast(), words);
            }
        }
    }
}

/// An element of any type, which can be marked as the object that lies beside it.
pub(crate) struct ErasedElem(*mut u64);

impl ErasedElem {
    /// Wraps an element.
    ///
    /// # Safety
    /// The place must be valid, and must have become an element.
    pub(crate) unsafe fn new<T>(place: *mut Elem<T>) -> Self {
        ErasedElem(place.cast())
    }

    /// Marks the element as the object that lies beside it, or not.
    ///
    /// # Safety
    /// The place must still be valid, the object must exist, and no predicate may run.
    pub(crate) unsafe fn set_is_object(&self, is_object: bool) {
        // SAFETY: the tag comes first, and both variants have the same content; nothing looks at the element meanwhile.
        unsafe { self.0.write(if is_object { OBJECT } else { WITH_OBJECT }) };
    }
}

impl<T: 'static> Elem<T> {
    /// Creates an element that is a slot, which the heap keeps.
    pub(crate) fn field(slot: &'static Slot<T>) -> Self {
        Elem(ElemRepr::Field(slot))
    }

    /// Creates an element that is another part of the structure, which the heap keeps.
    pub(crate) fn part(part: &'static Part<T>) -> Self {
        Elem(ElemRepr::Part(part))
    }
}

impl<T> Elem<T> {
    /// Creates an element that is a value.
    #[inline(always)]
    pub(crate) fn own(value: T) -> Self {
        Elem(ElemRepr::Own(value))
    }

    /// Returns the value. If it is an unassigned slot, this makes its choice.
    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        match &self.0 {
            ElemRepr::Own(value) => value,
            // SAFETY: an element is marked as its object only once its object exists.
            ElemRepr::Object(element) => unsafe { element.object.assume_init_ref() },
            // SAFETY: `field` was given a slot that its heap keeps, and heaps are never freed.
            ElemRepr::Field(slot) => unsafe { &**slot }.__korat_read(),
            // Few arms, so that comparisons tell them apart instead of a jump table.
            _ => Self::look(self.as_part()),
        }
    }

    /// Returns the part that the element refers to.
    #[inline(always)]
    fn as_part(&self) -> *const Part<T> {
        match &self.0 {
            ElemRepr::Part(part) | ElemRepr::WithObject(WithObject { part, .. }) => *part,
            _ => unreachable!("[korat internal bug] the element is no part"),
        }
    }

    /// Looks at a part. Not inlined, because elements that are slots or values are read in hot loops.
    #[inline(never)]
    fn look<'s>(part: *const Part<T>) -> &'s T {
        // SAFETY: `part` or `become_element` was given a part that its heap keeps, and heaps are never freed; the same
        // holds for the cell and what it shows.
        unsafe { &*((*part).look)((*part).cell) }
    }

    /// Returns the value that a pattern for this element is matched against.
    #[inline]
    pub fn __korat_cell(&self) -> &T {
        self.get()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        if !matches!(self.0, ElemRepr::Own(_)) {
            *self = Elem::own(duplicate(self.get()));
        }
        match &mut self.0 {
            ElemRepr::Own(value) => value,
            _ => unreachable!("[korat internal bug] the element was just made a value"),
        }
    }

    /// Takes the value out of a place that may have just been written.
    ///
    /// # Safety
    /// There must be an element, which nothing else takes.
    #[inline(always)]
    pub(crate) unsafe fn take_recent(place: *mut Self) -> T {
        // SAFETY: the caller promises that there is an element.
        match unsafe { &(*place).0 } {
            // SAFETY: the value is there, and is forgotten with the element, which nothing else takes.
            ElemRepr::Own(value) => unsafe { read_recent(value) },
            // SAFETY: the element is there, and nothing else takes it.
            _ => unsafe { place.read() }.into_inner(),
        }
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        match self.0 {
            ElemRepr::Own(value) => value,
            _ => duplicate(self.get()),
        }
    }
}

/// Duplicates a field's value. A predicate reaches this only with a copy of a field, so the type is `Copy`, or the
/// values were cloned before. There is no fallback here, because lifted code calls this, too.
fn duplicate<T>(value: &T) -> T {
    copied(value).expect("[korat internal bug] a field that must be dropped is moved out of its object")
}

impl<T: Clone> Clone for Elem<T> {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            ElemRepr::Own(value) => Elem::own(value.clone()),
            ElemRepr::Field(slot) if const { !needs_drop::<T>() } => Elem(ElemRepr::Field(*slot)),
            ElemRepr::Part(part) if const { !needs_drop::<T>() } => Elem(ElemRepr::Part(*part)),
            _ => Elem::own(self.get().clone()),
        }
    }
}

impl<T: Copy> Clone for ElemRepr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for ElemRepr<T> {}

impl<T: Copy> Clone for WithObject<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for WithObject<T> {}

impl<T: Copy> Copy for Elem<T> {}
