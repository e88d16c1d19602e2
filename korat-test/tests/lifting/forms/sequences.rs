//! Slice patterns, and arrays by value.

use std::collections::BTreeSet;

use korat::{Finitize, rep_ok};

use crate::forms::valid;

#[derive(Debug, Finitize)]
struct Numbers {
    #[finitize(len = 0..=3)]
    list: Vec<u8>,
}

fn vectors_where(holds: impl Fn(&[u8]) -> bool) -> u64 {
    let mut all: Vec<Vec<u8>> = vec![vec![]];
    let mut longest = all.clone();
    for _ in 0..3 {
        longest = longest.iter().flat_map(|list| (0..=2).map(move |key| [&list[..], &[key]].concat())).collect();
        all.extend(longest.iter().cloned());
    }
    all.iter().filter(|list| holds(list)).count() as u64
}

#[rep_ok]
impl Numbers {
    fn rep_ok(&self) -> bool {
        Self::rising(&self.list) && !Self::starts_low(&self.list[..]) && self.list != [1, 2]
    }

    fn rising(list: &[u8]) -> bool {
        match list {
            [] | [_] => true,
            [first, second, ..] if first >= second => false,
            [_, rest @ ..] => Self::rising(rest),
        }
    }

    fn starts_low(list: &[u8]) -> bool {
        if let [0, 1, ..] = list { true } else { list.ends_with(&[0]) }
    }
}

#[test]
fn slice_patterns() {
    let holds = |list: &[u8]| {
        list.windows(2).all(|pair| pair[0] < pair[1])
            && !list.starts_with(&[0, 1])
            && !list.ends_with(&[0])
            && list != [1, 2]
    };
    assert_eq!(valid::<Numbers>(2), vectors_where(holds));
}

#[derive(Debug, Finitize)]
struct Triple {
    array: [u8; 3],
}

#[rep_ok]
impl Triple {
    fn rep_ok(&self) -> bool {
        let [a, b, _] = self.array;
        let mut sorted = self.array;
        sorted.sort_unstable();
        let by_value: u8 = self.array.into_iter().sum();
        let distinct: BTreeSet<u8> = self.array.iter().copied().collect();
        a != b && Self::total(&self.array) == by_value && sorted[2] < 3 && distinct.len() > 1 && self.array != [0, 1, 2]
    }

    fn total(array: &[u8; 3]) -> u8 {
        array.iter().sum()
    }
}

#[test]
fn arrays_by_value() {
    let mut count = 0;
    for a in 0..=3u8 {
        for b in 0..=3 {
            for c in 0..=3 {
                count += u64::from(a != b && a.max(b).max(c) < 3 && [a, b, c] != [0, 1, 2]);
            }
        }
    }
    assert_eq!(valid::<Triple>(3), count);
}
