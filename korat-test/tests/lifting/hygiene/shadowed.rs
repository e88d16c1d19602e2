//! Every name of the prelude that an item can take, and the names of the crates of std, mean something else here.

#![allow(dead_code, non_camel_case_types)]

/// Not std's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec;
/// Not std's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct String;
/// Not std's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Box;
/// Not std's.
pub struct Option;
/// Not std's.
pub struct Result;
/// Not the primitive type.
pub struct usize;
/// Not the primitive type.
pub struct bool;
/// Not the primitive type.
pub struct str;
/// Not std's.
#[allow(non_snake_case)]
pub fn Some() {}
/// Not std's.
#[allow(non_upper_case_globals)]
pub const None: () = ();
/// Not std's.
#[allow(non_snake_case)]
pub fn Ok() {}
/// Not std's.
#[allow(non_snake_case)]
pub fn Err() {}
/// Not std's.
pub trait Iterator {}
/// Not std's.
pub trait IntoIterator {}
/// Not std's.
pub trait Clone {}
/// Not std's.
pub trait PartialEq {}
/// Not std's.
pub trait Debug {}
/// Not std's.
pub trait From {}
/// Not std's.
pub trait FnMut {}
/// Not std's.
pub trait Sized {}
/// Not std's.
pub trait Drop {}
/// Not the crate.
pub mod std {}
/// Not the crate.
pub mod core {}
/// Not the crate.
pub mod alloc {}
/// Not the crate.
pub mod korat {}

/// Not std's.
#[allow(unused_macros)]
macro_rules! unreachable {
    () => {
        compile_error!("not std's")
    };
}
/// Not std's.
#[allow(unused_macros)]
macro_rules! vec {
    () => {
        compile_error!("not std's")
    };
}

/// A fieldless enum.
#[derive(::std::clone::Clone, ::std::marker::Copy, ::std::fmt::Debug, ::std::cmp::PartialEq, ::korat::Finitize)]
pub enum Color {
    /// One.
    Red,
    /// The other.
    Black,
}

/// A node.
#[derive(::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq, ::korat::Finitize)]
pub struct Node {
    #[finitize(1..=scope)]
    key: ::std::primitive::usize,
    color: Color,
    under: ::std::option::Option<Color>,
    #[finitize(values = [Vec])]
    own: Vec,
    #[finitize(len = 0..2)]
    cells: ::std::vec::Vec<::std::primitive::bool>,
    next: ::std::option::Option<::std::boxed::Box<Node>>,
}

/// A list.
#[derive(::std::clone::Clone, ::std::fmt::Debug, ::std::cmp::PartialEq, ::korat::Finitize)]
#[finitize(objects = 1)]
pub struct List {
    head: ::std::option::Option<::std::boxed::Box<Node>>,
    #[finitize([1, 2])]
    len: ::std::primitive::u8,
}

#[::korat::rep_ok(plain(Vec))]
impl List {
    /// Whether `len` counts the nodes, the keys increase, and colors alternate.
    pub fn rep_ok(&self) -> ::std::primitive::bool {
        let mut count: ::std::primitive::u8 = 0;
        let mut least = 0;
        let mut last: ::std::option::Option<Color> = ::std::option::Option::None;
        let mut at = &self.head;
        while let ::std::option::Option::Some(node) = at {
            if node.key <= least || !Self::all_false(&node.cells) || !Self::known(node.own) {
                return false;
            }
            if last == ::std::option::Option::Some(node.color) || node.under.is_some() {
                return false;
            }
            last = ::std::option::Option::Some(node.color);
            least = node.key;
            count += 1;
            at = &node.next;
        }
        count == self.len
    }

    fn all_false(cells: &[::std::primitive::bool]) -> ::std::primitive::bool {
        cells.iter().all(|cell| !cell)
    }

    fn known(own: Vec) -> ::std::primitive::bool {
        own == Vec
    }
}

/// How many there are.
pub fn count() -> ::std::primitive::u64 {
    use ::korat::Finitize;
    ::korat::for_each_valid(List::scope(2), |list| assert!(list.rep_ok())).valid
}
