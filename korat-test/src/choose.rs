//! Choices that code leaves to korat: each answer is tried, by running the code again.

use std::cell::RefCell;
use std::fmt::Debug;

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
    /// The answers as text, if somebody wants to read them.
    told: Option<Vec<String>>,
}

thread_local! {
    /// The choices of the innermost exploration on this thread.
    static CHOICES: RefCell<Option<Choices>> = const { RefCell::new(None) };
}

/// Returns one of the values of a domain. An exploration runs the operation once for each: whatever a clock, a network or a random
/// number may answer, all of it is tried.
///
/// It is called in the operations, guards and checks of an [`Explore`](crate::Explore); elsewhere it panics, and so it does if
/// the domain is empty.
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
    let mut values: Vec<T> = domain.into_iter().collect();
    let index = CHOICES.with_borrow_mut(|choices| {
        let choices = choices.as_mut().expect("[korat] `choose` is called outside of an exploration");
        let of = u32::try_from(values.len()).unwrap_or(u32::MAX);
        assert!(of > 0, "[korat] `choose` is called with no value to choose from");
        if choices.asked == choices.taken.len() {
            choices.taken.push(Choice { index: 0, of });
        }
        let choice = &mut choices.taken[choices.asked];
        if choice.of == 0 {
            choice.of = of;
        }
        assert!(
            choice.of == of,
            "[korat] `choose` has other values when the operation runs again: is it deterministic?"
        );
        let index = choice.index as usize;
        choices.asked += 1;
        index
    });
    let value = values.swap_remove(index);
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
        choices.taken.clear();
        choices.asked = 0;
    });
}

/// Begins a run with the same answers as the last.
pub(crate) fn again() {
    with(|choices| choices.asked = 0);
}

/// Goes to the next answers. Returns false if all were given.
pub(crate) fn next() -> bool {
    with(|choices| {
        choices.asked = 0;
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
    with(|choices| choices.taken.iter().map(|choice| choice.index).collect()).unwrap_or_default()
}

/// Returns whether the last run made choices.
pub(crate) fn were_made() -> bool {
    with(|choices| !choices.taken.is_empty()).unwrap_or(false)
}

/// Runs code with the answers at these indices. Returns the answers as text.
pub(crate) fn with_answers<R>(answers: &[u32], run: impl FnOnce() -> R) -> (R, Vec<String>) {
    let _choosing = Choosing::begin();
    with(|choices| {
        choices.taken = answers.iter().map(|&index| Choice { index, of: 0 }).collect();
        choices.told = Some(Vec::new());
    });
    let result = run();
    let told = with(|choices| choices.told.take()).flatten().unwrap_or_default();
    (result, told)
}
