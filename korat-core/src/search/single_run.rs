//! One run of the predicate, for a client that makes the choices and decides by itself what is tried next. Counts nothing, and checks nothing.

use super::untyped::UntypedSearcher;
use crate::engine::stop::NotResumable;
use crate::heap::bounded::Heap;
use crate::predicate::context;
use crate::predicate::undo::Workspace;

impl UntypedSearcher {
    /// Runs the predicate once. `go_back` returns to an earlier statement and gives its label; without it, or if the predicate cannot be
    /// re-entered, the run begins at the top.
    pub(crate) fn run_once(&mut self, go_back: Option<impl FnOnce(&Workspace) -> u32>) -> bool {
        let Heap { engine, work, .. } = &mut **self.heap;
        let Some(machine) = self.machine.as_mut().filter(|_| self.not_resumable.is_none()) else {
            work.restart(false);
            return context::run(self.chooser, engine, work, self.settings.limits, || self.predicate.lifted());
        };
        work.set_quick(false);
        let label = match go_back {
            Some(go_back) => go_back(work),
            None => {
                work.restart(true);
                0
            }
        };
        machine.run(self.chooser, engine, work, label, self.settings.limits)
    }

    /// Whether the predicate is run from the top each time.
    pub(crate) fn is_reexecuted(&self) -> bool {
        self.machine.is_none() || self.not_resumable.is_some()
    }

    /// Runs the predicate from the top from now on: a local of this type cannot be restored.
    pub(crate) fn note_not_resumable(&mut self, not_resumable: NotResumable) {
        self.not_resumable = Some((self.heap.work.label(), not_resumable));
    }
}
