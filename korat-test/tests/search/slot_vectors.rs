//! Values as lists of numbers: every valid value comes back from its list, and a list that was tampered with is refused or is
//! another value, never anything else. The lists of files that people edit come this way.

use crate::structures::{Arena, Chain, Containers, Diamond, Formula, Graph, Tree, Watched};
use korat::{Finitize, RepOk};
use korat_core::{KeptValues, Searcher, Settings, SlotVector};

/// What became of the lists that differ in one place from those of the valid values.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tampered {
    refused: usize,
    rejected: usize,
    valid: usize,
}

fn searcher<T: Finitize + RepOk>(scope: usize) -> Searcher<T> {
    Searcher::new(&T::scope(scope), Settings::default()).expect("the bounds are right")
}

/// Restores the lists of all valid values, and all that differ in one number, are too short or too long.
fn tampered<T: Finitize + RepOk>(scope: usize) -> Tampered {
    let mut lists = Vec::new();
    let mut search = searcher::<T>(scope);
    while search.advance().expect("the invariant is right") {
        lists.push(search.slot_vector());
    }
    let mut restorer = searcher::<T>(scope);
    let mut found = Tampered::default();
    for list in &lists {
        restorer.restore(list).expect("a value of the search");
        assert_eq!(restorer.slot_vector(), *list);
        assert_eq!(restorer.accepts().ok(), Some(true));
        assert!(restorer.value().holds());
        for place in 0..list.0.len() {
            let short = SlotVector(list.0[..place].to_vec());
            assert!(restorer.restore(&short).is_err(), "{short:?}");
            for number in [0, 1, 2, 3, 4, 1000, u32::MAX] {
                let mut other = list.clone();
                other.0[place] = number;
                match restorer.restore(&other) {
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        found.refused += 1;
                    }
                    Ok(()) => {
                        assert_eq!(restorer.slot_vector(), other);
                        if restorer.accepts().expect("the invariant is right") {
                            // Up to the order of elements that have none, it is one of the values.
                            assert!(restorer.value().holds());
                            found.valid += 1;
                        } else {
                            found.rejected += 1;
                        }
                    }
                }
                restorer.free_cycles();
            }
        }
        let mut long = list.clone();
        long.0.push(0);
        assert!(restorer.restore(&long).is_err(), "{long:?}");
    }
    drop(restorer);
    // The heap is as good as new.
    let mut again = searcher::<T>(scope);
    let mut count = 0;
    while again.advance().expect("the invariant is right") {
        count += 1;
    }
    assert_eq!(count, lists.len());
    found
}

/// The choices of each value lead back to it, whether the search stands at it or it was kept until the search was over.
fn chosen_again<T: Finitize + RepOk>(scope: usize) {
    let mut search = searcher::<T>(scope);
    let (mut found, mut kept) = (Vec::new(), KeptValues::default());
    while search.advance().expect("the invariant is right") {
        let mut choices = Vec::new();
        search.copy_choices(&mut choices);
        found.push((choices, search.slot_vector()));
        search.keep(&mut kept);
    }
    for (number, (choices, list)) in found.iter().enumerate() {
        search.go_to(&kept, number);
        let mut of_kept = Vec::new();
        search.copy_choices(&mut of_kept);
        assert_eq!(of_kept, *choices);
        let mut again = searcher::<T>(scope);
        again.start_at(choices);
        assert_eq!(again.advance().ok(), Some(true));
        assert_eq!(again.slot_vector(), *list);
    }
}

/// Every kind of answer is met.
macro_rules! structures {
    ($($name:ident: $Type:ty, $scope:expr;)*) => {$(
        #[test]
        fn $name() {
            let found = tampered::<$Type>($scope);
            assert!(found.refused > 0 && found.valid > 0, "{found:?}");
            chosen_again::<$Type>($scope);
        }
    )*};
}

structures! {
    boxes: Tree, 3;
    shared: Diamond, 4;
    weak: Chain, 3;
    raw_pointers: Watched, 2;
    arenas: Arena, 3;
    indices_only: Graph, 3;
    enums: Formula, 4;
    containers: Containers, 3;
}
