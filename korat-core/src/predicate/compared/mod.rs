//! The last comparisons of the running predicate, for repairs: where a predicate rejects, `self.size == count` suggests
//! a value for `size`. Generated code calls the functions in `hooks`, `reading` converts each side to what a repair can
//! use, and nothing is recorded unless a repair is in progress.

pub(crate) mod hooks;
pub(crate) mod reading;

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use hooks::{first, first_value, left, left_value, right, right_value, second, second_value};
pub(crate) use hooks::{noting, pointers};
pub(crate) use reading::note_pointers;

use crate::predicate::context;

/// Number of comparisons remembered.
const REMEMBERED: usize = 8;

/// Number of [`Noting`]s in the process, so that one load decides on any thread. Searches that run beside a repair
/// record their comparisons too, which nothing reads.
static NOTINGS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last::NOTHING) };
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// An integer, a `bool`, a `char`, or `Some` of one, by itself or behind references.
    Integer(i128),
    /// The address of an object: of its place for a `Box` or an `Rc`, of the target for a reference or a raw pointer.
    Address(usize),
    /// `None` of an integer or of a pointer, or a null pointer.
    Nothing,
    /// Anything else.
    Other,
}

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`, and functions that compare pointers for identity.
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A comparison that a predicate made. Its outcome is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The operator.
    pub operator: Operator,
    /// The left side.
    pub left: Compared,
    /// The right side.
    pub right: Compared,
}

impl Comparison {
    /// Returns whether it tests for equality or inequality.
    pub(crate) fn is_for_equality(&self) -> bool {
        matches!(self.operator, Operator::Equal | Operator::NotEqual)
    }

    /// Returns both sides, if they are integers.
    pub(crate) fn numbers(&self) -> Option<(i128, i128)> {
        match (self.left, self.right) {
            (Compared::Integer(left), Compared::Integer(right)) => Some((left, right)),
            _ => None,
        }
    }

    /// Returns the absolute difference of two integers.
    pub(crate) fn difference(&self) -> Option<u128> {
        self.numbers().map(|(left, right)| left.abs_diff(right))
    }
}

/// The last comparisons of one thread.
struct Last {
    /// A ring buffer.
    comparisons: [Comparison; REMEMBERED],
    /// Number of comparisons written since the last `clear`.
    count: usize,
    /// Left sides whose right sides are still being evaluated, the innermost last.
    half: Vec<Compared>,
    /// A number of interest, and the values it was compared with, the newest last.
    number: Option<i128>,
    with_number: Vec<Compared>,
    /// The label of a statement of interest, how often it ran, and when it ran last.
    statement: Option<u32>,
    times: u32,
    last_time: u64,
    /// Number of [`Noting`]s on this thread, and whether the only one has stopped recording.
    notings: u32,
    is_over: bool,
}

impl Last {
    const NOTHING: Last = Last {
        comparisons: [Comparison { operator: Operator::Equal, left: Compared::Other, right: Compared::Other };
            REMEMBERED],
        count: 0,
        half: Vec::new(),
        number: None,
        with_number: Vec::new(),
        statement: None,
        times: 0,
        last_time: 0,
        notings: 0,
        is_over: false,
    };

    #[inline]
    fn note(&mut self, comparison: Comparison) {
        if self.is_over {
            return;
        }
        if let Some(number) = self.number {
            return self.note_with(Compared::Integer(number), comparison);
        }
        self.comparisons[self.count % REMEMBERED] = comparison;
        self.count += 1;
        if let Some(statement) = self.statement
            && let Some((label, time)) = context::statement()
            && label == statement
            && (self.times == 0 || time != self.last_time)
        {
            (self.times, self.last_time) = (self.times + 1, time);
        }
    }

    /// Records the other side, if one side is `number`.
    #[inline]
    fn note_with(&mut self, number: Compared, comparison: Comparison) {
        let other = match (comparison.left == number, comparison.right == number) {
            (true, _) => comparison.right,
            (false, true) => comparison.left,
            (false, false) => return,
        };
        if !self.with_number.contains(&other) {
            self.with_number.push(other);
            if self.with_number.len() > REMEMBERED {
                self.with_number.remove(0);
            }
        }
    }
}

/// Enables the recording of comparisons while it lives.
pub struct Noting(());

impl Noting {
    /// Starts recording, and clears what this thread recorded before.
    pub fn begin() -> Self {
        let noting = Noting(());
        NOTINGS.fetch_add(1, Ordering::Relaxed);
        LAST.with_borrow_mut(|last| last.notings += 1);
        noting.clear();
        noting
    }

    /// Starts recording only the values that `number` is compared with.
    pub fn of_number(number: i128) -> Self {
        let noting = Noting::begin();
        LAST.with_borrow_mut(|last| last.number = Some(number));
        noting
    }

    /// Starts recording, and counts how often the statement `label` runs and makes a comparison.
    pub(crate) fn of_statement(label: u32) -> Self {
        let noting = Noting::begin();
        LAST.with_borrow_mut(|last| last.statement = Some(label));
        noting
    }

    /// Returns how often the statement of interest ran.
    pub(crate) fn statements(&self) -> u32 {
        LAST.with_borrow(|last| last.times)
    }

    /// Returns the values that the number of interest was compared with, at most eight, the newest first.
    pub fn with_number(&self) -> Vec<Compared> {
        LAST.with_borrow(|last| last.with_number.iter().rev().copied().collect())
    }

    /// Forgets the comparisons of this thread. Must be called before each run of a predicate, because a run that
    /// unwinds may leave a comparison incomplete.
    pub fn clear(&self) {
        LAST.with_borrow_mut(|last| {
            last.count = 0;
            last.half.clear();
            (last.number, last.statement, last.times) = (None, None, 0);
            last.with_number.clear();
        });
    }

    /// Returns the last comparisons of this thread, at most eight, the newest first.
    pub fn last(&self) -> impl Iterator<Item = Comparison> + use<> {
        let (comparisons, count) = LAST.with_borrow(|last| (last.comparisons, last.count));
        (count.saturating_sub(REMEMBERED)..count).rev().map(move |at| comparisons[at % REMEMBERED])
    }
}

impl Drop for Noting {
    fn drop(&mut self) {
        let is_over = LAST.with_borrow_mut(|last| {
            last.notings -= 1;
            std::mem::take(&mut last.is_over)
        });
        if !is_over {
            NOTINGS.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Returns whether a [`Noting`] on this thread still records comparisons.
pub(crate) fn is_noting() -> bool {
    LAST.with_borrow(|last| last.notings > 0 && !last.is_over)
}

/// Stops recording on this thread until the next [`Noting`], if there is exactly one now.
pub(crate) fn end_noting() {
    let ends = LAST.with_borrow_mut(|last| {
        let ends = last.notings == 1 && !last.is_over;
        last.is_over |= ends;
        ends
    });
    if ends {
        NOTINGS.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(noting: &Noting) -> Vec<(i128, i128)> {
        let integer = |side| if let Compared::Integer(value) = side { value } else { panic!("{side:?}") };
        noting.last().map(|comparison| (integer(comparison.left), integer(comparison.right))).collect()
    }

    #[test]
    fn the_newest_comes_first_and_the_oldest_are_forgotten() {
        let noting = Noting::begin();
        for n in 0..20_u8 {
            left(Operator::Less, &n, &(n + 1));
        }
        assert_eq!(integers(&noting), (12..20).rev().map(|n| (n, n + 1)).collect::<Vec<_>>());
        noting.clear();
        assert_eq!(integers(&noting), []);
        right(Operator::Less, &1, &2);
        assert_eq!(integers(&noting), [(2, 1)]);
    }

    #[test]
    fn a_comparison_in_the_right_side_of_another_is_noted_before_it() {
        let noting = Noting::begin();
        first(&1);
        first_value(2);
        second(Operator::Equal, &3);
        second_value(Operator::Equal, 4);
        assert_eq!(integers(&noting), [(1, 4), (2, 3)]);
    }

    #[test]
    fn what_one_number_was_compared_with_is_known_each_once() {
        let noting = Noting::of_number(7);
        for n in [1_u8, 7, 3, 1] {
            left(Operator::Less, &n, &7_u8);
            right(Operator::Less, &n, &9_u8);
        }
        left(Operator::Equal, &7_u8, &12_u8);
        let with_number = [12, 3, 9, 7, 1].map(Compared::Integer);
        assert_eq!(noting.with_number(), with_number);
        drop(noting);
        let noting = Noting::begin();
        left(Operator::Less, &7_u8, &8_u8);
        assert_eq!(noting.with_number(), []);
    }

    #[test]
    fn nothing_is_noted_after_the_end_until_somebody_begins_again() {
        let noting = Noting::of_number(7);
        left(Operator::Equal, &7_u8, &1_u8);
        end_noting();
        end_noting();
        assert!(!is_noting());
        left(Operator::Equal, &7_u8, &2_u8);
        assert_eq!(noting.with_number(), [Compared::Integer(1)]);
        drop(noting);
        let noting = Noting::begin();
        assert!(is_noting());
        left(Operator::Equal, &3_u8, &4_u8);
        assert_eq!(integers(&noting), [(3, 4)]);
    }

    #[test]
    fn what_a_run_that_unwinds_leaves_half_done_is_forgotten() {
        let noting = Noting::begin();
        first(&1);
        noting.clear();
        second(Operator::Equal, &3);
        assert_eq!(integers(&noting), []);
    }
}
