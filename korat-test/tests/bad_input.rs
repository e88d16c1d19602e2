//! What bad input gets when it runs: every bound, invariant and property that is at fault ends in a message that says so.

#![allow(missing_docs)]

use std::cell::RefCell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search, Unread, field, rep_ok};

/// The text of the panic in which `run` must end.
fn message_of<R>(run: impl FnOnce() -> R) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(run)) else { panic!("the run ended well") };
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().expect("a panic with a text").to_string(),
    }
}

fn count<T: Finitize + RepOk + Debug>(bounds: korat::Bounds<T>) -> Report {
    Search::new(bounds).count()
}

/// A report as text, with the time left out.
fn shown(report: &Report) -> String {
    let text = report.to_string();
    let (text, _time) = text.rsplit_once(", in ").expect("a report ends with its time");
    text.to_string()
}

mod bounds {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Interval {
        #[finitize(1..scope)]
        low: usize,
        #[finitize(low_end(scope)..scope)]
        high: usize,
    }

    fn low_end(scope: usize) -> usize {
        scope.min(2)
    }

    #[rep_ok]
    impl Interval {
        fn rep_ok(&self) -> bool {
            self.low <= self.high
        }
    }

    #[derive(Debug, Finitize)]
    struct Bytes {
        #[finitize(len = 1..scope)]
        bytes: Vec<u8>,
        #[finitize(values = [])]
        name: String,
    }

    #[rep_ok]
    impl Bytes {
        fn rep_ok(&self) -> bool {
            self.bytes.is_empty()
        }
    }

    #[derive(Debug, Finitize)]
    struct Small {
        byte: u8,
        #[finitize(0..=300)]
        other: u8,
        letter: char,
        #[finitize(-1..2)]
        unsigned: u16,
    }

    #[rep_ok]
    impl Small {
        fn rep_ok(&self) -> bool {
            self.byte == self.other
        }
    }

    #[derive(Debug, Finitize)]
    struct Stranger {
        key: usize,
    }

    #[derive(Debug, Finitize)]
    struct Node {
        next: Option<Box<Node>>,
        cells: Vec<u8>,
    }

    #[derive(Debug, Finitize)]
    struct List {
        head: Option<Box<Node>>,
    }

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            self.head.is_none()
        }
    }

    #[derive(Debug, Finitize)]
    #[finitize(objects = 0)]
    struct NeverMade {
        key: usize,
    }

    #[rep_ok]
    impl NeverMade {
        fn rep_ok(&self) -> bool {
            self.key == 0
        }
    }

    #[test]
    fn empty_domains_are_named_with_the_scope_all_at_once() {
        insta::assert_snapshot!(message_of(|| count(Interval::scope(1))), @"
        the domain of Interval.low is empty at scope 1; every field needs at least one value
        the domain of Interval.high is empty at scope 1; every field needs at least one value
        ");
    }

    #[test]
    fn one_empty_domain_is_enough() {
        insta::assert_snapshot!(message_of(|| count(Interval::scope(2))), @"the domain of Interval.high is empty at scope 2; every field needs at least one value");
    }

    #[test]
    fn empty_lengths_and_lists_are_empty_domains() {
        insta::assert_snapshot!(message_of(|| count(Bytes::scope(1))), @"
        the domain of Bytes.bytes.len() is empty at scope 1; every field needs at least one value
        the domain of Bytes.name is empty at scope 1; every field needs at least one value
        ");
    }

    #[test]
    fn empty_override() {
        let nothing: [usize; 0] = [];
        let search = Search::new(Interval::scope(3)).domain(field!(Interval.low), nothing);
        insta::assert_snapshot!(message_of(|| search.count()), @"the domain of Interval.low is empty at scope 3; every field needs at least one value");
    }

    #[test]
    fn domains_that_the_type_cannot_hold() {
        insta::assert_snapshot!(message_of(|| count(Small::scope(300))), @"
        the domain of Small.byte at scope 300 cannot be represented: 256 is not a value of type u8
        the domain of Small.other at scope 300 cannot be represented: 256 is not a value of type u8
        the domain of Small.letter at scope 300 cannot be represented: there are only 26 letters, and scope 300 asks for more
        the domain of Small.unsigned at scope 300 cannot be represented: -1 is not a value of type u16
        ");
    }

    #[test]
    fn override_that_the_type_cannot_hold() {
        let search = Search::new(Interval::scope(3)).domain(field!(Interval.low), [1, -1]);
        insta::assert_snapshot!(message_of(|| search.count()), @"the domain of Interval.low at scope 3 cannot be represented: -1 is not a value of type usize");
    }

    #[test]
    fn overrides_that_name_nothing_in_the_structure() {
        let search = Search::new(Interval::scope(3)).objects::<Stranger>(2).domain(field!(Stranger.key), 0..2);
        insta::assert_snapshot!(message_of(|| search.count()), @"
        an override names Stranger, but the structure has no such class or field with a domain of that type
        an override names Stranger.key, but the structure has no such class or field with a domain of that type
        ");
    }

    #[test]
    fn values_for_a_field_that_has_no_list() {
        let search = Search::new(List::scope(3)).values(field!(Node.cells), vec![vec![1, 2]]);
        insta::assert_snapshot!(message_of(|| search.count()), @"an override names Node.cells, but the structure has no such class or field with a domain of that type");
    }

    #[test]
    fn no_object_for_the_root() {
        insta::assert_snapshot!(message_of(|| Search::new(List::scope(3)).objects::<List>(0).count()), @"the bound on List is 0 objects, but the root itself is one; allow at least 1");
    }

    #[test]
    fn the_root_itself_is_an_object_whatever_the_attribute_says() {
        assert_eq!(count(NeverMade::scope(3)).valid, 1);
    }

    #[test]
    fn more_objects_than_a_heap_can_hold() {
        let search = Search::new(List::scope(3)).objects::<Node>(usize::MAX);
        insta::assert_snapshot!(message_of(|| search.count()), @"18446744073709551615 objects of Node are more than a bounded heap can hold");
    }

    #[test]
    fn scope_zero_still_has_the_root() {
        assert_eq!(count(List::scope(0)).valid, 1);
    }

    #[test]
    fn the_iterator_says_the_same() {
        insta::assert_snapshot!(message_of(|| korat::valid(Interval::scope(2)).count()), @"the domain of Interval.high is empty at scope 2; every field needs at least one value");
    }
}

mod invariants {
    use super::*;

    #[derive(Debug, Finitize)]
    struct Link {
        next: Option<Rc<RefCell<Link>>>,
    }

    #[derive(Debug, Finitize)]
    struct Fragile {
        head: Option<Rc<RefCell<Link>>>,
        #[finitize(1..=3)]
        len: usize,
    }

    #[rep_ok]
    impl Fragile {
        fn rep_ok(&self) -> bool {
            let Some(first) = &self.head else { return false };
            assert!(self.len < 2, "the length is {}", self.len);
            first.borrow().next.is_none()
        }
    }

    #[derive(Debug, Finitize)]
    struct Ring {
        head: Option<Rc<RefCell<Link>>>,
        #[finitize(1..=2)]
        len: usize,
    }

    #[rep_ok]
    impl Ring {
        fn rep_ok(&self) -> bool {
            let mut len = 0;
            let mut at = self.head.clone();
            while let Some(link) = at {
                len += 1;
                at = link.borrow().next.clone();
            }
            len == self.len
        }
    }

    #[derive(Debug, Finitize)]
    struct DeepRing {
        head: Option<Rc<RefCell<Link>>>,
    }

    #[rep_ok]
    impl DeepRing {
        fn rep_ok(&self) -> bool {
            Self::depth(&self.head) == 1
        }

        fn depth(link: &Option<Rc<RefCell<Link>>>) -> usize {
            match link {
                Some(link) => 1 + Self::depth(&link.borrow().next),
                None => 0,
            }
        }
    }

    #[derive(Debug, Finitize)]
    struct ChainedRing {
        head: Option<Rc<RefCell<Link>>>,
    }

    #[rep_ok]
    impl ChainedRing {
        fn rep_ok(&self) -> bool {
            std::iter::successors(self.head.clone(), |link| link.borrow().next.clone()).count() == 1
        }
    }

    #[derive(Debug, Finitize)]
    struct Stuck {
        flag: bool,
    }

    #[rep_ok]
    impl Stuck {
        fn rep_ok(&self) -> bool {
            let mut at = 0u8;
            while self.flag && at < 3 {
                at = (at + 1) % 2;
            }
            true
        }
    }

    static RUNS: AtomicUsize = AtomicUsize::new(0);

    #[derive(Debug, Finitize)]
    struct Moody {
        left: bool,
        right: bool,
    }

    #[rep_ok]
    impl Moody {
        fn rep_ok(&self) -> bool {
            if RUNS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) { self.left } else { self.right }
        }
    }

    #[derive(Debug, Finitize)]
    struct Forgetful {
        left: bool,
    }

    static LOOKS: AtomicUsize = AtomicUsize::new(0);

    #[rep_ok]
    impl Forgetful {
        fn rep_ok(&self) -> bool {
            LOOKS.fetch_add(1, Ordering::Relaxed) == 0 && self.left
        }
    }

    #[derive(Debug, Finitize)]
    struct Leaf {
        key: bool,
    }

    #[derive(Debug, Finitize)]
    struct Twins {
        left: Option<Box<Leaf>>,
        right: Option<Box<Leaf>>,
    }

    #[rep_ok]
    impl Twins {
        fn rep_ok(&self) -> bool {
            self.left.is_some() && self.right.is_some()
        }
    }

    #[derive(Debug, Finitize)]
    struct Knot {
        next: Option<Rc<Knot>>,
    }

    #[derive(Debug, Finitize)]
    struct Rope {
        start: Rc<Knot>,
    }

    #[rep_ok]
    impl Rope {
        fn rep_ok(&self) -> bool {
            self.start.next.is_some()
        }
    }

    #[derive(Debug, Finitize)]
    struct Impossible {
        #[finitize(0..=2)]
        low: usize,
        #[finitize(0..=2)]
        high: usize,
    }

    #[rep_ok]
    impl Impossible {
        fn rep_ok(&self) -> bool {
            self.low > 1 && self.high < self.low && self.high > self.low
        }
    }

    #[derive(Debug, Finitize)]
    struct NeverLooks {
        flag: bool,
    }

    #[rep_ok]
    impl NeverLooks {
        fn rep_ok(&self) -> bool {
            false
        }
    }

    #[test]
    fn panic_comes_with_the_candidate() {
        insta::assert_snapshot!(message_of(|| count(Fragile::scope(2))), @"
        rep_ok panicked: the length is 2
        on the candidate
          Fragile { head: Link#0, len: 2 }
          Link#0 (nothing read)
        so far 4 explored, 1 valid
        ");
    }

    #[test]
    fn loop_on_a_cyclic_candidate() {
        insta::assert_snapshot!(message_of(|| count(Ring::scope(2))), @"
        rep_ok took 10000000 steps without reading a new field; it seems to loop on the candidate
          Ring { head: Link#0 }
          Link#0 { next: Link#0 }
        note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.step_limit(n)`
        so far 4 explored, 1 valid
        ");
    }

    #[test]
    fn step_limit_is_adjustable() {
        insta::assert_snapshot!(message_of(|| Search::new(Ring::scope(2)).step_limit(100).count()), @"
        rep_ok took 100 steps without reading a new field; it seems to loop on the candidate
          Ring { head: Link#0 }
          Link#0 { next: Link#0 }
        note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.step_limit(n)`
        so far 4 explored, 1 valid
        ");
    }

    #[test]
    fn loop_without_any_read() {
        insta::assert_snapshot!(message_of(|| Search::new(Stuck::scope(2)).step_limit(1000).count()), @"
        rep_ok took 1000 steps without reading a new field; it seems to loop on the candidate
          Stuck { flag: true }
        note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.step_limit(n)`
        so far 1 explored, 1 valid
        ");
    }

    #[test]
    fn recursion_on_a_cyclic_candidate() {
        // The stack that a test thread has by default.
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let thread = thread.spawn(|| message_of(|| count(DeepRing::scope(2)))).expect("a thread starts");
        insta::assert_snapshot!(thread.join().expect("no stack overflow"), @"
        rep_ok recursed through 2000000 calls; it seems to recurse without end on the candidate
          DeepRing { head: Link#0 }
          Link#0 { next: Link#0 }
        note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes
        so far 2 explored, 1 valid
        ");
    }

    #[test]
    fn stack_limit_is_adjustable() {
        let search = Search::new(DeepRing::scope(2)).stack_limit(100_000).backtracking(Backtracking::Reexecute);
        insta::assert_snapshot!(message_of(|| search.count()), @"
        rep_ok recursed through 100000 bytes of stack; it seems to recurse without end on the candidate
          DeepRing { head: Link#0 }
          Link#0 { next: Link#0 }
        note: a structure may be cyclic until rep_ok says it is not; remember the visited nodes, or raise the limit with `.stack_limit(bytes)`
        so far 2 explored, 1 valid
        ");
    }

    #[test]
    fn loop_inside_an_iterator() {
        let search = Search::new(ChainedRing::scope(1)).step_limit(1000);
        assert!(message_of(|| search.count()).starts_with("rep_ok took 1000 steps"));
    }

    #[test]
    fn other_fields_on_replay() {
        // Re-entered at its last read, the predicate is not asked again which field it wants.
        let search = || Search::new(Moody::scope(1)).backtracking(Backtracking::Reexecute);
        insta::assert_snapshot!(message_of(|| search().count()), @"
        rep_ok read different fields on replay; is it deterministic? it read Moody.left before and Moody.right now, on the candidate
          Moody { left: true }
        so far 1 explored, 0 valid
        ");
    }

    #[test]
    fn no_field_on_replay() {
        insta::assert_snapshot!(message_of(|| count(Forgetful::scope(1))), @"
        rep_ok read different fields on replay at korat-test/tests/bad_input.rs:325; is it deterministic? it read Forgetful.left before and nothing more now, on the candidate
          Forgetful { left: true }
        so far 1 explored, 0 valid
        ");
    }

    #[test]
    fn two_boxes_own_one_object() {
        insta::assert_snapshot!(message_of(|| Search::new(Twins::scope(2)).pruning(Pruning::Classic).count()), @"
        rep_ok accepts a shape that the type cannot hold: Leaf#0 is owned by both Twins.left and Twins.right
          Twins { left: Leaf#0, right: Leaf#0 }
          Leaf#0 (nothing read)
        note: reject it in rep_ok, or search with `Pruning::Ownership`, which never tries it
        so far 3 explored, 0 valid
        ");
        assert_eq!(count(Twins::scope(2)).valid, 4);
    }

    #[test]
    fn cycle_of_pointers_that_cannot_be_set() {
        insta::assert_snapshot!(message_of(|| Search::new(Rope::scope(2)).pruning(Pruning::Classic).count()), @"
        rep_ok accepts a shape that the type cannot hold: Knot#0 leads back to itself through references that cannot be set after they were made
          Rope { start: Knot#0 }
          Knot#0 { next: Knot#0 }
        note: reject it in rep_ok, or search with `Pruning::Ownership`, which never tries it
        so far 2 explored, 0 valid
        ");
        assert_eq!(count(Rope::scope(2)).valid, 1);
    }

    #[test]
    fn no_valid_value_says_what_was_read_last() {
        insta::assert_snapshot!(message_of(|| count(Impossible::scope(2))), @"
        no valid value of Impossible at scope 2: rep_ok rejected every candidate (5 of them); read last before the rejection: Impossible.high (60 %), Impossible.low (40 %)
        note: if that is right, say so with `.allow_empty()`
        ");
        assert_eq!(Search::new(Impossible::scope(2)).allow_empty().count().valid, 0);
    }

    #[test]
    fn no_valid_value_and_no_read_at_all() {
        insta::assert_snapshot!(message_of(|| korat::for_each_valid(NeverLooks::scope(2), drop)), @"
        no valid value of NeverLooks at scope 2: rep_ok rejected every candidate (1 of them); read last before the rejection: no field at all (100 %)
        note: if that is right, say so with `.allow_empty()`
        ");
    }

    #[test]
    fn an_iterator_may_be_empty() {
        assert_eq!(korat::valid(Impossible::scope(2)).count(), 0);
    }

    #[test]
    fn a_refused_invariant_leaves_the_thread_usable() {
        message_of(|| count(Fragile::scope(2)));
        message_of(|| Search::new(Ring::scope(2)).step_limit(100).count());
        message_of(|| count(DeepRing::scope(2)));
        message_of(|| Search::new(Twins::scope(2)).pruning(Pruning::Classic).count());
        assert_eq!(count(Twins::scope(2)).valid, 4);
    }
}

mod properties {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct Node {
        #[finitize(1..=2)]
        key: usize,
        next: Option<Box<Node>>,
    }

    #[derive(Clone, Debug, PartialEq, Finitize)]
    struct List {
        head: Option<Box<Node>>,
    }

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            let mut at = &self.head;
            while let Some(node) = at {
                at = &node.next;
            }
            true
        }
    }

    impl List {
        fn len(&self) -> usize {
            std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).count()
        }
    }

    /// Lists of up to `scope` nodes, with two keys.
    const VALID: [u64; 4] = [1, 3, 7, 15];

    #[test]
    fn a_failing_property_shows_the_structure() {
        let run = || korat::for_each_valid(List::scope(2), |list| assert!(list.len() < 2, "{} nodes", list.len()));
        insta::assert_snapshot!(message_of(run), @"
        property failed on structure #4: 2 nodes
        List {
            head: Some(
                Node {
                    key: 1,
                    next: Some(
                        Node {
                            key: 1,
                            next: None,
                        },
                    ),
                },
            ),
        }
        so far 3 explored, 4 valid
        ");
    }

    #[test]
    fn the_structure_is_shown_as_it_was_before_the_property_changed_it() {
        let run = || {
            korat::for_each_valid(List::scope(1), |mut list| {
                if let Some(node) = list.head.take() {
                    assert_eq!(node.key, 0);
                }
            })
        };
        insta::assert_snapshot!(message_of(run), @"
        property failed on structure #2: assertion `left == right` failed
          left: 1
         right: 0
        List {
            head: Some(
                Node {
                    key: 1,
                    next: None,
                },
            ),
        }
        so far 2 explored, 2 valid
        ");
    }

    #[test]
    fn a_panic_without_a_text() {
        let run = || korat::for_each_valid(List::scope(0), |_| std::panic::panic_any(7));
        insta::assert_snapshot!(message_of(run), @"
        property failed on structure #1: a panic without a message
        List {
            head: None,
        }
        so far 1 explored, 1 valid
        ");
    }

    #[test]
    fn a_failing_property_leaves_the_thread_usable() {
        for (scope, valid) in VALID.into_iter().enumerate() {
            message_of(|| korat::for_each_valid(List::scope(scope), |list| assert!(list.len() < scope)));
            assert_eq!(count(List::scope(scope)).valid, valid);
        }
    }

    #[test]
    fn a_search_inside_a_property() {
        let mut pairs = 0;
        let outer = korat::for_each_valid(List::scope(2), |list| {
            let inner = korat::for_each_valid(List::scope(list.len()), |_| pairs += 1);
            assert_eq!(inner.valid, VALID[list.len()]);
        });
        assert_eq!((outer.valid, pairs), (7, 1 + 2 * 3 + 4 * 7));
    }

    #[test]
    fn a_failing_search_inside_a_property() {
        let run = || {
            korat::for_each_valid(List::scope(2), |outer| {
                korat::for_each_valid(List::scope(1), |inner| assert_ne!(outer, inner));
            })
        };
        let text = message_of(run);
        let expected = "property failed on structure #1: property failed on structure #1: assertion `left != right`";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("so far 1 explored, 1 valid"), "{text}");
    }

    #[test]
    fn an_iterator_resumes() {
        let mut lists = korat::valid(List::scope(2));
        let first: Vec<List> = lists.by_ref().take(3).collect();
        insta::assert_snapshot!(shown(&lists.report()), @"stopped: 3 values of List at scope 2, NOT exhaustive; 2 candidates explored, 3 field initialisations, 0 undone");
        let mut nested = korat::valid(List::scope(1));
        assert_eq!(nested.next().as_ref(), first.first());
        let rest: Vec<List> = lists.by_ref().collect();
        assert_eq!((first.len(), rest.len(), nested.count()), (3, 4, 2));
        insta::assert_snapshot!(shown(&lists.report()), @"complete: all 7 values of List at scope 2; 3 candidates explored, 5 field initialisations, 1 undone");
        assert!(lists.next().is_none());
        assert!(first.iter().all(|list| !rest.contains(list)));
    }

    #[test]
    fn a_limit_is_not_exhaustive() {
        let mut seen = 0;
        let report = Search::new(List::scope(3)).limit(4).for_each(|_| seen += 1);
        assert_eq!((seen, report.valid, report.complete), (4, 4, false));
        insta::assert_snapshot!(shown(&report), @"stopped: 4 values of List at scope 3, NOT exhaustive; 3 candidates explored, 5 field initialisations, 1 undone");
    }

    #[test]
    fn a_limit_that_is_not_reached() {
        let report = Search::new(List::scope(1)).limit(4).count();
        assert!(report.complete);
        insta::assert_snapshot!(shown(&report), @"complete: all 3 values of List at scope 1; 2 candidates explored, 3 field initialisations, 0 undone");
    }

    #[test]
    fn a_limit_of_all_values_does_not_look_further() {
        let report = Search::new(List::scope(1)).limit(3).count();
        assert!(!report.complete);
        assert_eq!(Search::new(List::scope(1)).limit(0).count().explored, 0);
    }

    #[test]
    fn one_representative_is_said_to_be_one() {
        let report = Search::new(List::scope(3)).unread(Unread::First).count();
        assert_eq!(report.valid, 4);
        insta::assert_snapshot!(shown(&report), @"complete: all 4 values of List at scope 3 (one representative for the fields that rep_ok never reads); 4 candidates explored, 7 field initialisations, 2 undone");
    }

    #[test]
    fn numbers_are_grouped() {
        insta::assert_snapshot!(shown(&count(List::scope(10))), @"complete: all 2,047 values of List at scope 10; 11 candidates explored, 21 field initialisations, 9 undone");
    }
}

mod meanings {
    use std::collections::HashMap;

    use super::*;

    /// A struct with one field, and an invariant that does not look at it.
    macro_rules! one_field {
        ($name:ident { $(#[$attr:meta])* $field:ident: $type:ty }) => {
            #[derive(Debug, Finitize)]
            struct $name {
                ok: bool,
                $(#[$attr])*
                $field: $type,
            }

            #[rep_ok]
            impl $name {
                fn rep_ok(&self) -> bool {
                    self.ok
                }
            }
        };
    }

    one_field! { SetOfBool { #[finitize(set)] flag: bool } }
    one_field! { SetOfMap { #[finitize(set)] flags: HashMap<u8, bool> } }
    one_field! { IndexOfNothing { #[finitize(index_of = nodes)] at: usize } }
    one_field! { IdentityOfClass { #[finitize(identity)] node: Option<Box<Node>> } }
    one_field! { ByValue { inner: SetOfBool } }
    one_field! { NoNames { #[finitize(Vec::<Option<u8>>::new(), identity)] name: Option<u8> } }
    one_field! { Inside { nodes: Vec<Option<Itself>> } }

    #[derive(Debug, Finitize)]
    struct Node {
        key: usize,
    }

    #[derive(Debug, Finitize)]
    struct Itself {
        children: Vec<Option<Itself>>,
    }

    #[derive(Debug, Finitize)]
    struct Pool {
        nodes: Vec<u8>,
    }

    #[derive(Debug, Finitize)]
    struct TwoArenas {
        left: Pool,
        right: Pool,
        #[finitize(index_of = nodes)]
        at: usize,
    }

    #[rep_ok]
    impl TwoArenas {
        fn rep_ok(&self) -> bool {
            self.left.nodes.len() == self.right.nodes.len()
        }
    }

    #[derive(Debug, Finitize)]
    struct ManyPools {
        first: Option<Box<Pool>>,
        #[finitize(index_of = nodes)]
        at: usize,
    }

    #[rep_ok]
    impl ManyPools {
        fn rep_ok(&self) -> bool {
            self.first.is_none()
        }
    }

    #[derive(Debug, Finitize)]
    struct Groups {
        #[finitize(0..=2, identity)]
        left: u8,
        #[finitize(0..=3, identity)]
        right: u8,
        #[finitize(0..=4, identity = "other")]
        other: u8,
    }

    #[rep_ok]
    impl Groups {
        fn rep_ok(&self) -> bool {
            self.left == self.right
        }
    }

    #[test]
    fn a_set_is_a_vector() {
        insta::assert_snapshot!(message_of(|| count(SetOfBool::scope(2))), @"SetOfBool.flag is no vector, and `set` is for these; remove it");
        insta::assert_snapshot!(message_of(|| count(SetOfMap::scope(2))), @"SetOfMap.flags is no vector, and `set` is for these; remove it");
    }

    #[test]
    fn the_field_is_named_with_the_one_that_holds_it() {
        insta::assert_snapshot!(message_of(|| count(ByValue::scope(2))), @"ByValue.inner.flag is no vector, and `set` is for these; remove it");
    }

    #[test]
    fn an_index_needs_its_vector() {
        insta::assert_snapshot!(message_of(|| count(IndexOfNothing::scope(2))), @"IndexOfNothing.at is an index of `nodes`, but the structure has no vector of that name; name one of its vectors");
    }

    #[test]
    fn one_vector_of_that_name() {
        insta::assert_snapshot!(message_of(|| count(TwoArenas::scope(2))), @"TwoArenas.at is an index of `nodes`, but there are 2 vectors of that name; give each a name of its own, or make the index a number: `#[finitize(0..scope)]`");
    }

    #[test]
    fn one_object_with_the_vector() {
        insta::assert_snapshot!(message_of(|| count(ManyPools::scope(2))), @"ManyPools.at is an index of `nodes`, but there may be several objects with that vector; allow one, `#[finitize(objects = 1)]`, or make the index a number: `#[finitize(0..scope)]`");
    }

    #[test]
    fn names_are_plain_values() {
        insta::assert_snapshot!(message_of(|| count(IdentityOfClass::scope(2))), @"IdentityOfClass.node has no plain values, and `identity` is for these; remove it");
    }

    #[test]
    fn names_of_one_group_are_as_many() {
        insta::assert_snapshot!(message_of(|| count(Groups::scope(2))), @r#"Groups.right has another number of values than other fields of the group `u8`, but `identity` compares them; give all the same domain, or another group: `identity = "name"`"#);
    }

    #[test]
    fn no_names_at_all() {
        insta::assert_snapshot!(message_of(|| count(NoNames::scope(2))), @"the domain of NoNames.name is empty at scope 2; every field needs at least one value");
    }

    #[test]
    fn a_class_inside_itself() {
        insta::assert_snapshot!(message_of(|| count(Inside::scope(2))), @"Inside.nodes[0].children[0] holds Itself by value inside Itself; put a pointer in between, as in `Option<Box<Itself>>`");
    }

    #[derive(Debug, Finitize)]
    struct OwnArena {
        #[finitize(len = 0..=2)]
        nodes: Vec<bool>,
        #[finitize(index_of = nodes)]
        at: Option<usize>,
    }

    #[rep_ok]
    impl OwnArena {
        fn rep_ok(&self) -> bool {
            self.at.is_none_or(|at| at < self.nodes.len() && self.nodes[at])
        }
    }

    #[derive(Debug, Finitize)]
    struct TwoOwnArenas {
        left: OwnArena,
        right: OwnArena,
    }

    #[rep_ok]
    impl TwoOwnArenas {
        fn rep_ok(&self) -> bool {
            let right = &self.right;
            self.left.at.is_none_or(|at| at < self.left.nodes.len() && self.left.nodes[at])
                && right.at.is_none_or(|at| at < right.nodes.len() && right.nodes[at])
        }
    }

    #[test]
    fn the_nearest_vector_of_that_name_is_meant() {
        let one = count(OwnArena::scope(2)).valid;
        assert_eq!(count(TwoOwnArenas::scope(2)).valid, one * one);
    }

    #[derive(Debug, Finitize)]
    struct Bytes {
        #[finitize(0..=300, len = 0..=4)]
        bytes: Vec<u8>,
    }

    #[rep_ok]
    impl Bytes {
        fn rep_ok(&self) -> bool {
            self.bytes.is_empty()
        }
    }

    #[test]
    fn what_is_wrong_with_every_element_is_said_once() {
        insta::assert_snapshot!(message_of(|| count(Bytes::scope(2))), @"the domain of Bytes.bytes[0] at scope 2 cannot be represented: 256 is not a value of type u8");
    }
}
