//! Union-find: disjoint sets as a forest in an arena, with union by rank and path halving.

use korat::{Finitize, rep_ok};

/// The number of an element, returned by [`UnionFind::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Finitize)]
#[finitize(id)]
pub struct Id(u32);

impl Id {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An element: its parent, and an upper bound on the height of the tree below it.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    /// The next element on the path to the set's representative, which is its own parent.
    #[finitize(index_of = nodes)]
    parent: Id,
    rank: u8,
}

/// A collection of elements, each in exactly one set.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct UnionFind {
    nodes: Vec<Node>,
    /// The number of sets.
    sets: usize,
}

#[rep_ok]
impl UnionFind {
    /// Returns whether every parent has a higher rank, the ranks can result from unions, and `sets` is the number of
    /// sets.
    ///
    /// Ranks that increase on every step up exclude cycles, so every path ends at an element that is its own parent. Up
    /// to five elements, these are exactly the forests that `union` and `find` can produce; with six, there is one
    /// more, which they handle as well.
    pub fn rep_ok(&self) -> bool {
        self.ranks_grow() && self.roots().all(|root| self.is_earned(root)) && self.roots().count() == self.sets
    }

    fn ranks_grow(&self) -> bool {
        self.nodes.iter().enumerate().all(|(i, node)| {
            let parent = node.parent.index();
            parent == i || self.nodes.get(parent).is_some_and(|above| above.rank > node.rank)
        })
    }

    /// Returns whether the ranks in the set of `root` can result from unions. To rise from rank `k`, the root got a
    /// child of rank `k`, which it still has; and an element that reached rank `k` had `2^k` elements in its tree at
    /// that time.
    fn is_earned(&self, root: usize) -> bool {
        let of_set: Vec<usize> = (0..self.nodes.len()).filter(|&i| self.root(Id(i as u32)).index() == root).collect();
        let has_child =
            |rank| of_set.iter().any(|&i| self.nodes[i].parent.index() == root && self.nodes[i].rank == rank);
        let reached = |rank| of_set.iter().filter(|&&i| self.nodes[i].rank >= rank).count();
        let rank = self.nodes[root].rank;
        (0..rank).all(has_child) && (0..=rank).all(|k| reached(k) << k <= of_set.len())
    }

    /// Returns the representative of the set of `id`, without changing any path.
    pub fn root(&self, mut id: Id) -> Id {
        while self.parent(id) != id {
            id = self.parent(id);
        }
        id
    }

    fn parent(&self, id: Id) -> Id {
        self.nodes[id.index()].parent
    }

    /// Returns the representatives of all sets.
    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].parent.index() == i)
    }
}

impl UnionFind {
    /// Creates a collection without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of sets.
    pub fn sets(&self) -> usize {
        self.sets
    }

    /// Returns the elements.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.nodes.len() as u32).map(Id)
    }

    /// Adds an element in a set of its own.
    pub fn push(&mut self) -> Id {
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(Node { parent: id, rank: 0 });
        self.sets += 1;
        id
    }

    /// Returns the representative of the set of `id`. Halves the path: links every second element to its grandparent.
    pub fn find(&mut self, mut id: Id) -> Id {
        while self.parent(id) != id {
            let grandparent = self.parent(self.parent(id));
            self.nodes[id.index()].parent = grandparent;
            id = grandparent;
        }
        id
    }

    /// Returns whether two elements are in the same set.
    pub fn same(&mut self, a: Id, b: Id) -> bool {
        self.find(a) == self.find(b)
    }

    /// Merges the sets of two elements. Returns `false` if they were in the same set. The root of lower rank becomes a
    /// child of the other, so that a rank grows only if both are equal.
    pub fn union(&mut self, a: Id, b: Id) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        let (high, low) = if self.rank(a) < self.rank(b) { (b, a) } else { (a, b) };
        if self.rank(high) == self.rank(low) {
            self.nodes[high.index()].rank += 1;
        }
        self.nodes[low.index()].parent = high;
        self.sets -= 1;
        true
    }

    /// Returns the sets ordered by their first elements, each in the order of its elements.
    pub fn groups(&self) -> Vec<Vec<Id>> {
        let mut place = vec![None; self.len()];
        let mut groups: Vec<Vec<Id>> = Vec::new();
        for id in self.ids() {
            let root = self.root(id).index();
            let place = *place[root].get_or_insert(groups.len());
            if place == groups.len() {
                groups.push(Vec::new());
            }
            groups[place].push(id);
        }
        groups
    }

    fn rank(&self, id: Id) -> u8 {
        self.nodes[id.index()].rank
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;

    type Union = fn(&mut UnionFind, Id, Id) -> bool;

    /// A buggy `union`: it compares the ranks of the two elements instead of those of their representatives.
    pub(crate) fn union_by_own_rank(sets: &mut UnionFind, a: Id, b: Id) -> bool {
        let (root_a, root_b) = (sets.find(a), sets.find(b));
        if root_a == root_b {
            return false;
        }
        let (high, low) = if sets.rank(a) < sets.rank(b) { (root_b, root_a) } else { (root_a, root_b) };
        if sets.rank(a) == sets.rank(b) {
            sets.nodes[high.index()].rank += 1;
        }
        sets.nodes[low.index()].parent = high;
        sets.sets -= 1;
        true
    }

    /// A naive model: for each element, the smallest one in its set, computed without `find`.
    fn model(sets: &UnionFind) -> Vec<Id> {
        sets.ids().map(|id| sets.ids().find(|&other| sets.root(other) == sets.root(id)).unwrap()).collect()
    }

    fn number_of_sets(model: &[Id]) -> usize {
        model.iter().enumerate().filter(|&(i, first)| first.index() == i).count()
    }

    fn check_find(sets: &UnionFind) {
        for id in sets.ids() {
            let mut halved = sets.clone();
            assert_eq!(halved.find(id), sets.root(id));
            assert!(halved.rep_ok());
            assert_eq!(model(&halved), model(sets));
            // No path gets longer, and the one that was used becomes half as long.
            for other in sets.ids() {
                assert!(depth(&halved, other) <= depth(sets, other));
            }
            assert_eq!(depth(&halved, id), depth(sets, id).div_ceil(2));
        }
    }

    fn depth(sets: &UnionFind, id: Id) -> usize {
        std::iter::successors(Some(id), |&id| Some(sets.parent(id)).filter(|&parent| parent != id)).count() - 1
    }

    fn check_depth(sets: &UnionFind) {
        for id in sets.ids() {
            assert!(1 << depth(sets, id) <= sets.len());
        }
    }

    fn check_union(sets: &UnionFind, union: Union) {
        let before = model(sets);
        for a in sets.ids() {
            for b in sets.ids() {
                let mut sets = sets.clone();
                let (first, second) =
                    (before[a.index()].min(before[b.index()]), before[a.index()].max(before[b.index()]));
                let after: Vec<Id> = before.iter().map(|&id| if id == second { first } else { id }).collect();
                assert_eq!(union(&mut sets, a, b), first != second);
                assert!(sets.rep_ok());
                assert_eq!(model(&sets), after);
                assert_eq!(sets.sets(), number_of_sets(&after));
                assert!(sets.same(a, b));
            }
        }
    }

    fn check_push_and_groups(sets: &UnionFind) {
        let mut grown = sets.clone();
        let new = grown.push();
        assert!(grown.rep_ok());
        assert_eq!(grown.sets(), sets.sets() + 1);
        let mut groups = sets.groups();
        assert_eq!(groups.len(), sets.sets());
        groups.push(vec![new]);
        assert_eq!(grown.groups(), groups);
        let model = model(&grown);
        for group in groups {
            assert!(group.iter().all(|id| model[id.index()] == group[0]));
        }
    }

    /// A typical hand-written test: merges sets and checks that exactly the right elements are connected.
    fn example(union: Union) {
        let mut sets = UnionFind::new();
        let ids: Vec<Id> = (0..10).map(|_| sets.push()).collect();
        for [a, b] in [[0, 1], [2, 3], [0, 2], [4, 5], [6, 7], [7, 8], [1, 8]] {
            assert!(!sets.same(ids[a], ids[b]));
            assert!(union(&mut sets, ids[a], ids[b]));
            assert!(sets.same(ids[a], ids[b]));
        }
        assert!(!union(&mut sets, ids[3], ids[6]));
        assert_eq!(sets.sets(), 3);
        let groups = [&ids[0..4], &ids[6..9]].concat();
        assert_eq!(sets.groups(), [groups, ids[4..6].to_vec(), ids[9..].to_vec()]);
    }

    #[test]
    fn sets_grow_together() {
        example(UnionFind::union);
        example(union_by_own_rank);
    }

    #[test]
    fn operations_agree_with_the_model_on_some_sets() {
        let mut sets = UnionFind::new();
        let ids: Vec<Id> = (0..8).map(|_| sets.push()).collect();
        for [a, b] in [[0, 1], [2, 3], [1, 3], [4, 5], [6, 7], [5, 7], [3, 7]] {
            sets.union(ids[a], ids[b]);
            check_find(&sets);
            check_depth(&sets);
            check_union(&sets, UnionFind::union);
            check_push_and_groups(&sets);
        }
    }

    #[test]
    fn find_shortens_paths_and_changes_no_set() {
        korat::for_each_valid(UnionFind::scope(5), |sets| {
            check_find(&sets);
            check_depth(&sets);
        });
    }

    #[test]
    fn union_does_what_the_model_does() {
        korat::for_each_valid(UnionFind::scope(5), |sets| check_union(&sets, UnionFind::union));
    }

    #[test]
    fn a_new_element_is_a_set() {
        korat::for_each_valid(UnionFind::scope(5), |sets| check_push_and_groups(&sets));
    }

    /// Three elements suffice, two of them in one set. The sets come out right and only the ranks are wrong, so a test
    /// of connectivity does not notice.
    #[test]
    fn comparing_the_wrong_ranks_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(UnionFind::scope(scope), |sets| check_union(&sets, union_by_own_rank));
        });
        assert_eq!(found, Some(3));
    }
}
