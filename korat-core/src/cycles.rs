//! Frees cycles of `Rc` and `Arc` that a generated value leaves behind. Dropping a ring of strong pointers frees nothing; korat made the
//! ring, so korat takes it apart, and only when nothing else holds any part of it.
//!
//! The objects of a value are remembered by weak pointers. Those still alive after the value was dropped are walked, with all
//! they lead to; an object is garbage when every strong pointer to it comes from garbage. Garbage is severed: its pointers
//! that can be null are set to null, and the counts do the rest.

use std::rc::{self, Rc};
use std::sync::{self, Arc};

use ahash::AHashMap;

use crate::alloc::Pointee;
use crate::class::Class;

/// A strong pointer met on a walk.
pub trait AnyStrong {
    /// The same object, held.
    fn hold(&self) -> Box<dyn AnyHeld>;
}

/// A weak pointer to an object that a value had.
pub trait AnyWeak {
    /// The object, if something still holds it.
    fn upgrade(&self) -> Option<Box<dyn AnyHeld>>;
}

/// An object that the collector itself holds.
pub trait AnyHeld {
    /// Its address.
    fn address(&self) -> usize;
    /// How many strong pointers there are, the collector's own included.
    fn strong_count(&self) -> usize;
    /// Calls `visit` on every strong pointer inside it.
    fn each_strong(&self, visit: &mut dyn FnMut(&dyn AnyStrong));
    /// Sets to null what can be.
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
                // A cell that is borrowed for writing cannot be walked; then somebody is using it, and its count says so.
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

/// What is known of one object while the garbage is found.
struct Suspect {
    object: Box<dyn AnyHeld>,
    /// Strong pointers that come from other suspects.
    inside: usize,
    /// The suspects it points to.
    leads_to: Vec<usize>,
}

/// Takes apart the cycles among `left`, and gives back the pointers to what somebody still holds.
pub(crate) fn collect(left: Vec<Box<dyn AnyWeak>>) -> Vec<Box<dyn AnyWeak>> {
    let mut suspects: Vec<Suspect> = Vec::new();
    let mut numbers: AHashMap<usize, usize> = AHashMap::new();
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
    // Whatever is held from outside keeps what it leads to.
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

/// The number of an object among the suspects; it is added if it is not there.
fn suspect(object: Box<dyn AnyHeld>, suspects: &mut Vec<Suspect>, numbers: &mut AHashMap<usize, usize>) -> usize {
    *numbers.entry(object.address()).or_insert_with(|| {
        suspects.push(Suspect { object, inside: 0, leads_to: Vec::new() });
        suspects.len() - 1
    })
}
