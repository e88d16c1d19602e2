//! Generated code assumes nothing: not that `Option` is std's, not that a field has a plain name, not where korat is.

#![deny(missing_docs, unused, nonstandard_style)]
#![forbid(unsafe_code)]

/// Every name of the prelude that an item can take, and the names of the crates of std, mean something else here.
mod shadowed {
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
}

#[test]
fn the_prelude_may_be_shadowed() {
    // Two colors and two kinds of cells per node; one node with either key, or both keys in order.
    assert_eq!(shadowed::count(), 2 * 2 * 2 + 2 * 2 * 2);
}

/// Fields whose names are keywords, in every kind of struct, with every kind of visibility.
mod names {
    use korat::{Finitize, rep_ok};

    /// A unit struct.
    #[derive(Debug, Finitize)]
    pub struct Unit;

    /// Braces without fields.
    #[derive(Debug, Finitize)]
    pub struct Braces {}

    /// A tuple struct.
    #[derive(Debug, Finitize)]
    pub struct Pair(pub u8, pub(crate) Option<Box<Pair>>, #[finitize(0..1)] usize);

    /// A class and fields with raw names.
    #[derive(Debug, Finitize)]
    pub(crate) struct r#Match {
        r#type: bool,
        r#fn: Option<Box<r#Match>>,
        __korat_plan: u8,
        scope: u8,
    }

    /// Every kind.
    #[derive(Debug, Finitize)]
    pub struct Root {
        unit: Option<Box<Unit>>,
        pub braces: Option<Box<Braces>>,
        pub(crate) pair: Option<Box<Pair>>,
        pub(super) r#loop: Option<Box<r#Match>>,
    }

    #[rep_ok]
    impl Root {
        /// Everything is there, once.
        pub fn rep_ok(&self) -> bool {
            let (Some(_), Some(_), Some(pair), Some(matched)) = (&self.unit, &self.braces, &self.pair, &self.r#loop)
            else {
                return false;
            };
            let once = pair.1.is_none() && matched.r#fn.is_none();
            once && pair.0 as usize == pair.2 && matched.r#type && matched.__korat_plan == matched.scope
        }
    }

    #[rep_ok]
    impl Unit {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let Some(next) = &self.1 else { return self.0 == 0 };
            next.1.is_none() && self.0 < next.0
        }
    }

    #[test]
    fn keywords_are_field_names() {
        let report = korat::for_each_valid(Root::scope(1), |root| assert!(root.rep_ok()));
        assert_eq!(report.valid, 2);
    }

    #[test]
    fn raw_names_are_overridden_and_drawn() {
        let search = korat::Search::new(Root::scope(1)).domain(korat::field!(r#Match.r#type), [true]);
        let search = search.domain(korat::field!(Pair.0), 0..=0).domain(korat::field!(r#Match.scope), [0]);
        insta::assert_snapshot!(search.draw(1).concat(), @r"
        Root
        |- unit: Unit
        |- braces: Braces
        |- pair: Pair { 0: 0, 2: 0 }
        `- r#loop: r#Match { r#type: true, __korat_plan: 0, scope: 0 }
        ");
    }

    #[test]
    fn a_unit_struct_has_one_value() {
        assert_eq!(korat::for_each_valid(Unit::scope(1), |unit| assert!(unit.rep_ok())).valid, 1);
    }

    #[test]
    fn tuple_fields_are_read_by_number() {
        // Alone with 0, or before a larger one.
        let report = korat::for_each_valid(Pair::scope(2), |pair| assert!(pair.rep_ok()));
        assert_eq!(report.valid, 1 + 3);
    }
}

/// Classes in other modules than their invariants.
mod paths {
    /// A module inside.
    pub mod inner {
        /// A module inside it.
        pub mod most {
            use korat::Finitize;

            /// A node.
            #[derive(Clone, Debug, Finitize)]
            pub struct Node {
                /// The key.
                pub key: u8,
                /// The next one.
                pub next: Option<Box<Node>>,
            }
        }

        /// A list, whose invariant is elsewhere.
        #[derive(Clone, Debug, korat::Finitize)]
        pub struct List {
            /// The first one.
            pub head: Option<Box<most::Node>>,
        }
    }

    /// Another name for the same list.
    type Link = Option<Box<inner::most::Node>>;

    #[korat::rep_ok]
    impl inner::List {
        /// Whether the keys decrease.
        pub fn rep_ok(&self) -> bool {
            Self::below(&self.head, 3) && self.head.as_ref().is_none_or(|node| Self::first(node))
        }

        fn below(link: &Link, limit: u8) -> bool {
            match link {
                Some(node) => node.key < limit && Self::below(&node.next, node.key),
                None => true,
            }
        }

        fn first(node: &inner::most::Node) -> bool {
            node.key < 2
        }
    }

    #[test]
    fn a_class_is_found_by_its_path() {
        use korat::Finitize;
        let report = korat::for_each_valid(inner::List::scope(2), |list| assert!(list.rep_ok()));
        assert_eq!(report.valid, 4);
        let search = korat::Search::new(inner::List::scope(2)).objects::<inner::most::Node>(1);
        assert_eq!(search.domain(korat::field!(inner::most::Node.key), [0]).count().valid, 2);
    }
}

/// Korat under another name.
mod renamed {
    /// Where a project keeps its tools.
    pub mod tools {
        /// The same crate.
        pub mod exhaustive {
            pub use korat::*;
        }
    }

    /// A fieldless enum.
    #[derive(Clone, Debug, PartialEq, tools::exhaustive::Finitize)]
    #[finitize(crate = crate::renamed::tools::exhaustive)]
    pub enum Side {
        /// One.
        Left,
        /// The other.
        Right,
    }

    /// A class.
    #[derive(Clone, Debug, tools::exhaustive::Finitize)]
    #[finitize(crate = crate::renamed::tools::exhaustive, objects = 1)]
    pub struct Door {
        side: Side,
        open: bool,
    }

    #[tools::exhaustive::rep_ok(crate = crate::renamed::tools::exhaustive)]
    impl Door {
        /// The left one is closed.
        pub fn rep_ok(&self) -> bool {
            self.side == Side::Right || !self.open
        }
    }

    #[test]
    fn korat_is_found_where_the_attribute_says() {
        use tools::exhaustive::Finitize;
        let report = tools::exhaustive::for_each_valid(Door::scope(1), |door| assert!(door.rep_ok()));
        assert_eq!(report.valid, 3);
    }
}

/// Classes that a macro writes: types and names come from different places.
mod by_macro {
    macro_rules! list {
        ($list:ident of $node:ident with $key:ty: $domain:expr) => {
            /// A node.
            #[derive(Clone, Debug, korat::Finitize)]
            pub struct $node {
                #[finitize($domain)]
                key: $key,
                #[finitize(len = 0..=1)]
                cells: Vec<$key>,
                next: Option<Box<$node>>,
            }

            /// A list.
            #[derive(Clone, Debug, korat::Finitize)]
            pub struct $list {
                head: Option<Box<$node>>,
            }

            #[korat::rep_ok]
            impl $list {
                /// Whether the keys increase and no node has cells.
                pub fn rep_ok(&self) -> bool {
                    let mut last: Option<$key> = None;
                    let mut at = &self.head;
                    while let Some(node) = at {
                        if last.is_some_and(|last| node.key <= last) || !node.cells.is_empty() {
                            return false;
                        }
                        last = Some(node.key);
                        at = &node.next;
                    }
                    true
                }
            }
        };
    }

    list!(Bytes of ByteNode with u8: 0..3);
    list!(Letters of LetterNode with char: 'a'..='c');

    #[test]
    fn a_macro_may_write_the_class() {
        use korat::Finitize;
        for report in [
            korat::for_each_valid(Bytes::scope(3), |list| assert!(list.rep_ok())),
            korat::for_each_valid(Letters::scope(3), |list| assert!(list.rep_ok())),
        ] {
            assert_eq!(report.valid, 8);
        }
    }
}
