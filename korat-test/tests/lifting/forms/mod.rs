//! Forms of ordinary Rust in predicates that a lifting could get wrong: each predicate is held to the count of a brute-force
//! loop over real values, in both prunings.

// What clippy would have written otherwise must be lifted too.
#![allow(clippy::partialeq_to_none, clippy::redundant_closure, clippy::useless_vec)]

use std::fmt::Debug;

use korat::{Finitize, Pruning, RepOk, Search, SelfCheck};

/// The number of valid values, which both prunings must agree on and the untouched `rep_ok` must accept.
fn valid<T: Finitize + RepOk + Debug>(scope: usize) -> u64 {
    let owned = Search::new(T::scope(scope))
        .self_check(SelfCheck::All)
        .allow_empty(true)
        .for_each(|value| assert!(value.holds()))
        .valid;
    let classic = Search::new(T::scope(scope))
        .pruning(Pruning::Classic)
        .self_check(SelfCheck::All)
        .allow_empty(true)
        .for_each(drop)
        .valid;
    assert_eq!(owned, classic);
    owned
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Finitize)]
enum Color {
    Red,
    Black,
}

#[derive(Debug, PartialEq, Finitize)]
struct Node {
    color: Color,
    key: u8,
    next: Option<Box<Node>>,
}

/// Every list of at most `most` nodes as pairs of colour and key.
fn all_lists(most: usize) -> Vec<Vec<(Color, u8)>> {
    let mut all = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..most {
        let mut longer = Vec::new();
        for list in &longest {
            for color in [Color::Red, Color::Black] {
                for key in 0..=most as u8 {
                    longer.push([&list[..], &[(color, key)]].concat());
                }
            }
        }
        all.extend(longer.iter().cloned());
        longest = longer;
    }
    all
}

fn lists_where(most: usize, holds: impl Fn(&[(Color, u8)]) -> bool) -> u64 {
    all_lists(most).iter().filter(|list| holds(list)).count() as u64
}

mod cells;
mod generic_helpers;
mod given_outside;
mod identity;
mod local_values;
mod members_of_tuples;
mod names;
mod other_types;
mod sequences;
mod taking_a_class_apart;
