//! A workspace by itself, in which tests try containers.

use std::rc::Rc;

use super::{Moment, Workspace};
use crate::ambient;

/// A workspace to try containers in, and the moments of it; for tests.
pub struct Workbench {
    work: Rc<Workspace>,
    _entered: ambient::Working,
    moments: Vec<Moment>,
}

impl Workbench {
    /// Containers made on this thread from now on lie in it.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let work = Rc::new(Workspace::default());
        work.restart(true);
        let _entered = ambient::work_in(work.clone());
        Workbench { work, _entered, moments: Vec::new() }
    }

    /// Remembers the moment; gives its number.
    pub fn mark(&mut self) -> usize {
        self.work.next_epoch();
        self.work.memory.settle();
        self.moments.push(self.work.now_moment());
        self.moments.len() - 1
    }

    /// Goes back to a moment, which stays remembered.
    pub fn back(&mut self, mark: usize) {
        self.moments.truncate(mark + 1);
        self.work.go_back(self.moments[mark]);
        self.work.memory.settle();
        self.work.next_epoch();
    }
}
