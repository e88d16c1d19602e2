//! Runs one predicate in every mode of search and compares, candidate by candidate; then without looking at candidates, and
//! compares what is given. Copied into the generated package.

use std::fmt::{Debug, Write as _};
use std::ops::ControlFlow;

use korat_core::{
    Backtracking, CanonicalValue, Counters, Finitize, Pruning, RepOk, SearchError, Searcher, Settings, Unread,
};

/// The modes that must agree; the first one is what the others are held to.
pub const MODES: [Backtracking; 2] = [Backtracking::Reexecute, Backtracking::Checkpoint];

/// The scopes that are searched.
const SCOPES: [usize; 3] = [1, 2, 3];

/// One step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The predicate ran: the choices in their order, and what it said.
    Candidate { choices: Vec<(u32, u32)>, accepted: bool },
    /// A value was given.
    Value(CanonicalValue),
    /// The search ended, with a message if it ended with an error.
    End(Option<String>),
}

/// A value or an end, and what the search had counted by then.
pub type Given = (Event, Counters);

/// What was seen of one search.
#[derive(Default)]
pub struct Recording {
    pub events: Vec<Event>,
    /// What is seen without looking at candidates.
    pub given: Vec<Given>,
    /// Of the one event that was to be shown.
    pub description: String,
}

/// What is searched, and how.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub scope: usize,
    pub pruning: Pruning,
    pub unread: Unread,
    /// How many events there are at most.
    pub cap: usize,
}

/// How many candidates were accepted and rejected, over all settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub accepted: usize,
    pub rejected: usize,
}

impl Setting {
    fn searcher<T: Finitize + RepOk>(self, backtracking: Backtracking) -> Result<Searcher<T>, Given> {
        let Setting { scope, pruning, unread, .. } = self;
        let settings = Settings { pruning, backtracking, unread, ..Settings::default() };
        Searcher::new(&T::scope(scope), settings)
            .map_err(|error| (Event::End(Some(error.to_string())), Counters::default()))
    }
}

/// Where a search has come to. A value that the untouched `rep_ok` rejects is an end.
fn given<T: Finitize + RepOk>(searcher: &mut Searcher<T>, found: Result<bool, SearchError>) -> Given {
    let event = match found {
        Ok(true) => {
            let value = searcher.value();
            if value.holds() {
                Event::Value(searcher.abstract_value(&value).expect("a generated value is within its bounds"))
            } else {
                Event::End(Some(format!("the untouched rep_ok rejects {}", searcher.describe())))
            }
        }
        Ok(false) => Event::End(None),
        Err(error) => Event::End(Some(error.to_string())),
    };
    (event, searcher.counters())
}

/// One search, candidate by candidate. The event at `shown` is described.
pub fn record<T: Finitize + RepOk>(setting: Setting, backtracking: Backtracking, shown: Option<usize>) -> Recording {
    let mut recording = Recording::default();
    let Recording { events, given: all_given, description } = &mut recording;
    let mut searcher = match setting.searcher::<T>(backtracking) {
        Ok(searcher) => searcher,
        Err(end) => return Recording { events: vec![end.0.clone()], given: vec![end], ..recording },
    };
    while events.len() < setting.cap {
        let found = searcher.advance_observed(&mut |candidate| {
            if shown == Some(events.len()) {
                *description = candidate.describe();
            }
            events.push(Event::Candidate { choices: candidate.choices(), accepted: candidate.accepted() });
            if events.len() < setting.cap { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // Cut off, which is no end.
        if events.len() == setting.cap {
            break;
        }
        if shown == Some(events.len()) && matches!(found, Ok(true)) {
            *description = searcher.describe();
        }
        let now = given(&mut searcher, found);
        events.push(now.0.clone());
        all_given.push(now);
        if let Some(Event::End(_)) = events.last() {
            break;
        }
    }
    recording
}

/// The first `count` things that a search gives. As nobody looks at candidates, the machine goes from one to the next by itself.
pub fn unobserved<T: Finitize + RepOk>(setting: Setting, backtracking: Backtracking, count: usize) -> Vec<Given> {
    let mut searcher = match setting.searcher::<T>(backtracking) {
        Ok(searcher) => searcher,
        Err(end) => return vec![end],
    };
    let mut all = Vec::new();
    while all.len() < count && !matches!(all.last(), Some((Event::End(_), _))) {
        let found = searcher.advance();
        all.push(given(&mut searcher, found));
    }
    all
}

/// The first place where two searches differ.
pub fn first_difference<E: PartialEq>(one: &[E], other: &[E]) -> Option<usize> {
    if one == other {
        return None;
    }
    Some(one.iter().zip(other).take_while(|(one, other)| one == other).count())
}

/// Whether a search's end is the predicate's fault, and not that of shapes which no value has.
fn complaint(events: &[Event]) -> Option<&String> {
    match events.last() {
        // Said in a classic search, which leaves it to the predicate to refuse such shapes.
        Some(Event::End(Some(message))) if !message.contains("cannot hold") => Some(message),
        _ => None,
    }
}

/// Compares all modes in all settings, observed and unobserved.
pub fn check<T: Finitize + RepOk + Debug>(cap: usize) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for scope in SCOPES {
        for pruning in [Pruning::Ownership, Pruning::Classic] {
            for unread in [Unread::First, Unread::All] {
                let setting = Setting { scope, pruning, unread, cap };
                let expected = record::<T>(setting, MODES[0], None);
                if let Some(message) = complaint(&expected.events) {
                    return Err(format!("{setting:?}, {:?}: {message}", MODES[0]));
                }
                compare_unobserved::<T>(setting, MODES[0], &expected.given)?;
                for mode in &MODES[1..] {
                    let found = record::<T>(setting, *mode, None);
                    if let Some(at) = first_difference(&expected.events, &found.events) {
                        return Err(describe_difference::<T>(setting, *mode, at, [&expected.events, &found.events]));
                    }
                    compare_unobserved::<T>(setting, *mode, &found.given)?;
                }
                let verdict = |wanted| move |event: &&Event| matches!(event, Event::Candidate { accepted, .. } if *accepted == wanted);
                tally.accepted += expected.events.iter().filter(verdict(true)).count();
                tally.rejected += expected.events.iter().filter(verdict(false)).count();
            }
        }
    }
    Ok(tally)
}

/// Holds what a search gives unobserved to what the observed one gave.
fn compare_unobserved<T: Finitize + RepOk>(
    setting: Setting,
    mode: Backtracking,
    observed: &[Given],
) -> Result<(), String> {
    let unobserved = unobserved::<T>(setting, mode, observed.len());
    let Some(at) = first_difference(observed, &unobserved) else { return Ok(()) };
    Err(format!(
        "{setting:?}, {mode:?}: observed and unobserved differ in what is given at {at}\n--- observed: {:?}\n--- unobserved: {:?}",
        observed.get(at),
        unobserved.get(at)
    ))
}

fn describe_difference<T: Finitize + RepOk>(
    setting: Setting,
    mode: Backtracking,
    at: usize,
    events: [&[Event]; 2],
) -> String {
    let mut text = format!("{setting:?}: {:?} and {mode:?} differ at event {at}", MODES[0]);
    for (mode, events) in [MODES[0], mode].into_iter().zip(events) {
        let description = record::<T>(setting, mode, Some(at)).description;
        let _ = write!(text, "\n--- {mode:?}: {:?}\n{description}", events.get(at));
    }
    text
}

/// A predicate of the package: its name, its source, its check.
pub type Entry = (&'static str, &'static str, fn(usize) -> Result<Tally, String>);

/// Checks them all, up to as many events as the command line says; prints the first failure with its source, and all names of failures.
pub fn run(entries: &[Entry]) -> ! {
    let cap = std::env::args().nth(1).and_then(|cap| cap.parse().ok()).unwrap_or(1000);
    let mut failed = Vec::new();
    for (name, source, check) in entries {
        // The last one of these is the one at fault if the process is killed.
        println!("checking {name}");
        match check(cap) {
            Ok(Tally { accepted, rejected }) => println!("agreed {name} {accepted} {rejected}"),
            Err(message) => {
                if failed.is_empty() {
                    println!("{source}\n{name}: {message}");
                }
                failed.push(*name);
            }
        }
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(" "));
    }
    std::process::exit(i32::from(!failed.is_empty()))
}
