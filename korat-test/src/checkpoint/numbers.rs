//! Numbers in the text of a checkpoint.

use crate::values::PassNumbers;

pub(super) fn numbers(all: impl IntoIterator<Item = u64>) -> String {
    all.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

pub(super) fn pass_text(pass: &PassNumbers) -> String {
    let PassNumbers { sizes, planned, as_found, was_cut, leaves_waiting, last_pass, growth, most } = pass;
    let flags = [*as_found, *was_cut, growth.is_some(), *leaves_waiting];
    let flags = flags.into_iter().rev().fold(0, |flags, flag| flags << 1 | u64::from(flag));
    let first = [sizes.0, sizes.1, *planned, flags, *last_pass, growth.unwrap_or(0)];
    numbers(first.into_iter().chain(*most))
}

pub(super) fn numbers_of(text: &str) -> Option<Vec<u64>> {
    text.split_whitespace().map(|number| number.parse().ok()).collect()
}

pub(super) fn pass_numbers(all: &[u64]) -> Option<PassNumbers> {
    let [first, last, planned, flags, last_pass, growth, most @ ..] = all else { return None };
    Some(PassNumbers {
        sizes: (*first, *last),
        planned: *planned,
        as_found: flags & 1 != 0,
        was_cut: flags & 2 != 0,
        leaves_waiting: flags & 8 != 0,
        growth: (flags & 4 != 0).then_some(*growth),
        last_pass: *last_pass,
        most: most.try_into().ok()?,
    })
}

/// Reads pairs of a size and a number of values.
pub(super) fn pairs(all: &[u64]) -> Option<Vec<(usize, u64)>> {
    all.chunks(2).map(|pair| Some((usize::try_from(pair[0]).ok()?, *pair.get(1)?))).collect()
}
