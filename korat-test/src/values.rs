//! The values of a search, smallest first. Takes bounds and settings, gives one value after the other; what is done with
//! them is not its business.
//!
//! The size of a value is the number of its objects. The search goes over the candidates of at most `upto` objects, then over
//! those of more, in passes, and gives in each pass only what no pass before it gave. Every pass looks at the small
//! candidates again; so that this costs little, a pass takes in as many sizes as it needs to be several times the work of
//! the one before it. Values of the smallest size in it are given at once, larger ones wait until the pass is over.
//!
//! A structure of which all values are large, because a field says how many nodes there are, would never be come to: see
//! `FRUITLESS`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::time::{Duration, Instant};

use korat_core::{
    Bounds, Counters, Explanation, Finitize, Kept, Profile, RepOk, SearchError, Searcher, Settings, Step,
};

use crate::config::Order;
use crate::pace::Pace;

/// How many bytes of values may wait. Beyond, the largest sizes are left to a pass of their own.
const MOST_WAITING: usize = 64 << 20;

/// How many times the work of the last pass the next one is to be. A value that waits costs little, a candidate that is looked at
/// once more costs all that it costs.
const GROWTH: f64 = 12.0;

/// If so many candidates of small sizes have given no value, the structure has a size of its own: the rest comes as it is found.
const FRUITLESS: u64 = 100_000;

/// How far the values have come.
pub(crate) enum Next {
    /// There is a value.
    Value,
    /// Time to look at the clock.
    Paused,
    /// There is none left.
    Done,
}

/// How far the sizes of a pass are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    /// They are searched: the part that lies behind and how long it took, if that can be estimated, and how many of the values
    /// found wait for the end.
    Searching { done: Option<(f64, Duration)>, waiting: u64 },
    /// The search is over, and the values that waited are given: how many were, in how long, and how many are left.
    Giving { given: u64, since: Duration, left: u64 },
}

/// What a search has found out about `rep_ok`, as far as its settings ask for it.
#[derive(Clone, Default)]
pub(crate) struct Found {
    pub(crate) explanation: Option<Explanation>,
    pub(crate) profile: Option<Profile>,
    /// Candidates that were compared with a run from the top.
    pub(crate) compared: u64,
}

impl Found {
    fn by<T: RepOk>(searcher: &Searcher<T>, settings: Settings) -> Self {
        let explanation = if settings.explain { searcher.explanation() } else { None };
        Found { explanation, profile: searcher.profile(), compared: searcher.checked().compared }
    }
}

/// The values of one search. Those that wait are kept as slots.
pub(crate) struct Values<T: Finitize + RepOk> {
    bounds: Rc<Bounds<T>>,
    settings: Settings,
    order: Order,
    searcher: Searcher<T>,
    sizes: RangeInclusive<usize>,
    /// The sizes of this pass.
    pass: RangeInclusive<usize>,
    /// Whether this pass leaves something to the next.
    was_cut: bool,
    /// The values of this pass that wait, by size.
    waiting: BTreeMap<usize, Kept>,
    waiting_bytes: usize,
    most_waiting: usize,
    /// Whether the pass is over and only those that wait are left; how many of the smallest size were given.
    draining: bool,
    drained: usize,
    /// When this pass began or, while those that wait are given, when it ended; how many values were given by then.
    since: Instant,
    given_before: u64,
    /// How this pass gets on.
    pace: Pace,
    /// The size of the current value.
    size: usize,
    given: u64,
    /// What the most thorough pass so far has done.
    most: Counters,
    /// What it has found out about `rep_ok`.
    found: Found,
    /// Candidates of this pass, once it is over, and of the one before it, if there was one.
    pass_explored: u64,
    last_pass: u64,
    /// How many times the candidates each size had of that before it, in the last pass.
    growth: Option<f64>,
    pause: u64,
}

impl<T: Finitize + RepOk> Values<T> {
    pub(crate) fn new(
        bounds: Rc<Bounds<T>>,
        settings: Settings,
        order: Order,
        sizes: RangeInclusive<usize>,
    ) -> Result<Self, SearchError> {
        let first = *sizes.start();
        let upto = match order {
            Order::SmallestFirst => first,
            Order::AsFound => *sizes.end(),
        };
        let mut values = Values {
            searcher: Searcher::new(&bounds, settings)?,
            bounds,
            settings,
            order,
            sizes,
            pass: first..=upto,
            was_cut: false,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            most_waiting: MOST_WAITING,
            draining: false,
            drained: 0,
            since: Instant::now(),
            given_before: 0,
            pace: Pace::default(),
            size: 0,
            given: 0,
            most: Counters::default(),
            found: Found::default(),
            pass_explored: 0,
            last_pass: 0,
            growth: None,
            pause: 64,
        };
        values.begin_pass();
        Ok(values)
    }

    fn begin_pass(&mut self) {
        self.searcher.set_sizes(self.pass.clone());
        self.searcher.pause_every(self.pause);
        (self.was_cut, self.draining, self.drained) = (false, false, 0);
        (self.since, self.pace) = (Instant::now(), Pace::default());
    }

    /// After how many candidates [`next`](Values::next) pauses.
    pub(crate) fn pause_every(&mut self, candidates: u64) {
        self.pause = candidates;
        self.searcher.pause_every(candidates);
    }

    pub(crate) fn pause(&self) -> u64 {
        self.pause
    }

    /// Goes on to the next value; [`searcher`](Values::searcher) stands at it.
    pub(crate) fn next(&mut self) -> Result<Next, SearchError> {
        loop {
            if self.draining {
                if self.take_waiting() {
                    return Ok(Next::Value);
                }
                if !self.was_cut || self.pass.end() >= self.sizes.end() {
                    return Ok(Next::Done);
                }
                self.next_pass();
            }
            match self.searcher.step()? {
                Step::Paused => {
                    self.note_pause();
                    if self.is_fruitless(self.searcher.counters().explored) {
                        self.take_as_found(*self.pass.start());
                    }
                    return Ok(Next::Paused);
                }
                Step::Done => self.end_pass(),
                Step::Value => {
                    let size = self.searcher.size();
                    if self.order == Order::AsFound || size == *self.pass.start() {
                        self.give(size);
                        return Ok(Next::Value);
                    }
                    let kept = self.waiting.entry(size).or_default();
                    let before = kept.bytes();
                    self.searcher.keep(kept);
                    self.waiting_bytes += kept.bytes() - before;
                    if self.waiting_bytes > self.most_waiting {
                        self.wait_for_fewer();
                    }
                }
            }
        }
    }

    /// Counts values, as the search finds them, up to a limit on all that are given; for one pass only.
    pub(crate) fn count_on(&mut self, limit: u64) -> Result<Next, SearchError> {
        let step = self.searcher.count_on(limit);
        self.given = self.searcher.counters().valid;
        Ok(match step? {
            Step::Value => Next::Value,
            Step::Paused => {
                self.note_pause();
                Next::Paused
            }
            Step::Done => {
                self.end_pass();
                Next::Done
            }
        })
    }

    fn note_pause(&mut self) {
        let time = self.since.elapsed().as_secs_f64();
        if self.pace.is_due(time) {
            self.pace.note(time, self.searcher.position());
        }
    }

    fn give(&mut self, size: usize) {
        self.size = size;
        self.given += 1;
    }

    fn take_waiting(&mut self) -> bool {
        while let Some(first) = self.waiting.first_entry() {
            let size = *first.key();
            if self.drained < first.get().len() {
                self.searcher.stand_at(first.get(), self.drained);
                self.drained += 1;
                self.give(size);
                return true;
            }
            self.waiting_bytes -= first.remove().bytes();
            self.drained = 0;
        }
        false
    }

    /// Leaves the largest size to another pass.
    fn wait_for_fewer(&mut self) {
        let upto = (*self.pass.end()).min(self.waiting.keys().last().map_or(usize::MAX, |&largest| largest)) - 1;
        for (_, kept) in self.waiting.split_off(&(upto + 1)) {
            self.waiting_bytes -= kept.bytes();
        }
        self.pass = *self.pass.start()..=upto;
        self.was_cut = true;
        self.searcher.set_sizes(self.pass.clone());
    }

    fn end_pass(&mut self) {
        self.was_cut |= self.searcher.was_cut();
        self.draining = true;
        (self.since, self.given_before) = (Instant::now(), self.given);
        self.pass_explored = self.searcher.counters().explored;
        self.note_counters();
    }

    fn note_counters(&mut self) {
        let counters = self.searcher.counters();
        if counters.explored >= self.most.explored {
            self.most = counters;
            self.found = Found::by(&self.searcher, self.settings);
        }
    }

    fn next_pass(&mut self) {
        let explored = self.pass_explored;
        let sizes = self.pass.end() - self.pass.start() + 1;
        let times = if self.last_pass == 0 { GROWTH } else { explored as f64 / self.last_pass as f64 };
        let growth = times.powf(1.0 / sizes as f64);
        let sizes = sizes_to_take(growth, self.growth.unwrap_or(growth));
        self.growth = Some(growth);
        self.last_pass = explored;
        let first = self.pass.end() + 1;
        self.pass = first..=(first + sizes - 1).min(*self.sizes.end());
        if self.is_fruitless(explored) {
            return self.take_as_found(first);
        }
        self.searcher.restart();
        self.begin_pass();
    }

    /// Whether so many candidates of one pass are enough to give up small sizes.
    fn is_fruitless(&self, explored: u64) -> bool {
        let has_none = self.given == 0 && self.waiting.is_empty();
        self.order == Order::SmallestFirst && has_none && explored >= FRUITLESS
    }

    /// Begins again with a size, and gives what follows as it is found.
    fn take_as_found(&mut self, first: usize) {
        self.order = Order::AsFound;
        self.pass = first..=*self.sizes.end();
        self.searcher.restart();
        self.begin_pass();
    }

    pub(crate) fn bounds(&self) -> &Rc<Bounds<T>> {
        &self.bounds
    }

    /// The searcher of this pass: it stands at the current value.
    pub(crate) fn searcher(&self) -> &Searcher<T> {
        &self.searcher
    }

    /// The same, to build values.
    pub(crate) fn searcher_mut(&mut self) -> &mut Searcher<T> {
        &mut self.searcher
    }

    /// Whether no value is larger than one after it.
    pub(crate) fn is_smallest_first(&self) -> bool {
        self.order == Order::SmallestFirst
    }

    /// How many values were given.
    pub(crate) fn given(&self) -> u64 {
        self.given
    }

    /// The current value's size.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The sizes that the search goes over now.
    pub(crate) fn pass(&self) -> &RangeInclusive<usize> {
        &self.pass
    }

    /// How far the search of these sizes is.
    pub(crate) fn stage(&self) -> Stage {
        let waiting: u64 = self.waiting.values().map(|kept| kept.len() as u64).sum();
        if self.draining {
            let (given, left) = (self.given - self.given_before, waiting - self.drained as u64);
            return Stage::Giving { given, since: self.since.elapsed(), left };
        }
        let done = self.pace.part(self.since.elapsed().as_secs_f64(), self.searcher.position());
        Stage::Searching { done: done.map(|(part, took)| (part, Duration::from_secs_f64(took))), waiting }
    }

    /// What was found out about `rep_ok` on the candidates that [`counters`](Values::counters) counts.
    pub(crate) fn found(&self) -> Found {
        let is_most = self.searcher.counters().explored >= self.most.explored;
        if is_most { Found::by(&self.searcher, self.settings) } else { self.found.clone() }
    }

    /// What was done so far: candidates are counted once, in however many passes they were looked at.
    pub(crate) fn counters(&self) -> Counters {
        let now = self.searcher.counters();
        let counters = if now.explored >= self.most.explored { now } else { self.most };
        Counters { valid: self.given, ..counters }
    }
}

/// How many sizes it takes until a pass is `GROWTH` times the work of the last: each size grew by `growth`, and by `before` in the
/// pass before that. Growth that has slowed down is taken to slow down once more.
fn sizes_to_take(growth: f64, before: f64) -> usize {
    let next = growth * (growth / before).powf(0.75).min(1.0);
    (GROWTH.ln() / next.max(1.01).ln()).ceil().clamp(1.0, 64.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Finitize, rep_ok};

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct Node {
        key: u8,
        next: Option<Box<Node>>,
    }

    #[derive(Debug, Finitize)]
    #[finitize(crate = crate)]
    struct List {
        head: Option<Box<Node>>,
    }

    #[rep_ok(crate = crate)]
    impl List {
        fn rep_ok(&self) -> bool {
            let (mut at, mut last) = (&self.head, None);
            while let Some(node) = at {
                if last.is_some_and(|last| node.key <= last) {
                    return false;
                }
                (at, last) = (&node.next, Some(node.key));
            }
            true
        }
    }

    /// The texts of all values in order, and the passes that it took, where so many may wait.
    fn all(most_waiting: usize) -> (Vec<String>, Vec<RangeInclusive<usize>>) {
        let bounds = Rc::new(List::scope(6));
        let mut values: Values<List> =
            Values::new(bounds, Settings::default(), Order::SmallestFirst, 0..=usize::MAX).unwrap();
        values.most_waiting = most_waiting;
        let (mut texts, mut passes) = (Vec::new(), Vec::new());
        loop {
            match values.next().unwrap() {
                Next::Value => {
                    let text = format!("{:?}", values.searcher_mut().value());
                    // Looked at once more, it is the same.
                    assert_eq!(format!("{:?}", values.searcher_mut().value()), text);
                    assert_eq!(values.searcher().size(), values.size());
                    texts.push(text);
                    if passes.last() != Some(values.pass()) {
                        passes.push(values.pass().clone());
                    }
                }
                Next::Paused => {}
                Next::Done => return (texts, passes),
            }
        }
    }

    #[test]
    fn growth_that_slows_down_takes_more_sizes() {
        let taken = [(4.0, 4.0), (12.0, 8.0), (6.2, 21.0), (2.0, 2.0), (1.2, 1.5), (1.0, 1.0)];
        assert_eq!(taken.map(|(growth, before)| sizes_to_take(growth, before)), [2, 1, 3, 4, 64, 64]);
    }

    /// However many values wait, the caller gets to look at its clock; and what it says then is of the pass that is under way.
    #[test]
    fn the_clock_is_looked_at_while_values_wait() {
        let mut values: Values<List> =
            Values::new(Rc::new(List::scope(6)), Settings::default(), Order::SmallestFirst, 2..=4).unwrap();
        values.pass = 2..=4;
        values.begin_pass();
        values.pause_every(1);
        let began = Instant::now();
        let (mut searching, mut giving) = (0, Vec::new());
        loop {
            let next = values.next().unwrap();
            match values.stage() {
                Stage::Searching { done, waiting } => {
                    searching += u64::from(waiting > 0 && matches!(next, Next::Paused));
                    assert!(done.is_none_or(|(part, took)| (0.0..=1.0).contains(&part) && took <= began.elapsed()));
                }
                Stage::Giving { given, left, .. } => giving.push((given, left)),
            }
            match next {
                Next::Value | Next::Paused => {}
                Next::Done => break,
            }
        }
        // Those of three and four of seven keys wait.
        let waited = 35 + 35;
        assert!(searching >= waited, "it paused {searching} times");
        let expected: Vec<(u64, u64)> = (1..=waited).map(|given| (given, waited - given)).collect();
        assert_eq!(giving[..waited as usize], expected);
    }

    #[test]
    fn values_that_cannot_wait_come_in_a_pass_of_their_own() {
        let (texts, passes) = all(MOST_WAITING);
        // Up to six of the keys 0..=6.
        assert_eq!(texts.len(), (1 << 7) - 1);
        assert!(passes.len() < 7, "{passes:?}");
        for most_waiting in [0, 100, 1000] {
            let (others, more_passes) = all(most_waiting);
            assert_eq!(others, texts, "{most_waiting} bytes may wait");
            assert!(more_passes.len() > passes.len(), "{more_passes:?}");
        }
    }
}
