//! What an exploration reports when something is wrong.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use korat::{Explore, ExploreEnding, Finitize};

/// A set of at most three items.
#[derive(Debug, Default, Finitize)]
struct Items {
    items: Vec<u8>,
}

impl Items {
    fn insert(&mut self, item: u8) {
        // The mistake: only the last item is compared.
        if self.items.last() != Some(&item) && self.items.len() < 3 {
            self.items.push(item);
        }
    }

    fn has_no_duplicates(&self) -> bool {
        self.items.iter().collect::<BTreeSet<_>>().len() == self.items.len()
    }
}

fn items() -> Explore<Items> {
    Explore::from(Items::default()).operation("insert", 1..=3, Items::insert)
}

#[test]
fn the_shortest_sequence_is_reported() {
    let failed = items().check(Items::has_no_duplicates).regressions(false).try_run().unwrap_err();
    insta::assert_snapshot!(failed, @r#"
    exploration failed after 3 operations: the check fails: it returned false
      start      Items { items: [] }
      insert(1)  Items { items: [1] }
      insert(2)  Items { items: [1, 2] }
      insert(1)  Items { items: [1, 2, 1] }

    replay: KORAT_REPLAY='explore Items: insert(1); insert(2); insert(1)' cargo test failures::the_shortest_sequence_is_reported
    as a test of its own:
        #[test]
        fn the_shortest_sequence_is_reported_on_one_sequence() {
            items().check(Items::has_no_duplicates).regressions(false)
                .replay("insert(1); insert(2); insert(1)");
        }

    so far: 10 states found, 4 expanded, 13 executions
    "#);
}

#[test]
#[should_panic(expected = "exploration failed after 3 operations")]
fn a_failure_fails_the_test() {
    items().check(Items::has_no_duplicates).regressions(false).run();
}

#[test]
fn a_first_state_is_checked() {
    let failed = items()
        .and_from(Items { items: vec![2, 2] })
        .check(Items::has_no_duplicates)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert_eq!(failed.failures[0].calls, Vec::<String>::new());
    assert_eq!(failed.failures[0].states, ["Items { items: [2, 2] }"]);
}

#[test]
fn a_panic_of_an_operation_has_its_place() {
    let pop = |items: &mut Items, ()| items.items.pop().expect("there is an item");
    let failed = items().operation("pop", [()], pop).regressions(false).try_run().unwrap_err();
    let failure = &failed.failures[0];
    assert_eq!(failure.calls, ["pop()"]);
    assert_eq!(failure.message, "the operation fails: there is an item");
    assert!(failure.location.as_ref().is_some_and(|location| location.contains("failures.rs:")), "{failure:?}");
}

#[test]
fn different_failures_are_collected() {
    let failed = items()
        .operation("pop", [()], |items, ()| items.items.pop().expect("there is an item"))
        .operation("clear", [()], |items, ()| assert!(items.items.len() < 2, "too many"))
        .check(Items::has_no_duplicates)
        .failures(5)
        .regressions(false)
        .try_run()
        .unwrap_err();
    let messages: Vec<&str> = failed.failures.iter().map(|failure| failure.message.as_str()).collect();
    let expected = [
        "the operation fails: there is an item",
        "the check fails: it returned false",
        "the operation fails: too many",
    ];
    assert_eq!(messages, expected);
    let lengths: Vec<usize> = failed.failures.iter().map(|failure| failure.calls.len()).collect();
    assert_eq!(lengths, [1, 3, 3]);
}

#[test]
fn a_panic_of_a_guard_is_reported() {
    let guard = |items: &Items| items.items[0] == 1;
    let failed =
        items().operation_if("pop", guard, |items| items.items.pop()).regressions(false).try_run().unwrap_err();
    assert!(failed.failures[0].message.starts_with("the guard fails: index out of bounds"), "{failed}");
}

#[test]
fn a_panic_of_a_destructor_is_reported() {
    #[derive(Debug, Default, Finitize)]
    struct Fragile {
        count: u8,
    }
    impl Drop for Fragile {
        fn drop(&mut self) {
            assert!(self.count < 2, "dropped at {}", self.count);
        }
    }
    let failed = Explore::from(Fragile::default())
        .operation("count", [()], |fragile, ()| fragile.count += 1)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert_eq!(failed.failures[0].calls, ["count()", "count()"]);
    assert_eq!(failed.failures[0].message, "dropping the state fails: dropped at 2");
}

#[test]
fn an_operation_that_is_not_deterministic_is_named() {
    thread_local! {
        static CALLS: Cell<u8> = const { Cell::new(0) };
    }
    let failed = Explore::from(Items::default())
        .operation("draw", [()], |items, ()| {
            CALLS.set(CALLS.get().wrapping_add(1));
            items.items = vec![CALLS.get()];
        })
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.starts_with("the operation is not deterministic"), "{failed}");
}

#[test]
fn a_state_without_a_form_is_refused() {
    use std::rc::Rc;
    #[derive(Debug, Default, Finitize)]
    struct Names {
        names: Vec<Rc<str>>,
        numbers: Vec<Rc<u8>>,
    }
    let failed = Explore::from(Names::default())
        .operation("add", [()], |names, ()| {
            let number = Rc::new(1);
            names.numbers = vec![Rc::clone(&number), number];
        })
        .regressions(false)
        .try_run()
        .unwrap_err();
    let message = &failed.failures[0].message;
    assert!(message.ends_with("two pointers share a value that is not an object of a class"), "{failed}");
}

#[test]
fn limits_are_said() {
    let grow = |items: &mut Items, item: u8| items.items.push(item);
    let report = Explore::from(Items::default()).operation("push", 1..=2, grow).limit(100).run();
    assert_eq!((report.found, report.ending), (100, ExploreEnding::Limit));
    assert_eq!(report.levels.iter().sum::<u64>(), 100);
    assert!(
        report.to_string().starts_with("stopped at the limit of states; NOT exhaustive; 100 states found"),
        "{report}"
    );
    let report =
        Explore::from(Items::default()).operation("push", 1..=2, grow).time_limit(Duration::from_millis(20)).run();
    assert_eq!(report.ending, ExploreEnding::TimeLimit);
    let missed = std::panic::catch_unwind(|| report.expect_states(7).found).unwrap_err();
    assert!(missed.downcast_ref::<String>().is_some_and(|text| text.starts_with("expected a complete exploration")));
}

#[test]
fn a_fixpoint_ends_by_itself() {
    let report = items().operation("clear", [()], |items, ()| items.items.clear()).run();
    // Sequences of up to three items without equal neighbours.
    report.expect_states(1 + 3 + 6 + 12);
    assert_eq!((report.ending, report.levels), (ExploreEnding::Fixpoint, vec![1, 3, 6, 12]));
}

#[test]
fn a_state_that_prints_without_end_is_drawn() {
    use std::cell::RefCell;
    use std::rc::Rc;
    #[derive(Debug, Default, Finitize)]
    struct Node {
        next: Option<Rc<RefCell<Node>>>,
    }
    #[derive(Debug, Default, Finitize)]
    struct Ring {
        first: Rc<RefCell<Node>>,
    }
    let failed = Explore::from(Ring::default())
        .operation("close", [()], |ring, ()| ring.first.borrow_mut().next = Some(Rc::clone(&ring.first)))
        .operation_if("fail", |ring| ring.first.borrow().next.is_some(), |_| panic!("closed"))
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert_eq!(failed.failures[0].calls, ["close()", "fail()"]);
    assert_eq!(failed.failures[0].states[1], "Ring\n`- first: Node#1\n   `- next: -> Node#1");
}

#[test]
fn panics_of_plain_values_are_reported() {
    #[derive(Debug)]
    struct Fragile(u8);
    impl Clone for Fragile {
        fn clone(&self) -> Self {
            assert!(self.0 < 2, "no clone of {}", self.0);
            Fragile(self.0)
        }
    }
    impl PartialEq for Fragile {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
    #[derive(Debug, Finitize)]
    struct Holder {
        #[finitize(values = [Fragile(0)])]
        fragile: Fragile,
    }
    let failed = Explore::from(Holder { fragile: Fragile(0) })
        .operation("count", [()], |holder, ()| holder.fragile.0 += 1)
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert_eq!(failed.failures[0].calls, ["count()", "count()"]);
    assert!(failed.failures[0].message.contains("no clone of 2"), "{failed}");
}

#[test]
fn checks_that_return_false_are_told_apart() {
    let failed = Explore::from(0_u8)
        .operation("add", [1], |sum, add| *sum += add)
        .check(|sum| *sum != 3)
        .check(|sum| *sum < 2)
        .depth(5)
        .failures(10)
        .regressions(false)
        .try_run()
        .unwrap_err();
    // The state 3 is not reached: 2 fails.
    assert_eq!(failed.failures.len(), 1);
    let failed = Explore::from(0_u8)
        .operation("set", 1..=5, |sum, to| *sum = to)
        .check(|sum| *sum != 3)
        .check(|sum| *sum != 4)
        .failures(10)
        .regressions(false)
        .try_run()
        .unwrap_err();
    let calls: Vec<_> = failed.failures.iter().map(|failure| failure.replay.as_str()).collect();
    assert_eq!(calls, ["set(3)", "set(4)"]);
}
