//! One element of a lifted vector or array: a slot where the vector is a field, a value where the predicate made it. A copy
//! of a field's element still is the slot, and is read when it is looked at; it becomes a value when it is written to.
//!
//! Objects of a class lie in elements, too: where a vector holds all of them, as an arena does, its elements and the objects lie
//! together, and one that is known to be the object beside it is come to without a look at anything else.
//!
//! # Why it is sound
//! Pointers in elements are to slots, parts and cells that a heap keeps; heaps with objects are never freed, and what lies there changes only in
//! cells. An element of the predicate's own is a value like any other. A place for an object (`class`) is raw storage: an element is made
//! there field by field, where the representation of `Repr` has them, which `repr(u64)` fixes; its tag is written again only
//! while no predicate runs, and both tags that it may have stand for the same content. A value of a field is copied bit by bit only if
//! it has no drop glue.

use std::mem::{MaybeUninit, needs_drop, offset_of};
use std::ptr;

use crate::slot::{Shown, Slot};
use crate::undo::{Words, Workspace, copied, put_back_bytes, read_recent};

/// An element.
#[repr(transparent)]
pub struct Elem<T>(Repr<T>);

/// The tag comes first, and variants with the same content have it at the same place.
#[repr(u64)]
// Those with an object are made where they lie.
#[allow(dead_code)]
enum Repr<T> {
    Own(T) = 0,
    /// The object that lies here.
    Settled(Beside<T>) = SETTLED,
    /// A slot of a heap, which is never freed.
    Field(*const Slot<T>) = 2,
    /// A part of a heap that is not one slot.
    Part(*const Part<T>) = 3,
    /// The same, with an object that lies here and may be another one.
    Beside(Beside<T>) = BESIDE,
}

const SETTLED: u64 = 1;
const BESIDE: u64 = 4;

/// An element and an object in one place.
#[repr(C)]
struct Beside<T> {
    /// Not there before the objects of the heap are made.
    object: MaybeUninit<T>,
    /// What the element is.
    part: *const Part<T>,
}

/// What `Repr` is in memory, with this content.
#[repr(C)]
struct InMemory<C> {
    tag: u64,
    content: C,
}

type BesideInMemory<T> = InMemory<Beside<T>>;

/// A part of the structure, and how a predicate sees it.
pub struct Part<T> {
    cell: *const (),
    look: unsafe fn(*const ()) -> *const T,
}

impl<T> Part<T> {
    /// `look` shows the cell, in which the value is or which leads to it.
    pub(crate) fn new<C: Shown<Out = T>>(cell: &'static C) -> Self {
        unsafe fn look<C: Shown<Out: Sized>>(cell: *const ()) -> *const C::Out {
            // SAFETY: `new` was given a cell of this type.
            unsafe { &*cell.cast::<C>() }.shown()
        }
        Part { cell: ptr::from_ref(cell).cast(), look: look::<C> }
    }
}

/// Places for objects, which may be elements, too.
impl<T> Elem<T> {
    /// Where the object of a place lies.
    pub(crate) fn object(place: *mut Self) -> *mut T {
        place.wrapping_byte_add(offset_of!(BesideInMemory<T>, content) + offset_of!(Beside<T>, object)).cast()
    }

    /// A place with or without an object becomes an element.
    ///
    /// # Safety
    /// The place must be good.
    pub(crate) unsafe fn become_element(place: *mut Self, part: &'static Part<T>) {
        let place = place.cast::<BesideInMemory<T>>();
        // SAFETY: the caller promises the place; the fields are where `InMemory` has them, as the representation of `Repr` promises.
        unsafe {
            (&raw mut (*place).tag).write(BESIDE);
            (&raw mut (*place).content.part).write(part);
        }
    }
}

/// Elements of the predicate's own.
impl<T> Elem<T> {
    /// The first bytes, all that there is to an element with no object beside it.
    pub(crate) const BYTES: usize = {
        let (own, other) = (size_of::<InMemory<T>>(), size_of::<InMemory<*const ()>>());
        if own > other { own } else { other }
    };

    /// Saves an element before a change, if changes are logged.
    ///
    /// # Safety
    /// The element must lie in the memory of the workspace, and `T` have no drop glue.
    #[inline(always)]
    pub(crate) unsafe fn save(place: *mut Self, work: &Workspace) {
        unsafe fn restore<T>(target: *mut (), words: Words) {
            // SAFETY: the words are those of what was at the target.
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

/// An element of any type, which can be said to be the object that lies beside it.
pub(crate) struct Settleable(*mut u64);

impl Settleable {
    /// # Safety
    /// The place must be good, and have become an element.
    pub(crate) unsafe fn new<T>(place: *mut Elem<T>) -> Self {
        Settleable(place.cast())
    }

    /// Says whether the element is the object that lies beside it.
    ///
    /// # Safety
    /// The place must still be good, the object be there, and no predicate run.
    pub(crate) unsafe fn settle(&self, is_settled: bool) {
        // SAFETY: the tag comes first, and both variants have the same content; nobody looks at the element meanwhile.
        unsafe { self.0.write(if is_settled { SETTLED } else { BESIDE }) };
    }
}

impl<T: 'static> Elem<T> {
    /// An element that is a slot; the slot is kept by the heap.
    pub(crate) fn field(slot: &'static Slot<T>) -> Self {
        Elem(Repr::Field(slot))
    }

    /// An element that is another part of the structure; it is kept by the heap.
    pub(crate) fn part(part: &'static Part<T>) -> Self {
        Elem(Repr::Part(part))
    }
}

impl<T> Elem<T> {
    /// An element that is a value.
    #[inline(always)]
    pub(crate) fn own(value: T) -> Self {
        Elem(Repr::Own(value))
    }

    /// The value; of a slot, decided now if it was not.
    #[inline(always)]
    pub(crate) fn get(&self) -> &T {
        match &self.0 {
            Repr::Own(value) => value,
            // SAFETY: it is settled only when the object is there.
            Repr::Settled(beside) => unsafe { beside.object.assume_init_ref() },
            // SAFETY: `field` was given a slot that its heap keeps, and heaps are never freed.
            Repr::Field(slot) => unsafe { &**slot }.__korat_read(),
            // Few cases here, so that they are told apart by comparisons.
            _ => Self::look(self.as_part()),
        }
    }

    /// What it is a part of.
    #[inline(always)]
    fn as_part(&self) -> *const Part<T> {
        match &self.0 {
            Repr::Part(part) | Repr::Beside(Beside { part, .. }) => *part,
            _ => unreachable!("[korat internal bug] the element is no part"),
        }
    }

    /// Not inline: elements that are slots or values are read in hot loops.
    #[inline(never)]
    fn look<'s>(part: *const Part<T>) -> &'s T {
        // SAFETY: `part` or `become_element` was given one that its heap keeps, and heaps are never freed; so are the cell and what it shows.
        unsafe { &*((*part).look)((*part).cell) }
    }

    /// What a pattern of the element's own is matched against.
    #[inline]
    pub fn __korat_cell(&self) -> &T {
        self.get()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut T {
        if !matches!(self.0, Repr::Own(_)) {
            *self = Elem::own(duplicate(self.get()));
        }
        match &mut self.0 {
            Repr::Own(value) => value,
            _ => unreachable!("[korat internal bug] the element was just made a value"),
        }
    }

    /// Takes the value out of a place that may have been written to just now.
    ///
    /// # Safety
    /// There must be an element, which nobody else takes.
    #[inline(always)]
    pub(crate) unsafe fn take_recent(place: *mut Self) -> T {
        // SAFETY: the caller promises that there is an element.
        match unsafe { &(*place).0 } {
            // SAFETY: the value is there, and is forgotten with the element, which nobody else takes.
            Repr::Own(value) => unsafe { read_recent(value) },
            // SAFETY: the element is there, and nobody else takes it.
            _ => unsafe { place.read() }.into_inner(),
        }
    }

    #[inline]
    pub(crate) fn into_inner(self) -> T {
        match self.0 {
            Repr::Own(value) => value,
            _ => duplicate(self.get()),
        }
    }
}

/// A second owner of a field's value. A predicate gets here only with a copy of a field, so the type is `Copy`, or was
/// cloned into values before. Nothing can be fallen back to here: it is run by lifted code, too.
fn duplicate<T>(value: &T) -> T {
    copied(value).expect("[korat internal bug] a field that must be dropped is moved out of its object")
}

impl<T: Clone> Clone for Elem<T> {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            Repr::Own(value) => Elem::own(value.clone()),
            Repr::Field(slot) if !needs_drop::<T>() => Elem(Repr::Field(*slot)),
            Repr::Part(part) if !needs_drop::<T>() => Elem(Repr::Part(*part)),
            _ => Elem::own(self.get().clone()),
        }
    }
}

impl<T: Copy> Clone for Repr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for Repr<T> {}

impl<T: Copy> Clone for Beside<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for Beside<T> {}

impl<T: Copy> Copy for Elem<T> {}
