//! Points, rectangles, curves and paths of a picture.

pub(super) type Point = (f64, f64);

/// A rectangle, given by its center.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Half the width.
    pub(super) w: f64,
    /// Half the height.
    pub(super) h: f64,
}

impl Rect {
    /// Returns whether the rectangle, enlarged by `space` on each side, contains a point.
    pub(super) fn holds(&self, point: Point, space: f64) -> bool {
        (point.0 - self.x).abs() <= self.w + space && (point.1 - self.y).abs() <= self.h + space
    }

    /// Returns whether two rectangles have points in common, not counting their borders.
    pub(super) fn overlaps(&self, other: &Rect) -> bool {
        (self.x - other.x).abs() < self.w + other.w && (self.y - other.y).abs() < self.h + other.h
    }
}

/// A quadratic Bézier curve with the control point `towards`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    pub(super) from: Point,
    pub(super) towards: Point,
    pub(super) to: Point,
}

impl Curve {
    /// Returns the point at parameter `t`, from 0 to 1.
    pub(super) fn at(&self, t: f64) -> Point {
        let (a, b) = (blend(self.from, self.towards, t), blend(self.towards, self.to, t));
        blend(a, b, t)
    }

    /// Returns `count` points between the ends, evenly spaced in the parameter.
    pub(super) fn points(&self, count: u32) -> impl Iterator<Item = Point> {
        (1..=count).map(move |step| self.at(f64::from(step) / f64::from(count + 1)))
    }

    /// Returns a straight line.
    pub(super) fn line(from: Point, to: Point) -> Curve {
        Curve { from, towards: blend(from, to, 0.5), to }
    }

    /// Returns the curve in the other direction.
    fn reversed(self) -> Curve {
        Curve { from: self.to, towards: self.towards, to: self.from }
    }

    /// Returns the part outside the rectangles at its ends.
    pub(super) fn clipped(&self, from: &Rect, to: &Rect) -> Curve {
        const STEPS: usize = 200;
        let t = |step: usize| step as f64 / STEPS as f64;
        let begin = (0..STEPS).find(|&step| !from.holds(self.at(t(step)), 0.0)).unwrap_or(0);
        let end = (begin + 1..=STEPS).rev().find(|&step| !to.holds(self.at(t(step)), 2.0)).unwrap_or(STEPS);
        self.between(t(begin), t(end))
    }

    /// Returns the part between two parameters.
    fn between(&self, begin: f64, end: f64) -> Curve {
        let after = Curve { from: self.at(begin), towards: blend(self.towards, self.to, begin), to: self.to };
        let rest = (end - begin) / (1.0 - begin);
        Curve { from: after.from, towards: blend(after.from, after.towards, rest), to: after.at(rest) }
    }
}

/// One curve or several, each of which begins where the previous one ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path(pub(super) Vec<Curve>);

impl Path {
    /// Returns `count` points of each curve.
    pub(super) fn points(&self, count: u32) -> impl Iterator<Item = Point> {
        self.0.iter().flat_map(move |curve| curve.points(count))
    }

    /// Returns the path in the other direction.
    pub(super) fn reversed(self) -> Path {
        Path(self.0.into_iter().rev().map(Curve::reversed).collect())
    }
}

/// Returns the point between `a` at 0 and `b` at 1.
pub(super) fn blend(a: Point, b: Point, t: f64) -> Point {
    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
}
