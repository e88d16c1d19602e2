//! One of several vectors stands alone.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
struct Graph {
    #[finitize(index_of = prev, beside = prev)]
    next: Vec<usize>,
    #[finitize(index_of = next, beside = next)]
    prev: Vec<usize>,
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
