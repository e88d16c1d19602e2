use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    key: bool,
}

#[rep_ok(helpers, instances(Node))]
fn is_set(node: &Node) -> bool {
    node.key
}

fn main() {}
