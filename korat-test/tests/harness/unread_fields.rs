//! Fields that `rep_ok` reads on no value that it accepts are named, and no others.

use std::collections::BTreeMap;

use korat::{Backtracking, Bounds, Finitize, RepOk, Search, Unread, rep_ok};

use crate::rerun;

/// The fields that are named, in both ways of backtracking.
#[track_caller]
fn unread<T: Finitize + RepOk>(bounds: impl Fn() -> Bounds<T>) -> Vec<String> {
    let run = |backtracking, unread| {
        let report = Search::new(bounds()).backtracking(backtracking).unread(unread).report();
        assert!(report.is_complete());
        report.unread_fields
    };
    let named = run(Backtracking::Checkpoint, Unread::All);
    assert_eq!(run(Backtracking::Reexecute, Unread::All), named);
    // With one value for each unread field there may be objects that no value has any more, but nothing else is named.
    let fewer = run(Backtracking::Checkpoint, Unread::First);
    assert!(fewer.iter().all(|field| named.contains(field)), "{fewer:?}, {named:?}");
    assert_eq!(fewer.is_empty(), named.is_empty());
    named
}

#[derive(Debug, Finitize)]
struct Node {
    next: Option<Box<Node>>,
    color: bool,
}

#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
    len: usize,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let (mut at, mut len) = (&self.head, 0);
        while let Some(node) = at {
            (at, len) = (&node.next, len + 1);
        }
        self.len == len
    }
}

#[test]
fn a_field_that_is_never_read() {
    assert_eq!(unread(|| List::scope(3)), ["Node.color"]);
    // Lists of up to three nodes, each of any color.
    assert_eq!(Search::new(List::scope(3)).count(), 1 + 2 + 4 + 8);
}

#[test]
fn not_where_no_value_has_the_field() {
    assert_eq!(unread(|| List::scope(0)), [""; 0]);
    assert_eq!(unread(|| List::scope(3).objects::<Node>(0)), [""; 0]);
}

#[test]
fn not_before_the_search_is_complete() {
    let report = Search::new(List::scope(3)).limit(8).report();
    assert_eq!((report.is_complete(), report.unread_fields.len()), (false, 0));
    let mut values = korat::valid(List::scope(3));
    assert_eq!(values.by_ref().take(8).count(), 8);
    assert!(values.report().unread_fields.is_empty());
    assert_eq!(values.by_ref().count(), 7);
    assert_eq!(values.report().unread_fields, ["Node.color"]);
}

/// Declares a root and its invariant, and the fields that are named.
macro_rules! named {
    ($test:ident, $root:item, |$this:ident| $body:expr, $named:expr $(, { $($items:item)* })?) => {
        mod $test {
            #[allow(unused_imports)]
            use super::*;
            $($($items)*)?

            #[derive(Debug, Finitize)]
            $root

            #[rep_ok]
            impl Root {
                fn rep_ok(&self) -> bool {
                    let $this = self;
                    $body
                }
            }

            #[test]
            fn fields() {
                let expected: &[&str] = &$named;
                assert_eq!(unread(|| Root::scope(2)), expected);
            }
        }
    };
}

named!(
    everything_is_read,
    struct Root {
        one: bool,
        two: bool,
    },
    |root| root.one != root.two,
    []
);

named!(
    read_on_rejected_candidates_only,
    struct Root {
        one: bool,
        two: bool,
        three: bool,
    },
    |root| if root.one { root.two as u8 > 1 } else { root.three },
    ["Root.two"]
);

named!(
    read_on_some_values,
    struct Root {
        one: bool,
        two: bool,
    },
    |root| root.one || root.two,
    []
);

named!(
    a_class_that_is_never_reached,
    struct Root {
        head: Option<Box<Node>>,
        len: u8,
    },
    |root| root.head.is_none(),
    ["Root.len"]
);

named!(
    a_class_behind_a_field_that_is_never_read,
    struct Root {
        head: Option<Box<Node>>,
        len: u8,
    },
    |root| root.len < 2,
    ["Root.head", "Node.next", "Node.color"]
);

named!(
    a_vector_is_one_field,
    struct Root {
        #[finitize(0..=1, len = 0..=2)]
        read: Vec<u8>,
        #[finitize(0..=1, len = 0..=2)]
        unread: Vec<u8>,
        array: [bool; 2],
        other: [bool; 2],
    },
    |root| root.read.len() < 2 && root.array[1],
    ["Root.unread", "Root.other"]
);

named!(
    parts_that_lie_in_the_object,
    struct Root {
        at: Point,
        path: [Point; 2],
        pair: (bool, bool),
        perhaps: Option<Point>,
    },
    |root| root.at.x && root.path[0].y && root.pair.0 && root.perhaps.is_some(),
    ["Root.at.y", "Root.path[..].x", "Root.perhaps.x", "Root.perhaps.y"],
    {
        #[derive(Debug, Finitize)]
        struct Point {
            x: bool,
            y: bool,
        }
    }
);

named!(
    variants_of_an_enum,
    struct Root {
        shape: Box<Shape>,
        place: Shape,
    },
    |root| {
        let is_square = matches!(&*root.shape, Shape::Square(true, _));
        is_square && matches!(root.place, Shape::Dot)
    },
    ["Shape.Square.1"],
    {
        #[derive(Debug, Finitize)]
        enum Shape {
            Dot,
            Square(bool, bool),
        }
    }
);

named!(
    an_enum_that_is_never_looked_at,
    struct Root {
        shape: Option<Box<Shape>>,
    },
    |root| root.shape.is_some(),
    ["Shape.(variant)", "Shape.Square.0"],
    {
        #[derive(Debug, Finitize)]
        enum Shape {
            Dot,
            Square(bool),
        }
    }
);

named!(
    keys_of_a_map,
    struct Root {
        #[finitize(["a]", "b"].map(String::from))]
        read: BTreeMap<String, Point>,
        #[finitize(["a]", "b"].map(String::from))]
        unread: BTreeMap<String, bool>,
    },
    |root| root.read.values().all(|point| point.x),
    ["Root.unread", "Point.y"],
    {
        #[derive(Debug, Finitize)]
        struct Point {
            x: bool,
            y: bool,
        }
    }
);

named!(
    fields_with_one_value_are_no_choice,
    struct Root {
        flag: bool,
        unit: (),
        #[finitize(3..=3)]
        three: u8,
        phantom: std::marker::PhantomData<u8>,
        other: bool,
    },
    |root| root.flag,
    ["Root.other"]
);

/// What is printed, in a process of its own.
mod note {
    use super::*;

    fn printed(test: &str) -> String {
        rerun::printed(&mut rerun::command(module_path!(), test))
    }

    #[test]
    fn all_values() {
        for (scope, valid) in [(0, 1), (1, 3), (2, 7)] {
            assert_eq!(korat::for_each_valid(List::scope(scope), |_| {}).valid, valid);
        }
    }

    #[test]
    fn first_value() {
        assert_eq!(Search::new(List::scope(1)).unread(Unread::First).count(), 2);
    }

    #[test]
    fn it_is_printed_once_per_test() {
        insta::assert_snapshot!(printed("all_values"), @"note: rep_ok never reads Node.color on any valid value: every combination of its values was generated");
        insta::assert_snapshot!(printed("first_value"), @"note: rep_ok never reads Node.color on any valid value: only its first value was generated");
    }
}
