//! `petgraph::graph::Graph` as a field: one slot, whose values are all graphs without parallel edges, each once up to
//! isomorphism. A predicate sees the real graph, so that it can call any function over graphs on it.

use std::fmt::Debug;
use std::marker::PhantomData;

use petgraph::EdgeType;
use petgraph::graph::{EdgeIndex, Graph, IndexType, NodeIndex};
use petgraph::visit::EdgeRef;

use super::isomorphs::{Graphs, Kind};
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::bounds::listed;
use crate::class::codec::{Codec, Field};
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::codec::listed::{Optional, PlainField};
use crate::codec::sequence::HasLen;
use crate::codec::tuple_option::{Copied, Maybe};
use crate::model::ids::{FieldId, to_u32};
use crate::predicate::twin::Elem;
use crate::slots::slot::{AnySlot, Slot};

/// The maximum number of labelled graphs, counted before isomorphic ones are removed. Enumerating more takes too long.
const MOST_GRAPHS: u128 = 1 << 22;

/// An item of a graph's domain; see [`graph_weights`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphWeight<N, E> {
    /// A weight that nodes may have.
    Node(N),
    /// A weight that edges may have.
    Edge(E),
}

/// Returns the domain of a `petgraph` field: the weights that its nodes and edges may have. Both lists must be
/// non-empty; without a choice, pass `[()]`.
///
/// ```
/// use korat::{Finitize, graph_weights, rep_ok};
/// use petgraph::graph::UnGraph;
///
/// #[derive(Debug, Finitize)]
/// struct Roads {
///     #[finitize(graph_weights([()], 1..=2), len = 3..=3)]
///     map: UnGraph<(), u8>,
/// }
///
/// #[rep_ok]
/// impl Roads {
///     /// A path of three nodes, or a triangle.
///     fn rep_ok(&self) -> bool {
///         petgraph::algo::connected_components(&self.map) == 1
///             && self.map.edge_references().all(|road| {
///                 use petgraph::visit::EdgeRef;
///                 road.source() != road.target()
///             })
///     }
/// }
///
/// // On a path both roads have weight 1, both have 2, or one each; on a triangle zero to three roads have weight 1.
/// assert_eq!(korat::Search::new(Roads::scope(0)).count(), 3 + 4);
/// ```
pub fn graph_weights<N, E>(
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = E>,
) -> impl Iterator<Item = GraphWeight<N, E>> {
    nodes.into_iter().map(GraphWeight::Node).chain(edges.into_iter().map(GraphWeight::Edge))
}

/// The codec of a graph.
pub struct GraphOf<N, E, Ty, Ix>(PhantomData<(N, E, Ty, Ix)>);

/// The plan of a graph field.
pub struct GraphPlan<N: 'static, E: 'static, Ty: 'static, Ix: 'static> {
    field: FieldId,
    node_weights: Vec<N>,
    edge_weights: Vec<E>,
    sizes: Vec<Graphs>,
    /// The outline of each graph, smallest first.
    outlines: &'static [GraphShape<N, E>],
    graphs: &'static [Graph<N, E, Ty, Ix>],
}

/// A graph up to isomorphism. `size` and `number` come first, so that comparisons of different graphs end there.
#[derive(PartialEq)]
struct GraphShape<N, E> {
    /// The number of nodes and edges.
    size: (usize, usize),
    /// The canonical form among graphs with this many nodes.
    number: u64,
    nodes: Vec<N>,
    edges: Vec<(usize, usize, E)>,
}

/// Prints the graph for messages.
impl<N: Debug, E: Debug> Debug for GraphShape<N, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph").field("nodes", &self.nodes).field("edges", &self.edges).finish()
    }
}

impl<N, E> GraphShape<N, E> {
    fn key(&self) -> (usize, usize, u64) {
        (self.size.0, self.size.1, self.number)
    }
}

/// Splits a domain into the weights of nodes and of edges. Fails if either is empty or lists a weight twice.
fn weights<N: Debug + PartialEq, E: Debug + PartialEq>(
    domain: Vec<GraphWeight<N, E>>,
) -> Result<(Vec<N>, Vec<E>), String> {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for weight in domain {
        match weight {
            GraphWeight::Node(weight) if nodes.contains(&weight) => {
                return Err(format!("the weight {weight:?} of nodes is listed twice"));
            }
            GraphWeight::Edge(weight) if edges.contains(&weight) => {
                return Err(format!("the weight {weight:?} of edges is listed twice"));
            }
            GraphWeight::Node(weight) => nodes.push(weight),
            GraphWeight::Edge(weight) => edges.push(weight),
        }
    }
    match (nodes.is_empty(), edges.is_empty()) {
        (true, _) => Err("no weight of nodes is listed".to_string()),
        (_, true) => Err("no weight of edges is listed".to_string()),
        (false, false) => Ok((nodes, edges)),
    }
}

/// Returns the graphs of each of these sizes. Fails if there are too many, or a size is listed twice.
fn sizes(kind: Kind, mut lens: Vec<usize>) -> Result<Vec<Graphs>, String> {
    lens.sort_unstable();
    if let Some(pair) = lens.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("the length {} is listed twice", pair[0]));
    }
    let largest = lens.last().copied().unwrap_or(0);
    let count = lens.iter().try_fold(0, |sum: u128, &nodes| sum.checked_add(kind.count(nodes)?));
    if count.is_none_or(|count| count > MOST_GRAPHS) {
        let count = count.map_or_else(|| "more than 2^128".to_string(), |count| count.to_string());
        return Err(format!(
            "there are {count} labelled graphs of up to {largest} nodes, and korat goes through {MOST_GRAPHS} at most; lower \
             the scope or `len`, or list fewer weights in the domain"
        ));
    }
    Ok(lens.into_iter().map(|nodes| Graphs::new(kind, nodes)).collect())
}

/// Returns every graph of these sizes, smallest first.
fn outlines<N: Clone, E: Clone>(sizes: &[Graphs], node_weights: &[N], edge_weights: &[E]) -> Vec<GraphShape<N, E>> {
    let mut all = Vec::new();
    for graphs in sizes {
        for number in graphs.all() {
            let digits = graphs.digits(number);
            let nodes: Vec<N> = digits[..graphs.nodes()].iter().map(|&weight| node_weights[weight].clone()).collect();
            let edge = |(place, (one, other)): (usize, (usize, usize))| {
                let weight = digits[place].checked_sub(1)?;
                Some((one, other, edge_weights[weight].clone()))
            };
            let edges: Vec<(usize, usize, E)> = graphs.places().filter_map(edge).collect();
            all.push(GraphShape { size: (nodes.len(), edges.len()), number, nodes, edges });
        }
    }
    all.sort_by_key(GraphShape::key);
    all
}

impl<N: PlainField, E: PlainField, Ty: EdgeType + 'static, Ix: IndexType> Codec for GraphOf<N, E, Ty, Ix> {
    type Value = Graph<N, E, Ty, Ix>;
    type Leaf = GraphWeight<N, E>;
    type Lifted = Graph<N, E, Ty, Ix>;
    type Cell = Slot<Graph<N, E, Ty, Ix>>;
    type Plan = GraphPlan<N, E, Ty, Ix>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<Self::Leaf>) -> Self::Plan {
        let lens = attrs.len.unwrap_or_else(|| listed(0..=planner.scope()));
        let (mut node_weights, mut edge_weights, mut all_sizes) = (Vec::new(), Vec::new(), Vec::new());
        let made = attrs.values.and_then(weights).and_then(|(of_nodes, of_edges)| {
            (node_weights, edge_weights) = (of_nodes, of_edges);
            let (is_directed, counts) = (Ty::is_directed(), (node_weights.len(), edge_weights.len()));
            all_sizes = sizes(Kind { is_directed, node_weights: counts.0, edge_weights: counts.1 }, lens?)?;
            Ok(outlines(&all_sizes, &node_weights, &edge_weights))
        });
        let (field, outlines) = planner.value_field(made);
        let build = |outline: &GraphShape<N, E>| {
            let mut graph = Graph::with_capacity(outline.size.0, outline.size.1);
            for weight in &outline.nodes {
                graph.add_node(weight.clone());
            }
            for (one, other, weight) in &outline.edges {
                graph.add_edge(NodeIndex::new(*one), NodeIndex::new(*other), weight.clone());
            }
            graph
        };
        let graphs: &'static Vec<Graph<N, E, Ty, Ix>> = planner.keep(outlines.iter().map(build).collect());
        GraphPlan { field, node_weights, edge_weights, sizes: all_sizes, outlines, graphs }
    }
    fn cell(plan: &Self::Plan, slots: &mut SlotMaker<'_>) -> Self::Cell {
        slots.slot(plan.field, plan.graphs)
    }
    fn elem(cell: &'static Self::Cell, _: &mut SlotMaker<'_>) -> Elem<Self::Lifted> {
        Elem::field(cell)
    }
    fn visit(cell: &Self::Cell, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
    }
    fn materialise(cell: &Self::Cell, plan: &Self::Plan) -> Self::Value {
        plan.graphs[cell.index() as usize].clone()
    }
    fn abstract_to(
        value: &Self::Value,
        cell: &Self::Cell,
        plan: &Self::Plan,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let key = plan.key(value).ok_or_else(|| OutOfBounds::value(value))?;
        let index = plan.outlines.binary_search_by_key(&key, GraphShape::key).map_err(|_| OutOfBounds::value(value))?;
        to.set_slot(cell, to_u32(index));
        Ok(())
    }
}

impl<N: PartialEq, E: PartialEq, Ty: EdgeType, Ix: IndexType> GraphPlan<N, E, Ty, Ix> {
    /// Returns the key that identifies a graph up to isomorphism; `None` if it has parallel edges or unlisted weights.
    fn key(&self, graph: &Graph<N, E, Ty, Ix>) -> Option<(usize, usize, u64)> {
        let graphs = self.sizes.iter().find(|graphs| graphs.nodes() == graph.node_count())?;
        let weight = |weight: &N| self.node_weights.iter().position(|listed| listed == weight);
        let mut digits = graph.node_weights().map(weight).collect::<Option<Vec<usize>>>()?;
        for (_, (one, other)) in graphs.places() {
            let mut between = graph.edges_connecting(NodeIndex::new(one), NodeIndex::new(other));
            let edge = between.next();
            // In an undirected graph, `edges_connecting` yields a loop once from either end.
            if between.any(|more| edge.is_none_or(|edge| edge.id() != more.id())) {
                return None;
            }
            let weight = |weight: &E| self.edge_weights.iter().position(|listed| listed == weight);
            digits.push(match edge {
                Some(edge) => weight(edge.weight())? + 1,
                None => 0,
            });
        }
        Some((graph.node_count(), graph.edge_count(), graphs.smallest(&digits)))
    }
}

impl<N: PlainField, E: PlainField, Ty: EdgeType + 'static, Ix: IndexType> Copied for GraphOf<N, E, Ty, Ix> {
    type Member = Self::Lifted;
    fn value(cell: &Self::Cell) -> Self::Lifted {
        cell.__korat_read().clone()
    }
    fn stamp(cell: &Self::Cell, tell: &mut dyn FnMut(u32)) {
        tell(cell.index());
    }
}

#[diagnostic::do_not_recommend]
impl<N, E, Ty, Ix> HasLen for GraphOf<N, E, Ty, Ix> {}

impl<N: PlainField, E: PlainField, Ty: EdgeType + 'static, Ix: IndexType> Field for Graph<N, E, Ty, Ix> {
    type Codec = GraphOf<N, E, Ty, Ix>;
    type Element = Self::Codec;
    fn default_values(scope: usize) -> Result<Vec<GraphWeight<N, E>>, String> {
        let (nodes, edges) = (<N as Field>::default_values(scope)?, <E as Field>::default_values(scope)?);
        Ok(graph_weights(nodes, edges).collect())
    }
}

impl<N: PlainField, E: PlainField, Ty: EdgeType + 'static, Ix: IndexType> Optional for Graph<N, E, Ty, Ix> {
    type Codec = Maybe<GraphOf<N, E, Ty, Ix>>;
    fn default_values(scope: usize) -> Result<Vec<GraphWeight<N, E>>, String> {
        <Self as Field>::default_values(scope)
    }
}

impl<N, E, Ty, Ix> Lift for Graph<N, E, Ty, Ix> {
    type Lifted = Self;
}

impl<Ix> Lift for NodeIndex<Ix> {
    type Lifted = Self;
}

impl<Ix> Lift for EdgeIndex<Ix> {
    type Lifted = Self;
}
