//! One run of the predicate, as observers of the search see it.

use std::ops::ControlFlow;

use crate::engine::choice_stack::Engine;
use crate::predicate::undo::Workspace;

/// An observer of candidates.
pub(super) trait Observer {
    /// Whether the observer ignores candidates, so that rejected ones need not be passed to it.
    const IDLE: bool;
    /// Observes a candidate.
    fn observe(&mut self, candidate: Candidate<'_>) -> ControlFlow<()>;
}

/// Ignores all candidates.
pub(super) struct NoObserver;

impl Observer for NoObserver {
    const IDLE: bool = true;
    #[inline(always)]
    fn observe(&mut self, _: Candidate<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Passes candidates on.
pub(super) struct AnyObserver<'o>(pub(super) &'o mut dyn FnMut(Candidate<'_>) -> ControlFlow<()>);

impl Observer for AnyObserver<'_> {
    const IDLE: bool = false;
    fn observe(&mut self, candidate: Candidate<'_>) -> ControlFlow<()> {
        (self.0)(candidate)
    }
}

/// One run of the predicate.
pub struct Candidate<'s> {
    pub(super) engine: &'s Engine,
    pub(super) work: &'s Workspace,
    pub(super) accepted: bool,
}

impl Candidate<'_> {
    /// Returns the verdict of the predicate.
    pub fn accepted(&self) -> bool {
        self.accepted
    }

    /// Returns the choices in the order in which they were made: slot number and index.
    pub fn choices(&self) -> Vec<(u32, u32)> {
        self.engine.trail().map(|(slot, index)| (slot.0, index)).collect()
    }

    /// Returns the field that was read last, as `Class.field`; `None` if nothing was read.
    pub fn last_read(&self) -> Option<String> {
        self.engine.last_read()
    }

    /// Describes the candidate, one line per object.
    pub fn describe(&self) -> String {
        self.engine.describe()
    }
}
