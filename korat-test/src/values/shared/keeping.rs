//! What threads have done of a search whose place is kept: each thread hands in the pieces and the numbers of values that it is done with, and knows from where another
//! process finds the rest. Work that is under way is done again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use korat_core::{SearchError, Solving};

use super::{Member, Stage, Values};
use crate::checkpoint::Progress;
use crate::config::Order;
use crate::stats::Stats;
use crate::threads::{DEALT, Done, DonePiece, Kind, Ledger, PassCounts, Stretch};
use crate::values::standing::{PassNumbers, Place, SharedStanding, Standing};

/// How long values that are done wait for others, to be handed in together.
const LATEST: Duration = Duration::from_millis(1);

/// What a thread keeps of its own work.
#[derive(Default)]
pub(super) struct Keeping {
    /// The stretch at hand, and the one before, while values of it may be under way.
    at: Option<Begun>,
    before: Option<Begun>,
    /// The number of the value that the property runs on, and its size.
    running: Option<(u64, usize)>,
    /// What is done and not yet handed in; of the pieces of the pass, how many are, and what was counted until then.
    done: Done,
    handed_in: usize,
    counted: PassCounts,
    checked: u64,
    /// When something was last handed in.
    since: Option<Instant>,
}

/// A stretch that has begun.
struct Begun {
    stretch: Stretch,
    /// How many values come before it, and before what follows it.
    first: u64,
    end: Option<u64>,
    /// From where it is found again.
    standing: SharedStanding,
}

impl Member {
    /// Goes on from where an earlier run stood.
    pub(super) fn resumed(&self) -> Option<&SharedStanding> {
        self.resumed.as_deref()
    }

    /// Returns whether a value was dealt with by an earlier run.
    pub(super) fn was_done(&self, number: u64) -> bool {
        self.resumed().is_some_and(|resumed| resumed.numbers.contains(number))
    }

    /// Returns whether the values that the pass gives at once were dealt with by an earlier run.
    pub(super) fn gave_at_once(&self) -> bool {
        self.pass == 1 && self.resumed().is_some_and(|resumed| resumed.kind == Kind::Waiting)
    }
}

impl Values {
    /// Goes on where threads of an earlier run stood. Returns `None` if they cannot have stood there.
    pub(super) fn go_on_shared(&mut self) -> Result<Option<()>, SearchError> {
        let Some(member) = &mut self.member else { return Ok(None) };
        // A pass without anything done may be one that summaries were tried before.
        member.resumed.take_if(|resumed| resumed.is_beginning());
        let Some(resumed) = member.resumed.clone() else {
            self.begin_search();
            return Ok(Some(()));
        };
        let SharedStanding { kind, pass, given, solved, .. } = &*resumed;
        if *kind == Kind::Numbered {
            member.dealt_after = Some(resumed.numbers.first_gap(1) - 1);
            self.begin_search();
            return Ok(Some(()));
        }
        let PassNumbers { sizes, planned, as_found, last_pass, growth, most, .. } = pass;
        let (Ok(first), Ok(last)) = (usize::try_from(sizes.0), usize::try_from(sizes.1)) else { return Ok(None) };
        if !member.is_by_pieces || first > last || !self.sizes.contains(&first) || !self.sizes.contains(&last) {
            return Ok(None);
        }
        member.given = given.iter().copied().collect();
        self.given = member.given.values().sum();
        self.set_most(*most);
        self.order = if *as_found { Order::AsFound } else { Order::SmallestFirst };
        (self.last_pass, self.growth) = (*last_pass, growth.map(f64::from_bits));
        (self.has_begun, self.has_met) = (true, true);
        self.go_on_in_pass(first..=last, *planned);
        if *kind != Kind::Summaries {
            self.begin_pass();
            // Those that the pieces had kept for the end of the pass were lost.
            self.leaves_waiting = *kind == Kind::Pieces && !resumed.pieces.is_empty() && !as_found && first < last;
            return Ok(Some(()));
        }
        let after = resumed.numbers.first_gap(self.given + 1) - 1;
        self.member.iter_mut().for_each(|member| member.dealt_after = Some(after));
        let (Ok(solved), Some(summariser)) = (usize::try_from(*solved), &mut self.summariser) else { return Ok(None) };
        self.summarised = summariser.attempt(first, solved, u64::MAX, Solving::BySize)?;
        self.enter(Kind::Summaries);
        Ok(self.summarised.as_ref().map(|_| ()))
    }

    /// Notes that a stretch of the search begins, with the state of the pass set.
    pub(in crate::values) fn enter(&mut self, kind: Kind) {
        self.hand_in(false);
        let (given, pass) = (self.given, self.pass_numbers());
        let solved = self.summarised.as_ref().map_or(0, |values| values.standing().2 as u64);
        let Some(member) = &mut self.member else { return };
        let gave_at_once = member.gave_at_once();
        let Some(keeping) = &mut member.keeping else { return };
        let kind = match kind {
            // What is left are values that waited.
            Kind::Pieces if gave_at_once => Kind::Waiting,
            kind => kind,
        };
        let number_of_pass = if kind == Kind::Numbered { 0 } else { member.pass };
        let stretch = Stretch { pass: number_of_pass, kind };
        if keeping.at.as_ref().is_some_and(|at| at.stretch == stretch) {
            return;
        }
        let (first, of_pieces) = match &member.stage {
            Stage::Waiting { merged, .. } if kind == Kind::Waiting => (merged.given_at_once.values().sum(), true),
            _ if kind == Kind::Waiting => (member.resumed.as_ref().map_or(0, |it| it.first), true),
            _ => (given, kind == Kind::Pieces),
        };
        let standing = SharedStanding {
            kind,
            pass,
            depth: if of_pieces { member.depth as u64 } else { 0 },
            given: member.given.iter().map(|(size, values)| (*size, *values)).collect(),
            first,
            solved,
            ..SharedStanding::default()
        };
        if let Some(mut before) = keeping.at.take() {
            before.end = Some(first);
            keeping.before = Some(before);
        }
        keeping.at = Some(Begun { stretch, first, end: None, standing });
        (keeping.handed_in, keeping.counted) = Default::default();
    }

    /// Notes that the values come from summaries from now on.
    pub(in crate::values) fn enter_summaries(&mut self) {
        if self.member.as_ref().is_some_and(|member| member.is_by_pieces) {
            self.enter(Kind::Summaries);
        }
    }

    /// Notes that the property has run on the last value, and takes the labels that were counted.
    pub(crate) fn note_done(&mut self, stats: &mut Option<Stats>) {
        let Some(keeping) = self.member.as_mut().and_then(|member| member.keeping.as_mut()) else { return };
        if let Some((number, size)) = keeping.running.take() {
            keeping.done.numbers.push(number);
            *keeping.done.by_size.entry(size).or_default() += 1;
        }
        if let Some(stats) = stats {
            keeping.done.stats.add(std::mem::take(stats));
        }
    }

    /// Notes that the property is to run on the current value.
    pub(super) fn note_running(&mut self) {
        let size = self.size;
        let Some(member) = &mut self.member else { return };
        let Some(keeping) = &mut member.keeping else { return };
        keeping.running = member.place.is_numbered.then_some((member.place.number, size));
    }

    /// Hands in what is done, if that is much, or a piece. The current value is not.
    pub(super) fn hand_in_some(&mut self) {
        let pieces = self.searcher.pieces().len();
        let Some(keeping) = self.member.as_ref().and_then(|member| member.keeping.as_ref()) else { return };
        let numbers = keeping.done.numbers.len() as u64;
        let is_due = numbers >= DEALT || (numbers > 0 && keeping.since.is_none_or(|since| since.elapsed() >= LATEST));
        if is_due || pieces > keeping.handed_in + 1 {
            self.hand_in(false);
        }
    }

    /// Hands in what is done; `with_last` says whether the last piece is.
    pub(super) fn hand_in(&mut self, with_last: bool) {
        let Values { searcher, member, .. } = self;
        let Some(member) = member else { return };
        let Member { keeping: Some(keeping), shared, pieces, .. } = &mut **member else { return };
        let Some(at) = &keeping.at else { return };
        let (counters, checked) = (searcher.counters(), searcher.checked());
        let mut done = std::mem::take(&mut keeping.done);
        if at.stretch.kind == Kind::Pieces {
            let starts = searcher.pieces();
            let upto = if with_last { starts.len() } else { starts.len().saturating_sub(1) };
            for at in keeping.handed_in..upto {
                let (number, end) =
                    (starts[at].number, starts.get(at + 1).map_or(counters.explored, |next| next.explored));
                let own = pieces.binary_search_by_key(&number, |piece| piece.number);
                let values = own.map_or(Vec::new(), |own| pieces[own].values.clone());
                done.pieces.push(DonePiece {
                    numbers: number..number + 1,
                    explored: end - starts[at].explored,
                    values,
                });
            }
            if done.pieces.is_empty() {
                keeping.done = done;
                return;
            }
            let now = PassCounts {
                field_inits: counters.field_inits,
                undo_ops: counters.undo_ops,
                compared: checked.compared,
                hit_size_bound: searcher.hit_size_bound(),
            };
            let then = std::mem::replace(&mut keeping.counted, now);
            done.counts = PassCounts {
                field_inits: now.field_inits - then.field_inits,
                undo_ops: now.undo_ops - then.undo_ops,
                compared: now.compared - then.compared,
                ..now
            };
            keeping.handed_in = upto;
            done.uses = searcher.field_use();
        }
        done.checked = checked.shown.saturating_sub(std::mem::replace(&mut keeping.checked, checked.shown));
        keeping.since = Some(Instant::now());
        shared.hand_in(at.stretch, done);
    }

    /// Ends the part of this thread: hands in what is done. The labels of what is not are counted all the same.
    pub(crate) fn end_part(&mut self, stats: &mut Option<Stats>) {
        self.note_done(stats);
        self.hand_in(false);
        let keeping = self.member.as_mut().and_then(|member| member.keeping.as_mut());
        if let (Some(stats), Some(keeping)) = (stats, keeping) {
            stats.add(std::mem::take(&mut keeping.done.stats));
        }
    }

    /// Returns the labels that all threads have handed in.
    pub(crate) fn stats_of_all(&self) -> Option<Stats> {
        let member = self.member.as_ref().filter(|member| member.keeping.is_some())?;
        member.shared.ledger(|ledger| ledger.stats(None))
    }

    /// Returns where all threads together stand, for a checkpoint; `None` if something was found that may end the search, which another run has to find, too.
    pub(crate) fn progress_to_keep(&mut self, has_stats: bool) -> Option<Progress> {
        let member = self.member.as_mut()?;
        let keeping = member.keeping.as_mut()?;
        let progress = member.shared.ledger(|ledger| {
            keeping.before = keeping.before.take().filter(|before| before.is_under_way(ledger));
            let at = keeping.before.as_ref().or(keeping.at.as_ref())?;
            Some(at.progress(ledger, has_stats))
        })??;
        // What was handed in after a failure was found is not kept.
        (!member.shared.has_found()).then_some(progress)
    }
}

impl Begun {
    /// Returns whether a stretch that this thread has left is not done.
    fn is_under_way(&self, ledger: &Ledger) -> bool {
        let is_numbered = self.stretch.kind != Kind::Pieces;
        is_numbered && self.end.is_some_and(|end| ledger.numbers(self.stretch).first_gap(self.first + 1) <= end)
    }

    fn progress(&self, ledger: &Ledger, has_stats: bool) -> Progress {
        let mut standing = self.standing.clone();
        let by_size: BTreeMap<usize, u64> = ledger.by_size(self.stretch);
        if self.stretch.kind == Kind::Pieces {
            (standing.pieces, standing.counts) = ledger.pieces(self.stretch.pass);
            standing.uses = ledger.uses.flags();
        } else {
            let end = self.end.unwrap_or(u64::MAX - 1);
            standing.numbers = ledger.numbers(self.stretch).within(self.first + 1..end + 1).collect();
        }
        Progress {
            standing: Standing {
                given: by_size.values().sum(),
                passed: 0,
                checks: [ledger.checked, 0, 0, 0],
                place: Place::Shared(Box::new(standing)),
            },
            by_size: by_size.into_iter().collect(),
            stats: has_stats.then(|| ledger.stats(Some(self.stretch))),
        }
    }
}

impl SharedStanding {
    /// Returns whether an earlier run has done nothing.
    fn is_beginning(&self) -> bool {
        let SharedStanding { kind, pass, given, pieces, .. } = self;
        *kind == Kind::Pieces && given.is_empty() && pieces.is_empty() && pass.most == [0; 5]
    }

    /// Returns what an earlier run has done.
    pub(crate) fn ledger(&self, progress: &Progress, uses: korat_core::FieldUse) -> Ledger {
        let by_size = if self.kind == Kind::Pieces { &self.given } else { &progress.by_size };
        let done = Done {
            by_size: by_size.iter().copied().collect(),
            pieces: self.pieces.clone(),
            counts: self.counts,
            stats: progress.stats.clone().unwrap_or_default(),
            uses,
            checked: progress.standing.checks[0],
            numbers: Vec::new(),
        };
        Ledger::of_before(done, self.numbers.clone())
    }
}
