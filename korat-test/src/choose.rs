//! Choices that code leaves to korat: each answer is tried, by running the code again.

use std::cell::RefCell;
use std::fmt::Debug;

use crate::crash_note;

/// The most values that a choice may have: each is a run of its own.
const MOST: usize = 1 << 24;

/// The most choices that one run may make. One that makes more is taken for one that does not end: trying the last answers of such a
/// run leads to another that is longer.
const MOST_IN_ONE_RUN: usize = 10_000;

/// One choice of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    index: u32,
    /// The number of values; 0 if it is not known before the run asks.
    of: u32,
}

/// The choices of the run under way.
#[derive(Default)]
struct Choices {
    taken: Vec<Choice>,
    /// How many the run has asked for.
    asked: usize,
    /// The answers as text, if the code that is run wants to know them.
    told: Option<Vec<String>>,
    /// The number of answers that were given before the run, and whether one of them is none of its values.
    given: usize,
    is_wrong: bool,
}

impl Choices {
    /// Begins a run with the same answers as the last.
    fn begin(&mut self) {
        self.asked = 0;
        self.told.as_mut().into_iter().for_each(Vec::clear);
    }

    /// Begins a run with the answers at these indices.
    fn give(&mut self, answers: &[u32]) {
        self.begin();
        self.taken.clear();
        self.taken.extend(answers.iter().map(|&index| Choice { index, of: 0 }));
        (self.given, self.is_wrong) = (answers.len(), false);
    }
}

/// The answers of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) indices: Vec<u32>,
    pub(crate) texts: Vec<String>,
}

thread_local! {
    /// The choices of the innermost exploration on this thread.
    static CHOICES: RefCell<Option<Choices>> = const { RefCell::new(None) };
}

/// Returns one of the values of a domain. The code that asks is run once for each: whatever a clock, a network or a random number
/// may answer, all of it is tried.
///
/// It is called in the operations, guards and checks of an [`Explore`](crate::Explore), and in properties that
/// [`for_each_valid`](crate::for_each_valid) or a [`Search`](crate::Search) runs, unless they are asynchronous. Elsewhere it panics, and
/// so it does if the domain is empty.
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// korat::for_each_valid(Interval::scope(3), |interval| {
///     // Each interval, with each number in it.
///     let number = korat::choose(interval.low..=interval.high);
///     assert!(number <= 3);
/// });
/// ```
///
/// ```
/// use korat::Explore;
///
/// // A die is thrown three times.
/// let report = Explore::from(0_u8)
///     .operation("throw", [()], |sum, ()| *sum += korat::choose(1..=6))
///     .depth(3)
///     .run();
/// report.expect_states(1 + 18);
/// ```
#[track_caller]
pub fn choose<T: Debug>(domain: impl IntoIterator<Item = T>) -> T {
    let mut values = domain.into_iter();
    // Counted without being made, where the domain knows how many it has.
    let (least, most) = values.size_hint();
    let mut made = None;
    let len =
        if most == Some(least) { least } else { made.insert(values.by_ref().take(MOST + 1).collect::<Vec<T>>()).len() };
    let index = CHOICES.with_borrow_mut(|choices| {
        let choices = choices.as_mut().expect("[korat] `choose` is called outside of an exploration or a property");
        assert!(len > 0, "[korat] `choose` is called with no value to choose from");
        assert!(len <= MOST, "[korat] `choose` is called with more than {MOST} values to choose from");
        let of = len as u32;
        if choices.asked == choices.taken.len() {
            assert!(
                choices.asked < MOST_IN_ONE_RUN,
                "[korat] one run makes more than {MOST_IN_ONE_RUN} choices: does it end?"
            );
            choices.taken.push(Choice { index: 0, of });
        }
        let choice = &mut choices.taken[choices.asked];
        if choice.of == 0 {
            choice.of = of;
        }
        assert!(choice.of == of, "[korat] `choose` has other values when the code runs again: is it deterministic?");
        if choice.index >= of {
            (choice.index, choices.is_wrong) = (0, true);
        }
        let index = choice.index as usize;
        crash_note::at_answer(choices.asked, choice.index);
        choices.asked += 1;
        index
    });
    let value = match made {
        Some(mut made) => made.swap_remove(index),
        None => values.nth(index).expect("[korat] a domain has as many values as it says"),
    };
    CHOICES.with_borrow_mut(|choices| {
        if let Some(told) = choices.as_mut().and_then(|choices| choices.told.as_mut()) {
            told.push(format!("{value:?}"));
        }
    });
    value
}

/// Lets code on this thread make choices, until it is dropped.
pub(crate) struct Choosing {
    before: Option<Choices>,
}

impl Choosing {
    pub(crate) fn begin() -> Self {
        Choosing { before: CHOICES.replace(Some(Choices::default())) }
    }

    /// Lets code make choices whose texts are told.
    pub(crate) fn begin_told() -> Self {
        let choosing = Choosing::begin();
        with(|choices| choices.told = Some(Vec::new()));
        choosing
    }
}

impl Drop for Choosing {
    fn drop(&mut self) {
        CHOICES.set(self.before.take());
    }
}

fn with<R>(change: impl FnOnce(&mut Choices) -> R) -> Option<R> {
    CHOICES.with_borrow_mut(|choices| choices.as_mut().map(change))
}

/// Begins with the first answers.
pub(crate) fn first() {
    with(|choices| {
        // Most code makes no choices.
        if choices.given > 0 || !choices.taken.is_empty() {
            choices.give(&[]);
        }
    });
}

/// Begins a run with the answers at these indices.
pub(crate) fn give(answers: &[u32]) {
    with(|choices| choices.give(answers));
}

/// Returns whether the run asked for as many answers as it was given, and each was one of its values.
pub(crate) fn is_as_given() -> bool {
    with(|choices| choices.asked == choices.given && !choices.is_wrong).unwrap_or(true)
}

/// Begins a run with the same answers as the last.
pub(crate) fn again() {
    with(Choices::begin);
}

/// Counts all answers as asked for, after a part of a run was run again.
pub(crate) fn resume() {
    with(|choices| choices.asked = choices.taken.len());
}

/// Returns whether the last run had answers that were not the last.
pub(crate) fn has_next() -> bool {
    with(|choices| choices.taken.iter().any(|choice| choice.index + 1 < choice.of)).unwrap_or(false)
}

/// Goes to the next answers. Returns false if all were given.
pub(crate) fn next() -> bool {
    with(|choices| {
        if choices.taken.is_empty() {
            return false;
        }
        choices.begin();
        while let Some(last) = choices.taken.last_mut() {
            last.index += 1;
            if last.index < last.of {
                return true;
            }
            choices.taken.pop();
        }
        false
    })
    .unwrap_or(false)
}

/// Returns the indices of the answers of the last run.
pub(crate) fn answers() -> Vec<u32> {
    with(|choices| choices.taken[..choices.asked].iter().map(|choice| choice.index).collect()).unwrap_or_default()
}

/// Returns the answers of the last run, with their texts if the run tells them.
pub(crate) fn answers_told() -> Answers {
    Answers { indices: answers(), texts: with(|choices| choices.told.clone()).flatten().unwrap_or_default() }
}

/// Returns whether the last run made choices.
pub(crate) fn were_made() -> bool {
    with(|choices| choices.asked > 0).unwrap_or(false)
}

/// Runs code with the answers at these indices. Returns the answers as text.
pub(crate) fn with_answers<R>(answers: &[u32], run: impl FnOnce() -> R) -> (R, Vec<String>) {
    let _choosing = Choosing::begin_told();
    give(answers);
    let result = run();
    (result, answers_told().texts)
}
