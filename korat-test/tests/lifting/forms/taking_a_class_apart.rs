//! Patterns that take a class apart: in `let`, `if let`, `match`, `matches!` and parameters of closures.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

use crate::forms::{Color, Node, lists_where, valid};

macro_rules! list_type {
    ($name:ident) => {
        #[derive(Debug, Finitize)]
        struct $name {
            head: Option<Box<Node>>,
        }
    };
}

list_type!(ByLet);
#[rep_ok]
impl ByLet {
    fn rep_ok(&self) -> bool {
        let Self { head } = self;
        let mut seen = HashSet::new();
        let mut at = head;
        while let Some(node) = at {
            if !seen.insert(&raw const **node) {
                return false;
            }
            let Node { color, key, next } = &**node;
            if *color == Color::Red && *key == 0 {
                return false;
            }
            at = next;
        }
        true
    }
}

list_type!(ByIfLet);
#[rep_ok]
impl ByIfLet {
    fn rep_ok(&self) -> bool {
        if let Some(Node { color: Color::Red, .. }) = self.head.as_deref() {
            return false;
        }
        Self::sorted(self.head.as_deref(), &mut HashSet::new())
    }

    fn sorted(node: Option<&Node>, seen: &mut HashSet<*const Node>) -> bool {
        let Some(node @ Node { key, next, .. }) = node else { return true };
        if !seen.insert(node) {
            return false;
        }
        match next.as_deref() {
            Some(Node { key: next_key, .. }) if next_key <= key => false,
            Some(_) | None => Self::sorted(next.as_deref(), seen),
        }
    }
}

list_type!(ByMatches);
#[rep_ok]
impl ByMatches {
    fn rep_ok(&self) -> bool {
        let mut seen = HashSet::new();
        let nodes = || std::iter::successors(self.head.as_deref(), |node| node.next.as_deref());
        nodes().all(|node| seen.insert(&raw const *node))
            && nodes().all(|Node { key, .. }| *key < 3)
            && nodes().filter(|node| matches!(node, Node { color: Color::Black, key: 1..=2, .. })).count() == 1
    }
}

#[test]
fn by_let() {
    let holds = |list: &[(Color, u8)]| list.iter().all(|&(color, key)| color != Color::Red || key != 0);
    assert_eq!(valid::<ByLet>(2), lists_where(2, holds));
}

#[test]
fn by_if_let_and_match() {
    let holds = |list: &[(Color, u8)]| {
        !list.first().is_some_and(|(color, _)| *color == Color::Red)
            && list.windows(2).all(|pair| pair[1].1 > pair[0].1)
    };
    assert_eq!(valid::<ByIfLet>(3), lists_where(3, holds));
}

#[test]
fn by_matches_and_closure_parameters() {
    let holds = |list: &[(Color, u8)]| {
        let dark = |node: &&(Color, u8)| matches!(node, (Color::Black, 1..=2));
        list.iter().all(|(_, key)| *key < 3) && list.iter().filter(dark).count() == 1
    };
    assert_eq!(valid::<ByMatches>(3), lists_where(3, holds));
}

/// A tuple struct.
#[derive(Debug, Finitize)]
struct Pair(u8, bool);

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        let Pair(number, flag) = self;
        let Self(again, _) = *self;
        match self {
            Self(0, true) => false,
            Pair(_, _) => *flag == number.is_multiple_of(2) && again == *number,
        }
    }
}

#[test]
fn tuple_structs() {
    let all = (0..=3u8).flat_map(|number| [(number, false), (number, true)]);
    let count = all.filter(|&(number, flag)| !(number == 0 && flag) && flag == number.is_multiple_of(2)).count();
    assert_eq!(valid::<Pair>(3), count as u64);
}
