//! The self-check of a search: on a sample of the candidates, runs the predicate from the top beside the machine, and
//! on a sample of the values, runs the unmodified predicate. A check leaves the state of the search unchanged,
//! including choices, counters and the machine's memory, and reports disagreements as errors.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::sample::Checked;
use super::untyped::UntypedSearcher;
use crate::engine::rerun::Reads;
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::model::error::{Disagreement, SearchError, panic_message};
use crate::model::settings::SelfCheck;
use crate::predicate::caught_panics::caught;
use crate::predicate::context::{self, choose_again};

/// The number of runs after which a predicate that disagrees is assumed to be deterministic: one that counts its runs
/// may give the same verdict twice.
pub(super) const RUNS: usize = 8;

/// The form in which the predicate runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it was lifted. With `decided`, on all slots of a value, and not only on those that the candidate has read.
    Lifted { decided: bool },
    /// As a machine that starts over.
    Machine,
}

/// How a run of the predicate ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunOutcome {
    Accepts,
    Rejects,
    Panics(String),
    NeverEnds,
    /// It takes more native stack than there is. Says nothing about a machine, which takes none.
    TooDeep,
    /// It reads one more field, which has no value left: no verdict.
    ReadsMore,
    /// It reads other fields than before, on the same choices: no verdict.
    ReadsOther,
}

impl RunOutcome {
    fn of(accepted: bool) -> Self {
        if accepted { RunOutcome::Accepts } else { RunOutcome::Rejects }
    }

    /// Returns whether both runs end alike. Ignores the messages of panics, which may contain an address or depend on
    /// the order of a hash table.
    fn is_like(&self, other: &RunOutcome) -> bool {
        self == other || matches!((self, other), (RunOutcome::Panics(_), RunOutcome::Panics(_)))
    }

    fn past_tense(&self) -> String {
        match self {
            RunOutcome::Accepts => "accepted".to_string(),
            RunOutcome::Rejects => "rejected".to_string(),
            RunOutcome::Panics(message) => format!("panicked ({message})"),
            RunOutcome::NeverEnds => "did not end".to_string(),
            RunOutcome::TooDeep => "recursed too deep".to_string(),
            RunOutcome::ReadsMore => "read another field".to_string(),
            RunOutcome::ReadsOther => "read other fields than before".to_string(),
        }
    }
}

impl fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunOutcome::Accepts => f.write_str("accepts it"),
            RunOutcome::Rejects => f.write_str("rejects it"),
            RunOutcome::Panics(message) => write!(f, "panics on it ({message})"),
            RunOutcome::NeverEnds => f.write_str("does not end on it"),
            RunOutcome::TooDeep => f.write_str("recurses too deep on it"),
            RunOutcome::ReadsMore => f.write_str("reads another field"),
            RunOutcome::ReadsOther => f.write_str("reads other fields than before"),
        }
    }
}

impl UntypedSearcher {
    /// Returns how much of the search was checked so far, see [`Settings::self_check`](crate::Settings::self_check):
    /// candidates since the last [restart](Self::restart), and all values.
    pub fn checked(&self) -> Checked {
        self.sample.checked
    }

    /// Compares the current rejected candidate with a run from the top, if it belongs to the sample.
    #[inline]
    pub(super) fn check_rejected(&mut self) -> Result<(), SearchError> {
        if self.seen() < self.sample.rejected_at {
            return Ok(());
        }
        self.check_rejected_with(RunOutcome::Rejects)
    }

    /// Compares the current candidate, in which a reference found no object and so prevented a verdict, with a run from
    /// the top, if it belongs to the sample.
    pub(super) fn check_dead_end(&mut self) -> Result<(), SearchError> {
        if self.seen() < self.sample.rejected_at {
            return Ok(());
        }
        self.check_rejected_with(RunOutcome::ReadsMore)
    }

    #[inline(never)]
    fn check_rejected_with(&mut self, end: RunOutcome) -> Result<(), SearchError> {
        let (seen, work) = (self.seen(), self.work());
        let is_compared = !self.is_reexecuted();
        if !is_compared || self.sample.takes_rejected(seen, work) {
            let has_ended = !is_compared || self.compare(end.clone())?;
            // If a reference found no object, no value has these choices. The unmodified predicate recurses as deep as
            // the lifted one, so it is not run after `TooDeep`.
            if end == RunOutcome::Rejects && has_ended {
                self.check_completed(seen, work)?;
            }
        }
        self.let_machine_run();
        Ok(())
    }

    /// Compares the current accepted candidate with a run from the top, if it belongs to the sample.
    #[inline]
    pub(super) fn check_accepted(&mut self) -> Result<(), SearchError> {
        if self.is_reexecuted() || self.seen() < self.sample.accepted_at {
            return Ok(());
        }
        if self.sample.takes_accepted(self.seen(), self.work()) {
            self.compare(RunOutcome::Accepts)?;
        }
        Ok(())
    }

    /// Lets the machine run until there is something to do outside: a pause, or a candidate to compare.
    pub(super) fn let_machine_run(&mut self) {
        let return_at = self.pause_at.min(self.sample.rejected_at.saturating_add(self.passed));
        self.heap.engine.set_return_at(return_at);
    }

    /// Runs the predicate from the top on the current choices. It must end as the machine did, and read the same fields
    /// in the same order. Returns whether it ended: false if it recursed too deep.
    #[inline(never)]
    fn compare(&mut self, machine: RunOutcome) -> Result<bool, SearchError> {
        let depth = self.heap.engine.depth();
        let (end, reads) = self.run_from_top(false);
        if end.is_like(&machine) && reads.read == depth {
            self.sample.note_compared(machine == RunOutcome::Accepts, depth, reads.steps);
            return Ok(true);
        }
        if end == RunOutcome::TooDeep {
            return Ok(false);
        }
        for _ in 1..RUNS {
            let (another, more_reads) = self.run_from_top(false);
            if (reads.read, reads.other) != (more_reads.read, more_reads.other) {
                return Err(SearchError::NotDeterministic {
                    candidate: self.describe(),
                    expected: self.read_next(&reads),
                    found: self.read_next(&more_reads),
                    place: self.place(),
                });
            }
            if !another.is_like(&end) {
                return Err(self.verdicts_differ(&end, &another));
            }
        }
        // A machine with a bug of its own is wrong again. Otherwise, what was undone before has misled it, or the
        // predicate depends on something else; if nothing was undone, it is the latter.
        let (again, reads_again) = self.run_in_check_workspace(Form::Machine);
        let is_repeated = again.is_like(&machine) && reads_again.read == depth;
        if !is_repeated && self.is_at_first_candidate() {
            if reads.read == depth && reads.other.is_none() {
                return Err(self.verdicts_differ(&machine, &end));
            }
            let name = |slot| self.heap.engine.slot_name(slot);
            return Err(SearchError::NotDeterministic {
                candidate: self.describe(),
                expected: self.heap.engine.trail().nth(reads.read).map_or_else(nothing_more, |(slot, _)| name(slot)),
                found: reads.other.map_or_else(nothing_more, name),
                place: self.place(),
            });
        }
        let (mut by_machine, mut from_top) = (machine.to_string(), end.to_string());
        if reads.read < depth
            || end == RunOutcome::ReadsMore
            || machine == RunOutcome::ReadsMore
            || machine == RunOutcome::ReadsOther
        {
            let after = format!("after {} field{}", reads.read, if reads.read == 1 { "" } else { "s" });
            let name = |slot| self.heap.engine.slot_name(slot);
            by_machine = match self.heap.engine.trail().nth(reads.read) {
                Some((slot, _)) => format!("reads {} {after}", name(slot)),
                None => format!("{machine} {after}"),
            };
            from_top = match reads.other {
                Some(slot) => format!("reads {} {after}", name(slot)),
                None => format!("{end} {after}"),
            };
        }
        Err(SearchError::Disagreement(Box::new(Disagreement {
            candidate: self.describe(),
            place: self.place(),
            machine: Some(by_machine),
            from_top,
            plain: None,
            is_repeated,
        })))
    }

    /// Returns the error that a run of the predicate ended with; or a disagreement, if that run was the machine's and a
    /// run from the top ends differently on the same choices.
    #[cold]
    pub(super) fn or_disagreement(&mut self, end: RunOutcome, error: SearchError) -> SearchError {
        if self.is_reexecuted() || self.restored.is_some() || self.settings.self_check == SelfCheck::Off {
            return error;
        }
        self.heap.engine.take_stop();
        // If a run from the top leaves the order of reads as well, the predicate has changed.
        if end == RunOutcome::ReadsOther && self.run_from_top(false).1.read < self.heap.engine.depth() {
            return error;
        }
        let steps = self.heap.engine.limits.steps;
        if end == RunOutcome::NeverEnds {
            // The machine counts some steps differently; only a run that ends much sooner disagrees.
            self.heap.engine.limits.steps /= 4;
        }
        let compared = self.compare(end);
        self.heap.engine.limits.steps = steps;
        match compared {
            Err(disagreement @ SearchError::Disagreement(_)) => disagreement,
            Ok(_) | Err(_) => error,
        }
    }

    /// Returns whether the machine has run on a single candidate only, from the top.
    fn is_at_first_candidate(&self) -> bool {
        self.heap.engine.counters.explored + self.heap.work.passed() == 0
    }

    /// Returns the name of the slot that a run from the top read where it left the order of the stack.
    fn read_next(&self, reads: &Reads) -> String {
        let engine = &self.heap.engine;
        let next = reads.other.or_else(|| engine.trail().nth(reads.read.checked_sub(1)?).map(|(slot, _)| slot));
        next.map_or_else(nothing_more, |slot| engine.slot_name(slot))
    }

    pub(super) fn verdicts_differ(&self, before: &RunOutcome, now: &RunOutcome) -> SearchError {
        SearchError::VerdictsDiffer { candidate: self.describe(), before: before.past_tense(), now: now.past_tense() }
    }

    /// Runs the lifted predicate from the top on the current choices. With `decided`, all slots of the value are decided.
    pub(super) fn run_from_top(&mut self, decided: bool) -> (RunOutcome, Reads) {
        self.run_in_check_workspace(Form::Lifted { decided })
    }

    /// Runs the predicate from the top on the current choices, in memory of its own.
    fn run_in_check_workspace(&mut self, form: Form) -> (RunOutcome, Reads) {
        self.heap.engine.begin_rerun(form == Form::Lifted { decided: true });
        let limits = self.heap.engine.limits;
        let work = self.heap.check_workspace.take().unwrap_or_default();
        // The memory is empty; a machine logs its changes.
        work.restart(form == Form::Machine);
        let engine = &mut self.heap.engine;
        let mut outcome = caught(|| match form {
            Form::Lifted { .. } => context::run(choose_again, engine, &work, limits, || self.predicate.lifted()),
            Form::Machine => self.predicate.machine().run(choose_again, engine, &work, 0, limits),
        });
        // Destructors of the user's may panic, one after the other.
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| work.restart(false))) {
            outcome = outcome.and(Err(panic));
        }
        self.heap.check_workspace = Some(work);
        let reads = self.heap.engine.end_rerun();
        let end = match (self.heap.engine.take_stop(), outcome) {
            (Some(Stop::ReadOther), _) => RunOutcome::ReadsMore,
            (Some(Stop::TooDeep), _) => RunOutcome::TooDeep,
            (Some(Stop::Uninitialised), _) => RunOutcome::Rejects,
            (Some(_), _) => RunOutcome::NeverEnds,
            (None, Ok(accepted)) => RunOutcome::of(accepted),
            (None, Err(payload)) => RunOutcome::Panics(panic_message(&*payload)),
        };
        (end, reads)
    }

    /// Returns the number of explored candidates, without those that the machine rejected in its own loop. It is the
    /// same in every run, however often the search pauses.
    #[inline]
    fn seen(&self) -> u64 {
        self.heap.engine.counters.explored - self.passed
    }

    /// Returns the work that the search has done, in the units of the sample.
    pub(super) fn work(&self) -> u64 {
        let Heap { engine, work, .. } = &**self.heap;
        if self.is_reexecuted() {
            engine.counters.field_inits
        } else {
            engine.initialised() + work.passed() + work.epoch()
        }
    }
}

fn nothing_more() -> String {
    "nothing more".to_string()
}

/// Runs the unmodified predicate on a value.
pub(super) fn holds(plain: &dyn Fn() -> bool) -> RunOutcome {
    match caught(plain) {
        Ok(accepted) => RunOutcome::of(accepted),
        Err(payload) => RunOutcome::Panics(panic_message(&*payload)),
    }
}
