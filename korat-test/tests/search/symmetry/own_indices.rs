//! Vectors of indices into themselves, each read in several orders: permutations up to conjugation, functional digraphs. The
//! order in which a predicate reads decides which candidates are met, and must not decide which values are given.

use super::*;

/// The smallest text of the links over all orders of positions, which rename the links too.
fn conjugated(to: &[usize]) -> String {
    let moved = |order: Vec<usize>| {
        let mut moved = vec![0; order.len()];
        for (at, &target) in to.iter().enumerate() {
            moved[order[at]] = order[target];
        }
        format!("{moved:?}")
    };
    orders(to.len()).into_iter().map(moved).min().unwrap_or_default()
}

/// Every vector of up to `scope` indices into itself.
fn maps(scope: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..=scope).flat_map(|len| lists(&(0..len).collect::<Vec<_>>(), len))
}

/// Declares a vector of indices with a predicate, and tests that it has these numbers of values at scope 0, 1, 2, ...
macro_rules! own_indices {
    ($name:ident, $counts:expr, |$to:ident| $predicate:block) => {
        mod $name {
            use super::*;

            #[derive(Clone, Debug, Finitize)]
            struct Links {
                #[finitize(index_of = to)]
                to: Vec<usize>,
            }

            #[rep_ok]
            impl Links {
                fn rep_ok(&self) -> bool {
                    let $to = &self.to;
                    $predicate
                }
            }

            #[test]
            fn every_class_once() {
                let count = |scope| {
                    let all = maps(scope).map(|to| Links { to });
                    agree(scope, all, |links| conjugated(&links.to))
                };
                let expected: &[u64] = &$counts;
                assert_eq!((0..expected.len()).map(count).collect::<Vec<_>>(), expected);
            }
        }
    };
}

// Partitions of n (A000041), summed: permutations are conjugate if their cycles are as long.
own_indices!(permutations_forwards, [1, 2, 4, 7, 12, 19], |to| {
    let mut seen = vec![false; to.len()];
    for at in 0..to.len() {
        if std::mem::replace(&mut seen[to[at]], true) {
            return false;
        }
    }
    true
});

own_indices!(permutations_in_reverse, [1, 2, 4, 7, 12, 19], |to| {
    let mut seen = vec![false; to.len()];
    for &target in to.iter().rev() {
        if seen[target] {
            return false;
        }
        seen[target] = true;
    }
    true
});

own_indices!(permutations_by_cycles, [1, 2, 4, 7, 12, 19], |to| {
    let mut done = vec![false; to.len()];
    for start in 0..to.len() {
        if done[start] {
            continue;
        }
        let mut at = start;
        while !done[at] {
            done[at] = true;
            at = to[at];
        }
        if at != start {
            return false;
        }
    }
    true
});

// Functional digraphs (A001372), summed.
own_indices!(maps_unread, [1, 2, 5, 12, 31, 78], |_to| { true });

own_indices!(maps_forwards, [1, 2, 5, 12, 31, 78], |to| { to.iter().all(|&target| target < to.len()) });

own_indices!(maps_in_reverse, [1, 2, 5, 12, 31, 78], |to| { to.iter().rev().all(|&target| target < to.len()) });

own_indices!(maps_from_the_middle, [1, 2, 5, 12, 31, 78], |to| {
    let mut at = to.len() / 2;
    for _ in 0..to.len() {
        at = to[at];
    }
    true
});

own_indices!(maps_followed, [1, 2, 5, 12, 31, 78], |to| {
    for start in 0..to.len() {
        let mut at = start;
        for _ in 0..to.len() {
            at = to[at];
        }
    }
    true
});

/// Elements of two indices each, the second of which may be none: both are mentioned by their own element.
mod pairs {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Links {
        #[finitize(index_of = to, none = usize::MAX)]
        to: Vec<[usize; 2]>,
    }

    #[rep_ok]
    impl Links {
        fn rep_ok(&self) -> bool {
            self.to.iter().rev().all(|pair| pair[0] != usize::MAX && pair[1] != pair[0])
        }
    }

    #[test]
    fn every_class_once() {
        for scope in 0..=3 {
            let all = (0..=scope).flat_map(|len| {
                let links: Vec<usize> = (0..len).chain([usize::MAX]).collect();
                let pair = |&one: &usize| links.iter().map(move |&two| [one, two]).collect::<Vec<_>>();
                let pairs: Vec<[usize; 2]> = links.iter().flat_map(pair).collect();
                lists(&pairs, len).into_iter().map(|to| Links { to })
            });
            agree(scope, all, |links| {
                let moved = |order: Vec<usize>| {
                    let target = |to: usize| order.get(to).copied().unwrap_or(to);
                    let mut moved = vec![[0, 0]; order.len()];
                    for (at, &[one, two]) in links.to.iter().enumerate() {
                        moved[order[at]] = [target(one), target(two)];
                    }
                    format!("{moved:?}")
                };
                orders(links.to.len()).into_iter().map(moved).min().unwrap_or_default()
            });
        }
    }
}

/// An arena that is a set as well: its elements have no order, and an index goes with the one that it names.
mod chosen_of_a_set {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Chosen {
        #[finitize(index_of = keys)]
        chosen: Option<usize>,
        #[finitize(set, 0..=2)]
        keys: Vec<u8>,
    }

    #[rep_ok]
    impl Chosen {
        fn rep_ok(&self) -> bool {
            self.chosen.is_none_or(|chosen| self.keys[chosen] > 0)
        }
    }

    #[test]
    fn any_member_may_be_chosen() {
        for scope in 0..=3 {
            let all = lists_up_to(&[0, 1, 2], scope).into_iter().flat_map(|keys| {
                let chosen = std::iter::once(None).chain((0..keys.len()).map(Some)).collect::<Vec<_>>();
                chosen.into_iter().map(move |chosen| Chosen { chosen, keys: keys.clone() })
            });
            agree(scope, all, |value| {
                let mut rest = value.keys.clone();
                let chosen = value.chosen.map(|chosen| rest.remove(chosen));
                rest.sort();
                format!("{chosen:?} {rest:?}")
            });
        }
    }
}
