//! Calls of lifted methods that somebody else may answer. Each lifted method begins by asking whether calls are watched;
//! if they are, it packs its arguments, and an answer replaces its body. What watches calls is `summary`; without it,
//! asking costs a look at a thread-local cell. Loops are calls, too (see `loops`).
//!
//! # Safety argument
//! `watch` stores a pointer to the watcher, which the caller keeps valid until the guard is dropped; a watcher is used
//! only through this pointer, for one call at a time.

mod by_type;
mod containers;
pub mod loops;
mod named;
pub(crate) mod packed;
mod portable;
mod rest;
pub(crate) mod sets;
pub(crate) mod words;

use std::cell::Cell;
use std::ptr;

pub use by_type::{Give, GiveBehind, GiveNamed, GivePortable, Take, TakeBehind, TakeNamed, TakePortable};
pub use packed::Packed;
pub use portable::{Portable, pack_behind, unpack_behind};
pub use rest::{RestSite, begins_body, lives_on};

use crate::slots::slot_handle::SlotHandle;

/// A lifted method or a loop in one, as generated code declares it.
pub struct CallSite {
    /// The name of the method.
    pub name: &'static str,
    /// The line at which it is declared.
    pub line: u32,
}

impl CallSite {
    /// Returns what tells this site from others.
    pub(crate) fn key(&'static self) -> usize {
        ptr::from_ref(self).addr()
    }
}

/// Unpacks the arguments of a call, runs its body, and packs its result.
#[derive(Clone, Copy)]
pub enum RunBody {
    /// Packs the result of a method, and the values behind its `&mut` parameters.
    Method(fn(&mut Packed, &mut Packed)),
    /// Packs how a loop ends.
    Loop {
        /// Runs a body of this type.
        run: fn(*const (), &mut Packed, &mut Packed),
        /// The function, without its type.
        body: *const (),
    },
}

impl RunBody {
    /// Runs the body.
    pub(crate) fn run(self, from: &mut Packed, to: &mut Packed) {
        match self {
            RunBody::Method(run) => run(from, to),
            RunBody::Loop { run, body } => run(body, from, to),
        }
    }

    /// Returns words that are equal for equal bodies only.
    pub(crate) fn key(self) -> [u64; 2] {
        match self {
            RunBody::Method(run) => [run as usize as u64, 0],
            RunBody::Loop { run, body } => [run as usize as u64, body.addr() as u64],
        }
    }
}

/// A call under way.
pub struct Call {
    pub(crate) site: &'static CallSite,
    pub(crate) run: RunBody,
    /// The arguments, in whose place the answer is written.
    pub(crate) arguments: Packed,
    /// The first type that cannot be packed, if there is one.
    pub(crate) opaque: Option<&'static str>,
}

/// Answers calls.
pub(crate) trait Watcher {
    /// Writes the packed result of a call in the place of its arguments, or returns false if its body is to be run.
    fn answer(&mut self, call: &mut Call) -> bool;
    /// Answers the first read of a slot.
    fn read(&mut self, slot: SlotHandle);
    /// Ends the run, since it looks at a set of which not all is known.
    fn look_at_set(&mut self, what: SetLook) -> !;
    /// Takes the locals that a body uses after its next call.
    fn lives_on(&mut self, site: &'static RestSite, live: &Packed);
    /// Notes why a method or a loop is run, without being asked about it.
    fn is_run(&mut self, site: &'static CallSite, why: &'static str);
}

/// What a predicate looks at in a set of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetLook {
    Elements,
    Len,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Calls run as they are.
    Idle,
    /// The watcher is asked.
    Watched,
    /// The next call runs as it is, and the watcher is asked about the calls in it.
    EnterBody,
}

struct Watching {
    mode: Cell<Mode>,
    watcher: Cell<*mut dyn Watcher>,
}

/// The watcher of a thread on which none was set.
struct NoWatcher;

impl Watcher for NoWatcher {
    fn answer(&mut self, _: &mut Call) -> bool {
        false
    }
    fn read(&mut self, _: SlotHandle) {}
    fn look_at_set(&mut self, _: SetLook) -> ! {
        unreachable!("[korat internal bug] nobody has put ghosts into a set")
    }
    fn lives_on(&mut self, _: &'static RestSite, _: &Packed) {}
    fn is_run(&mut self, _: &'static CallSite, _: &'static str) {}
}

/// A chooser that has the watcher answer.
pub(crate) fn read_watched(slot: SlotHandle) {
    let watcher = WATCHING.with(|watching| watching.watcher.get());
    // SAFETY: a run with this chooser is watched, so the pointer is that of `watch`. The watcher runs no lifted code.
    unsafe { (*watcher).read(slot) };
}

/// Ends the run, since it looks at a set of which not all is known.
#[cold]
pub(crate) fn look_at_set(what: SetLook) -> ! {
    let watcher = WATCHING.with(|watching| watching.watcher.get());
    // SAFETY: only a watcher gives a set ghosts, so the pointer is that of `watch`. The watcher runs no lifted code.
    unsafe { (*watcher).look_at_set(what) }
}

thread_local! {
    static WATCHING: Watching = const {
        Watching { mode: Cell::new(Mode::Idle), watcher: Cell::new(ptr::null_mut::<NoWatcher>()) }
    };
}

/// Ends the watching of calls, and restores what was before.
pub(crate) struct WatchGuard {
    mode: Mode,
    watcher: *mut dyn Watcher,
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        WATCHING.with(|watching| {
            watching.mode.set(self.mode);
            watching.watcher.set(self.watcher);
        });
    }
}

/// Has the calls on this thread answered by a watcher, until the guard is dropped.
///
/// # Safety
/// The watcher must be valid, and used through this pointer only, until then.
pub(crate) unsafe fn watch(watcher: *mut dyn Watcher) -> WatchGuard {
    WATCHING.with(|watching| WatchGuard {
        mode: watching.mode.replace(Mode::Watched),
        watcher: watching.watcher.replace(watcher),
    })
}

/// Notes why a method or a loop is run, whatever it is given.
#[inline(always)]
pub fn is_run(site: &'static CallSite, why: &'static str) {
    WATCHING.with(|watching| {
        if watching.mode.get() != Mode::Idle {
            // SAFETY: calls are watched, so the pointer is that of `watch`. The watcher runs no lifted code.
            unsafe { (*watching.watcher.get()).is_run(site, why) };
        }
    });
}

/// Runs the next call as it is, and has the calls in it watched.
pub fn enter_body() {
    WATCHING.with(|watching| watching.mode.set(Mode::EnterBody));
}

/// Returns whether a call that begins now may be answered.
#[inline(always)]
pub fn are_watched() -> bool {
    WATCHING.with(|watching| match watching.mode.get() {
        Mode::Idle => false,
        Mode::Watched => true,
        Mode::EnterBody => {
            watching.mode.set(Mode::Watched);
            false
        }
    })
}

impl Call {
    /// Begins a call.
    #[inline]
    pub fn new(site: &'static CallSite, run: RunBody) -> Self {
        Call { site, run, arguments: Packed::default(), opaque: None }
    }

    /// Asks for an answer.
    pub fn answer(&mut self) -> Option<&mut Packed> {
        let watcher = WATCHING.with(|watching| watching.watcher.get());
        // SAFETY: calls are watched, so the pointer is that of `watch`. The watcher runs no lifted code.
        let is_answered = unsafe { (*watcher).answer(self) };
        is_answered.then_some(&mut self.arguments)
    }
}
