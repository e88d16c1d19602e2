//! Vectors that belong to an arena element by element, with `beside`: their elements move along when those of the arena do.
//! Every structure is compared with all its values made by hand, in which the vectors may have different lengths.

use super::*;

/// The smallest text over all orders of `len` places; `write` puts a value down with its places renamed.
fn smallest(len: usize, write: impl Fn(&[usize]) -> String) -> String {
    orders(len).iter().map(|order| write(order)).min().unwrap_or_default()
}

/// The elements in their new places.
fn moved<T: Clone, U>(elements: &[T], order: &[usize], renamed: impl Fn(&T) -> U) -> Vec<U> {
    let mut moved: Vec<Option<U>> = elements.iter().map(|_| None).collect();
    for (element, &place) in elements.iter().zip(order) {
        moved[place] = Some(renamed(element));
    }
    moved.into_iter().flatten().collect()
}

/// Every index below `len`.
fn below(len: usize) -> Vec<usize> {
    (0..len).collect()
}

/// None, and every index below `len`.
fn optional(len: usize) -> Vec<Option<usize>> {
    std::iter::once(None).chain((0..len).map(Some)).collect()
}

/// Declares the structure of nodes and marks with one predicate: a mark where the field comes first, or last, or unread.
macro_rules! marked {
    ($name:ident, $counts:expr, { $($first:tt)* }, { $($last:tt)* }, |$nodes:ident, $mark:ident| $predicate:expr) => {
        mod $name {
            use super::*;

            #[derive(Clone, Debug, Finitize)]
            struct Node {
                #[finitize(index_of = nodes)]
                next: usize,
            }

            #[derive(Clone, Debug, Finitize)]
            struct Marked {
                $($first)*
                nodes: Vec<Node>,
                $($last)*
            }

            #[rep_ok]
            impl Marked {
                fn rep_ok(&self) -> bool {
                    let ($nodes, $mark) = (&self.nodes, &self.mark);
                    $nodes.len() == $mark.len() && $predicate
                }
            }

            #[test]
            fn every_class_once() {
                let expected: &[u64] = &$counts;
                let mut counts = Vec::new();
                for scope in 0..expected.len() {
                    let mut all = Vec::new();
                    for len in 0..=scope {
                        for nodes in lists(&below(len), len) {
                            let nodes: Vec<Node> = nodes.into_iter().map(|next| Node { next }).collect();
                            let marks = lists_up_to(&[false, true], scope).into_iter();
                            all.extend(marks.map(|mark| Marked { nodes: nodes.clone(), mark }));
                        }
                    }
                    counts.push(agree(scope, all, |value: &Marked| {
                        smallest(value.nodes.len(), |order| {
                            let nodes = moved(&value.nodes, order, |node| order[node.next]);
                            format!("{nodes:?} {:?}", moved(&value.mark, order, |&mark| mark))
                        })
                    }));
                }
                assert_eq!(counts, expected);
            }
        }
    };
}

marked!(
    marks_that_forbid_loops,
    [1, 2, 8, 33],
    {},
    { #[finitize(beside = nodes)] mark: Vec<bool>, },
    |nodes, mark| (0..nodes.len()).all(|i| !mark[i] || nodes[i].next != i)
);

marked!(
    marks_declared_first_and_read_first,
    [1, 2, 8, 33],
    { #[finitize(beside = nodes)] mark: Vec<bool>, },
    {},
    |nodes, mark| (0..mark.len()).rev().all(|i| !mark[i] || nodes[i].next != i)
);

marked!(
    marks_all_read_before_nodes,
    [1, 2, 8, 33],
    { #[finitize(beside = nodes)] mark: Vec<bool>, },
    {},
    |nodes, mark| mark.iter().filter(|mark| **mark).count() <= nodes.len()
        && nodes.iter().enumerate().rev().all(|(i, node)| !mark[i] || node.next != i)
);

marked!(
    marks_along_the_links,
    [1, 3, 10, 30],
    {},
    { #[finitize(beside = nodes)] mark: Vec<bool>, },
    |nodes, mark| (0..nodes.len()).all(|i| mark[i] == mark[nodes[i].next])
);

marked!(
    marks_unread,
    [1, 3, 13, 57],
    {},
    { #[finitize(beside = nodes)] mark: Vec<bool>, },
    |nodes, mark| nodes.len() == mark.len()
);

/// Two parallel vectors without structs: the arena is a vector of indices into itself.
mod two_vectors {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Flat {
        #[finitize(beside = next)]
        mark: Vec<Option<bool>>,
        #[finitize(index_of = next)]
        next: Vec<usize>,
    }

    #[rep_ok]
    impl Flat {
        fn rep_ok(&self) -> bool {
            self.mark.len() == self.next.len()
                && self
                    .next
                    .iter()
                    .zip(&self.mark)
                    .rev()
                    .all(|(&next, mark)| mark.is_none() || self.mark[next] != *mark)
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=3 {
            let mut all = Vec::new();
            for len in 0..=scope {
                for next in lists(&below(len), len) {
                    let marks = lists_up_to(&[None, Some(false), Some(true)], scope).into_iter();
                    all.extend(marks.map(|mark| Flat { mark, next: next.clone() }));
                }
            }
            agree(scope, all, |value| {
                smallest(value.next.len(), |order| {
                    let next = moved(&value.next, order, |&next| order[next]);
                    format!("{next:?} {:?}", moved(&value.mark, order, |&mark| mark))
                })
            });
        }
    }
}

/// Three parallel vectors: a doubly linked list with keys, entered at `head`, walked forwards.
mod three_vectors {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Linked {
        #[finitize(index_of = next)]
        head: Option<usize>,
        #[finitize(index_of = next)]
        next: Vec<Option<usize>>,
        #[finitize(index_of = next, beside = next)]
        prev: Vec<Option<usize>>,
        #[finitize(0..=1, beside = prev)]
        key: Vec<u8>,
    }

    #[rep_ok]
    impl Linked {
        fn rep_ok(&self) -> bool {
            let (mut before, mut at) = (None, self.head);
            let mut seen = 0;
            while let Some(node) = at {
                if seen == self.next.len() || self.prev[node] != before {
                    return false;
                }
                if before.is_some_and(|before: usize| self.key[before] > self.key[node]) {
                    return false;
                }
                seen += 1;
                (before, at) = (at, self.next[node]);
            }
            seen == self.prev.len() && self.prev.len() == self.next.len() && self.key.len() == self.next.len()
        }
    }

    #[test]
    fn every_class_once() {
        let mut counts = Vec::new();
        for scope in 0..=3 {
            let mut all = Vec::new();
            for len in 0..=scope {
                for next in lists(&optional(len), len) {
                    for prev in lists(&optional(len), len) {
                        for key in lists(&[0, 1], len) {
                            let with = |&head| {
                                let (next, prev, key) = (next.clone(), prev.clone(), key.clone());
                                Linked { head, next, prev, key }
                            };
                            all.extend(optional(len).iter().map(with));
                        }
                    }
                }
            }
            counts.push(agree(scope, all, |value| {
                smallest(value.next.len(), |order| {
                    let to = |link: &Option<usize>| link.map(|link| order[link]);
                    let (next, prev) = (moved(&value.next, order, to), moved(&value.prev, order, to));
                    format!("{:?} {next:?} {prev:?} {:?}", to(&value.head), moved(&value.key, order, |&key| key))
                })
            }));
        }
        // A sorted list of n keys out of two: n + 1.
        assert_eq!(counts, [1, 3, 6, 10]);
    }
}

/// An index vector beside an arena that leads into another arena, which has a vector beside it, too.
mod into_another {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Owners {
        #[finitize(0..=1)]
        names: Vec<u8>,
        #[finitize(beside = names, index_of = goods)]
        favourite: Vec<Option<usize>>,
        #[finitize(0..=1)]
        goods: Vec<u8>,
        #[finitize(beside = goods, index_of = names)]
        owner: Vec<usize>,
    }

    #[rep_ok]
    impl Owners {
        fn rep_ok(&self) -> bool {
            let is_own = |(at, good): (usize, &Option<usize>)| good.is_none_or(|good| self.owner[good] == at);
            self.favourite.iter().enumerate().all(is_own)
                && self.owner.iter().zip(&self.goods).all(|(&owner, &good)| self.names[owner] <= good)
                && self.favourite.len() == self.names.len()
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=2 {
            let mut all = Vec::new();
            for (names, goods) in (0..=scope).flat_map(|names| (0..=scope).map(move |goods| (names, goods))) {
                for favourite in lists(&optional(goods), names) {
                    for owner in lists(&below(names), goods) {
                        for names in lists(&[0, 1], names) {
                            let with = |goods| {
                                let (favourite, owner, names) = (favourite.clone(), owner.clone(), names.clone());
                                Owners { names, favourite, goods, owner }
                            };
                            all.extend(lists(&[0, 1], goods).into_iter().map(with));
                        }
                    }
                }
            }
            agree(scope, all, |value: &Owners| {
                smallest(value.names.len(), |of_names| {
                    smallest(value.goods.len(), |of_goods| {
                        let favourite =
                            moved(&value.favourite, of_names, |favourite| favourite.map(|good| of_goods[good]));
                        let owner = moved(&value.owner, of_goods, |&owner| of_names[owner]);
                        let (names, goods) =
                            (moved(&value.names, of_names, |&name| name), moved(&value.goods, of_goods, |&good| good));
                        format!("{names:?} {favourite:?} {goods:?} {owner:?}")
                    })
                })
            });
        }
    }
}

/// Classes and vectors as elements of a vector beside an arena, in a class that is held by value; an index named after one of
/// the vectors beside is one of the arena.
mod nested {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Info {
        #[finitize(index_of = info)]
        best: Option<usize>,
        color: bool,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Table {
        #[finitize(beside = ids)]
        info: Vec<Info>,
        #[finitize(beside = ids, index_of = ids, set)]
        edges: Vec<Vec<usize>>,
        #[finitize(0..=0)]
        ids: Vec<u8>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Whole {
        tables: [Table; 1],
    }

    #[rep_ok]
    impl Whole {
        fn rep_ok(&self) -> bool {
            let table = &self.tables[0];
            table.info.iter().enumerate().all(|(at, info)| {
                table.edges[at].len() <= 1 && info.best.is_none_or(|best| table.info[best].color != info.color)
            })
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=2 {
            let mut all = Vec::new();
            for len in 0..=scope {
                let infos: Vec<Info> = [false, true]
                    .into_iter()
                    .flat_map(|color| optional(len).into_iter().map(move |best| Info { best, color }))
                    .collect();
                for info in lists(&infos, len) {
                    for edges in lists(&lists_up_to(&below(len), scope), len) {
                        all.push(Whole { tables: [Table { info: info.clone(), edges, ids: vec![0; len] }] });
                    }
                }
            }
            agree(scope, all, |value: &Whole| {
                let table = &value.tables[0];
                smallest(table.ids.len(), |order| {
                    let info = moved(&table.info, order, |info| (info.best.map(|best| order[best]), info.color));
                    let edges = moved(&table.edges, order, |edges| {
                        let mut edges: Vec<usize> = edges.iter().map(|&edge| order[edge]).collect();
                        edges.sort();
                        edges
                    });
                    format!("{info:?} {edges:?}")
                })
            });
        }
    }
}

/// A set with values: its members have no order, and each keeps its value.
mod set_with_values {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Pairs {
        #[finitize(set, 0..=1)]
        keys: Vec<u8>,
        #[finitize(0..=1, beside = keys)]
        values: Vec<u8>,
    }

    #[rep_ok]
    impl Pairs {
        fn rep_ok(&self) -> bool {
            self.values.iter().zip(&self.keys).any(|(value, key)| value != key)
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=3 {
            let all = (0..=scope).flat_map(|len| {
                let keys = lists(&[0, 1], len).into_iter();
                keys.flat_map(move |keys| {
                    let values = lists(&[0, 1], len).into_iter();
                    values.map(move |values| Pairs { keys: keys.clone(), values }).collect::<Vec<_>>()
                })
            });
            agree(scope, all, |value: &Pairs| {
                let mut pairs: Vec<(u8, u8)> = value.keys.iter().copied().zip(value.values.iter().copied()).collect();
                pairs.sort();
                format!("{pairs:?}")
            });
        }
    }
}

/// A variant with an arena whose elements have names beside them.
mod variants {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    enum Shape {
        Empty,
        Full {
            #[finitize(0..=2, beside = next, identity)]
            name: Vec<u8>,
            #[finitize(index_of = next)]
            next: Vec<usize>,
        },
    }

    #[derive(Clone, Debug, Finitize)]
    struct Holder {
        shape: Shape,
    }

    #[rep_ok]
    impl Holder {
        fn rep_ok(&self) -> bool {
            match &self.shape {
                Shape::Empty => true,
                Shape::Full { name, next } => {
                    next.iter().zip(name).enumerate().all(|(at, (&next, own))| next == at || name[next] != *own)
                }
            }
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=3 {
            let mut all = vec![Holder { shape: Shape::Empty }];
            for len in 0..=scope {
                for next in lists(&below(len), len) {
                    let names = lists(&[0, 1, 2], len).into_iter();
                    all.extend(names.map(|name| Holder { shape: Shape::Full { name, next: next.clone() } }));
                }
            }
            agree(scope, all, |value| match &value.shape {
                Shape::Empty => "empty".to_string(),
                Shape::Full { name, next } => smallest(next.len(), |order| {
                    let next = moved(next, order, |&next| order[next]);
                    format!("{next:?} {:?}", renamed(moved(name, order, |&name| name)))
                }),
            });
        }
    }
}

/// A vector beside one that is no arena has its length, and both keep their order.
mod same_length {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Columns {
        left: Vec<bool>,
        #[finitize(beside = left)]
        right: std::collections::VecDeque<bool>,
    }

    #[rep_ok]
    impl Columns {
        fn rep_ok(&self) -> bool {
            self.left.iter().zip(&self.right).all(|(left, right)| *left || *right)
        }
    }

    #[test]
    fn every_value_once() {
        for scope in 0..=3 {
            let all = (0..=scope).flat_map(|len| {
                let left = lists(&[false, true], len).into_iter();
                left.flat_map(move |left| {
                    let right = lists(&[false, true], len).into_iter();
                    right.map(move |right| Columns { left: left.clone(), right: right.into() }).collect::<Vec<_>>()
                })
            });
            agree(scope, all, |value: &Columns| format!("{value:?}"));
        }
    }
}
