//! Bounded-exhaustive testing: runs a property on *every* valid value of a data structure, up to a bound.
//!
//! You write a structure and its representation invariant, `rep_ok`, in ordinary Rust. korat generates all valid
//! values, smallest first and without duplicates, and runs your property on each of them inside `cargo test`.
//!
//! # Example
//!
//! This list should be strictly increasing, but `insert` adds a second copy of an element that the list already contains.
//!
//! ```rust,test_harness,should_panic
//! use korat::{Finitize, rep_ok};
//!
//! #[derive(Clone, Debug, Finitize)]
//! struct Node {
//!     value: u8,
//!     next: Option<Box<Node>>,
//! }
//!
//! #[derive(Clone, Debug, Finitize)]
//! struct SortedList {
//!     head: Option<Box<Node>>,
//! }
//!
//! #[rep_ok]
//! impl SortedList {
//!     /// Each value is larger than the one before.
//!     fn rep_ok(&self) -> bool {
//!         let mut last = None;
//!         let mut rest = &self.head;
//!         while let Some(node) = rest {
//!             if last.is_some_and(|last| node.value <= last) {
//!                 return false;
//!             }
//!             last = Some(node.value);
//!             rest = &node.next;
//!         }
//!         true
//!     }
//! }
//!
//! impl SortedList {
//!     fn insert(&mut self, value: u8) {
//!         let mut place = &mut self.head;
//!         while place.as_ref().is_some_and(|node| node.value < value) {
//!             place = &mut place.as_mut().unwrap().next;
//!         }
//!         let next = place.take();
//!         *place = Some(Box::new(Node { value, next }));
//!     }
//! }
//!
//! #[test]
//! fn insert_keeps_the_order() {
//!     korat::for_each_valid(SortedList::scope(4), |mut list| {
//!         list.insert(2);
//!         assert!(list.rep_ok(), "the order is lost");
//!     });
//! }
//! ```
//!
//! `cargo test` shows the smallest list on which the property fails, and how to reproduce it:
//!
//! <!-- shown: cargo test -->
//! ```text
//! property failed on structure #4, size 1, smallest failing: the order is lost
//!   at src/lib.rs:46:9
//!
//! SortedList
//! `- head: Node { value: 2 }
//! ..
//! replay: KORAT_REPLAY='SortedList:4:1.2.0' cargo test insert_keeps_the_order
//! saved: in korat-regressions/lists.txt, and run first the next time; commit it
//! as a test of its own:
//!     #[test]
//!     fn insert_keeps_the_order_on_one_value() {
//!         korat::Search::new(SortedList::scope(4))
//!             .replay("SortedList:4:1.2.0", |mut list| {
//!                 list.insert(2);
//!                 assert!(list.rep_ok(), "the order is lost");
//!             });
//!     }
//!
//! so far: 4 explored, 4 valid
//! ```
//!
//! With `insert` fixed, the property holds for all lists within the bound, and `expect_count` asserts how many there are:
//!
//! ```
//! # use korat::{Finitize, rep_ok};
//! #
//! # #[derive(Clone, Debug, Finitize)]
//! # struct Node {
//! #     value: u8,
//! #     next: Option<Box<Node>>,
//! # }
//! #
//! # #[derive(Clone, Debug, Finitize)]
//! # struct SortedList {
//! #     head: Option<Box<Node>>,
//! # }
//! #
//! # #[rep_ok]
//! # impl SortedList {
//! #     fn rep_ok(&self) -> bool {
//! #         let mut last = None;
//! #         let mut rest = &self.head;
//! #         while let Some(node) = rest {
//! #             if last.is_some_and(|last| node.value <= last) {
//! #                 return false;
//! #             }
//! #             last = Some(node.value);
//! #             rest = &node.next;
//! #         }
//! #         true
//! #     }
//! # }
//! #
//! # impl SortedList {
//! #     fn insert(&mut self, value: u8) {
//! #         let mut place = &mut self.head;
//! #         while place.as_ref().is_some_and(|node| node.value < value) {
//! #             place = &mut place.as_mut().unwrap().next;
//! #         }
//! #         if place.as_ref().is_none_or(|node| node.value != value) {
//! #             let next = place.take();
//! #             *place = Some(Box::new(Node { value, next }));
//! #         }
//! #     }
//! # }
//! #
//! let report = korat::for_each_valid(SortedList::scope(4), |list| {
//!     for value in 0..=5 {
//!         let mut list = list.clone();
//!         list.insert(value);
//!         assert!(list.rep_ok());
//!     }
//! });
//! // At most four of the values 0..=4: all their subsets but one.
//! report.expect_count(31);
//! ```
//!
//! The main parameter is the *scope*: the maximum number of objects of each class, and the value of `scope` in
//! `#[finitize(..)]` attributes. A run at one scope includes all smaller values, and runs them first, so no loop over
//! scopes is needed.
//!
//! # Features
//!
//! | | |
//! | --- | --- |
//! | [`Finitize`], [`rep_ok`] | macros for the structure and its invariant; [`what_you_can_write`] shows every form |
//! | [`for_each_valid`], [`valid`] | run a property on every valid value; iterate over the values |
//! | [`Bounds`], [`field!`] | other bounds for a class or a field |
//! | [`Search`] | the builder behind both: sizes, limits, and everything else in this table |
//! | [`Config`] | all settings, including environment variables such as `KORAT_SCOPE=6 cargo test`, and their precedence |
//! | [`Report`], [`Ending`] | the result of a run: exact counts, equal in every run |
//! | [`Report::expect_count`], [`Report::expect_complete`] | assertions on the result |
//! | [`Search::replay`], [`Search::failures`] | run one value, as printed by a failure; collect several different failures |
//! | [`Search::profile`], [`Search::explain`] | where `rep_ok` rejects, line by line; how it ran |
//! | [`Search::stats`], [`label!`] | histograms of the values by size and by label |
//! | [`Search::draw`] | values as text |
#![cfg_attr(
    feature = "pictures",
    doc = "| [`Search::svg`], [`Search::dot`], [`Search::gallery`] | values as SVG, for Graphviz, as a page with pictures |"
)]
#![cfg_attr(
    feature = "insta",
    doc = "| [`assert_valid_snapshot!`], [`snapshot_value!`], [`snapshot_each!`] | snapshots, through insta: of all valid values, of one, of a result for each |"
)]
#![cfg_attr(feature = "repair", doc = "| [`repair`](repair()), [`Repair`] | change a corrupt value into a valid one |")]
#![cfg_attr(
    feature = "async",
    doc = "| [`for_each_valid_async`], [`for_each_async`](Search::for_each_async) | the same for properties that wait |"
)]
//! | [`interop`] | valid values for proptest and for fuzzers, with the features `proptest` and `arbitrary` |
//!
//! The guide in the repository, under `docs/`, covers all of this, from the first test to troubleshooting.
//!
//! # Background
//!
//! Most bugs in linked structures already show up in small ones. Instead of drawing large values at random, korat
//! generates all small values. It runs the invariant on candidates whose fields get their values only when the
//! invariant reads them, and so skips at once all candidates that differ only in fields that were never read. No two
//! generated values are equal up to renaming objects, and no valid value is missing. The idea is that of Korat
//! (Boyapati, Khurshid and Marinov, *Korat: automated testing based on Java predicates*, ISSTA 2002).
//!
//! # Configuring a search
//!
//! [`Bounds`] bounds a class or a field; [`Search`] limits the search, iterates over values, and draws them.
//!
//! ```
//! # use korat::{Finitize, rep_ok};
//! # #[derive(Debug, Finitize)]
//! # struct Node { value: u8, next: Option<Box<Node>> }
//! # #[derive(Debug, Finitize)]
//! # struct List { head: Option<Box<Node>> }
//! # #[rep_ok]
//! # impl List { fn rep_ok(&self) -> bool { let mut at = &self.head; while let Some(n) = at { at = &n.next; } true } }
//! use korat::{Search, field};
//!
//! let report = Search::new(List::scope(5).objects::<Node>(2).domain(field!(Node.value), [3, 5, 7]))
//!     .for_each(|list| assert!(list.head.is_none_or(|node| node.value > 2)));
//! assert_eq!((report.valid, report.is_complete()), (1 + 3 + 9, true));
//!
//! let drawings = Search::new(List::scope(1)).draw(2);
//! assert_eq!(drawings[1], "List\n`- head: Node { value: 0 }\n");
//! ```
//!
//! # How `rep_ok` runs
//!
//! When `rep_ok` rejects a candidate, the field that was assigned last gets its next value, and `rep_ok` resumes at the
//! statement that read it, after everything it has done since then is undone. This is [`Backtracking::Checkpoint`], the
//! default. [`Backtracking::Reexecute`] runs `rep_ok` from the top for every candidate, as `#[rep_ok(reexecute)]` does for one
//! invariant. Both explore the same candidates in the same order; only `field_inits` and `undo_ops` of the [`Report`] differ.
//!
//! [`Search::explain`], or `KORAT_EXPLAIN=1` in the environment, reports how often the search resumed at each statement,
//! and what is replayed from an earlier point and why. [`Search::profile`], or `KORAT_PROFILE=1`, reports where
//! candidates are rejected, line by line, and which field was read last. The following is replayed from an earlier point:
//!
//! - a statement in which a closure, or a function outside the block, reads fields;
//! - a method that is called on something other than `self`, or in a closure: write `Self::height(left)` instead of
//!   `left.height()`, and a loop instead of the closure;
//! - a method that is generic, takes `impl Trait` or `dyn`, or contains `#[cfg]`;
//! - all of `rep_ok`, if its block names `Mutex`, `OnceCell`, atomics, `Drop` or the like, or if a local that is used
//!   after a later read is an `Rc` created by the invariant or a user type that owns memory. A `String` or a `Box` is
//!   cloned before it changes.
//!
//! # What you can write
//!
//! The page [`what_you_can_write`] has an example of every form of field and expression, and of what is rejected, with
//! an alternative. The macros report what they can detect on your own tokens; the rest are rustc errors inside `rep_ok`
//! that mention a `Slot`, a `twin` or `__KoratNode`, which replace your types during the search.
//!
//! `rep_ok` must be deterministic, and reads the structure without modifying it. It may see cyclic candidates wherever
//! the types allow a cycle (`Rc<RefCell<_>>`), and then has to track the nodes it visited. Too many loop iterations,
//! closure calls and calls without reading a new field are reported as an endless loop. Cycles of `Rc` in generated
//! values are freed once they are no longer referenced.
//!
//! # Types of other crates
//!
//! With the features `slotmap`, `id-arena` and `petgraph`, fields may have types of these crates. `SlotMap<K, V>` and
//! `Arena<T>` are arenas: keys and ids with `index_of` refer to their elements, whose positions do not matter. A key
//! type of your own is declared as an id. A `Graph<N, E, Ty, Ix>` is any graph without parallel edges, generated once
//! up to isomorphism; `graph_weights(nodes, edges)` is its domain, and `len` bounds the number of its nodes. The features
//! `arrayvec`, `fixedbitset`, `hashbrown`, `indexmap`, `slab` and `smallvec` add the containers of these crates.
//!
#![cfg_attr(feature = "slotmap", doc = "```")]
#![cfg_attr(not(feature = "slotmap"), doc = "```ignore")]
//! use korat::{Finitize, rep_ok};
//! use slotmap::{SlotMap, new_key_type};
//!
//! new_key_type! {
//!     #[derive(Finitize)]
//!     #[finitize(id)]
//!     struct NodeKey;
//! }
//!
//! #[derive(Debug, Finitize)]
//! struct Node {
//!     #[finitize(index_of = nodes)]
//!     next: Option<NodeKey>,
//! }
//!
//! #[derive(Debug, Finitize)]
//! struct Ring {
//!     nodes: SlotMap<NodeKey, Node>,
//!     #[finitize(index_of = nodes)]
//!     first: NodeKey,
//! }
//!
//! #[rep_ok]
//! impl Ring {
//!     fn rep_ok(&self) -> bool {
//!         let (mut at, mut count) = (self.first, 0);
//!         while let Some(next) = self.nodes[at].next {
//!             count += 1;
//!             if next == self.first {
//!                 return count == self.nodes.len();
//!             }
//!             if count == self.nodes.len() {
//!                 return false;
//!             }
//!             at = next;
//!         }
//!         false
//!     }
//! }
//!
//! // One ring of each length.
//! assert_eq!(korat::for_each_valid(Ring::scope(4), |_| {}).valid, 4);
//! ```

#[cfg(feature = "async")]
mod async_harness;
mod beside;
mod checkpoint;
mod choose;
mod config;
mod crash_note;
mod digest;
mod enclosing;
mod env;
mod error;
mod estimate;
mod explore;
mod failure;
mod field;
mod for_each;
mod forecast;
#[cfg(doctest)]
mod guide;
mod harness;
pub mod interop;
mod json;
mod labels;
#[cfg(feature = "merge")]
#[doc(hidden)]
pub mod merge;
mod output;
mod panics;
mod picture;
mod pool;
mod profile;
mod progress;
mod property;
mod record;
mod regressions;
#[cfg(feature = "repair")]
mod repair;
mod replay;
mod report;
mod run;
mod search;
mod shard;
mod shrink;
mod slow;
#[cfg(feature = "insta")]
#[doc(hidden)]
pub mod snapshot;
#[cfg(not(feature = "insta"))]
mod snapshot_off;
mod stats;
mod subject;
mod summarised;
mod test_source;
mod threads;
mod tokens;
mod type_text;
mod valid;
mod values;
mod why_none;
mod with;

#[cfg(feature = "async")]
pub use async_harness::for_each_valid_async;
pub use choose::choose;
pub use config::{Config, Order, Sizes, Summaries};
pub use error::{Error, FailedValue, PropertyFailed, SearchFailed, ShrunkFrom};
pub use explore::{
    Comparison, Explore, ExploreEnding, ExploreFailed, ExploreReport, FailedPath, FailedSequence, GraphState, Matching,
    State, StateGraph, StatePath, Transition,
};
pub use for_each::{for_each_valid, par_for_each_valid};
pub use korat_core::{
    Backtracking, Bounds, BoundsError, Disagreement, Explanation, FieldOf, Finitize, IntoValue, Natural, OutOfBounds,
    Profile, ProfiledField, ProfiledLine, Pruning, ReadLast, RepOk, SearchError, SelfCheck, Statement, Unread,
};
#[cfg(feature = "repair")]
pub use korat_core::{Change, Interruption, Rejection, Target};
#[cfg(feature = "petgraph")]
pub use korat_core::{GraphWeight, graph_weights};
pub use korat_macros::{Finitize, rep_ok};
#[cfg(any(feature = "arbitrary", feature = "insta", feature = "proptest"))]
pub use pool::Searched;
pub use progress::Progress;
pub use property::Outcome;
#[cfg(feature = "repair")]
pub use repair::{Irreparable, Reason, Repair, Repaired, repair};
pub use report::{DescentReport, Ending, Report, SummaryReport};
pub use search::Search;
pub use shard::{Division, Shard};
pub use stats::Stats;
pub use valid::{Valid, valid};
pub use with::{Inputs, SearchWith, Source};

#[doc = include_str!("../docs/what-you-can-write.md")]
pub mod what_you_can_write {}

#[doc(hidden)]
pub use korat_core::__private;

#[doc(hidden)]
pub use labels::__label;

/// Runs the examples of the README as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
