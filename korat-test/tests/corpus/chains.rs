//! Singly linked lists that loops walk along: what a loop does from its head on is found out once for all chains.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
pub struct Key {
    key: usize,
    next: Option<Box<Key>>,
}

/// Lists of at most `scope` keys from `0..=scope`, one type for each invariant.
macro_rules! chains {
    ($($Chain:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Chain {
            head: Option<Box<Key>>,
        }
    )*};
}

chains! {
    Sorted SortedByOption CheckedTwice BrokenOff Alternating Skipping Endless InHelper Tried Compared Nested Labelled AtLast
    AfterCall ByNode FoundTwice
}

#[derive(Debug, Finitize)]
pub struct SortedWithLen {
    head: Option<Box<Key>>,
    len: usize,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        let (mut at, mut last) = (&self.head, 0);
        while let Some(node) = at {
            if node.key < last {
                return false;
            }
            last = node.key;
            at = &node.next;
        }
        true
    }
}

#[rep_ok]
impl SortedWithLen {
    fn rep_ok(&self) -> bool {
        let (mut at, mut len) = (&self.head, 0);
        let mut last = 0;
        while let Some(node) = at {
            if node.key < last {
                return false;
            }
            last = node.key;
            len += 1;
            at = &node.next;
        }
        len == self.len
    }
}

#[rep_ok]
impl SortedByOption {
    fn rep_ok(&self) -> bool {
        let mut last = None;
        let mut at = self.head.as_deref();
        while let Some(node) = at {
            if last.is_some_and(|last| last >= node.key) {
                return false;
            }
            last = Some(node.key);
            at = node.next.as_deref();
        }
        last != Some(1)
    }
}

#[rep_ok]
impl CheckedTwice {
    /// One loop after the other on the same chain.
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        let mut last = 0;
        while let Some(node) = at {
            if node.key < last {
                return false;
            }
            last = node.key;
            at = &node.next;
        }
        let mut sum = 0;
        at = &self.head;
        while let Some(node) = at {
            sum += node.key;
            at = &node.next;
        }
        sum % 2 == last % 2
    }
}

#[rep_ok]
impl BrokenOff {
    /// No key before the first zero is repeated by the next, and something comes before it.
    fn rep_ok(&self) -> bool {
        let (mut at, mut seen, mut last) = (&self.head, 0, 0);
        while let Some(node) = at {
            if node.key == 0 {
                break;
            }
            if node.key == last {
                return false;
            }
            (seen, last) = (seen + 1, node.key);
            at = &node.next;
        }
        seen > 0
    }
}

#[rep_ok]
impl Alternating {
    fn rep_ok(&self) -> bool {
        let mut odd = false;
        let mut at = self.head.as_ref();
        while at.is_some() {
            let Some(node) = at else { return true };
            if (node.key % 2 == 1) != odd {
                return false;
            }
            odd = !odd;
            at = node.next.as_ref();
        }
        odd
    }
}

#[rep_ok]
impl Skipping {
    /// The keys above one rise.
    fn rep_ok(&self) -> bool {
        let (mut at, mut last) = (&self.head, 1);
        while let Some(node) = at {
            at = &node.next;
            if node.key <= 1 {
                continue;
            }
            if node.key <= last {
                return false;
            }
            last = node.key;
        }
        last > 1
    }
}

#[rep_ok]
impl Endless {
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        let mut left = 3usize;
        loop {
            let Some(node) = at else { return left == 1 };
            if node.key > left {
                return false;
            }
            left = left.saturating_sub(node.key);
            at = &node.next;
        }
    }
}

#[rep_ok]
impl InHelper {
    fn rep_ok(&self) -> bool {
        Self::sum(&self.head, 1) == Self::count(&self.head)
    }

    fn sum(mut at: &Option<Box<Key>>, factor: usize) -> usize {
        let mut sum = 0;
        while let Some(node) = at {
            sum += factor * node.key;
            at = &node.next;
        }
        sum
    }

    fn count(chain: &Option<Box<Key>>) -> usize {
        fn rest(chain: &Option<Box<Key>>) -> usize {
            let mut count = 0;
            let mut at = chain;
            while let Some(node) = at {
                count += 1;
                at = &node.next;
            }
            count
        }
        rest(chain)
    }
}

#[rep_ok]
impl Tried {
    fn rep_ok(&self) -> bool {
        Self::left(&self.head, 4) == Some(1)
    }

    fn left(chain: &Option<Box<Key>>, most: usize) -> Option<usize> {
        let mut left = most;
        let mut at = chain;
        while let Some(node) = at {
            left = left.checked_sub(node.key)?;
            at = &node.next;
        }
        Some(left)
    }
}

#[rep_ok]
impl Compared {
    /// No key is that of the head, which the loop reads besides.
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.head else { return true };
        let mut at = &first.next;
        while let Some(node) = at {
            if node.key == first.key {
                return false;
            }
            at = &node.next;
        }
        first.key != 0
    }
}

#[rep_ok]
impl Nested {
    /// No key stands twice.
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        while let Some(node) = at {
            let mut rest = &node.next;
            let key = node.key;
            while let Some(other) = rest {
                if other.key == key {
                    return false;
                }
                rest = &other.next;
            }
            at = &node.next;
        }
        true
    }
}

#[rep_ok]
impl Labelled {
    fn rep_ok(&self) -> bool {
        let (mut at, mut pairs) = (&self.head, 0);
        'pairs: while let Some(one) = at {
            let mut other = &one.next;
            loop {
                match other {
                    None => break 'pairs,
                    Some(two) if two.key == one.key => {
                        pairs += 1;
                        at = &two.next;
                        continue 'pairs;
                    }
                    Some(two) => other = &two.next,
                }
            }
        }
        pairs == 1
    }
}

#[rep_ok]
impl AtLast {
    /// The last key is the greatest: the cursor is used after the loop.
    fn rep_ok(&self) -> bool {
        let Some(mut last) = self.head.as_deref() else { return false };
        let mut greatest = last.key;
        while let Some(next) = last.next.as_deref() {
            last = next;
            greatest = greatest.max(last.key);
        }
        last.key == greatest
    }
}

#[rep_ok]
impl AfterCall {
    fn rep_ok(&self) -> bool {
        let len = Self::len(&self.head);
        let mut at = &self.head;
        while let Some(node) = at {
            if node.key >= len {
                return false;
            }
            at = &node.next;
        }
        len > 0
    }

    fn len(chain: &Option<Box<Key>>) -> usize {
        chain.as_ref().map_or(0, |node| 1 + Self::len(&node.next))
    }
}

#[rep_ok]
impl ByNode {
    /// Neighbours differ: the node before is kept.
    fn rep_ok(&self) -> bool {
        let mut before: Option<&Key> = None;
        let mut at = &self.head;
        while let Some(node) = at {
            if let Some(before) = before
                && before.key == node.key
            {
                return false;
            }
            before = Some(node);
            at = &node.next;
        }
        true
    }
}

#[rep_ok]
impl FoundTwice {
    /// Both loops leave their cursor at a node, and nobody looks at it.
    fn rep_ok(&self) -> bool {
        let (mut at, mut before) = (&self.head, 0);
        while let Some(node) = at {
            if node.key == 1 {
                break;
            }
            before += 1;
            at = &node.next;
        }
        at = &self.head;
        let mut until = 0;
        while let Some(node) = at {
            if node.key == 2 {
                break;
            }
            until += 1;
            at = &node.next;
        }
        let at = before;
        at < until
    }
}

mod tests {
    use korat::RepOk;
    use korat_core::{Searcher, Settings, Solving};

    use super::*;

    /// The runs that summaries take, the tables that they fill, and the number of values that they count.
    fn summarised<T: Finitize + RepOk>(scope: usize) -> (u64, u64, u64) {
        let mut searcher = Searcher::<T>::new(&T::scope(scope), Settings::default()).unwrap().into_untyped();
        assert_eq!(searcher.summarise(u32::MAX, 100_000, Solving::BySize), Ok(true), "{}", T::NAME);
        let effort = searcher.summary_effort();
        let values = searcher.summarised_numbers().into_iter().map(|(_, number)| number.to_u64().expect("it is small"));
        (effort.runs, effort.tables, values.sum())
    }

    #[test]
    fn sorted_chains_take_few_runs() {
        assert_eq!(summarised::<Sorted>(3), (43, 4, 35));
        assert_eq!(summarised::<Sorted>(15), (547, 16, 300_540_195));
        assert_eq!(summarised::<SortedWithLen>(3), (93, 9, 35));
        assert_eq!(summarised::<SortedWithLen>(15), (18_465, 225, 300_540_195));
    }

    #[test]
    fn loops_have_tables() {
        let tables = [
            summarised::<SortedByOption>(3).1,
            summarised::<CheckedTwice>(3).1,
            summarised::<BrokenOff>(3).1,
            summarised::<Alternating>(3).1,
            summarised::<Skipping>(3).1,
            summarised::<Endless>(3).1,
            summarised::<InHelper>(3).1,
            summarised::<Tried>(3).1,
            summarised::<Compared>(3).1,
            summarised::<Nested>(3).1,
            summarised::<Labelled>(3).1,
            summarised::<AfterCall>(3).1,
            summarised::<ByNode>(3).1,
            summarised::<FoundTwice>(3).1,
        ];
        assert_eq!(tables, [5, 19, 7, 2, 3, 4, 20, 6, 4, 33, 2, 4, 1, 8]);
        assert_eq!(summarised::<AtLast>(3).1, 0, "its loop leaves a cursor behind");
    }
}
