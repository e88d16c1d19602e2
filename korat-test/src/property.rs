//! Runs a property on one value, and turns its return value or its panic into a verdict.

use std::fmt::Debug;

use crate::choose::{self, Answers};
#[cfg(feature = "async")]
use crate::panics::users_code;
use crate::panics::{Caught, caught};

/// The return value of a property: `()` if it panics on failure, a `bool`, or a `Result`.
///
/// ```
/// # use korat::{Finitize, rep_ok};
/// # #[derive(Debug, Finitize)]
/// # struct Interval { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Interval { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// korat::for_each_valid(Interval::scope(3), |interval| assert!(interval.low <= interval.high));
/// korat::for_each_valid(Interval::scope(3), |interval| interval.low <= interval.high);
/// korat::for_each_valid(Interval::scope(3), |interval| {
///     let width = interval.high.checked_sub(interval.low).ok_or("the ends are swapped")?;
///     if width <= 3 { Ok(()) } else { Err("it is too wide") }
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "a property cannot return `{Self}`",
    label = "this property returns `{Self}`",
    note = "a property panics, returns a `bool`, or returns a `Result` whose error is `Debug`"
)]
pub trait Outcome {
    /// Returns the reason if the property does not hold.
    fn into_verdict(self) -> Result<(), String>;
}

impl Outcome for () {
    fn into_verdict(self) -> Result<(), String> {
        Ok(())
    }
}

impl Outcome for bool {
    fn into_verdict(self) -> Result<(), String> {
        if self { Ok(()) } else { Err("it returned false".to_string()) }
    }
}

impl<O: Outcome, E: Debug> Outcome for Result<O, E> {
    fn into_verdict(self) -> Result<(), String> {
        match self {
            Ok(outcome) => outcome.into_verdict(),
            Err(error) => Err(format!("it returned Err({error:?})")),
        }
    }
}

/// Names the type `!`, which has no name in stable Rust, as the return type of a function.
mod never {
    pub trait Returns {
        type Output;
    }

    impl<T> Returns for fn() -> T {
        type Output = T;
    }
}

/// A property that always panics.
impl Outcome for <fn() -> ! as never::Returns>::Output {
    fn into_verdict(self) -> Result<(), String> {
        self
    }
}

/// A failure of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The message of the property.
    pub(crate) message: String,
    /// Where it panicked.
    pub(crate) location: Option<String>,
    /// The backtrace, if the environment enables backtraces.
    pub(crate) backtrace: Option<String>,
    /// What it let korat choose.
    pub(crate) answers: Answers,
}

impl From<Caught> for Violation {
    fn from(Caught { message, location, backtrace }: Caught) -> Self {
        Violation { message, location, backtrace, answers: choose::answers_told() }
    }
}

impl Violation {
    /// Creates a violation from what the property returned.
    fn returned(message: String) -> Self {
        Violation { message, location: None, backtrace: None, answers: choose::answers_told() }
    }

    /// Returns whether both have the same origin: the location of the panic, or the text of what was returned.
    pub(crate) fn is_like(&self, other: &Violation) -> bool {
        match (&self.location, &other.location) {
            (Some(one), Some(two)) => one == two,
            (None, None) => self.message == other.message,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// Runs a property.
pub(crate) fn run<O: Outcome>(property: impl FnOnce() -> O) -> Result<(), Violation> {
    judged(|| property().into_verdict())
}

/// Runs a property that returns the reason if it does not hold.
pub(crate) fn judged(property: impl FnOnce() -> Result<(), String>) -> Result<(), Violation> {
    caught(property)?.map_err(Violation::returned)
}

/// Runs an asynchronous property, calling `around` around every poll.
#[cfg(feature = "async")]
pub(crate) async fn run_async<O: Outcome>(
    property: impl Future<Output = O>,
    mut around: impl FnMut(&mut dyn FnMut()),
) -> Result<(), Violation> {
    use std::task::Poll;

    let mut property = std::pin::pin!(property);
    std::future::poll_fn(|context| {
        let mut polled = Poll::Pending;
        let step = caught(|| {
            around(&mut || {
                polled = users_code(&mut |context| property.as_mut().poll(context), &mut *context)
                    .map(Outcome::into_verdict);
            })
        });
        match (step, polled) {
            (Err(caught), _) => Poll::Ready(Err(caught.into())),
            (Ok(()), Poll::Pending) => Poll::Pending,
            (Ok(()), Poll::Ready(verdict)) => Poll::Ready(verdict.map_err(Violation::returned)),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_property_tell_what_is_wrong() {
        assert_eq!(run(|| ()), Ok(()));
        assert_eq!(run(|| true), Ok(()));
        assert_eq!(run(|| Ok::<(), String>(())), Ok(()));
        let returned = |message: &str| Err(Violation::returned(message.to_string()));
        assert_eq!(run(|| false), returned("it returned false"));
        assert_eq!(run(|| Err::<(), _>(7)), returned("it returned Err(7)"));
        assert_eq!(run(|| Ok::<bool, i32>(false)), returned("it returned false"));
        let violation = run(|| panic!("too {}", "tall")).unwrap_err();
        assert_eq!(violation.message, "too tall");
        assert!(violation.location.is_some_and(|location| location.contains("property.rs:")));
    }
}
