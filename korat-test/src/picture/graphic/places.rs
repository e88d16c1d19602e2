//! The places of what is drawn, by which the pictures of two values are compared: a box has the path from the root, a field that
//! of its box and its name. Each part says its place and what is there, as `data-at` and `data-is`.

use super::scene::{Edge, Node, Scene, Stub};
use super::svg::escape;

/// The paths of the boxes of a scene.
pub(super) struct Places {
    paths: Option<Vec<String>>,
}

impl Places {
    /// Returns places that are not drawn.
    pub(super) fn none() -> Self {
        Places { paths: None }
    }

    /// Returns the places of a scene.
    pub(super) fn new(scene: &Scene) -> Self {
        let mut paths = vec![String::new(); scene.nodes.len()];
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
        for edge in scene.hangs_on.iter().flatten() {
            below[scene.edges[*edge].from].push(*edge);
        }
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            for edge in &below[node] {
                let Edge { to, label, .. } = &scene.edges[*edge];
                let Node { title, place, .. } = &scene.nodes[*to];
                // The box of an element shows its position itself.
                let step = if label.is_empty() { place.as_ref().unwrap_or(title) } else { label };
                paths[*to] = format!("{}/{step}", paths[node]);
                stack.push(*to);
            }
        }
        Places { paths: Some(paths) }
    }

    /// Returns the attributes of a box.
    pub(super) fn of_box(&self, at: usize, node: &Node) -> String {
        self.attributes(at, "", || node.title.clone())
    }

    /// Returns the attributes of a field of a box.
    pub(super) fn of_row(&self, at: usize, name: &str, value: &str) -> String {
        self.attributes(at, &format!(": {name}"), || value.to_string())
    }

    /// Returns the attributes of an edge.
    pub(super) fn of_edge(&self, edge: &Edge) -> String {
        let to = self.paths.as_ref().map_or("", |paths| paths[edge.to].as_str());
        let field = if edge.label.is_empty() { to } else { &edge.label };
        self.attributes(edge.from, &format!("> {field}"), || format!("{} {to}", edge.stroke.word()))
    }

    /// Returns the attributes of a null. A null that is not drawn has no place, so one that is drawn differs only from an edge.
    pub(super) fn of_stub(&self, stub: &Stub) -> String {
        self.attributes(stub.from, &format!("> {}", stub.label), || "null".to_string())
    }

    fn attributes(&self, node: usize, part: &str, what: impl FnOnce() -> String) -> String {
        let Some(paths) = &self.paths else { return String::new() };
        format!(" data-at=\"{}{}\" data-is=\"{}\"", escape(&paths[node]), escape(part), escape(&what()))
    }
}
