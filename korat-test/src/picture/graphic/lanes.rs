//! Bundles the edges between a box and its parent in the tree. They run side by side, each in a lane that is as wide as
//! its label, so that neither the edges nor the labels of a bundle meet; the layout reserves the room.

use super::layout::{CHAR, Growth, LABEL_AT, Layout, label_width};
use super::scene::{Hanging, Scene};
use super::shapes::{Curve, Path, Point, Rect, blend};

/// Space between lanes that run down, for the slant of their edges.
const SLANT: f64 = 10.0;
/// Distance between the two middle lanes that run to the right, whose labels are above and below them.
const INNER: f64 = 14.0;
/// Distance between other lanes that run to the right: a label lies between them.
const OUTER: f64 = 26.0;
/// Distance of a label from the edge that runs to the right.
const ABOVE: f64 = 10.0;
/// Maximum distance between the ends of lanes at a parent.
const PORT: f64 = 14.0;
/// Space between the corner of a box and the end of a lane.
const CORNER: f64 = 8.0;

/// Returns the bundle of each box: its tree edge first, then the other edges between it and its parent.
pub(super) fn bundles(scene: &Scene) -> Vec<Vec<usize>> {
    let mut bundles: Vec<Vec<usize>> = scene.hangs_on.iter().map(|edge| edge.iter().copied().collect()).collect();
    let parent = |node: usize| scene.hangs_on[node].map(|edge| scene.edges[edge].from);
    for edge in scene.beside() {
        let (from, to) = (scene.edges[edge].from, scene.edges[edge].to);
        if parent(to) == Some(from) {
            bundles[to].push(edge);
        } else if parent(from) == Some(to) {
            bundles[from].push(edge);
        }
    }
    bundles
}

/// Returns the width of a bundle that runs down, given the widths of its labels.
pub(super) fn breadth(labels: &[f64]) -> f64 {
    labels.iter().map(|label| label + CHAR).sum::<f64>() + SLANT * labels.len().saturating_sub(1) as f64
}

/// Returns the position of each lane across the direction of growth, relative to the middle of the bundle.
pub(super) fn offsets(labels: &[f64], growth: Growth) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(labels.len());
    match growth {
        Growth::Down => {
            let mut begin = -breadth(labels) / 2.0;
            for label in labels {
                offsets.push(begin + (label + CHAR) / 2.0);
                begin += label + CHAR + SLANT;
            }
        }
        Growth::Right => {
            let mut at = 0.0;
            for lane in 0..labels.len() {
                offsets.push(at);
                let is_inner = is_upper(lane, labels.len()) != is_upper(lane + 1, labels.len());
                at += if is_inner { INNER } else { OUTER };
            }
            let middle = offsets.iter().sum::<f64>() / labels.len().max(1) as f64;
            offsets.iter_mut().for_each(|offset| *offset -= middle);
        }
    }
    offsets
}

/// Returns whether the label of a lane that runs to the right is above its edge.
fn is_upper(lane: usize, lanes: usize) -> bool {
    2 * lane < lanes
}

/// The edge of one lane, from the parent to the child, and the position of its label.
pub(super) struct Lane {
    pub(super) path: Path,
    pub(super) label: Point,
}

/// Returns the lanes of all children of a box, in order.
pub(super) fn lanes(scene: &Scene, layout: &Layout, parent: usize, below: &[Hanging]) -> Vec<Vec<Lane>> {
    let labels: Vec<Vec<f64>> = below.iter().map(|child| labels(scene, layout, child)).collect();
    let count: usize = labels.iter().map(Vec::len).sum();
    let from = &layout.nodes[parent];
    let pitch = if count == below.len() { 0.0 } else { PORT.min(2.0 * (from.w - CORNER) / (count - 1) as f64) };
    let mut port = -pitch * (count as f64 - 1.0) / 2.0;
    let mut all = Vec::with_capacity(below.len());
    for (child, labels) in below.iter().zip(&labels) {
        let to = match *child {
            Hanging::Edge(edge) => &layout.nodes[scene.edges[edge].to],
            Hanging::Stub(stub) => &layout.stubs[stub],
        };
        let offsets = offsets(labels, layout.growth);
        let most = offsets.iter().fold(0.0_f64, |most, offset| most.max(offset.abs()));
        let squeeze = if most > to.w - CORNER { (to.w - CORNER).max(0.0) / most.max(1.0) } else { 1.0 };
        let lane = |(lane, &offset): (usize, &f64)| match layout.growth {
            Growth::Down => {
                let ends = (port + pitch * lane as f64, offset * squeeze);
                down(from, layout.floors[parent], to, ends, offset)
            }
            Growth::Right => right(from, to, offset, is_upper(lane, labels.len())),
        };
        all.push(offsets.iter().enumerate().map(lane).collect());
        port += pitch * labels.len() as f64;
    }
    all
}

/// Returns the widths of the labels between a box and a child.
fn labels(scene: &Scene, layout: &Layout, child: &Hanging) -> Vec<f64> {
    match *child {
        Hanging::Edge(edge) => {
            let bundle = &layout.bundles[scene.edges[edge].to];
            bundle.iter().map(|&edge| label_width(&scene.edges[edge].label)).collect()
        }
        Hanging::Stub(stub) => vec![label_width(&scene.stubs[stub].label)],
    }
}

/// Returns a lane that leaves the lower side of one box and enters the upper side of another at the ports `ends`, relative
/// to the centers, and passes `offset` beside the straight line where the label is. It runs straight down to `floor`, where
/// the level of the upper box ends: its neighbors may be higher.
fn down(from: &Rect, floor: f64, to: &Rect, ends: (f64, f64), offset: f64) -> Lane {
    let (top, bottom) = ((from.x, floor), (to.x, to.y - to.h));
    let (x, y) = blend(top, bottom, LABEL_AT);
    let label = (x + offset, y);
    let (begin, end) = ((top.0 + ends.0, top.1), (bottom.0 + ends.1, bottom.1));
    // Solve the equation of a quadratic curve that passes the label.
    let (first, last) = ((1.0 - LABEL_AT).powi(2), LABEL_AT.powi(2));
    let towards = (label.0 - first * begin.0 - last * end.0) / (1.0 - first - last);
    let curve = Curve { from: begin, towards: (towards, (begin.1 + end.1) / 2.0), to: end };
    let side = from.y + from.h;
    let stem = (floor > side).then(|| Curve::line((begin.0, side), begin));
    Lane { path: Path(stem.into_iter().chain([curve]).collect()), label }
}

/// Returns a lane from the right side of one box to the left side of another, with its label above or below it.
fn right(from: &Rect, to: &Rect, offset: f64, is_upper: bool) -> Lane {
    let (begin, end) = ((from.x + from.w, from.y + offset), (to.x - to.w, to.y + offset));
    let (x, y) = blend(begin, end, 0.5);
    let label = (x, if is_upper { y - ABOVE } else { y + ABOVE });
    Lane { path: Path(vec![Curve::line(begin, end)]), label }
}
