//! Routes the edges that are not part of the tree: quadratic curves from border to border, which avoid other boxes if possible.

use super::layout::Rect;

pub(super) type Point = (f64, f64);

/// A quadratic Bézier curve with the control point `towards`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    pub(super) from: Point,
    pub(super) towards: Point,
    pub(super) to: Point,
}

/// Maximum number of boxes for which curves try to avoid them; with more, there would be too many to check.
const MOST_BOXES: usize = 300;
/// Bends in the order in which they are tried, relative to the distance; negative ones bend to the other side.
const BENDS: [f64; 8] = [0.18, -0.18, 0.35, -0.35, 0.6, -0.6, 0.9, -0.9];

impl Curve {
    /// Returns a straight line.
    pub(super) fn line(from: Point, to: Point) -> Curve {
        Curve { from, towards: middle(from, to), to }
    }

    /// Returns the point at parameter `t`, from 0 to 1.
    pub(super) fn at(&self, t: f64) -> Point {
        let (a, b) = (blend(self.from, self.towards, t), blend(self.towards, self.to, t));
        blend(a, b, t)
    }

    /// Returns the part between two parameters.
    fn between(&self, begin: f64, end: f64) -> Curve {
        let after = Curve { from: self.at(begin), towards: blend(self.towards, self.to, begin), to: self.to };
        let rest = (end - begin) / (1.0 - begin);
        Curve { from: after.from, towards: blend(after.from, after.towards, rest), to: after.at(rest) }
    }

    /// Returns the part outside the rectangles at its ends.
    fn clipped(&self, from: &Rect, to: &Rect) -> Curve {
        const STEPS: usize = 200;
        let t = |step: usize| step as f64 / STEPS as f64;
        let begin = (0..STEPS).find(|&step| !holds(from, self.at(t(step)), 0.0)).unwrap_or(0);
        let end = (begin + 1..=STEPS).rev().find(|&step| !holds(to, self.at(t(step)), 2.0)).unwrap_or(STEPS);
        self.between(t(begin), t(end))
    }
}

/// Returns a curve between two boxes, with room for a label of width `label` in its middle. `used` are the positions of
/// other labels.
pub(super) fn around(rects: &[Rect], from: usize, to: usize, label: f64, used: &[Point]) -> Curve {
    let (a, b) = (&rects[from], &rects[to]);
    let mut best: Option<(f64, Curve)> = None;
    for (tried, bend) in BENDS.into_iter().enumerate() {
        let curve = bent(a, b, bend).clipped(a, b);
        if rects.len() > MOST_BOXES {
            return curve;
        }
        let crossed = (rects.iter().enumerate())
            .filter(|(at, _)| *at != from && *at != to)
            .flat_map(|(_, rect)| (1..24).map(move |step| (rect, f64::from(step) / 24.0)))
            .filter(|(rect, t)| holds(rect, curve.at(*t), 4.0))
            .count() as f64;
        let middle = curve.at(0.5);
        let close = used.iter().filter(|used| (used.0 - middle.0).abs() < 40.0 && (used.1 - middle.1).abs() < 13.0);
        let covers =
            |rect: &&Rect| (rect.x - middle.0).abs() < rect.w + label / 2.0 && (rect.y - middle.1).abs() < rect.h + 6.0;
        let covered = rects.iter().filter(covers).count() as f64;
        let cost = 10.0 * crossed + 12.0 * (covered + close.count() as f64) + 3.0 * tried as f64;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, curve));
        }
    }
    best.map_or_else(|| Curve::line((a.x, a.y), (b.x, b.y)), |(_, curve)| curve)
}

/// Returns a curve between the centers of two boxes, bent to one side in proportion to the distance.
fn bent(a: &Rect, b: &Rect, bend: f64) -> Curve {
    let (from, to) = ((a.x, a.y), (b.x, b.y));
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let far = dx.hypot(dy).max(1.0);
    // Short curves need a wider bend to differ from a straight line, and so do curves between tall or wide boxes.
    let sideways = ((a.w.max(b.w) * dy.abs() + a.h.max(b.h) * dx.abs()) / far).min(90.0);
    let out = bend * far + bend.signum() * (14.0 + 0.7 * sideways);
    let (mx, my) = middle(from, to);
    Curve { from, towards: (mx + dy / far * out * 1.2, my - dx / far * out * 1.2), to }
}

/// Returns whether a rectangle, enlarged by `space` on each side, contains a point.
fn holds(rect: &Rect, point: Point, space: f64) -> bool {
    (point.0 - rect.x).abs() <= rect.w + space && (point.1 - rect.y).abs() <= rect.h + space
}

fn middle(a: Point, b: Point) -> Point {
    blend(a, b, 0.5)
}

fn blend(a: Point, b: Point, t: f64) -> Point {
    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
}
