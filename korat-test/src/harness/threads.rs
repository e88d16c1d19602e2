//! Runs a property on several threads. Kept values and shrinking stay on the thread of the caller, which takes part in the search, too.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use korat_core::{Finitize, RepOk, SharedBounds, join_thread};

use super::Harness;
use crate::choose::{self, Choosing};
use crate::crash_note::{CrashNote, Owner};
use crate::error::Error;
use crate::failure::Origin;
use crate::panics::{self, users_code};
use crate::property::{self, Outcome};
use crate::report::Report;
use crate::run::{MemberDone, Run, RunParts};
use crate::search::Search;
use crate::stats;
use crate::subject::Subject;
use crate::threads::{Before, Failed, Place, Shared, Trouble, number, tell_one_thread};
use crate::values::Member;

/// How often the first thread looks at its file while it waits for the others.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The threads that share a run.
pub(crate) struct Team<T: Finitize + RepOk> {
    threads: usize,
    bounds: SharedBounds<T>,
}

impl<T: Finitize + RepOk> Team<T> {
    /// Returns the threads that the settings ask for; `None` if the search runs on one, which it says if more are asked for.
    pub(crate) fn of(search: &Search<T>) -> Option<Self> {
        let config = &search.config;
        let threads = number(config.threads);
        // What one thread has kept, several can go on with, and the other way round.
        let is_kept = config.checkpoints.is_some() && !panics::is_in_property();
        if config.replay.is_some() || (threads <= 1 && !is_kept) {
            return None;
        }
        let why = if config.explain || config.profile {
            "explanations and profiles are of one".to_string()
        } else if config.sample.is_some() && config.failures > 1 {
            "each failing value of a sample is shrunk before the next is drawn".to_string()
        } else {
            match search.bounds.shared() {
                Ok(bounds) => return Some(Team { threads, bounds }),
                Err(field) => format!("the values given for {field} cannot be copied to other threads"),
            }
        };
        if threads > 1 {
            tell_one_thread(&why);
        }
        None
    }

    /// Returns the threads that count the values of a search, if the settings name a number of them.
    pub(crate) fn of_count(search: &Search<T>) -> Option<Self> {
        let config = &search.config;
        let is_whole = config.limit.is_none() && config.sample.is_none() && config.ranks.is_none();
        if config.threads.is_none_or(|threads| threads <= 1) || !is_whole {
            return None;
        }
        if config.checkpoints.is_some() {
            tell_one_thread("checkpoints of a count are kept of one");
            return None;
        }
        Team::of(search)
    }

    /// Counts values on all threads. `count` counts those of another thread, and `own` those of this one.
    pub(crate) fn count<R: Send>(
        &self,
        count: impl Fn(usize, Subject) -> R + Sync,
        own: impl FnOnce() -> R,
    ) -> Vec<Option<R>> {
        thread::scope(|scope| {
            let start = |index| {
                let count = &count;
                let work = move || count(index, Subject::new(self.bounds.bounds()));
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            let workers: Vec<_> = (1..self.threads).map(start).collect();
            let own = own();
            let join = |worker: Option<ScopedJoinHandle<'_, R>>| {
                worker.map(|worker| join_thread(worker).unwrap_or_else(|panic| resume_unwind(panic)))
            };
            [Some(own)].into_iter().chain(workers.into_iter().map(join)).collect()
        })
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }
}

/// Ends the search if a thread panics outside of the property, so that nobody waits for it.
struct StopOnPanic<'s>(&'s Shared);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl Harness {
    /// Runs the property on several threads, if there are any.
    pub(crate) fn run_on<T: Finitize + RepOk, O: Outcome>(
        mut self,
        team: Option<Team<T>>,
        property: impl Fn(T) -> O + Sync,
    ) -> Result<Report, Error> {
        let Some(team) = team else { return self.run(property) };
        self.stops_before_search = true;
        self.run_values(&mut |value| property(value))?;
        if !self.has_enough() && !self.run.is_over() {
            self.search_on(&team, &property)?;
            // A value of a sample is shrunk here.
            self.run_values(&mut |value| property(value))?;
        }
        self.finish()
    }

    /// Searches on several threads, and collects the failures that one thread would have found.
    fn search_on<T: Finitize + RepOk, O: Outcome>(
        &mut self,
        team: &Team<T>,
        property: &(impl Fn(T) -> O + Sync),
    ) -> Result<(), Error> {
        let wanted = self.run.config.failures - self.failures.len();
        let known = self.failures.iter().map(|failure| failure.violation.clone()).collect();
        let is_kept = self.run.is_kept();
        let (ledger, before) = self.run.shared_before()?;
        let shared = Shared::new(team.threads, wanted, known);
        let shared = Arc::new(if is_kept { shared.keeping(ledger) } else { shared });
        let (parts, owner) = (self.run.parts(), self.note.owner());
        let (limit, is_by_pieces, before) = (self.run.config.limit, self.run.is_by_pieces(), before.map(Arc::new));
        let member = |index| {
            let member = Member::new(Arc::clone(&shared), index, is_by_pieces, limit);
            if is_kept { member.keeping(before.clone()) } else { member }
        };
        self.run.share(team.threads, member(0))?;
        let begin = |index| {
            let (shared, parts, owner) = (Arc::clone(&shared), parts.clone(), owner.clone());
            let member = member(index);
            move || take_part(&shared, team, parts, owner, member, property)
        };
        let Harness { run, note, .. } = self;
        let (own, others) = thread::scope(|scope| {
            // Messages name the test by its thread.
            let name = thread::current().name().map(str::to_string);
            let start = |index| {
                let builder = name.iter().fold(thread::Builder::new(), |builder, name| builder.name(name.clone()));
                builder.spawn_scoped(scope, begin(index)).inspect_err(|_| shared.lose_member()).ok()
            };
            let workers: Vec<_> = (1..team.threads).filter_map(start).collect();
            let own = catch_unwind(AssertUnwindSafe(|| {
                let _stop = StopOnPanic(&shared);
                search(&shared, run, note, property);
                // What the others do is kept until they have ended.
                while is_kept && !workers.iter().all(ScopedJoinHandle::is_finished) {
                    run.keep();
                    thread::sleep(LOOK_EVERY);
                }
            }));
            // Joined one by one: the end of a scope does not wait for what threads keep until they end.
            (own, workers.into_iter().map(join_thread).collect::<Vec<_>>())
        });
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        for done in others {
            match done {
                Ok(done) => done.into_iter().for_each(|done| self.run.add_member(done)),
                Err(panic) => resume_unwind(panic),
            }
        }
        self.run.put_together();
        self.collect(&shared)
    }

    /// Collects the failures in the order of one thread.
    fn collect(&mut self, shared: &Shared) -> Result<(), Error> {
        // Smaller values may fail, too, if there was no time for them.
        let smallest_first = self.run.is_smallest_first() && !self.run.is_out_of_time();
        let (failed, trouble) = shared.findings();
        for Failed { place, before, violation, slots } in failed {
            let (explored, by_size) = shared.before(place, &before);
            let number = by_size.values().sum();
            let searcher = self.run.subject().searcher(self.run.config.settings());
            let restored = searcher.ok().and_then(|mut searcher| searcher.restore(&slots).ok().map(|()| searcher));
            assert!(restored.is_some(), "[korat internal bug] the slots of a value are none");
            self.restored = restored;
            self.origin = Origin::Search { number, combination: None, smallest_first };
            if self.judge(Err(violation)).is_break() || self.shrinking.is_some() {
                self.end_at(explored, &by_size);
            }
            self.restored = None;
        }
        if let Some(Trouble { place, before, error }) = trouble {
            let (explored, by_size) = shared.before(place, &before);
            self.end_at(explored, &by_size);
            return Err(self.run.fail_with(error));
        }
        Ok(())
    }

    fn end_at(&mut self, explored: u64, by_size: &BTreeMap<usize, u64>) {
        if !self.run.is_out_of_time() {
            self.run.end_at(explored, by_size);
        }
    }
}

/// Takes part in a search, on a thread of its own. Returns what it has done, unless its search could not begin.
fn take_part<T: Finitize + RepOk, O: Outcome>(
    shared: &Shared,
    team: &Team<T>,
    parts: RunParts,
    owner: Option<Owner>,
    member: Member,
    property: &(impl Fn(T) -> O + Sync),
) -> Option<MemberDone> {
    let _stop = StopOnPanic(shared);
    let mut run = match Run::of_member(Subject::new(team.bounds.bounds()), parts, member) {
        Ok(run) => run,
        Err(error) => {
            add_trouble(shared, error, (Place::default(), Before::default()));
            return None;
        }
    };
    let mut note = owner.map_or_else(CrashNote::none, CrashNote::new);
    search(shared, &mut run, &mut note, property);
    Some(run.member_done())
}

/// Runs the property on the values of this thread.
fn search<T: RepOk, O: Outcome>(shared: &Shared, run: &mut Run, note: &mut CrashNote, property: &impl Fn(T) -> O) {
    let _choosing = Choosing::begin_told();
    loop {
        run.searcher().free_cycles();
        note.between_values();
        match run.next() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return add_trouble(shared, error, run.error_at()),
        }
        let place = run.place();
        if place.is_numbered {
            note.at_summarised(run.searcher(), place.number);
        } else {
            note.at_value(run.searcher(), 0);
        }
        choose::give(&[]);
        for runs in 0.. {
            let value = match run.value::<T>() {
                Ok(value) => value,
                Err(error) => {
                    let at = run.at_value();
                    run.leave();
                    return add_trouble(shared, error, at);
                }
            };
            let verdict =
                property::run(|| stats::labelled(&mut run.stats, || users_code(&mut |value| property(value), value)));
            if let Err(violation) = verdict {
                let (_, before) = run.at_value();
                let slots = run.searcher().slot_vector();
                shared.fail(Failed { place: Place { run: runs, ..place }, before, violation, slots });
            }
            if shared.is_beyond(Place { run: runs + 1, ..place }) || !choose::next() {
                break;
            }
        }
    }
    run.end_part();
    if run.is_out_of_time() {
        run.leave();
        shared.stop();
    }
}

/// Adds an error that ended the search of this thread.
fn add_trouble(shared: &Shared, error: Error, (place, before): (Place, Before)) {
    match error {
        Error::Search(failed) => shared.trouble(Trouble { place, before, error: failed.error }),
        Error::Property(_) | Error::Expectation(_) => unreachable!("[korat internal bug] a search fails by itself"),
    }
}
