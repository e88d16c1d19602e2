//! The picture in the guide is the one that its example makes.

use std::fs;

use korat::{Finitize, Search, rep_ok};

use super::book::workspace;

#[derive(Debug, Finitize)]
struct Node {
    #[finitize(0..=1)]
    value: u8,
    next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
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

#[test]
fn the_picture_of_a_list_is_that_of_a_real_search() {
    let drawn = Search::new(List::scope(2)).svg(4).pop().expect("there are four lists");
    let kept = fs::read_to_string(workspace().join("docs/src/list.svg")).expect("the picture is there");
    assert!(kept.trim_end() == drawn.trim_end(), "docs/src/list.svg is another picture than\n{drawn}");
}
