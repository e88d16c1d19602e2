//! Activation records of a machine. A call allocates one in the workspace's memory and a return leaves it there,
//! because the search may backtrack into it; backtracking past the call releases it.
//!
//! # Safety argument
//! A record is an address that the workspace's memory handed out. Its header is written before anything reads it. Its
//! locals are `Local`s, cells that need no value, so shared references to them may exist while they are written,
//! including by undo functions.
//!
//! The functions here are safe to call but not sound for arbitrary callers: generated code calls them, and it may lie
//! in a crate that forbids `unsafe`. They take a `Control`, which only `Machine::run` makes, for the machine that it
//! runs; nothing else has one. Generated code keeps the contract below. No one else needs to know it, since `__private`
//! is excluded from the promise that safe code is sound:
//! - `L` is a struct that contains only `Local`s, and each method of a machine has one `Frames<L, R>`;
//! - `current` and `leave` are called in blocks of the method whose record is running: `enter`, `enter_last`, `leave`
//!   and backtracking set the running record, and the next block belongs to the method of that record;
//! - `enter_last` is called while the running record has a result of the same type;
//! - `returned` is called once, in the block that a `leave` of a method with that result type leads to;
//! - locals are read only after they received a value, and references to them are used as the user's code used its own,
//!   which rustc has checked.

use std::marker::PhantomData;
use std::ptr;
use std::ptr::NonNull;

use super::Control;
use super::local::Local;
use crate::engine::stop::Stop;
use crate::predicate::context;
use crate::predicate::undo::Workspace;

/// Maximum number of nested calls.
const MAX_CALL_DEPTH: u32 = 2_000_000;

#[derive(Clone, Copy)]
struct FrameHeader {
    caller: *mut (),
    /// The block at which the caller continues after the return.
    then: u32,
    depth: u32,
}

/// One activation: its header, its result, at an offset that depends only on the result's type, and its locals `L`.
#[repr(C)]
struct Frame<L, R> {
    header: FrameHeader,
    result: Local<R>,
    locals: L,
}

/// The activation records of one method, with locals `L` and result `R`.
pub struct Frames<L, R>(PhantomData<fn() -> (L, R)>);

impl<L, R> Clone for Frames<L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, R> Copy for Frames<L, R> {}

impl<L: 'static, R: 'static> Frames<L, R> {
    /// Creates the handle to a method's records. `L` must be a struct that contains only `Local`s.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Frames(PhantomData)
    }

    /// Begins an activation and returns its locals. The machine continues at the block `then` after it returns.
    #[inline(always)]
    pub fn enter(self, control: &mut Control<'_>, then: u32) -> &'static L {
        let work = control.work();
        let caller = work.frame.get();
        // SAFETY: a record begins with its header, and the running record has not been released.
        let depth = if caller.is_null() { 0 } else { unsafe { (*caller.cast::<FrameHeader>()).depth + 1 } };
        self.begin(work, FrameHeader { caller, then, depth })
    }

    /// Begins a tail call: the new activation replaces the running one, and its result goes to the same caller.
    #[inline(always)]
    pub fn enter_last(self, control: &mut Control<'_>) -> &'static L {
        let work = control.work();
        // SAFETY: an activation is running; its record begins with its header and has not been released.
        let FrameHeader { caller, then, depth } = unsafe { *work.frame.get().cast::<FrameHeader>() };
        self.begin(work, FrameHeader { caller, then, depth: depth + 1 })
    }

    #[inline(always)]
    fn begin(self, work: &Workspace, header: FrameHeader) -> &'static L {
        let place: NonNull<Frame<L, R>> = work.take(1);
        if header.depth >= MAX_CALL_DEPTH {
            context::raise(Stop::TooManyCalls { calls: MAX_CALL_DEPTH });
        }
        work.frame.set(place.as_ptr().cast());
        // SAFETY: the place is large enough, aligned, and used by nothing else. Locals consist of cells that need no
        // value, so reserving memory for them is enough.
        unsafe {
            (&raw mut (*place.as_ptr()).header).write(header);
            &(*place.as_ptr()).locals
        }
    }

    /// Returns the locals of the running activation, which must belong to this method.
    #[inline(always)]
    pub fn current(self, control: &Control<'_>) -> &'static L {
        // SAFETY: generated code promises that the running record belongs to this method. It is released only by
        // backtracking past its creation, and its locals are cells.
        unsafe { &(*control.work().frame.get().cast::<Frame<L, R>>()).locals }
    }

    /// Ends the running activation, which must belong to this method, with a result. Returns the block to continue at.
    #[inline(always)]
    pub fn leave(self, control: &mut Control<'_>, result: R) -> u32 {
        let work = control.work();
        let frame = work.frame.get().cast::<Frame<L, R>>();
        // SAFETY: generated code promises that the running record belongs to this method, and the record has not been
        // released.
        unsafe {
            let FrameHeader { caller, then, .. } = (*frame).header;
            work.returned.set(frame.cast());
            work.frame.set(caller);
            (*frame).result.hand_over(result);
            then
        }
    }

    /// Returns the result of the activation that returned last, whose method must have the result type `R`. Must be
    /// called once, in the block that the return leads to.
    #[inline(always)]
    pub fn returned(self, control: &Control<'_>) -> R {
        // SAFETY: generated code promises that the record that returned last has a result of this type, which was
        // handed over and is taken once. A record is `repr(C)`, so the offset of the result does not depend on the
        // locals.
        unsafe { (*control.work().returned.get().cast::<Frame<(), R>>()).result.take_over() }
    }
}

impl Workspace {
    /// Forgets all activations, before the machine starts over.
    pub(crate) fn forget_frames(&self) {
        self.frame.set(ptr::null_mut());
        self.returned.set(ptr::null_mut());
    }
}
