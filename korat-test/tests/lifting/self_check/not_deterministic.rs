//! Predicates that are not deterministic are told apart from disagreements.

use super::*;

fn moody() -> bool {
    CALLS.set(CALLS.get() + 1);
    CALLS.get().is_multiple_of(3)
}

#[test]
fn verdicts_are_no_disagreement() {
    let form = |view: &View<Planted>| sorted(view) && moody();
    let forms = Forms { machine: form, from_top: form, plain: |_| true };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    rep_ok gave different verdicts on replay; is it deterministic? it accepted before and rejected now, on the candidate
      Planted { one: 0, two: 0, three: 0 }
    so far 0 explored, 0 valid
    ");
}

#[test]
fn reads_are_no_disagreement() {
    let form = |view: &View<Planted>| *view.one == 0 && if moody() { *view.two == 1 } else { *view.three == 0 };
    let forms = Forms { machine: |view| *view.one == 0 && *view.two == 1, from_top: form, plain: |_| true };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    rep_ok read different fields on replay at planted.rs:77; is it deterministic? it read Planted.three before and Planted.two now, on the candidate
      Planted { one: 0, two: 0 }
    so far 0 explored, 0 valid
    ");
}

/// All runs from the top agree, but the machine itself says something else when it begins anew.
#[test]
fn a_first_candidate_that_is_never_seen_again_is_no_disagreement() {
    fn once(view: &View<Planted>) -> bool {
        CALLS.set(CALLS.get() + 1);
        sorted(view) && CALLS.get() == 1
    }
    let forms = Forms { machine: once, from_top: once, ..SORTED };
    let message = failure(|| search(forms, 2).report());
    assert!(message.starts_with("rep_ok gave different verdicts on replay; is it deterministic?"), "{message}");
}

/// Nobody can know who is at fault where the predicate changes its mind later, and for good.
#[test]
fn a_later_change_of_mind_is_a_question() {
    fn for_a_while(view: &View<Planted>) -> bool {
        CALLS.set(CALLS.get() + 1);
        sorted(view) && CALLS.get() < 6
    }
    let forms = Forms { machine: for_a_while, from_top: for_a_while, ..SORTED };
    let message = failure(|| search(forms, 2).report());
    assert!(message.contains("or does rep_ok depend on something other than the value's fields?"), "{message}");
}

#[test]
fn verdicts_on_a_value_are_no_disagreement() {
    let forms = Forms { plain: |_| moody(), ..SORTED };
    insta::assert_snapshot!(failure(|| search(forms, 2).report()), @r"
    rep_ok gave different verdicts on replay; is it deterministic? it rejected before and accepted now, on the candidate
      Planted { one: 0, two: 0, three: 0 }
    so far 1 explored, 1 valid
    ");
}
