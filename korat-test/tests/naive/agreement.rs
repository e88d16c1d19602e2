//! The generated set equals, up to isomorphism, what enumerating everything and filtering finds; and the untouched `rep_ok`
//! accepts each generated value and rejects each rejected one that can be built. Each structure with its exact counts, and
//! with the same candidates in both ways of backtracking.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Finitize, Pruning, Search, Unread};

use crate::atomic_pointers::Stack;
use crate::boxes::{Buffer, Heap, List, Parcel, Shelf, Words};
use crate::by_value::{Coat, Figure, Rose, Table};
use crate::canonical::canonical;
use crate::cells::{Disk, Line, Queue, Ring, Tangle, Watcher};
use crate::compound_keys::{Board, Route};
use crate::deques::{Bush, Train, Window};
use crate::enums::{Calc, Document, Loop, Schedule};
use crate::generic::{Choices, Either, Ring as RingOf, Tree};
use crate::harness::{Subject, assert_agreement, generated_set, naive, naive_by};
use crate::instances::{Shape, Stone};
use crate::keyed::{Bijection, Drawer, Palette, Sheet, Stock, Trie};
use crate::members::{Figure as NamedFigure, Panel, Tour};
use crate::mixed::{Marked, Office, Twig};
use crate::nested::{Answer, Lossy, Picture, Square};
use crate::nested_classes::Sketch;
use crate::operators::{Catalog, Circle, Mirror, Party as Clubs};
use crate::plain::{Interval, Job, Profile, Sorted};
use crate::plain_pointers::{Basket, Gauge, Names, Sorted as SortedLinks};
use crate::pointed_parts::{Meter as PointedMeter, Words as TrieOfWords};
use crate::promised::{Crew, Farm, Flock, Fork};
use crate::raw::{Family, Pile, Round, Tailed};
use crate::raw_enums::{Deck, Grove};
use crate::records::RawTree;
use crate::shared::{Chain, Club, Dag, Purse, Story};
use crate::std_values::{Counters, Span, Yard};
use crate::threads::{Meter, Wire};
use crate::tuples::{Dictionary, Pairs, Party, Reading};
use crate::values::{Label, Odds, Picks};
use crate::whole::Atlas;
use crate::{enums, hashers, instances, keyed, nested, patterns_behind_references, threads, via};

/// `structure_agrees` for each structure, with the number of values per scope.
macro_rules! agreement {
    ($($(#[$attr:meta])* $name:ident: $subject:ty => [$(($scope:literal, $count:literal)),*];)*) => {$(
        #[test]
        $(#[$attr])*
        fn $name() {
            $( assert_agreement::<$subject>($scope, $count); )*
        }
    )*};
}

agreement! {
    copied_pointers_agree: RawTree => [(0, 1), (1, 3), (2, 9)];
    derived_operators_agree: Catalog => [(0, 1), (1, 13), (2, 167)];
    equality_by_hand_agrees: Mirror => [(0, 1), (1, 1), (2, 5)];
    equality_of_shared_parts_agrees: Clubs => [(0, 0), (1, 4), (2, 8), (3, 8)];
    printing_of_cycles_agrees: Circle => [(0, 1), (1, 5), (2, 25), (3, 345)];
    atomic_pointers_agree: Stack => [(0, 2), (1, 10), (2, 18)];
    boxed_arrays_agree: TrieOfWords => [(0, 1), (1, 2), (2, 5), (3, 16)];
    parts_behind_pointers_agree: PointedMeter => [(0, 25), (1, 85)];
    vectors_listed_as_a_whole_agree: Atlas => [(0, 128), (1, 768)];
    options_of_classes_in_tuples_agree: Sketch => [(0, 2000)];
    raw_pointers_to_a_tree_of_enums_agree: Grove => [(0, 1), (1, 3), (2, 8), (3, 19)];
    raw_pointers_to_boxed_enums_agree: Deck => [(0, 1), (1, 5), (2, 10)];
    classes_in_tuples_agree: NamedFigure => [(0, 270), (1, 270)];
    cells_and_locks_in_options_agree: Panel => [(0, 180), (1, 288)];
    cycles_through_cells_in_options_agree: Tour => [(0, 1), (1, 4), (2, 8), (3, 13)];
    options_that_list_what_they_hold_agree: Picks => [(0, 9), (1, 18), (2, 27)];
    ranges_and_floats_agree: Span => [(0, 3), (1, 12), (2, 39)];
    lists_and_heaps_agree: Yard => [(0, 0), (1, 24), (2, 840)];
    atomics_agree: Counters => [(0, 12), (1, 24), (2, 26)];
    keys_of_several_parts_agree: Board => [(0, 984)];
    plain_types_with_compound_fields_agree: Route => [(0, 588), (1, 3492)];
    pointers_to_plain_values_agree: Gauge => [(0, 15), (1, 54), (2, 126)];
    texts_that_can_be_shared_agree: Names => [(0, 8), (1, 42), (2, 52)];
    pointers_to_a_type_parameter_agree: SortedLinks<u8> => [(0, 1), (1, 5), (2, 19)];
    containers_and_cells_behind_pointers_agree: Basket => [(0, 18), (1, 63), (2, 96)];
    fieldless_enum_agrees: Job => [(0, 3), (1, 7), (2, 11), (3, 15)];
    tuple_struct_agrees: Interval => [(0, 1), (1, 3), (2, 7), (3, 13)];
    scalars_agree: Profile => [(0, 3), (1, 13), (2, 30), (3, 53)];
    sorted_vector_agrees: Sorted => [(0, 1), (1, 3), (2, 6), (3, 10)];
    boxed_list_agrees: List => [(0, 1), (1, 3), (2, 6), (3, 10)];
    list_with_unread_payload_agrees: Buffer => [(0, 1), (1, 4), (2, 13), (3, 40)];
    array_of_boxes_agrees: Words => [(0, 1), (1, 2), (2, 6), (3, 24)];
    required_box_agrees: Parcel => [(0, 0), (1, 6), (2, 26), (3, 42)];
    root_of_its_own_class_agrees: Heap => [(1, 2), (2, 8), (3, 29)];
    vector_of_boxes_agrees: Shelf => [(0, 1), (1, 4), (2, 7), (3, 8)];
    shared_graph_without_cycles_agrees: Dag => [(0, 1), (1, 2), (2, 5), (3, 21)];
    shared_chain_agrees: Chain => [(0, 1), (1, 3), (2, 6), (3, 11)];
    required_rc_agrees: Purse => [(0, 0), (1, 3), (2, 11), (3, 15)];
    two_classes_agree: Club => [(0, 0), (1, 8), (2, 88)];
    weak_pointers_without_cells_agree: Story => [(0, 1), (1, 2), (2, 4), (3, 10)];
    class_held_in_two_ways_agrees: Twig => [(0, 0), (1, 4), (2, 12), (3, 22), (4, 26)];
    cycle_through_a_box_is_left_out: Office => [(0, 1), (1, 5), (2, 15), (3, 29)];
    chain_entered_through_a_weak_pointer_agrees: Marked => [(0, 0), (1, 2), (2, 8), (3, 22)];
    ring_agrees: Ring => [(0, 1), (1, 3), (2, 7), (3, 15)];
    doubly_linked_list_agrees: Queue => [(0, 1), (1, 2), (2, 3), (3, 4)];
    rc_in_a_cell_agrees: Line => [(0, 0), (1, 3), (2, 11), (3, 28)];
    tree_with_parents_agrees: Disk => [(0, 1), (1, 2), (2, 5)];
    weak_pointer_to_what_unread_fields_hold_agrees: Watcher => [(0, 0), (1, 6), (2, 42), (3, 162)];
    map_of_numbers_agrees: Stock => [(0, 1), (1, 4), (2, 9)];
    map_of_nodes_by_value_agrees: Trie => [(0, 2), (1, 2), (2, 6), (3, 24), (4, 80)];
    sets_agree: Palette => [(0, 1), (1, 14), (2, 28), (3, 92)];
    maps_of_pointers_agree: keyed::Office => [(0, 1), (1, 13), (2, 31), (3, 37)];
    maps_of_compound_values_agree: Sheet => [(0, 3), (1, 36), (2, 365)];
    sets_inside_other_fields_agree: Drawer => [(0, 62), (1, 212)];
    generic_maps_agree: Bijection<u8> => [(0, 2), (1, 7), (2, 34)];
    deque_of_numbers_agrees: Window => [(0, 2), (1, 7), (2, 13), (3, 23)];
    deque_of_boxes_agrees: Train => [(0, 1), (1, 3), (2, 6), (3, 10)];
    deque_of_nodes_by_value_agrees: Bush => [(0, 1), (1, 3), (2, 3), (3, 7)];
    queue_with_a_raw_tail_agrees: Tailed => [(0, 1), (1, 2), (2, 4), (3, 8)];
    raw_ring_agrees: Round => [(0, 1), (1, 2), (2, 3), (3, 4)];
    tree_with_raw_parents_agrees: Family => [(0, 1), (1, 3), (2, 11)];
    raw_pointers_of_every_kind_agree: Pile => [(0, 1), (1, 7), (2, 33), (3, 127)];
    list_of_locks_agrees: Wire => [(0, 1), (1, 2), (2, 3), (3, 4)];
    arc_in_locks_and_cells_agrees: threads::Bush => [(0, 0), (1, 6), (2, 16)];
    cells_of_plain_values_agree: Meter => [(0, 22), (1, 54), (2, 116)];
    texts_agree: Label => [(0, 6), (1, 62), (2, 244)];
    plain_values_of_std_agree: Odds => [(1, 14), (2, 28), (3, 46)];
    structure_of_which_nothing_is_read_agrees: Tangle => [(0, 3), (1, 35), (2, 602)];
    boxed_enum_agrees: Calc => [(0, 1), (1, 3), (2, 6), (3, 12)];
    enum_with_an_invariant_agrees: enums::Tree => [(1, 1), (2, 1), (3, 4), (4, 4), (5, 10), (6, 10), (7, 15)];
    enums_by_value_agrees: Schedule => [(0, 41), (1, 191), (2, 783)];
    shared_enum_agrees: Loop => [(1, 3), (2, 8), (3, 15)];
    enum_in_its_own_vector_agrees: Document => [(0, 4), (1, 12), (2, 41), (3, 163)];
    node_in_its_own_vector_agrees: Rose => [(0, 2), (1, 5), (2, 14), (3, 32)];
    structs_by_value_agrees: Figure => [(0, 126)];
    patterns_behind_references_agrees: patterns_behind_references::Shelf => [(2, 3843)];
    three_vectors_of_one_class_agree: Fork => [(1, 1), (2, 3), (3, 11), (4, 49)];
    boxes_beside_vectors_of_boxes_agree: Crew => [(0, 1), (1, 3), (2, 8), (3, 14)];
    boxes_reached_before_their_vector_agree: Flock => [(0, 1), (1, 3), (2, 11), (3, 35)];
    vectors_of_vectors_of_one_class_agree: Farm => [(0, 3), (1, 6), (2, 13), (3, 27), (4, 63)];
    options_of_structs_agrees: Table => [(0, 13), (1, 25), (2, 27)];
    struct_with_counted_pointers_agrees: Coat => [(0, 6), (1, 74), (2, 162)];
    plain_tuples_agrees: Reading => [(0, 14), (1, 68), (2, 186)];
    vector_of_tuples_agrees: Pairs => [(0, 2), (1, 6), (2, 14)];
    tuples_with_boxes_agrees: Dictionary => [(0, 1), (1, 2), (2, 6), (3, 24)];
    tuples_with_counted_pointers_agrees: Party => [(0, 1), (1, 3), (2, 18), (3, 42)];
    options_of_options_agrees: Answer => [(0, 6), (1, 8), (2, 10)];
    options_of_options_of_boxes_agrees: Lossy => [(0, 2), (1, 5), (2, 11), (3, 23)];
    vectors_of_vectors_agrees: nested::Sheet => [(0, 4), (1, 23), (2, 104)];
    arrays_of_arrays_agrees: Square => [(0, 112)];
    plain_as_a_whole_agrees: Picture => [(0, 19)];
    containers_made_from_others_agree: via::Journal<u8> => [(0, 4), (1, 88)];
    chain_of_classes_agrees: instances::Chain<Stone, 2> => [(0, 1), (1, 5), (2, 16)];
    chain_of_enums_agrees: instances::Chain<Shape, 2> => [(0, 1), (1, 6), (2, 51)];
    chain_of_texts_agrees: instances::Chain<String, 2> => [(0, 1), (1, 4), (2, 11)];
    vector_and_option_of_a_class_parameter_agree: instances::Shelf<Stone> => [(0, 1), (1, 17), (2, 81)];
    vector_and_option_of_a_vector_parameter_agree: instances::Shelf<Vec<bool>> => [(0, 1), (1, 10), (2, 393)];
    vector_and_option_of_a_pointer_parameter_agree: instances::Shelf<Box<u8>> => [(0, 1), (1, 5), (2, 37)];
    pointers_to_a_class_parameter_agree: instances::Ties<Stone> => [(1, 21), (2, 21)];
    class_with_an_instance_agrees: instances::Store => [(0, 1), (1, 3), (2, 7), (3, 15)];
    hash_table_by_hand_agrees: hashers::Table<u8, hashers::Sums> => [(0, 2), (1, 4), (2, 6)];
    maps_with_another_hasher_agree: hashers::Maps<u8, hashers::Sums> => [(0, 4), (1, 16), (2, 64)];
    generic_tree_agrees: Tree<u8> => [(0, 1), (1, 3), (2, 10), (3, 37)];
    generic_tree_of_flags_agrees: Tree<bool> => [(0, 1), (1, 3), (2, 5), (3, 5)];
    ring_of_a_constant_size_agrees: RingOf<bool, 2> => [(0, 10)];
    generic_enum_agrees: Either<u8, u8> => [(0, 2), (1, 5), (2, 9)];
    generic_enum_by_value_agrees: Choices => [(0, 4), (1, 36), (2, 112)];
}

/// The message of the panic that a search ends with.
fn panic_of<T: Subject>(search: Search<T>) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| search.report())).expect_err("the search goes through");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn classic_search_refuses_a_box_that_is_owned_twice() {
    for message in [
        panic_of(Search::new(Buffer::scope(1)).pruning(Pruning::Classic)),
        panic_of(Search::new(Words::scope(2)).pruning(Pruning::Classic)),
    ] {
        assert!(message.contains("cannot hold"), "{message}");
    }
}

#[test]
fn classic_search_refuses_a_cycle_that_cannot_be_built() {
    let message = panic_of(Search::new(Chain::scope(1)).pruning(Pruning::Classic));
    assert!(message.contains("cannot hold"), "{message}");
}

#[test]
fn wrong_filter_gives_a_different_set() {
    let generated = generated_set(Search::new(List::scope(2)));
    assert_eq!(naive::<List>(2).accepted, generated);
    let all = naive_by::<List>(2, |_| true).accepted;
    assert!(all.is_superset(&generated) && all != generated);
    let one_missing = naive_by::<List>(2, |list| list.rep_ok() && !list.is_empty()).accepted;
    assert!(one_missing.is_subset(&generated) && one_missing != generated);
    assert_ne!(naive::<List>(1).accepted, generated);
}

#[test]
fn walk_tells_sharing_from_equality() {
    // Two coins that show the same side, and one coin twice.
    let texts: BTreeSet<String> = naive_by::<Purse>(2, |_| true).accepted;
    let one_twice = "Purse( #0 Coin( true ) #0 () false ) ";
    let two_alike = "Purse( #0 Coin( true ) #1 Coin( true ) () false ) ";
    assert!(texts.contains(one_twice) && texts.contains(two_alike), "{texts:#?}");
}

/// The values that `Unread::First` leaves, and whether the report says so.
fn first_of_unread<T: Subject>(scope: usize) -> BTreeSet<String> {
    let all = generated_set(Search::new(T::scope(scope)));
    let mut first = Vec::new();
    let search = Search::new(T::scope(scope)).unread(Unread::First).allow_empty(true);
    let report = search.for_each(|value| first.push(canonical(&value)));
    assert!(report.unread_first && report.is_complete());
    assert_eq!(report.valid, first.len() as u64);
    let set: BTreeSet<String> = first.iter().cloned().collect();
    assert_eq!(set.len(), first.len(), "some representative was generated twice");
    assert!(set.is_subset(&all));
    set
}

#[test]
fn first_of_an_unread_payload_is_one_list_per_length() {
    assert_eq!(first_of_unread::<Buffer>(3).len(), 4);
    assert_eq!(Search::new(Buffer::scope(3)).count(), 1 + 3 + 9 + 27);
    assert!(!Search::new(Buffer::scope(3)).report().unread_first);
}

#[test]
fn first_where_nothing_is_read_is_one_value() {
    assert_eq!(first_of_unread::<Tangle>(2).len(), 1);
}

#[test]
fn first_leaves_alone_what_is_read() {
    assert_eq!(first_of_unread::<Dag>(3), naive::<Dag>(3).accepted);
}

#[test]
fn first_finds_a_holder_for_a_weak_pointer_that_was_read() {
    // The invariant reads the weak pointer alone; one value stands for all ways of holding its target.
    assert_eq!(first_of_unread::<Watcher>(2).len(), 1);
}
