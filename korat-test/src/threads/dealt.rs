//! Which values a thread takes at a time where they are dealt by number.

use std::ops::Range;

/// The number of values that are dealt at first. With many more, threads wait for the last one if the property takes long.
pub(crate) const DEALT: u64 = 16;

/// After so many turns, twice as many values are dealt: getting to the first of them in summaries takes longer than building the values in between. The last ones
/// that a thread takes are thus about a 256th of all.
const TURNS: u64 = 256;

/// Returns the values of a turn: their numbers, from 0 on.
pub(crate) fn dealt(turn: u64) -> Range<u64> {
    let values = DEALT << (turn / TURNS);
    let first = TURNS * (values - DEALT) + turn % TURNS * values;
    first..first + values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_dealt_once_and_in_order() {
        let mut next = 0;
        for turn in 0..20 * TURNS {
            let values = dealt(turn);
            assert_eq!(values.start, next);
            let length = values.end - values.start;
            assert!(length >= DEALT && length <= DEALT.max(values.end / TURNS * 2), "{values:?}");
            next = values.end;
        }
    }
}
