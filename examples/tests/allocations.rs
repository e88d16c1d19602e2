//! A search that has warmed up allocates nothing: not per candidate, not per value. Counted by the allocator, per
//! thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

use korat::{Backtracking, Finitize, Pruning, RepOk, SelfCheck};
use korat_core::{Searcher, Settings};
use korat_examples::binary_tree::BinaryTree;
use korat_examples::binary_tree::recursive::RecursiveTree;
use korat_examples::red_black_tree::RedBlackTree;
use korat_examples::search_tree::SearchTree;

thread_local! {
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts what it hands out.
struct Counting;

// SAFETY: all is left to the system's allocator; the counter neither allocates nor has a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + 1);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + 1);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + 1);
        // SAFETY: the caller's own promise.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const WARM_UP: u64 = 10_000;
const MEASURED: u64 = 100_000;

/// The allocations during `MEASURED` candidates, after those of the warm-up; `on_candidate` runs on each of them.
fn allocations<T: Finitize + RepOk>(scope: usize, backtracking: Backtracking, on_candidate: impl Fn()) -> u64 {
    // The check builds values now and then.
    let self_check = SelfCheck::Off;
    let settings = Settings { pruning: Pruning::Classic, backtracking, self_check, ..Settings::default() };
    let mut searcher = Searcher::new(&T::scope(scope), settings).expect("the bounds are right");
    let (mut candidates, mut before, mut after) = (0, 0, None);
    let mut count = |_: korat_core::Candidate<'_>| {
        candidates += 1;
        on_candidate();
        if candidates == WARM_UP {
            before = ALLOCATED.get();
        }
        if candidates == WARM_UP + MEASURED {
            after = Some(ALLOCATED.get());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    while searcher.advance_observed(&mut count).expect("the predicate is right") {}
    after.expect("there are candidates enough") - before
}

fn allocates_nothing<T: Finitize + RepOk>(scope: usize, backtracking: Backtracking) {
    assert_eq!(allocations::<T>(scope, backtracking, || ()), 0, "{backtracking:?}");
}

#[test]
fn binary_trees() {
    allocates_nothing::<BinaryTree>(10, Backtracking::Reexecute);
    allocates_nothing::<BinaryTree>(10, Backtracking::Checkpoint);
}

#[test]
fn recursive_binary_trees() {
    allocates_nothing::<RecursiveTree>(10, Backtracking::Reexecute);
    allocates_nothing::<RecursiveTree>(10, Backtracking::Checkpoint);
}

#[test]
fn search_trees() {
    allocates_nothing::<SearchTree>(7, Backtracking::Reexecute);
    allocates_nothing::<SearchTree>(7, Backtracking::Checkpoint);
}

/// Its predicate has a `VecDeque` of std, which allocates whenever it is made anew, as in a run from the top. At 7 there are but
/// 101,104 candidates.
#[test]
fn red_black_trees() {
    allocates_nothing::<RedBlackTree>(8, Backtracking::Checkpoint);
}

#[test]
fn an_allocation_per_candidate_is_found() {
    let allocate = || drop(std::hint::black_box(Box::new(1)));
    assert_eq!(allocations::<BinaryTree>(10, Backtracking::Reexecute, allocate), MEASURED);
}
