//! A variant holds a type whose values are not known.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
enum Shape {
    Point,
    Circle(u8, std::time::Instant),
}

#[rep_ok]
impl Shape {
    fn rep_ok(&self) -> bool {
        matches!(self, Shape::Point)
    }
}

fn main() {
    korat::for_each_valid(Shape::scope(3), |shape| assert!(matches!(shape, Shape::Point)));
}
