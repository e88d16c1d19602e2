//! Locals that own memory, such as a `String` or a `Result` with one: their bits cannot be saved, so they are saved by
//! clone. Cloning must not be observable, so only types made of std's own containers of plain values qualify: a user's
//! type may count its clones, and an `Rc` does.
//!
//! Before such a local changes, its value is set aside and a clone takes its place; backtracking drops the clone and
//! puts the value back.

use std::any::{TypeId, type_name};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::ptr;

use crate::predicate::context;
use crate::predicate::undo::bits::put_back;
use crate::predicate::undo::log::Words;

/// Clones a value whose type the thread's table has erased.
type Cloner = unsafe fn(*const (), *mut ());

thread_local! {
    static CLONERS: RefCell<HashMap<TypeId, Cloner>> = RefCell::new(HashMap::new());
}

/// Registers how a type is cloned.
pub(super) fn note_cloner<T: Clone + 'static>() {
    unsafe fn clone_to<T: Clone>(from: *const (), to: *mut ()) {
        // SAFETY: callers pass the address of a `T`, and a place for one.
        unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) };
    }
    enter(TypeId::of::<T>(), clone_to::<T>);
}

fn enter(id: TypeId, cloner: Cloner) {
    CLONERS.with_borrow_mut(|cloners| cloners.insert(id, cloner));
}

/// Returns how a `T` is cloned, if it may be saved by clone.
pub(super) fn cloner<T: 'static>() -> Option<Cloner> {
    find(TypeId::of::<T>())
}

fn find(id: TypeId) -> Option<Cloner> {
    CLONERS.with_borrow(|cloners| cloners.get(&id).copied())
}

/// Clones the value at an address.
///
/// # Safety
/// There must be a `T` at the address, and the cloner must be that of `T`.
pub(super) unsafe fn cloned<T>(cloner: Cloner, from: *const T) -> T {
    let mut clone = MaybeUninit::<T>::uninit();
    // SAFETY: the caller promises the value and its cloner, which writes the clone.
    unsafe {
        cloner(from.cast(), clone.as_mut_ptr().cast());
        clone.assume_init()
    }
}

/// Puts a value into a cell and keeps the previous bits, whatever they are. Backtracking drops the value and restores
/// the bits.
///
/// # Safety
/// The cell must be in the current workspace, and a value that it holds now must be dropped by other code, if at all.
pub(super) unsafe fn put<T: 'static>(cell: *mut T, value: T) {
    unsafe fn take_out<T>(target: *mut (), words: Words) {
        // SAFETY: the cell holds the value that was put in; the words are the bits that were there before.
        unsafe {
            ptr::drop_in_place(target.cast::<T>());
            put_back(words, target.cast::<T>());
        }
    }
    let work = context::workspace();
    // SAFETY: the caller promises that the cell is in the workspace, and that other code drops what it holds. The entry
    // drops the value and restores the previous bits, once, before the memory is released.
    unsafe {
        let words = work.bits_of(cell);
        cell.write(value);
        work.log_drop(take_out::<T>, cell.cast(), words);
        work.saved_by_clone(type_name::<T>());
    }
}
