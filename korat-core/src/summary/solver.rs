//! Decides which run comes next, and solves tables from few objects to many.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alternatives::Next;
use super::call_list::{CallList, CallObject};
use super::choices::Built;
use super::cursor::Cursor;
use super::effort::SummaryEffort;
use super::explain::Treatment;
use super::nodes::{Decision, Leaf, NodeId, Outcome, OutcomeId, Pending, TableId};
use super::places::Places;
use super::rests::Rests;
use super::run::{End, Ended, Run};
use super::shape::Shape;
use super::table::{Start, Table};
use super::ways::{Counter, Factor, MOST_CLASSES};
use super::words::{AllWords, WordsId};
use crate::heap::bounded::Heap;
use crate::model::ids::SlotId;
use crate::model::settings::Limits;
use crate::slots::slot_handle::SlotHandle;

/// After this many runs, some calls must have been made again: tables that are never asked twice gain nothing.
const ENOUGH_RUNS: u64 = 20_000;

/// The memory of all tables is summed up after this many runs and known ends, which add a few megabytes, or after an eighth more of them: summing it up
/// looks at all tables.
const RUNS_PER_SUM: u64 = 16_384;

/// The table of the whole predicate.
pub(super) const ROOT: TableId = 0;

/// The predicate on the root, and what it runs on.
pub(crate) struct Subject<'s> {
    pub(crate) heap: &'s mut Heap,
    pub(crate) predicate: &'s dyn Fn() -> bool,
    pub(crate) limits: Limits,
}

/// Whether values of larger sizes may be asked for later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solving {
    /// They may: values have the same numbers, however far is summarised at a time.
    BySize,
    /// They will not: this takes less time, and values have other numbers.
    AtOnce,
}

/// Why solving has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The runs that were allowed are made.
    Budget,
    /// There is nothing to be gained, or summaries cannot be made, for this reason.
    Abandoned(String),
    /// What is known about methods has changed: all tables are void.
    Restart,
}

/// All tables of a search.
pub(crate) struct Solver {
    pub(super) shape: Shape,
    pub(super) places: Places,
    pub(super) tables: Vec<Table>,
    /// Tables by what `LongerList::key` writes, and where it writes.
    pub(super) index: FxHashMap<Box<[u64]>, TableId>,
    pub(super) key: Vec<u64>,
    /// For each pattern of calls, the slots of objects other than parts that they read.
    pub(super) contexts: FxHashMap<Vec<usize>, Vec<(u32, u32)>>,
    /// Methods whose calls cannot be answered, which a run has found out, and why.
    pub(super) refused: FxHashMap<usize, &'static str>,
    /// Methods that ask for the size of a set that they are given.
    pub(super) asks_len: FxHashSet<usize>,
    /// Patterns of calls whose parts are opened.
    opened: FxHashSet<Vec<usize>>,
    pub(super) notes: FxHashMap<usize, Treatment>,
    /// The results of all tables.
    pub(super) words: AllWords,
    pub(super) rests: Rests,
    pub(super) run: Run,
    pub(super) counter: Counter,
    pub(super) built: Built,
    pub(super) cursor: Option<Box<Cursor>>,
    pub(super) effort: SummaryEffort,
    allowed: u64,
    /// The runs and known ends when the memory of the tables was summed up last.
    summed: u64,
    most_bytes: usize,
}

impl Solver {
    /// Creates a solver without any table but the root's; fails if the heap is not one of parts.
    pub(crate) fn new(heap: &Heap, most_bytes: usize) -> Result<Self, String> {
        let shape = Shape::of(heap)?;
        if shape.classes.len() > MOST_CLASSES {
            return Err(format!("it has more than {MOST_CLASSES} classes"));
        }
        if shape.most > u32::from(u16::MAX) {
            return Err("its bounds allow more than 65,535 objects".to_string());
        }
        let places = Places::of(&shape);
        let run = Run::new(&shape);
        let mut solver = Solver {
            shape,
            places,
            tables: Vec::new(),
            index: FxHashMap::default(),
            key: Vec::new(),
            contexts: FxHashMap::default(),
            refused: FxHashMap::default(),
            asks_len: FxHashSet::default(),
            opened: FxHashSet::default(),
            notes: FxHashMap::default(),
            words: AllWords::new(),
            rests: Rests::default(),
            run,
            counter: Counter::default(),
            built: Built::default(),
            cursor: None,
            effort: SummaryEffort::default(),
            allowed: 0,
            summed: 0,
            most_bytes,
        };
        solver.begin();
        Ok(solver)
    }

    /// Forgets all tables.
    fn begin(&mut self) {
        self.tables.clear();
        self.index.clear();
        self.notes.clear();
        self.words = AllWords::new();
        self.rests.clear();
        self.counter = Counter::default();
        self.built = Built::default();
        self.cursor = None;
        self.run.packed_for = None;
        let class = self.shape.objects[self.shape.root.index()].class;
        let root = CallObject { class, is_part: true, given: Vec::new() };
        let list = CallList { calls: [].into(), objects: vec![root] };
        self.add(list.into());
        self.effort =
            SummaryEffort { runs: self.effort.runs, repeated: self.effort.repeated, ..SummaryEffort::default() };
    }

    /// Returns what was done so far.
    pub(crate) fn effort(&self) -> SummaryEffort {
        self.effort
    }

    /// Returns the handle of a slot that exists under the current assignment.
    pub(crate) fn handle(&mut self, slot: SlotId) -> SlotHandle {
        self.places.handle(&self.shape, slot)
    }

    /// Returns the number of objects, beside the root, up to which everything is known.
    pub(crate) fn solved_below(&self) -> u32 {
        let root = &self.tables[ROOT as usize];
        if root.is_complete() { u32::MAX } else { root.solved_below }
    }

    /// Finds all productions of values with at most this many objects beside the root, with at most `runs` more runs.
    pub(crate) fn solve(
        &mut self,
        subject: &mut Subject<'_>,
        upto: u32,
        runs: u64,
        solving: Solving,
    ) -> Result<(), Halt> {
        let before = self.effort.work();
        self.allowed = before.saturating_add(runs);
        loop {
            match self.solve_tables(subject, upto.min(self.shape.most), solving) {
                Err(Halt::Restart) => self.begin(),
                other => break other,
            }
        }
    }

    /// Solves the root's table up to a number of objects, and others as far as it needs them.
    fn solve_tables(&mut self, subject: &mut Subject<'_>, upto: u32, solving: Solving) -> Result<(), Halt> {
        let mut todo = vec![(ROOT, upto)];
        while let Some(&(table, upto)) = todo.last() {
            let this = &mut self.tables[table as usize];
            let used = this.solved_below;
            if used > upto {
                todo.pop();
                continue;
            }
            let (ends, expected) = (this.take_ends(), this.take_expected());
            ends.into_iter().for_each(|end| self.add_end(table, end, used));
            expected.into_iter().for_each(|results| self.add_expected(table, results, used));
            let this = &mut self.tables[table as usize];
            let Some(pending) = this.pending.get_mut(used as usize).and_then(Vec::pop) else {
                this.finish_level();
                continue;
            };
            this.waiting -= 1;
            self.check_memory()?;
            let Pending { node, alternative, alone } = pending;
            match self.next(table, node, alternative, used) {
                Next::Never => {}
                Next::Later(later) => {
                    let waits = matches!(self.decision(table, node), Decision::Slot { .. });
                    let this = &mut self.tables[table as usize];
                    if later <= self.shape.most {
                        // What follows the index of a slot may need fewer objects.
                        this.wait(later, Pending { alone: alone || waits, ..pending });
                    }
                    if waits && !alone {
                        this.wait(used, Pending { alternative: alternative + 1, ..pending });
                    }
                }
                Next::Unsolved(inner, needed) => {
                    self.tables[table as usize].wait(used, pending);
                    todo.push(match solving {
                        Solving::BySize => (inner, needed),
                        // What larger values need of it is found while it is at hand.
                        Solving::AtOnce => (inner, needed + upto - used),
                    });
                }
                Next::Now => {
                    if self.effort.work() >= self.allowed {
                        self.tables[table as usize].wait(used, pending);
                        return Err(Halt::Budget);
                    }
                    if !alone && self.follow_rest(table, pending, used) {
                        continue;
                    }
                    let is_first = self.decision(table, node) == Decision::Unknown;
                    let to = if is_first { node } else { self.child(table, node, alternative) };
                    if !alone {
                        self.tables[table as usize].wait(used, Pending { alternative: alternative + 1, ..pending });
                    }
                    self.run_to(subject, table, to, used)?;
                }
            }
        }
        Ok(())
    }

    fn run_to(&mut self, subject: &mut Subject<'_>, table: TableId, node: NodeId, level: u32) -> Result<(), Halt> {
        self.effort.runs += 1;
        self.tables[table as usize].runs += 1;
        if self.effort.runs.is_multiple_of(256) {
            self.check_use()?;
        }
        match self.make_run(subject, table, node, level) {
            Ok(ended) => self.note_result(ended),
            Err(End::Deferred) => Ok(()),
            Err(End::ReadElsewhere { object, offset }) => {
                let pattern = self.tables[self.run.executed as usize].list.pattern();
                self.contexts.entry(pattern).or_default().push((object, offset));
                Err(Halt::Restart)
            }
            Err(End::Refused(sites, why)) => {
                sites.into_iter().for_each(|site| _ = self.refused.entry(site).or_insert(why));
                Err(Halt::Restart)
            }
            Err(End::AsksLen(sites)) => {
                self.asks_len.extend(sites);
                Err(Halt::Restart)
            }
            Err(End::Opens(pattern)) => {
                self.opened.insert(pattern);
                Err(Halt::Restart)
            }
            Err(End::KnowsMore) => {
                self.refuse_rest(self.run.table);
                Err(Halt::Restart)
            }
            Err(End::Abandoned(why)) => Err(Halt::Abandoned(why)),
        }
    }

    /// Adds the leaf that the run has come to.
    fn note_result(&mut self, ended: Ended) -> Result<(), Halt> {
        let Ended { last, sets, product, is_read, is_tangled } = ended;
        let Run { table, node, most, .. } = self.run;
        if is_tangled && table == ROOT && *self.run.packed[0].words == [u64::from(true)] {
            let why = "something else may refer to its objects, and `rep_ok` may accept them";
            return Err(Halt::Abandoned(why.to_string()));
        }
        let words = &self.run.packed[0].words;
        let (results, answer) = (self.words.id(words), self.words.id(&words[last..]));
        let beginning = self.words.id(&words[..last]);
        let used = self.tables[table as usize].nodes[node as usize].used;
        let found = Outcome { results, answer, used, factor: 0, sets, is_tangled };
        let outcome = self.outcome(table, found, beginning);
        let table = &mut self.tables[table as usize];
        let (last, level, used) = (table.end_at(node, outcome), most as u16, used as u16);
        if !is_tangled {
            table.leaves[outcome as usize].push(Leaf { last, level, used, product, is_read });
        }
        Ok(())
    }

    /// Returns an outcome, after these results of all calls but the last. A new one gets a factor.
    pub(super) fn outcome(&mut self, table: TableId, found: Outcome, beginning: WordsId) -> OutcomeId {
        let this = &mut self.tables[table as usize];
        if let Some(known) = this.known_outcome(found.results, found.is_tangled) {
            return known;
        }
        let number = this.outcomes.len() as OutcomeId;
        let factor = self.counter.add(Factor::Outcome(table, number), found.used);
        this.add_outcome(Outcome { factor, ..found }, beginning);
        number
    }

    /// Gives up if nothing is gained.
    fn check_use(&mut self) -> Result<(), Halt> {
        let SummaryEffort { runs, tables, .. } = self.effort;
        if tables == 0 {
            return Err(Halt::Abandoned("it makes no call on a part that can be answered".to_string()));
        }
        if runs > ENOUGH_RUNS && !self.effort.has_repeated_calls() {
            return Err(Halt::Abandoned("hardly any call on a part is made twice with the same arguments".to_string()));
        }
        Ok(())
    }

    /// Gives up if the tables take too much memory.
    fn check_memory(&mut self) -> Result<(), Halt> {
        let made = self.effort.runs + self.effort.repeated;
        if made < self.summed + RUNS_PER_SUM.max(self.summed / 8) {
            return Ok(());
        }
        self.summed = made;
        let bytes: usize = self.tables.iter().map(Table::bytes).sum();
        self.effort.bytes = bytes + self.words.bytes() + self.rests.bytes() + self.counter.bytes();
        if self.effort.bytes > self.most_bytes {
            return Err(Halt::Abandoned(format!("its tables take more than {} MiB", self.most_bytes >> 20)));
        }
        Ok(())
    }

    pub(super) fn decision(&self, table: TableId, node: NodeId) -> Decision {
        self.tables[table as usize].nodes[node as usize].decision
    }

    /// Adds the table of a list of calls.
    pub(super) fn add_table(&mut self, key: &[u64], list: CallList) -> TableId {
        let number = self.add(Rc::new(list));
        self.index.insert(key.into(), number);
        self.effort.tables += 1;
        number
    }

    fn add(&mut self, list: Rc<CallList>) -> TableId {
        let start = Start::of(&list, &self.shape);
        self.push_table(list, start)
    }

    /// Adds a table that begins at a place.
    pub(super) fn push_table(&mut self, list: Rc<CallList>, start: Start) -> TableId {
        let is_opened = !self.opened.is_empty() && self.opened.contains(&list.pattern());
        self.tables.push(Table::new(list, start, is_opened));
        self.tables.len() as TableId - 1
    }
}
