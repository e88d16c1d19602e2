//! Routes an edge around boxes, labels and other edges: tries curves of different bends and positions of the label, and
//! takes the one that meets the least.

use super::shapes::{Curve, Path, Point, Rect, blend};

/// Maximum number of boxes for which curves try to avoid them; with more, there would be too many to check.
const MOST_BOXES: usize = 300;
/// Maximum number of edges for which others try not to run along them. With more, the picture is dense anyway, and the
/// time for all pairs would be noticed.
const MOST_EDGES: usize = 100;
/// Bends in the order in which they are tried, relative to the distance; negative ones bend to the other side.
const BENDS: [f64; 12] = [0.18, -0.18, 0.35, -0.35, 0.6, -0.6, 0.9, -0.9, 1.3, -1.3, 1.8, -1.8];
/// Positions of a label on its curve, in the order in which they are tried.
const LABELS_AT: [f64; 9] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
/// Number of points at which curves are compared with boxes and with each other.
const POINTS: u32 = 60;
/// Distance at which a curve seems to touch a box.
const NEAR_BOX: f64 = 4.0;
/// Distance at which a curve seems to touch a label.
const NEAR_LABEL: f64 = 2.0;
/// Distance at which two curves seem to be one.
const NEAR_CURVE: f64 = 6.0;
/// Distance of a label from a flat curve.
const ABOVE: f64 = 8.0;

/// Costs, relative to each other. Each further bend or place that is tried must be worth it; touching something at one of the 60 points of a
/// curve costs more than all bends together if it happens a few times; a label on a box or a label is unreadable, which is worst.
const PER_BEND: f64 = 3.0;
const PER_POINT_IN_BOX: f64 = 10.0;
const PER_POINT_IN_LABEL: f64 = 12.0;
const PER_POINT_ALONG_EDGE: f64 = 4.0;
const COVERED_BY_LABEL: f64 = 60.0;
const CROSSED_BY_LABEL: f64 = 8.0;

/// What the picture already contains.
pub(super) struct Taken<'l> {
    /// The boxes; edges are given by their positions here.
    nodes: &'l [Rect],
    stubs: &'l [Rect],
    labels: Vec<Rect>,
    edges: Vec<Sampled>,
}

/// Points of an edge, and the rectangle around them.
struct Sampled {
    points: Vec<Point>,
    bounds: Rect,
}

impl<'l> Taken<'l> {
    pub(super) fn new(nodes: &'l [Rect], stubs: &'l [Rect]) -> Taken<'l> {
        Taken { nodes, stubs, labels: Vec::new(), edges: Vec::new() }
    }

    /// Adds an edge and its label, unless there are too many.
    pub(super) fn add(&mut self, path: &Path, label: Option<Rect>) {
        if self.nodes.len() <= MOST_BOXES {
            self.labels.extend(label);
        }
        if self.edges.len() < MOST_EDGES {
            self.edges.push(sampled(path.points(POINTS)));
        }
    }

    /// Returns a curve from one box to another, and the center of its label. `label` is half the width and half the height
    /// of the label, if there is one.
    pub(super) fn around(&self, from: usize, to: usize, label: Option<(f64, f64)>) -> (Curve, Point) {
        let (a, b) = (&self.nodes[from], &self.nodes[to]);
        let bent = |bend: f64| bent(a, b, bend).clipped(a, b);
        let mut best = bent(BENDS[0]);
        let mut place = beside(&best, LABELS_AT[0]);
        if self.nodes.len() > MOST_BOXES {
            return (best, place);
        }
        let mut least = f64::MAX;
        for (tried, bend) in BENDS.into_iter().enumerate() {
            let preference = PER_BEND * tried as f64;
            if preference >= least {
                break;
            }
            let curve = bent(bend);
            let points = sampled(curve.points(POINTS));
            let mut cost = preference + self.cost_of_boxes(from, to, &points);
            if cost < least {
                cost += self.cost_of_edges(&points);
            }
            for (tried, at) in LABELS_AT.into_iter().enumerate() {
                let cost = cost + tried as f64;
                if cost >= least {
                    break;
                }
                let (x, y) = beside(&curve, at);
                let size = label.unwrap_or_default();
                let cost = cost + self.cost_of_label(&Rect { x, y, w: size.0, h: size.1 });
                if cost < least {
                    (least, best, place) = (cost, curve, (x, y));
                }
                if label.is_none() {
                    break;
                }
            }
        }
        (best, place)
    }

    /// Returns the cost of the boxes and labels that a curve runs through.
    fn cost_of_boxes(&self, from: usize, to: usize, curve: &Sampled) -> f64 {
        let count = |rect: &Rect, space: f64| {
            let is_far = !grown(rect, space).overlaps(&curve.bounds);
            if is_far { 0 } else { curve.points.iter().filter(|&&point| rect.holds(point, space)).count() }
        };
        let others = self.nodes.iter().enumerate().filter(|(at, _)| *at != from && *at != to).map(|(_, rect)| rect);
        let boxes: usize = others.chain(self.stubs).map(|rect| count(rect, NEAR_BOX)).sum();
        let labels: usize = self.labels.iter().map(|rect| count(rect, NEAR_LABEL)).sum();
        PER_POINT_IN_BOX * boxes as f64 + PER_POINT_IN_LABEL * labels as f64
    }

    /// Returns the cost of the edges that a curve runs along.
    fn cost_of_edges(&self, curve: &Sampled) -> f64 {
        // Edges that end at the same box may be close there.
        let inner = &curve.points[POINTS as usize / 8..POINTS as usize * 7 / 8];
        let close = |other: &&Sampled| grown(&other.bounds, NEAR_CURVE).overlaps(&curve.bounds);
        let along = self.edges.iter().filter(close).map(|other| {
            let is_near = |a: &Point, b: &Point| (a.0 - b.0).abs() < NEAR_CURVE && (a.1 - b.1).abs() < NEAR_CURVE;
            inner.iter().step_by(2).filter(|a| other.points.iter().any(|b| is_near(a, b))).count()
        });
        PER_POINT_ALONG_EDGE * along.sum::<usize>() as f64
    }

    /// Returns the cost of what a label covers.
    fn cost_of_label(&self, label: &Rect) -> f64 {
        let space = grown(label, 2.0);
        let rects = self.nodes.iter().chain(self.stubs).chain(&self.labels);
        let covered = rects.filter(|rect| rect.overlaps(&space)).count();
        let curves = self.edges.iter().filter(|curve| curve.bounds.overlaps(&space));
        let crossed = curves.filter(|curve| curve.points.iter().any(|&point| space.holds(point, 0.0))).count();
        COVERED_BY_LABEL * covered as f64 + CROSSED_BY_LABEL * crossed as f64
    }
}

fn grown(rect: &Rect, space: f64) -> Rect {
    Rect { w: rect.w + space, h: rect.h + space, ..*rect }
}

fn sampled(points: impl Iterator<Item = Point>) -> Sampled {
    let points: Vec<Point> = points.collect();
    let range = |of: fn(&Point) -> f64| {
        let (least, most) = points.iter().map(of).fold((f64::MAX, f64::MIN), |(l, m), at| (l.min(at), m.max(at)));
        ((least + most) / 2.0, (most - least) / 2.0 + 1.0)
    };
    let ((x, w), (y, h)) = (range(|point| point.0), range(|point| point.1));
    Sampled { bounds: Rect { x, y, w, h }, points }
}

/// Returns a curve between the centers of two boxes, bent to one side in proportion to the distance.
fn bent(a: &Rect, b: &Rect, bend: f64) -> Curve {
    let (from, to) = ((a.x, a.y), (b.x, b.y));
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let far = dx.hypot(dy).max(1.0);
    // Short curves need a wider bend to differ from a straight line, and so do curves between tall or wide boxes.
    let sideways = ((a.w.max(b.w) * dy.abs() + a.h.max(b.h) * dx.abs()) / far).min(90.0);
    let out = bend * far + bend.signum() * (14.0 + 0.7 * sideways);
    let (mx, my) = blend(from, to, 0.5);
    Curve { from, towards: (mx + dy / far * out * 1.2, my - dx / far * out * 1.2), to }
}

/// Returns the position of a label at a parameter of its curve: on it, or above or below it if the curve is flat.
fn beside(curve: &Curve, t: f64) -> Point {
    let ((x, y), (dx, dy)) = (curve.at(t), (curve.to.0 - curve.from.0, curve.to.1 - curve.from.1));
    if dx.abs() < 3.0 * dy.abs() {
        return (x, y);
    }
    (x, if y < (curve.from.1 + curve.to.1) / 2.0 { y - ABOVE } else { y + ABOVE })
}
