//! Locals that own memory: a `String`, a `Result` with one. Their bits cannot be saved, so they are saved by clone: before such a
//! local changes, its value is put aside and a clone of it takes its place; going back drops the clone and puts the value back.
//!
//! That must not be noticed. So only types are saved like this that are made of std's own containers of plain values; a type
//! of the user's may count its clones, and an `Rc` does.

use std::any::{TypeId, type_name};
use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::panic::RefUnwindSafe;
use std::ptr;

use super::{Frames, Local, unfit};
use crate::ambient;
use crate::undo::Words;

/// Clones a `T`; forgotten by type in the table of the thread.
type Cloner = unsafe fn(*const (), *mut ());

thread_local! {
    static CLONERS: RefCell<HashMap<TypeId, Cloner>> = RefCell::new(HashMap::new());
}

/// Says which type a local has.
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The type of the local that `of` picks.
    pub fn of<L, R>(_: Frames<L, R>, _of: fn(&L) -> &Local<T>) -> Self {
        Probe(PhantomData)
    }
}

/// A type that can be cloned. Found before `NotClonable` for a `&&Probe`.
pub trait Clonable {
    /// Notes how.
    fn note_cloner(&self);
}

impl<T: Clone + 'static> Clonable for &Probe<T> {
    fn note_cloner(&self) {
        unsafe fn clone_to<T: Clone>(from: *const (), to: *mut ()) {
            // SAFETY: callers give the address of a `T`, and a place for one.
            unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) };
        }
        if std::mem::needs_drop::<T>() && is_plain(type_name::<T>()) {
            CLONERS.with_borrow_mut(|cloners| cloners.insert(TypeId::of::<T>(), clone_to::<T>));
        }
    }
}

/// Any other type.
pub trait NotClonable {
    /// Notes nothing.
    fn note_cloner(&self) {}
}

impl<T> NotClonable for Probe<T> {}

/// A type whose values change only where somebody says `mut`. Found before `ChangesUnseen` for a `&&Probe`.
pub trait ChangesSeen {
    /// Nothing to say.
    fn unseen(&self) -> Option<&'static str> {
        None
    }
}

impl<T: RefUnwindSafe> ChangesSeen for &Probe<T> {}

/// Any other type: a change behind a shared reference would not be taken back.
pub trait ChangesUnseen {
    /// The name of the type.
    fn unseen(&self) -> Option<&'static str>;
}

impl<T> ChangesUnseen for Probe<T> {
    fn unseen(&self) -> Option<&'static str> {
        Some(type_name::<T>())
    }
}

/// Whether a type is made of std's own containers of plain values, by its name.
fn is_plain(name: &str) -> bool {
    const SHARED: &[&str] = &["Rc", "Arc", "Weak", "Mutex", "RwLock", "dyn", "fn", "impl"];
    let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    words.filter(|word| !word.is_empty()).all(|word| {
        let last = word.rsplit("::").next().unwrap_or(word);
        let is_std = ["alloc::", "core::", "std::", "korat_core::twin::"].iter().any(|path| word.starts_with(path));
        let is_primitive = !word.contains("::") && last.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
        (is_std || is_primitive) && !SHARED.contains(&last)
    })
}

/// A local that is dropped at the end of its block, not of its scope: nobody must be able to notice.
#[inline(always)]
pub fn ends_early<T>(_: &T) {
    if std::mem::needs_drop::<T>() && !is_plain(type_name::<T>()) {
        unfit(type_name::<T>());
    }
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
        // SAFETY: the cell holds the value that was put in; the bits that were there are at the address in the words, in memory
        // that is released after this.
        unsafe {
            ptr::drop_in_place(target.cast::<T>());
            let before: *const T = ptr::with_exposed_provenance(words[0].assume_init() as usize);
            ptr::copy_nonoverlapping(before, target.cast::<T>(), 1);
        }
    }
    // SAFETY: as the caller says; the workspace of the running search is valid.
    unsafe {
        let work = &mut *ambient::work();
        let before = work.take::<T>(1).as_ptr();
        ptr::copy_nonoverlapping(cell, before, 1);
        cell.write(value);
        let words = [MaybeUninit::new(before.expose_provenance() as u64), MaybeUninit::uninit()];
        work.log(take_out::<T>, cell.cast(), words);
        work.saved_by_clone(type_name::<T>());
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn what_may_count_its_clones_is_not_saved_by_clone() {
        use std::any::type_name;
        use std::collections::LinkedList;
        use std::rc::Rc;
        struct Own;
        assert!(is_plain(type_name::<String>()));
        assert!(is_plain(type_name::<Result<(usize, &'static str), Option<String>>>()));
        assert!(is_plain(type_name::<LinkedList<[Box<u8>; 3]>>()));
        assert!(!is_plain(type_name::<Rc<u8>>()));
        assert!(!is_plain(type_name::<Vec<Own>>()));
        assert!(!is_plain(type_name::<Box<dyn Fn(u8) -> u8>>()));
    }
}
