//! Union-find: disjoint sets as a forest in an arena, linked by rank, with paths that get shorter with every use.

use korat::{Finitize, rep_ok};

/// The number of an element, as given by [`UnionFind::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Finitize)]
#[finitize(id)]
pub struct Id(u32);

impl Id {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An element: where its set is, and a bound for how far down the tree goes below it.
#[derive(Clone, Debug, PartialEq, Finitize)]
struct Node {
    /// The next element on the way to the one that stands for the set; that one is its own parent.
    #[finitize(index_of = nodes)]
    parent: Id,
    rank: u8,
}

/// Some elements, each in exactly one set.
#[derive(Clone, Debug, Default, PartialEq, Finitize)]
pub struct UnionFind {
    nodes: Vec<Node>,
    /// The number of sets.
    sets: usize,
}

#[rep_ok]
impl UnionFind {
    /// Every parent is an element of a higher rank, ranks are earned, and `sets` counts the sets.
    ///
    /// Ranks that grow on every step up leave no room for a cycle, so each path ends at an element that is its own
    /// parent. Up to five elements, these are exactly the forests that `union` and `find` can make; of six, there is
    /// one more that they cannot make, but handle as well.
    pub fn rep_ok(&self) -> bool {
        self.ranks_grow() && self.roots().all(|root| self.is_earned(root)) && self.roots().count() == self.sets
    }

    fn ranks_grow(&self) -> bool {
        self.nodes.iter().enumerate().all(|(i, node)| {
            let parent = node.parent.index();
            parent == i || self.nodes.get(parent).is_some_and(|above| above.rank > node.rank)
        })
    }

    /// Whether the ranks in the set of `root` are what unions give. To get from rank `k` to the next, the root was
    /// given a child of rank `k`, which it still has; and whatever reached rank `k` then had `2^k` elements to itself.
    fn is_earned(&self, root: usize) -> bool {
        let of_set: Vec<usize> = (0..self.nodes.len()).filter(|&i| self.root(Id(i as u32)).index() == root).collect();
        let has_child =
            |rank| of_set.iter().any(|&i| self.nodes[i].parent.index() == root && self.nodes[i].rank == rank);
        let reached = |rank| of_set.iter().filter(|&&i| self.nodes[i].rank >= rank).count();
        let rank = self.nodes[root].rank;
        (0..rank).all(has_child) && (0..=rank).all(|k| reached(k) << k <= of_set.len())
    }

    /// The element that stands for the set of `id`, with all paths left as they are.
    pub fn root(&self, mut id: Id) -> Id {
        while self.parent(id) != id {
            id = self.parent(id);
        }
        id
    }

    fn parent(&self, id: Id) -> Id {
        self.nodes[id.index()].parent
    }

    /// The elements that stand for sets.
    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&i| self.nodes[i].parent.index() == i)
    }
}

impl UnionFind {
    /// No elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.sets
    }

    /// The elements.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.nodes.len() as u32).map(Id)
    }

    /// Adds an element, in a set of its own.
    pub fn push(&mut self) -> Id {
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(Node { parent: id, rank: 0 });
        self.sets += 1;
        id
    }

    /// The element that stands for the set of `id`. Paths are halved on the way: every second element is linked to the
    /// one after the next.
    pub fn find(&mut self, mut id: Id) -> Id {
        while self.parent(id) != id {
            let grandparent = self.parent(self.parent(id));
            self.nodes[id.index()].parent = grandparent;
            id = grandparent;
        }
        id
    }

    /// Whether two elements are in the same set.
    pub fn same(&mut self, a: Id, b: Id) -> bool {
        self.find(a) == self.find(b)
    }

    /// Makes one set of the sets of two elements; says whether they were two. The set of the lower rank goes below the
    /// other, so that the rank grows only if both had the same.
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

    /// The sets, each in the order of its elements, by their first elements.
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
mod tests {
    use super::*;
    use crate::seeded::found_at;

    type Union = fn(&mut UnionFind, Id, Id) -> bool;

    /// `union` with a bug: it compares the ranks of the two elements, not of those that stand for their sets.
    fn union_by_own_rank(sets: &mut UnionFind, a: Id, b: Id) -> bool {
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

    /// The simple way: for each element the smallest one in its set, found without `find`.
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
            // Each path is at most as long as before, and the one that was used has half as many steps.
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

    /// What one would write by hand: sets grow together, and everything is connected that should be, and nothing else.
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

    /// Three elements, two of them in one set. The sets come out right, only their ranks do not, so that an example
    /// that asks what is connected sees nothing.
    #[test]
    fn comparing_the_wrong_ranks_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(UnionFind::scope(scope), |sets| check_union(&sets, union_by_own_rank));
        });
        assert_eq!(found, Some(3));
    }
}
