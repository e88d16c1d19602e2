//! Locals that own memory: a `String`, a `Result` with one. Their bits cannot be saved, so they are saved by clone: before such a
//! local changes, its value is put aside and a clone of it takes its place; going back drops the clone and puts the value back.
//!
//! That must not be noticed. So only types are saved like this that are made of std's own containers of plain values; a type
//! of the user's may count its clones, and an `Rc` does.

use std::any::{TypeId, type_name};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::ptr;

use crate::ambient;
use crate::undo::{Words, put_back};

/// Clones a `T`; forgotten by type in the table of the thread.
type Cloner = unsafe fn(*const (), *mut ());

thread_local! {
    static CLONERS: RefCell<HashMap<TypeId, Cloner>> = RefCell::new(HashMap::new());
}

/// Notes how a type is cloned.
pub(super) fn note_cloner<T: Clone + 'static>() {
    unsafe fn clone_to<T: Clone>(from: *const (), to: *mut ()) {
        // SAFETY: callers give the address of a `T`, and a place for one.
        unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) };
    }
    CLONERS.with_borrow_mut(|cloners| cloners.insert(TypeId::of::<T>(), clone_to::<T>));
}

/// How a `T` is cloned, if it may be saved by clone.
pub(super) fn cloner<T: 'static>() -> Option<Cloner> {
    CLONERS.with_borrow(|cloners| cloners.get(&TypeId::of::<T>()).copied())
}

/// A clone of the value at an address.
///
/// # Safety
/// There must be a `T` at the address, and the cloner must be that of `T`.
pub(super) unsafe fn cloned<T>(cloner: Cloner, from: *const T) -> T {
    let mut clone = MaybeUninit::<T>::uninit();
    // SAFETY: as the caller says; the cloner writes the value.
    unsafe {
        cloner(from.cast(), clone.as_mut_ptr().cast());
        clone.assume_init()
    }
}

/// Puts a value into a cell and keeps what was there, whatever it was. Going back drops the value and puts the other back.
///
/// # Safety
/// The cell must be in the current workspace, and what it holds now must be dropped by somebody else, if at all.
pub(super) unsafe fn put<T: 'static>(cell: *mut T, value: T) {
    unsafe fn take_out<T>(target: *mut (), words: Words) {
        // SAFETY: the cell holds the value that was put in; the words are those of what was there.
        unsafe {
            ptr::drop_in_place(target.cast::<T>());
            put_back(words, target.cast::<T>());
        }
    }
    let work = ambient::workspace();
    // SAFETY: the caller says that the cell is in the workspace and who drops what it holds; the entry drops the value and puts the
    // other back, once, before the memory is released.
    unsafe {
        let words = work.bits_of(cell);
        cell.write(value);
        work.log_drop(take_out::<T>, cell.cast(), words);
        work.saved_by_clone(type_name::<T>());
    }
}
