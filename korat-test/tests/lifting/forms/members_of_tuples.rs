//! Classes by value that are members of tuples, in patterns.

use korat::{Finitize, rep_ok};

use crate::forms::valid;

#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
struct Point {
    #[finitize(0..=1)]
    x: u8,
    #[finitize(0..=2)]
    y: u8,
}

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Shape {
    Dot,
    Circle(#[finitize(0..=2)] u8),
    Box { corner: Point },
}

const POINTS: [Point; 6] = {
    let mut points = [Point { x: 0, y: 0 }; 6];
    let mut at = 0;
    while at < 6 {
        points[at] = Point { x: at as u8 / 3, y: at as u8 % 3 };
        at += 1;
    }
    points
};

fn shapes() -> Vec<Shape> {
    let circles = (0..=2).map(Shape::Circle);
    let boxes = POINTS.map(|corner| Shape::Box { corner });
    [Shape::Dot].into_iter().chain(circles).chain(boxes).collect()
}

#[derive(Debug, Finitize)]
struct Placed {
    at: (bool, Point),
    shape: (bool, Shape),
}

#[rep_ok]
impl Placed {
    fn rep_ok(&self) -> bool {
        let (is_high, Point { x, y }) = &self.at;
        if *is_high != (*y > 1) {
            return false;
        }
        let pair = &self.shape;
        match &pair.1 {
            Shape::Dot => pair.0,
            Shape::Circle(radius) => pair.0 && radius == x,
            Shape::Box { corner: Point { x: 1, .. } } => !pair.0,
            Shape::Box { .. } => false,
        }
    }
}

#[test]
fn of_a_field() {
    let mut count = 0;
    for is_high in [false, true] {
        for at in POINTS {
            for flag in [false, true] {
                for shape in shapes() {
                    let value = Placed { at: (is_high, at), shape: (flag, shape) };
                    count += u64::from(value.rep_ok());
                }
            }
        }
    }
    assert!(count > 0);
    assert_eq!(valid::<Placed>(3), count);
}

#[derive(Debug, Finitize)]
struct Row {
    #[finitize(len = 0..=2)]
    shapes: Vec<(bool, Shape)>,
    #[finitize(len = 0..=1)]
    points: Vec<(Point, bool)>,
}

#[rep_ok]
impl Row {
    fn rep_ok(&self) -> bool {
        for (flag, shape) in &self.shapes {
            match shape {
                Shape::Circle(0) => return false,
                Shape::Circle(_) | Shape::Dot if *flag => {}
                Shape::Box { corner } if corner.x == 1 => {}
                _ => return false,
            }
        }
        if self.shapes.first().is_some_and(|(flag, shape)| matches!(shape, Shape::Dot) && !flag) {
            return false;
        }
        let dots = self.shapes.iter().filter(|(_, shape)| matches!(shape, Shape::Dot | Shape::Circle(1))).count();
        let is_even = self.points.iter().all(|(Point { x, y }, flag)| (x + y) % 2 == u8::from(*flag));
        let Some((_, last)) = self.shapes.last() else { return is_even };
        let Shape::Box { corner: Point { y, .. } } = last else { return dots == 2 };
        is_even && dots < 2 && *y == 0
    }
}

#[test]
fn of_elements() {
    let shapes: Vec<(bool, Shape)> =
        [false, true].into_iter().flat_map(|flag| shapes().into_iter().map(move |shape| (flag, shape))).collect();
    let mut rows = vec![vec![]];
    rows.extend(shapes.iter().map(|one| vec![one.clone()]));
    rows.extend(shapes.iter().flat_map(|one| shapes.iter().map(move |two| vec![one.clone(), two.clone()])));
    let mut points = vec![vec![]];
    points.extend(POINTS.iter().flat_map(|&point| [false, true].map(|flag| vec![(point, flag)])));
    let mut count = 0;
    for shapes in &rows {
        for points in &points {
            count += u64::from(Row { shapes: shapes.clone(), points: points.clone() }.rep_ok());
        }
    }
    assert!(count > 0);
    assert_eq!(valid::<Row>(3), count);
}
