//! What the running predicate has compared last. A repair wants to know it where a predicate rejects: `self.size == count` suggests
//! a value for `size`. Nothing is noted unless a repair is under way; nothing here knows what is suggested.
//!
//! Comparisons of a predicate tell their sides to `hooks`, which generated code calls; `reading` makes of each side what a repair
//! can use.

mod hooks;
mod reading;

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::ambient;

pub use hooks::{first, first_value, left, left_value, right, right_value, second, second_value};
pub(crate) use hooks::{noting, pointers};
pub(crate) use reading::note_pointers;

/// How many comparisons are remembered.
const REMEMBERED: usize = 8;

/// How many [`Noting`] there are in the process. One load decides, on whatever thread: searches that run beside a repair note
/// too, and nobody asks them.
static NOTINGS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static LAST: RefCell<Last> = const { RefCell::new(Last::NOTHING) };
}

/// One side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// An integer, a `bool`, a `char`, or `Some` of one, by itself or behind references.
    Integer(i128),
    /// The place of an object, for pointers and references to objects; of any other reference, where it leads.
    Address(usize),
    /// `None` of an integer or of a pointer, or a null pointer.
    Nothing,
    /// Anything else.
    Other,
}

/// How two values were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`, and functions that say whether two pointers are the same.
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

/// A comparison that a predicate has made; what came out of it is not noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How.
    pub operator: Operator,
    /// What stood on the left.
    pub left: Compared,
    /// What stood on the right.
    pub right: Compared,
}

impl Comparison {
    /// Whether it says that two are the same, or that they are not.
    pub(crate) fn is_for_equality(&self) -> bool {
        matches!(self.operator, Operator::Equal | Operator::NotEqual)
    }

    /// The two sides, if they are numbers.
    pub(crate) fn numbers(&self) -> Option<(i128, i128)> {
        match (self.left, self.right) {
            (Compared::Integer(left), Compared::Integer(right)) => Some((left, right)),
            _ => None,
        }
    }

    /// By how much two numbers differ.
    pub(crate) fn difference(&self) -> Option<u128> {
        self.numbers().map(|(left, right)| left.abs_diff(right))
    }
}

/// The last comparisons of one thread.
struct Last {
    /// Written round and round.
    comparisons: [Comparison; REMEMBERED],
    /// How many were ever written since the last `clear`.
    count: usize,
    /// Left sides whose right sides are still being evaluated, the innermost last.
    half: Vec<Compared>,
    /// A number that somebody wants to know about, and what it was compared with, the newest last.
    number: Option<i128>,
    with_number: Vec<Compared>,
    /// A statement that somebody wants to know about, by its label; how often it was run, and when last.
    statement: Option<u32>,
    times: u32,
    last_time: u64,
    /// How many [`Noting`] there are on this thread, and whether the only one notes nothing more.
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
            && let Some((label, time)) = ambient::statement()
            && label == statement
            && (self.times == 0 || time != self.last_time)
        {
            (self.times, self.last_time) = (self.times + 1, time);
        }
    }

    /// Notes what the number was compared with, if it was.
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

/// While there is one, comparisons are noted.
pub struct Noting(());

impl Noting {
    /// From now on, with nothing noted on this thread yet.
    pub fn begin() -> Self {
        let noting = Noting(());
        NOTINGS.fetch_add(1, Ordering::Relaxed);
        LAST.with_borrow_mut(|last| last.notings += 1);
        noting.clear();
        noting
    }

    /// The same, but only what one number is compared with.
    pub fn of_number(number: i128) -> Self {
        let noting = Noting::begin();
        LAST.with_borrow_mut(|last| last.number = Some(number));
        noting
    }

    /// The same, with how often a statement was run that compares something.
    pub(crate) fn of_statement(label: u32) -> Self {
        let noting = Noting::begin();
        LAST.with_borrow_mut(|last| last.statement = Some(label));
        noting
    }

    /// How often the statement was run.
    pub(crate) fn statements(&self) -> u32 {
        LAST.with_borrow(|last| last.times)
    }

    /// What the number was compared with, at most eight others, the newest first.
    pub fn with_number(&self) -> Vec<Compared> {
        LAST.with_borrow(|last| last.with_number.iter().rev().copied().collect())
    }

    /// Forgets what this thread has compared. To be called before each run of a predicate: a run that unwinds may leave a
    /// comparison half done.
    pub fn clear(&self) {
        LAST.with_borrow_mut(|last| {
            last.count = 0;
            last.half.clear();
            (last.number, last.statement, last.times) = (None, None, 0);
            last.with_number.clear();
        });
    }

    /// The last comparisons of this thread, at most eight of them, the newest first.
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

/// Whether somebody wants to know what is compared on this thread.
pub(crate) fn is_noting() -> bool {
    LAST.with_borrow(|last| last.notings > 0 && !last.is_over)
}

/// What is compared on this thread from now on is of no interest, until the next [`Noting`].
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
