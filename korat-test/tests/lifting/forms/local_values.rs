//! The parts of a predicate's own structs and tuples.

use korat::{Finitize, rep_ok};

use crate::forms::{Color, Node, lists_where, valid};

/// Lists of at most `scope` nodes, each red or black, keys `0..=scope`.
#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        struct Walk<'a> {
            at: &'a Option<Box<Node>>,
            seen: Vec<*const Node>,
            pair: (usize, Vec<u8>),
        }
        let mut walk = Walk { at: &self.head, seen: vec![], pair: (0, Vec::new()) };
        while let Some(node) = walk.at {
            if walk.seen.contains(&(&raw const **node)) {
                return false;
            }
            walk.seen.push(&**node);
            walk.pair.0 += 1;
            walk.pair.1.push(node.key);
            walk.at = &node.next;
        }
        // The parts move out of the predicate's own struct.
        let Walk { seen, pair: (len, keys), .. } = walk;
        let item = (seen, len);
        let seen = item.0;
        self.head == None || (seen.len() == item.1 && None != keys.first() && keys[0] == 1)
    }
}

#[test]
fn parts_of_local_structs_and_tuples() {
    let holds = |list: &[(Color, u8)]| list.is_empty() || list[0].1 == 1;
    assert_eq!(valid::<List>(2), lists_where(2, holds));
}
