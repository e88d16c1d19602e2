//! Going back: predicates whose state is hard to restore, and values whose destructors run while it is. Both ways of
//! backtracking must give the same values after the same number of candidates. Run it under AddressSanitizer too.

// Predicates and values as people write them, not as they should.
#![allow(clippy::swap_with_temporary, clippy::useless_vec, clippy::vec_init_then_push)]

use std::fmt::Debug;

use korat::{Backtracking, Bounds, Finitize, RepOk, Search};

const MODES: [Backtracking; 2] = [Backtracking::Checkpoint, Backtracking::Reexecute];

/// Searches in both ways, which must agree. Gives the number of values.
#[track_caller]
fn agree<T: Finitize + RepOk + Debug>(bounds: impl Fn() -> Bounds<T>) -> usize {
    let [one, other] = MODES.map(|mode| {
        let mut search = Search::new(bounds()).backtracking(mode).into_iter();
        let values: Vec<String> = search.by_ref().map(|value| format!("{value:?}")).collect();
        (values, search.report().explored)
    });
    assert_eq!(one, other);
    one.0.len()
}

/// Declares a list, its invariant, and the test that both ways agree on it.
macro_rules! list {
    ($module:ident($($plain:ident),*), |$list:ident| $body:expr, $valid:literal $(, { $($items:tt)* })? $(,)?) => {
        mod $module {
            use korat::{Finitize, rep_ok};

            use crate::checkpoint::agree;
            // What the body and the items name.
            #[allow(unused_imports)]
            use super::*;

            $($($items)*)?

            #[derive(Clone, Debug, PartialEq, Finitize)]
            pub struct Node {
                key: u8,
                next: Option<Box<Node>>,
            }

            #[derive(Clone, Debug, PartialEq, Finitize)]
            pub struct List {
                head: Option<Box<Node>>,
                len: u8,
            }

            #[rep_ok(plain($($plain),*))]
            impl List {
                pub fn rep_ok(&self) -> bool {
                    let $list = self;
                    $body
                }
            }

            #[test]
            fn both_ways_agree() {
                assert_eq!(agree(|| List::scope(3)), $valid);
            }
        }
    };
}

mod destructors;
mod dropped;
mod handed_on;
mod names;
mod nested;
mod reentry;
mod replaced;
mod sizes;
mod unseen;
