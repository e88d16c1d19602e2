//! Repair: from the slots of a value that `rep_ok` rejects to those of one near it that it accepts. Takes a value and limits,
//! gives the slots to change; `near` looks for them fault by fault, `deepen` tries everything, fewest changes first.
//!
//! The predicate runs once over the value's own slots. Where it rejects, some slot read last gets another value, and the
//! machine goes on from the statement that read it, so that a fault costs what lies between it and the read that found it.

pub(crate) mod begin;
pub(crate) mod candidates;
pub(crate) mod choices;
pub(crate) mod deepen;
pub(crate) mod describe;
pub(crate) mod fewer;
pub(crate) mod grow;
pub(crate) mod mended;
pub(crate) mod near;
pub(crate) mod needless;
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

use choices::decisions::LastDecision;
use choices::state::{BrokenOff, State};
use choices::{Choices, ChoicesMut};
use deepen::Lengths;
use describe::Fix;
use mended::Mended;
use outcome::{Attempt, Effort, NotRepaired, Rejection};

use crate::class::abstraction::Contents;
use crate::class::skipped_cell::BorrowedFields;
use crate::class::traits::RepOk;
use crate::model::error::SearchError;
use crate::model::ids::SlotId;
use crate::search::searcher::Searcher;
use crate::slots::layout::Layout;

/// Values of at most so many slots are small.
const SMALL: usize = 2_000;
/// In values of at most so many there is not much to read after a change, by which it could be known to be right.
const TINY: usize = 256;
/// So many tries until everything near a small value is tried.
const SOON: u64 = 2_000;
/// So many for that; each of them takes longer where there are more slots, so that they are fewer there: so many for all slots together.
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
pub struct Repairer<'v, T: RepOk> {
    /// Nobody else uses it until the repair is over, so that its objects stay where they are. Not as a reference: wherever that is moved, it
    /// says that nothing else leads into the value, and `contents` and `borrowed_fields` do.
    value: *mut T,
    borrowed: PhantomData<&'v mut T>,
    searcher: Searcher<T>,
    state: State,
    effort: Effort,
    /// How often the predicate may be run or gone on with for what is done now.
    most_tries: u64,
    /// Whether a change is taken soon to be right, since there is another time to find that it is not.
    is_hasty: bool,
    /// The line that rejected the value as it was, and what was read last there.
    rejection: Option<Rejection>,
    /// Where the objects of the value lie.
    contents: Contents,
    /// The predicate sees skipped fields as they are in the value.
    borrowed_fields: BorrowedFields,
}

impl<T: RepOk> Repairer<'_, T> {
    /// Repairs the value, or leaves it as it is.
    ///
    /// The user's own `rep_ok` is not asked: on a corrupt value it may never end, or need more stack than there is.
    pub fn repair(mut self) -> Attempt {
        let fixed = self.fix();
        let size = self.contents.counts.iter().map(|&count| count as usize).sum();
        Attempt { fixed, tries: self.tries(), rejection: self.rejection.take(), size }
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
        self.write_back(&changed, &less).map_err(NotRepaired::NotWritten)?;
        fix.pictures = self.pictures();
        Ok(Some(fix))
    }

    /// Runs the predicate on the value as it is, whatever the limits are: one that is valid is not in need of a repair.
    fn is_valid(&mut self) -> Result<bool, NotRepaired> {
        self.state.shows_stray_indices = true;
        let is_valid = self.run_freely();
        self.state.shows_stray_indices = false;
        self.state.budget.has_ended = self.state.broken_off != Some(BrokenOff::Loop);
        debug_assert!(self.state.changed().is_empty(), "[korat internal bug] the value was not taken apart as it is");
        is_valid
    }

    /// Gives the predicate its steps anew, with another deadline.
    fn renew_budget(&mut self, deadline: Option<Instant>) {
        self.state.budget.renew(deadline);
        self.searcher.allow_steps(self.state.budget.portion());
    }

    fn is_time_over(&self) -> bool {
        self.state.budget.is_over()
    }

    /// Indices that lead out of their arenas are others from now on, whatever else is tried. Whether the predicate accepts then.
    fn bring_in(&mut self) -> Result<bool, NotRepaired> {
        let Some(depth) = self.state.first_stray else { return Ok(false) };
        self.choices_mut().cut(depth);
        self.run()
    }

    /// Looks for a valid value, from a run on that has just rejected. After it was found, the searcher stands at it.
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
                Some(mended) => return self.finish(mended.as_ref()),
                None => {}
            }
            self.is_hasty = false;
            self.begin_again()?;
            self.admit_near()?;
            if self.within(all_near, |repairer| repairer.deepen_to(2, Lengths::ByOne))? == Some(true) {
                return Ok(());
            }
            self.begin_again()?;
        }
        let mended = self.mend_all()?;
        self.finish(mended.as_ref())
    }

    /// What was found is done with as few changes as possible, if it was found; if these are too many, everything is tried.
    fn finish(&mut self, mended: Option<&Mended>) -> Result<(), NotRepaired> {
        if let Some(mended) = mended {
            self.do_with_fewer(mended)?;
            self.undo_needless()?;
            if self.state.changed().len() <= self.effort.changes {
                return Ok(());
            }
        }
        self.deepen()
    }

    /// Of a small value everything within one or two changes can be tried, if what is likely does not help soon: with so many tries.
    fn tries_for_all_near(&self) -> Option<u64> {
        let slots = self.layout().slots.len();
        (slots <= SMALL).then(|| ALL_NEAR.min(FOR_ALL_SLOTS / slots.max(1) as u64))
    }

    /// Does something with so many tries, but not more than a tenth of all; none if they are not enough.
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

    /// Forgets all that was changed and read, and runs the predicate on the value as it is, but for indices that lead out of their arenas.
    fn begin_again(&mut self) -> Result<(), NotRepaired> {
        self.make_only(&[]);
        self.run()?;
        Ok(())
    }

    /// Makes these changes and no others; nothing was read then.
    fn make_only(&mut self, changes: &[(SlotId, u32)]) {
        self.choices_mut().cut(0);
        self.choices_mut().want_nothing();
        self.state.forget_reads();
        for &(slot, index) in changes {
            self.choices_mut().want(slot, Some(index));
        }
    }

    /// Returns the choices made so far, to look at.
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

    /// Whether a slot leads to something.
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

    /// How often the predicate was run or gone on with.
    fn tries(&self) -> u64 {
        self.searcher.heap.engine.counters.explored
    }

    /// The slots that differ from the value's own, in the order of the objects as a walk meets them.
    fn changed(&mut self) -> Vec<ChangedSlot> {
        let slots = self.state.changed().to_vec();
        let change = |slot| Some(ChangedSlot { slot, old: self.choices().original(slot)?, new: self.index(slot) });
        let mut changed: Vec<ChangedSlot> = slots.into_iter().filter_map(change).collect();
        changed.sort_by_key(|change| change.slot);
        changed
    }

    /// Runs the predicate on the choices as they are; accepted only if they are a value.
    fn run(&mut self) -> Result<bool, NotRepaired> {
        if self.tries() >= self.most_tries {
            return Err(NotRepaired::TooManyTries);
        }
        if self.is_time_over() {
            return Err(NotRepaired::TimeOver);
        }
        Ok(self.run_freely()? && self.is_value()?)
    }

    /// Runs the predicate on the current choices, beyond all limits, and whether or not they are a value.
    fn run_freely(&mut self) -> Result<bool, NotRepaired> {
        self.run_once().map_err(|error| match error {
            SearchError::Endless { .. } if self.is_time_over() => NotRepaired::TimeOver,
            SearchError::Endless { .. } => NotRepaired::Endless { steps: self.state.budget.most },
            error => NotRepaired::Search(error),
        })
    }

    /// Whether what the predicate has accepted is a value of the user's type, with the slots that it has not read. If it is not,
    /// the choices are those of the predicate.
    fn is_value(&mut self) -> Result<bool, NotRepaired> {
        let depth = self.choices().depth();
        if !self.choices().needs_completion() {
            return Ok(true);
        }
        if self.complete_once()? && self.choices().is_held_by_owners() {
            return Ok(true);
        }
        self.choices_mut().cut(depth);
        Ok(false)
    }

    /// Where the predicate has just rejected.
    fn rejected_at(&self) -> Rejection {
        let block = self.searcher.block_that_ran();
        Rejection {
            place: block.map(|(file, block)| (file, block.line)),
            text: block.map_or("", |(_, block)| block.text),
            last_read: self.last_decision().map(|last| self.searcher.heap.engine.field_name(last.slot)),
            broken_off: self.state.broken_off.clone(),
        }
    }
}
