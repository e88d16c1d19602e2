//! Outlines of small structures, for tests of pictures.

use korat_core::{Outline, OutlineElement, OutlineLink, OutlineObject, OutlineValue};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

pub(super) fn object(class: &str, fields: Vec<(String, OutlineValue)>) -> OutlineObject {
    OutlineObject { class: class.to_string(), fields, arenas: Vec::new() }
}

pub(super) fn link(to: Option<usize>, link: OutlineLink) -> OutlineValue {
    to.map_or(OutlineValue::Null(link), |to| OutlineValue::Object { to, link })
}

pub(super) fn owned(to: usize) -> OutlineValue {
    link(Some(to), OutlineLink::Owned)
}

/// Returns an object with the given fields, in order.
fn with(class: &str, fields: &[(&str, OutlineValue)]) -> OutlineObject {
    object(class, fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
}

/// Returns a list of `len` nodes, each with a weak pointer to its predecessor.
pub(super) fn list(len: usize) -> Outline {
    let node = |at: usize| {
        let mut fields = vec![("elem".to_string(), OutlineValue::Plain(at.to_string()))];
        fields.push(("next".to_string(), link(Some(at + 1).filter(|&next| next < len), OutlineLink::Owned)));
        if let Some(before) = at.checked_sub(1) {
            fields.push(("prev".to_string(), link(Some(before), OutlineLink::Weak)));
        }
        object("Node", fields)
    };
    Outline { objects: (0..len).map(node).collect() }
}

/// Returns a header with `head` and `tail`, and a doubly linked list of `len` nodes.
pub(super) fn list_with_tail(len: usize, kind: OutlineLink) -> Outline {
    let weak = if kind == OutlineLink::Raw { OutlineLink::Raw } else { OutlineLink::Weak };
    let mut objects = vec![with("List", &[("head", link(Some(1), kind)), ("tail", link(Some(len), weak))])];
    for at in 1..=len {
        let next = link(Some(at + 1).filter(|&next| next <= len), kind);
        let prev = link(Some(at - 1).filter(|&prev| prev > 0), weak);
        objects.push(with("Node", &[("next", next), ("prev", prev)]));
    }
    Outline { objects }
}

/// Returns a ring of `len` nodes with pointers both ways, entered at its first node.
pub(super) fn ring(len: usize) -> Outline {
    let mut objects = vec![with("Ring", &[("entry", link(Some(1), OutlineLink::Raw))])];
    for at in 0..len {
        let to = |at: usize| link(Some(at % len + 1), OutlineLink::Raw);
        objects.push(with("Node", &[("next", to(at + 1)), ("prev", to(at + len - 1))]));
    }
    Outline { objects }
}

/// The children of each node of a tree, left and right; node 0 is the root.
pub(super) type Shape<'s> = &'s [[Option<usize>; 2]];

/// Returns the parent of each node.
fn parents(shape: Shape<'_>) -> Vec<Option<usize>> {
    (0..shape.len()).map(|node| shape.iter().position(|below| below.contains(&Some(node)))).collect()
}

/// Returns a tree with links of one kind, and with parent pointers of another if `parent` is given.
pub(super) fn tree(shape: Shape<'_>, kind: OutlineLink, parent: Option<OutlineLink>) -> Outline {
    let node = |(below, up): (&[Option<usize>; 2], Option<usize>)| {
        let mut fields = vec![("left", link(below[0], kind)), ("right", link(below[1], kind))];
        fields.extend(parent.map(|parent| ("parent", link(up, parent))));
        with("TreeNode", &fields)
    };
    Outline { objects: shape.iter().zip(parents(shape)).map(node).collect() }
}

/// Returns a complete tree of `2^levels - 1` nodes.
pub(super) fn complete(levels: u32) -> Vec<[Option<usize>; 2]> {
    let count = 2_usize.pow(levels) - 1;
    let child = |at: usize| Some(at).filter(|&at| at < count);
    (0..count).map(|at| [child(2 * at + 1), child(2 * at + 2)]).collect()
}

/// Returns a tree in an arena, whose nodes refer to their children and their parent by index.
pub(super) fn arena_tree(shape: Shape<'_>) -> Outline {
    let index = |to: Option<usize>| OutlineValue::Index {
        shown: format!("{to:?}"),
        element: to.map(|position| OutlineElement { holder: 0, arena: "nodes".to_string(), position }),
    };
    let mut holder = with("Arena", &[("nodes.len()", OutlineValue::Plain(shape.len().to_string()))]);
    let part = |at: usize| (format!("nodes[{at}]"), link(Some(at + 1), OutlineLink::Part));
    holder.fields.extend((0..shape.len()).map(part));
    holder.fields.push(("root".to_string(), index(Some(0))));
    holder.arenas.push("nodes".to_string());
    let node = |(below, up): (&[Option<usize>; 2], Option<usize>)| {
        with("Node", &[("left", index(below[0])), ("right", index(below[1])), ("parent", index(up))])
    };
    Outline { objects: [holder].into_iter().chain(shape.iter().zip(parents(shape)).map(node)).collect() }
}

/// Returns a node with several references to one other node, and `back` references from that to the first.
pub(super) fn pair(there: &[(&str, OutlineLink)], back: &[(&str, OutlineLink)]) -> Outline {
    let all = |to: usize, fields: &[(&str, OutlineLink)]| {
        let fields: Vec<(&str, OutlineValue)> =
            fields.iter().map(|&(name, kind)| (name, link(Some(to), kind))).collect();
        with("Node", &fields)
    };
    Outline { objects: vec![all(1, there), all(0, back)] }
}

/// Returns a node that refers to itself by each of the fields.
pub(super) fn loops(fields: &[(&str, OutlineLink)]) -> Outline {
    let fields: Vec<(&str, OutlineValue)> = fields.iter().map(|&(name, kind)| (name, link(Some(1), kind))).collect();
    Outline { objects: vec![with("Root", &[("first", owned(1))]), with("Node", &fields)] }
}

/// Returns a chain that branches at its end, whose first box refers to all boxes, and with wide boxes in between.
pub(super) fn skips() -> Outline {
    let weak = |to| link(Some(to), OutlineLink::Weak);
    let wide = OutlineValue::Plain("x".repeat(30));
    let middle = |next| with("Wide", &[("row", wide.clone()), ("next", owned(next))]);
    Outline {
        objects: vec![
            with("Top", &[("next", owned(1)), ("last", weak(3)), ("leaf", weak(4))]),
            middle(2),
            middle(3),
            with("Fork", &[("left", owned(4)), ("right", owned(5)), ("top", weak(0))]),
            with("Leaf", &[("next", weak(5))]),
            with("Leaf", &[("prev", weak(4)), ("top", weak(0))]),
        ],
    }
}

/// Returns a graph of `count` nodes, each with two raw pointers to any of them or to none.
pub(super) fn random_graph(seed: u64, count: usize) -> Outline {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut any = || link(Some(random.random_range(0..=count)).filter(|&at| at > 0), OutlineLink::Raw);
    let mut objects = vec![with("Graph", &[("start", link(Some(1), OutlineLink::Raw))])];
    objects.extend((0..count).map(|_| with("Node", &[("left", any()), ("right", any())])));
    // An outline has only objects that are reached.
    for at in 2..=count {
        let from = random.random_range(1..at);
        objects[from].fields.push((format!("to{at}"), owned(at)));
    }
    Outline { objects }
}
