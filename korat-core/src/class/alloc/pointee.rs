//! Targets of pointers: a class, or a cell or a lock around one.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock, TryLockError};

use crate::class::abstraction::OutOfBounds;
use crate::class::traits::{Class, View};
use crate::predicate::twin;
use crate::slots::object_view::{Located, ObjectView};

/// A type that a pointer may point to: a class, or a cell or a lock around one.
#[diagnostic::on_unimplemented(
    message = "a pointer to `{Self}` cannot be finitized",
    label = "points neither to a class nor to a cell or a lock around one",
    note = "derive `Finitize` for the struct or enum it points to; or list the values: `#[finitize(values = [..])]`"
)]
pub trait Pointee: Sized + 'static {
    /// The class inside.
    type Class: Class;
    /// The type that a predicate sees in place of `Self`.
    type Lifted: ObjectView;
    /// Whether the content can be changed through a shared pointer.
    const SETTABLE: bool;
    /// Whether accessing the content may block, as with a lock.
    const WAITS: bool = false;
    /// Whether this is the class itself, so that a value can be patched through a pointer.
    const IS_CLASS: bool = false;
    /// Reinterprets the address of an object as that of its place as `Self`.
    fn view(object: *const View<Self::Class>) -> *const Place<Self>;
    /// Returns the object at a place.
    fn content(place: &Place<Self>) -> &View<Self::Class>;
    /// Returns whether a panic has poisoned a lock.
    fn is_poisoned(&self) -> bool {
        false
    }
    /// Wraps the content.
    fn wrap(content: Self::Class) -> Self;
    /// Returns the content, if this is the class itself.
    fn class_mut(&mut self) -> Option<&mut Self::Class> {
        None
    }
    /// Calls `look` with the content. Fails if it is mutably borrowed or locked.
    fn with(&self, look: &mut dyn FnMut(&Self::Class) -> Result<(), OutOfBounds>) -> Result<(), OutOfBounds>;
    /// Calls `change` with the content.
    fn change(&mut self, change: &mut dyn FnMut(&mut Self::Class));
    /// Calls `change` with the content through a shared reference. Returns `false` if that is impossible.
    fn change_shared(&self, change: &mut dyn FnMut(&mut Self::Class)) -> bool;
    /// Sets nullable pointers in the content to null, where a shared reference allows it.
    fn sever(&self);
}

/// The place at which a predicate finds the target of a pointer to `P`.
pub type Place<P> = <<P as Pointee>::Lifted as Located>::Place;

#[diagnostic::do_not_recommend]
impl<C: Class> Pointee for RefCell<C> {
    type Class = C;
    type Lifted = twin::RefCell<View<C>>;
    const SETTABLE: bool = true;
    fn view(object: *const View<C>) -> *const Place<Self> {
        object.cast()
    }
    fn content(place: &Place<Self>) -> &View<C> {
        place.inside()
    }
    fn wrap(content: C) -> Self {
        RefCell::new(content)
    }
    fn with(&self, look: &mut dyn FnMut(&C) -> Result<(), OutOfBounds>) -> Result<(), OutOfBounds> {
        match self.try_borrow() {
            Ok(content) => look(&content),
            Err(_) => Err(OutOfBounds::borrowed()),
        }
    }
    fn change(&mut self, change: &mut dyn FnMut(&mut C)) {
        change(self.get_mut());
    }
    fn change_shared(&self, change: &mut dyn FnMut(&mut C)) -> bool {
        self.try_borrow_mut().map(|mut content| change(&mut content)).is_ok()
    }
    fn sever(&self) {
        if let Ok(mut content) = self.try_borrow_mut() {
            content.sever();
        }
    }
}

macro_rules! lock {
    ($lock:ident, $look:ident, $change:ident) => {
        #[diagnostic::do_not_recommend]
        impl<C: Class> Pointee for $lock<C> {
            type Class = C;
            type Lifted = twin::Locked<View<C>>;
            const SETTABLE: bool = true;
            const WAITS: bool = true;
            fn view(object: *const View<C>) -> *const Place<Self> {
                object.cast()
            }
            fn content(place: &Place<Self>) -> &View<C> {
                place.inside()
            }
            fn is_poisoned(&self) -> bool {
                self.is_poisoned()
            }
            fn wrap(content: C) -> Self {
                $lock::new(content)
            }
            fn with(&self, look: &mut dyn FnMut(&C) -> Result<(), OutOfBounds>) -> Result<(), OutOfBounds> {
                match self.$look() {
                    Ok(content) => look(&content),
                    Err(TryLockError::Poisoned(content)) => look(&content.into_inner()),
                    Err(TryLockError::WouldBlock) => Err(OutOfBounds::borrowed()),
                }
            }
            fn change(&mut self, change: &mut dyn FnMut(&mut C)) {
                match self.get_mut() {
                    Ok(content) => change(content),
                    Err(poisoned) => change(poisoned.into_inner()),
                }
            }
            fn change_shared(&self, change: &mut dyn FnMut(&mut C)) -> bool {
                match self.$change() {
                    Ok(mut content) => change(&mut content),
                    Err(TryLockError::Poisoned(content)) => change(&mut content.into_inner()),
                    Err(TryLockError::WouldBlock) => return false,
                }
                true
            }
            fn sever(&self) {
                match self.$change() {
                    Ok(mut content) => content.sever(),
                    Err(TryLockError::Poisoned(content)) => content.into_inner().sever(),
                    Err(TryLockError::WouldBlock) => {}
                }
            }
        }
    };
}

lock!(Mutex, try_lock, try_lock);
lock!(RwLock, try_read, try_write);
