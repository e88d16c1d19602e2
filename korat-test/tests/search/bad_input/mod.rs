//! What bad input gets when it runs: every bound, invariant and property that is at fault ends in a message that says so.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use korat::{Backtracking, Finitize, Pruning, RepOk, Report, Search, SelfCheck, Unread, field, rep_ok};

use crate::panics::message_of;

fn count<T: Finitize + RepOk + Debug>(bounds: korat::Bounds<T>) -> Report {
    Search::new(bounds).report()
}

/// A report as text, with the time left out.
fn shown(report: &Report) -> String {
    let text = report.to_string();
    let (text, _time) = text.rsplit_once(", in ").expect("a report ends with its time");
    text.to_string()
}

mod bounds;
mod invariants;
mod meanings;
mod parts;
mod properties;
