//! Draws a value as text: a tree of objects, in which shared objects have numbers.

use korat_core::{Outline, OutlineLink, OutlineValue};

use super::fields;
use super::tree::{TreeEdge, span};
use super::{drawable, put};

/// Maximum depth; deeper subtrees are drawn below, starting at the left margin, so that a list of a thousand nodes
/// stays readable.
const DEEPEST: usize = 20;

/// Draws the value as lines of text.
///
/// ```text
/// List { len: 2 }
/// |- head: Node#1 { elem: 0 }
/// |  `- next: Node#2 { elem: 1 }
/// |     `- prev: ~> Node#1 (weak)
/// `- tail: ~> Node#2 (weak)
/// ```
pub(crate) fn text(outline: &Outline) -> String {
    let mut links = Vec::new();
    let mut edges = Vec::new();
    let mut leaving = vec![Vec::new(); outline.objects.len()];
    for (from, object) in outline.objects.iter().enumerate() {
        for (field, value) in &object.fields {
            if let OutlineValue::Object { to, link } = value {
                leaving[from].push(edges.len());
                edges.push(TreeEdge { from, to: *to, rank: Some(rank(*link)) });
                links.push((field.as_str(), *link));
            }
        }
    }
    let mut mentions = vec![0; outline.objects.len()];
    edges.iter().for_each(|edge| mentions[edge.to] += 1);
    mentions[0] += 1;
    let hangs_on = span(outline.objects.len(), &edges);
    let drawing =
        TextDrawing { outline, edges, links, leaving, numbered: mentions.iter().map(|&n| n > 1).collect(), hangs_on };
    drawing.lines()
}

/// Ranks owning references first, so that an object is drawn below its owner if it has one.
fn rank(link: OutlineLink) -> u8 {
    match link {
        OutlineLink::Part | OutlineLink::Owned | OutlineLink::Shared => 0,
        OutlineLink::Raw => 1,
        OutlineLink::Weak => 2,
    }
}

struct TextDrawing<'o> {
    outline: &'o Outline,
    edges: Vec<TreeEdge>,
    /// The field and the kind of each edge.
    links: Vec<(&'o str, OutlineLink)>,
    leaving: Vec<Vec<usize>>,
    /// Which objects are mentioned more than once, and so have a number.
    numbered: Vec<bool>,
    hangs_on: Vec<Option<usize>>,
}

/// An edge still to be drawn: the prefix of its line, and the prefix of the lines below it.
struct Pending {
    edge: usize,
    first: String,
    rest: String,
    depth: usize,
}

impl TextDrawing<'_> {
    fn lines(mut self) -> String {
        let mut text = String::new();
        let mut stack: Vec<Pending> = Vec::new();
        let mut begun = vec![0];
        let mut next = 0;
        while let Some(&object) = begun.get(next) {
            next += 1;
            self.object(object, &mut text);
            self.push_below(object, "", 1, &mut stack);
            while let Some(Pending { edge, first, rest, depth }) = stack.pop() {
                let (to, (field, link)) = (self.edges[edge].to, self.links[edge]);
                put(&mut text, format_args!("{first}{}: ", one_line(field)));
                if self.hangs_on[to] != Some(edge) {
                    let name = self.name(to);
                    match link {
                        OutlineLink::Weak => put(&mut text, format_args!("~> {name} (weak)\n")),
                        OutlineLink::Raw => put(&mut text, format_args!("*> {name} (raw)\n")),
                        OutlineLink::Part | OutlineLink::Owned | OutlineLink::Shared => {
                            put(&mut text, format_args!("-> {name}\n"));
                        }
                    }
                } else if depth > DEEPEST && !self.leaving[to].is_empty() {
                    self.numbered[to] = true;
                    begun.push(to);
                    put(&mut text, format_args!("{} (see below)\n", self.name(to)));
                } else {
                    match link {
                        OutlineLink::Weak => text.push('~'),
                        OutlineLink::Raw => text.push('*'),
                        OutlineLink::Part | OutlineLink::Owned | OutlineLink::Shared => {}
                    }
                    self.object(to, &mut text);
                    self.push_below(to, &rest, depth + 1, &mut stack);
                }
            }
        }
        text
    }

    /// Writes the line of an object.
    fn object(&self, at: usize, text: &mut String) {
        let plain = fields::plain(&self.outline.objects[at].fields);
        let plain: Vec<String> =
            plain.into_iter().map(|(field, shown)| one_line(&format!("{field}: {shown}"))).collect();
        let plain = if plain.is_empty() { String::new() } else { format!(" {{ {} }}", plain.join(", ")) };
        put(text, format_args!("{}{plain}\n", self.name(at)));
    }

    /// Pushes the edges of an object, the first one on top.
    fn push_below(&self, object: usize, rest: &str, depth: usize, stack: &mut Vec<Pending>) {
        for (place, &edge) in self.leaving[object].iter().enumerate().rev() {
            let last = place + 1 == self.leaving[object].len();
            let (corner, below) = if last { ("`- ", "   ") } else { ("|- ", "|  ") };
            stack.push(Pending { edge, first: format!("{rest}{corner}"), rest: format!("{rest}{below}"), depth });
        }
    }

    fn name(&self, at: usize) -> String {
        let class = &self.outline.objects[at].class;
        if self.numbered[at] { format!("{class}#{at}") } else { class.clone() }
    }
}

/// Replaces characters that would break the lines of the drawing or confuse the terminal.
fn one_line(text: &str) -> String {
    text.chars().map(drawable).collect()
}
