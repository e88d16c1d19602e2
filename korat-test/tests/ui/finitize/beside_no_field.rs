//! The vector that another one lies beside is one of the same struct.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Graph {
    #[finitize(index_of = next)]
    next: Vec<usize>,
    #[finitize(beside = nodes)]
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
