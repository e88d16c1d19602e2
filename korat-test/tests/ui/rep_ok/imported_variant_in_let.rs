//! A variant that is imported looks like a class of its own.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
enum Shape {
    Point,
    Circle(u8),
}

use Shape::Circle;

#[rep_ok]
impl Shape {
    fn rep_ok(&self) -> bool {
        let Circle(radius) = self else { return true };
        *radius > 0 || matches!(self, Circle(1))
    }
}

fn main() {
    korat::for_each_valid(Shape::scope(3), |shape| assert!(matches!(shape, Shape::Point | Circle(_))));
}
