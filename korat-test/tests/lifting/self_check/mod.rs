//! Searches check themselves: a machine that disagrees with its predicate, and a lifted predicate that disagrees with the plain
//! one, are found, and a predicate that is not deterministic is told apart from both. What is checked changes no count.

mod counts;
mod machines;
mod not_deterministic;
mod plain;
mod rejected;
mod settings;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use korat::{Backtracking, Finitize, Order, Pruning, RepOk, Report, Search, SelfCheck, rep_ok};
use korat_core::__private::{Control, Machine, MachineInfo, NO_BLOCK, View, block};
use korat_core::{Searcher, Settings, StepResult};

/// What the search is given in place of one predicate: three of them.
#[derive(Clone, Copy)]
struct Forms {
    machine: fn(&View<Planted>) -> bool,
    from_top: fn(&View<Planted>) -> bool,
    plain: fn(&Planted) -> bool,
}

thread_local! {
    static FORMS: Cell<Forms> = const {
        Cell::new(Forms { machine: |_| true, from_top: |_| true, plain: |_| true })
    };
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// A class whose predicate is written by hand, in all its forms.
#[derive(Debug, Finitize)]
struct Planted {
    one: u8,
    two: u8,
    three: u8,
}

impl RepOk for Planted {
    fn lifted(view: &View<Self>) -> bool {
        (FORMS.get().from_top)(view)
    }

    /// One block, which is re-entered after every choice.
    fn machine(view: &'static View<Self>) -> Machine {
        let blocks = const { &[NO_BLOCK, block(77, "rep_ok", "true", "")] };
        let info = MachineInfo { file: "planted.rs", blocks, left_out: &[] };
        Machine::new(info, move |control: &mut Control| {
            let mut label = control.start();
            loop {
                if label == 0 {
                    control.at(1);
                }
                let accepted = (FORMS.get().machine)(view);
                match control.finish(accepted) {
                    Some(next) => label = next,
                    None => return accepted,
                }
            }
        })
    }

    fn holds(&self) -> bool {
        (FORMS.get().plain)(self)
    }
}

fn sorted(view: &View<Planted>) -> bool {
    *view.one <= *view.two && *view.two <= *view.three
}

fn plainly_sorted(value: &Planted) -> bool {
    value.one <= value.two && value.two <= value.three
}

const SORTED: Forms = Forms { machine: sorted, from_top: sorted, plain: plainly_sorted };

fn search(forms: Forms, scope: usize) -> Search<Planted> {
    FORMS.set(forms);
    CALLS.set(0);
    Search::new(Planted::scope(scope)).allow_empty(true)
}

/// What a run says that fails.
fn failure<R>(run: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).err().expect("it cannot go through");
    korat_core::panic_message(&*payload)
}
