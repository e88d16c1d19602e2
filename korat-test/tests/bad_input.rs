//! What bad input gets when it runs: every bound, invariant and property that is at fault ends in a message that says so.

#![allow(missing_docs)]

use std::cell::RefCell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search, SelfCheck, Unread, field, rep_ok};

/// The text of the panic in which `run` must end.
fn message_of<R>(run: impl FnOnce() -> R) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(run)) else { panic!("the run ended well") };
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().expect("a panic with a text").to_string(),
    }
}

fn count<T: Finitize + RepOk + Debug>(bounds: korat::Bounds<T>) -> Report {
    Search::new(bounds).count()
}

/// A report as text, with the time left out.
fn shown(report: &Report) -> String {
    let text = report.to_string();
    let (text, _time) = text.rsplit_once(", in ").expect("a report ends with its time");
    text.to_string()
}

#[path = "bad_input/bounds.rs"]
mod bounds;
#[path = "bad_input/invariants.rs"]
mod invariants;
#[path = "bad_input/meanings.rs"]
mod meanings;
#[path = "bad_input/properties.rs"]
mod properties;
