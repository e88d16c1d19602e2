//! A corpus of invariants as people write them. Every way of backtracking sees the same candidates in the same order, in
//! both prunings, and generates exactly the values that the untouched `rep_ok` accepts.

#![allow(
    clippy::collapsible_if,
    clippy::collapsible_match,
    clippy::needless_lifetimes,
    clippy::needless_range_loop,
    clippy::redundant_closure,
    clippy::type_complexity,
    clippy::while_let_on_iterator,
    reason = "people write these, and they must work"
)]

mod addresses;
mod chains;
mod coerced;
mod control;
mod enums;
mod expressions;
mod graphs;
mod harness;
mod helpers;
mod kept_loops;
mod lists;
mod locals;
mod lowered;
mod nodes;
mod pairs;
mod parents;
mod parts;
mod places;
mod plain_containers;
mod pointers;
mod summaries;
#[path = "../common/trace.rs"]
mod trace;
mod trees;
mod values;
mod vectors;
mod visited;

use harness::corpus;

corpus! {
    search_tree_by_bounds: trees::SearchByBounds, 3 => 15;
    search_tree_by_keys: trees::SearchByKeys, 3 => 15;
    search_tree_by_stack: trees::SearchByStack, 3 => 15;
    balanced_tree: trees::Balanced, 4 => 370;
    complete_tree: trees::Complete, 4 => 121;
    heap_ordered_tree: trees::HeapOrdered, 3 => 70;
    tree_with_mutual_recursion: trees::Alternating, 3 => 25;
    mirrored_tree: trees::Mirrored, 4 => 12;
    full_tree: trees::Full, 4 => 31;
    rising_paths: trees::RisingPaths, 3 => 46;
    narrow_tree: trees::Narrow, 4 => 513;
    tree_in_post_order: trees::PostOrder, 3 => 66;
    tree_summary: trees::Summary, 3 => 51;
    leaning_tree: trees::Leaning, 4 => 391;
    tree_with_size: trees::Sized, 3 => 157;
    red_black_tree: trees::RedBlack, 4 => 10;

    rising_list: lists::Rising, 3 => 8;
    palindrome: lists::Palindrome, 4 => 25;
    distinct_values: lists::Distinct, 3 => 16;
    no_triples: lists::NoTriples, 4 => 103;
    middle_is_greatest: lists::MiddleIsGreatest, 4 => 60;
    explained_list: lists::Explained, 4 => 61;
    peeked_at: lists::PeekedAt, 4 => 22;
    sliding_window: lists::Window, 4 => 45;
    counted_values: lists::Counted, 4 => 42;
    merged_list: lists::Merged, 4 => 47;
    grouped_list: lists::Grouped, 4 => 49;
    list_with_its_end: lists::Ended, 3 => 40;
    brackets: lists::Brackets, 4 => 11;
    walk_above_zero: lists::Walk, 4 => 17;
    prefixed_list: lists::Prefixed, 4 => 169;

    sorted_chain: chains::Sorted, 3 => 35;
    sorted_chain_with_len: chains::SortedWithLen, 3 => 35;
    sorted_chain_by_option: chains::SortedByOption, 3 => 13;
    chain_checked_twice: chains::CheckedTwice, 3 => 24;
    chain_broken_off: chains::BrokenOff, 3 => 42;
    alternating_chain: chains::Alternating, 3 => 10;
    chain_with_skipped_keys: chains::Skipping, 3 => 41;
    chain_in_an_endless_loop: chains::Endless, 3 => 10;
    chain_in_helpers: chains::InHelper, 3 => 15;
    chain_with_question_mark: chains::Tried, 3 => 15;
    chain_compared_with_its_head: chains::Compared, 3 => 40;
    chain_in_nested_loops: chains::Nested, 3 => 41;
    chain_in_labelled_loops: chains::Labelled, 3 => 32;
    chain_with_a_cursor_used_later: chains::AtLast, 3 => 44;
    chain_after_a_call: chains::AfterCall, 3 => 32;
    chain_with_the_node_before: chains::ByNode, 3 => 53;
    chain_with_two_places: chains::FoundTwice, 3 => 35;
    borrowed_counter: kept_loops::Borrowed, 4 => 81;
    moved_vector: kept_loops::MovedOut, 4 => 61;
    replaced_text: kept_loops::Replaced, 4 => 120;
    deferred_local: kept_loops::Deferred, 4 => 58;
    open_types: kept_loops::Open, 4 => 80;
    captured_locals: kept_loops::Captured, 4 => 13;
    printed_locals: kept_loops::Printed, 4 => 39;
    constants_in_a_loop: kept_loops::Constants, 4 => 49;
    locals_by_reference: kept_loops::ByReference, 4 => 55;
    shadowed_locals: kept_loops::Shadowed, 4 => 10;
    loop_left_to_an_outer_one: kept_loops::Outer, 4 => 26;
    loop_of_a_generic_helper: kept_loops::Generic, 4 => 20;
    pushed_borrow: kept_loops::Pushed, 4 => 90;
    loop_with_a_value: kept_loops::Values, 4 => 58;
    errors_from_a_loop: kept_loops::Texts, 4 => 45;
    two_cursors: kept_loops::Twofold, 4 => 40;
    three_cursors: kept_loops::Threefold, 4 => 37;
    lent_counter: kept_loops::Lent, 4 => 20;

    max_heap: vectors::MaxHeap, 4 => 49;
    sorted_copy: vectors::SortedCopy, 4 => 8;
    permutation: vectors::Permutation, 4 => 10;
    compact_vector: vectors::Compact, 4 => 57;
    prefix_sums: vectors::PrefixSums, 4 => 58;
    unimodal: vectors::Unimodal, 4 => 21;
    histogram: vectors::Histogram, 4 => 38;
    heap_sorted: vectors::HeapSorted, 4 => 35;
    halves: vectors::Halves, 4 => 79;
    skyline: vectors::Skyline, 4 => 60;
    written_number: vectors::Written, 4 => 13;
    runs_of_different_length: vectors::Runs, 4 => 37;
    rotated: vectors::Rotated, 4 => 88;
    ballot: vectors::Ballot, 4 => 44;
    probing_table: vectors::Probing, 3 => 8;
    circular_queue: vectors::Circle, 3 => 12;
    forest_in_an_array: vectors::Forest, 4 => 101;
    queens: vectors::Queens, 4 => 2;
    latin_square: vectors::Latin, 3 => 12;
    spans: vectors::Spans, 4 => 17;

    acyclic_graph: graphs::Acyclic, 3 => 21;
    bipartite_graph: graphs::Bipartite, 3 => 90;
    shared_tree: graphs::Tree, 3 => 9;
    topological_order: graphs::Sorted, 3 => 21;
    strongly_connected: graphs::Strong, 2 => 29;
    graph_in_post_order: graphs::Postorder, 3 => 19;
    necklace: graphs::Necklace, 4 => 5;
    lasso: graphs::Lasso, 3 => 49;
    hierarchy: graphs::Hierarchy, 3 => 63;
    partition: graphs::Partition, 3 => 120;

    train: parents::Train, 3 => 4;
    volume: parents::Volume, 3 => 5;
    grove: parents::Grove, 3 => 8;
    subject: parents::Subject, 2 => 10;

    moved_out: locals::MovedOut, 3 => 111;
    top_of_stack: locals::TopOfStack, 3 => 13;
    last_of_path: locals::LastOfPath, 3 => 63;
    exchanged: locals::Exchanged, 3 => 127;
    taken: locals::Taken, 3 => 73;
    ticked: locals::Ticked, 3 => 14;
    spelled: locals::Spelled, 3 => 123;
    drained: locals::Drained, 3 => 35;
    best_so_far: locals::BestSoFar, 3 => 29;
    shared_notes: locals::SharedNotes, 3 => 4;
    pairs: locals::Pairs, 4 => 43;
    ledger: locals::Ledger, 4 => 43;
    local_types: locals::LocalTypes, 3 => 6;
    shadowed: locals::Shadowed, 3 => 40;

    guarded: control::Guarded, 2 => 57;
    labelled_block: control::LabelledBlock, 2 => 426;
    searched: control::Searched, 2 => 390;
    tried: control::Tried, 2 => 510;
    broken: control::Broken, 2 => 342;
    questioned: control::Questioned, 2 => 216;
    chained: control::Chained, 2 => 315;
    ranged: control::Ranged, 2 => 594;
    nested: control::Nested, 2 => 654;
    generic: control::Generic, 3 => 307;
    functional: control::Functional, 2 => 451;
    flagged: control::Flagged, 2 => 720;

    read_in_an_index: places::Indexed, 3 => 68;
    read_in_arguments: places::Arguments, 3 => 30;
    read_in_literals: places::Literals, 3 => 43;
    read_in_conditions: places::Conditions, 3 => 55;
    read_between_counters: places::EveryCounter, 3 => 143;
    own_boxes: places::OwnBoxes, 3 => 87;
    accumulated: places::Accumulated, 3 => 78;
    boxed_closures: places::Boxed, 3 => 99;
    set_of_pairs: places::SetOfPairs, 3 => 79;
    own_iterator: places::Resumed, 3 => 45;
    reported: places::Reported, 3 => 131;
    lists_by_value: places::ByValue, 3 => 64;
    section: places::Section, 3 => 11;

    beads: pointers::Beads, 2 => 6;
    cache: pointers::Cache, 3 => 310;
    tram: pointers::Tram, 3 => 10;
    shrub: pointers::Shrub, 2 => 77;
    locked_counter: pointers::Counter, 2 => 13;

    shallow_house: helpers::Shallow, 2 => 232;
    one_lamp: helpers::OneLamp, 2 => 162;
    shrinking_rooms: helpers::Sizes, 3 => 844;
    widest_room: helpers::Widest, 2 => 100;
    seated: helpers::Seated, 2 => 34;
    scanned: helpers::Scanned, 2 => 18;
    folded: helpers::Folded, 2 => 20;
    folding: helpers::Folding, 3 => 231;

    enums_simplified: expressions::Simplified, 3 => 63;
    enums_closed: expressions::Closed, 3 => 16;
    enums_leaning: expressions::Leaning, 3 => 36;
    enums_signed: expressions::Signed, 3 => 53;
    enums_polynomial: expressions::Polynomial, 3 => 36;
    enums_typed: expressions::Typed, 3 => 56;
    enums_linear: expressions::Linear, 3 => 88;
    enums_evaluated: expressions::Evaluated, 3 => 4;
    enums_named: expressions::Named, 3 => 64;
    enums_renamed: expressions::Renamed, 3 => 84;
    enums_stacked: expressions::Stacked, 3 => 128;
    enums_folded: expressions::Folded, 3 => 106;
    enums_mirrored: expressions::Mirrored, 3 => 12;
    enums_guarded: expressions::Guarded, 3 => 19;
    enums_uniform: enums::Uniform, 3 => 46;
    enums_weighed: enums::Weighed, 2 => 42;
    enums_tree: enums::Tree, 7 => 15;
    enums_drawing: enums::Drawing, 3 => 19;
    enums_framed: enums::Framed, 3 => 66;
    enums_shared: enums::Shared, 3 => 44;
    enums_log: enums::Log, 3 => 45;
    enums_slots: enums::Slots, 3 => 700;

    values_heaped: values::Heaped, 3 => 48;
    values_tall: values::Tall, 3 => 30;
    values_level: values::Level, 3 => 9;
    values_siblings: values::Siblings, 3 => 80;
    values_breadth: values::Breadth, 3 => 38;
    values_spine: values::Spine, 3 => 86;
    values_paths: values::Paths, 3 => 58;
    values_segment: values::Segment, 2 => 46;
    values_polyline: values::Polyline, 3 => 27;
    values_by_height: values::ByHeight, 2 => 12;
    values_corners: values::Corners, 2 => 19;
    values_table: values::table::Table, 2 => 25;
    values_calls: values::Calls, 2 => 114;

    pairs_assoc: pairs::Assoc, 3 => 33;
    pairs_counts: pairs::Counts, 2 => 29;
    pairs_edges: pairs::Edges, 2 => 8;
    pairs_sorted: pairs::Sorted, 2 => 15;
    pairs_trie: pairs::Trie, 4 => 111;
    pairs_range: pairs::Range, 2 => 78;
    pairs_members: pairs::Members, 2 => 27;
    pairs_matrix: pairs::Matrix, 2 => 15;
    pairs_triangle: pairs::Triangle, 3 => 7;
    pairs_board: pairs::Board, 2 => 29;
    pairs_optional: pairs::Optional, 2 => 14;
    pairs_hand: pairs::Hand, 2 => 18;
    pairs_keyed: pairs::Keyed<u8>, 3 => 37;
    pairs_ring: pairs::Ring<bool, 2>, 2 => 12;
    pairs_choices: pairs::Choices, 2 => 67;

    parts_joint_array: parts::JointArray, 2 => 8;
    parts_pairs_in_array: parts::PairsInArray, 2 => 2;
    parts_names_in_array: parts::NamesInArray, 2 => 3;
    parts_joint_list: parts::JointList, 2 => 56;
    parts_only_units: parts::OnlyUnits, 2 => 2;
    parts_followed: parts::Followed, 2 => 143;
    parts_ranked: parts::Ranked, 2 => 517;
    parts_ends: parts::Ends, 2 => 2;
    parts_filtered: parts::Filtered, 2 => 19;
    parts_shared_terms: parts::SharedTerms, 2 => 3;
    parts_grid: parts::Grid, 2 => 24;
    parts_slices: parts::Slices, 2 => 28;
    parts_deep: parts::Deep, 1 => 34;
    parts_machine: parts::Machine, 3 => 2;
    parts_peeked: parts::Peeked, 2 => 15;
    parts_parted: parts::Parted, 2 => 5;
    parts_depth: parts::Depth, 2 => 17;
}
