//! One run of the predicate in a repair, from the statement of the last decision on. Takes the decisions made so far and adds those that the
//! run makes; a run that panics or loops has rejected.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Repairer;
use super::choices::running::answer_from;
use super::choices::state::Interruption;
use crate::engine::stop::Stop;
use crate::model::error::{SearchError, is_of_korat, panic_message};
use crate::predicate::compared;
use crate::predicate::undo::Workspace;
use crate::predicate::undo::checkpoint_interval::{CHOICES_PER_INTERVAL, CheckpointInterval};

impl Repairer<'_> {
    /// Runs the predicate on the decisions made so far, from the statement of the last one on.
    pub(super) fn run_once(&mut self) -> Result<bool, SearchError> {
        self.state.interruption = None;
        self.state.budget.begin();
        let mut from = None;
        loop {
            let outcome = catch_unwind(AssertUnwindSafe(|| match from.take() {
                Some(interval) => self.run_interval(&interval),
                None => self.run_in_intervals(),
            }));
            // A repair goes back to what has led to a rejection; there each statement counts.
            let interval = self.searcher.heap.work.end_intervals();
            if !matches!(outcome, Ok(true))
                && let Some(interval) = interval
            {
                if self.is_out_of_budget() {
                    let steps = self.state.budget.give_up();
                    self.searcher.allow_steps(steps);
                }
                self.searcher.heap.engine.take_stop();
                self.choices_mut().cut_to_repeat(interval.depth);
                from = Some(interval);
                continue;
            }
            self.choices_mut().record_unchanged();
            self.searcher.heap.engine.counters.explored += 1;
            match outcome {
                Ok(accepted) => {
                    self.check_read()?;
                    return Ok(accepted);
                }
                Err(payload) => match payload.downcast::<Stop>().map(|stop| *stop) {
                    // A slot finds no value that fits, or has none: no value here.
                    Ok(Stop::DeadEnd | Stop::Uninitialised) => {
                        self.searcher.heap.engine.take_stop();
                        return Ok(false);
                    }
                    // Once more, from the top, as from now on.
                    Ok(Stop::NotResumable(not_resumable)) => {
                        self.searcher.heap.engine.take_stop();
                        self.searcher.note_not_resumable(not_resumable);
                    }
                    Ok(Stop::OutOfSteps) => {
                        self.state.interruption = Some(Interruption::Loop);
                        if self.is_out_of_budget() {
                            return Err(self.searcher.stopped(Stop::OutOfSteps));
                        }
                        self.searcher.heap.engine.take_stop();
                        return Ok(false);
                    }
                    Ok(stop) => return Err(self.searcher.stopped(stop)),
                    Err(payload) if is_of_korat(&*payload) => return Err(self.searcher.panicked(payload)),
                    // What makes the predicate panic is no value, as if it had rejected it.
                    Err(payload) => {
                        self.state.interruption = Some(Interruption::Panic(panic_message(&*payload)));
                        return Ok(false);
                    }
                },
            }
        }
    }

    /// Checks that the run has not caught the panic that was to end it, and has read the slot whose index was moved on.
    fn check_read(&mut self) -> Result<(), SearchError> {
        if let Some(stop) = self.searcher.heap.engine.take_stop() {
            return Err(self.searcher.stopped(stop));
        }
        let unread = self.state.decisions.unread_offer();
        unread.map_or(Ok(()), |slot| Err(self.searcher.never_read(slot)))
    }

    /// Whether the predicate has used up its steps and that is an error: the time is over, or the user has set no limit and the predicate has
    /// not ended before. Otherwise what makes it loop is no value, as if it had rejected it.
    fn is_out_of_budget(&self) -> bool {
        let budget = self.state.budget;
        let may_loop = budget.may_loop || budget.has_ended;
        self.searcher.heap.engine.stop == Some(Stop::OutOfSteps) && (!may_loop || budget.is_over())
    }

    /// Runs the predicate. Unchanged decisions share statements to re-enter after the first ones, and after the last whose comparisons are
    /// noted.
    fn run_in_intervals(&mut self) -> bool {
        let depth = self.state.decisions.len();
        let apart = if depth == 0 { 0 } else { CHOICES_PER_INTERVAL as usize };
        let noted = if compared::is_recording() { self.state.noted_until } else { Some(0) };
        let is_reexecuted = self.searcher.is_reexecuted();
        let after = noted.filter(|_| !is_reexecuted).map(|noted| noted.saturating_sub(depth).max(apart));
        self.searcher.heap.work.begin_intervals(after);
        self.state.forget_bounds();
        let resume = self.state.decisions.last_resume().copied();
        let searcher = &mut self.searcher;
        answer_from(&mut self.state, || {
            searcher.run_once(resume.map(|resume| move |work: &Workspace| work.resume_decided(&resume)))
        })
    }

    /// Runs the predicate once more from the beginning of an interval, statement by statement.
    fn run_interval(&mut self, interval: &CheckpointInterval) -> bool {
        let searcher = &mut self.searcher;
        answer_from(&mut self.state, || searcher.run_once(Some(|work: &Workspace| work.resume_interval(interval))))
    }

    /// Decides the slots of the value that the predicate has not read; false if one of them finds no value that fits.
    pub(super) fn complete_once(&mut self) -> Result<bool, SearchError> {
        let searcher = &mut self.searcher;
        let outcome = catch_unwind(AssertUnwindSafe(|| answer_from(&mut self.state, || searcher.read_unread())));
        self.choices_mut().record_unchanged();
        match outcome {
            Ok(()) => Ok(true),
            Err(payload) => match payload.downcast::<Stop>().map(|stop| *stop) {
                Ok(Stop::DeadEnd) => {
                    self.searcher.heap.engine.take_stop();
                    Ok(false)
                }
                Ok(stop) => Err(self.searcher.stopped(stop)),
                Err(payload) => Err(self.searcher.panicked(payload)),
            },
        }
    }
}
