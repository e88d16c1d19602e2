//! Catches the panics of properties together with their location, without printing them. A panic that ends the process
//! is printed nevertheless.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

use korat_core::panic_message;

use crate::crash_note;
use crate::output::print_line;

/// A panic that was caught and not printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caught {
    pub(crate) message: String,
    /// Where it happened; `None` if it came from `resume_unwind`.
    pub(crate) location: Option<String>,
    /// The backtrace, if the environment enables backtraces.
    pub(crate) backtrace: Option<String>,
}

thread_local! {
    /// Number of nested properties running on this thread.
    static RUNNING: Cell<usize> = const { Cell::new(0) };
    /// Whether panics on this thread are suppressed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    /// The last two panics of a property on this thread: if the second one comes from a destructor, the first one is its cause.
    static LAST: RefCell<[Option<Caught>; 2]> = const { RefCell::new([None, None]) };
}

/// Runs a part of a property. Its panic is not printed immediately, because the report contains it.
pub(crate) fn caught<R>(part: impl FnOnce() -> R) -> Result<R, Caught> {
    set_own_hook();
    RUNNING.set(RUNNING.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(part));
    RUNNING.set(RUNNING.get() - 1);
    outcome.map_err(|panic| told(&*panic))
}

/// Returns what is known of the panic that was caught last.
fn told(panic: &(dyn std::any::Any + Send)) -> Caught {
    let [_, last] = LAST.take();
    Caught { message: panic_message(panic), ..last.unwrap_or_default() }
}

/// Returns whether a property, or an operation of an exploration, runs on this thread.
pub(crate) fn is_in_property() -> bool {
    RUNNING.get() > 0
}

/// Calls a function of the user. Displayed backtraces end here, because the callers are internals of korat.
#[inline(never)]
pub(crate) fn users_code<A, R>(function: &mut impl FnMut(A) -> R, argument: A) -> R {
    let result = function(argument);
    // Without code after the call, a tail call could omit the frame of this function.
    black_box(());
    result
}

/// Runs code that catches its own panics, as a repair does, without printing them. Prints a panic that escapes, and resumes it.
#[cfg(any(feature = "repair", test))]
pub(crate) fn quietly<R>(work: impl FnOnce() -> R) -> R {
    set_own_hook();
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    outcome.unwrap_or_else(|panic| {
        eprintln!("{}", panic_message(&*panic));
        resume_unwind(panic)
    })
}

/// Panics with a message at a location of the user's code, without a backtrace: that of the original panic is already printed.
pub(crate) fn raise(location: &Location<'_>, text: String) -> ! {
    // The enclosing property reports it.
    if RUNNING.get() > 0 {
        panic!("{text}");
    }
    eprintln!("\n{}", panic_text(Some(&location.to_string()), &text));
    resume_unwind(Box::new(text))
}

/// Formats a panic as the standard library does.
fn panic_text(location: Option<&str>, message: &str) -> String {
    let thread = std::thread::current();
    let place = location.map_or(String::new(), |location| format!(" at {location}"));
    format!("thread '{}' panicked{place}:\n{message}", thread.name().unwrap_or("<unnamed>"))
}

/// Installs a panic hook, once per process, that suppresses the panics of properties and of invariants run as self-checks.
pub(crate) fn set_own_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if ends_process(info) {
                tell_last_panics();
                before(info);
            } else if !is_kept(info) {
                before(info);
            }
        }));
    });
}

/// Returns whether a panic cannot unwind: it comes from a destructor during unwinding, or from a function that must not unwind.
fn ends_process(info: &PanicHookInfo<'_>) -> bool {
    // `PanicHookInfo::can_unwind` is unstable; its `Debug` output has always contained this text.
    cfg!(panic = "abort") || format!("{info:?}").contains("can_unwind: false")
}

/// Prints the panics that were suppressed, because there will be no report.
fn tell_last_panics() {
    let last = LAST.try_with(RefCell::take).unwrap_or_default();
    // Bypass the output capture of `cargo test`, which ends with the process.
    for Caught { message, location, backtrace } in last.into_iter().flatten() {
        print_line(&format!("\n{}", panic_text(location.as_deref(), &message)));
        if let Some(backtrace) = backtrace {
            print_line(&backtrace);
        }
    }
    if let Some(value) = crash_note::at_hand() {
        print_line(&format!("korat: the property ends the process; it ran on {value}"));
    }
}

/// Stores the panic of a property. Returns false if no property runs on this thread, so that the panic has to be printed.
fn is_kept(info: &PanicHookInfo<'_>) -> bool {
    if QUIET.try_with(Cell::get).unwrap_or(false) || korat_core::is_panic_caught() {
        return true;
    }
    if RUNNING.try_with(Cell::get).unwrap_or(0) == 0 {
        return false;
    }
    let backtrace = Backtrace::capture();
    let caught = Caught {
        message: panic_message(info.payload()),
        location: info.location().map(ToString::to_string),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| users_frames(&backtrace.to_string())),
    };
    LAST.try_with(|last| last.replace_with(|[_, before]| [before.take(), Some(caught)])).is_ok()
}

/// Returns the frames of a backtrace between the panic and korat. Returns all frames if `RUST_BACKTRACE=full` is set or
/// the frames have no names.
fn users_frames(backtrace: &str) -> String {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value == "full") {
        return backtrace.to_string();
    }
    let is_frame =
        |line: &str| line.trim_start().split_once(": ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let mut frames: Vec<Vec<&str>> = Vec::new();
    for line in backtrace.lines() {
        match frames.last_mut() {
            Some(frame) if !is_frame(line) => frame.push(line),
            _ => frames.push(vec![line]),
        }
    }
    let has = |frame: &Vec<&str>, name: &str| frame[0].contains(name);
    // The standard library marks where the panic begins.
    let start = frames.iter().position(|frame| has(frame, "__rust_end_short_backtrace")).map_or(0, |marker| marker + 1);
    let end = frames.iter().position(|frame| has(frame, "korat::panics::users_code")).unwrap_or(frames.len());
    let lines: Vec<&str> = frames.get(start..end).unwrap_or(&frames).concat();
    format!("{}\n(frames of korat are left out; RUST_BACKTRACE=full shows them)\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let _ = caught(|| panic!("inside"));
        let outside = catch_unwind(|| panic!("outside"));
        assert!(outside.is_err());
        assert_eq!((RUNNING.get(), LAST.take()), (0, [None, None]));
    }

    #[test]
    fn frames_of_others_are_left_out() {
        let backtrace = "   0: std::backtrace::Backtrace::create\n   1: std::sys::backtrace::__rust_end_short_backtrace\n             at panic.rs:1:2\n   \
                         2: core::panicking::panic_fmt\n   3: lists::insert\n             at src/lists.rs:7:9\n   \
                         4: korat::panics::users_code\n   5: main\n";
        let expected = "   2: core::panicking::panic_fmt\n   3: lists::insert\n             at src/lists.rs:7:9\n\
                        (frames of korat are left out; RUST_BACKTRACE=full shows them)\n";
        assert_eq!(users_frames(backtrace), expected);
        assert!(users_frames("   0: <unknown>\n").starts_with("   0: <unknown>\n"));
    }
}
