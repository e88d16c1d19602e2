//! Sets of numbers that are mostly next to each other.

use std::collections::BTreeMap;
use std::ops::Range;

/// A set of numbers, as ranges that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges {
    /// By where they begin, where they end.
    ends: BTreeMap<u64, u64>,
}

impl FromIterator<Range<u64>> for Ranges {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> Self {
        let mut all = Ranges::default();
        ranges.into_iter().for_each(|range| all.add(range));
        all
    }
}

impl Ranges {
    /// Adds numbers of which none is in the set.
    pub(crate) fn add(&mut self, Range { mut start, mut end }: Range<u64>) {
        if start >= end {
            return;
        }
        if let Some((&first, _)) = self.ends.range(..start).next_back().filter(|(_, last)| **last == start) {
            start = first;
        }
        if let Some(last) = self.ends.remove(&end) {
            end = last;
        }
        self.ends.insert(start, end);
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        self.ends.range(..=number).next_back().is_some_and(|(_, end)| number < *end)
    }

    /// Returns the first number from `start` on that is not in the set.
    pub(crate) fn first_gap(&self, start: u64) -> u64 {
        self.ends.range(..=start).next_back().map_or(start, |(_, end)| start.max(*end))
    }

    /// Returns the ranges within other numbers, in ascending order.
    pub(crate) fn within(&self, numbers: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let all = self.ends.iter().map(move |(start, end)| *start.max(&numbers.start)..*end.min(&numbers.end));
        all.filter(|range| range.start < range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_become_one() {
        let mut ranges = Ranges::default();
        for number in [5, 1, 3, 9, 4, 0, 8] {
            ranges.add(number..number + 1);
        }
        assert_eq!(ranges.within(0..100).collect::<Vec<_>>(), [0..2, 3..6, 8..10]);
        assert_eq!(ranges.within(1..9).collect::<Vec<_>>(), [1..2, 3..6, 8..9]);
        assert_eq!([0, 2, 3, 7, 8].map(|start| ranges.first_gap(start)), [2, 2, 6, 7, 10]);
        assert_eq!((0..11).filter(|number| ranges.contains(*number)).collect::<Vec<_>>(), [0, 1, 3, 4, 5, 8, 9]);
        assert_eq!(ranges.within(0..100).collect::<Ranges>(), ranges);
    }
}
