//! A tree in a graph: each node hangs on the most telling of the edges that lead to it. Takes edges with ranks, gives for each
//! node the edge it hangs on. Walks with a stack of its own, so that long lists do not use up that of the thread.

/// An edge as far as the tree is concerned.
#[derive(Clone, Copy)]
pub(super) struct TreeEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// A node hangs on an edge of a lower rank if it can; `None` if nothing may hang on the edge.
    pub(super) rank: Option<u8>,
}

/// For each node the edge it hangs on; none for the root, which is node 0.
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
