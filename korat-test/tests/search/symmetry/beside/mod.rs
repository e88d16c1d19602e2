//! Vectors that belong to an arena element by element, with `beside`: their elements move along when those of the arena do.
//! Every structure is compared with all its values made by hand, in which the vectors may have different lengths.

mod elements;

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
