//! Runs a property on one value. Takes what it returns, or its panic with the place; gives what is wrong, if anything.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

use korat_core::panic_message;

/// What a property may return: nothing, where it panics if it does not hold; whether it holds; or a `Result`.
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
    /// What is wrong, if the property does not hold.
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

/// The type `!`, which has no name of its own in stable Rust, but that of what a function returns.
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

/// A property that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The property's own words.
    pub(crate) message: String,
    /// Where it panicked.
    pub(crate) location: Option<String>,
    /// How it got there, if the environment asks for backtraces.
    pub(crate) backtrace: Option<String>,
}

impl Violation {
    /// By what the property returned.
    fn returned(message: String) -> Self {
        Violation { message, location: None, backtrace: None }
    }

    /// Whether both come from the same place: that of the panic, or the text of what was returned.
    pub(crate) fn is_like(&self, other: &Violation) -> bool {
        match (&self.location, &other.location) {
            (Some(one), Some(two)) => one == two,
            (None, None) => self.message == other.message,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

thread_local! {
    /// How many properties run on this thread, one inside the other.
    static RUNNING: Cell<usize> = const { Cell::new(0) };
    /// Whether panics on this thread are of no interest.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    /// The last panic of a property on this thread.
    static CAUGHT: RefCell<Caught> = const { RefCell::new(Caught { location: None, backtrace: None }) };
}

#[derive(Default)]
struct Caught {
    location: Option<String>,
    backtrace: Option<String>,
}

/// Runs a property. Its panic is not printed where it happens, because the report tells all of it.
pub(crate) fn run<O: Outcome>(property: impl FnOnce() -> O) -> Result<(), Violation> {
    caught(|| property().into_verdict())?.map_err(Violation::returned)
}

/// The same for a property that waits for something. `around` is called around every step of it.
#[cfg(feature = "async")]
pub(crate) async fn run_async<O: Outcome>(
    property: impl Future<Output = O>,
    mut around: impl FnMut(&mut dyn FnMut()),
) -> Result<(), Violation> {
    use std::task::Poll;

    let mut property = std::pin::pin!(property);
    std::future::poll_fn(|context| {
        let mut polled = Poll::Pending;
        let step = caught(|| around(&mut || polled = property.as_mut().poll(context).map(Outcome::into_verdict)));
        match (step, polled) {
            (Err(violation), _) => Poll::Ready(Err(violation)),
            (Ok(()), Poll::Pending) => Poll::Pending,
            (Ok(()), Poll::Ready(verdict)) => Poll::Ready(verdict.map_err(Violation::returned)),
        }
    })
    .await
}

/// Runs something whose panics are caught inside, and not printed. One that is not caught is told.
pub(crate) fn quietly<R>(work: impl FnOnce() -> R) -> R {
    catch_panics();
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    outcome.unwrap_or_else(|panic| {
        eprintln!("{}", panic_message(&*panic));
        resume_unwind(panic)
    })
}

/// Runs a part of a property; its panic is a violation.
fn caught<R>(part: impl FnOnce() -> R) -> Result<R, Violation> {
    catch_panics();
    RUNNING.set(RUNNING.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(part));
    RUNNING.set(RUNNING.get() - 1);
    outcome.map_err(|panic| {
        let Caught { location, backtrace } = CAUGHT.take();
        Violation { message: panic_message(&*panic), location, backtrace }
    })
}

/// From the first call on, the process does not print the panics of properties.
fn catch_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if !is_caught(info) {
                before(info);
            }
        }));
    });
}

/// Notes where a property has panicked; false if no property runs on this thread, and it is to be printed.
fn is_caught(info: &PanicHookInfo<'_>) -> bool {
    if QUIET.try_with(Cell::get).unwrap_or(false) {
        return true;
    }
    if RUNNING.try_with(Cell::get).unwrap_or(0) == 0 {
        return false;
    }
    let backtrace = Backtrace::capture();
    let caught = Caught {
        location: info.location().map(ToString::to_string),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
    };
    CAUGHT.try_with(|last| last.replace(caught)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_property_tell_what_is_wrong() {
        assert_eq!(run(|| ()), Ok(()));
        assert_eq!(run(|| true), Ok(()));
        assert_eq!(run(|| Ok::<(), String>(())), Ok(()));
        let returned = |message: &str| Err(Violation { message: message.to_string(), location: None, backtrace: None });
        assert_eq!(run(|| false), returned("it returned false"));
        assert_eq!(run(|| Err::<(), _>(7)), returned("it returned Err(7)"));
        assert_eq!(run(|| Ok::<bool, i32>(false)), returned("it returned false"));
        let violation = run(|| panic!("too {}", "tall")).unwrap_err();
        assert_eq!(violation.message, "too tall");
        assert!(violation.location.is_some_and(|location| location.contains("property.rs:")));
    }

    #[test]
    fn what_is_caught_inside_is_quiet_and_what_is_not_goes_on() {
        let is_quiet = quietly(|| catch_unwind(|| panic!("inside")).is_err() && QUIET.get());
        assert!(is_quiet && !QUIET.get());
        let outside = catch_unwind(|| quietly(|| panic!("through")));
        assert_eq!(outside.map_err(|panic| panic_message(&*panic)), Err::<(), _>("through".to_string()));
        assert!(!QUIET.get());
    }

    #[test]
    fn a_panic_after_the_property_is_none_of_it() {
        let _ = run(|| panic!("inside"));
        let outside = catch_unwind(|| panic!("outside"));
        assert!(outside.is_err());
        assert_eq!((RUNNING.get(), CAUGHT.take().location), (0, None));
    }
}
