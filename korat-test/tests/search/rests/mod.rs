//! What a method does after its last call on a part: it is found out once for each answer and the locals that live on, and all values
//! are those of the plain `rep_ok`, wherever the call stands.

use std::collections::BTreeSet;
use std::fmt::Debug;

use korat::{Finitize, RepOk, Search, Summaries, rep_ok};

#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct Node {
    #[finitize(0..=2)]
    key: usize,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

/// Returns all trees of up to `most` nodes.
fn trees(most: usize) -> Vec<Option<Box<Node>>> {
    let mut by_size: Vec<Vec<Option<Box<Node>>>> = vec![vec![None]];
    for size in 1..=most {
        let mut of_size = Vec::new();
        for in_left in 0..size {
            for left in &by_size[in_left] {
                for right in &by_size[size - 1 - in_left] {
                    let node = |key| Node { key, left: left.clone(), right: right.clone() };
                    of_size.extend((0..=2).map(|key| Some(Box::new(node(key)))));
                }
            }
        }
        by_size.push(of_size);
    }
    by_size.concat()
}

/// Returns the values of a search from summaries, and how many ends of runs were known.
fn summarised<T: Finitize + RepOk + Debug>(scope: usize) -> (BTreeSet<String>, u64) {
    let mut found = BTreeSet::new();
    let search = Search::new(T::scope(scope)).summaries(Summaries::Always);
    let report = search.for_each(|value| assert!(found.insert(format!("{value:?}")), "twice: {value:?}"));
    let summaries = report.summaries.expect("it is summarised");
    assert_eq!(summaries.why_not, None);
    (found, summaries.effort.repeated)
}

/// Compares the values of a class from summaries with all that the plain `rep_ok` accepts. `$known` tells how many ends are
/// known: those of nodes with other keys are, where the key does not live on.
macro_rules! subject {
    ($name:ident, $known:expr, { $($methods:tt)* }) => {
        mod $name {
            use super::*;

            #[derive(Clone, Debug, PartialEq, Finitize)]
            struct Tree {
                root: Option<Box<Node>>,
                #[finitize(0..=6)]
                sum: usize,
            }

            #[rep_ok]
            impl Tree { $($methods)* }

            #[test]
            fn has_the_values_of_the_plain_rep_ok() {
                let all = trees(3).into_iter().flat_map(|root| (0..=6).map(move |sum| Tree { root: root.clone(), sum }));
                let expected: BTreeSet<String> =
                    all.filter(Tree::rep_ok).map(|tree| format!("{tree:?}")).collect();
                assert!(!expected.is_empty());
                let (found, repeated) = summarised::<Tree>(3);
                assert_eq!(found, expected);
                let known: fn(u64) -> bool = $known;
                assert!(known(repeated), "{repeated} ends were known");
            }
        }
    };
}

mod kept_apart;
mod left_alone;

subject!(two_locals, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, 0) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>, least: usize) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if n.key < least {
            return None;
        }
        let left = Self::weight(&n.left, least)?;
        let right = Self::weight(&n.right, n.key)?;
        Some((left * 2 + right + 1) % 7)
    }
});

subject!(a_parameter_and_a_key_live_on, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, 1) == self.sum
    }
    fn weight(node: &Option<Box<Node>>, factor: usize) -> usize {
        let Some(n) = node else { return factor };
        let key = n.key;
        let left = Self::weight(&n.left, factor);
        let right = Self::weight(&n.right, key);
        (left + right * factor + key) % 7
    }
});

subject!(names_are_shadowed, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let x = n.key.min(1);
        let y = Self::weight(&n.left)?;
        let x = x + y;
        let z = Self::weight(&n.right)?;
        let x = x * 2 + z;
        Some(x % 7)
    }
});

subject!(a_closure_captures, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(1) };
        if n.key == 2 {
            return None;
        }
        let left = Self::weight(&n.left)?;
        let right = Self::weight(&n.right)?;
        let weigh = |by: usize| (left * by + right) % 7;
        Some(weigh(2))
    }
});

subject!(a_format_string_names_a_local, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(5) };
        let left = Self::weight(&n.left)?;
        let key = n.key.min(1);
        let right = Self::weight(&n.right)?;
        let text = format!("{left:>key$}");
        Some((right + 2 * text.len()) % 7)
    }
});

subject!(macros_name_locals, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if n.key == 2 {
            return None;
        }
        let left = Self::weight(&n.left)?;
        let right = Self::weight(&n.right)?;
        assert!(left < 7, "{right}");
        if matches!(right, found if found > left) {
            return Some(left);
        }
        Some((left + right + 1) % 7)
    }
});

subject!(a_condition_is_the_call, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == self.sum
    }
    fn weight(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 1 };
        let key = n.key;
        let left = Self::weight(&n.left);
        if Self::weight(&n.right) == left {
            return key;
        }
        (left + key + 1) % 7
    }
});

subject!(a_match_is_on_the_call, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let key = n.key;
        let left = Self::weight(&n.left)?;
        match Self::weight(&n.right) {
            Some(right) if right > left => None,
            Some(right) => Some((left + 2 * right + key) % 7),
            None => Some(left),
        }
    }
});

subject!(a_pattern_is_refutable, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(1) };
        let key = n.key.min(1);
        let Some(left) = Self::weight(&n.left) else { return Some(key) };
        let Some(right) = Self::weight(&n.right) else { return Some(left + key) };
        (left + right < 6).then_some(left + right)
    }
});

subject!(pairs_are_taken_apart, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::span(&self.root).is_some_and(|(low, high)| low + high == self.sum)
    }
    fn span(node: &Option<Box<Node>>) -> Option<(usize, usize)> {
        let Some(n) = node else { return Some((2, 0)) };
        let key = n.key.min(1);
        let (low, high) = Self::span(&n.left)?;
        let (least, most) = Self::span(&n.right)?;
        (least >= low).then_some((low.min(key).min(least), high.max(key).max(most)))
    }
});

subject!(a_method_calls_itself_by_self, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        let total = self.weight(&self.root);
        total == Some(self.sum)
    }
    fn weight(&self, node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        if n.key == 2 {
            return None;
        }
        let left = self.weight(&n.left)?;
        let right = self.weight(&n.right)?;
        (left < 4).then_some((left * 3 + right + 1) % 7)
    }
});

subject!(a_helper_makes_the_calls, |_| true, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let key = n.key;
        let both = Self::sides(n)?;
        Some((both + key) % 7)
    }
    /// It takes the node, of which a field was read: it is run, or a table is made for each key.
    fn sides(n: &Node) -> Option<usize> {
        let left = Self::weight(&n.left)?;
        let right = Self::weight(&n.right)?;
        (left + right < 9).then_some(left * 2 + right)
    }
});

subject!(fields_nobody_reads, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::depth(&self.root) == self.sum
    }
    fn depth(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 0 };
        if n.key == 2 {
            return 0;
        }
        let left = Self::depth(&n.left);
        if left > 1 {
            return left;
        }
        let right = Self::depth(&n.right);
        left.max(right) + 1
    }
});

subject!(the_node_lives_on, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(0) };
        let left = Self::weight(&n.left)?;
        let right = Self::weight(&n.right)?;
        Some((left + right + n.key) % 7)
    }
});

subject!(a_local_is_a_reference, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, &3) == self.sum
    }
    fn weight(node: &Option<Box<Node>>, by: &usize) -> usize {
        let Some(n) = node else { return 1 };
        let left = Self::weight(&n.left, by);
        let right = Self::weight(&n.right, by);
        (left * *by + right) % 7
    }
});

subject!(a_part_is_called_twice, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>) -> Option<usize> {
        let Some(n) = node else { return Some(1) };
        let left = Self::weight(&n.left)?;
        let right = Self::weight(&n.right)?;
        let nodes = Self::nodes(&n.left);
        Some((left + 2 * right + nodes) % 7)
    }
    fn nodes(node: &Option<Box<Node>>) -> usize {
        let Some(n) = node else { return 0 };
        if n.key == 2 {
            return 1;
        }
        let left = Self::nodes(&n.left);
        let right = Self::nodes(&n.right);
        left + right + 1
    }
});

subject!(the_rest_makes_calls_and_reads, |ends| ends > 0, {
    fn rep_ok(&self) -> bool {
        Self::weight(&self.root, 0) == Some(self.sum)
    }
    fn weight(node: &Option<Box<Node>>, more: usize) -> Option<usize> {
        let Some(n) = node else { return Some(more % 2) };
        let right = Self::weight(&n.right, 1)?;
        if right == 1 && n.left.as_ref().is_some_and(|left| left.key == 0) {
            return None;
        }
        let key = n.key;
        let left = Self::weight(&n.left, right)?;
        Some((left + 2 * right + key + more) % 7)
    }
});

subject!(references_are_the_same_or_not, |_| true, {
    fn rep_ok(&self) -> bool {
        let (one, two) = (1, 1);
        Self::weight(&self.root, &one, &two) == self.sum
    }
    fn weight(node: &Option<Box<Node>>, one: &usize, two: &usize) -> usize {
        let Some(n) = node else { return 1 };
        let left = Self::weight(&n.left, one, one);
        let right = Self::weight(&n.right, two, one);
        (left + right * *two + usize::from(std::ptr::eq(one, two))) % 7
    }
});
