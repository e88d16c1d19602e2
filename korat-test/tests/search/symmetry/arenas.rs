//! Arenas whose indices stand for references: walked by links, looked at slot by slot, crossed, side by side.

use super::*;

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
