//! Steps: operations with an argument, and with the answers to what they let korat choose.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::choose;

/// An operation with one of its arguments: the position among all of them.
pub(super) type ActionId = u32;

/// An action with answers. Without any, it has the number of the action.
pub(super) type StepId = u32;

/// The steps that were taken.
pub(super) struct Steps {
    actions: u32,
    answered: Vec<(ActionId, Vec<u32>)>,
    index: HashMap<(ActionId, Vec<u32>), StepId, FxBuildHasher>,
}

impl Steps {
    pub(super) fn new(actions: u32) -> Self {
        Steps { actions, answered: Vec::new(), index: HashMap::default() }
    }

    /// Returns the step of an action that has just run.
    pub(super) fn current(&mut self, action: ActionId) -> StepId {
        if !choose::were_made() {
            return action;
        }
        self.with_answers(action, choose::answers())
    }

    /// Returns the step of an action with answers.
    pub(super) fn with_answers(&mut self, action: ActionId, answers: Vec<u32>) -> StepId {
        if answers.is_empty() {
            return action;
        }
        let step = (action, answers);
        if let Some(&known) = self.index.get(&step) {
            return known;
        }
        let number = self.actions + self.answered.len() as u32;
        self.answered.push(step.clone());
        self.index.insert(step, number);
        number
    }

    /// Returns the action and the answers of a step.
    pub(super) fn get(&self, step: StepId) -> (ActionId, &[u32]) {
        match step.checked_sub(self.actions) {
            None => (step, &[]),
            Some(at) => {
                let (action, answers) = &self.answered[at as usize];
                (*action, answers)
            }
        }
    }
}
