//! What is asked of the types of locals, once all of them are inferred: whether they can be saved by clone, whether their values
//! change unseen, and whether anybody notices when they are dropped. Method lookup on a `&&Probe` answers: what holds of the
//! type is found before what holds of any.

use std::any::type_name;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::panic::RefUnwindSafe;

use super::{Frames, Local, owned, unfit};

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
        if needs_drop::<T>() && is_plain(type_name::<T>()) {
            owned::note_cloner::<T>();
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
    if needs_drop::<T>() && !is_plain(type_name::<T>()) {
        unfit(type_name::<T>());
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
