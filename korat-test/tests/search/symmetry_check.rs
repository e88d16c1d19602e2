//! Predicates that depend on an order which the structure was declared not to have: the search ends, names the field and says
//! what to declare. Those that do not depend on it are searched to the end.

use korat::{Backtracking, Finitize, Pruning, RepOk, Search, SelfCheck, rep_ok};

use crate::panics::message_of;

/// What a search says that ends with an error, the same in both modes and prunings; with and without building values.
fn error<T: Finitize + RepOk + std::fmt::Debug>(scope: usize) -> String {
    let mut texts = Vec::new();
    for pruning in [Pruning::Ownership, Pruning::Classic] {
        for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
            let search = || Search::new(T::scope(scope)).pruning(pruning).backtracking(backtracking);
            texts.push(message_of(|| search().for_each(|_: T| {})));
            // So does one that only counts.
            message_of(|| search().report());
        }
    }
    let text = texts.swap_remove(0);
    assert!(texts.iter().all(|other| *other == text), "{text}\n{texts:#?}");
    text
}

/// All values are looked at; none is refused.
fn passes<T: Finitize + RepOk + std::fmt::Debug>(scope: usize) {
    for backtracking in [Backtracking::Checkpoint, Backtracking::Reexecute] {
        let report = Search::new(T::scope(scope)).backtracking(backtracking).for_each(|_: T| {});
        assert!(report.is_complete());
    }
}

/// Marks that belong to nodes, and do not say so.
mod marks {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Node {
        #[finitize(index_of = nodes)]
        next: usize,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Marked {
        nodes: Vec<Node>,
        mark: Vec<bool>,
    }

    #[rep_ok]
    impl Marked {
        fn rep_ok(&self) -> bool {
            self.nodes.len() == self.mark.len()
                && (0..self.nodes.len()).all(|at| !self.mark[at] || self.nodes[at].next != at)
        }
    }

    #[test]
    fn the_arena_is_named_and_what_to_declare() {
        let text = error::<Marked>(3);
        assert!(
            text.starts_with(
                "rep_ok depends on the positions of Marked.nodes, which `index_of` declares to have no meaning"
            ),
            "{text}"
        );
        assert!(text.contains("`#[finitize(beside = nodes)]`"), "{text}");
        assert_eq!(text.matches("  Marked { nodes.len(): 2").count(), 2, "both values are shown: {text}");
        assert!(
            text.contains("and rejects the same value with the elements of Marked.nodes in another order"),
            "{text}"
        );
    }
}

/// Parallel vectors that do not say so.
mod parallel {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Flat {
        #[finitize(index_of = next)]
        next: Vec<usize>,
        mark: Vec<bool>,
    }

    #[rep_ok]
    impl Flat {
        fn rep_ok(&self) -> bool {
            self.next.len() == self.mark.len() && self.next.iter().all(|&next| self.mark[next])
        }
    }

    #[test]
    fn the_vector_of_indices_is_named() {
        let text = error::<Flat>(3);
        assert!(text.contains("the positions of Flat.next,"), "{text}");
        assert!(text.contains("`#[finitize(beside = next)]`"), "{text}");
    }
}

/// An index that is a number.
mod numbers {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Heap {
        #[finitize(index_of = parent)]
        parent: Vec<Option<usize>>,
    }

    #[rep_ok]
    impl Heap {
        fn rep_ok(&self) -> bool {
            self.parent.iter().enumerate().all(|(at, parent)| parent.is_none_or(|parent| parent < at))
        }
    }

    #[test]
    fn an_index_that_is_compared_with_places() {
        let text = error::<Heap>(3);
        assert!(text.contains("the positions of Heap.parent,"), "{text}");
        assert!(text.contains("make it one: `#[finitize(0..scope)]`"), "{text}");
    }

    /// The first element mentioned is taken to be at the front: a loop does not end in another order.
    #[derive(Clone, Debug, Finitize)]
    struct Front {
        #[finitize(index_of = keys)]
        front: usize,
        keys: Vec<bool>,
    }

    #[rep_ok]
    impl Front {
        fn rep_ok(&self) -> bool {
            let mut at = self.front;
            while at != 0 {
                at = at.max(1);
            }
            self.keys[at]
        }
    }

    #[test]
    fn a_predicate_that_does_not_end_in_another_order() {
        let text = message_of(|| Search::new(Front::scope(2)).step_limit(10_000).report());
        assert!(text.contains("and does not end on the same value with the elements of Front.keys"), "{text}");
    }

    /// A sentinel at the front: out of bounds in another order.
    #[derive(Clone, Debug, Finitize)]
    struct Sentinel {
        #[finitize(index_of = links)]
        links: Vec<usize>,
        #[finitize(values = ["ab"])]
        letters: &'static str,
    }

    #[rep_ok]
    impl Sentinel {
        fn rep_ok(&self) -> bool {
            self.links.len() < 2 || (self.links[0] == 0 && self.letters.as_bytes()[self.links[0]] == b'a')
        }
    }

    #[test]
    fn a_sentinel_at_the_front() {
        let text = error::<Sentinel>(2);
        assert!(text.contains("the positions of Sentinel.links,"), "{text}");
    }
}

/// Sets and names.
mod others {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Ascending {
        #[finitize(set)]
        keys: Vec<u8>,
    }

    #[rep_ok]
    impl Ascending {
        fn rep_ok(&self) -> bool {
            self.keys.windows(2).all(|pair| pair[0] < pair[1])
        }
    }

    #[test]
    fn a_set_with_an_order() {
        let text = error::<Ascending>(3);
        assert!(
            text.starts_with("rep_ok depends on the order of Ascending.keys, which `set` declares to have no meaning"),
            "{text}"
        );
        assert!(text.contains("note: remove `set`"), "{text}");
    }

    /// Of a set only the ascending order is tried, which this one rejects: nothing would be found.
    #[derive(Clone, Debug, Finitize)]
    struct Descending {
        #[finitize(set)]
        keys: Vec<u8>,
    }

    #[rep_ok]
    impl Descending {
        fn rep_ok(&self) -> bool {
            self.keys.len() == 2 && self.keys[0] > self.keys[1]
        }
    }

    #[test]
    fn a_set_with_an_order_that_is_not_tried() {
        let text = error::<Descending>(3);
        assert!(
            text.starts_with("rep_ok depends on the order of Descending.keys, which `set` declares to have no meaning"),
            "{text}"
        );
        assert!(text.contains("and rejects the same value with Descending.keys in another order"), "{text}");
        let unchecked = Search::new(Descending::scope(3)).self_check(SelfCheck::Off).allow_empty(true).report();
        assert_eq!(unchecked.valid, 0);
    }

    #[derive(Clone, Debug, Finitize)]
    struct Pair {
        #[finitize(0..=2, identity)]
        low: u8,
        #[finitize(0..=2, identity)]
        high: u8,
    }

    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            self.low < self.high
        }
    }

    #[test]
    fn names_that_are_compared() {
        let text = error::<Pair>(2);
        assert!(text.contains("depends on more of Pair.low than equality"), "{text}");
        assert!(text.contains("note: remove `identity`"), "{text}");
    }

    /// Two fields that mean the same names in different groups.
    #[derive(Clone, Debug, Finitize)]
    struct Apart {
        #[finitize(0..=2, identity = "ones")]
        one: u8,
        #[finitize(0..=2, identity = "others")]
        other: u8,
    }

    #[rep_ok]
    impl Apart {
        fn rep_ok(&self) -> bool {
            self.one == self.other
        }
    }

    #[test]
    fn groups_that_are_compared_with_each_other() {
        let text = error::<Apart>(2);
        assert!(text.contains("Apart.one"), "{text}");
        assert!(text.contains("belong to one group"), "{text}");
    }
}

/// Two arenas, only one of which is at fault.
mod culprit {
    use super::*;

    #[derive(Clone, Debug, Finitize)]
    struct Two {
        #[finitize(index_of = good)]
        good: Vec<usize>,
        #[finitize(index_of = bad)]
        bad: Vec<usize>,
    }

    #[rep_ok]
    impl Two {
        fn rep_ok(&self) -> bool {
            let is_right = |(at, &to): (usize, &usize)| to <= at;
            self.good.iter().all(|&to| self.good[to] == to) && self.bad.iter().enumerate().all(is_right)
        }
    }

    #[test]
    fn the_one_at_fault_is_named() {
        let text = error::<Two>(2);
        assert!(text.contains("the positions of Two.bad,"), "{text}");
    }
}

/// What depends on no order: nested arenas and sets, arenas beside each other, names in arenas, values that must be dropped.
mod correct {
    use super::*;
    use std::rc::Rc;

    #[derive(Clone, Debug, Finitize)]
    struct Leaf {
        #[finitize(0..=1)]
        key: u8,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Row {
        #[finitize(index_of = rows)]
        up: Option<usize>,
        leaf: Option<Rc<Leaf>>,
        #[finitize(set, 0..=1)]
        keys: Vec<u8>,
    }

    #[derive(Clone, Debug, Finitize)]
    struct Table {
        rows: Vec<Row>,
        #[finitize(beside = rows, index_of = rows, set)]
        near: Vec<Vec<usize>>,
        #[finitize(0..=1, beside = rows, identity)]
        name: Vec<u8>,
    }

    #[rep_ok]
    impl Table {
        fn rep_ok(&self) -> bool {
            self.rows.iter().enumerate().all(|(at, row)| {
                row.up != Some(at)
                    && self.near[at].len() < 2
                    && self.near[at].iter().all(|&near| self.name[near] != self.name[at])
                    && row.leaf.as_ref().is_none_or(|leaf| row.keys.iter().any(|key| *key == leaf.key))
            })
        }
    }

    #[test]
    fn is_searched_to_the_end() {
        passes::<Table>(2);
    }
}
