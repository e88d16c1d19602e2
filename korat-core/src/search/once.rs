//! One run of the predicate, for a repair, which decides by itself what is tried next.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Candidate, Searcher};
use crate::ambient::Stop;
use crate::class::RepOk;
use crate::compared;
use crate::engine::BrokenOff;
use crate::error::{SearchError, is_of_korat, panic_message};
use crate::heap::Heap;
use crate::undo::{STRETCH, Stretch};

impl<T: RepOk> Searcher<T> {
    /// Runs the predicate on the choices made so far, from the statement of the last one on; choices that it makes are added.
    pub(crate) fn run_once(&mut self) -> Result<bool, SearchError> {
        let repairing = self.heap.engine.repairing();
        repairing.broken_off = None;
        repairing.patience.begin();
        let mut from = None;
        loop {
            let outcome = catch_unwind(AssertUnwindSafe(|| match from.take() {
                Some(stretch) => self.run_stretch(&stretch),
                None => self.run_in_stretches(),
            }));
            // What has led to a rejection is gone back to; there each statement counts.
            let stretch = self.heap.work.end_stretches();
            if !matches!(outcome, Ok(true))
                && let Some(stretch) = stretch
            {
                if self.has_lost_patience() {
                    let steps = self.heap.engine.repairing().patience.lose();
                    self.allow_steps(steps);
                }
                self.heap.engine.take_stop();
                self.heap.engine.cut_to_repeat(stretch.depth);
                from = Some(stretch);
                continue;
            }
            self.heap.engine.tell_top();
            self.heap.engine.note_choices();
            self.heap.engine.counters.explored += 1;
            match outcome {
                Ok(accepted) => {
                    self.check_replay()?;
                    return Ok(accepted);
                }
                Err(payload) => match payload.downcast::<Stop>().map(|stop| *stop) {
                    // A slot finds no value that fits: no value here.
                    Ok(Stop::DeadEnd) => {
                        self.heap.engine.take_stop();
                        return Ok(false);
                    }
                    // Once more, from the top, as from now on.
                    Ok(Stop::Unfit(unfit)) => {
                        self.heap.engine.take_stop();
                        self.unfit = Some((self.heap.work.label(), unfit));
                    }
                    Ok(Stop::OutOfSteps) => {
                        self.heap.engine.repairing().broken_off = Some(BrokenOff::Loop);
                        if self.has_lost_patience() {
                            return Err(self.stopped(Stop::OutOfSteps));
                        }
                        self.heap.engine.take_stop();
                        return Ok(false);
                    }
                    Ok(stop) => return Err(self.stopped(stop)),
                    Err(payload) if is_of_korat(&*payload) => return Err(self.panicked(payload)),
                    // What makes the predicate panic is no value, as if it had rejected it.
                    Err(payload) => {
                        let panic = BrokenOff::Panic(panic_message(&*payload));
                        self.heap.engine.repairing().broken_off = Some(panic);
                        return Ok(false);
                    }
                },
            }
        }
    }

    /// Whether the predicate has gone on for too long, and that is an error: it loops, but takes the time that there is, or nobody has said
    /// when it does, and it has not come to an end before. Otherwise what makes it loop is no value, as if it had rejected it.
    fn has_lost_patience(&mut self) -> bool {
        let patience = self.heap.engine.repairing().patience;
        let may_loop = patience.may_loop || patience.has_ended;
        self.heap.engine.stop == Some(Stop::OutOfSteps) && (!may_loop || patience.is_over())
    }

    /// Runs the predicate. Choices that are as the value has them share statements to re-enter, once it has gone on for a while, and as far
    /// as somebody wants to know what is compared.
    fn run_in_stretches(&mut self) -> bool {
        let depth = self.heap.engine.depth();
        let apart = if depth == 0 { 0 } else { STRETCH as usize };
        let noted = if compared::is_noting() { self.heap.engine.repairing().noted_until } else { Some(0) };
        let after = noted.filter(|_| !self.is_reexecuted()).map(|noted| noted.saturating_sub(depth).max(apart));
        self.heap.work.begin_stretches(after);
        self.heap.engine.repairing().forget_plain();
        self.run_predicate::<fn(Candidate<'_>) -> ControlFlow<()>>(self.heap.root())
    }

    /// Runs it once more from where a stretch begins, statement by statement.
    fn run_stretch(&mut self, stretch: &Stretch) -> bool {
        let Some(machine) = &mut self.machine else { return false };
        let Heap { engine, work, .. } = &mut **self.heap;
        let label = work.resume_stretch(stretch);
        machine.run(engine, work, label, self.settings.limits)
    }

    /// Whether the predicate is run from the top each time.
    pub(crate) fn is_reexecuted(&self) -> bool {
        self.machine.is_none() || self.unfit.is_some()
    }

    /// Decides the slots of the value that the predicate has not read; false if one of them finds no value that fits.
    pub(crate) fn complete_once(&mut self) -> Result<bool, SearchError> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.read_unread()));
        self.heap.engine.note_choices();
        match outcome {
            Ok(()) => Ok(true),
            Err(payload) => match payload.downcast::<Stop>().map(|stop| *stop) {
                Ok(Stop::DeadEnd) => {
                    self.heap.engine.take_stop();
                    Ok(false)
                }
                Ok(stop) => Err(self.stopped(stop)),
                Err(payload) => Err(self.panicked(payload)),
            },
        }
    }
}
