//! Graphs of `petgraph`, counted up to isomorphism and looked at with its own algorithms.

use korat::graph_weights;
use petgraph::algo::{is_cyclic_directed, is_isomorphic};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

use super::*;

#[derive(Clone, Debug, Finitize)]
struct Directed {
    graph: DiGraph<(), ()>,
}

#[rep_ok]
impl Directed {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[derive(Clone, Debug, Finitize)]
struct Undirected {
    #[finitize(len = scope..=scope)]
    graph: UnGraph<(), (), u8>,
}

#[rep_ok]
impl Undirected {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn all_graphs() {
    // A000595: 1, 2, 10, 104, 3044; up to a size, their sums.
    assert_eq!([0, 1, 2, 3, 4].map(count::<Directed>), [1, 3, 13, 117, 3161]);
    // A000666.
    assert_eq!([0, 1, 2, 3, 4, 5].map(count::<Undirected>), [1, 2, 6, 20, 90, 544]);
}

#[test]
fn smallest_first() {
    let mut last = (0, 0);
    korat::for_each_valid(Directed::scope(3), |value| {
        let size = (value.graph.node_count(), value.graph.edge_count());
        assert!(last <= size);
        last = size;
    });
}

#[derive(Clone, Debug, Finitize)]
struct Dag {
    #[finitize(len = scope..=scope)]
    graph: DiGraph<(), ()>,
}

#[rep_ok]
impl Dag {
    fn rep_ok(&self) -> bool {
        !is_cyclic_directed(&self.graph)
    }
}

#[test]
fn acyclic_graphs() {
    // A003087.
    assert_eq!([0, 1, 2, 3, 4].map(count::<Dag>), [1, 1, 2, 6, 31]);
    korat::for_each_valid(Dag::scope(4), |dag| {
        let order = petgraph::algo::toposort(&dag.graph, None).expect("the graph has no cycle");
        assert_eq!(order.len(), 4);
    });
}

/// A tree whose nodes are of two colours, neighbours of different ones, walked by hand.
#[derive(Clone, Debug, Finitize)]
struct Coloured {
    #[finitize(graph_weights([false, true], [()]), len = scope..=scope)]
    graph: UnGraph<bool, ()>,
}

#[rep_ok]
impl Coloured {
    fn rep_ok(&self) -> bool {
        let count = self.graph.node_count();
        if count == 0 || self.graph.edge_count() != count - 1 {
            return false;
        }
        let mut seen = vec![NodeIndex::new(0)];
        let mut next = 0;
        while next < seen.len() {
            if !Self::visit(&self.graph, seen[next], &mut seen) {
                return false;
            }
            next += 1;
        }
        seen.len() == count
    }

    fn visit(graph: &UnGraph<bool, ()>, node: NodeIndex, seen: &mut Vec<NodeIndex>) -> bool {
        for other in graph.neighbors(node) {
            if graph[other] == graph[node] {
                return false;
            }
            if !seen.contains(&other) {
                seen.push(other);
            }
        }
        true
    }
}

#[test]
fn trees_of_two_colours() {
    // A path of two or four nodes looks the same in its other colouring; a single node, a path of three and a star do not.
    assert_eq!([1, 2, 3, 4].map(count::<Coloured>), [2, 1, 2, 3]);
}

/// Edges with weights, and a graph in an option.
#[derive(Clone, Debug, Finitize)]
struct Weighted {
    #[finitize(graph_weights([()], [1, 2, 3]), len = 2..=2)]
    graph: Option<DiGraph<(), u8>>,
}

#[rep_ok]
impl Weighted {
    fn rep_ok(&self) -> bool {
        self.graph.as_ref().is_none_or(|graph| graph.edge_weights().all(|&weight| weight < 3))
    }
}

#[test]
fn weights_count() {
    // No graph; or 3^4 with labels, of which 3^2 are the same when the nodes are exchanged.
    assert_eq!(count::<Weighted>(0), 1 + (81 + 9) / 2);
}

#[test]
fn the_way_back_finds_the_graph_in_any_order() {
    let mut directed = idle::<Directed>(3);
    let mut graph = DiGraph::new();
    let nodes = [(); 3].map(|()| graph.add_node(()));
    graph.add_edge(nodes[2], nodes[1], ());
    graph.add_edge(nodes[1], nodes[1], ());
    let slots = directed.abstract_value(&Directed { graph: graph.clone() }).expect("the graph is within the bounds");
    assert!(is_isomorphic(&directed.build(&slots).graph, &graph));
    graph.add_edge(nodes[2], nodes[1], ());
    assert!(directed.abstract_value(&Directed { graph }).is_err(), "parallel edges are out of bounds");

    let mut undirected = idle::<Undirected>(2);
    let mut graph = UnGraph::default();
    let nodes = [(); 2].map(|()| graph.add_node(()));
    graph.add_edge(nodes[1], nodes[1], ());
    graph.add_edge(nodes[1], nodes[0], ());
    let slots =
        undirected.abstract_value(&Undirected { graph: graph.clone() }).expect("the graph is within the bounds");
    assert!(is_isomorphic(&undirected.build(&slots).graph, &graph));
}

#[test]
fn too_many_graphs_are_an_error_of_the_bounds() {
    let errors =
        |scope| Searcher::new(&Directed::scope(scope), Settings::default()).err().map(|error| error.to_string());
    assert_eq!(errors(4), None);
    // The sum of 2^(n * n).
    let message = errors(5).expect("there are too many");
    assert!(message.contains("33620499 labelled graphs of up to 5 nodes"), "{message}");
    assert!(message.contains("lower the scope"), "{message}");
    assert!(errors(40).is_some_and(|message| message.contains("more than 2^128")));
}
