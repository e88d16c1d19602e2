//! Converts an outline to boxes and edges, which the layout and DOT share. Elements of an arena that are not objects,
//! as in `Vec<Vec<usize>>`, become boxes too, since indices refer to them.

use korat_core::{Outline, OutlineElement, OutlineLink, OutlineValue};

use super::nulls;
use crate::picture::fields;
use crate::picture::tree::{TreeEdge, span};

/// Boxes, and the edges between them. Box 0 is the root.
pub(super) struct Scene {
    pub(super) nodes: Vec<Node>,
    /// Ordered by their source box, and then by field.
    pub(super) edges: Vec<Edge>,
    /// The tree edge to each box; `None` for the root.
    pub(super) hangs_on: Vec<Option<usize>>,
    /// The null references that are drawn.
    pub(super) stubs: Vec<Stub>,
}

/// One box.
pub(super) struct Node {
    /// Name of the class, or of the arena element.
    pub(super) title: String,
    /// Position in an arena, unless the title contains it.
    pub(super) place: Option<String>,
    /// The plain fields.
    pub(super) rows: Vec<(String, String)>,
}

/// One edge.
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The field, or all fields if several elements of lists and maps connect the same boxes.
    pub(super) label: String,
    pub(super) stroke: Stroke,
    /// Whether the edge only tells that an element belongs to its arena. It is drawn only if it is a tree edge.
    pub(super) is_membership: bool,
    /// Whether it comes from elements of lists and maps.
    is_listed: bool,
    /// Index of the field it comes from.
    field: usize,
}

/// How an edge is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Owned,
    Shared,
    Weak,
    Raw,
    Index,
}

impl Stroke {
    /// Returns the name of the stroke in CSS classes.
    pub(super) fn word(self) -> &'static str {
        match self {
            Stroke::Owned => "owned",
            Stroke::Shared => "shared",
            Stroke::Weak => "weak",
            Stroke::Raw => "raw",
            Stroke::Index => "index",
        }
    }
}

/// A null reference.
pub(super) struct Stub {
    pub(super) from: usize,
    pub(super) label: String,
    /// The stroke of an edge from the same field.
    pub(super) stroke: Stroke,
    field: usize,
}

/// A child of a box in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hanging {
    /// A box, by the index of its tree edge.
    Edge(usize),
    /// A null, by the index of its stub.
    Stub(usize),
}

/// An element of an arena that has a box without being an object.
struct Element<'o> {
    holder: usize,
    arena: &'o str,
    position: usize,
    /// `successors[2]`.
    name: String,
}

impl Scene {
    pub(super) fn new(outline: &Outline) -> Scene {
        let elements = bare_elements(outline);
        let mut scene = Scene { nodes: Vec::new(), edges: Vec::new(), hangs_on: Vec::new(), stubs: Vec::new() };
        for (at, object) in outline.objects.iter().enumerate() {
            let own: Vec<&Element<'_>> = elements.iter().filter(|element| element.holder == at).collect();
            let is_own = |name: &str| own.iter().any(|element| fields::inside(name, &element.name).is_some());
            let is_moved = |name: &str| is_own(name) || own.iter().any(|element| is_length(name, element.arena));
            let kept: Vec<(String, OutlineValue)> =
                object.fields.iter().filter(|(name, _)| !is_moved(name)).cloned().collect();
            scene.nodes.push(Node { title: object.class.clone(), place: None, rows: fields::plain(&kept) });
        }
        for element in &elements {
            let rows = fields::plain_inside(&outline.objects[element.holder].fields, &element.name);
            let named = |(name, text): (String, String)| (name.trim_start_matches('.').to_string(), text);
            let rows = rows.into_iter().map(named).collect();
            scene.nodes.push(Node { title: element.name.clone(), place: None, rows });
        }
        scene.connect(outline, &elements);
        scene.hang();
        scene
    }

    /// Returns the children of each box, in the order of the fields.
    pub(super) fn hanging(&self) -> Vec<Vec<Hanging>> {
        let mut hanging = vec![Vec::new(); self.nodes.len()];
        for edge in self.hangs_on.iter().flatten() {
            hanging[self.edges[*edge].from].push((self.edges[*edge].field, *edge, Hanging::Edge(*edge)));
        }
        for (number, stub) in self.stubs.iter().enumerate() {
            hanging[stub.from].push((stub.field, number, Hanging::Stub(number)));
        }
        let sorted = |mut below: Vec<(usize, usize, Hanging)>| {
            below.sort_by_key(|&(field, number, _)| (field, number));
            below.into_iter().map(|(_, _, hanging)| hanging).collect()
        };
        hanging.into_iter().map(sorted).collect()
    }

    /// Returns the edges that are not tree edges, without those that only tell what belongs to an arena.
    pub(super) fn beside(&self) -> impl Iterator<Item = usize> {
        let all = self.edges.iter().enumerate();
        all.filter(|(at, edge)| !edge.is_membership && self.hangs_on[edge.to] != Some(*at)).map(|(at, _)| at)
    }

    /// Returns the edges that are drawn, tree edges first.
    pub(super) fn drawn(&self) -> impl Iterator<Item = usize> {
        self.hangs_on.iter().flatten().copied().chain(self.beside())
    }

    /// Returns the self-loops of each box.
    pub(super) fn loops(&self) -> Vec<Vec<usize>> {
        let mut loops = vec![Vec::new(); self.nodes.len()];
        for at in self.beside().filter(|&at| self.edges[at].from == self.edges[at].to) {
            loops[self.edges[at].from].push(at);
        }
        loops
    }

    /// Returns whether the boxes form a chain, in which each is the only child of the previous one, without self-loops.
    pub(super) fn is_chain(&self) -> bool {
        self.hanging().iter().all(|below| below.len() <= 1) && self.edges.iter().all(|edge| edge.from != edge.to)
    }

    /// Creates the edges, and a stub for every null.
    fn connect(&mut self, outline: &Outline, elements: &[Element<'_>]) {
        let objects = outline.objects.len();
        for (at, object) in outline.objects.iter().enumerate() {
            for (field, (name, value)) in object.fields.iter().enumerate() {
                let inside = (elements.iter().enumerate())
                    .filter(|(_, element)| element.holder == at)
                    .find_map(|(number, element)| Some((objects + number, fields::inside(name, &element.name)?)));
                let (from, label) = inside.unwrap_or((at, name));
                let label = label.trim_start_matches('.').to_string();
                let is_listed = label.contains('[');
                match value {
                    OutlineValue::Plain(_) => {}
                    OutlineValue::Null(link) => self.stubs.push(Stub { from, label, stroke: stroke(*link), field }),
                    OutlineValue::Object { to, link } => {
                        let is_membership = is_element(&object.arenas, name);
                        let mut label = label;
                        if is_membership {
                            // The box shows its position itself, wherever it is in the tree.
                            self.nodes[*to].place = Some(std::mem::take(&mut label));
                        }
                        self.join(Edge {
                            from,
                            to: *to,
                            label,
                            stroke: stroke(*link),
                            is_membership,
                            is_listed,
                            field,
                        });
                    }
                    // The row of a list shows its elements.
                    OutlineValue::Index { element: None, .. } if is_listed => {}
                    OutlineValue::Index { element: None, .. } => {
                        self.stubs.push(Stub { from, label, stroke: Stroke::Index, field });
                    }
                    OutlineValue::Index { element: Some(element), .. } => {
                        if let Some(to) = named_by(outline, elements, element) {
                            self.join(Edge {
                                from,
                                to,
                                label,
                                stroke: Stroke::Index,
                                is_membership: false,
                                is_listed,
                                field,
                            });
                        }
                    }
                }
            }
        }
        for (number, element) in elements.iter().enumerate() {
            let (holder, to) = (element.holder, objects + number);
            let is_length = |(name, _): &(String, OutlineValue)| is_length(name, element.arena);
            let field = outline.objects[holder].fields.iter().position(is_length).unwrap_or(0);
            let label = String::new();
            self.join(Edge {
                from: holder,
                to,
                label,
                stroke: Stroke::Owned,
                is_membership: true,
                is_listed: true,
                field,
            });
        }
    }

    /// Adds an edge. The edge of an element joins that of another element of the same kind between the same boxes.
    fn join(&mut self, edge: Edge) {
        let is_same = |other: &&mut Edge| {
            (other.from, other.to, other.stroke, other.is_membership, other.is_listed)
                == (edge.from, edge.to, edge.stroke, edge.is_membership, true)
        };
        // Edges of one box are adjacent, except for memberships of bare elements, which are unique.
        let begin = self.edges.iter().rposition(|other| other.from != edge.from).map_or(0, |at| at + 1);
        match self.edges[begin..].iter_mut().find(is_same) {
            Some(other) if edge.is_listed => other.label = format!("{}, {}", other.label, edge.label),
            Some(_) | None => self.edges.push(edge),
        }
    }

    /// Selects the tree edges, and the nulls that are drawn beside them. Owning references come first. In an arena,
    /// everything belongs to the vector, which carries no information; there an element is the child of an index that
    /// refers to it, preferably one in a field of its own and not in a list.
    fn hang(&mut self) {
        let mut named = vec![false; self.nodes.len()];
        for edge in self.edges.iter().filter(|edge| edge.stroke == Stroke::Index && edge.from != edge.to) {
            named[edge.to] = true;
        }
        let rank = |edge: &Edge| match edge.stroke {
            Stroke::Owned | Stroke::Shared if !edge.is_membership => 0,
            Stroke::Raw => 1,
            Stroke::Index if !edge.is_listed => 2,
            Stroke::Index => 3,
            // Elements that no index refers to come first, so that others can become their children.
            Stroke::Owned | Stroke::Shared if !named[edge.to] => 4,
            Stroke::Owned | Stroke::Shared => 5,
            Stroke::Weak => 6,
        };
        let tree_edge = |edge: &Edge| TreeEdge { from: edge.from, to: edge.to, rank: Some(rank(edge)) };
        self.hangs_on = span(self.nodes.len(), &self.edges.iter().map(tree_edge).collect::<Vec<_>>());
        let mut is_drawn = nulls::drawn(self).into_iter();
        self.stubs.retain(|_| is_drawn.next().unwrap_or(false));
    }
}

fn stroke(link: OutlineLink) -> Stroke {
    match link {
        OutlineLink::Part | OutlineLink::Owned => Stroke::Owned,
        OutlineLink::Shared => Stroke::Shared,
        OutlineLink::Weak => Stroke::Weak,
        OutlineLink::Raw => Stroke::Raw,
    }
}

/// Returns the elements of arenas that are not objects.
fn bare_elements(outline: &Outline) -> Vec<Element<'_>> {
    let mut elements = Vec::new();
    for (holder, object) in outline.objects.iter().enumerate() {
        for arena in &object.arenas {
            let len = object.fields.iter().find_map(|(name, value)| match value {
                OutlineValue::Plain(len) if is_length(name, arena) => len.parse::<usize>().ok(),
                _ => None,
            });
            for position in 0..len.unwrap_or(0) {
                let name = format!("{arena}[{position}]");
                if reference(outline, holder, &name).is_none() {
                    elements.push(Element { holder, arena, position, name });
                }
            }
        }
    }
    elements
}

/// Returns whether the field is the length of the vector.
fn is_length(name: &str, vector: &str) -> bool {
    name.strip_suffix(".len()") == Some(vector)
}

/// Returns whether the field is an element of one of the arenas.
fn is_element(arenas: &[String], name: &str) -> bool {
    let position = |arena: &String| name.strip_prefix(arena.as_str())?.strip_prefix('[')?.strip_suffix(']');
    arenas.iter().filter_map(position).any(|position| position.parse::<usize>().is_ok())
}

/// Returns the target of the reference with this name: `None` if there is no such reference, `Some(None)` if it is null.
fn reference(outline: &Outline, holder: usize, name: &str) -> Option<Option<usize>> {
    match outline.objects[holder].fields.iter().find(|(field, _)| field == name)?.1 {
        OutlineValue::Object { to, .. } => Some(Some(to)),
        OutlineValue::Null(_) => Some(None),
        OutlineValue::Plain(_) | OutlineValue::Index { .. } => None,
    }
}

/// Returns the box of an arena element.
fn named_by(outline: &Outline, elements: &[Element<'_>], named: &OutlineElement) -> Option<usize> {
    let OutlineElement { holder, arena, position } = named;
    let bare = (elements.iter())
        .position(|element| (element.holder, element.arena, element.position) == (*holder, arena, *position));
    match bare {
        Some(number) => Some(outline.objects.len() + number),
        None => reference(outline, *holder, &format!("{arena}[{position}]")).flatten(),
    }
}
