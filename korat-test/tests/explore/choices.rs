//! Operations that let korat choose.

use korat::{Explore, Finitize};

/// A client that sends again until it gets an answer, over a line that may lose a message or its answer.
#[derive(Debug, Default, Finitize)]
struct Line {
    sent: u8,
    received: u8,
    acknowledged: bool,
}

impl Line {
    fn send(&mut self) {
        self.sent += 1;
        if korat::choose([false, true]) {
            self.received += 1;
            self.acknowledged = korat::choose([false, true]);
        }
    }
}

fn line() -> Explore<Line> {
    Explore::from(Line::default()).operation_if("send", |line| !line.acknowledged, Line::send)
}

#[test]
fn every_answer_is_tried() {
    // After n messages, 0 to n were received; an acknowledged one is the last of at least one.
    let report = line().depth(3).run();
    report.expect_states(1 + 2 + 3 + 4 + (1 + 2 + 3));
    // Three answers for each state that is not acknowledged, with fewer than three messages.
    assert_eq!(report.executions, 3 * (1 + 2 + 3));
}

#[test]
fn answers_stand_in_the_failing_sequence() {
    let failed = line().check(|line| line.received < 2).regressions(false).try_run().unwrap_err();
    insta::assert_snapshot!(failed.failures[0], @r#"
    exploration failed after 2 operations: the check fails: it returned false
      start                        Line { sent: 0, received: 0, acknowledged: false }
      send() choosing true, false  Line { sent: 1, received: 1, acknowledged: false }
      send() choosing true, false  Line { sent: 2, received: 2, acknowledged: false }

    replay: KORAT_REPLAY='explore Line: send()/1.0; send()/1.0' cargo test choices::answers_stand_in_the_failing_sequence
    as a test of its own:
        #[test]
        fn answers_stand_in_the_failing_sequence_on_one_sequence() {
            line().check(|line| line.received < 2).regressions(false)
                .replay("send()/1.0; send()/1.0");
        }
    "#);
}

#[test]
fn guards_and_checks_choose_too() {
    let report = Explore::from(0_u8)
        .operation_if("step", |_| korat::choose([true, false]), |number| *number += 1)
        .check(|_| korat::choose([1, 2]) < 3)
        .depth(2)
        .run();
    report.expect_states(3);
    // Each step is enabled by one answer, and then checked with two.
    assert_eq!(report.executions, 4);
}

#[test]
fn a_first_state_is_checked_with_every_answer() {
    let failed = Explore::from(0_u8).check(|_| korat::choose([1, 2, 3]) != 3).regressions(false).try_run().unwrap_err();
    assert_eq!(failed.failures[0].message, "the check fails: it returned false (choosing 3)");
}

#[test]
fn explorations_inside_one_another_have_choices_of_their_own() {
    let report = Explore::from(0_u8)
        .operation("outer", [()], |number, ()| {
            let before = korat::choose([1, 2]);
            let inner =
                Explore::from(0_u8).operation("inner", [()], |n, ()| *n = korat::choose([3, 4, 5])).depth(1).run();
            *number = before * inner.found as u8 + korat::choose([0, 1]);
        })
        .depth(1)
        .run();
    report.expect_states(1 + 4);
}

#[test]
#[should_panic(expected = "`choose` is called outside of an exploration")]
fn elsewhere_nobody_chooses() {
    korat::choose([1, 2]);
}

#[test]
fn nothing_to_choose_from_is_a_failure() {
    let failed = Explore::from(0_u8)
        .operation("none", [()], |_, ()| korat::choose([0_u8; 0]))
        .regressions(false)
        .try_run()
        .unwrap_err();
    assert!(failed.failures[0].message.contains("no value to choose from"), "{failed}");
}

#[test]
fn the_answers_of_a_check_are_told() {
    let sums = || Explore::from(0_u8).operation("add", [2], |sum, add| *sum += add).regressions(false);
    let failed = sums().check(|sum| sum + korat::choose([0, 1, 2]) < 6).try_run().unwrap_err();
    assert_eq!(failed.failures[0].calls, ["add(2) choosing 0", "add(2) choosing 2"]);
    let failed = sums().check(|sum| sum + korat::choose([0, 1, 2]) < 2).try_run().unwrap_err();
    assert_eq!(failed.failures[0].message, "the check fails: it returned false (choosing 2)");
}

#[test]
fn large_domains_are_not_made_for_each_answer() {
    let sums = Explore::from(0_u32).operation("add", [()], |sum, ()| *sum += korat::choose(0..100_000));
    sums.depth(1).run().expect_states(100_000);
}

#[test]
fn choices_without_end_are_named() {
    let of = |run: fn()| {
        let explore = Explore::from(0_u8).operation("run", [()], move |_, ()| run()).regressions(false);
        explore.try_run().unwrap_err().failures[0].message.clone()
    };
    assert!(of(|| while korat::choose([true, false]) {}).contains("one run makes more than 10000 choices"));
    assert!(of(|| _ = korat::choose(0..u64::MAX)).contains("more than 16777216 values to choose from"));
    assert!(of(|| _ = korat::choose((0_u64..).filter(|_| true))).contains("more than 16777216 values"));
}
