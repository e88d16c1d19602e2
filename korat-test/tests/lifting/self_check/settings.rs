//! What each setting checks.

use super::*;

#[test]
fn off_checks_nothing() {
    let forms =
        Forms { machine: |view| *view.one == 0, from_top: |_| panic!("nobody runs it"), plain: |_| panic!("nor this") };
    for report in [
        search(forms, 2).self_check(SelfCheck::Off).count(),
        search(forms, 2).self_check(SelfCheck::Off).for_each(drop),
    ] {
        assert_eq!((report.valid, report.compared, report.shown), (9, 0, 0));
        assert!(!report.to_string().contains("checked"), "{report}");
    }
}

#[test]
fn all_checks_everything() {
    let report = search(SORTED, 40).self_check(SelfCheck::All).count();
    assert!(report.explored > 10_000);
    assert_eq!((report.compared, report.shown), (report.explored, report.valid));
    assert!(report.to_string().contains("undone, 36,121 candidates and 12,341 values checked, in "), "{report}");
}

/// Pauses come by the clock, and change nothing.
#[test]
fn a_sample_is_the_same_however_often_the_search_pauses() {
    let checked = |pause| {
        FORMS.set(SORTED);
        let mut searcher = Searcher::new(&Planted::scope(100), Settings::default()).expect("the bounds are right");
        searcher.pause_every(pause);
        while searcher.count_on(u64::MAX).expect("all agree") != Step::Done {}
        (searcher.checked(), searcher.counters())
    };
    let once = checked(u64::MAX >> 1);
    for pause in [1, 7, 64, 1000, 4096] {
        assert_eq!(checked(pause), once, "a pause after {pause} candidates");
    }
}

#[test]
fn a_sample_checks_the_first_ones_and_then_fewer() {
    let all = search(SORTED, 12).order(Order::AsFound).count();
    assert!(all.explored < 2048 && all.compared == all.explored);
    let (short, long) = (search(SORTED, 60).count(), search(SORTED, 100).count());
    let again = search(SORTED, 100).count();
    assert_eq!((long.compared, long.shown), (again.compared, again.shown));
    // The longer a search, the more are checked, and the smaller a part of it.
    assert!(long.compared > short.compared && long.shown > short.shown, "{short}\n{long}");
    assert!(long.compared * short.explored < short.compared * long.explored, "{short}\n{long}");
    assert!(long.shown * short.valid < short.shown * long.valid, "{short}\n{long}");
}
