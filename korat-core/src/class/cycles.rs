//! Frees cycles of `Rc` and `Arc` that a generated value leaves behind. Dropping such a cycle frees nothing; korat
//! built it, so korat breaks it, but only when nothing else holds any part of it.
//!
//! The collector remembers the objects of a value by weak pointers. It walks those that are still alive after the value
//! was dropped, with everything reachable from them. An object is garbage when every strong pointer to it comes from
//! garbage. The collector severs garbage: it sets nullable pointers to null, and the reference counts do the rest.

use std::rc::Rc;
use std::sync::Arc;
use std::{rc, sync};

use rustc_hash::FxHashMap;

use super::alloc::pointee::Pointee;
use super::traits::Class;

/// A strong pointer found on a walk.
pub trait AnyStrong {
    /// Returns a strong pointer to the object.
    fn hold(&self) -> Box<dyn AnyHeld>;
}

/// A weak pointer to an object of a dropped value.
pub trait AnyWeak {
    /// Returns the object if it is still alive.
    fn upgrade(&self) -> Option<Box<dyn AnyHeld>>;
}

/// An object that the collector holds.
pub trait AnyHeld {
    /// Returns the object's address.
    fn address(&self) -> usize;
    /// Returns the number of strong pointers, including the collector's own.
    fn strong_count(&self) -> usize;
    /// Calls `visit` on every strong pointer inside the object.
    fn each_strong(&self, visit: &mut dyn FnMut(&dyn AnyStrong));
    /// Sets every nullable pointer in the object to null.
    fn sever(&self);
}

macro_rules! counted {
    ($strong:ident, $weak:path) => {
        impl<P: Pointee> AnyStrong for $strong<P> {
            fn hold(&self) -> Box<dyn AnyHeld> {
                Box::new($strong::clone(self))
            }
        }

        impl<P: Pointee> AnyWeak for $weak {
            fn upgrade(&self) -> Option<Box<dyn AnyHeld>> {
                <$weak>::upgrade(self).map(|strong| Box::new(strong) as Box<dyn AnyHeld>)
            }
        }

        impl<P: Pointee> AnyHeld for $strong<P> {
            fn address(&self) -> usize {
                $strong::as_ptr(self).addr()
            }
            fn strong_count(&self) -> usize {
                $strong::strong_count(self)
            }
            fn each_strong(&self, visit: &mut dyn FnMut(&dyn AnyStrong)) {
                // A cell that is mutably borrowed cannot be walked; it is in use, and its count shows that.
                let _ = self.with(&mut |content| {
                    content.each_strong(visit);
                    Ok(())
                });
            }
            fn sever(&self) {
                P::sever(self);
            }
        }
    };
}

counted!(Rc, rc::Weak<P>);
counted!(Arc, sync::Weak<P>);

/// A possibly garbage object.
struct Suspect {
    object: Box<dyn AnyHeld>,
    /// The number of strong pointers from other suspects.
    inside: usize,
    /// The suspects that this one points to.
    leads_to: Vec<usize>,
}

/// Breaks the cycles among `left`. Returns the weak pointers to objects that are still held from outside.
pub(crate) fn collect(left: Vec<Box<dyn AnyWeak>>) -> Vec<Box<dyn AnyWeak>> {
    let mut suspects: Vec<Suspect> = Vec::new();
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut alive = Vec::new();
    for weak in left {
        if let Some(object) = weak.upgrade() {
            alive.push(weak);
            suspect(object, &mut suspects, &mut numbers);
        }
    }
    let mut next = 0;
    while next < suspects.len() {
        let mut found: Vec<Box<dyn AnyHeld>> = Vec::new();
        suspects[next].object.each_strong(&mut |strong| found.push(strong.hold()));
        for object in found {
            let number = suspect(object, &mut suspects, &mut numbers);
            suspects[number].inside += 1;
            suspects[next].leads_to.push(number);
        }
        next += 1;
    }
    // An object that is held from outside keeps everything reachable from it.
    let held_from_outside = |suspect: &Suspect| suspect.object.strong_count() > suspect.inside + 1;
    let mut work: Vec<usize> = (0..suspects.len()).filter(|&at| held_from_outside(&suspects[at])).collect();
    let mut kept = vec![false; suspects.len()];
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut kept[at], true) {
            work.extend(&suspects[at].leads_to);
        }
    }
    for (suspect, kept) in suspects.iter().zip(&kept) {
        if !kept {
            suspect.object.sever();
        }
    }
    drop(suspects);
    alive.retain(|weak| weak.upgrade().is_some());
    alive
}

/// Returns the number of an object among the suspects, adding it if it is missing.
fn suspect(object: Box<dyn AnyHeld>, suspects: &mut Vec<Suspect>, numbers: &mut FxHashMap<usize, usize>) -> usize {
    *numbers.entry(object.address()).or_insert_with(|| {
        suspects.push(Suspect { object, inside: 0, leads_to: Vec::new() });
        suspects.len() - 1
    })
}
