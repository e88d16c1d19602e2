//! Variants with data are not available yet.

use korat::Finitize;

#[derive(Clone, Debug, PartialEq, Finitize)]
enum Shape {
    Point,
    Circle(u8),
}

#[derive(Debug, Finitize)]
struct Drawing {
    shape: Shape,
}

fn main() {}
