//! One execution of the predicate, as those see it who look at the search.

use std::ops::ControlFlow;

use crate::engine::Engine;
use crate::undo::Workspace;

/// Who looks at candidates.
pub(super) trait Observer {
    /// Whether nobody does, so that rejected candidates need not be shown.
    const IDLE: bool;
    /// Looks at one.
    fn observe(&mut self, candidate: Candidate<'_>) -> ControlFlow<()>;
}

pub(super) struct NoObserver;

impl Observer for NoObserver {
    const IDLE: bool = true;
    #[inline(always)]
    fn observe(&mut self, _: Candidate<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(Candidate<'_>) -> ControlFlow<()>> Observer for F {
    const IDLE: bool = false;
    #[inline]
    fn observe(&mut self, candidate: Candidate<'_>) -> ControlFlow<()> {
        self(candidate)
    }
}

/// One execution of the predicate.
pub struct Candidate<'s> {
    pub(super) engine: &'s Engine,
    pub(super) work: &'s Workspace,
    pub(super) accepted: bool,
}

impl Candidate<'_> {
    /// What the predicate said.
    pub fn accepted(&self) -> bool {
        self.accepted
    }

    /// The choices in the order they were made: slot number and index.
    pub fn choices(&self) -> Vec<(u32, u32)> {
        self.engine.trail().map(|(slot, index)| (slot.0, index)).collect()
    }

    /// The field read last, as `Class.field`; none if nothing was read.
    pub fn last_read(&self) -> Option<String> {
        self.engine.last_read()
    }

    /// One line per object.
    pub fn describe(&self) -> String {
        self.engine.describe()
    }
}
