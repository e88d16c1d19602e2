//! What states are matched by: hashes give what forms give, shapes and keys less.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use korat::{Explore, ExploreEnding, ExploreFailed, ExploreReport, Finitize, Matching, rep_ok};

use super::counts::{self, Bounded, search_tree};

/// Everything but the time and the memory.
fn counts_of(report: &ExploreReport) -> (u64, u64, u64, Vec<u64>, ExploreEnding) {
    (report.found, report.expanded, report.executions, report.levels.clone(), report.ending)
}

#[test]
fn hashes_give_the_counts_of_forms() {
    macro_rules! assert_same {
        ($($exploration:expr),* $(,)?) => {$(
            let exact = $exploration.run();
            let hashed = $exploration.matching(Matching::Hashed).run();
            assert_eq!(counts_of(&hashed), counts_of(&exact), stringify!($exploration));
            assert_eq!(hashed.is_exhaustive(), exact.is_exhaustive());
        )*};
    }
    assert_same!(
        search_tree::exploration(6),
        counts::lists(5),
        counts::all_stacks(5),
        counts::queues(5),
        counts::deques(5),
        Bounded::<5>::exploration(),
        counts::tries_of(7),
        counts::tries_of(7).and_from(counts::Trie::default()).depth(2),
        counts::tries_of(7).limit(40),
        counts::tries_of(7).depth(0),
    );
}

#[test]
fn the_report_says_what_states_were_matched_by() {
    let text = |report: ExploreReport| {
        let text = report.to_string();
        (
            report.matching,
            report.is_exhaustive(),
            text.split(';').next().unwrap().to_string() + ";" + text.split(';').nth(1).unwrap(),
        )
    };
    let (matching, is_exhaustive, shown) = text(counts::tries_of(4).run());
    assert_eq!((matching, is_exhaustive), (Some(Matching::Exact), true));
    assert!(shown.starts_with("complete: all states that can be reached; 16 states found"), "{shown}");
    let (matching, is_exhaustive, shown) = text(counts::tries_of(4).depth(2).matching(Matching::Hashed).run());
    assert_eq!((matching, is_exhaustive), (Some(Matching::Hashed), true));
    let hashed = "complete: all states that 2 operations can reach, matched by 128-bit hashes; 11 states found";
    assert!(shown.starts_with(hashed), "{shown}");
    let (matching, is_exhaustive, shown) = text(counts::tries_of(4).matching(Matching::Shape).run());
    assert_eq!((matching, is_exhaustive), (Some(Matching::Shape), false));
    assert_eq!(shown, "one state of each shape that was met; NOT exhaustive");
    let (matching, is_exhaustive, shown) = text(counts::tries_of(4).matching_by(|_| ()).run());
    assert_eq!((matching, is_exhaustive), (None, false));
    assert_eq!(shown, "one state of each key that was met; NOT exhaustive");
    assert!(!counts::tries_of(4).limit(3).run().is_exhaustive());
}

#[test]
fn shapes_of_trees_are_catalan_numbers() {
    // Any tree of up to five nodes grows from the empty one: new leaves at the place of each of the keys.
    #[derive(Debug, Default, Finitize)]
    struct Tree {
        root: Option<Box<Node>>,
    }
    #[derive(Debug, Finitize)]
    struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    impl Tree {
        /// Adds a leaf at the place with a number.
        fn add(&mut self, mut place: u8) {
            fn find(at: &mut Option<Box<Node>>, place: &mut u8) -> bool {
                match at {
                    Some(node) => find(&mut node.left, place) || find(&mut node.right, place),
                    None if *place == 0 => {
                        *at = Some(Box::new(Node { key: korat::choose(0..2), left: None, right: None }));
                        true
                    }
                    None => {
                        *place -= 1;
                        false
                    }
                }
            }
            find(&mut self.root, &mut place);
        }
    }
    let trees = || Explore::from(Tree::default()).operation("add", 0..5, Tree::add).depth(5);
    let shapes = trees().matching(Matching::Shape).run();
    shapes.expect_states(1 + 1 + 2 + 5 + 14 + 42);
    assert_eq!(shapes.levels, [1, 1, 2, 5, 14, 42]);
    // Each node has one of two keys.
    trees().run().expect_states(1 + 2 + 2 * 4 + 5 * 8 + 14 * 16 + 42 * 32);
}

/// Every kind of field that a shape leaves out, in part or as a whole.
#[derive(Debug, Default, Finitize)]
struct Mixed {
    number: u32,
    maybe: Option<u8>,
    phase: Phase,
    text: String,
    items: Vec<u8>,
    by_name: HashMap<u8, Vec<u8>>,
    set: BTreeSet<i16>,
    one: Option<Rc<Leaf>>,
    other: Option<Rc<Leaf>>,
}

#[derive(Clone, Debug, Default, PartialEq, Finitize)]
enum Phase {
    #[default]
    Idle,
    Busy,
    Done,
}

#[derive(Debug, Default, Finitize)]
struct Leaf {
    value: u8,
}

fn shapes(changes: &'static [fn(&mut Mixed)]) -> u64 {
    let numbers = 0..changes.len();
    let exploration = Explore::from(Mixed::default()).operation("change", numbers, move |mixed, at| changes[at](mixed));
    exploration.depth(1).matching(Matching::Shape).run().found
}

#[test]
fn a_shape_leaves_out_plain_values() {
    assert_eq!(shapes(&[|mixed| mixed.number = 300, |mixed| mixed.text.push('a')]), 1);
    // Which variant of an enum there is counts.
    assert_eq!(shapes(&[|mixed| mixed.maybe = Some(1), |mixed| mixed.maybe = Some(2)]), 2);
    assert_eq!(shapes(&[|mixed| mixed.phase = Phase::Busy, |mixed| mixed.phase = Phase::Done]), 3);
    // Lengths count, what is in them does not.
    assert_eq!(
        shapes(&[|mixed| mixed.items.push(1), |mixed| mixed.items.push(2), |mixed| mixed.items = vec![1, 2]]),
        3
    );
    assert_eq!(shapes(&[|mixed| _ = mixed.set.insert(-300), |mixed| _ = mixed.set.insert(2)]), 2);
    // So does which objects are shared.
    fn two(mixed: &mut Mixed) {
        (mixed.one, mixed.other) = (Some(Rc::default()), Some(Rc::new(Leaf { value: 3 })));
    }
    fn one(mixed: &mut Mixed) {
        mixed.one = Some(Rc::default());
        mixed.other = mixed.one.clone();
    }
    assert_eq!(shapes(&[two, one, |mixed| mixed.one = Some(Rc::new(Leaf { value: 7 }))]), 4);
}

#[test]
fn the_entries_of_a_map_have_the_order_of_their_keys_in_a_shape() {
    fn set(mixed: &mut Mixed, keys: [u8; 2]) {
        // In another order of insertion, and perhaps of the table.
        mixed.by_name = keys.into_iter().map(|key| (key, vec![key; usize::from(key % 2)])).collect();
    }
    assert_eq!(shapes(&[|mixed| set(mixed, [1, 2]), |mixed| set(mixed, [2, 1]), |mixed| set(mixed, [13, 200])]), 2);
    assert_eq!(shapes(&[|mixed| set(mixed, [1, 2]), |mixed| set(mixed, [2, 3])]), 3);
}

#[test]
fn states_are_matched_by_a_key() {
    let report = counts::all_stacks(4).matching_by(|stack| format!("{stack:?}").len()).run();
    // `[]`, `[1]`, `[1, 1]`, ..
    report.expect_states(5);
    assert_eq!((report.levels.clone(), report.executions), (vec![1; 5], 4 * 5));
}

#[test]
fn a_key_that_panics_is_a_failure() {
    let key = |stack: &counts::Stack| assert!(!format!("{stack:?}").contains("2, 1"), "no key");
    let stacks = counts::all_stacks(4).matching_by(move |stack| {
        key(stack);
        format!("{stack:?}")
    });
    let failed = stacks.regressions(false).try_run().unwrap_err();
    assert_eq!(failed.failures[0].calls, ["push(2)", "push(1)"]);
    assert_eq!(failed.failures[0].message, "the key of the state fails: no key");
}

/// Failures of different lengths and kinds, with choices and with first states.
fn failing() -> Explore<Vec<u8>> {
    Explore::from(vec![9_u8])
        .and_from(vec![])
        .operation("push", 1..=3_u8, |items, item| items.push(item + korat::choose([0, 10])))
        .operation_if("pop", |items| items.len() > 1, |items| items.pop())
        .operation("rotate", [()], |items, ()| {
            assert!(!items.starts_with(&[1, 12, 3]), "one");
            if !items.is_empty() {
                items.rotate_left(1);
            }
        })
        .check(|items| assert!(!items.ends_with(&[9, 11, 13, 2]), "two"))
        .depth(6)
        .failures(2)
}

fn sequences(failed: &ExploreFailed) -> Vec<(&[String], &[String], &str, &str)> {
    let told = failed.failures.iter();
    told.map(|sequence| (&*sequence.calls, &*sequence.states, &*sequence.message, &*sequence.replay)).collect()
}

#[test]
fn failing_sequences_are_those_of_exact_matching() {
    let exact = failing().regressions(false).try_run().unwrap_err();
    assert_eq!(exact.failures.len(), 2);
    let hashed = failing().matching(Matching::Hashed).regressions(false).try_run().unwrap_err();
    assert_eq!(sequences(&hashed), sequences(&exact));
    assert_eq!(counts_of(&hashed.report), counts_of(&exact.report));
    let by_key = failing().matching_by(Vec::clone).regressions(false).try_run().unwrap_err();
    assert_eq!(sequences(&by_key), sequences(&exact));
}

#[test]
fn sequences_of_shapes_are_run_again_from_the_first_state() {
    let failed = Explore::from(Vec::new())
        .operation("push", [4_u8, 5], |items: &mut Vec<u8>, item| items.push(item))
        .check(|items| items.len() < 4)
        .matching(Matching::Shape)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert_eq!(failed.failures[0].states, ["[]", "[4]", "[4, 4]", "[4, 4, 4]", "[4, 4, 4, 4]"]);
}

#[test]
fn an_operation_that_is_not_deterministic_is_named_when_forms_are_dropped() {
    thread_local! {
        static CALLS: RefCell<u64> = const { RefCell::new(0) };
    }
    let failed = Explore::from(0_u64)
        .operation("count", 0..70_u8, |number, _| {
            *number = CALLS.with_borrow_mut(|calls| {
                *calls += 1;
                *calls
            });
        })
        .depth(3)
        .matching(Matching::Hashed)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.contains("not deterministic"), "{failed}");
}

#[test]
fn a_comparison_needs_exact_matching() {
    #[derive(Debug, Default, Finitize)]
    struct Small {
        #[finitize(0..=scope)]
        number: u8,
    }
    #[rep_ok]
    impl Small {
        fn rep_ok(&self) -> bool {
            true
        }
    }
    let small = || Explore::from(Small::default()).operation("set", 0..=3, |small, number| small.number = number);
    small().compare(Small::scope(3)).expect_same();
    let compared = std::panic::catch_unwind(|| small().matching(Matching::Hashed).compare(Small::scope(3)));
    let message = *compared.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("a comparison needs every state"), "{message}");
}

#[test]
fn large_states_take_less_memory_by_hashes() {
    fn run(matching: Matching) -> ExploreReport {
        Explore::from((0_u16, vec![u64::MAX; 40]))
            .operation("next", [()], |(number, words), ()| {
                words[usize::from(*number % 40)] -= 1;
                *number += 1;
            })
            .limit(5_000)
            .matching(matching)
            .run()
    }
    let (exact, hashed) = (run(Matching::Exact), run(Matching::Hashed));
    assert_eq!(counts_of(&exact), counts_of(&hashed));
    // A word has up to ten bytes.
    assert!(exact.bytes > 400 * 5_000 && hashed.bytes < exact.bytes / 4, "{} {}", exact.bytes, hashed.bytes);
}
