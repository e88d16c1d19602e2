//! The check of a search by itself: on a sample of the candidates the predicate is run from the top beside the machine, and a
//! sample of the values is shown to the plain predicate. Takes what the search stands at and leaves it as it is, choices,
//! counters and the machine's memory included; gives an error where they do not agree.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Checked, Searcher};
use crate::ambient::{self, Stop};
use crate::class::RepOk;
use crate::engine::Reads;
use crate::engine::layout::Layout;
use crate::error::{Disagreement, SearchError, panic_message};
use crate::heap::Heap;
use crate::settings::{Pruning, SelfCheck};

/// How often a predicate is run that disagrees, before it is taken to be deterministic: one that counts its runs may say the
/// same twice.
const RUNS: usize = 8;

thread_local! {
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the current thread runs the predicate to check a search. Panics are caught then, and nothing that a user must hear of.
pub fn is_checking() -> bool {
    IS_RUNNING.try_with(Cell::get).unwrap_or(false)
}

/// Runs code of the user's for a check; gives a panic of it to the caller.
pub(super) fn run_to_check<R>(run: impl FnOnce() -> R) -> std::thread::Result<R> {
    let before = IS_RUNNING.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    IS_RUNNING.set(before);
    outcome
}

/// In which form the predicate is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it was lifted. `decided`: on all slots of a value, and not only on those that the candidate has read.
    Lifted { decided: bool },
    /// As a machine that begins anew.
    Machine,
}

/// How a run of the predicate ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Accepts,
    Rejects,
    Panics(String),
    NeverEnds,
    /// It takes more native stack than there is. A machine takes none, so that this says nothing.
    TooDeep,
    /// It reads one more field, which has no value left: no verdict.
    ReadsOn,
    /// It does not read what it has read before, with the same choices: no verdict.
    Strays,
}

impl End {
    fn of(accepted: bool) -> Self {
        if accepted { End::Accepts } else { End::Rejects }
    }

    /// Whether a run ends alike; what a panic says may hold an address or the order of a hash table.
    fn is_like(&self, other: &End) -> bool {
        self == other || matches!((self, other), (End::Panics(_), End::Panics(_)))
    }

    fn in_the_past(&self) -> String {
        match self {
            End::Accepts => "accepted".to_string(),
            End::Rejects => "rejected".to_string(),
            End::Panics(message) => format!("panicked ({message})"),
            End::NeverEnds => "did not end".to_string(),
            End::TooDeep => "recursed too deep".to_string(),
            End::ReadsOn => "read another field".to_string(),
            End::Strays => "read other fields than before".to_string(),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Accepts => f.write_str("accepts it"),
            End::Rejects => f.write_str("rejects it"),
            End::Panics(message) => write!(f, "panics on it ({message})"),
            End::NeverEnds => f.write_str("does not end on it"),
            End::TooDeep => f.write_str("recurses too deep on it"),
            End::ReadsOn => f.write_str("reads another field"),
            End::Strays => f.write_str("reads other fields than before"),
        }
    }
}

impl<T: RepOk> Searcher<T> {
    /// How much of the search was checked so far, see [`Settings::self_check`](crate::Settings::self_check): candidates since it was
    /// [restarted](Searcher::restart), and all values.
    pub fn checked(&self) -> Checked {
        self.sample.checked
    }

    /// The value the search stands at, which was shown to the plain predicate if it is one of the sample.
    pub fn checked_value(&mut self) -> Result<T, SearchError> {
        let value = self.value();
        if self.takes_value(true) {
            self.show_value(&value)?;
        }
        Ok(value)
    }

    /// Builds the value the search stands at and shows it to the plain predicate, if it is one of the sample: for those who
    /// build no values.
    pub fn check_value(&mut self) -> Result<(), SearchError> {
        if !self.takes_value(false) {
            return Ok(());
        }
        self.heap.engine.tell_top();
        let value = self.value();
        let shown = self.show_value(&value);
        drop(value);
        self.free_cycles();
        shown
    }

    fn show_value(&mut self, value: &T) -> Result<(), SearchError> {
        self.sample.checked.shown += 1;
        self.show_to_plain(value, &End::Accepts)
    }

    fn takes_value(&mut self, built: bool) -> bool {
        let (valid, slots) = (self.heap.engine.counters.valid, self.heap.engine.links.reached_slots());
        let work = self.work();
        self.sample.takes_value(valid, slots, built, work)
    }

    /// Compares the rejected candidate that the search stands at with a run from the top, if it is one of the sample.
    #[inline]
    pub(super) fn check_rejected(&mut self) -> Result<(), SearchError> {
        if self.seen() < self.sample.rejected_at {
            return Ok(());
        }
        self.check_rejected_with(End::Rejects)
    }

    /// The same where a reference has found no object, so that there is no verdict.
    pub(super) fn check_dead_end(&mut self) -> Result<(), SearchError> {
        if self.seen() < self.sample.rejected_at {
            return Ok(());
        }
        self.check_rejected_with(End::ReadsOn)
    }

    #[inline(never)]
    fn check_rejected_with(&mut self, end: End) -> Result<(), SearchError> {
        let (seen, work) = (self.seen(), self.work());
        let is_compared = !self.is_reexecuted();
        if !is_compared || self.sample.takes_rejected(seen, work) {
            let has_ended = !is_compared || self.compare(end.clone())?;
            // Where a reference has found no object, no value has these choices. The plain predicate recurses as deep as the lifted one.
            if end == End::Rejects && has_ended {
                self.show_completed(seen, work)?;
            }
        }
        self.let_machine_run();
        Ok(())
    }

    /// Completes the rejected candidate to a value, if it is one of the sample. The plain predicate must reject it, and so must the
    /// lifted one if it is in another order.
    fn show_completed(&mut self, seen: u64, work: u64) -> Result<(), SearchError> {
        let slots = self.heap.engine.links.reached_slots();
        if !self.sample.takes_completed(seen, slots, !self.is_reexecuted(), work) {
            return Ok(());
        }
        // In a classic search a candidate may be a shape that no value has.
        if self.settings.pruning == Pruning::Classic && self.heap.engine.misfit(false).is_some() {
            return Ok(());
        }
        let depth = self.heap.engine.depth();
        self.heap.engine.set_completing(true);
        self.heap.engine.links.lift_bound(true);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.read_unread()));
        self.heap.engine.tell_top();
        let stop = self.heap.engine.take_stop();
        let mut shown = Ok(());
        match outcome {
            Ok(()) if self.heap.engine.misfit(true).is_none() => {
                shown = self.show_rejected();
                if let (Ok(()), Some(invariance)) = (&shown, &mut self.invariance) {
                    shown = invariance.check(&self.heap, &self.settings, false);
                }
            }
            // No value has these choices.
            Ok(()) => {}
            Err(_) if stop.is_some() => {}
            Err(payload) => resume_unwind(payload),
        }
        self.heap.engine.cut(depth);
        self.heap.engine.set_completing(false);
        self.heap.engine.links.lift_bound(false);
        shown
    }

    /// Shows what a rejected candidate was completed to to the plain predicate. A value that is not valid is not built if its type has a
    /// destructor of the user's, or owns by raw pointers: it may do anything when it is dropped.
    fn show_rejected(&mut self) -> Result<(), SearchError> {
        let Layout { has_raw, acts_unseen, .. } = self.heap.engine.layout;
        if has_raw || acts_unseen {
            return Ok(());
        }
        let (value, watched) = self.heap.materialise();
        self.watch(watched);
        self.sample.checked.completed += 1;
        let verdict = self.show_to_plain(&value, &End::Rejects);
        drop(value);
        self.free_cycles();
        verdict
    }

    /// Compares the accepted candidate that the search stands at with a run from the top, if it is one of the sample.
    #[inline]
    pub(super) fn check_accepted(&mut self) -> Result<(), SearchError> {
        if self.is_reexecuted() || self.seen() < self.sample.accepted_at {
            return Ok(());
        }
        if self.sample.takes_accepted(self.seen(), self.work()) {
            self.compare(End::Accepts)?;
        }
        Ok(())
    }

    /// The machine comes out when there is something to look at: a pause, or a candidate to compare.
    pub(super) fn let_machine_run(&mut self) {
        self.heap.engine.look_at = self.pause_at.min(self.sample.rejected_at.saturating_add(self.passed));
    }

    /// Runs the predicate from the top on the current choices, which must end as the machine has, and read the same fields in the
    /// same order. Says whether it has ended: not if it recurses too deep.
    #[inline(never)]
    fn compare(&mut self, machine: End) -> Result<bool, SearchError> {
        let depth = self.heap.engine.depth();
        let (end, reads) = self.run_from_top(false);
        if end.is_like(&machine) && reads.read == depth {
            self.sample.note_compared(machine == End::Accepts, depth, reads.steps);
            return Ok(true);
        }
        if end == End::TooDeep {
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
        // A machine that is wrong by itself is wrong again. One that is not was led astray by what was undone before, or by a
        // predicate that depends on something else; if nothing was undone, by the latter.
        let (again, reads_again) = self.run_beside(Form::Machine);
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
        if reads.read < depth || end == End::ReadsOn || machine == End::ReadsOn || machine == End::Strays {
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

    /// The error that a run of the predicate has ended with; a disagreement if that was the machine's run, and another one from the top
    /// ends in another way on the same choices.
    #[cold]
    pub(super) fn unless_machine_is_wrong(&mut self, end: End, error: SearchError) -> SearchError {
        if self.is_reexecuted() || self.restored.is_some() || self.settings.self_check == SelfCheck::Off {
            return error;
        }
        self.heap.engine.take_stop();
        // Where a run from the top has left the order in which fields were read, too, it is the predicate that has changed.
        if end == End::Strays && self.run_from_top(false).1.read < self.heap.engine.depth() {
            return error;
        }
        let steps = self.heap.engine.limits.steps;
        if end == End::NeverEnds {
            // The machine counts some steps in another way; what ends soon is another matter.
            self.heap.engine.limits.steps /= 4;
        }
        let compared = self.compare(end);
        self.heap.engine.limits.steps = steps;
        match compared {
            Err(disagreement @ SearchError::Disagreement(_)) => disagreement,
            Ok(_) | Err(_) => error,
        }
    }

    /// Whether the machine has run on one candidate only, from the top.
    fn is_at_first_candidate(&self) -> bool {
        self.heap.engine.counters.explored + self.heap.work.passed() == 0
    }

    /// What a run from the top has read where it left the order of the stack.
    fn read_next(&self, reads: &Reads) -> String {
        let engine = &self.heap.engine;
        let next = reads.other.or_else(|| engine.trail().nth(reads.read.checked_sub(1)?).map(|(slot, _)| slot));
        next.map_or_else(nothing_more, |slot| engine.slot_name(slot))
    }

    fn verdicts_differ(&self, before: &End, now: &End) -> SearchError {
        SearchError::VerdictsDiffer { candidate: self.describe(), before: before.in_the_past(), now: now.in_the_past() }
    }

    /// Shows the value that the choices are to the plain predicate, which must say what the search says.
    fn show_to_plain(&mut self, value: &T, search: &End) -> Result<(), SearchError> {
        let plain = holds(value);
        if (plain == End::Accepts) == (*search == End::Accepts) {
            return Ok(());
        }
        let (from_top, _) = self.run_from_top(true);
        for _ in 1..RUNS {
            let (another, _) = self.run_from_top(true);
            for (before, now) in [(&from_top, another), (&plain, holds(value))] {
                if *before != now {
                    return Err(self.verdicts_differ(before, &now));
                }
            }
        }
        Err(SearchError::Disagreement(Box::new(Disagreement {
            candidate: self.describe(),
            place: String::new(),
            machine: (!self.is_reexecuted() && self.restored.is_none()).then(|| search.to_string()),
            from_top: from_top.to_string(),
            plain: Some(plain.to_string()),
            is_repeated: false,
        })))
    }

    /// Runs the lifted predicate from the top, on the current choices. `decided`: all slots of the value are.
    fn run_from_top(&mut self, decided: bool) -> (End, Reads) {
        self.run_beside(Form::Lifted { decided })
    }

    /// Runs the predicate from the top, on the current choices, in memory of its own.
    fn run_beside(&mut self, form: Form) -> (End, Reads) {
        self.heap.engine.begin_rerun(form == Form::Lifted { decided: true });
        let (limits, view) = (self.heap.engine.limits, self.heap.root());
        let work = self.heap.work_beside.take().unwrap_or_default();
        // It is empty; a machine logs its changes.
        work.restart(form == Form::Machine);
        let engine = &mut self.heap.engine;
        let mut outcome = run_to_check(|| match form {
            Form::Lifted { .. } => ambient::run(engine, &work, limits, || T::lifted(view)),
            Form::Machine => T::machine(view).run(engine, &work, 0, limits),
        });
        // Destructors of the user's may panic, one after the other.
        while let Err(panic) = catch_unwind(AssertUnwindSafe(|| work.restart(false))) {
            outcome = outcome.and(Err(panic));
        }
        self.heap.work_beside = Some(work);
        let reads = self.heap.engine.end_rerun();
        let end = match (self.heap.engine.take_stop(), outcome) {
            (Some(Stop::ReadOther), _) => End::ReadsOn,
            (Some(Stop::TooDeep), _) => End::TooDeep,
            (Some(_), _) => End::NeverEnds,
            (None, Ok(accepted)) => End::of(accepted),
            (None, Err(payload)) => End::Panics(panic_message(&*payload)),
        };
        (end, reads)
    }

    /// How many candidates there were which the machine has not gone over by itself: the same in every run, however often it pauses.
    #[inline]
    fn seen(&self) -> u64 {
        self.heap.engine.counters.explored - self.passed
    }

    /// The work that the search has done, as the sample counts it.
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

/// What the plain predicate says of a value.
pub(super) fn holds<T: RepOk>(value: &T) -> End {
    match run_to_check(|| value.holds()) {
        Ok(accepted) => End::of(accepted),
        Err(payload) => End::Panics(panic_message(&*payload)),
    }
}
