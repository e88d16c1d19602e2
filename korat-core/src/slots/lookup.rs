//! Finds the position of a value in a field's list. Most lists are runs of consecutive numbers, so a position is
//! guessed and verified, and other values are found by their `Debug` text; a linear search is the last resort.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::fmt::{Debug, Write};
use std::hash::Hasher;
use std::num::NonZero;

use rustc_hash::{FxHashMap, FxHasher};

use crate::model::ids::to_u32;

/// The number of values that may precede the run of numbers in a list: sentinels such as `None` or `usize::MAX`.
const BEFORE_THE_RUN: usize = 3;

/// Lists with more values are not searched linearly for a number.
const LONG: usize = 4_096;

/// Returns the position of a value in a list without duplicates.
pub(crate) fn position<T: PartialEq + 'static>(values: &[T], value: &T) -> Option<usize> {
    guessed(values, value).or_else(|| values.iter().position(|listed| listed == value))
}

/// Guesses the position of a number, or of a value before the run of numbers. Returns it only if the guess is right.
pub(crate) fn guessed<T: PartialEq + 'static>(values: &[T], value: &T) -> Option<usize> {
    const SHORT: usize = 8;
    let first = || values.iter().take(BEFORE_THE_RUN).position(|listed| listed == value);
    if values.len() > SHORT { guess(values, value).or_else(first) } else { None }
}

/// The distance of the last number found from its position: nearly all numbers of a list have the same distance. Only
/// the low bits of numbers and distances are kept, since every guess is verified.
#[derive(Default)]
pub(crate) struct OffsetGuess(Cell<usize>);

impl OffsetGuess {
    /// Returns the position of a value; calls `search` if the guess fails.
    pub(crate) fn position<T: PartialEq + 'static>(
        &self,
        values: &[T],
        value: &T,
        search: impl FnOnce() -> Option<usize>,
    ) -> Option<usize> {
        self.guess(values, value).or_else(|| search().inspect(|&at| self.note(value, at)))
    }

    /// Returns the position of a value if it is the first of the list, or has the same distance from its position as
    /// the last number found.
    #[inline]
    pub(crate) fn guess<T: PartialEq + 'static>(&self, values: &[T], value: &T) -> Option<usize> {
        if values.first()? == value {
            return Some(0);
        }
        let at = (number(value)? as usize).wrapping_sub(self.0.get());
        (values.get(at)? == value).then_some(at)
    }

    /// Records that a value was found at a position.
    fn note<T: 'static>(&self, value: &T, at: usize) {
        if let Some(number) = number(value) {
            self.0.set((number as usize).wrapping_sub(at));
        }
    }
}

/// The part of a list in which each number is one more than its predecessor. The position of such a number is computed
/// without reading the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConsecutiveRun {
    /// The position of the first number of the run, and the number of numbers.
    first: usize,
    len: usize,
    /// The distance of the numbers from their positions, in the low bits.
    distance: usize,
}

impl ConsecutiveRun {
    /// Finds the run that begins within the first `BEFORE_THE_RUN + 1` values; empty if there is none.
    pub(crate) fn of<T: 'static>(values: &[T]) -> Self {
        // A run compares only the low bits of numbers, so 128-bit types are excluded.
        let is_large = |value: &T| {
            let value: &dyn Any = value;
            let is_u128 = value.is::<u128>() || value.is::<Option<u128>>() || value.is::<NonZero<u128>>();
            is_u128 || value.is::<i128>() || value.is::<Option<i128>>() || value.is::<NonZero<i128>>()
        };
        let begins = |at: &usize| {
            let next = values.get(at + 1).and_then(number);
            next.is_some() && values.get(*at).and_then(number).and_then(|number| number.checked_add(1)) == next
        };
        let Some(first) = (0..=BEFORE_THE_RUN).find(begins).filter(|&at| !is_large(&values[at])) else {
            return ConsecutiveRun::default();
        };
        let begin = number(&values[first]).unwrap_or_default();
        let in_run = |(at, value): &(usize, &T)| number(*value) == Some(begin + *at as i128);
        let len = values[first..].iter().enumerate().take_while(in_run).count();
        ConsecutiveRun { first, len, distance: (begin as usize).wrapping_sub(first) }
    }

    /// Returns the position of a value in the list, if it is a number of the run.
    #[inline(always)]
    pub(crate) fn position<T: 'static>(self, value: &T) -> Option<usize> {
        let at = (number(value)? as usize).wrapping_sub(self.distance);
        (at.wrapping_sub(self.first) < self.len).then_some(at)
    }
}

/// A hash index from the `Debug` text of values to their positions, for types with no more than equality.
#[derive(Default)]
pub(crate) struct DebugTextIndex(FxHashMap<u64, Vec<u32>>);

impl DebugTextIndex {
    /// Lists of at most this length are searched linearly instead.
    pub(crate) const SHORT: usize = 32;

    /// Indexes a list; calls `step` before each value.
    pub(crate) fn of<T: Debug>(values: &[T], step: impl Fn()) -> Self {
        let mut by_text = DebugTextIndex::default();
        for (at, value) in values.iter().enumerate() {
            step();
            by_text.add(at, value);
        }
        by_text
    }

    /// Adds the position of a value.
    pub(crate) fn add<T: Debug>(&mut self, at: usize, value: &T) {
        self.0.entry(hash_of_text(value)).or_default().push(to_u32(at));
    }

    /// Returns the position of an equal value, if its `Debug` text is the same.
    pub(crate) fn position<T: Debug + PartialEq>(&self, values: &[T], value: &T) -> Option<usize> {
        let mut alike = self.0.get(&hash_of_text(value))?.iter().map(|&at| at as usize);
        alike.find(|&at| values[at] == *value)
    }
}

/// Returns a hash of the `Debug` text of a value.
pub(crate) fn hash_of_text<T: Debug>(value: &T) -> u64 {
    struct Text(FxHasher);
    impl Write for Text {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0.write(part.as_bytes());
            Ok(())
        }
    }
    let mut text = Text(FxHasher::default());
    // If formatting fails, the text so far is hashed; `position` compares values anyway.
    let _ = write!(text, "{value:?}");
    text.0.finish()
}

/// Returns the position of a number in a list that is a run of numbers or sorted.
fn guess<T: PartialEq + 'static>(values: &[T], value: &T) -> Option<usize> {
    in_run_or_order(values, number(value)?).filter(|&at| values[at] == *value)
}

/// Returns the position of the value that is this number. Does not search a list linearly that is longer than `LONG`.
pub(crate) fn position_of_number<T: 'static>(values: &[T], wanted: i128) -> Option<usize> {
    let search = || values.iter().position(|listed| number(listed) == Some(wanted));
    in_run_or_order(values, wanted).or_else(|| if values.len() <= LONG { search() } else { None })
}

/// Returns the position of a number, provided that the list is a run of numbers or sorted.
fn in_run_or_order<T: 'static>(values: &[T], wanted: i128) -> Option<usize> {
    let is_there = |at: &usize| values.get(*at).and_then(number) == Some(wanted);
    let in_run = |first: usize| {
        let distance = wanted.checked_sub(number(values.get(first)?)?)?;
        first.checked_add(usize::try_from(distance).ok()?).filter(is_there)
    };
    let in_order = || {
        let at = values.partition_point(|listed| number(listed).is_none_or(|number| number < wanted));
        Some(at).filter(is_there)
    };
    (0..BEFORE_THE_RUN).find_map(in_run).or_else(in_order)
}

/// Returns a value as a number, if it is an integer, a `NonZero`, a `char`, a `bool`, or an option of an integer or a `char`.
#[inline]
pub(crate) fn number<T: 'static>(value: &T) -> Option<i128> {
    let value: &dyn Any = value;
    macro_rules! integers {
        ($($type:ty)*) => {$(
            if let Some(value) = value.downcast_ref::<$type>() {
                return i128::try_from(*value).ok();
            }
            if let Some(value) = value.downcast_ref::<Option<$type>>() {
                return i128::try_from((*value)?).ok();
            }
            if let Some(value) = value.downcast_ref::<NonZero<$type>>() {
                return i128::try_from(value.get()).ok();
            }
        )*};
    }
    integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
    if let Some(value) = value.downcast_ref::<bool>() {
        return Some(i128::from(*value));
    }
    let letter = value.downcast_ref().copied().or_else(|| value.downcast_ref::<Option<char>>().copied().flatten());
    letter.map(|letter: char| i128::from(u32::from(letter)))
}

/// Converts a number to a value, if the type is an integer, an option of one or a `NonZero`, and the number fits.
pub(crate) fn of_number<T: Clone + 'static>(number: i128) -> Option<T> {
    fn cast<T: Clone + 'static>(value: &dyn Any) -> Option<T> {
        value.downcast_ref().cloned()
    }
    macro_rules! integers {
        ($($type:ty)*) => {$(
            let fitting = <$type>::try_from(number).ok();
            let plain = fitting.and_then(|value| cast(&value));
            let optional = fitting.and_then(|value| cast(&Some(value)));
            let nonzero = fitting.and_then(NonZero::new).and_then(|value| cast(&value));
            if let Some(value) = plain.or(optional).or(nonzero) {
                return Some(value);
            }
        )*};
    }
    integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that `guess` finds every number of the list, `position` finds every value, and `position` does not find
    /// `absent`.
    fn is_guessed<T: PartialEq + Debug + 'static>(values: &[T], absent: T) {
        for (at, value) in values.iter().enumerate() {
            assert_eq!(guess(values, value).or_else(|| number(value).is_none().then_some(at)), Some(at), "{value:?}");
            assert_eq!(position(values, value), Some(at), "{value:?}");
        }
        assert_eq!(position(values, &absent), None);
    }

    #[test]
    fn runs_of_numbers_are_guessed() {
        is_guessed(&(3..500usize).collect::<Vec<_>>(), 500);
        is_guessed(&(-100..=100i8).collect::<Vec<_>>(), 101);
        is_guessed(&(i128::MAX as u128 - 20..i128::MAX as u128).collect::<Vec<_>>(), 7);
        is_guessed(&('a'..='z').collect::<Vec<_>>(), 'A');
        is_guessed(&std::iter::once(None).chain((0..50u32).map(Some)).collect::<Vec<_>>(), Some(50));
        is_guessed(&std::iter::once(usize::MAX).chain(0..50).collect::<Vec<_>>(), 50);
        is_guessed(&(1..50).filter_map(NonZero::<u16>::new).collect::<Vec<_>>(), NonZero::new(50).unwrap());
    }

    #[test]
    fn numbers_of_a_run_are_known() {
        fn is_known<T: PartialEq + Debug + 'static>(values: &[T], run: std::ops::Range<usize>, absent: T) {
            let known = ConsecutiveRun::of(values);
            for (at, value) in values.iter().enumerate() {
                assert_eq!(known.position(value), run.contains(&at).then_some(at), "{value:?}");
            }
            assert_eq!(known.position(&absent), None);
        }
        is_known(&(3..500usize).collect::<Vec<_>>(), 0..497, 2);
        is_known(&(-100..=100i8).collect::<Vec<_>>(), 0..201, 101);
        is_known(&[7, 9, 30, 31, 32, 40_u64], 2..5, 33);
        is_known(&[None, Some(u16::MAX), Some(0), Some(1), Some(2)], 2..5, Some(3));
        is_known(&[u64::MAX, 0, 1, 2], 1..4, 3);
        is_known(&[i64::MIN, -2, -1, 0, 1, 2], 1..6, i64::MAX);
    }

    #[test]
    fn no_run_is_known_where_it_is_none() {
        for lists in [
            ConsecutiveRun::of(&[1, 3, 5, 7, 9, 10]),
            ConsecutiveRun::of::<u8>(&[]),
            ConsecutiveRun::of(&[7]),
            ConsecutiveRun::of(&["a", "b"]),
        ] {
            assert_eq!(lists, ConsecutiveRun::default());
        }
        assert_eq!(ConsecutiveRun::default().position(&0_usize), None);
        // Numbers that share their low bits with a number of the run.
        let large: Vec<u128> = (0..10).collect();
        assert_eq!(ConsecutiveRun::of(&large).position(&(1_u128 << 64)), None);
        let large: Vec<Option<i128>> = (0..10).map(Some).collect();
        assert_eq!(ConsecutiveRun::of(&large).position(&Some(1_i128 << 64)), None);
    }

    #[test]
    fn numbers_in_order_are_guessed() {
        is_guessed(&(0..100i64).map(|number| number * number).collect::<Vec<_>>(), 2);
        is_guessed(
            &std::iter::once(None).chain((0..50u32).map(|number| Some(2 * number))).collect::<Vec<_>>(),
            Some(1),
        );
    }

    #[test]
    fn texts_are_found_by_what_they_print() {
        let texts: Vec<String> = (0..1000).map(|number| format!("text {number}")).collect();
        let by_text = DebugTextIndex::of(&texts, || {});
        for (at, text) in texts.iter().enumerate() {
            assert_eq!(by_text.position(&texts, text), Some(at));
        }
        assert_eq!(by_text.position(&texts, &"text".to_string()), None);
        assert_eq!(guessed(&texts, &texts[7]), None);
    }

    #[test]
    fn numbers_become_values_where_they_fit() {
        assert_eq!(of_number(7), Some(7_u8));
        assert_eq!(of_number(-7), Some(Some(-7_i64)));
        assert_eq!(of_number(9), NonZero::new(9_u32));
        assert_eq!((of_number::<u8>(256), of_number::<NonZero<u8>>(0), of_number::<String>(1)), (None, None, None));
    }

    #[test]
    fn other_lists_are_searched() {
        let numbers: Vec<u32> = (0..100).map(|number| number * 37 % 101).collect();
        for (at, number) in numbers.iter().enumerate() {
            assert_eq!(position(&numbers, number), Some(at));
        }
        assert_eq!(position(&numbers, &64), None);
        let huge: Vec<u128> = (0..20).map(|number| u128::MAX - number).collect();
        assert_eq!(position(&huge, &(u128::MAX - 13)), Some(13));
        let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
        assert_eq!(position(&texts, &"37".to_string()), Some(1));
    }
}
