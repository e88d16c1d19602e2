//! Vectors and arrays of plain values: heaps, permutations, tables, by index, by iterator and by slice pattern.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use korat::{Finitize, rep_ok};

/// Vectors of at most `scope` numbers from 0 to 2, one type for each invariant.
macro_rules! vectors {
    ($($Vector:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Vector {
            #[finitize(0..=2)]
            items: Vec<u8>,
        }
    )*};
}

vectors! {
    MaxHeap SortedCopy Permutation Compact PrefixSums Unimodal Histogram HeapSorted Halves Skyline Written Runs Rotated
    Ballot
}

#[rep_ok]
impl MaxHeap {
    fn rep_ok(&self) -> bool {
        for i in 1..self.items.len() {
            if self.items[(i - 1) / 2] < self.items[i] {
                return false;
            }
        }
        true
    }
}

#[rep_ok]
impl SortedCopy {
    /// In order, and no number twice.
    fn rep_ok(&self) -> bool {
        let mut copy = self.items.clone();
        copy.sort_unstable();
        copy.dedup();
        copy == self.items
    }
}

#[rep_ok]
impl Permutation {
    fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.items.len()];
        for &item in &self.items {
            match seen.get_mut(usize::from(item)) {
                Some(seen @ false) => *seen = true,
                _ => return false,
            }
        }
        seen.into_iter().all(|seen| seen)
    }
}

#[rep_ok]
impl Compact {
    /// The zeros come last.
    fn rep_ok(&self) -> bool {
        let mut rest = self.items.clone();
        rest.retain(|&item| item != 0);
        let count = rest.len();
        rest.extend(std::iter::repeat_n(0, self.items.len() - count));
        rest.iter().zip(self.items.iter()).all(|(one, other)| one == other)
    }
}

#[rep_ok]
impl PrefixSums {
    /// Each item is at most the sum of those before it plus one.
    fn rep_ok(&self) -> bool {
        self.items
            .iter()
            .try_fold(0u8, |sum, &item| if item > sum + 1 { None } else { sum.checked_add(item) })
            .is_some_and(|sum| sum > 0)
    }
}

#[rep_ok]
impl Unimodal {
    /// Up, then down.
    fn rep_ok(&self) -> bool {
        Self::up(&self.items)
    }

    fn up(items: &[u8]) -> bool {
        match items {
            [] | [_] => true,
            [first, second, ..] if first < second => Self::up(&items[1..]),
            [_, rest @ ..] => Self::down(items) && !rest.is_empty(),
        }
    }

    fn down(items: &[u8]) -> bool {
        if let [first, rest @ ..] = items
            && let [second, ..] = rest
        {
            first > second && Self::down(rest)
        } else {
            true
        }
    }
}

#[rep_ok]
impl Histogram {
    /// Greater numbers occur less often.
    fn rep_ok(&self) -> bool {
        let mut counts: BTreeMap<u8, usize> = (0..=2).map(|item| (item, 0)).collect();
        for item in self.items.iter() {
            if let Some(count) = counts.get_mut(item) {
                *count += 1;
            }
        }
        let counts: Vec<_> = counts.into_iter().collect();
        counts.windows(2).all(|pair| pair[0].1 >= pair[1].1)
    }
}

#[rep_ok]
impl HeapSorted {
    fn rep_ok(&self) -> bool {
        let mut heap = BinaryHeap::new();
        for &item in self.items.iter() {
            heap.push(Reverse(item));
        }
        let mut place = 0;
        while let Some(Reverse(least)) = heap.pop() {
            if self.items[place] != least {
                return false;
            }
            place += 1;
        }
        true
    }
}

#[rep_ok]
impl Halves {
    /// The second half adds up to at least what the first does.
    fn rep_ok(&self) -> bool {
        let (front, back) = self.items.split_at(self.items.len() / 2);
        let sum = |half: &[u8]| half.iter().map(|&item| u32::from(item)).sum::<u32>();
        !front.is_empty() && sum(front) <= sum(back)
    }
}

#[rep_ok]
impl Skyline {
    /// Every item but those of the greatest height is followed by a greater one.
    fn rep_ok(&self) -> bool {
        let mut waiting: Vec<u8> = Vec::new();
        for &item in &self.items {
            while let Some(&top) = waiting.last()
                && top < item
            {
                waiting.pop();
            }
            waiting.push(item);
        }
        waiting.first() == waiting.last()
    }
}

#[rep_ok]
impl Written {
    /// Written down, the number has no leading zero and reads the same in both directions.
    fn rep_ok(&self) -> bool {
        let mut text = String::new();
        for item in &self.items {
            if text.is_empty() && *item == 0 {
                return false;
            }
            text.push_str(&item.to_string());
        }
        let reversed: String = text.chars().rev().collect();
        text == reversed && !text.contains("11")
    }
}

#[rep_ok]
impl Runs {
    /// The lengths of the runs are all different.
    fn rep_ok(&self) -> bool {
        let mut lengths = vec![];
        let mut rest = &self.items[..];
        while let Some(first) = rest.first() {
            let length = rest.iter().take_while(|&item| item == first).count();
            lengths.push(length);
            rest = &rest[length..];
        }
        let distinct: HashSet<usize> = lengths.iter().copied().collect();
        distinct.len() == lengths.len()
    }
}

#[rep_ok]
impl Rotated {
    /// Some rotation of the items is in order.
    fn rep_ok(&self) -> bool {
        let mut items = self.items.clone();
        for _ in 0..items.len() {
            if items.is_sorted() {
                return true;
            }
            let first = items.remove(0);
            items.push(first);
        }
        items.is_empty()
    }
}

#[rep_ok]
impl Ballot {
    /// Some number has more than half of the votes.
    fn rep_ok(&self) -> bool {
        let mut votes: HashMap<u8, usize> = HashMap::new();
        let mut leader = None;
        for &vote in &self.items {
            let count = votes.entry(vote).and_modify(|count| *count += 1).or_insert(1);
            if *count * 2 > self.items.len() {
                leader = Some(vote);
                break;
            }
        }
        let Some(leader) = leader else { return false };
        leader != 0 || votes.len() == 1
    }
}

/// A hash table with linear probing; a number belongs at itself modulo the length, or as soon after it as there was room.
#[derive(Debug, Finitize)]
pub struct Probing {
    #[finitize([None, Some(0), Some(3), Some(4)], len = 3..=3)]
    cells: Vec<Option<u8>>,
}

#[rep_ok]
impl Probing {
    fn rep_ok(&self) -> bool {
        let len = self.cells.len();
        for (place, cell) in self.cells.iter().enumerate() {
            let Some(number) = cell else { continue };
            let mut probe = usize::from(*number) % len;
            while probe != place {
                match self.cells[probe] {
                    None => return false,
                    Some(other) if other == *number => return false,
                    Some(_) => probe = (probe + 1) % len,
                }
            }
        }
        self.cells.iter().flatten().count() < len
    }
}

/// A queue in a circle of slots; what is not in the queue is zero.
#[derive(Debug, Finitize)]
pub struct Circle {
    #[finitize(0..=1, len = 3..=3)]
    slots: Vec<u8>,
    #[finitize(0..=3)]
    head: usize,
    #[finitize(0..=3)]
    len: usize,
}

#[rep_ok]
impl Circle {
    fn rep_ok(&self) -> bool {
        let size = self.slots.len();
        if self.head >= size || self.len > size {
            return false;
        }
        let mut used = [false; 3];
        for offset in 0..self.len {
            let place = (self.head + offset) % size;
            used[place] = true;
            if self.slots[place] == 0 {
                return false;
            }
        }
        used.iter().zip(&self.slots).all(|(&used, &slot)| used || slot == 0)
    }
}

/// Sets as trees in an array: the parent of each, itself at the root.
#[derive(Debug, Finitize)]
pub struct Forest {
    #[finitize(0..scope, len = scope..=scope)]
    parents: Vec<usize>,
    sets: usize,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        let roots = self.parents.iter().enumerate().filter(|(item, parent)| item == *parent).count();
        if roots != self.sets {
            return false;
        }
        (0..self.parents.len()).all(|item| self.depth(item).is_some_and(|depth| depth <= 2))
    }

    fn depth(&self, item: usize) -> Option<usize> {
        let mut at = item;
        for depth in 0..self.parents.len() {
            let parent = self.parents[at];
            if parent == at {
                return Some(depth);
            }
            at = parent;
        }
        None
    }
}

/// Queens that do not attack each other: the column of each row.
#[derive(Debug, Finitize)]
pub struct Queens {
    #[finitize(0..=3)]
    columns: [i8; 4],
}

#[rep_ok]
impl Queens {
    fn rep_ok(&self) -> bool {
        for row in 0..self.columns.len() {
            for other in 0..row {
                let (here, there) = (self.columns[row], self.columns[other]);
                if here == there || (here - there).unsigned_abs() as usize == row - other {
                    return false;
                }
            }
        }
        true
    }
}

/// A square of three by three in which no line holds a number twice.
#[derive(Debug, Finitize)]
pub struct Latin {
    #[finitize(1..=3)]
    fields: [u8; 9],
}

#[rep_ok]
impl Latin {
    fn rep_ok(&self) -> bool {
        let mut lines = 0;
        'lines: for line in 0..3 {
            let mut row = [false; 4];
            let mut column = [false; 4];
            for place in 0..3 {
                let in_row = self.fields[3 * line + place] as usize;
                if std::mem::replace(&mut row[in_row], true) {
                    break 'lines;
                }
                let in_column = self.fields[3 * place + line] as usize;
                if std::mem::replace(&mut column[in_column], true) {
                    break 'lines;
                }
            }
            lines += 1;
        }
        lines == 3
    }
}

/// Spans of numbers that do not overlap, in any order.
#[derive(Debug, Finitize)]
pub struct Spans {
    #[finitize(0..=3, len = [0, 2, 4])]
    ends: Vec<u8>,
}

#[rep_ok]
impl Spans {
    fn rep_ok(&self) -> bool {
        let mut spans: Vec<(u8, u8)> = self.ends.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        if spans.iter().any(|&(from, to)| from >= to) {
            return false;
        }
        spans.sort_by_key(|span| span.0);
        spans.iter().zip(spans.iter().skip(1)).all(|(one, two)| one.1 <= two.0)
    }
}
