//! Draws a value as a Graphviz digraph.

use korat_core::Outline;

use super::scene::{Edge, Hanging, Node, Scene, Stroke};
use super::svg::escape;
use crate::picture::{drawable, put};

/// Returns the value as a digraph with this name.
pub(crate) fn dot(outline: &Outline, name: &str) -> String {
    of_scene(&Scene::new(outline), name)
}

pub(super) fn of_scene(scene: &Scene, name: &str) -> String {
    let mut text = String::new();
    put(&mut text, format_args!("digraph \"{}\" {{\n", quoted(name)));
    text.push_str(
        "  graph [ordering=out];\n  node [shape=plain, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for (at, node) in scene.nodes.iter().enumerate() {
        put(&mut text, format_args!("  n{at} [label=<{}>];\n", table(node)));
    }
    // Graphviz keeps the order of the edges, so emit nulls at the position of their fields.
    for hanging in scene.hanging().into_iter().flatten() {
        match hanging {
            Hanging::Edge(at) => edge(&mut text, &scene.edges[at], "", ""),
            Hanging::Stub(at) => {
                let (from, label) = (scene.stubs[at].from, padded(&scene.stubs[at].label));
                put(&mut text, format_args!("  null{at} [shape=point];\n  n{from} -> null{at} [label=\"{label}\"];\n"));
            }
        }
    }
    for at in scene.beside().filter(|&at| scene.edges[at].from != scene.edges[at].to) {
        edge(&mut text, &scene.edges[at], "", ", constraint=false");
    }
    for loops in scene.loops() {
        // Graphviz draws loops around the labels of others on the same side.
        for (&at, side) in loops.iter().zip([":e", ":w"].into_iter().cycle()) {
            edge(&mut text, &scene.edges[at], side, "");
        }
    }
    text.push_str("}\n");
    text
}

/// Returns the box of a node as an HTML-like label. Graphviz loses edges between neighbors of the shape `record`.
fn table(node: &Node) -> String {
    let place = node.place.as_ref().map_or(String::new(), |place| format!(" {place}"));
    let title = html(&format!("{}{place}", node.title));
    let row = |(name, value): &(String, String)| {
        let colon = if name.is_empty() { "" } else { ": " };
        html(&format!("{name}{colon}{value}"))
    };
    let rows: Vec<String> = node.rows.iter().map(row).collect();
    let rows = if rows.is_empty() {
        String::new()
    } else {
        format!("<tr><td align=\"left\" balign=\"left\">{}</td></tr>", rows.join("<br/>"))
    };
    let table = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"5\">";
    format!("{table}<tr><td>{title}</td></tr>{rows}</table>")
}

/// Writes an edge, which begins and ends at a side of its boxes if one is given.
fn edge(text: &mut String, edge: &Edge, side: &str, more: &str) {
    let (from, to, label, style) = (edge.from, edge.to, padded(&edge.label), style(edge.stroke));
    put(text, format_args!("  n{from}{side} -> n{to}{side} [label=\"{label}\"{style}{more}];\n"));
}

/// Returns the label of an edge, with space around it: Graphviz puts labels next to each other without any.
fn padded(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!(" {} ", quoted(label)) }
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
pub(super) fn quoted(text: &str) -> String {
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

/// Escapes text for an HTML-like label. Graphviz replaces `\N` by the name of the node even there, and has no escape for
/// it; a space without width keeps the characters apart.
fn html(text: &str) -> String {
    let mut safe = escape(text);
    for letter in ['G', 'N', 'E', 'T', 'H', 'L'] {
        safe = safe.replace(&format!("\\{letter}"), &format!("\\&#8203;{letter}"));
    }
    safe
}
