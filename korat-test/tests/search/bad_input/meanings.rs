//! Indices, sets and names where they mean nothing.

use std::collections::{BinaryHeap, HashMap};

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
one_field! { IdentityOfHeap { #[finitize(identity)] numbers: BinaryHeap<u8> } }
one_field! { ListsNan { #[finitize([0.5, f64::NAN])] share: f64 } }
one_field! { ListsBothZeros { #[finitize([0.0, -0.0])] share: f64 } }
one_field! { NoFloats { pair: (f32, bool) } }
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
    insta::assert_snapshot!(message_of(|| count(SetOfBool::scope(2))), @"`set` is for vectors, and SetOfBool.flag is not one; remove it");
    insta::assert_snapshot!(message_of(|| count(SetOfMap::scope(2))), @"`set` is for vectors, and SetOfMap.flags is not one; remove it");
}

#[test]
fn the_field_is_named_with_the_one_that_holds_it() {
    insta::assert_snapshot!(message_of(|| count(ByValue::scope(2))), @"`set` is for vectors, and ByValue.inner.flag is not one; remove it");
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
    insta::assert_snapshot!(message_of(|| count(IdentityOfClass::scope(2))), @"`identity` is for plain values, and IdentityOfClass.node has none; remove it");
}

#[test]
fn a_heap_is_no_name() {
    insta::assert_snapshot!(message_of(|| count(IdentityOfHeap::scope(2))), @"`identity` is for plain values, and IdentityOfHeap.numbers has none; remove it");
}

#[test]
fn floats_are_listed_and_equal_themselves() {
    insta::assert_snapshot!(message_of(|| count(NoFloats::scope(2))), @"the domain of NoFloats.pair.0 at scope 2 cannot be represented: floats have no default values; list some, `#[finitize([0.0, 0.5])]`, or all values of the field, `#[finitize(values = [..])]`");
    insta::assert_snapshot!(message_of(|| count(ListsNan::scope(2))), @"the domain of ListsNan.share at scope 2 cannot be represented: NaN does not equal itself, so no value could be recognized as it");
    insta::assert_snapshot!(message_of(|| count(ListsBothZeros::scope(2))), @"the domain of ListsBothZeros.share at scope 2 lists -0.0 twice; list every value once");
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
