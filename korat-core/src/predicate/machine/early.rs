//! Values that a machine evaluates before later parts of an expression, and that rustc converts where they are used: a box to
//! what is in it, a vector to a slice. Such a conversion may read a field, which the user's code reads before the later parts.
//! If the field is not decided yet, the predicate runs from the start instead.
//!
//! # Safety argument
//! A reader is registered together with the type that it reads, and is called only with a value of this type, or with
//! what a reference to this type leads to.

use std::any::{TypeId, type_name};
use std::cell::RefCell;
use std::ptr;

use rustc_hash::FxHashMap;

use super::{READ_BEFORE, not_resumable};

/// A type that may be converted to what it leads to.
pub trait Convertible: 'static {
    /// Returns whether what the conversion reads is decided.
    fn is_decided(&self) -> bool;
}

/// How to look at a value of a registered type.
#[derive(Clone, Copy)]
struct Reader {
    /// The number of references around the type.
    references: usize,
    is_decided: unsafe fn(*const ()) -> bool,
}

thread_local! {
    /// The types that were planned on this thread.
    static READERS: RefCell<FxHashMap<TypeId, Reader>> = RefCell::new(FxHashMap::default());
}

/// Registers a type, and references to it.
pub(crate) fn note_convertible<C: Convertible>() {
    unsafe fn is_decided<C: Convertible>(value: *const ()) -> bool {
        // SAFETY: see the module's header.
        unsafe { &*value.cast::<C>() }.is_decided()
    }
    let types = [TypeId::of::<C>(), TypeId::of::<&C>(), TypeId::of::<&&C>(), TypeId::of::<&&&C>()];
    READERS.with_borrow_mut(|readers| {
        let reader = |references| Reader { references, is_decided: is_decided::<C> };
        readers.extend(types.into_iter().enumerate().map(|(references, ty)| (ty, reader(references))));
    });
}

/// Returns a value that is used after later parts of its expression are evaluated.
#[inline(always)]
pub fn early<T>(value: T) -> T {
    if const { size_of::<T>() == size_of::<*const ()>() } && !is_decided(typeid::of::<T>(), (&raw const value).cast()) {
        not_resumable(type_name::<T>(), READ_BEFORE);
    }
    value
}

fn is_decided(ty: TypeId, value: *const ()) -> bool {
    let Some(reader) = READERS.with_borrow(|readers| readers.get(&ty).copied()) else { return true };
    let follow = |at: *const (), _| {
        // SAFETY: the value is a reference, to a reference as long as there are more of them.
        ptr::from_ref(unsafe { *at.cast::<&()>() })
    };
    let value = (0..reader.references).fold(value, follow);
    // SAFETY: the value has the type of the reader.
    unsafe { (reader.is_decided)(value) }
}
