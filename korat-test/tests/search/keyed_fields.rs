//! Maps, sets and deques in fields: what a method of theirs decides, what helpers and clones of them are, and which bounds
//! they take.

use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hash};
use std::rc::{Rc, Weak};

use korat::{Backtracking, Finitize, Pruning, RepOk, Search, SelfCheck, Unread, field, rep_ok};

use crate::panics::message_of;

/// How many candidates the predicate has to see, and how many it accepts; the same in every mode.
fn seen<T: Finitize + RepOk + Debug>(scope: usize) -> (u64, u64) {
    let all = [Backtracking::Checkpoint, Backtracking::Reexecute].into_iter().flat_map(|mode| {
        [Pruning::Ownership, Pruning::Classic].map(|pruning| {
            let search = Search::new(T::scope(scope)).backtracking(mode).pruning(pruning);
            let report = search.unread(Unread::First).allow_empty(true).for_each(|value| assert!(value.holds()));
            (report.explored, report.valid)
        })
    });
    let all: Vec<(u64, u64)> = all.collect();
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    all[0]
}

/// A structure of one field, with the predicate on it; keys, numbers and lengths are `0..=scope`.
macro_rules! looks {
    ($($name:ident($field:ty): |$it:ident| $holds:expr => $seen:expr;)*) => {$(
        #[test]
        fn $name() {
            #[derive(Debug, Finitize)]
            struct Look {
                it: $field,
            }

            #[rep_ok]
            impl Look {
                fn rep_ok(&self) -> bool {
                    let $it = &self.it;
                    $holds
                }
            }

            assert_eq!(seen::<Look>(2), $seen);
        }
    )*};
}

looks! {
    // Absent, or one of three values.
    get_decides_one_key(BTreeMap<u8, u8>): |it| it.get(&1).is_none_or(|value| *value == 2) => (4, 2);
    hashed_get_decides_one_key(HashMap<u8, u8>): |it| it.get(&1) == Some(&0) => (4, 1);
    // The value is not looked at.
    contains_key_decides_no_value(HashMap<u8, u8>): |it| it.contains_key(&1) => (2, 1);
    contains_decides_one_key(BTreeSet<u8>): |it| it.contains(&2) => (2, 1);
    hashed_contains_decides_one_key(HashSet<char>): |it| !it.contains(&'b') => (2, 1);
    // The keys are "a", "b", "c"; a map is asked with a `&str`. With "b" there, "c" is not looked at.
    text_is_asked_for_by_its_letters(HashMap<String, bool>): |it| it.get("b") == Some(&true) => (3, 1);
    texts_come_in_their_order(BTreeSet<String>): |it| it.iter().map(String::as_str).eq(["a", "c"]) => (6, 1);
    key_beyond_the_domain_is_absent(BTreeMap<u8, u8>): |it| it.get(&9).is_none() => (1, 1);
    hashed_key_beyond_the_domain_is_absent(HashSet<u8>): |it| it.contains(&9) => (1, 0);
    index_decides_one_key(BTreeMap<bool, bool>): |it| it.contains_key(&true) && it[&true] => (3, 1);
    // The first that is there, or none.
    emptiness_looks_as_far_as_the_first(HashSet<u8>): |it| !it.is_empty() => (4, 3);
    first_looks_from_the_front(BTreeSet<u8>): |it| it.first() == Some(&0) => (4, 1);
    last_looks_from_the_back(BTreeSet<u8>): |it| it.last() == Some(&1) => (4, 1);
    first_entry_decides_its_value(BTreeMap<u8, bool>): |it| it.first_key_value().is_some_and(|(_, value)| *value) => (7, 3);
    len_decides_keys_alone(BTreeMap<u8, u8>): |it| it.len() == 2 => (8, 3);
    keys_decide_no_values(HashMap<u8, u8>): |it| it.keys().all(|key| *key == 1) => (5, 2);
    values_stop_where_the_loop_does(BTreeMap<u8, bool>): |it| it.values().all(|value| !value) => (15, 8);
    range_looks_at_its_keys(BTreeSet<u8>): |it| it.range(1..).count() == 1 => (4, 2);
    empty_range_decides_nothing(BTreeMap<u8, u8>): |it| it.range(7..9).next().is_none() => (1, 1);
    skipped_values_are_not_decided(BTreeMap<bool, u8>): |it| it.iter().nth(1) == Some((&true, &2)) => (6, 1);
    // Both from the front, as far as they agree.
    comparison_stops_at_a_difference(BTreeSet<u8>): |it| *it == BTreeSet::from([0, 2]) => (6, 1);
    hashed_comparison_stops_at_a_difference(HashSet<u8>): |it| *it == HashSet::from([0, 2]) => (6, 1);
    subset_asks_for_the_keys_that_are_there(BTreeSet<u8>): |it| BTreeSet::from([1]).is_subset(it) => (2, 1);
    back_decides_the_length_and_one(VecDeque<u8>): |it| it.back().is_some_and(|last| *last == 1) => (7, 2);
    reversed_deque_is_read_from_the_end(VecDeque<bool>): |it| it.len() == 2 && it.iter().rev().all(|one| *one) => (5, 1);
    deque_by_index_decides_one(VecDeque<u8>): |it| it.len() > 1 && it[1] == 0 => (5, 1);
    text_of_a_map_decides_all(BTreeMap<bool, bool>): |it| format!("{it:?}") == "{true: false}" => (9, 1);
}

type Fixed = BuildHasherDefault<DefaultHasher>;
type FixedMap<V> = HashMap<u8, V, Fixed>;

/// A map with a hasher of its own, seen by helpers that are given other maps, too.
#[derive(Debug, Finitize)]
struct Ledger {
    #[finitize([3, 1])]
    debts: HashMap<u8, u8>,
    #[finitize([1, 3])]
    names: HashSet<u8, Fixed>,
    #[finitize(0..1)]
    fixed: RefCell<FixedMap<bool>>,
}

#[rep_ok]
impl Ledger {
    fn rep_ok(&self) -> bool {
        let mut paid = self.debts.clone();
        if let Some(debt) = paid.get_mut(&1) {
            *debt = 0;
        }
        paid.insert(7, 1);
        // The field is as it was.
        !self.debts.contains_key(&7)
            && Self::total(&paid) == 1 + Self::total(&self.debts) - self.debts.get(&1).copied().unwrap_or(0)
            && Self::in_order(&self.debts)
            && self.names.iter().all(|name| self.debts.contains_key(name))
            && self.fixed.borrow().get(&0).is_some_and(|flag| *flag)
    }

    fn total(debts: &HashMap<u8, u8>) -> u8 {
        debts.values().sum()
    }

    /// Written so that the order of hashing does not matter.
    fn in_order(debts: &HashMap<u8, u8>) -> bool {
        let sorted: BTreeMap<u8, u8> = debts.iter().map(|(key, value)| (*key, *value)).collect();
        sorted.values().zip(sorted.values().skip(1)).all(|(one, next)| one < next)
    }
}

#[test]
fn clone_of_a_field_is_a_map_of_the_predicate() {
    let mut count = 0;
    let digit = || (0..=3u8).map(|value| value.checked_sub(1));
    for (one, three) in digit().flat_map(|one| digit().map(move |three| (one, three))) {
        let sorted = one.zip(three).is_none_or(|(one, three)| one < three);
        let names = 1 << (usize::from(one.is_some()) + usize::from(three.is_some()));
        count += if sorted { names } else { 0 };
    }
    assert_eq!(Search::new(Ledger::scope(2)).count(), count);
}

#[test]
fn order_of_a_hashed_field_is_that_of_its_domain() {
    #[derive(Debug, Finitize)]
    struct Bag {
        #[finitize([5, 2, 9])]
        numbers: HashSet<u8>,
    }

    #[rep_ok]
    impl Bag {
        fn rep_ok(&self) -> bool {
            let mut least = u8::MAX;
            for number in &self.numbers {
                least = least.min(*number);
            }
            least == 2
        }
    }

    let text = |bag: Bag| format!("{:?}", bag.numbers.into_iter().collect::<BTreeSet<u8>>());
    let found: Vec<String> = Search::new(Bag::scope(0)).into_iter().map(text).collect();
    assert_eq!(found, ["{2}", "{2, 9}", "{2, 5}", "{2, 5, 9}"]);
}

#[derive(Debug, Finitize)]
struct Tags {
    tags: BTreeSet<u8>,
}

#[rep_ok]
impl Tags {
    fn rep_ok(&self) -> bool {
        self.tags.len() <= 1
    }
}

#[test]
fn keys_can_be_set_where_the_search_is_started() {
    // One after the other on one thread, so that heaps of one kind are not taken for another.
    let found = |keys: &[u8]| -> Vec<BTreeSet<u8>> {
        let search = Search::new(Tags::scope(2).domain(field!(Tags.tags), keys.to_vec()));
        search.into_iter().map(|tags| tags.tags).collect()
    };
    assert_eq!(found(&[1, 0]), [BTreeSet::from([]), BTreeSet::from([1]), BTreeSet::from([0])]);
    assert_eq!(found(&[2, 7]), [BTreeSet::from([]), BTreeSet::from([7]), BTreeSet::from([2])]);
    assert_eq!(found(&[]), [BTreeSet::from([])]);
}

#[test]
fn key_that_is_listed_twice_is_refused() {
    let search = Search::new(Tags::scope(2).domain(field!(Tags.tags), [1, 1]));
    let message = message_of(|| search.report());
    assert!(message.contains("Tags.tags") && message.contains("twice"), "{message}");
}

#[test]
fn candidate_is_described_by_its_keys() {
    let search = Search::new(Tags::scope(1)).unread(Unread::First);
    assert_eq!(search.draw(2), ["Tags { tags: {} }\n", "Tags { tags: {1} }\n"]);
}

/// A vertex that leads on to others.
#[derive(Debug, Finitize)]
struct Vertex {
    #[finitize(['x'])]
    edges: HashMap<char, Rc<RefCell<Vertex>>>,
}

#[derive(Debug, Finitize)]
struct Graph {
    start: Option<Rc<RefCell<Vertex>>>,
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        let mut met = HashSet::new();
        let mut at = self.start.clone();
        while let Some(vertex) = at {
            if !met.insert(Rc::as_ptr(&vertex)) {
                break;
            }
            at = vertex.borrow().edges.get(&'x').cloned();
        }
        true
    }
}

#[test]
fn cycle_through_a_map_is_freed() {
    let mut left: Vec<Weak<RefCell<Vertex>>> = Vec::new();
    let search = Search::new(Graph::scope(2)).self_check(SelfCheck::Off);
    let report = search.for_each(|graph| left.extend(graph.start.as_ref().map(Rc::downgrade)));
    // None; then one vertex: to nothing, to itself, or to another one that leads to nothing, to itself or back.
    assert_eq!(report.valid, 1 + 2 + 3);
    assert!(left.len() == 5 && left.iter().all(|vertex| vertex.upgrade().is_none()));
}

#[test]
fn texts_are_given_as_they_are_written() {
    #[derive(Debug, Finitize)]
    struct Register {
        #[finitize(["ann", "bob"])]
        names: HashMap<String, u8>,
    }

    #[rep_ok]
    impl Register {
        fn rep_ok(&self) -> bool {
            self.names.iter().all(|(name, &number)| number == 0 || name.starts_with('a'))
        }
    }

    // "ann" is absent, or 0 or 1; "bob" is absent, or 0.
    assert_eq!(Search::new(Register::scope(1)).count(), 3 * 2);
}

#[test]
fn structs_need_not_say_that_parameters_are_keys() {
    /// A graph as libraries declare it: only the impl says what keys can do.
    #[derive(Debug, Finitize)]
    struct Network<K, W> {
        edges: HashMap<K, Vec<K>>,
        weights: Option<BTreeMap<W, u8>>,
        #[finitize(skip = HashMap::new())]
        names: HashMap<W, String>,
    }

    #[rep_ok]
    impl<K: Eq + Hash, W: Ord> Network<K, W> {
        fn rep_ok(&self) -> bool {
            let known = |ends: &Vec<K>| ends.iter().all(|end| self.edges.contains_key(end));
            self.edges.values().all(known) && self.weights.is_none() && self.names.is_empty()
        }
    }

    // Of two keys: none; either alone, with up to one end; both, each with up to one end.
    assert_eq!(seen::<Network<bool, u8>>(1).1, 1 + 2 * 2 + 3 * 3);
}

#[test]
fn keys_are_listed_where_values_are_indices() {
    #[derive(Debug, Finitize)]
    struct Store {
        #[finitize(0..=1)]
        sessions: Vec<u8>,
        #[finitize(["ann", "bob"], index_of = sessions)]
        by_name: HashMap<String, usize>,
        #[finitize(skip = 7)]
        clock: u64,
    }

    #[rep_ok]
    impl Store {
        fn rep_ok(&self) -> bool {
            let Store { sessions, by_name, clock } = self;
            let named = |at: usize| by_name.values().filter(|&&named| named == at).count();
            *clock == 7 && (0..sessions.len()).all(|at| named(at) == 1)
        }
    }

    // No session; one, of either name; two, of which each name has one. Each session is of two kinds, which
    // the predicate never reads.
    assert_eq!(seen::<Store>(2).1, 1 + 2 + 1);
    assert_eq!(Search::new(Store::scope(2)).count(), 1 + 2 * 2 + 4);
}
