//! The last comparisons of the running predicate, for repairs: where a predicate rejects, `self.size == count` suggests
//! a value for `size`. Generated code calls the functions in `hooks`, `operand` converts each side to what a repair can
//! use, and nothing is recorded unless a repair is in progress.

pub(crate) mod hooks;
pub(crate) mod operand;

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use hooks::{first, first_value, left, left_value, right, right_value, second, second_value};
pub(crate) use hooks::{has_recorder, pointers};
pub(crate) use operand::note_pointers;

use crate::predicate::context;

/// Number of comparisons remembered.
const REMEMBERED: usize = 8;

/// Number of [`ComparisonRecorder`]s in the process, so that one load decides on any thread. Only searches that run beside a repair
/// ask their own thread, too.
static RECORDERS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static LAST: RefCell<RecentComparisons> = const { RefCell::new(RecentComparisons::NOTHING) };
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
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
    pub left: Operand,
    /// The right side.
    pub right: Operand,
}

impl Comparison {
    /// Returns whether it tests for equality or inequality.
    pub(crate) fn is_for_equality(&self) -> bool {
        matches!(self.operator, Operator::Equal | Operator::NotEqual)
    }

    /// Returns both sides, if they are integers.
    pub(crate) fn numbers(&self) -> Option<(i128, i128)> {
        match (self.left, self.right) {
            (Operand::Integer(left), Operand::Integer(right)) => Some((left, right)),
            _ => None,
        }
    }

    /// Returns the absolute difference of two integers.
    pub(crate) fn difference(&self) -> Option<u128> {
        self.numbers().map(|(left, right)| left.abs_diff(right))
    }
}

/// The last comparisons of one thread.
struct RecentComparisons {
    /// A ring buffer.
    comparisons: [Comparison; REMEMBERED],
    /// Number of comparisons written since the last `clear`.
    count: usize,
    /// Left sides whose right sides are still being evaluated, the innermost last.
    half: Vec<Operand>,
    /// A number of interest, and the values it was compared with, the newest last.
    number: Option<i128>,
    with_number: Vec<Operand>,
    /// The label of a statement of interest, how often it ran, and when it ran last.
    statement: Option<u32>,
    times: u32,
    last_time: u64,
    /// Number of [`ComparisonRecorder`]s on this thread, and whether the only one has stopped recording.
    recorders: u32,
    is_over: bool,
}

impl RecentComparisons {
    const NOTHING: RecentComparisons = RecentComparisons {
        comparisons: [Comparison { operator: Operator::Equal, left: Operand::Other, right: Operand::Other };
            REMEMBERED],
        count: 0,
        half: Vec::new(),
        number: None,
        with_number: Vec::new(),
        statement: None,
        times: 0,
        last_time: 0,
        recorders: 0,
        is_over: false,
    };

    #[inline]
    fn note(&mut self, comparison: Comparison) {
        if self.is_over {
            return;
        }
        if let Some(number) = self.number {
            return self.note_with(Operand::Integer(number), comparison);
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
    fn note_with(&mut self, number: Operand, comparison: Comparison) {
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
pub struct ComparisonRecorder(());

impl ComparisonRecorder {
    /// Starts recording, and clears what this thread recorded before.
    pub fn begin() -> Self {
        let recorder = ComparisonRecorder(());
        RECORDERS.fetch_add(1, Ordering::Relaxed);
        LAST.with_borrow_mut(|last| last.recorders += 1);
        recorder.clear();
        recorder
    }

    /// Starts recording only the values that `number` is compared with.
    pub fn of_number(number: i128) -> Self {
        let recorder = ComparisonRecorder::begin();
        LAST.with_borrow_mut(|last| last.number = Some(number));
        recorder
    }

    /// Starts recording, and counts how often the statement `label` runs and makes a comparison.
    pub(crate) fn of_statement(label: u32) -> Self {
        let recorder = ComparisonRecorder::begin();
        LAST.with_borrow_mut(|last| last.statement = Some(label));
        recorder
    }

    /// Returns how often the statement of interest ran.
    pub(crate) fn statements(&self) -> u32 {
        LAST.with_borrow(|last| last.times)
    }

    /// Returns the values that the number of interest was compared with, at most eight, the newest first.
    pub fn with_number(&self) -> Vec<Operand> {
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

impl Drop for ComparisonRecorder {
    fn drop(&mut self) {
        let is_over = LAST.with_borrow_mut(|last| {
            last.recorders -= 1;
            std::mem::take(&mut last.is_over)
        });
        if !is_over {
            RECORDERS.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Returns whether a [`ComparisonRecorder`] on this thread still records comparisons.
pub(crate) fn is_recording() -> bool {
    LAST.with_borrow(|last| last.recorders > 0 && !last.is_over)
}

/// Stops recording on this thread until the next [`ComparisonRecorder`], if there is exactly one now.
pub(crate) fn end_recording() {
    let ends = LAST.with_borrow_mut(|last| {
        let ends = last.recorders == 1 && !last.is_over;
        last.is_over |= ends;
        ends
    });
    if ends {
        RECORDERS.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(recorder: &ComparisonRecorder) -> Vec<(i128, i128)> {
        let integer = |side| if let Operand::Integer(value) = side { value } else { panic!("{side:?}") };
        recorder.last().map(|comparison| (integer(comparison.left), integer(comparison.right))).collect()
    }

    #[test]
    fn the_newest_comes_first_and_the_oldest_are_forgotten() {
        let recorder = ComparisonRecorder::begin();
        for n in 0..20_u8 {
            left(Operator::Less, &n, &(n + 1));
        }
        assert_eq!(integers(&recorder), (12..20).rev().map(|n| (n, n + 1)).collect::<Vec<_>>());
        recorder.clear();
        assert_eq!(integers(&recorder), []);
        right(Operator::Less, &1, &2);
        assert_eq!(integers(&recorder), [(2, 1)]);
    }

    #[test]
    fn a_comparison_in_the_right_side_of_another_is_noted_before_it() {
        let recorder = ComparisonRecorder::begin();
        first(&1);
        first_value(2);
        second(Operator::Equal, &3);
        second_value(Operator::Equal, 4);
        assert_eq!(integers(&recorder), [(1, 4), (2, 3)]);
    }

    #[test]
    fn what_one_number_was_compared_with_is_known_each_once() {
        let recorder = ComparisonRecorder::of_number(7);
        for n in [1_u8, 7, 3, 1] {
            left(Operator::Less, &n, &7_u8);
            right(Operator::Less, &n, &9_u8);
        }
        left(Operator::Equal, &7_u8, &12_u8);
        let with_number = [12, 3, 9, 7, 1].map(Operand::Integer);
        assert_eq!(recorder.with_number(), with_number);
        drop(recorder);
        let recorder = ComparisonRecorder::begin();
        left(Operator::Less, &7_u8, &8_u8);
        assert_eq!(recorder.with_number(), []);
    }

    #[test]
    fn nothing_is_noted_after_the_end_until_somebody_begins_again() {
        let recorder = ComparisonRecorder::of_number(7);
        left(Operator::Equal, &7_u8, &1_u8);
        end_recording();
        end_recording();
        assert!(!is_recording());
        left(Operator::Equal, &7_u8, &2_u8);
        assert_eq!(recorder.with_number(), [Operand::Integer(1)]);
        drop(recorder);
        let recorder = ComparisonRecorder::begin();
        assert!(is_recording());
        left(Operator::Equal, &3_u8, &4_u8);
        assert_eq!(integers(&recorder), [(3, 4)]);
    }

    #[test]
    fn what_a_run_that_unwinds_leaves_half_done_is_forgotten() {
        let recorder = ComparisonRecorder::begin();
        first(&1);
        recorder.clear();
        second(Operator::Equal, &3);
        assert_eq!(integers(&recorder), []);
    }
}
