//! A module that forbids lints of the group `unused` by name: generated code must not allow them.

#![forbid(dead_code, unused_must_use)]

use korat::{Finitize, rep_ok};

/// A plain value.
#[derive(Clone, Debug, PartialEq, Finitize)]
enum Color {
    Red,
    Black,
}

/// An enum with data.
#[derive(Debug, Finitize)]
enum Shape {
    Dot,
    Line { len: bool },
    Pair(bool, Color),
}

/// A node.
#[derive(Debug, Finitize)]
struct Node {
    shape: Shape,
    next: Option<Box<Node>>,
}

/// A list of nodes.
#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
    #[finitize(0..=2)]
    len: usize,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut rest = &self.head;
        'nodes: while let Some(node) = rest {
            match &node.shape {
                Shape::Dot => {}
                Shape::Line { len } if *len => break 'nodes,
                Shape::Line { .. } => return false,
                Shape::Pair(flag, color) => {
                    if *flag == (*color == Color::Black) {
                        return false;
                    }
                }
            }
            count += Self::one();
            rest = &node.next;
        }
        let mut seen = vec![count];
        let _ = seen.pop();
        count == self.len && rest.is_none()
    }

    fn one() -> usize {
        1
    }
}

/// Counts the lists of dots and of two kinds of pairs.
pub(super) fn count() -> u64 {
    korat::for_each_valid(List::scope(2), |list| list.rep_ok()).valid
}
