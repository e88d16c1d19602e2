//! The test to paste, where the property waits or its test has parameters: it stands here as it was printed, so that it compiles,
//! and fails on the same value.

use korat::{Finitize, Search, rep_ok};
use rstest::{fixture, rstest};

use super::child::Child;

#[derive(Clone, Debug, Finitize)]
struct Interval {
    low: u8,
    high: u8,
}

#[rep_ok]
impl Interval {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

#[tokio::test]
#[ignore = "fails on purpose"]
async fn waiting() {
    korat::for_each_valid_async(Interval::scope(3), async |interval| {
        tokio::task::yield_now().await;
        assert!(interval.high < 2, "too high");
    })
    .await;
}

/// As `waiting` tells people to paste it.
#[ignore = "fails on purpose"]
#[allow(unused_qualifications, reason = "it is pasted")]
#[rustfmt::skip]
#[tokio::test]
async fn waiting_on_one_value() {
    korat::Search::new(Interval::scope(3))
        .replay_async("Interval:3:0.2", async |interval| {
            tokio::task::yield_now().await;
            assert!(interval.high < 2, "too high");
        })
        .await;
}

#[fixture]
fn small() -> Search<Interval> {
    Search::new(Interval::scope(3))
}

#[rstest]
#[case::low(0, 9)]
#[case::high(1, 2)]
#[ignore = "fails on purpose"]
fn with_cases(#[case] least: u8, #[case] most: u8, #[values(1, 2)] step: u8, small: Search<Interval>) {
    let range = least..=most;
    let wider = *range.end() + step;
    small.for_each(|interval| assert!(interval.high < wider, "not below {wider}"));
}

/// As `with_cases` tells people to paste it.
#[ignore = "fails on purpose"]
#[rustfmt::skip]
#[test]
fn with_cases_on_one_value() {
    let least: u8 = 1;
    let most: u8 = 2;
    let step: u8 = 1;
    let small: Search<Interval> = small::default();
    let range = least..=most;
    let wider = *range.end() + step;
    small
        .replay("Interval:3:0.3", |interval| assert!(interval.high < wider, "not below {wider}"));
}

/// The failure of a scenario has in it the test to paste, which stands in this file and fails on the same value.
fn is_pasted(scenario: &str, pasted: &str, failure: &str) {
    let said = Child::of("pasted", scenario).run();
    assert!(!said.passed && said.text.contains(&format!(": {failure}\n")), "{}", said.text);
    let (_, test) = said.text.split_once("as a test of its own:\n").expect("there is one");
    let (test, _) = test.split_once("\n\nso far:").expect("the counts follow");
    let test: String = test.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect();
    assert!(include_str!("pasted.rs").contains(&test), "this file has no such test:\n{test}");
    let again = Child::of("pasted", pasted).run();
    let expected = format!("property failed on the replayed structure, size 0: {failure}\n");
    assert!(!again.passed && again.text.contains(&expected), "{}", again.text);
}

#[test]
fn the_test_of_a_property_that_waits_can_be_pasted() {
    is_pasted("waiting", "waiting_on_one_value", "too high");
}

#[test]
fn the_test_of_a_case_can_be_pasted() {
    is_pasted("with_cases::case_2_high::step_1_1", "with_cases_on_one_value", "not below 3");
}

#[test]
fn what_is_wrong_with_a_property_that_waits_is_so_where_it_is_called() {
    for replay in ["nonsense", "Interval:3:0.2"] {
        let said = Child::of("pasted", "waiting").env("KORAT_REPLAY", replay).run();
        assert!(
            !said.passed && said.text.contains("panicked at korat-test/tests/harness/reports/pasted.rs:"),
            "{}",
            said.text
        );
    }
}
