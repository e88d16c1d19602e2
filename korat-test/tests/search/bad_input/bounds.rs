//! Bounds that cannot be: empty domains, values that do not fit, overrides that name nothing.

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
    let search = Search::new(Interval::scope(3).domain(field!(Interval.low), nothing));
    insta::assert_snapshot!(message_of(|| search.report()), @"the domain of Interval.low is empty at scope 3; every field needs at least one value");
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
    let search = Search::new(Interval::scope(3).domain(field!(Interval.low), [1, -1]));
    insta::assert_snapshot!(message_of(|| search.report()), @"the domain of Interval.low at scope 3 cannot be represented: -1 is not a value of type usize");
}

#[test]
fn overrides_that_name_nothing_in_the_structure() {
    let search = Search::new(Interval::scope(3).objects::<Stranger>(2).domain(field!(Stranger.key), 0..2));
    insta::assert_snapshot!(message_of(|| search.report()), @"
    an override names Stranger, but the structure has no such class or field with a domain of that type
    an override names Stranger.key, but the structure has no such class or field with a domain of that type
    ");
}

#[test]
fn values_for_a_field_that_has_no_list() {
    let search = Search::new(List::scope(3).field_values(field!(Node.cells), vec![vec![1, 2]]));
    insta::assert_snapshot!(message_of(|| search.report()), @"an override names Node.cells, but the structure has no such class or field with a domain of that type");
}

#[test]
fn no_object_for_the_root() {
    insta::assert_snapshot!(message_of(|| Search::new(List::scope(3).objects::<List>(0)).report()), @"the bound on List is 0 objects, but the root itself is one; allow at least 1");
}

#[test]
fn the_root_itself_is_an_object_whatever_the_attribute_says() {
    assert_eq!(count(NeverMade::scope(3)).valid, 1);
}

#[test]
fn more_objects_than_a_heap_can_hold() {
    let search = Search::new(List::scope(3).objects::<Node>(usize::MAX));
    insta::assert_snapshot!(message_of(|| search.report()), @"18446744073709551615 objects of Node are more than a bounded heap can hold");
}

#[test]
fn scope_zero_still_has_the_root() {
    assert_eq!(count(List::scope(0)).valid, 1);
}

#[test]
fn the_iterator_says_the_same() {
    insta::assert_snapshot!(message_of(|| korat::valid(Interval::scope(2)).count()), @"the domain of Interval.high is empty at scope 2; every field needs at least one value");
}
