//! The graph of an exploration as JSON. Equal graphs give equal text.

use super::graph::{FailedPath, GraphState, StateGraph, Transition};
use crate::json::string;

impl StateGraph {
    /// Returns the graph as JSON, with a line for each state and each transition:
    ///
    /// ```
    /// use korat::Explore;
    ///
    /// let graph = Explore::from(0_u8).operation("add", [1, 2], |sum, more| *sum += more).check(|sum| *sum < 2).graph();
    /// assert_eq!(graph.to_json(), r#"{
    /// "type": "u8",
    /// "ending": "failed",
    /// "exhaustive": false,
    /// "found": 2,
    /// "expanded": 0,
    /// "executions": 2,
    /// "levels": [1, 1],
    /// "states": [
    /// {"level": 0, "failed": false, "drawing": "0"},
    /// {"level": 1, "failed": false, "drawing": "1"},
    /// {"level": 1, "failed": true, "drawing": "2"}
    /// ],
    /// "transitions": [
    /// {"from": 0, "call": "add(1)", "to": 1},
    /// {"from": 0, "call": "add(2)", "to": 2}
    /// ],
    /// "failures": [
    /// {"message": "the check fails: it returned false", "location": null, "states": [0, 2], "calls": ["add(2)"], "replay": "add(2)"}
    /// ]
    /// }
    /// "#);
    /// ```
    ///
    /// `ending` is `fixpoint`, `depth`, `limit`, `time limit`, `replayed` or `failed`; states are numbered from 0.
    pub fn to_json(&self) -> String {
        let StateGraph { type_name, states, transitions, failures, report } = self;
        let ending = report.ending.word();
        let states = states.iter().map(|GraphState { level, drawing, is_failed, .. }| {
            format!("{{\"level\": {level}, \"failed\": {is_failed}, \"drawing\": {}}}", string(drawing))
        });
        let transitions = transitions.iter().map(|Transition { from, call, to }| {
            format!("{{\"from\": {from}, \"call\": {}, \"to\": {to}}}", string(call))
        });
        let failures = failures.iter().map(|FailedPath { path, sequence }| {
            format!(
                "{{\"message\": {}, \"location\": {}, \"states\": {:?}, \"calls\": [{}], \"replay\": {}}}",
                string(&sequence.message),
                sequence.location.as_deref().map_or("null".to_string(), string),
                path.states,
                path.calls.iter().map(|call| string(call)).collect::<Vec<_>>().join(", "),
                string(&sequence.replay)
            )
        });
        format!(
            "{{\n\"type\": {},\n\"ending\": \"{ending}\",\n\"exhaustive\": {},\n\"found\": {},\n\"expanded\": {},\n\
             \"executions\": {},\n\"levels\": {:?},\n\"states\": {},\n\"transitions\": {},\n\"failures\": {}\n}}\n",
            string(type_name),
            report.is_exhaustive(),
            report.found,
            report.expanded,
            report.executions,
            report.levels,
            lines(states),
            lines(transitions),
            lines(failures)
        )
    }
}

/// Returns a list with a line for each element.
fn lines(elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<String> = elements.collect();
    if elements.is_empty() { "[]".to_string() } else { format!("[\n{}\n]", elements.join(",\n")) }
}
