//! Repair: from a value that `rep_ok` rejects to a valid one near it. Takes a value and limits, gives the slots to change.
//!
//! The predicate runs over the value's own slots. Where it rejects, a slot read recently gets another value, and the machine resumes at the
//! statement that read it: a fault costs the work between it and the read that detected it. These principles decide what to try:
//!
//! - **Comparisons suggest values** (`suggest`). `self.size == count` suggests a size, `node.key > lo` a key near `lo`; a sum that differs suggests a
//!   summand, a bit that differs a mask of the root.
//! - **Values come from the value** (`occurring`). A key that a map still has, or a text that stands elsewhere, is likelier than a made-up one.
//! - **Lost objects are linked again** (`choices/incoming`, `choices/suspects`). A broken link leaves an object without one. Links that are null, or
//!   share their target with another one, are suspect; they get a lost object, then null.
//! - **A right change leads on** (`trial`). If the predicate then reads slots that it has not read before, the change stays (`near`) and the next fault
//!   is repaired. If nothing helps, an earlier change may be wrong (`revise`), two faults may hide each other, or an object is missing (`grow`).
//! - **Derived fields follow** (`stages`). Fields that the user declares as derived change before any other.
//! - **One change instead of several** (`fewer`, `needless`). A wrong bit may look like a wrong entry and a wrong count.
//! - **Everything near, nearest first** (`deepen`). The distance counts changed slots and what gets lost (`loss`). Small values are searched within two
//!   changes early; any value is searched in the end.
//!
//! `stages` lists the heuristics of the third principle in their order, and `candidates` the slots and values of each. `begin` decomposes the value,
//! `run` runs the predicate once, `write` writes the changes back, `describe` reports them.

pub(crate) mod begin;
pub(crate) mod borrowed_value;
pub(crate) mod candidates;
pub(crate) mod choices;
pub(crate) mod deepen;
pub(crate) mod describe;
pub(crate) mod fewer;
pub(crate) mod grow;
pub(crate) mod loss;
pub(crate) mod mended;
pub(crate) mod near;
pub(crate) mod needless;
pub(crate) mod occurring;
pub(crate) mod outcome;
pub(crate) mod own_bounds;
pub(crate) mod revise;
pub(crate) mod run;
pub(crate) mod stages;
pub(crate) mod suggest;
pub(crate) mod trial;
pub(crate) mod write;

use std::marker::PhantomData;
use std::time::Instant;

use borrowed_value::BorrowedValue;
use choices::decisions::LastDecision;
use choices::state::{Interruption, State};
use choices::{Choices, ChoicesMut};
use deepen::Lengths;
use describe::Fix;
use mended::Mended;
use occurring::Occurring;
use outcome::{Attempt, Effort, NotRepaired, Rejection};

use crate::class::abstraction::Contents;
use crate::class::skipped_cell::BorrowedFields;
use crate::model::error::SearchError;
use crate::model::ids::SlotId;
use crate::search::untyped::UntypedSearcher;
use crate::slots::layout::Layout;

/// Maximum number of slots of a small value. For larger ones, the budget for everything near would not cover a dozen values per slot.
const SMALL: usize = 2_000;
/// Maximum number of slots of a value in which a right change cannot lead far, since there is little left to read.
const TINY: usize = 256;
/// Tries for the heuristics before the search for everything near a small value. A single fault among 1,000 nodes of the example structures takes at
/// most 530.
const SOON: u64 = 2_000;
/// Tries for everything near: a tenth of the default for the whole repair; and tries times slots, which bounds the reads, since each try may read the whole
/// value.
const ALL_NEAR: u64 = 100_000;
const FOR_ALL_SLOTS: u64 = 50_000_000;

/// One slot that a repair changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChangedSlot {
    pub(crate) slot: SlotId,
    pub(crate) old: u32,
    pub(crate) new: u32,
}

/// A repair under way.
pub struct Repairer<'v> {
    /// Borrowed until the repair is over, so that its objects stay where they are: `contents` and `borrowed_fields` point to them.
    value: Box<dyn BorrowedValue>,
    borrowed: PhantomData<&'v mut ()>,
    searcher: UntypedSearcher,
    state: State,
    effort: Effort,
    /// Maximum number of runs of the predicate, resumed ones included, for the current phase.
    most_tries: u64,
    /// Whether the value stays as it is, and only the changes are reported.
    is_dry: bool,
    /// Number of choices of the last run that accepted, before the slots that it did not read were decided.
    depth_read: usize,
    /// Whether the last run accepted a value that loses more than allowed, and whether any did.
    loses_too_much: bool,
    has_lost_too_much: bool,
    /// Whether a change counts as right early, since the exhaustive search corrects mistakes.
    is_hasty: bool,
    /// Where the predicate rejected the original value.
    rejection: Option<Rejection>,
    occurring: Occurring,
    /// Per declared field, whether it follows from others.
    derived: Vec<bool>,
    /// The addresses of the value's objects.
    contents: Contents,
    /// Shows the predicate the skipped fields of the value.
    borrowed_fields: BorrowedFields,
}

impl Repairer<'_> {
    /// Repairs the value, or leaves it as it is.
    ///
    /// Never calls the user's own `rep_ok`: on a corrupt value it may loop, or overflow the stack.
    pub fn repair(mut self) -> Attempt {
        let fixed = self.fix().map_err(|reason| self.reason(reason));
        let size = self.contents.counts.iter().map(|&count| count as usize).sum();
        Attempt { fixed, tries: self.tries(), rejection: self.rejection.take(), size }
    }

    /// Returns why a repair failed: if only values were found that lose more than allowed, that is the reason.
    fn reason(&self, reason: NotRepaired) -> NotRepaired {
        use NotRepaired::{NoValue, TooManyChanges, TooManyDropped, TooManyTries};
        match reason {
            NoValue | TooManyChanges | TooManyTries if self.has_lost_too_much => TooManyDropped,
            reason => reason,
        }
    }

    /// Changes the value, unless the predicate accepts it as it is.
    fn fix(&mut self) -> Result<Option<Fix>, NotRepaired> {
        match self.is_valid() {
            Ok(true) => return Ok(None),
            rejected => {
                self.rejection = Some(self.rejected_at());
                rejected?;
            }
        }
        if self.is_time_over() {
            return Err(NotRepaired::TimeOver);
        }
        if !self.bring_in()? {
            self.solve()?;
        }
        let changed = self.changed();
        let less = self.less(&changed);
        let mut fix = self.describe(&changed, &less);
        if !self.is_dry {
            self.write_back(&changed, &less).map_err(NotRepaired::NotWritten)?;
        }
        fix.pictures = self.pictures();
        Ok(Some(fix))
    }

    /// Runs the predicate on the original value, whatever the limits are, so that a valid one is recognized.
    fn is_valid(&mut self) -> Result<bool, NotRepaired> {
        self.state.shows_stray_indices = true;
        let is_valid = self.run_freely();
        self.state.shows_stray_indices = false;
        self.state.budget.has_ended = self.state.interruption != Some(Interruption::Loop);
        debug_assert!(self.state.changed().is_empty(), "[korat internal bug] the value was not decomposed as it is");
        is_valid
    }

    /// Renews the step budget, with another deadline.
    fn renew_budget(&mut self, deadline: Option<Instant>) {
        self.state.budget.renew(deadline);
        self.searcher.allow_steps(self.state.budget.portion());
    }

    fn is_time_over(&self) -> bool {
        self.state.budget.is_over()
    }

    /// Replaces indices that are out of the bounds of their arenas, for the rest of the repair. Returns whether the predicate then accepts.
    fn bring_in(&mut self) -> Result<bool, NotRepaired> {
        let Some(depth) = self.state.first_stray else { return Ok(false) };
        self.choices_mut().cut(depth);
        self.run()
    }

    /// Searches for a valid value, after a run that rejected, and leaves the searcher at it.
    fn solve(&mut self) -> Result<(), NotRepaired> {
        if self.effort.minimal {
            self.admit_near()?;
            return self.deepen();
        }
        if let Some(all_near) = self.tries_for_all_near() {
            self.is_hasty = self.layout().slots.len() <= TINY;
            let mended = self.within(SOON, Self::mend_all)?;
            match mended {
                Some(None) if self.is_hasty => {}
                Some(mended) => {
                    self.finish(mended.as_ref())?;
                    return self.lose_less();
                }
                None => {}
            }
            self.is_hasty = false;
            self.begin_again()?;
            self.admit_near()?;
            if self.within(all_near, |repairer| repairer.deepen_to(2, Lengths::ByOne, None))? == Some(true) {
                return self.lose_less();
            }
            self.begin_again()?;
        }
        let mended = self.mend_all()?;
        self.finish(mended.as_ref())
    }

    /// Reduces the changes of the value that was found, if any. If there is none, or the changes are too many, searches exhaustively.
    fn finish(&mut self, mended: Option<&Mended>) -> Result<(), NotRepaired> {
        if let Some(mended) = mended {
            // That derived fields change is no sign of another fault.
            if !self.state.changed().iter().all(|&slot| self.is_derived(slot)) {
                self.do_with_fewer(mended)?;
            }
            self.undo_needless()?;
            if self.state.changed().len() <= self.effort.changes {
                return Ok(());
            }
        }
        self.deepen()
    }

    /// Looks for a value nearer than the one that was found, if that loses something. The value must be small.
    fn lose_less(&mut self) -> Result<(), NotRepaired> {
        if self.loss() == 0 {
            return Ok(());
        }
        let found = self.nearest();
        self.begin_again()?;
        self.admit_near()?;
        let changes = self.effort.changes;
        let nearer = self.within(SOON, |repairer| repairer.deepen_to(changes, Lengths::ByOne, Some(found.clone())));
        match nearer {
            Ok(Some(true)) => Ok(()),
            Ok(_) | Err(NotRepaired::TooManyTries | NotRepaired::TimeOver | NotRepaired::Endless { .. }) => {
                self.restore(&found)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the tries for everything within two changes, if the value is small.
    fn tries_for_all_near(&self) -> Option<u64> {
        let slots = self.layout().slots.len();
        (slots <= SMALL).then(|| ALL_NEAR.min(FOR_ALL_SLOTS / slots.max(1) as u64))
    }

    /// Does `work` with a budget of `tries`, at most a tenth of all; `None` if the budget is used up.
    fn within<R>(
        &mut self,
        tries: u64,
        work: impl FnOnce(&mut Self) -> Result<R, NotRepaired>,
    ) -> Result<Option<R>, NotRepaired> {
        self.most_tries = self.effort.tries.min(self.tries() + tries.min(self.effort.tries / 10));
        let done = work(self);
        self.most_tries = self.effort.tries;
        match done {
            Err(NotRepaired::TooManyTries) if self.tries() < self.effort.tries => Ok(None),
            done => done.map(Some),
        }
    }

    /// Forgets all changes and reads, and runs the predicate on the original value, without its indices out of bounds.
    fn begin_again(&mut self) -> Result<(), NotRepaired> {
        self.make_only(&[]);
        self.run()?;
        Ok(())
    }

    /// Wants these changes and no others, and forgets all reads.
    fn make_only(&mut self, changes: &[(SlotId, u32)]) {
        self.choices_mut().cut(0);
        self.choices_mut().want_nothing();
        self.state.forget_reads();
        for &(slot, index) in changes {
            self.choices_mut().want(slot, Some(index));
        }
    }

    /// Returns a view of the choices made so far.
    fn choices(&self) -> Choices<'_> {
        Choices { engine: &self.searcher.heap.engine, state: &self.state }
    }

    /// Returns the choices made so far, to change.
    fn choices_mut(&mut self) -> ChoicesMut<'_> {
        ChoicesMut { engine: &mut self.searcher.heap.engine, state: &mut self.state }
    }

    fn layout(&self) -> &Layout {
        &self.searcher.heap.engine.layout
    }

    /// Returns the index that a slot has; `UNASSIGNED` if it is not decided.
    fn index(&self, slot: SlotId) -> u32 {
        self.searcher.heap.engine.value(slot)
    }

    /// Whether a slot is a reference or an index into an arena.
    fn refers(&self, slot: SlotId) -> bool {
        choices::refers(self.layout(), slot)
    }

    fn last_decision(&self) -> Option<LastDecision> {
        self.state.decisions.last_with_label()
    }

    /// Returns the label of the statement that ran last.
    fn label(&self) -> u32 {
        self.searcher.heap.work.label()
    }

    /// Returns how often the predicate ran, counting resumed runs.
    fn tries(&self) -> u64 {
        self.searcher.heap.engine.counters.explored
    }

    /// Returns the slots that differ from the original, in the order of a walk from the root.
    fn changed(&mut self) -> Vec<ChangedSlot> {
        let slots = self.state.changed().to_vec();
        let change = |slot| Some(ChangedSlot { slot, old: self.choices().original(slot)?, new: self.index(slot) });
        let mut changed: Vec<ChangedSlot> = slots.into_iter().filter_map(change).collect();
        changed.sort_by_key(|change| change.slot);
        changed
    }

    /// Runs the predicate on the current choices, within the limits; accepts only values.
    fn run(&mut self) -> Result<bool, NotRepaired> {
        if self.tries() >= self.most_tries {
            return Err(NotRepaired::TooManyTries);
        }
        if self.is_time_over() {
            return Err(NotRepaired::TimeOver);
        }
        self.accepts()
    }

    /// Runs the predicate, whatever the limits are; accepts only values.
    fn accepts(&mut self) -> Result<bool, NotRepaired> {
        self.loses_too_much = false;
        Ok(self.run_freely()? && self.is_value()?)
    }

    /// Runs the predicate on the current choices, whatever the limits are, and whether or not they form a value.
    fn run_freely(&mut self) -> Result<bool, NotRepaired> {
        self.run_once().map_err(|error| match error {
            SearchError::Endless { .. } if self.is_time_over() => NotRepaired::TimeOver,
            SearchError::Endless { .. } => NotRepaired::Endless { steps: self.state.budget.most },
            error => NotRepaired::Search(error),
        })
    }

    /// Decides the slots that the accepting predicate has not read. Returns whether that gives a value of the user's type that loses no more than
    /// allowed; otherwise leaves the choices of the predicate.
    fn is_value(&mut self) -> Result<bool, NotRepaired> {
        self.depth_read = self.choices().depth();
        if self.choices().needs_completion() && !(self.complete_once()? && self.choices().is_held_by_owners()) {
            let depth = self.depth_read;
            self.choices_mut().cut(depth);
            return Ok(false);
        }
        self.loses_too_much = self.effort.dropped < usize::MAX && self.loss() > self.effort.dropped;
        if self.loses_too_much {
            self.has_lost_too_much = true;
            let depth = self.depth_read;
            self.choices_mut().cut(depth);
        }
        Ok(!self.loses_too_much)
    }

    /// Returns where the last run rejected.
    fn rejected_at(&self) -> Rejection {
        let block = self.searcher.block_that_ran();
        Rejection {
            place: block.map(|(file, block)| (file, block.line)),
            text: block.map_or("", |(_, block)| block.text),
            last_read: self.last_decision().map(|last| self.searcher.heap.engine.field_name(last.slot)),
            interruption: self.state.interruption.clone(),
        }
    }
}
