//! Runs one search on several threads. Each thread has a search of its own, and runs the property on its share of the values; what they find is put together as
//! one thread would have found it. `docs/src/scale.md` has the user's view.

use std::thread;

use parking_lot::Mutex;

use crate::output::print_line;
use crate::panics;

mod dealt;
mod found;
mod ledger;
mod pass;
mod place;
mod ranges;
mod shared;

pub(crate) use dealt::{DEALT, dealt};
pub(crate) use found::{Before, Failed, Trouble};
pub(crate) use ledger::{Done, DonePiece, Kind, Ledger, PassCounts, Stretch};
pub(crate) use pass::{Deposit, KeptPiece, Merged, PieceOfPass, sum};
pub(crate) use place::Place;
pub(crate) use ranges::Ranges;
pub(crate) use shared::Shared;

/// Returns how many threads are meant by a setting.
pub(crate) fn number(threads: Option<usize>) -> usize {
    match threads {
        Some(threads) => threads,
        None if panics::is_in_property() => 1,
        None => thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Says, once for all of a process, why a search for which several threads are asked runs on one.
pub(crate) fn tell_one_thread(why: &str) {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut told = TOLD.lock();
    if !told.iter().any(|other| other == why) {
        told.push(why.to_string());
        print_line(&format!("warning: korat: one thread instead of several: {why}"));
    }
}
