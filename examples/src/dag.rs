//! A directed acyclic graph, stored as adjacency lists.

use std::collections::HashSet;

use korat::{Finitize, rep_ok};

/// A directed acyclic graph; its nodes are numbered from zero.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct Dag {
    /// For each node, its successors in any order.
    #[finitize(index_of = successors, set)]
    pub successors: Vec<Vec<usize>>,
}

/// The error for an edge that would close a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle;

/// The state of a node in the depth-first search for cycles.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    /// Not visited yet.
    New,
    /// On the current path.
    Open,
    /// Finished, with everything reachable from it.
    Done,
}

#[rep_ok]
impl Dag {
    /// Returns whether every edge leads to a node, no edge occurs twice, and there is no cycle.
    pub fn rep_ok(&self) -> bool {
        let mut marks = vec![Mark::New; self.successors.len()];
        for node in 0..self.successors.len() {
            if !self.acyclic_from(node, &mut marks) {
                return false;
            }
        }
        true
    }

    /// Returns whether the part of the graph reachable from `node` is valid.
    fn acyclic_from(&self, node: usize, marks: &mut [Mark]) -> bool {
        match marks.get(node) {
            None | Some(Mark::Open) => return false,
            Some(Mark::Done) => return true,
            Some(Mark::New) => marks[node] = Mark::Open,
        }
        let mut seen: HashSet<usize> = HashSet::new();
        for &next in &self.successors[node] {
            if !seen.insert(next) || !self.acyclic_from(next, marks) {
                return false;
            }
        }
        marks[node] = Mark::Done;
        true
    }
}

impl Dag {
    /// Creates a graph without nodes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Adds a node without edges and returns its number.
    pub fn add_node(&mut self) -> usize {
        self.successors.push(Vec::new());
        self.successors.len() - 1
    }

    /// Adds an edge. Returns whether it was new, or an error if it would close a cycle.
    pub fn add_edge(&mut self, from: usize, to: usize) -> Result<bool, Cycle> {
        if self.reaches(to, from) {
            return Err(Cycle);
        }
        let new = !self.has_edge(from, to);
        if new {
            self.successors[from].push(to);
        }
        Ok(new)
    }

    /// Removes an edge. Returns whether it was present.
    pub fn remove_edge(&mut self, from: usize, to: usize) -> bool {
        let Some(at) = self.successors[from].iter().position(|&next| next == to) else {
            return false;
        };
        self.successors[from].swap_remove(at);
        true
    }

    /// Returns whether there is an edge.
    pub fn has_edge(&self, from: usize, to: usize) -> bool {
        self.successors[from].contains(&to)
    }

    /// Returns all edges.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |&to| (from, to)))
    }

    /// Returns whether there is a path, possibly empty, between two nodes.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.len()];
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                work.extend(&self.successors[node]);
            }
        }
        false
    }

    /// Returns all nodes, each before those reachable from it.
    pub fn topological_order(&self) -> Vec<usize> {
        let mut waiting_for = vec![0; self.len()];
        for (_, to) in self.edges() {
            waiting_for[to] += 1;
        }
        let mut order: Vec<usize> = (0..self.len()).filter(|&node| waiting_for[node] == 0).collect();
        let mut done = 0;
        while done < order.len() {
            for &next in &self.successors[order[done]] {
                waiting_for[next] -= 1;
                if waiting_for[next] == 0 {
                    order.push(next);
                }
            }
            done += 1;
        }
        order
    }

    /// Returns the number of edges on a longest path.
    pub fn depth(&self) -> usize {
        let mut depth = vec![0; self.len()];
        for node in self.topological_order() {
            for &next in &self.successors[node] {
                depth[next] = depth[next].max(depth[node] + 1);
            }
        }
        depth.into_iter().max().unwrap_or(0)
    }

    /// Removes every edge that a longer path makes redundant (transitive reduction).
    pub fn reduce(&mut self) {
        for from in 0..self.len() {
            let all = self.successors[from].clone();
            // No path leads back to `from`, so a path from another successor does not use the edge in question.
            self.successors[from] =
                all.iter().copied().filter(|&to| !all.iter().any(|&via| via != to && self.reaches(via, to))).collect();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;
    use korat::Search;

    /// A buggy [`Dag::reduce`]: it considers only paths of two edges.
    pub(crate) fn reduce_triangles(dag: &mut Dag) {
        let before = dag.clone();
        for (from, to) in before.edges() {
            if before.successors[from].iter().any(|&via| before.has_edge(via, to)) {
                dag.remove_edge(from, to);
            }
        }
    }

    /// Returns for each pair of nodes whether the second is reachable from the first, by Warshall's algorithm.
    fn closure(dag: &Dag) -> Vec<Vec<bool>> {
        let nodes = 0..dag.len();
        let mut reach: Vec<Vec<bool>> =
            nodes.clone().map(|from| nodes.clone().map(|to| from == to || dag.has_edge(from, to)).collect()).collect();
        for via in nodes.clone() {
            for from in nodes.clone() {
                for to in nodes.clone() {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        reach
    }

    fn reaches_what_the_closure_says(dag: &Dag) {
        for (from, row) in closure(dag).into_iter().enumerate() {
            for (to, reaches) in row.into_iter().enumerate() {
                assert_eq!(dag.reaches(from, to), reaches);
            }
        }
    }

    fn order_is_topological(dag: &Dag) {
        let order = dag.topological_order();
        let mut sorted = order.clone();
        sorted.sort();
        assert!(sorted.into_iter().eq(0..dag.len()));
        let place = |node| order.iter().position(|&other| other == node);
        for (from, to) in dag.edges() {
            assert!(place(from) < place(to));
        }
    }

    fn edges_come_and_go(dag: &Dag) {
        for (from, to) in (0..dag.len()).flat_map(|from| (0..dag.len()).map(move |to| (from, to))) {
            let closes_cycle = closure(dag)[to][from];
            let mut more = dag.clone();
            match more.add_edge(from, to) {
                Err(Cycle) => {
                    assert!(closes_cycle);
                    assert_eq!(&more, dag);
                }
                Ok(new) => {
                    assert!(!closes_cycle);
                    assert!(more.rep_ok() && more.has_edge(from, to));
                    assert_eq!(new, !dag.has_edge(from, to));
                    assert_eq!(more.edges().count(), dag.edges().count() + usize::from(new));
                    assert!(dag.depth() <= more.depth());
                }
            }
            let mut fewer = dag.clone();
            assert_eq!(fewer.remove_edge(from, to), dag.has_edge(from, to));
            assert!(fewer.rep_ok());
            assert!(fewer.edges().all(|edge| edge != (from, to)));
            assert_eq!(fewer.edges().count(), dag.edges().filter(|&edge| edge != (from, to)).count());
        }
    }

    /// Checks that the reduced graph has some of the same edges and the same reachability, and loses it without any of
    /// its edges.
    pub(crate) fn reduces_to_the_least(dag: &Dag, reduce: fn(&mut Dag)) {
        let mut reduced = dag.clone();
        reduce(&mut reduced);
        assert!(reduced.rep_ok());
        assert!(reduced.edges().all(|(from, to)| dag.has_edge(from, to)));
        assert_eq!(closure(&reduced), closure(dag));
        assert_eq!(reduced.depth(), dag.depth());
        for (from, to) in reduced.edges() {
            let mut less = reduced.clone();
            less.remove_edge(from, to);
            assert!(!less.reaches(from, to));
        }
    }

    fn dag(nodes: usize, edges: &[(usize, usize)]) -> Dag {
        let mut dag = Dag::new();
        for node in 0..nodes {
            assert_eq!(dag.add_node(), node);
        }
        for &(from, to) in edges {
            assert_eq!(dag.add_edge(from, to), Ok(true));
        }
        dag
    }

    #[test]
    fn rep_ok_rejects_cycles_and_double_edges() {
        let graph = |successors: &[&[usize]]| Dag { successors: successors.iter().map(|all| all.to_vec()).collect() };
        assert!(graph(&[]).rep_ok());
        assert!(graph(&[&[], &[2, 0], &[0]]).rep_ok());
        assert!(!graph(&[&[0]]).rep_ok());
        assert!(!graph(&[&[1]]).rep_ok());
        assert!(!graph(&[&[1, 1], &[]]).rep_ok());
        assert!(!graph(&[&[], &[2], &[3], &[1]]).rep_ok());
    }

    #[test]
    fn a_house_built_by_hand_has_an_order() {
        let house = dag(6, &[(5, 0), (5, 2), (2, 3), (3, 1), (0, 1), (5, 1), (4, 1)]);
        reaches_what_the_closure_says(&house);
        order_is_topological(&house);
        edges_come_and_go(&house);
        reduces_to_the_least(&house, Dag::reduce);
        assert_eq!(house.depth(), 3);
    }

    #[test]
    fn a_test_by_hand_does_not_tell_the_mistake() {
        for reduce in [Dag::reduce, reduce_triangles] {
            reduces_to_the_least(&dag(0, &[]), reduce);
            reduces_to_the_least(&dag(3, &[(0, 1), (1, 2), (0, 2)]), reduce);
            reduces_to_the_least(&dag(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]), reduce);
            reduces_to_the_least(&dag(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]), reduce);
            reduces_to_the_least(&dag(5, &[(0, 2), (1, 2), (2, 3), (2, 4), (0, 4), (1, 3)]), reduce);
        }
    }

    #[test]
    fn every_way_is_found() {
        // Also writes a page with a picture of each graph.
        Search::new(Dag::scope(4))
            .gallery("../target/korat/dags.html")
            .expect_count(1 + 1 + 2 + 6 + 31)
            .for_each(|dag| reaches_what_the_closure_says(&dag));
    }

    #[test]
    fn topological_order_follows_the_edges() {
        korat::for_each_valid(Dag::scope(4), |dag| order_is_topological(&dag));
    }

    #[test]
    fn edges_that_come_and_go_leave_no_cycle() {
        korat::for_each_valid(Dag::scope(4), |dag| edges_come_and_go(&dag));
    }

    #[test]
    fn reduce_leaves_the_fewest_edges() {
        korat::for_each_valid(Dag::scope(4), |dag| reduces_to_the_least(&dag, Dag::reduce));
    }

    #[test]
    fn longer_detours_are_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(Dag::scope(scope), |dag| reduces_to_the_least(&dag, reduce_triangles));
        });
        assert_eq!(found, Some(4));
    }
}
