//! What the threads of one search have in common.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use korat_core::Turns;
use parking_lot::{Condvar, Mutex};

use super::found::{Before, Failed, Findings, Trouble};
use super::ledger::{Done, Ledger, Stretch};
use super::pass::{Deposit, Merged, before_piece};
use super::place::Place;
use crate::property::Violation;

/// How long a thread waits for the others before it looks at the clock.
const WAIT: Duration = Duration::from_millis(5);

/// The state of one search that all of its threads see.
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Notified when a pass is over, and when something ends the search.
    changed: Condvar,
    /// The turns of values that are dealt by number.
    pub(crate) numbers: Turns,
    /// Whether there is a bound: looked at before each value.
    has_bound: AtomicBool,
    is_stopped: AtomicBool,
    /// For each thread, the candidates of its pass, and the values on which it ran the property.
    progress: Vec<[AtomicU64; 2]>,
    /// What is done, if that is kept.
    ledger: Option<Mutex<Ledger>>,
}

struct State {
    members: usize,
    findings: Findings,
    passes: BTreeMap<u32, SharedPass>,
}

#[derive(Default)]
struct SharedPass {
    turns: Arc<Turns>,
    /// What each thread has found, once it is done with the pass.
    deposits: Vec<Option<Deposit>>,
    arrived: usize,
    /// The bytes of values that wait, by size, and the largest size of which they may.
    waiting: BTreeMap<usize, usize>,
    upto: Option<usize>,
    /// The values given before the pass, by size.
    before: BTreeMap<usize, u64>,
    /// What all have found together, until all have got it.
    merged: Option<Arc<Merged>>,
    is_merged: bool,
    fetched: usize,
}

impl Shared {
    /// Creates the state for so many threads, which look for so many failures that are unlike the known ones.
    pub(crate) fn new(members: usize, wanted: usize, known: Vec<Violation>) -> Self {
        let findings = Findings { wanted, known, ..Findings::default() };
        Shared {
            state: Mutex::new(State { members, findings, passes: BTreeMap::new() }),
            changed: Condvar::new(),
            numbers: Turns::default(),
            has_bound: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            progress: (0..members).map(|_| Default::default()).collect(),
            ledger: None,
        }
    }

    /// Keeps what the threads have done, beyond what an earlier run has.
    pub(crate) fn keeping(mut self, ledger: Ledger) -> Self {
        let (pieces, counts) = ledger.pieces(1);
        if !pieces.is_empty() {
            let state = self.state.get_mut();
            let turns = Turns::without(pieces.iter().map(|piece| piece.numbers.clone()).collect());
            // After those of the threads.
            let deposits =
                (0..state.members).map(|_| None).chain([Some(Deposit::of_before(&pieces, counts))]).collect();
            state.passes.insert(1, SharedPass { turns: Arc::new(turns), deposits, ..SharedPass::default() });
        }
        Shared { ledger: Some(Mutex::new(ledger)), ..self }
    }

    /// Adds what a thread has done of a stretch of the search.
    pub(crate) fn hand_in(&self, stretch: Stretch, done: Done) {
        self.ledger(|ledger| ledger.add(stretch, done));
    }

    /// Looks at what is done, if that is kept.
    pub(crate) fn ledger<R>(&self, look: impl FnOnce(&mut Ledger) -> R) -> Option<R> {
        let ledger = self.ledger.as_ref()?;
        Some(look(&mut ledger.lock()))
    }

    /// Returns whether a failure or an error was found.
    pub(crate) fn has_found(&self) -> bool {
        let findings = &self.state.lock().findings;
        !findings.failed.is_empty() || findings.trouble.is_some()
    }

    /// Notes that a thread could not be started.
    pub(crate) fn lose_member(&self) {
        let mut state = self.state.lock();
        state.members -= 1;
        let members = state.members;
        state.passes.values_mut().for_each(|pass| pass.merge_if_all(members));
        self.changed.notify_all();
    }

    /// Ends the search wherever it stands.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        // Nobody begins to wait between looking at the flag and being notified.
        drop(self.state.lock());
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Adds a failure of the property.
    pub(crate) fn fail(&self, failed: Failed) {
        self.find(|findings| findings.add(failed));
    }

    /// Adds an error of the search.
    pub(crate) fn trouble(&self, trouble: Trouble) {
        self.find(|findings| findings.add_trouble(trouble));
    }

    fn find(&self, add: impl FnOnce(&mut Findings)) {
        let mut state = self.state.lock();
        add(&mut state.findings);
        self.has_bound.store(state.findings.bound().is_some(), Ordering::Release);
        drop(state);
        self.changed.notify_all();
    }

    /// Returns whether something was found that may end the search, or it was stopped.
    #[inline]
    pub(crate) fn may_be_over(&self) -> bool {
        self.has_bound.load(Ordering::Acquire) || self.is_stopped()
    }

    /// Returns whether nothing at this place or after it counts.
    #[inline]
    pub(crate) fn is_beyond(&self, place: Place) -> bool {
        self.has_bound.load(Ordering::Acquire) && self.state.lock().findings.bound().is_some_and(|bound| place > bound)
    }

    /// Returns the turns of a pass.
    pub(crate) fn turns(&self, pass: u32) -> Arc<Turns> {
        Arc::clone(&self.state.lock().passes.entry(pass).or_default().turns)
    }

    /// Adds the bytes of values that wait in a pass, by size. Returns the largest size of which values may wait: all of them together take at most `most`
    /// bytes. In the end it is the same whoever reports first.
    pub(crate) fn report_waiting(&self, pass: u32, end: usize, bytes: &BTreeMap<usize, usize>, most: usize) -> usize {
        let mut state = self.state.lock();
        let SharedPass { waiting, upto, .. } = state.passes.entry(pass).or_default();
        let upto = upto.get_or_insert(end);
        for (size, bytes) in bytes.range(..=*upto) {
            *waiting.entry(*size).or_default() += bytes;
        }
        while waiting.values().sum::<usize>() > most {
            let Some((largest, _)) = waiting.pop_last() else { break };
            *upto = largest - 1;
        }
        *upto
    }

    /// Adds what a thread has found in a pass, before which these values were given. `is_done` says that nothing is left of it.
    pub(crate) fn deposit(
        &self,
        pass: u32,
        member: usize,
        deposit: Deposit,
        (before, end): (&BTreeMap<usize, u64>, usize),
        is_done: bool,
    ) {
        let mut state = self.state.lock();
        let members = state.members;
        let shared = state.passes.entry(pass).or_default();
        shared.before.clone_from(before);
        shared.upto.get_or_insert(end);
        if shared.deposits.len() <= member {
            shared.deposits.resize_with(member + 1, || None);
        }
        shared.deposits[member] = Some(deposit);
        shared.arrived += usize::from(is_done);
        shared.merge_if_all(members);
        let waiting: usize = state.passes.values().filter(|pass| !pass.is_merged).map(|pass| pass.arrived).sum();
        assert!(waiting < members, "[korat internal bug] threads wait for each other in different passes");
        drop(state);
        self.changed.notify_all();
    }

    /// Waits a little for the other threads to be done with a pass. Returns what all have found together, and the largest size of which values wait. Each thread
    /// gets it once: the last one to use it drops the values that waited.
    pub(crate) fn merged(&self, pass: u32) -> Option<(Arc<Merged>, usize)> {
        let mut state = self.state.lock();
        if !state.passes.get(&pass).is_some_and(|pass| pass.is_merged) {
            self.changed.wait_for(&mut state, WAIT);
        }
        let members = state.members;
        let shared = state.passes.get_mut(&pass)?;
        let merged = Arc::clone(shared.merged.as_ref()?);
        shared.fetched += 1;
        if shared.fetched == members {
            shared.merged = None;
        }
        Some((merged, shared.upto?))
    }

    /// Returns the candidates and the values, by size, that one thread has before a place, the value there included.
    pub(crate) fn before(&self, place: Place, before: &Before) -> (u64, BTreeMap<usize, u64>) {
        let mut by_size = before.by_size.clone();
        if place.is_numbered {
            return (before.explored, by_size);
        }
        let state = self.state.lock();
        let deposits = state.passes.get(&place.pass).map_or(&[][..], |pass| &pass.deposits);
        let (explored, values) = before_piece(deposits, place.piece);
        for (size, values) in values {
            *by_size.entry(size).or_default() += values;
        }
        ((explored + before.explored).max(before.most), by_size)
    }

    /// Returns what was found that ends the search: failures of the property, in order, and the error before which they were found, if there is one.
    pub(crate) fn findings(&self) -> (Vec<Failed>, Option<Trouble>) {
        let findings = std::mem::take(&mut self.state.lock().findings);
        let bound = findings.bound();
        let failed =
            findings.failed.into_iter().filter(|failed| bound.is_none_or(|bound| failed.place <= bound)).collect();
        (failed, findings.trouble.filter(|trouble| bound == Some(trouble.place)))
    }

    /// Notes how far a thread is.
    pub(crate) fn note_progress(&self, member: usize, explored: u64, values: u64) {
        let [of_explored, of_values] = &self.progress[member];
        of_explored.store(explored, Ordering::Relaxed);
        of_values.store(values, Ordering::Relaxed);
    }

    /// Returns how far all threads are together: candidates of the pass, and values.
    pub(crate) fn progress(&self) -> (u64, u64) {
        let sum = |which: usize| self.progress.iter().map(|of| of[which].load(Ordering::Relaxed)).sum();
        (sum(0), sum(1))
    }

    /// Returns the candidates of all threads in the pass that has most, as far as they have handed them in.
    pub(crate) fn most_explored(&self) -> u64 {
        let of_pass = |pass: &SharedPass| pass.deposits.iter().flatten().map(|it| it.counters.explored).sum();
        self.state.lock().passes.values().map(of_pass).max().unwrap_or(0)
    }
}

impl SharedPass {
    fn merge_if_all(&mut self, members: usize) {
        if self.arrived == members && !self.is_merged {
            self.is_merged = true;
            let upto = self.upto.unwrap_or(usize::MAX);
            self.merged = Some(Arc::new(Merged::of(&mut self.deposits, upto, &self.before)));
        }
    }
}
