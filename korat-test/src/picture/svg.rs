//! Draws a scene as an SVG element. Equal values always give equal text.

use korat_core::Outline;

use super::curve::{Curve, Point, around};
use super::layout::{Growth, LABEL_AT, LINE, Layout, PADDING, RING, Rect, STUB, label_width, layout, row_text};
use super::scene::{Scene, Stroke};
use super::{drawable, put};

/// Colors and strokes of pictures, for light and dark mode.
pub(super) const STYLE: &str = include_str!("picture.css");

/// Assigns colors to classes in the order of their first use. A page shares one palette, so that a class keeps its color.
#[derive(Default)]
pub(super) struct Palette(Vec<String>);

impl Palette {
    const COLOURS: usize = 6;

    /// Returns the index of the color of a class. All variants of an enum share a color, and so do all elements of a vector.
    fn colour(&mut self, title: &str) -> usize {
        let class = title.split("::").next().unwrap_or(title);
        let class = class.split('[').next().unwrap_or(class);
        let known = self.0.iter().position(|known| known == class);
        known.unwrap_or_else(|| {
            self.0.push(class.to_string());
            self.0.len() - 1
        }) % Self::COLOURS
    }
}

/// Draws the value as a stand-alone picture.
pub(crate) fn svg(outline: &Outline) -> String {
    let scene = Scene::new(outline);
    let growth = if scene.is_chain() && scene.nodes.len() > 2 { Growth::Right } else { Growth::Down };
    element(&scene, growth, &mut Palette::default(), Some(STYLE))
}

/// Returns the SVG element of a scene, with an embedded style if `style` is given.
pub(super) fn element(scene: &Scene, growth: Growth, palette: &mut Palette, style: Option<&str>) -> String {
    let layout = layout(scene, growth);
    let mut drawing =
        SvgDrawing { bounds: Bounds::new(), edges: String::new(), labels: String::new(), taken: Vec::new() };
    drawing.tree(scene, &layout);
    drawing.beside(scene, &layout);
    let mut boxes = String::new();
    for (node, rect) in scene.nodes.iter().zip(&layout.nodes) {
        drawing.bounds.add(rect);
        draw_box(&mut boxes, node, rect, palette);
    }
    let Bounds { left, top, right, bottom } = drawing.bounds;
    let (left, top, width, height) = (left - 10.0, top - 10.0, right - left + 20.0, bottom - top + 20.0);
    let style = style.map_or(String::new(), |style| format!("<style>\n{style}</style>\n"));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"korat-picture\" role=\"img\" aria-label=\"{}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"{} {} {width:.0} {height:.0}\">\n{style}{}{boxes}{}</svg>\n",
        escape(&format!("{} with {} boxes", scene.nodes[0].title, scene.nodes.len())),
        number(left),
        number(top),
        drawing.edges,
        drawing.labels,
    )
}

/// Bounding box of a picture.
struct Bounds {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Bounds {
    fn new() -> Self {
        Bounds { left: f64::MAX, top: f64::MAX, right: f64::MIN, bottom: f64::MIN }
    }

    fn add(&mut self, rect: &Rect) {
        self.left = self.left.min(rect.x - rect.w);
        self.right = self.right.max(rect.x + rect.w);
        self.top = self.top.min(rect.y - rect.h);
        self.bottom = self.bottom.max(rect.y + rect.h);
    }

    fn add_point(&mut self, (x, y): Point) {
        self.add(&Rect { x, y, w: 2.0, h: 2.0 });
    }
}

struct SvgDrawing {
    bounds: Bounds,
    edges: String,
    labels: String,
    /// Positions of the labels.
    taken: Vec<Point>,
}

impl SvgDrawing {
    /// Draws the tree edges and the nulls.
    fn tree(&mut self, scene: &Scene, layout: &Layout) {
        for &edge in scene.hangs_on.iter().flatten() {
            let edge = &scene.edges[edge];
            let line = hanging_line(layout.growth, &layout.nodes[edge.from], &layout.nodes[edge.to]);
            self.edge(&line, edge.stroke);
            self.tree_label(&line, &edge.label, layout.growth);
        }
        for (stub, rect) in scene.stubs.iter().zip(&layout.stubs) {
            let line = hanging_line(layout.growth, &layout.nodes[stub.from], rect);
            let (x, y, r) = (number(rect.x), number(rect.y), number(STUB));
            put(
                &mut self.edges,
                format_args!(
                    "<g class=\"edge\"><path d=\"{}\"/><circle class=\"null\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/></g>\n",
                    path(&line)
                ),
            );
            self.tree_label(&line, &stub.label, layout.growth);
            self.bounds.add(rect);
        }
    }

    /// Draws the other edges.
    fn beside(&mut self, scene: &Scene, layout: &Layout) {
        for edge in scene.beside() {
            if edge.from == edge.to {
                self.ring(&layout.nodes[edge.from], edge.stroke, &edge.label);
                continue;
            }
            let curve = around(&layout.nodes, edge.from, edge.to, label_width(&edge.label), &self.taken);
            self.edge(&curve, edge.stroke);
            self.label(beside(&curve), &edge.label);
            (1..20).for_each(|step| self.bounds.add_point(curve.at(f64::from(step) / 20.0)));
        }
    }

    fn edge(&mut self, curve: &Curve, stroke: Stroke) {
        let word = stroke.word();
        let tip = tip(curve);
        put(
            &mut self.edges,
            format_args!(
                "<g class=\"edge {word}\"><path d=\"{}\"/><path class=\"tip\" d=\"{tip}\"/></g>\n",
                path(curve)
            ),
        );
    }

    /// Draws a self-loop.
    fn ring(&mut self, rect: &Rect, stroke: Stroke, label: &str) {
        let (x, y) = (rect.x + rect.w, rect.y);
        let (from, to) = ((x, y - 8.0), (x + 1.0, y + 8.0));
        let tip = tip(&Curve { from, towards: (x + 16.0, y + 10.0), to });
        put(
            &mut self.edges,
            format_args!(
                "<g class=\"edge {}\"><path d=\"M{} {} C{} {} {} {} {} {}\"/><path class=\"tip\" d=\"{tip}\"/></g>\n",
                stroke.word(),
                number(from.0),
                number(from.1),
                number(x + RING + 4.0),
                number(y - 18.0),
                number(x + RING + 4.0),
                number(y + 18.0),
                number(to.0),
                number(to.1)
            ),
        );
        self.label((x + RING + label_width(label) / 2.0, y), label);
    }

    fn tree_label(&mut self, line: &Curve, label: &str, growth: Growth) {
        let (x, y) = match growth {
            Growth::Down => line.at(LABEL_AT),
            Growth::Right => (line.at(0.5).0, line.at(0.5).1 - 10.0),
        };
        self.label((x, y), label);
    }

    fn label(&mut self, (x, y): Point, label: &str) {
        if label.is_empty() {
            return;
        }
        let (at, down) = (number(x), number(y + 4.0));
        put(
            &mut self.labels,
            format_args!(
                "<text class=\"label\" x=\"{at}\" y=\"{down}\" text-anchor=\"middle\">{}</text>\n",
                escape(label)
            ),
        );
        self.taken.push((x, y));
        self.bounds.add(&Rect { x, y, w: label_width(label) / 2.0, h: 8.0 });
    }
}

/// Draws a box with its title and rows.
fn draw_box(boxes: &mut String, node: &super::scene::Node, rect: &Rect, palette: &mut Palette) {
    let (left, top) = (rect.x - rect.w, rect.y - rect.h);
    let (x, y, width, height) = (number(left), number(top), number(2.0 * rect.w), number(2.0 * rect.h));
    let head = if node.rows.is_empty() { 2.0 * rect.h } else { LINE + 5.0 };
    let colour = palette.colour(&node.title);
    put(
        boxes,
        format_args!(
            "<g class=\"box c{colour}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
             <rect class=\"head\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" rx=\"5\"/>\
             <rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\n",
            number(head)
        ),
    );
    let (text, first) = (number(left + PADDING), top + 15.5);
    put(
        boxes,
        format_args!("<text class=\"title\" x=\"{text}\" y=\"{}\">{}</text>\n", number(first), escape(&node.title)),
    );
    if let Some(place) = &node.place {
        let end = number(rect.x + rect.w - PADDING);
        put(
            boxes,
            format_args!(
                "<text class=\"dim\" x=\"{end}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                number(first),
                escape(place)
            ),
        );
    }
    for (line, (name, value)) in node.rows.iter().enumerate() {
        let shown = row_text(name, value);
        let whole = if name.is_empty() { value.clone() } else { format!("{name}: {value}") };
        let hint = if shown == whole { String::new() } else { format!("<title>{}</title>", escape(&whole)) };
        let y = number(first + 8.0 + LINE * (line + 1) as f64);
        put(boxes, format_args!("<text x=\"{text}\" y=\"{y}\">{}{hint}</text>\n", escape(&shown)));
    }
    boxes.push_str("</g>\n");
}

/// Returns the position of the label of a curve: on it, or above or below it if the curve is flat.
fn beside(curve: &Curve) -> Point {
    let ((x, y), (dx, dy)) = (curve.at(0.5), (curve.to.0 - curve.from.0, curve.to.1 - curve.from.1));
    if dx.abs() < 3.0 * dy.abs() {
        return (x, y);
    }
    (x, if y < (curve.from.1 + curve.to.1) / 2.0 { y - 8.0 } else { y + 8.0 })
}

/// Returns the line of a tree edge to a box or a null.
fn hanging_line(growth: Growth, from: &Rect, to: &Rect) -> Curve {
    match growth {
        Growth::Down => Curve::line((from.x, from.y + from.h), (to.x, to.y - to.h)),
        Growth::Right => Curve::line((from.x + from.w, from.y), (to.x - to.w, to.y)),
    }
}

fn path(curve: &Curve) -> String {
    let [from, towards, to] =
        [curve.from, curve.towards, curve.to].map(|(x, y)| format!("{} {}", number(x), number(y)));
    format!("M{from} Q{towards} {to}")
}

/// Returns the arrowhead at the end of a curve.
fn tip(curve: &Curve) -> String {
    let (dx, dy) = (curve.to.0 - curve.towards.0, curve.to.1 - curve.towards.1);
    let far = dx.hypot(dy).max(0.01);
    let (dx, dy) = (dx / far, dy / far);
    let (x, y) = curve.to;
    let side = |out: f64| format!("{} {}", number(x - 8.0 * dx + out * dy), number(y - 8.0 * dy - out * dx));
    format!("M{} {} L{} L{} Z", number(x), number(y), side(3.5), side(-3.5))
}

/// Formats a number with at most one decimal, deterministically.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round();
    if tenths == 0.0 {
        return "0".to_string();
    }
    let text = format!("{:.1}", tenths / 10.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// Escapes text for SVG and HTML, inside elements and attributes.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars().map(drawable) {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}
