//! Bounded-exhaustive testing: a property is run on *every* valid value of a data structure, up to a bound.
//!
//! You write a structure and its representation invariant, `rep_ok`, in ordinary Rust. korat generates all valid values, smallest
//! first, none twice and none left out, and runs your property on each of them inside `cargo test`.
//!
//! # In one screen
//!
//! This list is to be strictly increasing, but `insert` puts an element that is there already in once more.
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
//! `cargo test` shows the smallest list on which that fails, and how to get it back:
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
//! kept: in korat-regressions/lists.txt, and run first the next time; commit it
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
//! With `insert` mended, the property holds for all lists within the bound, and `expect_count` says how many that are to be:
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
//! The one number to turn is the *scope*: how many objects of each class there may be, and what `scope` means in a
//! `#[finitize(..)]` attribute. A run at a scope has all smaller values in it, and has them first; no loop over scopes is needed.
//!
//! # What there is
//!
//! | | |
//! | --- | --- |
//! | [`Finitize`], [`rep_ok`] | on the structs of the structure, and on the `impl` block of its invariant; [`what_you_can_write`] has every form |
//! | [`for_each_valid`], [`valid`] | a property on every valid value; the values as an iterator |
//! | [`Search`], [`field!`] | the builder behind both: other bounds, sizes, limits, everything else in this table |
//! | [`Config`] | all settings, with those of the environment, such as `KORAT_SCOPE=6 cargo test`, and the rule which of them counts |
//! | [`Report`], [`Ending`] | what a run did: exact counts, the same in every run; [`expect_count`](Report::expect_count), [`expect_complete`](Report::expect_complete) |
//! | [`Search::replay`], [`Search::failures`] | one value, as a failure prints it; several different failures |
//! | [`Search::profile`], [`Search::explain`] | where `rep_ok` rejects, line by line; how it was run |
//! | [`Search::stats`], [`label!`] | histograms of the values by size and by label |
//! | [`Search::gallery`], [`draw`](Search::draw), [`svg`](Search::svg), [`dot`](Search::dot) | a page with pictures of the values; values as text, as pictures, for Graphviz |
#![cfg_attr(
    feature = "insta",
    doc = "| [`assert_valid_snapshot!`], [`snapshot_value!`], [`snapshot_each!`] | snapshots, through insta: of all valid values, of one, of a result for each |"
)]
#![cfg_attr(
    feature = "async",
    doc = "| [`for_each_valid_async`], [`for_each_async`](Search::for_each_async) | the same for properties that wait |"
)]
//! | [`interop`] | valid values for proptest and for fuzzers, with the features `proptest` and `arbitrary` |
//!
//! The guide in the repository, under `docs/`, goes through all of it, from the first test to what to do about messages.
//!
//! # Background
//!
//! Most bugs in linked structures show up on small ones. Rather than draw large values at random, korat generates all small
//! ones. It runs the invariant on candidates whose fields are decided only when the invariant reads them, and so skips at once
//! every candidate that differs only in what was not looked at. No two generated values are equal up to renaming objects, and no
//! valid one is left out. The idea is Korat's (Boyapati, Khurshid and Marinov, *Korat: automated testing based on Java
//! predicates*, ISSTA 2002).
//!
//! # Turning the search
//!
//! [`Search`] bounds one class or one field, stops at a limit, takes values one by one, draws them.
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
//! let report = Search::new(List::scope(5))
//!     .objects::<Node>(2)
//!     .domain(field!(Node.value), [3, 5, 7])
//!     .for_each(|list| assert!(list.head.is_none_or(|node| node.value > 2)));
//! assert_eq!((report.valid, report.complete), (1 + 3 + 9, true));
//!
//! let drawings = Search::new(List::scope(1)).draw(2);
//! assert_eq!(drawings[1], "List\n`- head: Node { value: 0 }\n");
//! ```
//!
//! # How `rep_ok` is run
//!
//! When `rep_ok` rejects a candidate, the field that was decided last gets its next value, and `rep_ok` goes on from the
//! statement that read it, with everything undone that it did since. That is [`Backtracking::Checkpoint`], the default.
//! [`Backtracking::Reexecute`] runs it from the top for every candidate, as does `#[rep_ok(reexecute)]` for one invariant.
//! Both see the same candidates in the same order; only `field_inits` and `undo_ops` of the [`Report`] differ.
//!
//! [`Search::explain`], or `KORAT_EXPLAIN=1` in the environment, says how often the search came back to each statement, and
//! what is run again from further up and why. [`Search::profile`], or `KORAT_PROFILE=1`, says where candidates are rejected,
//! line by line, and which field was read last. Run again from further up are:
//!
//! - a statement in which a closure, or a function outside the block, reads fields;
//! - a method that is called on something other than `self`, or in a closure: write `Self::height(left)` for
//!   `left.height()`, a loop for the closure;
//! - a method that is generic, takes `impl Trait` or `dyn`, or has `#[cfg]` in it;
//! - all of `rep_ok`, if its block names `Mutex`, `OnceCell`, atomics, `Drop` or the like, or if a local that is used after
//!   a later read is an `Rc` of the invariant's own or a type of yours that owns memory. A `String` or a `Box` is cloned
//!   before it changes.
//!
//! # Patterns
//!
//! An invariant is ordinary Rust. Patterns may take classes and sequences apart; a field is read when its part of the
//! pattern is matched, and what is not looked at is not decided:
//!
//! ```
//! # use korat::{Finitize, rep_ok};
//! #[derive(Debug, Finitize)]
//! struct Node {
//!     red: bool,
//!     children: [Option<Box<Node>>; 2],
//! }
//!
//! #[derive(Debug, Finitize)]
//! struct Tree {
//!     root: Option<Box<Node>>,
//! }
//!
//! #[rep_ok]
//! impl Tree {
//!     /// The root is black, and no red node has a red child.
//!     fn rep_ok(&self) -> bool {
//!         !matches!(self.root.as_deref(), Some(Node { red: true, .. })) && Self::alternates(self.root.as_deref())
//!     }
//!
//!     fn alternates(node: Option<&Node>) -> bool {
//!         let Some(Node { red, children }) = node else { return true };
//!         let [left, right] = children;
//!         [left, right].into_iter().flatten().all(|child| !(*red && child.red) && Self::alternates(Some(&**child)))
//!     }
//! }
//!
//! let report = korat::for_each_valid(Tree::scope(3), |tree| assert!(tree.rep_ok()));
//! // No node, one, two (the child on either side, red or not), three.
//! assert_eq!(report.valid, 1 + 1 + 2 * 2 + (4 * 3 + 4));
//! ```
//!
//! # What you can write
//!
//! The page [`what_you_can_write`] has an example of every form of field and of expression, and of what is refused, with
//! what to write instead. What the macros can see is refused on your own token; the rest is an error of rustc inside
//! `rep_ok` that names a `Slot`, a `twin` or `__KoratNode`: these stand for your types while the search runs.
//!
//! `rep_ok` must be deterministic, reads the structure and does not change it, and may meet cyclic candidates wherever the
//! types allow a cycle (`Rc<RefCell<_>>`): it has to remember what it visited. Too many loop rounds, closure calls and calls
//! without a new field are reported as a loop without end. Rings of `Rc` in generated values are freed once nobody holds
//! them.
//!
//! # Types of other crates
//!
//! With the features `slotmap`, `id-arena` and `petgraph` fields may have the types of these crates. `SlotMap<K, V>` and `Arena<T>`
//! are arenas: keys and ids with `index_of` stand for their elements, whose places do not matter. A key type of your own is an id.
//! A `Graph<N, E, Ty, Ix>` is any graph without parallel edges, once up to isomorphism; its domain is written with
//! `graph_weights(nodes, edges)`, and `len` bounds the number of its nodes.
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
//!
//! # In this crate
//!
//! `search` and `config` take the user's words, `env` those of the environment; `values` gives the values of a search, smallest
//! first, `run` keeps to the limits, `harness` runs a property on them. `property` is one run of it, `failure`, `pasted`,
//! `replay` and `regressions` are what people get of a failing one, `report` what they get of any, `progress` while it runs,
//! `profile` and `stats` (with `labels`) what they asked for;
//! `picture` draws values, `snapshot` has macros on top of insta, `interop` hands values to other test tools. The search itself is `korat-core`, the macros are
//! `korat-macros`.

mod config;
mod crash_note;
mod enclosing;
mod env;
mod failure;
#[cfg(doctest)]
mod guide;
mod harness;
pub mod interop;
mod labels;
#[cfg(feature = "async")]
mod later;
mod pace;
mod panics;
mod pasted;
mod picture;
#[cfg(any(feature = "arbitrary", feature = "insta", feature = "proptest"))]
mod pool;
mod profile;
mod progress;
mod property;
mod regressions;
mod repair;
mod replay;
mod report;
mod run;
mod say;
mod search;
#[cfg(feature = "insta")]
#[doc(hidden)]
pub mod snapshot;
mod stats;
mod tokens;
mod values;

pub use config::{Config, Order, Progress, Sizes};
pub use harness::for_each_valid;
pub use korat_core::{
    Backtracking, Bounds, BoundsError, BrokenOff, Change, Counters, Disagreement, Explanation, Finitize, OutOfBounds,
    Profile, ProfiledField, ProfiledLine, Pruning, ReadLast, Rejection, RepOk, SearchError, SelfCheck, Statement,
    Target, Unread,
};
#[cfg(feature = "petgraph")]
pub use korat_core::{GraphWeight, graph_weights};
pub use korat_macros::{Finitize, rep_ok};
#[cfg(feature = "async")]
pub use later::for_each_valid_async;
#[cfg(any(feature = "arbitrary", feature = "insta", feature = "proptest"))]
pub use pool::Searched;
pub use property::Outcome;
pub use repair::{Irreparable, Reason, Repair, Repaired, repair};
pub use report::{Ending, Report};
pub use run::{Valid, valid};
pub use search::Search;
pub use stats::Stats;

#[doc = include_str!("../docs/what-you-can-write.md")]
pub mod what_you_can_write {}

#[doc(hidden)]
pub use korat_core::__private;

/// Names one field of one class, for [`Search::domain`] and [`Search::values`]. The field must be visible where the macro
/// is used.
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// #[derive(Debug, Finitize)]
/// struct Dice {
///     eyes: u8,
/// }
///
/// #[rep_ok]
/// impl Dice {
///     fn rep_ok(&self) -> bool {
///         self.eyes > 0
///     }
/// }
///
/// let report = korat::Search::new(Dice::scope(0)).domain(korat::field!(Dice.eyes), 0..=6).count();
/// assert_eq!(report.valid, 6);
/// ```
#[macro_export]
macro_rules! field {
    ($class:ident $(:: $rest:ident)* . $field:tt) => {
        $crate::__FieldOf::new(
            ::core::stringify!($field),
            |object: &$class $(:: $rest)*| &object.$field,
        )
    };
}

#[doc(hidden)]
pub use korat_core::FieldOf as __FieldOf;
#[doc(hidden)]
pub use labels::__label;

/// The examples of the README run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
