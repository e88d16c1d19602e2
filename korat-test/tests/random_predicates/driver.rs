//! Runs one predicate in every mode of search and compares, candidate by candidate. Copied into the generated package.

use std::fmt::{Debug, Write as _};
use std::ops::ControlFlow;

use korat_core::{Abstract, Backtracking, Finitize, Pruning, RepOk, Searcher, Settings, Unread};

/// The modes that must agree; the first one is what the others are held to.
// Second, as soon as there is one: `Backtracking::Checkpoint`.
pub const MODES: [Backtracking; 2] = [Backtracking::Reexecute, Backtracking::Checkpoint];

/// The scopes that are searched.
const SCOPES: [usize; 3] = [1, 2, 3];

/// One step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The predicate ran: the choices in their order, and what it said.
    Candidate { choices: Vec<(u32, u32)>, accepted: bool },
    /// A value was given.
    Value(Abstract),
    /// The search ended, with a message if it ended with an error.
    End(Option<String>),
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

/// The events of one search. The one at `shown` is described.
pub fn record<T: Finitize + RepOk + Debug>(
    setting: Setting,
    backtracking: Backtracking,
    shown: Option<usize>,
) -> (Vec<Event>, String) {
    let Setting { scope, pruning, unread, cap } = setting;
    let settings = Settings { pruning, backtracking, unread, ..Settings::default() };
    let mut events = Vec::new();
    let mut description = String::new();
    let mut searcher = match Searcher::<T>::new(&T::scope(scope), settings) {
        Ok(searcher) => searcher,
        Err(error) => return (vec![Event::End(Some(error.to_string()))], description),
    };
    while events.len() < cap {
        let found = searcher.advance_observed(&mut |candidate| {
            if shown == Some(events.len()) {
                description = candidate.describe();
            }
            events.push(Event::Candidate { choices: candidate.choices(), accepted: candidate.accepted() });
            if events.len() < cap { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match found {
            Ok(true) => {
                let value = searcher.value();
                if shown == Some(events.len()) {
                    description = searcher.describe();
                }
                let slots = searcher.abstract_value(&value).expect("a generated value is within its bounds");
                events.push(Event::Value(slots));
                if !value.holds() {
                    events.push(Event::End(Some(format!("the untouched rep_ok rejects {}", searcher.describe()))));
                    return (events, description);
                }
            }
            Ok(false) => {
                events.push(Event::End(None));
                break;
            }
            Err(error) => {
                events.push(Event::End(Some(error.to_string())));
                break;
            }
        }
    }
    (events, description)
}

/// The first place where two searches differ.
pub fn first_difference(one: &[Event], other: &[Event]) -> Option<usize> {
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

/// Compares all modes in all settings.
pub fn check<T: Finitize + RepOk + Debug>(cap: usize) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for scope in SCOPES {
        for pruning in [Pruning::Ownership, Pruning::Classic] {
            for unread in [Unread::First, Unread::All] {
                let setting = Setting { scope, pruning, unread, cap };
                let (expected, _) = record::<T>(setting, MODES[0], None);
                if let Some(message) = complaint(&expected) {
                    return Err(format!("{setting:?}, {:?}: {message}", MODES[0]));
                }
                for mode in &MODES[1..] {
                    let (found, _) = record::<T>(setting, *mode, None);
                    if let Some(at) = first_difference(&expected, &found) {
                        return Err(describe_difference::<T>(setting, *mode, at, [&expected, &found]));
                    }
                }
                let verdict = |wanted| move |event: &&Event| matches!(event, Event::Candidate { accepted, .. } if *accepted == wanted);
                tally.accepted += expected.iter().filter(verdict(true)).count();
                tally.rejected += expected.iter().filter(verdict(false)).count();
            }
        }
    }
    Ok(tally)
}

fn describe_difference<T: Finitize + RepOk + Debug>(
    setting: Setting,
    mode: Backtracking,
    at: usize,
    events: [&[Event]; 2],
) -> String {
    let mut text = format!("{setting:?}: {:?} and {mode:?} differ at event {at}", MODES[0]);
    for (mode, events) in [MODES[0], mode].into_iter().zip(events) {
        let (_, description) = record::<T>(setting, mode, Some(at));
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
