//! Holds the searches of small predicates to brute force over the plain `rep_ok`, in both ways of backtracking and both
//! prunings. Copied into the generated package.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat_core::{Backtracking, Finitize, Limits, Pruning, RepOk, SearchError, Searcher, Settings, Solving};

/// More than a run on a real value takes; on a ring of `Pruning::Classic`, a run takes more.
const STEPS: u64 = 20_000;

/// More than summaries of a small structure take.
const RUNS: u64 = 200_000;

/// A structure whose values can be listed without the predicate.
pub trait Shape: Finitize + RepOk + Debug {
    /// The bound of the search.
    const SCOPE: usize;
    /// Whether a classic search meets shapes that the types cannot hold.
    const HAS_IMPOSSIBLE_SHAPES: bool;

    /// Every value within the bound, whatever the predicate says of it.
    fn every() -> Vec<Self>;
}

/// How often each text comes.
pub type Texts = BTreeMap<String, usize>;

/// A value as text, and what the plain `rep_ok` says of it: a verdict, or the message of a panic.
pub type Said = (String, Result<bool, String>);

/// What the plain `rep_ok` says of every value.
#[derive(Clone, Default)]
pub struct Brute {
    pub accepted: Texts,
    pub rejected: usize,
    pub panics: Vec<String>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exhausted,
    Panicked(String),
    /// On a shape that no value has.
    Impossible,
    Failed(String),
}

/// One predicate of the package: its name, its source, and what is to be run of it.
pub struct Entry {
    pub name: &'static str,
    pub source: &'static str,
    pub holds: fn() -> Vec<Said>,
    pub search: fn(Pruning, Backtracking) -> (Texts, End),
    pub summarised: fn() -> Summarised,
}

/// What summaries say, or why there are none.
pub type Summarised = Result<Summary, String>;

/// The values that summaries give.
#[derive(Clone, Default)]
pub struct Summary {
    pub texts: Texts,
    /// What is wrong with the numbers themselves.
    pub complaint: Option<String>,
    /// How many tables there are, and how many calls they have answered again.
    pub tables: u64,
    pub hits: u64,
}

impl Entry {
    pub const fn of<T: Shape>(name: &'static str, source: &'static str) -> Self {
        Entry { name, source, holds: holds::<T>, search: search::<T>, summarised: summarised::<T> }
    }
}

fn holds<T: Shape>() -> Vec<Said> {
    T::every().into_iter().map(said).collect()
}

fn said<T: Shape>(value: T) -> Said {
    let said = catch_unwind(AssertUnwindSafe(|| value.holds())).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
    });
    (format!("{value:?}"), said)
}

fn search<T: Shape>(pruning: Pruning, backtracking: Backtracking) -> (Texts, End) {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let settings = Settings { pruning, backtracking, limits, ..Settings::default() };
    let mut texts = Texts::new();
    let mut searcher = match Searcher::<T>::new(&T::scope(T::SCOPE), settings) {
        Ok(searcher) => searcher,
        Err(error) => return (texts, End::Failed(error.to_string())),
    };
    loop {
        match searcher.advance() {
            Ok(true) => *texts.entry(format!("{:?}", searcher.value())).or_default() += 1,
            Ok(false) => return (texts, End::Exhausted),
            Err(error) => return (texts, end(error, T::HAS_IMPOSSIBLE_SHAPES && pruning == Pruning::Classic)),
        }
    }
}

/// Builds all values from summaries, which are made at once and size by size.
fn summarised<T: Shape>() -> Summarised {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let searcher = || Searcher::<T>::new(&T::scope(T::SCOPE), settings).map(Searcher::into_untyped);
    let mut searcher = [searcher(), searcher()].map(|searcher| searcher.map_err(|error| error.to_string()));
    let [Ok(whole), Ok(slow)] = &mut searcher else { return Err("the search cannot begin".to_string()) };
    if !whole.summarise(u32::MAX, RUNS, Solving::BySize)? {
        return Err("too many runs".to_string());
    }
    let korat_core::SummaryEffort { tables, hits, .. } = whole.summary_effort();
    let mut summary = Summary { tables, hits, ..Summary::default() };
    let numbers = whole.summarised_numbers();
    for objects in 0..64 {
        if !slow.summarise(objects, RUNS, Solving::BySize)? {
            return Err("too many runs, size by size".to_string());
        }
        // What is counted of small values is not to be changed by larger ones.
        slow.summarised_numbers();
    }
    let by_size = slow.summarised_numbers();
    if by_size != numbers {
        summary.complaint = Some(format!("{numbers:?} at once, {by_size:?} size by size"));
    }
    for (size, number) in numbers {
        for number in 0..number.to_u64().expect("it is small") {
            let texts = [&mut *whole, slow].map(|searcher| {
                let text = searcher.go_to_number(size, &number.into()).then(|| format!("{:?}", searcher.value::<T>()));
                searcher.free_cycles();
                text
            });
            match texts {
                [Some(one), Some(other)] if one == other => *summary.texts.entry(one).or_default() += 1,
                texts => summary.complaint = Some(format!("number {number} of size {size}: {texts:?}")),
            }
        }
    }
    Ok(summary)
}

fn end(error: SearchError, has_impossible_shapes: bool) -> End {
    match error {
        SearchError::Panicked { .. }
        | SearchError::Endless { .. }
        | SearchError::TooDeep { .. }
        | SearchError::TooManyCalls { .. }
        | SearchError::Misfit { .. }
            if has_impossible_shapes =>
        {
            End::Impossible
        }
        SearchError::Panicked { message, .. } => End::Panicked(message),
        error => End::Failed(error.to_string()),
    }
}

/// Shows every value to the plain `rep_ok`.
pub fn brute(entry: &Entry) -> Brute {
    let mut brute = Brute::default();
    for said in (entry.holds)() {
        match said {
            (text, Ok(true)) => *brute.accepted.entry(text).or_default() += 1,
            (_, Ok(false)) => brute.rejected += 1,
            (_, Err(message)) => brute.panics.push(message),
        }
    }
    brute
}

/// The first few texts that come more often in `one` than in `other`.
fn more(one: &Texts, other: &Texts) -> Vec<String> {
    let more = one.iter().filter(|(text, count)| other.get(*text).is_none_or(|other| other < count));
    more.map(|(text, _)| text.clone()).take(3).collect()
}

/// What is wrong with a search, if anything is.
pub fn complaint(brute: &Brute, found: &Texts, end: &End) -> Option<String> {
    let (missing, extra) = (more(&brute.accepted, found), more(found, &brute.accepted));
    let numbers = format!("{} values of {}", found.len(), brute.accepted.len());
    match end {
        _ if !extra.is_empty() => Some(format!("{numbers}; missing {missing:#?}; extra {extra:#?}")),
        End::Failed(message) => Some(format!("{numbers}; {message}")),
        End::Exhausted if !brute.panics.is_empty() => {
            Some(format!("{numbers}; it does not panic: {:?}", brute.panics[0]))
        }
        End::Exhausted if !missing.is_empty() => Some(format!("{numbers}; missing {missing:#?}")),
        End::Panicked(message) if !brute.panics.contains(message) => {
            Some(format!("{numbers}; it panics, and the plain rep_ok does not: {message}"))
        }
        End::Exhausted | End::Impossible | End::Panicked(_) => None,
    }
}

/// What is wrong in some settings.
#[derive(Default)]
struct Complaints {
    text: String,
    modes: BTreeSet<String>,
}

/// Compares all settings with brute force.
fn check(entry: &Entry) -> Result<(Brute, Summarised), Complaints> {
    let brute = brute(entry);
    let mut complaints = Complaints::default();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for mode in [Backtracking::Reexecute, Backtracking::Checkpoint] {
            let (found, end) = (entry.search)(pruning, mode);
            if let Some(text) = complaint(&brute, &found, &end) {
                complaints.text += &format!("{pruning:?}, {mode:?}: {text}\n");
                complaints.modes.insert(format!("{mode:?}"));
            }
        }
    }
    let summarised = (entry.summarised)();
    if let Ok(summary) = &summarised {
        let of_values = complaint(&brute, &summary.texts, &End::Exhausted);
        if let Some(text) = of_values.or_else(|| summary.complaint.clone()) {
            complaints.text += &format!("summaries: {text}\n");
            complaints.modes.insert("summaries".to_string());
        }
    }
    if complaints.text.is_empty() { Ok((brute, summarised)) } else { Err(complaints) }
}

/// Checks all predicates; prints the shortest that differ, with their sources.
pub fn run(entries: &[Entry]) -> ! {
    // Predicates may panic, and their messages are compared.
    std::panic::set_hook(Box::new(|_| {}));
    let mut failed = Vec::new();
    for entry in entries {
        // The last one of these is the one at fault if the process is killed.
        println!("checking {}", entry.name);
        match check(entry) {
            Ok((brute, summarised)) => {
                let others = brute.rejected + brute.panics.len();
                println!("agreed {} {} {others}", entry.name, brute.accepted.len());
                match summarised {
                    Ok(Summary { tables, hits, .. }) => println!("summarised {} {tables} {hits}", entry.name),
                    Err(why) => println!("unsummarised {} {why}", entry.name),
                }
            }
            Err(complaints) => failed.push((entry, complaints)),
        }
    }
    failed.sort_by_key(|(entry, _)| entry.source.len());
    for (entry, complaints) in failed.iter().take(2) {
        println!("{}\n{}: {}", entry.source, entry.name, complaints.text);
    }
    for (entry, complaints) in &failed {
        println!("differs {} {}", entry.name, Vec::from_iter(complaints.modes.clone()).join("+"));
    }
    std::process::exit(i32::from(!failed.is_empty()))
}
