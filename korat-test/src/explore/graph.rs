//! The graph of an exploration as data: every state that was found, every transition, and the sequences that fail.

use std::panic::Location;

use korat_core::{Forms, Outline};
use rustc_hash::FxHashMap;

use super::call_sequence::CallSequence;
use super::drawing;
use super::failure::{FailedSequence, Fault};
use super::recorded::{FailedStep, Recorded, SeenState};
use super::report::ExploreReport;
use super::run::Run;
use super::states::StateId;
use super::steps::{ActionId, StepId};
use super::{Explore, State};
use crate::choose;
use crate::env;
use crate::panics::caught;

/// The states that an exploration found, and the calls that lead from one to another; see [`Explore::graph`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StateGraph {
    /// The name of the state's type.
    pub type_name: String,
    /// The states, in the order in which they were found. Behind them are those that fail, which are not explored.
    pub states: Vec<GraphState>,
    /// The transitions, in the order in which they were run, with those to known states. Behind them are those to states that fail.
    pub transitions: Vec<Transition>,
    /// The sequences that fail, shortest first.
    pub failures: Vec<FailedPath>,
    /// What was done. It says whether states may be missing.
    pub report: ExploreReport,
}

/// A state of a [`StateGraph`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphState {
    /// The length of the shortest sequence that leads to it.
    pub level: usize,
    /// The state as a failure shows it: drawn, or as its `Debug` prints it if there are no objects in it.
    pub drawing: String,
    /// Whether something is wrong with it.
    pub is_failed: bool,
    /// The objects, if there are any.
    pub(crate) outline: Option<Outline>,
}

/// A call that leads from a state to a state, which may be the same. States are positions in [`StateGraph::states`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transition {
    /// The state before the call.
    pub from: usize,
    /// The call, with the answers to what it lets korat choose: `send() choosing true, false`.
    pub call: String,
    /// The state after the call.
    pub to: usize,
}

/// A sequence of calls, and the states before, between and after them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatePath {
    /// The positions of the states in [`StateGraph::states`]. There is none after a last call that panics.
    pub states: Vec<usize>,
    /// The calls.
    pub calls: Vec<String>,
}

/// A sequence of a [`StateGraph`] that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedPath {
    /// The states and calls.
    pub path: StatePath,
    /// What is wrong.
    pub sequence: FailedSequence,
}

impl StateGraph {
    /// Returns the number of states that were found by the length of the shortest sequence that leads to them.
    pub fn levels(&self) -> &[u64] {
        &self.report.levels
    }

    /// Returns the shortest sequence to a state, as it was found.
    ///
    /// # Panics
    /// If there is no state at this position.
    pub fn path_to(&self, state: usize) -> StatePath {
        let (mut states, mut calls, mut at) = (vec![state], Vec::new(), state);
        while self.states[at].level > 0 {
            let first = self.transitions.iter().find(|transition| transition.to == at);
            let Some(Transition { from, call, .. }) = first else { break };
            calls.push(call.clone());
            states.push(*from);
            at = *from;
        }
        calls.reverse();
        states.reverse();
        StatePath { states, calls }
    }

    /// Returns the shortest sequence to the first state of the last level, if there is a state.
    pub fn longest_path(&self) -> Option<StatePath> {
        let last = self.states.iter().map(|state| state.level).max()?;
        let state = self.states.iter().position(|state| state.level == last)?;
        Some(self.path_to(state))
    }
}

impl<S: State> Explore<S> {
    /// Runs the exploration, and returns its states and transitions, to be looked at. Failing sequences are part of the graph. They
    /// are not stored in `korat-regressions/`, and none of those stored there are run.
    ///
    /// All states are in memory at once, each with a drawing: set a [`limit`](Explore::limit) if there may be many.
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// let graph = Explore::from(0_u8)
    ///     .operation_if("add", |number| *number < 2, |number| *number += 1)
    ///     .operation("reset", [()], |number, ()| *number = 0)
    ///     .graph();
    /// assert_eq!(graph.levels(), [1, 1, 1]);
    /// let calls: Vec<_> = graph.transitions.iter().map(|it| (it.from, it.call.as_str(), it.to)).collect();
    /// assert_eq!(calls, [(0, "add()", 1), (0, "reset()", 0), (1, "add()", 2), (1, "reset()", 0), (2, "reset()", 0)]);
    /// assert_eq!(graph.path_to(2).calls, ["add()", "add()"]);
    /// ```
    #[track_caller]
    pub fn graph(mut self) -> StateGraph {
        env::apply(&mut self.config);
        self.config.regressions = false;
        let mut run = Run::new(self, Location::caller());
        run.recorded = Some(Recorded::default());
        let (report, failures) = match run.explore() {
            Ok(report) => (report, Vec::new()),
            Err(failed) => (*failed.report, failed.failures),
        };
        let recorded = run.recorded.take().unwrap_or_default();
        let mut graph = StateGraph {
            type_name: run.again.type_name.clone(),
            states: run.recorded_states(&recorded),
            transitions: run.recorded_transitions(&recorded),
            failures: Vec::new(),
            report,
        };
        let positions: FxHashMap<&[u8], usize> = recorded.forms.iter().map(Vec::as_slice).zip(0..).collect();
        let mut failed = FxHashMap::default();
        for step in &recorded.failed {
            let call = run.recorded_call(&recorded.forms[step.from], step.step);
            let to = graph.failed_state(graph.states[step.from].level + 1, &step.state, &mut failed);
            graph.transitions.push(Transition { from: step.from, call, to });
        }
        for failure in failures {
            let first = |number: usize| {
                let state = (*run.firsts.get(number)?)?;
                Some(recorded.forms[recorded.position(state)?].clone())
            };
            let sequence = CallSequence::parse(&failure.replay, &run.executor.explore.operations).ok();
            let form = sequence.as_ref().and_then(|sequence| first(sequence.first));
            let steps = sequence.map_or(Vec::new(), |sequence| sequence.steps);
            let seen = run.seen_on(form, &steps);
            graph.add_failure(failure, seen, &positions, &mut failed);
        }
        graph
    }
}

/// The positions of the states that fail, by their forms.
type FailedStates = FxHashMap<Vec<u8>, usize>;

fn see<S: State>(forms: &mut Forms, state: &S) -> SeenState {
    let mut form = Vec::new();
    let is_written = matches!(caught(|| forms.write(state, &mut form).is_ok()), Ok(true));
    let outline = drawing::outline(forms, state);
    let drawing = drawing::text(outline.as_ref(), state);
    SeenState { form: is_written.then_some(form), outline, drawing }
}

impl<S: State> Run<S> {
    fn recorded_states(&mut self, recorded: &Recorded) -> Vec<GraphState> {
        let states = recorded.forms.iter().zip(&recorded.levels);
        states.map(|(form, &level)| self.graph_state(form, level)).collect()
    }

    fn graph_state(&mut self, form: &[u8], level: usize) -> GraphState {
        let Ok((state, shared)) = caught(|| self.executor.forms.read::<S>(form, 0)) else {
            return GraphState { level, drawing: "(it cannot be built)".to_string(), is_failed: false, outline: None };
        };
        let outline = drawing::outline(&mut self.executor.forms, &state);
        let drawing = drawing::text(outline.as_ref(), &state);
        let _ = caught(|| drop((state, shared)));
        GraphState { level, drawing, is_failed: false, outline }
    }

    fn recorded_transitions(&mut self, recorded: &Recorded) -> Vec<Transition> {
        let mut transitions = Vec::with_capacity(recorded.transitions.len());
        for &(from, step, to) in &recorded.transitions {
            let call = self.recorded_call(&recorded.forms[from], step);
            transitions.push(Transition { from, call, to });
        }
        transitions
    }

    /// Returns a step on the state with a form as text.
    fn recorded_call(&mut self, form: &[u8], step: StepId) -> String {
        let (action, answers) = self.steps.get(step);
        if answers.is_empty() {
            return self.executor.explore.operations.text(action).to_string();
        }
        let answers = answers.to_vec();
        self.run_again(form, (action, &answers), |_, _| ()).0
    }

    /// Records an execution that failed with the last answers, and what is seen of the state after it, if a graph is made.
    pub(super) fn record_failed(&mut self, from: StateId, action: ActionId, fault: &Fault) {
        let from_position = self.recorded.as_ref().and_then(|recorded| recorded.position(from));
        let Some(position) = from_position.filter(|_| fault.has_state()) else { return };
        let step = self.steps.current(action);
        let (form, answers) = (self.states.form(from).to_vec(), choose::answers());
        let Some(state) = self.run_again(&form, (action, &answers), see).1 else { return };
        if let Some(recorded) = &mut self.recorded {
            recorded.failed.push(FailedStep { from: position, step, state });
        }
    }

    /// Runs steps from the state with a form. Returns what is seen of that state and of those after the steps.
    fn seen_on(&mut self, form: Option<Vec<u8>>, steps: &[(ActionId, Vec<u32>)]) -> Vec<SeenState> {
        let first = form.as_ref().and_then(|form| caught(|| self.executor.forms.read::<S>(form, 0)).ok());
        let outline = first.and_then(|(state, shared)| {
            let outline = drawing::outline(&mut self.executor.forms, &state);
            let _ = caught(|| drop((state, shared)));
            outline
        });
        let mut seen = vec![SeenState { form, outline, ..SeenState::default() }];
        for (action, answers) in steps {
            let Some(form) = seen.last().and_then(|last| last.form.clone()) else { break };
            seen.push(self.run_again(&form, (*action, answers), see).1.unwrap_or_default());
        }
        seen
    }
}

impl StateGraph {
    /// Returns the position of a state that fails, which is added unless one with its form is there.
    fn failed_state(&mut self, level: usize, state: &SeenState, known: &mut FailedStates) -> usize {
        let position = self.states.len();
        let known = state.form.clone().map_or(position, |form| *known.entry(form).or_insert(position));
        if known == position {
            let SeenState { outline, drawing, .. } = state;
            let (drawing, outline) = (drawing.clone(), outline.clone());
            self.states.push(GraphState { level, drawing, is_failed: true, outline });
        }
        known
    }

    /// Adds a failing sequence with what was seen of its states, and those of the states that were not found.
    fn add_failure(
        &mut self,
        sequence: FailedSequence,
        seen: Vec<SeenState>,
        positions: &FxHashMap<&[u8], usize>,
        failed: &mut FailedStates,
    ) {
        let mut path = StatePath { states: Vec::new(), calls: sequence.calls.clone() };
        let mut seen = seen.into_iter();
        for (at, drawing) in sequence.states.iter().enumerate() {
            let state = SeenState { drawing: drawing.clone(), ..seen.next().unwrap_or_default() };
            // The state that is wrong follows the last call. Others are known, unless states are matched by something else.
            let is_failed = at == sequence.calls.len();
            let known = state.form.as_ref().and_then(|form| positions.get(form.as_slice())).filter(|_| !is_failed);
            let added = self.states.len();
            let state = match known {
                Some(&known) => known,
                None if is_failed => self.failed_state(at, &state, failed),
                None => {
                    self.states.push(GraphState {
                        level: at,
                        drawing: state.drawing,
                        is_failed,
                        outline: state.outline,
                    });
                    added
                }
            };
            if state == added {
                let before = path.states.last().map(|&from| (from, sequence.calls[at - 1].clone()));
                self.transitions.extend(before.map(|(from, call)| Transition { from, call, to: state }));
            }
            path.states.push(state);
        }
        self.failures.push(FailedPath { path, sequence });
    }
}
