//! Search trees built by a hand-written program over the crate `exhaustigen`, which makes valid ones only.

use exhaustigen::Gen;
use korat_examples::natural::search_tree::{Node, SearchTree};

/// Calls `visit` with every search tree of `nodes` of the keys `0..=nodes`.
pub fn search_trees(nodes: usize, mut visit: impl FnMut(SearchTree)) {
    let mut choices = Gen::new();
    while !choices.done() {
        let missing = choices.r#gen(nodes);
        let mut keys = (0..=nodes).filter(|key| *key != missing);
        visit(SearchTree { root: subtree(&mut choices, nodes, &mut keys), size: nodes });
    }
}

/// Returns a tree of `nodes` nodes with the next keys.
fn subtree(choices: &mut Gen, nodes: usize, keys: &mut impl Iterator<Item = usize>) -> Option<Box<Node>> {
    if nodes == 0 {
        return None;
    }
    let to_the_left = choices.r#gen(nodes - 1);
    let left = subtree(choices, to_the_left, keys);
    let key = keys.next()?;
    let right = subtree(choices, nodes - 1 - to_the_left, keys);
    Some(Box::new(Node { key, left, right }))
}
