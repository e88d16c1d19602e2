//! Draws a scene as an SVG element. Equal values always give equal text.

use korat_core::Outline;

use super::layout::{Growth, LINE, PADDING, STUB, layout, row_text};
use super::places::Places;
use super::routes::{Route, routes};
use super::scene::Scene;
use super::shapes::{Curve, Path, Point, Rect};
use crate::picture::{drawable, put};

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
    element(&scene, growth(&scene), &mut Palette::default(), Some(STYLE))
}

/// Returns the direction in which a stand-alone picture grows.
pub(super) fn growth(scene: &Scene) -> Growth {
    if scene.is_chain() && scene.nodes.len() > 2 { Growth::Right } else { Growth::Down }
}

/// Returns the SVG element of a scene, with an embedded style if `style` is given.
pub(super) fn element(scene: &Scene, growth: Growth, palette: &mut Palette, style: Option<&str>) -> String {
    placed(scene, growth, palette, style, &Places::none())
}

/// Returns the SVG element of a scene whose parts say what place they have in the value.
pub(super) fn placed(
    scene: &Scene,
    growth: Growth,
    palette: &mut Palette,
    style: Option<&str>,
    places: &Places,
) -> String {
    let layout = layout(scene, growth);
    let routes = routes(scene, &layout);
    let mut drawing = SvgDrawing { bounds: Bounds::new(), edges: String::new(), labels: String::new() };
    for (edge, route) in scene.drawn().filter_map(|at| Some((&scene.edges[at], routes.edges[at].as_ref()?))) {
        drawing.edge(route, edge.stroke.word(), &edge.label, &places.of_edge(edge));
    }
    for ((stub, route), rect) in scene.stubs.iter().zip(&routes.stubs).zip(&layout.stubs) {
        drawing.stub(route, rect, &stub.label, &places.of_stub(stub));
    }
    let mut boxes = String::new();
    for (at, (node, rect)) in scene.nodes.iter().zip(&layout.nodes).enumerate() {
        drawing.bounds.add(rect);
        draw_box(&mut boxes, (at, node), rect, palette, places);
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
}

impl SvgDrawing {
    fn edge(&mut self, route: &Route, stroke: &str, label: &str, place: &str) {
        let (path, tip) = (path(&route.path), route.path.0.last().map_or(String::new(), tip));
        put(
            &mut self.edges,
            format_args!(
                "<g class=\"edge {stroke}\"{place}><path d=\"{path}\"/><path class=\"tip\" d=\"{tip}\"/></g>\n"
            ),
        );
        route.path.points(20).for_each(|point| self.bounds.add_point(point));
        self.label(route, label);
    }

    /// Draws a null and the line to it.
    fn stub(&mut self, route: &Route, rect: &Rect, label: &str, place: &str) {
        let (x, y, r, path) = (number(rect.x), number(rect.y), number(STUB), path(&route.path));
        put(
            &mut self.edges,
            format_args!(
                "<g class=\"edge\"{place}><path d=\"{path}\"/><circle class=\"null\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/></g>\n"
            ),
        );
        self.bounds.add(rect);
        self.label(route, label);
    }

    fn label(&mut self, route: &Route, label: &str) {
        let Some(rect) = &route.label else { return };
        let (x, y) = (number(rect.x), number(rect.y + 4.0));
        put(
            &mut self.labels,
            format_args!("<text class=\"label\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>\n", escape(label)),
        );
        self.bounds.add(rect);
    }
}

/// Draws a box with its title and rows.
fn draw_box(
    boxes: &mut String,
    (at, node): (usize, &super::scene::Node),
    rect: &Rect,
    palette: &mut Palette,
    places: &Places,
) {
    let (left, top) = (rect.x - rect.w, rect.y - rect.h);
    let (x, y, width, height) = (number(left), number(top), number(2.0 * rect.w), number(2.0 * rect.h));
    let head = if node.rows.is_empty() { 2.0 * rect.h } else { LINE + 5.0 };
    let colour = palette.colour(&node.title);
    put(
        boxes,
        format_args!(
            "<g class=\"box c{colour}\"{}><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
             <rect class=\"head\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" rx=\"5\"/>\
             <rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\n",
            places.of_box(at, node),
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
        let place = places.of_row(at, name, value);
        put(boxes, format_args!("<text x=\"{text}\" y=\"{y}\"{place}>{}{hint}</text>\n", escape(&shown)));
    }
    boxes.push_str("</g>\n");
}

fn path(path: &Path) -> String {
    let point = |(x, y): Point| format!("{} {}", number(x), number(y));
    let begin = path.0.first().map_or(String::new(), |first| format!("M{}", point(first.from)));
    path.0.iter().fold(begin, |text, curve| format!("{text} Q{} {}", point(curve.towards), point(curve.to)))
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
