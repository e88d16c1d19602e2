//! Computes how each edge and null of a scene is drawn: its curve and the rectangle of its label. Takes the rectangles of
//! the layout, which it never moves.

use super::detour::Taken;
use super::lanes::lanes;
use super::layout::{LOOP_PITCH, Layout, RING, label_width};
use super::scene::{Hanging, Scene};
use super::shapes::{Curve, Path, Point, Rect};

/// Half the height of a label.
const LABEL: f64 = 7.0;
/// Half the distance between the ends of a self-loop.
const LOOP: f64 = 6.0;
/// Half the height of a self-loop at its widest.
const BULGE: f64 = 10.0;

/// An edge, or the line to a null.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) path: Path,
    /// `None` if the label is empty.
    pub(super) label: Option<Rect>,
}

/// The routes of a scene.
pub(super) struct Routes {
    /// One for each edge; `None` for those that are not drawn.
    pub(super) edges: Vec<Option<Route>>,
    pub(super) stubs: Vec<Route>,
}

/// Returns the routes of all edges: first those that have their place in the layout, then the others around them.
pub(super) fn routes(scene: &Scene, layout: &Layout) -> Routes {
    let mut edges: Vec<Option<Route>> = vec![None; scene.edges.len()];
    let mut stubs: Vec<Option<Route>> = vec![None; scene.stubs.len()];
    let mut taken = Taken::new(&layout.nodes, &layout.stubs);
    let add = |taken: &mut Taken<'_>, path: Path, label: Point, text: &str| {
        let label = (!text.is_empty()).then(|| label_rect(label, text));
        taken.add(&path, label);
        Some(Route { path, label })
    };
    for (parent, below) in scene.hanging().iter().enumerate() {
        for (child, lanes) in below.iter().zip(lanes(scene, layout, parent, below)) {
            match *child {
                Hanging::Edge(tree_edge) => {
                    let bundle = &layout.bundles[scene.edges[tree_edge].to];
                    for (&at, lane) in bundle.iter().zip(lanes) {
                        let edge = &scene.edges[at];
                        let path = if edge.from == parent { lane.path } else { lane.path.reversed() };
                        edges[at] = add(&mut taken, path, lane.label, &edge.label);
                    }
                }
                Hanging::Stub(stub) => {
                    for lane in lanes {
                        stubs[stub] = add(&mut taken, lane.path, lane.label, &scene.stubs[stub].label);
                    }
                }
            }
        }
    }
    for (node, own) in scene.loops().iter().enumerate() {
        for (place, &at) in own.iter().enumerate() {
            let text = &scene.edges[at].label;
            let (path, label) = self_loop(&layout.nodes[node], place, own.len(), text);
            edges[at] = add(&mut taken, path, label, text);
        }
    }
    for at in scene.beside() {
        let edge = &scene.edges[at];
        if edges[at].is_none() {
            let size = (!edge.label.is_empty()).then(|| (label_width(&edge.label) / 2.0, LABEL));
            let (curve, label) = taken.around(edge.from, edge.to, size);
            edges[at] = add(&mut taken, Path(vec![curve]), label, &edge.label);
        }
    }
    let drawn = |stub: Option<Route>| stub.expect("[korat internal bug] a null hangs on its box");
    Routes { edges, stubs: stubs.into_iter().map(drawn).collect() }
}

/// Returns a self-loop at the right side of a box, the one at `place` of `count`, and the position of its label.
fn self_loop(rect: &Rect, place: usize, count: usize, label: &str) -> (Path, Point) {
    let (x, y) = (rect.x + rect.w, rect.y + LOOP_PITCH * (place as f64 - (count as f64 - 1.0) / 2.0));
    let far = (x + RING, y);
    let there = Curve { from: (x, y - LOOP), towards: (far.0, y - BULGE), to: far };
    let back = Curve { from: far, towards: (far.0, y + BULGE), to: (x + 1.0, y + LOOP) };
    (Path(vec![there, back]), (far.0 + 4.0 + label_width(label) / 2.0, y))
}

fn label_rect((x, y): Point, text: &str) -> Rect {
    Rect { x, y, w: label_width(text) / 2.0, h: LABEL }
}
