//! Activation records. A call takes one from the workspace's memory, a return leaves it there: the search may come back into
//! it. It is released when the search goes back past the call.

use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use super::Control;
use crate::ambient::{self, Stop};
use crate::undo::Workspace;

/// The calls that may be under way at once.
const DEEPEST: u32 = 2_000_000;

struct Header {
    caller: *mut (),
    /// The block to go on with after the return.
    then: u32,
    depth: u32,
}

/// The locals `L` of one activation.
#[repr(C)]
struct Frame<L> {
    header: Header,
    locals: L,
}

/// The activation records of one method, whose locals are an `L`.
pub struct Frames<L>(PhantomData<fn() -> L>);

impl<L> Clone for Frames<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Frames<L> {}

impl<L: 'static> Frames<L> {
    /// None yet. `L` must be made of nothing but `Local`s.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Frames(PhantomData)
    }

    /// Begins an activation, after which the machine goes on with the block `then`. Gives its locals.
    #[inline]
    pub fn enter(self, control: &mut Control, then: u32) -> &'static L {
        // SAFETY: the workspace is that of the running search, and nobody else uses it while this runs. Locals are made of
        // cells that need no value, so that a place for them is enough.
        unsafe {
            let work = &mut *control.work;
            let place: NonNull<Frame<L>> = work.take(1);
            let caller = work.frame;
            let depth = if caller.is_null() { 0 } else { (*caller.cast::<Header>()).depth + 1 };
            if depth == DEEPEST {
                ambient::raise(Stop::TooDeep);
            }
            (&raw mut (*place.as_ptr()).header).write(Header { caller, then, depth });
            work.frame = place.as_ptr().cast();
            &*(&raw const (*place.as_ptr()).locals)
        }
    }

    /// The locals of the activation that runs, which is one of this method.
    #[inline(always)]
    pub fn current(self, control: &Control) -> &'static L {
        // SAFETY: as in `enter`; generated code asks only in blocks of the method.
        unsafe { &(*(*control.work).frame.cast::<Frame<L>>()).locals }
    }

    /// The locals of the activation that returned last, which was one of this method.
    #[inline(always)]
    pub fn returned(self, control: &Control) -> &'static L {
        // SAFETY: as in `current`.
        unsafe { &(*(*control.work).returned.cast::<Frame<L>>()).locals }
    }
}

/// Ends the running activation. Gives the block to go on with.
#[inline(always)]
pub(super) fn leave(work: &mut Workspace) -> u32 {
    work.returned = work.frame;
    // SAFETY: the frame was begun by `enter`.
    unsafe {
        let header = work.frame.cast::<Header>();
        work.frame = (*header).caller;
        (*header).then
    }
}

impl Workspace {
    /// Forgets the activations: the machine begins anew.
    pub(crate) fn forget_frames(&mut self) {
        (self.frame, self.returned) = (ptr::null_mut(), ptr::null_mut());
    }
}
