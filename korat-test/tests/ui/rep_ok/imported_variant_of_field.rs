//! A variant of another class that is imported looks like a class of its own.

use korat::{Finitize, rep_ok};

#[derive(Debug, Finitize)]
enum Shape {
    Point,
    Circle(u8),
}

use Shape::Circle;

#[derive(Debug, Finitize)]
struct Drawing {
    shape: Shape,
}

#[rep_ok]
impl Drawing {
    fn rep_ok(&self) -> bool {
        match &self.shape {
            Circle(radius) => *radius > 0,
            _ => true,
        }
    }
}

fn main() {
    korat::for_each_valid(Drawing::scope(3), |drawing| assert!(matches!(drawing.shape, Shape::Point | Circle(_))));
}
