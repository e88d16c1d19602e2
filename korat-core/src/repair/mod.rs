//! Repair: from the slots of a value that `rep_ok` rejects to those of one near it that it accepts. Takes a value and limits,
//! gives the slots to change; `near` looks for them fault by fault, `deepen` tries everything, fewest changes first.
//!
//! The predicate runs once over the value's own slots. Where it rejects, some slot read last gets another value, and the
//! machine goes on from the statement that read it, so that a fault costs what lies between it and the read that found it.

mod deepen;
mod describe;
mod fewer;
mod grow;
mod mended;
mod near;
mod needless;
mod own_bounds;
mod revise;
mod stages;
mod suggest;
mod trial;
mod write;

pub use crate::engine::BrokenOff;
pub use crate::extent::Fresh;
pub use describe::{Change, Fix};
pub use write::NotWritten;

use std::marker::PhantomData;
use std::ptr;
use std::time::Instant;

use deepen::Lengths;
use mended::Mended;

use crate::abstraction::{Contents, OutOfBounds, TakenApart};
use crate::bounds::Bounds;
use crate::class::RepOk;
use crate::clock::{self, TimeOver};
use crate::codec::skipped::Lent;
use crate::engine::{Kept, Patience, Repairing, Room, Target};
use crate::error::SearchError;
use crate::ids::{SlotId, small};
use crate::search::Searcher;
use crate::settings::Settings;

/// Values of at most so many slots are small.
const SMALL: usize = 2_000;
/// In values of at most so many there is not much to read after a change, by which it could be known to be right.
const TINY: usize = 256;
/// So many tries until everything near a small value is tried.
const SOON: u64 = 2_000;
/// So many for that; each of them takes longer where there are more slots, so that they are fewer there: so many for all slots together.
const ALL_NEAR: u64 = 100_000;
const FOR_ALL_SLOTS: u64 = 50_000_000;

/// How far a repair may go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many slots may change.
    pub changes: usize,
    /// How often the predicate may be run or gone on with.
    pub tries: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// After how many steps without reading a new field the predicate is taken to loop, which is the same as to reject. None: it may take
    /// as many as the value is large, and one that takes more cannot be run.
    pub steps: Option<u64>,
    /// Whether the fewest changes are wanted.
    pub minimal: bool,
    /// Which objects a reference is changed to first.
    pub order: [Target; 5],
}

/// Why a value was not repaired.
#[derive(Debug)]
pub enum NotRepaired {
    /// Everything within the bounds and the allowed changes was tried.
    NoValue,
    /// The limit on changes was reached.
    TooManyChanges,
    /// The limit on tries was reached.
    TooManyTries,
    /// The time was over.
    TimeOver,
    /// A value was found, but cannot be written.
    NotWritten(NotWritten),
    /// The predicate seems to loop: it has taken so many steps without reading a new field.
    Endless {
        /// The limit.
        steps: u64,
    },
    /// The predicate cannot be run.
    Search(SearchError),
}

impl From<SearchError> for NotRepaired {
    fn from(error: SearchError) -> Self {
        NotRepaired::Search(error)
    }
}

/// Why a repair cannot begin.
#[derive(Debug)]
pub enum CannotBegin {
    /// The bounds are wrong.
    Bounds(SearchError),
    /// The value is not within them.
    Value(OutOfBounds),
    /// There is no such field.
    NoField(String),
    /// The time was over before the first run.
    TimeOver,
}

impl From<OutOfBounds> for CannotBegin {
    fn from(error: OutOfBounds) -> Self {
        if error.is_time_over() { CannotBegin::TimeOver } else { CannotBegin::Value(error) }
    }
}

/// Takes a value apart on a heap with these bounds.
fn taken_apart<T: RepOk>(
    bounds: &Bounds<T>,
    value: &T,
    settings: Settings,
) -> Result<(Searcher<T>, TakenApart), CannotBegin> {
    let mut searcher = Searcher::new(bounds, settings).map_err(CannotBegin::Bounds)?;
    let taken = searcher.heap.abstract_with_objects(value)?;
    Ok((searcher, taken))
}

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
    /// says that nothing else leads into the value, and `contents` and `lent` do.
    value: *mut T,
    borrowed: PhantomData<&'v mut T>,
    searcher: Searcher<T>,
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
    lent: Lent,
}

/// What came of a repair.
pub struct Attempt {
    /// How the value was changed; none if the predicate accepts it as it was.
    pub fixed: Result<Option<Fix>, NotRepaired>,
    /// How often the predicate was run or gone on with.
    pub tries: u64,
    /// Where the value was rejected as it was.
    pub rejection: Option<Rejection>,
    /// How many objects it has had.
    pub size: usize,
}

/// Where the predicate rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The file and the line of the statement, if it is known.
    pub place: Option<(&'static str, u32)>,
    /// The beginning of its text.
    pub text: &'static str,
    /// The field that was read last, `Node.key`.
    pub last_read: Option<String>,
    /// Why it has not come to its end, if it has not; that is the same as to reject.
    pub broken_off: Option<BrokenOff>,
}

impl<'v, T: RepOk> Repairer<'v, T> {
    /// Lays out the heap and takes the value apart. Without bounds they are those of the value, and `fresh` objects of
    /// each class. `kept`: fields that may not change, `Node.key`.
    pub fn new(
        bounds: Option<&Bounds<T>>,
        fresh: Fresh,
        settings: Settings,
        effort: Effort,
        value: &'v mut T,
        kept: &[String],
    ) -> Result<Self, CannotBegin> {
        let own = ptr::from_mut(value);
        // SAFETY: the value is borrowed for as long as this lives, and nothing is written to it before `write_back`.
        let value = unsafe { &*own };
        let begin = || match bounds {
            Some(bounds) => taken_apart(bounds, value, settings),
            None => match own_bounds::taken_apart_like_last(value, fresh, settings) {
                Some(taken) => Ok(taken),
                None => taken_apart(&own_bounds::bounds_of(value, fresh)?, value, settings),
            },
        };
        let (mut searcher, taken) =
            clock::until(effort.deadline, begin).map_err(|TimeOver| CannotBegin::TimeOver)??;
        let TakenApart { values: original, contents, lent } = taken;
        let spare = std::mem::take(&mut searcher.heap.engine.spare);
        let layout = &searcher.heap.engine.layout;
        let kept = Kept::new(layout, kept).map_err(CannotBegin::NoField)?;
        // Bounds of its own have room for more than is wanted.
        let wanted = |objects| bounds.is_none().then(|| small(objects));
        let (fresh, most_fresh) = (wanted(fresh.usual), wanted(fresh.most));
        let room = Room { present: contents.counts.clone(), fresh, made_anew: None, most_fresh };
        let patience = Patience::new(effort.steps, layout.slots.len(), effort.deadline);
        let repairing = Repairing::new(layout, original, room, kept, effort.order, patience, spare);
        searcher.allow_steps(patience.portion());
        searcher.heap.begin_repair(repairing);
        Ok(Repairer {
            value: own,
            borrowed: PhantomData,
            searcher,
            most_tries: effort.tries,
            effort,
            is_hasty: false,
            rejection: None,
            contents,
            lent,
        })
    }

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
        self.searcher.heap.engine.repairing().as_it_is = true;
        let is_valid = self.run_freely();
        let repairing = self.searcher.heap.engine.repairing();
        repairing.as_it_is = false;
        repairing.patience.has_ended = repairing.broken_off != Some(BrokenOff::Loop);
        debug_assert!(repairing.changed().is_empty(), "[korat internal bug] the value was not taken apart as it is");
        is_valid
    }

    /// The predicate may take its time again, whatever it has taken.
    fn renew_patience(&mut self, deadline: Option<Instant>) {
        let patience = &mut self.searcher.heap.engine.repairing().patience;
        patience.renew(deadline);
        let portion = patience.portion();
        self.searcher.allow_steps(portion);
    }

    fn is_time_over(&mut self) -> bool {
        self.searcher.heap.engine.repairing().patience.is_over()
    }

    /// Indices that lead out of their arenas are others from now on, whatever else is tried. Whether the predicate accepts then.
    fn bring_in(&mut self) -> Result<bool, NotRepaired> {
        let engine = &mut self.searcher.heap.engine;
        let Some(depth) = engine.repairing().led_out else { return Ok(false) };
        engine.cut_for_repair(depth);
        self.run()
    }

    /// Looks for a valid value, from a run on that has just rejected. After it was found, the searcher stands at it.
    fn solve(&mut self) -> Result<(), NotRepaired> {
        if self.effort.minimal {
            self.admit_near()?;
            return self.deepen();
        }
        if let Some(all_near) = self.tries_for_all_near() {
            self.is_hasty = self.searcher.heap.engine.layout.slots.len() <= TINY;
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
            if self.searcher.heap.engine.repairing().changed().len() <= self.effort.changes {
                return Ok(());
            }
        }
        self.deepen()
    }

    /// Of a small value everything within one or two changes can be tried, if what is likely does not help soon: with so many tries.
    fn tries_for_all_near(&self) -> Option<u64> {
        let slots = self.searcher.heap.engine.layout.slots.len();
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
        let engine = &mut self.searcher.heap.engine;
        engine.cut_for_repair(0);
        engine.want_nothing();
        engine.repairing().forget_reads();
        for &(slot, index) in changes {
            engine.want(slot, Some(index));
        }
    }

    /// How often the predicate was run or gone on with.
    fn tries(&self) -> u64 {
        self.searcher.heap.engine.counters.explored
    }

    /// The slots that differ from the value's own, in the order of the objects as a walk meets them.
    fn changed(&mut self) -> Vec<ChangedSlot> {
        let engine = &mut self.searcher.heap.engine;
        let slots = engine.repairing().changed().to_vec();
        let change = |slot| Some(ChangedSlot { slot, old: engine.original(slot)?, new: engine.value(slot) });
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

    /// The same whatever the limits are, and whether or not they are a value.
    fn run_freely(&mut self) -> Result<bool, NotRepaired> {
        self.searcher.run_once().map_err(|error| match error {
            SearchError::Endless { .. } if self.is_time_over() => NotRepaired::TimeOver,
            SearchError::Endless { .. } => {
                NotRepaired::Endless { steps: self.searcher.heap.engine.repairing().patience.most }
            }
            error => NotRepaired::Search(error),
        })
    }

    /// Whether what the predicate has accepted is a value of the user's type, with the slots that it has not read. If it is not,
    /// the choices are those of the predicate.
    fn is_value(&mut self) -> Result<bool, NotRepaired> {
        let depth = self.searcher.heap.engine.depth();
        if !self.searcher.heap.engine.needs_completion() {
            return Ok(true);
        }
        if self.searcher.complete_once()? && self.searcher.heap.engine.is_held_by_owners() {
            return Ok(true);
        }
        self.searcher.heap.engine.cut_for_repair(depth);
        Ok(false)
    }

    /// Where the predicate has just rejected.
    fn rejected_at(&self) -> Rejection {
        let heap = &self.searcher.heap;
        let block = self.searcher.block_that_ran();
        Rejection {
            place: block.map(|(file, block)| (file, block.line)),
            text: block.map_or("", |(_, block)| block.text),
            last_read: heap.engine.last_read(),
            broken_off: heap.engine.repairing.as_ref().and_then(|repairing| repairing.broken_off.clone()),
        }
    }
}

impl<T: RepOk> Drop for Repairer<'_, T> {
    fn drop(&mut self) {
        // Before the heap is left to others.
        self.lent = Lent::default();
        let heap = &mut self.searcher.heap;
        let has_admitted = heap.engine.repairing.as_ref().is_some_and(|repairing| repairing.has_admitted);
        if let Some(of_value) = heap.of_value.as_mut().filter(|_| has_admitted) {
            of_value.note_own_lists();
        }
        heap.engine.end_repair();
    }
}
