//! A stand-alone workspace for testing containers.

use std::rc::Rc;

use super::Workspace;
use crate::engine::resume::Moment;
use crate::predicate::context;

/// A workspace for testing containers, with checkpoints to return to.
pub struct Workbench {
    work: Rc<Workspace>,
    _entered: context::Working,
    moments: Vec<Moment>,
}

impl Workbench {
    /// Creates a workspace, which holds all containers made on this thread from now on.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let work = Rc::new(Workspace::default());
        work.restart(true);
        let _entered = context::work_in(work.clone());
        Workbench { work, _entered, moments: Vec::new() }
    }

    /// Sets a checkpoint and returns its number.
    pub fn mark(&mut self) -> usize {
        self.work.next_epoch();
        self.work.memory.settle();
        self.moments.push(self.work.now_moment());
        self.moments.len() - 1
    }

    /// Backtracks to a checkpoint, which remains set.
    pub fn back(&mut self, mark: usize) {
        self.moments.truncate(mark + 1);
        self.work.go_back(self.moments[mark]);
        self.work.memory.settle();
        self.work.next_epoch();
    }
}
