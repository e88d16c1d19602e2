//! Plain predicates that disagree with what was searched.

use super::*;

#[test]
fn predicates_that_reject_a_value_are_found() {
    let forms = Forms { plain: |value| plainly_sorted(value) && value.three != 2, ..SORTED };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    [korat internal bug] the search and rep_ok disagree on the candidate
      Planted { one: 0, two: 0, three: 2 }
    korat's machine for rep_ok accepts it
    rep_ok run from the top accepts it
    the untouched rep_ok rejects it
    note: please report this as a bug of korat, with the code of rep_ok and this text; or does rep_ok depend on something other than the value's fields? until it is fixed, write that part of rep_ok in another way
    so far 3 explored, 3 valid
    ");
}

/// What the search rejects is completed to a value, which the plain predicate must reject.
#[test]
fn predicates_that_accept_what_is_rejected_are_found() {
    let forms = Forms { plain: |value| plainly_sorted(value) || value.one == 2, ..SORTED };
    for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
        let message = failure(|| search(forms, 2).backtracking(backtracking).report());
        assert!(message.contains("disagree on the candidate\n  Planted { one: 2, two: 0, three: 0 }\n"), "{message}");
        assert!(message.contains("from the top rejects it\nthe untouched rep_ok accepts it\n"), "{message}");
    }
    assert_eq!(search(forms, 2).self_check(SelfCheck::Off).count(), 10);
}

#[test]
fn predicates_that_panic_on_a_value_are_found() {
    let forms = Forms { plain: |value| 2 / (2 - value.three) > 0, ..SORTED };
    let message = failure(|| search(forms, 2).report());
    assert!(message.contains("the untouched rep_ok panics on it (attempt to divide by zero)"), "{message}");
}

#[test]
fn predicates_are_run_however_the_search_is() {
    let forms = Forms { plain: |value| plainly_sorted(value) && value.three != 2, ..SORTED };
    let runs: [fn(Search<Planted>); 5] = [
        |search| drop(search.report()),
        |search| drop(search.for_each(drop)),
        |search| drop(search.into_iter().collect::<Vec<_>>()),
        |search| drop(search.backtracking(Backtracking::Reexecute).for_each(drop)),
        |search| korat::assert_valid_snapshot!(search, @""),
    ];
    for run in runs {
        let message = failure(|| run(search(forms, 2)));
        assert!(message.contains("the untouched rep_ok rejects it"), "{message}");
    }
}
