//! Predicates as machines: where they can be started, how deep they go, what they say of themselves, and what makes them fall
//! back.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use korat::{Backtracking, Finitize, Pruning, Search, rep_ok};
use korat_core::{Bounds, RepOk, Searcher, Settings};

use crate::alternating::Tree;

fn settings(backtracking: Backtracking, pruning: Pruning) -> Settings {
    let mut settings = Settings::default();
    (settings.backtracking, settings.pruning) = (backtracking, pruning);
    settings
}

type Run = (Vec<(u32, u32)>, bool);

/// Every candidate that a search explores.
fn candidates<T: RepOk>(bounds: &Bounds<T>, settings: Settings, prefix: Option<&[u32]>) -> Vec<Run> {
    let mut searcher = Searcher::new(bounds, settings).expect("the bounds are right");
    if let Some(prefix) = prefix {
        searcher.start_at(prefix);
    }
    let mut runs = Vec::new();
    while searcher
        .advance_observed(&mut |candidate| {
            runs.push((candidate.choices(), candidate.accepted()));
            ControlFlow::Continue(())
        })
        .expect("the search goes through")
    {}
    runs
}

mod prefixes {
    use super::*;

    #[test]
    fn all_prefixes_of_one_length_make_up_the_whole_search() {
        for pruning in [Pruning::Ownership, Pruning::Classic] {
            for backtracking in [Backtracking::Reexecute, Backtracking::Checkpoint] {
                let settings = settings(backtracking, pruning);
                let whole = candidates(&Tree::scope(4), settings, None);
                assert!(whole.len() > 50);
                for length in 0..8 {
                    let mut prefixes: Vec<Vec<u32>> = Vec::new();
                    for (choices, _) in &whole {
                        let prefix: Vec<u32> = choices.iter().take(length).map(|(_, index)| *index).collect();
                        if prefixes.last() != Some(&prefix) {
                            prefixes.push(prefix);
                        }
                    }
                    let parts = prefixes.iter().flat_map(|prefix| candidates(&Tree::scope(4), settings, Some(prefix)));
                    assert_eq!(parts.collect::<Vec<_>>(), whole, "prefixes of {length}");
                }
            }
        }
    }

    #[test]
    fn a_prefix_that_no_candidate_has_is_an_error() {
        let mut searcher = Searcher::new(&Tree::scope(2), Settings::default()).expect("the bounds are right");
        searcher.start_at(&[1, 7]);
        let error = searcher.advance().expect_err("there is no such candidate");
        assert_eq!(error.to_string(), "no candidate begins with the given choices: choice 1 cannot have the index 7");
    }
}

mod depth {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Link {
        next: Option<Box<Link>>,
    }

    #[derive(Debug, Finitize)]
    struct Chain {
        head: Option<Box<Link>>,
        #[finitize(scope..=scope)]
        len: usize,
    }

    #[rep_ok]
    impl Chain {
        fn rep_ok(&self) -> bool {
            Self::count(&self.head) == self.len
        }

        // Not the last thing it does: every call waits for the next.
        fn count(link: &Option<Box<Link>>) -> usize {
            match link {
                Some(link) => 1 + Self::count(&link.next),
                None => 0,
            }
        }
    }

    #[test]
    fn a_recursion_through_a_hundred_thousand_nodes_needs_no_stack() {
        let nodes = 100_000;
        let mut searcher = Searcher::new(&Chain::scope(nodes), Settings::default()).expect("the bounds are right");
        // The shorter chains are rejected one by one; this begins with the longest.
        searcher.start_at(&(1..=nodes as u32).collect::<Vec<_>>());
        // To build and drop such a value is another matter: the recursion of a derived drop is the user's own.
        assert!(searcher.advance().expect("the search goes through"));
        assert_eq!(searcher.counters().explored, 1);
    }
}

mod explained {
    use super::*;

    #[test]
    fn statements_are_listed_with_their_re_entries() {
        let report = Search::new(Tree::scope(3)).explain(true).report();
        let explanation = report.explanation.expect("it was asked for");
        assert!(explanation.file.ends_with("alternating.rs"));
        assert!(explanation.notes.is_empty(), "{explanation}");
        let of = |text: &str| {
            let mut found = explanation.statements.iter().filter(|statement| statement.text.contains(text));
            found.next().unwrap_or_else(|| panic!("no statement with {text} in\n{explanation}"))
        };
        assert!(of("node.key != key").reentries > 0);
        assert_eq!(of("node.key != key").method, "alternates");
        assert_eq!(of("seen.len()").replayed, "");
        let all: u64 = explanation.statements.iter().map(|statement| statement.reentries).sum();
        assert_eq!(all, report.explored - 1);
    }

    #[derive(Debug, Finitize)]
    struct Row {
        #[finitize(len = 3..=3)]
        cells: Vec<u8>,
    }

    #[rep_ok]
    impl Row {
        fn rep_ok(&self) -> bool {
            self.cells.iter().all(|cell| *cell < 2)
        }
    }

    #[test]
    fn a_closure_is_said_to_be_replayed() {
        let report = Search::new(Row::scope(2)).explain(true).report();
        let explanation = report.explanation.expect("it was asked for");
        let text = explanation.to_string();
        assert!(text.contains("[replayed from its start: it has a closure]"), "{text}");
        assert!(explanation.statements[0].replays > 0, "{text}");
    }

    #[derive(Debug, Finitize)]
    struct Sorted<T> {
        items: Vec<T>,
        max: Option<T>,
    }

    #[rep_ok]
    impl<T: Ord> Sorted<T> {
        fn rep_ok(&self) -> bool {
            let Some(first) = self.items.first() else { return self.max.is_none() };
            let mut last = first;
            let rises = |last: &T| last >= first && self.max.is_some();
            for item in &self.items {
                if item < last || !rises(last) {
                    return false;
                }
                last = item;
            }
            self.max.as_ref() == Some(last)
        }
    }

    #[test]
    fn locals_of_a_type_parameter_can_be_restored() {
        let report = Search::new(Sorted::<u8>::scope(3)).explain(true).report();
        // Rising rows of up to three of four numbers.
        assert_eq!(report.valid, 1 + 4 + 10 + 20);
        let explanation = report.explanation.expect("it was asked for");
        assert!(explanation.notes.is_empty(), "{explanation}");
    }

    #[derive(Debug, Finitize)]
    struct Owner {
        #[finitize(0..=2)]
        one: u8,
        #[finitize(0..=2)]
        two: u8,
    }

    #[rep_ok]
    impl Owner {
        fn rep_ok(&self) -> bool {
            let held = Rc::new(Cell::new(0u8));
            if self.one == 1 {
                held.set(1);
            }
            self.two > held.get() && Rc::strong_count(&held) == 1
        }
    }

    #[test]
    fn a_local_that_owns_memory_is_named() {
        let report = Search::new(Owner::scope(2)).explain(true).report();
        assert_eq!((report.valid, report.explored), (5, 9));
        let text = report.explanation.expect("it was asked for").to_string();
        assert!(text.contains("note: rep_ok runs from the top for every candidate"), "{text}");
        assert!(text.contains("Rc<"), "{text}");
    }

    #[derive(Debug, Finitize)]
    struct Old {
        #[finitize(0..=2)]
        one: u8,
        #[finitize(0..=2)]
        two: u8,
    }

    #[rep_ok(reexecute)]
    impl Old {
        fn rep_ok(&self) -> bool {
            let one = self.one;
            self.two > one
        }
    }

    #[test]
    fn the_machine_can_be_turned_off() {
        let report = Search::new(Old::scope(2)).explain(true).report();
        assert_eq!((report.valid, report.explored), (3, 9));
        let text = report.explanation.expect("it was asked for").to_string();
        assert!(text.contains("`rep_ok` is not part of the machine: `#[rep_ok(reexecute)]` says so"), "{text}");
    }
}

mod not_deterministic {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    thread_local! {
        static CALLS: Cell<u32> = const { Cell::new(0) };
    }

    #[derive(Debug, Finitize)]
    struct Moody {
        one: bool,
        two: bool,
        three: bool,
    }

    fn is_odd_call() -> bool {
        CALLS.set(CALLS.get() + 1);
        CALLS.get() % 2 == 1
    }

    #[rep_ok]
    impl Moody {
        fn rep_ok(&self) -> bool {
            let first = self.one;
            let any = || if is_odd_call() { self.two } else { self.three };
            any() == first
        }
    }

    #[test]
    fn the_line_is_named() {
        let line = line!() - 6;
        let failure = catch_unwind(AssertUnwindSafe(|| Search::new(Moody::scope(1)).report()));
        let message = korat_core::panic_message(&*failure.expect_err("it cannot go through"));
        assert!(message.starts_with("rep_ok read different fields on replay at "), "{message}");
        assert!(message.contains(&format!("machine.rs:{line}; is it deterministic?")), "{message}");
    }
}

mod resumed {
    use super::*;

    #[test]
    fn an_iterator_goes_on_after_every_value() {
        let mut some: Vec<Tree> = Vec::new();
        // Another search in between must not disturb it.
        for tree in korat::valid(Tree::scope(4)) {
            some.push(tree);
            assert_eq!(korat::valid(Tree::scope(1)).count(), 2);
        }
        let again: Vec<Tree> = Search::new(Tree::scope(4)).backtracking(Backtracking::Reexecute).into_iter().collect();
        assert_eq!(some, again);
    }

    #[test]
    fn two_searches_take_turns() {
        let (mut one, mut other) = (korat::valid(Tree::scope(4)), korat::valid(Tree::scope(4)));
        let mut count = 0;
        while let (Some(tree), Some(same)) = (one.next(), other.next()) {
            assert_eq!(tree, same);
            count += 1;
        }
        assert_eq!((one.next(), other.next()), (None, None));
        assert!(count > 20);
    }
}

mod owned_results {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Row {
        #[finitize(0..=2)]
        one: u8,
        #[finitize(0..=2)]
        two: u8,
    }

    #[rep_ok]
    impl Row {
        fn rep_ok(&self) -> bool {
            self.check().is_ok()
        }

        fn check(&self) -> Result<(), String> {
            Self::small("one", self.one)?;
            Self::small("two", self.two)?;
            if self.one < self.two { Ok(()) } else { Err(format!("{} and {}", self.one, self.two)) }
        }

        fn small(name: &str, number: u8) -> Result<(), String> {
            if number < 2 { Ok(()) } else { Err(format!("{name} is {number}")) }
        }
    }

    #[test]
    fn a_result_may_own_memory() {
        let report = Search::new(Row::scope(2)).explain(true).report();
        let explanation = report.explanation.expect("it was asked for");
        assert!(explanation.notes.is_empty(), "{explanation}");
        assert_eq!(report.valid, 1);
        assert_eq!(Search::new(Row::scope(2)).backtracking(Backtracking::Reexecute).report().explored, report.explored);
    }

    #[derive(Debug, Finitize)]
    struct Letters {
        #[finitize(0..=2, len = 3..=3)]
        letters: Vec<u8>,
    }

    #[rep_ok]
    impl Letters {
        fn rep_ok(&self) -> bool {
            let mut word = String::new();
            let mut longest = String::from("b");
            for place in 0..3 {
                let letter = char::from(b'a' + self.letters[place]);
                if letter == 'a' {
                    word.clear();
                    continue;
                }
                word.push(letter);
                if word.len() > longest.len() {
                    longest = word.clone();
                }
            }
            let moved = longest;
            moved == "bc" || moved.starts_with('c')
        }
    }

    #[test]
    fn a_string_is_saved_by_clone() {
        let report = Search::new(Letters::scope(3)).explain(true).report();
        let text = report.explanation.expect("it was asked for").to_string();
        assert!(text.contains("`String`, which is saved by clone"), "{text}");
        assert!(!text.contains("from the top"), "{text}");
        let again = Search::new(Letters::scope(3)).backtracking(Backtracking::Reexecute);
        assert_eq!(again.count(), report.valid);
        let words: Vec<Vec<u8>> = korat::valid(Letters::scope(3)).map(|word| word.letters).collect();
        assert_eq!(words.len() as u64, report.valid);
        assert!(words.contains(&vec![1, 2, 0]) && !words.contains(&vec![1, 0, 2]));
    }
}
