//! Numbers of shards as ranges: there may be billions that are missing.

use std::ops::RangeInclusive;

/// Numbers of shards that follow one another.
pub(super) type Range = RangeInclusive<u64>;

/// Returns the ranges of numbers in ascending order.
pub(super) fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<Range> {
    let mut found: Vec<Range> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some(last) if number <= last.end().saturating_add(1) => *last = *last.start()..=number,
            _ => found.push(number..=number),
        }
    }
    found
}

/// Returns what these ranges leave out of the numbers from 1 to `of`.
pub(super) fn gaps(ranges: &[Range], of: u64) -> Vec<Range> {
    let mut first = Some(1);
    let mut found = Vec::new();
    for range in ranges {
        found.extend(first.map(|first| first..=(range.start() - 1).min(of)));
        first = range.end().checked_add(1);
    }
    found.extend(first.map(|first| first..=of));
    found.retain(|gap| !gap.is_empty());
    found
}

/// Returns all numbers of ranges; `None` if they are more than `most`.
pub(super) fn listed(ranges: &[Range], most: u64) -> Option<Vec<u64>> {
    let number: u128 = ranges.iter().map(|range| u128::from(range.end() - range.start()) + 1).sum();
    (number <= u128::from(most)).then(|| ranges.iter().cloned().flatten().collect())
}

/// Returns `shard 3`, or `shards 3, 5-9`.
pub(super) fn shards_text(ranges: &[Range]) -> String {
    let is_one = |range: &Range| range.start() == range.end();
    let text = |range: &Range| match is_one(range) {
        true => range.start().to_string(),
        false => format!("{}-{}", range.start(), range.end()),
    };
    let texts: Vec<String> = ranges.iter().map(text).collect();
    match ranges {
        [] => "the whole search".to_string(),
        [one] if is_one(one) => format!("shard {}", texts[0]),
        _ => format!("shards {}", texts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{gaps, listed, ranges, shards_text};

    #[test]
    fn ranges_and_gaps_are_all_numbers() {
        // Every set of shards out of six, one of them there twice.
        for set in 0..1_u32 << 6 {
            let (there, missing): (Vec<u64>, Vec<u64>) = (1..=6).partition(|number| set >> (number - 1) & 1 == 1);
            let found = ranges(there.iter().flat_map(|&number| [number, number]));
            assert_eq!(listed(&found, 6), Some(there));
            assert_eq!(listed(&gaps(&found, 6), 6), Some(missing));
            assert!(found.windows(2).all(|two| two[0].end() + 1 < *two[1].start()));
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let all = gaps(&[], u64::MAX);
        assert_eq!((shards_text(&all), listed(&all, 1 << 16)), (format!("shards 1-{}", u64::MAX), None));
        assert_eq!(gaps(&ranges([u64::MAX].into_iter()), u64::MAX), [1..=u64::MAX - 1]);
        assert_eq!(shards_text(&gaps(&ranges([1, 4, 8].into_iter()), 6)), "shards 2-3, 5-6");
        assert_eq!(gaps(&ranges([9].into_iter()), 3), [1..=3]);
    }
}
