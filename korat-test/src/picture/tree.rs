//! Computes a spanning tree of a graph, in which each node is reached by the lowest-ranked edge possible. Uses an
//! explicit stack, because long lists would overflow that of the thread.

/// An edge of the graph.
#[derive(Clone, Copy)]
pub(super) struct TreeEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Edges of a lower rank are preferred; `None` excludes the edge from the tree.
    pub(super) rank: Option<u8>,
}

/// Returns the tree edge to each node; `None` for the root, which is node 0.
pub(super) fn span(nodes: usize, edges: &[TreeEdge]) -> Vec<Option<usize>> {
    let mut leaving = vec![Vec::new(); nodes];
    for (edge, TreeEdge { from, .. }) in edges.iter().enumerate() {
        leaving[*from].push(edge);
    }
    let mut ranks: Vec<u8> = edges.iter().filter_map(|edge| edge.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let mut hangs_on = vec![None; nodes];
    for most in ranks {
        let mut met = vec![false; nodes];
        let mut stack = vec![(0, None)];
        while let Some((node, by)) = stack.pop() {
            if std::mem::replace(&mut met[node], true) {
                continue;
            }
            if node != 0 && hangs_on[node].is_none() {
                hangs_on[node] = by;
            }
            let next = leaving[node].iter().rev().filter(|&&edge| edges[edge].rank.is_some_and(|rank| rank <= most));
            stack.extend(next.map(|&edge| (edges[edge].to, Some(edge))));
        }
    }
    hangs_on
}
