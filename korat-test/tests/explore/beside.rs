//! A structure beside a model.

use std::collections::BTreeSet;

use korat::{Explore, Finitize};

/// A set of numbers, in order.
#[derive(Debug, Default, Finitize)]
struct Sorted {
    numbers: Vec<u8>,
}

impl Sorted {
    fn insert(&mut self, number: u8) -> bool {
        let Err(at) = self.numbers.binary_search(&number) else { return false };
        self.numbers.insert(at, number);
        true
    }

    fn is_sorted(&self) -> bool {
        self.numbers.is_sorted()
    }
}

fn sorted() -> Explore<(Sorted, BTreeSet<u8>)> {
    Explore::from(Sorted::default())
        .check(Sorted::is_sorted)
        .operation_if("clear", |sorted| sorted.numbers.len() > 9, |sorted| sorted.numbers.clear())
        .beside(BTreeSet::new())
        .both("insert", 1..=3, Sorted::insert, |model, number| model.insert(number))
        .regressions(false)
}

#[test]
fn both_do_the_same() {
    let same = sorted().same("the numbers", |sorted| sorted.numbers.clone(), |model| model.iter().copied().collect());
    let report = same.run();
    // The guard of `clear` holds nowhere.
    assert_eq!((report.found, report.executions), (8, 8 * 3));
}

#[test]
fn different_results_are_reported_with_both_states() {
    let remove = |model: &mut BTreeSet<u8>, number| model.remove(&number);
    let wrong = sorted().both("remove", 1..=3, |_, _| false, remove);
    let failed = wrong.try_run().unwrap_err();
    let text = failed.failures[0].to_string();
    let (text, _) = text.split_once("\n\nreplay:").expect("it is replayed");
    insta::assert_snapshot!(text, @"
    exploration failed after 2 operations: the operation fails: what it returns is false, but true of the model
      start
          (Sorted, BTreeSet<u8>) { 1: {} }
          `- 0: Sorted { numbers: [] }
      insert(1)
          (Sorted, BTreeSet<u8>) { 1: {1} }
          `- 0: Sorted { numbers: [1] }
      remove(1)
          (Sorted, BTreeSet<u8>) { 1: {} }
          `- 0: Sorted { numbers: [1] }
    ");
}

#[test]
fn different_views_are_reported() {
    let wrong = sorted().same("the length", |sorted| sorted.numbers.len().min(2), BTreeSet::len);
    let failed = wrong.try_run().unwrap_err();
    assert_eq!(failed.failures[0].message, "the check fails: the length is 2, but 3 of the model");
    assert_eq!(failed.failures[0].calls.len(), 3);
}

#[test]
fn checks_of_the_structure_alone_stay() {
    let failed = sorted().operation("break", [()], |(sorted, _), ()| sorted.numbers.push(0)).try_run().unwrap_err();
    assert_eq!(failed.failures[0].calls, ["insert(1)", "break()"]);
}

#[test]
#[should_panic(expected = "`beside` is called before `and_from`")]
fn several_first_states_need_several_models() {
    let _ = Explore::from(0_u8).and_from(1).beside(0_u8);
}
