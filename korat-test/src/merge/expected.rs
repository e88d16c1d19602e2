//! Checks what tests expect of a whole search, which no part can.

use std::collections::BTreeMap;

use super::part::Part;
use crate::report::{counted, grouped};

/// Returns the expectations that are not met by the parts together.
pub(super) fn unmet(parts: &[Part], counts: &BTreeMap<String, u64>) -> Vec<String> {
    let mut found = Vec::new();
    let ended = |endings: &[&str]| {
        parts.iter().all(|part| part.ending.as_deref().is_some_and(|ending| endings.contains(&ending)))
    };
    // One value was replayed: nothing is said about the others.
    if ended(&["replayed"]) {
        return found;
    }
    let is_complete = ended(&["complete", "fixpoint", "depth"]);
    if !is_complete && parts.iter().any(|part| part.expected.complete) {
        found.push("expected a complete search, which it is not".to_string());
    }
    let (what, number) = match counts.get("valid") {
        Some(valid) => ("value", *valid),
        None => ("state", counts.get("found").copied().unwrap_or(0)),
    };
    let count = parts.iter().find_map(|part| part.expected.count);
    if let Some(count) = count.filter(|count| is_complete && *count != number) {
        found.push(format!("expected {}, but there {} {}", counted(count, what), is_or_are(number), grouped(number)));
    }
    if is_complete && number == 0 && count.is_none() && parts.iter().any(|part| part.expected.some) {
        found.push("there is no valid value; if that is right, say so with `.allow_empty(true)`".to_string());
    }
    found
}

fn is_or_are(number: u64) -> &'static str {
    if number == 1 { "is" } else { "are" }
}
