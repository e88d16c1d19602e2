//! Activation records. A call takes one from the workspace's memory, a return leaves it there: the search may come back into
//! it. It is released when the search goes back past the call.
//!
//! # Why it is sound
//! A record is an address that the workspace's memory gave. Its header is written before anything reads it; its locals are `Local`s, which are
//! cells that need no value, so that shared references to them may be out while they are written to, also by undo functions.
//!
//! The functions here are safe to call, and not sound in all hands, because generated code calls them and may lie in a crate that forbids
//! `unsafe`. They take a `Control`, which only `Machine::run` makes, for the machine that it runs: nothing else has one. Generated code
//! keeps this contract, which nobody else has to know of, since `__private` is outside the promise that safe code is sound:
//! - `L` is a struct of nothing but `Local`s, and each method of a machine has one `Frames<L, R>`;
//! - `current` and `leave` are called in blocks of the method whose record is running: `enter`, `enter_last`, `leave` and going back make one
//!   the running record, and the block that follows is one of its method;
//! - `enter_last` is called while a record runs that has a result of the same type;
//! - `returned` is called once, in the block that a `leave` of a method with such a result leads to;
//! - locals are read after they were given a value, and references to them are used as the user's code used its own, which rustc has
//!   checked.

use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use super::{Control, Local};
use crate::ambient::{self, Stop};
use crate::undo::Workspace;

/// The calls that may be under way at once.
const DEEPEST: u32 = 2_000_000;

#[derive(Clone, Copy)]
struct Header {
    caller: *mut (),
    /// The block to go on with after the return.
    then: u32,
    depth: u32,
}

/// One activation: its result, where every method with such a result has it, and its locals `L`.
#[repr(C)]
struct Frame<L, R> {
    header: Header,
    result: Local<R>,
    locals: L,
}

/// The activation records of one method, whose locals are an `L` and whose result is an `R`.
pub struct Frames<L, R>(PhantomData<fn() -> (L, R)>);

impl<L, R> Clone for Frames<L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, R> Copy for Frames<L, R> {}

impl<L: 'static, R: 'static> Frames<L, R> {
    /// None yet. `L` is a struct of nothing but `Local`s.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Frames(PhantomData)
    }

    /// Begins an activation, after which the machine goes on with the block `then`. Gives its locals.
    #[inline(always)]
    pub fn enter(self, control: &mut Control, then: u32) -> &'static L {
        let work = control.work();
        let caller = work.frame.get();
        // SAFETY: a record begins with its header, and the running one is not released.
        let depth = if caller.is_null() { 0 } else { unsafe { (*caller.cast::<Header>()).depth + 1 } };
        self.begin(work, Header { caller, then, depth })
    }

    /// Begins an activation whose result is that of the running one, which it takes the place of.
    #[inline(always)]
    pub fn enter_last(self, control: &mut Control) -> &'static L {
        let work = control.work();
        // SAFETY: an activation is running, whose record begins with its header and is not released.
        let Header { caller, then, depth } = unsafe { *work.frame.get().cast::<Header>() };
        self.begin(work, Header { caller, then, depth: depth + 1 })
    }

    #[inline(always)]
    fn begin(self, work: &Workspace, header: Header) -> &'static L {
        let place: NonNull<Frame<L, R>> = work.take(1);
        if header.depth >= DEEPEST {
            ambient::raise(Stop::TooManyCalls { calls: DEEPEST });
        }
        work.frame.set(place.as_ptr().cast());
        // SAFETY: the place is large enough, aligned, and nobody else's. Locals are made of cells that need no value, so that a
        // place for them is enough.
        unsafe {
            (&raw mut (*place.as_ptr()).header).write(header);
            &(*place.as_ptr()).locals
        }
    }

    /// The locals of the activation that runs, which is one of this method.
    #[inline(always)]
    pub fn current(self, control: &Control) -> &'static L {
        // SAFETY: the running record is one of this method, as generated code promises, and is not released before it is gone back
        // past its making; its locals are cells.
        unsafe { &(*control.work().frame.get().cast::<Frame<L, R>>()).locals }
    }

    /// Ends the activation that runs, which is one of this method, with its result. Gives the block to go on with.
    #[inline(always)]
    pub fn leave(self, control: &mut Control, result: R) -> u32 {
        let work = control.work();
        let frame = work.frame.get().cast::<Frame<L, R>>();
        // SAFETY: the running record is one of this method, as generated code promises, and is not released.
        unsafe {
            let Header { caller, then, .. } = (*frame).header;
            work.returned.set(frame.cast());
            work.frame.set(caller);
            (*frame).result.hand_over(result);
            then
        }
    }

    /// The result of the activation that returned last, which was one of this method or of one with the same result. Asked
    /// for once, in the block that the return leads to.
    #[inline(always)]
    pub fn returned(self, control: &Control) -> R {
        // SAFETY: the record that returned last has such a result, as generated code promises, which was handed over and is taken once;
        // where it lies does not depend on the locals, since a record is `repr(C)`.
        unsafe { (*control.work().returned.get().cast::<Frame<(), R>>()).result.take_over() }
    }
}

impl Workspace {
    /// Forgets the activations: the machine begins anew.
    pub(crate) fn forget_frames(&self) {
        self.frame.set(ptr::null_mut());
        self.returned.set(ptr::null_mut());
    }
}
