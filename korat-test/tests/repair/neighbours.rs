//! Repair of everything that one fault can make of a small value: every invalid value that differs in one slot from a valid one is
//! repaired, and the nearest valid value is one change away.

use crate::structures::{Arena, Chain, Diamond, Graph, Watched};
use korat::{Backtracking, Finitize, RepOk, Repair};
use korat_core::{Searcher, Settings};

fn searcher<T: Finitize + RepOk>(scope: usize) -> Searcher<T> {
    Searcher::new(&T::scope(scope), Settings::default()).expect("the bounds are right")
}

/// Repairs every invalid neighbour of every valid value; gives how many there are.
fn repaired<T: Finitize + RepOk + std::fmt::Debug>(scope: usize) -> usize {
    let mut values = Vec::new();
    let mut search = searcher::<T>(scope);
    while search.advance().expect("the invariant is right") {
        let value = search.value();
        values.push(search.abstract_value(&value).expect("it is within the bounds"));
    }
    let mut builder = searcher::<T>(scope);
    let mut count = 0;
    for value in &values {
        for neighbour in builder.neighbours(value) {
            let mut corrupt = builder.build(&neighbour);
            if corrupt.holds() {
                builder.free_cycles();
                continue;
            }
            count += 1;
            for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
                let mut value = builder.build(&neighbour);
                let before = builder.abstract_value(&value);
                let repair = Repair::new().within(T::scope(scope)).backtracking(backtracking);
                let repaired = repair.repair(&mut value).unwrap_or_else(|error| panic!("{neighbour:?}: {error}"));
                assert!(value.holds(), "{neighbour:?}: {repaired}");
                assert!(!repaired.changes.is_empty());
                assert_ne!(builder.abstract_value(&value), before);
            }
            let nearest = Repair::new().within(T::scope(scope)).minimal().repair(&mut corrupt);
            let nearest = nearest.unwrap_or_else(|error| panic!("{neighbour:?}: {error}"));
            assert!(corrupt.holds(), "{neighbour:?}: {nearest}");
            assert_eq!(nearest.changes.len(), 1, "{neighbour:?}: {nearest}");
            builder.free_cycles();
        }
    }
    count
}

macro_rules! structures {
    ($($name:ident: $Type:ty, $scope:expr;)*) => {$(
        #[test]
        fn $name() {
            assert!(repaired::<$Type>($scope) > 0);
        }
    )*};
}

structures! {
    shared: Diamond, 4;
    chains: Chain, 4;
    arenas: Arena, 3;
    graphs: Graph, 3;
    watched: Watched, 3;
}
