//! Values up to the order of elements that have none: arenas whose indices stand for references, names of which only equality
//! matters, sets. Every structure is compared with all its values made by hand, brought into one form by trying every order.

#[path = "symmetry/beside.rs"]
mod beside;
#[path = "symmetry/own_indices.rs"]
mod own_indices;

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Backtracking, Finitize, Pruning, RepOk, Search, rep_ok};

/// Compares the search with the valid ones among `all`, told apart by `form`; gives how many there are.
fn agree<T>(scope: usize, all: impl IntoIterator<Item = T>, form: impl Fn(&T) -> String) -> u64
where
    T: Finitize + RepOk + Debug,
{
    let expected: BTreeSet<String> = all.into_iter().filter(T::holds).map(|value| form(&value)).collect();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            let search = Search::new(T::scope(scope)).pruning(pruning).backtracking(backtracking).allow_empty();
            let mut found = BTreeSet::new();
            let report = search.for_each(|value: T| {
                let text = form(&value);
                assert!(found.insert(text.clone()), "{text} comes twice, {pruning:?}, {backtracking:?}");
            });
            assert_eq!(found, expected, "at scope {scope}, {pruning:?}, {backtracking:?}");
            assert_eq!(report.valid, expected.len() as u64);
        }
    }
    expected.len() as u64
}

/// Every list of `len` elements from `choices`.
fn lists<T: Clone>(choices: &[T], len: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = |list: &Vec<T>| {
            choices.iter().map(|next| [&list[..], std::slice::from_ref(next)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Every list of up to `len` elements from `choices`.
fn lists_up_to<T: Clone>(choices: &[T], len: usize) -> Vec<Vec<T>> {
    (0..=len).flat_map(|len| lists(choices, len)).collect()
}

/// Every order of `0..count`: the new place of each element.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let with_last = |order: Vec<usize>| {
        (0..count).map(move |at| [&order[..at], &[last], &order[at..]].concat()).collect::<Vec<_>>()
    };
    orders(last).into_iter().flat_map(with_last).collect()
}

/// The numbers with names in the order of their first mention.
fn renamed(names: impl IntoIterator<Item = u8>) -> Vec<usize> {
    let mut known = Vec::new();
    let number = |name| {
        known.iter().position(|&one| one == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        })
    };
    names.into_iter().map(number).collect()
}

/// Lists in an arena, entered at `head`, walked by their links; other slots are free.
mod walked {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Node {
        #[finitize(0..=1)]
        mark: u8,
        #[finitize(index_of = nodes)]
        next: Option<usize>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct List {
        #[finitize(index_of = nodes)]
        head: Option<usize>,
        nodes: Vec<Node>,
    }

    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            let mut seen = vec![false; self.nodes.len()];
            let mut at = self.head;
            while let Some(index) = at {
                if std::mem::replace(&mut seen[index], true) {
                    return false;
                }
                at = self.nodes[index].next;
            }
            true
        }
    }

    fn all(scope: usize) -> Vec<List> {
        let mut all = Vec::new();
        for len in 0..=scope {
            let links: Vec<Option<usize>> = std::iter::once(None).chain((0..len).map(Some)).collect();
            let nodes: Vec<Node> =
                [0, 1].iter().flat_map(|&mark| links.iter().map(move |&next| Node { mark, next })).collect();
            for nodes in lists(&nodes, len) {
                all.extend(links.iter().map(|&head| List { head, nodes: nodes.clone() }));
            }
        }
        all
    }

    fn form(list: &List) -> String {
        let moved = |order: Vec<usize>| {
            let mut nodes = vec![(0, None); order.len()];
            for (at, node) in list.nodes.iter().enumerate() {
                nodes[order[at]] = (node.mark, node.next.map(|next| order[next]));
            }
            format!("{:?} {nodes:?}", list.head.map(|head| order[head]))
        };
        orders(list.nodes.len()).into_iter().map(moved).min().unwrap_or_default()
    }

    #[test]
    fn lists_in_an_arena_with_free_slots() {
        for scope in 0..=3 {
            agree(scope, all(scope), form);
        }
    }
}

/// A forest given by parents, looked at slot by slot, with a sentinel for none and ids of a type of their own.
mod scanned {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Finitize)]
    #[finitize(id)]
    struct Id(u32);

    const NONE: Id = Id(u32::MAX);

    #[derive(Clone, Debug, Finitize)]
    struct Forest {
        #[finitize(index_of = parents, none = NONE)]
        parents: Vec<Id>,
    }

    #[rep_ok]
    impl Forest {
        fn rep_ok(&self) -> bool {
            for start in 0..self.parents.len() {
                let (mut at, mut steps) = (start, 0);
                while self.parents[at] != NONE {
                    at = self.parents[at].0 as usize;
                    steps += 1;
                    if steps > self.parents.len() {
                        return false;
                    }
                }
            }
            true
        }
    }

    #[test]
    fn forests_are_counted_without_their_numbers() {
        let mut counts = Vec::new();
        for scope in 0..=4 {
            let all = (0..=scope).flat_map(|len| {
                let ids: Vec<Id> = std::iter::once(NONE).chain((0..len as u32).map(Id)).collect();
                lists(&ids, len).into_iter().map(|parents| Forest { parents })
            });
            let form = |forest: &Forest| {
                let moved = |order: Vec<usize>| {
                    let mut parents = vec![None; order.len()];
                    for (at, parent) in forest.parents.iter().enumerate() {
                        parents[order[at]] = (*parent != NONE).then(|| order[parent.0 as usize]);
                    }
                    format!("{parents:?}")
                };
                orders(forest.parents.len()).into_iter().map(moved).min().unwrap_or_default()
            };
            counts.push(agree(scope, all, form));
        }
        // Rooted forests of n nodes: 1, 1, 2, 4, 9 (A000081, shifted); up to a size, their sums.
        assert_eq!(counts, [1, 2, 4, 8, 17]);
    }
}

/// Two arenas that refer to each other.
mod crossed {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Left {
        #[finitize(index_of = rights)]
        right: u8,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Right {
        #[finitize(index_of = lefts)]
        left: Option<u16>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Pairs {
        lefts: Vec<Left>,
        rights: Vec<Right>,
    }

    #[rep_ok]
    impl Pairs {
        fn rep_ok(&self) -> bool {
            let answered = |(at, left): (usize, &Left)| {
                self.rights.get(left.right as usize).is_some_and(|right| right.left == Some(at as u16))
            };
            self.lefts.iter().enumerate().all(answered)
        }
    }

    #[test]
    fn arenas_are_ordered_independently() {
        for scope in 0..=2 {
            let mut all = Vec::new();
            for (lefts, rights) in (0..=scope).flat_map(|lefts| (0..=scope).map(move |rights| (lefts, rights))) {
                let to_right: Vec<u8> = (0..rights as u8).collect();
                let to_left: Vec<Option<u16>> = std::iter::once(None).chain((0..lefts as u16).map(Some)).collect();
                for lefts in lists(&to_right, lefts) {
                    for rights in lists(&to_left, rights) {
                        all.push(Pairs {
                            lefts: lefts.iter().map(|&right| Left { right }).collect(),
                            rights: rights.iter().map(|&left| Right { left }).collect(),
                        });
                    }
                }
            }
            let form = |pairs: &Pairs| {
                let mut forms = Vec::new();
                for of_left in orders(pairs.lefts.len()) {
                    for of_right in orders(pairs.rights.len()) {
                        let mut lefts = vec![0; of_left.len()];
                        let mut rights = vec![None; of_right.len()];
                        for (at, left) in pairs.lefts.iter().enumerate() {
                            lefts[of_left[at]] = of_right[left.right as usize];
                        }
                        for (at, right) in pairs.rights.iter().enumerate() {
                            rights[of_right[at]] = right.left.map(|left| of_left[left as usize]);
                        }
                        forms.push(format!("{lefts:?} {rights:?}"));
                    }
                }
                forms.into_iter().min().unwrap_or_default()
            };
            agree(scope, all, form);
        }
    }
}

/// Arenas of one class, by value: each index is one of its own arena.
mod side_by_side {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Arena {
        #[finitize(0..=1)]
        marks: Vec<u8>,
        #[finitize(index_of = marks)]
        chosen: usize,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Pair {
        left: Arena,
        others: [Arena; 1],
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            self.others[0].chosen < self.others[0].marks.len()
        }
    }

    #[test]
    fn an_index_is_one_of_its_own_arena() {
        for scope in 0..=2 {
            let arenas: Vec<Arena> = lists_up_to(&[0, 1], scope)
                .into_iter()
                .flat_map(|marks| (0..marks.len()).map(move |chosen| Arena { marks: marks.clone(), chosen }))
                .collect();
            let all = arenas
                .iter()
                .flat_map(|left| arenas.iter().map(move |other| Pair { left: left.clone(), others: [other.clone()] }));
            // The chosen mark, and the others in any order.
            let arena = |Arena { marks, chosen }: &Arena| {
                let mut rest = marks.clone();
                let first = rest.remove(*chosen);
                rest.sort();
                format!("{first} {rest:?}")
            };
            agree(scope, all, |pair| format!("{} {}", arena(&pair.left), arena(&pair.others[0])));
        }
    }
}

/// Values of which only equality matters.
mod names {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Word {
        #[finitize(0..=3, identity)]
        letters: Vec<u8>,
    }

    #[rep_ok]
    impl Word {
        fn rep_ok(&self) -> bool {
            self.letters.windows(2).all(|pair| pair[0] != pair[1])
        }
    }

    #[test]
    fn words_without_repetition() {
        for scope in 0..=4 {
            let all = lists_up_to(&[0, 1, 2, 3], scope).into_iter().map(|letters| Word { letters });
            agree(scope, all, |word| format!("{:?}", renamed(word.letters.iter().copied())));
        }
    }

    #[derive(Clone, Debug, Finitize)]
    struct Free {
        #[finitize(identity, len = scope..=scope)]
        items: Vec<u8>,
    }

    #[rep_ok]
    impl Free {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[test]
    fn bell_numbers() {
        let counts: Vec<u64> = (0..=6).map(|scope| Search::new(Free::scope(scope)).count().valid).collect();
        assert_eq!(counts, [1, 1, 2, 5, 15, 52, 203]);
    }

    #[derive(Clone, Debug, Finitize)]
    struct Mixed {
        #[finitize(0..=2, identity = "keys")]
        one: u8,
        #[finitize(values = [None, Some(0), Some(1), Some(2)], identity = "keys")]
        two: Option<u8>,
        #[finitize(0..=2, identity)]
        other: u8,
    }

    #[rep_ok]
    impl Mixed {
        fn rep_ok(&self) -> bool {
            // Read in another order than declared.
            self.two != Some(self.one) || self.other <= 2
        }
    }

    #[test]
    fn groups_are_renamed_apart() {
        let mut all = Vec::new();
        for one in 0..=2 {
            for two in [None, Some(0), Some(1), Some(2)] {
                all.extend((0..=2).map(|other| Mixed { one, two, other }));
            }
        }
        let form = |mixed: &Mixed| {
            let keys = renamed([mixed.one].into_iter().chain(mixed.two));
            format!("{keys:?} {} {:?}", mixed.two.is_some(), renamed([mixed.other]))
        };
        assert_eq!(agree(2, all, form), 3);
    }
}

/// Vectors whose order does not matter.
mod sets {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Bag {
        #[finitize(set)]
        items: Vec<u8>,
    }

    #[rep_ok]
    impl Bag {
        fn rep_ok(&self) -> bool {
            self.items.iter().rev().copied().map(u32::from).sum::<u32>() % 2 == 0
        }
    }

    #[test]
    fn bags_of_numbers() {
        for scope in 0..=4 {
            let all = lists_up_to(&(0..=scope as u8).collect::<Vec<_>>(), scope).into_iter().map(|items| Bag { items });
            agree(scope, all, |bag| {
                let mut items = bag.items.clone();
                items.sort();
                format!("{items:?}")
            });
        }
    }

    #[derive(Clone, Debug, Finitize)]
    struct Crowd {
        #[finitize(identity, set, len = scope..=scope)]
        names: Vec<u8>,
    }

    #[rep_ok]
    impl Crowd {
        fn rep_ok(&self) -> bool {
            true
        }
    }

    #[test]
    fn partitions_of_numbers() {
        let counts: Vec<u64> = (0..=6).map(|scope| Search::new(Crowd::scope(scope)).count().valid).collect();
        assert_eq!(counts, [1, 1, 2, 3, 5, 7, 11]);
    }

    #[derive(Clone, Debug, Finitize)]
    struct Tree {
        #[finitize(set)]
        children: Vec<Tree>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Rooted {
        root: Box<Tree>,
        #[finitize(scope..=scope)]
        size: usize,
    }

    #[rep_ok]
    impl Rooted {
        fn rep_ok(&self) -> bool {
            Self::count(&self.root) == self.size
        }
        fn count(tree: &Tree) -> usize {
            let mut count = 1;
            for child in &tree.children {
                count += Self::count(child);
            }
            count
        }
    }

    #[test]
    fn trees_whose_children_have_no_order() {
        // A000081.
        let counts: Vec<u64> = (1..=6).map(|scope| Search::new(Rooted::scope(scope)).count().valid).collect();
        assert_eq!(counts, [1, 1, 2, 4, 9, 20]);
    }

    #[derive(Clone, Debug, Finitize)]
    struct Graph {
        #[finitize(index_of = edges, set)]
        edges: Vec<Vec<usize>>,
    }

    #[rep_ok]
    impl Graph {
        /// Edges are without direction, between different nodes, and stand in both lists.
        fn rep_ok(&self) -> bool {
            self.edges.iter().enumerate().all(|(from, to)| {
                to.iter().all(|&to| to != from && self.edges[to].contains(&from))
                    && to.iter().enumerate().all(|(at, one)| !to[..at].contains(one))
            })
        }
    }

    #[test]
    fn graphs_without_numbers() {
        // A000088: 1, 1, 2, 4, 11; up to a size, their sums.
        let counts: Vec<u64> = (0..=4).map(|scope| Search::new(Graph::scope(scope)).count().valid).collect();
        assert_eq!(counts, [1, 2, 4, 8, 19]);
    }
}
