//! A variant that is imported looks like a class of its own.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
enum Shape {
    Point,
    Circle { radius: u8 },
}

#[rep_ok]
impl Shape {
    fn rep_ok(&self) -> bool {
        use Shape::*;
        match self {
            Circle { radius } => *radius > 0,
            Point => true,
        }
    }
}

fn main() {
    korat::for_each_valid(Shape::scope(3), |shape| assert!(matches!(shape, Shape::Point | Shape::Circle { .. })));
}
