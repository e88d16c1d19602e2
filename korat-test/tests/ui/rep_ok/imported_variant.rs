//! A variant that is imported looks like a class of its own.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
enum Shape {
    Point,
    Circle(u8),
}

use Shape::*;

#[rep_ok]
impl Shape {
    fn rep_ok(&self) -> bool {
        match self {
            Point => true,
            Circle(radius) => *radius > 0,
        }
    }
}

fn main() {
    korat::for_each_valid(Shape::scope(3), |shape| assert!(matches!(shape, Point | Circle(_))));
}
