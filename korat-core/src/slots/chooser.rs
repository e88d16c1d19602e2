//! Dispatches first reads of slots to the chooser of the predicate that runs on this thread. A search and a repair each
//! install their own.

use std::cell::Cell;

use super::slot_handle::SlotHandle;
use crate::model::error::MUST_NOT_KEEP;

/// Answers the first read of a slot. Afterwards the slot has an index.
pub(crate) type Chooser = fn(SlotHandle);

thread_local! {
    static CHOOSER: Cell<Chooser> = const { Cell::new(no_chooser) };
}

/// Answers the first read of a slot with the current chooser.
#[inline(never)]
pub(crate) fn choose(slot: SlotHandle) {
    CHOOSER.with(Cell::get)(slot);
}

/// Installs a chooser. Returns the previous one.
#[inline(always)]
pub(crate) fn replace_chooser(chooser: Chooser) -> Chooser {
    CHOOSER.with(|current| current.replace(chooser))
}

fn no_chooser(_: SlotHandle) {
    panic!("a part of the structure was kept after rep_ok had returned, and is read outside a search; {MUST_NOT_KEEP}")
}
