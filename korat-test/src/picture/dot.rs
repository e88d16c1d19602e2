//! Draws a value as a Graphviz digraph.

use korat_core::Outline;

use super::scene::{Edge, Hanging, Scene, Stroke};
use super::{drawable, put};

/// Returns the value as a digraph with this name.
pub(crate) fn dot(outline: &Outline, name: &str) -> String {
    of_scene(&Scene::new(outline), name)
}

pub(super) fn of_scene(scene: &Scene, name: &str) -> String {
    let mut text = String::new();
    put(&mut text, format_args!("digraph \"{}\" {{\n", quoted(name)));
    text.push_str(
        "  graph [ordering=out];\n  node [shape=record, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for (at, node) in scene.nodes.iter().enumerate() {
        let place = node.place.as_ref().map_or(String::new(), |place| format!(" {place}"));
        let title = record(&format!("{}{place}", node.title));
        let row = |(name, value): &(String, String)| {
            let colon = if name.is_empty() { "" } else { ": " };
            format!("{}\\l", record(&format!("{name}{colon}{value}")))
        };
        let rows: String = node.rows.iter().map(row).collect();
        let rows = if rows.is_empty() { rows } else { format!("|{rows}") };
        put(&mut text, format_args!("  n{at} [label=\"{{{title}{rows}}}\"];\n"));
    }
    // Graphviz keeps the order of the edges, so emit nulls at the position of their fields.
    for hanging in scene.hanging().into_iter().flatten() {
        match hanging {
            Hanging::Edge(at) => edge(&mut text, &scene.edges[at], ""),
            Hanging::Stub(at) => {
                let (from, label) = (scene.stubs[at].from, quoted(&scene.stubs[at].label));
                put(&mut text, format_args!("  null{at} [shape=point];\n  n{from} -> null{at} [label=\"{label}\"];\n"));
            }
        }
    }
    for beside in scene.beside() {
        edge(&mut text, beside, ", constraint=false");
    }
    text.push_str("}\n");
    text
}

fn edge(text: &mut String, edge: &Edge, more: &str) {
    let (from, to, label, style) = (edge.from, edge.to, quoted(&edge.label), style(edge.stroke));
    put(text, format_args!("  n{from} -> n{to} [label=\"{label}\"{style}{more}];\n"));
}

fn style(stroke: Stroke) -> &'static str {
    match stroke {
        Stroke::Owned => "",
        Stroke::Shared => ", color=blue",
        Stroke::Weak => ", style=dashed, color=gray40",
        Stroke::Raw => ", style=dotted, color=orangered",
        Stroke::Index => ", style=dashed, color=purple",
    }
}

/// Escapes text for a quoted label, in which Graphviz interprets escapes and HTML entities.
fn quoted(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars().map(drawable) {
        match c {
            '"' => safe.push_str("\\\""),
            '\\' => safe.push_str("\\\\"),
            '&' => safe.push_str("&amp;"),
            c => safe.push(c),
        }
    }
    safe
}

/// Escapes text for a record label, in which more characters are special.
fn record(text: &str) -> String {
    let mut safe = String::new();
    for c in quoted(text).chars() {
        if matches!(c, '{' | '}' | '|' | '<' | '>' | ' ') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}
