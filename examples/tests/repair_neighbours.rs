//! Repair of everything that one fault can make of a small structure: every invalid value that differs in one slot from a valid one
//! is repaired, and the nearest valid value is one change away.

use korat::{Bounds, Finitize, RepOk, Repair, field};
use korat_core::{Searcher, Settings};
use korat_examples::*;

/// Repairs every invalid neighbour of every valid value; gives how many there are.
fn repaired<T: Finitize + RepOk>(bounds: impl Fn() -> Bounds<T>) -> usize {
    let searcher = || Searcher::<T>::new(&bounds(), Settings::default()).expect("the bounds are right");
    let mut values = Vec::new();
    let mut search = searcher();
    while search.advance().expect("the invariant is right") {
        let value = search.value();
        values.push(search.abstract_value(&value).expect("it is within the bounds"));
    }
    let mut builder = searcher();
    let mut count = 0;
    for value in &values {
        for neighbour in builder.neighbours(value) {
            let mut corrupt = builder.build(&neighbour);
            if corrupt.holds() {
                continue;
            }
            count += 1;
            let mut other = builder.build(&neighbour);
            let repaired = Repair::new().within(bounds()).repair(&mut other);
            let repaired = repaired.unwrap_or_else(|error| panic!("{neighbour:?}: {error}"));
            assert!(other.holds() && !repaired.changes.is_empty(), "{neighbour:?}: {repaired}");
            let nearest = Repair::new().within(bounds()).minimal().repair(&mut corrupt);
            let nearest = nearest.unwrap_or_else(|error| panic!("{neighbour:?}: {error}"));
            assert!(corrupt.holds(), "{neighbour:?}: {nearest}");
            assert_eq!(nearest.changes.len(), 1, "{neighbour:?}: {nearest}");
        }
        builder.free_cycles();
    }
    count
}

macro_rules! structures {
    ($($name:ident: $bounds:expr;)*) => {$(
        #[test]
        fn $name() {
            let count = repaired(|| $bounds);
            assert!(count > 100, "only {count} invalid neighbours");
        }
    )*};
}

structures! {
    binary_trees: binary_tree::BinaryTree::scope(4).domain(field!(binary_tree::BinaryTree.size), 0..=4);
    search_trees: search_tree::SearchTree::scope(4).domain(field!(search_tree::SearchTree.size), 0..=4);
    avl_trees: avl_tree::AvlTree::scope(4).domain(field!(avl_tree::AvlTree.size), 0..=4);
    red_black_trees: red_black_tree::RedBlackTree::scope(4);
    nary_trees: nary_tree::NaryTree::scope(4);
    linked_lists: linked_list::LinkedList::scope(4);
    sorted_lists: sorted_list::SortedList::scope(4);
    union_finds: union_find::UnionFind::scope(4);
    heap_arrays: heap_array::HeapArray::scope(4);
    deques: deque::Deque::scope(4);
}
