//! Where a search stands, as numbers that another process can go on from: the choices of its candidate, and its counts. The
//! candidate runs once more from the top, so that the slots and the predicate's memory are as they were; nothing else is repeated.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::candidate::NoObserver;
use super::untyped::{Phase, UntypedSearcher};
use crate::engine::choice::Choice;
use crate::engine::stop::Stop;
use crate::heap::bounded::Heap;
use crate::model::counters::Counters;
use crate::model::settings::Unread;

/// Where a search stands between two steps; see [`UntypedSearcher::bookmark`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmark(pub Vec<u64>);

/// The numbers of a bookmark, one after the other.
pub(super) struct Numbers<'b>(std::slice::Iter<'b, u64>);

impl Numbers<'_> {
    pub(super) fn next(&mut self) -> Option<u64> {
        self.0.next().copied()
    }

    pub(super) fn next_flag(&mut self) -> Option<bool> {
        self.next().filter(|flag| *flag <= 1).map(|flag| flag == 1)
    }

    pub(super) fn next_list(&mut self) -> Option<Vec<u64>> {
        let len = usize::try_from(self.next()?).ok().filter(|len| *len <= self.0.len())?;
        (0..len).map(|_| self.next()).collect()
    }
}

/// What becomes of the candidate at which a search stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is to run next.
    Before = 0,
    /// Its completion is to be looked at.
    Completing = 1,
    /// It is dealt with: a value, or what belongs to another part.
    After = 2,
    /// There is none.
    Done = 3,
}

impl Stands {
    fn of(number: u64) -> Option<Self> {
        let all = [Stands::Before, Stands::Completing, Stands::After, Stands::Done];
        all.get(usize::try_from(number).ok()?).copied()
    }
}

impl UntypedSearcher {
    /// Returns what was checked of values, beyond what a bookmark has of a search; for [`set_value_checks`](Self::set_value_checks).
    pub fn value_checks(&self) -> [u64; 4] {
        self.sample.value_checks()
    }

    /// Goes on with checks of values as if these had been made.
    pub fn set_value_checks(&mut self, checks: [u64; 4]) {
        self.sample.set_value_checks(checks);
    }

    /// Returns where the search stands between two steps, a value at which it stopped included; `None` if that cannot be told, because it
    /// [remembers values](Self::remembers_values).
    pub fn bookmark(&self) -> Option<Bookmark> {
        let is_search = self.restored.is_none() && self.profiler.is_none() && !self.settings.explain;
        if self.remembers_values() || !is_search {
            return None;
        }
        let Heap { engine, work, .. } = &**self.heap;
        let stands = match (self.phase, self.used) {
            (Phase::Done, _) => Stands::Done,
            (Phase::Candidate, false) => Stands::Before,
            (Phase::Accepted { .. }, false) => Stands::Completing,
            (Phase::Candidate | Phase::Accepted { .. }, true) => Stands::After,
        };
        // What is undone before the candidate runs.
        let last = engine.last().filter(|_| stands == Stands::Before);
        let undone = work.undone.get() + last.map_or(0, |choice| work.entries_since(&choice.resume));
        let Counters { explored, valid, field_inits, .. } = engine.counters;
        // Choices that are to be made again stand as those that are made.
        let again = engine.given_first();
        let (made, made_by_predicate) = engine.made_choices();
        let made = made + again.len() as u64;
        let mut to = vec![stands as u64, self.given.into(), explored, valid, field_inits, made, made_by_predicate];
        to.extend([undone, self.passed, engine.links.hit_size_bound().into()]);
        let mut add_list = |list: &mut dyn ExactSizeIterator<Item = u64>| {
            to.push(list.len() as u64);
            to.extend(list);
        };
        let indices: Vec<u32> =
            engine.stack.as_slice().iter().map(Choice::index).chain(again.iter().copied()).collect();
        add_list(&mut indices.iter().map(|&index| index.into()));
        add_list(&mut self.by_size.iter().copied());
        self.uses.save(&mut to);
        self.sample.save(&mut to);
        if let Some(invariance) = &self.invariance {
            invariance.save(&mut to);
        }
        Some(Bookmark(to))
    }

    /// Goes on from where a search of the same bounds, sizes and part stood. Returns false if the bookmark is of another search; then this one must be
    /// restarted. Panics in the middle of a search.
    pub fn go_on_from(&mut self, bookmark: &Bookmark) -> bool {
        assert!(self.phase == Phase::Candidate && !self.used, "a search is given its bookmark before it begins");
        self.try_go_on(&mut Numbers(bookmark.0.iter())).is_some()
    }

    fn try_go_on(&mut self, from: &mut Numbers<'_>) -> Option<()> {
        let stands = Stands::of(from.next()?)?;
        let given = from.next_flag()?;
        let [explored, valid, field_inits, made, made_by_predicate, undone, passed] =
            <[u64; 7]>::try_from((0..7).map(|_| from.next()).collect::<Option<Vec<u64>>>()?).ok()?;
        let hit_size_bound = from.next_flag()?;
        let indices = from.next_list()?.into_iter().map(u32::try_from).collect::<Result<Vec<u32>, _>>().ok()?;
        let by_size = from.next_list()?;
        let mut uses = self.uses.clone();
        uses.load(|| from.next())?;
        self.sample.load(from)?;
        if let Some(invariance) = &mut self.invariance {
            invariance.load(from)?;
        }
        if from.next().is_some() {
            return None;
        }
        self.heap.engine.set_first(indices.clone());
        match stands {
            Stands::Before => {}
            Stands::Done => self.phase = Phase::Done,
            Stands::Completing | Stands::After => self.run_again(stands)?,
        }
        let engine = &mut self.heap.engine;
        let stood: Vec<u32> = engine.stack.as_slice().iter().map(Choice::index).collect();
        let is_same = match stands {
            Stands::Before => stood.is_empty(),
            Stands::After | Stands::Done => stood == indices,
            Stands::Completing => stood.starts_with(&indices),
        };
        if !is_same || (stands != Stands::Before && engine.is_before_first()) {
            return None;
        }
        // Choices count once: those that are to be made again, later; those after them are made already.
        let (depth, len) = (stood.len() as u64, indices.len() as u64);
        engine.set_made_choices(made.checked_add(depth)?.checked_sub(len)?, made_by_predicate);
        engine.counters = Counters { explored, valid, field_inits, undo_ops: 0 };
        engine.links.set_hit_size_bound(hit_size_bound);
        self.heap.work.undone.set(undone);
        (self.passed, self.given, self.by_size, self.uses) = (passed, given, by_size, uses);
        self.pause_later();
        Some(())
    }

    /// Runs the candidate on which the search stood, without counting or checking it.
    fn run_again(&mut self, stands: Stands) -> Option<()> {
        loop {
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let accepted = self.run_predicate::<NoObserver>();
                if accepted {
                    self.phase = Phase::Accepted { depth: self.heap.engine.depth() };
                    self.heap.engine.links.suspend_size_bound(self.settings.unread == Unread::First);
                    if !self.heap.engine.reads_everything() {
                        self.heap.engine.set_completing(true);
                        self.read_unread();
                    }
                }
                accepted
            }));
            self.heap.engine.record_last_choice();
            let stop = self.heap.engine.take_stop();
            self.heap.work.take_passed();
            match (outcome, stop) {
                (Ok(true), None) => {
                    self.used = stands != Stands::Completing;
                    break;
                }
                (Err(_), Some(Stop::Elsewhere)) if stands == Stands::After => {
                    self.used = true;
                    break;
                }
                // What follows the choices of a completion has no value, or belongs to another part.
                (Err(_), Some(Stop::Elsewhere | Stop::DeadEnd)) if matches!(self.phase, Phase::Accepted { .. }) => {
                    self.used = true;
                    break;
                }
                // It runs again with the choices made so far.
                (Err(payload), Some(Stop::NotResumable(why))) if payload.is::<Stop>() => {
                    self.note_not_resumable(why);
                }
                (Err(payload), None) if !payload.is::<Stop>() => resume_unwind(payload),
                _ => return None,
            }
        }
        Some(())
    }
}
