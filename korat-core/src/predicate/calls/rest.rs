//! What a method does after a call, where its syntax shows that this depends on the answer and on a few locals only. Before such a
//! call, generated code packs these locals and shows them to the watcher.

use super::{CallSite, Mode, Packed, WATCHING};

/// A call in a method after which nothing but the answer and some plain locals matter, as generated code declares it.
pub struct RestSite {
    /// The name of the method that is called.
    pub callee: &'static str,
    /// The line at which it is declared.
    pub line: u32,
}

impl RestSite {
    /// Returns what tells this site from others.
    pub(crate) fn key(&'static self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Returns whether the call may be one of this method.
    pub(crate) fn is_of(&self, callee: &CallSite) -> bool {
        self.line == callee.line && self.callee == callee.name
    }
}

/// Returns whether a method that begins now is the body of a call that the watcher runs.
#[inline(always)]
pub fn begins_body() -> bool {
    WATCHING.with(|watching| watching.mode.get() == Mode::EnterBody)
}

/// Shows the watcher the locals that the body under way uses after its next call.
pub fn lives_on(site: &'static RestSite, live: &Packed) {
    WATCHING.with(|watching| {
        // SAFETY: a body is run by the watcher, so the pointer is that of `watch`. The watcher runs no lifted code.
        unsafe { (*watching.watcher.get()).lives_on(site, live) };
    });
}
