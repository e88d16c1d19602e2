//! The struct is this one, and need not be named.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Graph {
    #[finitize(index_of = next)]
    next: Vec<usize>,
    #[finitize(beside = Graph.next)]
    mark: Vec<bool>,
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        true
    }
}

fn main() {
    korat::for_each_valid(Graph::scope(3), |graph| assert!(graph.rep_ok()));
}
