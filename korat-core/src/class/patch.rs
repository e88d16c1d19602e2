//! Patches a value into the next one of a search, in place: it ends up as [`materialise`](super::codec::Codec::materialise) would
//! build it, in the memory that it has already. Says nothing about what the value was before, so that any value may be patched.

use std::any::Any;

use crate::model::ids::AllocId;

/// The boxes that a value has lost, for those that it gets.
#[derive(Default)]
pub struct Patch {
    /// Per allocation kind, a list of its pointers.
    spares: Vec<Option<Box<dyn Any>>>,
}

impl Patch {
    /// Returns the spare pointers of an allocation kind, whose pointers have the type `S`.
    fn spares<S: 'static>(&mut self, alloc: AllocId) -> &mut Vec<S> {
        let at = alloc.index();
        if self.spares.len() <= at {
            self.spares.resize_with(at + 1, || None);
        }
        let known = &mut self.spares[at];
        // Another heap may number its allocation kinds in another way.
        if !known.as_deref().is_some_and(<dyn Any>::is::<Vec<S>>) {
            *known = Some(Box::new(Vec::<S>::new()));
        }
        let spares = known.as_deref_mut().and_then(<dyn Any>::downcast_mut);
        spares.expect("[korat internal bug] a list of spare pointers was just made")
    }

    /// Keeps a pointer that the value has lost, unless there are `most` of its kind.
    pub(crate) fn spare<S: 'static>(&mut self, alloc: AllocId, strong: S, most: usize) {
        let spares = self.spares(alloc);
        if spares.len() < most {
            spares.push(strong);
        }
    }

    /// Returns a pointer that the value has lost, if there is one.
    pub(crate) fn take_spare<S: 'static>(&mut self, alloc: AllocId) -> Option<S> {
        self.spares(alloc).pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spares_of_another_type_are_dropped() {
        let mut patch = Patch::default();
        patch.spare(AllocId::new(1), Box::new(7), 2);
        assert_eq!(patch.take_spare::<Box<u8>>(AllocId::new(1)), None);
        assert_eq!(patch.take_spare::<Box<i32>>(AllocId::new(1)), None);
    }

    #[test]
    fn at_most_so_many_are_kept() {
        let mut patch = Patch::default();
        (0..3).for_each(|number| patch.spare(AllocId::new(0), Box::new(number), 2));
        let taken: Vec<Option<Box<i32>>> = (0..3).map(|_| patch.take_spare(AllocId::new(0))).collect();
        assert_eq!(taken, [Some(Box::new(1)), Some(Box::new(0)), None]);
    }
}
