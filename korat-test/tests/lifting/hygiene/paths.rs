//! Classes in other modules than their invariants.

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
    let bounds = inner::List::scope(2).objects::<inner::most::Node>(1);
    assert_eq!(korat::Search::new(bounds.domain(korat::field!(inner::most::Node.key), [0])).count(), 2);
}
