//! A stand-alone workspace for testing containers.

use std::rc::Rc;

use super::Workspace;
use crate::engine::resume_point::Checkpoint;
use crate::predicate::context;

/// A workspace for testing containers, with checkpoints to return to.
pub struct TestWorkspace {
    work: Rc<Workspace>,
    _entered: context::WorkspaceGuard,
    checkpoints: Vec<Checkpoint>,
}

impl TestWorkspace {
    /// Creates a workspace, which holds all containers made on this thread from now on.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let work = Rc::new(Workspace::default());
        work.restart(true);
        let _entered = context::enter_workspace(work.clone());
        TestWorkspace { work, _entered, checkpoints: Vec::new() }
    }

    /// Sets a checkpoint and returns its number.
    pub fn mark(&mut self) -> usize {
        self.work.next_epoch();
        self.work.memory.mark_old();
        self.checkpoints.push(self.work.current_checkpoint());
        self.checkpoints.len() - 1
    }

    /// Backtracks to a checkpoint, which remains set.
    pub fn back(&mut self, mark: usize) {
        self.checkpoints.truncate(mark + 1);
        self.work.backtrack_to(self.checkpoints[mark]);
        self.work.memory.mark_old();
        self.work.next_epoch();
    }
}
