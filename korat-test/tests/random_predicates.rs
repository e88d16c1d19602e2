//! Random predicates, as a differential test of the modes of search: every mode runs the same candidates with the same
//! verdicts in the same order, and what is accepted satisfies the untouched `rep_ok`. Unobserved, a search gives the same values
//! after as many candidates.
//!
//! The predicates of some seeds become a package below the target directory, which is compiled and run.
//! `KORAT_RANDOM_SEED=17` takes that seed alone and prints its predicate, `KORAT_RANDOM_SEED=2000..2100` takes those.

// It runs in the generated package; what is tested of it here is that it finds a difference.
#[allow(dead_code)]
#[path = "random_predicates/driver.rs"]
mod driver;
#[path = "random_predicates/env.rs"]
mod env;
#[path = "random_predicates/expr.rs"]
mod expr;
#[path = "random_predicates/extras.rs"]
mod extras;
#[path = "random_predicates/family.rs"]
mod family;
#[path = "random_predicates/helpers.rs"]
mod helpers;
#[path = "random_predicates/loops.rs"]
mod loops;
#[path = "random_predicates/options.rs"]
mod options;
#[path = "random_predicates/own.rs"]
mod own;
#[path = "random_predicates/package.rs"]
mod package;
#[path = "random_predicates/predicate.rs"]
mod predicate;
#[path = "random_predicates/stmt.rs"]
mod stmt;
#[path = "random_predicates/walks.rs"]
mod walks;
#[path = "random_predicates/writer.rs"]
mod writer;

use std::ops::Range;

use korat::{Finitize, Pruning, Unread, rep_ok};

use driver::{Event, MODES, Setting};
use package::Package;
use predicate::Predicate;

/// The seeds that the environment names, if it names any.
fn asked_for() -> Option<Range<u64>> {
    let text = std::env::var("KORAT_RANDOM_SEED").ok()?;
    let number =
        |text: &str| text.parse::<u64>().expect("KORAT_RANDOM_SEED is a number, or two with `..` between them");
    Some(match text.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => number(&text)..number(&text) + 1,
    })
}

/// Compiles and runs the predicates of these seeds, or of those asked for; each search is followed for so many events.
fn check(name: &str, seeds: Range<u64>, cap: usize) {
    let (name, seeds) = asked_for().map_or((name, seeds), |seeds| ("predicates-asked-for", seeds));
    if seeds.end - seeds.start == 1 {
        println!("{}", Predicate::of(seeds.start).source);
    }
    let tallies = Package::write(name, seeds).run(cap).unwrap_or_else(|failure| panic!("{failure}"));
    let undecided = tallies.values().filter(|(accepted, rejected)| *accepted > 0 && *rejected > 0).count();
    println!("{tallies:?}\n{undecided} of {} predicates accept some candidates and reject others", tallies.len());
    assert!(tallies.len() < 10 || undecided * 2 > tallies.len(), "most predicates say the same of every candidate");
}

#[test]
fn modes_agree_on_30_random_predicates() {
    check("random-predicates", 0..30, 1000);
}

#[test]
#[ignore = "takes minutes"]
fn modes_agree_on_300_random_predicates() {
    check("more-random-predicates", 1000..1300, 3000);
}

#[test]
fn a_seed_is_always_the_same_predicate() {
    for seed in 0..50 {
        assert_eq!(Predicate::of(seed).source, Predicate::of(seed).source);
    }
}

#[derive(Debug, Finitize)]
struct Pair {
    one: bool,
    other: bool,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.one || self.other
    }
}

#[test]
fn a_difference_is_found_where_it_is() {
    let setting = Setting { scope: 1, pruning: Pruning::Ownership, unread: Unread::All, cap: 100 };
    let events = driver::record::<Pair>(setting, MODES[0], None).events;
    // Three candidates, of which two are accepted; the second leaves `other` open.
    assert_eq!(events.len(), 3 + 3 + 1);
    assert_eq!(driver::first_difference(&events, &events), None);
    let mut other = events.clone();
    let Event::Candidate { accepted, .. } = &mut other[1] else { panic!("{events:?}") };
    *accepted = !*accepted;
    assert_eq!(driver::first_difference(&events, &other), Some(1));
    assert_eq!(driver::first_difference(&events, &events[..4]), Some(4));
}

#[test]
fn a_difference_in_what_is_given_is_found_where_it_is() {
    for mode in MODES {
        // Complete, and cut off behind the second value, which is no end.
        for (cap, values, ends) in [(100, 3, 1), (5, 2, 0)] {
            let setting = Setting { scope: 1, pruning: Pruning::Ownership, unread: Unread::All, cap };
            let observed = driver::record::<Pair>(setting, mode, None).given;
            assert_eq!(observed.len(), values + ends);
            let mut unobserved = driver::unobserved::<Pair>(setting, mode, observed.len());
            assert_eq!(driver::first_difference(&observed, &unobserved), None);
            unobserved[1].1.explored += 1;
            assert_eq!(driver::first_difference(&observed, &unobserved), Some(1));
            unobserved.swap(0, 1);
            assert_eq!(driver::first_difference(&observed, &unobserved), Some(0));
        }
    }
}
