//! What each setting checks.

use super::*;

#[test]
fn off_checks_nothing() {
    let forms =
        Forms { machine: |view| *view.one == 0, from_top: |_| panic!("nobody runs it"), plain: |_| panic!("nor this") };
    for report in [
        search(forms, 2).self_check(SelfCheck::Off).report(),
        search(forms, 2).self_check(SelfCheck::Off).for_each(drop),
    ] {
        assert_eq!((report.valid, report.candidates_checked, report.values_checked), (9, 0, 0));
        assert!(!report.to_string().contains("checked"), "{report}");
    }
}

#[test]
fn all_checks_everything() {
    let report = search(SORTED, 40).self_check(SelfCheck::All).report();
    assert!(report.explored > 10_000);
    assert_eq!((report.candidates_checked, report.values_checked), (report.explored, report.valid));
    assert!(report.to_string().contains("undone, 36,121 candidates and 12,341 values checked, in "), "{report}");
}

/// Pauses come by the clock, and change nothing.
#[test]
fn a_sample_is_the_same_however_often_the_search_pauses() {
    let checked = |pause| {
        FORMS.set(SORTED);
        let mut searcher = Searcher::new(&Planted::scope(100), Settings::default()).expect("the bounds are right");
        searcher.pause_every(pause);
        while searcher.count_on(u64::MAX).expect("all agree") != StepResult::Done {}
        (searcher.checked(), searcher.counters())
    };
    let once = checked(u64::MAX >> 1);
    for pause in [1, 7, 64, 1000, 4096] {
        assert_eq!(checked(pause), once, "a pause after {pause} candidates");
    }
}

#[test]
fn a_sample_checks_the_first_ones_and_then_fewer() {
    let all = search(SORTED, 12).order(Order::AsFound).report();
    assert!(all.explored < 2048 && all.candidates_checked == all.explored);
    let (short, long) = (search(SORTED, 60).report(), search(SORTED, 100).report());
    let again = search(SORTED, 100).report();
    assert_eq!((long.candidates_checked, long.values_checked), (again.candidates_checked, again.values_checked));
    // The longer a search, the more are checked, and the smaller a part of it.
    assert!(
        long.candidates_checked > short.candidates_checked && long.values_checked > short.values_checked,
        "{short}\n{long}"
    );
    assert!(long.candidates_checked * short.explored < short.candidates_checked * long.explored, "{short}\n{long}");
    assert!(long.values_checked * short.valid < short.values_checked * long.valid, "{short}\n{long}");
}
