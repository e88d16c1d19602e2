//! The search: runs the predicate on one candidate after the other and stops at each value. Takes a heap and a lifted
//! predicate, gives values, counters and errors; what is done with them is the harness's business.

mod begin;
mod candidate;
mod check;
mod invariance;
mod kept;
mod neighbours;
mod once;
mod sample;
mod standing;
mod wrong;

pub use candidate::Candidate;
use candidate::{NoObserver, Observer};
pub use check::is_checking;
use invariance::Invariance;
pub use kept::Kept;
pub use sample::Checked;
use sample::Sample;
pub use standing::Abstract;

use std::mem::ManuallyDrop;
use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ambient::{self, Stop, Unfit};
use crate::class::{RepOk, View};
use crate::cycles::AnyWeak;
use crate::engine::Misfit;
use crate::error::SearchError;
use crate::field_use::FieldUses;
use crate::heap::Heap;
use crate::machine::{Machine, Profiler, Reentries};
use crate::settings::{Pruning, Settings, Unread};
use crate::slot::Eraser;

/// Where a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The predicate is to be run on the current choices.
    Candidate,
    /// The predicate accepted the first `depth` choices; the values of unread fields are chosen after them.
    Accepted { depth: usize },
    /// Nothing is left.
    Done,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It stands at a value.
    Value,
    /// It has looked at as many candidates as it was to, and goes on when it is called again.
    Paused,
    /// Nothing is left.
    Done,
}

/// One search, step by step.
pub struct Searcher<T: RepOk> {
    /// Left for other searches when this one is dropped; there until then.
    pub(crate) heap: ManuallyDrop<Box<Heap<T>>>,
    settings: Settings,
    scope: usize,
    /// The lowered predicate, if it is to be re-entered and not run from the top.
    machine: Option<Machine>,
    /// Why it is run from the top all the same: the statement and the type of a local that cannot be restored.
    unfit: Option<(u32, Unfit)>,
    /// How often each statement was re-entered, if somebody wants to know.
    reentries: Reentries,
    /// Where candidates were rejected, if somebody wants to know.
    profiler: Option<Profiler>,
    /// Which fields accepted candidates had read.
    uses: FieldUses,
    /// Looks at accepted values in other orders, if there are any.
    invariance: Option<Invariance<T>>,
    /// Whether the machine is to begin at the top.
    fresh: bool,
    phase: Phase,
    /// Whether the current choices are used up and the search must move on before anything else.
    used: bool,
    /// Whether the current choices were a value.
    given: bool,
    /// Values of fewer objects are passed over.
    least: usize,
    /// After how many candidates it pauses.
    pause: Option<u64>,
    /// When so many are counted, it does.
    pause_at: u64,
    /// Candidates among those that are counted which the machine has gone over by itself. When they are counted depends on pauses.
    passed: u64,
    /// Which candidates and values are checked.
    sample: Sample,
    /// How many values it has passed over or only counted since it paused last.
    passed_over: u64,
    /// Up to how many values are counted without stopping; 0 if it stops at each.
    counting: u64,
    /// How many of each size were.
    by_size: Vec<u64>,
    /// The slots of a value that was restored and not searched for, if there is one: a value may have no slots.
    restored: Option<Vec<Eraser>>,
    /// Objects of values built since cycles were freed last.
    watched: Vec<Box<dyn AnyWeak>>,
    /// Objects that somebody held then.
    still_held: Vec<Box<dyn AnyWeak>>,
    /// How many of them there must be before they are looked at again.
    look_again_at: usize,
}

impl<T: RepOk> Searcher<T> {
    /// Searches only the candidates whose first choices have these indices, in the order in which
    /// [`Candidate::choices`] gives them. The searches at all prefixes of one length find together what the whole search
    /// finds. Panics in the middle of a search.
    pub fn start_at(&mut self, prefix: &[u32]) {
        assert!(self.phase == Phase::Candidate && !self.used, "a search is given its prefix before it begins");
        self.heap.engine.set_prefix(prefix.to_vec());
    }

    /// Gives only values whose [`size`](Searcher::size) is within the range, and tries no candidate beyond it. May be called in
    /// the middle of a search.
    pub fn set_sizes(&mut self, sizes: RangeInclusive<usize>) {
        self.least = *sizes.start();
        self.heap.engine.set_most(*sizes.end());
    }

    /// Whether some candidate was not tried because it was too large, since the sizes were set.
    pub fn was_cut(&self) -> bool {
        self.heap.engine.links.was_cut()
    }

    /// How many objects the candidate has that the search stands at. The root counts if other objects can be of its class; if
    /// it is a handle on the structure, such as a `struct List { head: Option<Box<Node>> }`, it does not.
    pub fn size(&self) -> usize {
        self.heap.engine.links.size()
    }

    /// Where the search stands, as the part of the candidates that lie behind it if every choice splits what is left evenly:
    /// the position in the stack of choices, each weighted by those before it.
    pub fn position(&self) -> f64 {
        self.heap.engine.position()
    }

    /// Makes [`step`](Searcher::step) return about every so many candidates, whether or not it has returned at values between
    /// them.
    pub fn pause_every(&mut self, candidates: u64) {
        self.pause = Some(candidates);
        self.pause_later();
    }

    /// Counts the candidates until the next pause from here.
    fn pause_later(&mut self) {
        let explored = self.heap.engine.counters.explored;
        self.pause_at = self.pause.map_or(u64::MAX, |pause| explored.saturating_add(pause));
        self.let_machine_run();
        self.passed_over = 0;
    }

    /// Whether enough was done since the last pause. Each value that is passed over or only counted is as much as a candidate:
    /// it may be one of many that a single candidate completes to.
    fn is_pause_due(&self) -> bool {
        let explored = self.heap.engine.counters.explored;
        explored >= self.pause_at || self.pause.is_some_and(|pause| self.passed_over >= pause)
    }

    /// Goes on to the next valid value; false when there is none left.
    pub fn advance(&mut self) -> Result<bool, SearchError> {
        loop {
            match self.step()? {
                Step::Value => return Ok(true),
                Step::Paused => {}
                Step::Done => return Ok(false),
            }
        }
    }

    /// The same, and shows every candidate on the way, accepted or not, after the predicate ran on it. A break ends the
    /// search.
    pub fn advance_observed(
        &mut self,
        observe: &mut impl FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<bool, SearchError> {
        loop {
            match self.step_observed(observe)? {
                Step::Value => return Ok(true),
                Step::Paused => {}
                Step::Done => return Ok(false),
            }
        }
    }

    /// Goes on to the next valid value, but also stops between two candidates, see [`pause_every`](Searcher::pause_every).
    pub fn step(&mut self) -> Result<Step, SearchError> {
        if self.profiler.is_some() {
            return self.step_observed(&mut |_| ControlFlow::Continue(()));
        }
        self.step_with(&mut NoObserver)
    }

    /// Counts values without stopping at each, up to `limit` of them in all: stands at a value only when there are so many.
    pub fn count_on(&mut self, limit: u64) -> Result<Step, SearchError> {
        self.counting = limit;
        let step = self.step();
        self.counting = 0;
        step
    }

    /// How many values of each size were counted by [`count_on`](Searcher::count_on).
    pub fn counted_by_size(&self) -> &[u64] {
        &self.by_size
    }

    fn step_observed(
        &mut self,
        observe: &mut impl FnMut(Candidate<'_>) -> ControlFlow<()>,
    ) -> Result<Step, SearchError> {
        let Some(mut profiler) = self.profiler.take() else { return self.step_with(observe) };
        let step = self.step_with(&mut |candidate: Candidate<'_>| {
            profiler.note(candidate.engine, candidate.work.label(), candidate.accepted);
            observe(candidate)
        });
        self.profiler = Some(profiler);
        step
    }

    fn step_with(&mut self, observe: &mut impl Observer) -> Result<Step, SearchError> {
        assert!(self.restored.is_none(), "a searcher that stands at a restored value does not search");
        // A caller that goes from value to value is stopped between two of them.
        if self.phase != Phase::Done && self.is_pause_due() {
            self.pause_later();
            return Ok(Step::Paused);
        }
        self.let_machine_run();
        loop {
            if self.phase != Phase::Done && self.used && !self.move_on() {
                self.phase = Phase::Done;
            }
            if self.phase == Phase::Done {
                return Ok(Step::Done);
            }
            (self.used, self.given) = (true, false);
            let outcome = catch_unwind(AssertUnwindSafe(|| self.run_until_value(observe)));
            self.heap.engine.tell_top();
            let passed = self.heap.work.take_passed();
            self.heap.engine.counters.explored += passed;
            self.passed += passed;
            match outcome {
                Ok(Ok(step)) => {
                    match step {
                        Step::Value => self.given = true,
                        Step::Paused => {
                            self.used = false;
                            self.pause_later();
                        }
                        Step::Done => self.phase = Phase::Done,
                    }
                    return Ok(step);
                }
                Ok(Err(error)) => return Err(self.ended(error)),
                Err(payload) => match payload.downcast_ref::<Stop>() {
                    // A reference that may not be null finds no object: no value here.
                    Some(Stop::DeadEnd) => {
                        let is_candidate = self.phase == Phase::Candidate;
                        // Profiles tell by the stop that it is a dead end.
                        let is_over = is_candidate && self.count_candidate(false, observe).is_break();
                        self.heap.engine.take_stop();
                        if is_candidate {
                            self.check_dead_end().map_err(|error| self.ended(error))?;
                        }
                        if is_over {
                            self.phase = Phase::Done;
                        }
                    }
                    // The same candidate again, from the top, as all others from now on.
                    Some(&Stop::Unfit(unfit)) => {
                        self.heap.engine.take_stop();
                        self.unfit = Some((self.heap.work.label(), unfit));
                        self.used = false;
                    }
                    _ => return Err(self.unwound(payload)),
                },
            }
        }
    }

    /// Runs candidates until one completes to a value. Unwinds with `Stop` when a run is ended from inside.
    #[inline]
    fn run_until_value<O: Observer>(&mut self, observe: &mut O) -> Result<Step, SearchError> {
        let view = self.heap.root();
        loop {
            if self.phase == Phase::Candidate {
                // The hot loop: nothing here but the predicate and the engine.
                while !self.run_predicate::<O>(view) {
                    if self.heap.engine.exhausted {
                        return Ok(Step::Done);
                    }
                    self.check_replay()?;
                    self.check_rejected()?;
                    if self.count_candidate(false, observe).is_break() || !self.heap.engine.advance() {
                        return Ok(Step::Done);
                    }
                    if self.heap.engine.counters.explored >= self.pause_at {
                        return Ok(Step::Paused);
                    }
                }
                self.check_replay()?;
                self.check_accepted()?;
                if self.count_candidate(true, observe).is_break() {
                    return Ok(Step::Done);
                }
                if self.settings.pruning == Pruning::Classic {
                    // A shape that no value has; said only of what the predicate itself has decided.
                    match self.heap.engine.misfit(false) {
                        Some(misfit @ (Misfit::OwnedTwice { .. } | Misfit::Cycle { .. })) => {
                            return Err(self.misfit(misfit));
                        }
                        Some(Misfit::NotHeld { .. }) | None => {}
                    }
                }
                self.phase = Phase::Accepted { depth: self.heap.engine.depth() };
                // The one representative of the unread fields is the same whatever sizes are wanted.
                self.heap.engine.links.lift_bound(self.settings.unread == Unread::First);
                self.uses.accepted(&self.heap.engine);
            }
            if !self.heap.engine.reads_everything() {
                self.complete();
            }
            if self.heap.engine.misfit(true).is_none() {
                if self.has_size() && self.is_new() {
                    self.heap.engine.counters.valid += 1;
                    if let Some(invariance) = &mut self.invariance {
                        invariance.check(&self.heap, &self.settings, true)?;
                    }
                    if self.counting > 0 {
                        self.check_value()?;
                    }
                    if !self.only_counts() {
                        return Ok(Step::Value);
                    }
                }
                // The one representative of its unread fields is given: now, before in another order, or among the values of
                // another size.
                self.given = true;
            }
            // Only weak references lead to some object: not a value. Or one of another size, or that was given before, in
            // another order.
            let is_over = !self.move_on();
            self.given = false;
            if is_over {
                return Ok(Step::Done);
            }
            self.passed_over += 1;
            if self.is_pause_due() {
                return Ok(Step::Paused);
            }
        }
    }

    /// Decides the fields that the predicate has not read.
    fn complete(&mut self) {
        self.heap.engine.set_completing(true);
        self.read_unread();
        if let Phase::Accepted { depth } = self.phase {
            self.uses.completed(&self.heap.engine, depth);
        }
    }

    /// Reads every slot of the value that was not read.
    fn read_unread(&mut self) {
        let limits = self.settings.limits;
        self.heap.walk_in(|engine, work, slot| {
            if !slot.is_assigned() {
                ambient::run(engine, work, limits, || slot.read());
            }
        });
    }

    /// Counts a value, if values are only counted, and says whether the search goes on by itself.
    #[inline]
    fn only_counts(&mut self) -> bool {
        if self.counting == 0 {
            return false;
        }
        let size = self.heap.engine.links.size();
        if self.by_size.len() <= size {
            self.by_size.resize(size + 1, 0);
        }
        self.by_size[size] += 1;
        self.heap.engine.counters.valid < self.counting
    }

    /// Whether the current value is of a size that is wanted. One that is too large is a root alone: no other object was added.
    /// So may be the one representative of unread fields.
    fn has_size(&self) -> bool {
        self.size() >= self.least && self.heap.engine.links.is_within()
    }

    /// Whether the current value was not given before, with elements in another order that have none.
    fn is_new(&mut self) -> bool {
        if !self.heap.engine.has_doubles() {
            return true;
        }
        let mut slots = Vec::new();
        self.heap.walk(|_, slot| slots.push(slot.id()));
        self.heap.engine.is_new(&slots)
    }

    /// Runs the predicate on the current choices.
    #[inline(always)]
    fn run_predicate<O: Observer>(&mut self, view: &'static View<T>) -> bool {
        let Heap { engine, work, .. } = &mut **self.heap;
        let Some(machine) = self.machine.as_mut().filter(|_| self.unfit.is_none()) else {
            work.restart(false);
            return ambient::run(engine, work, self.settings.limits, || T::lifted(view));
        };
        // A machine comes out at every candidate if the next one is to be checked.
        work.set_quick(O::IDLE && !self.settings.explain && self.sample.rejected_at > 0);
        let resumed = if self.fresh { None } else { engine.resume_last(work) };
        let label = match resumed {
            Some(label) => {
                if self.settings.explain {
                    self.reentries.note(label, engine.last_replays());
                }
                label
            }
            None => {
                work.restart(true);
                0
            }
        };
        self.fresh = false;
        machine.run(engine, work, label, self.settings.limits)
    }

    /// Moves the choices on; false when none is left.
    fn move_on(&mut self) -> bool {
        if let Phase::Accepted { depth } = self.phase {
            if self.settings.unread == Unread::First && self.given {
                self.heap.engine.cut(depth);
            }
            // Choices made for unread fields follow the rules of ownership until the last of them is gone.
            if self.heap.engine.depth() > depth && self.heap.engine.advance_above(depth) {
                self.heap.engine.tell_top();
                return true;
            }
            self.heap.engine.set_completing(false);
            self.heap.engine.links.lift_bound(false);
            self.phase = Phase::Candidate;
        }
        self.heap.engine.advance()
    }

    #[inline]
    fn count_candidate(&mut self, accepted: bool, observe: &mut impl Observer) -> ControlFlow<()> {
        let engine = &mut self.heap.engine;
        engine.counters.explored += 1;
        engine.counters.field_inits += engine.depth() as u64;
        observe.observe(Candidate { engine: &self.heap.engine, work: &self.heap.work, accepted })
    }
}
