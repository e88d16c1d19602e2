//! What an exploration meets, kept for its graph: the forms of all states, whatever they are matched by, and all transitions.

use korat_core::Outline;
use rustc_hash::FxHashMap;

use super::states::{Origin, StateId};
use super::steps::StepId;

/// The states and transitions so far.
#[derive(Default)]
pub(super) struct Recorded {
    /// The positions of the states in the lists below.
    positions: FxHashMap<StateId, usize>,
    /// The forms, in the order in which the states were found.
    pub(super) forms: Vec<Vec<u8>>,
    /// The lengths of the shortest sequences to the states.
    pub(super) levels: Vec<usize>,
    /// In the order of the executions. Those to known states are among them.
    pub(super) transitions: Vec<(usize, StepId, usize)>,
    /// The executions that failed and left a state, in their order.
    pub(super) failed: Vec<FailedStep>,
}

/// An execution after which something is wrong.
pub(super) struct FailedStep {
    /// The position of the state that it began in.
    pub(super) from: usize,
    pub(super) step: StepId,
    pub(super) state: SeenState,
}

/// What is seen of a state that is not stored.
#[derive(Default)]
pub(super) struct SeenState {
    /// The form, if it has one.
    pub(super) form: Option<Vec<u8>>,
    /// The objects, if there are any.
    pub(super) outline: Option<Outline>,
    pub(super) drawing: String,
}

impl Recorded {
    /// Returns the position of a state in the lists.
    pub(super) fn position(&self, state: StateId) -> Option<usize> {
        self.positions.get(&state).copied()
    }

    /// Notes that an execution led to a state, which has this form if it is new.
    pub(super) fn note(&mut self, origin: Origin, state: StateId, form: &[u8]) {
        // A first state comes from none.
        let from = self.positions.get(&origin.from).copied();
        let to = *self.positions.entry(state).or_insert_with(|| {
            self.forms.push(form.to_vec());
            self.levels.push(from.map_or(0, |from| self.levels[from] + 1));
            self.forms.len() - 1
        });
        self.transitions.extend(from.map(|from| (from, origin.step, to)));
    }
}
