//! Detects errors of a predicate while the search runs it.

use std::any::Any;

use super::check::RunOutcome;
use super::untyped::{Phase, UntypedSearcher};
use crate::engine::stop::Stop;
use crate::engine::type_violation::TypeViolation;
use crate::model::error::{SearchError, panic_message};
use crate::model::ids::SlotId;
use crate::predicate::machine::explain::BlockInfo;

impl UntypedSearcher {
    /// Checks that the run did not swallow a stop, and that it read the slot of the last choice, if that has moved on.
    #[inline]
    pub(super) fn check_replay(&mut self) -> Result<(), SearchError> {
        self.heap.engine.record_last_choice();
        if let Some(stop) = self.heap.engine.take_stop() {
            // The predicate was to end, and caught the panic.
            return Err(self.stopped(stop));
        }
        match self.heap.engine.unread_offer() {
            None => Ok(()),
            Some(slot) => {
                let error = self.never_read(slot);
                Err(self.or_disagreement(RunOutcome::ReadsOther, error))
            }
        }
    }

    /// Returns the error for a predicate that did not read a slot again.
    pub(crate) fn never_read(&self, slot: SlotId) -> SearchError {
        SearchError::NotDeterministic {
            candidate: self.heap.engine.describe(),
            expected: self.heap.engine.slot_name(slot),
            found: "nothing more".to_string(),
            place: self.place(),
        }
    }

    /// Returns the source location of the running statement, for messages.
    pub(super) fn place(&self) -> String {
        self.block_that_ran().map_or_else(String::new, |(file, block)| format!(" at {file}:{}", block.line))
    }

    /// Returns the statement that the machine has started last, and its file.
    pub(crate) fn block_that_ran(&self) -> Option<(&'static str, BlockInfo)> {
        let machine = self.machine.as_ref().filter(|_| self.not_resumable.is_none())?;
        let block = machine.info.blocks.get(self.heap.work.label() as usize).copied().flatten()?;
        Some((machine.info.file, block))
    }

    /// Returns the error for a candidate on which the predicate ended without a verdict.
    #[cold]
    pub(super) fn unwound(&mut self, payload: Box<dyn Any + Send>) -> SearchError {
        match payload.downcast::<Stop>() {
            Ok(stop) => match *stop {
                Stop::OutOfSteps => {
                    let error = self.stopped(*stop);
                    self.or_disagreement(RunOutcome::NeverEnds, error)
                }
                Stop::NotDeterministic { .. } => {
                    let error = self.stopped(*stop);
                    self.or_disagreement(RunOutcome::ReadsOther, error)
                }
                stop => self.stopped(stop),
            },
            Err(payload) => {
                let end = RunOutcome::Panics(panic_message(&*payload));
                let error = self.panicked(payload);
                self.or_disagreement(end, error)
            }
        }
    }

    /// Ends the search with an error.
    pub(super) fn ended(&mut self, error: SearchError) -> SearchError {
        self.phase = Phase::Done;
        error
    }

    pub(super) fn type_violation(&self, type_violation: TypeViolation) -> SearchError {
        SearchError::Misfit {
            candidate: self.heap.engine.describe(),
            what: self.heap.engine.describe_misfit(type_violation),
        }
    }

    /// Ends the search with the error for a run that was ended from inside.
    pub(crate) fn stopped(&mut self, stop: Stop) -> SearchError {
        let candidate = self.heap.engine.describe();
        let error = match stop {
            Stop::OutOfSteps => SearchError::Endless { candidate, steps: self.settings.limits.steps },
            Stop::TooManyCalls { calls } => SearchError::TooManyCalls { candidate, calls },
            Stop::TooDeep => SearchError::TooDeep { candidate, bytes: self.settings.limits.stack },
            Stop::NotDeterministic { expected, found } => SearchError::NotDeterministic {
                candidate,
                expected: self.heap.engine.slot_name(expected),
                found: self.heap.engine.slot_name(found),
                place: self.place(),
            },
            Stop::NoSuchPrefix { choice, index } => SearchError::NoSuchPrefix { choice, index },
            // Only a predicate that catches panics gets here.
            Stop::DeadEnd | Stop::Elsewhere | Stop::Uninitialised | Stop::ReadOther | Stop::NotResumable(_) => {
                SearchError::Panicked {
                    message: "rep_ok caught the panic that ends a run; it must not catch panics".to_string(),
                    candidate,
                }
            }
        };
        self.ended(error)
    }

    /// Ends the search with the error for a panic of the predicate.
    pub(crate) fn panicked(&mut self, payload: Box<dyn Any + Send>) -> SearchError {
        let message = panic_message(&*payload);
        let candidate = self.heap.engine.describe();
        self.ended(SearchError::Panicked { message, candidate })
    }
}
