//! Random predicates, as a differential test of the modes of search: every mode runs the same candidates with the same
//! verdicts in the same order, and what is accepted satisfies the untouched `rep_ok`. Unobserved, a search gives the same values
//! after as many candidates.
//!
//! The predicates of some seeds become a package below the target directory, which is compiled and run.
//! `KORAT_RANDOM_SEED=17` takes that seed alone and prints its predicate, `KORAT_RANDOM_SEED=2000..2100` takes those.
//! Small predicates (`small`) are of the families that a lowering could get wrong, natural ones (`natural`) are as people write them, those on
//! parts (`parts`) make calls that summaries answer; all of them, and their summaries, are held to brute force over the plain `rep_ok`.

mod dice;
// It runs in the generated package; what is tested of it here is that it finds a difference.
#[allow(dead_code)]
mod driver;
mod env;
mod expr;
mod extras;
mod family;
mod helpers;
mod loops;
mod natural;
mod options;
mod own;
mod package;
mod parts;
mod predicate;
mod small;
mod stmt;
mod walks;
mod writer;

use std::collections::BTreeMap;
use std::ops::Range;

use korat::{Finitize, Pruning, Unread, rep_ok};

use driver::{Event, MODES, Setting};
use package::Package;
use predicate::Predicate;
use small::Small;
use small::driver::{Brute, End};
use small::package::Outcome;

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

/// Compiles and runs the small predicates of these seeds, or of those asked for, against brute force over the plain `rep_ok`.
fn check_small(name: &str, seeds: Range<u64>) {
    let (name, seeds) = asked_for().map_or((name, seeds), |seeds| ("small-predicates-asked-for", seeds));
    if seeds.end - seeds.start == 1 {
        println!("{}", Small::of(seeds.start).source);
    }
    let all = seeds.end - seeds.start;
    let package = small::package::Package::of(name, small::package::CLASSES, seeds.map(Small::of).collect());
    let outcome = package.run().unwrap_or_else(|failure| panic!("{failure}"));
    let Outcome { agreed, differing, uncompilable, shown, .. } = outcome;
    let undecided = agreed.values().filter(|(accepted, others)| *accepted > 0 && *others > 0).count();
    println!("{} of {all} agree with the plain rep_ok; {undecided} accept some values and not others", agreed.len());
    let (wrong, refused) = (differing.len(), uncompilable.len());
    let differing: String = differing.iter().map(|(name, modes)| format!(" {name} ({modes})")).collect();
    let uncompilable: String = uncompilable.keys().map(|name| format!(" {name}")).collect();
    assert!(
        wrong + refused == 0,
        "{shown}{wrong} not as the plain rep_ok:{differing}\n{refused} whose lifted form does not compile:{uncompilable}"
    );
    assert!(agreed.len() < 10 || undecided * 10 > agreed.len() * 9, "many predicates say the same of every value");
}

#[test]
fn searches_agree_with_the_plain_rep_ok_on_300_small_predicates() {
    check_small("small-predicates", 0..300);
}

#[test]
#[ignore = "takes half an hour"]
fn searches_agree_with_the_plain_rep_ok_on_10_000_small_predicates() {
    check_small("more-small-predicates", 1000..11_000);
}

#[test]
fn a_seed_is_always_the_same_predicate() {
    for seed in 0..50 {
        assert_eq!(Predicate::of(seed).source, Predicate::of(seed).source);
        assert_eq!(Small::of(seed).source, Small::of(seed).source);
    }
}

#[test]
fn small_predicates_know_every_family() {
    let all: String = (0..300).map(|seed| Small::of(seed).source).collect();
    let families = [
        // Receivers of every kind, of types beside the block and in the body.
        &["(&mut self, by: u8)", "(&self, by: u8)", "(self, by: u8)", "        struct Tally"][..],
        // Operands: helpers of the block and blocks that assign.
        &["bump_by(&mut ", "^ bump(", "({ x = ", "GRID[usize::from("],
        // Items in inner blocks, also behind their use.
        &[
            "    const K: u8",
            "    fn twist",
            "use turn as twist",
            "    static BASE",
            "    type Number = i32",
            "    enum Step",
        ],
        // Ways to hold a `&mut`.
        &[
            "= (&mut ",
            "vec![&mut ",
            "= [&mut ",
            "Some(&mut ",
            "Some((&mut ",
            "Holder { held: ",
            "let q",
            "= move |k: u8|",
        ],
        &[".last_mut()", ".get_mut(", ".iter_mut()", ".entry(", ".split_at_mut("],
        // Labels, closures, drops, panics.
        &["'a: while let", "'a: for", "'a: {", "= move |by: u8|", "guard(&log, ", " += "],
    ];
    for part in families.concat() {
        assert!(all.contains(part), "no predicate has `{part}`");
    }
    for (name, _) in small::MACROS {
        assert!(all.matches(&format!("{name}!")).count() > 1, "no predicate uses `{name}!`");
    }
}

/// Every list of at most three keys below three, each with every mark below five, of which one is its length.
fn lists_with_their_lengths() -> Vec<small::driver::Said> {
    let mut lists: Vec<Vec<u8>> = vec![Vec::new()];
    for at in 0..13 {
        let list = lists[at].clone();
        lists.extend((0..3).map(|key| [&list[..], &[key]].concat()));
    }
    let marked = lists.iter().flat_map(|list| (0..5).map(move |mark| (list, mark)));
    marked.map(|(list, mark)| (format!("{list:?} {mark}"), Ok(list.len() == mark))).collect()
}

#[test]
fn a_small_predicate_that_differs_is_found() {
    let brute = small::driver::brute(&small::driver::Entry {
        name: "lengths",
        source: "",
        holds: lists_with_their_lengths,
        search: |_, _| (BTreeMap::new(), End::Exhausted),
        summarised: || Err(String::new()),
    });
    // Of 1, 3, 9 and 27 lists, each with the one mark that is its length.
    assert_eq!((brute.accepted.len(), brute.rejected), (40, 160));
    let (found, end) = (brute.accepted.clone(), End::Exhausted);
    assert_eq!(small::driver::complaint(&brute, &found, &end), None);
    let mut less = found.clone();
    less.remove("[0, 1] 2");
    let text = small::driver::complaint(&brute, &less, &end).expect("one is missing");
    assert!(text.contains("missing [\n    \"[0, 1] 2\""), "{text}");
    let mut other = less;
    other.insert("[0, 1] 3".to_string(), 1);
    let text = small::driver::complaint(&brute, &other, &end).expect("one is missing, and another is too much");
    assert!(text.contains("[0, 1] 2") && text.contains("extra [\n    \"[0, 1] 3\""), "{text}");
    let panicked = End::Panicked("attempt to add with overflow".to_string());
    assert!(small::driver::complaint(&brute, &found, &panicked).is_some(), "the plain rep_ok does not panic");
    let panicking = Brute { panics: vec!["attempt to add with overflow".to_string()], ..brute };
    assert_eq!(small::driver::complaint(&panicking, &found, &panicked), None);
    assert!(small::driver::complaint(&panicking, &found, &End::Exhausted).is_some(), "the plain rep_ok panics");
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
