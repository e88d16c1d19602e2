//! Machines that disagree with the predicate run from the top.

use super::*;

#[test]
fn that_accept_what_is_rejected_are_found() {
    let forms = Forms { machine: |view| sorted(view) || *view.one == 2, ..SORTED };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
      Planted { one: 2, two: 0 }
    korat's machine for rep_ok accepts it
    rep_ok run from the top rejects it
    note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
    so far 16 explored, 9 valid
    ");
}

#[test]
fn that_reject_what_is_accepted_are_found() {
    let forms = Forms { machine: |view| sorted(view) && *view.three != 2, ..SORTED };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
      Planted { one: 0, two: 0, three: 2 }
    korat's machine for rep_ok rejects it
    rep_ok run from the top accepts it
    note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
    so far 2 explored, 2 valid
    ");
}

#[test]
fn that_read_in_another_order_are_found() {
    let forms = Forms { machine: |view| *view.one <= *view.three && sorted(view), ..SORTED };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
      Planted { one: 0, two: 0, three: 0 }
    korat's machine for rep_ok reads Planted.three after 1 field
    rep_ok run from the top reads Planted.two after 1 field
    note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
    so far 0 explored, 0 valid
    ");
}

#[test]
fn that_read_less_are_found() {
    let forms = Forms {
        machine: |view| *view.one == 0 && sorted(view),
        from_top: |view| sorted(view) && *view.one == 0,
        ..SORTED
    };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
      Planted { one: 1 }
    korat's machine for rep_ok rejects it after 1 field
    rep_ok run from the top reads Planted.two after 1 field
    note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
    so far 9 explored, 6 valid
    ");
}

#[test]
fn that_read_more_are_found() {
    let forms = Forms {
        machine: |view| sorted(view) && *view.one == 0,
        from_top: |view| *view.one == 0 && sorted(view),
        ..SORTED
    };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    [korat internal bug] the search and rep_ok disagree at planted.rs:77 on the candidate
      Planted { one: 1, two: 0 }
    korat's machine for rep_ok reads Planted.two after 1 field
    rep_ok run from the top rejects it after 1 field
    note: please report this as a bug of korat, with the code of rep_ok and this text; until it is fixed, `#[rep_ok(reexecute)]` runs rep_ok from the top for every candidate
    so far 9 explored, 6 valid
    ");
}

#[test]
fn that_end_where_the_predicate_panics_are_found() {
    let from_top = |view: &View<Planted>| {
        assert!(*view.one < 2, "too large");
        sorted(view)
    };
    let message = failure(|| search(Forms { from_top, ..SORTED }, 2).report());
    assert!(message.contains("run from the top panics on it (too large) after 1 field"), "{message}");
}

/// A machine that goes astray is not taken for a predicate that panics, loops or is not deterministic.
#[test]
fn that_go_astray_are_not_blamed_on_the_predicate() {
    let panics: fn(&View<Planted>) -> bool = |view| {
        assert!(*view.one < 2, "too large");
        sorted(view)
    };
    let loops: fn(&View<Planted>) -> bool = |view| {
        loop {
            if *view.one != 2 {
                return sorted(view);
            }
            korat_core::__private::step();
        }
    };
    let forgets: fn(&View<Planted>) -> bool = |view| {
        CALLS.set(CALLS.get() + 1);
        CALLS.get() > 5 || sorted(view)
    };
    for (machine, says) in [
        (panics, "panics on it (too large) after 1 field"),
        (loops, "does not end on it after 1 field"),
        (forgets, "for rep_ok reads other fields than before after 3 fields"),
    ] {
        CALLS.set(0);
        let message = failure(|| search(Forms { machine, ..SORTED }, 2).report());
        assert!(message.starts_with("[korat internal bug] the search and rep_ok disagree"), "{message}");
        assert!(message.contains(says), "{message}");
    }
}

/// All entrances lead to the same check.
#[test]
fn are_found_however_the_search_is_run() {
    let forms = Forms { machine: |view| sorted(view) && *view.three != 2, ..SORTED };
    let runs: [fn(Search<Planted>); 5] = [
        |search| drop(search.report()),
        |search| drop(search.for_each(drop)),
        |search| drop(search.into_iter().collect::<Vec<_>>()),
        |search| drop(search.order(Order::AsFound).into_iter().collect::<Vec<_>>()),
        |search| drop(search.profile(true).explain(true).report()),
    ];
    for run in runs {
        let message = failure(|| run(search(forms, 2)));
        assert!(
            message.starts_with("[korat internal bug] the search and rep_ok disagree at planted.rs:77"),
            "{message}"
        );
    }
}

/// Where the machine goes from one candidate to the next by itself, it comes out for the sample.
#[test]
fn that_go_wrong_late_are_found() {
    let rejects: fn(&View<Planted>) -> bool = |view| sorted(view) && *view.one < 50;
    let accepts: fn(&View<Planted>) -> bool = |view| sorted(view) || *view.one >= 50;
    for (machine, machine_says, rep_ok_says) in [(rejects, "rejects", "accepts"), (accepts, "accepts", "rejects")] {
        let message = failure(|| search(Forms { machine, ..SORTED }, 100).report());
        assert!(message.contains(&format!("machine for rep_ok {machine_says} it\n")), "{message}");
        assert!(message.contains(&format!("run from the top {rep_ok_says} it\n")), "{message}");
    }
}

#[test]
fn are_not_run_beside_themselves_without_backtracking() {
    let forms = Forms { machine: |_| panic!("nobody runs it"), ..SORTED };
    let report = search(forms, 2).backtracking(Backtracking::Reexecute).self_check(SelfCheck::All).report();
    assert_eq!((report.valid, report.candidates_checked, report.values_checked), (10, 0, 10));
}
