//! The graph of an exploration: its states and transitions, as data, for Graphviz and as JSON.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use korat::{Explore, ExploreEnding, Finitize, Matching, StateGraph};
use serde_json::Value;

use super::counts::{all_stacks, search_tree};

/// The transitions as tuples.
fn calls(graph: &StateGraph) -> Vec<(usize, &str, usize)> {
    graph.transitions.iter().map(|it| (it.from, it.call.as_str(), it.to)).collect()
}

/// The numbers of states by level, counted one by one.
fn counted_levels(graph: &StateGraph) -> Vec<u64> {
    let last = graph.states.iter().map(|state| state.level).max().unwrap_or(0);
    (0..=last).map(|level| graph.states.iter().filter(|state| state.level == level).count() as u64).collect()
}

#[test]
fn stacks_of_three_items() {
    let graph = all_stacks(3).graph();
    assert_eq!((graph.levels(), graph.states.len()), (&[1, 3, 9, 27][..], 40));
    assert_eq!(counted_levels(&graph), graph.levels());
    // Three pushes and a pop on each stack of up to two items; the pop from the empty one leads back to it.
    assert_eq!(graph.transitions.len(), (1 + 3 + 9) * 4);
    assert_eq!(graph.transitions.len() as u64, graph.report.executions);
    let pops = graph.transitions.iter().filter(|it| it.call == "pop()");
    assert!(pops.clone().all(|it| graph.states[it.to].level == graph.states[it.from].level.saturating_sub(1)));
    assert_eq!(pops.filter(|it| it.from == it.to).count(), 1);
    assert_eq!(graph.longest_path().map(|path| path.calls).unwrap(), ["push(1)", "push(1)", "push(1)"]);
    let path = graph.path_to(39);
    assert_eq!(path.calls, ["push(3)", "push(3)", "push(3)"]);
    assert_eq!(path.states.len(), 4);
    assert_eq!(graph.states[39].drawing, "Stack { items: [3, 3, 3] }");
}

#[test]
fn search_trees_of_three_keys() {
    let graph = search_tree::exploration(3).graph();
    // One tree of no key, one of each key, two of each pair of keys, and five of all three.
    assert_eq!(graph.levels(), [1, 3, 3 * 2, 5]);
    assert_eq!(counted_levels(&graph), graph.levels());
    // Each key is inserted and removed; one of both changes nothing.
    let expanded = 1 + 3 + 6;
    assert_eq!(graph.transitions.len(), expanded * 6);
    assert_eq!(graph.transitions.iter().filter(|it| it.from == it.to).count(), expanded * 3);
}

#[test]
fn every_transition_can_be_replayed() {
    let graph = search_tree::exploration(3).graph();
    for transition in &graph.transitions {
        let mut calls = graph.path_to(transition.from).calls;
        assert_eq!(calls.len(), graph.states[transition.from].level);
        calls.push(transition.call.clone());
        // A check that fails tells the state after the last call.
        let last = calls.len();
        let count = Rc::new(Cell::new(0));
        let seen = Rc::new(RefCell::new(String::new()));
        let (counted, shown) = (Rc::clone(&count), Rc::clone(&seen));
        let check = move |tree: &search_tree::SearchTree| {
            counted.set(counted.get() + 1);
            *shown.borrow_mut() = format!("{tree:?}");
        };
        search_tree::exploration(3).check(check).replay(&calls.join("; "));
        assert!(count.get() > last, "{calls:?}");
        let keys = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        assert_eq!(keys(&seen.borrow()), keys(&graph.states[transition.to].drawing), "{calls:?}");
    }
}

/// A switch that does not work twice.
#[derive(Debug, Default, Finitize)]
struct Switch {
    on: bool,
    name: String,
}

fn switches() -> Explore<Switch> {
    let first = Switch { on: false, name: "\"a\\\n<b>".to_string() };
    Explore::from(first).operation("flip", [()], |switch, ()| switch.on = !switch.on).operation_if(
        "off",
        |switch| switch.on,
        |switch| switch.on = false,
    )
}

#[test]
fn graphs_for_graphviz() {
    insta::assert_snapshot!(switches().graph().to_dot(), @r#"
    digraph "Switch" {
      node [shape=box, fontname="monospace"];
      edge [fontname="monospace"];
      s0 [label="Switch { on: false, name: \"\\\"a\\\\\\n<b>\" }", penwidth=2];
      s1 [label="Switch { on: true, name: \"\\\"a\\\\\\n<b>\" }"];
      s0 -> s1 [label=" flip() "];
      s1 -> s0 [label=" flip() "];
      s1 -> s0 [label=" off() "];
    }
    "#);
    let trees = search_tree::exploration(1).graph();
    insta::assert_snapshot!(trees.to_dot(), @r#"
    digraph "SearchTree" {
      node [shape=box, fontname="monospace"];
      edge [fontname="monospace"];
      s0 [label="SearchTree", penwidth=2];
      s1 [label="SearchTree\l`- root: Node { key: 1 }\l"];
      s0 -> s1 [label=" insert(1) "];
      s0 -> s0 [label=" remove(1) "];
    }
    "#);
}

#[test]
fn graphs_as_json() {
    let json = switches().graph().to_json();
    insta::assert_snapshot!(json, @r#"
    {
    "type": "Switch",
    "ending": "fixpoint",
    "exhaustive": true,
    "found": 2,
    "expanded": 2,
    "executions": 3,
    "levels": [1, 1],
    "states": [
    {"level": 0, "failed": false, "drawing": "Switch { on: false, name: \"\\\"a\\\\\\n<b>\" }"},
    {"level": 1, "failed": false, "drawing": "Switch { on: true, name: \"\\\"a\\\\\\n<b>\" }"}
    ],
    "transitions": [
    {"from": 0, "call": "flip()", "to": 1},
    {"from": 1, "call": "flip()", "to": 0},
    {"from": 1, "call": "off()", "to": 0}
    ],
    "failures": []
    }
    "#);
    let parsed: Value = serde_json::from_str(&json).unwrap();
    let graph = switches().graph();
    let drawings = graph.states.iter().map(|state| state.drawing.as_str());
    assert!(parsed["states"].as_array().unwrap().iter().map(|state| state["drawing"].as_str().unwrap()).eq(drawings));
}

#[test]
fn json_has_the_whole_graph() {
    let graph = search_tree::exploration(3).graph();
    let parsed: Value = serde_json::from_str(&graph.to_json()).unwrap();
    let position = |value: &Value| value.as_u64().unwrap() as usize;
    let transitions = parsed["transitions"].as_array().unwrap().iter();
    let read: Vec<_> =
        transitions.map(|it| (position(&it["from"]), it["call"].as_str().unwrap(), position(&it["to"]))).collect();
    assert_eq!(read, calls(&graph));
    assert_eq!(parsed["states"].as_array().unwrap().len(), graph.states.len());
    assert_eq!((parsed["ending"].as_str(), parsed["exhaustive"].as_bool()), (Some("depth"), Some(true)));
    assert_eq!(parsed["failures"], Value::Array(Vec::new()));
}

#[test]
fn control_characters_are_escaped_in_json() {
    let all: String = (0..=0x2030).filter_map(char::from_u32).collect();
    let graph = Explore::from(0_u8).check(move |_| Err::<(), _>(all.clone())).graph();
    let parsed: Value = serde_json::from_str(&graph.to_json()).unwrap();
    assert_eq!(parsed["failures"][0]["message"].as_str(), Some(graph.failures[0].sequence.message.as_str()));
}

#[test]
fn a_failing_state_is_part_of_the_graph() {
    let graph = all_stacks(3).check(|_| korat::choose([true])).graph();
    assert_eq!(graph.transitions.len(), 52, "the choices of checks are no transitions of their own");
    let graph = Explore::from(Vec::new())
        .operation("push", 1..=2, |items: &mut Vec<u8>, item| items.push(item))
        .check(|items| *items != [2, 1])
        .graph();
    assert_eq!(graph.report.ending, ExploreEnding::Failed);
    let failure = &graph.failures[0];
    assert_eq!(failure.path.calls, ["push(2)", "push(1)"]);
    // Found: none, 1, 2, 11, 12; the last one fails.
    assert_eq!((graph.report.found, &failure.path.states[..]), (5, &[0, 2, 5][..]));
    assert!(graph.states[5].is_failed && graph.states[..5].iter().all(|state| !state.is_failed));
    assert_eq!((graph.states[5].level, graph.states[5].drawing.as_str()), (2, "[2, 1]"));
    assert_eq!(calls(&graph).last(), Some(&(2, "push(1)", 5)));
}

#[test]
fn a_call_that_panics_leads_to_no_state() {
    let graph = Explore::from(0_u8)
        .operation("add", [1], |sum, more| {
            assert!(*sum < 2);
            *sum += more;
        })
        .graph();
    let failure = &graph.failures[0];
    assert_eq!((failure.path.calls.len(), &failure.path.states[..]), (3, &[0, 1, 2][..]));
    assert_eq!((graph.states.len(), graph.transitions.len()), (3, 2));
}

#[test]
fn a_first_state_that_fails_is_shown() {
    let graph = Explore::from(7_u8).and_from(8).check(|number| *number != 7).failures(2).graph();
    assert_eq!(graph.failures[0].path.states, [1]);
    assert_eq!((graph.states[1].drawing.as_str(), graph.states[1].is_failed), ("7", true));
    assert_eq!((graph.states[0].drawing.as_str(), graph.states[0].is_failed), ("8", false));
}

#[test]
fn several_failures_are_part_of_the_graph() {
    let graph = Explore::from(0_u8)
        .operation("add", 1..=3, |sum, more| *sum += more)
        .check(|sum| if *sum == 2 { Err("two") } else { Ok(()) })
        .check(|sum| if *sum == 5 { Err("five") } else { Ok(()) })
        .failures(3)
        .limit(7)
        .graph();
    let messages: Vec<&str> = graph.failures.iter().map(|it| it.sequence.message.as_str()).collect();
    assert_eq!(messages, ["two", "five"].map(|what| format!("the check fails: it returned Err({what:?})")));
    for failure in &graph.failures {
        let last = *failure.path.states.last().unwrap();
        assert!(graph.states[last].is_failed);
        assert!(
            failure.path.states[..failure.path.states.len() - 1].iter().all(|state| !graph.states[*state].is_failed)
        );
    }
}

#[test]
fn answers_are_part_of_calls() {
    let throw = |sum: &mut u8, ()| *sum += korat::choose(1..=2_u8);
    let graph = Explore::from(0_u8).operation("throw", [()], throw).depth(1).graph();
    assert_eq!(calls(&graph), [(0, "throw() choosing 1", 1), (0, "throw() choosing 2", 2)]);
}

#[test]
fn a_limit_cuts_the_graph() {
    let graph = all_stacks(3).limit(10).graph();
    assert_eq!((graph.states.len(), graph.report.ending), (10, ExploreEnding::Limit));
    assert!(graph.transitions.iter().all(|it| it.from < 10 && it.to < 10));
    assert_eq!(counted_levels(&graph), graph.levels());
    assert!(graph.report.to_string().contains("NOT exhaustive"));
}

#[test]
fn graphs_do_not_depend_on_what_hashes_match() {
    let (exact, hashed) =
        (search_tree::exploration(3).graph(), search_tree::exploration(3).matching(Matching::Hashed).graph());
    assert_eq!((exact.states, exact.transitions), (hashed.states, hashed.transitions));
    let shapes = search_tree::exploration(3).matching(Matching::Shape).graph();
    // The first tree of one node has the least key, so that others are on its right.
    assert_eq!((shapes.levels(), shapes.states.len()), (&[1, 1, 1, 1][..], 4));
    let failing = |matching| {
        let graph = all_stacks(3).matching(matching).check(|stack| format!("{stack:?}").len() < 22).graph();
        (graph.failures[0].path.clone(), graph.states.last().cloned())
    };
    assert_eq!(failing(Matching::Exact), failing(Matching::Hashed));
}

#[test]
fn every_call_that_fails_is_in_the_graph() {
    let graph =
        Explore::from(0_u8).operation("set", 1..=4, |now, to| *now = to).check(|now| *now < 2).failures(9).graph();
    // Both calls with the same origin are there, not only the first.
    assert_eq!((graph.report.executions, graph.failures.len()), (8, 1));
    let from_first = [(0, "set(1)", 1), (1, "set(1)", 1)];
    let failing =
        [(0, "set(2)", 2), (0, "set(3)", 3), (0, "set(4)", 4), (1, "set(2)", 2), (1, "set(3)", 3), (1, "set(4)", 4)];
    assert_eq!(calls(&graph), [&from_first[..], &failing[..]].concat());
    let failed: Vec<_> =
        graph.states.iter().map(|state| (state.drawing.as_str(), state.level, state.is_failed)).collect();
    assert_eq!(failed, [("0", 0, false), ("1", 1, false), ("2", 1, true), ("3", 1, true), ("4", 1, true)]);
    assert_eq!(graph.failures[0].path.states, [0, 2]);
}
