//! A value taken apart and built again is the same value: for every value of every small structure, valid or not, made by
//! the search or by hand.

use std::collections::BTreeMap;

use korat_core::__private::Field;
use korat_core::{CanonicalValue, Forms, Searcher, Settings};

use crate::atomic_pointers::Stack;
use crate::boxes::{Buffer, Heap, List, Parcel, Shelf, Words};
use crate::by_value::{Coat, Figure, Rose, Table};
use crate::canonical::{canonical, holds_itself_alone};
use crate::cells::{Disk, Line, Queue, Ring, Tangle, Watcher};
use crate::compound_keys::{Board, Route};
use crate::deques::{Bush, Train, Window};
use crate::enums::{Calc, Document, Loop, Schedule};
use crate::generic::{Choices, Either, Ring as RingOf, Tree};
use crate::harness::Subject;
use crate::instances::{Shape, Stone};
use crate::keyed::{Bijection, Drawer, Palette, Sheet, Stock, Trie};
use crate::members::{Figure as NamedFigure, Panel, Tour};
use crate::mixed::{Marked, Office, Twig};
use crate::nested::{Answer, Lossy, Picture, Square};
use crate::nested_classes::Sketch;
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

fn searcher<T: Subject>(scope: usize) -> Searcher<T> {
    Searcher::new(&T::scope(scope), Settings::default()).expect("the bounds are right")
}

/// The slots of every generated value, by its text.
fn generated<T: Subject>(scope: usize) -> BTreeMap<String, CanonicalValue> {
    let mut search = searcher::<T>(scope);
    let mut idle = searcher::<T>(scope);
    let mut slots_of = BTreeMap::new();
    while search.advance().expect("the search goes on") {
        let value = search.value();
        assert!(holds_itself_alone(&value), "something else holds a part of {}", canonical(&value));
        let slots = search.abstract_value(&value).expect("a generated value is within the bounds");
        assert_eq!(idle.abstract_value(&value), Ok(slots.clone()), "slots depend on where the search stands");
        assert_eq!(canonical(&idle.build(&slots)), canonical(&value), "built from {slots:?}");
        assert_eq!(idle.outline_of(&slots), search.outline(), "outline of {slots:?}");
        slots_of.insert(canonical(&value), slots);
    }
    slots_of
}

/// Values have the same canonical form exactly when they are isomorphic, whatever bounds there are.
#[derive(Default)]
struct FormsOf {
    forms: Forms,
    form_of: BTreeMap<String, Vec<u8>>,
    text_of: BTreeMap<Vec<u8>, String>,
}

impl FormsOf {
    fn check<T: Subject + Field>(&mut self, value: &T, text: &str, scope: usize) {
        let mut form = Vec::new();
        self.forms.write(value, &mut form).unwrap_or_else(|why| panic!("{text}: {why}"));
        let known_text = self.text_of.entry(form.clone()).or_insert_with(|| text.to_string());
        assert_eq!(known_text, text, "different values with the same form");
        let known = self.form_of.entry(text.to_string()).or_insert_with(|| form.clone());
        assert_eq!(*known, form, "isomorphic values with different forms: {text}");
        let (again, shared) = self.forms.read::<T>(&form, scope);
        assert_eq!(canonical(&again), text, "built from {form:?}");
        assert_eq!(again.untouched(), value.untouched(), "rep_ok sees a difference in {text}");
        let mut form_again = Vec::new();
        assert_eq!(self.forms.write(&again, &mut form_again), Ok(()), "{text}");
        assert_eq!(form_again, form, "{text}");
        drop((again, shared));
    }
}

/// The slots of every value that can be built by hand, valid or not, by its text.
fn built_by_hand<T: Subject + Field>(scope: usize) -> BTreeMap<String, CanonicalValue> {
    let mut idle = searcher::<T>(scope);
    let mut slots_of = BTreeMap::new();
    let mut forms = FormsOf::default();
    T::each_raw(scope, &mut |value| {
        let text = canonical(&value);
        forms.check(&value, &text, scope);
        let slots = idle.abstract_value(&value).expect("a raw value is within the bounds");
        match slots_of.get(&text) {
            Some(known) => assert_eq!(known, &slots, "isomorphic values with different slots: {text}"),
            None => {
                let again = idle.build(&slots);
                assert_eq!(canonical(&again), text, "built from {slots:?}");
                assert_eq!(again.untouched(), value.untouched(), "rep_ok sees a difference in {text}");
                assert!(holds_itself_alone(&again), "something else holds a part of {text}");
                slots_of.insert(text, slots);
            }
        }
    });
    slots_of
}

fn assert_injective(slots_of: &BTreeMap<String, CanonicalValue>) {
    let mut text_of: BTreeMap<&CanonicalValue, &String> = BTreeMap::new();
    for (text, slots) in slots_of {
        let other = text_of.insert(slots, text);
        assert_eq!(other, None, "different values with the same slots; the second: {text}");
    }
}

fn assert_round_trip<T: Subject + Field>(scope: usize) {
    let generated = generated::<T>(scope);
    let by_hand = built_by_hand::<T>(scope);
    assert_injective(&by_hand);
    for (text, slots) in &generated {
        assert_eq!(by_hand.get(text), Some(slots), "generated and by hand: {text}");
    }
}

/// `name_round_trips` for each structure, at these scopes.
macro_rules! round_trip {
    ($($(#[$attr:meta])* $name:ident: $subject:ty => $scopes:expr;)*) => {$(
        #[test]
        $(#[$attr])*
        fn $name() {
            $scopes.into_iter().for_each(assert_round_trip::<$subject>);
        }
    )*};
}

round_trip! {
    atomic_pointers_round_trip: Stack => 0..=2;
    boxed_arrays_round_trip: TrieOfWords => 0..=3;
    parts_behind_pointers_round_trip: PointedMeter => 0..=1;
    vectors_listed_as_a_whole_round_trip: Atlas => 0..=1;
    options_of_classes_in_tuples_round_trip: Sketch => 0..=0;
    raw_pointers_to_a_tree_of_enums_round_trip: Grove => 0..=3;
    raw_pointers_to_boxed_enums_round_trip: Deck => 0..=2;
    classes_in_tuples_round_trip: NamedFigure => 0..=0;
    cells_and_locks_in_options_round_trip: Panel => 0..=1;
    cycles_through_cells_in_options_round_trip: Tour => 0..=3;
    options_that_list_what_they_hold_round_trip: Picks => 0..=2;
    ranges_and_floats_round_trip: Span => 0..=2;
    lists_and_heaps_round_trip: Yard => 0..=2;
    atomics_round_trip: Counters => 0..=2;
    keys_of_several_parts_round_trip: Board => 0..=0;
    plain_types_with_compound_fields_round_trip: Route => 0..=1;
    pointers_to_plain_values_round_trip: Gauge => 0..=2;
    texts_that_can_be_shared_round_trip: Names => 0..=2;
    pointers_to_a_type_parameter_round_trip: SortedLinks<u8> => 0..=2;
    containers_and_cells_behind_pointers_round_trip: Basket => 0..=2;
    fieldless_enum_round_trips: Job => 0..=3;
    tuple_struct_round_trips: Interval => 0..=3;
    scalars_round_trip: Profile => 0..=3;
    sorted_vector_round_trips: Sorted => 0..=3;
    boxed_list_round_trips: List => 0..=3;
    list_with_unread_payload_round_trips: Buffer => 0..=3;
    array_of_boxes_round_trips: Words => 0..=3;
    required_box_round_trips: Parcel => 0..=3;
    root_of_its_own_class_round_trips: Heap => 1..=3;
    vector_of_boxes_round_trips: Shelf => 0..=3;
    shared_graph_without_cycles_round_trips: Dag => 0..=3;
    shared_chain_round_trips: Chain => 0..=3;
    required_rc_round_trips: Purse => 0..=3;
    two_classes_round_trip: Club => 0..=2;
    weak_pointers_without_cells_round_trip: Story => 0..=3;
    class_held_in_two_ways_round_trips: Twig => 0..=4;
    cycle_through_a_box_left_out_round_trips: Office => 0..=3;
    chain_entered_through_a_weak_pointer_round_trips: Marked => 0..=3;
    ring_round_trips: Ring => 0..=3;
    doubly_linked_list_round_trips: Queue => 0..=3;
    rc_in_a_cell_round_trips: Line => 0..=3;
    tree_with_parents_round_trips: Disk => 0..=2;
    weak_pointer_to_what_unread_fields_hold_round_trips: Watcher => 0..=3;
    map_of_numbers_round_trips: Stock => 0..=2;
    map_of_nodes_by_value_round_trips: Trie => 0..=3;
    sets_round_trip: Palette => 0..=3;
    maps_of_pointers_round_trip: keyed::Office => 0..=2;
    maps_of_compound_values_round_trip: Sheet => 0..=1;
    sets_inside_other_fields_round_trip: Drawer => 0..=1;
    generic_maps_round_trip: Bijection<u8> => 0..=1;
    deque_of_numbers_round_trips: Window => 0..=3;
    deque_of_boxes_round_trips: Train => 0..=3;
    deque_of_nodes_by_value_round_trips: Bush => 0..=2;
    queue_with_a_raw_tail_round_trips: Tailed => 0..=3;
    raw_ring_round_trips: Round => 0..=3;
    copied_pointers_round_trip: RawTree => 0..=2;
    tree_with_raw_parents_round_trips: Family => 0..=2;
    raw_pointers_of_every_kind_round_trip: Pile => 0..=2;
    list_of_locks_round_trips: Wire => 0..=3;
    arc_in_locks_and_cells_round_trips: threads::Bush => 0..=2;
    cells_of_plain_values_round_trip: Meter => 0..=2;
    texts_round_trip: Label => 0..=2;
    plain_values_of_std_round_trip: Odds => 1..=3;
    structure_of_which_nothing_is_read_round_trips: Tangle => 0..=2;
    boxed_enum_round_trips: Calc => 0..=3;
    enum_with_an_invariant_round_trips: enums::Tree => 1..=7;
    enums_by_value_round_trips: Schedule => 0..=2;
    shared_enum_round_trips: Loop => 1..=3;
    enum_in_its_own_vector_round_trips: Document => 0..=3;
    node_in_its_own_vector_round_trips: Rose => 0..=3;
    structs_by_value_round_trips: Figure => 0..=0;
    patterns_behind_references_round_trips: patterns_behind_references::Shelf => 2..=2;
    three_vectors_of_one_class_round_trip: Fork => 1..=3;
    boxes_beside_vectors_of_boxes_round_trip: Crew => 0..=3;
    boxes_reached_before_their_vector_round_trip: Flock => 0..=3;
    vectors_of_vectors_of_one_class_round_trip: Farm => 0..=3;
    options_of_structs_round_trips: Table => 0..=2;
    struct_with_counted_pointers_round_trips: Coat => 0..=2;
    plain_tuples_round_trips: Reading => 0..=2;
    vector_of_tuples_round_trips: Pairs => 0..=2;
    tuples_with_boxes_round_trips: Dictionary => 0..=3;
    tuples_with_counted_pointers_round_trips: Party => 0..=3;
    options_of_options_round_trips: Answer => 0..=2;
    options_of_options_of_boxes_round_trips: Lossy => 0..=3;
    vectors_of_vectors_round_trips: nested::Sheet => 0..=2;
    arrays_of_arrays_round_trips: Square => 0..=0;
    plain_as_a_whole_round_trips: Picture => 0..=0;
    hash_table_by_hand_round_trips: hashers::Table<u8, hashers::Sums> => 0..=2;
    maps_with_another_hasher_round_trip: hashers::Maps<u8, hashers::Sums> => 0..=2;
    containers_made_from_others_round_trip: via::Journal<u8> => 0..=1;
    chain_of_classes_round_trips: instances::Chain<Stone, 2> => 0..=2;
    chain_of_enums_round_trips: instances::Chain<Shape, 2> => 0..=2;
    chain_of_texts_round_trips: instances::Chain<String, 2> => 0..=2;
    vector_and_option_of_a_class_parameter_round_trip: instances::Shelf<Stone> => 0..=2;
    vector_and_option_of_a_vector_parameter_round_trip: instances::Shelf<Vec<bool>> => 0..=2;
    vector_and_option_of_a_pointer_parameter_round_trip: instances::Shelf<Box<u8>> => 0..=2;
    pointers_to_a_class_parameter_round_trip: instances::Ties<Stone> => 1..=2;
    class_with_an_instance_round_trips: instances::Store => 0..=3;
    generic_tree_round_trips: Tree<u8> => 0..=3;
    generic_tree_of_flags_round_trips: Tree<bool> => 0..=3;
    ring_of_a_constant_size_round_trips: RingOf<bool, 2> => 0..=0;
    generic_enum_round_trips: Either<u8, u8> => 0..=2;
    generic_enum_by_value_round_trips: Choices => 0..=2;
}

#[test]
fn value_beyond_the_bounds_is_refused() {
    let narrow = searcher::<List>(1);
    let mut refused = 0;
    List::each_raw(2, &mut |list| {
        let within = narrow.abstract_value(&list).is_ok();
        assert!(within || !list.rep_ok() || !list.is_empty(), "an empty list is within any bounds");
        refused += usize::from(!within);
    });
    assert!(refused > 0);
}

#[test]
fn key_beyond_the_domain_is_refused() {
    let narrow = searcher::<Stock>(1);
    let mut refused = 0;
    Stock::each_raw(2, &mut |stock| {
        let within = narrow.abstract_value(&stock);
        let is_beyond = stock.amounts.iter().any(|(kind, amount)| *kind.max(amount) > 1);
        assert_eq!(within.is_err(), is_beyond, "{stock:?}");
        refused += usize::from(within.is_err_and(|error| error.to_string().contains("2 is not in the domain")));
    });
    assert!(refused > 0);
}
